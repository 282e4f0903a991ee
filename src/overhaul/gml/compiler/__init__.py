"""Compiles GML to symbolic code, instruction for instruction as the official compilers do."""

from overhaul.gml.compiler.compiler import Compiled, compile, compile_with_source_map
from overhaul.gml.compiler.source_map import InnerFunction

__all__ = ["Compiled", "InnerFunction", "compile", "compile_with_source_map"]
