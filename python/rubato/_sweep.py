# SPDX-License-Identifier: Apache-2.0
"""Many runs of one system, on all processors."""

from __future__ import annotations

import itertools
import os
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, overload

from ._errors import Error, InputError
from ._result import Result

if TYPE_CHECKING:
    from ._system import System

Case = Mapping[str, object]


def grid(values: Mapping[str, Iterable[object]]) -> list[dict[str, object]]:
    """Combine values of several parameters, each with each, as cases of a sweep.

    >>> import rubato
    >>> rubato.grid({"a.k": [1, 2], "step": [0.1]})
    [{'a.k': 1, 'step': 0.1}, {'a.k': 2, 'step': 0.1}]
    """
    return [dict(zip(values, each, strict=True)) for each in itertools.product(*values.values())]


class Sweep(Sequence[Result]):
    """The results of a sweep, one for each case, in their order."""

    def __init__(self, cases: list[dict[str, object]], outcomes: list[Result | Error]) -> None:
        self.cases = cases
        """The values that were set in each run."""
        self.errors: dict[int, Error] = {i: each for i, each in enumerate(outcomes) if isinstance(each, Error)}
        """What runs have failed with, by the number of the case; empty unless ``keep_errors`` was set."""
        self._outcomes = outcomes

    @overload
    def __getitem__(self, index: int) -> Result: ...

    @overload
    def __getitem__(self, index: slice) -> list[Result]: ...

    def __getitem__(self, index: int | slice) -> Result | list[Result]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        outcome = self._outcomes[index]
        if isinstance(outcome, Error):
            raise outcome
        return outcome

    def __len__(self) -> int:
        return len(self._outcomes)

    def values(self, function: Callable[[Result], Any]) -> list[Any]:
        """Return a number of each result; None where the run has failed."""
        return [None if isinstance(each, Error) else function(each) for each in self._outcomes]

    def to_pandas(self, **functions: Callable[[Result], Any]) -> Any:
        """Return a pandas DataFrame with a row for each case: its values, and what each function gives of its result."""
        try:
            import pandas  # type: ignore[import-untyped, unused-ignore]
        except ImportError as missing:
            raise ImportError("to_pandas() needs pandas: pip install pandas") from missing
        frame = pandas.DataFrame(self.cases)
        for name, function in functions.items():
            frame[name] = self.values(function)
        return frame

    def __repr__(self) -> str:
        failed = f", {len(self.errors)} failed" if self.errors else ""
        return f"<rubato.Sweep, {len(self)} runs{failed}>"


class _Workers:
    """Runs cases in threads. Each thread has a copy of the system of its own."""

    def __init__(self, system: System, settings: Mapping[str, object]) -> None:
        self._system = system
        self._settings = settings
        self._own = threading.local()
        self.stop = threading.Event()

    def run(self, case: Case) -> Result | Error:
        if not hasattr(self._own, "copy"):
            self._own.copy = self._system.copy()
        copy: System = self._own.copy
        system = copy._made(copy._scenario.copy())
        settings: dict[str, Any] = dict(self._settings)
        try:
            for name, value in case.items():
                if "." in name:
                    system.set(name, value)
                else:
                    settings[name] = value
            return system.run(progress=lambda time, fraction: not self.stop.is_set(), **settings)
        except Error as error:
            return error


def run_sweep(
    system: System,
    cases: Iterable[Case],
    parallel: int | None,
    keep_errors: bool,
    progress: Callable[[int, int], bool | None] | None,
    settings: Mapping[str, object],
) -> Sweep:
    """Run all cases; ``System.sweep`` says how."""
    listed = []
    for each in cases:
        if not isinstance(each, Mapping):
            raise TypeError(f"a case maps names to values, and is not a {type(each).__name__}; see rubato.grid()")
        listed.append(dict(each))
    if parallel is not None and parallel < 1:
        raise InputError(f"parallel is {parallel}: at least one run at a time")
    workers = _Workers(system, settings)
    outcomes: list[Result | Error] = []
    with ThreadPoolExecutor(parallel or os.cpu_count() or 1) as pool:
        try:
            for outcome in pool.map(workers.run, listed):
                if isinstance(outcome, Error) and not keep_errors:
                    outcome.add_note(f"in case {len(outcomes)} of the sweep: {listed[len(outcomes)]}")
                    raise outcome
                outcomes.append(outcome)
                if progress is not None and progress(len(outcomes), len(listed)) is False:
                    break
        finally:  # also of an interrupt: runs under way end after their step
            workers.stop.set()
            pool.shutdown(cancel_futures=True)
    return Sweep(listed[: len(outcomes)], outcomes)
