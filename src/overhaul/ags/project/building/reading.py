"""The objects of a project as values, and values as the records of a game.

The meaning of a value is declared once, for both directions: the words of a game's tree
(:mod:`overhaul.ags.folder.forms`) name the field of each element, and ``elements.tsv`` its kind.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, TypeVar

from overhaul.ags.project.building.releases import Release
from overhaul.ags.project.document import things_in
from overhaul.ags.project.elements import GROUPS, elements, kinds
from overhaul.ags.project.resources import ESCAPED_SINCE
from overhaul.ags.shapes import Json, steps_of
from overhaul.ags.text import decode, encode
from overhaul.ags.translating import unescape
from overhaul.ags.words import Object
from overhaul.document.xmltext import NULL, XmlNode
from overhaul.errors import OverhaulError, PathError
from overhaul.schema import Record, Scheme
from overhaul.schema.jsonable import from_jsonable

R = TypeVar("R", bound=Record)

_WHOLE: Final = re.compile(r"-?[0-9]{1,10}")
_FLAGS: Final = {"true": True, "false": False}


class ElementError(OverhaulError):
    """An element of a project is not as it must be: ``message``, and the ``node`` at fault."""

    def __init__(self, message: str, node: XmlNode, *, code: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.node = node
        self.code: str = code or self.code


def values_of(node: XmlNode, release: Release) -> Json:
    """The elements of an object that have a value, by their names; defaults for missing ones.

    Raises ElementError.
    """
    owner = node.tag
    values: Json = {}
    for element in elements(owner, release.name):
        values[element.name] = _value(XmlNode(element.name, element.default), element.kind)
    for child in node.children:
        if not child.children and child.tag not in GROUPS:
            kind = "text" if NULL in child.attributes else _kind(owner, child.tag)
            values[child.tag] = _value(child, kind)
    return values


def _kind(owner: str, tag: str) -> str:
    return kinds().get((owner, tag), "text")


def _value(node: XmlNode, kind: str) -> object:
    text = node.text
    if kind == "int":
        if not _WHOLE.fullmatch(text.strip()):
            raise ElementError(f"expected a whole number, got {text[:40]!r}", node)
        return int(text)
    if kind == "bool":
        if text.strip().lower() not in _FLAGS:
            raise ElementError(f"expected True or False, got {text[:40]!r}", node)
        return _FLAGS[text.strip().lower()]
    return text


def number(node: XmlNode, path: str, default: int = 0) -> int:
    """The whole number in an element; the default where there is none."""
    found = node.find(path)
    if found is None or not found.text:
        return default
    value = _value(found, "int")
    assert isinstance(value, int)
    return value


def choice(node: XmlNode, path: str, choices: Mapping[str, int], default: str = "") -> int:
    """The number of a word in an element, which may be the number itself, as for the editor.

    Raises ElementError for an unknown word.
    """
    found = node.find(path)
    word = default if found is None or not found.text else found.text
    if _WHOLE.fullmatch(word):
        return int(word)
    if word not in choices:
        known = ", ".join(choices)
        raise ElementError(f"expected one of {known}, got {word[:40]!r}", found or node)
    return choices[word]


def with_numbers(values: Json, names: Iterable[str]) -> None:
    """Let elements of words be numbers where they have one, as the editor reads them."""
    for name in names:
        value = values.get(name)
        if isinstance(value, str) and _WHOLE.fullmatch(value):
            values[name] = int(value)


def take_number(values: Json, name: str) -> int:
    """A number that an object has, taken out of its values; 0 without one."""
    value = values.pop(name, 0)
    return value if isinstance(value, int) else 0


def take_text(values: Json, name: str) -> str:
    """A text that an object has, taken out of its values; empty without one."""
    value = values.pop(name, "")
    return value if isinstance(value, str) else ""


def record(kind: type[R], words: Object, values: Json, node: XmlNode, version: int) -> R:
    """The record that values say, by the words of its fields.

    Raises ElementError for an element that no field of the game has.
    """
    return record_with(kind, words, values, node, version, {})[0]


def record_with(
    kind: type[R],
    words: Object,
    values: Json,
    node: XmlNode,
    version: int,
    inner: Mapping[str, type[Record]],
) -> tuple[R, dict[str, Record]]:
    """The same, with the records that words name in it, which blocks of the game have."""
    stored: Json = {}
    try:
        stored = words.stored(values)
        parts = {
            name: from_jsonable(part, stored.pop(name, {}), Scheme(version))
            for name, part in inner.items()
        }
        return from_jsonable(kind, stored, Scheme(version)), parts
    except PathError as error:
        steps = words.place(stored, steps_of(error.path)) if error.path else []
        child = node.find(str(steps[0])) if steps else None
        raise ElementError(_message(error, steps, child), child or node) from error


def _message(error: PathError, steps: list[str | int], child: XmlNode | None) -> str:
    """The message for a wrong value; an absent element is given by its name."""
    if child is not None or not steps:
        return error.message
    return f"{steps[0]}: {error.message}"


def listed_elements(game: XmlNode, listed: str, tag: str) -> Iterator[XmlNode]:
    """The things of a list in the order of the tree: those of folders first, as the editor has it.

    Views have their own order (:func:`in_file_order`).
    """
    section = game.find(listed)
    if section is not None:
        yield from things_in(section, tag)


def text_of(node: XmlNode, path: str) -> str:
    """The text of an element; empty for null."""
    found = node.find(path)
    return "" if found is None else found.text


def cut(text: str, size: int, release: Release) -> str:
    """As much of a text as a field of so many bytes holds; from 3.6 on only whole letters."""
    data = encode(text)
    if len(data) <= size:
        return text
    if release.since(3, 6):
        return data[:size].decode("utf-8", "ignore")
    return decode(data[:size])


def unescaped(text: str, release: Release) -> str:
    """A text that players read, whose backslashes are escapes since 3.6.1.4.

    ``\\[`` stays as it is: it is a bracket where the game breaks lines at brackets.
    """
    return unescape(text) if release.since(*ESCAPED_SINCE) else text
