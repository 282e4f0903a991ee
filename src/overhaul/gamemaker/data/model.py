"""The chunks of a data.win as typed attributes: what the rest of the model builds on.

Each chunk is decoded when it is first touched.  How that is done, and what follows when a list is
renumbered, is given by :class:`~overhaul.gamemaker.data.game.GameData`.
"""

from __future__ import annotations

import gc
from abc import abstractmethod
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Literal, SupportsIndex, overload

from overhaul.document.base import BaseDocument
from overhaul.document.protocol import Opaque, Siblings
from overhaul.errors import EncodeError
from overhaul.findings import Findings
from overhaul.gamemaker.data.chunks import CHUNKS, ChunkAttributes, ChunkRecords
from overhaul.gamemaker.data.detect import Evidence
from overhaul.gamemaker.data.references import NamedList
from overhaul.gamemaker.data.strings import AddressTable, StringTable
from overhaul.gamemaker.data.version import Version
from overhaul.gamemaker.form import Data, Form

if TYPE_CHECKING:
    from overhaul.gamemaker.data.chunks.code import CodeChunk
    from overhaul.gamemaker.data.chunks.func import FunctionList, VariableList
    from overhaul.gamemaker.data.layouts import Walked


class Chunk:
    """One chunk.

    ``record`` is the content once it is decoded. ``raw`` holds the chunk's bytes where it is not
    understood (an unknown chunk, or one whose fields do not parse): they are written back
    unchanged. ``kept`` holds the bytes of a chunk that is understood but does not follow the
    layout rules (gaps, elements out of order), with ``canonical``, what the rules gave for it:
    as long as the content still gives the same, the kept bytes are written. ``trailing`` are
    bytes at the end that are not the padding the rules call for. ``version`` is the release of
    its layout. ``name`` is its tag, ``start`` the offset of its content in the file, ``reason``
    says why it is not decoded.
    """

    __slots__ = (
        "canonical",
        "decoded",
        "end",
        "kept",
        "name",
        "raw",
        "reason",
        "record",
        "start",
        "trailing",
        "version",
    )

    def __init__(self, name: str, start: int = 0, end: int = 0) -> None:
        self.name: str = name
        self.start: int = start
        self.end: int = end
        self.record: Any = None
        self.decoded: bool = False
        self.raw: bytes | None = None
        self.reason: str = ""
        self.kept: bytes | None = None
        self.canonical: bytes | None = None
        self.trailing: bytes | None = None
        self.version: Version | None = None

    def opaque(self, offset: int, length: int) -> Opaque:
        """The line of the coverage report for bytes of this chunk that are carried unread."""
        return Opaque(offset, self.name, length, self.reason or "bytes beyond the rules")


#: the chunks that are read together
CODE_CHUNKS = ("CODE", "VARI", "FUNC")


#: chunks without pointers to or from other chunks
MEDIA_CHUNKS = frozenset({"TXTR", "AUDO"})


#: chunks without which a file can't be run
_NEEDED = ("CODE", "STRG", "TXTR", "AUDO")


