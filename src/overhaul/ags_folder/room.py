"""A room as files: room.json, backgrounds and masks as PNG, scripts as text."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import Final

from overhaul.ags import text
from overhaul.ags.blockdata import Content, DecodedBlock, DecodedBlocks
from overhaul.ags.blocks import BlockId
from overhaul.ags.decompiler.game import environment_next_to
from overhaul.ags.documents.room import RoomDocument
from overhaul.ags.fields import new_reader, record_bytes
from overhaul.ags.parallel import MAIN
from overhaul.ags.pictures import PALETTE_COLOURS, expand_palette, reduce_palette
from overhaul.ags.room.pictures import LzwPicture, Mask
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
    OLDEST_VERSION,
    UNDIVIDED_WALK_BEHINDS,
    Room,
    block_format,
)
from overhaul.ags.script.model import Script
from overhaul.ags_folder import blocks, code, kit, references, rows, words_rooms
from overhaul.ags_folder.knowledge import counter as counter
from overhaul.ags_folder.knowledge import derived as derived
from overhaul.ags_folder.knowledge import fixed as fixed
from overhaul.ags_folder.knowledge import meaning as meaning
from overhaul.ags_folder.knowledge import ordering as ordering
from overhaul.ags_folder.knowledge import share_analysis as share_analysis
from overhaul.ags_folder.knowledge import texts as texts
from overhaul.ags_folder.older import with_old_paths
from overhaul.ags_folder.shapes import key_of, steps_of
from overhaul.ags_folder.uses import defines as defines
from overhaul.ags_folder.uses import use_files as use_files
from overhaul.ags_folder.uses import uses_by_number as uses_by_number
from overhaul.document.plainfiles import Change, Folder, PlainFile, UnpackOptions
from overhaul.document.protocol import Resource
from overhaul.errors import FormatError, PlainFileError, WorkspaceError
from overhaul.folder.jsonkit import (
    at_key,
    expect_bytes,
    expect_integer,
    expect_list,
    expect_object,
    expect_text,
    in_file,
)
from overhaul.folder.records import set_counts
from overhaul.schema import codec_for

ROOM_JSON: Final = "room.json"
_STEM: Final = "script"
SCRIPT: Final = _STEM + code.SOURCE
#: The source that an old room stores, next to which the compiled script is assembly.
SOURCE: Final = "script.asc"
ASSEMBLY: Final = _STEM + code.ASSEMBLY
#: The fields of the main block that files of their own hold; room.json has their palettes.
_PICTURES: Final = ("background", "old_background", *(f"{name}_mask" for name in MASKS))

_MASK_PATHS: Final = {
    "region": "regions.png",
    "walkable": "walkable.png",
    "walk_behind": "walk_behinds.png",
    "hotspot": "hotspots.png",
}
#: How many pixels of a background one of a mask may stand for.
_MASK_SCALES: Final = range(1, 9)
#: Where folders had the masks before.
_OLD_PATHS: Final = {f"masks/{name}.png": path for name, path in _MASK_PATHS.items()}

#: Colours that keep the areas of a mask apart; area 0 is black.
_AREA_COLOURS: Final = bytes(3) + bytes(
    value
    for area in range(1, 256)
    for value in ((area * 67 + 60) % 256, (area * 151 + 30) % 256, (area * 211 + 90) % 256)
)

settings = kit.encoding_settings
empty = partial(kit.new_document, RoomDocument)


def background_path(index: int) -> str:
    """The file of a background."""
    return "background.png" if index == 0 else f"background_{index}.png"


def raw_background_path(index: int) -> str:
    """The file of a background that can't be unpacked."""
    return background_path(index).replace(".png", ".bin")


def mask_path(name: str) -> str:
    """The file of a mask."""
    return _MASK_PATHS[name]


# --- unpacking ------------------------------------------------------------------------------


def tree(document: RoomDocument) -> Iterable[Resource]:
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


