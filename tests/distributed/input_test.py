#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Inputs that the processes of a distributed run must refuse together: one message, from one rank, and all of them end.

input_test.py RUBATO MPIRUN FMUS: FMUS is a folder with behaves.fmu.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ENVIRONMENT = os.environ | {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
}
SCENARIO = """rubato: 1
name: inputs
units:
  a: {model: oscillator}
  b: {fmu: behaves.fmu}
experiment: {stop: 1.2, step: 0.3}
"""
RUBATO, MPIRUN, FMUS = (Path(argument).resolve() for argument in sys.argv[1:4])
FAILURES = []


def launch(folder, *commands):
    """Each command is what one rank executes. Exit code and messages."""
    line = [str(MPIRUN)]
    for command in commands:
        line += [":"] * (len(line) > 1) + ["-n", "1", *map(str, command)]
    begin = time.monotonic()
    try:
        done = subprocess.run(line, cwd=folder, env=ENVIRONMENT, capture_output=True, text=True, timeout=60, check=False)
    except subprocess.TimeoutExpired:
        return 0, "it does not end"
    print(f"  {time.monotonic() - begin:.1f} s", flush=True)
    return done.returncode, done.stderr


def is_refused(name, prepare, first, second, *texts):
    """`prepare` gets the folder, with the folders 0 and 1 that hold the same scenario."""
    print(name, flush=True)
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        for rank in "01":
            (folder / rank).mkdir()
            (folder / rank / "inputs.yaml").write_text(SCENARIO, encoding="utf-8")
            shutil.copy(FMUS / "behaves.fmu", folder / rank)
        if prepare:
            prepare(folder)
        code, messages = launch(folder, first, second)
        for text in texts:
            if text not in messages:
                FAILURES.append(f'{name}: "{text}" is not in\n{messages}')
        if code == 0 or messages.count("rubato: ") != 1:
            FAILURES.append(f"{name}: exit code {code}\n{messages}")
        if list(folder.rglob("*.csv")):
            FAILURES.append(f"{name}: results were written")


def run(rank, *options, program=None):
    return [program or RUBATO, "run", f"{rank}/inputs.yaml", "-o", "results.csv", *options]


def edit(folder):
    path = folder / "1/inputs.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("stop: 1.2", "stop: 1.5"), encoding="utf-8")


def exchange_fmu(folder):
    shutil.copy(FMUS / "talks.fmu", folder / "1/behaves.fmu")


def another_program(folder):
    """The same, with a byte more at its end."""
    (folder / "bin").mkdir()
    for name in ("rubato", "rubato-mpi.so", "rubato-unit"):
        shutil.copy(RUBATO.parent / name, folder / "bin")
    with (folder / "bin/rubato").open("ab") as program:
        program.write(b"\0")


def hide_fmu(folder):
    (folder / "1/behaves.fmu").unlink()


def main():
    is_refused("another scenario", edit, run(0), run(1), "rank 0 on ", "rank 1 on ", "scenario inputs.yaml is not the same")
    is_refused("another FMU", exchange_fmu, run(0), run(1), "rank 0 on ", "rank 1 on ", "behaves.fmu is not the same")
    is_refused("other options", None, run(0), run(0, "--step", "0.1"), "rank 0 on ", "rank 1 on ", "the options say is not the same")
    is_refused("another program", another_program, run(0), run(0, program="bin/rubato"), "rank 0 on ", "rank 1 on ", "the program rubato")
    is_refused("an FMU is missing", hide_fmu, run(0), run(1), "rank 1 on ", 'unit "b": there is no FMU')
    is_refused("a scenario is missing", None, run(0), run(2), "rank 1 on ", "2/inputs.yaml")
    is_refused("an unknown unit is placed", None, *[run(0, "--set", "placement={c: 0}")] * 2, 'placement: the scenario has no unit "c"')
    is_refused("an unknown rank", None, *[run(0, "--set", "placement={a: 2}")] * 2, 'unit "a" is placed on rank 2, but there are 2 processes')
    is_refused("a rank without a unit", None, *[run(0, "--set", "placement={a: 0, b: 0}")] * 2, "rank 1 would have no unit")
    for failure in FAILURES:
        print(failure, file=sys.stderr)
    return 1 if FAILURES else 0


if __name__ == "__main__":
    sys.exit(main())
