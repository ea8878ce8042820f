# SPDX-License-Identifier: Apache-2.0
"""Units that are written in Python."""

from __future__ import annotations

import copy
import sys
import typing
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, ClassVar, TypeVar

from ._errors import InputError

Scalar = float | int | bool | str
T = TypeVar("T")


class _Role:
    """Marks what a variable of a class is."""

    def __init__(self, causality: str) -> None:
        self.causality = causality


Input = Annotated[T, _Role("input")]
"""An input: ``speed: rubato.Input[float] = 0.0``."""
Output = Annotated[T, _Role("output")]
"""An output: ``torque: rubato.Output[float] = 0.0``."""
Parameter = Annotated[T, _Role("parameter")]
"""A parameter, which does not change during a run: ``gain: rubato.Parameter[float] = 2.0``."""


class PythonUnit:
    """Base class of units that are written in Python.

    A subclass annotates its variables and computes its outputs in ``step``. Variables are floats, ints, bools or strs;
    a value in the class is the start value, else 0, False or "".

    >>> import rubato
    >>> class Lag(rubato.PythonUnit):
    ...     '''y' = (u - y)/T, exact for an input that is held.'''
    ...     u: rubato.Input[float]
    ...     y: rubato.Output[float]
    ...     T: rubato.Parameter[float] = 1.0
    ...
    ...     def step(self, time: float, step: float) -> None:
    ...         import math
    ...         self.y += (self.u - self.y) * (1 - math.exp(-step / self.T))
    >>> system = rubato.System()
    >>> lag = system.add(Lag, name="lag", start={"u": 1.0})
    >>> float(system.run(stop=1.0, step=0.1)["lag.y"][-1].round(6))
    0.632121
    """

    can_reject_step: ClassVar[bool] = False
    """Whether ``step`` may return a time before the end of the step."""
    can_save: ClassVar[bool] = True
    """Whether the unit can be rolled back."""
    feedthrough: ClassVar[Mapping[str, Sequence[str]] | None] = None
    """For each output, the inputs that ``outputs`` computes it from; by default all inputs."""
    units: ClassVar[Mapping[str, str]] = {}
    """Units of measure of variables: ``{"force": "N"}``."""

    def initialize(self, time: float) -> None:
        """Compute outputs at the start. May be called several times, each time on a new object."""

    def step(self, time: float, step: float) -> float | None:
        """Advance from ``time`` by ``step`` and assign outputs. Return the time reached if it is before the end."""
        raise NotImplementedError(f"{type(self).__name__} has no method step(self, time, step)")

    def outputs(self, time: float) -> None:
        """Compute outputs that follow inputs at once (direct feed-through). Must not change the state."""

    def event(self, time: float) -> float | None:
        """Handle events at this time and assign outputs. Return the time of the next event, or None.

        Define it for a unit that has events. It is called at the start, when the announced time has come, and when other
        units have events that concern this one. ``step`` may then end at an event that it finds, if ``can_reject_step``.
        """
        return None

    def save(self) -> Any:
        """Return the state of the unit; by default a deep copy of its attributes."""
        return copy.deepcopy(self.__dict__)

    def restore(self, state: Any) -> None:
        """Go back to a state that ``save`` returned, which may be restored several times."""
        self.__dict__.clear()
        self.__dict__.update(copy.deepcopy(state))


class Declared:
    """A variable as a class declares it."""

    def __init__(self, name: str, type_: str, causality: str, start: Scalar, unit: str) -> None:
        self.name, self.type, self.causality, self.start, self.unit = name, type_, causality, start, unit


_TYPES: dict[type, Scalar] = {float: 0.0, int: 0, bool: False, str: ""}


def _declared(kind: type[PythonUnit]) -> list[Declared]:
    try:
        hints = typing.get_type_hints(kind, localns={"rubato": sys.modules["rubato"]}, include_extras=True)
    except NameError as unknown:
        raise InputError(
            f"the annotations of class {kind.__name__} cannot be evaluated: {unknown}\n"
            "  define the names that they use in the module of the class"
        ) from unknown
    variables = []
    for name, hint in hints.items():
        role = next((each for each in getattr(hint, "__metadata__", ()) if isinstance(each, _Role)), None)
        if role is None:
            continue
        type_ = typing.get_args(hint)[0]
        if type_ not in _TYPES:
            raise InputError(
                f"variable {name!r} of class {kind.__name__} is of type {type_!r}\n"
                "  a variable is a float, int, bool or str"
            )
        start = getattr(kind, name, _TYPES[type_])
        try:
            start = type_(start)
        except (TypeError, ValueError) as wrong:
            raise InputError(
                f"the start value {start!r} of variable {name!r} of class {kind.__name__} is no {type_.__name__}"
            ) from wrong
        variables.append(Declared(name, type_.__name__, role.causality, start, kind.units.get(name, "")))
    return variables


