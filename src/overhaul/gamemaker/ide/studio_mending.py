"""The parts of a project of Studio 1 that can be repaired: its list, the case of files,
pictures, names."""

from __future__ import annotations

from typing import Final

from overhaul.document.xmltext import XmlNode
from overhaul.errors import FormatError, WorkspaceError
from overhaul.gamemaker.ide.gmx import GmxFile
from overhaul.gamemaker.ide.listing import ListedEntry
from overhaul.gamemaker.ide.mending import placeholder
from overhaul.gamemaker.ide.model import ProjectModel
from overhaul.gamemaker.ide.parts import studio_needs
from overhaul.gamemaker.ide.references import by_name

_UNDEFINED: Final = "<undefined>"
#: Elements whose reference can be to nothing.
_OPTIONAL: Final = frozenset(("spriteName", "maskName", "parentName"))
#: A picture that is made has so many pixels at most.
_MOST: Final = 1 << 26


class StudioMending:
    """Mends a project in memory; ``moves`` are the files that get another case."""

    def __init__(self, project: ProjectModel) -> None:
        self._project = project
        self._steps: list[str] = []
        self.moves: list[tuple[str, str]] = []

    def mend(self) -> list[str]:
        """Mend it; each step in words.  Raises WorkspaceError if no listed file is there."""
        project, files = self._project, self._project.files
        entries = [entry for entry in project.entries if entry.kind != "included file"]
        absent = [entry for entry in entries if files.spelled(entry.path) is None]
        if absent and len(absent) == len(entries):
            raise WorkspaceError(
                f"none of the {len(entries)} files that {project.name} lists is there: get the "
                "folders of the project back first"
            )
        for entry in entries:
            self._spelled(entry.path)
        self._list(entries, absent)
        for entry in project.entries:
            path = files.spelled(entry.path)
            if path is not None and path.endswith(".gmx"):
                self._resource(entry, path)
        return self._steps

    def _spelled(self, path: str) -> None:
        """Give a file the case that it is named with."""
        spelled = self._project.files.spelled(path)
        taken = {new for _, new in self.moves}
        if spelled is not None and spelled != path and path not in taken:
            self._steps.append(f"rename {spelled} to {path}")
            self.moves.append((spelled, path))

    def _list(self, entries: list[ListedEntry], absent: list[ListedEntry]) -> None:
        """Take off the list what is not there, or is on it twice."""
        seen: set[str] = set()
        lines: dict[int, str] = {}
        for entry in entries:
            if entry in absent:
                lines[entry.line] = f"take {entry.path} off the list: it is not there"
            elif entry.path in seen:
                lines[entry.line] = f"take {entry.path} off the list: it is listed twice"
            seen.add(entry.path)
        if not lines:
            return
        file = self._project.gmx_file(self._project.name)
        numbers = [
            number for number, node in enumerate(_leaves(file.root)) if file.line(node) in lines
        ]  # fmt: skip

        def change(root: XmlNode) -> None:
            leaves = _leaves(root)
            gone = {id(leaves[number]) for number in numbers}
            for node in root.walk():
                node.children = [child for child in node.children if id(child) not in gone]

        self._project.put(self._project.name, file.edited(change))
        self._steps += lines.values()

    def _resource(self, entry: ListedEntry, path: str) -> None:
        try:
            file = self._project.gmx_file(path)
        except FormatError:  # verify says what is wrong with it
            return
        for node, needed, _ in studio_needs(entry, file.root):
            self._spelled(needed)
            if node.tag == "frame" and self._project.files.spelled(needed) is None:
                self._placed(file, needed)
        names = {(one.kind, one.name) for one in self._project.entries}
        for used in list(by_name(file.root)):
            if used.node.tag in _OPTIONAL and (used.kind, used.name) not in names:
                node = next(file.root.all(used.node.tag))
                file = file.replaced(node, _UNDEFINED)
                self._project.put(path, file)
                self._steps.append(f"{path}: {used.node.tag} named {used.name}, and names nothing")

    def _placed(self, file: GmxFile, path: str) -> None:
        """A picture in the place of one that is not there."""
        width, height = file.root.value("width"), file.root.value("height")
        if not (width.isdecimal() and height.isdecimal()):
            return
        if not 0 < int(width) * int(height) <= _MOST:
            return
        self._project.files.write(path, placeholder(int(width), int(height)))
        self._steps.append(f"{path}: a placeholder of {width} x {height} pixels")


def _leaves(root: XmlNode) -> list[XmlNode]:
    """The elements without others in them."""
    return [node for node in root.walk() if not node.children]
