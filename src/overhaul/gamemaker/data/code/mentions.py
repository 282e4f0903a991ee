"""Which code names a resource: by reference, by number, or as a text."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from overhaul.errors import OverhaulError
from overhaul.gamemaker.data.asset_kinds import KIND_CHUNKS
from overhaul.gamemaker.data.code.context import SCRIPT_PREFIX
from overhaul.gml.context import asset_types
from overhaul.gml.vm.chains import FUNCTION_BIT, NO_RECORD
from overhaul.gml.vm.columns import Columns, Mask, is_pushref, is_string_push, is_variable
from overhaul.gml.vm.opcodes import DataType, ReferenceType

if TYPE_CHECKING:
    from overhaul.gamemaker.data.chunks.code import CodeEntry
    from overhaul.gamemaker.data.code.model import CodeModel

#: an asset index that is none, and the bits of an operand that are the index
NO_ASSET = 0xFFFFFF

_TEXTS = re.compile(r"\"(?:\\.|[^\"\\\n])*\"|'[^'\n]*'|//[^\n]*")
_WORDS = re.compile(r"[A-Za-z_]\w*")


def roots(game: CodeModel) -> Iterator[CodeEntry]:
    """The entries with bytecode of their own; none in a game of native code."""
    if game.record("CODE") is not None:
        yield from (entry for entry in game.named("CODE").present() if entry.root is None)


def words_of(source: str) -> list[str]:
    """The names in a source, in order; not those in texts."""
    return _WORDS.findall(_TEXTS.sub("", source))


def with_words(source: str, words: Mapping[str, str]) -> str:
    """A source with other words in the place of names, but for those in texts and of members."""
    known = "|".join(map(re.escape, words))
    pattern = re.compile(rf"{_TEXTS.pattern}|(?<![\w.])(?:{known})(?!\w)")
    return pattern.sub(lambda found: words.get(found[0], found[0]), source)


def names_in(entry: CodeEntry) -> list[str]:
    """The names in an entry's source, in order; none where it can't be decompiled."""
    try:
        source, _ = entry.game.language.source(entry)
    except OverhaulError:
        return []
    return words_of(source)


def holds_number(entry: CodeEntry, numbers: npt.NDArray[np.int64]) -> bool:
    """Whether an entry may hold one of the numbers as a constant."""
    columns = entry.bytecode.columns
    doubles = columns.operand[columns.type1 == int(DataType.DOUBLE)].view(np.float64)
    references = columns.operand & NO_ASSET
    held = (columns.value, columns.operand, references, doubles)
    return any(np.isin(each, numbers).any() for each in held)


def has_plain_numbers(game: CodeModel, chunk: str) -> bool:
    """Whether code of the game's version holds resources of a kind as plain numbers."""
    if chunk not in KIND_CHUNKS.values() or game.is_native or game.record("CODE") is None:
        return False
    dialect = game.language.context.dialect
    return not (dialect.asset_references or (chunk == "SCPT" and dialect.gml_v2))


def code_with(game: CodeModel, chunk: str, index: int, name: str) -> Iterator[CodeEntry]:
    """The root entries that name the resource of a number and a name, each once.

    Where code holds plain numbers, those are meant whose kind the code shows.
    """
    kind = next((kind for kind, each in KIND_CHUNKS.items() if each == chunk), None)
    if kind is None or game.is_native:
        return
    types = asset_types(game.language.context.dialect)
    operands = [number << 24 | index for number, each in types.items() if each == kind]
    bare = name.removeprefix(SCRIPT_PREFIX)
    called = {bare, SCRIPT_PREFIX + bare} if chunk == "SCPT" else set()
    calling = {id(entry) for entry in callers(game, called)}
    plain = has_plain_numbers(game, chunk)
    for entry in roots(game):
        columns = entry.bytecode.columns
        shown = is_pushref(columns) & (entry.bytecode.record == NO_RECORD)
        if (
            id(entry) in calling
            or np.isin(columns.operand[shown], operands).any()
            or (chunk == "OBJT" and (columns.value[_owners(columns)] == index).any())
            or (plain and holds_number(entry, np.array([index])) and name in names_in(entry))
        ):
            yield entry


def _owners(columns: Columns) -> Mask:
    """The accesses of a variable whose instance is an object, such as ``obj_wall.x``."""
    kinds = columns.operand >> 24 & 0xF8
    plain: Mask = (columns.value >= 0) & (kinds == int(ReferenceType.NORMAL))
    return is_variable(columns) & plain


def callers(game: CodeModel, names: Collection[str]) -> Iterator[CodeEntry]:
    """The root entries that call or refer to functions of these names."""
    numbers = [
        number | FUNCTION_BIT
        for number, function in enumerate(game.functions)
        if function is not None and str(function.name) in names
    ]
    if numbers:
        for entry in roots(game):
            if np.isin(entry.bytecode.record, numbers).any():
                yield entry


def code_with_text(game: CodeModel, text: str) -> Iterator[CodeEntry]:
    """The root entries that hold a text, e.g. the name in ``asset_get_index("spr_wall")``."""
    numbers = [string.number for string in game.strings if string == text]
    if numbers:
        for entry in roots(game):
            columns = entry.bytecode.columns
            if np.isin(columns.operand[is_string_push(columns)], numbers).any():
                yield entry
