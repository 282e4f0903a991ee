"""The texts of a game in the order in which the editor lists them for a translation.

The game's name (from 3.6 on), the options and lines of dialogs, scripts, custom properties, labels
and buttons, names of characters and inventory items, messages; then by room its script, messages,
and the names of hotspots and objects.  Source: the editor's ``TextProcessingHelper.cs``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from overhaul.ags.documents.base import AgsDocument
from overhaul.ags.game.dialogs import disassemble, shown_text
from overhaul.ags.game.extensions import DialogsBlock
from overhaul.ags.game.gui import Button, GuiSection, Label
from overhaul.ags.game.old import EarlyCharacter, OldGameContent
from overhaul.ags.game.records import GameContent
from overhaul.ags.game.resources import Character
from overhaul.ags.properties import (
    OldProperty,
    OldPropertyDefinition,
    Property,
    PropertyDefinition,
    PropertySchema,
    PropertySet,
    TextMap,
)
from overhaul.ags.room.records import SOURCE_BLOCK, ObjectNames, RoomProperties, SourceText
from overhaul.ags.script.model import Script
from overhaul.ags.script.texts import ScriptText, script_texts, source_texts
from overhaul.translate.ags.game import GameWithRooms, RoomTexts

if TYPE_CHECKING:
    from overhaul.translate.rules import Rules


_DIALOGS: Final = "DialogScripts"
_BUTTON, _LABEL = 1, 2
_FIRST_MESSAGE: Final = 500
_INFORMATION: Final = ("description", "dev_name", "dev_url", "genre")
_TEXT_PROPERTY: Final = 3
#: who says a line of a dialog's code, apart from characters
_SPEAKERS: Final = {999: "narrator", 998: "player"}


@dataclass(frozen=True)
class TextPlace:
    """Where a text is: a file or part of the game with a line (0: none), and what shows it.

    ``font`` is the number of the font that is evident there, -1 for none; ``functions`` are those
    that get a text of a script.
    """

    where: str
    line: int = 0
    note: str = ""
    font: int = -1
    functions: tuple[str, ...] = ()


def find_texts(parts: GameWithRooms, rules: Rules | None = None) -> dict[str, list[TextPlace]]:
    """The places of each text that is translated, as people read it."""
    places: dict[str, list[TextPlace]] = {}
    for text, place in all_texts(parts):
        if decided(text, place, rules)[0]:
            places.setdefault(text, []).append(place)
    return places


def all_texts(parts: GameWithRooms) -> Iterator[tuple[str, TextPlace]]:
    """All texts as people read them, each with a place, in the order of the editor."""
    for document, text, place in _all(parts):
        shown = parts.shown(text, document)
        if shown.strip():
            yield shown, place


def stored_texts(parts: GameWithRooms) -> dict[str, str]:
    """The stored form of each text, by which the game looks it up."""
    texts: dict[str, str] = {}
    for document, text, _ in _all(parts):
        texts.setdefault(parts.shown(text, document), text.split("\0")[0])
    return texts


def decided(text: str, place: TextPlace, rules: Rules | None) -> tuple[bool, str]:
    """Whether a text at a place is translated, and why."""
    if text.startswith("//"):
        return False, "it begins like a comment of a .trs"
    if rules is not None:
        for choice, verb in ((rules.include, "includes"), (rules.exclude, "excludes")):
            functions = place.functions
            by_function = bool(functions) and all(choice.argument(f, 0) for f in functions)
            if choice.text(text) or choice.entry(place.where) or by_function:
                return verb == "includes", f"a rule {verb} it"
    return True, "the editor lists it for a translation"


def _all(parts: GameWithRooms) -> Iterator[tuple[AgsDocument, str, TextPlace]]:
    for text, place in _game(parts):
        yield parts.document, text, place
    for room in parts.rooms:
        for text, place in _room(parts, room):
            yield room.document, text, place


def _game(parts: GameWithRooms) -> Iterator[tuple[str, TextPlace]]:
    content = parts.content
    if parts.release() >= (3, 6):
        yield parts.name, TextPlace("game", note="the name of the game")
    infos = parts.game.blocks.find("v363_gameinfo", TextMap)
    if infos is not None:
        for key in _INFORMATION:
            yield infos.get(key) or "", TextPlace("game", note=f"the {key} of the game")
    scripts = dict(parts.game.scripts())
    spoken = script_texts(scripts.pop(_DIALOGS)) if _DIALOGS in scripts else []
    yield from _dialogs(parts, spoken)
    for name, script in scripts.items():
        yield from _of_script(name, script_texts(script))
    if isinstance(content, OldGameContent):
        if not isinstance(content.compiled_script, Script):
            yield from _of_script("GlobalScript", source_texts(content.source))
        for number, bar in enumerate(content.interfaces[: content.interface_count]):
            yield bar.text, TextPlace(f"interfaces/{number}", note="the text of a bar")
        yield from _guis(content.guis[1])
        yield from _named(content, [], [])
        yield from _messages(content.message_pointers, content.messages)
    else:
        yield from _schema(content.property_schema)
        yield from _guis(content.gui)
        yield from _named(content, content.character_properties, content.inventory_properties)
        yield from _messages(content.settings.has_message, content.messages)


def _named(
    content: GameContent | OldGameContent,
    of_characters: list[PropertySet],
    of_items: list[PropertySet],
) -> Iterator[tuple[str, TextPlace]]:
    """The names and properties of characters, and of inventory items."""
    characters: Sequence[Character | EarlyCharacter] = content.characters
    for number, character in enumerate(characters):
        where = f"characters/{character.script_name or number}"
        yield character.name, TextPlace(where, note="the name of a character")
        yield from _properties(content, of_characters[number : number + 1], where)
    items = content.inventory
    if isinstance(content, OldGameContent):
        items = items[: content.inventory_count]
    for number, item in enumerate(items):
        if number:
            yield item.name, TextPlace(f"inventory/{number}", note="the name of an inventory item")
            yield from _properties(content, of_items[number : number + 1], f"inventory/{number}")


def _schema(schema: PropertySchema) -> Iterator[tuple[str, TextPlace]]:
    for definition in _of_text(schema):
        note = f"what the property {definition.name} is by default"
        yield definition.default, TextPlace("properties", note=note)


def _of_text(schema: PropertySchema) -> list[PropertyDefinition | OldPropertyDefinition]:
    """The properties that have a text."""
    definitions: list[PropertyDefinition | OldPropertyDefinition]
    definitions = [*schema.old_definitions, *schema.definitions]
    return [definition for definition in definitions if definition.type == _TEXT_PROPERTY]


def _properties(
    content: GameContent | OldGameContent, sets: list[PropertySet], where: str
) -> Iterator[tuple[str, TextPlace]]:
    """The texts among the properties of a thing."""
    if isinstance(content, OldGameContent):
        return
    names = {schema.name for schema in _of_text(content.property_schema)}
    for owned in sets:
        values: list[Property | OldProperty] = [*owned.old_values, *owned.values]
        for value in values:
            if value.name in names:
                yield value.value, TextPlace(where, note=f"its property {value.name}")


def _guis(section: GuiSection) -> Iterator[tuple[str, TextPlace]]:
    """Labels and buttons, window by window."""
    lists: dict[int, Sequence[Button | Label]] = {
        _BUTTON: section.buttons,
        _LABEL: section.labels,
    }
    for gui in section.guis:
        for reference in gui.control_references:
            controls = lists.get(reference >> 16, [])
            number = reference & 0xFFFF
            if number < len(controls):
                control = controls[number]
                where = f"guis/{gui.name}/{control.name}".rstrip("/")
                note = "a label" if reference >> 16 == _LABEL else "a button"
                yield control.text, TextPlace(where, note=note, font=control.font)


def _messages(there: list[int], messages: list[str]) -> Iterator[tuple[str, TextPlace]]:
    numbers = (number for number, flag in enumerate(there) if flag)
    for number, text in zip(numbers, messages, strict=False):
        yield text, TextPlace(f"messages/{_FIRST_MESSAGE + number}", note="a global message")


def _of_script(name: str, texts: Iterable[ScriptText]) -> Iterator[tuple[str, TextPlace]]:
    for text in texts:
        where = text.section or name
        functions = tuple(use.rpartition(": ")[2] for use in text.uses)
        yield text.text, TextPlace(where, text.line, ", ".join(text.uses), functions=functions)


# --- dialogs --------------------------------------------------------------------------------


def _dialogs(parts: GameWithRooms, spoken: list[ScriptText]) -> Iterator[tuple[str, TextPlace]]:
    """The options and lines of each dialog; ``spoken`` are those of the dialogs' script."""
    content = parts.content
    version = parts.game.version
    by_dialog: dict[str, list[ScriptText]] = {}
    left = dict.fromkeys(_said(content, version))
    for text in spoken:
        by_dialog.setdefault(text.section, []).append(text)
    for number, options in enumerate(_options(parts)):
        name = f"Dialog {number}"
        for option in options:
            yield option, TextPlace(name, note="an option of the player")
        yield from _of_script(name, by_dialog.pop(name, []))
        if number < len(content.dialog_data):
            for line, place in _lines(parts, name, *content.dialog_data[number]):
                left.pop(line, None)
                yield line, place
    for texts in by_dialog.values():
        yield from _of_script(_DIALOGS, texts)
    for line in left:
        yield line, TextPlace(_DIALOGS, note="a line of a dialog")


