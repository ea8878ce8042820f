# SPDX-License-Identifier: Apache-2.0
"""What can be known of a system besides running it: transform, tune, stability, import, files."""

from __future__ import annotations

import os
import pathlib
import signal
import threading
import zipfile

import numpy as np
import pytest

import rubato


class Ramp(rubato.PythonUnit):
    """y = t."""

    y: rubato.Output[float]

    def step(self, time: float, step: float) -> None:
        self.y = time + step


def loop_of_gains() -> rubato.System:
    """p = (q + 1)/2, q = (p + 1)/2: both are 1."""
    system = rubato.System("loop")
    for name in ("p", "q"):
        system.add(model="gain", name=name, parameters={"m": 1, "n": 1, "A": [0.5]})
    system.connect("p.y[1]", "q.u[1]", offset=1.0)
    system.connect("q.y[1]", "p.u[1]", offset=1.0)
    return system


def test_a_loop_becomes_a_unit_that_solves_it() -> None:
    system = loop_of_gains()
    expected = system.run(stop=1.0, step=0.5)
    assert expected["p.y[1]"][-1] == pytest.approx(1.0, abs=1e-6)
    transformed = system.transform()
    assert [each.concern for each in transformed.stages] == ["causality", "loops", "accuracy", "communication"]
    assert [each.is_present for each in transformed.stages] == [False, True, False, False]
    assert transformed.stages[1].explanation and "loops:" in str(transformed)
    assert len(transformed.system) == 1
    result = transformed.system.run(stop=1.0, step=0.5, algorithm="jacobi", record=["*"])
    values = [result[name][-1] for name in result if name.endswith("p.y[1]")]
    assert values == [pytest.approx(1.0, abs=1e-6)]


def test_concerns_have_names(oscillator: rubato.System) -> None:
    assert [each.concern for each in oscillator.transform("loops").stages] == ["loops"]
    with pytest.raises(rubato.InputError, match='did you mean "loops"'):
        oscillator.transform("loop")


@pytest.mark.parametrize(("step", "stable"), [(0.5, False), (0.01, False)])
def test_the_spectral_radius_of_explicit_euler(oscillator: rubato.System, step: float, stable: bool) -> None:
    found = oscillator.stability(stop=10.0, step=step, algorithm="jacobi")
    assert found.spectral_radius == pytest.approx(np.hypot(1, step), rel=1e-6)
    assert found.is_stable is stable
    assert abs(found.modes[0].eigenvalue) == pytest.approx(found.spectral_radius)
    assert {each.name.split(" ")[0] for each in found.modes[0].connections} >= {"a.y"}
    assert found.plot.svg.startswith(("<svg", "<?xml"))
    assert repr(found).startswith("<rubato.Stability, unstable")


def test_the_largest_stable_step_of_each_algorithm() -> None:
    system = rubato.System()
    lag = system.add(model="integrator", name="lag", parameters={"k": -1.0}, start={"y": 1.0})
    system.connect(lag["y"], lag["u"])  # y' = -y in steps of explicit Euler: stable up to 2
    found = {each.algorithm: each for each in system.stable_steps(stop=100.0, step=0.5)}
    assert found["jacobi"].stable == pytest.approx(2.0, rel=2e-3)


def test_a_cheaper_way_is_found(oscillator: rubato.System) -> None:
    runs: list[int] = []
    found = oscillator.tune(tolerance=1e-2, budget=20.0, minimize="unit-steps", stop=1.0, step=0.001, algorithm="jacobi",
                            progress=lambda count: runs.append(count))
    assert found.best is not None and found.system is not None
    assert found.best.error <= 1e-2 and found.best.is_within
    assert found.best.unit_steps < found.trials[0].unit_steps
    assert runs == sorted(set(runs)) and all(0 < count <= len(found.trials) for count in runs)
    result = found.system.run()
    assert result["a.y"][-1] == pytest.approx(np.cos(1.0), abs=0.03)
    assert "<table>" in found._repr_html_() and "runs" in repr(found)


