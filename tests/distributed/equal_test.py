#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs scenarios in one process and in several, and compares what they write, byte by byte.

equal_test.py RUBATO MPIRUN CASES [NAME…]: all scenarios of the folder CASES, or those whose names contain one of NAME.
Each runs on one number of ranks: 2, 3 and 5 take turns. With RUBATO_ALL_RANKS=1, each runs on all of them (make test-all).
JointRun.* compares all scenarios on 2, 3 and 5 processes, too, with threads in place of MPI.
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

RANKS = (2, 3, 5)
# Besides what the scenarios say: name of a case, options.
VARIANTS = [
    ("coupled-msd/scenario", ["--algorithm", "jacobi"]),
    ("coupled-msd/scenario", ["--algorithm", "gauss-seidel"]),
    ("coupled-msd/scenario", ["--algorithm", "iterated-jacobi", "-q"]),
    ("coupled-msd/scenario", ["--algorithm", "iterated-gauss-seidel", "--set", "loops.method=iqn-ils"]),
    ("coupled-msd/scenario", ["--algorithm", "iterated-jacobi", "--set", "loops.method=newton"]),
    ("coupled-msd/scenario", ["--algorithm", "jacobi", "-q", "--record-every", "3"]),
    ("coupled-msd/scenario", ["--step-control", "predictor", "--step-tolerance", "1e-3"]),
    ("coupled-msd/scenario", ["--step-control", "richardson", "--step-tolerance", "1e-3"]),
    ("coupled-msd/scenario", ["--reference", "H/2"]),
    ("coupled-msd/scenario", ["--algorithm", "waveform-gauss-seidel"]),
    ("coupled-msd/scenario", ["--algorithm", "adaptive-gauss-seidel"]),
    ("coupled-msd/scenario", ["--trust", "--set", "placement={msd1: 1}"]),
    ("collision/scenario", ["-q"]),
]
ENVIRONMENT = os.environ | {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
}


def run(command):
    done = subprocess.run(command, capture_output=True, text=True, env=ENVIRONMENT, timeout=120, check=False)
    return done.returncode, done.stdout, done.stderr


def without_times(text):
    """A summary without what depends on the clock and on the number of processes."""
    plain = re.sub(r"\x1b\[[0-9;]*[mK]", "", text) # mpirun has a terminal for its processes
    return [line for line in plain.splitlines() if not re.search(r"^  took|^  results in|rank \d+ on ", line)]


def written(folder):
    files = {}
    for path in sorted(folder.rglob("*")):
        if path.suffix == ".csv":
            files[path.name] = path.read_bytes()
    return files


def outcome(command, folder):
    code, out, err = run([*command, "-o", str(folder / "results.csv")])
    return code, written(folder), without_times(out), err


def ranks_for(summary, turn):
    """Numbers of ranks to compare, of which none is larger than the number of units."""
    units = next((line.count(",") + 1 for line in summary if line.startswith("  units ")), min(RANKS))
    possible = [ranks for ranks in RANKS if ranks <= units]
    if os.environ.get("RUBATO_ALL_RANKS") or not possible:
        return possible
    return [possible[turn % len(possible)]]


def compare(rubato, mpirun, scenario, options, scratch, turn):
    """Problems, and how many runs were compared."""
    serial = scratch / "serial"
    serial.mkdir()
    command = [rubato, "run", str(scenario), *options]
    expected = outcome(command, serial)
    problems, compared = [], 0
    for ranks in ranks_for(expected[2], turn):
        folder = scratch / str(ranks)
        folder.mkdir()
        got = outcome([mpirun, "-n", str(ranks), *command], folder)
        compared += 1
        what = f"{scenario.parent.name}/{scenario.stem} {' '.join(options)} on {ranks} ranks"
        if expected[0] != got[0]:
            problems.append(f"{what}: exit code {got[0]} instead of {expected[0]}\n{got[3]}")
        elif expected[0] != 0 and expected[3].splitlines()[-1:] not in ([line] for line in got[3].splitlines()):
            problems.append(f"{what}: message\n{got[3]}instead of\n{expected[3]}")
        for name in sorted(expected[1].keys() | got[1].keys()):
            if expected[1].get(name) != got[1].get(name):
                problems.append(f"{what}: {name} differs")
        if expected[2] != got[2]:
            problems.append(f"{what}: summary\n" + "\n".join(got[2]) + "\ninstead of\n" + "\n".join(expected[2]))
    return problems, compared


def main():
    rubato, mpirun, cases = sys.argv[1:4]
    wanted = sys.argv[4:]
    runs = [(path, []) for path in sorted(Path(cases).rglob("*.yaml"))]
    # Verdicts leave out what is within composites (docs/how-to/distribute.md, Limits).
    runs += [(path, ["-q"]) for path in sorted(Path(__file__).resolve().parent.glob("*.yaml"))]
    runs += [(Path(cases) / f"{name}.yaml", options) for name, options in VARIANTS]
    failures, compared = [], 0
    for turn, (scenario, options) in enumerate(runs):
        if wanted and not any(name in str(scenario) for name in wanted):
            continue
        with tempfile.TemporaryDirectory() as scratch:
            problems, count = compare(rubato, mpirun, scenario, options, Path(scratch), turn)
        compared += count
        failures += problems
        print("not equal" if problems else "equal", count, f"{scenario.parent.name}/{scenario.name}", *options, flush=True)
    for problem in failures:
        print(problem, file=sys.stderr)
    if compared == 0:
        print("nothing was compared", file=sys.stderr)
    return 1 if failures or compared == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
