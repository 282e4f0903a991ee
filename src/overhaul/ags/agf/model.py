"""``Game.agf``, the file of an editor's project, as far as compiling its scripts needs it.

The file is XML; folders of the project's tree hold items and other folders.  Source: real files of
editors 3.2.1 to 3.6.3, and the editor's ``AGS.Types``.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final
from xml.etree.ElementTree import Element, ParseError, XMLParser

from overhaul.ags.language.compiler import without_collector
from overhaul.ags.text import decode
from overhaul.errors import FormatError

_DECLARED: Final = re.compile(rb"""^[^<]{0,8}<\?xml[^>]{0,200}?encoding=["']([A-Za-z0-9_.:-]+)""")
_FORBIDDEN: Final = (b"<!DOCTYPE", b"<!ENTITY")
_UNPARSED: Final = re.compile(rb"<!--.*?-->|<!\[CDATA\[.*?\]\]>", re.DOTALL)
_DEEPEST: Final = 200
_OLD_EDITOR: Final = "3.2.1"
_INDEX: Final = re.compile("[0-9]{1,9}")
#: The version index since which a line of a dialog that begins with a blank is script.
_BLANKS_SINCE: Final = 3
_BLANKS: Final = re.compile("^[ \\t]+", re.MULTILINE)


@dataclass(slots=True)
class Named:
    """A thing with a script name and a number."""

    name: str
    number: int


@dataclass(slots=True)
class ProjectGui:
    """A GUI: its name, and the class and the name of each control."""

    name: str
    number: int
    controls: list[tuple[str, str]] = field(default_factory=list)


@dataclass(slots=True)
class ProjectDialog:
    """A dialog: its name, its number, its script, and how many options it has."""

    name: str
    number: int
    script: str = ""
    options: int = 0


@dataclass(slots=True)
class GlobalVariable:
    """A global variable of the project; ``size`` of an array, 0 for none, -1 for a dynamic one."""

    name: str
    type: str
    default: str = ""
    size: int = 0


@dataclass(slots=True)
class Project:
    """The parts of a project that its scripts can see.

    All texts are as ``overhaul.ags.text`` has them: the bytes of the author's encoding, read as
    UTF-8 with lone surrogates.
    """

    editor: str = _OLD_EDITOR
    settings: dict[str, str] = field(default_factory=dict)
    cursors: list[Named] = field(default_factory=list)
    fonts: list[Named] = field(default_factory=list)
    characters: list[Named] = field(default_factory=list)
    audio_types: list[Named] = field(default_factory=list)
    audio_clips: list[Named] = field(default_factory=list)
    inventory: list[Named] = field(default_factory=list)
    #: In the order of the tree; others of these lists are in that of their numbers.
    dialogs: list[ProjectDialog] = field(default_factory=list)
    guis: list[ProjectGui] = field(default_factory=list)
    views: list[Named] = field(default_factory=list)
    variables: list[GlobalVariable] = field(default_factory=list)
    #: The files of headers and scripts, in the order of the tree.
    headers: list[str] = field(default_factory=list)
    scripts: list[str] = field(default_factory=list)
    plugins: list[str] = field(default_factory=list)

    def setting(self, name: str, *, default: bool = False) -> bool:
        """A setting that is true or false."""
        text = self.settings.get(name)
        return default if text is None else text == "True"


_CONTROLS: Final = {
    "GUIButton": "Button",
    "GUIInventory": "InvWindow",
    "GUILabel": "Label",
    "GUIListBox": "ListBox",
    "GUISlider": "Slider",
    "GUITextBox": "TextBox",
    "GUITextWindowEdge": "TextWindowEdge",
}


def read_project(data: bytes, *, source: str | None = None) -> Project:
    """The project in the bytes of a ``Game.agf``.  Raises FormatError for what is none."""
    with without_collector():  # it would look at all elements
        return _read(data, source)


def version_index(attributes: Mapping[str, str]) -> int:
    """The number of the project's format, by the attributes of its root; -1 where it has none."""
    text = attributes.get("VersionIndex", "")
    return int(text) if _INDEX.fullmatch(text) else -1


def _read(data: bytes, source: str | None) -> Project:
    root = _parse(data, source)
    declared = _DECLARED.match(data)
    encoding = declared.group(1).decode("ascii") if declared else "utf-8"
    reader = _ElementReader(encoding, version_index(root.attrib))
    game = root.find("Game")
    if root.tag != "AGSEditorDocument" or game is None:
        raise FormatError("not a project: expected AGSEditorDocument with Game", source=source)
    try:
        return reader.project(root, game)
    except FormatError as error:
        error.source = source
        raise


