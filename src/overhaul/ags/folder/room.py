"""A room as files: room.json, backgrounds and masks as PNG, scripts as text."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Final

from overhaul.ags import parallel
from overhaul.ags.blockdata import Content, DecodedBlock, DecodedBlocks
from overhaul.ags.blocks import BlockId
from overhaul.ags.decompiler.decompiler import Environment
from overhaul.ags.decompiler.game import environment_next_to, environment_of_room
from overhaul.ags.decompiler.library import Member
from overhaul.ags.documents.room import RoomDocument
from overhaul.ags.fields import record_bytes
from overhaul.ags.folder import (
    across,
    blocks,
    code,
    file_io,
    forms,
    linking,
    naming,
    references,
)
from overhaul.ags.folder.format import NumberedFormat
from overhaul.ags.folder.room_pictures import (
    AREA_COLOURS,
    ROOM_JSON,
    PictureEdit,
    background_path,
    mask_path,
    raw_background_path,
    take_palette,
)
from overhaul.ags.parallel import MAIN
from overhaul.ags.room.pictures import LzwPicture
from overhaul.ags.room.records import (
    BLOCK_NAMES,
    BLOCKS,
    FRAMES_BLOCK,
    MAIN_BLOCK,
    SCRIPT_BLOCK,
    SOURCE_BLOCK,
    AnimatedBackgrounds,
    MainBlock,
    SourceText,
)
from overhaul.ags.room.room import (
    MASKS,
    UNDIVIDED_WALK_BEHINDS,
    Room,
    block_format,
)
from overhaul.ags.script.model import Script
from overhaul.ags.shapes import key_of, steps_of
from overhaul.ags.versions import ROOM_OLDEST
from overhaul.document.format_parts import FileFields
from overhaul.document.hints import Hint
from overhaul.document.plainfiles import Change, Folder, PlainFile, UnpackOptions
from overhaul.document.protocol import Resource
from overhaul.errors import FormatError, PlainFileError, SourceError, WorkspaceError
from overhaul.findings import Findings
from overhaul.folder.json_fields import (
    at_key,
    expect_bytes,
    expect_integer,
    expect_list,
    expect_object,
    expect_text,
    in_file,
)
from overhaul.folder.records import set_counts

_STEM: Final = "script"
_NO_NAME: Final = f"which is no longer a Name of Hotspots or Objects in {ROOM_JSON}"
#: The things of a room that its script knows by name, with their types, in the editor's order.
_TYPES: Final = {"objects": "Object", "hotspots": "Hotspot"}
SCRIPT: Final = _STEM + code.SOURCE
#: The source that an old room stores, next to which the compiled script is assembly.
SOURCE: Final = "script.asc"
ASSEMBLY: Final = _STEM + code.ASSEMBLY
#: The fields of the main block that files of their own hold; room.json has their palettes.
_PICTURES: Final = ("background", "old_background", *(f"{name}_mask" for name in MASKS))


# --- unpacking ------------------------------------------------------------------------------


class RoomFields(FileFields[RoomDocument]):
    """The words of the editor in the JSON file of a room."""

    def hint(self, document: RoomDocument, path: str) -> Hint | None:
        """The values that the editor's words can have."""
        return forms.room(document.room.version).hint() if path == ROOM_JSON else None


FIELDS: Final = RoomFields()


