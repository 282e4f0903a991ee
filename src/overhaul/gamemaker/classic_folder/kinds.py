"""The kinds of resources that have files in a project's folder."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from overhaul.document.names import unescape_name
from overhaul.folder.edits import Edits
from overhaul.folder.json_fields import expect_text, in_file
from overhaul.gamemaker.classic.fields import VersionedRecord
from overhaul.gamemaker.classic.kinds import BY_PLURAL, item_version
from overhaul.gamemaker.classic_folder.actions import OBJECTS, TIMELINES
from overhaul.gamemaker.classic_folder.kind import (
    AnyKind,
    JsonObject,
    Made,
    Unit,
    take,
    take_version,
)
from overhaul.gamemaker.classic_folder.names import ResourceFileNames
from overhaul.gamemaker.classic_folder.pictures import BACKGROUNDS, SPRITES
from overhaul.gamemaker.classic_folder.rooms import ROOMS
from overhaul.gamemaker.classic_folder.small_kinds import (
    DATA_FILES,
    FONTS,
    PATHS,
    SCRIPTS,
    SOUNDS,
    TRIGGERS,
)

_FLAT = (SOUNDS, BACKGROUNDS, PATHS, SCRIPTS, DATA_FILES, FONTS, TRIGGERS)
_WITH_FOLDERS = (SPRITES, TIMELINES, OBJECTS, ROOMS)
KINDS: dict[str, AnyKind] = {kind.name: kind for kind in (*_FLAT, *_WITH_FOLDERS)}


#: the key of a resource's id in its JSON
ID = "id"


def unit_of(path: str) -> tuple[str, str] | None:
    """The kind and file name of the resource a file belongs to; None for the project's own."""
    name, _, rest = path.partition("/")
    kind = KINDS.get(name)
    if kind is None:
        return None
    if kind.has_folders:
        return (name, rest.partition("/")[0]) if "/" in rest else None
    return (name, rest.rpartition(".")[0]) if "." in rest and "/" not in rest else None


class Units:
    """The files of a folder by the resource they belong to; ``others`` are the project's own."""

    def __init__(self, paths: Iterable[str]) -> None:
        self.paths: dict[tuple[str, str], list[str]] = defaultdict(list)
        self.others: list[str] = []
        for path in paths:
            unit = unit_of(path)
            if unit is None:
                self.others.append(path)
            else:
                self.paths[unit].append(path)

    def of_kind(self, kind: str) -> dict[str, list[str]]:
        """The files of every resource of a kind, by file name."""
        return {stem: paths for (name, stem), paths in self.paths.items() if name == kind}

    def stems(self, kind: str) -> set[str]:
        """The file names of the resources of a kind that exist."""
        return {s for s, paths in self.of_kind(kind).items() if KINDS[kind].exists(s, paths)}


def show_resource(
    kind: str, stem: str, resource: VersionedRecord, name: str, names: ResourceFileNames
) -> Iterator[Made]:
    """The files of a resource, by their paths in the folder.

    The JSON has the id, if ``names`` knows it: so files with another name are known again.
    """
    extra: JsonObject = {}
    number = names.ids.get(kind, {}).get(stem)
    described = KINDS[kind].has_folders or KINDS[kind].json in KINDS[kind].needs
    if number is not None and described:
        extra[ID] = number
    if unescape_name(stem) != name:
        extra["name"] = name
    if resource.version != item_version(kind, names.version):
        extra["version"] = resource.version
    for path, made in KINDS[kind].show(resource, stem, extra, names):
        yield f"{kind}/{path}", made


def read_resource(
    files: Edits,
    kind: str,
    stem: str,
    paths: list[str],
    before: VersionedRecord | None,
    names: ResourceFileNames,
) -> tuple[VersionedRecord, str]:
    """The resource of its files, and its name; ``before`` gives what they leave out."""
    described = f"{kind}/{stem}{KINDS[kind].json}"
    with in_file(described):
        plain = files.json_object(described)
        plain.pop(ID, None)
        name = take(plain, "name", expect_text, unescape_name(stem))
        known = {number for record in BY_PLURAL[kind].records for number in record.versions}
        version = take_version(plain, item_version(kind, names.version), known)
        folder = f"{kind}/{stem}" if KINDS[kind].has_folders else kind
        unit = Unit(files, names, folder, stem, paths, plain, version)
        same = before is not None and before.version == version
        resource: VersionedRecord = KINDS[kind].read(unit, before if same else None)
        resource.version = version
        return resource, name
