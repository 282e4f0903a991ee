"""Which resources the code files of a game name, and by which numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set

from overhaul.document.names import unescape_name
from overhaul.errors import OverhaulError
from overhaul.gamemaker.data.asset_kinds import KIND_CHUNKS
from overhaul.gamemaker.data.code.mentions import has_plain_numbers
from overhaul.gamemaker.data.code.words import words_of
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data_folder.code import stem_of


def words_in(lines: Iterable[str]) -> set[str]:
    """The words of lines of source, but for texts and comments."""
    return {word for line in lines for word in words_of(line)}


def names_in(game: GameData, lines: Iterable[str]) -> dict[str, tuple[str, int]]:
    """The resources that lines of source name: their kinds and numbers, by name.

    Functions are none: code that calls one that is not there does not compile.
    """
    context = game.language.context
    found = {}
    for word in words_in(lines):
        asset = context.asset_ids.get(word)
        if asset is not None and asset[0] != "script":
            found[word] = asset
    return found


def numbers_in(game: GameData, path: str, lines: Set[str] | None) -> dict[int, dict[str, str]]:
    """The numbers in lines of a code file (None: all of it, as assembly) that may stand for
    resources: by number, the name that each kind has."""
    kinds = [kind for kind, chunk in KIND_CHUNKS.items() if has_plain_numbers(game, chunk)]
    entry = game.records.code.get(unescape_name(stem_of(path))) if kinds else None
    if entry is None:
        return {}
    try:
        shown = game.language.doubtful(entry)
    except OverhaulError:  # code that can't be read is carried byte for byte
        return {}
    source = shown.source.split("\n")
    doubts = {
        doubt.value for doubt in shown.doubts if lines is None or source[doubt.line - 1] in lines
    }
    found = {number: dict(_named(game, kinds, number)) for number in doubts}
    for name, (kind, number) in names_in(game, source).items() if lines is None else ():
        if kind in kinds:
            found.setdefault(number, {})[kind] = name
    return {number: names for number, names in found.items() if names}


def _named(game: GameData, kinds: Iterable[str], number: int) -> Iterator[tuple[str, str]]:
    context = game.language.context
    for kind in kinds:
        name = context.asset_name(kind, number)
        if name is not None:
            yield kind, name


def number_of(game: GameData, kind: str, name: str) -> int | None:
    """The number of a resource, by its kind and name; None where there is none."""
    context = game.language.context
    if context.asset_ids.get(name, ("",))[0] == kind:
        return context.asset_ids[name][1]
    names = context.assets.get(kind, {})
    return next((number for number, each in names.items() if each == name), None)