def plain_files(document: RoomDocument, options: UnpackOptions) -> Iterator[PlainFile]:
    """The files of the unpacked room."""
    room = document.room
    yield kit.thing_file(document, ROOM_JSON, partial(_shown, room), "room")
    old = room.old_background
    if old is not None:
        palette = partial(room.palette, old)
        yield kit.png_file(background_path(0), old.pixels, palette, "block 1.old_background")
    for index, picture in enumerate(room.backgrounds()):
        yield _background_file(room, index, picture, options)
    for name, mask in room.masks():
        origin = f"block 1.{name}_mask"
        yield kit.png_file(mask_path(name), mask.pixels, lambda: _AREA_COLOURS, origin)
    if room.script is not None:
        yield from _script_files(document, room.script, options)
    if room.source is not None:
        yield kit.bytes_file(SOURCE, room.source.text, f"block {SOURCE_BLOCK}")
    yield from blocks.opaque_files(room.blocks)


def _script_files(
    document: RoomDocument, script: Script, options: UnpackOptions
) -> Iterator[PlainFile]:
    place, origin = script_place(document), f"block {SCRIPT_BLOCK}"
    if document.room.source is None:
        return code.script_plain_files(place, script, origin, options)
    return iter([code.assembly_file(place, script, origin)])


def script_place(document: RoomDocument) -> code.Place:
    """The place of the room's script."""
    environment = partial(environment_next_to, document.siblings)
    return code.Place(document, _STEM, environment, environment)


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
            return kit.bytes_file(raw_background_path(index), record_bytes(picture), origin, note)
        pixels = partial(lambda found: found, unpacked)
    return kit.png_file(path, pixels, partial(room.palette, picture), origin)


def _shown(room: Room) -> dict[str, object]:
    return words_rooms.room(room.version).shown(stored_room(room))


def stored_room(room: Room) -> dict[str, object]:
    """room.json in the words of the fields that the file stores."""
    shown: dict[str, object] = {"version": room.version}
    if room.compiled_with:
        shown["compiled_with"] = room.compiled_with
    tables = room.tables()
    in_rows = rows.folded(tables)
    special = partial(_show_block, room, in_rows.get(MAIN, set()))
    shown |= rows.show_rows(tables, tables.kinds)
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
        fields = kit.show(content, room.version, without=hidden)
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
        fields = kit.show(content, room.version, without=("frames", "frame_count"))
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


def apply(document: RoomDocument, folder: Folder, changes: Mapping[str, Change]) -> list[str]:
    """Change the room as its files were changed."""
    kit.take_settings(document, folder.settings)
    folder, changes, warnings = with_old_paths(folder, changes, _OLD_PATHS)
    before = list(_findings(document)) if document.room.blocks.blocks else None
    edit = _Edit(document.room, script_place(document), folder, changes)
    with _placed(folder, document.room), kit.another_version(document, folder, ROOM_JSON):
        if ROOM_JSON in changes or ROOM_JSON not in folder:
            shown = kit.read_json(document, folder, ROOM_JSON)
            version = shown.get("version", document.room.version)
            words = words_rooms.room(version if isinstance(version, int) else 0)
            with in_file(ROOM_JSON):
                stored = words.stored(shown)
            edit.take_json(stored)
        edit.take_files()
        document.edited(document.room.version)
        warnings += references.check(before, _findings(document), edit.place)
    return warnings + edit.warnings


def _findings(document: RoomDocument) -> Iterator[references.Finding]:
    room = document.room
    shown = expect_object(text.recoded(_rows_of(room), document.encoding, text.show))
    return references.in_room(ROOM_JSON, shown, room.script)


def _rows_of(room: Room) -> dict[str, object]:
    """The things of a room with the events of its own, without its pictures."""
    tables = room.tables()
    shown: dict[str, object] = {**rows.show_rows(tables, tables.kinds)}
    if room.main is not None:
        shown["blocks"] = [{"fields": {"room_events": list(room.main.room_events)}}]
    return shown


