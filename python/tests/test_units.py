# SPDX-License-Identifier: Apache-2.0
"""Units in Python are units like any other."""

from __future__ import annotations

import math
import traceback

import numpy as np
import pytest

import rubato


class Integrator(rubato.PythonUnit):
    """y' = k u, exact for an input that is held."""

    u: rubato.Input[float]
    y: rubato.Output[float]
    k: rubato.Parameter[float] = 1.0

    def step(self, time: float, step: float) -> None:
        self.y += step * self.k * self.u


class Gain(rubato.PythonUnit):
    """y = 2 u, at once."""

    u: rubato.Input[float]
    y: rubato.Output[float]

    def outputs(self, time: float) -> None:
        self.y = 2 * self.u

    def step(self, time: float, step: float) -> None:
        pass


def pair(first: type[rubato.PythonUnit] | str, second: type[rubato.PythonUnit] | str) -> rubato.System:
    system = rubato.System("pair")
    for name, kind, settings in (("a", first, {"start": {"y": 1.0}}), ("b", second, {"parameters": {"k": -1.0}})):
        if isinstance(kind, str):
            system.add(model=kind, name=name, **settings)  # type: ignore[arg-type]
        else:
            system.add(kind, name=name, **settings)  # type: ignore[arg-type]
    system.connect("a.y", "b.u")
    system.connect("b.y", "a.u")
    return system


@pytest.mark.parametrize("algorithm", ["jacobi", "gauss-seidel", "iterated-jacobi", "iterated-gauss-seidel"])
@pytest.mark.parametrize("kinds", [(Integrator, Integrator), (Integrator, "integrator"), ("integrator", Integrator)])
def test_python_and_native_units_agree(algorithm: str, kinds: tuple[type | str, type | str]) -> None:
    settings = {"stop": 1.0, "step": 0.125, "algorithm": algorithm}
    expected = pair("integrator", "integrator").run(**settings)
    result = pair(*kinds).run(**settings)
    np.testing.assert_allclose(result["a.y"], expected["a.y"], rtol=1e-12)
    np.testing.assert_allclose(result["b.y"], expected["b.y"], rtol=1e-12, atol=1e-12)


def test_feed_through_is_followed_in_the_same_step() -> None:
    system = rubato.System()
    ramp = system.add(model="integrator", name="ramp", start={"u": 1.0})
    gain = system.add(Gain)
    system.connect(ramp["y"], gain["u"])
    result = system.run(stop=1.0, step=0.25)
    np.testing.assert_array_equal(result["gain.y"], 2 * result["ramp.y"])


def test_each_run_starts_from_a_new_object() -> None:
    unit = Integrator()
    system = rubato.System()
    system.add(unit, name="i", start={"u": 1.0})
    first, second = system.run(stop=1.0, step=0.5), system.run(stop=1.0, step=0.5)
    np.testing.assert_array_equal(first["i.y"], second["i.y"])


def test_a_run_with_python_units_is_saved_and_restored() -> None:
    with pair(Integrator, Integrator).start(stop=2.0, step=0.25) as run:
        run.step()
        state = run.save()
        first = [run["a.y"] for _ in range(4) if run.step()]
        for _ in range(2):
            run.restore(state)
            assert [run["a.y"] for _ in range(4) if run.step()] == first


def test_a_unit_that_cannot_be_saved_says_so() -> None:
    class Once(Integrator):
        can_save = False

    system = rubato.System()
    system.add(Once, name="once")
    with system.start(stop=1.0) as run:
        with pytest.raises(rubato.Error, match="once"):
            run.save()


def test_a_unit_may_reject_a_step() -> None:
    class Careful(Integrator):
        can_reject_step = True

        def step(self, time: float, step: float) -> float | None:
            part = min(step, 0.1)
            self.y += part * self.u
            return None if part == step else time + part

    system = rubato.System()
    system.add(Careful, name="careful", start={"u": 1.0})
    result = system.run(stop=1.0, step=0.5)
    assert result["careful.y"][-1] == pytest.approx(1.0)
    assert len(result.time) > 5


def test_all_types_of_variables() -> None:
    class Kinds(rubato.PythonUnit):
        count: rubato.Output[int]
        on: rubato.Output[bool] = True
        text: rubato.Output[str] = "start"
        level: rubato.Output[float] = 0.5

        def step(self, time: float, step: float) -> None:
            self.count += 1
            self.on = not self.on
            self.text = f"step {self.count}"

    system = rubato.System()
    system.add(Kinds, name="k")
    with system.start(stop=1.0, step=0.5) as run:
        run.step()
        assert (run["k.count"], run["k.on"], run["k.text"], run["k.level"]) == (1, False, "step 1", 0.5)
    result = system.run(stop=1.0, step=0.5)
    assert result["k.count"].tolist() == [0.0, 1.0, 2.0]
    with pytest.raises(rubato.Error, match="not a number"):
        result["k.text"]


class Faulty(rubato.PythonUnit):
    y: rubato.Output[float]
    value: object = math.nan

    def step(self, time: float, step: float) -> None:
        if time >= 0.5:
            self.fail_now()

    def fail_now(self) -> None:
        raise ZeroDivisionError("no divisor")


