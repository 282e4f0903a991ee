"""A project of Studio 1 on its way to GameMaker 2.3 and later."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import Final

from overhaul.document.xmltext import XmlNode
from overhaul.errors import FormatError
from overhaul.findings import Finding
from overhaul.gamemaker.data.version import Version
from overhaul.gamemaker.forward.code import Forwarder, arguments_of, assigned_names
from overhaul.gamemaker.forward.naming import Naming
from overhaul.gamemaker.ide.document import IdeProjectDocument
from overhaul.gamemaker.ide.listing import ListedEntry
from overhaul.gamemaker.ide.resources.sources import read_source
from overhaul.gamemaker.ide.styles import Style
from overhaul.gamemaker.ide.values import Json
from overhaul.gamemaker.recovery.modern import ModernProjectDraft

#: The release whose layout the projects have, and its editor.
RELEASE: Final = Version(17, 2024, 13)
EDITOR: Final = "2024.13.1.193"
_NOTHING: Final = frozenset(("", "<undefined>", "noone", "self"))
#: The kinds of a project of Studio 1, as names of resources are chosen.
KINDS: Final = {
    "object": "objects", "sprite": "sprites", "sound": "sounds", "background": "backgrounds",
    "path": "paths", "font": "fonts", "timeline": "timelines", "script": "scripts",
    "shader": "shaders", "room": "rooms",
}  # fmt: skip
_DEFINE: Final = "#define"
#: The file of a resource of Studio 1: its name and its kind.
_RESOURCE: Final = re.compile(r"[^/]+/([^/]+)\.(\w+)\.gmx")
#: Folders of the asset browser in each other.
_DEEPEST: Final = 12
#: The sizes of files that are read to find the names of variables.
_SOURCES: Final = ("object", "timeline", "room")


class ForwardDraft(ModernProjectDraft):
    """The project of a later release that is made of ``old``, one of Studio 1.

    ``is_classic``: that one was made of a project of Game Maker 5 to 8.1.
    """

    def __init__(self, old: IdeProjectDocument, name: str, *, is_classic: bool) -> None:
        super().__init__(name, Style("D", "\n"), RELEASE)
        self.is_classic = is_classic
        self.old = old
        resources = [
            (plural, index, entry.name)
            for kind, plural in KINDS.items()
            for index, entry in enumerate(old.entries_of(kind))
        ]
        self.naming = Naming(resources, "gms2", self.findings, {"backgrounds": "sprites"})
        self._broken: set[str] = set()
        self.forwarder = Forwarder(self.naming.names, self._functions(), self.findings)
        self._note_names()

    def _note_names(self) -> None:
        """Take the names of the resources, and note which groups of the old project they are in."""
        titles = dict(_grouped(self.old.gmx_file(self.old.name).root, ()))
        for kind in KINDS:
            own = "sprite" if kind == "background" else kind
            outer = ("Backgrounds",) if kind == "background" else ()
            for name, entry in self.all(kind):
                self.new_name(own, name)
                found = (*outer, *titles.get(entry.path.partition(".")[0], ()))
                if found:
                    self.folders[own, name] = found

    # -- names -------------------------------------------------------------------------------------

    def all(self, kind: str) -> Iterator[tuple[str, ListedEntry]]:
        """The resources of a kind with their names in the new project."""
        for index, entry in enumerate(self.old.entries_of(kind)):
            name = self.naming.name(KINDS[kind], index)
            if name is not None:
                yield name, entry

    def refer(self, kind: str, name: str, path: str) -> dict[str, Json] | None:
        """A reference to a resource by its old name; None for none, or one that is not there."""
        if name in _NOTHING:
            return None
        made = self.naming.called(KINDS[kind], name)
        if made is None:
            message = f"it refers to the {kind} {name}, which is not there"
            self.findings.warn("missing-name", message, path)
            return None
        own = "sprite" if kind == "background" else kind
        return self.place(made, self.path_of(own, made))

    def group_in(self, root: XmlNode) -> Json:
        """A reference to the texture group of a resource, by the number in its file."""
        text = root.value("TextureGroups/TextureGroup0") or root.value("texgroups/texgroup0")
        groups, number = self.texture_groups.groups, whole(text or "0")
        return self.in_group(groups[number if 0 < number < len(groups) else 0].name)

    # -- files -------------------------------------------------------------------------------------

    def root(self, entry: ListedEntry) -> XmlNode:
        """The elements of the file of a resource; of a file that is broken or is not there, none:
        the resource is empty then, and what refers to it still does."""
        path = self.old.path_of(entry)
        try:
            if path is not None:
                return self.old.gmx_file(path).root
            message, code = f"{entry.path} is not there: the resource is empty", "absent-file"
        except FormatError as error:
            message, code = f"{error.message}: the resource is empty", error.code
        if entry.path not in self._broken:
            self._broken.add(entry.path)
            self.findings.warn(code, message, entry.path)
        return XmlNode(entry.kind)

    def is_broken(self, entry: ListedEntry) -> bool:
        """Whether the file of a resource can't be read."""
        self.root(entry)
        return entry.path in self._broken

    def text_of(self, path: str) -> str | None:
        """The text of a source; None, with a finding, where there is none."""
        try:
            text = read_source(self.old, path)
        except FormatError as error:
            self.findings.warn(error.code, error.message, path)
            return None
        if text is None:
            self.findings.warn("absent-file", f"{path} is not there", path)
        return text

    def file_at(self, path: str, by: str) -> Callable[[], bytes] | None:
        """The function that reads a file of the old project; None, with a finding, where it is
        not there."""
        spelled = self.old.files.spelled(path.replace("\\", "/"))
        if spelled is None:
            self.findings.warn("absent-file", f"{path} is not there", by)
            return None
        return lambda: self.old.files.read(spelled)

    def placed(self, finding: Finding) -> Finding:
        """A finding about a file of the old project, at the file that this became."""
        found = _RESOURCE.fullmatch(finding.path)
        kind = "" if found is None else found[2]
        made = self.naming.called(KINDS[kind], found[1]) if found and kind in KINDS else None
        if made is None:
            return finding
        path = self.path_of("sprite" if kind == "background" else kind, made)
        return finding.replaced(path=path, line=0)

    # -- code --------------------------------------------------------------------------------------

    def _functions(self) -> dict[str, int]:
        """The functions that the project has itself, with how many arguments they read."""
        found: dict[str, int] = {}
        for entry in self.old.entries_of("script"):
            found[entry.name] = 0
            path = self.old.files.spelled(entry.path)
            text = "" if path is None else self.old.files.read(path).decode("utf-8", "replace")
            for name, source in defined(text.replace("\r\n", "\n"), entry.name):
                found[name] = arguments_of(source)
        for entry in self.old.entries_of("extension"):
            for node in self.root(entry).walk():
                if node.tag == "function":
                    found[node.value("name")] = 0
        return found

    def choose_variables(self, sources: Iterable[str]) -> None:
        """Choose other names for the variables that mean something in later releases."""
        assigned: set[str] = set()
        for source in sources:
            assigned |= assigned_names(source)
        self.forwarder.rename_variables(assigned, self.naming.taken)

    def gml(self, source: str, path: str) -> str:
        """A source as the release has it."""
        return self.forwarder.source(source, path).rstrip("\n") + "\n"

    def tally(self, kind: str, paths: Iterable[str], lost: int = 0) -> None:
        """Count the resources of a kind by their files: those that findings name are lossy."""
        named = {
            finding.path.rpartition("/")[0]
            for finding in self.findings
            if finding.severity != "note"
        }
        listed = list(paths)
        lossy = sum(path.rpartition("/")[0] in named for path in listed)
        self.count(kind, len(listed), lossy, lost)

    @cached_property
    def depths(self) -> Mapping[str, int]:
        """The depths of objects by their new names."""
        found: dict[str, int] = {}
        for name, entry in self.all("object"):
            found[name] = whole(self.root(entry).value("depth"))
        return found


