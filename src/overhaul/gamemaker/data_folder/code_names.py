"""The words of a game's code, and what they name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Set
from typing import Final

from overhaul.document.format_parts import SourceNames
from overhaul.document.names import unescape_name
from overhaul.errors import OverhaulError
from overhaul.gamemaker.data.chunks import KIND_CHUNKS
from overhaul.gamemaker.data.code.mention_index import words_of
from overhaul.gamemaker.data.code.mentions import has_plain_numbers
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data.listed_names import resource_names
from overhaul.gamemaker.data_folder.code import stem_of
from overhaul.gml.syntax.lexer import words

#: the kind of a name that is a function of the game, which has no number in code
_FUNCTION = "function"
_MEMBERS = re.compile(r"\.\s*\w+")


class GameNames(SourceNames[GameData]):
    """The words of a game's code, and what they name."""

    def tokens(self, game: GameData, source: str) -> list[str]:
        """The names, numbers, texts and signs of a source, without comments."""
        dialect = game.language.context.dialect
        return words(source, gms2=dialect.gms2_or_later, v2=dialect.gml_v2)

    def words_in(self, lines: Iterable[str]) -> set[str]:
        """The words of lines of source, without texts and comments."""
        return {word for line in lines for word in words_of(line)}

    def names_in(self, game: GameData, lines: Iterable[str]) -> dict[str, tuple[str, int]]:
        """The resources that lines of source name: their kinds and numbers, by name; and since 2.3
        the game's functions.

        Before, code that calls a function which is not there does not compile.
        """
        context = game.language.context
        names = {}
        for line in lines:
            for word in words_of(line):
                asset = context.asset_ids.get(word)
                if asset is not None and asset[0] != "script":
                    names[word] = asset
            if context.dialect.gml_v2:
                for word in words_of(_MEMBERS.sub("", line)):
                    if word in context.functions and word not in names:
                        names[word] = (_FUNCTION, 0)
        return names

    def numbers_in(
        self, game: GameData, path: str, lines: Set[str] | None
    ) -> dict[int, dict[str, str]]:
        """The numbers in lines of a code file (None: all of it, as assembly) that may stand for
        resources, and meet other code: by number, the name that each kind has."""
        return self._numbers_in(game, path, lines, own=False)

    def own_numbers_in(
        self, game: GameData, path: str, lines: Set[str] | None
    ) -> dict[int, dict[str, str]]:
        """The same of numbers that meet only code of that file."""
        return self._numbers_in(game, path, lines, own=True)

    def _numbers_in(
        self, game: GameData, path: str, lines: Set[str] | None, *, own: bool
    ) -> dict[int, dict[str, str]]:
        kinds = [kind for kind, chunk in KIND_CHUNKS.items() if has_plain_numbers(game, chunk)]
        entry = game.records.code.get(unescape_name(stem_of(path))) if kinds else None
        if entry is None:
            return {}

        def means(number: int) -> bool:
            return any(True for _ in _named(game, kinds, number))

        try:
            if lines is None:
                shown = game.language.decompiled.doubtful(entry)
            else:
                shown = game.language.decompiled.doubts_in(entry, lines, means)
        except OverhaulError:  # code that can't be read is carried byte for byte
            return {}
        source = shown.source.split("\n")
        doubts = {
            doubt.value
            for doubt in shown.doubts
            if (lines is None or source[doubt.line - 1] in lines)
            and (doubt.within in ("entry", "set")) is own
        }
        numbers = {number: dict(_named(game, kinds, number)) for number in doubts}
        for name, (kind, number) in (
            self.names_in(game, source).items() if lines is None and not own else ()
        ):
            if kind in kinds:
                numbers.setdefault(number, {})[kind] = name
        return {number: names for number, names in numbers.items() if names}

    def number_of(self, game: GameData, kind: str, name: str) -> int | None:
        """The number of a resource, by its kind and name; None where there is none."""
        if kind == _FUNCTION:
            return 0 if name in game.language.context.functions else None
        if kind in KIND_CHUNKS:  # without decoding code
            names = resource_names(game, KIND_CHUNKS[kind])
            return names.index(name) if name in names else None
        assets = game.language.context.assets.get(kind, {})
        return next((number for number, known in assets.items() if known == name), None)


def _named(game: GameData, kinds: Iterable[str], number: int) -> Iterator[tuple[str, str]]:
    context = game.language.context
    for kind in kinds:
        name = context.asset_name(kind, number)
        if name is not None:
            yield kind, name


NAMES: Final = GameNames()
