"""What every part of the compiler that emits code works on."""

from __future__ import annotations

from overhaul.gml.compiler.emitter import Emitter
from overhaul.gml.compiler.names import Names


class Part:
    """A part of the compiler, with what all of them need."""

    def __init__(self, code: Emitter, names: Names) -> None:
        self.code = code
        self.names = names
        self.scopes = names.scopes
        self.source_map = names.source_map
        self.dialect = names.dialect
        self.v2: bool = names.v2
