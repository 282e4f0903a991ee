"""Compiled scripts (SCOM): the model, a disassembler and an assembler."""
