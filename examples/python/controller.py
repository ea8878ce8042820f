# SPDX-License-Identifier: Apache-2.0
"""A controller in Python holds the position of a mass, beside the same loop written out step by step."""

from __future__ import annotations

import rubato


class Controller(rubato.PythonUnit):
    """Proportional-derivative control of a position, sampled at communication points."""

    x: rubato.Input[float]
    v: rubato.Input[float]
    force: rubato.Output[float]
    setpoint: rubato.Parameter[float] = 0.5
    gain: rubato.Parameter[float] = 20.0
    damping: rubato.Parameter[float] = 4.0

    def initialize(self, time: float) -> None:
        """Give the force of the start."""
        self.step(time, 0.0)

    def step(self, time: float, step: float) -> None:
        """Compute the force from what was measured."""
        self.force = self.gain * (self.setpoint - self.x) - self.damping * self.v


def build() -> rubato.System:
    """Return the mass with its controller."""
    system = rubato.System("controlled-mass")
    mass = system.add(model="msd1", name="mass", parameters={"c1": 0.0, "d1": 0.0})
    controller = system.add(Controller, name="controller")
    system.connect(mass["x1"], controller["x"])
    system.connect(mass["v1"], controller["v"])
    system.connect(controller["force"], mass["Fc"])
    return system


if __name__ == "__main__":
    result = build().run(stop=10.0, step=0.01)
    print(f"the mass is at {result['mass.x1'][-1]:.4f} m, the controller asked for 0.5 m")
    print(result.trust)
