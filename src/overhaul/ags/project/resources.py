"""The things of a game as objects of its project: people, items, cursors, fonts, views, dialogs.

They are taken from the files of the game's tree, whose words are the editor's.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from overhaul.ags.api import parse_version
from overhaul.ags.events import INVENTORY_EVENTS, OBJECT_EVENTS
from overhaul.ags.project.elements import Value, elements, group, leaf, node
from overhaul.ags.translating import escape
from overhaul.document.xmltext import XmlNode

#: Since when backslashes are escapes in texts that players read.
ESCAPED_SINCE: Final = (3, 6, 1, 4)
Json = Mapping[str, object]


def values_of(shown: Json) -> dict[str, Value]:
    """The fields of a thing that are single values; of a text what is before its first NUL."""
    return {
        name: text(value) if isinstance(value, str) else value
        for name, value in shown.items()
        if value is None or isinstance(value, str | int | bool)
    }


def authored(values: Mapping[str, Value], names: Iterable[str], version: str) -> dict[str, Value]:
    """The values with the texts of these names as the author of a project writes them.

    Editors since 3.6.1.4 read escapes in texts that players see.
    """
    if parse_version(version) < ESCAPED_SINCE:
        return dict(values)
    written = {name: escape(str(values[name])) for name in names if values.get(name)}
    return {**values, **written}


def text(value: object) -> str:
    """A text up to its first NUL, which ends it; empty for something else."""
    return value.partition("\0")[0] if isinstance(value, str) else ""


def objects(value: object) -> list[Json]:
    """A list of objects; empty for something else."""
    items = value if isinstance(value, list) else []
    return [item for item in items if isinstance(item, dict)]


def number(value: object, default: int = 0) -> int:
    """A whole number."""
    return value if isinstance(value, int) and not isinstance(value, bool) else default


def percent(stored: int) -> int:
    """A transparency in per cent, which is stored from 255 (a little of it) to 1; 255 is all."""
    if stored in (0, 255):
        return 100 if stored else 0
    return 100 - -(-stored * 10 // 25)


def interactions(shown: Json, names: Sequence[str], version: str) -> XmlNode:
    """The functions that events run, by the number of the event."""
    handlers = shown.get("Interactions")
    given = handlers if isinstance(handlers, dict) else {}
    if isinstance(handlers, list):
        given = dict(zip(names, handlers, strict=False))
    events = [
        XmlNode("Event", text(given.get(name)), {"Index": str(index)})
        for index, name in enumerate(names)
    ]
    module = [
        leaf("ScriptModule", text(shown.get("ScriptModule")))
        for element in elements("NormalGUI", version)
        if element.name == "ScriptModule"
    ]
    return group("Interactions", [*module, *events])


def properties(shown: Json, version: str) -> XmlNode:
    """The custom properties of a thing."""
    items = [
        node("CustomProperty", authored(values_of(item), ("Value",), version), version)
        for item in objects(_either(shown.get("Properties"), "old_values"))
    ]
    return group("Properties", items)


def _either(shown: object, old: str) -> object:
    """A list that is an object in games before 3.4, with the name ``old`` in it and other words."""
    if not isinstance(shown, dict):
        return shown
    words = {"name": "Name", "value": "Value", "description": "Description",
             "default": "DefaultValue", "type": "Type"}  # fmt: skip
    return [
        {words.get(key, key): _TYPES.get(value, value) if key == "type" else value
         for key, value in item.items()}
        for item in objects(shown.get(old))
    ]  # fmt: skip


#: The types of custom properties.
_TYPES: Final[Mapping[object, str]] = {1: "Boolean", 2: "Number", 3: "Text"}


def characters(shown: Iterable[Json], version: str) -> list[XmlNode]:
    """The characters."""
    made = []
    for thing in shown:
        values = authored(values_of(thing), ("RealName",), version)
        if not values.get("UniformMovementSpeed", True):
            values.setdefault("MovementSpeed", values.get("MovementSpeedX"))
        values["Transparency"] = percent(number(thing.get("transparency")))
        values["Baseline"] = number(thing.get("baseline"))
        corners = (number(thing.get(f"blocking_{name}")) for name in ("x", "y", "width", "height"))
        values["BlockingRectangle"] = ",".join(map(str, corners))
        groups = [properties(thing, version), interactions(thing, OBJECT_EVENTS, version)]
        made.append(node("Character", values, version, groups=groups))
    return made


def inventory(shown: Iterable[Json], version: str) -> list[XmlNode]:
    """The inventory items; item 0 is not in projects."""
    return [
        node(
            "InventoryItem",
            authored(values_of(thing), ("Description",), version),
            version,
            groups=[properties(thing, version), interactions(thing, INVENTORY_EVENTS, version)],
        )
        for thing in shown
        if thing.get("ID")
    ]


def cursors(shown: Iterable[Json], version: str) -> list[XmlNode]:
    """The modes of the mouse cursor; one without a view has 0 for it.

    The game stores the view and how it animates of those only that animate.
    """
    made = []
    for thing in shown:
        values = values_of(thing)
        values["Animate"] = number(thing.get("View")) > 0 or any(map(thing.get, _ANIMATED))
        values["Name"] = _cursor_name(thing)
        made.append(node("MouseCursor", values, version))
    return made


_ANIMATED: Final = ("AnimateOnlyOnHotspots", "AnimateOnlyWhenMoving")


def _cursor_name(thing: Json) -> str:
    """The name of a cursor: the game has nine bytes of it, and all of its letters."""
    letters = text(thing.get("Name")).removeprefix("eMode")
    short = text(thing.get("short_name"))
    begins = _NO_LETTER.sub("", short)
    if not begins or not letters.startswith(begins):
        return letters
    return short + letters[len(begins) :]


_NO_LETTER: Final = re.compile(r"[^A-Za-z0-9_]")
_OUTLINES: Final = ("None", "Automatic")
_OPTIONS_APART: Final = (3, 6, 3, 4)


def fonts(shown: Iterable[Json], version: str) -> list[XmlNode]:
    """The fonts; the game does not store what they are called."""
    made = []
    for thing in shown:
        values = values_of(thing)
        outline = values.get("OutlineFont")
        named = isinstance(outline, str) and outline in _OUTLINES
        values["OutlineStyle"] = outline if named else "UseOutlineFont"
        values["OutlineFont"] = 0 if named else outline
        # before 3.5 the flags are the size
        size = number(thing.get("Size", thing.get("flags")))
        if thing.get("SizeIsMultiplier"):
            values["PointSize"], values["SizeMultiplier"] = 0, size
        else:
            values["PointSize"], values["SizeMultiplier"] = size, 1
        values["Name"] = f"Font {thing.get('ID', 0)}"
        values["HeightDefinedBy"] = height_defined_by(thing)
        values["TTFMetricsFixup"] = "SetAscenderToHeight" if thing.get("AscenderFixup") else "None"
        made.append(node("Font", values, version))
    return made


def height_defined_by(font: Json) -> str:
    """The meaning of the height of a vector font."""
    if font.get("CustomHeight"):
        return "CustomValue"
    return "NominalHeight" if font.get("NominalHeight") else "PixelHeight"


def views(
    shown: Iterable[Json], version: str, sounds: Mapping[int, int] | None = None
) -> list[XmlNode]:
    """The views with their loops and frames.

    ``sounds`` are the fixed indexes of sounds by their numbers in the game; None for a game before
    3.2, where frames have the number of a file.
    """
    made = []
    for thing in shown:
        loops = []
        for index, loop in enumerate(objects(thing.get("Loops"))):
            frames = [
                node("ViewFrame", _frame(frame, position, sounds), version)
                for position, frame in enumerate(objects(loop.get("Frames")))
            ]
            values = {**values_of(loop), "ID": index}
            loops.append(node("Loop", values, version, groups=[group("Frames", frames)]))
        made.append(node("View", values_of(thing), version, groups=[group("Loops", loops)]))
    return made


def _frame(frame: Json, position: int, sounds: Mapping[int, int] | None) -> dict[str, Value]:
    sound = number(frame.get("Sound"), -1)
    index = max(0, sound) if sounds is None else sounds.get(sound, 0)
    return {**values_of(frame), "ID": position, "Sound": index}


def dialogs(shown: Iterable[Json], scripts: Mapping[int, str], version: str) -> list[XmlNode]:
    """The dialogs with their options and their scripts, by their numbers."""
    made = []
    # a block has these texts as they are written
    names = () if parse_version(version) >= _OPTIONS_APART else ("Text",)
    for thing in shown:
        options = [
            node(
                "DialogOption",
                {**authored(values_of(option), names, version), "ID": index},
                version,
            )
            for index, option in enumerate(objects(thing.get("Options")), 1)
        ]
        script = XmlNode("Script", scripts.get(number(thing.get("ID")), ""), cdata=True)
        groups = [script, group("DialogOptions", options)]
        made_dialog = node("Dialog", values_of(thing), version, groups=groups)
        made_dialog.children = [
            child for child in made_dialog.children if child.tag != "Script" or child is script
        ]
        made.append(made_dialog)
    return made


def property_definitions(shown: Json, version: str) -> list[XmlNode]:
    """The custom properties that a game defines."""
    names = ("Description", "DefaultValue")
    return [
        node("CustomPropertySchemaItem", authored(values_of(item), names, version), version)
        for item in objects(_either(shown.get("PropertyDefinitions"), "old_definitions"))
    ]