class RoomFormat(NumberedFormat[RoomDocument]):
    """A room as a folder."""

    has_encoding = True
    document_class = RoomDocument

    def tree(self, document: RoomDocument) -> Iterable[Resource]:
        """The pictures, the scripts and the objects."""
        room = document.room
        yield Resource("room", "room", ROOM_JSON, document.size or None)
        if room.old_background is not None:
            yield Resource("background", "0", background_path(0), len(room.old_background.packed))
        for index, picture in enumerate(room.backgrounds()):
            yield Resource("background", str(index), background_path(index), len(picture.packed))
        for name, mask in room.masks():
            yield Resource("mask", name, mask_path(name), len(mask.packed))
        if room.script is not None:
            path = SCRIPT if room.source is None else ASSEMBLY
            yield Resource("script", room.script.name, path, len(room.script.code))
        if room.source is not None:
            yield Resource("source", "script source", SOURCE)
        for path, block, data in blocks.opaque_blocks(room.blocks):
            yield Resource("block", str(block.id), path, len(data))

    def plain_files(self, document: RoomDocument, options: UnpackOptions) -> Iterator[PlainFile]:
        """The files of the unpacked room."""
        room = document.room
        yield file_io.thing_file(document, ROOM_JSON, partial(_shown, room), "room")
        old = room.old_background
        if old is not None:
            palette = partial(room.palette, old)
            yield file_io.png_file(
                background_path(0), old.pixels, palette, "block 1.old_background"
            )
        for index, picture in enumerate(room.backgrounds()):
            yield _background_file(room, index, picture, options)
        for name, mask in room.masks():
            origin = f"block 1.{name}_mask"
            yield file_io.png_file(mask_path(name), mask.pixels, lambda: AREA_COLOURS, origin)
        if room.script is not None:
            yield from _script_files(document, room.script, options)
        if room.source is not None:
            yield file_io.bytes_file(SOURCE, room.source.text, f"block {SOURCE_BLOCK}")
        yield from blocks.opaque_files(room.blocks)

    def apply(
        self, document: RoomDocument, folder: Folder, changes: Mapping[str, Change]
    ) -> Findings:
        """Change the room as its files were changed."""
        file_io.take_settings(document, folder.settings)
        findings = Findings()
        is_there = bool(document.room.blocks.blocks)
        had = _Known(document)
        edit = _Edit(document.room, script_place(document), folder, changes)
        with (
            edit.placed(),
            file_io.another_version(document, folder, ROOM_JSON),
        ):
            if ROOM_JSON in changes or ROOM_JSON not in folder:
                shown = file_io.read_json(document, folder, ROOM_JSON)
                version = shown.get("version", document.room.version)
                words = forms.room(version if isinstance(version, int) else 0)
                with in_file(ROOM_JSON):
                    edit.stored = words.stored(shown)
                edit.take_json(dict(edit.stored))
            edit.take_files()
            document.edited(document.room.version)
            has = _Known(document)
            found = [*has.findings, *(has.missing(document, had) if is_there else ())]
            findings += references.check(had.findings if is_there else None, found, edit.place)
        if document.room.script is not None:
            sources = [_source_of(document, document.room.script)]
            linking.check_names(had.names - has.names, sources, changes, _NO_NAME)
        return Findings([*findings, *edit.pictures.findings])

    @property
    def fields(self) -> RoomFields:
        """The words of the editor."""
        return FIELDS


FORMAT: Final = RoomFormat()


def _script_files(
    document: RoomDocument, script: Script, options: UnpackOptions
) -> Iterator[PlainFile]:
    place, origin = script_place(document), f"block {SCRIPT_BLOCK}"
    if document.room.source is None:
        return code.script_plain_files(place, script, origin, options)
    return iter([code.assembly_file(place, script, origin)])


def script_place(document: RoomDocument) -> code.ScriptPlace:
    """The place of the room's script."""
    return code.ScriptPlace(
        document, _STEM, partial(_environment, document), partial(_declared, document)
    )


def _environment(document: RoomDocument) -> Environment:
    """The facts about the room's script."""
    return environment_of_room(document.room, environment_next_to(document.siblings))


def _declared(document: RoomDocument) -> Environment:
    """The editor's declarations for the script of a room: things of the game, and its own."""
    known = environment_next_to(document.siblings)
    things = _things(document)
    taken = {member.name for member in known.variables}
    own = [
        Member(name, type)
        for kind, type in _TYPES.items()
        for name in naming.script_names(things, kind)
        if name not in taken
    ]
    return replace(known, variables=(*known.variables, *dict.fromkeys(own)))


def _background_file(
    room: Room, index: int, picture: LzwPicture, options: UnpackOptions
) -> PlainFile:
    path = background_path(index)
    origin = f"backgrounds[{index}]"
    pixels = partial(picture.pixels, room.depth)
    if options.wants(path):
        try:
            unpacked = pixels()
        except FormatError as error:
            note = f"broken: {error.message}"
            return file_io.bytes_file(
                raw_background_path(index), record_bytes(picture), origin, note
            )
        pixels = partial(lambda found: found, unpacked)
    return file_io.png_file(path, pixels, partial(room.palette, picture), origin)


def _shown(room: Room) -> dict[str, object]:
    return forms.room(room.version).shown(stored_room(room))