def _grouped(node: XmlNode, titles: tuple[str, ...]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The groups that resources are in, by the paths of their files without endings."""
    for child in node.children:
        if child.children or child.tag == node.tag:
            name = child.attributes.get("name", "").replace("/", " ").strip()
            inner = (*titles, name) if child.tag == node.tag and name else titles
            yield from _grouped(child, inner[:_DEEPEST])
        else:
            path = child.text.strip().replace("\\", "/")
            yield path.partition(".")[0], titles


def defined(text: str, name: str) -> Iterator[tuple[str, str]]:
    """The names and sources of the functions in the file of a script, which may have several."""
    current = name
    lines: list[str] = []
    is_first = True
    for line in text.split("\n"):
        if line.startswith(_DEFINE) and line[len(_DEFINE) : len(_DEFINE) + 1].isspace():
            if not is_first or any(each.strip() for each in lines):
                yield current, "\n".join(lines)
            current, lines, is_first = line[len(_DEFINE) :].strip(), [], False
        else:
            lines.append(line)
    yield current, "\n".join(lines)


def whole(text: str) -> int:
    """A whole number of a file; 0 for none."""
    return round(real(text))


def real(text: str) -> float:
    """A number of a file, as a file of a later project can hold it; 0 for none."""
    try:
        made = float(text.strip().replace(",", "."))
    except ValueError:
        return 0.0
    return made if abs(made) < 1e15 else 0.0


def is_on(text: str) -> bool:
    """Whether a file says yes."""
    return text.strip().lower() not in ("", "0", "false")
