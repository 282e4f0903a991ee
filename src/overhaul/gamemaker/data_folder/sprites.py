"""Sprites: a JSON file, a picture for each frame, and a picture for each collision mask.

The details hold the values that the pictures do not show: ``empty_frames`` are the numbers of
frames that have no picture, ``no_mask`` says that a sprite lacks the mask that the compiler
makes for one like it, and a ``sequence`` of null that it lacks the sequence.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import partial
from io import BytesIO
from typing import TYPE_CHECKING, cast

import numpy as np

from overhaul.document.plainfiles import PlainFile
from overhaul.errors import FormatError, PlainFileError
from overhaul.folder.json_fields import at_key, expect_integer, expect_list, in_file
from overhaul.gamemaker.data.chunks.sprt import Sprite
from overhaul.gamemaker.data.chunks.txtr import TexturePageItem
from overhaul.gamemaker.data.pictures import has_picture
from overhaul.gamemaker.data.sprite_shape import (
    SHAPE,
    NewMasks,
    SpriteShape,
    canvas_of,
    expects_mask,
    expects_sequence,
    size_of_masks,
    sub_version_of,
)
from overhaul.gamemaker.data.version import Version
from overhaul.gamemaker.data_folder import kind_folders
from overhaul.gamemaker.data_folder.edits import Made, Maker
from overhaul.gamemaker.data_folder.names import ReferenceNames
from overhaul.gamemaker.data_folder.resource import (
    JsonObject,
    ResourceEdit,
    ResourceFiles,
    ShownItem,
    field_names,
)
from overhaul.lazy import LazyModule
from overhaul.media import masks, png
from overhaul.media.bounds import MAX_PIXELS, PILLOW_ERRORS, check_pixels

if TYPE_CHECKING:
    from PIL import Image
else:  # start-up: Pillow
    Image = LazyModule("PIL.Image")

#: details other than fields of the record: numbers of frames, and whether a mask is missing
_EMPTY, _NO_MASK = "empty_frames", "no_mask"
#: the highest number of a frame
_LAST_FRAME = 999_999


class SpriteFiles(ResourceFiles[Sprite]):
    """Sprites, their frames and masks."""

    def defaults(self, version: Version) -> JsonObject:
        return {"sub_version": sub_version_of(version)} if version.major >= 2 else {}

    def usual(self, names: ReferenceNames) -> JsonObject:
        usual = super().usual(names) | {"sprite_type": "bitmap", "special": None}
        return {key: value for key, value in usual.items() if key != "sequence"}

    def show(self, record: Sprite, names: ReferenceNames) -> JsonObject:
        plain = super().show(record, names)
        if record.sequence is None and not expects_sequence(names.game, record):
            plain.pop("sequence", None)
        if record.sprite_type:
            return plain
        if empty := [number for number, item in enumerate(record.textures) if item is None]:
            plain[_EMPTY] = list(empty)
        if not record.masks and expects_mask(names.game, record):
            plain[_NO_MASK] = True
        return plain

    def pictures(self, record: Sprite) -> Iterable[ShownItem]:
        return [
            ShownItem(f"/{number}", f"textures[{number}]", item)
            for number, item in enumerate(record.textures)
        ]

    def parts(
        self, record: Sprite, place: str, origin: str, names: ReferenceNames
    ) -> Iterator[PlainFile]:
        size = size_of_masks(names.game, record)
        for number, mask in enumerate(record.masks if all(size) else ()):
            yield PlainFile(
                f"{place}/mask_{number}.png",
                partial(mask_png, mask, *size),
                origin=f"{origin}.masks[{number}]",
            )

    def read(self, values: JsonObject, edit: ResourceEdit[Sprite]) -> Sprite:
        # A special sprite's fields are there for some sub-versions only.
        if values.get("sub_version") == 0:
            for key in ("sprite_type", "playback_speed", "playback_speed_type"):
                values.pop(key, None)
        if values.get("special", 0) is None:
            del values["special"]
        edit.extra = {key: values.pop(key) for key in (_EMPTY, _NO_MASK) if key in values}
        _empty_frames(edit)
        if not isinstance(flag := edit.extra.get(_NO_MASK, False), bool):
            raise FormatError(f"expected true or false, got {flag!r}").within(_NO_MASK)
        record = super().read(values, edit)
        if not edit.added:
            for name in SHAPE:  # without a word, they are as they were
                if name not in edit.given:
                    setattr(record, name, getattr(edit.record, name))
        return record

    def maker(self, name: str) -> Maker:
        return mask_of if name.startswith("mask_") else super().maker(name)

    def apply(self, edit: ResourceEdit[Sprite]) -> None:
        sprite, place, edits = edit.record, edit.place, edit.edits
        if sprite.sprite_type:
            return  # frames of SWF, Spine and vector sprites are in their own data
        shape = SpriteShape(
            edits.game,
            sprite,
            None if edit.added else edit.before,
            images=edits.images,
            place=place,
            given=edit.given | ({"masks"} if edit.extra.get(_NO_MASK) else set()),
        )
        files = edits.numbered(place)
        empty = _empty_frames(edit)
        old = [] if edit.added else list(sprite.textures)
        if edit.added:
            known = _known_items(place, edits.items)
            kept = {number for number, item in known.items() if not has_picture(item)}
        else:  # a folder may hold only a part of the game's files
            known = dict(enumerate(old))
            kept = {n for n in known if not edit.gone(f"{n}.png")}
            if empty is not None:
                kept -= {n for n in kept if known[n] is None}
            _check_empty(edit, files, empty)
        numbers = sorted(files.keys() | kept | (empty or set()))
        textures = [known.get(number) for number in numbers]
        edits.painting.shows_others(sprite.textures, textures)
        sprite.textures = textures
        for index, number in enumerate(numbers):
            path = files.get(number)
            if path is not None and path in edit.changes:
                place_item = partial(sprite.textures.__setitem__, index)
                item = sprite.textures[index]
                pixels, changed = edit.paint(path, item, place_item)
                shape.frame(index, pixels, changed, canvas_of(item))
        shape.recompute(old, _new_masks(edit))
        if not edit.added and edit.extra.get(_NO_MASK) is False:
            shape.recompute_missing_mask()
        edits.findings += shape.findings


def _empty_frames(edit: ResourceEdit[Sprite]) -> set[int] | None:
    """The numbers of frames that have no picture; None where the JSON does not say.

    Raises FormatError.
    """
    if _EMPTY not in edit.extra:
        return None
    with at_key(_EMPTY):
        numbers = expect_list(edit.extra[_EMPTY])
        return {expect_integer(number, 0, _LAST_FRAME) for number in numbers}


def _check_empty(
    edit: ResourceEdit[Sprite], files: Mapping[int, str], empty: Collection[int] | None
) -> None:
    """Raise WorkspaceError for pictures and masks that contradict the changed JSON of a sprite."""
    for number in sorted(files.keys() & (empty or ())):
        raise PlainFileError(
            f"{_EMPTY}: frame {number} is not empty, as {files[number]} is there", edit.json_path
        )
    if edit.extra.get(_NO_MASK) and (masks := edit.edits.numbered(edit.place, "mask_")):
        first = next(iter(masks.values()))
        raise PlainFileError(f"{_NO_MASK} is true, but {first} is there", edit.json_path)


def _known_items(place: str, items: dict[str, TexturePageItem]) -> dict[int, TexturePageItem]:
    """The items of a sprite's frames, by number."""
    split = ((path.rpartition("/"), item) for path, item in items.items())
    return {
        int(number): item
        for (folder, _, number), item in split
        if folder == place and number.isdigit()
    }


