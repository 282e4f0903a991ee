"""A .gm82 folder as a .gm81 project, and a project of Game Maker 5 to 8.1 as a .gm82 folder."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

import msgspec

from overhaul.document.protocol import Document
from overhaul.errors import EncodeError
from overhaul.findings import Findings
from overhaul.gamemaker.classic.conversion import convert
from overhaul.gamemaker.classic.documents.converted import Converted, converted
from overhaul.gamemaker.classic.documents.project import ProjectDocument
from overhaul.gamemaker.classic.fields import Deflated, Slot
from overhaul.gamemaker.classic.kinds import BY_PLURAL, slots_of
from overhaul.gamemaker.classic.records import Project
from overhaul.gamemaker.forward.memory import MadeFiles
from overhaul.gamemaker.gm82.document import Gm82Document
from overhaul.gamemaker.gm82.model import FOLDERS, ROOMS, Gm82Project
from overhaul.gamemaker.gm82.reading import read_folder
from overhaul.gamemaker.gm82.rooms import SCALED
from overhaul.gamemaker.gm82.writing import write_folder
from overhaul.gamemaker.recovered import Tally

#: Fields that say how a record is stored, not what it is.
_STORAGE: Final = {"kept", "rest", "content_size", "version", "trailing"}
#: Fields that .gm82 folders have no place for, and that Game Maker makes new when it saves.
_MADE_NEW: Final = {"id", "guid", "changed", "last_changed", "settings_changed", "last_instance_id",
                    "last_tile_id"}  # fmt: skip


class MadeFolder(NamedTuple):
    """The files of a .gm82 folder by their paths, the tallies, and what a person should know."""

    name: str
    files: dict[str, Callable[[], bytes]]
    tallies: dict[str, Tally]
    findings: Findings

    def to_json(self) -> dict[str, object]:
        """The tallies and the findings as docs/guide/json.md describes them."""
        return {
            "recovered": {kind: tally.to_json() for kind, tally in self.tallies.items()},
            "findings": self.findings.to_json(),
        }


def as_gm81(document: Gm82Document, version: int = 810) -> Converted:
    """The .gm81 project of a folder, and what it has no place for.

    Raises EncodeError for another version, FormatError for a damaged folder.
    """
    if version != document.project.version:
        raise EncodeError(
            f"a .gm82 project can only be converted to .gm81 (810) or later, not to {version}"
        )
    made = document.folder
    document.decode()
    found = Findings(one for one in document.findings if one.code != "undeclared")
    for path, line in made.layouts.kept_lines():
        found.warn("left-out", f"a line is not understood, and is left out: {line!r}", path)
    if made.instances:
        message = f"{len(made.instances)} instances have numbers in the place of their names"
        found.add_note("changed-with-it", message, ROOMS)
    for slot in made.project.rooms.slots:
        if slot.exists and slot.resource is not None and slot.resource.version == SCALED:
            message = "its instances or tiles are scaled, turned or coloured: Game Maker 8.1 does "
            message += "not read the room"
            found.warn("unsupported", message, f"room {slot.name}")
    project = ProjectDocument.of(made.project)
    project.findings += found
    return Converted(project, _tallies(made.project, found), found, {})


def folder_of(document: Document, name: str) -> MadeFolder:
    """The .gm82 folder of a project of Game Maker 5 to 8.1, or of the game in an executable.

    ``name`` is that of the project.  Raises FormatError for other documents, and damaged ones.
    """
    found = Findings()
    if isinstance(document, Gm82Document):
        project = document.project
        found += document.findings
    elif isinstance(document, ProjectDocument):
        project = document.project
        if project.version < 810:
            project, report = convert(project, 810)
            found += report
    else:
        made = converted(document, 810)
        project = made.project.project
        found += made.findings
    file = f"{name}.gm82"
    folder = Gm82Project(file, None)
    folder.project = project
    _take_names(folder)
    files = {path: bytes(data).__bytes__ for path, data in write_folder(folder).items()}
    found += folder.findings
    found += _checked(project, file, files)
    return MadeFolder(file, files, _tallies(project, found), found)


def _take_names(folder: Gm82Project) -> None:
    """Take the names of a project's resources."""
    for kind, slots in slots_of(folder.project).items():
        folder.names.add(kind, [slot.name if slot.exists else "" for slot in slots])


def _checked(project: Project, file: str, files: dict[str, Callable[[], bytes]]) -> Findings:
    """What the folder does not say of a project: it is read again and compared."""
    again = read_folder(files[file](), file, MadeFiles(files))
    found = Findings()
    made_new: dict[str, int] = {}
    for place, field, one in differences(again.project, project):
        if field in _MADE_NEW:
            made_new[field] = made_new.get(field, 0) + 1
        else:
            message = f"{field.replace('_', ' ')} ({_shown(one)}) has no place in a .gm82 folder"
            found.warn("unsupported", message, place)
    for field, count in sorted(made_new.items()):
        message = f"{field.replace('_', ' ')}: {count} values have no place in a .gm82 folder"
        found.add_note("unsupported", f"{message}, and are made new")
    return found


def differences(made: Any, stored: Any, place: str = "") -> Iterator[tuple[str, str, object]]:
    """The fields in which two projects differ: the place, the field, and the stored value."""
    names = [name for name in stored.__struct_fields__ if name not in _STORAGE]
    for name in names:
        one, two = getattr(made, name), getattr(stored, name)
        if isinstance(two, Deflated) and isinstance(one, Deflated):
            one, two = one.data, two.data
        yield from _between(one, two, place, name)


def _between(one: Any, two: Any, place: str, name: str) -> Iterator[tuple[str, str, object]]:
    if isinstance(two, Slot) and isinstance(one, Slot) and one.exists and two.exists:
        place = f"{place} {two.name}".strip()
    if isinstance(one, msgspec.Struct) and isinstance(two, msgspec.Struct):
        yield from differences(one, two, place or name)
    elif isinstance(one, list) and isinstance(two, list) and len(one) == len(two):
        singular = BY_PLURAL[name].singular if name in BY_PLURAL else name
        for number, (first, second) in enumerate(zip(one, two, strict=True)):
            inner = f"{place}.{singular}[{number}]" if not isinstance(second, Slot) else place
            yield from _between(first, second, inner, name)
    elif one != two:
        yield place, name, two


def _shown(value: object) -> str:
    """A value in few letters."""
    if isinstance(value, list):
        return f"{len(value)} values"
    text = f"{len(value)} bytes" if isinstance(value, bytes) else repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _tallies(project: Project, found: Findings) -> dict[str, Tally]:
    """The resources of each kind, and of how many a finding says something."""
    named = {finding.path for finding in found if finding.severity != "note"}
    tallies = {}
    for kind, slots in slots_of(project).items():
        singular = BY_PLURAL[kind].singular
        folder = kind if kind in (*FOLDERS, ROOMS) else ""
        lossy = 0
        for slot in slots:
            starts = (f"{folder}/{slot.name}.", f"{folder}/{slot.name}/", f"{singular} {slot.name}")
            lossy += bool(slot.exists) and any(path.startswith(starts) for path in named)
        tallies[kind] = Tally(sum(1 for slot in slots if slot.exists), lossy)
    return tallies
