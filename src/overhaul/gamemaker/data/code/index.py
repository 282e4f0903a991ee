"""Tables of a game's code: its roots, children, locals, records, numbering and layout."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from overhaul.errors import EncodeError
from overhaul.gamemaker.data.chunks.code import Bytecode, CodeEntry, addresses_of, join
from overhaul.gamemaker.data.code.chains import ChainFiller, plain_dialect
from overhaul.gamemaker.data.code.records import KnownRecords
from overhaul.gml.vm.chains import FUNCTION_BIT, NO_RECORD
from overhaul.gml.vm.code import Code, LocalName
from overhaul.gml.vm.columns import Columns, encode
from overhaul.gml.vm.linking import concatenate, fill_chains
from overhaul.gml.vm.opcodes import InstanceType

if TYPE_CHECKING:
    from overhaul.gamemaker.data.chunks.code import CodeEntry
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


Integers = npt.NDArray[np.int64]


class GameLinks:
    """The roots of a game laid out as CODE lays them out; valid until its code changes.

    A word of a chain holds only the distance to the next one.  So the words of an entry follow from
    its own instructions and, for each record it refers to, the first reference after the entry: one
    entry can be linked without the others.
    """

    def __init__(self, game: GameModel, roots: list[CodeEntry]) -> None:
        self._game = game
        self._number = {id(root): number for number, root in enumerate(roots)}
        codes = [root.bytecode for root in roots]
        self._sizes = [code.size for code in codes]
        gap = 8 if game.release.bytecode <= 14 else 0
        begins = np.cumsum([0, *self._sizes])[:-1] + gap * np.arange(len(codes))
        self._begins: list[int] = begins.tolist()
        self._joined = join(codes)
        self._addresses = addresses_of(self._joined.columns, self._sizes, self._begins)
        self._stops = np.cumsum([0, *(len(code) for code in codes)])[1:].tolist()
        rows = np.flatnonzero(self._joined.record != NO_RECORD)
        # references by record, and by place within a record
        self._stride = len(self._joined) + 1
        self._references = np.sort(self._joined.record[rows].astype(np.int64) * self._stride + rows)
        self._words: list[bytes] | None = None

    def words(self, root: CodeEntry) -> bytes:
        """The bytecode of a root entry as stored in the game."""
        if self._words is None:
            self._words = self._all_words()
        return self._words[self._number[id(root)]]

    def _all_words(self) -> list[bytes]:
        columns = self._joined.columns
        filled = Bytecode(replace(columns, operand=columns.operand.copy()), self._joined.record)
        ChainFiller(self._game, self._game.strings.encode).fill(filled, self._addresses)
        words = encode(filled.columns, self._game.release.bytecode)
        ends = np.cumsum(self._sizes).tolist()
        return [words[end - size : end] for size, end in zip(self._sizes, ends, strict=True)]

    def words_in_place(self, root: CodeEntry, code: Bytecode) -> bytes:
        """The words that other code would have in the place of a root entry.

        Raises EncodeError where a chain would be too long for its bits.
        """
        number = self._number[id(root)]
        later = self._later(np.unique(code.record), self._stops[number])
        columns = _pick(self._joined.columns, later)
        shift = code.size - self._sizes[number]
        addresses = [
            code.columns.offset.astype(np.int64) + self._begins[number],
            self._addresses[later] + shift,
        ]
        record = np.concatenate([code.record, self._joined.record[later]])
        both = concatenate([code.columns, columns])
        both.offset = np.concatenate(addresses).astype(np.uint32)
        fill_chains(
            both,
            np.concatenate(addresses),
            record,
            *self._finals(code.record),
            plain_dialect(self._game),
        )
        return encode(both.rows(0, len(code)), self._game.release.bytecode)

    def _later(self, records: npt.NDArray[np.int32], stop: int) -> Integers:
        """The rows of the first references to some records from row ``stop`` on, ascending."""
        wanted = records[records != NO_RECORD].astype(np.int64)
        at = np.searchsorted(self._references, wanted * self._stride + stop)
        inside = at < len(self._references)
        wanted, at = wanted[inside], at[inside]
        found = self._references[at]
        rows: Integers = np.sort(found[found // self._stride == wanted] % self._stride)
        return rows

    def _finals(self, record: npt.NDArray[np.int32]) -> tuple[Integers, Integers]:
        """What the last words of chains hold, for the records that are referred to."""
        finals = []
        numbers = np.unique(record[record != NO_RECORD])
        is_function = (numbers & FUNCTION_BIT) != 0
        encode_string = self._game.strings.encode
        for items, mine in (
            (self._game.variables.items, numbers[~is_function]),
            (self._game.functions.items, numbers[is_function] & ~FUNCTION_BIT),
        ):
            final = np.zeros(len(items), np.int64)
            for number in mine.tolist():
                if number >= len(items):
                    raise EncodeError("an operand names a record that does not exist")
                own: Any = items[number]
                end = own.chain_end
                final[number] = encode_string(own.name) - 1 if end is None else end
            finals.append(final)
        return finals[0], finals[1]


def _pick(columns: Columns, rows: Integers) -> Columns:
    """Some rows of columns, in any order."""
    picked: dict[str, Any] = {}
    for each in fields(Columns):
        column = getattr(columns, each.name)
        picked[each.name] = None if column is None else column[rows]
    return Columns(**picked)


class CodeIndex:
    """A game's code at one time.

    Each part is worked out when it is first asked for, and kept.  An index is never brought up to
    date: after the lists of the game changed another one is made.  Only :attr:`layout` and
    :attr:`numbering` follow the instructions themselves; :meth:`forget_layout` drops them.
    """

    def __init__(self, game: GameModel) -> None:
        self.game = game
        self._records: KnownRecords | None = None
        self._layout: GameLinks | None = None
        self._numbering: GameNumbering | None = None

    @cached_property
    def roots(self) -> list[CodeEntry]:
        """The entries with bytecode of their own, in the order of the game."""
        return [entry for entry in self.game.records.code.present() if entry.root is None]

    @cached_property
    def root_numbers(self) -> dict[int, int]:
        """The number of each root, by its id, among the roots."""
        return {id(root): number for number, root in enumerate(self.roots)}

    @cached_property
    def _children(self) -> dict[int, list[CodeEntry]]:
        found: dict[int, list[CodeEntry]] = {}
        for entry in self.game.records.code.present():
            if entry.root is not None:
                found.setdefault(id(entry.root), []).append(entry)
        return found

    def children(self, root: CodeEntry) -> list[CodeEntry]:
        """The entries inside a root, in the order of the list."""
        return self._children.get(id(root), [])

    @cached_property
    def locals_lists(self) -> dict[str, CodeLocals]:
        """The code locals of each root, by its name; empty where the version has none."""
        record = self.game.record("FUNC")
        found: dict[str, CodeLocals] = {}
        for each in () if record is None else record.code_locals:
            found.setdefault(str(each.name), each)
        return found

    def local_names(self, name: str) -> list[str] | None:
        """The code locals of a root; None where there is no list of them."""
        found = self.locals_lists.get(name)
        return None if found is None else [str(local.name) for local in found.locals]

    def is_shared(self, variable: int, root: CodeEntry) -> bool:
        """Whether code of other roots refers to a variable record."""
        return any(
            bool((other.bytecode.record == variable).any())
            for other in self.roots
            if other is not root
        )

    @property
    def records(self) -> KnownRecords:
        """The records of VARI and FUNC by name."""
        if self._records is None or not self._records.fits():
            self._records = KnownRecords(self.game)
        return self._records

    @property
    def layout(self) -> GameLinks:
        """The game's code as it is laid out."""
        if self._layout is None:
            self._layout = GameLinks(self.game, self.roots)
        return self._layout

    @property
    def numbering(self) -> GameNumbering:
        """The numbers that assembly text shows."""
        if self._numbering is None:
            self._numbering = GameNumbering(self.game, self.locals_lists)
        return self._numbering

    def forget_layout(self) -> None:
        """Forget the layout and the numbering, after instructions changed."""
        self._layout = None
        self._numbering = None
