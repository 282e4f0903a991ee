"""The kinds of resources, and the version numbers their records have in each product."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

from overhaul.gamemaker.classic.actions import Object
from overhaul.gamemaker.classic.fields import Section, Slot, VersionedRecord
from overhaul.gamemaker.classic.records import Node, Project
from overhaul.gamemaker.classic.resources import (
    Background,
    DataFile,
    Font,
    OldSprite,
    Path,
    Room,
    Script,
    Sound,
    Sprite,
    Timeline,
)
from overhaul.gamemaker.classic.settings import Trigger, TriggerSlot

PRODUCTS = {
    500: "Game Maker 5.0 or 5.2",
    510: "Game Maker 5.1",
    530: "Game Maker 5.3",
    600: "Game Maker 6",
    701: "Game Maker 7",
    800: "Game Maker 8.0",
    810: "Game Maker 8.1",
}


@dataclass(frozen=True)
class Kind:
    """A kind of resource: its attribute of a project, its records, its place in the resource tree.

    ``grouping`` is its number in the tree and ``root`` the name of its root; triggers have none.
    """

    plural: str
    singular: str
    records: tuple[type[VersionedRecord], ...]
    grouping: int = 0
    root: str = ""

    def section(self, project: Project) -> Section[Any]:
        """The project's list of these resources."""
        section: Section[Any] = getattr(project, self.plural)
        return section


# in the order of the roots of the resource tree
KINDS = (
    Kind("sprites", "sprite", (OldSprite, Sprite), 2, "Sprites"),
    Kind("sounds", "sound", (Sound,), 3, "Sounds"),
    Kind("backgrounds", "background", (Background,), 6, "Backgrounds"),
    Kind("paths", "path", (Path,), 8, "Paths"),
    Kind("scripts", "script", (Script,), 7, "Scripts"),
    Kind("data_files", "data file", (DataFile,), 9, "Data Files"),
    Kind("fonts", "font", (Font,), 9, "Fonts"),
    Kind("timelines", "timeline", (Timeline,), 12, "Time Lines"),
    Kind("objects", "object", (Object,), 1, "Objects"),
    Kind("rooms", "room", (Room,), 4, "Rooms"),
)
TRIGGERS = Kind("triggers", "trigger", (Trigger,))
BY_PLURAL = {kind.plural: kind for kind in (*KINDS, TRIGGERS)}
BY_SINGULAR = {kind.singular: kind for kind in BY_PLURAL.values()}

AnySlot: TypeAlias = Slot[VersionedRecord] | TriggerSlot


def slots_of(project: Project) -> dict[str, list[AnySlot]]:
    """The slots of every kind of resource, triggers included."""
    slots: dict[str, list[AnySlot]] = {}
    for kind in kinds_of(project.version):
        slots[kind.plural] = [*kind.section(project).slots]
    if project.version >= 800:
        slots["triggers"] = [*project.triggers.slots]
    return slots


def set_slots(project: Project, kind: str, slots: list[AnySlot]) -> None:
    """Give a project other slots of a kind."""
    getattr(project, kind).slots = slots


def kinds_of(version: int) -> tuple[Kind, ...]:
    """The kinds that projects of a version have: data files before 6, fonts since."""
    absent = "fonts" if version < 600 else "data_files"
    return tuple(kind for kind in KINDS if kind.plural != absent)


# (section, item) by the file's version; a version that is not listed has those of the one before
_VERSIONS: dict[str, dict[int, tuple[int, int]]] = {
    "sounds": {500: (400, 440), 600: (400, 600), 800: (800, 800)},
    "sprites": {500: (400, 400), 600: (400, 542), 800: (800, 800)},
    "backgrounds": {500: (400, 400), 600: (400, 543), 800: (800, 710)},
    "paths": {500: (420, 530), 800: (800, 530)},
    "scripts": {500: (400, 400), 800: (800, 800)},
    "data_files": {500: (440, 440)},
    "fonts": {600: (540, 540), 800: (800, 800)},
    "timelines": {500: (500, 500), 800: (800, 500)},
    "objects": {500: (400, 430), 800: (800, 430)},
    "rooms": {500: (420, 500), 530: (420, 520), 600: (420, 541), 800: (800, 541)},
    "triggers": {800: (800, 800)},
    "includes": {701: (620, 620), 800: (800, 800)},
    "constants": {800: (800, 0)},
    "packages": {701: (700, 0)},
    "settings": {
        500: (500, 0),
        510: (510, 0),
        530: (530, 0),
        600: (600, 0),
        701: (702, 0),
        800: (800, 0),
    },
    "information": {500: (430, 0), 600: (600, 0), 800: (800, 0)},
    "library_codes": {500: (500, 0)},
    "room_order": {500: (500, 0), 600: (540, 0), 701: (700, 0)},
}


def section_version(part: str, version: int) -> int:
    """The version number of a part in files of a product."""
    return _newest(part, version)[0]


def item_version(part: str, version: int) -> int:
    """The version number of a resource in files of a product."""
    return _newest(part, version)[1]


def _newest(part: str, version: int) -> tuple[int, int]:
    known = _VERSIONS[part]
    return known[max((number for number in known if number <= version), default=min(known))]


def empty_project(version: int) -> Project:
    """A new project of a version, without resources, as Game Maker would make it."""
    project = Project(version=version)
    project.encoding = "utf-8" if version >= 810 else project.encoding
    for part in _VERSIONS:
        record = getattr(project, part)
        assert isinstance(record, VersionedRecord)
        record.version = section_version(part, version)
    settings = project.settings
    if version < 542:
        settings.scaling, settings.frequency, settings.resolution = 100, 4, 1
    if version >= 810:
        settings.uninitialised = 2
    project.information.window_flag = int(version >= 701)
    project.information.text = _NO_INFORMATION
    project.tree = [Node(1, kind.grouping, 0, kind.root) for kind in kinds_of(version)]
    options = "Game Options" if version < 600 else "Global Game Settings"
    project.tree += [Node(3, 10, 0, "Game Information"), Node(3, 11, 0, options)]
    if version >= 701:
        project.tree.append(Node(3, 13, 0, "Extension Packages"))
    return project


_NO_INFORMATION = (
    b"{\\rtf1\\ansi\\ansicpg1252\\deff0\\deflang1033{\\fonttbl{\\f0\\fnil Arial;}}\r\n"
    b"\\viewkind4\\uc1\\pard\\f0\\fs24\\par\r\n}\r\n\0"
)
