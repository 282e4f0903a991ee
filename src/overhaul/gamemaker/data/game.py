"""A compiled GameMaker game: data.win and its relatives, as a model.

Opening reads the chunk table and a few words; each chunk is decoded when it is first touched.
Writing rebuilds the whole file from the model.
"""

from __future__ import annotations

import gc
import struct
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from overhaul.document.protocol import BaseDocument, Beside, Coverage, Opaque
from overhaul.errors import EncodeError, FormatError
from overhaul.gamemaker.data import uid
from overhaul.gamemaker.data.chunks import CHUNKS
from overhaul.gamemaker.data.container import Container, Data, read_container
from overhaul.gamemaker.data.detect import Evidence, detect
from overhaul.gamemaker.data.references import NamedList, NumberTable, ReferenceTable
from overhaul.gamemaker.data.slots import Slot
from overhaul.gamemaker.data.strings import AddressTable, StringTable
from overhaul.gamemaker.data.version import BREAKS, Version

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from PIL.Image import Image

    from overhaul.gamemaker.data.chunks.code import CodeEntry
    from overhaul.gamemaker.data.code.language import Each, Language
    from overhaul.gamemaker.data.pictures import PageImages
    from overhaul.gamemaker.data.sounds import AudioGroups
    from overhaul.gml.vm.code import Code
    from overhaul.schema import Reader

#: chunks whose layout does not depend on the release, or only on the bytecode version
FIXED_LAYOUT = frozenset({"GEN8", "STRG", "CODE", "VARI", "FUNC", "TPAG", "AUDO"})
CODE_CHUNKS = ("CODE", "VARI", "FUNC")


