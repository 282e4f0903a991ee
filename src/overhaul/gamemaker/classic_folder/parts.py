"""The parts of a project that are no resources, each as a few files of the folder."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from overhaul.document.names import FileNames
from overhaul.errors import FormatError
from overhaul.gamemaker.classic.fields import Deflated
from overhaul.gamemaker.classic.kinds import kinds_of, section_version
from overhaul.gamemaker.classic.obfuscation import Obfuscation
from overhaul.gamemaker.classic.records import Project
from overhaul.gamemaker.classic.settings import (
    Constant,
    CreationCode,
    GameInformation,
    Include,
    IncludedPath,
    IncludeSlot,
    OptionalPicture,
    PackageName,
    Settings,
)
from overhaul.gamemaker.classic.streams import ProjectReader, ProjectWriter
from overhaul.gamemaker.classic_folder.files import (
    Files,
    in_file,
    json_bytes,
    read_record,
    show_record,
)
from overhaul.gamemaker.classic_folder.names import Names
from overhaul.schema import codec_for

Made = tuple[str, Callable[[], bytes]]
Show = Callable[[Project, Names], Iterator[Made]]
Read = Callable[[Project, Files, Names], None]


class Part:
    """A part of a project: its files, how they are made, how they are read."""

    def __init__(self, files: tuple[str, ...], show: Show, read: Read) -> None:
        self.files = files
        self.show = show
        self.read = read

    def reads(self, path: str) -> bool:
        """Is this one of the part's files?  A name with / at its end is a folder."""
        return any(
            path.startswith(name) if name.endswith("/") else path == name for name in self.files
        )


def show_parts(project: Project, names: Names) -> Iterator[Made]:
    """The files of all parts."""
    for part in PARTS:
        yield from part.show(project, names)


def read_part(part: Part, project: Project, files: Files, names: Names) -> None:
    """Read a part anew from its files; an error names the first of them."""
    in_file(part.files[0], lambda: part.read(project, files, names))


# --------------------------------------------------------------------- header and odds and ends

PROJECT, OBFUSCATION = "project.json", "obfuscation.bin"


def _parts_with_versions(version: int) -> list[str]:
    parts = [kind.plural for kind in kinds_of(version)] + ["library_codes", "room_order"]
    if version >= 701:
        parts += ["includes", "packages"]
    return parts + (["triggers", "constants"] if version >= 800 else [])


def _show_project(project: Project, names: Names) -> Iterator[Made]:
    plain: dict[str, Any] = {"game_id": project.game_id, "guid": project.guid.hex()}
    if project.reserved:
        plain["reserved"] = project.reserved
    plain["last_instance_id"] = project.last_instance_id
    plain["last_tile_id"] = project.last_tile_id
    plain["room_order"] = [names.show("rooms", room, -1) for room in project.room_order.rooms]
    plain["library_codes"] = [code.code for code in project.library_codes.codes]
    if project.version >= 701:
        plain["packages"] = [package.name for package in project.packages.names]
    odd = {
        part: getattr(project, part).version
        for part in _parts_with_versions(project.version)
        if getattr(project, part).version != section_version(part, project.version)
    }
    if odd:
        plain["versions"] = odd
    if project.trailing:
        plain["trailing"] = project.trailing.hex()
    yield PROJECT, lambda: json_bytes(plain)
    if project.obfuscation is not None:
        header = project.obfuscation

        def made() -> bytes:
            writer = ProjectWriter()
            codec_for(Obfuscation).write(writer, header)
            return bytes(writer.out)

        yield OBFUSCATION, made


def _read_project(project: Project, files: Files, names: Names) -> None:
    plain = files.object(PROJECT)
    for field in ("game_id", "reserved", "last_instance_id", "last_tile_id"):
        value = plain.get(field, getattr(project, field))
        if not isinstance(value, int) or not -(1 << 31) <= value < 1 << 31:
            raise FormatError("a number of 32 bits is expected", path=field)
        setattr(project, field, int(value))
    guid = _bytes(plain.get("guid", bytes(16).hex()), "guid")
    if len(guid) != 16:
        raise FormatError("16 bytes are expected", path="guid")
    project.guid = guid
    project.trailing = _bytes(plain.get("trailing", ""), "trailing")
    project.room_order.rooms = [
        names.read("rooms", room)
        for room in _list(plain, "room_order")
        if not isinstance(room, str) or room in names.ids["rooms"]
    ]
    project.library_codes.codes = [CreationCode(code) for code in _texts(plain, "library_codes")]
    if project.version >= 701:
        project.packages.names = [PackageName(name) for name in _texts(plain, "packages")]
    versions = plain.get("versions", {})
    for part in _parts_with_versions(project.version):
        number = versions.get(part, section_version(part, project.version))
        record = getattr(project, part)
        if number not in record.versions:
            raise FormatError(f"{number!r:.20} is no version of it").within(part).within("versions")
        record.version = number
    if project.version == 701:
        project.obfuscation = _read_obfuscation(files)


