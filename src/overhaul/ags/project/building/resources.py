"""Characters, items, cursors, fonts, views and sounds of a project as records of its game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from overhaul.ags.folder import forms
from overhaul.ags.game.extensions import CursorOptions, FontOptions
from overhaul.ags.game.resources import (
    AudioClip,
    AudioType,
    Character,
    Cursor,
    Font,
    FontSpacing,
    Frame,
    InventoryItem,
    Loop,
    View,
)
from overhaul.ags.project.building.reading import (
    ElementError,
    choice,
    number,
    record,
    take_number,
    take_text,
    text_of,
    unescaped,
    values_of,
    with_numbers,
)
from overhaul.ags.project.building.releases import Release
from overhaul.ags.project.lists import CROSSFADES
from overhaul.ags.properties import (
    HandlerTable,
    OldProperty,
    OldPropertyDefinition,
    Property,
    PropertyDefinition,
    PropertySchema,
    PropertySet,
)
from overhaul.ags.shapes import Json
from overhaul.document.xmltext import XmlNode

_GLOBAL_SCRIPT: Final = "GlobalScript.asc"
_ITEM_SLOTS: Final = 301
_PROPERTIES_2_SINCE: Final = (3, 4)
_PROPERTY_TYPES: Final = {"Boolean": 1, "Number": 2, "Text": 3}
_LOOPS: Final = 4
#: The bytes that the editor of 3.3 leaves between the fields of a frame.
_PADDED, _OLD_PADDING = 43, 4
#: The loops of a character that must have a frame: left and right.
_FRAMED: Final = (1, 2)


# -- what several kinds have -------------------------------------------------------------------


def handlers(node: XmlNode, names: Sequence[str]) -> list[str]:
    """The functions that events run, by the number of the event.  Raises ElementError."""
    made = [""] * len(names)
    found = node.find("Interactions")
    for event in () if found is None else found.all("Event"):
        index = event.attributes.get("Index", "")
        if not index.isdecimal() or int(index[:9]) >= len(made):
            raise ElementError(f"expected the Index of an event below {len(made)}, got {index!r}",
                               event)  # fmt: skip
        made[int(index)] = event.text
    return made


def handler_table(node: XmlNode, names: Sequence[str]) -> HandlerTable:
    """The same with the script that has the functions, as it is stored from 3.6.2 on."""
    module = node.find("Interactions/ScriptModule")
    name = _GLOBAL_SCRIPT if module is None else module.text
    return HandlerTable(script_module=name, handlers=handlers(node, names))


def properties(node: XmlNode, release: Release) -> PropertySet:
    """The custom properties of a thing; of two with one name the first counts."""
    made: dict[str, str] = {}
    found = node.find("Properties")
    for item in () if found is None else found.all("CustomProperty"):
        value = unescaped(text_of(item, "Value"), release)
        made.setdefault(text_of(item, "Name"), value)
    if release.since(*_PROPERTIES_2_SINCE):
        return PropertySet(2, values=[Property(*pair) for pair in made.items()])
    return PropertySet(1, old_values=[OldProperty(*pair) for pair in made.items()])


def no_properties(release: Release) -> PropertySet:
    """The properties of item 0, which is never used."""
    return PropertySet(1)


def property_schema(definitions: Iterable[XmlNode], release: Release) -> PropertySchema:
    """The custom properties that things may have."""
    new, old = [], []
    for item in definitions:
        name, kind = text_of(item, "Name"), choice(item, "Type", _PROPERTY_TYPES)
        description = unescaped(text_of(item, "Description"), release)
        default = unescaped(text_of(item, "DefaultValue"), release)
        new.append(PropertyDefinition(name, kind, description, default))
        old.append(OldPropertyDefinition(name, description, default, kind))
    if release.since(*_PROPERTIES_2_SINCE):
        return PropertySchema(2, definitions=new)
    return PropertySchema(1, old_definitions=old)


# -- people and things -------------------------------------------------------------------------


def character(node: XmlNode, release: Release, items: Sequence[int]) -> Character:
    """A character; ``items`` are the numbers of the items that it starts with."""
    values = values_of(node, release)
    identity = take_number(values, "ID")
    uniform = bool(values["UniformMovementSpeed"]) or not values["MovementSpeedY"]
    if not values["UniformMovementSpeed"] and uniform:
        values["MovementSpeed"] = values["MovementSpeedX"]
    values["UniformMovementSpeed"] = uniform
    for name in ("MovementSpeedX", "MovementSpeedY") if uniform else ("MovementSpeed",):
        del values[name]
    values["RealName"] = unescaped(take_text(values, "RealName"), release)
    values["ScriptName"] = take_text(values, "ScriptName")
    transparency = take_number(values, "Transparency")
    baseline = take_number(values, "Baseline")
    blocking = take_text(values, "BlockingRectangle")
    made = record(Character, forms.character(release.data), values, node, release.data)
    made.view = made.normal_view
    made.on = 1
    made.transparency = stored_transparency(transparency)
    made.baseline = baseline
    if blocking:
        made.blocking_x, made.blocking_y, made.blocking_width, made.blocking_height = _four(
            blocking, node
        )
    if release.since(3, 6, 3, 6):
        made.index_id = identity
    # the editor counts them from 0 here; the numbers in the items themselves count
    made.inventory = [1 if slot + 1 in items else 0 for slot in range(_ITEM_SLOTS)]
    return made


def _four(text: str, node: XmlNode) -> list[int]:
    """The numbers of a rectangle."""
    parts = [part.strip() for part in text.split(",")]
    if len(parts) != 4 or not all(part.removeprefix("-").isdecimal() for part in parts):
        found = node.find("BlockingRectangle")
        raise ElementError(f"expected four numbers, got {text[:40]!r}", found or node)
    return [int(part[:9]) for part in parts]


def stored_transparency(percent: int) -> int:
    """A transparency in per cent as it is stored: 255 is all of it, then 1 to 254 downwards."""
    if percent in (0, 100):
        return 255 if percent else 0
    return (100 - percent) * 25 // 10


def item(node: XmlNode, release: Release) -> InventoryItem:
    """An inventory item."""
    values = values_of(node, release)
    del values["ID"], values["Name"]
    values["Description"] = unescaped(take_text(values, "Description"), release)
    return record(InventoryItem, forms.inventory_item(release.data), values, node, release.data)


def cursor(node: XmlNode, release: Release) -> tuple[Cursor, CursorOptions]:
    """A mode of the mouse cursor, and what 3.6 stores more of it."""
    values = values_of(node, release)
    del values["ID"]
    options = CursorOptions(take_number(values, "AnimationDelay"))
    values["Name"] = take_text(values, "Name")
    if not values.pop("Animate"):
        values |= {"View": 0, "AnimateOnlyOnHotspots": False, "AnimateOnlyWhenMoving": False}
    made = record(Cursor, forms.cursor(release.data), values, node, release.data)
    return made, options


# -- fonts -------------------------------------------------------------------------------------

_OUTLINES: Final = {"None": -1, "Automatic": -10, "UseOutlineFont": 0}
_OUTLINE_STYLES: Final = {"Squared": 0, "Rounded": 1}
_FIXUPS: Final = {"None": 0, "SetAscenderToHeight": 8}
_HEIGHTS: Final = {"PixelHeight": 0, "NominalHeight": 4, "CustomValue": 16}


def outline(node: XmlNode) -> int:
    """The font that draws the outline, or how it is drawn."""
    stored = choice(node, "OutlineStyle", _OUTLINES, "None")
    return stored or number(node, "OutlineFont")


def font(node: XmlNode, release: Release, settings: XmlNode) -> tuple[Font, FontOptions]:
    """A font (from 3.5 on), and what 3.6 stores more of it."""
    size = number(node, "PointSize")
    times = number(node, "SizeMultiplier", 1)
    flags = 0 if size else 1
    if release.since(3, 6, 0, 11):
        flags |= choice(node, "TTFMetricsFixup", _FIXUPS, "None")
        above = node if release.since(3, 6, 3, 3) else settings
        name = "HeightDefinedBy" if above is node else "TTFHeightDefinedBy"
        flags |= choice(above, name, _HEIGHTS, "NominalHeight")
    made = Font(
        flags,
        size * times if size else times,
        outline(node),
        number(node, "VerticalOffset"),
        number(node, "LineSpacing"),
    )
    options = FontOptions(
        number(node, "AutoOutlineThickness"),
        choice(node, "AutoOutlineStyle", _OUTLINE_STYLES, "Squared"),
    )
    if release.since(3, 6, 3):
        options.character_spacing = number(node, "CharacterSpacing")
        options.custom_height = number(node, "CustomHeightValue")
    return made, options


def old_font_flags(node: XmlNode) -> int:
    """The one byte that a font has before 3.5: its size in points."""
    return number(node, "PointSize") & 0x3F


def font_spacing(node: XmlNode) -> FontSpacing:
    """Where a font's lines stand (3.4.1)."""
    return FontSpacing(number(node, "VerticalOffset"), number(node, "LineSpacing"))


