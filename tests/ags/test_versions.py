"""Rooms and game data of every version, written by us: also of those no real file is at hand."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import overhaul
from ags_folders import json_of, put_json, with_own_names
from ags_things import make_even
from overhaul.ags.blockdata import DecodedBlocks
from overhaul.ags.blocks import GAME
from overhaul.ags.documents.game import GameDocument
from overhaul.ags.fields import Unterminated
from overhaul.ags.game import dialogs as dialog_code
from overhaul.ags.game.extensions import BLOCKS as GAME_BLOCKS
from overhaul.ags.game.extensions import (
    DialogsBlock,
    LoopEvents,
    NewDialog,
    ViewEvents,
    ViewEventsBlock,
)
from overhaul.ags.game.game import Game, read_palette, read_summary
from overhaul.ags.game.gui import (
    Button,
    Gui,
    GuiSection,
    InventoryWindow,
    Label,
    ListBox,
    Slider,
    TextBox,
)
from overhaul.ags.game.old import (
    EarlyCharacter,
    EarlyDialog,
    EarlyView,
    Interface,
    InterfaceButton,
    OldGameContent,
)
from overhaul.ags.game.records import GameContent, has_block_list
from overhaul.ags.game.resources import (
    AudioClip,
    AudioType,
    Character,
    Cursor,
    Dialog,
    Font,
    FontSpacing,
    Frame,
    InventoryItem,
    Loop,
    OldView,
    Plugin,
    RoomName,
    SpriteFolder,
    View,
    Word,
)
from overhaul.ags.pictures import Pixels
from overhaul.ags.properties import (
    Command,
    CommandList,
    EventBlock,
    Interaction,
    InteractionVariable,
    OldProperty,
    Property,
    PropertyDefinition,
    PropertySchema,
    PropertySet,
    ThingNames,
)
from overhaul.ags.room.pictures import LzwPicture
from overhaul.ags.room.records import (
    BLOCKS as ROOM_BLOCKS,
)
from overhaul.ags.room.records import (
    AnimatedBackgrounds,
    AreaNamesBlock,
    FullAnimation,
    GraphicalScript,
    MainBlock,
    MessageInfo,
    ObjectNames,
    Point,
    RoomObject,
    SourceText,
)
from overhaul.ags.room.room import Room, block_format
from overhaul.ags.script.model import Script, Section
from overhaul.errors import FormatError, UnsupportedVersion, WorkspaceError
from present import instance, opened

ROOM_VERSIONS = [
    *range(2, 34), 2304, 36306, 4000000, 4000017, 4000024, 4000026, 4000033,
]  # fmt: skip
GAME_VERSIONS = [
    *range(18, 28), 31, 32, 35, 36, 37, *range(39, 51),
    3060000, 3060021, 3060100, 3060114, 3060203, 3060304, 3060314, 3999999, 4000012, 4000029,
]  # fmt: skip


def unpack_own_names(source: Path, folder: Path) -> None:
    """Unpack a file, and write the folder with the names that records have for fields."""
    overhaul.unpack(source, folder)
    with_own_names(folder)


def interaction() -> Interaction:
    child = CommandList(0, [Command(type=3)])
    commands = CommandList(5, [Command(type=1, has_children=77), Command(type=2)], [child])
    return Interaction(1, [1, 2, 3], [0, 9, 0], [commands])


def properties(version: int) -> PropertySet:
    if version < 45:
        return PropertySet(1, [OldProperty("colour", "green")])
    return PropertySet(2, values=[Property("colour", "gr\udcfcn")])


def room(version: int) -> Room:
    conditions = 125 if version < 7 else 127
    areas = 15 if version < 14 else 2
    main = MainBlock(
        depth=1,
        walk_behind_baselines=list(range(15)),
        hotspot_count=20 if version <= 25 else 1,
        objects=[RoomObject(1, 2, 3, 4, 5)],
        width=4,
        height=3,
    )
    hotspots = main.hotspot_count
    if version <= 25 and version >= 9:
        main.hotspot_count = 0  # means 20
    for name in ("responses", "values", "data", "extra", "scores"):
        setattr(main, f"condition_{name}", list(range(conditions)))
    main.hotspot_conditions = [EventBlock() for _ in range(hotspots)]
    main.object_conditions = [EventBlock(count=i) for i in range(10)]
    main.walk_to_points = [Point(i, -i) for i in range(hotspots)]
    main.hotspot_names = [f"spot {i}" for i in range(hotspots)]
    main.hotspot_script_names = [f"hSpot{i}" for i in range(hotspots)]
    main.variables = [InteractionVariable("v", 1, 2)]
    main.hotspot_interactions = [interaction() for _ in range(hotspots)]
    main.object_interactions = [interaction()]
    main.room_interaction = interaction()
    main.region_count = 1
    main.region_interactions = [interaction()]
    main.room_events = ["room_Load", ""]
    main.hotspot_events = [["a"] for _ in range(hotspots)]
    main.object_events = [[]]
    main.region_events = [["b", "c"]]
    main.object_baselines, main.object_flags = [7], [3]
    main.walk_area_count = areas
    main.scaling_far = main.player_view = [100] * areas
    main.scaling_near = main.scaling_top = main.scaling_bottom = [1] * areas
    main.message_count = 2
    main.message_info = [MessageInfo(1, 2), MessageInfo()]
    main.messages = ["hello", "welt \udcfc"]
    main.animations = [FullAnimation(bytes(range(244)))]
    main.script_variables = ["VAR1"]
    main.graphical_scripts = [GraphicalScript(5, b"script")]
    main.walk_area_light = list(range(16))
    main.region_light, main.region_tint = [5], [-6]
    pixels = Pixels(4, 3, 1, bytes(range(12)))
    main.background.set_pixels(pixels, signed=version < 33)
    main.background.palette = bytes([63, 1, 2, 0]) * 256
    for mask in (
        main.region_mask,
        main.walkable_mask,
        main.walk_behind_mask,
        main.hotspot_mask,
        main.old_background,
    ):
        mask.set_pixels(pixels, by_row=version < 33)
    made = Room(version=version, blocks=DecodedBlocks(block_format(version), version))
    made.blocks.add(1, main)
    if version >= 4000000:
        made.compiled_with = "4.0.0.1"
    if version >= 5:
        frame = LzwPicture(bytes([0, 0, 63, 9]) * 256)
        frame.set_pixels(pixels, signed=version < 33)
        frames = AnimatedBackgrounds(2, 4, [1, 0], [frame])
        made.blocks.add(6, frames)
        source = SourceText()
        source.text = b"function a() {}"
        made.blocks.add(2, source)
        made.blocks.add(5, ObjectNames(["the object"]))
        made.blocks.add(7, Script(version=95 if version >= 4000000 else 90, code=bytes(8)))
        for id, record in ROOM_BLOCKS.items():
            if made.blocks.get(id) is None:
                made.blocks.add(id, record())
        instance(AreaNamesBlock, made.blocks.content("v400_areanames")).objects = [
            ThingNames("", "the object")
        ]
        make_even(made.tables())
    return made


@pytest.mark.sampled(2)
@pytest.mark.parametrize("version", ROOM_VERSIONS)
def test_rooms(version: int, tmp_path: Path) -> None:
    data = room(version).to_bytes()
    again = Room.read(data)
    assert again.to_bytes() == data
    assert not again.blocks.findings and not again.trailing
    main = again.main
    assert main is not None and main.objects == [RoomObject(1, 2, 3, 4, 5)]
    assert main.messages == ["hello", "welt \udcfc"]
    assert [mask.pixels().data for _, mask in again.masks()] == [bytes(range(12))] * (
        4 if version >= 8 else 3
    )
    (tmp_path / "room.crm").write_bytes(data)
    report = overhaul.verify(tmp_path / "room.crm")
    assert report.identical and report.coverage is not None and report.coverage.opaque == 0
    overhaul.unpack(tmp_path / "room.crm", tmp_path / "folder")
    overhaul.pack(tmp_path / "folder", tmp_path / "again.crm", from_scratch=True)
    assert (tmp_path / "again.crm").read_bytes() == data


@pytest.mark.parametrize(("version", "good"), [(10, False), (13, False), (14, True)])
def test_the_number_of_walkable_areas(version: int, good: bool, tmp_path: Path) -> None:
    """Room files before version 14 have no count of them: there are always 15."""
    (tmp_path / "room.crm").write_bytes(room(version).to_bytes())
    unpack_own_names(tmp_path / "room.crm", tmp_path / "folder")
    shown = json.loads((tmp_path / "folder/room.json").read_text())
    del shown["walk_areas"][-1]
    (tmp_path / "folder/room.json").write_text(json.dumps(shown))
    if not good:
        with pytest.raises(
            WorkspaceError,
            match=r"^room\.json:1:\d+: walk_areas: this version has 15 of them, got 14$",
        ):
            overhaul.pack(tmp_path / "folder", tmp_path / "again.crm")
        return
    overhaul.pack(tmp_path / "folder", tmp_path / "again.crm")
    main = Room.read((tmp_path / "again.crm").read_bytes()).main
    assert main is not None and main.walk_area_count == len(main.scaling_far)
    assert main.walk_area_count == len(shown["walk_areas"])


@pytest.mark.parametrize(
    ("key", "change", "message"),
    [
        ("walk_behinds", lambda things: things.pop(), "this version has 15 of them, got 14"),
        ("walk_behinds", lambda things: things.append(things[0]), "has 15 of them, got 16"),
        ("blocks", lambda things: things.append(things[0]), "this version has one block, got 2"),
    ],
)
def test_rooms_without_a_block_list(key: str, change: Any, message: str, tmp_path: Path) -> None:
    """They are known by 15 walk-behinds at their beginning, and have one block."""
    made = room(4)
    assert made.main is not None
    made.main.walk_behind_baselines = [5] * 15
    (tmp_path / "room.crm").write_bytes(made.to_bytes() + bytes(1024))
    unpack_own_names(tmp_path / "room.crm", tmp_path / "folder")
    shown = json.loads((tmp_path / "folder/room.json").read_text())
    change(shown[key])
    (tmp_path / "folder/room.json").write_text(json.dumps(shown))
    with pytest.raises(WorkspaceError, match=rf"^room\.json:.*{key}.*: .*{message}"):
        overhaul.pack(tmp_path / "folder", tmp_path / "again.crm")


def game(version: int) -> Game:
    content = GameContent()
    settings = content.settings
    settings.name, settings.resolution = "The g\udce4me", 8 if version >= 43 else 2
    settings.options[0] = 1
    settings.has_script = settings.has_dictionary = 1
    settings.has_message[3] = settings.has_message[400] = 1
    settings.view_count = settings.character_count = settings.font_count = 1
    settings.inventory_count, settings.cursor_count, settings.dialog_count = 2, 1, 2
    content.font_flags, content.font_outlines, content.font_offsets = [1], [-1], [2]
    content.font_spacings, content.fonts = [FontSpacing(1, 2)], [Font(1, 2, 3, 4, 5)]
    content.sprite_flags = bytes(6000) if version < 24 else b"\1\2"
    content.inventory = [InventoryItem(), InventoryItem("cup")]
    content.cursors = [Cursor(name="walk")]
    content.character_interactions = [interaction()]
    content.inventory_interactions = [Interaction(), interaction()]
    content.variables = [InteractionVariable("score", 2, 3)]
    content.character_events, content.inventory_events = [["a", "b"]], [["c"]]
    content.dictionary = [Word("look", 3)]
    content.global_script = Script(strings=b"x\0", sections=[Section("GlobalScript.asc")])
    content.dialog_script = Script()
    content.script_modules = [Script(sections=[Section("mod.asc")]), Script()]
    content.views = [View([Loop(1, [Frame(picture=4)])])]
    content.old_views = [OldView(frames=[Frame(picture=i) for i in range(320)])]
    content.sprite_folders = [SpriteFolder(1, [0] * 240, -1, "Main")]
    content.characters = [Character(name="Ego", script_name="cEgo")]
    content.lip_sync = [f"sound {i}" for i in range(20)]
    content.messages = ["first", "second"]
    if version >= 26:
        content.messages[1] = Unterminated("second")
    content.dialogs = [Dialog(code_size=3), Dialog(code_size=6)]
    content.dialog_data = [(b"\1\2\3", b"text"), (b"\1\6\0\xff\xff\4", b"\xff")]
    content.speech_lines = [b"line"] if version > 25 else [b"line\0more\0"]
    content.gui_version = 119 if version >= 50 else 110
    content.gui = GuiSection(
        [Gui(name="gMenu", control_count=1, control_references=[0] * 30)],
        [Button(text="ok", events=["ok_Click"])],
        [Label(text="label")],
        [InventoryWindow()],
        [Slider(maximum=5)],
        [TextBox(text="t")],
        [ListBox(items=["a", "b"], box_flags=4, save_slots=[1, 2])],
    )
    if version >= 50:
        content.gui.guis[0].control_references = [65536]
    content.plugins = [Plugin("ags_snow.dll", b"\0\1")]
    content.property_schema = PropertySchema(2, definitions=[PropertyDefinition("colour", 3)])
    content.character_properties = [properties(version)]
    content.inventory_properties = [PropertySet(1), properties(version)]
    content.view_names, content.inventory_script_names = ["VEGO"], ["", "iCup"]
    content.dialog_script_names = ["dBob", "dEve"]
    content.audio_types, content.audio_clips = [AudioType(1)], [AudioClip(script_name="aBell")]
    content.room_names = [RoomName(1, "Street")]
    made = Game(version=version, content=content)
    made.header.compiled_with = "3.x" if version >= 12 else ""
    if has_block_list(version):
        made.blocks = DecodedBlocks(GAME, version)
        for id, record in GAME_BLOCKS.items():
            made.blocks.add(id, record())
        settings.extension_offset = 1
        made.offset_follows = True
        content.dialogs, content.dialog_script_names = [], []  # v363_dialogsnew has them
        make_even(made.tables())
        instance(ViewEventsBlock, made.blocks.content("v400_viewevents")).views = [
            ViewEvents([LoopEvents(["frame_event"])])
        ]
    return made


@pytest.mark.sampled(2)
@pytest.mark.parametrize("version", GAME_VERSIONS)
def test_games(version: int, tmp_path: Path) -> None:
    data = game(version).to_bytes()
    again = Game.read(data, strict=True)
    assert again.to_bytes() == data and not again.trailing and not again.findings
    content = again.content
    assert content is not None
    assert content.characters[0].script_name == "cEgo"
    assert content.gui.list_boxes[0].items == ["a", "b"]
    (tmp_path / "game28.dta").write_bytes(data)
    overhaul.unpack(tmp_path / "game28.dta", tmp_path / "folder")
    overhaul.pack(tmp_path / "folder", tmp_path / "again.dta", from_scratch=True)
    assert (tmp_path / "again.dta").read_bytes() == data


@pytest.mark.parametrize(
    "version", [100, 101, 102, 104, 105, 106, 107, 108, 109, 111, 112, 113, 114, 117, 118, 119,
                3060304, 3060308, 4000026, 4000027]
)  # fmt: skip
def test_guis(version: int) -> None:
    made = game(50)
    content = made.content
    assert content is not None
    content.gui_version = version
    content.gui.guis[0].control_references = [65536] if version >= 118 else [0] * 30
    data = made.to_bytes()
    again = Game.read(data, strict=True)
    assert again.to_bytes() == data
    assert again.content is not None and again.content.gui.labels[0].text == "label"


def test_files_of_things_are_called_as_they_are_listed(tmp_path: Path) -> None:
    made = game(47)
    assert made.content is not None
    made.content.characters[0].script_name = "cB\udce4r"  # in an ANSI code page
    (tmp_path / "game28.dta").write_bytes(made.to_bytes())
    overhaul.unpack(tmp_path / "game28.dta", tmp_path / "folder")
    (file,) = (tmp_path / "folder/characters").iterdir()
    with overhaul.open(tmp_path / "game28.dta") as document:
        (path,) = (each.path for each in document.tree() if each.kind == "character")
    assert path == f"characters/{file.name}" == "characters/cB\u00e4r.json"


def old_game(version: int) -> Game:
    old = OldGameContent(
        name="The old g\udce4me",
        interfaces=[Interface(buttons=[InterfaceButton() for _ in range(20)]) for _ in range(10)],
        cursors=[Cursor(name="walk") for _ in range(10)],
        global_script_pointer=7,
        character_conditions=[EventBlock() for _ in range(50)],
        inventory_conditions=[EventBlock(count=i) for i in range(100)],
        compiled_script_pointer=7,
        inventory=[InventoryItem(f"item {i}") for i in range(100)],
        gui_count=1,
        dictionary_pointer=1,
        dictionary=[Word("look", 1)],
    )
    old.message_pointers[4] = old.message_pointers[9] = 0x1234
    old.source = b"function game_start() {\r\n}\r\n"
    old.compiled_script = Script(version=81, code=bytes(4)) if version >= 11 else b"SeeRVCPU"
    old.views = [EarlyView(1, frames=[Frame(picture=i) for i in range(80)])]
    old.sprite_folders = [SpriteFolder(1, [3] * (240 if version >= 11 else 120), -1, "MAIN")]
    old.characters = [EarlyCharacter(name="Ego", script_name="EGO")]
    old.messages = ["first", "second"]
    old.dialogs = [EarlyDialog(["a"] * 15, code_size=1)]
    old.dialog_data = [(b"\5", b"text")]
    old.dialog_messages = ["hello"]
    section = GuiSection(
        [Gui(name="gui", control_references=[0] * 30)], [Button(text="ok")], [Label(text="l")]
    )
    old.guis = (99 if version < 11 else 102, section)
    made = Game(version=version, old=old)
    made.header.compiled_with = "2.3" if version >= 12 else ""
    return made


@pytest.mark.parametrize(
    ("version", "lost"),
    [
        (6, r"settings\.json:.*dictionary_pointer"),
        (8, ""),
        (11, r"sprites\.json:.*more_sprite_flags"),
    ],
)
def test_another_version_loses_nothing(version: int, lost: str, tmp_path: Path) -> None:
    """What the other version does not store is refused, in files that were not edited too."""
    (tmp_path / "ac2game.dta").write_bytes(old_game(version).to_bytes())
    unpack_own_names(tmp_path / "ac2game.dta", tmp_path / "folder")
    shown = json.loads((tmp_path / "folder/game.json").read_text())
    shown["version"] = version - 1
    (tmp_path / "folder/game.json").write_text(json.dumps(shown))
    if not lost:
        overhaul.pack(tmp_path / "folder", tmp_path / "again.dta")
        assert Game.read((tmp_path / "again.dta").read_bytes()).version == version - 1
        return
    with pytest.raises(
        WorkspaceError,
        match=rf"^{lost}.* \(game\.json: version: {version - 1}, it was {version}\)$",
    ):
        overhaul.pack(tmp_path / "folder", tmp_path / "again.dta")


def test_a_version_that_is_not_read_is_refused(tmp_path: Path) -> None:
    (tmp_path / "ac2game.dta").write_bytes(old_game(12).to_bytes())
    unpack_own_names(tmp_path / "ac2game.dta", tmp_path / "folder")
    with pytest.raises(WorkspaceError, match=r"game\.json.*: version: no file of data version 13 "):
        edited(tmp_path / "folder", "game.json", lambda shown: shown.update(version=13))


@pytest.mark.parametrize("version", range(5, 13))
def test_old_games(version: int, tmp_path: Path) -> None:
    data = old_game(version).to_bytes()
    again = Game.read(data, strict=True)
    assert again.to_bytes() == data and not again.trailing and again.old is not None
    assert again.old.characters[0].script_name == "EGO"
    assert again.old.source.startswith(b"function game_start")
    (tmp_path / "ac2game.dta").write_bytes(data)
    report = overhaul.verify(tmp_path / "ac2game.dta")
    assert report.identical and report.coverage is not None
    assert report.coverage.opaque == (8 if version < 11 else 0)
    unpack_own_names(tmp_path / "ac2game.dta", tmp_path / "folder")
    overhaul.pack(tmp_path / "folder", tmp_path / "again.dta", from_scratch=True)
    assert (tmp_path / "again.dta").read_bytes() == data
    source = tmp_path / "folder" / "scripts" / "GlobalScript.asc"
    source.write_bytes(source.read_bytes() + b"// more\r\n")
    overhaul.pack(tmp_path / "folder", tmp_path / "edited.dta")
    edited = Game.read((tmp_path / "edited.dta").read_bytes()).old
    assert edited is not None and edited.source.endswith(b"// more\r\n")


@pytest.mark.parametrize("version", [1, 4, 13, 17])
def test_game_versions_no_file_is_known_of(version: int) -> None:
    made = Game(version=version, body=b"whatever it is")
    again = Game.read(made.to_bytes())
    assert again.body == b"whatever it is" and again.reason and again.to_bytes() == made.to_bytes()


def test_dialog_code() -> None:
    code = b"\1\6\0\xff\xff\4\7\x21\0\xff"
    lines = ["say 6 -1", "return", "run-script 33", "end"]
    assert dialog_code.disassemble(code) == lines and dialog_code.assemble(lines) == code
    assert dialog_code.disassemble(code[:-2]) is None and dialog_code.disassemble(b"\x63") is None
    for line in ("", "sing 1", "say 1", "say 1 x", "say 1 40000"):
        with pytest.raises(FormatError, match=r"dialog operation|16 bits"):
            dialog_code.assemble([line])


# --- game data as files -------------------------------------------------------------------------


def test_what_game_data_tells(tmp_path: Path) -> None:
    made = game(3060203)
    content = made.content
    assert content is not None
    content.settings.options[49] = 1252
    content.settings.dialog_count = 0
    content.dialogs, content.dialog_script_names = [], []
    content.settings.width, content.settings.height = 500, 400
    made.trailing = b"end"
    made.blocks.add("my_block", b"12345")
    block = instance(DialogsBlock, made.blocks.content("v363_dialogsnew"))
    block.dialogs = [NewDialog(), NewDialog()]
    make_even(made.tables())
    path = tmp_path / "game28.dta"
    path.write_bytes(made.to_bytes())
    with opened(path, GameDocument) as document:
        info = dict(document.info())
        kinds = [resource.kind for resource in document.tree()]
        names = {resource.name for resource in document.tree()}
        coverage = document.coverage()
        place = next(b for b in document.game.blocks.blocks if b.id == "my_block").offset
        assert document.locate(place) == "block 'my_block'" and document.locate(9) == ""
        assert document.locate(place - 1) != "block 'my_block'"
    assert info == {
        "kind": "ags-game",
        "data_version": 3060203,
        "compiled_with": "3.x",
        "name": "The gäme",
        "unique_id": 0,
        "resolution": "500x400",
        "characters": 1,
        "views": 1,
        "inventory": 1,
        "cursors": 1,
        "fonts": 1,
        "dialogs": 2,
        "guis": 1,
        "audio_clips": 1,
        "plugins": ["ags_snow.dll"],
        "scripts": ["GlobalScript", "DialogScripts", "mod.asc", ""],
        "extensions": [*GAME_BLOCKS, "my_block"],
        "encoding": "cp1252",
    }
    assert kinds[:5] == ["game", "character", "inventory", "cursor", "view"]
    assert kinds[5:8] == ["dialog", "dialog", "gui"]
    assert kinds[8:14] == ["audio clip", "plugin", "script", "script", "script", "script"]
    assert set(kinds[14:]) == {"extension"} and {"cup", "VEGO", "aBell", "The gäme"} <= names
    # the data of a plugin, a block, and what follows the list
    assert [(entry.length, entry.offset) for entry in coverage.details] == [
        (3, coverage.total - 3), (5, place), (2, 0)
    ]  # fmt: skip
    assert len(made.scripts()) == 4


def test_the_files_of_game_data(tmp_path: Path) -> None:
    folders = {}
    for version in (20, 48, 3060203):
        (tmp_path / "game28.dta").write_bytes(game(version).to_bytes())
        folder = tmp_path / str(version)
        overhaul.unpack(tmp_path / "game28.dta", folder)
        folders[version] = {
            path.relative_to(folder).as_posix()
            for path in folder.rglob("*")
            if path.is_file() and ".overhaul" not in path.parts
        }
    common = {
        ".gitattributes", "overhaul.toml", "game.json", "gui.json", "characters/cEgo.json",
        "cursors/walk.json", "fonts/0.json", "texts.json",
        "scripts/GlobalScript.asc", "scripts/GlobalScript.json",
    }  # fmt: skip
    assert folders[20] == common | {
        "inventory/0.json", "inventory/1.json", "views/1.json", "dialogs.json", "dialogs/0.json",
        "dialogs/1.json",
    }  # fmt: skip
    newer = common | {
        "inventory/iCup.json", "views/VEGO.json", "audio_clips/aBell.json",
        "plugins.json", "audio.json", "properties.json",
        *(f"scripts/{name}.{ending}" for name in ("DialogScripts", "modules/mod", "modules/%-")
          for ending in ("asc", "json")),
    }  # fmt: skip
    assert folders[48] == newer | {"dialogs/dBob.json", "dialogs/dEve.json"}
    assert folders[3060203] == newer | {"extensions.json", "inventory/0.json"}


def edited(folder: Path, name: str, change: Callable[[Any], object]) -> Game:
    value = json_of(folder, name)
    change(value)
    put_json(folder, name, value)
    overhaul.pack(folder, folder.parent / "edited.dta", force=True)
    return Game.read((folder.parent / "edited.dta").read_bytes(), strict=True)


def test_counts_follow_the_lists_of_a_game(tmp_path: Path) -> None:
    (tmp_path / "game28.dta").write_bytes(game(31).to_bytes())
    folder = tmp_path / "folder"
    unpack_own_names(tmp_path / "game28.dta", folder)
    edited(folder, "inventory.json", lambda shown: shown["inventory"].append({"name": "key"}))
    edited(folder, "cursors.json", lambda shown: shown["cursors"].append(shown["cursors"][0]))
    edited(
        folder, "dialogs.json", lambda shown: shown["dialogs"][1]["script"].update(code=["stop"])
    )
    with pytest.raises(WorkspaceError, match=r"scripts/modules/.* is there, but script_modules"):
        edited(folder, "game.json", lambda shown: shown.update(script_modules=[]))
    for module in (folder / "scripts" / "modules").iterdir():
        module.unlink()
    again = edited(folder, "game.json", lambda shown: None)
    assert again.content is not None
    settings = again.content.settings
    assert (settings.inventory_count, settings.cursor_count) == (3, 2)
    assert [item.name for item in again.content.inventory] == ["", "cup", "key"]
    assert again.content.inventory_script_names == ["", "iCup", ""]
    assert again.content.inventory_interactions[2] == Interaction()
    # The properties of a new thing are stored as those of the others are.
    assert again.content.inventory_properties[2] == PropertySet(1)
    assert again.content.dialogs[1].code_size == 1
    assert again.content.dialog_data[1][0] == b"\5"
    assert again.content.script_modules == []


def test_modules_may_change_their_order(tmp_path: Path) -> None:
    (tmp_path / "game28.dta").write_bytes(game(48).to_bytes())
    folder = tmp_path / "folder"
    unpack_own_names(tmp_path / "game28.dta", folder)
    module = folder / "scripts" / "modules" / "mod.asc"
    module.write_text(module.read_text() + "int more;\n")
    again = edited(folder, "game.json", lambda shown: shown["script_modules"].reverse())
    assert again.content is not None
    assert [script.name for script in again.content.script_modules] == ["", "mod.asc"]
    dialogs = folder / "scripts" / "DialogScripts.asm"
    dialogs.write_text(".script 90\n.code\n    .word 6\n")
    again = edited(folder, "game.json", lambda shown: shown.update(trailing="aabb"))
    assert again.trailing == b"\xaa\xbb" and again.content is not None
    assert again.content.dialog_script is not None and again.content.dialog_script.words == (6,)


@pytest.mark.parametrize(("follows", "offset"), [(True, 0), (False, 77)])
def test_the_offset_of_the_extensions(follows: bool, offset: int, tmp_path: Path) -> None:
    """It is computed where it was right, and kept where it was not."""
    made = game(3060203)
    assert made.content is not None
    if not follows:
        made.offset_follows = False
        made.content.settings.extension_offset = offset
    (tmp_path / "game28.dta").write_bytes(made.to_bytes())
    folder = tmp_path / "folder"
    unpack_own_names(tmp_path / "game28.dta", folder)
    again = edited(folder, "texts.json", lambda shown: shown["messages"].__setitem__(0, "longer"))
    assert again.content is not None
    found = again.content.settings.extension_offset
    assert again.offset_follows == follows and (found == offset) != follows
    again = edited(folder, "game.json", lambda shown: shown["settings"].update(extension_offset=5))
    assert again.content is not None and again.content.settings.extension_offset == 5


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("game.json", lambda shown: shown.update(version=0), "game.json.*: version: expected"),
        (
            "game.json",
            lambda shown: shown.update(version=1 << 31),
            "game.json.*: version: expected",
        ),
        ("game.json", lambda shown: shown.update(trailing="x"), "game.json.*: trailing: expected"),
        ("game.json", lambda shown: shown.update(script_modules=[5]), r"script_modules\[0\]: exp"),
        (
            "game.json",
            lambda shown: shown.update(script_modules=["a.asc"]),
            r"script_modules\[0\]: a\.asc is missing",
        ),
        ("game.json", lambda shown: shown.update(characters=[]), "unknown field 'characters'"),
        ("texts.json", lambda shown: shown.update(cursors=[]), "unknown field 'cursors'"),
        ("gui.json", lambda shown: shown.update(gui_version=99), "gui_version: unknown"),
        ("gui.json", lambda shown: shown.update(gui_version="x"), "gui_version: expected"),
        (
            "gui.json",
            lambda shown: shown.update(gui_version=117),
            r"list_boxes\[0\]\.items: .* \(gui_version: 117, it was 119\)$",
        ),
        ("extensions.json", lambda shown: shown.update(blocks=5), "blocks: expected a list"),
        (
            "dialogs.json",
            lambda shown: shown.update(dialogs=5),
            r"dialogs\.json:1:2: dialogs: the list is not read: each of them is a file in dialogs/",
        ),
    ],
)
def test_errors_in_game_data(
    name: str, change: Callable[[Any], object], message: str, tmp_path: Path
) -> None:
    (tmp_path / "game28.dta").write_bytes(game(3060203).to_bytes())
    folder = tmp_path / "folder"
    unpack_own_names(tmp_path / "game28.dta", folder)
    with pytest.raises(WorkspaceError, match=message):
        edited(folder, name, change)


def test_guis_that_another_version_has_not_space_for(tmp_path: Path) -> None:
    made = game(50)
    assert made.content is not None
    made.content.gui.list_boxes = []
    (tmp_path / "game28.dta").write_bytes(made.to_bytes())
    unpack_own_names(tmp_path / "game28.dta", tmp_path / "folder")
    said = r"guis\[0\]\.control_references: the count is 30, .* \(gui_version: 117, it was 119\)$"
    with pytest.raises(WorkspaceError, match=said):
        edited(tmp_path / "folder", "gui.json", lambda shown: shown.update(gui_version=117))


@pytest.mark.parametrize("version", [0, -1, 4000100])
def test_unknown_data_versions(version: int) -> None:
    data = Game(version=50).to_bytes()
    start = data.index(b"v2") + 2
    data = data[:start] + version.to_bytes(4, "little", signed=True) + data[start + 4 :]
    with pytest.raises(UnsupportedVersion, match=f"unknown data version {version}"):
        Game.read(data)
    with pytest.raises(FormatError, match="signature"):
        Game.read(data[1:])
    with pytest.raises(FormatError):
        Game.read(data[:start] + b"\1\0\0")


def test_game_data_that_does_not_parse(tmp_path: Path) -> None:
    data = game(50).to_bytes()[:-20]
    with pytest.raises(FormatError):
        Game.read(data, strict=True)
    path = tmp_path / "game28.dta"
    path.write_bytes(data)
    with overhaul.open(path) as document:
        info = dict(document.info())
        assert str(info["not_understood"]).startswith("does not parse") and document.warnings
        assert [resource.kind for resource in document.tree()] == ["game", "data"]
        assert document.to_bytes() == data
        (body,) = document.coverage().details
        assert body.offset + body.length == len(data)
    unpack_own_names(path, tmp_path / "folder")
    assert (tmp_path / "folder" / "game.bin").read_bytes() == data[body.offset :]
    (tmp_path / "folder" / "game.bin").write_bytes(b"other")
    overhaul.pack(tmp_path / "folder", tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == data[: body.offset] + b"other"


@pytest.mark.parametrize("version", [5, 10, 12])
def test_what_old_game_data_tells(version: int, tmp_path: Path) -> None:
    made = old_game(version)
    made.trailing = b"xyz"
    path = tmp_path / "ac2game.dta"
    path.write_bytes(made.to_bytes())
    with overhaul.open(path) as document:
        info = dict(document.info())
        resources = [(resource.kind, resource.name) for resource in document.tree()]
        reasons = [entry.reason for entry in document.coverage().details]
    assert info["name"] == "The old gäme" and info["encoding"] == "cp1252"
    assert (info["characters"], info["views"], info["dialogs"]) == (1, 1, 1)
    assert info["inventory"] == 0 and info["scripts"] == ([] if version < 11 else ["GlobalScript"])
    assert resources[:2] == [("game", "The old gäme"), ("character", "EGO")]
    assert resources[resources.index(("view", "1")) :] == [
        ("view", "1"), ("dialog", "0"), *[("gui", "0")] * (version > 5),
        ("script source", "GlobalScript"), *[("script", "GlobalScript")] * (version >= 11),
    ]  # fmt: skip
    assert reasons == ["bytes after the end"] + ["a script compiled before 2.1"] * (version < 11)
    assert read_summary(made.to_bytes()) == ("The old g\udce4me", made.header.compiled_with)
    palette = read_palette(made.to_bytes())
    assert palette == bytes(768)
    unpack_own_names(path, tmp_path / "folder")
    names = {
        p.relative_to(tmp_path / "folder").as_posix() for p in (tmp_path / "folder").rglob("*")
    }
    assert ("scripts/GlobalScript.bin" in names) == (version < 11)
    shown = json.loads((tmp_path / "folder" / "settings.json").read_text("utf-8"))
    assert not {"view_count", "character_count", "dialog_count"} & shown.keys()
    assert ("scripts/GlobalScript.asm" in names) == (version >= 11)
    again = edited(
        tmp_path / "folder", "dialogs.json",
        lambda shown: shown["dialogs"][0]["script"].update(code=["stop", "stop"]),
    )  # fmt: skip
    assert again.old is not None and again.old.dialogs[0].code_size == 2
    program = tmp_path / "folder" / "scripts" / "GlobalScript.bin"
    if version < 11:
        program.write_bytes(b"other program")
        again = edited(tmp_path / "folder", "settings.json", lambda shown: None)
        assert again.old is not None and again.old.compiled_script == b"other program"
    with pytest.raises(WorkspaceError, match="unknown field 'cursors'"):
        edited(tmp_path / "folder", "settings.json", lambda shown: shown.update(cursors=[]))


@pytest.mark.parametrize(("version", "bits"), [(50, 6), (4000007, 6), (4000008, 8)])
def test_the_palette_of_game_data(version: int, bits: int) -> None:
    made = game(version)
    assert made.content is not None
    made.content.settings.palette = bytes([63, 1, 2, 99]) * 256
    first = b"\xff\4\x08" if bits == 6 else b"\x3f\1\2"
    data = made.to_bytes()
    assert read_palette(data) == first * 256
    assert read_summary(data) == ("The g\udce4me", "3.x")
    assert read_palette(data[:60]) is None and read_summary(data[:30]) is None
    assert read_summary(Game(version=15).to_bytes()) is None


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        (
            "has_script",
            0,
            r"game\.json:1:\d+: settings.has_script: it is 0, but there is scripts/D",
        ),
        ("has_dictionary", 0, "has_dictionary: it is 0, but there is |stored only if has_dictiona"),
        ("resolution", 7, r"game\.json.*settings.width: it is stored only if resolution is 8"),
    ],
)
def test_what_the_settings_do_not_store_is_refused(
    key: str, value: int, message: str, tmp_path: Path
) -> None:
    made = instance(Game, game(48))
    instance(GameContent, made.content).settings.width = 500
    (tmp_path / "game28.dta").write_bytes(made.to_bytes())
    unpack_own_names(tmp_path / "game28.dta", tmp_path / "folder")
    path = tmp_path / "folder" / "game.json"
    shown = json.loads(path.read_bytes())
    shown["settings"][key] = value
    path.write_text(json.dumps(shown))
    for from_scratch in (False, True):
        with pytest.raises(WorkspaceError, match=message):
            overhaul.pack(tmp_path / "folder", tmp_path / "out", from_scratch=from_scratch)


def test_a_resolution_by_number_needs_no_size(tmp_path: Path) -> None:
    made = game(48)
    (tmp_path / "game28.dta").write_bytes(made.to_bytes())
    unpack_own_names(tmp_path / "game28.dta", tmp_path / "folder")
    path = tmp_path / "folder" / "game.json"
    shown = json.loads(path.read_bytes())
    shown["settings"]["resolution"] = 7
    del shown["settings"]["width"], shown["settings"]["height"]
    path.write_text(json.dumps(shown))
    overhaul.pack(tmp_path / "folder", tmp_path / "out")
    content = instance(GameContent, Game.read((tmp_path / "out").read_bytes()).content)
    assert content.settings.resolution == 7
