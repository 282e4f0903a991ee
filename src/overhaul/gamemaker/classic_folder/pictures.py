"""The pictures of projects as files: PNG where that loses nothing, otherwise the BMP as stored."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy

from overhaul.errors import FormatError
from overhaul.folder.jsonkit import in_file
from overhaul.gamemaker.classic.bitmaps import bmp_of, bmp_pixels
from overhaul.gamemaker.classic.fields import Deflated
from overhaul.gamemaker.classic.resources import Background, OldPicture, OldSprite, Picture
from overhaul.gamemaker.classic_folder.files import JsonObject, Made, expect_no_more
from overhaul.gamemaker.classic_folder.key_colour import with_key_colour
from overhaul.gamemaker.classic_folder.kind import Unit
from overhaul.media import png

if TYPE_CHECKING:
    from numpy.typing import NDArray


def show_picture(picture: OldPicture | Picture, name: str) -> tuple[str | JsonObject, Made | None]:
    """What JSON says of a picture (the name of its file, where that is all), and the file."""
    if isinstance(picture, Picture):
        entry: JsonObject = {} if picture.version == 800 else {"version": picture.version}
        if not picture.pixels:
            return entry | {"width": picture.width, "height": picture.height}, None
        file = f"{name}.png"
        return (entry | {"file": file} if entry else file), (file, lambda: _png(picture))
    if picture.file is None:
        return {"present": picture.present}, None
    data = picture.file.data
    pixels = bmp_pixels(data)
    file = name + (".bmp" if pixels is None else ".png")
    made = file, lambda: data if pixels is None else png.encode(pixels)
    return (file if picture.present == 10 else {"file": file, "present": picture.present}), made


def _png(picture: Picture) -> bytes:
    return bgra_png(picture.pixels, picture.width, picture.height)


def bgra_png(data: bytes, width: int, height: int) -> bytes:
    """The PNG of pixels that are stored as B, G, R, A."""
    return png.encode(swapped(numpy.frombuffer(data, numpy.uint8).reshape(height, width, 4)))


def swapped(pixels: NDArray[numpy.uint8]) -> NDArray[numpy.uint8]:
    """Pixels (height, width, 4) with red and blue exchanged."""
    return numpy.ascontiguousarray(pixels[:, :, [2, 1, 0, 3]])


def read_picture(
    unit: Unit, entry: object, before: OldPicture | Picture | None, *, old: bool
) -> OldPicture | Picture:
    """The picture of an entry of JSON and its file; ``old``: as stored before 800."""
    plain = {"file": entry} if isinstance(entry, str) else entry
    if not isinstance(plain, dict):
        raise FormatError("expected the name of a file")
    unknown = set(plain) - {"file", "present", "version", "width", "height"}
    expect_no_more(dict.fromkeys(unknown))
    name = plain.get("file")
    numbers = {k: v for k, v in plain.items() if isinstance(v, int) and v in range(-1, 1 << 20)}
    if name is None:
        if old:
            return OldPicture(present=numbers.get("present", -1))
        size = numbers.get("width", 0), numbers.get("height", 0)
        return Picture(version=numbers.get("version", 800), width=size[0], height=size[1])
    data = unit.named_file(name)
    with in_file(f"{unit.folder}/{name}"):
        if not old:
            return _picture(data, numbers.get("version", 800))
        made = _old_picture(unit, str(name), data, before)
    made.present = plain.get("present", 10)
    return made


def _old_picture(
    unit: Unit, name: str, data: bytes, before: OldPicture | Picture | None
) -> OldPicture:
    """The picture of a file; the one ``before`` if it has the same content."""
    old = before.file if isinstance(before, OldPicture) else None
    if name.lower().endswith(".bmp"):
        bmp = data
    else:
        pixels = png.decode(data)
        if (pixels[:, :, 3] < 255).any():
            pixels, words = with_key_colour(pixels, None if old is None else bmp_pixels(old.data))
            unit.keyed += [f"{unit.folder}/{name}: {word}" for word in words]
        else:
            unit.opaque.append(f"{unit.folder}/{name}")
        bmp = bmp_of(pixels)
    if isinstance(before, OldPicture) and old is not None and old.data == bmp:
        return before
    return OldPicture(file=Deflated.of(bmp))


def tell_transparency(
    unit: Unit, resource: OldSprite | Background, base: OldSprite | Background | None
) -> None:
    """Make a resource transparent where its pictures are; warn of what shows otherwise.

    A new one whose pictures are all opaque is not transparent.  ``base`` is what it was.
    """
    given = "transparent" in unit.plain
    if not unit.keyed:
        if base is None and unit.opaque and not given:
            resource.transparent = 0
        return
    if not resource.transparent and not given:
        resource.transparent = 1
    if not resource.transparent:
        unit.keyed.append(f"{unit.folder}/{unit.stem}: its transparent pixels show, as its JSON "
                          "says that it is not transparent")  # fmt: skip
    elif base is None and not given:
        unit.keyed += [
            f"{path}: it is opaque, but its sprite is not: it is transparent where it has the "
            "colour of its bottom left pixel"
            for path in unit.opaque
        ]
    unit.files.warnings += unit.keyed


def _picture(data: bytes, version: int) -> Picture:
    """The picture of a PNG."""
    pixels = png.decode(data)
    height, width = pixels.shape[:2]
    return Picture(version=version, width=width, height=height, pixels=swapped(pixels).tobytes())
