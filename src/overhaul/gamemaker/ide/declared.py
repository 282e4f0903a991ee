"""The fields that the files of projects have: by class, with their types and releases.

``declared.tsv`` has those of JSON, ``declared_gmx.tsv`` the children and attributes of elements.
Source: 21,000 real files of 2.0 to 2026, and 3,700 of Studio 1.  A field that is not declared is
kept with its place and its order, and counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import cache
from typing import Final, NamedTuple

from overhaul.document.xmltext import XmlNode
from overhaul.gamemaker.ide.tables import table
from overhaul.gamemaker.ide.values import Json, text_at

#: Members with keys that people gave: the names of configurations.
_NAMED: Final = "ConfigValues"
#: Stands for a key of digits.
_NUMBERED: Final = "#"
#: The values of a text that are not classes.
_NO_CLASS: Final = ""


class DeclaredField(NamedTuple):
    """A field: the types of its values, and the letters of the releases whose files have it."""

    types: tuple[str, ...]
    letters: str


@cache
def declared() -> Mapping[str, Mapping[str, DeclaredField]]:
    """The fields of each class of JSON, in the order of their names."""
    found: dict[str, dict[str, DeclaredField]] = {}
    for kind, text in table("declared.tsv"):
        fields = found[kind] = {}
        for part in text.split(" "):
            name, types, letters = part.rsplit(":", 2)
            fields[name] = DeclaredField(tuple(types.split("|")), letters)
    return found


@cache
def declared_elements() -> Mapping[str, frozenset[str]]:
    """The children and attributes (``@name``) that elements of XML have, by their tags."""
    return {tag: frozenset(text.split(" ")) for tag, text in table("declared_gmx.tsv")}


def undeclared(value: Json, kind: str = _NO_CLASS) -> Counter[str]:
    """How often a file has fields that are not declared: ``GMSprite.newField``, and objects of
    classes that are not (``GMNew``)."""
    found: Counter[str] = Counter()
    _look(value, kind, found)
    return found


def _look(value: Json, kind: str, found: Counter[str]) -> None:
    if isinstance(value, list):
        for item in value:
            if isinstance(item, dict | list):
                _look(item, f"{kind}[]", found)
        return
    if not isinstance(value, dict) or _is_reference(value):
        return
    kind = _class_of(value) or kind
    known = declared().get(kind)
    if known is None:
        found[kind] += 1
        return
    for key, item in value.items():
        name = _NUMBERED if key.isdecimal() else key
        if name not in known and name != _NAMED:
            found[f"{kind}.{key}"] += 1
        elif isinstance(item, dict | list) and name != _NAMED:
            _look(item, f"{kind}.{name}", found)


def _class_of(value: dict[str, Json]) -> str:
    """The class that an object says it is of; "" for one that says none."""
    tag = next((key[1:] for key in value if key.startswith("$")), "")
    return text_at(value, "resourceType") or text_at(value, "modelName") or tag


def _is_reference(value: dict[str, Json]) -> bool:
    return value.keys() <= {"name", "path", "link"}


def undeclared_elements(root: XmlNode) -> Counter[str]:
    """How often a file has elements and attributes that are not declared."""
    known = declared_elements()
    found: Counter[str] = Counter()
    for node in root.walk():
        own = known.get(node.tag, frozenset())
        for name in (*(f"@{key}" for key in node.attributes), *(c.tag for c in node.children)):
            if name not in own:
                found[f"{node.tag}/{name}"] += 1
    return found
