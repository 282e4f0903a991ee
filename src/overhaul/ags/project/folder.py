"""``Game.agf`` in a folder, in the shape of a compiled game's tree: a file for each thing.

``characters/cEgo.json`` is a character, ``dialogs/dBarman.ads`` the lines of a dialog, game.json
has the settings.  ``project.xml`` is the rest: the folders of the editor's tree with a mark in the
place of each thing, rooms, scripts, sprites, colours.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Final, NamedTuple

from overhaul.ags.project import references, sources
from overhaul.ags.project.document import LISTS, ProjectDocument
from overhaul.ags.project.shown import (
    Json,
    NotShown,
    leaf,
    listed,
    read,
    read_leaf,
    read_list,
    shown,
)
from overhaul.ags.shapes import key_of
from overhaul.document.folder_format import FolderFormat
from overhaul.document.format_parts import FileMeaning
from overhaul.document.names import FileNames
from overhaul.document.overlaid import overlaid
from overhaul.document.plainfiles import Change, Folder, PlainFile, UnpackOptions
from overhaul.document.protocol import Resource, Siblings
from overhaul.document.registry import load
from overhaul.document.xmltext import XmlFile, XmlNode, read_xml, same_elements, write_xml
from overhaul.errors import FormatError, PlainFileError, WorkspaceError
from overhaul.findings import Findings
from overhaul.folder.json_fields import (
    at_key,
    fitted,
    in_file,
    indented,
    json_bytes,
    read_object,
)

REST: Final = "project.xml"
_ENDING: Final = ".json"
_LINES: Final = ".ads"
_ID: Final = "ID"
_SCRIPT: Final = "Script"
#: The folders of things, and what `ls` calls one, by the element of the list.
_FOLDERS: Final = {
    "Characters": ("characters", "character"),
    "InventoryItems": ("inventory", "inventory"),
    "Dialogs": ("dialogs", "dialog"),
    "GUIs": ("guis", "gui"),
    "Views": ("views", "view"),
    "Cursors": ("cursors", "cursor"),
    "Fonts": ("fonts", "font"),
    "AudioClips": ("audio_clips", "audio clip"),
}  # fmt: skip
#: Sections that are objects, and lists with the class of what is in them, by their files.
_OBJECTS: Final = {"Settings": "game.json", "RuntimeSetup": "game.json"}
_VALUES: Final = {"PlayerCharacter": "game.json"}
_ROWS: Final = {
    "PropertyDefinitions": ("CustomPropertySchemaItem", "properties.json"),
    "Plugins": ("Plugin", "plugins.json"),
    "AudioClipTypes": ("AudioClipType", "audio.json"),
    "GlobalVariables/Variables": ("GlobalVariable", "variables.json"),
    "TextParser/Words": ("TextParserWord", "texts.json"),
}
#: The files next to a project that are edited with it, and what reads a room.
_NEAR: Final = (sources.SOURCE, sources.HEADER, sources.ROOM)
_ROOM: Final = "overhaul.ags.room.room:Room"
#: Compiling scripts, which is loaded when they are edited.
_MISTAKES: Final = "overhaul.ags.project.compiled_again:new_mistakes"
_SECTIONS: Final = ("game.json", "properties.json", "plugins.json", "audio.json", "variables.json",
                    "texts.json")  # fmt: skip


class Thing(NamedTuple):
    """A thing of the project: its list, its element, the path of its file, and its JSON, which for
    a dialog lacks its lines."""

    listed: str
    node: XmlNode
    path: str
    shown: Json
    lines: str | None


# --- taking a project apart ---------------------------------------------------------------------


def things_of(document: ProjectDocument) -> Iterator[Thing]:
    """The things that have files, in the order of their lists; others stay in project.xml."""
    for name, tag, key in LISTS:
        nodes = list(document.things(name, tag))
        numbers = [_number(node) for node in nodes]
        names = FileNames()
        for number, node in sorted(zip(numbers, nodes, strict=True), key=lambda pair: pair[0]):
            if number < 0 or numbers.count(number) > 1:
                continue
            try:
                json, lines = _shown(node, document.file.newline)
            except NotShown:
                continue
            title = str(json.get(key) or "") if key else ""
            path = f"{_FOLDERS[name][0]}/{names(title or str(number))}{_ENDING}"
            yield Thing(name, node, path, json, lines)


def _number(node: XmlNode) -> int:
    """The number of a thing; -1 for one without."""
    inner = node.children[0] if node.tag == "GUIMain" and node.children else node
    text = inner.value(_ID, inner.value("Index") if node.tag == "AudioClip" else "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else -1


def _shown(node: XmlNode, newline: str) -> tuple[Json, str | None]:
    """The JSON of a thing, and the lines of a dialog.  Raises NotShown."""
    script = next(node.all(_SCRIPT), None) if node.tag == "Dialog" else None
    if script is None:
        made, lines, again = shown(node), None, node
        if read(node.tag, made) != again:
            raise NotShown
        return made, None
    rest = replace(node, children=[child for child in node.children if child is not script])
    made, lines = shown(rest), script.text.replace(newline, "\n")
    if _with_lines(read(node.tag, made), lines, newline) != node:
        raise NotShown
    return made, lines


def _with_lines(node: XmlNode, lines: str, newline: str) -> XmlNode:
    """A dialog with its lines, which stand in front of its options."""
    script = XmlNode(_SCRIPT, lines.replace("\r\n", "\n").replace("\n", newline), cdata=True)
    at = next((n for n, child in enumerate(node.children) if child.tag == "DialogOptions"), None)
    children = [*node.children]
    children.insert(len(children) if at is None else at, script)
    return replace(node, children=children)


def _sections(game: XmlNode) -> dict[str, Json]:
    """The JSON files of sections; those that JSON does not show stay in project.xml."""
    made: dict[str, Json] = {}
    for tag, path in (*_OBJECTS.items(), *_VALUES.items()):
        node = game.find(tag)
        try:
            if node is not None and tag in _VALUES:
                value = leaf(node, "Game")
                if read_leaf(tag, value, "Game") == node:
                    made.setdefault(path, {})[tag] = value
            elif node is not None and node.children:
                value = shown(node)
                if read(tag, value) == node:
                    made.setdefault(path, {})[tag] = value
        except NotShown:
            continue
    for place, (item, path) in _ROWS.items():
        node = game.find(place)
        try:
            if node is not None:
                rows = listed(node, item)
                if read_list(node.tag, item, rows) == node:
                    made.setdefault(path, {})[place.partition("/")[0]] = rows
        except NotShown:
            continue
    return made


def container_of(section: XmlNode) -> XmlNode:
    """The element of a list that things stand in where no folder of the editor's tree has them."""
    first = section.children[0] if section.children else section
    found = next(first.all(section.tag), None) if first.tag.endswith("Folder") else None
    return section if found is None else found


