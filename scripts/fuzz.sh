#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Fuzzes what reads files under the sanitizers, for so many seconds each ($1; 60): no crash, no input
# that takes longer than 10 s, no more than 1 GB of memory. Inputs that are found stay in build/fuzz:
# those that break a rule as <target>-<what>-<hash>, those that reach new code under found/.
set -eu
cd "$(dirname "$0")/.."
export SECONDS_EACH="${1:-60}"

command -v clang++ >/dev/null || { echo "fuzz: needs clang++ with libFuzzer; see scripts/setup.sh" >&2; exit 1; }
mkdir -p build
cmake --preset fuzz >build/fuzz.log 2>&1 || { cat build/fuzz.log; exit 1; }
cmake --build --preset fuzz

echo "fuzz: $(ls tests/fuzz/corpus | tr '\n' ' ')for $SECONDS_EACH s each"
ls tests/fuzz/corpus | xargs -P "$(nproc)" -n 1 sh -c '
    target=$0 found=build/fuzz/found/$0 log=build/fuzz/$0.log
    mkdir -p "$found"
    dictionary=""
    [ ! -f "tests/fuzz/$target.dict" ] || dictionary="-dict=tests/fuzz/$target.dict"
    if build/fuzz/tests/fuzz/fuzz_$target -max_total_time="$SECONDS_EACH" -timeout=10 -rss_limit_mb=1024 \
        -max_len=65536 -print_final_stats=1 -artifact_prefix="build/fuzz/$target-" \
        $dictionary "$found" "tests/fuzz/corpus/$target" >"$log" 2>&1; then
        awk -v target="$target" "/^stat::number_of_executed_units/ { inputs = \$2 } /^stat::peak_rss_mb/ { memory = \$2 }
            END { printf \"fuzz: %s: %d inputs, %d MB at most\\n\", target, inputs, memory }" "$log"
    else tail -n 60 "$log"; echo "fuzz: $target failed; the whole output is in $log" >&2; exit 1; fi'