class GameData(BaseDocument):
    """A data.win (game.unx, game.ios, game.droid): every chunk, read and written.

    Chunks are attributes in the field's own words: ``game.sprites``, ``game.rooms``,
    ``game.code``, ``game.strings``, ``game.general``, ...; lists are named
    (``game.sprites["spr_player"]``) and references resolve
    (``game.rooms[0].instances[0].object.sprite``).
    """

    kind = "gamemaker-data"
    _attributes: ClassVar[dict[str, str]] = {kind.attribute: n for n, kind in CHUNKS.items()}

    def __init__(
        self,
        data: Data,
        container: Container,
        layout: Version,
        evidence: list[Evidence],
        *,
        source: str | None = None,
        strict: bool = False,
        beside: Beside | None = None,
    ) -> None:
        super().__init__(source)
        self.data = data
        self.layout = layout
        self.evidence = evidence
        self.strict = strict
        self.beside = beside
        self.assumed = False
        self.alignment = container.alignment
        #: how much more the stored length of the FORM is than that of its chunks
        self.form_excess = container.form_excess
        self.trailing = container.trailing
        self.slots = {c.name: Slot(c.name, c.start, c.end) for c in container.chunks}
        self.last_chunk = container.chunks[-1].name if container.chunks else ""
        self.places = {c.name: c.start for c in container.chunks}
        self.lists: dict[str, NamedList] = {}
        self.string_pointers: tuple[int, ...] = ()
        self._coverage = Coverage()
        self.tables = _Tables(self)
        if self.form_excess:
            self.warnings.append(f"the FORM says {self.form_excess} bytes more than it has")
        if self.trailing:
            self.warnings.append(f"{len(self.trailing)} bytes behind the FORM are kept as they are")

    # -- opening -----------------------------------------------------------------------------

    @classmethod
    def from_bytes(
        cls,
        data: Data,
        *,
        source: str | None = None,
        assume_version: str | None = None,
        strict: bool = False,
        beside: Beside | None = None,
    ) -> GameData:
        """Open a game.  Raises FormatError for a file that is no FORM file of a game."""
        container = read_container(data, source)
        if container.find("GEN8") is None or container.find("STRG") is None:
            missing = "GEN8" if container.find("GEN8") is None else "STRG"
            raise FormatError(
                f"no game's data: the chunk {missing} is missing", source=source, offset=8
            )
        try:
            layout, evidence = detect(data, container)
        except (FormatError, struct.error, IndexError):
            raise FormatError("GEN8 is too short", source=source, offset=8, path="GEN8") from None
        if assume_version is not None:
            layout = _assumed(layout, assume_version)
            evidence = [Evidence(assume_version, "assumed on request")]
        game = cls(data, container, layout, evidence, source=source, strict=strict, beside=beside)
        game.assumed = assume_version is not None
        return game

    @property
    def version(self) -> str:  # type: ignore[override]
        """The release found, e.g. ``2023.8``."""
        return str(self.layout)

    # -- chunks ------------------------------------------------------------------------------

    def chunk(self, name: str) -> Any:
        """The content of a chunk, decoded on first touch; None if it is not there or opaque."""
        slot = self.slots.get(name)
        if slot is None:
            return None
        if not slot.decoded:
            if name in CODE_CHUNKS:
                self._load_code()
            else:
                self.decode_chunk(slot)
        return slot.record

    def __getattr__(self, name: str) -> Any:
        chunk = self._attributes.get(name)
        if chunk is None:
            raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")
        if chunk == "STRG":
            return self._string_table()
        if CHUNKS[chunk].items:
            return self.named(chunk)
        return self.chunk(chunk)

    def __dir__(self) -> list[str]:
        there = [name for name, chunk in self._attributes.items() if chunk in self.slots]
        return [*super().__dir__(), *there]

    def named(self, chunk: str) -> NamedList:
        """The named list of a chunk; empty where the chunk is not there."""
        found = self.lists.get(chunk)
        if found is None:
            kind = CHUNKS[chunk]

            def load() -> list[Any]:
                record = self.chunk(chunk)
                return [] if record is None else getattr(record, kind.items)

            def moved(mapping: dict[int, int]) -> None:
                from overhaul.gamemaker.data.renumber import after_move

                after_move(self, chunk, mapping)

            size = self._count(chunk)
            found = NamedList(chunk, kind.word, size, load, self.load_all, moved)
            found.game = self
            self.lists[chunk] = found
        return found

    def _count(self, chunk: str) -> int:
        """How many elements a list has, without decoding it."""
        slot = self.slots.get(chunk)
        if slot is None or slot.raw is not None:
            return 0
        if chunk == "STRG" and slot.record is not None:
            return len(slot.record.strings)
        if slot.record is not None:
            return len(getattr(slot.record, CHUNKS[chunk].items))
        if chunk in ("VARI", "FUNC"):
            return len(getattr(self.chunk(chunk), CHUNKS[chunk].items, ()))
        at = slot.start
        if chunk in ("ACRV", "SEQN", "FEDS", "PSEM", "PSYS"):
            at += -at % 4 + 4
        elif chunk in ("TGIN", "EMBI"):
            at += 4
        if at + 4 > slot.end:
            return 0
        count = int.from_bytes(self.data[at : at + 4], "little")
        return count if 4 * count <= slot.end - at - 4 else 0

    def _string_table(self) -> StringTable:
        record = self.chunk("STRG")
        if record is None:
            raise FormatError("the strings can't be read", source=self.source, path="STRG")
        table: StringTable = record.strings
        return table

    def decode(self) -> None:
        """Decode everything; the same as :meth:`load_all`."""
        self.load_all()

    def load_all(self) -> None:
        """Decode every chunk."""
        with paused_collection():
            self.chunk("STRG")
            for name in list(self.slots):
                self.chunk(name)

    @property
    def is_native(self) -> bool:
        """Whether the game was compiled to native code (YYC): there is no bytecode."""
        slot = self.slots.get("CODE")
        if slot is None:
            return True
        if slot.decoded:
            return slot.raw is None and not slot.record.entries
        return int.from_bytes(self.data[slot.start : min(slot.start + 4, slot.end)], "little") == 0

    # -- pictures and sounds -----------------------------------------------------------------

    @cached_property
    def pictures(self) -> PageImages:
        """Decoded texture pages; the last few are kept."""
        from overhaul.gamemaker.data.pictures import PageImages

        return PageImages()

    def set_frame(self, sprite: Any, index: int, image: Image) -> None:
        """Give a frame of a sprite (a name, an index, or itself) another picture.

        ``image`` is a Pillow image of the sprite's full canvas.  It goes where packing a folder
        would put it: in its place on its texture page, or on a new page.  Raises IndexError for a
        frame that is not there, ValueError for another size.
        """
        from overhaul.gamemaker.data.painting import set_frame

        set_frame(self, self.sprites[self.sprites.index(sprite)], index, image)

    @cached_property
    def audio_files(self) -> AudioGroups:
        """The sounds of the game and of the audio groups beside it."""
        from overhaul.gamemaker.data.sounds import AudioGroups

        return AudioGroups(self)

    def sound_bytes(self, sound: Any) -> bytes | None:
        """The bytes of a sound, wherever they are stored; None where they are not to be found.

        ``sound`` is a name, an index, or the sound itself.
        """
        from overhaul.gamemaker.data.sounds import bytes_of_sound

        record = self.sounds[sound] if isinstance(sound, (str, int)) else sound
        found = bytes_of_sound(self, record)
        return None if found is None else bytes(found)

    def set_sound_bytes(self, sound: Any, data: bytes) -> None:
        """Give a sound (a name, an index, or itself) other bytes, stored where the old ones are.

        Its record follows where the format is another.
        """
        from overhaul.gamemaker.data.sounds import set_bytes

        set_bytes(self, self.sounds[self.sounds.index(sound)], bytes(data))

    def companions(self) -> Mapping[str, bytes]:
        """The files of the audio groups beside the game."""
        return self.audio_files.files()

    def _repr_html_(self) -> str:
        """A summary for notebooks."""
        from html import escape

        counts = "".join(
            f"<tr><td>{name}</td><td>{count}</td></tr>"
            for name, count in self.info()["resources"].items()  # type: ignore[attr-defined]
        )
        title = escape(f"{self.info()['name']} ({self.kind} {self.version})")
        return f"<p><b>{title}</b></p><table>{counts}</table>"

    # -- code --------------------------------------------------------------------------------

    @cached_property
    def language(self) -> Language:
        """The language tools at work on this game."""
        from overhaul.gamemaker.data.code.language import Language

        return Language(self)

    def compile(self, entry_name: str, source: str, definitions: str = "") -> Code:
        """Compile source as the code entry of this name; the game stays as it is.

        ``definitions``: GML text with ``#macro`` and ``enum`` lines.  ``to_bytes()`` of the result
        equals ``game.code[entry_name].to_bytes()`` where the source is the original one.  Raises
        KeyError for an unknown entry, SyntaxError_ and CompileError for the source.
        """
        return self.language.compile(entry_name, source, definitions)

    def add_script(self, name: str, source: str, definitions: str = "") -> CodeEntry:
        """Add a script; see :func:`.code.additions.add_script`, and there for more to add."""
        from overhaul.gamemaker.data.code.additions import add_script

        return add_script(self, name, source, definitions)

    def add_event(
        self, owner: Any, event: str | tuple[int, Any], source: str, definitions: str = ""
    ) -> CodeEntry:
        """Add an event (``"Step_0"``, ``"Collision_obj_wall"``) to an object given by name, index
        or record; see :func:`.code.additions.add_event`."""
        from overhaul.gamemaker.data.code.additions import add_event

        return add_event(self, owner, event, source, definitions)

    def code_names(self) -> list[str]:
        """The names of the entries with bytecode of their own, in the order of the game."""
        from overhaul.gamemaker.data.code.checking import root_names

        return root_names(self)

    def learn_code(self, each: Each) -> None:
        """Let the decompiler learn from all code, in several processes."""
        if not self.is_native and self.chunk("CODE") is not None:
            self.language.learn(each)

    def check_code(self, name: str) -> str | None:
        """None if the entry's own source compiles to its bytecode; else the reason (verify)."""
        from overhaul.gamemaker.data.code.checking import why_not_identical

        return why_not_identical(self, name)

    # -- decoding ----------------------------------------------------------------------------

    def _reader(self, slot: Slot, version: Version) -> Reader:
        from overhaul.schema import Reader

        return Reader(version=version, tables=self.tables, source=self.source, base=slot.start)

    def decode_chunk(self, slot: Slot) -> None:
        slot.decoded = True
        kind = CHUNKS.get(slot.name)
        if kind is None:
            self.give_up(slot, "Overhaul does not know this chunk")
            return
        if slot.end == slot.start:
            slot.version = self.layout
            slot.record = kind.load()()
            slot.trailing = b""
            return
        first = self._attempt(slot, self.layout)
        if isinstance(first, FormatError) or not first[2]:
            first = self._try_others(slot, first)
        if isinstance(first, FormatError):
            if slot.name in ("GEN8", "STRG"):
                raise first
            if self.strict:
                raise first
            self.give_up(slot, str(first))
            return
        slot.record, position, exact, notes, slot.version = first
        if slot.name == "STRG":
            self.string_pointers = self._pointers_of_strings(slot)
        if slot.name == "GEN8" and slot.record.major >= 2:
            slot.record.uid_inputs = uid.inputs(slot.record)
        if not exact:
            self._keep(slot, position, notes)

    def _attempt(self, slot: Slot, version: Version) -> Any:
        """(record, position, exact, notes, version) of one try, or the FormatError."""
        from overhaul.schema import codec_for

        reader = self._reader(slot, version)
        view = memoryview(self.data)[: slot.end]
        try:
            codec = codec_for(CHUNKS[slot.name].load(), version)
            record, position = codec.read(view, slot.start, reader)
        except FormatError as error:
            error.source = self.source
            return error.within(slot.name)
        except RecursionError:
            return FormatError("nested too deeply", source=self.source, path=slot.name)
        exact = not reader.notes and view[position:] == bytes(self._padding(slot, position))
        return record, position, exact, reader.notes, version

    def _padding(self, slot: Slot, position: int) -> int:
        """How many zero bytes the rules put at the end of a chunk."""
        if slot.name == self.last_chunk or self.alignment == 1:
            return 0
        return -position % self.alignment

    def _try_others(self, slot: Slot, first: Any) -> Any:
        """The layouts of other releases: the one that consumes every byte, or the first try."""
        if self.assumed or slot.name in FIXED_LAYOUT or self.layout.major < 2:
            return first
        position = max(i for i, number in enumerate(BREAKS) if number <= self.layout.number)
        order = sorted(range(1, len(BREAKS)), key=lambda i: (abs(i - position), -i))
        may_be_lts = not {"PSEM", "UILR"} & self.slots.keys()
        for index in order:
            candidate = self.layout.with_number(*BREAKS[index])
            for version in (candidate, candidate._replace(lts=not candidate.lts)):
                if version == self.layout:
                    continue
                if version.lts and (version.number < (2022, 9) or not may_be_lts):
                    continue
                found = self._attempt(slot, version)
                if not isinstance(found, FormatError) and found[2]:
                    self.evidence.append(Evidence(str(version), f"layout of {slot.name}"))
                    return found
        return first

    def give_up(self, slot: Slot, reason: str) -> None:
        slot.raw = bytes(self.data[slot.start : slot.end])
        slot.reason = reason
        self.warnings.append(f"{slot.name} is carried as bytes: {reason}")

    def _keep(self, slot: Slot, position: int, notes: list[str]) -> None:
        """Remember what the rules would not give."""
        content = bytes(self.data[slot.start : slot.end])
        if not notes:
            slot.trailing = content[position - slot.start :]
            size = len(slot.trailing)
            self.warnings.append(
                f"{slot.name} ends with {size} bytes that are not padding"
                if any(slot.trailing)
                else f"{slot.name} is padded by {size} bytes, where the rule gives "
                f"{self._padding(slot, position)}"
            )
            return
        if self.strict:
            raise FormatError(
                f"the layout does not follow the rules: {notes[0]}",
                source=self.source,
                path=slot.name,
            )
        self.keep_layout(slot, notes[0])
        if slot.name not in CODE_CHUNKS:
            self.settle_layout(slot)

    def keep_layout(self, slot: Slot, reason: str) -> None:
        """Keep the bytes of a chunk that is understood but not laid out by the rules."""
        if slot.kept is None:
            slot.kept = bytes(self.data[slot.start : slot.end])
            slot.reason = reason
            self.warnings.append(f"{slot.name} is laid out in its own way: {reason}")

    def settle_layout(self, slot: Slot) -> None:
        """Note what the rules give for a kept chunk, so that a later change is seen."""
        from overhaul.gamemaker.data.writer import canonical_bytes

        try:
            slot.canonical = canonical_bytes(self, slot)
        except EncodeError as error:
            slot.kept = None
            slot.record = None
            self.give_up(slot, str(error))

    def _pointers_of_strings(self, slot: Slot) -> tuple[int, ...]:
        (count,) = struct.unpack_from("<I", self.data, slot.start)
        return struct.unpack_from(f"<{count}I", self.data, slot.start + 4)

    def _load_code(self) -> None:
        from overhaul.gamemaker.data.code.chains import load_code

        load_code(self)

    # -- writing -----------------------------------------------------------------------------

    def to_bytes(self) -> bytes:
        """The file, rebuilt from the model.

        Raises EncodeError for a model that can't be written, or where a chunk that is not
        understood would have to move.
        """
        from overhaul.gamemaker.data.writer import write_game

        self.load_all()
        with paused_collection():
            data, self._coverage = write_game(self)
        return data

    def coverage(self) -> Coverage:
        """How much was understood; valid after :meth:`to_bytes`."""
        return self._coverage

    def locate(self, offset: int) -> str:
        """The chunk a byte offset lies in."""
        for slot in self.slots.values():
            if slot.start - 8 <= offset < slot.end:
                return slot.name
        return ""

    # -- what it is --------------------------------------------------------------------------

    def info(self) -> dict[str, object]:
        """Name, versions, evidence and counts; reads the head and the lists' counts only."""
        from overhaul.gamemaker.data.summary import describe_game

        return describe_game(self)


