"""The words of the editor for rooms: see :mod:`overhaul.ags.folder.words`."""

from __future__ import annotations

from functools import cache
from typing import Final

from overhaul.ags.folder.words import PROPERTIES, defaults
from overhaul.ags.marks import words
from overhaul.ags.parallel import ParallelKind
from overhaul.ags.room import records
from overhaul.ags.room.room import KINDS
from overhaul.ags.shapes import Hints, Json, ListOf, Named, Object, Shape, Word, hints_of
from overhaul.document.hints import Hint
from overhaul.errors import FormatError
from overhaul.folder.json_fields import at_key, expect_integer, expect_list, expect_object
from overhaul.schema import Record

_MAIN: Final = records.MAIN_BLOCK
_FIELDS: Final = "fields"
#: What of the main block stays where it is stored.
_STAYS: Final = ("background", "hotspot_count", "region_count", "walk_area_count", "message_count")


class _Areas(Shape):
    """The areas of a mask, each with its number in the mask as ``ID``."""

    def __init__(self, element: Object) -> None:
        self._element = element

    def hint(self, stored: Hint) -> Hint:
        fields: Hints = {"ID": (Hint("integer", 0), None), **hints_of(self._element.words)}
        return Hint("list", element=Hint("object", record=lambda: fields))

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

    def hints(self) -> Hints:
        return hints_of(self._words)

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


#: The fields of each kind of thing in a room, and the record that has some of them.
_THINGS: Final = {
    "hotspots": "script_name name walk_to events",
    "objects": "script_name name sprite x y on baseline flags events",
    "regions": "name light tint events",
    "walk_areas": "name player_view scaling_far scaling_near scaling_top scaling_bottom",
    "walk_behinds": "name baseline",
    "messages": "text display_as flags",
}
_RECORDS: Final[dict[str, type[Record]]] = {
    "objects": records.RoomObject, "messages": records.MessageInfo,
}  # fmt: skip
_WITHOUT_PROPERTIES: Final = ("walk_behinds", "messages")


def _thing(kind: ParallelKind, version: int) -> Object:
    """A thing of a kind."""
    record = _RECORDS.get(kind.name, Record)
    own = words(version, _THINGS[kind.name], record, kind.marks)
    more = [] if kind.name in _WITHOUT_PROPERTIES else [PROPERTIES]
    quiet = defaults(record, version) if kind.name == "objects" else {}
    return Object([*own, *more], quiet)


@cache
def room(version: int) -> Object:
    """What room.json has."""
    names = (
        "width height depth resolution edge_left edge_right edge_top edge_bottom player_off "
        "player_special_view saving_disabled start_music music_volume game_id room_events"
    )
    main = words(version, names, records.MainBlock)
    quiet = defaults(records.MainBlock, version)
    for name in _STAYS:
        quiet.pop(name, None)
    things = {kind.name: _thing(kind, version) for kind in KINDS}
    return Object(
        [
            Named("version", "version"),
            Named("compiled_with", "compiled_with"),
            _Main(main, quiet),
            Named("Hotspots", "hotspots", _Areas(things["hotspots"])),
            Named("Objects", "objects", ListOf(things["objects"])),
            Named("Regions", "regions", _Areas(things["regions"])),
            Named("WalkableAreas", "walk_areas", _Areas(things["walk_areas"])),
            Named("WalkBehinds", "walk_behinds", _Areas(things["walk_behinds"])),
            Named("Messages", "messages", ListOf(things["messages"])),
        ]
    )
