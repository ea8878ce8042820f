# SPDX-License-Identifier: Apache-2.0
"""Messages of units go to ``logging``, warnings about the system to ``warnings``."""

from __future__ import annotations

import logging
import sys
import warnings

from ._errors import RubatoWarning

_LEVELS = (logging.DEBUG, logging.INFO, logging.WARNING, logging.ERROR)
_WARNING = 2


def _depth_of_caller() -> int:
    """The stack level of the first caller outside of this package."""
    depth, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").split(".")[0] == "rubato":
        depth, frame = depth + 1, frame.f_back
    return depth


def emit(level: int, source: str, message: str) -> None:
    """Pass a message on; the extension module calls this."""
    if not source and level == _WARNING:
        warnings.warn(message, RubatoWarning, stacklevel=_depth_of_caller())
        return
    name = f"rubato.units.{source}" if source else "rubato"
    logging.getLogger(name).log(_LEVELS[level], "%s", message)
