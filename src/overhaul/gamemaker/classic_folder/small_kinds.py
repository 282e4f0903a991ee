"""The kinds of resources that are one or two small files: paths, scripts, fonts, triggers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from overhaul.errors import FormatError
from overhaul.gamemaker.classic.resources import Font, Path, PathPoint, Script
from overhaul.gamemaker.classic.settings import Trigger
from overhaul.gamemaker.classic_folder.files import (
    JsonObject,
    Made,
    expect_no_more,
    made_json,
    made_text,
    show_record,
    take_integer,
)
from overhaul.gamemaker.classic_folder.kind import FolderKind, Reference, Unit
from overhaul.gamemaker.classic_folder.names import Names

_ROOM = {"background_room": ("rooms", -1)}
_POINT = ("x", "y", "speed")


def show_points(points: Sequence[PathPoint], names: Names) -> list[object]:
    """The points of a path for JSON, as [x, y, speed]."""
    return [[*show_record(point, 530, names).values()] for point in points]


def _show_path(path: Path, stem: str, extra: JsonObject, names: Names) -> Iterator[Made]:
    plain = extra | show_record(path, path.version, names, references=_ROOM)
    plain["points"] = show_points(path.points, names)
    yield f"{stem}.json", made_json(plain)


def _read_path(unit: Unit, base: Path | None) -> Path:
    points = unit.plain.get("points")
    if isinstance(points, list):
        for index, point in enumerate(points):
            if not isinstance(point, list) or len(point) != 3:
                raise FormatError("a point is [x, y, speed]").within("points", index)
        unit.plain["points"] = [dict(zip(_POINT, point, strict=True)) for point in points]
    return unit.record(Path, base, references=_ROOM)


def _path_references(path: Path) -> Iterator[Reference]:
    yield "rooms", path.background_room


def _show_script(script: Script, stem: str, extra: JsonObject, names: Names) -> Iterator[Made]:
    yield f"{stem}.gml", made_text(script.code)
    if extra:  # rarely: a name or a version
        yield f"{stem}.json", made_json(extra)


def _read_script(unit: Unit, base: Script | None) -> Script:
    expect_no_more(unit.plain)
    return Script(version=unit.version, code=unit.files.text(f"scripts/{unit.stem}.gml"))


def _show_font(font: Font, stem: str, extra: JsonObject, names: Names) -> Iterator[Made]:
    plain = extra | show_record(font, font.version, names)
    packed = font.range_start
    if packed > 0xFFFF:  # of 8.1
        plain["range_start"] = packed & 0xFFFF
        plain["character_set"] = packed >> 16 & 0xFF
        plain["smoothing"] = packed >> 24
    yield f"{stem}.json", made_json(plain)


def _read_font(unit: Unit, base: Font | None) -> Font:
    packed: int | None = None
    if "character_set" in unit.plain or "smoothing" in unit.plain:
        packed = take_integer(unit.plain, "character_set", None, 0, 256) << 16
        packed |= take_integer(unit.plain, "smoothing", None, 0, 128) << 24
    font = unit.record(Font, base)
    if packed is not None:
        font.range_start = font.range_start & 0xFFFF | packed
    return font


def _show_trigger(trigger: Trigger, stem: str, extra: JsonObject, names: Names) -> Iterator[Made]:
    plain = extra | show_record(trigger, trigger.version, names, without=["condition", "name"])
    yield f"{stem}.gml", made_text(trigger.condition)
    yield f"{stem}.json", made_json(plain)


def _read_trigger(unit: Unit, base: Trigger | None) -> Trigger:
    trigger = unit.record(Trigger, base)
    trigger.condition = unit.files.text(f"triggers/{unit.stem}.gml")
    return trigger


PATHS = FolderKind("paths", _show_path, _read_path, references=_path_references)
SCRIPTS = FolderKind("scripts", _show_script, _read_script, needs=(".gml",))
FONTS = FolderKind("fonts", _show_font, _read_font)
TRIGGERS = FolderKind("triggers", _show_trigger, _read_trigger, needs=(".json", ".gml"))
