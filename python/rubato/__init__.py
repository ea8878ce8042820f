# SPDX-License-Identifier: Apache-2.0
"""Co-simulation of FMUs with verified algorithms and estimated errors.

>>> import rubato
>>> system = rubato.System()
>>> ramp = system.add(model="integrator", name="ramp", start={"u": 2.0})
>>> system.run(stop=1.0, step=0.5)["ramp.y"]
array([0., 1., 2.])
"""

from ._analysis import Stability, Transformation, Tuning
from ._errors import Error, InputError, InUseError, RubatoWarning, UnitError
from ._fmu import inspect, simulate, validate
from ._members import Unit, Variable
from ._result import Picture, Result, Trust
from ._run import Run, State
from ._rubato import version as _version
from ._settings import KEYWORDS, SECTIONS, SETTINGS, options, reference
from ._sweep import Sweep, grid
from ._system import System, import_system, load, load_text
from ._units import Input, Output, Parameter, PythonUnit

__version__: str = _version()

__all__ = [
    "KEYWORDS", "SECTIONS", "SETTINGS",
    "Error", "InUseError", "Input", "InputError", "Output", "Parameter", "Picture", "PythonUnit", "Result",
    "RubatoWarning", "Run", "Stability", "State", "Sweep", "System", "Transformation", "Trust", "Tuning", "Unit",
    "UnitError", "Variable",
    "grid", "import_system", "inspect", "load", "load_text", "options", "reference", "simulate", "validate",
]
