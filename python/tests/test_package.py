# SPDX-License-Identifier: Apache-2.0
"""The package as it is installed."""

from __future__ import annotations

import doctest
import importlib
import os
import pathlib
import pkgutil
import runpy
import subprocess
import sys

import pytest

import rubato

SOURCES = pathlib.Path(__file__).resolve().parents[2]
MODULES = [each.name for each in pkgutil.iter_modules(rubato.__path__) if each.name not in ("_rubato", "__main__")]


@pytest.mark.parametrize("name", ["rubato", *(f"rubato.{name}" for name in MODULES)])
def test_examples_in_docstrings_are_right(name: str) -> None:
    failed, _ = doctest.testmod(importlib.import_module(name))
    assert failed == 0


def test_everything_public_has_a_docstring() -> None:
    for name in rubato.__all__:
        thing = getattr(rubato, name)
        if not callable(thing) or not hasattr(thing, "__module__") or not str(thing.__module__).startswith("rubato"):
            continue
        assert thing.__doc__, name
        for attribute, member in vars(thing).items() if isinstance(thing, type) else ():
            if not attribute.startswith("_") and callable(member):
                assert member.__doc__, f"{name}.{attribute}"


def test_the_reference_page_is_that_of_the_docstrings() -> None:
    generator = runpy.run_path(str(SOURCES / "python/reference.py"))
    page = (SOURCES / "docs/reference/python.md").read_text(encoding="utf-8")
    assert page == generator["page"](), "run: make reference"
    assert sorted(sum(generator["GROUPS"].values(), [])) == sorted(rubato.__all__)


def test_the_command_comes_with_it() -> None:
    printed = subprocess.run([sys.executable, "-m", "rubato", "--version"], capture_output=True, text=True, check=True)
    assert rubato.__version__ in printed.stdout
    folder = pathlib.Path(rubato.__file__).parent / "bin"
    assert {each.name for each in folder.iterdir()} >= {"rubato", "rubato-unit", "rubato-runtime.so"}


def test_the_version_is_that_of_the_project() -> None:
    assert f"VERSION {rubato.__version__} " in (SOURCES / "CMakeLists.txt").read_text(encoding="utf-8")


def test_the_package_is_small_enough() -> None:
    wheels = list((SOURCES / "build/python/dist").glob("*.whl"))
    if not wheels:
        pytest.skip("no wheel was built: scripts/python.sh builds one")
    assert wheels[0].stat().st_size <= 15e6


def test_types_are_checked_strictly() -> None:
    pytest.importorskip("mypy")
    examples = [str(each) for each in sorted((SOURCES / "examples/python").glob("*.py"))]
    environment = {**os.environ, "MYPY_CACHE_DIR": str(SOURCES / "build/python/mypy")}
    for arguments in (["-p", "rubato"], examples):
        done = subprocess.run([sys.executable, "-m", "mypy", "--strict", *arguments], capture_output=True, text=True,
                              env=environment)
        assert done.returncode == 0, done.stdout