def _without_marks(document: ProjectDocument, things: Sequence[Thing]) -> set[int]:
    """The things that stand where they are put without a mark: in one list, in their order."""
    by_list: dict[str, list[XmlNode]] = {}
    for thing in things:
        by_list.setdefault(thing.listed, []).append(thing.node)
    made: set[int] = set()
    for name, nodes in by_list.items():
        section = document.game.find(name)
        ids = [id(node) for node in sorted(nodes, key=_number)]
        if section is not None and ids == [id(node) for node in container_of(section).children]:
            made.update(ids)
    return made


def _rest(
    document: ProjectDocument, things: Sequence[Thing], sections: Mapping[str, Json]
) -> bytes:
    """project.xml: the file with marks in the place of what has files of its own."""
    marked = {id(thing.node): XmlNode(thing.node.tag, "", {_ID: str(_number(thing.node))})
              for thing in things}  # fmt: skip
    plain = _without_marks(document, things)
    keys = {key for section in sections.values() for key in section}
    emptied = {
        id(node)
        for place in (*_OBJECTS, *_VALUES, *_ROWS)
        if place.partition("/")[0] in keys and (node := document.game.find(place)) is not None
    }

    def without(node: XmlNode) -> XmlNode:
        if id(node) in marked:
            return marked[id(node)]
        if id(node) in emptied:
            return XmlNode(node.tag)
        if not node.children:
            return node
        left = [without(child) for child in node.children if id(child) not in plain]
        return replace(node, children=left)

    return write_xml(replace(document.file, root=without(document.file.root)))


