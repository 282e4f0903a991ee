"""``project.json``, ``settings.json`` and ``dates.json``: what a project has once."""

from __future__ import annotations

import math
import struct
from array import array
from collections.abc import Iterator
from functools import partial

from overhaul.document.plainfiles import PlainFile
from overhaul.errors import FormatError
from overhaul.folder.edits import Edits
from overhaul.folder.json_fields import (
    at_key,
    expect_bytes,
    expect_integer,
    expect_list,
    expect_object,
    expect_texts,
)
from overhaul.gamemaker.classic.fields import Deflated, Kept
from overhaul.gamemaker.classic.kinds import kinds_of, section_version
from overhaul.gamemaker.classic.obfuscation import Obfuscation
from overhaul.gamemaker.classic.records import OBFUSCATED, Project
from overhaul.gamemaker.classic.settings import (
    SETTINGS_PICTURES,
    CreationCode,
    IncludedPath,
    OptionalPicture,
    PackageName,
    Settings,
)
from overhaul.gamemaker.classic.streams import ProjectReader, ProjectWriter
from overhaul.gamemaker.classic_folder.kind import (
    FolderPart,
    JsonObject,
    expect_no_more,
    left_out,
    made_json,
    read_record,
    show_record,
    take,
    take_integer,
    take_version,
)
from overhaul.gamemaker.classic_folder.names import ResourceFileNames
from overhaul.gamemaker.classic_folder.rooms import LOW, low_last_ids
from overhaul.schema import codec_for

PROJECT, OBFUSCATION = "project.json", "obfuscation.bin"
_GUID_SIZE = 16


def _versioned_parts(version: int) -> list[str]:
    """The attributes of a project that have a version number of their own, if nothing else."""
    parts = [kind.plural for kind in kinds_of(version)] + ["library_codes", "room_order"]
    if version >= 701:
        parts += ["includes", "packages"]
    return parts + (["triggers", "constants"] if version >= 800 else [])


def _show(project: Project, names: ResourceFileNames) -> Iterator[PlainFile]:
    plain: JsonObject = {"game_id": project.game_id, "guid": project.guid.hex()}
    if project.reserved:
        plain["reserved"] = project.reserved
    plain["last_instance_id"] = project.last_instance_id
    plain["last_tile_id"] = project.last_tile_id
    low = low_last_ids(project)
    if low:
        plain[LOW] = low
    plain["room_order"] = [names.show("rooms", room) for room in project.room_order.rooms]
    plain["library_codes"] = [code.code for code in project.library_codes.codes]
    if project.version >= 701:
        plain["packages"] = [package.name for package in project.packages.names]
    versions = {part: getattr(project, part).version for part in _versioned_parts(project.version)}
    unusual = {
        part: number
        for part, number in versions.items()
        if number != section_version(part, project.version)
    }
    if unusual:
        plain["versions"] = unusual
    if project.trailing:
        plain["trailing"] = project.trailing.hex()
    yield PlainFile(PROJECT, made_json(plain), origin="project")
    header = project.obfuscation
    if header is not None:

        def made() -> bytes:
            writer = ProjectWriter()
            codec_for(Obfuscation).write(writer, header)
            return bytes(writer.out)

        yield PlainFile(OBFUSCATION, made, origin="obfuscation")


def _read(project: Project, files: Edits, names: ResourceFileNames) -> None:
    plain = files.json_object(PROJECT)
    if not plain and PROJECT in files:
        raise FormatError(
            "expected the fields of a project (game_id, guid, room_order, ...), got an empty object"
        )
    for field in ("game_id", "reserved", "last_instance_id", "last_tile_id"):
        setattr(project, field, take_integer(plain, field, getattr(project, field)))
    project.guid = take(plain, "guid", expect_bytes, bytes(_GUID_SIZE).hex())
    if len(project.guid) != _GUID_SIZE:
        raise FormatError(f"expected {_GUID_SIZE} bytes, got {len(project.guid)}", path="guid")
    take(plain, LOW, expect_texts, [])  # number_rooms() looks at it
    project.trailing = take(plain, "trailing", expect_bytes, "")
    order = []
    for index, room in enumerate(take(plain, "room_order", expect_list, [])):
        if isinstance(room, str) and room not in names.ids["rooms"]:
            left_out(files, PROJECT, f"room_order: there is no room {room!r}")
            continue
        with at_key("room_order", index):
            order.append(names.read("rooms", room))
    project.room_order.rooms = order
    codes = take(plain, "library_codes", expect_texts, [])
    project.library_codes.codes = [CreationCode(code) for code in codes]
    if project.version >= 701:
        packages = take(plain, "packages", expect_texts, [])
        project.packages.names = [PackageName(name) for name in packages]
    versions = take(plain, "versions", expect_object, {})
    parts = _versioned_parts(project.version)
    for part in parts:
        number = versions.get(part, section_version(part, project.version))
        record = getattr(project, part)
        if number not in record.versions:
            message = f"not a valid version: {number!r:.20}"
            raise FormatError(message).within(part).within("versions")
        record.version = number
    with at_key("versions"):
        expect_no_more({part: number for part, number in versions.items() if part not in parts})
    expect_no_more(plain)
    if project.version == OBFUSCATED:
        project.obfuscation = _read_obfuscation(files)


