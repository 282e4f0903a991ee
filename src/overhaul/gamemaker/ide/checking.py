"""The faults of a project of GameMaker Studio 2 and later.

Usual oddities are left out: see ``docs/formats/yyp.md``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from overhaul.document.jsontext import JsonError
from overhaul.errors import EncodeError, FormatError
from overhaul.findings import Finding, Findings
from overhaul.gamemaker.ide.declared import undeclared
from overhaul.gamemaker.ide.files import ProjectFiles
from overhaul.gamemaker.ide.inherited import read_inherited
from overhaul.gamemaker.ide.listing import ListedEntry
from overhaul.gamemaker.ide.loose import (
    code_of_no_event,
    folders_of_nothing,
    folders_without_an_outer,
    inherited_of_nothing,
)
from overhaul.gamemaker.ide.modern import MAIN_OPTIONS, ModernProject
from overhaul.gamemaker.ide.parts import frames_of, layers_of, needs
from overhaul.gamemaker.ide.references import GROUPS, by_id, by_path
from overhaul.gamemaker.ide.releases import release_of
from overhaul.gamemaker.ide.texts import JsonFile, read_json_file
from overhaul.gamemaker.ide.values import Json, Steps, conflict_marks, list_at, path_of, text_at
from overhaul.media import png
from overhaul.suggest import some_of

#: A frame is called by an id, and so is its picture.
_FRAME: Final = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.png")
#: Git's text in the place of a large file that was not fetched.
_POINTER: Final = b"version https://git-lfs"
#: The files that GameMaker keeps next to a file that it changed.
_KEPT: Final = ".old.yy"


class ModernCheck:
    """Looks at all files of a project; ``findings`` has the faults.

    ``otherwise`` has the files that GameMaker writes in another form, ``undeclared`` how often
    they have fields that are not declared.
    """

    def __init__(self, project: ModernProject, files: ProjectFiles, name: str) -> None:
        self.findings: Findings = Findings()
        self.otherwise: list[str] = []
        self.undeclared: Counter[str] = Counter()
        self._project = project
        self._files = files
        self._name = name
        self._keys: set[str] = {entry.id for entry in project.entries}
        self._paths: dict[str, ListedEntry] = {entry.path: entry for entry in project.entries}
        self._parents: dict[str, tuple[str, JsonFile, Steps]] = {}

    def run(self) -> None:
        """Look at everything."""
        self._listed_twice()
        self._note_form(self._project.file, self._name)
        self._references(self._project.file, self._name, self._name)
        if not self._files.are_known:
            return
        for entry in (*self._project.entries, *self._project.options):
            self._entry(entry)
        if not self._project.is_old:
            for entry in self._project.included:
                self._is_there(entry, entry.path, "the included file", self._name, entry.steps)
        self._cycles()
        self._not_listed()
        self._folders()

    # -- the list -------------------------------------------------------------------------------

    def _listed_twice(self) -> None:
        seen: dict[tuple[str, str], ListedEntry] = {}
        ids: dict[str, ListedEntry] = {}
        for entry in self._project.entries:
            before = seen.setdefault((entry.kind, entry.name.casefold()), entry)
            same = ids.setdefault(entry.id, entry) if entry.id else entry
            if before is not entry:
                self._at_list(entry, "duplicate", f"{before.name} is listed twice")
            elif same is not entry:
                self._at_list(entry, "duplicate", f"{entry.name} has the id of {same.name}")

    def _at_list(self, entry: ListedEntry, code: str, message: str) -> None:
        self._warn(code, message, self._project.file, self._name, entry.steps)

    def _is_there(
        self,
        entry: ListedEntry,
        path: str,
        what: str,
        by: str,
        steps: Steps,
        file: JsonFile | None = None,
    ) -> str | None:
        """The path of a file as it is spelled; None with a finding if it is not there."""
        spelled = self._files.spelled(path)
        where = self._project.file if file is None else file
        if spelled is None:
            message = f"{path} is not there: {what} of {entry.name}"
            if what in ("the included file", "the resource"):
                message = f"{path} is listed, and is not there"
            self._warn("absent-file", message, where, by, steps)
        elif spelled != path:
            message = f"{path} is called {spelled}: only Windows and macOS find it"
            self._warn("other-case", message, where, by, steps)
        return spelled

    def _warn(self, code: str, message: str, file: JsonFile, path: str, steps: Steps = ()) -> None:
        line, column = file.place(*steps) if steps else (0, 0)
        self.findings.warn(code, message, path, path_of(steps), line, column)

    # -- a resource -----------------------------------------------------------------------------

    def _entry(self, entry: ListedEntry) -> None:
        if self._project.is_elsewhere(entry):
            self._inherited()
            return
        path = self._is_there(entry, entry.path, "the resource", self._name, entry.steps)
        file = None if path is None else self._read(path)
        if file is None or path is None:
            return
        value = file.value
        self._note_form(file, path)
        self._is_of_release(file, path)
        self._called(entry, file, path)
        self._references(file, path, entry.path)
        for need in needs(replace(entry, path=path), value):
            self._is_there(entry, need.path, need.what, path, need.steps, file)
        if entry.kind == "sprite":
            self._pictures(entry, file, path)
        elif entry.kind == "object":
            self._code(entry, value, path)
            self._parents[entry.path] = (self._parent(value), file, ("parentObjectId",))
        elif entry.kind == "room":
            parent = text_at(value, "parentRoom", "path")
            self._parents[entry.path] = (parent, file, ("parentRoom",))
            self._instances(file, path)
            self._inherits(entry, file, path)

    def _is_of_release(self, file: JsonFile, path: str) -> None:
        """A file of a later release: a merge may bring it into a project that was converted."""
        text = text_at(self._project.value, "MetaData", "IDEVersion")
        release = release_of(text)
        if release is not None and file.style.letter > release.letter:
            message = f"it has the form of a later release: convert the project to {text}"
            self.findings.warn("mismatch", message, path)

    def _code(self, entry: ListedEntry, value: Json, path: str) -> None:
        """Code of events that an object does not list."""
        folder = path.rpartition("/")[0]
        extra = code_of_no_event(self._files, folder, value)
        if extra:
            message = f"no event of {entry.name} has {some_of(extra)}"
            self.findings.add_note("unlisted", message, folder)

    def _inherits(self, entry: ListedEntry, file: JsonFile, path: str) -> None:
        """Values that a room inherits without a parent."""
        for steps, what, is_usual in inherited_of_nothing(entry, file.value):
            message = f"{what} is inherited, and the room has no parent"
            if is_usual:
                line, column = file.place(*steps)
                where = path, path_of(steps), line, column
                self.findings.append(Finding("note", "missing-name", message, *where))
            else:
                self._warn("missing-name", message, file, path, steps)

    def _folders(self) -> None:
        """Folders on the disk without a resource, and those of the asset browser without an outer
        one."""
        listed = {entry.folder.casefold() for entry in self._project.entries}
        for folder, found in folders_of_nothing(self._files, listed):
            message = f"no file of a resource is in {some_of(found)}"
            self.findings.add_note("unlisted", message, folder)
        for steps, path, outer in folders_without_an_outer(self._project):
            message = f"the folder {path} is in {outer}, which is not in Folders"
            self._warn("missing-name", message, self._project.file, self._name, steps)

    def _inherited(self) -> None:
        """The options of 2.0 to 2.2, which are listed under a name that no file has."""
        path = MAIN_OPTIONS.replace("main/options_main", "main/inherited/options_main.inherited")
        if not self._files.has(path):
            return
        try:
            data = self._files.read(path)
            file = read_inherited(data, source=path)
            if file.printed().encode("utf-8") != data:
                self.otherwise.append(path)
        except (FormatError, EncodeError) as error:
            self._broken(error, path)

    def _read(self, path: str) -> JsonFile | None:
        """The file of a resource; None with a finding if it can't be read."""
        try:
            file = read_json_file(self._files.read(path), source=path)
            file.at()  # its values
        except FormatError as error:
            self._broken(error, path)
            return None
        return file

    def _broken(self, error: FormatError | EncodeError, path: str) -> None:
        line, column = (error.line, error.column) if isinstance(error, JsonError) else (0, 0)
        self.findings.warn(error.code, error.message, path, error.path, line, column)

    def _note_form(self, file: JsonFile, path: str) -> None:
        self.undeclared += undeclared(file.value)
        try:
            if file.printed() != file.text or file.has_mark:
                self.otherwise.append(path)
        except EncodeError:
            self.otherwise.append(path)

    def _called(self, entry: ListedEntry, file: JsonFile, path: str) -> None:
        """Whether the names of a resource agree."""
        stem = entry.path.rpartition("/")[2].removesuffix(".yy")
        names = {"name": text_at(file.value, "name"), "%Name": text_at(file.value, "%Name")}
        if entry.kind in ("options", "included file"):
            return
        key = text_at(file.value, "id")
        if entry.id and key and key != entry.id:
            message = f"it has the id {key}, and is listed with {entry.id}"
            self._warn("mismatch", message, file, path, ("id",))
        for key, name in names.items():
            if name and name != stem:
                message = f"it is called {name!r}, and listed as {stem!r}"
                self._warn("mismatch", message, file, path, (key,))

    # -- references -----------------------------------------------------------------------------

    def _references(self, file: JsonFile, path: str, own: str) -> None:
        """References of a file to missing resources."""
        if self._project.is_old:
            for found in by_id(file.value):
                if found.path not in self._keys:
                    message = f"it has the id {found.path}, which no resource has"
                    self._warn("missing-name", message, file, path, found.steps)
            return
        listing = path == self._name
        for found in by_path(file.value):
            if listing and found.steps[:1] in (("resources",), ("Options",)):
                continue
            wrong = self._leads_nowhere(found.key, found.name, found.path, own)
            if wrong:
                self._warn("missing-name", wrong, file, path, found.steps)

    def _leads_nowhere(self, key: str, name: str, path: str, own: str) -> str:
        """The fault of a reference; "" if something is there."""
        if key in GROUPS:
            known = name in self._project.groups(GROUPS[key]) or name in ("Default", "")
            known = known or name == "audiogroup_default"
            return "" if known else f"it names {name}, which is not in {GROUPS[key]}"
        if path in self._paths or path in (own, self._name, "") or path.endswith(".yyp"):
            return ""
        if path.startswith("folders/"):
            known = path in self._project.folders
            return "" if known else f"the folder {path} is not in Folders"
        if path.startswith(("texturegroups/", "audiogroups/")):
            return ""
        return f"it refers to {name} ({path}), which the project does not list"

    def _parent(self, value: Json) -> str:
        if not self._project.is_old:
            return text_at(value, "parentObjectId", "path")
        wanted = text_at(value, "parentObjectId")
        return next((e.path for e in self._project.entries if e.id == wanted and wanted), "")

    def _cycles(self) -> None:
        """Objects and rooms that are their own ancestors."""
        done: set[str] = set()
        for start in self._parents:
            line: dict[str, int] = {}
            path = start
            while path in self._parents and path not in done and path not in line:
                line[path] = len(line)
                path = self._parents[path][0]
            if path in line:
                _, file, steps = self._parents[path]
                names = [self._paths[p].name for p in list(line)[line[path] :]]
                message = f"its parents lead back to it: {' > '.join([*names, names[0]])}"
                self._warn("invalid", message, file, path, steps)
            done.update(line)

    # -- sprites and rooms ----------------------------------------------------------------------

    def _pictures(self, entry: ListedEntry, file: JsonFile, path: str) -> None:
        """The pictures of a sprite: their sizes, and pictures that no frame has."""
        frames, folder = frames_of(file.value), path.rpartition("/")[0]
        value = file.value if isinstance(file.value, dict) else {}
        wanted = (value.get("width"), value.get("height"))
        for number, frame in enumerate(frames):
            picture = f"{folder}/{frame}.png"
            if not frame or not self._files.has(picture):
                continue
            data = self._files.head(picture)
            try:
                size = png.size(data)
            except FormatError:
                is_pointer = data.startswith(_POINTER)
                got = ", got a pointer of Git LFS: run git lfs pull" if is_pointer else ""
                self.findings.warn("invalid", f"expected a PNG picture{got}", picture)
                continue
            if size != wanted:
                sides = f"{size[0]} x {size[1]} pixels, the sprite {wanted[0]} x {wanted[1]}"
                message = f"{frame}.png has {sides}"
                self._warn("mismatch", message, file, path, ("frames", number))
        if len(set(frames)) < len(frames):
            self._warn("duplicate", "two frames have one id", file, path, ("frames",))
        self._orphans(entry, folder, set(frames), set(layers_of(value)))

    def _orphans(self, entry: ListedEntry, folder: str, frames: set[str], layers: set[str]) -> None:
        found = [
            name for name in self._files.listing(folder)[0]
            if _FRAME.fullmatch(name) and name.removesuffix(".png") not in frames
        ]  # fmt: skip
        inside = f"{folder}/layers"
        found += [f"layers/{name}" for name in self._files.listing(inside)[1] if name not in frames]
        for name in self._files.listing(inside)[1]:
            if name in frames:
                found += [
                    f"layers/{name}/{picture}"
                    for picture in self._files.listing(f"{inside}/{name}")[0]
                    if _FRAME.fullmatch(picture) and picture.removesuffix(".png") not in layers
                ]
        if found:
            message = f"no frame of {entry.name} has {some_of(found)}"
            self.findings.add_note("unlisted", message, folder)

    def _instances(self, file: JsonFile, path: str) -> None:
        """Instances with one name."""
        seen: set[str] = set()
        for steps, name in _instances(file.value, ()):
            if name in seen:
                message = f"two instances are called {name}"
                self._warn("duplicate", message, file, path, steps)
            seen.add(name)

    # -- files that are not listed ---------------------------------------------------------------

    def _not_listed(self) -> None:
        """Files of resources that the project does not list, by the folder of their kind."""
        known = {path.casefold() for path in self._paths}
        for folder in self._files.listing("")[1]:
            if not any(path.startswith(f"{folder}/") for path in self._paths) or folder == "views":
                continue
            extra = [
                path for path in self._files_of(folder)
                if path.casefold() not in known and not path.endswith(_KEPT)
            ]  # fmt: skip
            if extra:
                message = f"the project does not list {some_of(extra)}"
                self.findings.add_note("unlisted", message, folder)
        self._sources()

    def _files_of(self, folder: str) -> Iterable[str]:
        for name in self._files.listing(folder)[1]:
            for file in self._files.listing(f"{folder}/{name}")[0]:
                if file.endswith(".yy"):
                    yield f"{folder}/{name}/{file}"

    def _sources(self) -> None:
        """Sources in which a merge left its marks."""
        for entry in self._project.entries:
            if entry.kind not in ("script", "object", "room", "timeline", "shader"):
                continue
            for name in self._files.listing(entry.folder)[0]:
                if name.endswith((".gml", ".vsh", ".fsh")):
                    path = f"{entry.folder}/{name}"
                    self._source(path, self._files.read(path))

    def _source(self, path: str, data: bytes) -> None:
        if b"<<<<<<<" not in data:
            return
        mark = next(conflict_marks(data.decode("utf-8", "replace")), None)
        if mark is not None and mark.sign[0] == "<":
            message = f"a merge left {mark.sign} here: keep one of the two sides"
            self.findings.warn("merge-conflict", message, path, "", mark.line, 1)


def _instances(value: Json, steps: Steps) -> Iterable[tuple[Steps, str]]:
    for number, layer in enumerate(list_at(value, "layers")):
        inner = (*steps, "layers", number)
        for index, row in enumerate(list_at(layer, "instances")):
            yield (*inner, "instances", index), text_at(row, "name")
        yield from _instances(layer, inner)
