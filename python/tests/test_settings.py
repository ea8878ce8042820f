# SPDX-License-Identifier: Apache-2.0
"""Keyword arguments are the settings of scenario files."""

from __future__ import annotations

import numpy as np
import pytest

import rubato
from rubato import _settings


def test_every_setting_of_a_scenario_is_a_keyword() -> None:
    plain = {path for path in rubato.SETTINGS if "<" not in path}
    assert set(rubato.KEYWORDS.values()) == plain
    assert {"start", "stop", "step", "threads", "iterations", "minimum_step"} <= set(rubato.KEYWORDS)
    assert set(rubato.SECTIONS) >= {"algorithm", "loops", "step_control", "events", "record"}
    assert len(rubato.reference().splitlines()) == len(plain)


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"stop": 1.5}, "stop: 1.5"),
        ({"algorithm": "jacobi"}, "jacobi"),
        ({"algorithm": {"recipe": "gauss-seidel", "order": ["a", "b"]}}, "order: [a, b]"),
        ({"threads": np.int64(2)}, "threads: 2"),
        ({"algorithm_threads": 2}, "threads: 2"),
        ({"step_control": {"controller": "richardson", "tolerance": np.float64(1e-3)}}, "tolerance: 0.001"),
        ({"record": ["a.*"]}, "a.*"),
    ],
)
def test_keywords_reach_the_scenario(oscillator: rubato.System, settings: dict[str, object], expected: str) -> None:
    assert expected in oscillator._with(settings).to_yaml()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"stopp": 1}, 'there is no setting "stopp"\n  did you mean "stop"'),
        ({"algorithm": "jakobi"}, "jacobi"),
        ({"step": "fast"}, "step"),
        ({"step": -1.0}, "step"),
        ({"step_control": {"tolerrance": 1}}, "tolerance"),
    ],
)
def test_wrong_settings_are_refused(oscillator: rubato.System, settings: dict[str, object], message: str) -> None:
    with pytest.raises(rubato.InputError) as error:
        oscillator.run(**{"stop": 1.0, **settings})
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("value", "yaml"),
    [(1, "1"), (True, "true"), (1e-9, "1e-09"), (float("inf"), ".inf"), ('a"b', '"a\\"b"'), (np.array([1.0, 2.0]), "[1.0, 2.0]"),
     ({"a": (1, 2)}, '{"a": [1, 2]}'), (None, "null")],
)
def test_values_are_written_as_yaml(value: object, yaml: str) -> None:
    assert _settings.to_yaml(value) == yaml


def test_values_of_other_types_are_refused() -> None:
    with pytest.raises(TypeError, match="cannot be of type object"):
        _settings.to_yaml(object())
