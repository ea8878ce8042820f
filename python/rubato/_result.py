# SPDX-License-Identifier: Apache-2.0
"""What a run gave."""

from __future__ import annotations

import html
import os
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _rubato

if TYPE_CHECKING:
    from ._members import Variable

Array = npt.NDArray[np.float64]


class Picture:
    """A drawing as SVG. Notebooks show it; ``save`` writes it."""

    def __init__(self, svg: str) -> None:
        self.svg = svg
        """The text of the drawing."""

    def save(self, file: str | os.PathLike[str]) -> None:
        """Write the drawing to a file."""
        with open(file, "w", encoding="utf-8") as stream:
            stream.write(self.svg)

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return f"<rubato.Picture, {len(self.svg)} characters of SVG>"


class Trust:
    """How far results can be believed, estimated from the values that units exchanged.

    >>> import rubato
    >>> system = rubato.System()
    >>> a = system.add(model="integrator", name="a", start={"y": 1.0})
    >>> b = system.add(model="integrator", name="b", parameters={"k": -1.0})
    >>> system.connect(a["y"], b["u"])
    >>> system.connect(b["y"], a["u"])
    >>> trust = system.run(stop=1.0, step=0.001).trust
    >>> trust.grade
    'rough'
    >>> [connection.source for connection in trust.connections]
    ['a.y', 'b.y']
    """

    def __init__(self, trust: _rubato.Trust) -> None:
        self.grade: str = trust.grade
        """good, fair, rough, poor, perhaps unstable, unstable or unknown."""
        self.lines: list[str] = trust.lines
        """The verdict with its reasons."""
        self.advice: list[str] = trust.advice
        """What to change for better results."""
        self.connections: list[_rubato.ConnectionTrust] = trust.connections
        """For each connection: source, target, unit, range, largest error, its time, relative error, jumps."""
        self.bonds: list[_rubato.BondTrust] = trust.bonds
        """For each power bond: name, energy exchanged, energy created by the coupling, their ratio."""

    def __str__(self) -> str:
        return "\n".join([*self.lines, *self.advice])

    def __repr__(self) -> str:
        return f"<rubato.Trust {self.grade!r}>"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{html.escape(each.source)} → {html.escape(each.target)}</td>"
            f"<td>{each.largest:.3g} {html.escape(each.unit)}</td><td>{100 * each.relative:.3g} %</td></tr>"
            for each in self.connections
        )
        bonds = "".join(
            f"<tr><td>{html.escape(each.name)}</td><td>{each.created:.3g} J created</td>"
            f"<td>{100 * each.relative:.3g} %</td></tr>"
            for each in self.bonds
        )
        text = "<br>".join(html.escape(line) for line in [*self.lines, *self.advice])
        head = "<tr><th>connection</th><th>largest error</th><th>of the range</th></tr>"
        return f"<p>{text}</p><table>{head}{rows}{bonds}</table>"


class Result(Mapping[str, Array]):
    """Recorded variables over time, as NumPy arrays that share the memory of the run.

    >>> import rubato
    >>> system = rubato.System()
    >>> ramp = system.add(model="integrator", name="ramp", start={"u": 2.0})
    >>> result = system.run(stop=1.0, step=0.5)
    >>> result.time
    array([0. , 0.5, 1. ])
    >>> result["ramp.y"]
    array([0., 1., 2.])
    >>> list(result)
    ['ramp.y']
    """

    def __init__(self, result: _rubato.Result) -> None:
        self._result = result
        self._names: list[str] = result.names()

    @property
    def time(self) -> Array:
        """The instants that were recorded [s]; two are equal where an event was recorded."""
        return self._result.time()

    @property
    def units(self) -> dict[str, str]:
        """The unit of measure of each variable; empty where none is known."""
        return {name: self._result.unit(name) for name in self._names}

    @property
    def types(self) -> dict[str, str]:
        """The type of each variable: float64, int32, boolean, …"""
        return {name: self._result.type(name) for name in self._names}

    @property
    def events(self) -> list[_rubato.Event]:
        """What has changed at events: time, microstep, unit, variable, before, after."""
        return self._result.events()

    @property
    def trust(self) -> Trust:
        """How far the results can be believed."""
        return Trust(self._result.trust())

    @property
    def steps(self) -> int:
        """Communication steps that were made."""
        return self._result.steps()

    @property
    def is_complete(self) -> bool:
        """Whether the stop time was reached."""
        return self._result.is_complete()

    @property
    def message(self) -> str:
        """Why it was not."""
        return self._result.message()

    def __getitem__(self, name: str | Variable) -> Array:
        return self._result.column(str(name))

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __contains__(self, name: object) -> bool:
        return str(name) in self._names

    def to_pandas(self) -> Any:
        """Return a pandas DataFrame with the time as index; pandas has to be installed."""
        try:
            import pandas  # type: ignore[import-untyped, unused-ignore]
        except ImportError as missing:
            raise ImportError("to_pandas() needs pandas: pip install pandas") from missing
        numbers = [name for name, type_ in self.types.items() if type_ not in ("string", "binary")]
        index = pandas.Index(self.time, name="time")
        return pandas.DataFrame({name: self[name] for name in numbers}, index=index)

    def plot(self, *names: str | Variable) -> Picture:
        """Draw variables over time, by default all; names may be patterns such as ``msd1.*``."""
        wanted = [str(name) for name in names] or [
            name for name, type_ in self.types.items() if type_ not in ("string", "binary")
        ]
        return Picture(self._result.plot(wanted))

    def __repr__(self) -> str:
        state = "" if self.is_complete else ", not complete"
        return f"<rubato.Result, {len(self)} variables, {len(self.time)} instants{state}>"

    def _repr_svg_(self) -> str:
        return self.plot().svg


def names_of(record: str | Sequence[str] | None) -> list[str]:
    """Make a list of one name or several."""
    if record is None:
        return []
    return [record] if isinstance(record, str) else [str(each) for each in record]
