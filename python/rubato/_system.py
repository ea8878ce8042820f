# SPDX-License-Identifier: Apache-2.0
"""Systems of units."""

from __future__ import annotations

import html
import itertools
import os
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from . import _rubato
from ._errors import Error, InputError
from ._result import Picture, Result
from ._run import Run
from ._settings import overrides, suggestion, to_yaml
from ._units import FunctionSource, Model, PythonUnit, model_of

Path = str | os.PathLike[str]
Progress = Callable[[float, float], bool | None]
Scalar = float | int | bool | str

_numbers = itertools.count(1)  # so that each model in Python has a name of its own
_OF_CONNECTIONS = ("factor", "offset", "convert", "threshold")
_ORIGINS = {".fmu": "fmu", ".csv": "table", ".yaml": "scenario", ".yml": "scenario", ".conf": "scenario"}


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


class System:
    """Units and connections: build one, or ``rubato.load`` it.

    >>> import rubato
    >>> system = rubato.System("oscillator")
    >>> a = system.add(model="integrator", name="a", start={"y": 1.0})
    >>> b = system.add(model="integrator", name="b", parameters={"k": -1.0})
    >>> system.connect(a["y"], b["u"], approximation="linear")
    >>> system.connect(b["y"], a["u"], approximation="linear")
    >>> result = system.run(stop=1.0, step=0.01, algorithm="iterated-gauss-seidel")
    >>> float(result["a.y"][-1].round(4))  # cos 1
    0.5403
    """

    def __init__(
        self, name: str = "system", *, strict: bool = False, _scenario: _rubato.Scenario | None = None
    ) -> None:
        file = os.path.join(os.getcwd(), f"{name}.yaml")
        self._scenario = _scenario if _scenario is not None else _rubato.make_scenario(file, strict)
        self._strict = strict
        self._infos: dict[str, _rubato.UnitInfo] = {}
        self.result: Result | None = None
        """The result of the last run, also of one that failed or was interrupted."""

    @property
    def name(self) -> str:
        """Its name, for results and diagrams."""
        return self._scenario.name()

    @property
    def units(self) -> dict[str, Unit]:
        """Its units by name, in their order."""
        return {name: Unit(self, name) for name in self._scenario.units()}

    def __getitem__(self, name: str) -> Unit:
        names = self._scenario.units()
        if name not in names:
            raise InputError(f'the system has no unit "{name}"\n  {suggestion(name, names)}')
        return Unit(self, name)

    def __iter__(self) -> Iterator[Unit]:
        return iter(self.units.values())

    def __len__(self) -> int:
        return len(self._scenario.units())

    def _describe(self, unit: str) -> _rubato.UnitInfo:
        if unit not in self._infos:
            self._infos[unit] = self._scenario.describe(unit)
        return self._infos[unit]

    def add(
        self,
        source: Path | PythonUnit | type[PythonUnit] | None = None,
        *,
        name: str | None = None,
        model: str | None = None,
        parameters: Mapping[str, object] | None = None,
        start: Mapping[str, object] | None = None,
        **settings: object,
    ) -> Unit:
        """Add a unit: an FMU, a table (CSV), another scenario, a unit in Python, or a model that comes with Rubato.

        Other keywords are those of a unit in a scenario file: ``type="me"``, ``solver={"method": "adams"}``,
        ``isolate=True``, ``sub_steps=4``.
        """
        if (source is None) == (model is None):
            raise InputError("add() takes either a file or class, or the name of a model: add(model=\"integrator\")")
        description: dict[str, object]
        registered: Model | None = None
        label = ""
        if model is not None:
            default, description = model, {"model": model}
        elif isinstance(source, PythonUnit) or (isinstance(source, type) and issubclass(source, PythonUnit)):
            kind = source if isinstance(source, type) else type(source)
            default = kind.__name__.lower()
            label = f"{kind.__qualname__} ({next(_numbers)}, in Python)"
            registered = model_of(source, label)
            description = {"model": label}
        elif isinstance(source, (str, os.PathLike)):
            file = os.path.abspath(os.fspath(source))
            default, extension = os.path.splitext(os.path.basename(file))
            key = _ORIGINS.get(extension.lower())
            if key is None and os.path.isdir(file):
                default, key = os.path.basename(file), "fmu"
            if key is None:
                raise InputError(f'"{source}" is no file that a unit can be made of\n  {suggestion(extension, _ORIGINS)}')
            description = {key: file}
        else:
            raise TypeError(
                f"add() takes a file, or a subclass of rubato.PythonUnit or an object of one, "
                f"not {type(source).__name__}"
            )
        if parameters is not None:
            description["parameters"] = dict(parameters)
        if start is not None:
            description["start"] = dict(start)
        description.update({key.replace("_", "-"): value for key, value in settings.items()})
        name = name or re.sub(r"[^\w-]", "_", default)
        changed = self._scenario.copy()
        if registered is not None:
            changed.add_model(label, registered)
        changed.add_unit(name, to_yaml(description))
        changed.describe(name)
        self._scenario = changed
        return Unit(self, name)

    def _port(self, variable: Variable | str, causalities: tuple[str, ...], role: str) -> Variable:
        if isinstance(variable, str):
            unit, _, port = variable.partition(".")
            variable = self[unit][port]
        if not isinstance(variable, Variable):
            raise TypeError(f"the {role} of a connection is a variable, unit[\"name\"], not {type(variable).__name__}")
        if variable.system is not self:
            raise InputError(f'"{variable}" is of another system\n  use the units that add() of this system has returned')
        if variable.info.causality not in causalities:
            raise InputError(f'"{variable}" cannot be the {role} of a connection: it is of causality '
                             f'{variable.info.causality}')
        return variable

    def connect(self, source: Variable | str, target: Variable | str, **settings: object) -> None:
        """Connect an output to an input.

        ``factor``, ``offset``, ``convert`` and ``threshold`` belong to the connection; all other keywords to the input:
        ``approximation="linear"``, ``contract="reactive"``.
        """
        output = self._port(source, ("output", "local"), "source")
        input_ = self._port(target, ("input", "parameter", "structuralParameter"), "target")
        of_connection = {key: value for key, value in settings.items() if key in _OF_CONNECTIONS}
        changed = self._scenario.copy()
        changed.connect(str(output), str(input_), to_yaml(of_connection))
        of_input = {key.replace("_", "-"): value for key, value in settings.items() if key not in _OF_CONNECTIONS}
        if of_input:
            changed.set_yaml(f"units.{input_.unit.name}.inputs.{input_.name}", to_yaml(of_input))
        self._scenario = changed

    def set_input(self, target: Variable | str, function: Callable[[float], float], **settings: object) -> Unit:
        """Feed an input by a function of time, which is called at communication points.

        >>> import math, rubato
        >>> system = rubato.System()
        >>> plant = system.add(model="integrator", name="plant")
        >>> _ = system.set_input(plant["u"], lambda t: math.cos(t), approximation="linear")
        >>> float(system.run(stop=1.0, step=0.01)["plant.y"][-1].round(2))  # sin 1
        0.84
        """
        if not callable(function):
            raise TypeError(f"set_input() takes a function of time, not a {type(function).__name__}")
        input_ = self._port(target, ("input",), "target")
        before = self._scenario
        source = self.add(FunctionSource(function), name=re.sub(r"\W", "_", f"input_{input_.unit.name}_{input_.name}"))
        try:
            self.connect(source["y"], input_, **settings)
        except BaseException:
            self._scenario = before
            raise
        return source

    def set(self, path: str | Variable, value: object) -> None:
        """Change a parameter or start value (``msd1.m``), or a setting (``algorithm.recipe``)."""
        changed = self._scenario.copy()
        changed.set_yaml(str(path), to_yaml(value))
        self._scenario = changed
        self._infos.clear()

    def _with(self, settings: Mapping[str, object]) -> _rubato.Scenario:
        scenario = self._scenario.copy()
        for path, yaml in overrides(settings):
            scenario.set_yaml(path, yaml)
        return scenario

    def run(
        self,
        *,
        results: Path | None = None,
        overwrite: bool = False,
        progress: Progress | None = None,
        **settings: Any,
    ) -> Result:
        """Verify the algorithm, run to the end and return the results.

        Settings are those of scenario files (``rubato.reference()`` lists them): ``stop=10, step=0.1,
        algorithm="jacobi", record=["msd1.*"]``. They hold for this run. ``results`` names a CSV file to write, too.
        ``progress`` is called about 20 times a second with the time and the fraction done; if it returns False, the run
        ends. If a unit fails, the exception has the results so far as ``result``; so has KeyboardInterrupt.
        """
        scenario = self._with(settings)
        return self._keeping(
            scenario, lambda: scenario.run(os.fspath(results) if results else "", overwrite, progress)
        )

    def _keeping(self, scenario: _rubato.Scenario, run: Callable[[], _rubato.Result]) -> Result:
        try:
            self.result = Result(run())
        except (Error, KeyboardInterrupt) as error:
            partial = scenario.take_partial()
            if partial is not None:
                self.result = Result(partial)
                error.result = self.result  # type: ignore[union-attr]
            raise
        return self.result

    def start(self, *, record: bool | str | list[str] = True, **settings: Any) -> Run:
        """Initialize, and return a run to step through. ``record`` is as in ``run``; False: nothing is recorded."""
        if not isinstance(record, bool):
            settings["record"] = [record] if isinstance(record, str) else record
        return Run(_rubato.start(self._with(settings), record is not False))

    def check(self, **settings: Any) -> _rubato.Check:
        """Find every error: ``is_correct``, ``problems`` (severity, file, line, message, hint), ``remarks``."""
        return self._with(settings).check()

    def synthesize(self, format: str = "text", **settings: Any) -> str:
        """Return the algorithm that follows from the contracts, as text or as a scenario in ``yaml`` or ``conf``."""
        text: str = self._with(settings).synthesize(format)[0]
        return text

    def verify(self, **settings: Any) -> _rubato.Verification:
        """Verify the algorithm: ``outcome`` (correct, wrong, not decided), ``counterexamples``, ``runs``."""
        return self._with(settings).verify()

    def graph(self, of: str = "step", *, configuration: str | None = None, **settings: Any) -> Picture:
        """Draw the operation graph of a ``step``, of the ``initialization`` or of an ``event``."""
        return Picture(self._with(settings).graph(of, configuration, "svg"))

    def diagram(self) -> Picture:
        """Draw units and connections."""
        return Picture(self._scenario.diagram())

    def export(self, target: Path, *, fmi: int = 2, overwrite: bool = False, **settings: Any) -> int:
        """Write the system as one FMU that needs no Rubato, and return its size in bytes."""
        return self._with(settings).export_fmu(os.fspath(target), fmi, overwrite)

    def to_yaml(self) -> str:
        """Return the system as a scenario file."""
        return self._scenario.to_yaml()

    def save(self, file: Path) -> None:
        """Write the system as a scenario file, YAML or ``.conf`` by the name of the file."""
        if os.fspath(file).endswith(".conf"):
            text = self.synthesize("conf")
        else:
            text = self.to_yaml()
        with open(file, "w", encoding="utf-8") as stream:
            stream.write(text)

    def copy(self) -> System:
        """Return a system that is independent of this one, for another thread."""
        scenario = self._scenario.copy_apart(self._strict)
        return System(self.name, strict=self._strict, _scenario=scenario)

    def __repr__(self) -> str:
        return f"<rubato.System {self.name!r}, {len(self)} units>"

    def _repr_svg_(self) -> str | None:
        return self.diagram().svg if len(self) else None


def load(file: Path, *, strict: bool = False) -> System:
    """Read a scenario file, YAML or ``.conf``, recognized by its content."""
    scenario = _rubato.load(os.fspath(file), strict)
    return System(scenario.name(), strict=strict, _scenario=scenario)


def load_text(text: str, *, folder: Path = ".", strict: bool = False) -> System:
    """Read a scenario from text. Files are looked for in ``folder``.

    >>> import rubato
    >>> system = rubato.load_text("{rubato: 1, units: {a: {model: integrator}}}")
    >>> list(system.units)
    ['a']
    """
    file = os.path.join(os.path.abspath(folder), "scenario.yaml")
    scenario = _rubato.load_text(text, file, strict)
    return System(scenario.name(), strict=strict, _scenario=scenario)
