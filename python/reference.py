#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints docs/reference/python.md, made of the docstrings of the package: scripts/reference.sh writes it."""

from __future__ import annotations

import ast
import pathlib
import textwrap

PACKAGE = pathlib.Path(__file__).resolve().parent / "rubato"
GROUPS = {
    "Systems": ["System", "Unit", "Variable", "load", "load_text", "import_system"],
    "Runs and results": ["Result", "Trust", "Picture", "Run", "State", "Sweep", "grid"],
    "Analyses": ["Transformation", "Stability", "Tuning"],
    "Single FMUs": ["simulate", "inspect", "validate"],
    "Units in Python": ["PythonUnit", "Input", "Output", "Parameter"],
    "Settings": ["options", "reference", "SETTINGS", "KEYWORDS", "SECTIONS"],
    "Errors": ["Error", "InputError", "UnitError", "InUseError", "RubatoWarning"],
}
HEAD = """# The Python package

[Use Rubato from Python](../how-to/python.md) explains it. This page is made of the docstrings of `python/rubato` by `make reference`; the examples are
run as tests.
"""

Documented = ast.ClassDef | ast.FunctionDef | ast.Assign | ast.AnnAssign


def text_of(node: ast.stmt | None) -> str | None:
    """Return the text of a docstring that stands alone."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
        return textwrap.dedent(node.value.value).strip()
    return None


def assigned_name(node: ast.stmt) -> str | None:
    """Return the name that a statement gives a value to: x, or x of self.x."""
    target = node.targets[0] if isinstance(node, ast.Assign) else node.target if isinstance(node, ast.AnnAssign) else None
    if isinstance(target, ast.Name):
        return target.id
    is_attribute = isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name) and target.value.id == "self"
    return target.attr if is_attribute and isinstance(target, ast.Attribute) else None


def attributes_in(body: list[ast.stmt]) -> list[tuple[str, str]]:
    """Return names that are assigned and explained by the text below."""
    found = []
    for node, following in zip(body, [*body[1:], None], strict=True):
        name, text = assigned_name(node), text_of(following)
        if name and text and not name.startswith("_"):
            found.append((name, text))
    return found


def signature(function: ast.FunctionDef) -> str:
    """Return the arguments without self, and the type of what is returned."""
    arguments = function.args
    if arguments.args and arguments.args[0].arg == "self":
        arguments = ast.arguments(**{field: getattr(arguments, field) for field in arguments._fields})
        arguments.args = arguments.args[1:]
    returned = f" -> {ast.unparse(function.returns)}" if function.returns else ""
    return f"({ast.unparse(arguments)}){returned}"


def documentation(node: ast.ClassDef | ast.FunctionDef) -> str:
    """Return a docstring with its examples as code."""
    lines, in_example = [], False
    for line in (ast.get_docstring(node) or "").replace("``", "`").splitlines():
        if line.startswith(">>>") and not in_example:
            lines.append("```pycon")
            in_example = True
        elif not line and in_example:
            lines.append("```")
            in_example = False
        lines.append(line)
    return "\n".join([*lines, "```"] if in_example else lines)


def is_property(function: ast.FunctionDef) -> bool:
    """Tell whether it is used as an attribute."""
    return any(isinstance(each, ast.Name) and each.id == "property" for each in function.decorator_list)


def describe_class(node: ast.ClassDef, bases: list[ast.ClassDef]) -> str:
    """Return attributes and methods, those of base classes too."""
    body = [*node.body, *(each for base in bases for each in base.body)]
    functions = [each for each in body if isinstance(each, ast.FunctionDef) and ast.get_docstring(each)]
    public = {each.name: each for each in reversed(functions) if not each.name.startswith("_")}
    attributes = attributes_in(body)
    for each in node.body:
        if isinstance(each, ast.FunctionDef) and each.name == "__init__":
            attributes += attributes_in(each.body)
    attributes += [(name, (ast.get_docstring(each) or "")) for name, each in public.items() if is_property(each)]
    text = "".join(f"- `{name}`: {explained.replace('``', '`')}\n" for name, explained in sorted(attributes))
    for name, each in sorted(public.items()):
        if not is_property(each):
            text += f"\n#### {node.name}.{name}\n\n```python\n{name}{signature(each)}\n```\n\n{documentation(each)}\n"
    return text


def page() -> str:
    """Return the whole page."""
    nodes: dict[str, ast.stmt] = {}
    texts: dict[str, str] = {}
    for file in sorted(PACKAGE.glob("*.py")):
        body = ast.parse(file.read_text(encoding="utf-8")).body
        nodes |= {each.name: each for each in body if isinstance(each, (ast.ClassDef, ast.FunctionDef))}
        texts |= dict(attributes_in(body))
    text = HEAD
    for group, names in GROUPS.items():
        text += f"\n## {group}\n"
        for name in names:
            node = nodes.get(name)
            text += f"\n### {name}\n\n"
            if isinstance(node, ast.FunctionDef):
                text += f"```python\n{name}{signature(node)}\n```\n\n{documentation(node)}\n"
            elif isinstance(node, ast.ClassDef):
                named = (nodes.get(base.id) for base in node.bases if isinstance(base, ast.Name))
                details = describe_class(node, [each for each in named if isinstance(each, ast.ClassDef)])
                text += documentation(node) + "\n" + (f"\n{details}" if details else "")
            else:
                text += texts[name].replace("``", "`") + "\n"
    return text


if __name__ == "__main__":
    print(page(), end="")
