"""The conclusions from the code of a game, kept in the user's cache folder.

Kept are the types that are inferred from all code, the sources of entries, and whether these
compile to the code they were made of.  The name of the
file is a digest of all that both depend on: the instructions, the names of what they refer to, and
the modules of the decompiler.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Iterator
from functools import cache
from typing import Final

import msgspec

from overhaul.document import caches
from overhaul.errors import OverhaulError
from overhaul.gamemaker.data.chunks import KIND_CHUNKS
from overhaul.gamemaker.data.chunks.bytecode import Bytecode, join
from overhaul.gamemaker.data.chunks.code import CodeEntry
from overhaul.gamemaker.data.chunks.extn import Extension
from overhaul.gamemaker.data.chunks.func import CodeLocals, Function, Script, Variable
from overhaul.gamemaker.data.listed_names import resource_names, string_addresses
from overhaul.gamemaker.data.model import GameModel
from overhaul.gml.decompiler.options import DEFAULT, DecompileOptions
from overhaul.gml.decompiler.types.facts import InferredTypes, Location, LocationKind
from overhaul.gml.decompiler.types.habits import Fractions

logger: logging.Logger = logging.getLogger(__name__)

_ENDING: Final = "learned"
_ASKED: Final = "asked"
#: the names of code that this program was the first to ask of
_asked: Final[set[str]] = set()
_NAMES: Final = "names"
_COLUMNS: Final = ("opcode", "type1", "type2", "value", "operand", "size")
_MODULES: Final = ("gml", "gamemaker/data/code", "gamemaker/data/chunks")

Source = tuple[str, list[str]]
"""A source, and why parts of it are assembly in comments."""


class _Types(msgspec.Struct, array_like=True):
    """InferredTypes as bytes and numbers."""

    types: list[tuple[int, bytes, bytes, int, bytes | None, bytes]]
    numbers: bool
    says_self: bool
    denominator: int
    factors: list[bytes]
    called: bool
    with_index: bool


class _Content(msgspec.Struct, array_like=True):
    """The content of a file: the sources of entries by their index, and why some do not compile to
    their bytecode (None: they do)."""

    inferred: _Types
    sources: dict[int, tuple[bytes, list[bytes]]]
    checks: dict[int, bytes | None]


class _Names(msgspec.Struct, array_like=True):
    """The content of a file of names: all of them, and the numbers of those in each entry, by its
    index."""

    words: list[bytes]
    rows: dict[int, list[int]]


class Remembered:
    """The facts about the code of a game at the time of the first question, which opens the cache.

    ``inferred`` is None where nothing is known.  ``is_used``: something was answered from it.
    Without a game, nothing is known or kept.
    """

    def __init__(self, game: GameModel | None) -> None:
        self._game = game
        self._inferred: InferredTypes | None = None
        self.is_open = False
        self.is_used = False
        self._name: str = ""
        self._known: dict[int, tuple[bytes, list[bytes]]] = {}
        self._new: dict[int, Source] = {}
        self._checks: dict[int, bytes | None] = {}
        self._is_checked = False
        #: the names in sources by the index of the entry; None before they were looked for
        self._names: dict[int, frozenset[str]] | None = None
        self._has_new_names = False
        self._places: dict[int, tuple[int, CodeEntry, Bytecode]] = {}

    def _open(self) -> None:
        self.is_open = True
        if self._game is None:
            return
        for index, entry in enumerate(self._game.records.code):
            if entry is not None and entry.root is None:
                self._places[id(entry)] = index, entry, entry.bytecode
        if not caches.is_allowed():
            return
        try:
            self._name = digest_of(self._game)
        except OverhaulError as error:
            logger.debug("nothing is known of the code: %s", error)
            return
        content = caches.read(self._name, _ENDING)
        if content is not None:
            self._load(content)

    def _load(self, content: bytes) -> None:
        try:
            stored = msgspec.msgpack.decode(content, type=_Content)
            self._inferred = _inferred(stored.inferred)
        except (msgspec.DecodeError, ValueError) as error:
            logger.debug("a cache is no longer understood: %s", error)
            return
        self._known = stored.sources
        self._checks = stored.checks

    @property
    def inferred(self) -> InferredTypes | None:
        """The types that were inferred from all code."""
        if not self.is_open:
            self._open()
        return self._inferred

    @inferred.setter
    def inferred(self, inferred: InferredTypes | None) -> None:
        if not self.is_open:
            self._open()
        self._inferred = inferred

    def may_read_much(self) -> bool:
        """Whether much of the code may be read for one entry: if nothing is known of it, and no
        other program asked this before, which the cache notes.

        For a second program it is less work to read all code, as what all code shows is kept.
        """
        if self.inferred is not None:
            return False
        if not self._name:
            return True
        if self._name not in _asked and caches.read(self._name, _ASKED) is None:
            caches.write(self._name, _ASKED, b"")
            _asked.add(self._name)
        return self._name in _asked

    def _place(self, root: CodeEntry) -> int | None:
        """The index of a root entry, if its code is still the same."""
        if not self.is_open:
            self._open()
        place = self._places.get(id(root))
        return None if place is None or place[2] is not root.bytecode else place[0]

    def source(self, root: CodeEntry, options: DecompileOptions | None = None) -> Source | None:
        """The source of a root entry, None where it is not known, or ``options`` are not the
        default."""
        if options is not None and options != DEFAULT:
            return None
        place = self._place(root) if self.inferred is not None else None
        if place is None:
            return None
        known = self._known.get(place)
        if known is None:
            return self._new.get(place)
        self.is_used = True
        return _text(known[0]), [_text(problem) for problem in known[1]]

    def check(self, root: CodeEntry) -> tuple[str | None] | None:
        """Why the source of a root entry does not compile to its bytecode, or None if it does, in a
        tuple; None where that is not known."""
        place = self._place(root)
        if place is None or place not in self._checks:
            return None
        reason = self._checks[place]
        return (None if reason is None else _text(reason),)

    def keep_check(self, root: CodeEntry, reason: str | None) -> None:
        """Note why the source of a root entry does not compile to its bytecode, None if it does."""
        place = self._place(root)
        if place is not None:
            self._checks[place] = None if reason is None else _raw(reason)
            self._is_checked = True

    def keep_source(
        self, root: CodeEntry, source: Source, options: DecompileOptions | None = None
    ) -> None:
        """Note the source of a root entry, if ``options`` are the default."""
        place = self._place(root) if options in (None, DEFAULT) else None
        if place is not None:
            self._new[place] = source

    def names(self, root: CodeEntry) -> frozenset[str] | None:
        """The names in the source of a root entry, None where they are not known."""
        place = self._place(root)
        return None if place is None else self._known_names().get(place)

    def keep_names(self, root: CodeEntry, names: frozenset[str]) -> None:
        """Note the names in the source of a root entry."""
        place = self._place(root)
        if place is not None:
            self._known_names()[place] = names
            self._has_new_names = True

    def _known_names(self) -> dict[int, frozenset[str]]:
        if self._names is None:
            self._names = _read_names(self._name) if self._name else {}
        return self._names

    def save_names(self) -> None:
        """Write the names that are known, if some were added."""
        if self._has_new_names and self._name and self._names is not None:
            self._has_new_names = False
            words = sorted({word for names in self._names.values() for word in names})
            numbers = {word: number for number, word in enumerate(words)}
            rows = {
                index: [numbers[word] for word in names] for index, names in self._names.items()
            }
            content = msgspec.msgpack.encode(_Names(list(map(_raw, words)), rows))
            caches.write(self._name, _NAMES, content)

    def keep(self, inferred: InferredTypes) -> None:
        """Note types, and write what is known."""
        if self.inferred is None and self._name:
            self.inferred = inferred
            self._write()

    def save(self) -> None:
        """Write what is known, if sources or checks were added."""
        if (self._new or self._is_checked) and self._inferred is not None:
            self._known |= {
                index: (_raw(text), [_raw(problem) for problem in problems])
                for index, (text, problems) in self._new.items()
            }
            self._new = {}
            self._is_checked = False
            self._write()

    def _write(self) -> None:
        if self._inferred is not None and self._name:
            content = msgspec.msgpack.encode(
                _Content(_stored(self._inferred), self._known, self._checks)
            )
            caches.write(self._name, _ENDING, content)


def _read_names(name: str) -> dict[int, frozenset[str]]:
    content = caches.read(name, _NAMES)
    if content is None:
        return {}
    try:
        stored = msgspec.msgpack.decode(content, type=_Names)
        words = list(map(_text, stored.words))
        return {
            index: frozenset(words[number] for number in row) for index, row in stored.rows.items()
        }
    except (msgspec.DecodeError, ValueError, IndexError) as error:
        logger.debug("a cache is no longer understood: %s", error)
        return {}


def _raw(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "surrogatepass")


def _stored(inferred: InferredTypes) -> _Types:
    types = [
        (
            int(location.kind), _raw(location.name), _raw(location.owner), location.number,
            None if location.element is None else _raw(location.element), _raw(kind),
        )
        for location, kind in inferred.types.items()
    ]  # fmt: skip
    fractions = inferred.fractions
    return _Types(
        types, inferred.numbers, inferred.says_self, fractions.denominator,
        sorted(map(_raw, fractions.factors)), inferred.called, inferred.with_index,
    )  # fmt: skip


def _inferred(stored: _Types) -> InferredTypes:
    """Raises ValueError for a kind of location that there is not."""
    types = {
        Location(
            LocationKind(kind), _text(name), _text(owner), number,
            None if element is None else _text(element),
        ): _text(type_name)
        for kind, name, owner, number, element, type_name in stored.types
    }  # fmt: skip
    fractions = Fractions(stored.denominator, frozenset(map(_text, stored.factors)))
    return InferredTypes(
        types, stored.numbers, stored.says_self, fractions, stored.called, stored.with_index
    )


# -- what it depends on ----------------------------------------------------------------------------


@cache
def _modules() -> str:
    return caches.stamp_of(*_MODULES)


def digest_of(game: GameModel) -> str:
    """The digest of the code of a game, with everything that its sources depend on. Raises
    FormatError."""
    whole = hashlib.blake2b(_modules().encode("utf-8", "surrogateescape"), digest_size=20)
    for part in _named(game):
        whole.update(part.encode("utf-8", "surrogatepass"))
        whole.update(b"\0")
    codes = [
        entry.bytecode for entry in game.records.code if entry is not None and entry.root is None
    ]
    code = join(codes, views=True)
    whole.update(" ".join(str(len(each)) for each in codes).encode())
    for name in _COLUMNS:
        whole.update(getattr(code.columns, name).data)
    whole.update(code.record.data)
    if code.columns.residue is not None:
        whole.update(code.columns.residue.data)
    return whole.hexdigest()


def _named(game: GameModel) -> Iterator[str]:
    """All names and settings of a game that its sources depend on."""
    yield repr(game.release)
    yield str(game.record("GEN8").config or "")
    yield " ".join(game.chunks)
    table = string_addresses(game)
    for chunk in (*KIND_CHUNKS.values(), "AGRP"):
        yield from _list(chunk, (str(name) for name in resource_names(game, chunk, table)))
    yield from _list("SCPT", map(_script, game.records.scripts))
    yield from _list("EXTN", map(_extension, game.records.extensions))
    yield from _list("VARI", map(_variable, game.variables.items))
    yield from _list("FUNC", (_name_of(function) for function in game.functions.items))
    yield from _list("STRG", map(str, game.strings))
    yield from _list("CODE", _entries(game))
    record = game.record("FUNC")
    yield from _list("locals", map(_locals, getattr(record, "code_locals", None) or ()))


def _list(name: str, parts: Iterator[str]) -> Iterator[str]:
    """A list that can't be mistaken for another: with its length, and those of its texts."""
    texts = list(parts)
    yield f"{name} {len(texts)} {' '.join(str(len(text)) for text in texts)}"
    yield "\n".join(texts)


def _name_of(record: Function | None) -> str:
    return "" if record is None else str(record.name)


def _script(script: Script | None) -> str:
    if script is None:
        return ""
    entry = script.code.entry
    return f"{script.name} {getattr(entry, 'name', entry)} {getattr(entry, 'index', '')}"


def _extension(extension: Extension | None) -> str:
    if extension is None:
        return ""
    functions = [function for file in extension.files or () for function in file.functions]
    return " ".join(f"{function.name} {len(function.arguments)}" for function in functions)


def _variable(variable: Variable | None) -> str:
    if variable is None:
        return ""
    return f"{variable.name} {variable.instance_type} {variable.id}"


def _entries(game: GameModel) -> Iterator[str]:
    for entry in game.records.code:
        if entry is None:
            yield ""
            continue
        root = "" if entry.root is None else f" {entry.root.name}"
        yield (
            f"{entry.name}{root} {entry.offset} {entry.locals_count} {entry.arguments} "
            f"{len(entry.bytecode)} {entry.bytecode.unreadable}"
        )


def _locals(known: CodeLocals) -> str:
    return f"{known.name} {' '.join(f'{local.name} {local.index}' for local in known.locals)}"
