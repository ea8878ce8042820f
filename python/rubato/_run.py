# SPDX-License-Identifier: Apache-2.0
"""Runs step by step."""

from __future__ import annotations

from collections.abc import Iterator
from types import TracebackType
from typing import TYPE_CHECKING

from . import _rubato
from ._result import Result, Trust

if TYPE_CHECKING:
    from ._members import Variable

Scalar = float | int | bool | str


class State:
    """A whole run with its units between two steps, for ``Run.restore``."""

    def __init__(self, state: _rubato.SavedState) -> None:
        self._state = state

    @property
    def time(self) -> float:
        """The time at which it was saved [s]."""
        return self._state.time

    def __repr__(self) -> str:
        return f"<rubato.State at t = {self.time} s>"


class Run:
    """A simulation under way.

    >>> import rubato
    >>> system = rubato.System()
    >>> plant = system.add(model="integrator", name="plant", start={"y": 1.0})
    >>> with system.start(stop=1.0, step=0.25) as run:
    ...     while run.step():
    ...         run["plant.u"] = -run["plant.y"]
    >>> run.result["plant.y"]
    array([1.      , 1.      , 0.75    , 0.5625  , 0.421875])
    """

    def __init__(self, run: _rubato.Run) -> None:
        self._run = run
        self._result: Result | None = None
        self._time = run.time()

    def step(self) -> bool:
        """Make one communication step. False: the end had been reached before."""
        return self._run.step()

    @property
    def time(self) -> float:
        """The time that has been reached [s]."""
        return self._run.time() if self._run.is_open() else self._time

    @property
    def has_ended(self) -> bool:
        """Whether the stop time was reached, or the run was closed."""
        return not self._run.is_open() or self._run.has_ended()

    def __getitem__(self, name: str | Variable) -> Scalar:
        """The current value of any variable."""
        return self._run.get(name if isinstance(name, str) else str(name))

    def __setitem__(self, name: str | Variable, value: Scalar) -> None:
        """Set an input without connection, or a tunable parameter, from the next step on."""
        self._run.set(name if isinstance(name, str) else str(name), value)

    def __iter__(self) -> Iterator[float]:
        """Step to the end, and give the time after each step."""
        while self.step():
            yield self.time

    def save(self) -> State:
        """Keep the whole run as it is now; all units must be able to save their state."""
        return State(self._run.save())

    def restore(self, state: State) -> None:
        """Go back to a saved state: the run continues from there with the same bits."""
        if not isinstance(state, State):
            raise TypeError(f"restore() takes what save() has returned, not a {type(state).__name__}")
        self._run.restore(state._state)

    @property
    def trust(self) -> Trust:
        """How far the steps so far can be believed."""
        return Trust(self._run.trust())

    @property
    def result(self) -> Result:
        """What was recorded so far."""
        if self._result is not None:
            return self._result
        return Result(self._run.result())

    def close(self) -> None:
        """End the run and free its units; the result stays."""
        if not self._run.is_open():
            return
        self._time = self._run.time()
        try:
            self._result = Result(self._run.result())
        except ValueError:
            pass  # nothing was to be recorded
        self._run.close()

    def __enter__(self) -> Run:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<rubato.Run at t = {self.time} s{', ended' if self.has_ended else ''}>"
