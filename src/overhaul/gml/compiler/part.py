"""The objects that every part of the compiler that emits code works on."""

from __future__ import annotations

from overhaul.gml.compiler.emitter import Emitter
from overhaul.gml.compiler.names import NameResolver, Scopes
from overhaul.gml.compiler.source_map import SourceMap
from overhaul.gml.dialect import Dialect


class CompilerPart:
    """A part of the compiler, with what all of them need."""

    def __init__(self, code: Emitter, names: NameResolver) -> None:
        self.code = code
        self.names = names
        self.scopes: Scopes = names.scopes
        self.source_map: SourceMap | None = names.source_map
        self.dialect: Dialect = names.dialect
        self.v2: bool = names.v2
