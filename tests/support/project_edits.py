"""Edits of projects of GameMaker's editor, made by a number: what one person does in a while.

edits = edits_of(project, seed)          # chosen on a project: add, rename, move, edit, delete
for edit in edits:
    edit.on(project)                     # the same edit on this project or another edition
"""

from __future__ import annotations

import json
import random
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final
from unittest.mock import patch

from overhaul.document.xmltext import XmlNode
from overhaul.errors import FormatError
from overhaul.gamemaker.ide.document import IdeProjectDocument
from overhaul.gamemaker.ide.gmx import read_gmx
from overhaul.gamemaker.ide.resources.base import Resource
from overhaul.gamemaker.ide.resources.kinds import listed
from overhaul.gamemaker.ide.resources.objects import Object
from overhaul.gamemaker.ide.resources.rooms import Instances, Room
from overhaul.gamemaker.ide.texts import read_json_file
from overhaul.gamemaker.ide.values import Json
from overhaul.gamemaker.ide_merge.files import JSON_ENDINGS
from overhaul.gamemaker.ide_merge.identities import identity_of
from overhaul.gamemaker.ide_merge.trees import Tree

#: Kinds of resources that are added, renamed and removed.
_KINDS: Final = ("object", "script", "sprite", "room", "path", "timeline")


class Refused(Exception):
    """An edit can't be made in an edition."""


@dataclass(frozen=True)
class Edit:
    """An edit: in words, and what makes it."""

    words: str
    seed: int
    make: Callable[[IdeProjectDocument], None]

    def on(self, project: IdeProjectDocument) -> None:
        """Make it.  Raises Refused where that can't be done."""
        try:
            with seeded(self.seed):
                self.make(project)
        except (ValueError, KeyError, IndexError, FormatError) as error:
            raise Refused(f"{self.words}: {error}") from error


@contextmanager
def seeded(seed: int) -> Iterator[None]:
    """Let new ids and names follow from a number."""
    state = random.getstate()
    numbers = random.Random(seed)

    def made() -> uuid.UUID:
        return uuid.UUID(int=numbers.getrandbits(128), version=4)

    random.seed(seed)
    try:
        with patch("uuid.uuid4", made):
            yield
    finally:
        random.setstate(state)


def edits_of(project: IdeProjectDocument, seed: int) -> list[Edit]:
    """One to four edits, chosen by a number."""
    choose = random.Random(seed)
    makers = (_added, _renamed, _removed, _field, _field, _code, _code, _placed, _taken, _moved)
    made: list[Edit] = []
    while len(made) < choose.randint(1, 4):
        number = choose.getrandbits(40)
        edit = choose.choice(makers)(project, choose, number)
        if edit is not None:
            made.append(edit)
    return made


def _some(project: IdeProjectDocument, kind: str, choose: random.Random) -> str | None:
    """The name of a resource of a kind whose file can be read."""
    names = [one.name for one in listed(project, kind) if one.is_here]
    return choose.choice(names) if names else None


def _one(project: IdeProjectDocument, kind: str, name: str) -> Resource:
    found = listed(project, kind)[name]
    if not found.is_here:
        raise KeyError(name)
    return found


def _added(project: IdeProjectDocument, choose: random.Random, seed: int) -> Edit:
    kind, name = choose.choice(_KINDS[:4]), f"new_{seed:x}"
    first = next((one for one in listed(project, kind) if one.is_here), None)
    parent = "" if first is None or project.is_studio else first.store.get(("parent", "path"))
    folder = str(parent).removeprefix("folders/").removesuffix(".yy")
    inside = folder if str(parent).startswith("folders/") else ""

    def make(there: IdeProjectDocument) -> None:
        listed(there, kind).add(name, folder=inside)

    return Edit(f"add {kind} {name}", seed, make)


def _renamed(project: IdeProjectDocument, choose: random.Random, seed: int) -> Edit | None:
    kind = choose.choice(_KINDS)
    name, new = _some(project, kind, choose), f"named_{seed:x}"
    if name is None:
        return None

    def make(there: IdeProjectDocument) -> None:
        listed(there, kind).rename(name, new)

    return Edit(f"rename {kind} {name} to {new}", seed, make)


def _removed(project: IdeProjectDocument, choose: random.Random, seed: int) -> Edit | None:
    kind = choose.choice(_KINDS)
    name = _some(project, kind, choose)
    if name is None:
        return None

    force = choose.random() < 0.5

    def make(there: IdeProjectDocument) -> None:
        listed(there, kind).remove(name, force=force)

    return Edit(f"remove {kind} {name}", seed, make)


