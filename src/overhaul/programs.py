"""Modules of this package as processes of their own: ``python -m overhaul.programs MODULE ...``.

A program without Python (``tools/packaging/``) is its own interpreter: it runs a module when it is
started with :data:`MODULE` in front, which ``overhaul.cli.standalone`` takes.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module

TYPE_CHECKING = False

#: The first argument of a program without Python that is started to run one module.
MODULE = "--overhaul-module"


def command_of(module: str, *arguments: str) -> list[str]:
    """The command that calls the ``main`` of a module of this package with arguments.

    Start it with :func:`surroundings`, so that the process imports this same package.
    """
    if is_standalone():
        return [sys.executable, MODULE, module, *arguments]
    return [sys.executable, "-P", "-m", "overhaul.programs", module, *arguments]


def is_standalone() -> bool:
    """Whether this is a program that needs no Python."""
    return bool(getattr(sys, "frozen", False))


def surroundings() -> dict[str, str]:
    """The environment of a process that imports this same package."""
    here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    others = os.environ.get("PYTHONPATH")
    return {**os.environ, "PYTHONPATH": os.pathsep.join([here, others] if others else [here])}


def run_module(words: Sequence[str]) -> int:
    """Call the ``main`` of the module that the first word names with the others; return its exit
    code."""
    module, *arguments = words
    code: int | None = import_module(module).main(arguments)
    return code or 0


if __name__ == "__main__":
    sys.exit(run_module(sys.argv[1:]))
