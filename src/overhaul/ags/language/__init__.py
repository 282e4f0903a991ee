"""The script language of Adventure Game Studio, compiled as the official compiler does.

:func:`compile_block` and :func:`declared` are all that others need; see
docs/formats/ags-compiler.md.
"""

from __future__ import annotations

from overhaul.ags.language.compiler import Declared, compile_block, declared
from overhaul.ags.language.errors import ScriptError
from overhaul.ags.language.options import CompilerOptions, Source

__all__ = ["CompilerOptions", "Declared", "ScriptError", "Source", "compile_block", "declared"]
