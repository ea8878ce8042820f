#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Installs the Debian packages that Rubato is built from, if any of them is missing; with arguments, these packages.
set -eu

packages="
    g++ cmake ninja-build ccache pkg-config
    libcli11-dev libeigen3-dev libfmt-dev libpugixml-dev libspdlog-dev
    libsundials-dev libyaml-cpp-dev libzip-dev
    nlohmann-json3-dev
    libgtest-dev libgmock-dev
    clang clang-format clang-tidy libclang-rt-dev
"

[ $# -eq 0 ] || packages="$*"

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
