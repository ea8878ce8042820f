#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Writes the generated pages: docs/reference/cli.md from the description of the command line, docs/reference/settings.md from the declarations
# of the settings, docs/reference/python.md from docstrings. scripts/reference.sh [BUILD], by default build/release.
set -eu
build=${1:-build/release}
cp "$build/manual/cli.md" docs/reference/cli.md
RUBATO_WRITE_REFERENCE=1 "$build/tests/unit/scenario/scenario_test" --gtest_filter='SettingsReference.IsThePage*' --gtest_brief=1
python3 python/reference.py >docs/reference/python.md
