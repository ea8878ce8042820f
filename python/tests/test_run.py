# SPDX-License-Identifier: Apache-2.0
"""Runs step by step."""

from __future__ import annotations

import numpy as np
import pytest

import rubato


def plant() -> rubato.System:
    system = rubato.System("plant")
    system.add(model="integrator", name="plant", start={"y": 1.0})
    return system


def test_a_controller_in_the_loop() -> None:
    with plant().start(stop=2.0, step=0.5) as run:
        while run.step():
            run["plant.u"] = -float(run["plant.y"])
    # y(t + h) = y - h y(t), where the first step has no control yet.
    assert run.result["plant.y"].tolist() == [1.0, 1.0, 0.5, 0.25, 0.125]
    assert run.time == 2.0 and run.has_ended
    assert run.result.is_complete


def test_steps_give_the_bits_of_a_run(oscillator: rubato.System) -> None:
    with oscillator.start(stop=1.0, step=0.1, algorithm="jacobi") as run:
        times = list(run)
    whole = oscillator.run(stop=1.0, step=0.1, algorithm="jacobi")
    np.testing.assert_array_equal(run.result["a.y"], whole["a.y"])
    np.testing.assert_array_equal(times, whole.time[1:])


def test_a_restored_run_repeats_itself_bit_by_bit(oscillator: rubato.System) -> None:
    with oscillator.start(stop=2.0, step=0.1) as run:
        for _ in range(5):
            run.step()
        state = run.save()
        first = [run["a.y"] for _ in range(10) if run.step()]
        run.restore(state)
        assert run.time == state.time == pytest.approx(0.5)
        assert len(run.result.time) == 6
        second = [run["a.y"] for _ in range(10) if run.step()]
    assert first == second


def test_a_state_of_another_run_is_refused(oscillator: rubato.System) -> None:
    with oscillator.start(stop=1.0) as one, oscillator.start(stop=1.0) as two:
        with pytest.raises(rubato.InputError, match="of another simulation"):
            two.restore(one.save())
        with pytest.raises(TypeError, match="save"):
            two.restore(3)  # type: ignore[arg-type]


def test_the_state_may_outlive_its_run(oscillator: rubato.System) -> None:
    with oscillator.start(stop=1.0) as run:
        state = run.save()
    del run
    assert state.time == 0


def test_nothing_but_the_result_is_left_after_the_end(oscillator: rubato.System) -> None:
    with oscillator.start(stop=1.0, step=0.5) as run:
        run.step()
    for call in (run.step, run.save, lambda: run["a.y"], lambda: run.__setitem__("a.u", 1.0), lambda: run.trust):
        with pytest.raises(rubato.InputError, match="the run has ended"):
            call()
    assert len(run.result.time) == 2
    run.close()


def test_without_recording_there_is_no_result(oscillator: rubato.System) -> None:
    with oscillator.start(stop=1.0, record=False) as run:
        run.step()
        with pytest.raises(rubato.InputError, match="records nothing"):
            _ = run.result


def test_recording_takes_names(oscillator: rubato.System) -> None:
    with oscillator.start(stop=1.0, record=["b.*"]) as run:
        run.step()
    assert "b.y" in run.result and "a.y" not in run.result


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("a.u", 1.0, 'connected to "b.y"'),
        ("a.y", 1.0, "neither an input nor a tunable"),
        ("c.y", 1.0, 'there is no unit "c"'),
        ("a.z", 1.0, 'has no variable "z"'),
        ("a", 1.0, "is no name of a variable"),
    ],
)
def test_what_cannot_be_set_is_refused(oscillator: rubato.System, name: str, value: float, message: str) -> None:
    with oscillator.start(stop=1.0) as run:
        with pytest.raises(rubato.InputError, match=message):
            run[name] = value


def test_values_have_their_types() -> None:
    with plant().start(stop=1.0) as run:
        with pytest.raises(TypeError, match="number, a bool or a str"):
            run["plant.u"] = [1.0]  # type: ignore[assignment]
        with pytest.raises(rubato.InputError, match="does not fit"):
            run["plant.u"] = "fast"
        run["plant.u"] = np.float64(2)
        run.step()
        assert isinstance(run["plant.y"], float)


def test_a_run_outlives_its_system() -> None:
    run = plant().start(stop=1.0, step=0.5)
    assert run.step() and run["plant.y"] == 1.0
    run.close()


def test_a_run_that_is_dropped_frees_its_units() -> None:
    for _ in range(20):
        run = plant().start(stop=1.0)
        run.step()
