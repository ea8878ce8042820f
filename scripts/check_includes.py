#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Finds headers that include each other in a circle, and prints each circle.

usage: scripts/check_includes.py [FOLDER]     default: the tree that this script is in

A circle between headers shows that two things are one, or that a part of one belongs to a third. Rooms cannot include each
other in a circle (cmake/Rooms.cmake); this looks at headers within them, private and public.
"""

import pathlib
import re
import sys

INCLUDE = re.compile(r'^\s*#\s*include\s+(?:"([^"]+)"|<(rubato/[^>]+)>)', re.M)


def room_of(header, root):
    """The folder that private headers are named from."""
    parts = header.relative_to(root).parts
    return root.joinpath(*parts[:2]) if parts[0] == "src" else header.parent


def included(header, root):
    for quoted, public in INCLUDE.findall(header.read_text()):
        places = [header.parent / quoted, room_of(header, root) / quoted] if quoted else [
            root / "include" / public, root / "src" / "private" / public]
        found = next((place.resolve() for place in places if place.is_file()), None)
        if found:
            yield found


def circles(graph):
    """The strongly connected components of more than one header, or of one that includes itself (Tarjan)."""
    index, low, stack, found = {}, {}, [], []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in graph.get(node, ()):
            if other not in index:
                visit(other)
            if other in stack:
                low[node] = min(low[node], low[other])
        if low[node] == index[node]:
            at = stack.index(node)
            component = stack[at:]
            del stack[at:]
            if len(component) > 1 or node in graph.get(node, ()):
                found.append(sorted(component))

    for node in sorted(graph):
        if node not in index:
            visit(node)
    return found


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent).resolve()
    headers = [path.resolve() for folder in ("include", "src") for path in (root / folder).rglob("*.hpp")]
    found = circles({header: set(included(header, root)) for header in headers})
    for component in found:
        print("these headers include each other in a circle: take what they share out of them\n  "
              + "\n  ".join(str(header.relative_to(root)) for header in component))
    sys.exit(1 if found else 0)


main()
