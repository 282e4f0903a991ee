"""A compiled GameMaker game: data.win and its relatives, as a model.

Opening reads the chunk table and a few words; each chunk is decoded when it is first touched.
Writing rebuilds the whole file from the model.
"""

from __future__ import annotations

import datetime
import struct
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from overhaul.document.notebook import html_of
from overhaul.document.opening import open_as
from overhaul.document.protocol import Coverage, Siblings
from overhaul.document.registry import load
from overhaul.errors import FormatError
from overhaul.findings import Findings, warning
from overhaul.gamemaker.data.chunks import CHUNKS, ChunkAttributes
from overhaul.gamemaker.data.code.model import CodeModel
from overhaul.gamemaker.data.detect import Evidence, detect
from overhaul.gamemaker.data.model import Chunk, GameModel, paused_collection
from overhaul.gamemaker.data.references import NamedList, Reference
from overhaul.gamemaker.data.resources.kinds import ResourceAttributes, list_of
from overhaul.gamemaker.data.strings import (
    STRINGS_END,
    StringRecord,
    name_at,
    read_strings,
)
from overhaul.gamemaker.data.version import Version, first_build, parse_release
from overhaul.gamemaker.form import Data, Form, read_form
from overhaul.stretch import joined

if TYPE_CHECKING:
    from PIL.Image import Image

    from overhaul.document.opening import Source
    from overhaul.document.stored import Stored
    from overhaul.document.views import ResourceView
    from overhaul.gamemaker.data.chunks.code import CodeEntry
    from overhaul.gamemaker.data.chunks.objt import GameObject
    from overhaul.gamemaker.data.chunks.sond import Sound
    from overhaul.gamemaker.data.chunks.sprt import Sprite
    from overhaul.gamemaker.data.decoding import ChunkDecoder
    from overhaul.gamemaker.data.repacking import RepackReport
    from overhaul.gamemaker.data.resources.code import Owner
    from overhaul.gamemaker.data.resources.users import User
    from overhaul.schema import Record
    from overhaul.stretch import Piece

_TEXTURE_PAGE = "overhaul.gamemaker.data.resources.backgrounds:texture_page"
# Showing what a game is takes none of these.
_READER = "overhaul.schema.streams:Reader"
_WRITE_GAME = "overhaul.gamemaker.data.writer:write_game"
_CODE_OWNERS = "overhaul.gamemaker.data.resources.code:owners_of_all"
_INSTANCE_COUNTS = "overhaul.gamemaker.data.resources.objects:instance_counts"
_USER_COUNTS = "overhaul.gamemaker.data.resources.users:user_counts"
#: chunks whose elements nothing uses by name or number
_UNCOUNTED = frozenset({"CODE", "STRG", "TXTR", "TPAG", "AUDO", "VARI", "FUNC"})
_STORED = "overhaul.gamemaker.data.stored"
_IS_REGULAR = "overhaul.gamemaker.data.relocation:is_regular"
_MAY_HAVE_COMPANIONS = "overhaul.gamemaker.data.companions:may_have_companions"
#: the evidence in a game besides its content
_VERBS = (
    *("close", "companions", "info", "kind", "release", "save", "source", "to_bytes", "version"),
    *("add_event", "add_script", "compile", "records", "repack", "set_sound_bytes", "sound_bytes"),
    *("findings", "unused", "warnings"),
)


