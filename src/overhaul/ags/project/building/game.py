"""The data of a game, made of its project and its compiled scripts."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from overhaul.ags.agf.dialogs import SCRIPT_NAME
from overhaul.ags.blockdata import DecodedBlocks
from overhaul.ags.blocks import GAME
from overhaul.ags.events import INVENTORY_EVENTS, OBJECT_EVENTS
from overhaul.ags.game.extensions import (
    ButtonPaddingBlock,
    CursorOptionsBlock,
    DialogsBlock,
    EventsBlock,
    FontOptionsBlock,
    NamesBlock,
    ScriptEventsBlock,
)
from overhaul.ags.game.game import Game
from overhaul.ags.game.records import GameContent
from overhaul.ags.game.resources import (
    AudioType,
    InventoryItem,
    Plugin,
    RoomName,
    SaveInformation,
    View,
    Word,
)
from overhaul.ags.project.building import dialogs, resources
from overhaul.ags.project.building.guis import Windows, windows
from overhaul.ags.project.building.limits import shorten
from overhaul.ags.project.building.reading import (
    ElementError,
    choice,
    number,
    text_of,
    unescaped,
)
from overhaul.ags.project.building.reading import listed_elements as listed
from overhaul.ags.project.building.releases import Release
from overhaul.ags.project.building.settings import information_of, settings_of
from overhaul.ags.project.lists import COLOURS
from overhaul.ags.properties import HandlerTable
from overhaul.ags.script.model import Script
from overhaul.ags.versions import GAME_FONT_RECORDS
from overhaul.document.xmltext import XmlNode
from overhaul.findings import Findings
from overhaul.schema import Record

GLOBAL_SCRIPT: Final = "GlobalScript.asc"
_MESSAGES: Final = range(500, 1000)
_LIP_FRAMES: Final = 20
_MOST_ITEMS: Final = 301
_FILLER_SINCE: Final = (3, 6, 3, 3)
_NAMED_EVENTS_SINCE: Final = (3, 6, 2)
_DIALOGS_APART_SINCE: Final = (3, 6, 3, 4)
_FIXED_SOUNDS_SINCE: Final = (3, 5, 0, 15)
_OLD_FLAGS: Final = 30000
_HIGH, _ALPHA, _OWN_RESOLUTION = 1, 16, 32
_NO_LETTER: Final = re.compile(r"[^A-Za-z0-9_]")


#: Whether mouths move by the letters of texts.
_LIP_SYNC: Final = {"None": 0, "Text": 1, "PamelaVoiceFiles": 0}


@dataclass(slots=True)
class Compiled:
    """The compiled scripts of a project: modules by their files, without the global script."""

    main: Script
    dialogs: Script
    modules: dict[str, Script] = field(default_factory=dict)


class GameBuilder:
    """Makes the sections of a game's data of the elements of a project.

    ``game`` is the element of the game, with its texts in the encoding of the game; ``findings``
    are warnings about texts that have no room.
    """

    def __init__(self, game: XmlNode, release: Release) -> None:
        self.game = game
        self.release = release
        self.findings = Findings()
        self.settings: XmlNode = game.find("Settings") or XmlNode("Settings")
        self.characters: list[XmlNode] = self._numbered("Characters", "Character", 0)
        self.items: list[XmlNode] = self._numbered("InventoryItems", "InventoryItem", 1)
        self.dialogs: list[XmlNode] = self._numbered("Dialogs", "Dialog", 0)
        self.cursors: list[XmlNode] = self._numbered("Cursors", "MouseCursor", 0)
        self.fonts: list[XmlNode] = self._numbered("Fonts", "Font", 0)
        self.clips: list[tuple[XmlNode, dict[str, str]]] = list(self._clips())
        #: The numbers of sounds in the game, by their fixed indexes.
        self.sounds: dict[int, int] = {}
        for place, (clip, _) in enumerate(self.clips):
            self.sounds.setdefault(number(clip, "Index"), self._sound_number(clip, place))
        self.sounds.pop(0, None)

    # -- lists ---------------------------------------------------------------------------------

    def _numbered(self, section: str, tag: str, first: int) -> list[XmlNode]:
        """The things of a list by their numbers, which have no gap.  Raises ElementError."""
        nodes = sorted(listed(self.game, section, tag), key=lambda node: number(node, "ID"))
        for place, node in enumerate(nodes, first):
            if number(node, "ID") != place:
                raise ElementError(
                    f"expected the number {place}, got {number(node, 'ID')}: things of a kind are "
                    "numbered without gaps",
                    node.find("ID") or node,
                    code="duplicate" if number(node, "ID") < place else "invalid",
                )
        return nodes

    def _guis(self) -> list[XmlNode]:
        """The GUIs by their numbers."""

        def key(node: XmlNode) -> int:
            return number(node.children[0], "ID") if node.children else 0

        nodes = sorted(listed(self.game, "GUIs", "GUIMain"), key=key)
        for place, node in enumerate(nodes):
            if key(node) != place:
                raise ElementError(f"expected the number {place}, got {key(node)}: GUIs are "
                                   "numbered without gaps", node)  # fmt: skip
        return nodes

    def _clips(self) -> list[tuple[XmlNode, dict[str, str]]]:
        """The sounds with what their folders say, in the order of the game."""
        section = self.game.find("AudioClips")
        found: list[tuple[XmlNode, dict[str, str]]] = []
        if section is not None:
            for folder in section.all("AudioClipFolder"):
                found += clips_of(folder, {})
        if self.release.since(*_FIXED_SOUNDS_SINCE):
            found.sort(key=lambda pair: number(pair[0], "ID"))
        return found

    def _sound_number(self, clip: XmlNode, place: int) -> int:
        return number(clip, "ID") if self.release.since(*_FIXED_SOUNDS_SINCE) else place

    # -- all of it -----------------------------------------------------------------------------

    def build(self, scripts: Compiled) -> Game:
        """The data of the game.  Raises ElementError."""
        game = Game(self.release.data)
        game.header.compiled_with = self.release.name
        content = game.content = GameContent()
        content.settings = settings_of(self.game, self.release)
        content.gui_version = self.release.gui
        guis = windows(self._guis(), self.release)
        content.gui = guis.section
        self._first(content)
        self._fonts(content)
        self._events(content)
        self._scripts(content, scripts)
        self._views(content)
        self._people(content)
        self._texts(content)
        self._dialogs(content)
        self._properties(content)
        self._sounds(content)
        settings = content.settings
        settings.gui_count = len(content.gui.guis)
        game.blocks = DecodedBlocks(GAME, self.release.data)
        self._blocks(game.blocks, content, guis, scripts)
        game.offset_follows = self.release.since(3, 6, 1, 14)
        return game

    def _first(self, content: GameContent) -> None:
        """The settings that follow from lists, colours, saves, sprites."""
        settings = content.settings
        colours = self.game.find("Palette")
        palette, uses = bytearray(1024), bytearray(256)
        filler = 255 if self.release.since(*_FILLER_SINCE) else 0
        kinds = {name: use for use, name in COLOURS.items()}
        for entry in () if colours is None else colours.all("PaletteEntry"):
            index = entry.attributes.get("Index", "")
            if not index.isdecimal() or int(index[:9]) > 255:
                raise ElementError(f"expected an Index up to 255, got {index!r}", entry)
            red, green, blue = (_component(entry, name) for name in ("Red", "Green", "Blue"))
            palette[4 * int(index) : 4 * int(index) + 4] = bytes((red, green, blue, filler))
            uses[int(index)] = kinds.get(entry.attributes.get("Type", "Gamewide"), 0)
        settings.palette, settings.palette_uses = bytes(palette), bytes(uses)
        settings.default_lip_sync_frame = number(self.game, "LipSync/DefaultFrame")
        settings.options[99] = choice(self.game, "LipSync/Type", _LIP_SYNC, "None")
        settings.has_dictionary, settings.has_script = 1, 1
        content.save = SaveInformation(
            text_of(self.settings, "GUIDAsString"),
            self._extension(),
            text_of(self.settings, "SaveGameFolderName"),
        )
        content.sprite_flags = self._sprite_flags()

    def _extension(self) -> str:
        """The ending of saves: before 3.6 only where the game says that it has its own."""
        own = text_of(self.settings, "EnhancedSaveGames") == "True"
        if self.release.since(3, 4) or own:
            return text_of(self.settings, "SaveGameFileExtension")
        return ""

    def _sprite_flags(self) -> bytes:
        """The project's flags of each sprite."""
        flags = bytearray() if self.release.since(3, 5) else bytearray(_OLD_FLAGS)
        for sprite in listed(self.game, "Sprites", "Sprite"):
            slot = sprite.attributes.get("Slot", "")
            if not slot.isdecimal() or int(slot[:9]) > 1 << 20:
                raise ElementError(f"expected the number of a sprite as the Slot, got {slot!r}",
                                   sprite)  # fmt: skip
            if int(slot) >= len(flags):
                if not self.release.since(3, 5):
                    raise ElementError(f"sprites have numbers below {_OLD_FLAGS}", sprite)
                flags += bytes(int(slot) + 1 - len(flags))
            said = sprite.attributes.get("Resolution", "LowRes")
            flag = _HIGH if said == "HighRes" else 0
            if self.release.since(3, 5) and said != "Real":
                flag |= _OWN_RESOLUTION
            if sprite.attributes.get("AlphaChannel") == "True":
                flag |= _ALPHA
            flags[int(slot)] = flag
        return bytes(flags)

    def _fonts(self, content: GameContent) -> None:
        content.settings.font_count = len(self.fonts)
        if self.release.data >= GAME_FONT_RECORDS:
            content.fonts = [
                resources.font(node, self.release, self.settings)[0] for node in self.fonts
            ]
            return
        content.font_flags = [resources.old_font_flags(node) for node in self.fonts]
        content.font_outlines = [resources.outline(node) for node in self.fonts]
        content.font_offsets = [number(node, "VerticalOffset") for node in self.fonts]
        content.font_spacings = [resources.font_spacing(node) for node in self.fonts]

    def _events(self, content: GameContent) -> None:
        """The items and cursors, and the functions that events run."""
        if len(self.items) + 1 > _MOST_ITEMS:
            raise ElementError(f"a game has at most {_MOST_ITEMS - 1} items", self.items[-1])
        content.inventory = [
            InventoryItem(), *(resources.item(node, self.release) for node in self.items)
        ]  # fmt: skip
        content.settings.inventory_count = len(content.inventory)
        content.cursors = [resources.cursor(node, self.release)[0] for node in self.cursors]
        content.settings.cursor_count = len(content.cursors)
        apart = self.release.since(*_NAMED_EVENTS_SINCE)
        content.character_events = [
            [] if apart else resources.handlers(node, OBJECT_EVENTS) for node in self.characters
        ]
        content.inventory_events = [
            [] if apart else resources.handlers(node, INVENTORY_EVENTS) for node in self.items
        ]

    def _scripts(self, content: GameContent, scripts: Compiled) -> None:
        words = self.game.find("TextParser/Words")
        for node in () if words is None else words.all("TextParserWord"):
            group = number(node, "WordGroup")
            text = text_of(node, "Word")
            if self.release.since(3, 6, 3):
                parts = [part.strip() for part in text.split(",")]
                content.dictionary += [Word(part, group) for part in parts if part]
            else:
                content.dictionary.append(Word(text, group))
        content.global_script, content.dialog_script = scripts.main, scripts.dialogs
        content.script_modules = list(scripts.modules.values())

    def _views(self, content: GameContent) -> None:
        """The views up to the highest number; a number without a view has no loops."""
        nodes = {number(node, "ID"): node for node in listed(self.game, "Views", "View")}
        walking = {number(node, "NormalView") for node in self.characters}
        highest = max(nodes, default=0)
        if highest > 1 << 16 or min(nodes, default=1) < 1:
            node = nodes[highest if highest > 1 << 16 else min(nodes)]
            raise ElementError("expected the number of a view, from 1 on", node.find("ID") or node)
        for view in range(1, highest + 1):
            found = nodes.get(view)
            made = View()
            if found is not None:
                walks = view in walking
                made = resources.view(found, self.release, self.sounds, walks=walks)
            content.views.append(made)
            content.view_names.append("" if found is None else text_of(found, "Name"))
        content.settings.view_count = highest

    def _people(self, content: GameContent) -> None:
        carried = [
            number(node, "ID")
            for node in self.items
            if text_of(node, "PlayerStartsWithItem") == "True"
        ]
        player = number(self.game, "PlayerCharacter") if self.release.since(3, 4) else -1
        content.characters = [
            resources.character(node, self.release, carried if place == player else ())
            for place, node in enumerate(self.characters)
        ]
        content.settings.character_count = len(content.characters)

    def _texts(self, content: GameContent) -> None:
        """The letters of lip synchronisation, and the messages of old games."""
        frames = self.game.find("LipSync/Frames")
        letters = [] if frames is None else [node.text for node in frames.all("CharsForFrame")]
        content.lip_sync = (letters + [""] * _LIP_FRAMES)[:_LIP_FRAMES]
        said = self.game.find("GlobalMessages")
        texts = {} if said is None else {
            node.attributes.get("ID", ""): node.text for node in said.all("Message")
        }  # fmt: skip
        shown = [texts.get(str(identity), "") for identity in _MESSAGES]
        content.settings.has_message = [1 if text else 0 for text in shown]
        content.messages = [text for text in shown if text]

    def _dialogs(self, content: GameContent) -> None:
        if self.release.since(*_DIALOGS_APART_SINCE):
            return
        content.dialogs = [dialogs.dialog(node, self.release) for node in self.dialogs]
        content.dialog_script_names = [text_of(node, "Name") for node in self.dialogs]
        content.settings.dialog_count = len(content.dialogs)

    def _properties(self, content: GameContent) -> None:
        """Plugins, custom properties, names of things."""
        for node in listed(self.game, "Plugins", "Plugin"):
            content.plugins.append(Plugin(text_of(node, "FileName"), _plugin_data(node)))
        section = self.game.find("PropertyDefinitions")
        items = [] if section is None else list(section.all("CustomPropertySchemaItem"))
        content.property_schema = resources.property_schema(items, self.release)
        content.character_properties = [
            resources.properties(node, self.release) for node in self.characters
        ]
        content.inventory_properties = [
            resources.no_properties(self.release),
            *(resources.properties(node, self.release) for node in self.items),
        ]
        content.inventory_script_names = ["", *(text_of(node, "Name") for node in self.items)]

    def _sounds(self, content: GameContent) -> None:
        content.audio_types = [AudioType(0, 1)]
        for place, node in enumerate(listed(self.game, "AudioClipTypes", "AudioClipType"), 1):
            content.audio_types.append(resources.audio_type(node, place))
        fixed = self.release.since(*_FIXED_SOUNDS_SINCE)
        content.audio_clips = [
            resources.audio_clip(node, self.release, above, number(node, "ID") if fixed else 0)
            for node, above in self.clips
        ]
        content.score_clip = self.sounds.get(number(self.settings, "PlaySoundOnScore"), -1)
        if content.settings.options[0]:
            rooms = sorted(
                listed(self.game, "Rooms", "UnloadedRoom"), key=lambda node: number(node, "Number")
            )
            content.room_names = [
                RoomName(number(node, "Number"), self._room_name(node)) for node in rooms
            ]

    def _room_name(self, node: XmlNode) -> str:
        return unescaped(text_of(node, "Description"), self.release)[:500]

    # -- extension blocks ----------------------------------------------------------------------

    def _blocks(
        self, blocks: DecodedBlocks, content: GameContent, guis: Windows, scripts: Compiled
    ) -> None:
        makers: Mapping[str, Callable[[], Record]] = {
            "v360_fonts": self._font_options,
            "v360_cursors": self._cursor_options,
            "v361_objnames": NamesBlock,  # the names are those of the things
            "v362_interevents": lambda: EventsBlock(
                self._tables(self.characters, OBJECT_EVENTS), self._item_tables(), guis.modules
            ),
            "v362_interevent2": lambda: ScriptEventsBlock(
                GLOBAL_SCRIPT,
                SCRIPT_NAME,
                list(scripts.modules),
                self._tables(self.characters, OBJECT_EVENTS),
                self._item_tables(),
                guis.modules,
            ),
            "v362_guictrls": lambda: ButtonPaddingBlock(guis.padding),
            "v363_gameinfo": lambda: information_of(self.settings, self.release),
            "v363_dialogsnew": lambda: DialogsBlock(list(map(dialogs.new_dialog, self.dialogs))),
            "v363_guictrls2": lambda: guis.looks,
        }
        for name in self.release.blocks:
            blocks.add(name, makers[name]())
        has_full = "v361_objnames" in self.release.blocks
        self.findings += shorten(content, self.release, self.game, has_full=has_full)
        if has_full:  # cursors have their names in scripts there, and the game its name unchanged
            content.settings.name = text_of(self.settings, "GameName")
            for node, cursor in zip(self.cursors, content.cursors, strict=True):
                letters = _NO_LETTER.sub("", text_of(node, "Name"))
                cursor.name = f"eMode{letters}" if letters else ""

    def _font_options(self) -> FontOptionsBlock:
        return FontOptionsBlock(
            [resources.font(node, self.release, self.settings)[1] for node in self.fonts]
        )

    def _cursor_options(self) -> CursorOptionsBlock:
        return CursorOptionsBlock(
            [resources.cursor(node, self.release)[1] for node in self.cursors]
        )

    def _tables(self, nodes: Sequence[XmlNode], names: Sequence[str]) -> list[HandlerTable]:
        return [resources.handler_table(node, names) for node in nodes]

    def _item_tables(self) -> list[HandlerTable]:
        return [HandlerTable(), *self._tables(self.items, INVENTORY_EVENTS)]


