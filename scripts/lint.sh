#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Checks the format of all sources, and with clang-tidy the sources that changed against what was
# checked last (a stamp per file and content, under build/lint).
set -eu
cd "$(dirname "$0")/.."

sources=$(git ls-files -co --exclude-standard '*.cpp' '*.hpp')
echo "$sources" | xargs clang-format --dry-run --Werror

export DATABASE="build/${PRESET:-release}"
database=$DATABASE
[ -f "$database/compile_commands.json" ] || { echo "lint: run 'make build' first" >&2; exit 1; }
mkdir -p build/lint
# A file's verdict depends on its own text, on all headers and on the configuration.
headers=$(cat .clang-tidy $(git ls-files -co --exclude-standard '*.hpp') | sha256sum | cut -c1-16)
pending=""
for file in $(echo "$sources" | grep '\.cpp$'); do
    grep -q "\"[^\"]*/$file\"" "$database/compile_commands.json" || continue
    stamp=build/lint/$(cat "$file" | sha256sum | cut -c1-32)-$headers
    [ -f "$stamp" ] || pending="$pending $file:$stamp"
done
[ -n "$pending" ] || exit 0
echo "$pending" | tr ' ' '\n' | sed '/^$/d' |
    xargs -P "$(nproc)" -n 1 sh -c '
        file=${0%%:*}; stamp=${0#*:}
        if output=$(clang-tidy -p "$DATABASE" --quiet --extra-arg=-Wno-unknown-warning-option "$file" 2>/dev/null); then : >"$stamp"
        else printf "%s\n" "$output"; exit 1; fi'
