"""``settings.json``, the pictures of the settings and the game's icon."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from overhaul.document.plainfiles import PlainFile
from overhaul.errors import FormatError
from overhaul.folder.edits import Edits
from overhaul.folder.jsonkit import at_key, expect_integer, expect_texts
from overhaul.gamemaker.classic.fields import Deflated
from overhaul.gamemaker.classic.kinds import section_version
from overhaul.gamemaker.classic.records import Project
from overhaul.gamemaker.classic.settings import (
    SETTINGS_PICTURES,
    IncludedPath,
    OptionalPicture,
    Settings,
)
from overhaul.gamemaker.classic_folder.files import (
    JsonObject,
    made_json,
    read_record,
    show_record,
    take,
    take_version,
)
from overhaul.gamemaker.classic_folder.names import Names
from overhaul.gamemaker.classic_folder.part import Part

SETTINGS, ICON = "settings.json", "settings/icon.ico"
_DATES = ("last_changed", "settings_changed")  # they are in dates.json
_APART = (*SETTINGS_PICTURES, *_DATES, "icon", "constants", "include_files")
_COLOURS = ("colour_outside_room",)


def _show(project: Project, names: Names) -> Iterator[PlainFile]:
    settings = project.settings
    plain: JsonObject = {}
    if settings.version != section_version("settings", project.version):
        plain["version"] = settings.version
    plain |= show_record(settings, settings.version, names, without=_APART, colours=_COLOURS)
    if settings.version in (542, 600):
        plain["include_files"] = [item.path for item in settings.include_files]
    for name, picture in settings.pictures():
        if picture.file is None or picture.present != _present(settings.version):
            plain[f"{name}_present"] = picture.present
        if picture.file is not None:
            path = f"settings/{name}"
            yield PlainFile(f"{path}.bmp", partial(_inflated, picture.file), origin=path)
    yield PlainFile(SETTINGS, made_json(plain), origin="settings")
    yield PlainFile(ICON, lambda: settings.icon, origin="settings/icon")


def _inflated(file: Deflated) -> bytes:
    return file.data


def _present(version: int) -> int:
    """What says of a picture that it is there."""
    return 10 if version < 800 else 1


def _read(project: Project, files: Edits, names: Names) -> None:
    plain = files.json_object(SETTINGS)
    usual = section_version("settings", project.version)
    version = take_version(plain, usual, Settings.versions)
    presents = {name: plain.pop(f"{name}_present", None) for name in SETTINGS_PICTURES}
    paths = take(plain, "include_files", expect_texts, [])
    was = project.settings
    base = was if was.version == version else None
    settings = read_record(Settings, plain, version, names, colours=_COLOURS, base=base)
    settings.version = version
    settings.constants = was.constants
    settings.include_files = [IncludedPath(path) for path in paths]
    before = dict(was.pictures())
    for name, present in presents.items():
        wanted = settings.own_load_image if name == "load_image" else settings.load_bar == 2
        file = f"settings/{name}.bmp"
        data = files.bytes(file) if file in files else None
        with at_key(f"{name}_present"):
            _check_present(present, data, file)
            picture = _picture(data, before.get(name), present, version) if wanted else None
        setattr(settings, name, picture)
    settings.icon = files.bytes(ICON) if ICON in files else b""
    if base is not None:
        settings.kept, settings.rest = base.kept, base.rest
    project.settings = settings


def _check_present(present: object, data: bytes | None, file: str) -> None:
    """Raise FormatError if what JSON says of a picture is not so."""
    if present is None:
        return
    there = expect_integer(present) not in (0, -1)
    if there and data is None:
        raise FormatError(f"{present} says that there is a picture, but {file} is missing")
    if data is not None and not there:
        raise FormatError(f"{present} says that there is no picture, but {file} is there")


def _picture(
    data: bytes | None, before: OptionalPicture | None, present: object, version: int
) -> OptionalPicture:
    if data is None:
        absent = -1 if version < 800 else 0
        return OptionalPicture(present if isinstance(present, int) else absent)
    stream = Deflated.of(data)
    if before is not None and before.file is not None and before.file.data == data:
        stream = before.file
    return OptionalPicture(present if isinstance(present, int) else _present(version), stream)


GLOBAL_SETTINGS = Part((SETTINGS, "settings/"), _show, _read)
