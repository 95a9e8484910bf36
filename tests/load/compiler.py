"""Builds the C programs beside it, when they are wanted and where there is a compiler."""

import shutil
import subprocess
from pathlib import Path

HERE = Path(__file__).resolve().parent


class NoCompiler(Exception):
    """There is no C compiler here; the message says what to install."""


def build(name: str, folder: Path) -> Path:
    """Compile `<name>.c` into a folder and give the program. Raises NoCompiler."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        raise NoCompiler(f"{name}.c needs a C compiler: on Debian or Ubuntu, apt install gcc libc6-dev.")
    program = folder / name
    subprocess.run([compiler, "-O2", "-Wall", "-o", program, HERE / f"{name}.c"], check=True)
    return program
