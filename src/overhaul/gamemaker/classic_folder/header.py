"""``project.json``: the header of a project, and what is too small for a file of its own."""

from __future__ import annotations

from array import array
from collections.abc import Iterator

from overhaul.document.plainfiles import PlainFile
from overhaul.errors import FormatError
from overhaul.folder.edits import Edits
from overhaul.folder.jsonkit import (
    at_key,
    expect_bytes,
    expect_list,
    expect_object,
    expect_texts,
)
from overhaul.gamemaker.classic.kinds import kinds_of, section_version
from overhaul.gamemaker.classic.obfuscation import Obfuscation
from overhaul.gamemaker.classic.records import OBFUSCATED, Project
from overhaul.gamemaker.classic.settings import CreationCode, PackageName
from overhaul.gamemaker.classic.streams import ProjectReader, ProjectWriter
from overhaul.gamemaker.classic_folder.files import (
    JsonObject,
    expect_no_more,
    left_out,
    made_json,
    take,
    take_integer,
)
from overhaul.gamemaker.classic_folder.names import Names
from overhaul.gamemaker.classic_folder.part import Part
from overhaul.gamemaker.classic_folder.placed import LOW, low_last_ids
from overhaul.schema import codec_for

PROJECT, OBFUSCATION = "project.json", "obfuscation.bin"
_GUID_SIZE = 16


def _versioned_parts(version: int) -> list[str]:
    """The attributes of a project that have a version number of their own, if nothing else."""
    parts = [kind.plural for kind in kinds_of(version)] + ["library_codes", "room_order"]
    if version >= 701:
        parts += ["includes", "packages"]
    return parts + (["triggers", "constants"] if version >= 800 else [])


def _show(project: Project, names: Names) -> Iterator[PlainFile]:
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


def _read(project: Project, files: Edits, names: Names) -> None:
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


HEADER = Part((PROJECT, OBFUSCATION), _show, _read)
