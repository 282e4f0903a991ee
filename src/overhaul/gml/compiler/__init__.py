"""Compiles GML to symbolic code, instruction for instruction as the official compilers do."""

from overhaul.gml.compiler.compiler import compile

__all__ = ["compile"]
