"""The elements of ``Game.agf``: which each class has in each editor, and what they say by default.

``elements.tsv`` lists them: the class, the element, its kind (``*``: a text with a space has
``xml:space``), the first and the last release that has it, and what most projects say (``~``:
null).  Source: 109 projects of editors 3.2.0 to 3.6.2.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

from overhaul.ags.api import parse_version
from overhaul.document.xmltext import NULL, SPACE, XmlNode

_NULL: Final = "~"
#: Elements with others in them, which are empty in some objects.
GROUPS: Final = frozenset(
    ("Properties", "Interactions", "Loops", "Frames", "Script", "DialogOptions", "Controls")
)
Value = str | int | bool | None


class Element(NamedTuple):
    """An element of a class."""

    owner: str
    name: str
    kind: str
    since: str
    until: str
    default: str

    @property
    def is_spaced(self) -> bool:
        """Whether a text with a space has ``xml:space="preserve"``."""
        return self.kind.endswith("*")

    def is_in(self, version: str) -> bool:
        """Whether an editor has it."""
        release = parse_version(version)[:3]
        since = parse_version(self.since)[:3] if self.since else (0,)
        return since <= release and (not self.until or release <= parse_version(self.until)[:3])


@cache
def _all() -> tuple[Element, ...]:
    text = files(__package__).joinpath("elements.tsv").read_text("utf-8")
    return tuple(Element(*line.split("\t")) for line in text.splitlines()[1:])


@cache
def kinds() -> Mapping[tuple[str, str], str]:
    """The kind of each element, by its class and name."""
    return {(element.owner, element.name): element.kind for element in _all()}


@cache
def elements(owner: str, version: str) -> tuple[Element, ...]:
    """The elements of a class in an editor."""
    return tuple(e for e in _all() if e.owner == owner and e.is_in(version))


def node(
    owner: str,
    values: Mapping[str, Value],
    version: str,
    *,
    groups: Iterable[XmlNode] = (),
) -> XmlNode:
    """An object of a class: an element for each of its own, ``values`` or the default; then groups.

    Values for elements that this editor does not have are left out.
    """
    made = XmlNode(owner)
    for element in elements(owner, version):
        value = values.get(element.name, element.default)
        assumed = element.name not in values
        if value == _NULL and assumed:
            value = None
        child = leaf(element.name, value, spaced=element.is_spaced)
        child.assumed = assumed
        made.children.append(child)
    made.children += groups
    return made


def leaf(tag: str, value: Value, *, spaced: bool = False) -> XmlNode:
    """An element with a value."""
    if value is None:
        return XmlNode(tag, attributes={NULL: "True"})
    text = str(value)
    return XmlNode(tag, text, {SPACE: "preserve"} if spaced and " " in text else {})


def group(tag: str, children: Iterable[XmlNode], **attributes: str) -> XmlNode:
    """An element with others in it."""
    return XmlNode(tag, attributes=dict(attributes), children=list(children))


def in_folder(tag: str, kind: str, items: Iterable[XmlNode], version: str, flat: bool) -> XmlNode:
    """A list of things in the one folder ``Main`` of the project's tree; ``flat`` without folders.

    ``kind`` is the class of folders without "Folder", ``tag`` the list.
    """
    inside = group(tag, items)
    if flat:
        return inside
    folder = group(f"{kind}Folder", [XmlNode("SubFolders"), inside], Name="Main")
    return group(tag, [folder])