class _Tables(dict[str, Any]):
    """The tables fields are resolved through, made when a codec first asks for one."""

    def __init__(self, game: GameData) -> None:
        super().__init__()
        self._game = game

    def __missing__(self, kind: str) -> Mapping[int, Any]:
        table = self[kind] = make_table(self._game, kind)
        return table


def make_table(game: GameData, kind: str) -> Mapping[int, Any]:
    """The table for one kind of resolved field."""
    if kind == "string":
        strings: StringTable = game.strings
        return AddressTable(strings, game.string_pointers)
    if kind == "item":
        return ItemTable(game)
    if kind == "number":
        return NumberTable()
    if kind == "parent":
        return ReferenceTable(game.named("OBJT"), none=-100)
    if kind == "asset":
        from overhaul.gamemaker.data.assets import AssetTable

        return AssetTable(game)
    return ReferenceTable(game.named(kind))


class ItemTable(dict[int, Any]):
    """Texture page items on reading, by their address."""

    def __init__(self, game: GameData) -> None:
        super().__init__()
        self[0] = None
        slot = game.slots.get("TPAG")
        if slot is None:
            return
        items = game.named("TPAG").items
        if slot.raw is None and len(items):
            count = len(items)
            pointers = struct.unpack_from(f"<{count}I", game.data, slot.start + 4)
            for pointer, item in zip(pointers, items, strict=True):
                if item is not None:
                    self[pointer] = item

    def __missing__(self, address: int) -> Any:
        raise FormatError(f"no texture page item begins at {address:#x}")


@contextmanager
def paused_collection() -> Iterator[None]:
    """No garbage collection while many objects are made: none of them is garbage."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _assumed(layout: Version, text: str) -> Version:
    lts = text.upper().endswith("LTS")
    try:
        number = [int(part) for part in text.upper().replace("LTS", "").strip().split(".")]
    except ValueError:
        raise FormatError(f"{text!r} is no version (2023.8, 2.3.2, 1.0.0.1763 are)") from None
    return layout.with_number(*number)._replace(lts=lts)


def opaque(slot: Slot, offset: int, length: int) -> Opaque:
    """The line of the coverage report for bytes carried as they are."""
    return Opaque(offset, slot.name, length, slot.reason or "bytes beyond the rules")