def _parse(data: bytes, source: str | None) -> Element:
    """The root of an XML text."""
    parser = XMLParser()
    try:
        parser.feed(_without_unseen(data, source))
        root = parser.close()
    except (ParseError, LookupError, ValueError) as error:
        raise FormatError(f"broken XML: {error}", source=source) from error
    if not isinstance(root, Element):
        raise FormatError("the XML has no root", source=source)
    return root


def _without_unseen(data: bytes, source: str | None) -> bytes:
    """The XML without most of what scripts can't see: nine tenths of most projects.

    A part with these words in a text or a comment is left as it is.  Raises FormatError for an XML
    with a document type.
    """
    unparsed = b"".join(_unparsed(data, source))
    for first, last in ((b"<Loops>", b"</Loops>"), (b"<Sprites>", b"</Sprites>")):
        if first in unparsed:
            return data
        kept: list[bytes] = []
        at = 0
        end = data.find(last)
        while end >= 0:
            start = data.rfind(first, at, end)
            if start >= 0:  # the innermost of folders in folders
                kept.append(data[at:start])
                at = end + len(last)
            end = data.find(last, end + 1)
        data = b"".join((*kept, data[at:]))
    return b"".join(_seen(data, unparsed))


def _seen(data: bytes, unparsed: bytes) -> Iterator[bytes]:
    """The pieces of an XML that scripts can see; ``unparsed`` are its comments."""
    marks = list(_marks(data))
    sections = sorted(
        (start, end, tag)
        for start, end, tag in _sections(data)
        if bisect_left(marks, start) == bisect_left(marks, end) and b"<%b>" % tag not in unparsed
    )
    at = 0
    for start, end, tag in sections:
        if start < at:  # it stands in another
            continue
        if tag in _PARTLY_SEEN:
            yield data[at:start]
            yield _LEAF.sub(b"", data[start:end])
            at = end
        elif data.count(b"<%b>" % tag, start, end) == 1:
            yield data[at:start]
            at = end
    yield data[at:]


def _marks(data: bytes) -> Iterator[int]:
    """Where ``<!`` stands in an XML."""
    at = data.find(b"!")
    while at >= 0:
        if data[at - 1 : at] == b"<":
            yield at - 1
        at = data.find(b"!", at + 1)


def _unparsed(data: bytes, source: str | None) -> Iterator[bytes]:
    """The comments and the literal sections of an XML.

    Raises FormatError for a document type, also if it is in one of these.
    """
    behind = 0
    for at in _marks(data):
        if data.startswith(_FORBIDDEN, at):
            raise FormatError("expected XML without a document type", source=source)
        match = _UNPARSED.match(data, at) if at >= behind else None
        if match is not None:
            behind = match.end()
            yield match.group()


def _sections(data: bytes) -> Iterator[tuple[int, int, bytes]]:
    """Where the first element of each section begins, and the last one ends, with the tag."""
    starts: dict[bytes, int] = {}
    ends: dict[bytes, int] = {}
    for match in _SECTIONS.finditer(data):
        closing, tag = match.groups()
        if closing:
            ends[tag] = match.end()
        else:
            starts.setdefault(tag, match.start())
    for tag, start in starts.items():
        if start < ends.get(tag, 0):
            yield start, ends[tag], tag


#: Sections that scripts can't see.
_UNSEEN: Final = (b"GlobalMessages", b"Palette", b"TextParser", b"LipSync", b"RuntimeSetup")
#: Sections of resources that few projects have.
_PARTLY_SEEN: Final = (
    b"GUIs", b"Characters", b"InventoryItems", b"AudioClips", b"Cursors", b"Views", b"Rooms",
)  # fmt: skip
_SECTIONS: Final = re.compile(rb"<(/?)(%b)>" % b"|".join((*_UNSEEN, *_PARTLY_SEEN)))
#: An element without elements in it, except the ones :class:`_ElementReader` asks for.
_LEAF: Final = re.compile(
    rb"<(?!(?:AudioClip|Character|Font|GUIMain|ID|Index|InventoryItem|MouseCursor|Name|NormalGUI"
    rb"|ScriptName|TextWindowGUI|View|GUI[A-Z]\w+)[\s/>])(\w+)"
    rb"(?:>[^<]*</\1>| [^<>]*(?:/>|>[^<]*</\1>)|/>)\s*"
)