def stored_room(room: Room) -> dict[str, object]:
    """room.json in the words of the fields that the file stores."""
    shown: dict[str, object] = {"version": room.version}
    if room.compiled_with:
        shown["compiled_with"] = room.compiled_with
    tables = room.tables()
    in_rows = parallel.folded(tables, tables.kinds)
    special = partial(_show_block, room, in_rows.get(MAIN, set()))
    shown |= parallel.show_rows(tables, tables.kinds)
    shown["blocks"] = blocks.show_blocks(room.blocks, special, BLOCK_NAMES, in_rows)
    if room.trailing:
        shown["trailing"] = room.trailing.hex()
    return shown


def _show_block(
    room: Room, in_rows: Collection[str], block: DecodedBlock
) -> dict[str, object] | None:
    content = block.content
    if isinstance(content, Script):
        return {"file": SCRIPT if room.source is None else ASSEMBLY}
    if isinstance(content, SourceText):
        return {"file": SOURCE}
    if isinstance(content, MainBlock):
        hidden = {*_PICTURES, *in_rows}
        if content.hotspot_count == len(content.hotspot_names):
            hidden.add("hotspot_count")
        fields = file_io.show(content, room.version, without=hidden)
        old = room.old_background
        fields["background"] = (
            _show_picture(room, content.background)
            if old is None
            else {"palette": old.palette.hex()}
        )
        for name, mask in room.masks():
            if any(mask.palette):
                fields[f"{name}_mask"] = {"palette": mask.palette.hex()}
        return {"fields": fields}
    if isinstance(content, AnimatedBackgrounds):
        fields = file_io.show(content, room.version, without=("frames", "frame_count"))
        fields["frames"] = [_show_picture(room, frame) for frame in content.frames]
        return {"fields": fields}
    return None


def _show_picture(room: Room, picture: LzwPicture) -> dict[str, object]:
    shown: dict[str, object] = {"palette": picture.palette.hex()}
    if room.depth == 4:
        try:
            alpha = picture.pixels(4).uniform_alpha
        except FormatError:
            return shown
        if alpha is not None:
            shown["alpha"] = alpha
    return shown


# --- packing --------------------------------------------------------------------------------


class _Known:
    """The names of a room's things, and the names that they use and the room lacks."""

    def __init__(self, document: RoomDocument) -> None:
        self._things = things = _things(document)
        sources = across.functions_next_to(document.siblings, document.source or "")
        lost = references.in_room(document.room, things, sources)
        self.findings = [*lost, *naming.in_room(things)]
        self.names = naming.names_in_room(things)
        self.sprites = naming.sprites_in_room(things)
        self.properties = naming.properties_in_room(things)

    def missing(self, document: RoomDocument, had: _Known) -> Iterator[references.DeadReference]:
        """The names that the room uses since an edit, and that the game next to it lacks."""
        sprites = self.sprites - had.sprites
        known = across.sprites_next_to(document.siblings) if sprites else ()
        if known:
            yield from naming.no_sprites(self._things, sprites - known)
        if self.properties - had.properties:
            defined = across.defined_next_to(document.siblings)
            if defined is not None:
                yield from naming.undefined_in_room(self._things, defined)


def _things(document: RoomDocument) -> references.Things:
    return references.Things(document.room.tables(), document.encoding)


def _source_of(document: RoomDocument, script: Script) -> linking.ScriptSource:
    if document.room.source is not None:  # the script has no source but assembly
        return linking.ScriptSource(ASSEMBLY, script, list)
    texts = partial(code.shown_texts, script_place(document), script)
    return linking.ScriptSource(SCRIPT, script, texts)


