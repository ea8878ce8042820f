#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks sources with clang-format, clang-tidy and scripts/check_includes.py.

usage: scripts/lint.py [--all] [FILE...]      default: every source of the tree

Without --all and without files, clang-tidy reads what is installed or run by users, not tests, and leaves out the checks
in SLOW_CHECKS: that is `make test`. With --all it makes every check of every source: `make test-all`.

clang-tidy spends most of its time on the headers that a source includes. So it reads the sources that the build
compiles together (cmake/Precompiled.cmake), and others with the same options, as one translation unit (without the
compiler's own warnings, which g++ gives). Sources whose names clash with those of others are checked alone. A source that
passed is not checked again until its text, a header or .clang-tidy changes (build/lint has a stamp for each).
"""

import collections
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
STAMPS = ROOT / "build" / "lint"
BUILD = STAMPS / "tree"  # configured, not built: for the options of each source
GROUP_SIZE = 12
# Two fifths of the time of all checks, and have found the least.
SLOW_CHECKS = [
    "bugprone-infinite-loop", "bugprone-sizeof-expression", "cppcoreguidelines-slicing", "misc-unused-using-decls",
    "performance-unnecessary-value-param", "readability-container-size-empty",
]


def run(command):
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def tracked(*patterns):
    listing = run(["git", "ls-files", "-co", "-z", "--exclude-standard", *patterns]).stdout
    return [name for name in listing.split("\0") if name and (ROOT / name).exists()]


def compile_options(command):
    """What clang needs of a g++ command: no launcher, no output, no precompiled header."""
    words = shlex.split(command)
    compiler = next(i for i, word in enumerate(words) if re.search(r"(^|/)(c\+\+|g\+\+|clang\+\+)[-0-9.]*$", word))
    with_value = {"-o", "-c", "-include", "-MT", "-MF"}
    options = []
    words = iter(words[compiler + 1 :])
    for word in words:
        if word in with_value:
            next(words)
        elif word not in {"-Winvalid-pch", "-MD"}:
            options.append(word)
    return tuple(options)


def is_ours(path):
    return path.suffix == ".cpp" and path.is_relative_to(ROOT) and not path.is_relative_to(ROOT / "build")


def compiled_groups():
    """The sources that the build compiles together, with their options."""
    configured = run(["cmake", "--preset", "release", "-B", str(BUILD), "-DBUILD_TESTING=ON", "-DRUBATO_UNITY=ON",
                      "-DRUBATO_PRECOMPILE=OFF"])
    if configured.returncode != 0:
        sys.exit(configured.stdout + configured.stderr)
    seen = set()
    alone = collections.defaultdict(list)
    for entry in json.loads((BUILD / "compile_commands.json").read_text()):
        path = pathlib.Path(entry["file"])
        paths = [path]
        if path.parent.name == "Unity":
            paths = [pathlib.Path(name) for name in re.findall(r'^#include "(.*)"$', path.read_text(), re.M)]
        sources = [str(path.relative_to(ROOT)) for path in paths if is_ours(path)]
        sources = [source for source in sources if source not in seen]
        seen.update(sources)
        if len(sources) > 1:
            yield Group(compile_options(entry["command"]), sources)
        elif sources:
            alone[compile_options(entry["command"])] += sources
    for options, sources in alone.items():
        for first in range(0, len(sources), GROUP_SIZE):
            yield Group(options, sources[first : first + GROUP_SIZE])


def stamp_of(source, common):
    return STAMPS / hashlib.sha256(common + source.encode() + (ROOT / source).read_bytes()).hexdigest()[:32]


def header_filter():
    """Our own headers, and the sources of a group; not the headers of tests. Anchored to this tree."""
    root = re.escape(str(ROOT))
    rooms = re.escape(str(BUILD / "rooms"))
    return rf"^({rooms}|{root}/src)/.*\.hpp$|^{root}/[^/]+/.*\.cpp$"


class Group:
    """Sources that are compiled with the same options, as one translation unit."""

    def __init__(self, options, sources, checks=""):
        self.options = options
        self.checks = checks  # changes of those in .clang-tidy
        self.sources = sources

    def write(self):
        text = "".join(f'#include "{ROOT / source}"\n' for source in self.sources)
        path = STAMPS / "groups" / (hashlib.sha256(text.encode()).hexdigest()[:16] + ".cpp")
        path.write_text(text)
        return path

    def clashing(self, output):
        """The sources that do not compile beside the others; where only headers do not, the last one."""
        named = set(re.findall(rf"^{re.escape(str(ROOT))}/(\S+?\.cpp):\d+:\d+: .*\[clang-diagnostic-error", output, re.M))
        return [source for source in self.sources if source in named] or self.sources[-1:]

    def check(self):
        """Gives, for parts of the group, their sources, whether they passed, and what clang-tidy says of them."""
        alone = len(self.sources) == 1
        main = str(ROOT / self.sources[0]) if alone else str(self.write())
        result = run(["clang-tidy", "--quiet", f"--config-file={ROOT / '.clang-tidy'}",
                      f"--header-filter={header_filter()}", f"--checks={self.checks}", main, "--", *self.options, "-w"])
        if alone or "[clang-diagnostic-error" not in result.stdout:
            return [(self.sources, result.returncode == 0, result.stdout)]
        clashing = self.clashing(result.stdout)
        rest = [source for source in self.sources if source not in clashing]
        parts = [Group(self.options, part, self.checks) for part in (rest, *([source] for source in clashing)) if part]
        return [verdict for part in parts for verdict in part.check()]


def show(text):
    print(text, end="" if sys.stdout.isatty() else "\n", flush=True)


def check_tidy(sources, common, checks):
    (STAMPS / "groups").mkdir(parents=True, exist_ok=True)
    wanted = {source for source in sources if not stamp_of(source, common).exists()}
    if not wanted:
        return True
    groups = [Group(group.options, [source for source in group.sources if source in wanted], checks)
              for group in compiled_groups()]
    groups = sorted((group for group in groups if group.sources), key=lambda group: -len(group.sources))
    total, done, failed = sum(len(group.sources) for group in groups), 0, False
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for finished in concurrent.futures.as_completed([pool.submit(group.check) for group in groups]):
            for checked, passed, output in finished.result():
                done += len(checked)
                if passed:
                    for source in checked:
                        stamp_of(source, common).touch()
                else:
                    failed = True
                    print(output)
            show(f"\rlint: {done} of {total} sources")
    if sys.stdout.isatty():
        print()
    return not failed


def main():
    arguments = sys.argv[1:]
    everything = "--all" in arguments
    files = [argument for argument in arguments if argument != "--all"]
    sources = files or tracked("*.cpp", "*.hpp")
    layout = run(["clang-format", "--dry-run", "--Werror", *sources])
    if layout.returncode != 0:
        sys.exit(layout.stderr + "lint: 'make format' formats the code")
    circles = run([sys.executable, "scripts/check_includes.py"])
    if circles.returncode != 0:
        sys.exit(circles.stdout + circles.stderr)
    checks = "" if files or everything else ",".join("-" + check for check in SLOW_CHECKS)
    read = [name for name in sources if name.endswith(".cpp") and (files or everything or not name.startswith("tests/"))]
    headers = sorted(tracked("*.hpp"))
    common = checks.encode() + b"".join((ROOT / name).read_bytes() for name in [".clang-tidy", *headers])
    if not check_tidy(read, common, checks):
        sys.exit(1)


main()
