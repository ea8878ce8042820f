# SPDX-License-Identifier: Apache-2.0
"""Couple two FMUs: two masses joined by a spring and a damper (examples/coupled-msd)."""

from __future__ import annotations

import pathlib
import sys

import rubato


def build(fmus: pathlib.Path) -> rubato.System:
    """Return the system of the two masses."""
    system = rubato.System("two-masses")
    msd1 = system.add(fmus / "msd1.fmu", parameters={"c1": 5.0}, start={"x1": 1.0})
    msd2 = system.add(fmus / "msd2.fmu")
    system.connect(msd1["x1"], msd2["x1"])
    system.connect(msd1["v1"], msd2["v1"])
    system.connect(msd2["Fc"], msd1["Fc"], approximation="linear")
    return system


if __name__ == "__main__":
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "build/release/fmus/fmi2")
    result = build(folder).run(stop=10, step=0.1, algorithm="iterated-gauss-seidel")
    print(f"x1 ends at {result['msd1.x1'][-1]:.6f} m after {result.steps} steps")
    print(result.trust)
