#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Draws the pictures of examples/ and docs/figures with Rubato itself: scripts/pictures.sh RUBATO. Those of examples/stairs come
# from `make study-stairs`, docs/figures/coupled-msd-accuracy.svg from `make demo`.
set -eu
rubato=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

draw() { # example, title, names and options of plot
    example=$1 title=$2
    shift 2
    "$rubato" run "examples/$example/scenario.yaml" -q -o "$work/$example.csv"
    "$rubato" plot "$work/$example.csv" "$@" --title "$title" --size 800x420 -o "examples/$example/result.svg"
}
draw coupled-msd "Two coupled masses" msd1.x1 msd2.x2
draw quarter-car "Quarter car over a bump" wheel.x1 body.x2
draw sampled-control "Level control with a sampling period of 2 s" tank.level controller.u
draw multi-rate "Heating film at 10 kHz, slab at 10 Hz" film.T slab.T
draw rooms "Two rooms and a thermostat" living.T bedroom.T
draw dc-motor "DC motor: load torque from t = 1 s" winding.i shaft.omega
draw crane "Hydraulic crane: angle of the boom, speed of the piston" boom.phi boom.v
draw tanks "Batch process with two tanks" upper.level lower.level
draw ring "Five of a thousand nodes" n0.y n1.y n2.y n3.y n5.y

"$rubato" graph examples/coupled-msd/scenario.yaml --algorithm jacobi -o docs/figures/coupled-msd-jacobi.svg
"$rubato" graph examples/coupled-msd/scenario.yaml --algorithm iterated-gauss-seidel -o docs/figures/coupled-msd-graph.svg
