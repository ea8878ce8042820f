# SPDX-License-Identifier: Apache-2.0
"""Units of a system and their variables."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING

from . import _rubato
from ._errors import InputError
from ._settings import suggestion

if TYPE_CHECKING:
    from ._system import System


class Variable:
    """A variable of a unit; ``str`` gives its name in results: ``msd1.x1``."""

    def __init__(self, unit: Unit, info: _rubato.VariableInfo, name: str) -> None:
        self.system = unit.system
        self.unit = unit
        self.name = name
        """Name in its unit; of an element of an array: ``A[2]``."""
        self.info = info
        """type, causality, variability, unit (of measure), description, start, minimum, maximum, nominal, shape."""

    def __str__(self) -> str:
        return f"{self.unit.name}.{self.name}"

    def __repr__(self) -> str:
        return f"<rubato.Variable {self}, {self.info.causality} of type {self.info.type}>"


class Unit:
    """A unit of a system. ``unit["x"]`` is a variable; ``unit["m"] = 2.0`` sets a parameter or a start value."""

    def __init__(self, system: System, name: str) -> None:
        self.system = system
        self.name = name

    @property
    def info(self) -> _rubato.UnitInfo:
        """What is known of it without running it: model, kind, source, variables, …"""
        return self.system._describe(self.name)

    @property
    def variables(self) -> dict[str, Variable]:
        """All its variables by name."""
        return {each.name: Variable(self, each, each.name) for each in self.info.variables}

    def _of(self, causality: str) -> list[Variable]:
        return [each for each in self.variables.values() if each.info.causality == causality]

    @property
    def inputs(self) -> list[Variable]:
        """Its inputs."""
        return self._of("input")

    @property
    def outputs(self) -> list[Variable]:
        """Its outputs."""
        return self._of("output")

    @property
    def parameters(self) -> list[Variable]:
        """Its parameters."""
        return self._of("parameter")

    def __getitem__(self, name: str) -> Variable:
        known = {each.name: each for each in self.info.variables}
        found = known.get(name) or known.get(re.sub(r"\[[\d, ]+\]$", "", name))
        if found is None:
            raise InputError(f'unit "{self.name}" has no variable "{name}"\n  {suggestion(name, known)}')
        return Variable(self, found, name)

    def __setitem__(self, name: str, value: object) -> None:
        self.system.set(f"{self.name}.{name}", value)

    def __repr__(self) -> str:
        return f"<rubato.Unit {self.name!r}>"

    def _repr_html_(self) -> str:
        info = self.info
        rows = "".join(
            f"<tr><td>{html.escape(each.name)}</td><td>{each.causality}</td><td>{each.type}</td>"
            f"<td>{'' if each.start is None else html.escape(str(each.start))}</td><td>{html.escape(each.unit)}</td>"
            f"<td>{html.escape(each.description)}</td></tr>"
            for each in info.variables
        )
        head = "".join(f"<th>{each}</th>" for each in ("name", "causality", "type", "start", "unit", "description"))
        title = f"<b>{html.escape(self.name)}</b>: {html.escape(info.model)}, {html.escape(info.kind)}"
        return f"<p>{title}</p><table><tr>{head}</tr>{rows}</table>"
