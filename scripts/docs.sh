#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Builds the documentation: the pages as a web site in build/docs/site (MkDocs, a broken link is an error), and the reference
# of the C++ headers in build/docs/site/api (Doxygen, a header without a comment is an error).
set -eu
source=build/docs/source
rm -rf build/docs
mkdir -p $source
git ls-files -co --exclude-standard -- '*.md' LICENSE CITATION.cff 'docs/*' 'examples/*' 'studies/*.svg' 'studies/*.yaml' 'models/*.cpp' |
    grep -v '^tests/' | while read -r file; do
    [ -f "$file" ] || continue
    mkdir -p "$source/$(dirname "$file")"
    cp "$file" "$source/$file"
done
doxygen docs/Doxyfile
mkdocs build --quiet --strict
cp -r build/docs/html build/docs/site/api
echo "docs: build/docs/site/index.html, C++ reference: build/docs/site/api/index.html"
