#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/bench-federation.py BUILD: exchanges of values over an RTI next to bare ones, and iterations per second of the ball on stairs in six federates.
A build without an RTI, or without the server of OpenRTI, has no such benchmark."""

import re
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

BUILD = Path(sys.argv[1]).resolve()
RUBATO, BENCH = BUILD / "src/cli/rubato", BUILD / "src/cli/rubato_bench_federation"
STAIRS = Path(__file__).resolve().parent.parent / "tests/cases/stairs/five.yaml"


def server():
    """Of the RTI that the build has found; none: an empty text."""
    cache = BUILD / "CMakeCache.txt"
    found = re.search(r"^RTI_SERVER:FILEPATH=(.*)$", cache.read_text(encoding="utf-8"), re.M) if cache.exists() else None
    return found[1] if found and BENCH.exists() and Path(found[1]).exists() else ""


def start_server(program):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    process = subprocess.Popen([program, "-i", f"127.0.0.1:{port}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for _ in range(200):
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            break
        except OSError:
            time.sleep(0.05)
    return process, f"rti://127.0.0.1:{port}"


def stairs(address):
    """Iterations and steps of a run, and its seconds."""
    units = ["x", "y", "v_x", "v_y", "stairs"]
    common = ["--federation", "bench-stairs", "--rti", address]
    federates = [subprocess.Popen([RUBATO, "federate", STAIRS, *common, "--units", unit]) for unit in units]
    with tempfile.TemporaryDirectory() as folder:
        run = subprocess.run([RUBATO, "run", STAIRS, "--hla", *common, "--stop", "2", "-o", f"{folder}/stairs.csv"], check=True, capture_output=True, text=True)
    for federate in federates:
        federate.wait()
    return run.stdout


def main():
    program = server()
    if not program:
        print("federations: this build has no run-time infrastructure of HLA (docs/hla.md)")
        return 0
    process, address = start_server(program)
    try:
        subprocess.run([BENCH, address], check=True)
        summary = stairs(address)
        iterations = int(re.sub(r"\D", "", re.search(r"^\s*iterations\s+(\D*\d[\d\W]*?) with", summary, re.M)[1]))
        seconds = re.search(r"^\s*took\s+([\d.]+) (m?s)\b", summary, re.M)
        span = float(seconds[1]) * (1e-3 if seconds[2] == "ms" else 1)
        print(f"ball on stairs in six federates, up to t = 2 s           {iterations / span:8.0f} iterations per second")
    finally:
        process.kill()
        process.wait()
    return 0


if __name__ == "__main__":
    sys.exit(main())
