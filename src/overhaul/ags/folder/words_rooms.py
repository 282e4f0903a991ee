"""The words of the editor for rooms: see :mod:`overhaul.ags.folder.words`."""

from __future__ import annotations

from functools import cache
from typing import Final

from overhaul.ags.folder.shapes import (
    Bits,
    ByName,
    Json,
    ListOf,
    Named,
    Object,
    Shape,
    Truth,
    Word,
)
from overhaul.ags.folder.words import (
    HOTSPOT_EVENTS,
    OBJECT_EVENTS,
    PROPERTIES,
    REGION_EVENTS,
    ROOM_EVENTS,
    defaults,
)
from overhaul.ags.room import records
from overhaul.errors import FormatError
from overhaul.folder.json_fields import at_key, expect_integer, expect_list, expect_object

_MAIN: Final = records.MAIN_BLOCK
_FIELDS: Final = "fields"
#: What of the main block stays where it is stored.
_STAYS: Final = ("background", "hotspot_count", "region_count", "walk_area_count", "message_count")


class _Areas(Shape):
    """The areas of a mask, each with its number in the mask as ``ID``."""

    def __init__(self, element: Object) -> None:
        self._element = element

    def show(self, value: object) -> object:
        if not isinstance(value, list):
            return value
        return [
            {"ID": number, **self._element.shown(row)} if isinstance(row, dict) else row
            for number, row in enumerate(value)
        ]

    def read(self, shown: object) -> object:
        made = []
        for number, item in enumerate(expect_list(shown)):
            with at_key("", number):
                row = dict(expect_object(item))
                with at_key("ID"):
                    if expect_integer(row.pop("ID", number)) != number:
                        raise FormatError(f"expected {number}: it is the place in the list")
                made.append(self._element.stored(row))
        return made


class _Main(Word):
    """The fields of the main block, which stand at the top of room.json."""

    def __init__(self, words: list[Word], quiet: Json) -> None:
        self._words = words
        self._quiet = quiet

    def show(self, given: Json, shown: Json) -> None:
        blocks = given.get("blocks")
        if not isinstance(blocks, list):
            return
        made = []
        for block in blocks:
            fields = block.get(_FIELDS) if isinstance(block, dict) else None
            if isinstance(fields, dict) and block.get("id") == _MAIN:
                rest = dict(fields)
                for word in self._words:
                    word.show(rest, shown)
                left = {k: v for k, v in rest.items() if self._quiet.get(k, ...) != v}
                made.append({**block, _FIELDS: left})
            else:
                made.append(block)
        given["blocks"] = made

    def read(self, given: Json, stored: Json) -> None:
        fields: Json = {}
        for word in self._words:
            word.read(given, fields)
        if not fields or not isinstance(given.get("blocks"), list):
            given.update(fields)
            return
        made: list[object] = []
        for index, block in enumerate(expect_list(given["blocks"])):
            if isinstance(block, dict) and block.get("id") == _MAIN and _FIELDS in block:
                with at_key("blocks", index), at_key(_FIELDS):
                    left = expect_object(block[_FIELDS])
                    both = sorted(left.keys() & fields.keys())
                    if both:
                        with at_key(both[0]):
                            raise FormatError("it is there in other words too")
                made.append({**block, _FIELDS: {**fields, **left}})
                fields = {}
            else:
                made.append(block)
        given["blocks"] = made
        given.update(fields)


def _events(names: tuple[str, ...]) -> Named:
    return Named("Interactions", "events", ByName(names, "Event", usual=True))


def _hotspot() -> Object:
    point = Object([Named("X", "x"), Named("Y", "y")])
    words: list[Word] = [
        Named("Name", "script_name"),
        Named("Description", "name"),
        Named("WalkTo", "walk_to", point),
        _events(HOTSPOT_EVENTS),
        PROPERTIES,
    ]
    return Object(words)


def _object(version: int) -> Object:
    words: list[Word] = [
        Named("Name", "script_name"),
        Named("Description", "name"),
        Named("Image", "sprite"),
        Named("StartX", "x"),
        Named("StartY", "y"),
        Named("Visible", "on", Truth()),
        Named("Baseline", "baseline"),
        Bits(
            "flags",
            {
                "!Clickable": 1,
                "IgnoreWalkBehinds": 2,
                "UseRoomAreaLighting": 8,
                "UseRoomAreaScaling": 16,
                "Solid": 32,
            },
        ),
        _events(OBJECT_EVENTS),
        PROPERTIES,
    ]
    return Object(words, defaults(records.RoomObject, version))


def _region() -> Object:
    words: list[Word] = [
        Named("Name", "name"),
        Named("LightLevel", "light"),
        Named("Tint", "tint"),
        _events(REGION_EVENTS),
        PROPERTIES,
    ]
    return Object(words)


def _walkable() -> Object:
    words: list[Word] = [
        Named("Name", "name"),
        Named("AreaSpecificView", "player_view"),
        Named("ScalingFar", "scaling_far"),
        Named("ScalingNear", "scaling_near"),
        Named("ScalingTop", "scaling_top"),
        Named("ScalingBottom", "scaling_bottom"),
        PROPERTIES,
    ]
    return Object(words)


@cache
def room(version: int) -> Object:
    """What room.json has."""
    inverted = Truth(inverted=True)
    main: list[Word] = [
        Named("Width", "width"),
        Named("Height", "height"),
        Named("BytesPerPixel", "depth"),
        Named("MaskResolution", "resolution"),
        Named("LeftEdgeX", "edge_left"),
        Named("RightEdgeX", "edge_right"),
        Named("TopEdgeY", "edge_top"),
        Named("BottomEdgeY", "edge_bottom"),
        Named("ShowPlayerCharacter", "player_off", inverted),
        Named("PlayerCharacterView", "player_special_view"),
        Named("SaveLoadEnabled", "saving_disabled", inverted),
        Named("PlayMusicOnRoomLoad", "start_music"),
        Named("MusicVolumeAdjustment", "music_volume"),
        Named("GameID", "game_id"),
        Named("Interactions", "room_events", ByName(ROOM_EVENTS, "Event", usual=True)),
    ]
    quiet = defaults(records.MainBlock, version)
    for name in _STAYS:
        quiet.pop(name, None)
    behind = Object([Named("Name", "name"), Named("Baseline", "baseline")])
    message = Object(
        [Named("Text", "text"), Named("DisplayAs", "display_as"), Named("Flags", "flags")]
    )
    return Object(
        [
            Named("version", "version"),
            Named("compiled_with", "compiled_with"),
            _Main(main, quiet),
            Named("Hotspots", "hotspots", _Areas(_hotspot())),
            Named("Objects", "objects", ListOf(_object(version))),
            Named("Regions", "regions", _Areas(_region())),
            Named("WalkableAreas", "walk_areas", _Areas(_walkable())),
            Named("WalkBehinds", "walk_behinds", _Areas(behind)),
            Named("Messages", "messages", ListOf(message)),
        ]
    )
