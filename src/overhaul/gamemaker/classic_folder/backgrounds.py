"""Backgrounds: ``NAME.json`` and the picture, ``NAME.png``."""

from __future__ import annotations

from collections.abc import Iterator

from overhaul.gamemaker.classic.resources import Background, OldPicture, Picture
from overhaul.gamemaker.classic_folder.files import JsonObject, Made, made_json, show_record
from overhaul.gamemaker.classic_folder.kind import FolderKind, Unit
from overhaul.gamemaker.classic_folder.names import Names
from overhaul.gamemaker.classic_folder.outlines import add_outline, without_outline
from overhaul.gamemaker.classic_folder.pictures import read_picture, show_picture, tell_transparency


def _show(background: Background, stem: str, extra: JsonObject, names: Names) -> Iterator[Made]:
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
    tell_transparency(unit, background, base)
    if "has_image" not in unit.plain:
        background.has_image = int(picture is not None)
    add_outline(background, unit.plain)
    return background


BACKGROUNDS = FolderKind("backgrounds", _show, _read, needs=(".json", ".png"))