def clips_of(folder: XmlNode, above: Mapping[str, str]) -> list[tuple[XmlNode, dict[str, str]]]:
    """The sounds of a folder, then those of the folders in it, with what the folders say.

    A folder's own settings are in an element of its class without sounds.
    """
    own = dict(above)
    for child in folder.all("AudioClipFolder"):
        if child.find("AudioClips") is None:
            for leaf in child.children:
                if leaf.text and leaf.text not in ("Inherit", "-1"):
                    own[leaf.tag] = leaf.text
    found: list[tuple[XmlNode, dict[str, str]]] = []
    clips = folder.find("AudioClips")
    for clip in () if clips is None else clips.all("AudioClip"):
        found.append((clip, own))
    inside = folder.find("SubFolders")
    for child in () if inside is None else inside.all("AudioClipFolder"):
        found += clips_of(child, own)
    return found


def _component(entry: XmlNode, name: str) -> int:
    text = entry.attributes.get(name, "0")
    if not text.isdecimal() or int(text[:9]) > 255:
        raise ElementError(f"expected {name} up to 255, got {text[:40]!r}", entry)
    return int(text) // 4


def _plugin_data(node: XmlNode) -> bytes:
    """The data of a plugin, which the project has as base 64."""
    try:
        return base64.b64decode(text_of(node, "Data"), validate=False)
    except ValueError as error:  # letters outside ASCII do not raise binascii.Error
        raise ElementError(f"expected base 64: {error}", node.find("Data") or node) from error
