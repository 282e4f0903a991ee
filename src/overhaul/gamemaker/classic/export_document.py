"""Exported resources (.gmspr, .gmbck, .gmres) as documents."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from overhaul.document.names import unescape_name
from overhaul.document.protocol import BaseDocument, Coverage, PlainFile, Resource, UnpackOptions
from overhaul.errors import FormatError, WorkspaceError
from overhaul.gamemaker.classic.exports import (
    ExportedBackground,
    ExportedResources,
    ExportedSlot,
    ExportedSprite,
    Resources,
    TreePath,
)
from overhaul.gamemaker.classic.fields import Block, Kept
from overhaul.gamemaker.classic.kinds import BY_PLURAL
from overhaul.gamemaker.classic.measure import Measure, resource_media
from overhaul.gamemaker.classic.streams import (
    SYSTEM_ENCODING,
    ProjectReader,
    ProjectWriter,
    beginning,
    extends_ascii,
)
from overhaul.gamemaker.classic_folder.files import (
    Files,
    in_file,
    json_bytes,
    read_record,
    show_record,
    unit_of,
)
from overhaul.gamemaker.classic_folder.names import Names
from overhaul.gamemaker.classic_folder.whole import main_path, read_resource, show_resource

if TYPE_CHECKING:
    from overhaul.document.protocol import Beside, Buffer, Change, Folder

MAGIC = (1234321).to_bytes(4, "little")
ONE = "resource"  # what the only resource of a .gmspr or .gmbck is called; it has no name
_CONTENTS: dict[str, type[Kept]] = {
    "sprite": ExportedSprite,
    "background": ExportedBackground,
    "resources": ExportedResources,
}
_TAIL = "the end of a .gmres file: 68 bytes of zeros and dates, not worked out"


LIST = "export.json"
#: the kinds of resources in a .gmres, in its order
EXPORTED = tuple(kind for kind in BY_PLURAL if hasattr(Resources, kind))


class ExportFile(BaseDocument):
    """A sprite, a background, or resources of all kinds, exported by Game Maker 8."""

    kind = "gamemaker-export"

    def __init__(self, content: Kept, source: str | None = None) -> None:
        super().__init__(source)
        self.content = content
        self.version = next(name for name, kind in _CONTENTS.items() if isinstance(content, kind))
        self.encoding = "utf-8"
        self._size = 0

    @classmethod
    def from_bytes(
        cls,
        data: Buffer,
        *,
        source: str | None = None,
        assume_version: str | None = None,
        strict: bool = False,
        beside: Beside | None = None,
    ) -> ExportFile:
        """Read an export; the number at the beginning of its block tells which."""
        raw = bytes(data)
        start = 4 if raw[:4] == MAGIC else 0
        head = int.from_bytes(beginning(raw[start + 4 :], 4), "little")
        content: type[Kept] = ExportedResources
        if start:
            content = ExportedBackground if head == 710 else ExportedSprite
        # Game Maker 8.1 writes UTF-8, 8.0 the author's code page; the file does not tell which
        for encoding in ("utf-8", SYSTEM_ENCODING):
            reader = ProjectReader(source=source, size=len(raw), encoding=encoding)
            value, end = Block(content).bind(None).read(raw, start, reader)
            if end != len(raw):
                raise reader.fail("bytes behind the zlib block", end)
            if not reader.undecoded:
                break
        document = cls(value, source)
        document.encoding = encoding
        document._size = len(raw)
        return document

    @classmethod
    def empty(cls, settings: Mapping[str, object]) -> ExportFile:
        """A new, empty export: of a "sprite", a "background" or "resources"."""
        kind = _CONTENTS.get(str(settings.get("version")))
        if kind is None:
            raise WorkspaceError(f"there is no export of a {settings.get('version')}")
        content = kind()
        if isinstance(content, ExportedResources):
            content.resources = Resources(version=800)
            content.rest = bytes(68)
        document = cls(content)
        document._set_encoding(settings)
        return document

    def settings(self) -> dict[str, object]:
        """The encoding of the texts, if there are any."""
        return {"encoding": self.encoding} if isinstance(self.content, ExportedResources) else {}

    def _set_encoding(self, settings: Mapping[str, object]) -> None:
        encoding = settings.get("encoding", self.encoding)
        if not isinstance(encoding, str) or not extends_ascii(encoding):
            raise WorkspaceError(f"{encoding!r} is no encoding of Game Maker's texts")
        self.encoding = encoding

    def _names(self) -> Names:
        names = Names(800)
        for kind, slots in self._slots().items():
            names.put(kind, [slot.name if slot.exists else None for slot in slots])
        return names

    def _slots(self) -> dict[str, list[Any]]:
        """The slots of every kind, in the order of the file."""
        if not isinstance(self.content, ExportedResources):
            return {}
        resources = self.content.resources
        assert resources is not None
        return {kind: getattr(resources, kind).slots for kind in EXPORTED}

    def _found(self) -> Iterator[tuple[str, str, Any]]:
        """Kind, file name and record of every resource that is there."""
        if not isinstance(self.content, ExportedResources):
            single = "sprites" if isinstance(self.content, ExportedSprite) else "backgrounds"
            yield single, ONE, getattr(self.content, "resource", None)
            return
        names = self._names()
        for kind, slots in self._slots().items():
            for stem, slot in zip(names.stems[kind], slots, strict=True):
                if stem is not None and slot.resource is not None:
                    yield kind, stem, slot.resource

    def info(self) -> dict[str, object]:
        """How many resources of each kind."""
        counts: dict[str, int] = {}
        for kind, _, _ in self._found():
            counts[kind] = counts.get(kind, 0) + 1
        return {"resources": counts}

    def tree(self) -> Iterator[Resource]:
        """The resources."""
        for kind, stem, _ in self._found():
            yield Resource(BY_PLURAL[kind].singular, stem, main_path(kind, stem))

    def to_bytes(self) -> bytes:
        """The file, rebuilt from its records."""
        writer = ProjectWriter(encoding=self.encoding)
        if not isinstance(self.content, ExportedResources):
            writer.out += MAGIC
        Block(type(self.content)).bind(None).write(writer, self.content)
        self._size = len(writer.out)
        return bytes(writer.out)

    def coverage(self) -> Coverage:
        """Pictures and sounds are media; the end of a .gmres file is not understood."""
        measure = Measure(self._size)
        for _, _, resource in self._found():
            resource_media(measure, resource, self.content)
        measure.left_over(self.content, "rest", _TAIL)
        return measure.coverage()

    def plain_files(self, options: UnpackOptions) -> Iterator[PlainFile]:
        """The resources as in the folder of a project."""
        names = self._names()
        for kind, stem, resource in self._found():
            for path, made in show_resource(kind, stem, resource, stem, names):
                yield PlainFile(path, made)
        if isinstance(self.content, ExportedResources):
            content = self.content
            yield PlainFile(LIST, lambda: json_bytes(show_list(content, names)))

    def apply(self, folder: Folder, changes: Mapping[str, Change]) -> list[str]:
        """Read the changed resources anew; new ones are added to a .gmres export."""
        self._set_encoding(folder.settings)
        files = Files(folder)
        units = sorted({unit for path in changes if (unit := unit_of(path)) is not None})
        if LIST in changes and isinstance(self.content, ExportedResources):
            content = self.content
            in_file(LIST, lambda: read_list(files.object(LIST), content))
        names = self._names()
        known = {(kind, stem) for kind, stem, _ in self._found()}
        known |= {(kind, stem) for kind, stems in names.ids.items() for stem in stems}
        new = [unit for unit in units if unit in files.units and unit not in known]
        for kind, stem in new:
            self._add(kind, stem)
            names.put_stems(kind, [*names.stems[kind], stem])
        for kind, stem in units:
            if (kind, stem) not in files.units:
                raise WorkspaceError(f"{main_path(kind, stem)} can't be taken out of an export")
            if not isinstance(self.content, ExportedResources):
                before = getattr(self.content, "resource", None)
                read, _ = read_resource(files, kind, stem, before, names)
                self.content.resource = read  # type: ignore[attr-defined]
                continue
            slot = self._slots()[kind][names.ids[kind][stem]]
            slot.resource, slot.name = read_resource(files, kind, stem, slot.resource, names)
        self._check(names)
        return files.warnings

    def _check(self, names: Names) -> None:
        """Has every resource that is exported its files?  WorkspaceError otherwise."""
        for kind, slots in self._slots().items():
            if getattr(getattr(self.content, "resources", None), kind).with_data:
                for stem, slot in zip(names.stems[kind], slots, strict=True):
                    if slot.exists and slot.resource is None:
                        raise WorkspaceError(f"{main_path(kind, stem or '')} is missing")

    def _add(self, kind: str, stem: str) -> None:
        """Make a place for another resource.  WorkspaceError: there is room for one alone."""
        if not isinstance(self.content, ExportedResources):
            raise WorkspaceError(f"{main_path(kind, stem)}: this export holds one resource alone")
        section = getattr(self.content.resources, kind, None)
        if section is None:
            raise WorkspaceError(f"{main_path(kind, stem)}: an export holds no {kind}")
        if not section.with_data:  # it only told names
            section.with_data = 1
            section.slots, section.paths = [], []
        section.slots.append(ExportedSlot(exists=1, name=unescape_name(stem)))
        section.paths.append(TreePath(f"/{unescape_name(stem)}", len(section.slots) - 1))


def show_list(content: ExportedResources, names: Names) -> dict[str, Any]:
    """The order, ids, dates and groups of the resources, and the end that is not understood."""
    shown: dict[str, Any] = {}
    for kind in EXPORTED:
        section = getattr(content.resources, kind)
        if section.slots or section.paths or section.with_data:
            shown[kind] = {
                "with_data": section.with_data,
                "slots": [
                    show_record(slot, 800, names, without=["resource"], short=True)
                    for slot in section.slots
                ],
                "paths": [[path.path, path.id] for path in section.paths],
            }
    return shown | {"rest": content.rest.hex()}


def read_list(plain: dict[str, Any], content: ExportedResources) -> None:
    """Make the places of resources that :func:`show_list` showed; what stood in them stays."""
    names = Names(800)
    for kind in EXPORTED:
        section = getattr(content.resources, kind)
        before = {index: slot for index, slot in enumerate(section.slots) if slot.exists}
        told = plain.get(kind, {})
        try:
            flag, slots, paths = (
                told.get(field, default)
                for field, default in (("with_data", 0), ("slots", []), ("paths", []))
            )
            section.with_data = int(flag)
            section.slots = [read_record(ExportedSlot, slot, 800, names) for slot in slots]
            section.paths = [TreePath(str(path), int(id_)) for path, id_ in paths]
        except (AttributeError, TypeError, ValueError):
            message = "with_data, slots and paths are expected, as unpacking shows them"
            raise FormatError(message, path=kind) from None
        for index, slot in enumerate(section.slots):
            if index in before and before[index].name == slot.name:
                slot.resource = before[index].resource
    try:
        content.rest = bytes.fromhex(plain.get("rest", ""))
    except (TypeError, ValueError):
        raise FormatError("hexadecimal digits are expected", path="rest") from None
