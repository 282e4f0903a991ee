"""Sprites and backgrounds: PNG files where that loses nothing, else BMP files as stored.

A picture without alpha is transparent where it has the colour of its bottom left pixel.  So the
transparent pixels of a PNG get a colour that no visible pixel has, an outline in black is safe,
and the bottom left pixel gets it too.

JSON has sizes and bounding boxes only where they differ from the rule, so that a picture can be
replaced by one of another size or shape.  The rules hold for every sprite of the corpus, 862 of
them with an automatic box.  All of these have a visible pixel; the box of others is unknown.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import numpy
from numpy.typing import NDArray

from overhaul.errors import FormatError
from overhaul.findings import warning
from overhaul.folder.json_fields import expect_list, in_file
from overhaul.gamemaker.classic.fields import Deflated
from overhaul.gamemaker.classic.pictures import SIZE_BYTES, bmp_of, bmp_pixels, bmp_size
from overhaul.gamemaker.classic.resources import Background, OldPicture, OldSprite, Picture, Sprite
from overhaul.gamemaker.classic_folder.kind import (
    FolderKind,
    JsonObject,
    Made,
    Unit,
    expect_no_more,
    made_json,
    read_each,
    show_record,
    take,
)
from overhaul.gamemaker.classic_folder.names import ResourceFileNames
from overhaul.media import png
from overhaul.schema import Buffer

#: The alpha from which on a pixel is visible.
VISIBLE = 128
#: The colours tried first: magenta, green, cyan, yellow, blue, red.
_USUAL = (0xFF00FF, 0x00FF00, 0x00FFFF, 0xFFFF00, 0x0000FF, 0xFF0000)


def with_key_colour(
    pixels: NDArray[numpy.uint8], before: NDArray[numpy.uint8] | None = None
) -> tuple[NDArray[numpy.uint8], list[str]]:
    """Pixels (height, width, 4) without alpha, and descriptions of what that changed.

    ``before``: the picture that it replaces, whose colour is used again if it can be.
    """
    alpha = pixels[:, :, 3]
    clear = alpha < VISIBLE
    half = int(numpy.count_nonzero((alpha > 0) & (alpha < 255)))
    words = []
    if half:
        words.append(f"{half} half-transparent pixels became solid or transparent")
    made = pixels.copy()
    made[:, :, 3] = 255
    if clear.any():
        colours = made[:, :, 0].astype(numpy.uint32) << 16
        colours |= made[:, :, 1].astype(numpy.uint32) << 8
        colours |= made[:, :, 2]
        visible = set(numpy.unique(colours[~clear]).tolist())
        key = next(colour for colour in _candidates(before) if colour not in visible)
        if not clear[-1, 0]:
            words.append("the bottom left pixel became transparent, as its colour is the key")
            clear[-1, 0] = True
        made[clear, :3] = key >> 16, key >> 8 & 255, key & 255
        words.append(f"{numpy.count_nonzero(clear)} transparent pixels have the colour #{key:06X}")
    return made, words


def _candidates(before: NDArray[numpy.uint8] | None) -> Iterator[int]:
    """All colours, the likely ones first."""
    if before is not None:
        red, green, blue = (int(value) for value in before[-1, 0, :3])
        yield red << 16 | green << 8 | blue
    yield from _USUAL
    yield from range(0xFFFFFF, -1, -1)


def show_picture(picture: OldPicture | Picture, name: str) -> tuple[str | JsonObject, Made | None]:
    """The JSON of a picture (only the name of its file where that is enough), and the file."""
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


def bgra_png(data: Buffer, width: int, height: int) -> bytes:
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
            unit.keyed += [warning("approximated", word, f"{unit.folder}/{name}") for word in words]
        else:
            unit.opaque.append(f"{unit.folder}/{name}")
        bmp = bmp_of(pixels)
    if isinstance(before, OldPicture) and old is not None and old.data == bmp:
        return before
    return OldPicture(file=Deflated.of(bmp))


def report_transparency(
    unit: Unit, resource: OldSprite | Background, base: OldSprite | Background | None
) -> None:
    """Make a resource transparent if its pictures are, and warn of pixels that change.

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
        message = "its transparent pixels show, as its JSON says that it is not transparent"
        unit.keyed.warn("no-effect", message, f"{unit.folder}/{unit.stem}")
    elif base is None and not given:
        message = (
            "it is opaque, but its sprite is not: it is transparent where it has the colour of its "
            "bottom left pixel"
        )
        unit.keyed += [warning("approximated", message, path) for path in unit.opaque]
    unit.files.findings += unit.keyed


