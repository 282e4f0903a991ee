"""GameMaker's language and its machine: assemble, disassemble, compile, decompile.

This package knows nothing of data.win: it works on symbolic :class:`Code` and on a
:class:`Context`, which a game (``overhaul.gamemaker.data``) fills.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from overhaul.gml.compiler import compile
    from overhaul.gml.context import Context
    from overhaul.gml.decompiler import decompile
    from overhaul.gml.dialect import Dialect
    from overhaul.gml.errors import CompileError, SyntaxError_
    from overhaul.gml.vm.assembler import assemble
    from overhaul.gml.vm.code import Code, Instruction
    from overhaul.gml.vm.disassembler import disassemble

__all__ = [
    "Code",
    "CompileError",
    "Context",
    "Dialect",
    "Instruction",
    "SyntaxError_",
    "assemble",
    "compile",
    "decompile",
    "disassemble",
]

_HOMES = {
    "Code": "vm.code",
    "CompileError": "errors",
    "Context": "context",
    "Dialect": "dialect",
    "Instruction": "vm.code",
    "SyntaxError_": "errors",
    "assemble": "vm.assembler",
    "compile": "compiler",
    "decompile": "decompiler",
    "disassemble": "vm.disassembler",
}


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
