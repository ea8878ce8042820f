# SPDX-License-Identifier: Apache-2.0
"""Bad input: one clear exception, never a crash."""

from __future__ import annotations

import logging
import os
import pathlib
import signal
import subprocess
import sys
import threading
import time
import warnings

import pytest

import rubato


def test_files_that_are_wrong_are_named_with_their_line() -> None:
    pathlib.Path("bad.yaml").write_text("rubato: 1\nunits:\n  a: {model: integrator}\nconnektions: []\n")
    with pytest.raises(rubato.InputError, match="did you mean") as error:
        rubato.load("bad.yaml")
    assert (error.value.file, error.value.line) == ("bad.yaml", 4)
    problem = error.value.problems[0]
    assert (problem.severity, problem.line) == ("error", 4) and "connections" in problem.hint
    assert isinstance(error.value, ValueError)
    with pytest.raises(rubato.InputError) as error:
        rubato.load("missing.yaml")
    assert error.value.file == "missing.yaml"


@pytest.mark.parametrize("name", ["none.fmu", "none.csv", "none.yaml"])
def test_missing_files_are_named(name: str) -> None:
    system = rubato.System()
    with pytest.raises(rubato.InputError, match=name):
        system.add(name)
    assert len(system) == 0


def test_a_file_that_is_no_fmu() -> None:
    pathlib.Path("text.fmu").write_text("no archive")
    for call in (lambda: rubato.System().add("text.fmu"), lambda: rubato.inspect("text.fmu"), lambda: rubato.simulate("text.fmu")):
        with pytest.raises(rubato.InputError, match="text.fmu"):
            call()
    assert rubato.validate("text.fmu")[0].rule


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({}, rubato.InputError, "either a file"),
        ({"source": 3}, TypeError, "not int"),
        ({"source": object}, TypeError, "subclass of rubato.PythonUnit"),
        ({"source": "model.dll"}, rubato.InputError, "no file that a unit"),
        ({"model": "integratr"}, rubato.InputError, 'did you mean "integrator"'),
        ({"model": "integrator", "name": "a.b"}, rubato.InputError, "no name for a unit"),
        ({"model": "integrator", "name": ""}, None, ""),
        ({"model": "integrator", "colour": "red"}, rubato.InputError, "colour"),
        ({"model": "integrator", "sub_steps": "two"}, rubato.InputError, "sub-steps"),
    ],
)
def test_units_that_are_wrong_are_refused(
    arguments: dict[str, object], error: type[Exception] | None, message: str
) -> None:
    system = rubato.System()
    if error is None:
        system.add(**arguments)  # type: ignore[arg-type]
        return
    with pytest.raises(error, match=message):
        system.add(**arguments)  # type: ignore[arg-type]
    assert len(system) == 0


def test_a_name_is_given_once(oscillator: rubato.System) -> None:
    with pytest.raises(rubato.InputError, match='has a unit "a" already'):
        oscillator.add(model="integrator", name="a")


def test_connections_that_are_wrong_are_refused(oscillator: rubato.System) -> None:
    other = rubato.System()
    foreign = other.add(model="integrator", name="a")
    a, b = oscillator["a"], oscillator["b"]
    before = oscillator.to_yaml()
    for source, target, settings, message in (
        (foreign["y"], b["u"], {}, "of another system"),
        (a["u"], b["u"], {}, "cannot be the source"),
        (a["y"], b["y"], {}, "cannot be the target"),
        ("a.y", "c.u", {}, 'no unit "c"'),
        (a["y"], b["u"], {"approximation": "cubic"}, "linear"),
        (a["y"], b["u"], {"aproximation": "linear"}, 'did you mean "approximation"'),
        (a["y"], b["u"], {"factor": "two"}, "factor"),
    ):
        with pytest.raises(rubato.InputError, match=message):
            oscillator.connect(source, target, **settings)
    with pytest.raises(TypeError, match="not float"):
        oscillator.connect(1.0, b["u"])  # type: ignore[arg-type]
    assert oscillator.to_yaml() == before


def test_an_empty_system_has_no_run() -> None:
    for call in (rubato.System().run, rubato.System().start, rubato.System().verify):
        with pytest.raises(rubato.InputError, match="has no units"):
            call()
    assert not rubato.System().check().is_correct


def test_a_variable_that_was_not_recorded(oscillator: rubato.System) -> None:
    result = oscillator.run(stop=1.0, record=["a.y"])
    with pytest.raises(rubato.Error, match='"b.y" was not recorded'):
        result["b.y"]
    with pytest.raises(rubato.Error):
        result.plot("c.*")


def test_another_thread_must_not_use_a_system_that_runs(oscillator: rubato.System) -> None:
    started, errors = threading.Event(), []

    def started_then_wait(time_: float, fraction: float) -> bool:
        started.set()
        time.sleep(0.05)
        return len(errors) == 0

    def intrude() -> None:
        started.wait(10)
        try:
            oscillator.run(stop=1.0)
        except rubato.InUseError as error:
            errors.append(error)

    thread = threading.Thread(target=intrude)
    thread.start()
    oscillator.run(stop=1e6, step=0.001, algorithm="jacobi", progress=started_then_wait)
    thread.join()
    assert "copy()" in str(errors[0])


def test_a_callback_that_raises_ends_the_run(oscillator: rubato.System) -> None:
    def fail(time_: float, fraction: float) -> None:
        raise KeyError("from the callback")

    with pytest.raises(KeyError, match="from the callback"):
        oscillator.run(stop=1e6, step=0.001, algorithm="jacobi", progress=fail)


def test_a_callback_must_not_use_the_system_that_runs(oscillator: rubato.System) -> None:
    with pytest.raises(rubato.InUseError):
        oscillator.run(stop=1e6, step=0.001, algorithm="jacobi", progress=lambda t, f: oscillator.run() and None)


@pytest.mark.skipif(threading.current_thread() is not threading.main_thread(), reason="signals reach the main thread")
def test_an_interrupt_keeps_results(oscillator: rubato.System) -> None:
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt) as error:
        oscillator.run(stop=1e6, step=0.001, algorithm="jacobi")
    result = error.value.result  # type: ignore[attr-defined]
    assert result is oscillator.result and not result.is_complete and len(result.time) > 10


def test_messages_of_units_go_to_their_loggers(caplog: pytest.LogCaptureFixture) -> None:
    pathlib.Path("wind.csv").write_text("time,speed\n0,1\n1,2\n")
    system = rubato.System()
    system.add("wind.csv")
    with caplog.at_level(logging.INFO, logger="rubato"):
        system.run(stop=2.0, step=0.5)
    messages = [each for each in caplog.records if each.name == "rubato.units.wind"]
    assert messages and messages[0].levelno == logging.WARNING and "1" in messages[0].getMessage()


def test_warnings_about_a_system_name_the_line_that_runs_it(oscillator: rubato.System) -> None:
    with pytest.warns(rubato.RubatoWarning, match="the last step is shorter") as caught:
        oscillator.run(stop=1.0, step=0.3)
    assert caught[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        oscillator.run(stop=1.0)
        with pytest.raises(rubato.RubatoWarning):
            oscillator.run(stop=1.0, step=0.3)


def test_the_interpreter_may_exit_at_any_time() -> None:
    script = """
import rubato
class U(rubato.PythonUnit):
    y: rubato.Output[float]
    def step(self, time, step):
        self.y = time
system = rubato.System()
system.add(U, name="u")
run = system.start(stop=1.0)
run.step()
kept = [system, run, run.save(), run.result, system.copy()]
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 0 and done.stderr == ""
