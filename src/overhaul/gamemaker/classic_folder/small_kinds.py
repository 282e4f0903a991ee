"""Kinds of one or two files: sounds, paths, scripts, fonts, triggers, data files."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from overhaul.errors import FormatError
from overhaul.findings import Findings, warning
from overhaul.gamemaker.classic.fields import Deflated
from overhaul.gamemaker.classic.resources import DataFile, Font, Path, PathPoint, Script, Sound
from overhaul.gamemaker.classic.settings import Trigger
from overhaul.gamemaker.classic_folder.kind import (
    FolderKind,
    JsonObject,
    Made,
    Reference,
    Unit,
    deflated,
    expect_no_more,
    made_json,
    made_text,
    show_record,
    take_integer,
)
from overhaul.gamemaker.classic_folder.names import ResourceFileNames
from overhaul.media.audio import AudioFormat, sniff

_ROOM = {"background_room": ("rooms", -1)}
_POINT = ("x", "y", "speed")


def show_points(points: Sequence[PathPoint], names: ResourceFileNames) -> list[object]:
    """The points of a path for JSON, as [x, y, speed]."""
    return [[*show_record(point, 530, names).values()] for point in points]


def _show_path(
    path: Path, stem: str, extra: JsonObject, names: ResourceFileNames
) -> Iterator[Made]:
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


def _show_script(
    script: Script, stem: str, extra: JsonObject, names: ResourceFileNames
) -> Iterator[Made]:
    yield f"{stem}.gml", made_text(script.code)
    if extra:  # rarely: a name or a version
        yield f"{stem}.json", made_json(extra)


def _read_script(unit: Unit, base: Script | None) -> Script:
    expect_no_more(unit.plain)
    return Script(version=unit.version, code=unit.files.text(f"scripts/{unit.stem}.gml"))


def _show_font(
    font: Font, stem: str, extra: JsonObject, names: ResourceFileNames
) -> Iterator[Made]:
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


def _show_trigger(
    trigger: Trigger, stem: str, extra: JsonObject, names: ResourceFileNames
) -> Iterator[Made]:
    plain = extra | show_record(trigger, trigger.version, names, without=["condition", "name"])
    yield f"{stem}.gml", made_text(trigger.condition)
    yield f"{stem}.json", made_json(plain)


def _read_trigger(unit: Unit, base: Trigger | None) -> Trigger:
    trigger = unit.record(Trigger, base)
    trigger.condition = unit.files.text(f"triggers/{unit.stem}.gml")
    return trigger


PATHS = FolderKind("paths", _show_path, _read_path, references=_path_references, named=_ROOM)
SCRIPTS = FolderKind("scripts", _show_script, _read_script, needs=(".gml",))
FONTS = FolderKind("fonts", _show_font, _read_font)
TRIGGERS = FolderKind("triggers", _show_trigger, _read_trigger, needs=(".json", ".gml"))


_EXTENSION = re.compile(r"\.[A-Za-z0-9]{1,8}")


def _file_name(stem: str, extension: str) -> str:
    """The name of a file with the extension that its JSON gives, if it may have that."""
    usable = _EXTENSION.fullmatch(extension) and extension.lower() != ".json"
    return stem + (extension if usable else ".bin")


def _show_sound(
    sound: Sound, stem: str, extra: JsonObject, names: ResourceFileNames
) -> Iterator[Made]:
    plain = extra | show_record(sound, sound.version, names, without=["data", "has_data"])
    data = sound.data
    if sound.has_data not in (0, 1):
        plain["has_data"] = sound.has_data
    if data is not None:
        name = _file_name(stem, sound.file_type)
        plain["file"] = name
        if name == stem + sound.file_type:  # so that another kind of file can take its place
            del plain["file_type"]
        yield name, lambda: data.data if isinstance(data, Deflated) else data
    yield f"{stem}.json", made_json(plain)


def _read_sound(unit: Unit, base: Sound | None) -> Sound:
    name = unit.plain.pop("file", None)
    sound = unit.record(Sound, base)
    if name is None:
        sound.data = None
        if "has_data" not in unit.plain:
            sound.has_data = 0
        if unit.version < 600:
            sound.kind = -1
        return sound
    name = unit.renamed_with(name)
    data = unit.named_file(name)
    before = None if base is None else base.data
    was = (base.file_type, before.data if isinstance(before, Deflated) else before) if base else ()
    sound.data = data if unit.version >= 800 else deflated(data, before)
    sound.has_data = sound.has_data or 1
    if "file_type" not in unit.plain:
        sound.file_type = "." + str(name).rpartition(".")[2]
    if (sound.file_type, data) != was:
        unit.files.findings += _other_format(f"{unit.folder}/{name}", sound.file_type, data)
    return sound


#: The formats that the usual extensions of sounds stand for.
_FORMATS: Final = {
    ".wav": AudioFormat.WAV,
    ".mp3": AudioFormat.MP3,
    ".mid": AudioFormat.MIDI,
    ".midi": AudioFormat.MIDI,
    ".ogg": AudioFormat.OGG,
    ".flac": AudioFormat.FLAC,
    ".aif": AudioFormat.AIFF,
    ".aiff": AudioFormat.AIFF,
}


def _other_format(path: str, file_type: str, data: bytes) -> Findings:
    """A warning if the bytes of a sound are of another format than its file type says."""
    expected, actual = _FORMATS.get(file_type.lower()), sniff(data)
    if expected is None or expected is actual:
        return Findings()
    what = "no sound" if actual is AudioFormat.UNKNOWN else f"a sound of the format {actual.name}"
    message = f"it is {what}, but its file type is {file_type}: Game Maker may not play it"
    return Findings([warning("mismatch", message, path)])


def _show_data_file(
    file: DataFile, stem: str, extra: JsonObject, names: ResourceFileNames
) -> Iterator[Made]:
    plain = extra | show_record(file, file.version, names, without=["data", "has_data"])
    if file.has_data not in (0, 1):
        plain["has_data"] = file.has_data
    data = file.data
    if data is not None:
        name = _file_name(stem, "." + file.file_name.rpartition(".")[2])
        plain["file"] = name
        yield name, lambda: data.data
    yield f"{stem}.json", made_json(plain)


def _read_data_file(unit: Unit, base: DataFile | None) -> DataFile:
    name = unit.plain.pop("file", None)
    file = unit.record(DataFile, base)
    if name is None:
        file.data, file.has_data = None, 0
    else:
        before = None if base is None else base.data
        file.data = deflated(unit.named_file(unit.renamed_with(name)), before)
        file.has_data = file.has_data or 1
    return file


SOUNDS = FolderKind("sounds", _show_sound, _read_sound)
DATA_FILES = FolderKind("data_files", _show_data_file, _read_data_file)
