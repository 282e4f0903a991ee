"""The knowledge of the language tools about a game, valid while its texts and lists do not
change."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from overhaul.document.registry import load
from overhaul.gamemaker.data.code.context import GameNames, game_context, next_struct
from overhaul.gamemaker.data.code.index import CodeIndex
from overhaul.gamemaker.data.code.mention_index import MentionIndex
from overhaul.gamemaker.data.model import GameModel
from overhaul.gml.context import Context
from overhaul.gml.vm.rows import RowReader

if TYPE_CHECKING:
    from overhaul.gamemaker.data.code.parts import CodeParts, RootDigests
    from overhaul.gamemaker.data.code.plain_names import PlainlyNamed
    from overhaul.gml.decompiler.types.habits import Fractions

#: reading or compiling all of so many instructions takes long
_MUCH = 100_000
_PLAINLY_NAMED = "overhaul.gamemaker.data.code.plain_names:PlainlyNamed"
_DIGESTS = "overhaul.gamemaker.data.code.parts:RootDigests"
_PARTS = "overhaul.gamemaker.data.code.parts:CodeParts"


class Knowledge:
    """The tools' knowledge of a game, valid while its texts and lists do not change."""

    def __init__(self, game: GameModel, context: Context | None = None) -> None:
        self.game = game
        self.index = CodeIndex(game)
        self.mentions = MentionIndex()
        self.defined: tuple[str, Context] | None = None
        if context is not None:
            self.context = context
            context.next_struct = next_struct(game)

    @property
    def has_much_code(self) -> bool:
        """Whether reading or compiling all code takes long."""
        return self.index.instructions >= _MUCH

    @cached_property
    def context(self) -> Context:
        return game_context(self.game)

    @cached_property
    def reader(self) -> RowReader:
        return RowReader(GameNames(self.game, self.context))

    @cached_property
    def digests(self) -> RootDigests:
        made: RootDigests = load(_DIGESTS)(self.game, self.context, self.index)
        return made

    @cached_property
    def plainly_named(self) -> PlainlyNamed:
        made: PlainlyNamed = load(_PLAINLY_NAMED)(self.game, self.context, self.index)
        return made

    def parts(self, fractions: Fractions) -> CodeParts:
        made: CodeParts = load(_PARTS)(self.context, self.index, self.digests, fractions)
        return made