def _field(project: IdeProjectDocument, choose: random.Random, seed: int) -> Edit | None:
    """Another value of a field that is true or false, or a number."""
    kind = choose.choice(("object", "sprite", "room"))
    name = _some(project, kind, choose)
    field = choose.choice({
        "object": ("visible", "solid", "persistent"),
        "sprite": ("bbox_left", "bbox_bottom", "origin"),
        "room": ("width", "height", "persistent"),
    }[kind])  # fmt: skip
    if name is None:
        return None
    try:
        before = getattr(_one(project, kind, name), field)
    except FormatError:  # check says what is wrong with it
        return None
    value: object = seed % 90
    if isinstance(before, bool):
        value = not before
    elif isinstance(before, tuple):
        value = (seed % 7, seed % 5)

    def make(there: IdeProjectDocument) -> None:
        setattr(_one(there, kind, name), field, value)

    return Edit(f"set {field} of {kind} {name}", seed, make)


def _code(project: IdeProjectDocument, choose: random.Random, seed: int) -> Edit | None:
    """A line put into the code of an event, or of a script."""
    name = _some(project, "object", choose)
    if name is None:
        return None
    one = _one(project, "object", name)
    assert isinstance(one, Object)
    events = [event for event in one.events if one.events[event].has_source]
    if not events:
        return None
    event = choose.choice(events)
    anchor = choose.choice(one.events[event].gml.split("\n"))

    def make(there: IdeProjectDocument) -> None:
        other = _one(there, "object", name)
        assert isinstance(other, Object)
        lines = other.events[event].gml.split("\n")
        lines.insert(lines.index(anchor), f"// {seed:x}")
        other.events[event].gml = "\n".join(lines)

    return Edit(f"write in {event} of {name}", seed, make)


def _rooms(project: IdeProjectDocument, choose: random.Random) -> Room | None:
    name = _some(project, "room", choose)
    one = None if name is None else _one(project, "room", name)
    return one if isinstance(one, Room) else None


def _lists(room: Room) -> dict[str, Instances]:
    """The lists of instances that a room has, by the names of their layers; "" in Studio 1."""
    own = room.instances
    if isinstance(own, Instances):
        return {"": own}
    return {one.name: one.instances for one in room.layers.all() if one.kind == "GMRInstanceLayer"}


def _placed(project: IdeProjectDocument, choose: random.Random, seed: int) -> Edit | None:
    room, kind = _rooms(project, choose), _some(project, "object", choose)
    layers = [] if room is None else sorted(_lists(room))
    if room is None or kind is None or not layers:
        return None
    layer, name = choose.choice(layers), room.name

    def make(there: IdeProjectDocument) -> None:
        other = _one(there, "room", name)
        assert isinstance(other, Room)
        _lists(other)[layer].add(kind, seed % 500, seed % 300)

    return Edit(f"place {kind} in {name}", seed, make)


def _instance(project: IdeProjectDocument, choose: random.Random) -> tuple[str, str] | None:
    room = _rooms(project, choose)
    names = [] if room is None else [one.name for one in room.instances]
    return None if room is None or not names else (room.name, choose.choice(names))


def _taken(project: IdeProjectDocument, choose: random.Random, seed: int) -> Edit | None:
    found = _instance(project, choose)
    if found is None:
        return None
    room, name = found

    def make(there: IdeProjectDocument) -> None:
        other = _one(there, "room", room)
        assert isinstance(other, Room)
        for rows in _lists(other).values():
            for number, one in enumerate(rows):
                if one.name == name:
                    del rows[number]
                    return
        raise KeyError(name)

    return Edit(f"take {name} out of {room}", seed, make)


def _moved(project: IdeProjectDocument, choose: random.Random, seed: int) -> Edit | None:
    found = _instance(project, choose)
    if found is None:
        return None
    room, name = found

    def make(there: IdeProjectDocument) -> None:
        other = _one(there, "room", room)
        assert isinstance(other, Room)
        instance = next((one for one in other.instances if one.name == name), None)
        if instance is None:
            raise KeyError(name)
        instance.x = float(seed % 777)

    return Edit(f"move {name} of {room}", seed, make)


# -- meaning --------------------------------------------------------------------------------------


def meaning(tree: Tree) -> dict[str, object]:
    """What the files of an edition say, but for the order of lists: by path."""
    return {path: _said(path, tree.read(path)) for path in tree.files}


def _said(path: str, data: bytes) -> object:
    try:
        if path.endswith(JSON_ENDINGS):
            return _unordered(read_json_file(data).value)
        if path.endswith(".gmx"):
            return _element(read_gmx(data).root)
    except FormatError:
        pass
    return data


def _unordered(value: Json) -> object:
    if isinstance(value, dict):
        # the place in the asset browser, of which two may have the same
        return {key: _unordered(item) for key, item in sorted(value.items()) if key != "order"}
    if isinstance(value, list):
        made = [_unordered(item) for item in value]
        if identity_of(value) is not None:
            made.sort(key=lambda item: json.dumps(item, sort_keys=True))
        return made
    return value


def _element(node: XmlNode) -> object:
    children = sorted((_element(child) for child in node.children), key=repr)
    return [node.tag, sorted(node.attributes.items()), node.text, children]
