#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Builds the Debian packages in build/deb from a clean copy of the last commit, and checks them with lintian. Outside a git
# repository it takes the files as they are.
set -eu
cd "$(dirname "$0")/.."
version=$(dpkg-parsechangelog --show-field Version)
folder=build/deb
source=$folder/rubato-$version

rm -rf "$folder"
mkdir -p "$source"
if git rev-parse --verify --quiet HEAD >/dev/null 2>&1; then
    [ -z "$(git status --porcelain)" ] || echo "deb: uncommitted changes are not part of the packages"
    git archive HEAD | tar -x -C "$source"
else
    tar -c --exclude=./build --exclude=./.git . | tar -x -C "$source"
fi

echo "deb: building rubato $version, a few minutes; the log is $folder/build.log"
export DEB_BUILD_OPTIONS="noautodbgsym parallel=$(nproc) ${DEB_BUILD_OPTIONS:-}"
(cd "$source" && dpkg-buildpackage --build=binary --no-sign) >"$folder/build.log" 2>&1 || {
    tail -n 40 "$folder/build.log"
    exit 1
}
lintian --allow-root --fail-on error,warning "$folder"/*.changes
ls "$folder"/*.deb
