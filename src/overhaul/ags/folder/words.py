"""The words of the editor for the fields of a game's things: the one table of old and new names.

Sources: the elements of ``Game.agf`` files of the editors 3.2.1 to 3.6.3, and the engine's
``Common/ac/characterinfo.h``, ``gamestructdefines.h`` and ``Common/gui/guidefines.h`` for flags.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from overhaul.ags.folder.shapes import (
    Bits,
    ByName,
    Counted,
    Inside,
    Json,
    ListOf,
    Named,
    NamedNumber,
    Object,
    Shape,
    Sparse,
    Truth,
    Word,
)
from overhaul.ags.game import extensions, resources
from overhaul.ags.properties import HandlerTable
from overhaul.ags.versions import GAME_FONT_RECORDS, GAME_FONT_SPACING
from overhaul.errors import FormatError
from overhaul.folder.json_fields import at_key, expect_integer, expect_object, show_value
from overhaul.schema import Record, Scheme
from overhaul.schema.jsonable import to_jsonable

_HANDLERS: Final = 3060200

ROOM_EVENTS: Final = (
    "LeaveLeft", "LeaveRight", "LeaveBottom", "LeaveTop", "FirstLoad", "Load", "RepExec",
    "AfterFadeIn", "Leave", "Unload",
)  # fmt: skip
HOTSPOT_EVENTS: Final = (
    "WalkOn", "Look", "Interact", "UseInv", "Talk", "AnyClick", "MouseMove", "PickUp", "Mode8",
    "Mode9",
)  # fmt: skip
OBJECT_EVENTS: Final = (
    "Look", "Interact", "Talk", "UseInv", "AnyClick", "PickUp", "Mode8", "Mode9",
)  # fmt: skip
INVENTORY_EVENTS: Final = ("Look", "Interact", "Talk", "UseInv", "OtherClick")
REGION_EVENTS: Final = ("Standing", "WalksOnto", "WalksOff")

_NO_EVENT: Final = "Event"


def defaults(record: type[Record], version: int | None = None) -> Json:
    """What a record has in fields that nothing sets."""
    return dict(to_jsonable(record(), Scheme(version)))


# --- what several kinds have ----------------------------------------------------------------


def events(names: Sequence[str]) -> Shape:
    """Handlers by event."""
    return ByName(names, _NO_EVENT)


class Interactions(Word):
    """The functions that events run, by event: ``Interactions``.

    From 3.6.2 on they are in a table with the script that has them, ``ScriptModule``; before, in a
    list.  A game may have both, if one is empty.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self._shape = events(names)

    def show(self, given: Json, shown: Json) -> None:
        table = given.get("handlers")
        if isinstance(table, dict) and not given.get("events") and self._is_usual(table):
            del given["handlers"]
            given.pop("events", None)
            shown["ScriptModule"] = table["script_module"]
            shown["Interactions"] = self._shape.show(table["handlers"])
        elif "events" in given:
            shown["Interactions"] = self._shape.show(given.pop("events"))

    @staticmethod
    def _is_usual(table: Mapping[str, object]) -> bool:
        return table.get("format") == _HANDLERS and table.keys() == defaults(HandlerTable).keys()

    def read(self, given: Json, stored: Json) -> None:
        if "Interactions" not in given and "ScriptModule" not in given:
            return
        with at_key("Interactions"):
            handlers = self._shape.read(given.pop("Interactions", {}))
        if "ScriptModule" in given:
            module = given.pop("ScriptModule")
            stored["handlers"] = {
                "format": _HANDLERS, "script_module": module, "handlers": handlers,
            }  # fmt: skip
        else:
            stored["events"] = handlers


class OfFormat(Shape):
    """A list in one of two formats: of format 2 a list, of format 1 an object with ``old_`` in
    front of the ``name`` that it has in records."""

    def __init__(self, name: str, element: Object) -> None:
        self._name = name
        self._list = ListOf(element)

    def show(self, value: object) -> object:
        usual = {"format", self._name}
        if isinstance(value, dict) and value.keys() == usual and value["format"] == 2:
            return self._list.show(value[self._name])
        return value

    def read(self, shown: object) -> object:
        if isinstance(shown, list):
            return {"format": 2, self._name: self._list.read(shown)}
        made = expect_object(shown)
        old = f"old_{self._name}"
        if made.get("format") == 1 and self._name in made:
            with at_key(self._name):
                raise FormatError(f"format 1 has {old}")
        if made.get("format") == 2 and old in made:
            with at_key(old):
                raise FormatError(
                    "format 1 has them: format 2 is a list in the place of the object"
                )
        return made


