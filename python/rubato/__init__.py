# SPDX-License-Identifier: Apache-2.0
"""Co-simulation of FMUs with verified algorithms and estimated errors.

>>> import rubato
>>> system = rubato.System()
>>> ramp = system.add(model="integrator", name="ramp", start={"u": 2.0})
>>> system.run(stop=1.0, step=0.5)["ramp.y"]
array([0., 1., 2.])
"""

from ._errors import Error, InputError, InUseError, RubatoWarning, UnitError
from ._fmu import inspect, simulate, validate
from ._result import Picture, Result, Trust
from ._run import Run, State
from ._rubato import version as _version
from ._settings import KEYWORDS, SECTIONS, SETTINGS, options, reference
from ._system import System, Unit, Variable, load, load_text
from ._units import Input, Output, Parameter, PythonUnit

__version__: str = _version()

__all__ = [
    "KEYWORDS", "SECTIONS", "SETTINGS",
    "Error", "InUseError", "Input", "InputError", "Output", "Parameter", "Picture", "PythonUnit", "Result",
    "RubatoWarning", "Run", "State", "System", "Trust", "Unit", "UnitError", "Variable",
    "inspect", "load", "load_text", "options", "reference", "simulate", "validate",
]
