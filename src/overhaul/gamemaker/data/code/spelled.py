"""Which code may have a word in its source: by the names and texts that its instructions hold."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from overhaul.gamemaker.data.chunks import KIND_CHUNKS
from overhaul.gamemaker.data.chunks.bytecode import join
from overhaul.gamemaker.data.code.mention_index import NO_ASSET
from overhaul.gamemaker.data.code.mentions import has_plain_numbers, roots
from overhaul.gml.context import asset_types
from overhaul.gml.decompiler.wording import finder, may_say, values_of
from overhaul.gml.syntax.printer import string_text
from overhaul.gml.vm.columns import (
    FUNCTION_BIT,
    NO_RECORD,
    is_call,
    is_pushref,
    is_string_push,
    is_variable,
)
from overhaul.gml.vm.opcodes import REFERENCE_DISTANCE_MASK, DataType

if TYPE_CHECKING:
    from overhaul.gamemaker.data.chunks.code import CodeEntry
    from overhaul.gamemaker.data.code.model import CodeModel
    from overhaul.gml.vm.columns import Mask

    _Integers = npt.NDArray[np.int64] | npt.NDArray[np.int32] | npt.NDArray[np.float64]

_SHORT = int(DataType.INT16)
#: the instance left of a dot
_OWNERS = ("object", "room_instance")


class _Sought(NamedTuple):
    """The operands of instructions that stand for a word: numbers of records, strings and
    assets, the last as references, left of a dot, and as plain numbers."""

    records: set[int]
    strings: set[int]
    references: set[int]
    owners: set[int]
    constants: set[float]


def entries_with(game: CodeModel, word: str, *, any_case: bool = False) -> list[CodeEntry] | None:
    """The root entries whose source may have a word of ASCII letters, digits and underscores, or
    have it as a part of a longer one; None where all may."""
    if game.is_native or game.record("CODE") is None:
        return None
    context = game.language.context
    declared = (*context.macros, *context.enums, *(name for name, _ in _members(context.enums)))
    has = finder(word, any_case)
    if may_say(word, v2=context.dialect.gml_v2) or any(map(has, declared)):
        return None
    entries = list(roots(game))
    found = _instructions_with(entries, _sought(game, has))
    known = game.language.context.function_of_code
    for number, entry in enumerate(entries):
        if not found[number]:
            inside = (*game.language.children(entry), entry)
            names = (str(each.name) for each in inside)
            found[number] = bool(entry.bytecode.unreadable) or any(
                has(name) or has(known(name) or "") for name in names
            )
    return [entry for number, entry in enumerate(entries) if found[number]]


def values_named(game: CodeModel, word: str, *, any_case: bool) -> set[float]:
    """The numbers in the place of which source may have a name with a word."""
    return _sought(game, finder(word, any_case)).constants


def _members(enums: dict[str, list[tuple[str, int]]]) -> Iterable[tuple[str, int]]:
    return (member for members in enums.values() for member in members)


def _sought(game: CodeModel, has: Callable[[str], bool]) -> _Sought:
    context = game.language.context
    gms2 = context.dialect.gms2_or_later
    records, references = set[int](), set[int]()
    owners, constants = set[int](), values_of(has)
    for number, variable in enumerate(game.variables.items):
        if variable is not None and has(str(variable.name)):
            records.add(number)
    for number, function in enumerate(game.functions.items):
        if function is not None:
            name = str(function.name)
            if has(name) or has(context.function_of_code(name) or ""):
                records.add(number | FUNCTION_BIT)
    types = asset_types(context.dialect)
    for kind, names in context.assets.items():
        numbers = {index for index, name in names.items() if has(name)}
        references |= {code << 24 | n for code, of in types.items() if of == kind for n in numbers}
        if kind not in KIND_CHUNKS or has_plain_numbers(game, KIND_CHUNKS[kind]):
            constants |= numbers
        if kind in _OWNERS:
            owners |= numbers
    strings = {n for n, text in enumerate(map(str, game.strings)) if _is_written(text, has, gms2)}
    return _Sought(records, strings, references, owners, constants)


def _is_written(text: str, has: Callable[[str], bool], gms2: bool) -> bool:
    """Whether a text has the word, or its literal in source."""
    return has(text) or (not text.isprintable() and has(string_text(text, gms2)))


def _instructions_with(entries: list[CodeEntry], sought: _Sought) -> list[bool]:
    """For each entry whether one of its instructions has one of the numbers."""
    if not entries:
        return []
    code = join([entry.bytecode for entry in entries], views=True)
    columns, record = code.columns, code.record
    operand, value = columns.operand, columns.value
    text, shown = is_string_push(columns), is_pushref(columns)
    doubles = columns.type1 == int(DataType.DOUBLE)
    unlinked = record == NO_RECORD
    found = _among(record, sought.records) & ~unlinked
    found |= text & _among(operand, sought.strings)
    found |= shown & _among(operand, sought.references)
    # Code of removed objects (2024.11+) has strings in the place of records.
    named = unlinked & (is_variable(columns) | is_call(columns) | shown)
    found |= named & _among(operand & REFERENCE_DISTANCE_MASK, sought.strings)
    found |= named & _among(operand & NO_ASSET, sought.strings)
    plain = ~text & ~shown & unlinked
    found |= plain & ~doubles & _among(operand, sought.constants)
    found |= plain & doubles & _among(operand.view(np.float64), sought.constants)
    found |= (columns.type1 == _SHORT) & _among(value, sought.constants)
    found |= is_variable(columns) & _among(value, sought.owners)
    ends = np.cumsum([len(entry.bytecode) for entry in entries])
    whole = np.zeros(len(entries), np.bool_)
    whole[np.searchsorted(ends, np.flatnonzero(found), side="right")] = True
    made: list[bool] = whole.tolist()
    return made


def _among(numbers: _Integers, wanted: Collection[float]) -> Mask:
    if numbers.dtype.kind == "i":
        wanted = [number for number in wanted if int(number) == number]
    return np.isin(numbers, np.array(sorted(wanted), numbers.dtype))
