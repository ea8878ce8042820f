#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints scenario.yaml: N units in a ring, each a first-order lag behind the mean of its two neighbours."""
from math import cos, pi

N, WAVES = 1000, 100  # nodes, and waves of the start values around the ring


def main():
    period = N // WAVES
    print(f"# {N} first-order lags in a ring, y' = k ((left + right)/2 - y): heat conduction in a closed rod.")
    print("# generate.py writes this file.")
    print("rubato: 1\nname: ring\nx-nodes:                       # the start values repeat after so many nodes")
    for i in range(period):
        y = cos(2 * pi * i / period)
        print(f"  - &n{i} {{model: node, parameters: {{k: 4, solver: 3}}, start: {{y: {y:.15g}}}, inputs: {{a: {{approximation: linear}}, b: {{approximation: linear}}}}}}")
    print("units:")
    for i in range(N):
        print(f"  n{i}: *n{i % period}")
    print("connections:")
    for i in range(N):
        print(f"  - n{(i - 1) % N}.y -> n{i}.a\n  - n{(i + 1) % N}.y -> n{i}.b")
    print("experiment: {stop: 4, step: 0.01}\nalgorithm: jacobi\nrecord: [n0.y, n1.y, n2.y, n3.y, n5.y]")


if __name__ == "__main__":
    main()
