#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What Rubato costs from Python, and two FMUs coupled by FMPy beside it.

    build/python/venv/bin/pip install fmpy
    build/python/venv/bin/python bench/python.py build/release/fmus/fmi2

Prints Markdown tables. Every time is the best of several runs.
"""

from __future__ import annotations

import inspect
import pathlib
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable

import rubato

STOP, STEP = 2000.0, 0.01
STEPS = round(STOP / STEP)


def best(call: Callable[[], object], times: int = 5) -> float:
    durations = []
    for _ in range(times):
        begin = time.perf_counter()
        call()
        durations.append(time.perf_counter() - begin)
    return min(durations)


def coupled_by_rubato(fmus: pathlib.Path) -> rubato.System:
    system = rubato.System("masses")
    msd1 = system.add(fmus / "msd1.fmu", start={"x1": 1.0})
    msd2 = system.add(fmus / "msd2.fmu")
    system.connect(msd1["x1"], msd2["x1"])
    system.connect(msd1["v1"], msd2["v1"])
    system.connect(msd2["Fc"], msd1["Fc"])
    return system


def coupled_by_fmpy(fmus: pathlib.Path, steps: int) -> list[float]:
    import shutil

    from fmpy import extract, read_model_description
    from fmpy.fmi2 import FMU2Slave

    units, references, folders = [], [], []
    for name in ("msd1", "msd2"):
        file = str(fmus / f"{name}.fmu")
        description = read_model_description(file)
        folder = extract(file)
        unit = FMU2Slave(guid=description.guid, unzipDirectory=folder,
                         modelIdentifier=description.coSimulation.modelIdentifier, instanceName=name)
        unit.instantiate()
        unit.setupExperiment(startTime=0.0)
        units.append(unit)
        folders.append(folder)
        references.append({each.name: each.valueReference for each in description.modelVariables})
    (msd1, msd2), (refs1, refs2) = units, references
    msd1.setReal([refs1["x1"]], [1.0])
    for unit in units:
        unit.enterInitializationMode()
    moved, force = [refs1["x1"], refs1["v1"]], [refs2["Fc"]]
    follows, pushed = [refs2["x1"], refs2["v1"]], [refs1["Fc"]]
    msd2.setReal(follows, msd1.getReal(moved))
    msd1.setReal(pushed, msd2.getReal(force))
    for unit in units:
        unit.exitInitializationMode()
    recorded = [msd1.getReal(moved)[0]]
    for n in range(steps):
        msd2.setReal(follows, msd1.getReal(moved))
        msd1.setReal(pushed, msd2.getReal(force))  # the force follows the motion at once
        msd1.doStep(currentCommunicationPoint=n * STEP, communicationStepSize=STEP)
        msd2.doStep(currentCommunicationPoint=n * STEP, communicationStepSize=STEP)
        recorded.append(msd1.getReal(moved)[0])
    for unit, folder in zip(units, folders, strict=True):
        unit.terminate()
        unit.freeInstance()
        shutil.rmtree(folder)
    return recorded


def step_through(system: rubato.System) -> None:
    with system.start(stop=STOP, step=STEP, algorithm="jacobi", record=False) as run:
        while run.step():
            pass


def read_and_step(system: rubato.System) -> None:
    with system.start(stop=STOP, step=STEP, algorithm="jacobi", record=False) as run:
        while run.step():
            run["msd1.x1"]


def against_the_command_line(system: rubato.System, folder: str) -> None:
    system.save(f"{folder}/masses.yaml")
    settings = {"stop": STOP, "step": STEP, "algorithm": "jacobi"}
    command = [str(pathlib.Path(rubato.__file__).parent / "bin/rubato"), "run", f"{folder}/masses.yaml", "--stop", str(STOP), "--step",
               str(STEP), "--algorithm", "jacobi", "--quiet", "-o", f"{folder}/r.csv"]

    def by_command() -> None:
        subprocess.run(command, check=True)

    def by_package() -> None:
        system.run(**settings, results=f"{folder}/p.csv")

    pairs = [(best(by_command, 1), best(by_package, 1)) for _ in range(7)]
    command_line, package = min(first for first, _ in pairs), min(second for _, second in pairs)
    in_memory = best(lambda: system.run(**settings))
    steps, reading = best(lambda: step_through(system)), best(lambda: read_and_step(system))
    print("| two FMUs, Jacobi | µs per step |\n|---|---|")
    for text, seconds in (("`rubato run`, with its start", command_line), ("`system.run(results=…)`", package),
                          ("`system.run()`, in memory", in_memory), ("`run.step()`, not recorded", steps),
                          ("the same, and a value read after each step", reading)):
        print(f"| {text} | {1e6 * seconds / STEPS:.2f} |")
    print(f"\nRatio of package to command line: {package / command_line:.3f}")
    print(f"run.step() over a step of run(): {1e6 * (steps - in_memory) / STEPS:.2f} µs\n")


def against_fmpy(system: rubato.System, fmus: pathlib.Path) -> None:
    try:
        import fmpy
    except ImportError:
        print("FMPy is not installed: no comparison")
        return
    steps = STEPS // 10
    settings = {"stop": STOP / 10, "step": STEP, "algorithm": "jacobi"}
    ours, theirs = system.run(**settings), coupled_by_fmpy(fmus, steps)
    difference = max(abs(a - b) for a, b in zip(ours["msd1.x1"], theirs, strict=True))
    lines = {each: len(inspect.getsource(each).splitlines()) - 1 for each in (coupled_by_fmpy, coupled_by_rubato)}
    slow = best(lambda: coupled_by_fmpy(fmus, steps), 3)
    fast = best(lambda: system.run(**settings))
    print("| | lines of code | µs per step |\n|---|---|---|")
    print(f"| FMPy {fmpy.__version__}, loop in Python | {lines[coupled_by_fmpy]} | {1e6 * slow / steps:.1f} |")
    print(f"| Rubato {rubato.__version__} | {lines[coupled_by_rubato] + 1} | {1e6 * fast / steps:.1f} |")
    print(f"\nLargest difference of msd1.x1 between the two: {difference:g}")


if __name__ == "__main__":
    fmu_folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "build/release/fmus/fmi2").resolve()
    masses = coupled_by_rubato(fmu_folder)
    with tempfile.TemporaryDirectory() as temporary:
        against_the_command_line(masses, temporary)
    against_fmpy(masses, fmu_folder)
