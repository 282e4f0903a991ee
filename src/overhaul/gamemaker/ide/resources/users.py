"""The users of a resource of a project: other resources that refer to it, and code that names
it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from overhaul.errors import FormatError
from overhaul.gamemaker.ide.listing import ListedEntry
from overhaul.gamemaker.ide.model import ProjectModel
from overhaul.gamemaker.ide.references import by_id, by_name, by_path
from overhaul.gamemaker.ide.resources.code import is_local, names_in

_SOURCES: Final = (".gml", ".vsh", ".fsh")
#: The kinds of resources that code knows by name.
CODED: Final = frozenset(
    ("sprite", "tile set", "background", "sound", "path", "script", "shader", "font", "timeline",
     "object", "room", "sequence", "animation curve", "particle system")
)  # fmt: skip


class User(NamedTuple):
    """A user of a resource: its kind, its name; ``path`` is the file."""

    kind: str
    name: str
    path: str = ""

    def __str__(self) -> str:
        return f"{self.kind} {self.name}".rstrip()


def users_of(project: ProjectModel, entry: ListedEntry) -> list[User]:
    """The users of a resource.

    Where a resource is listed (the project, the order of rooms, folders) does not count.
    """
    found = [*_referring(project, entry)]
    if entry.kind in CODED:
        word = re.compile(rf"\b{re.escape(entry.name)}\b")
        for other in project.entries:
            if other.path != entry.path:
                found += _naming(project, other, entry.name, word)
    return found


def _referring(project: ProjectModel, entry: ListedEntry) -> Iterator[User]:
    """The resources whose files refer to one."""
    for other in project.entries:
        if other.path != entry.path and refers(project, other, entry):
            yield User(other.kind, other.name, other.path)


def refers(project: ProjectModel, other: ListedEntry, entry: ListedEntry) -> bool:
    """Whether the file of a resource refers to another one."""
    path = project.files.spelled(other.path)
    if path is None:
        return False
    try:
        if path.endswith(".gmx"):
            used = by_name(project.gmx_file(path).root)
            return any(use.name == entry.name and _same(use.kind, entry.kind) for use in used)
        if not path.endswith(".yy") or not _mentions(project, path, entry):
            return False
        value = project.json_file(path).value
    except FormatError:  # check says what is wrong with it
        return False
    references = by_id(value) if entry.id else by_path(value)
    return any(one.path == (entry.id or entry.path) for one in references)


def _mentions(project: ProjectModel, path: str, entry: ListedEntry) -> bool:
    """Whether a file has the text that a reference has: most files have not."""
    return (entry.id or entry.path).encode() in project.files.read(path)


def _same(kind: str, other: str) -> bool:
    return kind == other or {kind, other} <= {"background", "tile set"}


def _naming(
    project: ProjectModel, other: ListedEntry, name: str, word: re.Pattern[str]
) -> Iterator[User]:
    """The code of a resource that has a name."""
    for path, text in sources_of(project, other):
        if not word.search(text) or is_local(text, name):
            continue
        if name in names_in(text, project.dialect):
            yield User("code", path, path)


def sources_of(project: ProjectModel, entry: ListedEntry) -> Iterator[tuple[str, str]]:
    """The sources of a resource: the path of each and its text; in XML all of them as one."""
    for path in source_paths(project, entry):
        data = project.files.read(path)
        if path.endswith(".gmx"):
            try:
                yield path, "\n".join(code_texts(project, path))
            except FormatError:  # check says what is wrong with it
                continue
        else:
            yield path, data.decode("utf-8", "replace")


def source_paths(project: ProjectModel, entry: ListedEntry) -> Iterator[str]:
    """The files of a resource that have code."""
    spelled = project.files.spelled(entry.path)
    if spelled is None:
        return
    if spelled.endswith((".gml", ".gmx")):
        if spelled.endswith(".gml") or entry.kind in ("object", "room", "timeline"):
            yield spelled
    elif entry.kind in ("object", "room", "script", "timeline"):
        folder = spelled.rpartition("/")[0]
        for name in project.files.listing(folder)[0]:
            if name.endswith(".gml"):
                yield f"{folder}/{name}"


def code_texts(project: ProjectModel, path: str) -> Iterator[str]:
    """The texts of code in a file of Studio 1."""
    for node in project.gmx_file(path).root.walk():
        if node.tag in ("string", "code") and not node.children and node.text:
            yield node.text
        elif node.tag == "instance" and node.attributes.get("code"):
            yield node.attributes["code"]