_PROPERTY: Final = Object([Named("Name", "name"), Named("Value", "value")])
PROPERTIES: Final = Named("Properties", "properties", OfFormat("values", _PROPERTY))


# --- people and things ----------------------------------------------------------------------


class _Speed(Word):
    """How fast a character moves: MovementSpeed, or MovementSpeedX and MovementSpeedY."""

    def show(self, given: Json, shown: Json) -> None:
        if "walk_speed" not in given or "walk_speed_y" not in given:
            return
        across, down = given.pop("walk_speed"), given.pop("walk_speed_y")
        shown["UniformMovementSpeed"] = not down
        if not down:
            shown["MovementSpeed"] = across
        else:
            shown["MovementSpeedX"], shown["MovementSpeedY"] = across, down

    def read(self, given: Json, stored: Json) -> None:
        uniform = given.pop("UniformMovementSpeed", "MovementSpeedY" not in given)
        speeds = [name for name in ("MovementSpeedX", "MovementSpeedY") if name in given]
        if "MovementSpeed" not in given and not speeds:
            return
        with at_key("UniformMovementSpeed"):
            if uniform is not True and uniform is not False:
                raise FormatError(f"expected true or false, got {show_value(uniform)}")
            if uniform and speeds:
                raise FormatError(f"it is true, so {speeds[0]} can't be set")
            if not uniform and "MovementSpeed" in given:
                raise FormatError("it is false, so MovementSpeed can't be set")
        if uniform:
            stored["walk_speed"], stored["walk_speed_y"] = given.pop("MovementSpeed"), 0
            return
        stored["walk_speed"] = given.pop("MovementSpeedX", 0)
        with at_key("MovementSpeedY"):
            down = expect_integer(given.pop("MovementSpeedY", 0))
            if not down:
                raise FormatError("0 stands for UniformMovementSpeed")
        stored["walk_speed_y"] = down


def character(version: int) -> Object:
    """A character."""
    view = Counted()
    words: list[Word] = [
        Named("ScriptName", "script_name"),
        Named("RealName", "name"),
        Named("NormalView", "normal_view", view),
        Named("SpeechView", "talk_view", view),
        Named("IdleView", "idle_view", view),
        Named("ThinkingView", "think_view", view),
        Named("BlinkingView", "blink_view", view),
        Named("StartingRoom", "room"),
        Named("StartX", "x"),
        Named("StartY", "y"),
        _Speed(),
        Named("AnimationDelay", "animation_delay"),
        Named("SpeechAnimationDelay", "speech_animation_delay"),
        Named("IdleAnimationDelay", "idle_animation_delay"),
        Named("IdleDelay", "idle_delay"),
        Named("SpeechColor", "talk_colour"),
        Bits(
            "flags",
            {
                "!Solid": 0x200,
                "!Clickable": 4,
                "!UseRoomAreaScaling": 1,
                "!UseRoomAreaLighting": 0x20,
                "!TurnBeforeWalking": 0x40,
                "!DiagonalLoops": 8,
                "AdjustSpeedWithScaling": 0x400,
                "AdjustVolumeWithScaling": 0x1000,
                "MovementLinkedToAnimation": 0x20000,
                "TurnWhenFacing": 0x80000,
            },
        ),
        Named("Inventory", "inventory", Sparse(301)),
        Interactions(OBJECT_EVENTS),
        PROPERTIES,
    ]
    return Object(words, defaults(resources.Character, version))


def inventory_item(version: int) -> Object:
    """An inventory item."""
    words: list[Word] = [
        Named("Name", "script_name"),
        Named("Description", "name"),
        Named("Image", "picture"),
        Named("CursorImage", "cursor_picture"),
        Named("HotspotX", "hot_x"),
        Named("HotspotY", "hot_y"),
        Bits("flags", {"PlayerStartsWithItem": 1}),
        Interactions(INVENTORY_EVENTS),
        PROPERTIES,
    ]
    return Object(words, defaults(resources.InventoryItem, version))


