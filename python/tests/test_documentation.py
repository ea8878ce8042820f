# SPDX-License-Identifier: Apache-2.0
"""Examples and the pages of the documentation run as they stand."""

from __future__ import annotations

import importlib.util
import pathlib
import re
import runpy
import shutil
import subprocess
import sys
import types

import pytest

SOURCES = pathlib.Path(__file__).resolve().parents[2]
PAGE = SOURCES / "docs/how-to/python.md"
SNIPPETS = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize("number", range(len(SNIPPETS)))
def test_snippets_of_the_page_run(number: int, fmus: pathlib.Path) -> None:
    for name in ("msd1.fmu", "msd2.fmu"):
        shutil.copy(fmus / name, name)
    script = pathlib.Path("snippet.py")
    script.write_text(SNIPPETS[number], encoding="utf-8")
    runpy.run_path(str(script))


@pytest.mark.parametrize("example", sorted((SOURCES / "examples/python").glob("*.py")), ids=lambda each: each.name)
def test_examples_run(example: pathlib.Path, fmus: pathlib.Path) -> None:
    done = subprocess.run([sys.executable, str(example), str(fmus)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout


def module(name: str) -> types.ModuleType:
    spec = importlib.util.spec_from_file_location(name, SOURCES / f"examples/python/{name}.py")
    assert spec is not None and spec.loader is not None
    loaded = importlib.util.module_from_spec(spec)
    sys.modules[name] = loaded
    spec.loader.exec_module(loaded)
    return loaded


def test_the_search_of_the_environment_earns_more_than_no_force() -> None:
    environment = module("environment")
    assert environment.play(True) > environment.play(False)


def test_the_controller_holds_the_mass_at_its_setpoint() -> None:
    result = module("controller").build().run(stop=10.0, step=0.01)
    assert result["mass.x1"][-1] == pytest.approx(0.5, abs=1e-4)


@pytest.mark.parametrize("notebook", sorted((SOURCES / "examples/python").glob("*.ipynb")), ids=lambda each: each.name)
def test_notebooks_run(notebook: pathlib.Path, fmus: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    monkeypatch.setenv("RUBATO_FMUS", str(fmus.parent))
    content = nbformat.read(notebook, as_version=4)
    nbclient.NotebookClient(content, timeout=120, kernel_name="python3").execute()
