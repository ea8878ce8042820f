#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# docker_test.sh SOURCE: builds the container image and runs it. Exit code 77: skipped, as there is no Docker to ask.
set -eu
source=$1
if ! command -v docker >/dev/null || ! docker info >/dev/null 2>&1; then
    echo "SKIPPED: no Docker daemon answers, so the Dockerfile is neither built nor run"
    exit 77
fi
image=rubato-test:$$
trap 'docker image rm --force "$image" >/dev/null 2>&1 || true' EXIT
docker build --tag "$image" "$source"
docker run --rm "$image" --version | grep -q '^rubato [0-9]'
# A native model needs no files but the scenario.
docker run --rm --interactive "$image" run - --no-record <<'END' | grep -q completed
rubato: 1
units: {tank: {model: tank}}
experiment: {stop: 1, step: 0.1}
END
