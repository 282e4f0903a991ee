"""Exported resources as a folder: the resources as in the folder of a project."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from overhaul.document.folder_format import FolderFormat
from overhaul.document.names import unescape_name
from overhaul.document.plainfiles import Change, Folder, PlainFile, UnpackOptions
from overhaul.document.protocol import Resource
from overhaul.errors import FormatError, PlainFileError, WorkspaceError
from overhaul.findings import Findings
from overhaul.folder.edits import Edits
from overhaul.folder.json_fields import (
    expect_bytes,
    expect_integer,
    expect_list,
    expect_object,
    expect_text,
    in_file,
)
from overhaul.gamemaker.classic.documents.library import CONTENTS, ExportDocument
from overhaul.gamemaker.classic.exports import (
    ExportedResources,
    ExportedSection,
    ExportedSlot,
    Resources,
    TreePath,
)
from overhaul.gamemaker.classic.fields import VersionedRecord
from overhaul.gamemaker.classic.kinds import BY_PLURAL
from overhaul.gamemaker.classic.resources import Room
from overhaul.gamemaker.classic_folder.kind import (
    JsonObject,
    expect_no_more,
    made_json,
    read_each,
    read_record,
    show_record,
    take,
    take_integer,
)
from overhaul.gamemaker.classic_folder.kinds import (
    KINDS,
    Units,
    read_resource,
    show_resource,
    unit_of,
)
from overhaul.gamemaker.classic_folder.names import ResourceFileNames
from overhaul.gamemaker.classic_folder.project import usable_encoding
from overhaul.gamemaker.classic_folder.rooms import number_room

LIST = "export.json"
ONE = "resource"  # the name of the only resource of a .gmspr or .gmbck; it has no name
_VERSION = 800
# The ids after which a new project numbers instances and tiles.
_LAST_INSTANCE, _LAST_TILE = 100000, 10000000


def _names(document: ExportDocument) -> ResourceFileNames:
    return ResourceFileNames.of_slots(_VERSION, document.slots())


def _found(
    document: ExportDocument, names: ResourceFileNames
) -> Iterator[tuple[str, str, VersionedRecord]]:
    """Kind, file name and record of every resource that is exported."""
    content = document.content
    if not isinstance(content, ExportedResources):
        if content.resource is not None:
            yield content.kind, ONE, content.resource
        return
    for kind, slots in document.slots().items():
        for stem, slot in zip(names.stems[kind], slots, strict=True):
            if stem is not None and slot.resource is not None:
                yield kind, stem, slot.resource


class ExportFormat(FolderFormat[ExportDocument]):
    """An export of resources as a folder."""

    def tree(self, document: ExportDocument) -> Iterator[Resource]:
        """The resources."""
        for kind, stem, _ in _found(document, _names(document)):
            yield Resource(BY_PLURAL[kind].singular, stem, KINDS[kind].path(stem))

    def settings(self, document: ExportDocument) -> dict[str, object]:
        """The encoding of the texts, if there are any."""
        several = isinstance(document.content, ExportedResources)
        return {"encoding": document.encoding} if several else {}

    def plain_files(self, document: ExportDocument, options: UnpackOptions) -> Iterator[PlainFile]:
        """The resources as in the folder of a project, and export.json."""
        names = _names(document)
        for kind, stem, resource in _found(document, names):
            for path, made in show_resource(kind, stem, resource, stem, names):
                yield PlainFile(path, made)
        content = document.content
        if isinstance(content, ExportedResources):
            yield PlainFile(LIST, lambda: made_json(_show_list(content, names))())

    def empty(self, settings: Mapping[str, object]) -> ExportDocument:
        """A new, empty export: of a "sprite", a "background" or "resources"."""
        kind = CONTENTS.get(str(settings.get("version")))
        if kind is None:
            raise WorkspaceError(f"there is no export of a {settings.get('version')}")
        content = kind()
        if isinstance(content, ExportedResources):
            content.resources = Resources(version=_VERSION)
            content.rest = bytes(68)
        document = ExportDocument(content)
        _set_encoding(document, settings)
        return document

    def apply(
        self, document: ExportDocument, folder: Folder, changes: Mapping[str, Change]
    ) -> Findings:
        """Read the changed resources again; new ones are added to a .gmres export."""
        _set_encoding(document, folder.settings)
        files, units = Edits(folder, changes), Units(folder.list())
        content = document.content
        changed = sorted({unit for path in changes if (unit := unit_of(path)) is not None})
        if LIST in changes and isinstance(content, ExportedResources):
            with in_file(LIST):
                _read_list(files.json_object(LIST), content)
        names = _names(document)
        for kind, stem in changed:
            if (kind, stem) not in units.paths:
                raise WorkspaceError(f"{_path(kind, stem)} can't be taken out of an export")
            if isinstance(content, ExportedResources):
                if stem not in names.ids.get(kind, {}):
                    _add(content, kind, stem)
                    names.put(kind, [*names.stems[kind], stem])
            elif (kind, stem) != (content.kind, ONE):
                raise PlainFileError("this export holds only one resource", _path(kind, stem))
        for kind, stem in changed:
            _read(document, files, units.paths[kind, stem], kind, stem, names)
        _check(document, names)
        return files.findings


FORMAT: Final = ExportFormat()


def _show_list(content: ExportedResources, names: ResourceFileNames) -> JsonObject:
    """The order, ids, dates and groups of the resources, and the bytes after them."""
    shown: JsonObject = {}
    for kind, section in content.sections().items():
        if section.slots or section.paths or section.with_data:
            shown[kind] = {
                "with_data": section.with_data,
                "slots": [show_record(slot, _VERSION, names, short=True) for slot in section.slots],
                "paths": [[path.path, path.id] for path in section.paths],
            }
    return shown | {"rest": content.rest.hex()}


def _set_encoding(document: ExportDocument, settings: Mapping[str, object]) -> None:
    document.encoding = usable_encoding(settings.get("encoding", document.encoding))


def _path(kind: str, stem: str | None) -> str:
    return KINDS[kind].path(stem or "")


def _add(content: ExportedResources, kind: str, stem: str) -> None:
    """Make a place for another resource. Raises WorkspaceError if the room does not exist."""
    section = content.sections().get(kind)
    if section is None:
        raise PlainFileError(f"an export holds no {kind}", _path(kind, stem))
    if not section.with_data:  # it only listed names
        section.with_data = 1
        section.slots, section.paths = [], []
    name = unescape_name(stem)
    section.slots.append(ExportedSlot(exists=1, name=name))
    section.paths.append(TreePath(f"/{name}", len(section.slots) - 1))


def _read(
    document: ExportDocument,
    files: Edits,
    paths: list[str],
    kind: str,
    stem: str,
    names: ResourceFileNames,
) -> None:
    """Read a resource again."""
    content = document.content
    if isinstance(content, ExportedResources):
        slot = document.slots()[kind][names.ids[kind][stem]]
        slot.resource, slot.name = read_resource(files, kind, stem, paths, slot.resource, names)
        if isinstance(slot.resource, Room):
            number_room(slot.resource, _LAST_INSTANCE, _LAST_TILE)
        return
    resource, _ = read_resource(files, kind, stem, paths, content.resource, names)
    content.resource = resource  # type: ignore[assignment]


def _check(document: ExportDocument, names: ResourceFileNames) -> None:
    """WorkspaceError if a resource that is exported has no files."""
    if isinstance(document.content, ExportedResources):
        for kind, section in document.content.sections().items():
            for index, (stem, slot) in enumerate(
                zip(names.stems[kind], section.slots, strict=True)
            ):
                if section.with_data and slot.exists and slot.resource is None:
                    raise WorkspaceError(
                        f"{LIST}: {kind}.slots[{index}].name: {_path(kind, stem)} is missing"
                    )


def _read_list(plain: JsonObject, content: ExportedResources) -> None:
    """Make the slots that export.json lists; resources that were in them stay."""
    for kind, section in content.sections().items():
        before = section.slots
        try:
            _read_section(dict(expect_object(plain.get(kind, {}))), section)
        except FormatError as error:
            raise error.within(kind) from None
        for old, slot in zip(before, section.slots, strict=False):
            if old.exists and old.name == slot.name:
                slot.resource = old.resource
    content.rest = take(plain, "rest", expect_bytes, "")
    expect_no_more({key: None for key in plain if key not in content.sections()})


def _read_section(plain: JsonObject, section: ExportedSection[VersionedRecord]) -> None:
    names = ResourceFileNames(_VERSION)

    def read_slot(item: object) -> ExportedSlot[VersionedRecord]:
        return read_record(ExportedSlot, item, _VERSION, names)

    section.with_data = take_integer(plain, "with_data", 0, low=0)
    section.slots = read_each(read_slot, take(plain, "slots", expect_list, []), "slots")
    section.paths = read_each(_read_path, take(plain, "paths", expect_list, []), "paths")
    expect_no_more(plain)


def _read_path(item: object) -> TreePath:
    pair = expect_list(item)
    if len(pair) != 2:
        raise FormatError("a path is [path, id]")
    return TreePath(expect_text(pair[0]), expect_integer(pair[1]))