def test_an_exception_ends_the_run_with_its_traceback_and_keeps_results() -> None:
    system = rubato.System()
    system.add(Faulty, name="f")
    with pytest.raises(rubato.UnitError, match='unit "f" failed in step at t = 0.5 s: ZeroDivisionError: no') as error:
        system.run(stop=1.0, step=0.25)
    assert error.value.unit == "f" and error.value.time == 0.5
    assert isinstance(error.value.__cause__, ZeroDivisionError)
    assert "fail_now" in "".join(traceback.format_exception(error.value))
    assert error.value.result is not None and error.value.result.time.tolist() == [0.0, 0.25, 0.5]
    assert system.result is error.value.result and not system.result.is_complete


@pytest.mark.parametrize(
    ("value", "message"),
    [(math.nan, 'its output "y" is nan'), (math.inf, 'its output "y" is inf'), ("x", "'x', not a number"), (None, "None, not a number")],
)
def test_bad_outputs_are_named(value: object, message: str) -> None:
    class Bad(rubato.PythonUnit):
        y: rubato.Output[float]

        def step(self, time: float, step: float) -> None:
            self.y = value  # type: ignore[assignment]

    system = rubato.System()
    system.add(Bad, name="bad")
    with pytest.raises(rubato.UnitError, match=message) as error:
        system.run(stop=1.0, step=0.5)
    assert error.value.unit == "bad"


@pytest.mark.parametrize("returned", [-1.0, 99.0, "soon", math.nan])
def test_bad_times_are_refused(returned: object) -> None:
    class Wrong(rubato.PythonUnit):
        y: rubato.Output[float]

        def step(self, time: float, step: float) -> float | None:
            return returned  # type: ignore[return-value]

    system = rubato.System()
    system.add(Wrong, name="w")
    with pytest.raises(rubato.UnitError, match="w"):
        system.run(stop=1.0, step=0.5)


def test_a_unit_without_step_or_with_a_constructor_that_fails() -> None:
    class Empty(rubato.PythonUnit):
        y: rubato.Output[float]

    class Broken(Integrator):
        def __init__(self, needed: int) -> None:
            self.needed = needed

    for kind, message in ((Empty, "has no method step"), (Broken, "needed")):
        system = rubato.System()
        system.add(kind, name="u")
        with pytest.raises(rubato.UnitError, match=message):
            system.run(stop=1.0)


def test_a_unit_must_not_use_its_own_run() -> None:
    system = rubato.System()

    class Reentrant(rubato.PythonUnit):
        y: rubato.Output[float]

        def step(self, time: float, step: float) -> None:
            system.run(stop=1.0)

    system.add(Reentrant, name="r")
    with pytest.raises(rubato.UnitError) as error:
        system.run(stop=1.0)
    assert isinstance(error.value.__cause__, rubato.InUseError)


def test_a_function_that_fails_is_named() -> None:
    system = rubato.System()
    plant = system.add(model="integrator", name="plant")
    system.set_input(plant["u"], lambda t: 1 / (1 - t))
    with pytest.raises(rubato.UnitError, match="division by zero"):
        system.run(stop=2.0, step=0.5)
    with pytest.raises(TypeError, match="function of time"):
        system.set_input(plant["u"], 3)  # type: ignore[arg-type]


def test_threads_step_python_units_too() -> None:
    system = rubato.System()
    for name in ("a", "b", "c"):
        system.add(Integrator, name=name, start={"u": 1.0})
    result = system.run(stop=1.0, step=0.25, threads=3)
    assert result["c.y"].tolist() == [0.0, 0.25, 0.5, 0.75, 1.0]


class Metronome(rubato.PythonUnit):
    """Toggles every 0.3 s, at events."""

    on: rubato.Output[bool] = False
    count: rubato.Output[int]
    period: rubato.Parameter[float] = 0.3

    def step(self, time: float, step: float) -> None:
        pass

    def event(self, time: float) -> float | None:
        if time >= self.period * (self.count + 1) - 1e-12:
            self.count += 1
            self.on = not self.on
        return self.period * (self.count + 1)


def test_events_are_handled_at_their_times() -> None:
    system = rubato.System()
    system.add(Metronome, name="m")
    result = system.run(stop=1.0, step=0.25)
    assert result.time == pytest.approx([0, 0.25, 0.3, 0.3, 0.5, 0.6, 0.6, 0.75, 0.9, 0.9, 1])
    assert result["m.count"].tolist() == [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3]  # on both sides of each event
    assert result["m.on"][-1] == 1.0


def test_a_run_with_events_is_saved_and_restored() -> None:
    system = rubato.System()
    system.add(Metronome, name="m")
    with system.start(stop=2.0, step=0.25) as run:
        run.step()
        state = run.save()
        first = [run["m.count"] for _ in range(10) if run.step()]
        run.restore(state)
        assert [run["m.count"] for _ in range(10) if run.step()] == first


@pytest.mark.parametrize(("following", "message"), [(0.0, "not later"), (math.nan, "not later"), ("soon", "the next event")])
def test_wrong_times_of_events_are_refused(following: object, message: str) -> None:
    class Wrong(Metronome):
        def event(self, time: float) -> float | None:
            return following  # type: ignore[return-value]

    system = rubato.System()
    system.add(Wrong, name="w")
    with pytest.raises(rubato.UnitError, match=message) as error:
        system.run(stop=1.0, step=0.5)
    assert error.value.unit == "w"
