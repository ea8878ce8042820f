# SPDX-License-Identifier: Apache-2.0
"""What can be known of a system besides running it."""

from __future__ import annotations

import html
import os
import warnings
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from . import _rubato
from ._errors import InputError, RubatoWarning
from ._result import Picture
from ._settings import Path

if TYPE_CHECKING:
    from ._members import Unit
    from ._system import System


class Transformation:
    """A system that was rewritten so that the simplest algorithm, Jacobi, suffices."""

    def __init__(self, system: System, stages: list[_rubato.TransformStage]) -> None:
        self.system = system
        """The system with the same results."""
        self.stages = stages
        """What was done, in this order: concern, is_present (False: there was nothing to do), explanation."""

    def __str__(self) -> str:
        return "\n".join(
            f"{each.concern}: {'; '.join(each.explanation) if each.is_present else 'nothing to do'}" for each in self.stages
        )

    def __repr__(self) -> str:
        done = [each.concern for each in self.stages if each.is_present]
        return f"<rubato.Transformation, {', '.join(done) or 'nothing to do'}>"


class Stability:
    """Whether a coupling is stable: the eigenvalues of the map of one communication step.

    >>> import rubato
    >>> system = rubato.System()
    >>> a = system.add(model="integrator", name="a", start={"y": 1.0})
    >>> b = system.add(model="integrator", name="b", parameters={"k": -1.0})
    >>> system.connect(a["y"], b["u"])
    >>> system.connect(b["y"], a["u"])
    >>> found = system.stability(step=0.1, stop=1.0, algorithm="jacobi")
    >>> found.is_stable, round(found.spectral_radius, 6)  # of 1 ± 0.1 i: explicit Euler
    (False, 1.004988)
    """

    def __init__(self, found: _rubato.Stability) -> None:
        self.is_stable: bool = found.is_stable
        """Whether no eigenvalue is larger than 1 in magnitude."""
        self.spectral_radius: float = found.spectral_radius
        """The largest magnitude of an eigenvalue."""
        self.uncertainty: float = found.uncertainty
        """Of the spectral radius."""
        self.time: float = found.time
        """The time of the linearization [s]."""
        self.step: float = found.step
        """The communication step [s]."""
        self.modes: list[_rubato.Mode] = found.modes
        """Eigenvalues, largest first, with the connections and units that they come from."""
        self.remarks: list[str] = found.remarks
        """What limits what was found."""
        self.plot = Picture(found.picture)
        """The eigenvalues in the complex plane."""

    def __repr__(self) -> str:
        verdict = "stable" if self.is_stable else "unstable"
        return f"<rubato.Stability, {verdict}, spectral radius {self.spectral_radius:.6g}>"

    def _repr_svg_(self) -> str:
        return self.plot.svg


class Tuning:
    """What a search for the cheapest way to run a system has found."""

    def __init__(self, found: _rubato.Tuning, system: System | None) -> None:
        self.trials: list[_rubato.Trial] = found.trials
        """All runs, the first one as the system is: way, error, worst, seconds, messages, unit_steps, is_within, fault."""
        self.best: _rubato.Trial | None = None if found.best is None else found.trials[found.best]
        """The cheapest one within the tolerance; None: there is none."""
        self.front: list[_rubato.Trial] = [found.trials[i] for i in found.front]
        """Cheapest first, each with less error than those before."""
        self.reference: str = found.reference
        """The way that errors are measured against."""
        self.reference_change: float = found.reference_change
        """How far results of the reference change with half the step."""
        self.reference_is_sure: bool = found.reference_is_sure
        """Whether that is small compared with the tolerance."""
        self.stopped: str = found.stopped
        """Why the search ended."""
        self.system = system
        """The system that runs in the best way; None: nothing was within the tolerance."""

    def __repr__(self) -> str:
        best = "nothing within the tolerance" if self.best is None else f"{self.best.way}, error {self.best.error:.3g}"
        return f"<rubato.Tuning, {len(self.trials)} runs: {best}>"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{html.escape(each.way)}</td><td>{each.error:.3g}</td><td>{each.seconds:.3g}</td>"
            f"<td>{each.messages:.0f}</td><td>{each.unit_steps:.0f}</td><td>{'best' if each is self.best else ''}</td></tr>"
            for each in self.front
        )
        names = ("way", "error", "time [s]", "messages", "unit steps", "")
        head = "".join(f"<th>{each}</th>" for each in names)
        return f"<p>{html.escape(self.stopped)}</p><table><tr>{head}</tr>{rows}</table>"


