"""GameMaker's language and its machine: assemble, disassemble, compile, decompile.

This package knows nothing of data.win: it works on symbolic :class:`Code` and on a
:class:`Context`, which a game (``overhaul.gamemaker.data``) fills.
"""

from overhaul.lazy import attach

TYPE_CHECKING = False
if TYPE_CHECKING:
    from overhaul.gml.compiler import compile as compile
    from overhaul.gml.context import Context as Context
    from overhaul.gml.dialect import Dialect as Dialect
    from overhaul.gml.errors import CompileError as CompileError
    from overhaul.gml.errors import SyntaxError_ as SyntaxError_
    from overhaul.gml.roundtrip import decompile as decompile
    from overhaul.gml.vm.assembler import assemble as assemble
    from overhaul.gml.vm.code import Code as Code
    from overhaul.gml.vm.code import Instruction as Instruction
    from overhaul.gml.vm.disassembler import disassemble as disassemble

if not TYPE_CHECKING:  # a name that is not there is an error of types
    __getattr__, __dir__, __all__ = attach(
        __name__,
        {
            "overhaul.gml.vm.code": "Code Instruction",
            "overhaul.gml.errors": "CompileError SyntaxError_",
            "overhaul.gml.context": "Context",
            "overhaul.gml.dialect": "Dialect",
            "overhaul.gml.vm.assembler": "assemble",
            "overhaul.gml.compiler": "compile",
            "overhaul.gml.roundtrip": "decompile",
            "overhaul.gml.vm.disassembler": "disassemble",
        },
    )
