"""Sprites: ``NAME/sprite.json`` and one picture for each subimage."""

from __future__ import annotations

import re
from collections.abc import Iterator

from overhaul.errors import FormatError
from overhaul.folder.jsonkit import expect_list
from overhaul.gamemaker.classic.resources import OldPicture, OldSprite, Picture, Sprite
from overhaul.gamemaker.classic_folder.files import (
    JsonObject,
    Made,
    each,
    made_json,
    show_record,
    take,
)
from overhaul.gamemaker.classic_folder.kind import FolderKind, Unit
from overhaul.gamemaker.classic_folder.names import Names
from overhaul.gamemaker.classic_folder.outlines import add_outline, size_of, without_outline
from overhaul.gamemaker.classic_folder.pictures import read_picture, show_picture, tell_transparency


def _show(sprite: OldSprite | Sprite, stem: str, extra: JsonObject, names: Names) -> Iterator[Made]:
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


def _read(unit: Unit, base: OldSprite | Sprite | None) -> OldSprite | Sprite:
    entries = take(unit.plain, "frames", expect_list, _numbered(unit))
    before: list[OldPicture | Picture] = [] if base is None else [*base.frames]

    def read(index: int) -> OldPicture | Picture:
        same = before[index] if index < len(before) else None
        return read_picture(unit, entries[index], same, old=unit.version < 800)

    frames = each(read, range(len(entries)), "frames")
    sprite: OldSprite | Sprite
    if unit.version < 800:
        old = base if isinstance(base, OldSprite) else None
        sprite = unit.record(OldSprite, old)
        sprite.frames = [frame for frame in frames if isinstance(frame, OldPicture)]
        tell_transparency(unit, sprite, old)
    else:
        sprite = unit.record(Sprite, base if isinstance(base, Sprite) else None)
        sprite.frames = [frame for frame in frames if isinstance(frame, Picture)]
    add_outline(sprite, unit.plain)
    sizes = dict.fromkeys(size for frame in frames if (size := size_of(frame)) is not None)
    if len(sizes) > 1:
        listed = " and ".join(f"{width} by {height}" for width, height in sizes)
        message = f"{unit.folder}: the subimages of a sprite have one size, not {listed}"
        unit.files.warnings.append(message)
    return sprite


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


SPRITES = FolderKind("sprites", _show, _read, json="/sprite.json")
