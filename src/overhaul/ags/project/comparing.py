"""A compiled game next to its author's project, element by element.

The game is converted to a project of the same editor. Parts that the game does not store, or
that only the game has, are left out of both and listed apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from overhaul.ags.agf.dialogs import DialogConverter
from overhaul.ags.agf.model import Project, ProjectDialog, read_project
from overhaul.ags.documents.game import GameDocument
from overhaul.ags.documents.package import PackageDocument
from overhaul.ags.language import ScriptError
from overhaul.ags.project.converting import project_to_compare
from overhaul.ags.project.document import LISTS, ProjectDocument
from overhaul.ags.project.elements import GROUPS
from overhaul.ags.project.shown import by_owner, usual_attributes
from overhaul.document.protocol import Document
from overhaul.document.xmltext import INDENT, XmlFile, XmlNode

#: Sections that a game has otherwise than a project, or not at all.
_LEFT_OUT: Final = (
    "Sprites", "Rooms", "Scripts", "Translations", "Palette", "DeletedViews",
    "OldInteractionVariables", "LipSync", "GlobalMessages", "Plugins",
)  # fmt: skip
#: What a recovered project has a guess for.
_GUESSED: Final = frozenset(
    (
        ("AudioClip", "SourceFileName"), ("AudioClip", "Index"), ("AudioClipType", "Name"),
        ("AudioClipType", "BackwardsCompatibilityType"), ("Font", "Name"),
        ("Settings", "GameFileName"), ("Settings", "EnforceNewAudio"), ("Settings", "AudioIndexer"),
        ("RuntimeSetup", "TitleText"),
    )
)  # fmt: skip
_NOT_A_LETTER: Final = re.compile(r"[^A-Za-z0-9]")
_COMMENT: Final = re.compile(r'("(?:[^"\\]|\\.)*")|//.*')
_BLANK: Final = re.compile(r'\s+(?=(?:[^"]*"[^"]*")*[^"]*$)')
_INHERIT: Final = "Inherit"


def compared(
    project: ProjectDocument, other: Document
) -> tuple[ProjectDocument, ProjectDocument, list[str]] | None:
    """The project and a game as projects of what both can have, and what only one has, in words;
    None for a document that is not a game.

    Raises FormatError for a game that has no project of this form.
    """
    if not isinstance(other, PackageDocument | GameDocument):
        return None
    theirs = project_to_compare(other)
    apart = _Apart()
    ours = _copy(project.file)
    _same_dialogs(read_project(project.to_bytes()), ours.root, theirs.root)
    for file in (ours, theirs):
        game = file.root.find("Game")
        if game is not None:
            game.children = [child for child in game.children if child.tag not in _LEFT_OUT]
            _in_one_form(game)
    apart.take(ours.root, theirs.root)
    made = _document(ours, project), _document(theirs, other)
    return (*made, apart.words())


def _document(file: XmlFile, like: Document) -> ProjectDocument:
    document = ProjectDocument(like.source)
    document.is_whole = False
    file.root.attributes = {}
    file.comments, file.encoding, file.newline = [], "utf-8", "\n"
    file.declaration, file.indent = "", INDENT
    document.take(file)
    document.file.root.children = [child for child in file.root.children if child.tag == "Game"]
    return document


def _copy(file: XmlFile) -> XmlFile:
    def copied(node: XmlNode) -> XmlNode:
        return replace(
            node,
            attributes=dict(node.attributes),
            children=[copied(child) for child in node.children],
        )

    return replace(file, root=copied(file.root))


# --- one form -----------------------------------------------------------------------------------


def _in_one_form(game: XmlNode) -> None:
    """Let the same be said by the same elements: of fields that stand for each other, one."""
    for name, tag, _ in LISTS:
        section = game.find(name)
        if section is None:
            continue
        if tag == "AudioClip":
            _inherit(section, {})
        things = sorted(_things(section, tag), key=_number)
        section.children, section.text = things, ""
        for node in things:
            _thing(node)
    for node in game.walk():
        if node.tag == "GlobalVariable":
            _variable(node)
        elif node.tag == "Script":
            node.text = node.text.replace("\r\n", "\n")
        for child in node.children:
            if not child.children and "Index" not in child.attributes:
                child.attributes = usual_attributes(node.tag, child.tag, child.text)


def _thing(node: XmlNode) -> None:
    fields = {child.tag: child for child in node.children}
    if node.tag == "Character":
        uniform = node.value("UniformMovementSpeed") == "True"
        unused = {"MovementSpeedX", "MovementSpeedY"} if uniform else {"MovementSpeed"}
        node.children = [child for child in node.children if child.tag not in unused]
    elif node.tag == "MouseCursor" and "Name" in fields:
        fields["Name"].text = _NOT_A_LETTER.sub("", fields["Name"].text)
        if node.value("Animate") == "False":  # these are not used
            still = ("View", "AnimateOnlyOnHotspots", "AnimateOnlyWhenMoving")
            node.children = [child for child in node.children if child.tag not in still]
    elif node.tag == "Font" and {"PointSize", "SizeMultiplier"} <= fields.keys():
        size, times = node.value("PointSize"), node.value("SizeMultiplier")
        if size.isdecimal() and times.isdecimal() and int(size):
            fields["PointSize"].text, fields["SizeMultiplier"].text = (
                str(int(size) * max(1, int(times))),
                "1",
            )


def _variable(node: XmlNode) -> None:
    """A global variable: true and false are numbers, and 0 is the value of one without."""
    fields = {child.tag: child for child in node.children}
    kind, value = fields.get("Type"), fields.get("DefaultValue")
    if kind is None or value is None:
        return
    kind.text = "int" if kind.text == "bool" else kind.text
    if kind.text in ("int", "short", "char", "float"):
        value.text = {"true": "1", "false": "0", "": "0"}.get(value.text.lower(), value.text)
        value.text = value.text.removesuffix(".0") if kind.text == "float" else value.text


def _same_dialogs(project: Project, ours: XmlNode, theirs: XmlNode) -> None:
    """Give dialogs that make the same script the same lines."""
    others = {_number(node): node for node in _things(theirs, "Dialog")}
    for node in _things(ours, "Dialog"):
        other = others.get(_number(node))
        one, two = (
            None if element is None else element.find("Script") for element in (node, other)
        )
        number = _number(node)
        if one is None or two is None or number >= len(project.dialogs):
            continue
        dialog = project.dialogs[number]
        scripts = [_script(project, replace(dialog, script=element.text)) for element in (one, two)]
        if scripts[0] is not None and scripts[0] == scripts[1]:
            two.text = one.text
        else:
            one.text, two.text = ("\n".join(_plain_lines(element.text)) for element in (one, two))


def _plain_lines(lines: str) -> Iterator[str]:
    """The lines of a dialog without what compiling loses: comments and empty lines."""
    for line in lines.splitlines():
        is_script = line[:1] in (" ", "\t")
        plain = line.strip() if is_script else line.partition("//")[0].strip()
        if plain and not plain.startswith("//"):
            yield f"  {plain}" if is_script else plain


def _script(project: Project, dialog: ProjectDialog) -> list[str] | None:
    """The steps of a dialog; None where its lines are wrong."""
    try:
        lines = DialogConverter(project, dialog).lines()
    except ScriptError:
        return None
    bare = (_BLANK.sub("", _COMMENT.sub(r"\1", line)) for line in lines)
    return [line for line in bare if line]


def _things(section: XmlNode, tag: str) -> Iterator[XmlNode]:
    for child in section.children:
        if child.tag == tag and child.children:
            yield child
        else:
            yield from _things(child, tag)


def _number(node: XmlNode) -> int:
    inner = node.children[0] if node.tag == "GUIMain" and node.children else node
    text = inner.value("ID") or inner.value("Index")
    return int(text) if text.isdecimal() else 0


def _inherit(section: XmlNode, above: dict[str, str]) -> None:
    """Give sounds what their folders say."""
    own = dict(above)
    for child in section.children:
        if child.tag == "AudioClipFolder" and child.find("AudioClips") is None:
            for leaf in child.children:
                if leaf.text and leaf.text != _INHERIT:
                    own[leaf.tag] = leaf.text
    for child in section.children:
        if child.tag == "AudioClip":
            for leaf in child.children:
                if leaf.text in (_INHERIT, "-1") or (leaf.tag == "Type" and leaf.text == "0"):
                    name = {"BundlingType": "DefaultBundlingType", "Type": "DefaultType"}.get(
                        leaf.tag, leaf.tag
                    )
                    leaf.text = own.get(name, leaf.text)
        elif child.children:
            _inherit(child, own)


# --- what only one has ----------------------------------------------------------------------------


class _Apart:
    """Leaves elements out that only one of two projects can have, and keeps their names."""

    def __init__(self) -> None:
        self._not_stored: set[tuple[str, str]] = set()
        self._only_game: set[tuple[str, str]] = set()
        self._only_project: set[tuple[str, str]] = set()

    def take(self, ours: XmlNode, theirs: XmlNode) -> None:
        """Leave out what is assumed in one, and elements whose class has them in one only."""
        pairs = [(node.tag, child) for node in theirs.walk() for child in node.children]
        self._not_stored = {(owner, child.tag) for owner, child in pairs if child.assumed}
        self._not_stored -= {(owner, child.tag) for owner, child in pairs if not child.assumed}
        self._not_stored |= _GUESSED & {(owner, child.tag) for owner, child in pairs}
        classes = [_classes(root) for root in (ours, theirs)]
        left: set[tuple[str, str]] = set(self._not_stored)
        for owner in classes[0].keys() & classes[1].keys():
            for name in classes[0][owner] - classes[1][owner]:
                self._only_project.add((owner, name))
            for name in classes[1][owner] - classes[0][owner]:
                self._only_game.add((owner, name))
        left |= self._only_game | self._only_project
        for root in (ours, theirs):
            for node in root.walk():
                node.children = [
                    child for child in node.children if (node.tag, child.tag) not in left
                ]

    def words(self) -> list[str]:
        """The parts that were left out, in sentences."""
        lists = (
            ("a compiled game does not store", self._not_stored),
            ("only the project has", self._only_project - self._not_stored),
            ("only the game has", self._only_game - self._not_stored),
        )
        return [
            f"{words} {owner}: {', '.join(names)}"
            for words, pairs in lists
            for owner, names in by_owner(pairs).items()
        ]


def _classes(root: XmlNode) -> dict[str, set[str]]:
    """The elements of values that objects of each class have."""
    made: dict[str, set[str]] = {}
    for node in root.walk():
        if node.children:
            fields = {child.tag for child in node.children} - GROUPS
            made.setdefault(node.tag, set()).update(fields)
    return made
