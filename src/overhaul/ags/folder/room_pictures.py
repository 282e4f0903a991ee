"""The pictures of a room as files: backgrounds and masks as PNG."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from overhaul.ags.fields import new_reader
from overhaul.ags.folder import file_io
from overhaul.ags.pictures import PALETTE_COLOURS, expand_palette, reduce_palette
from overhaul.ags.room.pictures import LzwPicture, Mask
from overhaul.ags.room.room import Room
from overhaul.ags.versions import ROOM_SIZES
from overhaul.document.plainfiles import Change, Folder
from overhaul.errors import FormatError, PlainFileError
from overhaul.findings import Findings
from overhaul.folder.json_fields import at_key, expect_bytes, expect_integer, expect_object, in_file
from overhaul.schema import codec_for

ROOM_JSON: Final = "room.json"
#: The file of each mask.
MASK_PATHS: Final = {
    "region": "regions.png",
    "walkable": "walkable.png",
    "walk_behind": "walk_behinds.png",
    "hotspot": "hotspots.png",
}
#: How many pixels of a background one of a mask may stand for.
_MASK_SCALES: Final = range(1, 9)

#: Colours that keep the areas of a mask apart; area 0 is black.
AREA_COLOURS: Final = bytes(3) + bytes(
    value
    for area in range(1, 256)
    for value in ((area * 67 + 60) % 256, (area * 151 + 30) % 256, (area * 211 + 90) % 256)
)


def background_path(index: int) -> str:
    """The file of a background."""
    return "background.png" if index == 0 else f"background_{index}.png"


def raw_background_path(index: int) -> str:
    """The file of a background that can't be unpacked."""
    return background_path(index).replace(".png", ".bin")


def mask_path(name: str) -> str:
    """The file of a mask."""
    return MASK_PATHS[name]


class PictureEdit:
    """Takes the pictures of a room from its files.

    ``new`` has the backgrounds whose files must be read, ``alphas`` the opacity that room.json
    gives them; ``fresh`` says that the room is built from its plain files only.
    """

    def __init__(self, room: Room, folder: Folder, changes: Mapping[str, Change]) -> None:
        self.room = room
        self.folder = folder
        self.changes = changes
        self.findings: Findings = Findings()
        self.alphas: dict[int, int] = {}
        self.new: set[int] = set()
        self.fresh = not room.blocks.blocks
        self.repainted = False

    # -- room.json ---------------------------------------------------------------------------

    def take_fields(self, picture: LzwPicture, shown: object, index: int) -> None:
        """Take the palette and the opacity that room.json has for a background."""
        if shown is None:
            return
        fields = _fields(shown, "palette", "alpha")
        if "palette" in fields:
            with at_key("palette"):
                picture.palette = expect_bytes(fields["palette"], len(picture.palette))
        if "alpha" in fields:
            with at_key("alpha"):
                self.alphas[index] = expect_integer(fields["alpha"], 0, 255)

    # -- the files ---------------------------------------------------------------------------

    def take_files(self) -> None:
        """Take the pictures that changed or are new."""
        room = self.room
        self._take_old_background()
        for index, picture in enumerate(room.backgrounds()):
            raw = raw_background_path(index)
            if raw in self.folder and (raw in self.changes or index in self.new):
                self._take_raw_background(picture, raw)
            elif self.wanted(
                background_path(index),
                self.repainted or index in self.new,
                f" in frames[{index - 1}]" if index else "",
            ) or (index in self.alphas and self.alphas[index] != _alpha_of(room, picture)):
                self._take_background(index, picture)
        for name, mask in room.masks():
            if self.wanted(mask_path(name), 0 in self.new):
                self._take_mask(name, mask)
        if self.fresh:
            self._check_masks()

    def wanted(self, path: str, new: bool = False, place: str = "") -> bool:
        """Whether a file must be read: it was changed, or what it holds is new."""
        change = self.changes.get(path)
        if path not in self.folder and (new or change == "removed"):
            raise PlainFileError(f"it is missing, but {ROOM_JSON} refers to it{place}", path)
        return new or change is not None

    def _take_old_background(self) -> None:
        old = self.room.old_background
        if old is not None and self.wanted(background_path(0), 0 in self.new):
            pixels, palette, *_ = file_io.read_png(self.folder, background_path(0), 1)
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
            pixels, palette, quick, note = file_io.read_png(self.folder, path, room.depth, alpha)
        except PlainFileError as error:
            if self.repainted:
                error.message += f" ({ROOM_JSON}: depth: {room.depth})"
            raise
        if note:
            self.findings.append(note)
        # A room built from its plain files only is packed as the editors do, which takes longer.
        pack = None if self.fresh else quick
        picture.set_pixels(pixels, signed=not room.is_modern, pack=pack)
        if room.depth == 1:
            _take_colours(picture, palette, room.palette(picture), room.palette_bits)
        main = room.main
        if main is not None and index == 0 and room.version >= ROOM_SIZES:
            size = (main.width, main.height)
            if size != (0, 0) and size != (pixels.width, pixels.height):
                self.findings.warn(
                    "mismatch",
                    f"the picture is {pixels.width} x {pixels.height}, but {ROOM_JSON} says the "
                    f"room is {main.width} x {main.height}",
                    path,
                )

    def _take_raw_background(self, picture: LzwPicture, path: str) -> None:
        data, version = self.folder.read(path), self.room.version
        with in_file(path):
            found, end = codec_for(LzwPicture, version).read(data, 0, new_reader(version))
            if end != len(data):
                raise FormatError(f"the picture has {end} bytes, the file {len(data)}")
        picture.palette, picture.packed = found.palette, found.packed
        picture.unpacked_size = found.unpacked_size

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
        image, indexed = file_io.read_mask(self.folder, path, AREA_COLOURS)
        pixels = image.pixels
        if indexed and not self.fresh:
            self.findings += file_io.other_colours(image, AREA_COLOURS, path)
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


def _alpha_of(room: Room, picture: LzwPicture) -> int | None:
    try:
        return picture.pixels(4).uniform_alpha if room.depth == 4 else None
    except FormatError:
        return None


def take_palette(mask: Mask, fields: dict[str, object], key: str) -> None:
    """Take the palette that room.json has for a mask."""
    if key not in fields:
        return
    with at_key(key):
        shown = _fields(fields[key], "palette")
        if "palette" in shown:
            with at_key("palette"):
                mask.palette = expect_bytes(shown["palette"], len(mask.palette))


def _fields(value: object, *keys: str) -> dict[str, object]:
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
