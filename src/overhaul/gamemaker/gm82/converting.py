"""A .gm82 folder as a .gm81 project, and a project of Game Maker 5 to 8.1 as a .gm82 folder."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain, count
from typing import NamedTuple

from overhaul.document.protocol import Document
from overhaul.errors import EncodeError
from overhaul.findings import Findings
from overhaul.gamemaker.classic.conversion import convert
from overhaul.gamemaker.classic.documents.converted import Converted, converted
from overhaul.gamemaker.classic.documents.project import ProjectDocument
from overhaul.gamemaker.classic.kinds import BY_PLURAL, AnySlot, slots_of
from overhaul.gamemaker.classic.records import Project, read_project, write_project
from overhaul.gamemaker.classic.settings import TriggerSlot
from overhaul.gamemaker.forward.memory import MadeFiles
from overhaul.gamemaker.gm82.comparing import found_missing
from overhaul.gamemaker.gm82.document import Gm82Document
from overhaul.gamemaker.gm82.model import FOLDERS, INDICES, ROOMS, Gm82Project
from overhaul.gamemaker.gm82.reading import read_folder, sound_file
from overhaul.gamemaker.gm82.rooms import SCALED
from overhaul.gamemaker.gm82.texts import NOT_IN_NAMES, is_file_name
from overhaul.gamemaker.gm82.writing import write_folder
from overhaul.gamemaker.recovered import Tally


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
    project = read_project(write_project(project))  # without fields of earlier versions
    file = f"{name}.gm82"
    folder = Gm82Project(file, None)
    folder.project = renamed(project, found)
    _take_names(folder)
    files = {path: bytes(data).__bytes__ for path, data in write_folder(folder).items()}
    found += folder.findings
    again = read_folder(files[file](), file, MadeFiles(files))
    found += [one for one in again.findings if one.code == "invalid"]
    found += found_missing(again.project, folder.project)
    return MadeFolder(file, files, _tallies(project, found), found)


def renamed(project: Project, found: Findings) -> Project:
    """The project whose resources have names that files can have, each another one of its kind.

    Upper and lower case are the same for Windows.
    """
    made = project
    for kind, slots in slots_of(project).items():
        taken = {slot.name.casefold() for slot in slots if slot.exists and is_file_name(slot.name)}
        seen: set[str] = set()
        for number, slot in enumerate(slots):
            if not slot.exists:
                continue
            if is_file_name(slot.name) and slot.name.casefold() not in seen:
                seen.add(slot.name.casefold())
                continue
            name = _free(slot.name, taken, BY_PLURAL[kind].singular)
            if made is project:
                made = read_project(write_project(project))
            _rename(slots_of(made)[kind][number], name)
            why = "two have this name" if is_file_name(slot.name) else "no file can have this name"
            place = f"{BY_PLURAL[kind].singular} {slot.name}"
            found.warn("renamed", f"{why}: it is called {name} in the folder", place)
    made = _with_sound_files(made, made is project, found)
    return _with_file_names(made, made is project, found)


def _free(name: str, taken: set[str], usual: str) -> str:
    """A free name that a file can have; it is taken then."""
    plain = "".join("_" if letter in NOT_IN_NAMES else letter for letter in name)
    stem, dot, ending = (plain.strip(". ") or usual).partition(".")
    number = 2
    while f"{stem}_{number}{dot}{ending}".casefold() in taken:
        number += 1
    made = f"{stem}_{number}{dot}{ending}"
    taken.add(made.casefold())
    return made


def _with_sound_files(project: Project, is_shared: bool, found: Findings) -> Project:
    """The project whose sounds have types with which their files have names of their own."""
    names = [slot.name for slot in project.sounds.slots if slot.exists]
    taken = {name.casefold() for name in (*INDICES, *(f"{name}.txt" for name in names))}
    wrong: list[tuple[int, str]] = []
    for number, slot in enumerate(project.sounds.slots):
        if slot.resource is None or slot.resource.data is None:
            continue
        types = chain([slot.resource.file_type], (f".{n}" for n in count(2)))
        files = ((kind, sound_file(slot.name, kind)) for kind in types)
        kind, file = next(
            (kind, file)
            for kind, file in files
            if is_file_name(file) and file.casefold() not in taken
        )
        taken.add(file.casefold())
        if kind != slot.resource.file_type:
            wrong.append((number, kind))
    made = read_project(write_project(project)) if wrong and is_shared else project
    for number, kind in wrong:
        slot = made.sounds.slots[number]
        assert slot.resource is not None
        message = f"no other file can have the name with {slot.resource.file_type!r}"
        found.warn("renamed", f"{message}: its type is {kind}", f"sound {slot.name}")
        slot.resource.file_type = kind
    return made


def _with_file_names(project: Project, is_shared: bool, found: Findings) -> Project:
    """The project whose included files have names that files can have."""
    seen: set[str] = set()
    wrong = []
    for number, slot in enumerate(project.includes.slots):
        name = "" if slot.include is None else slot.include.file_name
        if is_file_name(name) and name.casefold() not in seen:
            seen.add(name.casefold())
        elif slot.include is not None:
            wrong.append(number)
    made = read_project(write_project(project)) if wrong and is_shared else project
    for number in wrong:
        include = made.includes.slots[number].include
        assert include is not None
        old, include.file_name = include.file_name, _free(include.file_name, seen, "file")
        message = f"no other file can have this name: it is called {include.file_name}"
        found.warn("renamed", message, f"included file {old}")
    return made


def _rename(slot: AnySlot, name: str) -> None:
    if isinstance(slot, TriggerSlot):
        if slot.resource is not None:
            slot.resource.name = name
    else:
        slot.name = name


def _take_names(folder: Gm82Project) -> None:
    """Take the names of a project's resources."""
    for kind, slots in slots_of(folder.project).items():
        folder.names.add(kind, [slot.name if slot.exists else "" for slot in slots])


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
