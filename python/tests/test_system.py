# SPDX-License-Identifier: Apache-2.0
"""Systems are built, loaded, written and run."""

from __future__ import annotations

import math
import pathlib
import subprocess
import sys

import numpy as np
import pytest

import rubato


def coupled_masses(fmus: pathlib.Path) -> rubato.System:
    system = rubato.System("masses")
    msd1 = system.add(fmus / "msd1.fmu", parameters={"c1": 5.0}, start={"x1": 1.0})
    msd2 = system.add(fmus / "msd2.fmu")
    system.connect(msd1["x1"], msd2["x1"])
    system.connect(msd1["v1"], msd2["v1"])
    system.connect(msd2["Fc"], msd1["Fc"], approximation="linear")
    return system


def test_two_fmus_run_as_on_the_command_line_bit_by_bit(fmus: pathlib.Path) -> None:
    system = coupled_masses(fmus)
    result = system.run(stop=10, step=0.2, algorithm="iterated-gauss-seidel")
    system.save("masses.yaml")
    command = [sys.executable, "-m", "rubato", "run", "masses.yaml", "--stop", "10", "--step", "0.2", "--algorithm",
               "iterated-gauss-seidel", "--quiet", "-o", "masses.csv"]
    subprocess.run(command, check=True)
    table = np.genfromtxt("masses.csv", delimiter=",", names=True, deletechars="")
    assert len(result.time) == 51
    np.testing.assert_array_equal(result["msd1.x1"], table["msd1.x1"])
    np.testing.assert_array_equal(result["msd2.Fc"], table["msd2.Fc"])
    assert result.units["msd1.x1"] == "m"
    assert result.trust.grade == "poor"  # a step of 0.2 s is long for inputs that are held
    assert {connection.target for connection in result.trust.connections} == {"msd2.x1", "msd2.v1", "msd1.Fc"}


def test_the_error_falls_with_the_step(oscillator: rubato.System) -> None:
    errors = [abs(oscillator.run(stop=1.0, step=h, algorithm="jacobi")["a.y"][-1] - math.cos(1)) for h in (0.02, 0.01)]
    assert errors[0] / errors[1] == pytest.approx(2, rel=0.1)


def test_settings_of_a_run_do_not_change_the_system(oscillator: rubato.System) -> None:
    before = oscillator.to_yaml()
    oscillator.run(stop=0.5, step=0.1, algorithm="gauss-seidel", iterations=None)
    assert oscillator.to_yaml() == before


def test_what_is_written_is_read_as_the_same(oscillator: rubato.System) -> None:
    oscillator.set("experiment.stop", 2.0)
    oscillator.save("oscillator.yaml")
    again = rubato.load("oscillator.yaml")
    assert again.to_yaml() == oscillator.to_yaml()
    np.testing.assert_array_equal(again.run(step=0.1)["b.y"], oscillator.run(step=0.1)["b.y"])


def test_units_know_their_variables(fmus: pathlib.Path) -> None:
    msd1 = coupled_masses(fmus)["msd1"]
    assert [str(each) for each in msd1.inputs] == ["msd1.Fc"]
    assert msd1["x1"].info.unit == "m"
    msd1["m1"] = 3.0
    assert "m1: 3" in msd1.system.to_yaml()
    with pytest.raises(rubato.InputError, match='did you mean "x1"'):
        msd1["x"]


def test_results_are_views_without_a_copy(oscillator: rubato.System) -> None:
    result = oscillator.run(stop=1.0, step=0.1)
    view = result["a.y"]
    assert view.__array_interface__["data"] == result["a.y"].__array_interface__["data"]
    assert not view.flags.owndata and not view.flags.writeable
    values = view.tolist()
    del result
    assert view.tolist() == values  # the memory lives as long as the view


def test_results_become_a_data_frame(oscillator: rubato.System) -> None:
    pandas = pytest.importorskip("pandas")
    frame = oscillator.run(stop=1.0, step=0.5).to_pandas()
    assert isinstance(frame, pandas.DataFrame)
    assert frame.index.name == "time" and list(frame.columns) == ["a.y", "b.y"]


