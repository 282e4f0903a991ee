"""Which code of two builds of a game is the same, by its columns."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from overhaul.gamemaker.data.chunks.bytecode import Bytecode, join
from overhaul.gamemaker.data.chunks.code import CodeEntry
from overhaul.gamemaker.data.model import GameModel
from overhaul.gml.context import Context, asset_types
from overhaul.gml.vm.columns import FUNCTION_BIT, NO_RECORD
from overhaul.gml.vm.opcodes import REFERENCE_TYPE_MASK, DataType, Opcode

if TYPE_CHECKING:
    from overhaul.gamemaker.data.code.index import CodeIndex

Numbers = npt.NDArray[np.int64]
Records = npt.NDArray[np.int32]
Mask = npt.NDArray[np.bool_]
_Indices = npt.NDArray[np.signedinteger]

_CALL, _BREAK = int(Opcode.CALL), int(Opcode.BREAK)
#: so many bytes say what a row means: an instruction, with the kind of its operand, and this
_ROW = 16
_HEAD = np.dtype(
    {
        "names": ["opcode", "type1", "type2", "size", "value"],
        "formats": ["u1", "u1", "u1", "u1", "<i4"],
        "offsets": [0, 1, 2, 3, 4],
        "itemsize": _ROW,
    }
)
#: so many rows are looked at together
_AT_ONCE = 1 << 16
#: the kind of a reference stands so many bits above the number of a name
_ABOVE = 24
_STRING, _DOUBLE = int(DataType.STRING), int(DataType.DOUBLE)


class SameCode:
    """Compares root entries of two builds without making their instructions.

    It holds for the games as they are: another is needed once their texts, variables or functions
    changed.
    """

    def __init__(
        self,
        games: tuple[GameModel, GameModel],
        indexes: tuple[CodeIndex, CodeIndex],
        first: Context,
        second: Context,
    ) -> None:
        self.contexts: tuple[Context, Context] = first, second
        #: earlier comparisons, by the ids of both roots
        self._known: dict[tuple[int, int], tuple[Bytecode, Bytecode, bool]] = {}
        self._variables = _meant(*map(_variables_of, games))
        self._functions = _meant(*map(_functions_of, games))
        self._strings = _meant(*(_first_of_each(game.strings, n) for n, game in enumerate(games)))
        #: the type in operands of ``pushref`` with which they mean the same in both games, but for
        #: that of scripts, which may be named otherwise; None where no type is certain
        self._script_type: int | None = None
        if first.dialect == second.dialect and first.assets == second.assets:
            types = asset_types(first.dialect)
            self._script_type = next(n for n, kind in types.items() if kind == "script")
        self._indexes: tuple[CodeIndex, CodeIndex] = indexes
        #: the meaning of all roots, by game
        self._digests: tuple[_Digests, _Digests] | None = None

    def __call__(self, one: CodeEntry, two: CodeEntry) -> bool:
        """Whether two roots certainly have the same code, and the same names of functions inside.

        False where they have not, or where only their instructions show it.
        """
        known = self._known.get((id(one), id(two)))
        if known is None or known[0] is not one.bytecode or known[1] is not two.bytecode:
            known = one.bytecode, two.bytecode, self.compare(one, two)
            self._known[id(one), id(two)] = known
        return known[2]

    def compare(self, one: CodeEntry, two: CodeEntry) -> bool:
        """As calling it, without noting the result."""
        if len(one.bytecode) != len(two.bytecode):
            return False
        if self._digests is None:
            self._digests = self._digests_of(0), self._digests_of(1)
        mine, theirs = self._digests[0].of(one), self._digests[1].of(two)
        certain = mine is not None and theirs is not None
        if mine is not None and theirs is not None and mine != theirs:
            return False
        return self._same_children(one, two) and (
            certain or self._same_rows(one.bytecode, two.bytecode)
        )

    def _same_children(self, one: CodeEntry, two: CodeEntry) -> bool:
        """Whether the functions inside two roots have the same names and places."""
        first, second = self._indexes[0].children(one), self._indexes[1].children(two)
        return len(first) == len(second) and all(
            mine.offset == theirs.offset and mine.name == theirs.name
            for mine, theirs in zip(first, second, strict=True)
        )

    def _digests_of(self, game: int) -> _Digests:
        """The digests of all roots of a game."""
        digests = _Digests()
        codes: list[Bytecode] = []
        size = 0
        for root in self._indexes[game].roots:
            codes.append(root.bytecode)
            size += len(root.bytecode)
            if size >= _AT_ONCE:
                digests.add(codes, *self._meanings(game, join(codes, views=True)))
                codes, size = [], 0
        if codes:
            digests.add(codes, *self._meanings(game, join(codes, views=True)))
        return digests

    def _meanings(self, game: int, whole: Bytecode) -> tuple[memoryview, Mask]:
        """The meaning of a game's rows, in bytes that both games share, and the rows whose bytes do
        not show it."""
        columns, record = whole.columns, whole.record
        opcode, operand = columns.opcode, columns.operand
        named = record != NO_RECORD
        functions = named & ((record & FUNCTION_BIT) != 0)
        bare = (columns.size > 1) & ~named
        assets = bare & (opcode == _BREAK)
        texts = bare & ~assets & (columns.type1 == _STRING)
        uncertain = bare & (opcode == _CALL)
        if self._script_type is None:
            uncertain |= assets
        else:
            uncertain |= assets & (operand >> _ABOVE == self._script_type)
        rows = np.empty((len(whole), 2), np.int64)
        meaning = rows[:, 1]
        meaning[:] = np.where(named, (operand & REFERENCE_TYPE_MASK) << _ABOVE, operand)
        meaning[texts] = 0
        for which, meant, numbers in (
            (texts, self._strings[game], operand),
            (functions, self._functions[game], record & ~FUNCTION_BIT),
            (named & ~functions, self._variables[game], record),
        ):
            places = np.flatnonzero(which)
            known = numbers[places]
            inside = (known >= 0) & (known < len(meant))
            if not inside.all():
                uncertain[places[~inside]] = True
                places, known = places[inside], known[inside]
            meaning[places] |= meant[known]
        head = rows.view(_HEAD)
        for name in ("opcode", "type1", "type2", "value"):
            head[name][:, 0] = getattr(columns, name)
        head["size"][:, 0] = columns.size | named << 4 | functions << 5 | texts << 6
        return rows.view(np.uint8).reshape(-1).data, uncertain

    def _same_rows(self, one: Bytecode, two: Bytecode) -> bool:
        mine, theirs = one.columns, two.columns
        if mine.residue is not None or theirs.residue is not None:
            return False
        for name in ("opcode", "type1", "type2", "value", "size"):
            if not np.array_equal(getattr(mine, name), getattr(theirs, name)):
                return False
        named, others = one.record != NO_RECORD, two.record != NO_RECORD
        wide = mine.size > 1
        if not np.array_equal(named, others):
            return False
        bare = wide & ~named
        if (mine.opcode[bare] == _CALL).any():
            return False  # named by the numbers of texts
        assets = bare & (mine.opcode == _BREAK)
        texts = bare & ~assets & (mine.type1 == _STRING)
        plain = ~named & ~texts & ~assets
        return (
            self._same_assets(mine.operand[assets].tolist(), theirs.operand[assets].tolist())
            and np.array_equal(mine.operand[plain], theirs.operand[plain])
            and _agree(self._strings, mine.operand[texts], theirs.operand[texts])
            and self._same_records(one.record[named], two.record[named])
            and np.array_equal(
                mine.operand[named] & REFERENCE_TYPE_MASK,
                theirs.operand[named] & REFERENCE_TYPE_MASK,
            )
        )

    def _same_assets(self, one: list[int], two: list[int]) -> bool:
        """Whether operands of ``pushref`` name the same assets; scripts may be named otherwise."""
        mine, theirs = self.contexts
        first = [_asset(raw, mine) for raw in one]
        second = [_asset(raw, theirs) for raw in two]
        return first == second and all(kind != "script" for kind, _ in first)

    def _same_records(self, one: Records, two: Records) -> bool:
        """Whether records have the same names."""
        functions = (one & FUNCTION_BIT) != 0
        return (
            np.array_equal(functions, (two & FUNCTION_BIT) != 0)
            and _agree(
                self._functions, one[functions] & ~FUNCTION_BIT, two[functions] & ~FUNCTION_BIT
            )
            and _agree(self._variables, one[~functions], two[~functions])
        )


class _Digests:
    """The meaning of the rows of each root as a digest, while the code is the same."""

    def __init__(self) -> None:
        self._digests: dict[int, tuple[Bytecode, bytes]] = {}

    def add(self, codes: list[Bytecode], meant: memoryview, uncertain: Mask) -> None:
        """Take rows of some roots; the bytes of ``uncertain`` ones do not show their meaning."""
        ends = np.cumsum([len(code) for code in codes], dtype=np.int64)
        places = np.searchsorted(ends, np.flatnonzero(uncertain), side="right")
        unclear = set(places.tolist())
        start = 0
        for number, (code, end) in enumerate(zip(codes, ends.tolist(), strict=True)):
            if number not in unclear and not code.has_residue:
                digest = blake2b(meant[_ROW * start : _ROW * end], digest_size=16).digest()
                self._digests[id(code)] = code, digest
            start = end

    def of(self, root: CodeEntry) -> bytes | None:
        """The digest of a root; None where the bytes of a row do not show its meaning."""
        known = self._digests.get(id(root.bytecode))
        return None if known is None else known[1]


def plain_numbers(code: Bytecode) -> Iterable[int | float]:
    """The numbers in instructions, without those that stand for names."""
    columns = code.columns
    wide = columns.size > 1
    plain = wide & (code.record == NO_RECORD) & (columns.type1 != _STRING)
    is_double = columns.type1[plain] == _DOUBLE
    operands = columns.operand[plain]
    yield from set(columns.value[~wide].tolist())
    yield from set(operands[~is_double].tolist())
    yield from set(operands[is_double].astype(np.int64).view(np.float64).tolist())


def _asset(raw: int, context: Context) -> tuple[str, str | int]:
    """The kind of asset that an operand names, and its name (its number without one)."""
    kind, number = asset_types(context.dialect).get(raw >> 24, f"type_{raw >> 24}"), raw & 0xFFFFFF
    return kind, context.assets.get(kind, {}).get(number, number)


def _variables_of(game: GameModel) -> list[Hashable]:
    """The names and instance types of a game's variables (no type in bytecode 13 and 14)."""
    typed = game.release.bytecode >= 15
    chunk = game.record("VARI")
    items = [] if chunk is None else chunk.variables
    return [(each.name, each.instance_type if typed else None) for each in items]