def _read_obfuscation(files: Edits) -> Obfuscation:
    if OBFUSCATION not in files:
        return Obfuscation(0, 0, array("i"), 248, array("i"))
    data = files.bytes(OBFUSCATION)
    header: Obfuscation
    header, end = codec_for(Obfuscation).read(data, 0, ProjectReader(source=OBFUSCATION))
    if end != len(data) or header.seed < 0:
        message = "not a valid obfuscation header of Game Maker 7"
        raise FormatError(message, source=OBFUSCATION, offset=end)
    return header


HEADER = FolderPart((PROJECT, OBFUSCATION), _show, _read)


DATES = "dates.json"


def show_date(value: float) -> float | str:
    """A date as the number it is, days since 30 December 1899; as bits where that fails."""
    return value if math.isfinite(value) else struct.pack(">d", value).hex()


def read_date(value: object) -> float:
    """The date of what :func:`show_date` showed."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        try:
            return float(value)
        except OverflowError:
            pass
    if isinstance(value, str) and len(value) == 16:
        try:
            return float(struct.unpack(">d", bytes.fromhex(value))[0])
        except ValueError:
            pass
    raise FormatError(f"expected a number of days, got {value!r:.40}")


def _of_parts(project: Project) -> Iterator[tuple[str, Kept, str]]:
    """The dates of a project's own parts: the name in dates.json, the record, its field."""
    yield "last_changed", project.settings, "last_changed"
    if project.version >= 800:
        yield "settings", project.settings, "settings_changed"
        yield "triggers", project.triggers, "changed"
        yield "constants", project.constants, "changed"
        yield "game_information", project.information, "changed"


def _show_date(project: Project, names: ResourceFileNames) -> Iterator[PlainFile]:
    yield PlainFile(DATES, lambda: made_json(_dates(project, names))())


def _dates(project: Project, names: ResourceFileNames) -> JsonObject:
    shown: JsonObject = {
        name: show_date(getattr(record, field)) for name, record, field in _of_parts(project)
    }
    for kind in kinds_of(project.version) if project.version >= 800 else ():
        slots = zip(names.stems[kind.plural], kind.section(project).slots, strict=True)
        dates = {stem: show_date(slot.changed) for stem, slot in slots if stem is not None}
        if dates:
            shown[kind.plural] = dates
    return shown


def _read_date(project: Project, files: Edits, names: ResourceFileNames) -> None:
    plain = files.json_object(DATES)
    for name, record, field in _of_parts(project):
        if name in plain:
            with at_key(name):
                setattr(record, field, read_date(plain.pop(name)))
    for kind in kinds_of(project.version) if project.version >= 800 else ():
        for stem, value in take(plain, kind.plural, expect_object, {}).items():
            index = names.ids[kind.plural].get(stem)
            if index is None:
                left_out(files, DATES, f"{kind.plural}: there is no {stem!r}")
                continue
            with at_key(kind.plural), at_key(stem):
                kind.section(project).slots[index].changed = read_date(value)
    expect_no_more(plain)


CHANGE_DATES = FolderPart((DATES,), _show_date, _read_date)


SETTINGS, ICON = "settings.json", "settings/icon.ico"
_DATES = ("last_changed", "settings_changed")  # they are in dates.json
_APART = (*SETTINGS_PICTURES, *_DATES, "icon", "constants", "include_files")
_COLOURS = ("colour_outside_room",)


def _show_setting(project: Project, names: ResourceFileNames) -> Iterator[PlainFile]:
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
    """The field that says whether a picture is there."""
    return 10 if version < 800 else 1


def _read_setting(project: Project, files: Edits, names: ResourceFileNames) -> None:
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
    """Raise FormatError if JSON contradicts whether a picture is there."""
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


GLOBAL_SETTINGS = FolderPart((SETTINGS, "settings/"), _show_setting, _read_setting)
