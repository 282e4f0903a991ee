"""The decompiler: compiled scripts (SCOM) as source text.

The stages: instructions and functions (:mod:`.code`), what straight code computes
(:mod:`.machine`), the statements that jumps belong to (:mod:`.regions` with :mod:`.heights`),
statements (:mod:`.structure`), types (:mod:`.inference` with :mod:`.library`,
:mod:`.cells` and :mod:`.layout`), names (:mod:`.names`), and text (:mod:`.expressions`,
:mod:`.writer`, :mod:`.declarations`).
"""

from __future__ import annotations

from overhaul.ags.decompiler.decompiler import (
    Decompiled,
    Environment,
    Failure,
    decompile_block,
    decompile_blocks,
)

__all__ = ["Decompiled", "Environment", "Failure", "decompile_block", "decompile_blocks"]
