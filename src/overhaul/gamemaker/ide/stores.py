"""The fields of a resource in its file: values of JSON, or elements and attributes of XML.

Steps lead to a field.  In JSON they are keys and numbers of elements; in XML they are tags (the
first child of that tag), numbers of children, and ``@name`` for an attribute.  Each edit makes
another file, which the project keeps until it is saved.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Final, Protocol

from overhaul.document.xmltext import XmlNode
from overhaul.errors import EncodeError, FormatError
from overhaul.gamemaker.ide.gmx import LISTS, ROWS, GmxFile
from overhaul.gamemaker.ide.texts import JsonFile
from overhaul.gamemaker.ide.values import Json, Steps


class Missing(Enum):
    """Stands for a field that a file does not have."""

    MISSING = "missing"


MISSING: Final = Missing.MISSING


class Texts(Protocol):
    """Where files are read and kept: a project."""

    def json_file(self, path: str) -> JsonFile: ...
    def gmx_file(self, path: str) -> GmxFile: ...
    def put(self, path: str, file: JsonFile | GmxFile) -> None: ...


class Store(Protocol):
    """A file of a resource: ``letter`` is the release that wrote it (``X`` for Studio 1)."""

    path: str

    @property
    def letter(self) -> str: ...

    def get(self, steps: Steps) -> Json | Missing:
        """The value that steps lead to."""

    def put(self, steps: Steps, value: Json) -> None:
        """Set a value; one that is not there is added where the release has it."""

    def insert(self, steps: Steps, value: Json | XmlNode) -> None:
        """Put an element into a list, before that of the number in the last step."""

    def remove(self, steps: Steps) -> None:
        """Take out an element of a list."""

    def count(self, steps: Steps) -> int:
        """How many elements a list has."""


class JsonStore:
    """A file in GameMaker's JSON."""

    def __init__(self, texts: Texts, path: str) -> None:
        self.path = path
        self._texts = texts

    @property
    def file(self) -> JsonFile:
        """The file as it is now."""
        return self._texts.json_file(self.path)

    @property
    def letter(self) -> str:
        """The release that wrote it."""
        return self.file.style.letter

    def get(self, steps: Steps) -> Json | Missing:
        """The value that steps lead to."""
        value = self.file.value
        for step in steps:
            if isinstance(value, dict) and isinstance(step, str) and step in value:
                value = value[step]
                continue
            if not isinstance(value, list) or not isinstance(step, int) or step >= len(value):
                return MISSING
            value = value[step]
        return value

    def put(self, steps: Steps, value: Json) -> None:
        """Set a value.  Raises EncodeError if nothing has a field of the name there."""
        there = self.get(steps) is not MISSING
        edit = self.file.replaced if there else self.file.added
        self._texts.put(self.path, edit(*steps, value=value))

    def insert(self, steps: Steps, value: Json | XmlNode) -> None:
        """Put an element into a list."""
        assert not isinstance(value, XmlNode)
        if self.get(steps[:-1]) in (MISSING, None):
            self.put(steps[:-1], [])
        self._texts.put(self.path, self.file.added(*steps, value=value))

    def remove(self, steps: Steps) -> None:
        """Take out an element."""
        self._texts.put(self.path, self.file.removed(*steps))

    def count(self, steps: Steps) -> int:
        """How many elements a list has."""
        found = self.get(steps)
        return len(found) if isinstance(found, list) else 0


class XmlStore:
    """A file in XML."""

    letter = "X"

    def __init__(self, texts: Texts, path: str) -> None:
        self.path = path
        self._texts = texts

    @property
    def file(self) -> GmxFile:
        """The file as it is now."""
        return self._texts.gmx_file(self.path)

    def get(self, steps: Steps) -> Json | Missing:
        """The text of the element or the attribute that steps lead to."""
        node = self.file.root
        for step in steps:
            if isinstance(step, str) and step[:1] == "@":
                return node.attributes.get(step[1:], MISSING)
            child = child_of(node, step)
            if child is None:
                return MISSING
            node = child
        return node.text

    def put(self, steps: Steps, value: Json) -> None:
        """Set the text of an element, or of an attribute."""
        text = str(value)
        node = node_at(self.file.root, steps)
        if node is not None:
            self._texts.put(self.path, self.file.replaced(node, text))
            return

        def change(root: XmlNode) -> None:
            *outer, last = steps
            owner = node_at(root, tuple(outer))
            if owner is None or isinstance(last, int):
                raise EncodeError(f"nothing is at {'/'.join(map(str, outer))}")
            if last[:1] == "@":
                owner.attributes[last[1:]] = text
            else:
                owner.children.append(XmlNode(last, text, is_open=True))

        self._edit(change)

    def insert(self, steps: Steps, value: Json | XmlNode) -> None:
        """Put an element into another, before the child of a number."""
        assert isinstance(value, XmlNode)

        def change(root: XmlNode) -> None:
            *outer, last = steps
            owner = _made(root, tuple(outer))
            assert isinstance(last, int)
            owner.children.insert(last, value)

        self._edit(change)

    def remove(self, steps: Steps) -> None:
        """Take out an element."""

        def change(root: XmlNode) -> None:
            owner, gone = node_at(root, steps[:-1]), node_at(root, steps)
            if owner is None or gone is None:
                raise EncodeError(f"nothing is at {'/'.join(map(str, steps))}")
            owner.children = [child for child in owner.children if child is not gone]
            owner.is_open = not (owner.tag in LISTS or owner.tag in ROWS)

        self._edit(change)

    def count(self, steps: Steps) -> int:
        """How many elements an element has."""
        node = node_at(self.file.root, steps)
        return 0 if node is None else len(node.children)

    def _edit(self, change: Callable[[XmlNode], None]) -> None:
        self._texts.put(self.path, self.file.edited(change))


def child_of(node: XmlNode, step: str | int) -> XmlNode | None:
    """The child of a tag, or of a number; None without one."""
    if isinstance(step, str):
        return node.find(step)
    return node.children[step] if step < len(node.children) else None


def node_at(root: XmlNode, steps: Steps) -> XmlNode | None:
    """The element that steps lead to; None for an attribute, or where there is none."""
    node: XmlNode | None = root
    for step in steps:
        node = None if node is None or str(step)[:1] == "@" else child_of(node, step)
    return node


def _made(root: XmlNode, steps: Steps) -> XmlNode:
    """The element that steps lead to; lists that are not there are made."""
    node = root
    for step in steps:
        child = child_of(node, step)
        if child is None:
            if not isinstance(step, str):
                raise EncodeError(f"nothing is at {'/'.join(map(str, steps))}")
            child = XmlNode(step)
            node.children.append(child)
        node = child
    return node


def store_of(texts: Texts, path: str) -> Store:
    """The store of a file.  Raises FormatError for a file that is of no resource."""
    if path.endswith((".yy", ".yyp", ".resource_order")):
        return JsonStore(texts, path)
    if path.endswith(".gmx"):
        return XmlStore(texts, path)
    raise FormatError("has no fields: it is a text", source=path)
