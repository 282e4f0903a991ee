"""``Game.agf`` as a document: the project of an author, or one that was made of a game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, Self

from overhaul.document.base import BaseDocument
from overhaul.document.protocol import Buffer, Coverage, Document, Member, Overlaid, Siblings
from overhaul.document.registry import Probe, load
from overhaul.document.views import ResourceView
from overhaul.document.xmltext import XmlFile, XmlNode, read_xml, write_xml
from overhaul.errors import FormatError

ROOT: Final = "AGSEditorDocument"
_HEAD: Final = 2000
#: The lists of things: the element, the class of its objects, and the element with their name.
LISTS: Final = (
    ("Characters", "Character", "ScriptName"),
    ("InventoryItems", "InventoryItem", "Name"),
    ("Dialogs", "Dialog", "Name"),
    ("GUIs", "GUIMain", "Name"),
    ("Views", "View", "Name"),
    ("Cursors", "MouseCursor", "Name"),
    ("Fonts", "Font", ""),
    ("AudioClips", "AudioClip", "ScriptName"),
)


def is_project(probe: Probe) -> bool:
    """Whether a file is the project of an editor: XML with its root."""
    head = probe.head[:_HEAD].lstrip(b"\xef\xbb\xbf")
    return head[:1] == b"<" and b"<" + ROOT.encode() in head


class ProjectDocument(BaseDocument):
    """The project of a game of Adventure Game Studio 3.2 and later (``Game.agf``).

    ``version`` is the editor's.
    """

    kind = "ags-project"
    #: The rooms are members, and files next to it.
    members_are_near: bool = True

    def __init__(self, source: str | None = None) -> None:
        super().__init__(source)
        self.file: XmlFile = XmlFile(XmlNode(ROOT, children=[XmlNode("Game")]), has_mark=False)
        self.size: int = 0
        #: Whether it has all that a project has; else it is only there to be compared.
        self.is_whole: bool = True
        #: The files next to it: its scripts and rooms.
        self.siblings: Siblings | None = None
        #: The scripts and rooms that were edited, by their names.
        self.edited: dict[str, bytes] = {}
        #: The bytes that it was read from, and bytes to write whatever its elements are.
        self._read = self._stored = b""

    @classmethod
    def from_bytes(
        cls,
        data: Buffer,
        *,
        source: str | None = None,
        assume_version: str | None = None,
        strict: bool = False,
        siblings: Siblings | None = None,
    ) -> Self:
        """Read a project.  Raises FormatError for XML that is broken, or of something else."""
        document = cls(source)
        document._read = bytes(data)
        document.take(read_xml(document._read, source=source))
        document.size = len(data)
        document.siblings = siblings
        return document

    def take(self, file: XmlFile) -> None:
        """Take the elements of a file. Raises FormatError if it is not a project."""
        if file.root.tag != ROOT or file.root.find("Game") is None:
            raise FormatError(f"not a project: expected {ROOT} with Game", source=self.source)
        self.file, self._stored = file, b""
        self.version: str = file.root.attributes.get("EditorVersion", "")

    @property
    def game(self) -> XmlNode:
        """The element of the game."""
        found = self.file.root.find("Game")
        assert found is not None
        return found

    def things(self, listed: str, tag: str) -> Iterator[XmlNode]:
        """The things of a list in the order of the editor's tree, those in folders too."""
        section = self.game.find(listed)
        if section is not None:
            yield from things_in(section, tag)

    def info(self) -> dict[str, object]:
        """The name of the game, its editor, and how many things it has."""
        facts: dict[str, object] = {
            "kind": self.kind,
            "name": self.game.value("Settings/GameName"),
            "compiled_with": self.version,
            "version_index": self.file.root.attributes.get("VersionIndex", ""),
        }
        for listed, tag, _ in LISTS:
            facts[_in_words(listed)] = sum(1 for _ in self.things(listed, tag))
        rooms = self.game.find("Rooms")
        scripts = self.game.find("Scripts")
        facts["rooms"] = 0 if rooms is None else sum(1 for _ in things_in(rooms, "UnloadedRoom"))
        facts["scripts"] = (
            0
            if scripts is None
            else sum(1 for node in things_in(scripts, "Script") if node.value("IsHeader") != "True")
        )
        facts["encoding"] = self.file.encoding
        return facts

    def resources(self, kind: str) -> Iterable[ResourceView]:
        """The scripts and the rooms, which are files next to the project."""
        made: Iterable[ResourceView] = load("overhaul.ags.project.sources:resources_of")(self, kind)
        return made

    def members(self) -> Iterable[Member]:
        """The rooms, their scripts, and the sprites that they show: files next to the project."""
        made: Iterable[Member] = load("overhaul.ags.project.sources:members_of")(self)
        return made

    def near(self, name: str) -> bytes:
        """The bytes of a file next to it, as they are edited.  Raises FileNotFoundError."""
        if name in self.edited:
            return self.edited[name]
        if self.siblings is None:
            raise FileNotFoundError(2, "not a file next to the project", name)
        return bytes(self.siblings.read(name))

    def companions(self) -> Mapping[str, bytes]:
        """The scripts and rooms that are not as on the disk, by name."""
        below = self.siblings.changed if isinstance(self.siblings, Overlaid) else {}
        return {**below, **self.edited}

    def stays(self) -> None:
        """Let it be written as it was read, in whatever form: its elements are the same."""
        self._stored = self._read

    def to_bytes(self) -> bytes:
        """The project as the editor writes it."""
        return self._stored or write_xml(self.file)

    def coverage(self) -> Coverage:
        """All of it is understood."""
        return Coverage(self.size or len(self.to_bytes()))

    def counterpart(self, other: Document) -> tuple[Document, Document, list[str]] | None:
        """Documents to compare in the place of it and of a compiled game, and what only one of
        them can have; None for a document that is not a game."""
        compared: tuple[Document, Document, list[str]] | None
        compared = load("overhaul.ags.project.comparing:compared")(self, other)
        return compared


def things_in(node: XmlNode, tag: str) -> Iterator[XmlNode]:
    """The elements of a class in an element and in the folders in it, in their order."""
    for child in node.children:
        if child.tag == tag and not (tag == "AudioClip" and not child.children):
            yield child
        elif child.children:
            yield from things_in(child, tag)


def _in_words(listed: str) -> str:
    """The name of a list in ``info``."""
    return {"InventoryItems": "inventory", "AudioClips": "audio_clips"}.get(listed, listed.lower())