def _functions_of(game: GameModel) -> list[Hashable]:
    """The names of a game's functions."""
    chunk = game.record("FUNC")
    return [] if chunk is None else [each.name for each in chunk.functions]


def _first_of_each(texts: Sequence[str], game: int) -> list[Hashable]:
    """Texts, but for those that are there already, which code distinguishes by their numbers."""
    seen: set[str] = set()
    parts: list[Hashable] = []
    for number, text in enumerate(texts):
        parts.append((game, number) if text in seen else text)
        seen.add(text)
    return parts


def _meant(one: Sequence[Hashable], two: Sequence[Hashable]) -> tuple[Numbers, Numbers]:
    """Number the meanings of two lists: the same number stands for the same meaning."""
    known: dict[Hashable, int] = {}
    numbered = [[known.setdefault(item, len(known)) for item in items] for items in (one, two)]
    return np.array(numbered[0], np.int64), np.array(numbered[1], np.int64)


def _agree(meant: tuple[Numbers, Numbers], one: _Indices, two: _Indices) -> bool:
    """Whether the indices of two lists mean the same; False where one is out of its list."""
    for known, indices in zip(meant, (one, two), strict=True):
        if len(indices) and (indices.min() < 0 or indices.max() >= len(known)):
            return False
    return np.array_equal(meant[0][one], meant[1][two])
