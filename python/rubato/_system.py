# SPDX-License-Identifier: Apache-2.0
"""Systems of units."""

from __future__ import annotations

import itertools
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from . import _rubato
from ._analysis import Analyses
from ._errors import InputError
from ._members import Unit, Variable
from ._result import Result
from ._run import Run
from ._settings import Path, overrides, suggestion, to_yaml
from ._sweep import Sweep, run_sweep
from ._units import FunctionSource, Model, PythonUnit, model_of

Progress = Callable[[float, float], bool | None]
Scalar = float | int | bool | str

_numbers = itertools.count(1)  # so that each model in Python has a name of its own
_OF_CONNECTIONS = ("factor", "offset", "convert", "threshold")
_ORIGINS = {".fmu": "fmu", ".csv": "table", ".yaml": "scenario", ".yml": "scenario", ".conf": "scenario"}


class System(Analyses):
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

    def _made(self, scenario: _rubato.Scenario) -> System:
        return System(self.name, strict=self._strict, _scenario=scenario)

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
        ends. An exception that ends the run has the results so far as ``result``: of a unit that fails, of the callback,
        and KeyboardInterrupt.
        """
        scenario = self._with(settings)
        return self._keeping(
            scenario, lambda: scenario.run(os.fspath(results) if results else "", overwrite, progress)
        )

    def _keeping(self, scenario: _rubato.Scenario, run: Callable[[], _rubato.Result]) -> Result:
        self.result = None
        try:
            self.result = Result(run())
        except BaseException as error:
            partial = scenario.take_partial()
            if partial is not None:
                self.result = Result(partial)
                error.result = self.result  # type: ignore[attr-defined]
            raise
        return self.result

    def sweep(
        self,
        cases: Iterable[Mapping[str, object]],
        *,
        parallel: int | None = None,
        keep_errors: bool = False,
        progress: Callable[[int, int], bool | None] | None = None,
        **settings: Any,
    ) -> Sweep:
        """Run the system once for each case, several cases at the same time, and return the results in their order.

        A case maps parameters, start values (``msd1.c1``) and settings (``step``) to values; ``rubato.grid`` combines lists
        of values. ``parallel`` is the number of threads, by default one for each processor. The first run that fails ends
        the sweep, unless ``keep_errors`` is set. ``progress`` is called with the number of cases that are done and of all;
        if it returns False, the sweep ends with what is done. Record little if there are many cases.

        >>> import rubato
        >>> system = rubato.System()
        >>> ramp = system.add(model="integrator", name="ramp", start={"u": 1.0})
        >>> found = system.sweep(rubato.grid({"ramp.k": [1.0, 2.0]}), stop=1.0, step=0.5)
        >>> [float(each["ramp.y"][-1]) for each in found]
        [1.0, 2.0]
        """
        return run_sweep(self, cases, parallel, keep_errors, progress, settings)

    def start(self, *, record: bool | str | list[str] = True, **settings: Any) -> Run:
        """Initialize, and return a run to step through. ``record`` is as in ``run``; False: nothing is recorded."""
        if not isinstance(record, bool):
            settings["record"] = [record] if isinstance(record, str) else record
        return Run(_rubato.start(self._with(settings), record is not False))

    def to_yaml(self) -> str:
        """Return the system as a scenario file."""
        return self._scenario.to_yaml()

    def save(self, file: Path) -> None:
        """Write the system as a scenario file, by its name in YAML, ``.conf`` or as an SSP package; replaces the file.

        Relative paths of FMUs lead from the new file to the same FMUs. What the format cannot hold is a RubatoWarning.
        """
        self._refuse_python_units("a file cannot hold it")
        if os.fspath(file).endswith(".ssp"):
            _rubato.export_ssp(self._scenario, os.fspath(file), True)
        else:
            _rubato.save(self._scenario, os.fspath(file))

    def copy(self) -> System:
        """Return a system that is independent of this one, for another thread."""
        scenario = self._scenario.copy_apart(self._strict)
        return System(self.name, strict=self._strict, _scenario=scenario)

    def __repr__(self) -> str:
        return f"<rubato.System {self.name!r}, {len(self)} units>"

    def _repr_svg_(self) -> str | None:
        return self.diagram().svg if len(self) else None


def load(file: Path, *, strict: bool = False) -> System:
    """Read a scenario file or a system of another tool: YAML, ``.conf``, SSP, OSP, Maestro, MasterSim.

    The format is recognized by the content. What has no exact counterpart is a RubatoWarning.
    """
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


def import_system(
    source: Path, target: Path | None = None, *, variant: str = "", overwrite: bool = False, strict: bool = False
) -> System:
    """Write a system of another tool (SSP, OSP, Maestro, MasterSim) as a scenario, and load that.

    ``target`` is the scenario to write, by default named like the system, in this folder; FMUs of a package are stored in
    a folder next to it. ``variant`` is the description to read of an SSP package that has several.
    """
    if target is None:
        target = os.path.splitext(os.path.basename(os.fspath(source)))[0] + ".yaml"
    scenario = _rubato.import_system(os.fspath(source), os.fspath(target), variant, overwrite, strict)
    return System(scenario.name(), strict=strict, _scenario=scenario)
