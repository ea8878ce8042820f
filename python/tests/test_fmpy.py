# SPDX-License-Identifier: Apache-2.0
"""The same FMU, the same input, the same result as FMPy, where that is installed."""

from __future__ import annotations

import pathlib

import numpy as np
import pytest

import rubato

fmpy = pytest.importorskip("fmpy", reason="FMPy is not installed: pip install fmpy")


def test_one_fmu_with_an_input(fmus: pathlib.Path) -> None:
    time = np.linspace(0, 2, 21)
    force = np.sin(3 * time)
    np.savetxt("in.csv", np.c_[time, force], delimiter=",", header="time,Fc", comments="", fmt="%.17g")
    signals = np.array(list(zip(time, force, strict=True)), dtype=[("time", float), ("Fc", float)])
    theirs = fmpy.simulate_fmu(str(fmus / "msd1.fmu"), start_values={"x1": 1.0}, input=signals, output=["x1", "v1"],
                               stop_time=2.0, step_size=0.1, output_interval=0.1, fmi_type="CoSimulation")
    ours = rubato.simulate(fmus / "msd1.fmu", values={"x1": 1.0}, input="in.csv", stop=2.0, step=0.1, record=["x1", "v1"])
    for name in ("x1", "v1"):
        np.testing.assert_allclose(ours[name], theirs[name], rtol=1e-12, atol=1e-14)


def test_what_the_description_says(fmus: pathlib.Path) -> None:
    theirs = fmpy.read_model_description(str(fmus / "msd1.fmu"))
    ours = rubato.inspect(fmus / "msd1.fmu")
    assert ours.model == theirs.modelName
    assert [(each.name, each.causality) for each in ours.variables] == [
        (each.name, each.causality) for each in theirs.modelVariables
    ]
