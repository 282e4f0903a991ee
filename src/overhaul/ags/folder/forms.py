"""The forms of what a game and a room have: the words that they show, in the editor's order.

The word of a field stands in its declaration; a word of several fields stands here.

Sources: the elements of ``Game.agf`` files of the editors 3.2.1 to 3.6.3, and the engine's
``Common/ac/characterinfo.h``, ``gamestructdefines.h`` and ``Common/gui/guidefines.h`` for flags.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final

from overhaul.ags.events import INVENTORY_EVENTS, OBJECT_EVENTS
from overhaul.ags.game import extensions, gui, kinds, resources
from overhaul.ags.game.game import COUNTS
from overhaul.ags.game.records import GameSettings
from overhaul.ags.parallel import ParallelKind
from overhaul.ags.properties import HandlerTable, Property, PropertyDefinition
from overhaul.ags.room import records as room_records
from overhaul.ags.room.room import KINDS
from overhaul.ags.shapes import Hints, Json, ListOf, Shape, by_event
from overhaul.ags.versions import GAME_FONT_RECORDS, GAME_FONT_SPACING
from overhaul.ags.words import Inside, Object, Shown, Word, defaults, form, words
from overhaul.document.hints import ANY, Hint
from overhaul.errors import FormatError
from overhaul.folder.json_fields import (
    at_key,
    expect_integer,
    expect_list,
    expect_object,
    show_value,
)
from overhaul.schema import Record

_HANDLERS: Final = 3060200


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

    def hint(self, stored: Hint = ANY) -> Hint:
        return self._list.hint()

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


PROPERTIES: Final = Shown(
    "Properties", OfFormat("values", form(0, Property, "name value")), field="properties"
)


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
    return form(
        version,
        resources.Character,
        "script_name name normal_view talk_view idle_view think_view blink_view room x y",
        _Speed(),
        "animation_delay speech_animation_delay idle_animation_delay idle_delay talk_colour flags",
        "inventory",
        Interactions(OBJECT_EVENTS),
        PROPERTIES,
    )


def inventory_item(version: int) -> Object:
    """An inventory item."""
    return form(
        version,
        resources.InventoryItem,
        "script_name name picture cursor_picture hot_x hot_y flags",
        Interactions(INVENTORY_EVENTS),
        PROPERTIES,
        more=kinds.INVENTORY.words,
    )


def cursor(version: int) -> Object:
    """A mode of the mouse cursor."""
    options = form(version, extensions.CursorOptions, "animation_delay")
    names = "name picture hot_x hot_y view"
    return form(version, resources.Cursor, names, Inside("options", options), "flags")


def view(version: int) -> Object:
    """A view: from 3.0 on with only its existing loops and frames."""
    frames = ListOf(form(version, resources.Frame, "picture flags speed sound"))
    loops = ListOf(form(version, resources.Loop, "flags", Shown("Frames", frames, field="frames")))
    own = Shown("Loops", loops, field="loops")
    return form(version, resources.OldView, "name", own, _OldFrames(frames), more=kinds.VIEWS.words)


class _OldFrames(Word):
    """The 320 frames of a view before 3.0."""

    def __init__(self, frames: ListOf) -> None:
        self._frames = frames

    def hints(self) -> Hints:
        return {"Frames": (self._frames.hint(), None)}

    def show(self, given: Json, shown: Json) -> None:
        if given.keys() >= {"loop_count", "frame_counts", "loop_flags", "frames"}:
            for field in ("loop_count", "frame_counts", "loop_flags"):
                shown[field] = given.pop(field)
            shown["Frames"] = self._frames.show(given.pop("frames"))

    def read(self, given: Json, stored: Json) -> None:
        if "Frames" in given:
            with at_key("Frames"):
                stored["frames"] = self._frames.read(given.pop("Frames"))


def font(version: int) -> Object:
    """A font."""
    place = list(words(version, "y_offset line_spacing", resources.Font))
    apart = GAME_FONT_SPACING <= version < GAME_FONT_RECORDS
    is_record = version >= GAME_FONT_RECORDS
    names = "outline_thickness outline_style character_spacing custom_height"
    return Object(
        [
            *words(version, "size outline" if is_record else "outline", resources.Font),
            *([Inside("spacing", Object(place))] if apart else place),
            Inside("options", form(version, extensions.FontOptions, names)),
            *words(version, "flags" if is_record else "", resources.Font),
        ]
    )


def audio_clip(version: int) -> Object:
    """A sound or piece of music."""
    names = "script_name file_name id type bundling file_type volume priority repeat"
    return form(version, resources.AudioClip, names, PROPERTIES)


# --- dialogs --------------------------------------------------------------------------------


class _Options(Word):
    """The options of a dialog before 3.6.3, which are stored in three lists of 30."""

    def hints(self) -> Hints:
        return {"Options": (ListOf(_OPTION).hint(), None)}

    def show(self, given: Json, shown: Json) -> None:
        lists = [given.get(name) for name in ("options", "option_flags", "entry_points")]
        count = given.get("option_count")
        texts, flags, points = lists
        if not (
            isinstance(texts, list) and isinstance(flags, list) and isinstance(points, list)
            and isinstance(count, int) and 0 <= count <= len(texts) == len(flags) == len(points)
        ):  # fmt: skip
            return
        for name in ("options", "option_flags", "entry_points", "option_count"):
            del given[name]
        rows = []
        for text, flag, point in zip(texts, flags, points, strict=True):
            stored: Json = {"text": text, "flags": flag}
            rows.append(_OPTION.shown({**stored, "entry_point": point} if point else stored))
        shown["Options"] = rows[:count]
        left = {
            str(number + 1): row
            for number, row in enumerate(rows[count:], count)
            if row != _NO_OPTION
        }
        if left:
            shown["UnusedOptions"] = left

    def read(self, given: Json, stored: Json) -> None:
        if "Options" not in given:
            return
        rows: list[Json] = [{}] * 30
        with at_key("Options"):
            options = expect_list(given.pop("Options"))
            if len(options) > len(rows):
                raise FormatError(f"a dialog has at most {len(rows)} options, got {len(options)}")
            for number, item in enumerate(options):
                with at_key("", number):
                    rows[number] = self._stored(expect_object(item))
        with at_key("UnusedOptions"):
            for key, item in expect_object(given.pop("UnusedOptions", {})).items():
                with at_key(key):
                    number = int(key) - 1 if key.isdecimal() and len(key) < 3 else -1
                    if not len(options) <= number < len(rows):
                        raise FormatError(
                            f"expected a number from {len(options) + 1} to {len(rows)}"
                        )
                    rows[number] = self._stored(expect_object(item))
        stored["options"] = [row.get("text", "") for row in rows]
        stored["option_flags"] = [row.get("flags", 0) for row in rows]
        stored["entry_points"] = [row.get("entry_point", 0) for row in rows]
        stored["option_count"] = len(options)

    @staticmethod
    def _stored(shown: Json) -> Json:
        stored = _OPTION.stored(shown)
        unknown = stored.keys() - {"text", "flags", "entry_point"}
        if unknown:
            raise FormatError(f"unknown field {min(unknown)!r}")
        return stored


_OPTION: Final = Object(words(0, "text flags", extensions.NewDialogOption))
_NO_OPTION: Final = {"Text": "", "Show": False, "Say": True}


#: The version of dialogs that a block has, as in games of 3.6.3 and later.
IN_BLOCK: Final = 3060300


def dialog(version: int) -> Object:
    """A dialog; ``version`` is that of the dialogs, :data:`IN_BLOCK` for those in a block."""
    names = words(version, "script_name flags", extensions.NewDialog)
    if version >= IN_BLOCK:
        options = ListOf(form(version, extensions.NewDialogOption, "text flags"))
        own = [Shown("Options", options, field="options")]
        return Object([*names, *own, PROPERTIES], defaults(extensions.NewDialog))
    script = words(version, "script", kinds.DIALOGS.words)
    return Object([*names, _Options(), *script, PROPERTIES], defaults(resources.Dialog))


# --- GUIs -----------------------------------------------------------------------------------

#: The records whose fields :data:`_LOOK` names; each type of control has one of them.
_LOOKS: Final = (
    extensions.ButtonLook,
    extensions.LabelLook,
    extensions.InventoryLook,
    extensions.SliderLook,
    extensions.TextBoxLook,
)
_LOOK: Final = (
    "background_colour border_colour border_width padding_x padding_y border_shade "
    "mouse_over_background pushed_background mouse_over_border pushed_border mouse_over_text "
    "pushed_text text_outline handle_colour"
)


def gui_window(version: int) -> Object:
    """A GUI, without its controls; ``version`` is that of the GUIs."""
    names = (
        "name x y width height flags popup_style popup_y z_order background_colour "
        "background_picture foreground_colour padding on_click script_module"
    )
    return form(version, gui.Gui, names, PROPERTIES, more=kinds.GUIS.words)


class _Handler(Word):
    """The one event of a control."""

    def __init__(self, name: str) -> None:
        self._name = name

    def hints(self) -> Hints:
        return {self._name: (Hint("text"), None)}

    def show(self, given: Json, shown: Json) -> None:
        value = given.get("events")
        if isinstance(value, list) and len(value) == 1:
            del given["events"]
            shown[self._name] = value[0]

    def read(self, given: Json, stored: Json) -> None:
        if self._name in given:
            stored["events"] = [given.pop(self._name)]


def _control(
    version: int,
    record: type[gui.Control],
    look: type[Record],
    *own: str | Word,
    in_look: str = "",
) -> Object:
    """A control: its ``own`` words between those of all, and those of its look."""
    listed = [*words(version, _LOOK, *_LOOKS), *words(version, in_look, look)]
    looks = Object(listed, {**defaults(look), "reserved": [0] * 4})
    shared = "name x y width height z_order flags"
    return form(version, record, shared, *own, Inside("look", looks), PROPERTIES)


def controls(version: int) -> dict[str, tuple[str, int, Object]]:
    """The controls by what people call them: the list that has them, the number of their type, and
    how one is shown; ``version`` is that of the GUIs."""
    padding = form(version, extensions.ButtonPadding, "x y")
    listed = {
        "Button": ("buttons", _control(
            version, gui.Button, extensions.ButtonLook,
            "picture mouse_over_picture pushed_picture text font text_colour alignment left_action "
            "left_data", Inside("padding", padding), _Handler("OnClick"), in_look="flags")),
        "Label": ("labels", _control(
            version, gui.Label, extensions.LabelLook, "text font text_colour alignment")),
        "InventoryWindow": ("inventory_windows", _control(
            version, gui.InventoryWindow, extensions.InventoryLook,
            "character item_width item_height")),
        "Slider": ("sliders", _control(
            version, gui.Slider, extensions.SliderLook,
            "minimum maximum value handle_picture handle_offset background_picture",
            _Handler("OnChange"))),
        "TextBox": ("text_boxes", _control(
            version, gui.TextBox, extensions.TextBoxLook, "text font text_colour box_flags",
            _Handler("OnActivate"), in_look="text_alignment")),
        "ListBox": ("list_boxes", _control(
            version, gui.ListBox, extensions.LabelLook,
            "font text_colour box_flags selected_text_colour selected_background_colour alignment",
            _Handler("OnSelectionChanged"))),
    }  # fmt: skip
    return {
        name: (rows, number, shape)
        for number, (name, (rows, shape)) in enumerate(listed.items(), 1)
    }


# --- the files of game data that have no thing of their own ------------------------------------

#: The version of GUIs that a new game has.
GUI_VERSION: Final = 119


def settings(version: int) -> Object:
    """The settings of a game."""
    names = (
        "name unique_id player_character total_score colour_depth resolution width height "
        "inventory_hot_sprite hot_dot_colour_16 hot_cross_colour_16 dialog_bullet options "
        "has_message"
    )
    # where counts are there, they do not follow
    said = (*COUNTS, "extension_offset")
    return form(version, GameSettings, names, loud=said)


def of_file(path: str, version: int) -> Object:
    """The words of a file."""
    if path == "game.json":
        save = form(version, resources.SaveInformation, "guid extension folder")
        return Object(
            [
                *(Shown(name, field=name) for name in ("version", "compiled_with", "capabilities")),
                Shown("Settings", settings(version), field="settings"),
                Shown("Saves", save, field="save"),
            ]
        )
    return _TABLES.get(path, _NOTHING)


_DEFINITION: Final = form(0, PropertyDefinition, "name type description default")
_DEFINITIONS: Final = OfFormat("definitions", _DEFINITION)
_PLUGINS: Final = ListOf(form(0, resources.Plugin, "name data"))
_TABLES: Final[dict[str, Object]] = {
    "properties.json": Object(
        [Shown("PropertyDefinitions", _DEFINITIONS, field="property_schema")]
    ),
    "plugins.json": Object([Shown("Plugins", _PLUGINS, field="plugins")]),
}
_NOTHING: Final = Object([])


# --- rooms ----------------------------------------------------------------------------------


class _Main(Word):
    """The fields of the main block, which stand at the top of room.json."""

    def __init__(self, inner: Object) -> None:
        self._inner = inner

    def hints(self) -> Hints:
        return self._inner.hints()

    @staticmethod
    def _is_main(block: object) -> bool:
        return isinstance(block, dict) and block.get("id") == room_records.MAIN_BLOCK

    def show(self, given: Json, shown: Json) -> None:
        blocks = given.get("blocks")
        if isinstance(blocks, list):
            made = list(blocks)
            for index, block in enumerate(made):
                if self._is_main(block) and isinstance(block.get("fields"), dict):
                    left = self._inner.give(block["fields"], shown)
                    made[index] = {**block, "fields": left}
            given["blocks"] = made

    def read(self, given: Json, stored: Json) -> None:
        fields = self._inner.take(given)
        if not fields or not isinstance(given.get("blocks"), list):
            given.update(fields)
            return
        made = expect_list(given["blocks"])[:]
        for index, block in enumerate(made):
            if isinstance(block, dict) and self._is_main(block) and "fields" in block:
                with at_key("blocks", index), at_key("fields"):
                    left = expect_object(block["fields"])
                    both = sorted(left.keys() & fields.keys())
                    if both:
                        with at_key(both[0]):
                            raise FormatError("it is there in other words too")
                made[index] = {**block, "fields": {**fields, **left}}
                fields = {}
        given["blocks"] = made
        given.update(fields)


#: The name of each kind of thing in a room, the record that has some of its fields, and the others.
_THINGS: Final[dict[str, tuple[str, type[Record], str]]] = {
    "hotspots": ("Hotspots", Record, "script_name name walk_to events"),
    "objects": (
        "Objects", room_records.RoomObject,
        "script_name name sprite x y on baseline flags events",
    ),
    "regions": ("Regions", Record, "name light tint events"),
    "walk_areas": (
        "WalkableAreas", Record,
        "name player_view scaling_far scaling_near scaling_top scaling_bottom",
    ),
    "walk_behinds": ("WalkBehinds", Record, "name baseline"),
    "messages": ("Messages", room_records.MessageInfo, "text display_as flags"),
}  # fmt: skip


def _things(kind: ParallelKind, version: int) -> Shown:
    """The things of a kind; an area of a mask has its number in the mask."""
    name, record, names = _THINGS[kind.name]
    properties = [] if kind.name in ("walk_behinds", "messages") else [PROPERTIES]
    element = form(version, record, names, *properties, more=kind.words)
    is_area = kind.name not in ("objects", "messages")
    return Shown(name, ListOf(element, numbered=is_area), field=kind.name)


@cache
def room(version: int) -> Object:
    """The value of room.json."""
    names = (
        "width height depth resolution edge_left edge_right edge_top edge_bottom player_off "
        "player_special_view saving_disabled start_music music_volume game_id room_events"
    )
    stays = ("background", "hotspot_count", "region_count", "walk_area_count", "message_count")
    return Object(
        [
            Shown("version", field="version"),
            Shown("compiled_with", field="compiled_with"),
            _Main(form(version, room_records.MainBlock, names, loud=stays)),
            *(_things(kind, version) for kind in KINDS),
        ]
    )
