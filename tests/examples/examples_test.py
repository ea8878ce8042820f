#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs an example as its README says and compares the results with mathematics: examples_test.py SOURCE BUILD EXAMPLE."""
import csv
import pathlib
import subprocess
import sys
from math import cos, exp, log, pi, sin, sqrt

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "documentation"))
from workspace import workspace  # noqa: E402  (the path is set above)


class Results:
    """A CSV file of results, by column."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            rows = list(csv.reader(file))
        self.columns = {name: [float(row[i]) for row in rows[1:]] for i, name in enumerate(rows[0])}
        self.time = self.columns["time"]

    def __getitem__(self, name):
        return self.columns[name]

    def largest_error(self, name, exact):
        return max(abs(value - exact(t)) for t, value in zip(self.time, self[name]))


def near(what, value, expected, tolerance):
    if abs(value - expected) > tolerance:
        raise AssertionError(f"{what} is {value!r}, but should be {expected!r} within {tolerance!r}")
    print(f"{what}: {value:.10g}, expected {expected:.10g} within {tolerance:g}")


def below(what, value, limit):
    if not value <= limit:
        raise AssertionError(f"{what} is {value!r}, more than {limit!r}")
    print(f"{what}: {value:.4g}, at most {limit:g}")


def above(what, value, limit):
    if not value >= limit:
        raise AssertionError(f"{what} is {value!r}, less than {limit!r}")
    print(f"{what}: {value:.4g}, at least {limit:g}")


def run(space, example, *options):
    outcome = space.run("./rubato", "run", f"examples/{example}/scenario.yaml", "-o", "results.csv", "--force", *options)
    if outcome.returncode != 0:
        raise AssertionError(f"rubato run failed with exit code {outcome.returncode}:\n{outcome.stdout}{outcome.stderr}")
    return Results(space.root / "results.csv")


def integrate(derivatives, state, step, times):
    """The classical Runge-Kutta method; the states at `times`, which are whole numbers of steps."""
    def moved(x, k, h):
        return [a + h * b for a, b in zip(x, k)]
    states, now = {}, 0
    for target in sorted({round(t / step) for t in times}):
        while now < target:
            t = now * step
            k1 = derivatives(t, state)
            k2 = derivatives(t + step / 2, moved(state, k1, step / 2))
            k3 = derivatives(t + step / 2, moved(state, k2, step / 2))
            k4 = derivatives(t + step, moved(state, k3, step))
            state = [x + step / 6 * (a + 2 * b + 2 * c + d) for x, a, b, c, d in zip(state, k1, k2, k3, k4)]
            now += 1
        states[target] = state
    return lambda t: states[round(t / step)]


def coupled_msd(space):
    def motion(_, x):
        force = 1.0 * (x[2] - x[0]) + 1.0 * (x[3] - x[1])
        return [x[1], -5 * x[0] - x[1] + force, x[3], -0.1 * x[2] - force]
    times = [n * 0.05 for n in range(201)]
    exact = integrate(motion, [1, 0, 0, 0], 0.0025, times)
    errors = [run(space, "coupled-msd", "--step", str(h)).largest_error("msd1.x1", lambda t: exact(t)[0]) for h in (0.1, 0.05)]
    below("largest error of x1 with H = 0.1 s", errors[0], 5e-3)
    near("order of convergence", log(errors[0] / errors[1]) / log(2), 2, 0.2)


def quarter_car(space):
    def motion(t, x):
        on_bump = 0.5 < t < 0.7
        road = 0.025 * (1 - cos(2 * pi * (t - 0.5) / 0.2)) if on_bump else 0
        force = 16e3 * (x[2] - x[0]) + 1.2e3 * (x[3] - x[1])
        return [x[1], (160e3 * (road - x[0]) + force) / 30, x[3], -force / 300]
    results = run(space, "quarter-car", "--record-interval", "0.02")
    exact = integrate(motion, [0, 0, 0, 0], 5e-4, [n * 0.02 for n in range(151)])
    below("largest error of the wheel [m]", results.largest_error("wheel.x1", lambda t: exact(t)[0]), 1e-5)
    below("largest error of the body [m]", results.largest_error("body.x2", lambda t: exact(t)[2]), 1e-5)
    below("distance of the body from its height of rest after 3 s [m]", abs(results["body.x2"][-1]), 1e-3)


def sampled_control(space):
    results = run(space, "sampled-control")
    leak, period, kp, ki, reference = 0.1, 2.0, 0.15, 0.02, 1.5
    decay = exp(-leak * period)
    level, integral = 0.0, 0.0
    for tick in range(30):
        error = reference - level
        integral += ki * period * error
        u = kp * error + integral
        row = max(i for i, t in enumerate(results.time) if t == tick * period)   # after the event
        near(f"level at tick {tick}", results["tank.level"][row], level, 1e-12)
        near(f"control value after tick {tick}", results["controller.u"][row], u, 1e-12)
        level = decay * level + (1 - decay) / leak * u
    near("level in steady state [m]", results["tank.level"][-1], reference, 1e-3)


def multi_rate(space):
    # T' = A (T - T_steady): by the eigenvalues of A
    c1, c2, wall, facade, power = 1.0, 2000.0, 100.0, 50.0, 2000.0
    a, b, c, d = -wall / c1, wall / c1, wall / c2, -(wall + facade) / c2
    steady = (20 + power / facade + power / wall, 20 + power / facade)
    middle, half = (a + d) / 2, sqrt(((a - d) / 2) ** 2 + b * c)
    start = (40 - steady[0], 20 - steady[1])

    def slab(t):
        # exp(A t) = e^(m t) (cosh(h t) + sinh(h t)/h (A - m)), as a sum without overflow
        slow, fast = exp((middle + half) * t), exp((middle - half) * t)
        driven = c * start[0] + (d - middle) * start[1]
        return steady[1] + (slow + fast) / 2 * start[1] + (slow - fast) / (2 * half) * driven

    def film(t):
        slow, fast = exp((middle + half) * t), exp((middle - half) * t)
        driven = (a - middle) * start[0] + b * start[1]
        return steady[0] + (slow + fast) / 2 * start[0] + (slow - fast) / (2 * half) * driven

    errors = []
    for step in (0.1, 0.05):
        results = run(space, "multi-rate", "--set", f"units.slab.step={step}")
        errors.append(max(abs(T - exact(t)) for name, exact in (("film.T", film), ("slab.T", slab))
                          for t, T in zip(results.time, results[name]) if t >= 0.2 and abs(t / step - round(t / step)) < 1e-9))
    below("largest error with S = 0.1 s [K]", errors[0], 2e-3)
    near("order of convergence", log(errors[0] / errors[1]) / log(2), 2, 0.3)


def switch(start, rate, target, goal):
    """When goal is reached by a sum of two exponential functions: bisection."""
    def value(t):
        return sum(a + (x - a) * exp(-r * t) for x, a, r in zip(start, target, rate)) / 2 - goal
    low, high = 0.0, 1.0
    while value(low) * value(high) > 0:
        high *= 2
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if value(low) * value(middle) > 0 else (low, middle)
    return high


def rooms(space):
    results = run(space, "rooms")
    capacity, wall, facade, power = 1e6, 100.0, 50.0, 4000.0
    rate = (facade / capacity, (facade + 2 * wall) / capacity)               # of T1 + T2 and of T1 - T2
    state, heating, time, expected = [30.0, 6.0], True, 0.0, []
    while True:
        target = [power * heating / (r * capacity) for r in rate]
        lasts = switch(state, rate, target, 22.0 if heating else 20.0)
        time += lasts
        if time >= 36000:
            break
        state = [a + (x - a) * exp(-r * lasts) for x, a, r in zip(state, target, rate)]
        expected.append(time)
        heating = not heating
    found = [t for t, before, after in zip(results.time[1:], results["thermostat.y"], results["thermostat.y"][1:]) if before != after]
    if len(found) != len(expected):
        raise AssertionError(f"{len(found)} switches instead of {len(expected)}: {found} {expected}")
    for n, (a, b) in enumerate(zip(found, expected)):
        near(f"switch {n} [s]", a, b, 0.5)
    settled = [T for t, T in zip(results.time, results["living.T"]) if t > expected[0]]
    near("lowest temperature [degC]", min(settled), 20, 1e-3)
    near("highest temperature [degC]", max(settled), 22, 1e-3)

    supplied = lost = 0.0
    for i in range(1, len(results.time)):
        dt = results.time[i] - results.time[i - 1]
        supplied += dt * results["thermostat.y"][i - 1]
        lost += dt * facade * sum(results[name][i] + results[name][i - 1] for name in ("living.T", "bedroom.T")) / 2
    stored = capacity * sum(results[name][-1] - results[name][0] for name in ("living.T", "bedroom.T"))
    near("heat supplied [J]", supplied, stored + lost, 1e-4 * supplied)


def dc_motor(space):
    U, R, L, K, J, d, load = 24.0, 0.5, 5e-3, 0.1, 2e-3, 1e-3, 0.8
    results = run(space, "dc-motor", "--record", "winding.*", "--record", "shaft.*")
    i, omega = results["winding.i"], results["shaft.omega"]
    steady = K * U / (K * K + R * d)
    before = max(n for n, t in enumerate(results.time) if t <= 1)
    near("speed without load [rad/s]", omega[before], steady, 2e-3 * steady)
    loaded = (K * U - R * load) / (K * K + R * d)
    near("speed with load [rad/s]", omega[-1], loaded, 2e-3 * loaded)
    near("electrical power [W]", U * i[-1], R * i[-1] ** 2 + load * omega[-1] + d * omega[-1] ** 2, 1e-2 * U * i[-1])

    def motion(_, x):
        return [(U - R * x[0] - K * x[1]) / L, (K * x[0] - d * x[1]) / J]
    exact = integrate(motion, [0, 0], 1e-4, [n * 2e-3 for n in range(500)])
    for n in range(1, 500):
        below_quietly("error of the speed [rad/s]", abs(omega[n] - exact(results.time[n])[1]), 1e-2 * steady)

    bonds = run(space, "dc-motor", "--set", "record.bonds=true")
    transferred = sum(abs(p) * 2e-3 for p in bonds["bonds.air-gap.power"])
    below("energy lost by the bond, relative", abs(sum(bonds["bonds.air-gap.residual"])) / transferred, 1e-5)


def below_quietly(what, value, limit):
    if value > limit:
        raise AssertionError(f"{what} is {value!r}, more than {limit!r}")


class Crane:
    """The equations of examples/crane as one system."""
    A, E, V0, s0 = 0.01, 1.2e9, 4e-3, 2.1213203435596424
    m, l, J, d, a, b, g = 2000.0, 4.0, 40e3, 120e3, 1.5, 1.5, 9.81

    def length(self, phi):
        return sqrt(self.a ** 2 + self.b ** 2 + 2 * self.a * self.b * sin(phi))

    def lever(self, phi):
        return self.a * self.b * cos(phi) / self.length(phi)

    @staticmethod
    def flow(t):
        points = [(0, 0), (1, 0), (1.5, 1e-3), (4, 1e-3), (4.5, 0), (8, 0)]
        for (t0, q0), (t1, q1) in zip(points, points[1:]):
            if t <= t1:
                return q0 + (q1 - q0) * (t - t0) / (t1 - t0)
        return 0.0

    def __call__(self, t, x):
        phi, w, p = x
        s, r = self.length(phi), self.lever(phi)
        return [w, (self.A * p * r - self.m * self.g * self.l * cos(phi) - self.d * w) / self.J,
                self.E / (self.V0 + self.A * (s - self.s0)) * (self.flow(t) - self.A * r * w)]


def crane(space):
    system = Crane()
    times = [n * 0.01 for n in range(801)]
    exact = integrate(system, [0, 0, 7.39891e6], 1e-3, times)
    errors = [run(space, "crane", "--step", str(h)).largest_error("boom.phi", lambda t: exact(t)[0]) for h in (0.02, 0.01)]
    below("largest error of the angle with H = 0.02 s [rad]", errors[0], 1e-3)
    near("order of convergence", log(errors[0] / errors[1]) / log(2), 2, 0.4)

    results = run(space, "crane")
    phi, p = results["boom.phi"], results["cylinder.p"]
    delivered = 3e-3                                                       # the integral of pump.csv [m3]
    lifted = system.A * (system.length(phi[-1]) - system.length(phi[0]))
    volume = [system.V0 + system.A * (system.length(angle) - system.s0) for angle in phi]
    compressed = sum((volume[n] + volume[n - 1]) / 2 * (p[n] - p[n - 1]) for n in range(1, len(p))) / system.E
    near("volume delivered by the pump [m3]", lifted + compressed, delivered, 1e-3 * delivered)
    held = system.A * p[-1] * system.lever(phi[-1])
    near("moment of the cylinder at rest [N.m]", held, system.m * system.g * system.l * cos(phi[-1]), 0.02 * held)

    explicit = space.run("./rubato", "run", "examples/crane/scenario.yaml", "--step", "0.05", "--algorithm", "jacobi", "-o",
                         "explicit.csv", "--force")
    largest = max(map(abs, Results(space.root / "explicit.csv")["boom.v"])) if explicit.returncode == 0 else float("inf")
    above("speed of the piston with an explicit scheme [m/s]", largest, 10)      # diverges: the pump moves it by 0.1 m/s


def tanks(space):
    results = run(space, "tanks")
    phase = results["supervisor.phase"]
    found = [t for t, before, after in zip(results.time[1:], phase, phase[1:]) if before != after]
    for n, (t, expected) in enumerate(zip(found, [15, 25, 55, 70, 80, 110], strict=True)):
        near("end of a phase [s]", t, expected, 2e-6 * (n + 1))                # a late switch delays all that follow
    volume = [u + 1.5 * l for u, l in zip(results["upper.level"], results["lower.level"])]
    flowed = [0.1 * sum(min(max(t - 55 * n, 0), 15) for n in range(3)) - 0.05 * sum(min(max(t - 55 * n - 25, 0), 30) for n in range(3))
              for t in results.time]
    below("error of the volume balance [m3]", max(abs(v - volume[0] - f) for v, f in zip(volume, flowed)), 1e-5)


def ring(space):
    generated = subprocess.run([sys.executable, space.root / "examples/ring/generate.py"], capture_output=True, text=True, check=True)
    if generated.stdout != (space.root / "examples/ring/scenario.yaml").read_text(encoding="utf-8"):
        raise AssertionError("examples/ring/scenario.yaml is not what generate.py prints")
    rate = 4 * (1 - cos(2 * pi / 10))
    errors = []
    for h in (0.02, 0.01):
        results = run(space, "ring", "--step", str(h))
        errors.append(max(results.largest_error(f"n{i}.y", lambda t, i=i: cos(2 * pi * i / 10) * exp(-rate * t)) for i in (0, 1, 3, 5)))
    below("largest error with H = 0.01 s", errors[1], 1e-3)
    near("order of convergence", log(errors[0] / errors[1]) / log(2), 2, 0.3)


def stairs(space):
    results = run(space, "stairs")
    contact, height, stair = results["stairs.contact"], results["y.y"], results["stairs.stair"]
    switches = [n for n in range(1, len(contact)) if contact[n] != contact[n - 1] and stair[n] == stair[n - 1]]
    for n in switches:
        below_quietly("distance from the stair when contact changes [m]", abs(height[n] - stair[n]), 1e-5)
    above("changes of contact", len(switches), 20)
    for n, (t, v) in enumerate(zip(results.time, results["v_x.x"])):
        below_quietly(f"error of v_x at row {n}", abs(v - 0.65 * exp(-0.05 * t)), 1e-9)


EXAMPLES = {"coupled-msd": coupled_msd, "quarter-car": quarter_car, "sampled-control": sampled_control, "rooms": rooms,
            "multi-rate": multi_rate,
            "dc-motor": dc_motor, "crane": crane, "tanks": tanks, "ring": ring, "stairs": stairs}


def main():
    source, build, example = sys.argv[1:4]
    with workspace(source, build) as space:
        try:
            EXAMPLES[example](space)
        except AssertionError as failure:
            sys.exit(f"examples/{example}: {failure}")


if __name__ == "__main__":
    main()
