#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# runtime_test.sh RUNTIME: the binary of exported scenarios shows the functions of FMI and nothing else, needs the C
# library and nothing else, and is at most 10 MB.
set -eu
runtime=$1
others=$(nm -D --defined-only "$runtime" | awk '{print $3}' | grep -v '^fmi[23][A-Z]' || true)
if [ -n "$others" ]; then
    echo "FAILED: it exports other symbols than those of FMI: $others"
    exit 1
fi
for function in fmi2Instantiate fmi2DoStep fmi2GetFMUstate fmi3InstantiateCoSimulation fmi3DoStep fmi3GetBinary; do
    nm -D --defined-only "$runtime" | grep -q " T $function\$" || { echo "FAILED: it lacks $function"; exit 1; }
done
needed=$(readelf -d "$runtime" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | grep -v '^lib\(c\|m\|dl\|pthread\)\.so\|^ld-linux' || true)
if [ -n "$needed" ]; then
    echo "FAILED: it needs other libraries than that of C: $needed"
    exit 1
fi
size=$(wc -c <"$runtime")
if [ "$size" -gt $((10 * 1024 * 1024)) ]; then
    echo "FAILED: it has $size bytes"
    exit 1
fi
