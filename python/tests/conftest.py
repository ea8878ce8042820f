# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import os
import pathlib

import pytest

import rubato


@pytest.fixture
def fmus() -> pathlib.Path:
    """The FMUs of the models that come with Rubato, in their form for FMI 2.0."""
    folder = pathlib.Path(os.environ.get("RUBATO_FMUS", "")) / "fmi2"
    if not (folder / "msd1.fmu").exists() or not (folder / "msd2.fmu").exists():
        pytest.skip(f"there are no FMUs in {folder}: build the target model_fmus and set RUBATO_FMUS")
    return folder


@pytest.fixture
def oscillator() -> rubato.System:
    """y'' = -y, from two units: a.y = cos t."""
    system = rubato.System("oscillator")
    a = system.add(model="integrator", name="a", start={"y": 1.0})
    b = system.add(model="integrator", name="b", parameters={"k": -1.0})
    system.connect(a["y"], b["u"])
    system.connect(b["y"], a["u"])
    return system


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
