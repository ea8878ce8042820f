#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""docs/reference/cli.md: the command line as the program itself describes it.

cli_reference.py BUILD PAGE           writes the page
cli_reference.py BUILD PAGE --check   fails if the page differs from what would be written

The page is BUILD/manual/cli.md where the build makes one, else it holds what `rubato --help` prints.
"""
import difflib
import pathlib
import re
import subprocess
import sys

HEADING = """# Command line

`rubato --help` and `rubato COMMAND --help`, as the program prints them. `scripts/reference.sh` writes this page; a test compares it.
"""


def help_of(rubato, *command):
    text = subprocess.run([rubato, *command, "--help"], capture_output=True, text=True, check=True).stdout
    return "\n".join(line.rstrip() for line in text.strip().splitlines())


def subcommands(text):
    section = re.search(r"^Subcommands:\n(.*?)(\n\n|\Z)", text, re.M | re.S)
    if not section:
        sys.exit("cli_reference: `rubato --help` has no section Subcommands")
    return re.findall(r"^  ([a-z][a-z-]*)", section.group(1), re.M)


def page(build):
    manual = build / "manual/cli.md"
    if manual.exists():
        return manual.read_text(encoding="utf-8")
    rubato = str(build / "src/cli/rubato")
    overview = help_of(rubato)
    parts = [HEADING, f"## rubato\n\n```text\n{overview}\n```\n"]
    parts += [f"## rubato {name}\n\n```text\n{help_of(rubato, name)}\n```\n" for name in subcommands(overview)]
    return "\n".join(parts)


def main():
    build, path = pathlib.Path(sys.argv[1]), sys.argv[2]
    text = page(build)
    if "--check" not in sys.argv:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return
    with open(path, encoding="utf-8") as file:
        found = file.read()
    if found != text:
        sys.stdout.writelines(difflib.unified_diff(found.splitlines(True), text.splitlines(True), path, "the program"))
        sys.exit(f"{path} is not what the program says: run scripts/reference.sh")


if __name__ == "__main__":
    main()
