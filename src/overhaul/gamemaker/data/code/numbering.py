"""The numbers of a game that assembly text shows: string indices, code locals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from overhaul.gml.vm.code import Code, LocalName
from overhaul.gml.vm.columns import FUNCTION_BIT
from overhaul.gml.vm.opcodes import InstanceType

if TYPE_CHECKING:
    from overhaul.gamemaker.data.chunks.func import CodeLocals
    from overhaul.gamemaker.data.model import GameModel


class GameNumbering:
    """A game's numbers (``gml.vm.disassembler.Numbering``), as long as its code does not change."""

    def __init__(self, game: GameModel, locals_lists: Mapping[str, CodeLocals]) -> None:
        self._game = game
        self._locals = locals_lists
        self._strings: dict[str, int] = {}
        for index, string in enumerate(game.strings):
            self._strings.setdefault(str(string), index)

    def string_index(self, text: str) -> int | None:
        """The index of the first string with this content."""
        return self._strings.get(text)

    def local_names(self, code: Code) -> Sequence[str]:
        """The code locals as FUNC lists them, with the VARI record each is used by."""
        own = self._locals.get(code.name)
        if own is None:
            return code.local_names
        records = self._records(code.name)
        return [
            LocalName(str(local.name), local.index, records.get(str(local.name)))
            for local in own.locals
        ]

    def _records(self, name: str) -> dict[str, int]:
        """Name -> VARI record of the locals that an entry's instructions refer to."""
        used = np.unique(self._game.records.code[name].bytecode.record)
        variables = self._game.variables
        found = {}
        for number in used[(used >= 0) & (used & FUNCTION_BIT == 0)].tolist():
            variable = variables[number]
            if variable.instance_type == InstanceType.LOCAL:
                found[str(variable.name)] = number
        return found
