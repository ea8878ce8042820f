# SPDX-License-Identifier: Apache-2.0
"""Many runs of one system."""

from __future__ import annotations

import os
import pathlib
import signal
import threading

import numpy as np
import pytest

import rubato


class Fragile(rubato.PythonUnit):
    """y = limit t, and fails if that is beyond 10."""

    y: rubato.Output[float]
    limit: rubato.Parameter[float] = 1.0

    def step(self, time: float, step: float) -> None:
        self.y = self.limit * (time + step)
        if self.y > 10:
            raise OverflowError("too much")


def fragile() -> rubato.System:
    system = rubato.System()
    system.add(Fragile, name="f")
    return system


def test_results_are_those_of_single_runs(fmus: pathlib.Path) -> None:
    system = rubato.System()
    system.add(fmus / "msd1.fmu", name="mass", start={"x1": 1.0})
    cases = rubato.grid({"mass.c1": [1.0, 2.0, 4.0], "step": [0.1, 0.05]})
    found = system.sweep(cases, stop=1.0, parallel=3)
    assert found.cases == cases and len(found) == 6 and not found.errors
    for case, result in zip(cases, found, strict=True):
        system.set("mass.c1", case["mass.c1"])
        np.testing.assert_array_equal(result["mass.x1"], system.run(stop=1.0, step=case["step"])["mass.x1"])
    assert len(found[1:3]) == 2


def test_a_table_of_a_sweep() -> None:
    pytest.importorskip("pandas")
    found = fragile().sweep(rubato.grid({"f.limit": [1.0, 2.0]}), stop=1.0, step=0.5)
    frame = found.to_pandas(last=lambda result: float(result["f.y"][-1]))
    assert frame["last"].tolist() == [1.0, 2.0] and list(frame.columns) == ["f.limit", "last"]


def test_the_first_run_that_fails_is_named() -> None:
    with pytest.raises(rubato.UnitError, match="too much") as error:
        fragile().sweep(rubato.grid({"f.limit": [1.0, 20.0, 30.0]}), stop=1.0, step=0.5)
    assert error.value.__notes__ == ["in case 1 of the sweep: {'f.limit': 20.0}"]


def test_errors_are_kept_if_that_is_wanted() -> None:
    found = fragile().sweep(rubato.grid({"f.limit": [1.0, 20.0]}), stop=1.0, step=0.5, keep_errors=True)
    assert list(found.errors) == [1] and "1 failed" in repr(found)
    assert found.values(lambda result: float(result["f.y"][-1])) == [1.0, None]
    with pytest.raises(rubato.UnitError):
        found[1]
    assert found.errors[1].result is not None


@pytest.mark.parametrize(
    ("cases", "error", "message"),
    [
        ([{"f.limt": 1.0}], rubato.InputError, 'did you mean "limit"'),
        ([{"stopp": 1.0}], rubato.InputError, 'did you mean "stop"'),
        ([1.0], TypeError, "maps names to values"),
        ([{"f.limit": object()}], TypeError, "cannot be of type object"),
    ],
)
def test_wrong_cases_are_refused(cases: list[dict[str, object]], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        fragile().sweep(cases, stop=1.0)
    with pytest.raises(rubato.InputError, match="at least one run"):
        fragile().sweep([], parallel=0)


def test_no_cases_give_no_results() -> None:
    assert len(fragile().sweep([], stop=1.0)) == 0


def test_progress_may_end_a_sweep() -> None:
    found = fragile().sweep(rubato.grid({"f.limit": [1.0] * 50}), stop=1.0, step=0.5, parallel=1,
                            progress=lambda done, all_: done < 3)
    assert len(found) == 3 == len(found.cases)


def test_an_interrupt_ends_a_sweep(oscillator: rubato.System) -> None:
    threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        oscillator.sweep([{"a.k": 1.0}] * 8, stop=1e6, step=0.001, algorithm="jacobi", parallel=2)
    assert threading.active_count() < 4