def _options(parts: GameWithRooms) -> list[list[str]]:
    new = parts.game.blocks.find("v363_dialogsnew", DialogsBlock)
    if new is not None:
        return [[option.text for option in dialog.options] for dialog in new.dialogs]
    return [dialog.options[: max(0, dialog.option_count)] for dialog in parts.content.dialogs]


def _lines(
    parts: GameWithRooms, name: str, code: bytes, source: bytes
) -> Iterator[tuple[str, TextPlace]]:
    """The lines of a dialog before 3.1: from its code, or else from its source."""
    content = parts.content
    said = _said(content, parts.game.version)
    lines = disassemble(code)
    if lines is None:
        text = shown_text(source, parts.game.version)
        for number, line in enumerate(text.split("\n"), start=1):
            speaker, colon, words = line.strip().partition(":")
            if colon and speaker.isidentifier():
                yield words.strip(), TextPlace(name, number, f"{speaker}: say")
        return
    for line in lines:
        operation, *numbers = line.split()
        if operation == "say":
            who, at = map(int, numbers)
            if 0 <= at < len(said):
                yield said[at], TextPlace(name, note=f"{_speaker(content, who)}: say")


def _speaker(content: GameContent | OldGameContent, number: int) -> str:
    if 0 <= number < len(content.characters):
        return content.characters[number].script_name or f"character {number}"
    return _SPEAKERS.get(number, f"character {number}")


