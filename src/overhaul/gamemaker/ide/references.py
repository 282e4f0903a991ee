"""References in the files of a project: by path (2.3 and later), by id (2.0 to 2.2), by name
(1.x)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from overhaul.document.xmltext import XmlNode
from overhaul.gamemaker.ide.values import Json, Steps

#: The id of nothing in 2.0 to 2.2.
NO_ID: Final = "00000000-0000-0000-0000-000000000000"
#: Members of 2.0 to 2.2 that have the id of a resource.
_ID_KEYS: Final = frozenset(
    ("spriteId", "maskSpriteId", "parentObjectId", "collisionObjectId", "objId", "tilesetId",
     "pathId")
)  # fmt: skip
#: Members whose reference is to a group that the project lists.
GROUPS: Final = {"textureGroupId": "TextureGroups", "audioGroupId": "AudioGroups"}
#: Members that refer to what may be gone: properties of objects, and the order of instances.
_LOOSE: Final = frozenset(("propertyId", "instanceCreationOrder"))
#: The name that stands for no resource in files of Studio 1.
_NOTHING: Final = frozenset(("", "<undefined>", "self", "other", "all", "noone"))


class Reference(NamedTuple):
    """A reference: where it is, the key that has it, and what it names."""

    steps: Steps
    key: str
    name: str
    path: str


def by_path(value: Json, steps: Steps = (), key: str = "") -> Iterator[Reference]:
    """The references of a file of 2.3 and later, but for those into packages of prefabs."""
    if isinstance(value, dict):
        path, name = value.get("path"), value.get("name")
        if isinstance(path, str) and isinstance(name, str) and len(value) == 2:
            yield Reference(steps, key, name, path)
            return
        for inner, item in value.items():
            if inner not in _LOOSE and isinstance(item, dict | list):
                yield from by_path(item, (*steps, inner), inner)
    elif isinstance(value, list):
        for number, item in enumerate(value):
            if isinstance(item, dict | list):
                yield from by_path(item, (*steps, number), key)


def by_id(value: Json, steps: Steps = ()) -> Iterator[Reference]:
    """The references of a file of 2.0 to 2.2; ``path`` is the id."""
    if isinstance(value, dict):
        for key, item in value.items():
            if isinstance(item, str):
                if key in _ID_KEYS and item != NO_ID:
                    yield Reference((*steps, key), key, "", item)
            elif isinstance(item, dict | list):
                yield from by_id(item, (*steps, key))
    elif isinstance(value, list):
        for number, item in enumerate(value):
            if isinstance(item, dict | list):
                yield from by_id(item, (*steps, number))


class NamedResource(NamedTuple):
    """A use of a resource in a file of Studio 1: its element, its kind, its name."""

    node: XmlNode
    kind: str
    name: str


#: The elements that have the name of a resource, by the root of their file.
_TEXTS: Final = {
    "object": (("spriteName", "sprite"), ("maskName", "sprite"), ("parentName", "object")),
}
#: The attributes that have it, by the element.
_ATTRIBUTES: Final = {
    "instance": ("objName", "object"),
    "tile": ("bgName", "background"),
    "background": ("name", "background"),
    "view": ("objName", "object"),
    "event": ("ename", "object"),
}


def by_name(root: XmlNode) -> Iterator[NamedResource]:
    """The resources that a file of Studio 1 uses, but for names in code."""
    for tag, kind in _TEXTS.get(root.tag, ()):
        for node in root.all(tag):
            if node.text not in _NOTHING:
                yield NamedResource(node, kind, node.text)
    for node in root.walk():
        if node.tag in _ATTRIBUTES and node is not root:
            attribute, kind = _ATTRIBUTES[node.tag]
            name = node.attributes.get(attribute, "")
            if name not in _NOTHING:
                yield NamedResource(node, kind, name)
