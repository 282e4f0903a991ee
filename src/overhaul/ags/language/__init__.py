"""The script language of Adventure Game Studio, compiled as the official compiler does.

:func:`compile_block` and :func:`declared` are what others need; see
docs/formats/ags-compiler.md.
"""

from __future__ import annotations

from overhaul.ags.language.compiler import (
    Trace,
    compile_block,
    compile_late,
    compile_traced,
    without_collector,
)
from overhaul.ags.language.errors import ScriptError
from overhaul.ags.language.late import LateNames
from overhaul.ags.language.options import CompilerOptions, Source
from overhaul.ags.language.states import Declared, declared, import_table, tokens_of

__all__ = [
    "CompilerOptions",
    "Declared",
    "LateNames",
    "ScriptError",
    "Source",
    "Trace",
    "compile_block",
    "compile_late",
    "compile_traced",
    "declared",
    "import_table",
    "tokens_of",
    "without_collector",
]
