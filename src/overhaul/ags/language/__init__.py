"""The script language of Adventure Game Studio, compiled as the official compiler does.

:func:`compile_block` is all that others need; see docs/formats/ags-compiler.md.
"""

from __future__ import annotations

from overhaul.ags.language.compiler import compile_block
from overhaul.ags.language.errors import ScriptError
from overhaul.ags.language.options import CompilerOptions, Source

__all__ = ["CompilerOptions", "ScriptError", "Source", "compile_block"]