def _said(content: GameContent | OldGameContent, version: int) -> list[str]:
    """The lines of dialogs by number, before 3.1."""
    if isinstance(content, OldGameContent):
        return list(content.dialog_messages)
    lines = [shown_text(line, version) for line in content.speech_lines]
    if len(lines) == 1 and "\0" in lines[0]:
        return lines[0].split("\0")
    return [line.split("\0")[0] for line in lines]


# --- rooms ----------------------------------------------------------------------------------


def _room(parts: GameWithRooms, room: RoomTexts) -> Iterator[tuple[str, TextPlace]]:
    model = room.document.room
    where = f"room{room.number}"
    main = model.main
    if model.script is not None:
        yield from _of_script(where, script_texts(model.script))
    else:
        source = model.blocks.find(SOURCE_BLOCK, SourceText)
        if source is not None:
            yield from _of_script(where, source_texts(source.text))
    if main is None:
        return
    for number, message in enumerate(main.messages):
        yield message, TextPlace(f"{where}/messages/{number}", note="a message")
    properties = model.blocks.find(8, RoomProperties)
    sets = properties.sets if properties is not None else []
    if properties is not None:
        yield from _properties(parts.content, [properties.room], where)
    for number, name in enumerate(main.hotspot_names):
        yield name, TextPlace(f"{where}/hotspots/{number}", note="the name of a hotspot")
        yield from _properties(
            parts.content, sets[number : number + 1], f"{where}/hotspots/{number}"
        )
    names = model.blocks.find(5, ObjectNames)
    for number, name in enumerate(names.names if names is not None else ()):
        yield name, TextPlace(f"{where}/objects/{number}", note="the name of an object")
        at = len(main.hotspot_names) + number
        yield from _properties(parts.content, sets[at : at + 1], f"{where}/objects/{number}")
