# SPDX-License-Identifier: Apache-2.0
"""An environment for reinforcement learning with the interface of Gymnasium, and a search that uses saved runs.

An agent pushes a mass on a spring, msd1, by its input Fc, and is rewarded for bringing it to rest.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

import rubato

Observation = npt.NDArray[np.float64]


class MassEnvironment:
    """reset() and step() as Gymnasium has them; no package is needed."""

    def __init__(self, step: float = 0.1, stop: float = 10.0) -> None:
        self.system = rubato.System("mass")
        self.system.add(model="msd1", name="mass", start={"x1": 1.0})
        self._settings = rubato.options(step=step, stop=stop)
        self._run: rubato.Run | None = None

    @property
    def run(self) -> rubato.Run:
        """The episode under way."""
        if self._run is None:
            raise RuntimeError("call reset() first")
        return self._run

    def _observe(self) -> Observation:
        return np.array([self.run["mass.x1"], self.run["mass.v1"]], dtype=np.float64)

    def reset(self, seed: int | None = None) -> tuple[Observation, dict[str, float]]:
        """Begin an episode."""
        self.close()
        self._run = self.system.start(**self._settings)
        return self._observe(), {}

    def step(self, action: float) -> tuple[Observation, float, bool, bool, dict[str, float]]:
        """Apply a force for one step. Returns observation, reward, terminated, truncated, info."""
        self.run["mass.Fc"] = float(action)
        self.run.step()
        observation = self._observe()
        reward = -float(observation[0] ** 2 + 0.1 * observation[1] ** 2) - 1e-3 * action**2
        return observation, reward, False, self.run.has_ended, {"time": self.run.time}

    def close(self) -> None:
        """End the episode."""
        if self._run is not None:
            self._run.close()


def look_ahead(environment: MassEnvironment, actions: npt.NDArray[np.float64], steps: int) -> float:
    """Try each action for some steps, go back each time, and return the best one."""
    state = environment.run.save()
    rewards = []
    for action in actions:
        rewards.append(sum(environment.step(float(action))[1] for _ in range(steps) if not environment.run.has_ended))
        environment.run.restore(state)
    return float(actions[int(np.argmax(rewards))])


def play(searches: bool) -> float:
    """Return the reward of an episode, with a search or without any force."""
    environment = MassEnvironment()
    environment.reset()
    total, ended = 0.0, False
    actions = np.linspace(-3, 3, 7)
    while not ended:
        action = look_ahead(environment, actions, steps=5) if searches else 0.0
        _, reward, _, ended, _ = environment.step(action)
        total += reward
    environment.close()
    return total


if __name__ == "__main__":
    print(f"reward without force: {play(searches=False):.3f}, with a search: {play(searches=True):.3f}")
