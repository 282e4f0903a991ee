"""The forms of a game's things: the words that they show, in the editor's order.

The word of a field stands in its declaration; a word of several fields stands here.

Sources: the elements of ``Game.agf`` files of the editors 3.2.1 to 3.6.3, and the engine's
``Common/ac/characterinfo.h``, ``gamestructdefines.h`` and ``Common/gui/guidefines.h`` for flags.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from overhaul.ags.events import INVENTORY_EVENTS, OBJECT_EVENTS
from overhaul.ags.game import extensions, kinds, resources
from overhaul.ags.marks import by_event, words
from overhaul.ags.properties import HandlerTable, Property, PropertyDefinition
from overhaul.ags.shapes import Hints, Inside, Json, ListOf, Named, Object, Shape, Word
from overhaul.ags.versions import GAME_FONT_RECORDS, GAME_FONT_SPACING
from overhaul.document.hints import ANY, Hint
from overhaul.errors import FormatError
from overhaul.folder.json_fields import at_key, expect_integer, expect_object, show_value
from overhaul.schema import Record, Scheme
from overhaul.schema.jsonable import to_jsonable

_HANDLERS: Final = 3060200


def defaults(record: type[Record], version: int | None = None) -> Json:
    """What a record has in fields that nothing sets."""
    return dict(to_jsonable(record(), Scheme(version)))


# --- what several kinds have ----------------------------------------------------------------


class Interactions(Word):
    """The functions that events run, by event: ``Interactions``.

    From 3.6.2 on they are in a table with the script that has them, ``ScriptModule``; before, in a
    list.  A game may have both, if one is empty.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self._shape = by_event(names, all_known=False)

    def show(self, given: Json, shown: Json) -> None:
        table = given.get("handlers")
        if isinstance(table, dict) and not given.get("events") and self._is_usual(table):
            del given["handlers"]
            given.pop("events", None)
            shown["ScriptModule"] = table["script_module"]
            shown["Interactions"] = self._shape.show(table["handlers"])
        elif "events" in given:
            shown["Interactions"] = self._shape.show(given.pop("events"))

    def hints(self) -> Hints:
        functions = self._shape.hint(Hint("list", element=Hint("text")))
        return {"ScriptModule": (Hint("text"), None), "Interactions": (functions, None)}

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

    def hint(self, stored: Hint) -> Hint:
        return self._list.hint(ANY)

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


_PROPERTY: Final = Object(words(0, "name value", Property))
PROPERTIES: Final = Named("Properties", "properties", OfFormat("values", _PROPERTY))


# --- people and things ----------------------------------------------------------------------


class _Speed(Word):
    """How fast a character moves: MovementSpeed, or MovementSpeedX and MovementSpeedY."""

    def hints(self) -> Hints:
        speeds = ("MovementSpeed", "MovementSpeedX", "MovementSpeedY")
        numbers: Hints = {name: (Hint("integer"), None) for name in speeds}
        return {"UniformMovementSpeed": (Hint("flag"), None), **numbers}

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
    before = "script_name name normal_view talk_view idle_view think_view blink_view room x y"
    behind = (
        "animation_delay speech_animation_delay idle_animation_delay idle_delay talk_colour flags "
        "inventory"
    )
    return Object(
        [
            *words(version, before, resources.Character),
            _Speed(),
            *words(version, behind, resources.Character),
            Interactions(OBJECT_EVENTS),
            PROPERTIES,
        ],
        defaults(resources.Character, version),
    )


def inventory_item(version: int) -> Object:
    """An inventory item."""
    names = "script_name name picture cursor_picture hot_x hot_y flags"
    own = words(version, names, resources.InventoryItem, kinds.INVENTORY.marks)
    return Object(
        [*own, Interactions(INVENTORY_EVENTS), PROPERTIES],
        defaults(resources.InventoryItem, version),
    )


def cursor(version: int) -> Object:
    """A mode of the mouse cursor."""
    delay = words(version, "animation_delay", extensions.CursorOptions)
    return Object(
        [
            *words(version, "name picture hot_x hot_y view", resources.Cursor),
            Inside("options", delay, defaults(extensions.CursorOptions, version)),
            *words(version, "flags", resources.Cursor),
        ],
        defaults(resources.Cursor, version),
    )


def view(version: int) -> Object:
    """A view: from 3.0 on with only the loops and frames that it has."""
    frame = Object(
        words(version, "picture flags speed sound", resources.Frame),
        defaults(resources.Frame, version),
    )
    loop = Object(
        [*words(version, "flags", resources.Loop), Named("Frames", "frames", ListOf(frame))]
    )
    return Object(
        [
            *words(version, "name", kinds.VIEWS.marks),
            Named("Loops", "loops", ListOf(loop)),
            _OldFrames(frame),
        ],
        defaults(resources.OldView, version),
    )


class _OldFrames(Word):
    """The 320 frames of a view before 3.0."""

    def __init__(self, frame: Shape) -> None:
        self._shape = ListOf(frame)

    def hints(self) -> Hints:
        return {"Frames": (self._shape.hint(ANY), None)}

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
    place = words(version, "y_offset line_spacing", resources.Font)
    apart = GAME_FONT_SPACING <= version < GAME_FONT_RECORDS
    is_record = version >= GAME_FONT_RECORDS
    names = "outline_thickness outline_style character_spacing custom_height"
    options = words(version, names, extensions.FontOptions)
    return Object(
        [
            *words(version, "size outline" if is_record else "outline", resources.Font),
            *([Inside("spacing", place)] if apart else place),
            Inside("options", options, defaults(extensions.FontOptions, version)),
            *words(version, "flags" if is_record else "", resources.Font),
        ]
    )


def audio_clip(version: int) -> Object:
    """A sound or piece of music."""
    names = "script_name file_name id type bundling file_type volume priority repeat"
    return Object(
        [*words(version, names, resources.AudioClip), PROPERTIES],
        defaults(resources.AudioClip, version),
    )


def property_definition() -> Object:
    """A custom property that things may have."""
    return Object(words(0, "name type description default", PropertyDefinition))