def _picture(data: bytes, version: int) -> Picture:
    """The picture of a PNG."""
    pixels = png.decode(data)
    height, width = pixels.shape[:2]
    red = pixels[:, :, 0].copy()  # in place: another array would be another picture in memory
    pixels[:, :, 0] = pixels[:, :, 2]
    pixels[:, :, 2] = red
    return Picture(version=version, width=width, height=height, pixels=pixels.tobytes())


AUTOMATIC, FULL = 0, 1  # the modes of bounding boxes that are not set by hand

Box = tuple[int, int, int, int]  # left, right, bottom, top: the first and last columns and rows


def outline(resource: OldSprite | Sprite | Background) -> dict[str, int]:
    """The fields that follow from the pictures, if these can be read."""
    if isinstance(resource, Background):
        size = size_of(resource.old_image) if resource.old_image is not None else None
        return {} if size is None else {"width": size[0], "height": size[1]}
    size = size_of(resource.frames[0]) if resource.frames else None
    if size is None:
        return {}
    width, height = size
    fields = {"width": width, "height": height} if isinstance(resource, OldSprite) else {}
    box: Box | None = None
    if resource.bbox_mode == FULL:
        box = 0, width - 1, height - 1, 0
    elif resource.bbox_mode == AUTOMATIC:
        box = _visible(resource)
    names = ("bbox_left", "bbox_right", "bbox_bottom", "bbox_top")
    return fields if box is None else fields | dict(zip(names, box, strict=True))


def size_of(picture: OldPicture | Picture) -> tuple[int, int] | None:
    """Width and height of a picture; None if it can't be read."""
    if isinstance(picture, Picture):
        return (picture.width, picture.height) if picture.pixels else None
    try:
        return None if picture.file is None else bmp_size(picture.file.beginning(SIZE_BYTES))
    except FormatError:
        return None


def without_outline(plain: dict[str, object], resource: OldSprite | Sprite | Background) -> None:
    """Remove from JSON what equals :func:`outline`."""
    for name, value in outline(resource).items():
        if plain.get(name) == value:
            del plain[name]


def add_outline(resource: OldSprite | Sprite | Background, given: Iterable[str]) -> None:
    """Set what JSON did not give."""
    for name, value in outline(resource).items():
        if name not in given:
            setattr(resource, name, value)


def _visible(sprite: OldSprite | Sprite) -> Box | None:
    """The box of all visible pixels of all subimages; None if some can't be read."""
    boxes: list[Box] = []
    for frame in sprite.frames:
        mask = _mask(sprite, frame)
        if mask is None:
            return None
        rows, columns = numpy.flatnonzero(mask.any(axis=1)), numpy.flatnonzero(mask.any(axis=0))
        if len(rows):
            boxes.append((int(columns[0]), int(columns[-1]), int(rows[-1]), int(rows[0])))
    if not boxes:
        return 0, 0, 0, 0
    lefts, rights, bottoms, tops = zip(*boxes, strict=True)
    return min(lefts), max(rights), max(bottoms), min(tops)


def _mask(sprite: OldSprite | Sprite, frame: OldPicture | Picture) -> NDArray[numpy.bool_] | None:
    """Which pixels of a subimage are visible; None if it can't be read."""
    if isinstance(frame, Picture):
        if not frame.pixels:
            return None
        pixels = numpy.frombuffer(frame.pixels, numpy.uint8)
        alpha = pixels.reshape(frame.height, frame.width, 4)[:, :, 3]
        tolerance = sprite.alpha_tolerance if isinstance(sprite, Sprite) else 0
        return numpy.greater(alpha, tolerance)
    shown = None if frame.file is None else bmp_pixels(frame.file.data)
    if shown is None:
        return None
    if isinstance(sprite, OldSprite) and not sprite.transparent:
        return numpy.ones(shown.shape[:2], numpy.bool_)
    visible: NDArray[numpy.bool_] = (shown[:, :, :3] != shown[-1, 0, :3]).any(axis=2)
    return visible


def _show(
    background: Background, stem: str, extra: JsonObject, names: ResourceFileNames
) -> Iterator[Made]:
    plain = extra | show_record(
        background, background.version, names, without=["image", "old_image", "has_image"]
    )
    picture = background.image if background.version >= 710 else background.old_image
    if background.has_image not in (0, 1):
        plain["has_image"] = background.has_image
    if picture is not None:
        entry, made = show_picture(picture, stem)
        if entry != f"{stem}.png" and picture != Picture(version=800):
            plain["image"] = entry
        if made is not None:
            yield made
    without_outline(plain, background)
    yield f"{stem}.json", made_json(plain)


