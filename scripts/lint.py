#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks sources with clang-format and clang-tidy.

usage: scripts/lint.py [FILE...]      default: every source of the tree

clang-tidy spends most of its time on the headers that a source includes. So sources that are compiled with
the same options are checked together, as one translation unit that includes them (without the compiler's own
warnings, which g++ gives). Sources whose names clash with those of others are checked alone. A source that passed is not checked again until its text, a header or
.clang-tidy changes (build/lint has a stamp for each).
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


def options_of_sources():
    configured = run(["cmake", "--preset", "release", "-B", str(BUILD), "-DRUBATO_UNITY=OFF", "-DRUBATO_PRECOMPILE=OFF"])
    if configured.returncode != 0:
        sys.exit(configured.stdout + configured.stderr)
    options = {}
    for entry in json.loads((BUILD / "compile_commands.json").read_text()):
        path = pathlib.Path(entry["file"])
        if path.suffix == ".cpp" and path.is_relative_to(ROOT) and not path.is_relative_to(ROOT / "build"):
            options.setdefault(str(path.relative_to(ROOT)), compile_options(entry["command"]))
    return options


def stamp_of(source, common):
    return STAMPS / hashlib.sha256(common + source.encode() + (ROOT / source).read_bytes()).hexdigest()[:32]


def header_filter():
    """Our own headers, and the sources of a group; not the headers of tests. Anchored to this tree."""
    root = re.escape(str(ROOT))
    rooms = re.escape(str(BUILD / "rooms"))
    return rf"^({rooms}|{root}/src)/.*\.hpp$|^{root}/[^/]+/.*\.cpp$"


class Group:
    """Sources that are compiled with the same options, as one translation unit."""

    def __init__(self, options, sources):
        self.options = options
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
                      f"--header-filter={header_filter()}", main, "--", *self.options, "-w"])
        if alone or "[clang-diagnostic-error" not in result.stdout:
            return [(self.sources, result.returncode == 0, result.stdout)]
        clashing = self.clashing(result.stdout)
        rest = [source for source in self.sources if source not in clashing]
        parts = [Group(self.options, part) for part in (rest, *([source] for source in clashing)) if part]
        return [verdict for part in parts for verdict in part.check()]


def groups_of(sources, options):
    by_options = collections.defaultdict(list)
    for source in sources:
        by_options[options[source]].append(source)
    for shared, members in by_options.items():
        for first in range(0, len(members), GROUP_SIZE):
            yield Group(shared, members[first : first + GROUP_SIZE])


def show(text):
    print(text, end="" if sys.stdout.isatty() else "\n", flush=True)


def check_tidy(sources, options, common):
    (STAMPS / "groups").mkdir(parents=True, exist_ok=True)
    pending = [source for source in sources if source in options and not stamp_of(source, common).exists()]
    done, failed = 0, False
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for verdicts in pool.map(Group.check, groups_of(pending, options)):
            for checked, passed, output in verdicts:
                done += len(checked)
                if passed:
                    for source in checked:
                        stamp_of(source, common).touch()
                else:
                    failed = True
                    print(output)
            show(f"\rlint: {done} of {len(pending)} sources")
    if pending and sys.stdout.isatty():
        print()
    return not failed


def main():
    sources = sys.argv[1:] or tracked("*.cpp", "*.hpp")
    layout = run(["clang-format", "--dry-run", "--Werror", *sources])
    if layout.returncode != 0:
        sys.exit(layout.stderr + "lint: 'make format' formats the code")
    headers = sorted(tracked("*.hpp"))
    common = b"".join((ROOT / name).read_bytes() for name in [".clang-tidy", *headers])
    if not check_tidy([name for name in sources if name.endswith(".cpp")], options_of_sources(), common):
        sys.exit(1)


main()