class _Edit:
    """Takes a room from its files."""

    def __init__(
        self, room: Room, script: code.ScriptPlace, folder: Folder, changes: Mapping[str, Change]
    ) -> None:
        self.room = room
        self.script = script
        #: whether the script of room.json is not the room's yet; None while there is none
        self.new_script: bool | None = None
        self.folder = folder
        self.changes = changes
        self.pictures = PictureEdit(room, folder, changes)
        self.fresh = not room.blocks.blocks
        self.given: list[str] = []
        #: the value of room.json, if it is taken
        self.stored: dict[str, object] | None = None
        self.hotspot_count: int | None = None

    @contextmanager
    def placed(self) -> Iterator[None]:
        """Errors about what a room stores name the words that room.json has for it."""
        try:
            yield
        except PlainFileError as error:
            if error.file == ROOM_JSON and error.key and not error.line:
                error.file, error.key = self.place(error.file, error.key)
            raise

    def place(self, path: str, key: str) -> tuple[str, str]:
        """The file and key of a stored value."""
        stored = stored_room(self.room) if self.stored is None else self.stored
        steps = forms.room(self.room.version).place(stored, steps_of(key))
        return path, file_io.key_in(self.folder, path, key_of(steps), key)

    # -- room.json ---------------------------------------------------------------------------

    def take_json(self, shown: dict[str, object]) -> None:
        """Take room.json: the header, and the blocks in its order."""
        room = self.room
        with in_file(ROOM_JSON):
            with at_key("version"):
                version = expect_integer(shown.pop("version", room.version), ROOM_OLDEST)
            with at_key("compiled_with"):
                compiled_with = expect_text(shown.pop("compiled_with", ""))
            with at_key("trailing"):
                trailing = expect_bytes(shown.pop("trailing", ""))
        before = room.tables()
        room.version = version
        room.compiled_with = compiled_with
        room.trailing = trailing
        old = room.blocks
        old.version = version
        read = blocks.read_blocks(
            shown.pop("blocks", None),
            old,
            BLOCKS,
            self.folder,
            ROOM_JSON,
            self._special,
            BLOCK_NAMES,
        )
        if not room.undivided and (not read or read[0].id != MAIN_BLOCK):
            raise PlainFileError(
                f"the first is the block {MAIN_BLOCK}, 'main'", ROOM_JSON, "blocks"
            )
        if room.undivided and len(read) != 1:
            raise PlainFileError(
                f"this version has one block, got {len(read)}", ROOM_JSON, "blocks"
            )
        self._check_files({block.id for block in read})
        room.blocks = DecodedBlocks(block_format(version), version, read)
        tables = room.tables()
        parallel.keep_lists(before, tables)
        with in_file(ROOM_JSON):
            parallel.take_rows(tables, shown, tables.kinds, self.given)
            if shown and room.main is None:
                raise FormatError(f"no block 'main' has {min(shown)}", path="blocks")
            if shown:
                raise FormatError(f"unknown field {min(shown)!r}")
            known = room.undivided and "walk_behinds" in tables.kinds  # not in a damaged room
            if known and tables.count("walk_behinds") != UNDIVIDED_WALK_BEHINDS:
                with at_key("walk_behinds"):
                    raise FormatError(
                        f"this version has {UNDIVIDED_WALK_BEHINDS} of them, "
                        f"got {tables.count('walk_behinds')}"
                    )
        if room.main is not None:
            if self.hotspot_count is not None:  # it was taken before the hotspots were
                room.main.hotspot_count = self.hotspot_count
            elif self.fresh:
                room.main.hotspot_count = len(room.main.hotspot_names)
            set_counts(room.main, version)
        if self.fresh:
            room.uneven = tables.uneven(empty=False)

    def _check_files(self, listed: set[BlockId]) -> None:
        """Raise PlainFileError for a file of a block that room.json lists no longer."""
        had_source = any(block.id == SOURCE_BLOCK for block in self.room.blocks.blocks)
        of_source = had_source or (self.fresh and SOURCE_BLOCK in listed)
        for path, id in (
            (SOURCE, SOURCE_BLOCK if of_source else SCRIPT_BLOCK),
            (ASSEMBLY, SCRIPT_BLOCK),
        ):
            if path in self.folder and id not in listed and not self.room.undivided:
                raise PlainFileError(
                    f"no block has {path}, which is there: list {BLOCK_NAMES[id]!r}, or remove "
                    "the file too",
                    ROOM_JSON,
                    "blocks",
                )

    def _special(
        self, id: BlockId, row: dict[str, object], before: Content | None, place: str
    ) -> Content | None:
        file = row.get("file")
        if file in (SCRIPT, ASSEMBLY) and id not in (SCRIPT_BLOCK, SOURCE_BLOCK):
            raise WorkspaceError(f"{place}.file: {file} can't be the file of block {id!r}")
        if id == SCRIPT_BLOCK and file in (SCRIPT, ASSEMBLY):
            if self.new_script is not None:
                raise WorkspaceError(f"{place}.id: block {id!r} is there twice")
            self.new_script = not isinstance(before, Script)
            return before if isinstance(before, Script) else Script()
        if id == SOURCE_BLOCK and file == SOURCE:
            return before if isinstance(before, SourceText) else SourceText()
        if "fields" in row and id in (MAIN_BLOCK, FRAMES_BLOCK):
            place += ".fields"
            with in_file(place):
                fields = expect_object(row["fields"])
            take = self._main if id == MAIN_BLOCK else self._frames
            return take(fields, before, place)
        return None

    def _script(self, old: Script) -> Script:
        """The compiled script, if its files changed; it is assembly if there is its source too."""
        changes = self.changes
        if self.new_script:
            changes = {**changes, SCRIPT: "added", ASSEMBLY: "added"}
        if self.room.source is not None:
            return code.read_assembly(self.script, self.folder) if ASSEMBLY in changes else old
        known = None if self.new_script else old
        return code.read_script(self.script, self.folder, changes, known) or old

    def _check_source(self, before: bytes, after: bytes) -> None:
        """Raise SourceError if code of the author's source changed and the compiled script, which
        the game runs, did not."""
        if self.changes.get(SOURCE) != "changed" or self.room.script is None:
            return
        if ASSEMBLY in self.changes:
            return
        line = code.first_difference(SOURCE, before, after)
        if line:
            raise SourceError(
                f"the game runs {ASSEMBLY}, which does not follow from this text: "
                f"edit {ASSEMBLY} too",
                line,
                1,
                name=SOURCE,
            )

    def _main(self, fields: dict[str, object], before: Content | None, place: str) -> MainBlock:
        rest = {key: value for key, value in fields.items() if key not in _PICTURES}
        self.given = list(rest)
        base = before if isinstance(before, MainBlock) else None
        main = file_io.read(MainBlock, rest, self.room.version, place, base=base)
        if base is None:
            self.pictures.new.add(0)
        with in_file(place), at_key("depth"):
            expect_integer(main.depth, 0, 4)
        if base is not None and (base.depth or 1) != (main.depth or 1):
            # Backgrounds are read from their files again, at the other depth.
            self.pictures.repainted = True
        if "hotspot_count" in rest:
            with in_file(place), at_key("hotspot_count"):
                self.hotspot_count = expect_integer(rest["hotspot_count"])
        with in_file(place):
            if self.room.undivided:
                take_palette(main.old_background, fields, "background")
            else:
                with at_key("background"):
                    self.pictures.take_fields(main.background, fields.get("background"), 0)
            for name in MASKS:
                key = f"{name}_mask"
                take_palette(getattr(main, key), fields, key)
        return main

    def _frames(
        self, fields: dict[str, object], before: Content | None, place: str
    ) -> AnimatedBackgrounds:
        with in_file(place), at_key("frames"):
            frames = expect_list(fields.get("frames", []))
        rest = {key: value for key, value in fields.items() if key != "frames"}
        base = before if isinstance(before, AnimatedBackgrounds) else None
        record = file_io.read(AnimatedBackgrounds, rest, self.room.version, place, base=base)
        record.frames = record.frames[: len(frames)]
        for index, own in enumerate(frames, start=1):
            if index > len(record.frames):
                record.frames.append(LzwPicture())
                self.pictures.new.add(index)
            with in_file(place), at_key("frames", index - 1):
                self.pictures.take_fields(record.frames[index - 1], own, index)
        record.frame_count = len(record.frames) + 1
        if len(record.shared_palettes) not in (0, record.frame_count):
            with in_file(place), at_key("shared_palettes"):
                raise FormatError(
                    f"expected {record.frame_count} elements, for the background and {len(frames)} "
                    f"frames, got {len(record.shared_palettes)}"
                )
        return record

    # -- the other files ---------------------------------------------------------------------

    def take_files(self) -> None:
        """Take the pictures and scripts that changed or are new."""
        self.pictures.take_files()
        for block in self.room.blocks.blocks:
            if isinstance(block.content, Script):
                block.content = self._script(block.content)
            elif isinstance(block.content, SourceText) and self.pictures.wanted(SOURCE):
                text = self.folder.read(SOURCE)
                self._check_source(block.content.text, text)
                block.content.text = text
        blocks.take_opaque_files(self.room.blocks, self.folder, self.changes)