def _read(unit: Unit, base: Background | None) -> Background:
    entry = unit.plain.pop("image", None)
    if isinstance(entry, str):
        entry = unit.renamed_with(entry)
    elif isinstance(entry, dict) and "file" in entry:
        entry = entry | {"file": unit.renamed_with(entry["file"])}
    if entry is None and f"backgrounds/{unit.stem}.png" in unit.files:
        entry = f"{unit.stem}.png"
    old = unit.version < 710
    background = unit.record(Background, base)
    picture: OldPicture | Picture | None = None
    if entry is not None:
        before = None if base is None else base.old_image
        picture = read_picture(unit, entry, before, old=old)
    if not old:
        background.image = picture if isinstance(picture, Picture) else Picture(version=800)
        return background
    background.old_image = picture if isinstance(picture, OldPicture) else None
    report_transparency(unit, background, base)
    if "has_image" not in unit.plain:
        background.has_image = int(picture is not None)
    add_outline(background, unit.plain)
    return background


BACKGROUNDS = FolderKind("backgrounds", _show, _read, needs=(".json", ".png"))


def _show_sprite(
    sprite: OldSprite | Sprite, stem: str, extra: JsonObject, names: ResourceFileNames
) -> Iterator[Made]:
    plain = extra | show_record(sprite, sprite.version, names, without=["frames"])
    entries: list[str | JsonObject] = []
    frames: list[OldPicture] | list[Picture] = sprite.frames
    for index, frame in enumerate([*frames]):
        entry, made = show_picture(frame, str(index))
        entries.append(entry)
        if made is not None:
            yield f"{stem}/{made[0]}", made[1]
    if entries != [f"{index}.png" for index in range(len(entries))]:
        plain["frames"] = entries
    without_outline(plain, sprite)
    yield f"{stem}/sprite.json", made_json(plain)


def _read_sprite(unit: Unit, base: OldSprite | Sprite | None) -> OldSprite | Sprite:
    entries = take(unit.plain, "frames", expect_list, _numbered(unit))
    before: list[OldPicture | Picture] = [] if base is None else [*base.frames]

    def read(index: int) -> OldPicture | Picture:
        same = before[index] if index < len(before) else None
        if isinstance(same, Picture) and _is_as_it_was(unit, entries[index], same, index):
            return same
        return read_picture(unit, entries[index], same, old=unit.version < 800)

    frames = read_each(read, range(len(entries)), "frames")
    sprite: OldSprite | Sprite
    if unit.version < 800:
        old = base if isinstance(base, OldSprite) else None
        sprite = unit.record(OldSprite, old)
        sprite.frames = [frame for frame in frames if isinstance(frame, OldPicture)]
        report_transparency(unit, sprite, old)
    else:
        sprite = unit.record(Sprite, base if isinstance(base, Sprite) else None)
        sprite.frames = [frame for frame in frames if isinstance(frame, Picture)]
    add_outline(sprite, unit.plain)
    sizes = dict.fromkeys(size for frame in frames if (size := size_of(frame)) is not None)
    if len(sizes) > 1:
        listed = " and ".join(f"{width} by {height}" for width, height in sizes)
        message = f"the subimages of a sprite have one size, not {listed}"
        unit.files.findings.warn("mismatch", message, unit.folder)
    return sprite


def _is_as_it_was(unit: Unit, entry: object, before: Picture, index: int) -> bool:
    """Whether an entry is the picture before, whose file was not edited: it is not read again."""
    shown, made = show_picture(before, str(index))
    path = f"{unit.folder}/{'' if made is None else made[0]}"
    if entry != shown or path in unit.files.changes:
        return False
    unit.files.used.add(path)
    return True


def _numbered(unit: Unit) -> list[str]:
    """The pictures 0.png, 1.png and so on, which must not leave out a number."""
    names = (path.rpartition("/")[2] for path in unit.paths)
    numbers = sorted(
        int(name[:-4]) for name in names if re.fullmatch(r"(0|[1-9]\d{0,6})\.png", name)
    )
    if "frames" not in unit.plain and numbers != [*range(len(numbers))]:
        missing = next(index for index, number in enumerate(numbers) if index != number)
        raise FormatError(
            f"{missing}.png is missing, but there is {numbers[-1]}.png", path="frames"
        )
    return [f"{number}.png" for number in numbers]


SPRITES = FolderKind("sprites", _show_sprite, _read_sprite, json="/sprite.json")
