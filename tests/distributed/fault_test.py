#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What goes wrong in one process of a distributed run: all of them end soon, one message names the rank and the unit, results are kept,
and nothing is left in temporary folders and in shared memory.

fault_test.py RUBATO MPIRUN FMUS: FMUS is the folder of the FMUs that misbehave.
"""

import os
import platform
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
  {first}
  {second}
connections: []
experiment: {{stop: {stop}, step: {step}}}
"""
RUBATO, MPIRUN, FMUS = (Path(argument).resolve() for argument in sys.argv[1:4])
FAILURES = []


class Run:
    """A folder with a scenario of a unit that behaves and one that does not, and what happens there."""

    def __init__(self, name, behaviour="behaves", more="", stop=1.2, step=0.3, is_first=False):
        self.name = name
        self.scratch = tempfile.TemporaryDirectory()
        self.folder = Path(self.scratch.name)
        (self.folder / "temporary").mkdir()
        units = ["a: {model: oscillator}", f"bad: {{fmu: {FMUS / behaviour}.fmu{more}}}"]
        if is_first:
            units.reverse()
        text = SCENARIO.format(first=units[0], second=units[1], stop=stop, step=step)
        (self.folder / "faults.yaml").write_text(text, encoding="utf-8")
        self.shared = shared_memory()
        self.messages = ""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.scratch.cleanup()

    def expect(self, condition, text):
        if not condition:
            FAILURES.append(f"{self.name}: {text}\n{self.messages}")

    def start(self, *options, ranks=2):
        command = [MPIRUN, "-n", str(ranks), RUBATO, "run", "faults.yaml", *options]
        self.process = subprocess.Popen(command, cwd=self.folder, env=ENVIRONMENT | {"TMPDIR": str(self.folder / "temporary")}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        return self.process

    def finish(self, seconds=30):
        """Waits for the end, and expects an exit code."""
        begin = time.monotonic()
        try:
            _, self.messages = self.process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            self.process.terminate()
            FAILURES.append(f"{self.name}: it does not end")
            return
        print(f"{self.name}: ended after {time.monotonic() - begin:.1f} s", flush=True)
        self.expect(self.process.returncode != 0, "exit code 0")

    def expect_message(self, *texts):
        for text in texts:
            self.expect(text in self.messages, f'"{text}" is not in')
        self.expect(self.messages.count("rubato: ") == 1, "not one message")

    def expect_nothing_left(self):
        self.expect(not list((self.folder / "temporary").glob("rubato-*")), "temporary folders are left")
        self.expect(shared_memory() <= self.shared, "shared memory is left")

    def rows(self):
        """Of the results, without the heading."""
        results = self.folder / "results/faults.csv"
        return results.read_text(encoding="utf-8").splitlines()[1:] if results.exists() else []

    def await_rows(self):
        results = self.folder / "results/faults.csv"
        for _ in range(3000):
            if results.exists() and results.stat().st_size > 1000:
                return
            time.sleep(0.01)
        self.expect(False, "nothing is recorded")

    def process_of(self, rank):
        """Of the processes that mpirun has started."""
        for path in Path("/proc").glob("[0-9]*/environ"):
            try:
                variables = path.read_bytes().split(b"\0")
            except OSError:
                continue
            if f"TMPDIR={self.folder}/temporary".encode() in variables and f"OMPI_COMM_WORLD_RANK={rank}".encode() in variables:
                return int(path.parent.name)
        return None


def shared_memory():
    """Of Rubato: names in /dev/shm."""
    return {path.name for path in Path("/dev/shm").glob("*rubato*")}


def unit_fails(name, behaviour, *texts, last=None, **settings):
    """The last recorded time is `last`."""
    with Run(name, behaviour, **settings) as run:
        run.start()
        run.finish()
        run.expect_message(*texts)
        run.expect_nothing_left()
        if last is not None:
            rows = run.rows()
            run.expect(rows and rows[-1].startswith(f"{last},"), f"the results do not end at {last}: {rows}")


def heap_is_spoiled(name):
    """The process cannot inform the others any more. It reports the crash itself, unless they find that it does not answer and end it before."""
    with Run(name, "corrupts-its-heap") as run:
        run.start()
        run.finish()
        run.expect(': unit "bad" crashed in ' in run.messages or 'unit "bad" was there' in run.messages, "no message")


def interrupted(name, number):
    with Run(name, stop=1e6, step=0.001) as run:
        run.start("-q")
        run.await_rows()
        run.process.send_signal(number)
        run.finish()
        rows = run.rows()
        run.expect(len(rows) > 10 and rows[-1].count(",") == rows[0].count(","), "no results")
        run.expect_nothing_left()


def killed(name, rank):
    """Nobody can tell what the process was doing: the others name it and its units."""
    with Run(name, stop=1e6, step=0.001) as run:
        run.start("-q")
        run.await_rows()
        os.kill(run.process_of(rank), signal.SIGKILL)
        run.finish()
        run.expect_message(f"rank {rank} on ", "does not answer any more at t = ", "unit ")
        rows = run.rows()
        run.expect(len(rows) > 10 and rows[-1].count(",") == rows[0].count(","), "no results")


def disk_is_full(name):
    with Run(name, stop=100, step=0.001) as run:
        run.start("-o", "/dev/full")
        run.finish()
        run.expect_message("/dev/full", "No space left")
        run.expect_nothing_left()


def main():
    crash = f'{platform.node()}: unit "bad" crashed in step at t = 0.3 s: SIGSEGV'
    unit_fails("an FMU crashes", "crashes", crash, last="0.3")
    unit_fails("an FMU crashes on the other rank", "crashes", crash, last="0.3", is_first=True)
    unit_fails("an FMU ends the process", "exits", 'rank ', ': unit "bad" ended the program in step at t = 0.3 s', last="0.3")
    unit_fails("an FMU aborts", "aborts", ': unit "bad" crashed in step at t = 0.3 s: SIGABRT', last="0.3")
    unit_fails("an FMU overflows its stack", "overflows-its-stack", crash, last="0.3")
    unit_fails("a thread of an FMU crashes", "crashes-in-a-thread", ": a thread that an FMU has started crashed: SIGSEGV", last="0.3")
    unit_fails("an FMU fails", "fails-in-step", "rank ", ': unit "bad" failed in ')
    unit_fails("an isolated FMU hangs", "hangs", "rank ", 'unit "bad"', "time limit", more=", isolate: {time-limit: 0.5}")
    unit_fails("an FMU is not there, on all ranks", "is-not-there", 'unit "bad": there is no FMU')
    heap_is_spoiled("an FMU corrupts its heap")
    interrupted("SIGTERM", signal.SIGTERM)
    interrupted("Ctrl-C", signal.SIGINT)
    killed("SIGKILL", 1)
    killed("SIGKILL of the first rank", 0)
    disk_is_full("the disk is full")
    for failure in FAILURES:
        print(failure, file=sys.stderr)
    return 1 if FAILURES else 0


if __name__ == "__main__":
    sys.exit(main())