class GameData(ResourceAttributes, CodeModel):
    """A data.win (game.unx, game.ios, game.droid): every chunk, read and written.

    The resources are attributes (``game.sprites["spr_player"]``; see
    :class:`~overhaul.gamemaker.data.resources.kinds.ResourceAttributes`), their records, as they
    are in the file, stand in ``game.records``, and the rest of the file in ``game.code``,
    ``game.strings``, ``game.general``, ... (see
    :class:`~overhaul.gamemaker.data.chunks.ChunkAttributes`).
    """

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
        super().__init__(
            data, form, release, evidence, source=source, strict=strict, siblings=siblings
        )
        self._coverage = Coverage()

    @classmethod
    def from_bytes(
        cls,
        data: Data,
        *,
        source: str | None = None,
        assume_version: str | None = None,
        strict: bool = False,
        siblings: Siblings | None = None,
    ) -> GameData:
        """Open a game.  Raises FormatError for a file that is not the FORM file of a game."""
        form = read_form(data, source)
        for name in ("GEN8", "STRG"):
            if form.find(name) is None and not (name == "STRG" and form.form_excess is None):
                raise FormatError(
                    f"not a game's data: the chunk {name} is missing", source=source, offset=8
                )
        try:
            release, evidence = detect(data, form)
        except (FormatError, struct.error, IndexError):
            raise FormatError("GEN8 is too short", source=source, offset=8, path="GEN8") from None
        if assume_version is not None:
            number, lts = parse_release(assume_version)
            release = release.with_number(*number)._replace(lts=lts)
            evidence = [Evidence(assume_version, "assumed on request")]
        game = cls(data, form, release, evidence, source=source, strict=strict, siblings=siblings)
        game.assumed = assume_version is not None
        game.findings += built_too_early(game)
        return game

    @property
    def version(self) -> str:  # type: ignore[override]
        """The release found, e.g. ``2023.8``."""
        return str(self.release)

    # -- chunks ------------------------------------------------------------------------------

    @cached_property
    def _decoder(self) -> ChunkDecoder:
        # start-up: showing a game's release decodes nothing
        from overhaul.gamemaker.data.decoding import ChunkDecoder

        return ChunkDecoder(self)

    def decode_chunk(self, chunk: Chunk) -> None:
        """Decode a chunk: set its ``record``, or its ``raw`` bytes."""
        if chunk.name != "STRG" or not self._read_strings(chunk):
            self._decoder.decode(chunk)

    def _read_strings(self, chunk: Chunk) -> bool:
        """Read the strings where they follow the rules: without the classes of records."""
        reader = load(_READER)(version=self.release, source=self.source, base=chunk.start)
        view = memoryview(self.data)[: chunk.end]
        try:
            table, end = read_strings(view, chunk.start, reader)
            end = reader.skip_padding(view, end, STRINGS_END)
        except FormatError:
            return False  # decoding it says what is wrong, and where
        if reader.notes or view[end:] != bytes(
            self.padding("STRG", end, chunk.name == self.last_chunk)
        ):
            return False
        chunk.decoded = True
        chunk.record, chunk.version = StringRecord(table), self.release
        (count,) = struct.unpack_from("<I", self.data, chunk.start)
        self.string_pointers: tuple[int, ...] = struct.unpack_from(
            f"<{count}I", self.data, chunk.start + 4
        )
        return True

    def shown(self, reference: Reference[Record], kind: type[Record]) -> Record | None:
        """The record of this kind that a reference leads to, to be shown and not changed: of a
        chunk that is not decoded, and follows the layout rules, it is read without the others
        where few are asked for."""
        chunk = self.chunks[reference.chunk]
        alone = None
        if not chunk.decoded and reference.index >= 0:
            alone = self._decoder.read_alone(chunk, kind, reference.index)
        return reference.target if alone is None else alone

    def decode(self) -> None:
        """Decode everything; the same as :meth:`load_all`."""
        self.load_all()

    def is_regular(self, name: str) -> bool:
        """Whether a chunk follows the layout rules."""
        regular: bool = load(_IS_REGULAR)(self, name)
        return regular

    def after_move(self, name: str, mapping: dict[int, int]) -> None:
        """Update the rest of the game after the list of a chunk was renumbered."""
        # start-up: only where a list is edited
        from overhaul.gamemaker.data.renumber import after_move

        after_move(self, name, mapping)

    # -- pictures and sounds -----------------------------------------------------------------

    def named(self, name: str) -> NamedList[Any]:
        """The named list of a chunk; empty where the chunk is not there."""
        if name == "TXTR" and "painting" in self.__dict__:
            self.painting.finish()
        return super().named(name)

    def repack(
        self,
        groups: Iterable[str] | None = None,
        *,
        page_size: int | None = None,
        padding: int | None = None,
        extrude: int | None = None,
        progress: Callable[[int, int, str], None] = lambda done, total, name: None,
    ) -> RepackReport:
        """Pack the texture pages again, or those of some texture groups, and report the gain.

        Every picture keeps its pixels, group and format; equal ones are stored once, and one that
        has a page for itself keeps it. ``page_size`` is the largest side of a page, a power of two
        (by default 2048, or that of a larger page there is), ``padding`` the room around each
        picture and ``extrude`` how much of it continues the picture (2 pixels, and all of it, by
        default). Without these three, pages that would not get smaller stay unchanged. ``progress``
        is called with pages done, all pages, and what is being done.

        Raises KeyError for an unknown group, ValueError for settings no page can have.
        """
        return self.texture_groups.repack(
            groups, page_size=page_size, padding=padding, extrude=extrude, progress=progress
        )

    def set_frame(self, sprite: int | str | Sprite, index: int, image: Image) -> None:
        """Give a frame of a sprite (a name, an index, or itself) another picture.

        The same as ``game.sprites[name].frames[index].image = image``.
        """
        self.sprites[self.records.sprites.index(sprite)].frames[index].image = image

    def sound_bytes(self, sound: int | str | Sound | Reference[Sound]) -> bytes | None:
        """The bytes of a sound, wherever they are stored; None where they are missing.

        ``sound`` is a name, an index, or the sound itself.
        """
        record = self.records.sounds[sound] if isinstance(sound, (str, int)) else sound
        data = self.audio_files.files.bytes_of(record)
        return None if data is None else bytes(data)

    def set_sound_bytes(self, sound: int | str | Sound | Reference[Sound], data: bytes) -> None:
        """Give a sound (a name, an index, or itself) other bytes, stored where the old ones are.

        Its record follows where the format is another.
        """
        self.audio_files.set_bytes(
            self.records.sounds[self.records.sounds.index(sound)], bytes(data)
        )

    def companions(self) -> Mapping[str, bytes]:
        """The files of the audio groups next to the game."""
        sounds = [self.chunks[name] for name in ("SOND", "AGRP") if name in self.chunks]
        touched = "audio_files" in self.__dict__ or any(chunk.decoded for chunk in sounds)
        if not touched and not load(_MAY_HAVE_COMPANIONS)(self):
            return {}
        return self.audio_files.files.written()

    # -- code --------------------------------------------------------------------------------

    def add_script(self, name: str, source: str, definitions: str = "") -> CodeEntry:
        """Add a script; see :func:`.code.additions.add_script`, and there for more to add."""
        from overhaul.gamemaker.data.code.additions import add_script  # start-up: the compiler

        return add_script(self, name, source, definitions)

    def add_event(
        self,
        owner: int | str | GameObject | Reference[GameObject],
        event: str | tuple[int, int | Reference[GameObject]],
        source: str,
        definitions: str = "",
    ) -> CodeEntry:
        """Add an event (``"Step_0"``, ``"Collision_obj_wall"``) to an object given by name, index
        or record; see :func:`.code.additions.add_event`."""
        from overhaul.gamemaker.data.code.additions import add_event  # start-up: the compiler

        return add_event(self, owner, event, source, definitions)

    def code_names(self) -> list[str]:
        """The names of the entries with bytecode of their own, in the order of the game."""
        from overhaul.gamemaker.data.code.checking import root_names  # start-up: the compiler

        return root_names(self)

    def check_code(self, name: str) -> str | None:
        """None if the entry's own source compiles to its bytecode; else the reason (verify)."""
        from overhaul.gamemaker.data.code.checking import why_not_identical  # start-up: compiler

        return why_not_identical(self, name)

    def prove_code(self, name: str) -> tuple[str | None, object]:
        """As :meth:`check_code`, with the source and why parts of it are assembly, if they were
        made for it and are still known."""
        reason = self.check_code(name)
        entry = self.records.code.get(name)
        if entry is None or self.language.decompiled.is_inherited(entry):
            return reason, None
        return reason, self.language.decompiled.source(entry) if self.language.decompiled.knows(
            entry
        ) else None

    def code_instructions(self) -> Mapping[str, int]:
        """The number of instructions of each entry that can be read, by name."""
        return {
            str(entry.name): len(entry.instructions)
            for entry in self.records.code
            if entry is not None and entry.root is None and not entry.unreadable
        }

    # -- writing -----------------------------------------------------------------------------

    def to_bytes(self) -> bytes:
        """The file, all of it rebuilt from the model.

        Raises EncodeError for a model that can't be written, or where a chunk that is not
        understood would have to move.
        """
        self.load_all()
        return joined(self.pieces())

    def pieces(self) -> list[Piece]:
        """The file in pieces: what was touched is rebuilt from the model, the rest moved (see
        :mod:`.relocation`), and code next to edited code stays as it was (see
        :mod:`.code.splicing`), which gives the same bytes.  Raises as :meth:`to_bytes`."""
        if "painting" in self.__dict__:
            self.painting.finish()
        with paused_collection():
            writer, self._coverage = load(_WRITE_GAME)(self)
        pieces: list[Piece] = writer.pieces()
        return pieces

    def coverage(self) -> Coverage:
        """How much was understood; valid after :meth:`to_bytes`."""
        return self._coverage

    #: the kinds of pictures
    drawn_kinds: Sequence[str] = ("room", "sprite", "background")

    def resources(self, kind: str) -> Iterable[ResourceView]:
        """The resources of a kind, in the order of their numbers."""
        if kind == "texture page":
            pages = map(partial(load(_TEXTURE_PAGE), self), range(len(self.named("TXTR"))))
            return [page for page in pages if page is not None]
        listed: Iterable[ResourceView] = getattr(self, list_of(kind), ())
        return listed

    def resource_at(self, kind: str, position: int, name: str) -> ResourceView | None:
        """The resource that ``ls`` lists at a position among those of its kind, by its name."""
        if kind == "texture page":
            page: ResourceView | None = load(_TEXTURE_PAGE)(self, int(name))
            return page
        listed = getattr(self, list_of(kind), None)
        if listed is None:
            return None
        record = listed.records.at(position)
        named = record is not None and str(record.name or "") == name
        shown: ResourceView | None = listed.get(position if named else name)
        return shown

    def stored(self, kind: str, position: int, name: str) -> Sequence[Stored]:
        """The bytes that a resource is stored as; see :mod:`overhaul.document.stored`."""
        parts: Sequence[Stored] = load(f"{_STORED}:stored_resource")(self, kind, position, name)
        return parts

    def stored_parts(self) -> Sequence[Stored]:
        """The bytes of the chunks."""
        parts: Sequence[Stored] = load(f"{_STORED}:stored_chunks")(self)
        return parts

    def note_drawing(self) -> None:
        """Warn of the texture pages that could not be read, so far."""
        for reason in self.pictures.broken.values():
            text = f"a texture page can't be read, and what is on it not drawn: {reason}"
            self.findings.warn_once("not-drawn", text)

    def locate(self, offset: int) -> str:
        """The chunk a byte offset lies in."""
        for chunk in self.chunks.values():
            if chunk.start - 8 <= offset < chunk.end:
                return chunk.name
        return ""

    # -- what it is --------------------------------------------------------------------------

    def info(self) -> dict[str, object]:
        """Name, versions, evidence and counts; reads the head and the lists' counts only."""
        return describe_game(self)

    def kind_word(self, kind: str) -> str:
        """The word for a resource of a kind: from GameMaker 2 on a background is a tile set."""
        return "tile set" if kind == "background" and self.release.major >= 2 else kind

    def user_counts(self, kind: str) -> Mapping[int, int]:
        """How many things use each resource of a kind, by its number: as many as ``users()`` of
        the resource lists."""
        if not self.counts_users(kind):
            return {}
        (name,) = (chunk.name for chunk in CHUNKS.values() if chunk.title == kind)
        counts: Mapping[int, int] = load(_USER_COUNTS)(self, name)
        return counts

    def instance_counts(self) -> Mapping[int, int]:
        """How many instances all rooms have of each object, by its number."""
        counts: Mapping[int, int] = load(_INSTANCE_COUNTS)(self)
        return counts

    def code_owners(self) -> Mapping[int, Owner | None]:
        """The owner of each code entry, by its number; without entries that have several owners."""
        owners: Mapping[int, Owner | None] = load(_CODE_OWNERS)(self)
        return owners

    def counts_users(self, kind: str) -> bool:
        """Whether it is known what uses the resources of a kind."""
        return any(
            chunk.title == kind and chunk.name in self.chunks and chunk.name not in _UNCOUNTED
            for chunk in CHUNKS.values()
        )

    def unused(self) -> list[User]:
        """The resources that no other resource refers to and that no code names, not even in a
        text: ``("sprite", "spr_old")``.

        A game that makes names out of parts (``asset_get_index("spr_" + kind)``) uses more than can
        be seen: this is where to look, not what to remove.  All code is decompiled.
        """
        # start-up: it takes the decompiler
        from overhaul.gamemaker.data.resources.users import unused

        return unused(self)

    @property
    def name(self) -> str:
        """The name of the game: what players see, or the project's where it has no other."""
        return str(getattr(self.general, "display_name", None) or self.general.name)

    def __dir__(self) -> list[str]:
        """The names for completion: resources, the other chunks' content, and methods."""
        tables = (ResourceAttributes, ChunkAttributes)
        return [*_VERBS, *(name for table in tables for name in vars(table) if name[0] != "_")]

    def _repr_html_(self) -> str:
        """A summary for notebooks; without the viewer a plain one."""
        shown = html_of(self)
        if shown is not None:
            return shown
        from html import escape  # start-up: only for notebooks

        info = describe_game(self)
        counts = "".join(
            f"<tr><td>{name}</td><td>{count}</td></tr>" for name, count in info["resources"].items()
        )
        title = escape(f"{info['name']} ({self.kind} {self.version})")
        return f"<p><b>{title}</b></p><table>{counts}</table>"


