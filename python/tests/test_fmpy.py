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
    force = np.where(time < 1, 1.0, -1.0)
    np.savetxt("in.csv", np.c_[time, force], delimiter=",", header="time,Fc", comments="")
    signals = np.array(list(zip(time, force, strict=True)), dtype=[("time", float), ("Fc", float)])
    theirs = fmpy.simulate_fmu(str(fmus / "msd1.fmu"), start_values={"x1": 1.0}, input=signals, output=["x1", "v1"],
                               stop_time=2.0, output_interval=0.1, fmi_type="CoSimulation")
    ours = rubato.simulate(fmus / "msd1.fmu", values={"x1": 1.0}, input="in.csv", stop=2.0, step=0.1, record=["x1", "v1"])
    # Before the force changes between two points, the two must agree to rounding.
    before = np.searchsorted(ours.time, 0.9, side="right")
    np.testing.assert_allclose(np.interp(theirs["time"][:9], ours.time[:before], ours["x1"][:before]),
                               theirs["x1"][:9], rtol=1e-9)
