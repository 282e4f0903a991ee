"""Small parts of a project: constants, included files, game information, left-over bytes."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from overhaul.document.names import FileNames
from overhaul.document.plainfiles import PlainFile
from overhaul.errors import FormatError
from overhaul.folder.edits import Edits
from overhaul.folder.json_fields import expect_bytes, expect_number, expect_object, expect_text
from overhaul.gamemaker.classic.fields import Kept
from overhaul.gamemaker.classic.kinds import AnySlot, item_version, section_version, slots_of
from overhaul.gamemaker.classic.records import Project, naming_encoding
from overhaul.gamemaker.classic.settings import Constant, GameInformation, Include, IncludeSlot
from overhaul.gamemaker.classic_folder.kind import (
    FolderPart,
    JsonObject,
    made_json,
    read_each,
    read_record,
    show_record,
    take,
    take_integer,
    take_version,
)
from overhaul.gamemaker.classic_folder.names import CONSTANTS, ResourceFileNames


def _show_constants(project: Project, names: ResourceFileNames) -> Iterator[PlainFile]:
    constants = (project.constants if project.version >= 800 else project.settings).constants
    if constants:
        plain = [{"name": item.name, "value": item.value} for item in constants]
        yield PlainFile(CONSTANTS, made_json(plain), origin="constants")


def _read_constants(project: Project, files: Edits, names: ResourceFileNames) -> None:
    (project.constants if project.version >= 800 else project.settings).constants = [
        read_record(Constant, item, project.version, names) for item in files.json_list(CONSTANTS)
    ]


CONSTANT_LIST = FolderPart((CONSTANTS,), _show_constants, _read_constants)

# --------------------------------------------------------------------------- included files

INCLUDED, FOLDER = "included_files.json", "included_files/"


def _show_included(project: Project, names: ResourceFileNames) -> Iterator[PlainFile]:
    if project.version < 701 or not project.includes.slots:
        return
    file_name = FileNames()
    entries = []
    for slot in project.includes.slots:
        include = slot.include
        if include is None:
            continue
        plain: JsonObject = {}
        if include.version != item_version("includes", project.version):
            plain["version"] = include.version
        plain |= show_record(include, include.version, names, without=["data"])
        if project.version >= 800:
            plain["changed"] = slot.changed
        if include.data is not None:
            name = file_name(include.file_name or "file")
            plain["file"] = name
            path = FOLDER + name
            made = partial(bytes, include.data)
            yield PlainFile(path, made, origin=path.rpartition(".")[0])
        entries.append(plain)
    yield PlainFile(INCLUDED, made_json(entries), origin="included_files")


def _read_included(project: Project, files: Edits, names: ResourceFileNames) -> None:
    if project.version < 701:
        return
    usual = item_version("includes", project.version)
    slots = read_each(
        lambda item: _read_include(item, usual, files, names), files.json_list(INCLUDED)
    )
    for slot, before in zip(slots, project.includes.slots, strict=False):
        slot.kept, slot.rest = before.kept, before.rest
    project.includes.slots = slots


def _read_include(item: object, usual: int, files: Edits, names: ResourceFileNames) -> IncludeSlot:
    plain = dict(expect_object(item))
    version = take_version(plain, usual, Include.versions)
    changed = take(plain, "changed", expect_number, 0.0)
    name = take(plain, "file", expect_text, None) if "file" in plain else None
    include = read_record(Include, plain, version, names)
    include.version = version
    if name is not None:
        include.data = files.bytes(FOLDER + name)
        include.store = include.store or 1
        include.original_chosen = include.original_chosen or 1
    elif include.store and (version < 800 or include.original_chosen):
        raise FormatError("expected the name of the stored file, as store is true", path="file")
    return IncludeSlot(changed=changed, include=include)


INCLUDED_FILES = FolderPart((INCLUDED, FOLDER), _show_included, _read_included)

# ------------------------------------------------------------------------- game information

INFORMATION, RICH_TEXT = "game_information.json", "game_information.rtf"
_COLOURS = ("background_colour",)


def _show_information(project: Project, names: ResourceFileNames) -> Iterator[PlainFile]:
    information = project.information
    text = information.text
    plain: JsonObject = {}
    if information.version != section_version("information", project.version):
        plain["version"] = information.version
    plain |= show_record(
        information,
        information.version,
        names,
        without=["text", "changed"],
        colours=_COLOURS,
    )
    if not text.endswith(b"\0"):
        plain["nul"] = False
    yield PlainFile(INFORMATION, made_json(plain), origin="game_information")
    yield PlainFile(RICH_TEXT, lambda: text.removesuffix(b"\0"), origin="game_information")


def _read_information(project: Project, files: Edits, names: ResourceFileNames) -> None:
    plain = files.json_object(INFORMATION)
    usual = section_version("information", project.version)
    version = take_version(plain, usual, GameInformation.versions)
    nul = plain.pop("nul", True)
    was = project.information
    base = was if was.version == version else None
    made = read_record(GameInformation, plain, version, names, colours=_COLOURS, base=base)
    made.version = version
    text = files.bytes(RICH_TEXT) if RICH_TEXT in files else naming_encoding(project)
    if text and RICH_TEXT not in files:
        files.findings.warn(
            "appended",
            f"nothing else says that the project's texts are {project.encoding}: an empty one "
            "that does is written",
            RICH_TEXT,
        )
    made.text = text + b"\0" if nul else text
    if base is not None:
        made.kept, made.rest = base.kept, base.rest
    project.information = made


GAME_INFORMATION = FolderPart((INFORMATION, RICH_TEXT), _show_information, _read_information)


LEFT_OVER = "left_over.json"


def _blocks(project: Project, names: ResourceFileNames) -> Iterator[tuple[str, Kept]]:
    """Every record that may have a block of its own, by its path in the folder."""
    if project.version < 800:
        return
    yield "settings", project.settings
    yield "game_information", project.information
    for index, slot in enumerate(project.includes.slots):
        yield f"included_files/{index}", slot
    for kind, slots in slots_of(project).items():
        for index, (stem, place) in enumerate(zip(names.stems[kind], slots, strict=True)):
            yield f"{kind}/{stem or index}", place


def _flags(project: Project, names: ResourceFileNames) -> Iterator[tuple[str, AnySlot]]:
    """Every slot that holds a resource, by its path in the folder."""
    for kind, slots in slots_of(project).items():
        for stem, slot in zip(names.stems[kind], slots, strict=True):
            if stem is not None:
                yield f"{kind}/{stem} exists", slot


def _show(project: Project, names: ResourceFileNames) -> Iterator[PlainFile]:
    shown: JsonObject = {
        place: block.rest.hex() for place, block in _blocks(project, names) if block.rest
    }
    for place, slot in _flags(project, names):
        if slot.exists != 1:
            shown[place] = slot.exists
    if shown:
        yield PlainFile(LEFT_OVER, made_json(shown))


def _read(project: Project, files: Edits, names: ResourceFileNames) -> None:
    plain = files.json_object(LEFT_OVER)
    for place, slot in _flags(project, names):
        slot.exists = take_integer(plain, place, slot.exists, low=1, high=1 << 32)
    for place, block in _blocks(project, names):
        block.rest = take(plain, place, expect_bytes, "")


LEFT_OVER_BYTES = FolderPart((LEFT_OVER,), _show, _read)