class ProjectMeaning(FileMeaning[ProjectDocument]):
    """The meaning of values in the files of a project."""

    def counter(self, path: str, key: str) -> bool:
        """Only the number that the next sound gets just grows."""
        return key == "AudioIndexer"


MEANING: Final = ProjectMeaning()


class ProjectFormat(FolderFormat[ProjectDocument]):
    """An editor project as a folder."""

    def settings(self, document: ProjectDocument) -> dict[str, object]:
        """Nothing: the file says all of it."""
        return {}

    def empty(self, settings: Mapping[str, object]) -> ProjectDocument:
        """A project without anything."""
        document = ProjectDocument()
        document.version = str(settings.get("version", ""))
        return document

    def tree(self, document: ProjectDocument) -> Iterable[Resource]:
        """The things of the project, its rooms and scripts."""
        yield Resource("game", document.game.value("Settings/GameName"), "game.json")
        for thing in things_of(document):
            kind = _FOLDERS[thing.listed][1]
            name = thing.path.rpartition("/")[2].removesuffix(_ENDING)
            called = thing.shown.get("Name") or thing.shown.get("ScriptName") or name
            yield Resource(kind, str(called), thing.path)
        for kind in ("room", "script"):
            for source in sources.resources_of(document, kind):
                file = source.room if isinstance(source, sources.ProjectRoom) else source.file
                yield Resource(kind, source.name, file or source.file or REST)

    def plain_files(self, document: ProjectDocument, options: UnpackOptions) -> Iterator[PlainFile]:
        """The files of the unpacked project."""
        things = list(things_of(document))
        sections = _sections(document.game)
        for path in _SECTIONS:
            if path in sections:
                yield _json_file(path, sections[path], "settings")
        for thing in things:
            yield _json_file(thing.path, thing.shown, thing.node.tag)
            if thing.lines is not None:
                yield _lines_file(thing.path.removesuffix(_ENDING) + _LINES, thing.lines)
        if document.is_whole:
            yield PlainFile(REST, lambda: _rest(document, things, sections), origin="project")
        if options.near:
            for name in sources.source_names(document):
                yield PlainFile(name, partial(_source, document, name), origin="script")
            yield from sources.room_files(document)

    def siblings_of(self, document: ProjectDocument, built: Siblings) -> Siblings:
        """The files next to the project, as they are edited."""
        return overlaid(document.companions(), document.siblings)

    def apply(
        self, document: ProjectDocument, folder: Folder, changes: Mapping[str, Change]
    ) -> Findings:
        """Make the project that the files say."""
        fresh = not document.game.children
        if REST not in folder:
            raise PlainFileError("it is missing", REST)
        try:
            file = read_xml(folder.read(REST), source=REST)
        except FormatError as error:
            raise WorkspaceError(str(error)) from error
        game = file.root.find("Game")
        if game is None:
            raise PlainFileError("expected a Game in the root", REST)
        kept = {} if fresh else {thing.path: thing for thing in things_of(document)}
        before = None if fresh else list(references.in_project(document))
        was, root = b"" if fresh else document.to_bytes(), document.file.root
        game_before = document.game
        putting = _Putting(file, folder, changes, kept)
        putting.put(game)
        with in_file(REST):
            document.take(file)
        document.size = 0
        if same_elements(document.file.root, root):
            document.stays()
        edited = _edit_near(document, folder, changes)
        found = references.check(before, references.in_project(document), putting.place)
        if fresh or document.siblings is None:
            return found
        mistakes: Findings = load(_MISTAKES)(document, (was, game_before), edited)
        lines = putting.lines_of_dialogs(document)
        return Findings(
            [*found, *(each.replaced(path=lines.get(each.path, each.path)) for each in mistakes)]
        )

    @property
    def meaning(self) -> ProjectMeaning:
        """The numbers that only grow."""
        return MEANING


FORMAT: Final = ProjectFormat()


