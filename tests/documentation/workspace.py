# SPDX-License-Identifier: Apache-2.0
"""A folder that looks like a clone of Rubato after `make examples`, in which commands of the documentation can run."""
import contextlib
import os
import pathlib
import shutil
import subprocess
import tempfile


class Workspace:
    """Has ./rubato, examples/, build/release/fmus and models/; everything that commands write stays in it."""

    def __init__(self, source, build):
        self.source, self.build = pathlib.Path(source), pathlib.Path(build)
        self._folder = tempfile.TemporaryDirectory(prefix="rubato-workspace-")
        self.root = pathlib.Path(self._folder.name)
        shutil.copytree(self.source / "examples", self.root / "examples")
        shutil.copy(self.source / "Makefile", self.root)
        (self.root / "build/release").mkdir(parents=True)
        (self.root / "build/release/fmus").symlink_to(self.build / "fmus")
        (self.root / "rubato").symlink_to(self.build / "src/cli/rubato")
        self.environment = dict(os.environ, RUBATO_UNIT_HELPER=str(self.build / "src/cli/rubato-unit"),
                                OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                                OMPI_MCA_rmaps_base_oversubscribe="1")

    def run(self, *command, text=None):
        """The outcome of a command: returncode, stdout, stderr."""
        return subprocess.run(command, cwd=self.root, env=self.environment, input=text, capture_output=True, text=True,
                              timeout=300, check=False)

    def has_mpi(self):
        return (self.build / "src/cli/rubato-mpi.so").exists() and shutil.which("mpirun") is not None

    def close(self):
        self._folder.cleanup()


@contextlib.contextmanager
def workspace(source, build):
    space = Workspace(source, build)
    try:
        yield space
    finally:
        space.close()