# -- views -------------------------------------------------------------------------------------


def view(node: XmlNode, release: Release, sounds: Mapping[int, int], *, walks: bool) -> View:
    """A view; ``sounds`` are the numbers of sounds in the game by what frames call them.

    A view in which a character ``walks`` has four loops, and frames to the left and right, as the
    editor completes it.
    """
    loops = []
    found = node.find("Loops")
    for loop in () if found is None else found.all("Loop"):
        frames = loop.find("Frames")
        shown = values_of(loop, release)
        made = Loop(flags=1 if shown.get("RunNextLoop") in (True, "True") else 0)
        for frame in () if frames is None else frames.all("ViewFrame"):
            made.frames.append(_frame(frame, release, sounds))
        loops.append(made)
    if walks:
        loops += [Loop(frames=[]) for _ in range(len(loops), _LOOPS)]
        for index in _FRAMED:
            if not loops[index].frames:
                loops[index].frames.append(Frame(padding=_padding(release)))
    return View(loops)


def _padding(release: Release) -> int:
    return _OLD_PADDING if release.data == _PADDED else 0


def _frame(node: XmlNode, release: Release, sounds: Mapping[int, int]) -> Frame:
    return Frame(
        picture=number(node, "Image"),
        padding=_padding(release),
        speed=number(node, "Delay"),
        flags=choice(node, "Flipped", {"False": 0, "True": 1}, "False"),
        sound=sounds.get(number(node, "Sound"), -1) if release.has_clips else number(node, "Sound"),
    )