def _new_masks(edit: ResourceEdit[Sprite]) -> NewMasks:
    """The masks whose files were changed."""
    files = edit.edits.numbered(edit.place, "mask_")
    gone = [path for path, change in edit.changes.items() if change == "removed"]
    numbers = [path.rpartition("/mask_")[2].removesuffix(".png") for path in gone]
    return NewMasks(
        frozenset(files),
        {n: partial(_read_mask, edit, path) for n, path in files.items() if path in edit.changes},
        frozenset(int(number) for number in numbers if number.isascii() and number.isdigit()),
    )


def _read_mask(edit: ResourceEdit[Sprite], path: str, size: tuple[int, int]) -> bytes:
    """The mask in a PNG file; ``size`` is the width and height it has to have."""
    with in_file(path):
        said, _ = edit.edits.made(mask_of, path)
    mask, width, height, grey = cast("tuple[bytes, int, int, bool]", said)
    if grey:
        edit.edits.findings.warn(
            "approximated",
            "some pixels are neither black nor white; each counts as the nearer one",
            path,
        )
    if (width, height) != size:
        raise PlainFileError(
            f"the mask is {width} x {height} pixels, but those of "
            f"this sprite are {size[0]} x {size[1]}",
            path,
        )
    return mask


def mask_of(data: bytes) -> Made:
    """The mask in a PNG file, its width and height, and whether some pixels are neither black
    nor white. Raises FormatError for a file that is not a PNG image, or a damaged one."""
    check_pixels(*png.size(data), MAX_PIXELS)
    try:
        with Image.open(BytesIO(data), formats=["PNG"]) as image:
            solid = masks.from_image(image)
            shades = image.convert("RGBA").convert("L")
            grey = set(np.unique(np.asarray(shades)).tolist()) - {0, 255}
    except (*PILLOW_ERRORS, Image.DecompressionBombError) as error:
        raise FormatError(f"a damaged PNG file: {error}") from None
    return (masks.pack(solid), solid.shape[1], solid.shape[0], bool(grey)), None


def mask_png(mask: bytes, width: int, height: int) -> bytes:
    """A collision mask as a PNG file of one bit per pixel."""
    out = BytesIO()
    masks.to_image(masks.unpack(mask, width, height)).save(out, "PNG", compress_level=4)
    return out.getvalue()


SPRITES = SpriteFiles(
    kind_folders.SPRITES,
    Sprite,
    hidden=field_names("name textures masks"),
    details=field_names(
        f"transparent smooth preload sub_version sprite_type sequence special {_EMPTY} {_NO_MASK}"
    ),
)
