"""Compiles GML to symbolic code, instruction for instruction as the official compilers do.

It is imported on first use: what reads code needs parts of this package, but not the compiler.
"""

from overhaul.lazy import attach

TYPE_CHECKING = False
if TYPE_CHECKING:
    from overhaul.gml.compiler.compiler import Compiled as Compiled
    from overhaul.gml.compiler.compiler import compile as compile
    from overhaul.gml.compiler.compiler import compile_with_source_map as compile_with_source_map
    from overhaul.gml.compiler.source_map import InnerFunction as InnerFunction

if not TYPE_CHECKING:  # a name that is not there is an error of types
    __getattr__, __dir__, __all__ = attach(
        __name__,
        {
            "overhaul.gml.compiler.compiler": "Compiled compile compile_with_source_map",
            "overhaul.gml.compiler.source_map": "InnerFunction",
        },
    )