def test_pictures_are_svg(oscillator: rubato.System) -> None:
    result = oscillator.run(stop=1.0, step=0.1)
    for picture in (result.plot(), result.plot("a.*"), oscillator.diagram(), oscillator.graph("initialization")):
        assert picture.svg.startswith("<svg") or picture.svg.startswith("<?xml")
    result.plot("b.y").save("b.svg")
    assert pathlib.Path("b.svg").read_text(encoding="utf-8") == result.plot("b.y").svg
    assert "a.y → b.u" in oscillator.diagram().svg
    assert "<table>" in result.trust._repr_html_()


def test_the_algorithm_is_synthesized_and_verified(oscillator: rubato.System) -> None:
    assert "step" in oscillator.synthesize(algorithm="jacobi")
    assert oscillator.verify(algorithm="jacobi").outcome == "correct"
    assert oscillator.check().is_correct
    conf = oscillator.synthesize("conf", algorithm="gauss-seidel")
    assert "a" in conf


def test_a_wrong_algorithm_has_a_counterexample(oscillator: rubato.System) -> None:
    yaml = oscillator.synthesize("yaml", algorithm="gauss-seidel", order=["a", "b"])
    wrong = rubato.load_text(yaml.replace("reactive", "delayed"))
    verdict = wrong.verify()
    assert verdict.outcome == "wrong"
    assert verdict.counterexamples[0].trace
    assert "b" in verdict.counterexamples[0].message


def test_one_fmu_is_simulated_inspected_and_validated(fmus: pathlib.Path) -> None:
    result = rubato.simulate(fmus / "msd1.fmu", stop=1.0, step=0.1, values={"x1": 1.0}, record=["x1", "v1"])
    assert list(result) == ["x1", "v1"] and result["x1"][0] == 1.0
    assert rubato.inspect(fmus / "msd1.fmu").kind.startswith("FMI 2.0")
    assert rubato.validate(fmus / "msd1.fmu") == []


def test_a_system_is_exported_as_an_fmu(oscillator: rubato.System) -> None:
    inside = oscillator.run(stop=1.0, step=0.1, algorithm="jacobi")
    size = oscillator.export("oscillator.fmu", stop=1.0, step=0.1, algorithm="jacobi")
    assert size == pathlib.Path("oscillator.fmu").stat().st_size
    outside = rubato.simulate("oscillator.fmu", stop=1.0, step=0.1, record="*")
    np.testing.assert_array_equal(outside["a.y"], inside["a.y"])


def test_an_fmu_runs_in_a_process_of_its_own(fmus: pathlib.Path) -> None:
    plain = rubato.System()
    plain.add(fmus / "msd1.fmu", start={"x1": 1.0})
    isolated = rubato.System()
    isolated.add(fmus / "msd1.fmu", start={"x1": 1.0}, isolate=True)
    np.testing.assert_array_equal(plain.run(stop=1, step=0.1)["msd1.x1"], isolated.run(stop=1, step=0.1)["msd1.x1"])


def test_results_are_written_to_a_file_too(oscillator: rubato.System) -> None:
    oscillator.run(stop=1.0, step=0.1, results="out/a.csv")
    assert pathlib.Path("out/a.csv").read_text(encoding="utf-8").startswith("time,")


def test_a_function_feeds_an_input() -> None:
    system = rubato.System()
    plant = system.add(model="integrator", name="plant")
    system.set_input(plant["u"], math.cos, approximation="linear")
    error = {h: abs(system.run(stop=1.0, step=h)["plant.y"][-1] - math.sin(1)) for h in (0.02, 0.01)}
    assert error[0.01] < error[0.02] < 1e-2


def test_progress_is_told_and_may_end_the_run(oscillator: rubato.System) -> None:
    seen: list[tuple[float, float]] = []

    def stop_soon(time: float, fraction: float) -> bool:
        seen.append((time, fraction))
        return False

    result = oscillator.run(stop=1e6, step=0.001, algorithm="jacobi", progress=stop_soon)
    assert not result.is_complete and result.message == "interrupted by the program"
    assert len(seen) == 1 and 0 < seen[0][1] < 1


def test_copies_run_in_threads_at_the_same_time(oscillator: rubato.System) -> None:
    from concurrent.futures import ThreadPoolExecutor

    expected = oscillator.run(stop=10, step=0.001)["a.y"]
    copies = [oscillator.copy() for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        for result in pool.map(lambda each: each.run(stop=10, step=0.001), copies):
            np.testing.assert_array_equal(result["a.y"], expected)
