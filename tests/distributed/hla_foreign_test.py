#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A federate of another tool (foreign_federate.cpp) controls a mass over an RTI: what it sees, what it does, and what goes wrong.

hla_foreign_test.py RUBATO RTINODE CASES FOREIGN: FOREIGN is the program of that federate.
"""

import csv
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from hla_test import FAILURES, RUBATO, Rti, ended, expect, finish, master, slave, start

FOREIGN = sys.argv[4]
HERE = Path(__file__).resolve().parent
SCENARIO = HERE / "controlled.yaml"
STEP, STOP = 0.125, 5


def foreign(rti, folder, federation, mode, period):
    return start([FOREIGN, f"rti://127.0.0.1:{rti.port}", federation, folder / "fom.xml", mode, period, STOP])


def rows_of(path):
    """Time, position, speed, position of the follower: as text, the last row of each time."""
    with path.open(encoding="utf-8") as file:
        rows = list(csv.reader(file))[1:]
    return {row[0]: row[1:] for row in rows}


def sightings_of(process, name, seconds=300):
    """What the foreign federate has printed: time, time stamp, position, speed."""
    try:
        text, messages = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        text, messages = process.communicate()
        expect(False, f"{name}: the foreign federate does not end")
    expect(process.returncode == 0, f"{name}: the foreign federate: exit code {process.returncode}\n{messages}")
    return [tuple(float(number) for number in line.split()) for line in text.splitlines()]


def controlled(rti, folder, mode, period, foreign_first):
    """The rows of the run, and what the foreign federate has seen."""
    output = folder / f"{mode}.csv"
    if foreign_first:
        other = foreign(rti, folder, mode, mode, period)
        time.sleep(1) # it has created the federation, most likely
    first = master(rti, SCENARIO, mode, "follower", output)
    second = slave(rti, SCENARIO, mode, "plant")
    if not foreign_first:
        time.sleep(1)
        other = foreign(rti, folder, mode, mode, period)
    for name, process in ((f"{mode}: master", first), (f"{mode}: plant", second)):
        code, messages = finish(process, name)
        expect(code == 0, f"{name}: exit code {code}\n{messages}")
    seen = sightings_of(other, mode)
    return (rows_of(output) if output.exists() else {}), seen


def immediate_is_the_native_controller(rti, folder):
    """The foreign federate answers for the time that it has sampled at, as the native unit does: the same bits."""
    rows, seen = controlled(rti, folder, "immediate", 2 * STEP, foreign_first=True)
    subprocess.run([RUBATO, "run", HERE / "controlled_alone.yaml", "-o", folder / "alone.csv"], check=True, capture_output=True)
    alone = rows_of(folder / "alone.csv")
    expect(len(alone) == 41, f"immediate: {len(alone)} rows alone")
    expect(rows == alone, f"immediate: the results differ\n{rows}\n{alone}")
    expect(len(seen) == 21, f"immediate: {len(seen)} samples")
    for now, stamp, _, _ in seen:
        expect(stamp == now, f"immediate: at {now} s it has seen the position of {stamp} s")


def delayed_follows_the_recursion(rti, folder):
    """Its period is no multiple of the step: it sees the last communication point, and its force acts from the next one on."""
    period = 0.3
    rows, seen = controlled(rti, folder, "delayed", period, foreign_first=False)
    expect(len(seen) == 17 and len(rows) == 41, f"delayed: {len(seen)} samples, {len(rows)} rows")
    times, positions = [float(t) for t in rows], [float(row[0]) for row in rows.values()]
    speeds = [float(row[1]) for row in rows.values()]
    integral, forces = 0.0, []
    for n, (now, stamp, position, speed) in enumerate(seen):
        last = max(k for k, t in enumerate(times) if t <= now)
        expect(stamp == times[last], f"delayed: at {now} s it has seen {stamp} s instead of {times[last]} s")
        expect(position == positions[last], f"delayed: at {now} s it has seen {position} instead of {positions[last]}")
        expect(abs(speed - speeds[last]) <= 1e-6 * max(1, abs(speed)), f"delayed: at {now} s it has seen speed {speed} instead of {speeds[last]}")
        integral += 2 * period * (0.5 - position)
        forces.append(((n + 1) * period, 1.5 * (0.5 - position) + integral))
    x, v = 1.0, 0.0
    for k, now in enumerate(times):
        expect(abs(x - positions[k]) < 1e-12 and abs(v - speeds[k]) < 1e-12, f"delayed: at {now} s {positions[k]}, {speeds[k]} instead of {x}, {v}")
        force = max((f for f in forces if f[0] <= now), default=(0, 0.0))[1]
        x, v = x + STEP * v, v + STEP * (force - x - v)


def bytes_that_are_no_number(rti, folder):
    first = master(rti, SCENARIO, "bad", "follower", folder / "bad.csv")
    second = slave(rti, SCENARIO, "bad", "plant")
    other = foreign(rti, folder, "bad", "bad", 0.3)
    wanted = 'attribute force of object instance "controller": 3 bytes are no HLAfloat64BE'
    ended("bad bytes", first, wanted)
    ended("bad bytes: plant", second, wanted)
    sightings_of(other, "bad bytes")


def the_foreign_federate_leaves(rti, folder):
    first = master(rti, SCENARIO, "leaves", "follower,plant", folder / "leaves.csv")
    other = foreign(rti, folder, "leaves", "leaves", 0.3)
    code, messages = finish(first, "the foreign federate leaves")
    expect(code == 0, f"the foreign federate leaves: exit code {code}\n{messages}")
    gone = 'attribute force of object instance "controller" is gone: the input plant.Fc keeps its value'
    expect(gone in messages, f"the foreign federate leaves: no warning\n{messages}")
    expect(len(sightings_of(other, "leaves")) == 3, "the foreign federate leaves: samples")
    expect(len(rows_of(folder / "leaves.csv")) == 41, "the foreign federate leaves: rows")


def the_foreign_federate_does_not_come(rti, folder):
    first = master(rti, SCENARIO, "alone", "follower", folder / "nobody.csv", limit=5)
    second = slave(rti, SCENARIO, "alone", "plant", limit=5)
    wanted = 'no federate has registered the object instance "controller" within 5 s'
    ended("no foreign federate", first, wanted)
    ended("no foreign federate: plant", second, wanted)


def main():
    with tempfile.TemporaryDirectory() as scratch, Rti() as rti:
        folder = Path(scratch)
        subprocess.run([RUBATO, "fom", SCENARIO, "-o", folder / "fom.xml"], check=True)
        immediate_is_the_native_controller(rti, folder)
        delayed_follows_the_recursion(rti, folder)
        bytes_that_are_no_number(rti, folder)
        the_foreign_federate_leaves(rti, folder)
        the_foreign_federate_does_not_come(rti, folder)
    for failure in FAILURES:
        print(failure, file=sys.stderr)
    return 1 if FAILURES else 0


if __name__ == "__main__":
    sys.exit(main())
