"""Scripts and rooms of a project as they can be looked at: they are files next to ``Game.agf``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from overhaul.ags.project.document import ProjectDocument, things_in
from overhaul.document.protocol import Siblings
from overhaul.document.xmltext import XmlNode


class ProjectScript:
    """A script of a project, as its author wrote it; ``code`` is empty where its file is not
    there."""

    kind: Final = "script"
    when: Final = ""
    facts: Sequence[str] = ()

    def __init__(self, document: ProjectDocument, name: str) -> None:
        self.name: str = name
        self._file = _file_called(document.siblings, name)
        self._document = document

    @property
    def code(self) -> str:
        """The source."""
        siblings = self._document.siblings
        if siblings is None or not self._file:
            return ""
        return siblings.read(self._file).decode(self._document.file.encoding, "replace")

    @property
    def notes(self) -> Sequence[str]:
        """Where the source is."""
        if not self._file:
            return (f"{self.name} is not next to the project.",)
        return (f"{self._file} is a file next to the project: open it by itself to edit it.",)


class ProjectRoom:
    """A room of a project: what it holds is in the file of the room."""

    kind: Final = "room"
    facts: Sequence[str] = ()

    def __init__(self, document: ProjectDocument, number: str) -> None:
        self.name: str = number
        self._file = _file_called(document.siblings, f"room{number}.crm")

    @property
    def notes(self) -> Sequence[str]:
        """Where the room is."""
        if not self._file:
            return (f"room{self.name}.crm is not next to the project.",)
        return (f"{self._file} is a file next to the project: open it by itself to see the room.",)


def resources_of(document: ProjectDocument, kind: str) -> Iterator[ProjectScript | ProjectRoom]:
    """The scripts or the rooms of a project in its order; nothing of another kind."""
    if kind == "script":
        for node in _listed(document, "Scripts", "Script"):
            yield ProjectScript(document, node.value("FileName"))
    elif kind == "room":
        for node in _listed(document, "Rooms", "UnloadedRoom"):
            yield ProjectRoom(document, node.value("Number"))


def _listed(document: ProjectDocument, place: str, tag: str) -> Iterator[XmlNode]:
    section = document.game.find(place)
    return iter(()) if section is None else things_in(section, tag)


def _file_called(siblings: Siblings | None, name: str) -> str:
    """The file next to a project of this name, in any case; "" where there is none."""
    known = () if siblings is None else siblings.names()
    return next((each for each in known if each.casefold() == name.casefold()), "")
