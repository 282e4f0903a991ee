"""Scripts and rooms of a project: they are files next to ``Game.agf``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Final

from overhaul.ags.project.document import ProjectDocument, things_in
from overhaul.ags.text import ANSI, UTF_8
from overhaul.document.jsontext import line_and_column
from overhaul.document.plainfiles import PlainFile
from overhaul.document.xmltext import XmlNode
from overhaul.errors import PlainFileError

SOURCE: Final = ".asc"
HEADER: Final = ".ash"
ROOM: Final = ".crm"
_SPRITES: Final = "acsprset.spr"
_MARK: Final = "utf-8-sig"
#: The last encoding: it has a letter for every byte.
_ANY: Final = "latin-1"


class ProjectSource:
    """A script or a header of a project, or the script of a room: ``file`` is the name next to the
    project, "" where it is not there."""

    when: Final = ""
    facts: Sequence[str] = ()

    def __init__(
        self, document: ProjectDocument, name: str, wanted: str, known: Mapping[str, str]
    ) -> None:
        self.name: str = name
        self.wanted: str = wanted
        self.file: str = known.get(wanted.casefold(), "")
        self._known = known
        self._document = document

    @property
    def code(self) -> str:
        """The source; empty where its file is not there."""
        return text_of(self._document, self._document.near(self.file)) if self.file else ""

    @property
    def notes(self) -> Sequence[str]:
        """A warning if it is missing."""
        return () if self.file else (f"{self.wanted} is not next to the project.",)


class ProjectScript(ProjectSource):
    """A script, as its author wrote it."""

    kind: Final = "script"


class ProjectRoom(ProjectSource):
    """A room, with its script."""

    kind: Final = "room"

    def __init__(
        self, document: ProjectDocument, number: str, wanted: str, known: Mapping[str, str]
    ) -> None:
        super().__init__(document, number, wanted, known)
        room = f"room{number}{ROOM}"
        #: the name of its file next to the project, "" where it is not there
        self.room: str = known.get(room.casefold(), "")
        self.name: str = self.room or room

    @property
    def notes(self) -> Sequence[str]:
        """A warning if its file or its script is missing."""
        lost = () if self.room else (f"{self.name} is not next to the project.",)
        return (*super().notes, *lost)


def resources_of(document: ProjectDocument, kind: str) -> Iterator[ProjectSource]:
    """The scripts or the rooms of a project in its order; nothing of another kind."""
    near = () if document.siblings is None else document.siblings.names()
    known = {name.casefold(): name for name in near}
    if kind == ProjectScript.kind:
        for node in _listed(document, "Scripts", "Script"):
            name = node.value("FileName")
            yield ProjectScript(document, name, name, known)
    elif kind == ProjectRoom.kind:
        for node in _listed(document, "Rooms", "UnloadedRoom"):
            number = node.value("Number")
            yield ProjectRoom(document, number, f"room{number}{SOURCE}", known)


def source_names(document: ProjectDocument) -> list[str]:
    """The names of the scripts, headers and scripts of rooms that are next to a project, in its
    order."""
    found = (
        source.file
        for kind in (ProjectScript.kind, ProjectRoom.kind)
        for source in resources_of(document, kind)
    )
    return list(dict.fromkeys(name for name in found if name.lower().endswith((SOURCE, HEADER))))


def room_files(document: ProjectDocument) -> Iterator[PlainFile]:
    """The files of the rooms that are next to a project."""
    for room in resources_of(document, ProjectRoom.kind):
        if isinstance(room, ProjectRoom) and room.room:
            yield PlainFile(room.room, partial(document.near, room.room), origin="room")


def members_of(document: ProjectDocument) -> Iterator[PlainFile]:
    """The rooms, their scripts, and the sprites that they show."""
    for room in resources_of(document, ProjectRoom.kind):
        if isinstance(room, ProjectRoom):
            for name in filter(None, (room.room, room.file)):
                yield PlainFile(name, partial(document.near, name))
    near = () if document.siblings is None else document.siblings.names()
    for name in near:
        if name.casefold() == _SPRITES:
            yield PlainFile(name, partial(document.near, name))


def text_of(document: ProjectDocument, data: bytes) -> str:
    """The text of a script, with its line ends; undone by :func:`bytes_of`."""
    return data.decode(_encoding(document, data))


def bytes_of(document: ProjectDocument, text: str, like: bytes, path: str) -> bytes:
    """A text in the encoding of a script.  Raises PlainFileError for a letter that it lacks."""
    encoding = _encoding(document, like)
    try:
        return text.encode(encoding)
    except UnicodeEncodeError as error:
        place = line_and_column(text, error.start)
        message = f"{text[error.start]!r} is not a letter of {encoding}, in which the script is"
        raise PlainFileError(message, path, "", *place) from None


def _encoding(document: ProjectDocument, data: bytes) -> str:
    """The encoding of a script, which it does not name: that of the game's texts if it is ASCII,
    UTF-8, or a code page that has a letter for each of its bytes."""
    own = document.game.value("Settings/GameTextEncoding").lower()
    asked = UTF_8 if own == UTF_8 else ANSI
    for encoding in (asked, _MARK, UTF_8, ANSI) if data.isascii() else (_MARK, UTF_8, ANSI):
        try:
            if data.decode(encoding).encode(encoding) == data:
                return encoding
        except UnicodeDecodeError:
            continue
    return _ANY


def _listed(document: ProjectDocument, place: str, tag: str) -> Iterator[XmlNode]:
    section = document.game.find(place)
    return iter(()) if section is None else things_in(section, tag)