#: offsets in GEN8 of what is shown (source: specs, checked on the corpus)
_NAMES = {"name": 40, "file_name": 4, "config": 8, "display_name": 100}


def describe_game(game: GameModel) -> dict[str, Any]:
    """Names, versions with their evidence, chunks and the number of resources of each kind."""
    start = game.chunks["GEN8"].start
    shown: dict[str, object] = {}
    for key, offset in _NAMES.items():
        if key == "display_name" and game.release.bytecode < 10:
            continue
        try:
            (address,) = struct.unpack_from("<I", game.data, start + offset)
            shown[key] = name_at(game.data, address)
        except (FormatError, struct.error):
            shown[key] = None
    stored = struct.unpack_from("<4I", game.data, start + 44)
    built = _build_date(game)
    info: dict[str, object] = {
        "name": shown.get("display_name") or shown["name"],
        "kind": game.kind,
        "version": game.version,
        "bytecode": game.release.bytecode,
        "stored_version": ".".join(map(str, stored)),
        "evidence": [{"version": e.version, "reason": e.reason} for e in game.evidence],
        "file_name": shown["file_name"],
        "configuration": shown["config"],
        "built": None if built is None else built.isoformat(),
        "size": len(game.data),
        "native_code": game.is_native,
        "debugger": game.data[start] == 0,
        "resources": {
            chunk_type.attribute: game.count_present(name)
            for name, chunk_type in CHUNKS.items()
            if chunk_type.items and name in game.chunks and name not in ("VARI", "FUNC")
        },
        "chunks": {
            chunk.name: {"offset": chunk.start - 8, "size": chunk.end - chunk.start}
            for chunk in game.chunks.values()
        },
    }
    if game.is_native and "STRG" not in game.chunks:
        info["note"] = "the compiler did not finish this file: names and code are missing"
    elif game.is_native:
        info["note"] = "compiled to native code (YYC): everything but the code can be read"
    return info