@contextmanager
def _placed(folder: Folder, room: Room) -> Iterator[None]:
    """Errors about what a room stores name the words that room.json has for it."""
    try:
        yield
    except PlainFileError as error:
        if error.file == ROOM_JSON and error.key and not error.line:
            error.key = _key(folder, room, error.key)
        raise


def _key(folder: Folder, room: Room, key: str) -> str:
    """The key in room.json of a stored value."""
    steps = words_rooms.room(room.version).place(steps_of(key))
    return kit.key_in(folder, ROOM_JSON, key_of(steps), key)


class _Edit:
    """Takes a room from its files.  ``new`` has the backgrounds whose files must be read."""

    def __init__(
        self, room: Room, script: code.Place, folder: Folder, changes: Mapping[str, Change]
    ) -> None:
        self.room = room
        self.script = script
        #: whether the script of room.json is not the room's yet; None while there is none
        self.new_script: bool | None = None
        self.folder = folder
        self.changes = changes
        self.warnings: list[str] = []
        self.alphas: dict[int, int] = {}
        self.new: set[int] = set()
        self.fresh = not room.blocks.blocks
        self.given: list[str] = []
        self.repainted = False
        self.hotspot_count: int | None = None

    def place(self, path: str, key: str) -> tuple[str, str]:
        """The file and key of a stored value."""
        return path, _key(self.folder, self.room, key)

    # -- room.json ---------------------------------------------------------------------------

    def take_json(self, shown: dict[str, object]) -> None:
        """Take room.json: the header, and the blocks in its order."""
        room = self.room
        with in_file(ROOM_JSON):
            with at_key("version"):
                version = expect_integer(shown.pop("version", room.version), OLDEST_VERSION)
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
            raise WorkspaceError(
                f"{ROOM_JSON}: blocks: the first is the block {MAIN_BLOCK}, 'main'"
            )
        if room.undivided and len(read) != 1:
            raise WorkspaceError(
                f"{ROOM_JSON}: blocks: this version has one block, got {len(read)}"
            )
        room.blocks = DecodedBlocks(block_format(version), version, read)
        tables = room.tables()
        rows.keep_lists(before, tables)
        with in_file(ROOM_JSON):
            rows.take_rows(tables, shown, tables.kinds, self.given)
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

    def _main(self, fields: dict[str, object], before: Content | None, place: str) -> MainBlock:
        rest = {key: value for key, value in fields.items() if key not in _PICTURES}
        self.given = list(rest)
        base = before if isinstance(before, MainBlock) else None
        main = kit.read(MainBlock, rest, self.room.version, place, base=base)
        if base is None:
            self.new.add(0)
        with in_file(place), at_key("depth"):
            expect_integer(main.depth, 0, 4)
        if base is not None and (base.depth or 1) != (main.depth or 1):
            # Backgrounds are read from their files again, at the other depth.
            self.repainted = True
        if "hotspot_count" in rest:
            with in_file(place), at_key("hotspot_count"):
                self.hotspot_count = expect_integer(rest["hotspot_count"])
        with in_file(place):
            if self.room.undivided:
                _take_palette(main.old_background, fields, "background")
            else:
                with at_key("background"):
                    self._picture(main.background, fields.get("background"), 0)
            for name in MASKS:
                key = f"{name}_mask"
                _take_palette(getattr(main, key), fields, key)
        return main

    def _frames(
        self, fields: dict[str, object], before: Content | None, place: str
    ) -> AnimatedBackgrounds:
        with in_file(place), at_key("frames"):
            frames = expect_list(fields.get("frames", []))
        rest = {key: value for key, value in fields.items() if key != "frames"}
        base = before if isinstance(before, AnimatedBackgrounds) else None
        record = kit.read(AnimatedBackgrounds, rest, self.room.version, place, base=base)
        record.frames = record.frames[: len(frames)]
        for index, own in enumerate(frames, start=1):
            if index > len(record.frames):
                record.frames.append(LzwPicture())
                self.new.add(index)
            with in_file(place), at_key("frames", index - 1):
                self._picture(record.frames[index - 1], own, index)
        record.frame_count = len(record.frames) + 1
        if len(record.shared_palettes) not in (0, record.frame_count):
            with in_file(place), at_key("shared_palettes"):
                raise FormatError(
                    f"expected {record.frame_count} elements, for the background and {len(frames)} "
                    f"frames, got {len(record.shared_palettes)}"
                )
        return record

    def _picture(self, picture: LzwPicture, shown: object, index: int) -> None:
        if shown is None:
            return
        fields = _known(shown, "palette", "alpha")
        if "palette" in fields:
            with at_key("palette"):
                picture.palette = expect_bytes(fields["palette"], len(picture.palette))
        if "alpha" in fields:
            with at_key("alpha"):
                self.alphas[index] = expect_integer(fields["alpha"], 0, 255)

    # -- the other files ---------------------------------------------------------------------

    def take_files(self) -> None:
        """Take the pictures and scripts that changed or are new."""
        room = self.room
        self._take_old_background()
        for index, picture in enumerate(room.backgrounds()):
            raw = raw_background_path(index)
            if raw in self.folder and (raw in self.changes or index in self.new):
                self._take_raw_background(picture, raw)
            elif self._wanted(
                background_path(index),
                self.repainted or index in self.new,
                f" in frames[{index - 1}]" if index else "",
            ) or (index in self.alphas and self.alphas[index] != _alpha_of(room, picture)):
                self._take_background(index, picture)
        for name, mask in room.masks():
            if self._wanted(mask_path(name), 0 in self.new):
                self._take_mask(name, mask)
        for block in room.blocks.blocks:
            if isinstance(block.content, Script):
                block.content = self._script(block.content)
            elif isinstance(block.content, SourceText) and self._wanted(SOURCE):
                block.content.text = self.folder.read(SOURCE)
        blocks.take_opaque_files(room.blocks, self.folder, self.changes)
        if self.fresh:
            self._check_masks()

    def _check_masks(self) -> None:
        """Raise WorkspaceError where a mask of a new room has another size than the room.

        Masks have the size of the background, or a whole fraction of it.
        """
        pictures = self.room.backgrounds()
        try:
            pixels = pictures[0].pixels(self.room.depth) if pictures else None
        except FormatError:
            return
        if pixels is None:
            return
        right = [(pixels.width // scale, pixels.height // scale) for scale in _MASK_SCALES]
        for name, mask in self.room.masks():
            if (mask.width, mask.height) not in right:
                with in_file(mask_path(name)):
                    raise FormatError(
                        f"expected {pixels.width} x {pixels.height} pixels as the background has, "
                        f"or a whole fraction of it, got {mask.width} x {mask.height}"
                    )

    def _take_mask(self, name: str, mask: Mask) -> None:
        """Take a mask, which has the size of the others and no area that the room has not."""
        path = mask_path(name)
        image, indexed = kit.read_mask(self.folder, path, _AREA_COLOURS)
        pixels = image.pixels
        if indexed and not self.fresh:
            self.warnings += kit.other_colours(image, _AREA_COLOURS, path)
        with in_file(path):
            right = [(mask.width, mask.height), *self._mask_sizes()]
            if not self.fresh and 0 not in self.new and (pixels.width, pixels.height) not in right:
                width, height = right[-1]
                raise FormatError(
                    f"expected {width} x {height} pixels, got {pixels.width} x {pixels.height}"
                )
            before = set() if self.fresh or not mask.packed else set(mask.pixels().data)
            areas = self.room.areas(name)
            wrong = {*pixels.data} - before - {*range(areas)}
            if wrong and not self.fresh:
                column = pixels.data.index(min(wrong))
                y, x = divmod(column, pixels.width)
                raise FormatError(
                    f"the pixel at {x}, {y} is of area {min(wrong)}, but the room has {areas}, "
                    "0 included"
                )
            mask.set_pixels(pixels, by_row=not self.room.is_modern)

    def _mask_sizes(self) -> Iterator[tuple[int, int]]:
        """The size of masks that goes with the background; nothing if that can't be unpacked."""
        main, pictures = self.room.main, self.room.backgrounds()
        if main is not None and pictures:
            try:
                pixels = pictures[0].pixels(self.room.depth)
            except FormatError:
                return
            scale = max(1, main.resolution)
            yield pixels.width // scale, pixels.height // scale

    def _wanted(self, path: str, new: bool = False, place: str = "") -> bool:
        """Whether a file must be read: it was changed, or what it holds is new."""
        change = self.changes.get(path)
        if path not in self.folder and (new or change == "removed"):
            raise WorkspaceError(f"{path} is missing, but {ROOM_JSON} refers to it{place}")
        return new or change is not None

    def _take_old_background(self) -> None:
        old = self.room.old_background
        if old is not None and self._wanted(background_path(0), 0 in self.new):
            pixels, palette, *_ = kit.read_png(self.folder, background_path(0), 1)
            old.set_pixels(pixels, by_row=True)
            if palette != expand_palette(old.palette):
                old.palette = reduce_palette(palette)

    def _take_background(self, index: int, picture: LzwPicture) -> None:
        room = self.room
        alpha = self.alphas.get(index)
        if alpha is None and room.depth == 4 and not self.repainted:
            alpha = picture.pixels(4).uniform_alpha if picture.packed else None
        path = background_path(index)
        try:
            pixels, palette, quick, note = kit.read_png(self.folder, path, room.depth, alpha)
        except PlainFileError as error:
            if self.repainted:
                error.message += f" ({ROOM_JSON}: depth: {room.depth})"
            raise
        if note:
            self.warnings.append(note)
        # A room built from its plain files only is packed as the editors do, which takes longer.
        pack = None if self.fresh else quick
        picture.set_pixels(pixels, signed=not room.is_modern, pack=pack)
        if room.depth == 1:
            _take_colours(picture, palette, room.palette(picture), room.palette_bits)
        main = room.main
        if main is not None and index == 0 and room.version >= 9:
            size = (main.width, main.height)
            if size != (0, 0) and size != (pixels.width, pixels.height):
                self.warnings.append(
                    f"{path} is {pixels.width} x {pixels.height}, but {ROOM_JSON} says the room "
                    f"is {main.width} x {main.height}"
                )

    def _take_raw_background(self, picture: LzwPicture, path: str) -> None:
        data, version = self.folder.read(path), self.room.version
        with in_file(path):
            found, end = codec_for(LzwPicture, version).read(data, 0, new_reader(version))
            if end != len(data):
                raise FormatError(f"the picture has {end} bytes, the file {len(data)}")
        picture.palette, picture.packed = found.palette, found.packed
        picture.unpacked_size = found.unpacked_size


def _alpha_of(room: Room, picture: LzwPicture) -> int | None:
    try:
        return picture.pixels(4).uniform_alpha if room.depth == 4 else None
    except FormatError:
        return None


def _take_palette(mask: Mask, fields: dict[str, object], key: str) -> None:
    if key not in fields:
        return
    with at_key(key):
        shown = _known(fields[key], "palette")
        if "palette" in shown:
            with at_key("palette"):
                mask.palette = expect_bytes(shown["palette"], len(mask.palette))


def _known(value: object, *keys: str) -> dict[str, object]:
    """An object that has no other keys.  Raises FormatError."""
    shown = expect_object(value)
    unknown = shown.keys() - {*keys}
    if unknown:
        raise FormatError(f"unknown field {min(unknown)!r}")
    return shown


def _take_colours(picture: LzwPicture, new: bytes, shown: bytes, bits: int) -> None:
    """Take the colours of an indexed image that differ from those stored."""
    palette = bytearray(picture.palette)
    for colour in range(PALETTE_COLOURS):
        at = slice(3 * colour, 3 * colour + 3)
        if new[at] != shown[at]:
            palette[4 * colour : 4 * colour + 3] = reduce_palette(new[at], bits)
    picture.palette = bytes(palette)
