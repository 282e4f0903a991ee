"""The numbers and names in each root entry, computed again only for code that changed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from overhaul.errors import OverhaulError
from overhaul.gamemaker.data.chunks.code import CodeEntry
from overhaul.gml.vm.columns import NO_RECORD, Columns, Mask, is_pushref, is_variable
from overhaul.gml.vm.opcodes import DataType, ReferenceType

if TYPE_CHECKING:
    from overhaul.gamemaker.data.code.decompiling import GameDecompiler

#: the bits of an operand that are an asset's index; all of them stand for none
NO_ASSET = 0xFFFFFF
#: reading fewer bytes of code takes little time
_MUCH = 1 << 20


class Numbers(NamedTuple):
    """The numbers in an entry: operands of ``pushref`` other than functions, objects left of a
    dot (``obj_wall.x``), and all that may be constants."""

    shown: frozenset[int]
    owners: frozenset[int]
    held: frozenset[float]


class MentionIndex:
    """The numbers and names in the root entries of a game.

    Code that changed has other arrays than before: what is kept of it is known by these.  Names
    come from a decompiler, and are kept as long as that.
    """

    def __init__(self) -> None:
        self._numbers: dict[int, tuple[_Mark, Numbers]] = {}
        self._names: dict[int, tuple[_Mark, frozenset[str]]] = {}
        self._decompiler: GameDecompiler | None = None
        #: whether there is so much code that names are kept in the user's cache folder
        self._remembers = False

    def numbers(self, entry: CodeEntry) -> Numbers:
        """The numbers in an entry."""
        known = self._numbers.get(id(entry))
        if known is None or not known[0].is_of(entry):
            known = self._numbers[id(entry)] = _Mark(entry), _numbers_in(entry)
        return known[1]

    def names(self, entry: CodeEntry, decompiler: GameDecompiler) -> frozenset[str]:
        """The names in an entry's source; none where it can't be decompiled."""
        if decompiler is not self._decompiler:
            self._decompiler = decompiler
            self._names.clear()
            chunk = entry.game.chunks.get("CODE")
            self._remembers = chunk is not None and chunk.end - chunk.start >= _MUCH
        known = self._names.get(id(entry))
        if known is None or not known[0].is_of(entry):
            remembered = entry.game.language.decompiled.remembered if self._remembers else None
            kept = None if remembered is None else remembered.names(entry)
            if kept is None:
                try:
                    kept = frozenset(words_of(decompiler.source(entry)[0]))
                except OverhaulError:
                    kept = frozenset()
                if remembered is not None:
                    remembered.keep_names(entry, kept)
            names = kept
            known = self._names[id(entry)] = _Mark(entry), names
        return known[1]


class _Mark:
    """The parts of an entry that change with its code, by identity."""

    __slots__ = ("columns", "entry", "operand", "value")

    def __init__(self, entry: CodeEntry) -> None:
        self.entry = entry
        self.columns = entry.bytecode.columns
        self.operand = self.columns.operand
        self.value = self.columns.value

    def is_of(self, entry: CodeEntry) -> bool:
        columns = entry.bytecode.columns
        return (
            columns is self.columns
            and columns.operand is self.operand
            and columns.value is self.value
            and entry is self.entry
        )


def _numbers_in(entry: CodeEntry) -> Numbers:
    columns = entry.bytecode.columns
    shown = is_pushref(columns) & (entry.bytecode.record == NO_RECORD)
    doubles = columns.operand[columns.type1 == int(DataType.DOUBLE)].view(np.float64)
    held = np.unique(np.concatenate((columns.value, columns.operand, columns.operand & NO_ASSET)))
    return Numbers(
        frozenset(columns.operand[shown].tolist()),
        frozenset(columns.value[_owners(columns)].tolist()),
        frozenset(held.tolist()) | frozenset(doubles.tolist()),
    )


def _owners(columns: Columns) -> Mask:
    """The accesses of a variable whose instance is an object, such as ``obj_wall.x``."""
    kinds = columns.operand >> 24 & 0xF8
    plain: Mask = (columns.value >= 0) & (kinds == int(ReferenceType.NORMAL))
    return is_variable(columns) & plain


_TEXTS = re.compile(r"\"(?:\\.|[^\"\\\n])*\"|'[^'\n]*'|//[^\n]*")
_WORDS = re.compile(r"[A-Za-z_]\w*")


def words_of(source: str) -> list[str]:
    """The names in a source, in order; not those in texts."""
    return _WORDS.findall(without_texts(source))


def without_texts(source: str) -> str:
    """A source without the texts and comments in it."""
    return _TEXTS.sub("", source)


def with_words(source: str, words: Mapping[str, str]) -> str:
    """A source with other words in the place of names, but for those in texts and of members."""
    known = "|".join(map(re.escape, words))
    pattern = re.compile(rf"{_TEXTS.pattern}|(?<![\w.])(?:{known})(?!\w)")
    return pattern.sub(lambda match: words.get(match[0], match[0]), source)