def built_too_early(game: GameModel) -> Findings:
    """A warning where GEN8's build date is earlier than the release the file's layout shows."""
    built = _build_date(game)
    if built is None or built.timestamp() == 0 or game.assumed:
        return Findings()
    if (built.year, built.month) >= first_build(game.release.number):
        return Findings()
    message = (
        f"the file was built on {built.date()}, before there was {game.version}, which follows "
        f"from the {game.evidence[-1].reason}: one of them is wrong"
    )
    return Findings([warning("mismatch", message, "GEN8")])


def _build_date(game: GameModel) -> datetime.datetime | None:
    """The build date in GEN8; None for an invalid one."""
    try:
        (seconds,) = struct.unpack_from("<Q", game.data, game.chunks["GEN8"].start + 92)
        return datetime.datetime.fromtimestamp(seconds, datetime.UTC)
    except (struct.error, OverflowError, ValueError, OSError):
        return None


def open_game(
    source: Source,
    *,
    assume_version: str | None = None,
    strict: bool = False,
) -> GameData:
    """Open a GameMaker game (``data.win``); as :func:`overhaul.open`, with a known type.

    Raises FormatError for a file of another kind; else as :func:`overhaul.open`.
    """
    what = "a GameMaker game's data.win"
    return open_as(GameData, what, source, assume_version=assume_version, strict=strict)
