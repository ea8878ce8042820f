#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs scenarios in one process and as HLA federates over an RTI, and compares what they write, byte by byte. Then what goes wrong in a federation.

hla_test.py RUBATO RTINODE CASES WHAT FMUS: WHAT is "equal" or "faults". RTINODE is the server of OpenRTI, which is started at a free port of this
machine. FMUS is the folder of the FMUs that misbehave.
"""

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

RUBATO, RTINODE, CASES = sys.argv[1], sys.argv[2], Path(sys.argv[3])
FAILURES = []
# Scenario, the units of each federate (the master is the first and may have none), options of the master.
EQUAL = [
    ("coupled-msd/scenario", ["msd1", "msd2"], ["--algorithm", "jacobi"]),
    ("coupled-msd/scenario", ["", "msd1", "msd2"], ["--algorithm", "gauss-seidel"]),
    ("coupled-msd/scenario", ["msd2", "msd1"], ["--algorithm", "iterated-jacobi"]),
    ("coupled-msd/scenario", ["", "msd1", "msd2"], ["--algorithm", "iterated-gauss-seidel", "--set", "loops.method=iqn-ils"]),
    ("coupled-msd/scenario", ["", "msd1,msd2"], ["--algorithm", "waveform-gauss-seidel"]),
    ("coupled-msd/scenario", ["msd1", "msd2"], ["--step-control", "predictor", "--step-tolerance", "1e-3", "--stop", "0.5"]),
    ("coupled-bumpers/scenario", ["", "a", "spring", "b"], []), # synthesized: a loop in a negotiation
    ("bumper-between-masses/scenario", ["left", "bumper", "right"], []),
    ("stairs/five", ["", "x", "y", "v_x", "v_y", "stairs"], ["--stop", "2"]), # with seven events
]


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Rti:
    """A server of the RTI, while it exists."""

    def __enter__(self):
        for _ in range(10): # another program may take the port before the server does
            self.port = free_port()
            self.process = subprocess.Popen([RTINODE, "-i", f"127.0.0.1:{self.port}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            if self.answers():
                return self
            self.__exit__()
        raise RuntimeError("the server of the RTI does not start")

    def answers(self):
        for _ in range(1200):
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                return True
            except OSError:
                time.sleep(0.05)
            if self.process.poll() is not None:
                return False
        return False

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()

    def options(self, federation, units="", limit=60):
        return ["--federation", federation, "--rti", f"rti://127.0.0.1:{self.port}", "--time-limit", str(limit)] + (["--units", units] if units else [])


def expect(condition, text):
    if not condition:
        FAILURES.append(text)


def start(command):
    return subprocess.Popen([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def finish(process, name, seconds=300):
    """Exit code and messages."""
    begin = time.monotonic()
    try:
        _, messages = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        _, messages = process.communicate()
        FAILURES.append(f"{name}: it does not end\n{messages}")
        return None, messages
    print(f"  {name}: exit code {process.returncode} after {time.monotonic() - begin:.1f} s", flush=True)
    return process.returncode, messages


def master(rti, scenario, federation, units, output, *options, limit=60):
    return start([RUBATO, "run", scenario, "--hla", *rti.options(federation, units, limit), *options, "-o", output])


def slave(rti, scenario, federation, units, limit=60):
    return start([RUBATO, "federate", scenario, *rti.options(federation, units, limit)])


def compare(rti, number, case, units, options):
    scenario = CASES / f"{case}.yaml"
    name = f"{case} in {len(units)} federates {' '.join(options)}"
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        subprocess.run([RUBATO, "run", scenario, *options, "-o", folder / "alone.csv"], check=True, capture_output=True)
        federation = f"equal-{os.getpid()}-{number}"
        first = master(rti, scenario, federation, units[0], folder / "joint.csv", *options)
        others = [slave(rti, scenario, federation, each) for each in units[1:]]
        code, messages = finish(first, name, 900)
        expect(code == 0, f"{name}: exit code {code}\n{messages}")
        for each, process in zip(units[1:], others):
            code, messages = finish(process, f"{name}: {each}")
            expect(code == 0, f"{name}: federate {each}: exit code {code}\n{messages}")
        joint = folder / "joint.csv"
        equal = joint.exists() and joint.read_bytes() == (folder / "alone.csv").read_bytes()
        expect(equal, f"{name}: the results differ")
        print("equal" if equal else "not equal", name, flush=True)


def equal():
    with Rti() as rti:
        for number, (case, units, options) in enumerate(EQUAL):
            compare(rti, number, case, units, options)


# -- faults ------------------------------------------------------------------------------------------------------------

MASSES = CASES / "coupled-msd/scenario.yaml"
LONG = ["--stop", "1e4", "--algorithm", "jacobi", "-q"] # ends only by a fault


def ended(name, process, *wanted, seconds=120):
    """With one message, which has one of these texts."""
    code, messages = finish(process, name, seconds)
    expect(code not in (0, None), f"{name}: exit code {code}\n{messages}")
    expect(any(text in messages for text in wanted), f"{name}: \"{wanted}\" is not in\n{messages}")
    expect(messages.count("rubato: ") == 1, f"{name}: not one message\n{messages}")


def has_rows(path):
    for _ in range(2400):
        if path.exists() and path.stat().st_size > 1000:
            return True
        time.sleep(0.05)
    return False


def a_federate_is_killed(rti, folder):
    output = folder / "killed.csv"
    first = master(rti, MASSES, "killed", "msd1", output, *LONG)
    second = slave(rti, MASSES, "killed", "msd2")
    expect(has_rows(output), "a federate is killed: no rows")
    second.send_signal(signal.SIGKILL)
    ended("a federate is killed", first, 'federate "msd2" on ')
    second.communicate()
    expect(len(output.read_text(encoding="utf-8").splitlines()) > 10, "a federate is killed: no results")
    with_the_same_name(rti, folder)


def with_the_same_name(rti, folder):
    """The federation was destroyed: its name can be used again."""
    first = master(rti, MASSES, "killed", "msd1", folder / "again.csv", "--stop", "1")
    second = slave(rti, MASSES, "killed", "msd2")
    code, messages = finish(first, "again, with the name of the federation")
    expect(code == 0, f"the name of an ended federation: exit code {code}\n{messages}")
    expect(finish(second, "again: msd2")[0] == 0, "the name of an ended federation: msd2")


def the_master_is_killed(rti, folder):
    output = folder / "master.csv"
    first = master(rti, MASSES, "master-killed", "msd1", output, *LONG)
    second = slave(rti, MASSES, "master-killed", "msd2")
    expect(has_rows(output), "the master is killed: no rows")
    first.send_signal(signal.SIGKILL)
    ended("the master is killed", second, 'federate "master" on ')
    first.communicate()


def nobody_joins(rti, folder):
    first = master(rti, MASSES, "nobody", "", folder / "nobody.csv", limit=1)
    ended("nobody joins", first, "no federate has claimed units msd1, msd2 within 1 s")
    ended("no master", slave(rti, MASSES, "no-master", "msd1", limit=1), "the run has not begun within 1 s")
    expect(not (folder / "nobody.csv").exists(), "nobody joins: there are results")


def a_federate_comes_late_or_twice(rti, folder):
    output = folder / "late.csv"
    first = master(rti, MASSES, "late", "msd1", output, *LONG)
    second = slave(rti, MASSES, "late", "msd2")
    expect(has_rows(output), "late: no rows")
    ended("a federate joins twice", slave(rti, MASSES, "late", "msd2"), 'federation "late"')
    ended("a federate joins late", slave(rti, MASSES, "late", "msd1"), "the run has begun without this federate")
    first.send_signal(signal.SIGINT)
    code, messages = finish(first, "Ctrl-C")
    expect(code == 130, f"Ctrl-C: exit code {code}\n{messages}")
    expect(finish(second, "Ctrl-C: msd2")[0] in (0, 130), "Ctrl-C: msd2")


FMUS = Path(sys.argv[5]) if len(sys.argv) > 5 else None


def another_scenario(rti, folder):
    other = folder / "scenario.yaml"
    other.write_text(MASSES.read_text(encoding="utf-8") + "\n# changed\n", encoding="utf-8")
    first = master(rti, MASSES, "other", "msd1", folder / "other.csv")
    second = slave(rti, other, "other", "msd2")
    ended("another scenario", first, "differ: scenario scenario.yaml is not the same")
    ended("another scenario: msd2", second, "differ: scenario scenario.yaml is not the same")


BAD = """rubato: 1
name: bad
units:
  good: {{model: oscillator}}
  bad: {{fmu: {fmu}}}
