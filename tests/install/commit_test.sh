#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# commit_test.sh SOURCE CMAKE: the commit that `rubato --version` prints, in a repository, in an archive of it and without git.
set -eu
source=$1
cmake=$2
if ! command -v git >/dev/null; then
    echo "SKIPPED: there is no git"
    exit 77
fi
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
mkdir "$place/clone" "$place/archive" "$place/copy"
cp -r "$source/cmake" "$source/.gitattributes" "$place/clone"
cd "$place/clone"
echo '$Format:%H$' >cmake/archive-commit.txt # also where SOURCE is an archive itself
export GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b
git init -q
git add -A

# expect FOLDER TEXT
expect() {
    "$cmake" -D "source=$1" -D "output=$place/commit.hpp" -P "$1/cmake/WriteCommit.cmake"
    grep -q "commit = \"$2\"" "$place/commit.hpp" || {
        echo "FAILED: expected \"$2\", but there is:"
        cat "$place/commit.hpp"
        exit 1
    }
}

git commit -q -m one
expect "$place/clone" "$(git rev-parse --short=12 HEAD)"
git commit -q --allow-empty -m two
expect "$place/clone" "$(git rev-parse --short=12 HEAD)"
git archive HEAD | tar -x -C "$place/archive"
expect "$place/archive" "$(git rev-parse --short=12 HEAD)"
echo "# changed" >>cmake/Rooms.cmake
expect "$place/clone" "$(git rev-parse --short=12 HEAD) with local changes"
cp -r "$source/cmake" "$place/copy"
echo '$Format:%H$' >"$place/copy/cmake/archive-commit.txt"
git -C "$place" init -q # a repository around the copy is not the copy's
expect "$place/copy" "unknown.*"
