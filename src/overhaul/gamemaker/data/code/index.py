"""Tables of a game's code: its roots, children, locals, records, numbering and layout."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from overhaul.errors import EncodeError
from overhaul.gamemaker.data.chunks.bytecode import Bytecode, join
from overhaul.gamemaker.data.chunks.code import CodeEntry, addresses_of
from overhaul.gamemaker.data.chunks.func import CodeLocals, Function, Variable
from overhaul.gamemaker.data.code.chains import ChainFiller, plain_dialect
from overhaul.gamemaker.data.model import GameModel
from overhaul.gml.vm.code import Code, LocalName
from overhaul.gml.vm.columns import FUNCTION_BIT, NO_RECORD, encode
from overhaul.gml.vm.linking import concatenate, fill_chains
from overhaul.gml.vm.opcodes import InstanceType
from overhaul.gml.vm.registration import ARGUMENTS

LOCAL = int(InstanceType.LOCAL)
SELF = int(InstanceType.SELF)
GLOBAL = int(InstanceType.GLOBAL)


class Mark(NamedTuple):
    """How many records and strings there were, and the highest ids."""

    variables: int
    functions: int
    strings: int
    highest: dict[int, int]


class KnownRecords:
    """The records of VARI and FUNC by name.

    Records added here are known at once, and :meth:`cut` removes them again; :meth:`fits` reports
    whether the lists were changed elsewhere.
    """

    def __init__(self, game: GameModel) -> None:
        self.game = game
        variables, functions = game.record("VARI"), game.record("FUNC")
        self.variables: list[Variable] = [] if variables is None else variables.variables
        self.functions: list[Function] = [] if functions is None else functions.functions
        #: before bytecode 15 variables have no scope and no id
        self.typed: bool = game.release.bytecode >= 15
        #: the variables other than locals, by name and scope
        self.shared: dict[tuple[str, int], int] = {}
        self.function_numbers: dict[str, int] = {}
        #: the variables ``arguments``: one for each root, in the order of the roots
        self.arguments: list[int] = []
        #: the highest id of each pool
        self.highest: dict[int, int] = {}
        layout = game.release
        #: whether globals have ids of their own
        self.separate: bool = layout.bytecode == 15 and layout.major < 2
        self._edits = game.strings.edits
        for number in range(len(self.variables)):
            self._know(number)
        for number, function in enumerate(self.functions):
            self.function_numbers.setdefault(str(function.name), number)
        self._counts = (len(self.variables), len(self.functions))

    def fits(self) -> bool:
        """Whether the lists still are as this object left them."""
        game = self.game
        return (
            self._edits == game.strings.edits
            and self.variables is game.variables.items
            and self.functions is game.functions.items
            and self._counts == (len(self.variables), len(self.functions))
        )

    def _know(self, number: int) -> None:
        variable = self.variables[number]
        scope = variable.instance_type if self.typed else SELF
        name = str(variable.name)
        if scope == LOCAL and self.typed:
            if name == ARGUMENTS:
                self.arguments.append(number)
            return
        self.shared.setdefault((name, scope), number)
        pool = self.pool(scope)
        self.highest[pool] = max(self.highest.get(pool, -1), variable.id)

    def pool(self, scope: int) -> int:
        """The series of ids that a variable's id belongs to."""
        return GLOBAL if self.separate and scope == GLOBAL else SELF

    def add_variable(self, name: str, scope: int, number: int | None = None) -> int:
        """Append a variable; ``number`` is its id (None: that of its name)."""
        string = self.game.strings.add(name)
        variable = Variable(string, scope)
        if self.typed:
            variable.id = int(string.number) if number is None else number
        self.variables.append(variable)
        place = len(self.variables) - 1
        self._know(place)
        self._counts = (place + 1, self._counts[1])
        return place

    def add_function(self, name: str) -> int:
        """Append a function."""
        place = len(self.functions)
        self.functions.append(Function(self.game.strings.add(name)))
        self.function_numbers.setdefault(name, place)
        self._counts = (self._counts[0], place + 1)
        return place

    def mark(self) -> Mark:
        """The state that :meth:`cut` returns to."""
        return Mark(*self._counts, len(self.game.strings), dict(self.highest))

    def cut(self, mark: Mark) -> None:
        """Remove what was added since a mark."""
        for number in range(mark.variables, len(self.variables)):
            variable = self.variables[number]
            scope = variable.instance_type if self.typed else SELF
            key = (str(variable.name), scope)
            if self.shared.get(key) == number:
                del self.shared[key]
        for number in range(mark.functions, len(self.functions)):
            name = str(self.functions[number].name)
            if self.function_numbers.get(name) == number:
                del self.function_numbers[name]
        while self.arguments and self.arguments[-1] >= mark.variables:
            self.arguments.pop()
        self.highest = dict(mark.highest)
        del self.variables[mark.variables :]
        del self.functions[mark.functions :]
        self._counts = (mark.variables, mark.functions)
        self.game.strings.cut(mark.strings)


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
        kept = {}
        for number in used[(used >= 0) & (used & FUNCTION_BIT == 0)].tolist():
            variable = variables[number]
            if variable.instance_type == InstanceType.LOCAL:
                kept[str(variable.name)] = number
        return kept


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
        self._joined = join(codes, views=True)
        self._addresses = addresses_of(self._joined.columns.size, self._sizes, self._begins)
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
        columns = self._joined.columns.pick(later)
        shift = code.size - self._sizes[number]
        addresses = [
            code.columns.offset.astype(np.int64) + self._begins[number],
            self._addresses[later].astype(np.int64) + shift,
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
        known = self._references[at]
        rows: Integers = np.sort(known[known // self._stride == wanted] % self._stride)
        return rows

    def _finals(self, record: npt.NDArray[np.int32]) -> tuple[Integers, Integers]:
        """The last words of chains, for the records that are referred to."""
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
    def instructions(self) -> int:
        """How many instructions the roots had when this was asked for first."""
        return sum(len(root.bytecode) for root in self.roots)

    @cached_property
    def root_numbers(self) -> dict[int, int]:
        """The number of each root, by its id, among the roots."""
        return {id(root): number for number, root in enumerate(self.roots)}

    @cached_property
    def _children(self) -> dict[int, list[CodeEntry]]:
        children: dict[int, list[CodeEntry]] = {}
        for entry in self.game.records.code.present():
            if entry.root is not None:
                children.setdefault(id(entry.root), []).append(entry)
        return children

    def children(self, root: CodeEntry) -> list[CodeEntry]:
        """The entries inside a root, in the order of the list."""
        return self._children.get(id(root), [])

    @cached_property
    def locals_lists(self) -> dict[str, CodeLocals]:
        """The code locals of each root, by its name; empty where the version has none."""
        record = self.game.record("FUNC")
        lists: dict[str, CodeLocals] = {}
        for locals_ in () if record is None else record.code_locals:
            lists.setdefault(str(locals_.name), locals_)
        return lists

    def local_names(self, name: str) -> list[str] | None:
        """The code locals of a root; None if the list does not exist."""
        known = self.locals_lists.get(name)
        return None if known is None else [str(local.name) for local in known.locals]

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