connections: []
experiment: {{stop: 1.2, step: 0.3}}
"""


def an_fmu_crashes(rti, folder, behaviour, message):
    """In the federate that has it. The rows before are kept."""
    scenario = folder / f"{behaviour}.yaml"
    scenario.write_text(BAD.format(fmu=FMUS / f"{behaviour}.fmu"), encoding="utf-8")
    output = folder / f"{behaviour}.csv"
    first = master(rti, scenario, behaviour, "good", output)
    second = slave(rti, scenario, behaviour, "bad")
    ended(f"an FMU {behaviour}", first, message)
    ended(f"an FMU {behaviour}: its federate", second, message)
    rows = output.read_text(encoding="utf-8").splitlines() if output.exists() else ["none"]
    expect(rows[-1].startswith("0.3,"), f"an FMU {behaviour}: the results do not end at 0.3 s: {rows}")


def another_fmu(rti, folder):
    """Both scenarios are the same; the FMUs that they name are not."""
    scenarios = []
    for which, behaviour in (("one", "behaves"), ("two", "fails-in-step")):
        (folder / which).mkdir()
        shutil.copy(FMUS / f"{behaviour}.fmu", folder / which / "unit.fmu")
        scenarios.append(folder / which / "bad.yaml")
        scenarios[-1].write_text(BAD.format(fmu="unit.fmu"), encoding="utf-8")
    first = master(rti, scenarios[0], "fmu", "good", folder / "fmu.csv")
    second = slave(rti, scenarios[1], "fmu", "bad")
    ended("another FMU", first, "unit.fmu is not the same")
    ended("another FMU: bad", second, "unit.fmu is not the same")


def a_unit_is_claimed_twice(rti, folder):
    """The one that comes second is refused; the run continues with the others."""
    first = master(rti, MASSES, "claims", "msd1", folder / "claims.csv", "--stop", "1")
    wanted = 'unit "msd1" is claimed by federate "master" on '
    ended("a unit is claimed twice", slave(rti, MASSES, "claims", "msd1,msd2"), wanted)
    second = slave(rti, MASSES, "claims", "msd2")
    code, messages = finish(first, "a unit is claimed twice: master")
    expect(code == 0 and "warning:" in messages and wanted in messages, f"a unit is claimed twice: exit code {code}\n{messages}")
    expect(finish(second, "a unit is claimed twice: msd2")[0] == 0, "a unit is claimed twice: msd2")


def the_rti_ends(folder):
    with Rti() as rti:
        output = folder / "rti.csv"
        first = master(rti, MASSES, "rti", "msd1", output, *LONG)
        second = slave(rti, MASSES, "rti", "msd2")
        expect(has_rows(output), "the RTI ends: no rows")
        rti.process.kill()
        ended("the RTI ends", first, "RTI", "does not answer any more")
        ended("the RTI ends: msd2", second, "RTI", "does not answer any more")
        expect(len(output.read_text(encoding="utf-8").splitlines()) > 10, "the RTI ends: no results")
    ended("there is no RTI", master(rti, MASSES, "none", "msd1", output), 'federation "none"')


def faults():
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        with Rti() as rti:
            nobody_joins(rti, folder)
            another_scenario(rti, folder)
            another_fmu(rti, folder)
            a_unit_is_claimed_twice(rti, folder)
            an_fmu_crashes(rti, folder, "crashes", 'unit "bad" crashed in step at t = 0.3 s: SIGSEGV')
            an_fmu_crashes(rti, folder, "fails-in-step", 'unit "bad" failed in ')
            a_federate_comes_late_or_twice(rti, folder)
            a_federate_is_killed(rti, folder)
            the_master_is_killed(rti, folder)
        the_rti_ends(folder)


def main():
    {"equal": equal, "faults": faults}[sys.argv[4]]()
    for failure in FAILURES:
        print(failure, file=sys.stderr)
    return 1 if FAILURES else 0


if __name__ == "__main__":
    sys.exit(main())
