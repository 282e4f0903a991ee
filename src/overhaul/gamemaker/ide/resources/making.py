"""Records as a release of GameMaker writes new ones: their base members, in its order."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Final

from overhaul.errors import FormatError
from overhaul.gamemaker.ide.declared import declared
from overhaul.gamemaker.ide.model import ProjectModel
from overhaul.gamemaker.ide.orders import place_of_key
from overhaul.gamemaker.ide.styles import Style
from overhaul.gamemaker.ide.values import Json

#: The versions of classes that are not 1.0 in B and C, and the tags that are not "" in D.
_VERSIONS: Final = {"GMNotes": "1.1", "GMAnimCurve": "1.2", "GMExtension": "1.2"}
_LATE_VERSIONS: Final = {"GMSequence": "1.4", "GMSpriteFrame": "1.1", "GMRTileLayer": "1.1",
                         "GMAudioTrack": "1.1"}  # fmt: skip
_TAGS: Final = {"GMEvent": "v1", "GMObjectProperty": "v1", "GMRoom": "v1"}
#: The name of the base class of 2.0 to 2.2, where it is not 1.0.
_OLD_VERSIONS: Final = {"GMSprite": "1.12", "GMFolder": "1.1", "GMFont": "1.1", "GMTileSet": "1.11"}
#: The beginnings or ends of the names of classes whose objects have no name.
_NAMELESS: Final = ("Keyframe", "GMNineSliceData")
_NAMELESS_END: Final = "Keyframe"


def new_id() -> str:
    """An id as the editor makes them: a random GUID."""
    return str(uuid.uuid4())


def record(
    kind: str,
    style: Style,
    members: Mapping[str, Json],
    name: str = "",
    tag: str | None = None,
) -> dict[str, Json]:
    """A new object of a class, with its base members; members that the release does not have are
    left out.

    ``tag`` is what D has for the class, None for the one that every release of D reads.
    """
    letter = style.letter
    known = declared().get(kind, {})
    made: dict[str, Json] = {}
    for key, value in members.items():
        if key not in known or letter in known[key].letters:
            made[key] = value
    if letter == "A":
        made = {"id": new_id(), "modelName": kind, "mvc": _OLD_VERSIONS.get(kind, "1.0"), **made}
        if "name" in known:
            made["name"] = name
    else:
        made["resourceType"] = kind
        version = _VERSIONS.get(kind, "1.0") if letter == "B" else _late(kind)
        made["resourceVersion"] = "2.0" if letter == "D" else version
        if not (kind.startswith(_NAMELESS) or kind.endswith(_NAMELESS_END)):
            made["name"] = name
            if letter == "D" and "%Name" in known:
                made["%Name"] = name
        if letter == "D":
            made[f"${kind}"] = _TAGS.get(kind, "") if tag is None else tag
        elif letter == "B" and "tags" in known:
            made["tags"] = []
    return in_order(made, style, kind)


def tag_in(value: Json, kind: str) -> str | None:
    """The tag of the first object of a class in a file of form D; None without one."""
    if isinstance(value, dict):
        found = value.get(f"${kind}")
        if isinstance(found, str):
            return found
        inner: Iterable[Json] = value.values()
    elif isinstance(value, list) and value and isinstance(value[0], dict):
        inner = value
    else:
        return None
    found_inside = (tag_in(each, kind) for each in inner)
    return next((tag for tag in found_inside if tag is not None), None)


def tag_near(project: ProjectModel, path: str, kind: str) -> str | None:
    """The tag that objects of a class have in a file, or else in other files of its kind of
    resource: a version of the editor has one for each class.  None without any."""
    entry = project.entry_at(path)
    others = [] if entry is None else project.entries_of(entry.kind)
    for each in (path, *(project.path_of(other) for other in others)):
        try:
            tag = None if each is None else tag_in(project.json_file(each).value, kind)
        except FormatError:  # check says what is wrong with it
            continue
        if tag is not None:
            return tag
    return None


def _late(kind: str) -> str:
    return _LATE_VERSIONS.get(kind, _VERSIONS.get(kind, "1.0"))


def in_order(members: Mapping[str, Json], style: Style, kind: str = "") -> dict[str, Json]:
    """Members in the order that a release gives them."""
    return {key: members[key] for key in _ordered(tuple(members), style, kind)}


@lru_cache(maxsize=4096)
def _ordered(given: tuple[str, ...], style: Style, kind: str) -> tuple[str, ...]:
    """Keys in the order that a release gives them."""
    keys: list[str] = []
    for key in given:
        keys.insert(place_of_key(keys, key, style, kind), key)
    return tuple(keys)
