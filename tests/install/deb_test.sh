#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# deb_test.sh SOURCE: checks the description of the Debian packages, and the packages themselves if `make deb` has built
# them: their files, and that the command runs from where they are unpacked.
set -eu
source=$1
version=$(sed -n 's/^project(rubato VERSION \([0-9.]*\).*/\1/p' "$source/CMakeLists.txt")
packaged=$(sed -n '1s/^rubato (\([^)]*\)).*/\1/p' "$source/debian/changelog")
if [ "$version" != "$packaged" ]; then
    echo "FAILED: CMakeLists.txt has version $version, debian/changelog $packaged"
    exit 1
fi
# What setup.sh installs for the build is what the package declares.
for package in $(sed -n '/^build="/,/^"/p' "$source/scripts/setup.sh" | grep -v '"' | tr '\n' ' '); do
    case $package in g++) continue ;; esac # part of build-essential
    if ! sed -n '/^Build-Depends/,/^Standards/p' "$source/debian/control" | grep -q "[ |]$package\b"; then
        echo "FAILED: debian/control does not build-depend on $package, which scripts/setup.sh installs"
        exit 1
    fi
done

set -- "$source/build/deb/rubato_$version"_*.deb "$source/build/deb/librubato-dev_$version"_*.deb
if [ ! -f "$1" ] || ! command -v dpkg-deb >/dev/null; then
    echo "SKIPPED: there are no packages in build/deb to unpack; make deb builds them"
    exit 0
fi
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
for package in "$@"; do dpkg-deb --extract "$package" "$place"; done
for file in bin/rubato libexec/rubato/rubato-unit libexec/rubato/rubato-runtime.so libexec/rubato/rubato_pack include/rubato/rubato.hpp \
    share/man/man1/rubato-run.1.gz share/bash-completion/completions/rubato share/zsh/vendor-completions/_rubato \
    share/fish/vendor_completions.d/rubato.fish share/doc/rubato/copyright; do
    [ -e "$place/usr/$file" ] || { echo "FAILED: the packages lack usr/$file"; exit 1; }
done
"$place/usr/bin/rubato" --version | grep -q "^rubato $version"
