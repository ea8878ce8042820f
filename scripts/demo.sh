#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The main example: two FMUs, one co-simulation, and how far each algorithm can be trusted.
set -eu
rubato=$1
build=$(dirname "$(readlink -f "$rubato")")/../..
scenario=examples/coupled-msd/scenario.yaml

echo "\$ rubato run $scenario"
"$rubato" run $scenario
echo
echo "\$ rubato plot results/coupled-msd.csv x1 x2 -o results/coupled-msd.svg"
"$rubato" plot results/coupled-msd.csv x1 x2 -o results/coupled-msd.svg
echo
"$build/examples/coupled_msd_accuracy" $scenario results/coupled-msd-accuracy.svg
