"""A project of Game Maker 5 to 8.1 on its way to Studio 1."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

from overhaul.document.xmltext import XmlNode as Element
from overhaul.document.xmltext import without_controls
from overhaul.findings import Finding
from overhaul.gamemaker.classic.fields import VersionedRecord
from overhaul.gamemaker.classic.kinds import BY_PLURAL
from overhaul.gamemaker.classic.records import Node, Project
from overhaul.gamemaker.forward.naming import Naming
from overhaul.gamemaker.forward.texts import calls_of, cleaned
from overhaul.gamemaker.recovery.studio import StudioProjectDraft
from overhaul.gml.builtins import load_classic_functions

R = TypeVar("R", bound="VersionedRecord")
#: The draft's names for the kinds.
KINDS = {
    "sprites": "sprite", "sounds": "sound", "backgrounds": "background", "paths": "path",
    "scripts": "script", "fonts": "font", "timelines": "timeline", "objects": "object",
    "rooms": "room",
}  # fmt: skip


#: The kinds by their numbers in the resource tree.
_GROUPINGS = {BY_PLURAL[plural].grouping: plural for plural in KINDS}
_GROUP = 2
#: Groups in each other; deeper ones do not have folders of their own.
_DEEPEST = 12


class ClassicDraft(StudioProjectDraft):
    """The project of Studio 1 that is made of ``old``, a project of Game Maker 8.1.

    ``is_last``: it does not become one of a later release, where other functions are missing.
    """

    def __init__(self, old: Project, name: str, *, is_last: bool) -> None:
        super().__init__(name)
        self.old = old
        self._is_last = is_last
        resources = [
            (plural, index, slot.name)
            for plural in KINDS
            for index, slot in enumerate(BY_PLURAL[plural].section(old).slots)
            if slot.exists and slot.resource is not None
        ]
        self.naming = Naming(resources, "gms1", self.findings)
        for plural, kind in KINDS.items():
            for made, _ in self.all(plural):
                self.new_name(kind, made)
        for root in old.tree:
            self._note_folders(root.children, ())
        self._scripts = {name for name, _ in self.all("scripts")}
        self._instances()

    def _note_folders(self, nodes: Sequence[Node], titles: tuple[str, ...]) -> None:
        """Note which groups of the resource tree the resources are in."""
        for node in nodes:
            plural = _GROUPINGS.get(node.grouping)
            if node.status == _GROUP:
                title = " ".join(cleaned(node.name).replace("/", " ").split()) or "group"
                self._note_folders(node.children, (*titles, title)[:_DEEPEST])
            elif plural is not None and titles:
                name = self.naming.name(plural, node.index)
                if name is not None:
                    self.folders[KINDS[plural], name] = titles

    def _instances(self) -> None:
        """Note the names of the instances whose numbers code may have: those that one room has."""
        seen: dict[int, list[str]] = {}
        for plural_name, room in self.all("rooms"):
            for each in getattr(room, "instances", ()):
                seen.setdefault(each.id, []).append(self.instance_name(plural_name, each.id))
        for number, names in seen.items():
            if len(names) == 1 and number > 100000:
                self.naming.names.numbers[str(number)] = names[0]

    def all(self, plural: str) -> Iterator[tuple[str, VersionedRecord]]:
        """The resources of a kind with their names in the new project."""
        for index, slot in enumerate(BY_PLURAL[plural].section(self.old).slots):
            name = self.naming.name(plural, index)
            if name is not None and slot.resource is not None:
                yield name, slot.resource

    def ref(self, plural: str, index: int, path: str, nothing: str) -> str:
        """The name of a resource by its number; ``nothing`` for none."""
        name = self.naming.name(plural, index)
        if name is None and index not in (-1, -100):
            message = f"it refers to {BY_PLURAL[plural].singular} {index}, which is not there"
            self.findings.warn("missing-name", message, path)
        return nothing if name is None else name

    def code(self, source: str, path: str) -> str:
        """A source that follows the new names."""
        text = cleaned(source)
        if text != source:
            message = "bytes that are not letters of the project's code page are left out of code"
            self.findings.warn("approximated", message, path)
        made, line = self.naming.names.followed(text.replace("\r\n", "\n").replace("\r", "\n"))
        if line:
            message = "the number of an instance is its name now"
            self.findings.append(Finding("note", "renamed", message, path, "", line))
        for number, name in calls_of(made, load_classic_functions()) if self._is_last else ():
            if name not in self._scripts:
                message = f"Studio 1 has no function {name}"
                self.findings.warn("unsupported", message, path, "", number)
        return made

    def instance_name(self, room: str, number: int) -> str:
        """The name of an instance of a room."""
        return f"inst_{self.short_id(room, number)}"

    def text(self, root: Element) -> Callable[[], bytes]:
        """The function that gives the bytes of a text file, without characters that XML can't
        hold."""
        lost = without_controls(root)
        if lost:
            message = f"control characters of {lost[0]} are left out"
            self.findings.warn("approximated", message, root.tag)
        return super().text(root)

    def tally(self, kind: str, paths: Iterable[str], lost: int = 0) -> None:
        """Count the resources of a kind by their files: those that findings name are lossy."""
        named = {finding.path for finding in self.findings if finding.severity != "note"}
        listed = list(paths)
        self.count(kind, len(listed), sum(path in named for path in listed), lost)