class Instance:
    """An object of a unit, as the extension module calls it: with the values of all variables."""

    def __init__(self, unit: PythonUnit, variables: list[Declared]) -> None:
        self._unit = unit
        self._variables = variables
        self._given = [i for i, each in enumerate(variables) if each.causality == "input"]
        self._outputs = [each.name for each in variables if each.causality == "output"]

    def initialize(self, time: float, values: list[Scalar]) -> list[Scalar]:
        for variable, value in zip(self._variables, values, strict=True):
            setattr(self._unit, variable.name, value)
        self._unit.initialize(time)
        self._unit.outputs(time)
        return self._results()

    def update(self, time: float, values: list[Scalar]) -> list[Scalar]:
        self._assign(values)
        self._unit.outputs(time)
        return self._results()

    def step(self, time: float, step: float, values: list[Scalar]) -> tuple[float, list[Scalar]]:
        self._assign(values)
        reached = self._unit.step(time, step)
        end = time + step
        if reached is None:
            reached = end
            self._unit.outputs(end)
        elif not isinstance(reached, (int, float)) or isinstance(reached, bool):
            raise TypeError(f"step() returned {reached!r}; return nothing, or the time that was reached")
        return float(reached), self._results()

    def event(self, time: float, values: list[Scalar]) -> tuple[float | None, list[Scalar]]:
        self._assign(values)
        following = self._unit.event(time)
        self._unit.outputs(time)
        if following is not None and (isinstance(following, bool) or not isinstance(following, (int, float))):
            raise TypeError(f"event() returned {following!r}; return the time of the next event, or None")
        return following, self._results()

    def save(self) -> Any:
        return self._unit.save()

    def restore(self, state: Any) -> None:
        self._unit.restore(state)

    def _assign(self, values: list[Scalar]) -> None:
        for i in self._given:
            setattr(self._unit, self._variables[i].name, values[i])

    def _results(self) -> list[Scalar]:
        unit = self._unit
        return [getattr(unit, name) for name in self._outputs]


class Model:
    """A kind of unit, as the extension module asks for it."""

    def __init__(self, name: str, make: Callable[[], PythonUnit], kind: type[PythonUnit]) -> None:
        self.name = name
        self.documentation = (kind.__doc__ or "").strip().split("\n")[0]
        self._make = make
        self.variables = _declared(kind)
        self.can_save = bool(kind.can_save)
        self.can_reject_step = bool(kind.can_reject_step)
        self.has_events = kind.event is not PythonUnit.event
        self.has_outputs = kind.outputs is not PythonUnit.outputs
        inputs = {each.name: i for i, each in enumerate(self.variables) if each.causality == "input"}
        self.initializes = self.has_outputs or kind.initialize is not PythonUnit.initialize
        self.feedthrough: list[list[int]] = []
        self.feedthrough_initial: list[list[int]] = []
        for each in self.variables:
            if each.causality != "output":
                continue
            self.feedthrough.append(self._sources(kind, each.name, inputs) if self.has_outputs else [])
            self.feedthrough_initial.append(list(inputs.values()) if self.initializes else [])

    @staticmethod
    def _sources(kind: type[PythonUnit], output: str, inputs: dict[str, int]) -> list[int]:
        if kind.feedthrough is None:
            return list(inputs.values())
        names = kind.feedthrough.get(output, ())
        for name in names:
            if name not in inputs:
                raise InputError(f"feedthrough of class {kind.__name__} names {name!r}, which is no input")
        return [inputs[name] for name in names]

    def make(self) -> Instance:
        return Instance(self._make(), self.variables)


def model_of(source: PythonUnit | type[PythonUnit], name: str) -> Model:
    """Make a model of a class, or of an object that each run starts from a copy of."""
    if isinstance(source, type):
        return Model(name, source, source)
    return Model(name, lambda: copy.deepcopy(source), type(source))


class FunctionSource(PythonUnit):
    """y = f(t) at communication points."""

    y: Output[float]

    def __init__(self, function: Callable[[float], float]) -> None:
        self._function = function

    def initialize(self, time: float) -> None:
        self.y = self._value(time)

    def step(self, time: float, step: float) -> None:
        self.y = self._value(time + step)

    def _value(self, time: float) -> float:
        value = self._function(time)
        if isinstance(value, (bool, int, float)):
            return float(value)
        item = getattr(value, "item", None)
        if callable(item):
            return float(item())
        raise TypeError(f"the function returned {value!r} at t = {time} s, not a number")

    def save(self) -> float:
        return self.y

    def restore(self, state: float) -> None:
        self.y = state

    def __deepcopy__(self, memo: dict[int, Any]) -> FunctionSource:
        return FunctionSource(self._function)  # a function is shared, not copied