def cursor(version: int) -> Object:
    """A mode of the mouse cursor."""
    words: list[Word] = [
        Named("Name", "name"),
        Named("Image", "picture"),
        Named("HotspotX", "hot_x"),
        Named("HotspotY", "hot_y"),
        Named("View", "view", Counted()),
        Inside(
            "options",
            [Named("AnimationDelay", "animation_delay")],
            defaults(extensions.CursorOptions, version),
        ),
        Bits(
            "flags",
            {
                "StandardMode": 4,
                "AnimateOnlyOnHotspots": 8,
                "AnimateOnlyWhenMoving": 1,
                "Disabled": 2,
            },
        ),
    ]
    return Object(words, defaults(resources.Cursor, version))


def view(version: int) -> Object:
    """A view: from 3.0 on with only the loops and frames that it has."""
    frame = Object(
        [
            Named("Image", "picture"),
            Bits("flags", {"Flipped": 1}),
            Named("Delay", "speed"),
            Named("Sound", "sound", quiet=-1),
        ],
        defaults(resources.Frame, version),
    )
    loop = Object([Bits("flags", {"RunNextLoop": 1}), Named("Frames", "frames", ListOf(frame))])
    return Object(
        [Named("Name", "name"), Named("Loops", "loops", ListOf(loop)), _OldFrames(frame)],
        defaults(resources.OldView, version),
    )


class _OldFrames(Word):
    """The 320 frames of a view before 3.0."""

    def __init__(self, frame: Shape) -> None:
        self._shape = ListOf(frame)

    def show(self, given: Json, shown: Json) -> None:
        if given.keys() >= {"loop_count", "frame_counts", "loop_flags", "frames"}:
            for field in ("loop_count", "frame_counts", "loop_flags"):
                shown[field] = given.pop(field)
            shown["Frames"] = self._shape.show(given.pop("frames"))

    def read(self, given: Json, stored: Json) -> None:
        if "Frames" in given:
            with at_key("Frames"):
                stored["frames"] = self._shape.read(given.pop("Frames"))


def font(version: int) -> Object:
    """A font."""
    option = [
        Named("AutoOutlineThickness", "outline_thickness"),
        Named("AutoOutlineStyle", "outline_style", NamedNumber({0: "Squared", 1: "Rounded"})),
        Named("CharacterSpacing", "character_spacing"),
        Named("CustomHeightValue", "custom_height"),
    ]
    place = [Named("VerticalOffset", "y_offset"), Named("LineSpacing", "line_spacing")]
    apart = GAME_FONT_SPACING <= version < GAME_FONT_RECORDS
    words: list[Word] = [
        Named("OutlineFont", "outline", NamedNumber({-1: "None", -10: "Automatic"})),
        *([Inside("spacing", place)] if apart else place),
        Inside("options", option, defaults(extensions.FontOptions, version)),
    ]  # fmt: skip
    if version >= GAME_FONT_RECORDS:
        words.insert(0, Named("Size", "size"))
        bits = {"SizeIsMultiplier": 1, "LineSpacingFromHeight": 2, "NominalHeight": 4}
        words.append(Bits("flags", {**bits, "AscenderFixup": 8, "CustomHeight": 16}))
    return Object(words)


def audio_clip(version: int) -> Object:
    """A sound or piece of music."""
    words: list[Word] = [
        Named("ScriptName", "script_name"),
        Named("FileName", "file_name"),
        Named("Index", "id"),
        Named("Type", "type"),
        Named("BundlingType", "bundling", NamedNumber({1: "InGameEXE", 2: "InSeparateVOX"})),
        Named("FileType", "file_type",
              NamedNumber({1: "OGG", 2: "MP3", 3: "WAV", 4: "VOC", 5: "MIDI", 6: "MOD"})),
        Named("DefaultVolume", "volume"),
        Named("DefaultPriority", "priority",
              NamedNumber({1: "VeryLow", 25: "Low", 50: "Normal", 75: "High", 100: "VeryHigh"})),
        Named("DefaultRepeat", "repeat", Truth()),
        PROPERTIES,
    ]  # fmt: skip
    return Object(words, defaults(resources.AudioClip, version))


def property_definition() -> Object:
    """A custom property that things may have."""
    return Object(
        [
            Named("Name", "name"),
            Named("Type", "type", NamedNumber({1: "Boolean", 2: "Number", 3: "Text"})),
            Named("Description", "description"),
            Named("DefaultValue", "default"),
        ]
    )