class _Unread(list[Any]):
    """The elements of a chunk that can't be read: none, and none can be added."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name

    def append(self, item: Any) -> None:
        raise EncodeError(f"nothing can be added to {self.name}, which can't be read")

    def insert(self, index: SupportsIndex, item: Any) -> None:
        self.append(item)


class GameModel(ChunkAttributes, BaseDocument):
    """The chunks of a game's file: where they are, what they hold, and the release.

    ``data`` is the file as it was read, ``release`` the release of GameMaker that ``evidence``
    shows, ``siblings`` the files next to it.
    """

    kind = "gamemaker-data"

    def __init__(
        self,
        data: Data,
        form: Form,
        release: Version,
        evidence: list[Evidence],
        *,
        source: str | None = None,
        strict: bool = False,
        siblings: Siblings | None = None,
    ) -> None:
        super().__init__(source)
        self.data = data
        self.release = release
        self.evidence = evidence
        self.strict = strict
        self.siblings = siblings
        #: whether the release was given by the caller
        self.assumed = False
        self.alignment: int = form.alignment
        #: how much more the stored length of the FORM is than that of its chunks
        self.form_excess: int | None = form.form_excess
        self.trailing: bytes = form.trailing
        self.chunks: dict[str, Chunk] = {c.name: Chunk(c.name, c.start, c.end) for c in form.chunks}
        #: where the content of each chunk began in the file that was read
        self.read_starts: dict[str, int] = {c.name: c.start for c in form.chunks}
        self.last_chunk: str = form.chunks[-1].name if form.chunks else ""
        #: where the pointers of the string table led in the file
        self.string_pointers: tuple[int, ...] = ()
        #: the strings of a file without any
        self.no_strings: StringTable = StringTable()
        #: the records of the game's resources, in named lists
        self.records: ChunkRecords = ChunkRecords(self)
        self._lists: dict[str, NamedList[Any]] = {}
        #: functions called after chunks were decoded, with the warnings about them
        self.when_decoded: list[Callable[[Findings], None]] = []
        self._depth = 0
        #: walks through regular chunks, for writing the game: moving one takes no second walk
        self.walks: dict[str, Walked] = {}
        #: the numbers of strings and texture page items by what pointers to them hold in the file
        self.numbers: dict[str, dict[int, int]] = {}
        #: the strings by their addresses, with the table and its edits when that was made
        self._addresses: tuple[StringTable, int, AddressTable] | None = None
        #: whether chunks can be decoded without a doubt, of those that were looked at
        self.sound: dict[str, bool] = {}
        #: the names of code entries, and those of their files, as they were listed last
        self.code_stems: tuple[list[str], list[str]] | None = None
        #: values that took long to read, for games of the same bytes
        self.found: dict[str, object] = {}
        #: where large media of decoded chunks are in the file, by the ids of their views
        self.places: dict[int, tuple[memoryview, int]] = {}
        self._check_form()

    def _check_form(self) -> None:
        """Report a FORM whose stored length is another than that of its chunks."""
        if self.form_excess is None:
            missing = ", ".join(n for n in _NEEDED if n not in self.chunks) or "none"
            self.findings.warn(
                "truncated",
                "the FORM's length is 0: the compiler did not finish this file (missing chunks: "
                f"{missing})",
            )
        elif self.form_excess:
            self.findings.warn(
                "truncated", f"the FORM's length is {self.form_excess} bytes more than it has"
            )
        if self.trailing:
            self.findings.warn(
                "kept-as-bytes", f"{len(self.trailing)} bytes after the FORM are kept unchanged"
            )

    def close(self) -> None:
        """Release the file, and the walks through it."""
        self.walks = {}
        self.numbers = {}
        self.found = {}
        super().close()

    def let_go(self) -> None:
        """Let go of what was decoded: records, lists and the game hold each other."""
        for name, value in list(vars(self).items()):
            if isinstance(getattr(type(self), name, None), cached_property):
                del self.__dict__[name]
            elif isinstance(value, StringTable):
                value.let_go()
        for owner in self._lists.values():
            owner.let_go()
        for chunk in self.chunks.values():
            if chunk.name == "STRG" and chunk.record is not None:
                chunk.record.strings.let_go()
            chunk.record, chunk.decoded = None, False
        self.walks.clear()
        self.places.clear()
        self._addresses = self.code_stems = None
        self.found = {}  # others may have it

    @abstractmethod
    def decode_chunk(self, chunk: Chunk) -> None:
        """Decode a chunk: set its ``record``, or its ``raw`` bytes."""

    @abstractmethod
    def after_move(self, name: str, mapping: dict[int, int]) -> None:
        """Bring the game in line after the list of a chunk was renumbered (old -> new index)."""

    @overload
    def record(self, name: Literal["CODE"]) -> CodeChunk | None: ...
    @overload
    def record(self, name: Literal["VARI"]) -> VariableList | None: ...
    @overload
    def record(self, name: Literal["FUNC"]) -> FunctionList | None: ...
    @overload
    def record(self, name: str) -> Any: ...
    def record(self, name: str) -> Any:
        """The content of a chunk, decoded on first touch; None if it is not there or opaque."""
        chunk = self.chunks.get(name)
        if chunk is None:
            return None
        if not chunk.decoded:
            self._depth += 1
            before = len(self.findings)
            try:
                with paused_collection():
                    self.decode_chunk(chunk)
            finally:
                self._depth -= 1
            if name == "STRG" and chunk.record is not None:
                chunk.record.strings.changing = self._texts_move
            for report in self.when_decoded if not self._depth else ():
                report(Findings(self.findings[before:]))
        return chunk.record

    def named(self, name: str) -> NamedList[Any]:
        """The named list of a chunk; empty where the chunk is not there."""
        known = self._lists.get(name)
        if known is None:
            known = self._lists[name] = NamedList(
                name,
                CHUNKS[name].title,
                self.count(name),
                partial(self._items, name),
                self.load_all,
                lambda mapping: self.after_move(name, mapping),
                self,
            )
        return known

    def _items(self, name: str) -> list[Any]:
        record = self.record(name)
        if record is not None:
            items: list[Any] = getattr(record, CHUNKS[name].items)
            return items
        chunk = self.chunks.get(name)
        return [] if chunk is None else _Unread(name)

    @property
    def addresses(self) -> AddressTable:
        """The strings by what pointers to them hold in the file, as they are now."""
        strings, known = self.strings, self._addresses
        if known is None or known[0] is not strings or known[1] != strings.edits:
            made = AddressTable(strings, self.string_pointers)
            known = self._addresses = strings, strings.edits, made
        return known[2]

    def count(self, name: str) -> int:
        """How many elements a chunk's list has, without decoding it where the file states it."""
        chunk = self.chunks.get(name)
        if chunk is None or chunk.raw is not None:
            return 0
        if chunk.record is not None or name in ("VARI", "FUNC"):
            return len(getattr(self.record(name), CHUNKS[name].items, ()))
        at = CHUNKS[name].list_start(chunk.start)
        if at + 4 > chunk.end:
            return 0
        count = int.from_bytes(self.data[at : at + 4], "little")
        return count if 4 * count <= chunk.end - at - 4 else 0

    def count_present(self, name: str) -> int:
        """As :meth:`count`, without the elements that the compiler removed as unused."""
        chunk, count = self.chunks.get(name), self.count(name)
        if not count or chunk is None or name == "EMBI":  # the only list without pointers
            return count
        if chunk.record is not None:
            return sum(item is not None for item in getattr(chunk.record, CHUNKS[name].items))
        at = CHUNKS[name].list_start(chunk.start) + 4
        pointers = memoryview(bytes(self.data[at : at + 4 * count])).cast("I")
        return count - pointers.tolist().count(0)

    def load_all(self, *, leaving: Collection[str] = ()) -> None:
        """Decode every chunk; of those in ``leaving`` only what breaks a rule of the layout."""
        with paused_collection():
            self.record("STRG")
            for name in list(self.chunks):
                if name not in leaving or not self.is_regular(name):
                    self.record(name)

    def _texts_move(self) -> None:
        """Called before texts move, or go.  Raises EncodeError where code has their numbers."""
        if len(self.named("CODE")):
            raise EncodeError(
                "code has the numbers of texts: texts can be changed, and added at the end",
                path="STRG",
            )
        self.load_all()

    @abstractmethod
    def is_regular(self, name: str) -> bool:
        """Whether a chunk follows the layout rules, so that decoding it would warn of nothing."""

    def padding(self, name: str, position: int, last: bool) -> int:
        """How many zero bytes the rules put behind a chunk whose content ends at ``position``.

        Where chunks are not aligned, the shaders of GameMaker Studio 2 are padded by themselves.
        """
        alignment = self.alignment
        if alignment == 1 and name == "SHDR" and self.release.major >= 2:
            alignment = 4
        return 0 if last else -position % alignment

    @property
    def is_native(self) -> bool:
        """Whether the game was compiled to native code (YYC): it has no CODE, or an empty one.

        A game of bytecode without any code has a CODE with no entries (2 of 2 in the corpus).
        """
        chunk = self.chunks.get("CODE")
        return chunk is None or 0 < chunk.start == chunk.end


@contextmanager
def paused_collection() -> Iterator[None]:
    """Pause garbage collection while many objects are made, as none of them is garbage."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
