# SPDX-License-Identifier: Apache-2.0
"""Exceptions and warnings. The extension module raises these classes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from . import _rubato
    from ._result import Result


class Error(Exception):
    """What went wrong, with the text that the command line prints.

    >>> import rubato
    >>> try:
    ...     rubato.load("missing.yaml")
    ... except rubato.Error as error:
    ...     print(error.file)
    missing.yaml
    """

    file: str | None = None
    """The file that the first problem is in."""
    line: int | None = None
    """Its line, counted from 1."""
    unit: str | None = None
    """The unit that has failed."""
    time: float | None = None
    """The simulated time at which it has failed [s]."""
    result: Result | None = None
    """What was recorded up to the failure of a run."""
    problems: Sequence[_rubato.Problem] = ()
    """All problems of an input: severity (error, warning, note), file, line, message, hint."""


class InputError(Error, ValueError):
    """A file, a setting or an argument is wrong: nothing has been run."""


class UnitError(Error, RuntimeError):
    """A unit has failed. If it is written in Python, ``__cause__`` is what it has raised."""


class InUseError(Error, RuntimeError):
    """A system is used by two threads, or from within its own run."""


class RubatoWarning(UserWarning):
    """What to know of a system before its results are used."""
