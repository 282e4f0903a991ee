"""Compiled scripts (SCOM): the model, a disassembler and an assembler."""

from __future__ import annotations

from overhaul.ags.script.assembler import assemble
from overhaul.ags.script.disassembler import disassemble
from overhaul.ags.script.model import Script, read_script

__all__ = ["Script", "assemble", "disassemble", "read_script"]
