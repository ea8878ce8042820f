# SPDX-License-Identifier: Apache-2.0
"""The command ``rubato``, which comes with the package."""

from __future__ import annotations

import os
import sys
from typing import NoReturn


def main() -> NoReturn:
    """Become the command."""
    program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", "rubato")
    os.execv(program, ["rubato", *sys.argv[1:]])


if __name__ == "__main__":
    main()
