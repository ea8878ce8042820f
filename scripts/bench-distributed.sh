#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# scripts/bench-distributed.sh PROGRAM: the benchmark of runs in several processes on 2 and 4 ranks; a build without MPI has none.
set -eu
if [ ! -x "$1" ] || ! command -v mpirun >/dev/null; then
    echo "runs in several processes: this build has no MPI (scripts/setup.sh mpi)"
    exit 0
fi
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
for ranks in 2 4; do
    mpirun --oversubscribe -n "$ranks" "$1"
done
