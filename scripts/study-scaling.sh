#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# scripts/study-scaling.sh PROGRAM FOLDER: how runs in several processes scale, measured on 1, 2, 4 and 8 ranks; a build without MPI has none.
set -eu
if [ ! -x "$1" ] || ! command -v mpirun >/dev/null; then
    echo "runs in several processes: this build has no MPI (scripts/setup.sh mpi)"
    exit 0
fi
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
measured=$(mktemp)
trap 'rm -f "$measured"' EXIT
for ranks in 1 2 4 8; do
    echo "measuring on $ranks ranks" >&2
    mpirun --oversubscribe -n "$ranks" "$1" measure "$measured"
done
mpirun --oversubscribe -n 2 "$1" groups
"$1" show "$measured" "$2"
