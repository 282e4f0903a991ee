"""Sounds and data files: ``NAME.json``, and the file itself beside it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from overhaul.gamemaker.classic.fields import Deflated
from overhaul.gamemaker.classic.resources import DataFile, Sound
from overhaul.gamemaker.classic_folder.files import (
    JsonObject,
    Made,
    deflated,
    made_json,
    show_record,
)
from overhaul.gamemaker.classic_folder.kind import FolderKind, Unit
from overhaul.gamemaker.classic_folder.names import Names
from overhaul.media.audio import AudioFormat, sniff

_EXTENSION = re.compile(r"\.[A-Za-z0-9]{1,8}")


def _file_name(stem: str, extension: str) -> str:
    """The name of a file with an extension that people gave, where it may have that."""
    usable = _EXTENSION.fullmatch(extension) and extension.lower() != ".json"
    return stem + (extension if usable else ".bin")


def _show_sound(sound: Sound, stem: str, extra: JsonObject, names: Names) -> Iterator[Made]:
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
        unit.files.warnings += _other_format(f"{unit.folder}/{name}", sound.file_type, data)
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


def _other_format(path: str, file_type: str, data: bytes) -> list[str]:
    """A warning if the bytes of a sound are of another format than its file type says."""
    expected, found = _FORMATS.get(file_type.lower()), sniff(data)
    if expected is None or expected is found:
        return []
    what = "no sound" if found is AudioFormat.UNKNOWN else f"a sound of the format {found.name}"
    return [f"{path} is {what}, but its file type is {file_type}: Game Maker may not play it"]


def _show_data_file(file: DataFile, stem: str, extra: JsonObject, names: Names) -> Iterator[Made]:
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