def _read_obfuscation(files: Files) -> Obfuscation:
    if OBFUSCATION not in files:
        return Obfuscation(0, 0, array("i"), 248, array("i"))
    data = files.bytes(OBFUSCATION)
    header, end = codec_for(Obfuscation).read(data, 0, ProjectReader(source=OBFUSCATION))
    assert isinstance(header, Obfuscation)
    if end != len(data) or header.seed < 0:
        raise FormatError("not what hides a Game Maker 7 project", source=OBFUSCATION, offset=end)
    return header


def _bytes(value: Any, field: str) -> bytes:
    try:
        return bytes.fromhex(value)
    except (TypeError, ValueError):
        raise FormatError("hexadecimal digits are expected", path=field) from None


def _list(plain: dict[str, Any], field: str) -> list[Any]:
    value = plain.get(field, [])
    if not isinstance(value, list):
        raise FormatError("a list is expected", path=field)
    return value


def _texts(plain: dict[str, Any], field: str) -> list[str]:
    values = _list(plain, field)
    if not all(isinstance(value, str) for value in values):
        raise FormatError("a list of texts is expected", path=field)
    return values


# -------------------------------------------------------------------------------- settings

SETTINGS = "settings.json"
_PICTURES = ("load_bar_back", "load_bar_front", "load_image")
_DATES = ("last_changed", "settings_changed")  # they stand in dates.json
_APART = (*_PICTURES, *_DATES, "icon", "constants", "include_files")
_COLOURS = ("colour_outside_room",)


def _show_settings(project: Project, names: Names) -> Iterator[Made]:
    settings = project.settings
    plain: dict[str, Any] = {}
    if settings.version != section_version("settings", project.version):
        plain["version"] = settings.version
    plain |= show_record(settings, settings.version, names, without=_APART, colours=_COLOURS)
    if settings.version in (542, 600):
        plain["include_files"] = [item.path for item in settings.include_files]
    for name in _PICTURES:
        picture = getattr(settings, name)
        if picture is None:
            continue
        usual = (10 if settings.version < 800 else 1) if picture.file is not None else None
        if picture.present != usual:
            plain[f"{name}_present"] = picture.present
        if picture.file is not None:
            yield f"settings/{name}.bmp", partial(_inflated, picture.file)
    yield SETTINGS, lambda: json_bytes(plain)
    yield "settings/icon.ico", lambda: settings.icon


def _inflated(file: Deflated) -> bytes:
    return file.data


def _read_settings(project: Project, files: Files, names: Names) -> None:
    plain = files.object(SETTINGS)
    version = plain.pop("version", section_version("settings", project.version))
    if version not in Settings.versions:
        raise FormatError(f"{version!r:.20} is no version of it", path="version")
    presents = {name: plain.pop(f"{name}_present", None) for name in _PICTURES}
    paths = _texts({"include_files": plain.pop("include_files", [])}, "include_files")
    was = project.settings
    base = was if was.version == version else None
    settings = read_record(Settings, plain, version, names, colours=_COLOURS, base=base)
    settings.version = version
    settings.constants = was.constants
    settings.include_files = [IncludedPath(path) for path in paths]
    wanted = {
        "load_bar_back": settings.load_bar == 2,
        "load_bar_front": settings.load_bar == 2,
        "load_image": bool(settings.own_load_image),
    }
    for name in _PICTURES:
        file = f"settings/{name}.bmp"
        picture: OptionalPicture | None = None
        if wanted[name]:
            data = files.bytes(file) if file in files else None
            before = getattr(was, name)
            picture = _picture(data, before, presents[name], version)
        setattr(settings, name, picture)
    settings.icon = files.bytes("settings/icon.ico") if "settings/icon.ico" in files else b""
    if base is not None:
        settings.kept, settings.rest = base.kept, base.rest
    project.settings = settings


def _picture(
    data: bytes | None, before: OptionalPicture | None, present: Any, version: int
) -> OptionalPicture:
    if data is None:
        absent = -1 if version < 800 else 0
        return OptionalPicture(present if isinstance(present, int) else absent)
    usual = 10 if version < 800 else 1
    stream = Deflated.of(data)
    if before is not None and before.file is not None and before.file.data == data:
        stream = before.file
    return OptionalPicture(present if isinstance(present, int) else usual, stream)