# -- sounds ------------------------------------------------------------------------------------

_PRIORITIES: Final = ("DefaultPriority", "DefaultVolume", "DefaultRepeat")
_BUNDLED: Final = {"InGameEXE": 1, "InSeparateVOX": 2}


def audio_type(node: XmlNode, place: int) -> AudioType:
    """A type of sounds."""
    return AudioType(
        place,
        number(node, "MaxChannels"),
        number(node, "VolumeReductionWhileSpeechPlaying"),
        choice(node, "CrossfadeClips", {name: value for value, name in CROSSFADES.items()}, "No"),
    )


def audio_clip(
    node: XmlNode, release: Release, inherited: Mapping[str, str], identity: int
) -> AudioClip:
    """A sound; ``inherited`` is what its folders say."""
    values: Json = {name: text_of(node, name) for name in _PRIORITIES}
    for name, none in zip(_PRIORITIES, ("Inherit", "-1", "Inherit"), strict=True):
        if values[name] in ("", none):
            values[name] = inherited.get(name, {"DefaultPriority": "Normal", "DefaultVolume": "100",
                                                "DefaultRepeat": "False"}[name])  # fmt: skip
    volume = str(values["DefaultVolume"])
    if not volume.removeprefix("-").isdecimal():
        raise ElementError(f"expected a volume, got {volume[:40]!r}", node)
    values["DefaultVolume"] = int(volume[:9])
    values["DefaultRepeat"] = values["DefaultRepeat"] == "True"
    values["ScriptName"] = text_of(node, "ScriptName")
    values["FileName"] = cache_name(node)
    values["Index"] = identity
    values["Type"] = number(node, "Type")
    values["FileType"] = text_of(node, "FileType")
    values["BundlingType"] = text_of(node, "BundlingType")
    with_numbers(values, ("FileType", "BundlingType", "DefaultPriority"))
    return record(AudioClip, forms.audio_clip(release.data), values, node, release.data)


def cache_name(node: XmlNode) -> str:
    """The name of a sound's file in the game: its fixed number, and the ending of its source."""
    source = text_of(node, "SourceFileName").replace("\\", "/").rpartition("/")[2]
    _, dot, ending = source.rpartition(".")
    return f"au{number(node, 'Index'):06X}{dot}{ending if dot else ''}"


def is_in_package(node: XmlNode) -> bool:
    """Whether a sound is in the game's package, and not in ``audio.vox``."""
    return choice(node, "BundlingType", _BUNDLED, "InGameEXE") == 1