class _ElementReader:
    """Reads parts of the tree.

    ``encoding`` is that of the texts' bytes, ``index`` the version index of the file.
    """

    def __init__(self, encoding: str, index: int) -> None:
        self.encoding = encoding
        self.index = index

    def project(self, root: Element, game: Element) -> Project:
        """The project."""
        settings = game.find("Settings")
        project = Project(editor=root.get("EditorVersion") or _OLD_EDITOR)
        if settings is not None:
            project.settings = {item.tag: item.text or "" for item in settings}
        project.cursors = self._named(game, "Cursors", "MouseCursor", "Name", "ID")
        project.fonts = self._named(game, "Fonts", "Font", "Name", "ID")
        project.characters = self._named(game, "Characters", "Character", "ScriptName", "ID")
        project.audio_types = self._named(game, "AudioClipTypes", "AudioClipType", "Name", "TypeID")
        project.audio_clips = self._named(game, "AudioClips", "AudioClip", "ScriptName", "Index")
        project.inventory = self._named(game, "InventoryItems", "InventoryItem", "Name", "ID")
        project.views = self._named(game, "Views", "View", "Name", "ID")
        project.dialogs = [self._dialog(item) for item in items(game.find("Dialogs"), "Dialog")]
        project.guis = [
            gui
            for item in items(game.find("GUIs"), "GUIMain")
            if (gui := self._gui(item)) is not None
        ]
        project.variables = [
            self._variable(item) for item in items(game.find("GlobalVariables"), "GlobalVariable")
        ]
        for item in items(game.find("Scripts"), "Script"):
            name = self.text(item, "FileName")
            header = self.text(item, "IsHeader") == "True"
            (project.headers if header else project.scripts).append(name)
        project.plugins = [
            self.text(item, "FileName") for item in items(game.find("Plugins"), "Plugin")
        ]
        for things in (project.inventory, project.guis):
            things.sort(key=_number)
        return project

    def text(self, item: Element, tag: str) -> str:
        """The text of a part of an item; "" if it has none."""
        text = item.findtext(tag) or ""
        if text.isascii():
            return text
        try:
            return decode(text.encode(self.encoding))
        except (UnicodeEncodeError, LookupError) as error:
            raise FormatError(f"{tag} can't be written in {self.encoding}: {text!r}") from error

    def number(self, item: Element, tag: str) -> int:
        """The number in a part of an item; 0 if it has none."""
        text = item.findtext(tag) or "0"
        try:
            return int(text[:20])
        except ValueError as error:
            raise FormatError(f"expected a number in {tag}, got {text[:40]!r}") from error

    def _named(self, game: Element, folder: str, tag: str, name: str, number: str) -> list[Named]:
        """The things of a kind."""
        return [
            Named(self.text(item, name), self.number(item, number))
            for item in items(game.find(folder), tag)
        ]

    def _dialog(self, item: Element) -> ProjectDialog:
        """A dialog."""
        options = item.find("DialogOptions")
        script = self.text(item, "Script")
        if 0 <= self.index < _BLANKS_SINCE:
            script = _BLANKS.sub("", script)
        return ProjectDialog(
            self.text(item, "Name"),
            self.number(item, "ID"),
            script,
            0 if options is None else len(options),
        )

    def _gui(self, item: Element) -> ProjectGui | None:
        """A GUI; None for one of an unknown kind."""
        for tag in ("NormalGUI", "TextWindowGUI"):
            body = item.find(tag)
            if body is not None:
                gui = ProjectGui(self.text(body, "Name"), self.number(body, "ID"))
                controls = item.find("Controls")
                for control in () if controls is None else controls:
                    kind = _CONTROLS.get(control.tag)
                    if kind is not None:
                        gui.controls.append((kind, self.text(control, "Name")))
                return gui
        return None

    def _variable(self, item: Element) -> GlobalVariable:
        """A global variable."""
        size = 0
        kind = item.findtext("ArrayType") or "None"
        if kind != "None":
            size = -1 if kind.startswith("Dynamic") else self.number(item, "ArraySize")
        return GlobalVariable(
            self.text(item, "Name"), self.text(item, "Type"), self.text(item, "DefaultValue"), size
        )


def _number(thing: Named | ProjectDialog | ProjectGui) -> int:
    return thing.number


def items(parent: Element | None, tag: str, depth: int = 0) -> Iterator[Element]:
    """The items with a tag below an element, folders included, in the order of the tree."""
    if parent is None:
        return
    if depth > _DEEPEST:
        raise FormatError(f"the folders of {tag} are nested too deeply")
    for child in parent:
        if child.tag == tag:
            yield child
        elif child.tag not in _LEAVES:
            yield from items(child, tag, depth + 1)


_LEAVES: Final = frozenset({"Interactions", "Properties", "Controls", "DialogOptions", "Loops"})