def test_what_a_search_cannot_do(oscillator: rubato.System) -> None:
    with pytest.raises(rubato.InputError, match='did you mean "messages"'):
        oscillator.tune(minimize="message")
    with pytest.raises(rubato.InputError, match="tolerance"):
        oscillator.tune(tolerance=-1.0, stop=1.0)
    with pytest.raises(rubato.InputError, match="at least one run"):
        oscillator.tune(parallel=0)
    oscillator.add(Ramp, name="ramp")
    with pytest.raises(rubato.InputError, match='unit "ramp" is written in Python'):
        oscillator.tune(stop=1.0)


def test_a_search_may_be_ended(oscillator: rubato.System) -> None:
    settings = rubato.options(stop=20.0, step=0.001, algorithm="jacobi", record=["a.y"])
    found = oscillator.tune(budget=300.0, progress=lambda count: False, **settings)
    assert found.stopped == "it was interrupted"

    def fail(count: int) -> None:
        raise KeyError("from the callback")

    with pytest.raises(KeyError, match="from the callback"):
        oscillator.tune(budget=300.0, progress=fail, **settings)
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        oscillator.tune(budget=300.0, **{**settings, "stop": 2e4})


@pytest.mark.parametrize("call", ["save", "export"])
def test_units_in_python_are_not_written(oscillator: rubato.System, call: str) -> None:
    oscillator.add(Ramp, name="ramp")
    with pytest.raises(rubato.InputError, match='unit "ramp" is written in Python'):
        getattr(oscillator, call)("all.yaml" if call == "save" else "all.fmu")
    assert not list(pathlib.Path.cwd().iterdir())


def test_a_saved_system_finds_its_files(fmus: pathlib.Path) -> None:
    pathlib.Path("models").mkdir()
    pathlib.Path("models/msd1.fmu").write_bytes((fmus / "msd1.fmu").read_bytes())
    pathlib.Path("here.yaml").write_text("rubato: 1\nunits: {m: {fmu: models/msd1.fmu, start: {x1: 1}}}\n")
    pathlib.Path("deep/er").mkdir(parents=True)
    rubato.load("here.yaml").save("deep/er/there.yaml")
    assert "../../models/msd1.fmu" in pathlib.Path("deep/er/there.yaml").read_text(encoding="utf-8")
    expected = rubato.load("here.yaml").run(stop=1.0, step=0.1)
    np.testing.assert_array_equal(rubato.load("deep/er/there.yaml").run(stop=1.0, step=0.1)["m.x1"], expected["m.x1"])


def test_a_system_goes_to_ssp_and_comes_back(fmus: pathlib.Path) -> None:
    system = rubato.System("masses")
    msd1 = system.add(fmus / "msd1.fmu", parameters={"c1": 5.0}, start={"x1": 1.0})
    msd2 = system.add(fmus / "msd2.fmu")
    system.connect(msd1["x1"], msd2["x1"])
    system.connect(msd2["Fc"], msd1["Fc"])
    expected = system.run(stop=1.0, step=0.1)["msd1.x1"]
    assert system.export("masses.ssp") == pathlib.Path("masses.ssp").stat().st_size
    assert "SystemStructure.ssd" in zipfile.ZipFile("masses.ssp").namelist()
    with pytest.raises(rubato.InputError, match="masses.ssp"):
        system.export("masses.ssp")
    np.testing.assert_array_equal(rubato.load("masses.ssp").run(stop=1.0, step=0.1)["msd1.x1"], expected)
    imported = rubato.import_system("masses.ssp")
    assert pathlib.Path("masses.yaml").exists() and pathlib.Path("masses/msd1.fmu").exists()
    np.testing.assert_array_equal(imported.run(stop=1.0, step=0.1)["msd1.x1"], expected)
    with pytest.raises(rubato.InputError, match="masses.yaml"):
        rubato.import_system("masses.ssp")
    with pytest.raises(rubato.InputError, match="none.ssp"):
        rubato.import_system("none.ssp", "other.yaml")
    assert not pathlib.Path("other.yaml").exists()


def test_what_a_format_cannot_hold_is_a_warning(oscillator: rubato.System) -> None:
    with pytest.warns(rubato.RubatoWarning, match="conf"):
        oscillator.save("oscillator.conf")
    with pytest.warns(rubato.RubatoWarning, match="conf"):
        oscillator.synthesize("conf")