def _json_file(path: str, value: Json, origin: str) -> PlainFile:
    return PlainFile(path, lambda: json_bytes(value, _short), origin=origin)


def _source(document: ProjectDocument, name: str) -> bytes:
    """A script as a text in UTF-8."""
    return sources.text_of(document, document.near(name)).encode()


def _edit_near(
    document: ProjectDocument, folder: Folder, changes: Mapping[str, Change]
) -> list[str]:
    """Change the contents of scripts and rooms next to the project, and return their names.

    Raises PlainFileError, and FormatError for bytes that are not a room.
    """
    scripts = sources.source_names(document)
    rooms = [file.path for file in sources.room_files(document)]
    edited = []
    for path, change in changes.items():
        if "/" in path or not path.lower().endswith(_NEAR):
            continue
        if path not in (*scripts, *rooms) or change == "removed":
            message = f"it can't be {change} alone: {REST} lists the scripts and rooms"
            raise PlainFileError(message, path)
        data = folder.read(path)
        if path in rooms:
            load(_ROOM).read(data, source=path)
        else:
            data = sources.bytes_of(document, _text(folder, path), document.near(path), path)
        document.edited[path] = data
        edited.append(path)
    return edited


def _text(folder: Folder, path: str) -> str:
    try:
        return folder.read(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise PlainFileError(f"it is not UTF-8: {error}", path) from None


def _short(value: object, indent: str, used: int) -> str | None:
    return indented(value, indent, used) or (fitted(value, indent, used) if indent else None)


def _lines_file(path: str, lines: str) -> PlainFile:
    return PlainFile(path, lambda: lines.encode(), origin="dialog")


# --- putting it together ------------------------------------------------------------------------


def _section(place: str, value: object) -> XmlNode:
    """The element of a section."""
    if place in _OBJECTS:
        return read(place, value)
    if place in _VALUES:
        return read_leaf(place, value, "Game")
    return read_list(place.rpartition("/")[2], _ROWS[place][0], value)


class _Putting:
    """Puts things and sections in the places of their marks."""

    def __init__(
        self,
        file: XmlFile,
        folder: Folder,
        changes: Mapping[str, Change],
        kept: Mapping[str, Thing],
    ) -> None:
        self.file = file
        self.folder = folder
        self.changes = changes
        self.kept = kept
        #: The files of things, by the elements made of them.
        self._paths: dict[int, str] = {}

    def place(self, finding: references.DeadReference) -> tuple[str, str]:
        """The file with what a finding is about, and the key in it."""
        path = _VALUES.get(finding.key, REST)
        if finding.thing is not None:
            path = self._paths.get(id(finding.thing), REST)
        if path == REST:
            return path, finding.key
        shown = read_object(self.folder.read(path), path)
        return path, key_of(references.steps_to(shown, finding.key, finding.value))

    def lines_of_dialogs(self, document: ProjectDocument) -> dict[str, str]:
        """The files with the lines of dialogs, by the names that their mistakes have."""
        dialogs = document.things("Dialogs", "Dialog")
        paths = {f"Dialog {_number(node)}": self._paths.get(id(node)) for node in dialogs}
        return {name: path.removesuffix(_ENDING) + _LINES for name, path in paths.items() if path}

    def put(self, game: XmlNode) -> None:
        """Put all of them into the element of the game.  Raises WorkspaceError."""
        self._sections(game)
        for name, tag, _ in LISTS:
            section = game.find(name)
            files = self._files(name, tag)
            if section is None:
                if files:
                    raise PlainFileError(f"it has no {name}, but there is {files[0][0]}", REST)
                continue
            self._list(section, tag, files)

    def _sections(self, game: XmlNode) -> None:
        shown = {
            path: read_object(self.folder.read(path), path)
            for path in _SECTIONS
            if path in self.folder
        }
        known = {**_OBJECTS, **_VALUES, **{place: path for place, (_, path) in _ROWS.items()}}
        for place, path in known.items():
            key = place.partition("/")[0]
            if key not in shown.get(path, {}):
                continue
            node = game.find(place)
            if node is None:
                raise PlainFileError(f"it has no {place}, which {path} is of", REST)
            with in_file(path), at_key(key):
                made = _section(place, shown[path].pop(key))
            node.children, node.text, node.attributes = made.children, made.text, made.attributes
        for path, left in shown.items():
            if left:
                raise PlainFileError(f"unknown field {min(left)!r}", path, min(left))

    # -- things ------------------------------------------------------------------------------

    def _files(self, name: str, tag: str) -> list[tuple[str, XmlNode]]:
        """The things that have files, with their elements."""
        prefix = f"{_FOLDERS[name][0]}/"
        made = []
        lines = set()
        for path in self.folder.list():
            if not path.startswith(prefix) or path.count("/") != 1:
                continue
            if path.endswith(_LINES) and name == "Dialogs":
                lines.add(path)
            elif path.endswith(_ENDING):
                made.append((path, self._node(path, tag)))
                self._paths[id(made[-1][1])] = path
        own = {path.removesuffix(_ENDING) + _LINES for path, _ in made}
        if lines - own:
            path = min(lines - own)
            raise PlainFileError(f"there is no {path.removesuffix(_LINES)}{_ENDING}", path)
        return made

    def _node(self, path: str, tag: str) -> XmlNode:
        lines = path.removesuffix(_ENDING) + _LINES
        if path in self.kept and path not in self.changes and lines not in self.changes:
            return self.kept[path].node
        with in_file(path):
            node = read(tag, read_object(self.folder.read(path), path))
            if tag == "Dialog":
                if lines not in self.folder:
                    raise PlainFileError("it is missing: its dialog would have no lines", lines)
                node = _with_lines(node, _text(self.folder, lines), self.file.newline)
        return node

    def _list(self, section: XmlNode, tag: str, files: list[tuple[str, XmlNode]]) -> None:
        """Put things in the places of their marks; those without one come last.  Raises
        WorkspaceError where two have a number, or one in between is gone."""
        by_number: dict[int, tuple[str, XmlNode]] = {}
        without: list[tuple[str, XmlNode]] = []
        for path, node in files:
            number = _number(node)
            if number < 0:
                without.append((path, node))
                continue
            if number in by_number:
                with in_file(path), at_key(_ID):
                    raise FormatError(f"{number} is the ID of {by_number[number][0]} too")
            by_number[number] = path, node
        if without:
            with in_file(without[0][0]), at_key(_ID):
                raise FormatError("expected the number of the thing")
        before = {_number(thing.node) for thing in self.kept.values() if thing.node.tag == tag}
        if tag != "AudioClip":
            self._refuse_gaps(before, by_number)
        rest = dict(by_number)
        self._resolve(section, tag, rest)
        if rest:
            container_of(section).children += [node for _, (_, node) in sorted(rest.items())]

    @staticmethod
    def _refuse_gaps(before: set[int], now: Mapping[int, tuple[str, XmlNode]]) -> None:
        """Raise WorkspaceError for a thing that is gone, with things of higher numbers there, which
        would have other numbers in the game."""
        gone = before - now.keys()
        if gone and now and max(now) > min(gone):
            path = now[max(now)][0]
            with in_file(path), at_key(_ID):
                raise FormatError(
                    f"got {max(now)}, but no file next to it has the ID {min(gone)}: things are "
                    "known by their numbers, so that one in between can't be removed"
                )
        for number in sorted(now.keys() - before) if before else ():
            if number - 1 not in now:
                with in_file(now[number][0]), at_key(_ID):
                    raise FormatError(
                        f"got {number}, but no file next to it has the ID {number - 1}"
                    )

    def _resolve(self, node: XmlNode, tag: str, left: dict[int, tuple[str, XmlNode]]) -> None:
        """Replace the marks in an element by things, which are taken out of ``left``."""
        children = []
        for child in node.children:
            if child.tag == tag and set(child.attributes) == {_ID} and not child.children:
                given = child.attributes[_ID]
                number = int(given) if given.isascii() and given.isdecimal() else -1
                if number in left:
                    children.append(left.pop(number)[1])
                continue
            self._resolve(child, tag, left)
            children.append(child)
        node.children = children