# ------------------------------------------------------------------------------- constants

CONSTANTS = "constants.json"


def _show_constants(project: Project, names: Names) -> Iterator[Made]:
    constants = (
        project.constants.constants if project.version >= 800 else project.settings.constants
    )
    if constants:
        plain = [{"name": item.name, "value": item.value} for item in constants]
        yield CONSTANTS, lambda: json_bytes(plain)


def _read_constants(project: Project, files: Files, names: Names) -> None:
    constants = [
        read_record(Constant, item, project.version, names) for item in files.array(CONSTANTS)
    ]
    if project.version >= 800:
        project.constants.constants = constants
    else:
        project.settings.constants = constants


# --------------------------------------------------------------------------- included files

INCLUDED = "included_files.json"


def _show_includes(project: Project, names: Names) -> Iterator[Made]:
    if project.version < 701 or not project.includes.slots:
        return
    file_name = FileNames()
    usual = 620 if project.version < 800 else 800
    entries = []
    for slot in project.includes.slots:
        include = slot.include
        if include is None:
            continue
        plain: dict[str, Any] = {}
        if include.version != usual:
            plain["version"] = include.version
        plain |= show_record(include, include.version, names, without=["data"])
        if project.version >= 800:
            plain["changed"] = slot.changed
        if include.data is not None:
            name = file_name(include.file_name or "file")
            plain["file"] = name
            yield f"included_files/{name}", partial(bytes, include.data)
        entries.append(plain)
    yield INCLUDED, lambda: json_bytes(entries)


def _read_includes(project: Project, files: Files, names: Names) -> None:
    if project.version < 701:
        return
    slots = []
    before = project.includes.slots
    usual = 620 if project.version < 800 else 800
    for index, item in enumerate(files.array(INCLUDED)):
        try:
            slots.append(_read_include(item, usual, files, names))
        except FormatError as error:
            raise error.within("", index) from None
        if index < len(before):
            slots[-1].kept = before[index].kept
            slots[-1].rest = before[index].rest
    project.includes.slots = slots


def _read_include(item: Any, usual: int, files: Files, names: Names) -> IncludeSlot:
    if not isinstance(item, dict):
        raise FormatError("an object is expected")
    plain = dict(item)
    version = plain.pop("version", usual)
    changed = plain.pop("changed", 0.0)
    name = plain.pop("file", None)
    if version not in Include.versions or not isinstance(changed, int | float):
        raise FormatError("the version and the date are numbers")
    include = read_record(Include, plain, version, names)
    include.version = version
    if name is not None:
        if not isinstance(name, str):
            raise FormatError("the name of a file is expected", path="file")
        include.data = files.bytes(f"included_files/{name}")
        include.store = include.store or 1
        include.original_chosen = include.original_chosen or 1
    return IncludeSlot(changed=float(changed), include=include)


# ------------------------------------------------------------------------- game information

INFORMATION = "game_information.json"
RICH_TEXT = "game_information.rtf"


def _show_information(project: Project, names: Names) -> Iterator[Made]:
    information = project.information
    plain: dict[str, Any] = {}
    if information.version != section_version("information", project.version):
        plain["version"] = information.version
    plain |= show_record(
        information,
        information.version,
        names,
        without=["text", "changed"],
        colours=["background_colour"],
    )
    text = information.text
    if not text.endswith(b"\0"):
        plain["nul"] = False
    yield INFORMATION, lambda: json_bytes(plain)
    yield RICH_TEXT, lambda: text.removesuffix(b"\0")


def _read_information(project: Project, files: Files, names: Names) -> None:
    plain = files.object(INFORMATION)
    version = plain.pop("version", section_version("information", project.version))
    if version not in GameInformation.versions:
        raise FormatError(f"{version!r:.20} is no version of it", path="version")
    nul = plain.pop("nul", True)
    was = project.information
    base = was if was.version == version else None
    information = read_record(
        GameInformation, plain, version, names, colours=["background_colour"], base=base
    )
    information.version = version
    text = files.bytes(RICH_TEXT) if RICH_TEXT in files else b""
    information.text = text + b"\0" if nul else text
    if base is not None:
        information.kept, information.rest = base.kept, base.rest
    project.information = information


PARTS = (
    Part((PROJECT, OBFUSCATION), _show_project, _read_project),
    Part((SETTINGS, "settings/"), _show_settings, _read_settings),
    Part((CONSTANTS,), _show_constants, _read_constants),
    Part((INCLUDED, "included_files/"), _show_includes, _read_includes),
    Part((INFORMATION, RICH_TEXT), _show_information, _read_information),
)
