# SPDX-License-Identifier: Apache-2.0
"""Single FMUs."""

from __future__ import annotations

import os
from collections.abc import Mapping

from . import _rubato
from ._result import Result, names_of
from ._settings import Path, to_yaml
from ._system import Progress


def inspect(fmu: Path, *, strict: bool = False) -> _rubato.UnitInfo:
    """Read what an FMU is: model, kind, tool, variables, can_save, suggested start, stop, step, tolerance."""
    return _rubato.inspect(os.fspath(fmu), strict)


def validate(fmu: Path) -> list[_rubato.Violation]:
    """Find violations of the FMI standard: rule, file, line, message, hint, treatment, consequence."""
    return _rubato.validate(os.fspath(fmu))


def simulate(
    fmu: Path,
    *,
    start: float | None = None,
    stop: float | None = None,
    step: float | None = None,
    tolerance: float | None = None,
    values: Mapping[str, object] | None = None,
    record: str | list[str] | None = None,
    input: Path | None = None,
    type: str | None = None,
    results: Path | None = None,
    overwrite: bool = False,
    strict: bool = False,
    progress: Progress | None = None,
) -> Result:
    """Run one FMU. Its variables have their own names in the result.

    ``values`` are parameters and start values, ``input`` a CSV file with a column for each input, ``type`` is "cs" or
    "me". What is not given is as the FMU suggests.
    """
    settings = [f"{name}={to_yaml(value)}" for name, value in (values or {}).items()]
    return Result(
        _rubato.simulate(
            os.fspath(fmu), start, stop, step, tolerance, settings, names_of(record),
            os.fspath(input) if input is not None else None, type,
            os.fspath(results) if results is not None else "", overwrite, strict, progress,
        )
    )
