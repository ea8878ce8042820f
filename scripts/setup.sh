#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Installs Debian packages that are missing: scripts/setup.sh [build] [test] [mpi] [hdf5] [lint] [fuzz] [python] [docs] [deb]; without
# arguments all but python, docs and deb.
set -eu

build="
    g++ cmake ninja-build pkg-config
    libcli11-dev libeigen3-dev libfmt-dev libpugixml-dev libspdlog-dev
    libsundials-dev libyaml-cpp-dev libzip-dev
    nlohmann-json3-dev
"
test="python3 ccache libgtest-dev libgmock-dev"
mpi="libopenmpi-dev openmpi-bin libmetis-dev"
hdf5="libhdf5-dev zlib1g-dev"
lint="clang-format clang-tidy"
fuzz="clang libclang-rt-dev"
python="python3-dev python3-venv"
docs="doxygen mkdocs mkdocs-material"
deb="debhelper dpkg-dev git lintian"

[ $# -gt 0 ] || set -- build test mpi hdf5 lint fuzz
packages=""
for purpose in "$@"; do
    case $purpose in
        build) packages="$packages $build" ;;
        test) packages="$packages $test" ;;
        mpi) packages="$packages $mpi" ;;
        hdf5) packages="$packages $hdf5" ;;
        lint) packages="$packages $lint" ;;
        fuzz) packages="$packages $fuzz" ;;
        python) packages="$packages $python" ;;
        docs) packages="$packages $docs" ;;
        deb) packages="$packages $deb" ;;
        *)
            echo "setup: there is no purpose \"$purpose\"; say build, test, mpi, hdf5, lint, fuzz, python, docs or deb" >&2
            exit 2
            ;;
    esac
done

missing=""
for package in $packages; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' ||
        missing="$missing $package"
done
[ -n "$missing" ] || exit 0

if ! command -v apt-get >/dev/null; then
    echo "setup: this is not Debian; install the equivalents of:$missing" >&2
    exit 1
fi
sudo=""
[ "$(id -u)" -eq 0 ] || sudo="sudo"
echo "setup: installing$missing"
$sudo apt-get update -qq
DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends $missing >/dev/null
