#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks README.md, docs/ and examples/: links lead somewhere, and snippets work.

documentation_test.py SOURCE BUILD links      every relative link and anchor exists, docs/….md named in sources, names of code in the glossary
documentation_test.py SOURCE BUILD snippets   every block marked sh or yaml works

Blocks `sh` run in a copy of the tree, page by page, one after the other; every command must succeed. Of a line `make target` only
the target is looked for; what `make demo` shows after building does run. Blocks `yaml` are read by `rubato check`: whole scenarios as they are, sections and parts of units within a
scenario that is made around them. A comment in the line before a block says more:

<!-- test: skip REASON -->      the block is not tested
<!-- save: NAME -->             the block becomes this file for the commands that follow on the page
<!-- file: PATH -->             the block is this file of the repository, without its SPDX line
<!-- base: PATH -->             the sections of the block replace those of this scenario
<!-- output: COMMAND -->        the lines of the block are in the output of this command, which ran before on the page
"""
import pathlib
import re
import shlex
import sys

from workspace import workspace

FENCE = re.compile(r"^(?:<!-- (?P<mark>[a-z]+): (?P<what>.*?) -->\n)?```(?P<kind>\w*)\n(?P<text>.*?)^```$", re.M | re.S)
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
SOURCES = (".cpp", ".hpp", ".cmake", ".py", ".sh", ".yaml", ".txt")
# What `rubato check` may say about a part that stands alone: its names are not there.
EXPECTED = ("no unit", "no input", "no output", "no variable", "no model", "unknown model", "unknown unit", "is not there", "no parameter",
            "cannot be opened", "cannot be read", "no such file", "is not connected", "is no connection", "there is no FMU", "there is no table", "only declared", "none of the connections")


def pages(source):
    for pattern in ("README.md", "CONTRIBUTING.md", "docs/**/*.md", "examples/**/*.md", "studies/**/*.md", "models/**/*.md"):
        yield from sorted(source.glob(pattern))


def without_code(text):
    return re.sub(r"`[^`\n]*`", "", re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S))


def anchors(page):
    """As GitHub and MkDocs make them of headings."""
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    for heading in re.findall(r"^#+ (.*)$", text, re.M):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "")
        yield re.sub(r"[^\w\- ]", "", plain).strip().lower().replace(" ", "-")


def broken_links(source):
    for page in pages(source):
        for link in LINK.findall(without_code(page.read_text(encoding="utf-8"))):
            if "://" in link or link.startswith("mailto:"):
                continue
            path, _, anchor = link.partition("#")
            target = (page.parent / path).resolve() if path else page
            if not target.exists():
                yield f"{page.relative_to(source)}: {link} does not exist"
            elif anchor and anchor not in anchors(target):
                yield f"{page.relative_to(source)}: {link}: there is no such heading"


def broken_mentions(source):
    """Pages that sources and messages name."""
    for folder in ("src", "include", "tests", "cmake", "scripts", "examples", "studies", "bench", "models"):
        for file in sorted((source / folder).rglob("*")):
            if file.suffix not in SOURCES or not file.is_file():
                continue
            for name in re.findall(r"\bdocs/[\w/-]+\.md", file.read_text(encoding="utf-8", errors="replace")):
                if not (source / name).exists():
                    yield f"{file.relative_to(source)}: {name} does not exist"


def stale_glossary(source):
    """Names in the last column of docs/glossary.md that no header or source has."""
    code = "".join(file.read_text(encoding="utf-8") for folder in ("src", "include") for file in (source / folder).rglob("*.[ch]pp"))
    words = set(re.findall(r"\w+", code))
    for row in re.findall(r"^\|.*\|$", (source / "docs/glossary.md").read_text(encoding="utf-8"), re.M):
        for name in re.findall(r"`([\w:]+)`", row.rstrip("|").rsplit("|", 1)[1]):
            if not words.issuperset(name.split("::")):
                yield f"docs/glossary.md: the code has no {name}"


class Page:
    """The snippets of one page."""

    def __init__(self, source, path, space):
        self.source, self.path, self.space = source, path, space
        self.name = path.relative_to(source)
        self.outputs, self.faults, self.tested, self.skipped = {}, [], 0, []

    def fault(self, line, text):
        self.faults.append(f"{self.name}:{line}: {text}")

    def check(self):
        text = self.path.read_text(encoding="utf-8")
        for block in FENCE.finditer(text):
            line = text.count("\n", 0, block.start("text"))
            self.check_block(block, line)

    def check_block(self, block, line):
        mark, what, kind, text = block["mark"], block["what"], block["kind"], block["text"]
        if mark == "test":
            return self.skipped.append(f"{self.name}:{line}: {what}")
        if mark == "output":
            return self.check_output(what, text, line)
        if mark == "file":
            self.check_file(what, text, line)
        if kind == "sh":
            self.run(text, line)
        elif kind == "yaml":
            self.check_yaml(mark, what, text, line)
        elif kind in ("bash", "shell", "console", "yml"):
            self.fault(line, f"a block is marked {kind}: write sh or yaml, so that it is tested")
        return None

    def check_file(self, path, text, line):
        found = (self.source / path).read_text(encoding="utf-8")
        if re.sub(r"\A(//|#) SPDX.*\n", "", found) != text:
            self.fault(line, f"this is not {path}")

    def run(self, text, line):
        self.tested += 1
        for command in re.sub(r"\\\n\s*", "", text).splitlines():
            command = re.sub(r"\s+#.*", "", command).strip()
            if command.startswith("make "):
                target = command.split()[1]
                if not re.search(rf"^{re.escape(target)}:", (self.source / "Makefile").read_text(encoding="utf-8"), re.M):
                    self.fault(line, f"the Makefile has no target {target}")
                elif target == "demo":
                    self.run_program(f"sh {shlex.quote(str(self.source))}/scripts/demo.sh ./rubato", line, "make demo")
            elif command.startswith(("mpirun ", "./rubato place ")) and not self.space.has_mpi():
                self.skipped.append(f"{self.name}:{line}: this build has no MPI")
            elif command:
                self.run_program(command, line, command)

    def run_program(self, command, line, name):
        outcome = self.space.run("sh", "-ec", command)
        self.outputs[name] = outcome.stdout
        if outcome.returncode != 0:
            self.fault(line, f"{name}\nexit code {outcome.returncode}\n{outcome.stdout[-2000:]}{outcome.stderr[-2000:]}")

    def check_output(self, command, text, line):
        self.tested += 1
        if command not in self.outputs:
            return self.fault(line, f"no block before this one runs: {command}")
        for wanted in text.splitlines():
            if wanted.strip() and wanted not in self.outputs[command].splitlines():
                self.fault(line, f"the output of `{command}` has no line\n{wanted}\nbut is\n{self.outputs[command]}")
        return None

    def check_yaml(self, mark, what, text, line):
        self.tested += 1
        is_whole = text.startswith("rubato:") or "\nrubato:" in text
        if mark == "save":
            (self.space.root / what).write_text(text, encoding="utf-8")
            scenario = what
        elif mark == "file":
            if not what.startswith("examples/"):
                return                                  # another test runs it
            scenario = what
        else:
            scenario = "snippet.yaml"
            if mark == "base":
                text = merged((self.source / what).read_text(encoding="utf-8"), text)
                scenario = str(pathlib.Path(what).with_name("snippet.yaml"))
            elif not is_whole:
                text = completed(text)
            (self.space.root / scenario).write_text(text, encoding="utf-8")
        outcome = self.space.run("./rubato", "check", scenario)
        errors = outcome.stderr.splitlines()
        if outcome.returncode != 0 and (is_whole or mark == "base" or not only_expected(errors)):
            self.fault(line, f"rubato check:\n{text}\n{outcome.stderr}")


def only_expected(errors):
    """Whether all messages are about names that are not there: lines that begin with blanks are hints."""
    messages = [error for error in errors if error and not error.startswith(" ") and not re.match(r"rubato: \d+ problems in", error)]
    return bool(messages) and all(any(part in message for part in EXPECTED) for message in messages)


def merged(base, sections):
    """`base` with the top-level sections of the other text instead of its own."""
    for name in re.findall(r"^([\w-]+):", sections, re.M):
        base = re.sub(rf"^{re.escape(name)}:.*\n(?:[ \t#-].*\n|\n)*", "", base, flags=re.M)
    return base + sections


def completed(text):
    """A whole scenario around a part of one."""
    if not text.startswith(" "):
        return "rubato: 1\nunits: {a: {model: tank}}\n" + text if "\nunits:" not in "\n" + text else "rubato: 1\n" + text
    if text.startswith("    "):
        return "rubato: 1\nunits:\n  a:\n    model: tank\n" + text
    return "rubato: 1\nunits:\n" + text


def check_snippets(source, build):
    faults, tested, skipped = [], 0, []
    for path in pages(source):
        if not FENCE.search(path.read_text(encoding="utf-8")):
            continue
        with workspace(source, build) as space:
            page = Page(source, path, space)
            page.check()
        faults, tested, skipped = faults + page.faults, tested + page.tested, skipped + page.skipped
    print(f"{tested} blocks tested")
    print(*(f"skipped: {block}" for block in skipped), sep="\n")
    return faults


def main():
    source, build, what = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2], sys.argv[3]
    faults = check_snippets(source, build) if what == "snippets" else [*broken_links(source), *broken_mentions(source), *stale_glossary(source)]
    if faults:
        sys.exit("\n".join(faults) + f"\n{len(faults)} faults")


if __name__ == "__main__":
    main()
