# SPDX-License-Identifier: Apache-2.0
"""Settings as keyword arguments, made of the declarations that files and options are read by."""

from __future__ import annotations

import difflib
import json
import math
import os
from collections.abc import Iterable, Mapping
from typing import Any

from . import _rubato
from ._errors import InputError

Path = str | os.PathLike[str]

SETTINGS: dict[str, _rubato.SettingInfo] = {each.path: each for each in _rubato.settings()}
"""All plain settings of scenarios by their path, such as ``step-control.tolerance``."""


def to_yaml(value: object) -> str:
    """Write a value as it stands in a scenario file.

    >>> to_yaml({"m": 1.5, "names": ["a", "b"], "on": True})
    '{"m": 1.5, "names": ["a", "b"], "on": true}'
    """
    item = getattr(value, "item", None)
    if callable(item) and getattr(value, "ndim", None) == 0:
        value = item()
    elif hasattr(value, "tolist"):
        value = value.tolist()
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(int(value))
    if isinstance(value, float):
        if math.isfinite(value):
            return repr(float(value))
        return ".nan" if math.isnan(value) else (".inf" if value > 0 else "-.inf")
    if isinstance(value, os.PathLike):
        value = os.fspath(value)
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, Mapping):
        entries = (f"{json.dumps(str(k), ensure_ascii=False)}: {to_yaml(v)}" for k, v in value.items())
        return "{" + ", ".join(entries) + "}"
    if isinstance(value, Iterable):
        return "[" + ", ".join(to_yaml(each) for each in value) + "]"
    raise TypeError(f"a setting cannot be of type {type(value).__name__}; give a number, str, bool, list or dict")


def _keywords() -> dict[str, str]:
    """Paths by keyword: ``step`` and ``algorithm_threads``, and ``threads`` where only one section has it."""
    known: dict[str, str] = {}
    short: dict[str, list[str]] = {}
    for path in SETTINGS:
        section, _, key = path.rpartition(".")
        if "<" in section:
            continue
        keyword = key.replace("-", "_")
        known[f"{section}.{key}".replace("-", "_").replace(".", "_")] = path
        if section == "experiment":
            known[keyword] = path
        short.setdefault(keyword, []).append(path)
    sections = {path.split(".")[0].replace("-", "_") for path in known.values()}
    for keyword, paths in short.items():
        if len(paths) == 1 and keyword not in sections:
            known.setdefault(keyword, paths[0])
    return known


KEYWORDS: dict[str, str] = _keywords()
"""Paths of settings by the keyword arguments of ``run``, ``start`` and others."""

SECTIONS: dict[str, str] = {
    section.replace("-", "_"): section
    for section in dict.fromkeys(path.split(".")[0] for path in KEYWORDS.values())
}
"""Sections that can be given as a whole: ``algorithm="jacobi"``, ``step_control={"controller": "richardson"}``."""


def suggestion(word: str, known: Iterable[str]) -> str:
    """Say what may have been meant."""
    names = sorted(known)
    near = difflib.get_close_matches(word, names, n=1)
    if near:
        return f'did you mean "{near[0]}"?'
    return "known are: " + ", ".join(names)


def overrides(settings: Mapping[str, object]) -> list[tuple[str, str]]:
    """Turn keyword arguments into paths and YAML.

    >>> overrides({"stop": 10, "algorithm": "jacobi"})
    [('experiment.stop', '10'), ('algorithm', '"jacobi"')]
    >>> overrides({"stopp": 10})
    Traceback (most recent call last):
    ...
    rubato._errors.InputError: there is no setting "stopp"
      did you mean "stop"?
    """
    result: list[tuple[str, str]] = []
    for keyword, value in settings.items():
        if value is None:
            continue
        if keyword in SECTIONS and isinstance(value, Mapping):
            section = SECTIONS[keyword]
            result += [(f"{section}.{str(k).replace('_', '-')}", to_yaml(v)) for k, v in value.items()]
        elif keyword in SECTIONS:
            result.append((SECTIONS[keyword], to_yaml(value)))
        elif keyword in KEYWORDS:
            result.append((KEYWORDS[keyword], to_yaml(value)))
        else:
            hint = suggestion(keyword, [*KEYWORDS, *SECTIONS])
            raise InputError(f'there is no setting "{keyword}"\n  {hint}')
    return result


def options(**settings: Any) -> dict[str, Any]:
    """Return the settings unchanged, after their names have been checked.

    Use it to share settings between calls.

    >>> import rubato
    >>> rubato.options(stop=10.0, step=0.1)
    {'stop': 10.0, 'step': 0.1}
    """
    overrides(settings)
    return settings


def reference() -> str:
    """List all keyword arguments with their meaning.

    >>> import rubato
    >>> print(rubato.reference().splitlines()[0])
    start: number. start time [s]; if units suggest one: the earliest
    """
    lines = []
    shown: set[str] = set()
    for keyword, path in sorted(KEYWORDS.items(), key=lambda item: (list(SETTINGS).index(item[1]), len(item[0]))):
        if path in shown:
            continue
        shown.add(path)
        info = SETTINGS[path]
        values = " | ".join(info.choices) if info.choices else info.type
        lines.append(f"{keyword}: {values}. {info.meaning}")
    return "\n".join(lines)
