#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What goes wrong in one process of a distributed run: all of them end soon, the message names the unit, results are kept.

fault_test.py RUBATO MPIRUN FMUS: FMUS is the folder of the FMUs that misbehave.
"""

import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ENVIRONMENT = os.environ | {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
}
SCENARIO = """rubato: 1
name: faults
units:
  a: {{model: oscillator}}
  bad: {{fmu: {fmu}{more}}}
connections: []
experiment: {{stop: {stop}, step: {step}}}
"""
RUBATO, MPIRUN, FMUS = (Path(argument).resolve() for argument in sys.argv[1:4])
FAILURES = []


def expect(condition, text):
    if not condition:
        FAILURES.append(text)


def start(folder, *options, ranks=2):
    command = [MPIRUN, "-n", str(ranks), RUBATO, "run", "faults.yaml", *options]
    return subprocess.Popen(command, cwd=folder, env=ENVIRONMENT | {"TMPDIR": str(folder / "temporary")}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def finish(process, name, seconds=30):
    """Exit code and messages."""
    begin = time.monotonic()
    try:
        _, messages = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        FAILURES.append(f"{name}: it does not end")
        return None, ""
    print(f"{name}: ended after {time.monotonic() - begin:.1f} s", flush=True)
    return process.returncode, messages


def write(folder, behaviour, more="", stop=1.2, step=0.3):
    fmu = FMUS / f"{behaviour}.fmu"
    (folder / "faults.yaml").write_text(SCENARIO.format(fmu=fmu, more=more, stop=stop, step=step), encoding="utf-8")


def fails_with(name, behaviour, wanted, rows=True, crashes=False, **settings):
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        (folder / "temporary").mkdir()
        write(folder, behaviour, **settings)
        code, messages = finish(start(folder), name)
        for text in wanted:
            expect(text in messages, f"{name}: \"{text}\" is not in\n{messages}")
        expect(code not in (0, None), f"{name}: exit code {code}")
        results = folder / "results/faults.csv"
        expect(not rows or (results.exists() and results.read_text(encoding="utf-8").startswith("time,")), f"{name}: no results")
        expect(messages.count("rubato: ") == 1, f"{name}: more than one message\n{messages}")
        left = [path.name for path in (folder / "temporary").glob("rubato-*")]
        expect(not left or crashes, f"{name}: left behind {left}")


def interrupted(name, number):
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        (folder / "temporary").mkdir()
        write(folder, "behaves", stop=1e6, step=0.001)
        process = start(folder, "-q")
        results = folder / "results/faults.csv"
        for _ in range(3000):
            if results.exists() and results.stat().st_size > 1000:
                break
            time.sleep(0.01)
        process.send_signal(number)
        code, messages = finish(process, name)
        expect(code not in (0, None), f"{name}: exit code {code}\n{messages}")
        lines = results.read_text(encoding="utf-8").splitlines() if results.exists() else []
        expect(len(lines) > 10 and lines[-1].count(",") == lines[0].count(","), f"{name}: no results")


def main():
    fails_with("an FMU crashes", "crashes", ["rank ", 'unit "bad" crashed in step at t = 0.3 s'], crashes=True)
    fails_with("an FMU fails", "fails-in-step", ["rank ", 'unit "bad" failed in '])
    fails_with("an isolated FMU hangs", "hangs", ["rank ", 'unit "bad"', "time limit"], more=", isolate: {time-limit: 0.5}")
    fails_with("an FMU is not there", "is-not-there", ["is-not-there.fmu"], rows=False)
    interrupted("SIGTERM", signal.SIGTERM)
    interrupted("Ctrl-C", signal.SIGINT)
    for failure in FAILURES:
        print(failure, file=sys.stderr)
    return 1 if FAILURES else 0


if __name__ == "__main__":
    sys.exit(main())