class Analyses:
    """The methods of a system that find out about it."""

    _scenario: _rubato.Scenario

    def _with(self, settings: Mapping[str, object]) -> _rubato.Scenario:
        raise NotImplementedError

    def _made(self, scenario: _rubato.Scenario) -> System:
        raise NotImplementedError

    @property
    def units(self) -> dict[str, Unit]:
        """Its units by name, in their order."""
        raise NotImplementedError

    def _refuse_python_units(self, reason: str) -> None:
        for unit in self.units.values():
            if unit.info.kind == "Python":
                raise InputError(f'unit "{unit.name}" is written in Python: {reason}')

    def check(self, **settings: Any) -> _rubato.Check:
        """Find every error: ``is_correct``, ``problems`` (severity, file, line, message, hint), ``remarks``."""
        return self._with(settings).check()

    def synthesize(self, format: str = "text", **settings: Any) -> str:
        """Return the algorithm that follows from the contracts, as text or as a scenario in ``yaml`` or ``conf``.

        What the format cannot hold is a RubatoWarning.
        """
        text, losses = self._with(settings).synthesize(format)
        for loss in losses:
            warnings.warn(f"the format {format} cannot hold {loss}", RubatoWarning, stacklevel=2)
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
        """Write the system as one FMU that needs no Rubato, or as an SSP package (``.ssp``), and return its size in bytes."""
        self._refuse_python_units("an FMU cannot hold it")
        scenario = self._with(settings)
        if os.fspath(target).endswith(".ssp"):
            return _rubato.export_ssp(scenario, os.fspath(target), overwrite)
        return scenario.export_fmu(os.fspath(target), fmi, overwrite)

    def transform(self, *concerns: str, **settings: Any) -> Transformation:
        """Rewrite the system so that the simplest algorithm, Jacobi, suffices.

        Concerns are ``causality``, ``loops``, ``accuracy`` and ``communication``; by default all of them.
        """
        scenario, stages = _rubato.transform(self._with(settings), list(concerns))
        return Transformation(self._made(scenario), stages)

    def stability(self, at: float | None = None, **settings: Any) -> Stability:
        """Linearize a communication step, at a time or at the start, and find its eigenvalues.

        All units must be able to save their states.
        """
        return Stability(_rubato.stability(self._with(settings), at))

    def stable_steps(self, at: float | None = None, **settings: Any) -> list[_rubato.StableStep]:
        """Find the largest stable step of every algorithm: algorithm, stable, unstable, radius, reason."""
        return _rubato.stable_steps(self._with(settings), at)

    def tune(
        self,
        *,
        tolerance: float = 1e-3,
        budget: float = 60.0,
        minimize: str = "time",
        parallel: int | None = None,
        progress: Callable[[int], bool | None] | None = None,
        **settings: Any,
    ) -> Tuning:
        """Find the cheapest algorithm and step size whose error is within a tolerance.

        The system is run in many ways, ``parallel`` of them at the same time (by default one for each processor), each in
        a process of its own, for ``budget`` seconds at most. ``minimize`` is ``time``, ``messages`` or ``unit-steps``.
        ``progress`` is called with the number of runs so far while that grows; if it returns False, the search ends with
        what it has found. An interrupt (Ctrl-C) ends it, too.
        """
        self._refuse_python_units("the processes of the search cannot run it")
        if parallel is not None and parallel < 1:
            raise InputError(f"parallel is {parallel}: at least one run at a time")
        found, best = _rubato.tune(self._with(settings), tolerance, budget, minimize, parallel or 0, progress)
        return Tuning(found, None if best is None else self._made(best))
