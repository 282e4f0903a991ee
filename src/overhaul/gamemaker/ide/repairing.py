"""The parts of a broken project that can certainly be repaired: texts, its list, names, folders,
pictures.

A resource whose file is nowhere is taken off the list, one that others use and the list lacks is
put on it, and files get the case that the list spells.  Files get the names that they are listed
with, folders and groups that are named and not there are made or replaced, and a frame without a
picture gets one.  All else is left to people.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Final

from overhaul.document.files import write_file
from overhaul.document.protocol import Document
from overhaul.errors import FormatError, WorkspaceError
from overhaul.gamemaker.ide.document import IdeProjectDocument
from overhaul.gamemaker.ide.inherited import is_inherited
from overhaul.gamemaker.ide.listing import ListedEntry
from overhaul.gamemaker.ide.marks import Disagreement, without_marks
from overhaul.gamemaker.ide.mending import Made, Mending, Written
from overhaul.gamemaker.ide.modern import ModernProject
from overhaul.gamemaker.ide.references import NO_ID, Reference, by_id, by_path
from overhaul.gamemaker.ide.resources.objects import Object
from overhaul.gamemaker.ide.resources.templates import new_resource
from overhaul.gamemaker.ide.studio_mending import StudioMending
from overhaul.gamemaker.ide.syntax_mending import Unmendable, in_form, mended
from overhaul.gamemaker.ide.texts import JsonFile, read_json_file
from overhaul.gamemaker.ide.values import Json, list_at, text_at

#: A file that a merge left its marks in has it.
MARK: Final = b"<<<<<<<"
_BACKGROUND: Final = "GMRBackgroundLayer"
#: Members of a resource that can refer to nothing.
_OPTIONAL: Final = frozenset(("spriteId", "spriteMaskId", "parentObjectId", "parentRoom"))
#: The same of 2.0 to 2.2.
_OPTIONAL_IDS: Final = frozenset(("spriteId", "maskSpriteId", "parentObjectId"))


@dataclass
class Repair:
    """A plan: ``steps`` says each thing that is done, ``files`` has the changed files by path,
    ``moves`` the paths that change, in their order, ``left`` what is left to people, and why."""

    folder: Path
    steps: list[str] = field(default_factory=list)
    files: dict[str, Written] = field(default_factory=dict)
    moves: list[tuple[str, str]] = field(default_factory=list)
    left: list[str] = field(default_factory=list)

    def write(self) -> None:
        """Do it.  A file that changes is kept next to itself as ``NAME.bak``.

        Raises WorkspaceError, before anything is written, for a path that a link leads out of the
        folder of the project.
        """
        for path in (*self.files, *chain.from_iterable(self.moves)):
            if not (self.folder / path).resolve().is_relative_to(self.folder):
                raise WorkspaceError(f"{path} leads out of the project: repair it by hand")
        for path, file in self.files.items():
            (self.folder / path).parent.mkdir(parents=True, exist_ok=True)
            write_file(self.folder / path, file.to_bytes(), force=True, backup=True)
        for old, new in self.moves:
            os.renames(self.folder / old, self.folder / new)


def plan_project_file(path: str) -> Repair:
    """The repair of a project file that can't be read: both sides of a merge that left its marks
    are kept, and small mistakes are mended.

    Raises WorkspaceError for sides that disagree, and for a file that may have lost something.
    """
    place = Path(path).resolve()
    repair = Repair(place.parent)
    file, steps = mended_project(place.name, place.read_bytes())
    repair.files[place.name] = file
    repair.steps += [f"{place.name}: {step}" for step in steps]
    return repair


def mended_project(name: str, data: bytes) -> tuple[Written, list[str]]:
    """A project file that can be read, of one that can't, and what was done.

    Raises as :func:`plan_project_file`.
    """
    try:
        if MARK in data:
            merged = without_marks(data, name)
            ModernProject(merged.to_bytes(), name)
            return merged, ["keep both sides of the merge"]
        text, steps = mended(data)
        file = Made(text.encode("utf-8"))
        ModernProject(file.data, name)
    except Disagreement as error:
        raise WorkspaceError(f"{name}: {error}: keep one of the two by hand") from None
    except Unmendable as error:
        raise WorkspaceError(f"{name}: {error}") from None
    return file, steps


def plan_repair(document: Document, *, recover: bool = False) -> Repair:
    """The possible repairs of a project.

    With ``recover``, resources that it does not list are listed too, in a folder "Recovered".

    Raises WorkspaceError for a document other than a project in a folder, or if no listed file
    of it exists.
    """
    if not isinstance(document, IdeProjectDocument) or not document.source:
        raise WorkspaceError("only a project of GameMaker's editor is repaired, where it is")
    project = document.project
    if not document.is_in_folder:
        raise WorkspaceError("only a project in a folder is repaired: unpack its archive first")
    if not isinstance(project, ModernProject):
        mending = StudioMending(document)
        repair = Repair(Path(document.source).resolve().parent, mending.mend(), {}, mending.moves)
        for path, data in document.files.changed.items():
            if data is not None:
                repair.files[path] = Made(data)
        return repair
    return _Planner(document, project, recover=recover).plan()


class _Planner:
    """Makes a plan."""

    def __init__(
        self, document: IdeProjectDocument, project: ModernProject, *, recover: bool
    ) -> None:
        self._recovers = recover
        self._document = document
        self._name = document.name
        self._files = document.files
        self._project = project
        self._repair = Repair(Path(document.source or "").resolve().parent)

    def plan(self) -> Repair:
        """The plan."""
        entries = [e for e in self._project.entries if not self._project.is_elsewhere(e)]
        absent = [entry for entry in entries if self._files.spelled(entry.path) is None]
        if absent and len(absent) == len(entries):
            raise WorkspaceError(
                f"none of the {len(entries)} files that {self._name} lists is there: get the "
                "folders of the project back first"
            )
        self._mend_texts(entries)
        self._spell(entries)
        if not self._project.is_old:
            self._list_used(entries)
            placed = self._place(absent)
            absent = [entry for entry in absent if entry.path not in placed]
        self._drop(absent)
        mending = Mending(self._files, self._get, self._put)
        for entry in entries:
            if self._files.spelled(entry.path) == entry.path:
                mending.resource(entry, is_old=self._project.is_old)
        if not self._project.is_old:
            if self._recovers:
                mending.recover(self._name, self._project)
            mending.listing(self._name)
        return self._repair

    def _mend_texts(self, entries: list[ListedEntry]) -> None:
        """Keep both sides of merges, where they agree, and mend small mistakes of the text."""
        order = self._name.removesuffix(".yyp") + ".resource_order"
        options = [entry.path for entry in self._project.options]
        for path in (self._name, order, *(entry.path for entry in entries), *options):
            spelled = self._files.spelled(path)
            if spelled is None or not spelled.endswith((".yy", ".yyp", ".resource_order")):
                continue
            try:
                self._mend_text(spelled, self._files.read(spelled))
            except (Disagreement, Unmendable, FormatError) as error:
                self._repair.left.append(f"{spelled}: {error}")

    def _mend_text(self, path: str, data: bytes) -> None:
        if MARK in data:
            self._repair.files[path] = without_marks(data, path)
            self._repair.steps.append(f"{path}: keep both sides of the merge")
        elif not is_inherited(data):
            made = in_form(mended(data))
            if made.steps:
                self._repair.files[path] = read_json_file(made.text.encode("utf-8"), source=path)
                self._repair.steps += [f"{path}: {step}" for step in made.steps]

    def _get(self, path: str) -> JsonFile | None:
        """A file, as it will be, the project for ""; None for one that is broken or not there."""
        return self._read(path or self._name)

    def _read(self, path: str) -> JsonFile | None:
        """A file, as it will be; None for one that is broken."""
        if path == self._name:
            known = self._repair.files.get(path)
            return known if isinstance(known, JsonFile) else self._project.file
        spelled = self._files.spelled(path)
        if spelled is None:
            return None
        known = self._repair.files.get(spelled)
        if isinstance(known, JsonFile):
            return known
        try:
            file = read_json_file(self._files.read(spelled), source=spelled)
            file.at()  # its values
        except FormatError:  # verify names it
            return None
        return file

    def _put(self, path: str, file: Written, step: str) -> None:
        self._repair.files[path if path == self._name else self._files.spelled(path) or path] = file
        self._repair.steps.append(step)

    # -- names in another case ------------------------------------------------------------------

    def _spell(self, entries: list[ListedEntry]) -> None:
        """Give files the case that the list spells."""
        taken = {entry.path for entry in entries}
        for entry in entries:
            spelled = self._files.spelled(entry.path)
            if spelled is None or spelled in taken:  # it is that of another entry
                continue
            taken.add(spelled)
            actual, wanted = spelled.rpartition("/")[0], entry.folder
            inside, there = ([*chain(*self._files.listing(one))] for one in (actual, wanted))
            if actual != wanted and {*map(str.casefold, inside)} & {*map(str.casefold, there)}:
                continue  # two files of one name: people must choose one
            renamed = self._renamed(entry, actual)
            if {*renamed.values()} & {*inside}:
                continue  # as well
            self._repair.steps.append(f"rename {spelled} to {entry.path}")
            self._name_within(entry)
            if actual != wanted and there:
                self._repair.moves += [(f"{actual}/{n}", f"{wanted}/{n}") for n in inside]
            elif actual != wanted:
                self._repair.moves.append((actual, wanted))
            self._repair.moves += [(f"{wanted}/{a}", f"{wanted}/{b}") for a, b in renamed.items()]

    def _renamed(self, entry: ListedEntry, folder: str) -> dict[str, str]:
        """The files in a folder whose names have another case than the resource, and their new
        names."""
        own = entry.path.rpartition("/")[2]
        stem = own.removesuffix(".yy")
        renamed = {}
        for name in self._files.listing(folder)[0]:
            base, dot, ending = name.partition(".")
            wanted = own if name.casefold() == own.casefold() else f"{stem}{dot}{ending}"
            if name != wanted and base.casefold() == stem.casefold():
                renamed[name] = wanted
        return renamed

    def _name_within(self, entry: ListedEntry) -> None:
        """Give the name in a file the case that the list spells."""
        file = self._read(entry.path)
        stem = entry.path.rpartition("/")[2].removesuffix(".yy")
        for key in ("name", "%Name"):
            name = text_at(file.value, key) if file is not None else ""
            if file is not None and name != stem and name.casefold() == stem.casefold():
                file = file.replaced(key, value=stem)
                self._put(entry.path, file, f"{entry.path}: {key} is {stem}")

    # -- used and not listed ------------------------------------------------------------

    def _list_used(self, entries: list[ListedEntry]) -> None:
        """Put on the list what listed resources use, if its file is there."""
        listed = {entry.path for entry in entries}
        waiting = [entry.path for entry in entries]
        while waiting:
            file = self._read(waiting.pop())
            for used in by_path(file.value) if file is not None else ():
                if used.path in listed or not self._is_resource(used):
                    continue
                listed.add(used.path)
                waiting.append(used.path)
                self._list(used)

    def _is_resource(self, used: Reference) -> bool:
        """Whether a reference leads to the file of a resource of that name."""
        stem = used.path.rpartition("/")[2].removesuffix(".yy")
        return (
            used.path.endswith(f"/{used.name}/{used.name}.yy")
            and self._files.has(used.path)
            and (file := self._read(used.path)) is not None
            and text_at(file.value, "name") == stem
        )

    def _list(self, used: Reference) -> None:
        file = self._read(self._name)
        assert file is not None
        rows = list_at(file.value, "resources")
        row: dict[str, Json] = {"id": {"name": used.name, "path": used.path}}
        if rows and isinstance(rows[0], dict) and "order" in rows[0]:
            row["order"] = 0
        names = [text_at(one, "id", "name").upper() for one in rows]
        at = len(rows)
        if names == sorted(names):
            at = sum(name < used.name.upper() for name in names)
        step = f"list {used.path}, which is used"
        self._put(self._name, file.added("resources", at, value=row), step)

    # -- listed and not there -----------------------------------------------------------

    def _place(self, absent: list[ListedEntry]) -> set[str]:
        """Make placeholders of resources that are not there, and that others can't be without:
        instances have objects, tracks sprites.  Code of events that is there is in them."""
        needed = {
            used.path
            for entry in self._project.entries if absent
            for file in (self._read(entry.path),) if file is not None
            for used in by_path(file.value)
            if used.key not in _OPTIONAL or not self._is_optional(file, used)
        }  # fmt: skip
        made: set[str] = set()
        for entry in absent:
            if entry.path in needed and self._placeholder(entry):
                made.add(entry.path)
        return made

    def _placeholder(self, entry: ListedEntry) -> bool:
        files = self._document.files
        try:
            new = new_resource(self._document, entry.kind, entry.name, "")
        except (ValueError, FormatError):  # of a kind that only GameMaker makes
            return False
        if new.path != entry.path:
            return False
        for path, data in new.files.items():
            if files.spelled(path) is None:
                files.write(path, data)
        if entry.kind == "object":
            self._restore_events(entry)
        for path in new.files:
            step = f"{path}: a placeholder, as others use {entry.name}"
            self._put(path, Made(files.read(path)), step)
        return True

    def _restore_events(self, entry: ListedEntry) -> None:
        """Give an object the events whose code is in its folder."""
        events = Object(self._document, entry.path).events
        for name in self._document.files.listing(entry.folder)[0]:
            if name.endswith(".gml"):
                source = self._document.files.read(f"{entry.folder}/{name}")
                try:
                    events.add(name.removesuffix(".gml"), source.decode("utf-8"))
                except (ValueError, KeyError):  # of no event, or of no text
                    continue

    def _drop(self, absent: list[ListedEntry]) -> None:
        """Take off the list rows without a file, and rows that are on it twice."""
        gone = {entry.path for entry in absent}
        file = self._read(self._name)
        assert file is not None
        seen: set[str] = set()
        rows: list[int] = []
        for number, path in enumerate(map(self._path_of, list_at(file.value, "resources"))):
            if path and (path in gone or path in seen):
                rows.append(number)
                why = "is listed twice" if path in seen else "is not there"
                self._repair.steps.append(f"take {path} off the list: it {why}")
            seen.add(path)
        for number in reversed(rows):
            file = file.removed("resources", number)
        nodes = list_at(file.value, "RoomOrderNodes")
        for number in reversed(range(len(nodes))):
            if text_at(nodes[number], "roomId", "path") in gone:
                file = file.removed("RoomOrderNodes", number)
        if rows or file is not self._read(self._name):
            self._repair.files[self._name] = file
        self._unorder(gone)
        (self._unlink_ids if self._project.is_old else self._unlink)(gone)

    def _path_of(self, row: Json) -> str:
        if self._project.is_old:
            return text_at(row, "Value", "resourcePath").replace("\\", "/")
        return text_at(row, "id", "path")

    def _unorder(self, gone: set[str]) -> None:
        """Take what is nowhere out of the order of the asset browser."""
        path = self._name.removesuffix(".yyp") + ".resource_order"
        file = self._read(path) if self._files.has(path) else None
        rows = [] if file is None else list_at(file.value, "ResourceOrderSettings")
        dropped = [n for n, row in enumerate(rows) if text_at(row, "path") in gone]
        for number in reversed(dropped):
            file = None if file is None else file.removed("ResourceOrderSettings", number)
        if file is not None and dropped:
            self._put(path, file, f"take {len(dropped)} of them out of {path}")

    def _unlink_ids(self, gone: set[str]) -> None:
        """The same in a project of 2.0 to 2.2, whose files refer to ids."""
        ids = {entry.id: entry.name for entry in self._project.entries if entry.path in gone}
        for entry in self._project.entries if ids else ():
            file = self._read(entry.path)
            for used in list(by_id(file.value)) if file is not None else ():
                if file is None or used.path not in ids:
                    continue
                if used.key not in _OPTIONAL_IDS:
                    name = ids[used.path]
                    self._repair.left.append(f"{entry.path}: it uses {name}, which is nowhere")
                    continue
                file = file.replaced(*used.steps, value=NO_ID)
                step = f"{entry.path}: {used.key} was {ids[used.path]}, and is nothing"
                self._put(entry.path, file, step)

    def _unlink(self, gone: set[str]) -> None:
        """Let optional references to what is nowhere refer to nothing; others are left to
        people."""
        listed = {entry.path for entry in self._project.entries} - gone
        for entry in self._project.entries:
            file = self._read(entry.path)
            left: dict[str, None] = {}
            for used in list(by_path(file.value)) if file is not None else ():
                if file is None or used.path in listed:
                    continue
                if used.key not in _OPTIONAL or not self._is_optional(file, used):
                    if used.path in gone:
                        left[used.name] = None
                elif self._is_nowhere(used.path):
                    file = file.replaced(*used.steps, value=None)
                    step = f"{entry.path}: {used.key} named {used.name}, and is null"
                    self._put(entry.path, file, step)
            for name in left:
                self._repair.left.append(f"{entry.path}: it uses {name}, which is nowhere")

    def _is_optional(self, file: JsonFile, used: Reference) -> bool:
        """Whether a reference can be to nothing: one of a resource, or of a background."""
        kind = text_at(file.at(*used.steps[:-1]), "resourceType")
        return len(used.steps) == 1 or kind == _BACKGROUND

    def _is_nowhere(self, path: str) -> bool:
        """Whether the file of a resource is not there, in no case."""
        return path.endswith(".yy") and self._files.spelled(path) is None
