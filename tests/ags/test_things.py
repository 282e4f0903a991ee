"""Things that a file stores in several lists: one object in JSON, one count everywhere."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import overhaul
from ags_folders import json_of, put_json, with_own_names
from ags_things import make_even
from memory_folder import memory_folder
from overhaul.ags.blockdata import DecodedBlocks
from overhaul.ags.blocks import GAME, read_blocks
from overhaul.ags.documents.game import GameDocument
from overhaul.ags.fields import new_reader
from overhaul.ags.folder.game import FORMAT
from overhaul.ags.game.extensions import BLOCKS as GAME_BLOCKS
from overhaul.ags.game.extensions import (
    BlendingBlock,
    CursorOptionsBlock,
    DialogsBlock,
    FontOptionsBlock,
    LoopEvents,
    NamesBlock,
    NewDialog,
    ScriptEventsBlock,
    ViewEvents,
    ViewEventsBlock,
)
from overhaul.ags.game.game import Game
from overhaul.ags.game.gui import Button, Gui
from overhaul.ags.game.records import GameContent
from overhaul.ags.game.resources import (
    AudioClip,
    Character,
    Cursor,
    Font,
    Frame,
    InventoryItem,
    Loop,
    View,
)
from overhaul.ags.parallel import things_of
from overhaul.ags.pictures import Pixels
from overhaul.ags.properties import HandlerTable, PropertySet, ThingNames
from overhaul.ags.room.records import (
    AreaNamesBlock,
    MainBlock,
    ObjectNames,
    ObjectOptionsBlock,
    Point,
    RoomObject,
    RoomProperties,
)
from overhaul.ags.room.room import Room, block_format
from overhaul.document.plainfiles import Change, UnpackOptions
from overhaul.errors import EncodeError, PlainFileError, WorkspaceError
from overhaul.schema import codec_for
from present import instance, opened

LONG = "a name much longer than the forty bytes of the old field"


def game(*blocks: str, version: int = 4000029) -> Game:
    content = GameContent()
    content.characters = [Character(name="Ego", script_name="cEgo"), Character(name="Bob")]
    content.inventory = [InventoryItem(), InventoryItem("cup")]
    content.cursors = [Cursor(name="walk")]
    content.fonts = [Font()]
    content.views = [View([Loop(0, [Frame(), Frame()]), Loop(0, [Frame()])])]
    content.audio_clips = [AudioClip(script_name="aBell", file_name="bell.ogg")]
    content.gui.guis = [Gui(name="gMenu")]
    content.gui.buttons = [Button(text="ok")]
    content.gui_version = 119
    content.lip_sync = [""] * 20
    made = Game(version=version, content=content, blocks=DecodedBlocks(GAME, version))
    for id in blocks:
        made.blocks.add(id, GAME_BLOCKS[id]())
    make_even(made.tables())
    made.recompute_counts()
    events = made.blocks.find("v400_viewevents", ViewEventsBlock)
    if events is not None:
        events.views = [ViewEvents([LoopEvents(["step", ""]), LoopEvents([""])])]
    return made


def stored_names(data: bytes) -> NamesBlock:
    """The block of names as it stands in a file."""
    content = codec_for(GameContent, 4000029)
    header = Game()
    position = header.read_header(data)
    _, position = content.read(data, position, new_reader(header.version))
    block = next(b for b in read_blocks(data, GAME, position) if b.id == "v361_objnames")
    return codec_for(NamesBlock, None).read(block.data, 0, new_reader())[0]


def old_fields(data: bytes) -> GameContent:
    """The standard part as it stands in a file."""
    header = Game()
    position = header.read_header(data)
    reader = new_reader(header.version)
    return codec_for(GameContent, header.version).read(data, position, reader)[0]


class Folder:
    """An unpacked file."""

    def __init__(self, tmp_path: Path, name: str, data: bytes, *, new: bool = False) -> None:
        self.file = tmp_path / name
        self.file.write_bytes(data)
        self.path = tmp_path / "folder"
        overhaul.unpack(self.file, self.path)
        if not new:
            with_own_names(self.path)

    def json(self, name: str) -> Any:
        return json_of(self.path, name)

    def edit(self, name: str, change: Callable[[Any], object]) -> bytes:
        value = self.json(name)
        change(value)
        put_json(self.path, name, value)
        return self.pack()

    def pack(self, **how: bool) -> bytes:
        overhaul.pack(self.path, self.file.with_suffix(".out"), force=True, **how)
        return self.file.with_suffix(".out").read_bytes()


# --- names ----------------------------------------------------------------------------------


def test_full_names_are_the_things_own() -> None:
    made = game("v361_objnames")
    content = instance(GameContent, made.content)
    content.characters[1].name = LONG
    content.cursors[0].name, content.cursors[0].short_name = "eModeWalk", "Walk"
    content.settings.name, content.save.folder = LONG, "save"
    content.audio_clips[0].file_name = "a file name of many letters.ogg"
    data = made.to_bytes()
    names, old = stored_names(data), old_fields(data)
    assert (names.game_name, names.save_folder) == (LONG, "save")
    assert names.characters == [ThingNames("cEgo", "Ego"), ThingNames("", LONG)]
    assert names.inventory == ["", "cup"] and names.cursors == ["eModeWalk"]
    assert names.clips == [ThingNames("aBell", "a file name of many letters.ogg")]
    # As the editor does: as much as fits with a NUL after it.
    assert old.characters[1].name == LONG[:39] and old.settings.name == LONG[:49]
    assert old.cursors[0].name == "Walk" and old.audio_clips[0].file_name == "a file name of"
    again = Game.read(data, strict=True)
    found = instance(GameContent, again.content)
    assert found.characters[1].name == LONG and found.characters[1].short_name is None
    assert (found.cursors[0].name, found.cursors[0].short_name) == ("eModeWalk", "Walk")
    assert again.blocks.find("v361_objnames", NamesBlock) == NamesBlock()
    assert again.to_bytes() == data
    # Writing changes nothing in the model.
    assert found.characters[1].name == LONG and again.to_bytes() == data


@pytest.mark.parametrize(
    ("change", "place"),
    [
        (lambda content: setattr(content.characters[1], "name", LONG), r"characters\[1\].name: "),
        (lambda content: setattr(content.cursors[0], "name", "x" * 11), r"cursors\[0\].name: "),
        (lambda content: setattr(content.settings, "name", LONG), "settings.name: "),
        (lambda content: setattr(content.save, "folder", LONG), "save.folder: "),
    ],
)
def test_a_long_name_is_refused_without_the_block(
    change: Callable[[GameContent], None], place: str
) -> None:
    made = game()
    change(instance(GameContent, made.content))
    with pytest.raises(EncodeError, match=f"^{place}.*field has .*need the block 'v361_objnames'"):
        made.to_bytes()


def test_a_name_as_long_as_its_field() -> None:
    made = game()
    instance(GameContent, made.content).cursors[0].name = "x" * 10
    assert old_fields(made.to_bytes()).cursors[0].name == "x" * 10


def test_a_new_name_reaches_the_block(tmp_path: Path) -> None:
    made = game("v361_objnames")
    instance(GameContent, made.content).cursors[0].short_name = "Walk to"
    folder = Folder(tmp_path, "game28.dta", made.to_bytes())
    assert folder.json("extensions.json") == {"blocks": [{"id": "v361_objnames"}]}
    assert folder.json("cursors.json")["cursors"][0]["short_name"] == "Walk to"
    assert "short_name" not in folder.json("characters.json")["characters"][0]
    assert folder.pack(from_scratch=True) == folder.file.read_bytes()
    folder.edit("characters.json", lambda shown: shown["characters"][0].update(name=LONG))
    folder.edit("audio.json", lambda shown: shown["audio_clips"][0].update(script_name="aGong"))
    folder.edit("cursors.json", lambda shown: shown["cursors"][0].update(name="eModeRun"))
    data = folder.edit("game.json", lambda shown: shown["settings"].update(name="Other"))
    names, old = stored_names(data), old_fields(data)
    assert names.characters[0] == ThingNames("cEgo", LONG) and names.clips[0].script_name == "aGong"
    assert names.game_name == old.settings.name == "Other" and names.cursors == ["eModeRun"]
    assert old.characters[0].name == LONG[:39] and old.cursors[0].name == "Walk to"


def test_names_that_do_not_fit_the_game_are_kept_as_bytes() -> None:
    made = game("v361_objnames")
    data = made.to_bytes()
    start = data.index(b"v361_objnames")
    at = data.index((2).to_bytes(4, "little"), start + 24)  # the number of characters
    # One character less, whose place the first item takes: what is read does not fit.
    cut = data[:at] + b"\1\0\0\0" + data[at + 4 :]
    game_read = Game.read(cut)
    assert game_read.to_bytes() == cut and game_read.findings


# --- counts ---------------------------------------------------------------------------------


ALL = tuple(id for id in GAME_BLOCKS if isinstance(id, str) and id != "v362_interevents")


def test_everything_of_a_game_is_in_its_things(tmp_path: Path) -> None:
    folder = Folder(tmp_path, "game28.dta", game(*ALL).to_bytes())
    shown = folder.json("characters.json")
    assert shown.keys() == {"characters"}
    ego = shown["characters"][0]
    assert ego["handlers"] == {"format": 3060200, "script_module": "", "handlers": []}
    assert {"events", "properties", "event_handlers", "blending", "anchor"} <= ego.keys()
    frames = folder.json("views.json")["views"][0]["loops"][0]["frames"]
    assert [frame["event"] for frame in frames] == ["step", ""]
    assert folder.json("dialogs.json") == {"dialogs": []}
    items = folder.json("inventory.json")["inventory"]
    assert "events" not in items[0] and items[1]["events"] == []
    counts = {"character_count", "cursor_count", "gui_count", "font_count", "view_count"}
    assert not counts & folder.json("game.json")["settings"].keys()
    assert folder.pack(from_scratch=True) == folder.file.read_bytes()


def test_added_things_are_counted_everywhere(tmp_path: Path) -> None:
    folder = Folder(tmp_path, "game28.dta", game(*ALL).to_bytes())
    new = {"name": LONG, "script_name": "cNew", "blending": {"mode": 7}}
    folder.edit("characters.json", lambda shown: shown["characters"].insert(1, new))
    folder.edit("inventory.json", lambda shown: shown["inventory"].append({"name": "key"}))
    folder.edit("cursors.json", lambda shown: shown["cursors"].append({"name": "eNew"}))
    folder.edit("game.json", lambda shown: shown["fonts"].append({"size": 9, "file": "x.wfn"}))
    folder.edit("dialogs.json", lambda shown: shown["dialogs"].append({"script_name": "dNew"}))
    folder.edit("audio.json", lambda shown: shown["audio_clips"].append({"id": 5}))
    view = {"loops": [{"frames": [{"picture": 3}, {"event": "hop"}]}], "name": "VNEW"}
    folder.edit("views.json", lambda shown: shown["views"].append(view))
    gui = {"name": "gNew", "script_module": "g.asc", "blending": {"mode": 8}}
    folder.edit("gui.json", lambda shown: shown["guis"].append(gui))
    data = folder.edit("gui.json", lambda shown: shown["buttons"].append({"text": "no"}))
    packed = Game.read(data, strict=True)
    assert not packed.uneven and not packed.findings
    content, blocks = instance(GameContent, packed.content), packed.blocks
    assert [character.script_name for character in content.characters] == ["cEgo", "cNew", ""]
    assert content.characters[1].name == LONG
    settings = content.settings
    counts = settings.character_count, settings.inventory_count, settings.cursor_count
    assert counts == (3, 3, 2)
    assert (settings.font_count, settings.view_count, settings.gui_count) == (2, 2, 2)
    assert settings.dialog_count == 0
    # Characters, then GUIs.
    blending = instance(BlendingBlock, blocks.content("ext_ags399")).things
    assert [blend.mode for blend in blending] == [0, 7, 0, 0, 8]
    events = instance(ScriptEventsBlock, blocks.content("v362_interevent2"))
    assert len(events.characters) == len(events.inventory) == 3
    assert events.characters[1] == HandlerTable(3060200)
    assert events.gui_script_modules == ["", "g.asc"]
    assert len(instance(FontOptionsBlock, blocks.content("v360_fonts")).fonts) == 2
    assert len(instance(CursorOptionsBlock, blocks.content("v360_cursors")).cursors) == 2
    dialogs = instance(DialogsBlock, blocks.content("v363_dialogsnew")).dialogs
    assert dialogs == [NewDialog("dNew")]
    views = instance(ViewEventsBlock, blocks.content("v400_viewevents")).views
    assert views[1] == ViewEvents([LoopEvents(["", "hop"])])
    assert content.view_names == ["", "VNEW"] and content.inventory_events == [[], []]


def test_removed_things_are_gone_everywhere(tmp_path: Path) -> None:
    made = game(*ALL)
    instance(BlendingBlock, made.blocks.content("ext_ags399")).things[1].mode = 5
    folder = Folder(tmp_path, "game28.dta", made.to_bytes())
    packed = Game.read(folder.edit("characters.json", lambda s: s["characters"].pop(0)))
    assert not packed.uneven
    modes = [b.mode for b in instance(BlendingBlock, packed.blocks.content("ext_ags399")).things]
    assert modes == [5, 0]


def test_lists_of_other_lengths_can_not_be_written() -> None:
    made = game("v360_cursors")
    instance(GameContent, made.content).cursors.append(Cursor())
    with pytest.raises(EncodeError, match=r"v360_cursors.cursors has 1 elements.* 2 cursors"):
        made.to_bytes()


def test_lists_that_were_uneven_stay_so(tmp_path: Path) -> None:
    made = game("v360_cursors", "v361_objnames")
    instance(CursorOptionsBlock, made.blocks.content("v360_cursors")).cursors *= 3
    made.uneven = {"v360_cursors.cursors"}
    data = made.to_bytes()
    again = Game.read(data)
    assert again.uneven == made.uneven and again.to_bytes() == data
    folder = Folder(tmp_path, "game28.dta", data)
    assert "options" not in folder.json("cursors.json")["cursors"][0]
    assert len(folder.json("extensions.json")["blocks"][0]["fields"]["cursors"]) == 3
    assert folder.pack(from_scratch=True) == data


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("cursors.json", {"cursors": [{"nmae": "x"}]}, r"cursors/0\.json: unknown field 'nmae'"),
        ("cursors.json", {"cursors": [{"name": None}]}, r"cursors/None\.json:1:11: name: expec"),
        ("cursors.json", {"cursors": [5]}, r"cursors/0\.json: expected an object, got 5"),
        ("cursors.json", {"cursors": None}, r"cursors\.json:1:2: cursors: the list is not read"),
        ("cursors.json", {"cursors": [{"options": 5}]}, r"cursors/0\.json:1:11: options: expec"),
        ("cursors.json", {"cursors": [{"short_name": 5}]}, r"cursors/0\.json:1:11: short_name: e"),
        ("cursors.json", {"cursors": [{"role": {}}]}, r"cursors/0\.json: .*'v400_eventtables'"),
        ("inventory.json", {"inventory": [{"events": []}]}, r"inventory/0\.json: unknown .*'even"),
        ("inventory.json", {"inventory_events": [[]]}, r"inventory_events: it is a part of the i"),
        ("game.json", {"settings": {"view_count": 3}}, r"settings.view_count: it follows"),
        ("game.json", {"save": {"short_folder": []}}, r"save.short_folder: expected a text"),
    ],
)
def test_errors_in_things(name: str, change: object, message: str, tmp_path: Path) -> None:
    folder = Folder(tmp_path, "game28.dta", game("v360_cursors").to_bytes())
    with pytest.raises(WorkspaceError, match=message):
        folder.edit(name, lambda shown: shown.update(change))


def test_a_block_that_has_a_part_of_things_stays(tmp_path: Path) -> None:
    folder = Folder(tmp_path, "game28.dta", game("v360_cursors").to_bytes(), new=True)

    def take_out(shown: dict[str, Any]) -> None:
        shown["blocks"] = [row for row in shown["blocks"] if row["id"] != "v360_cursors"]

    def forget(shown: dict[str, Any]) -> None:
        del shown["AnimationDelay"]

    message = r"extensions\.json:1:2: blocks: .*'v360_cursors' is gone, .*options of the cursors"
    with pytest.raises(WorkspaceError, match=message):
        folder.edit("extensions.json", take_out)
    edited = [path.relative_to(folder.path) for path in folder.path.glob("cursors/*.json")]
    for path in edited[:-1]:
        with pytest.raises(WorkspaceError, match="options is stored in the block 'v360_cursors'"):
            folder.edit(path.as_posix(), forget)
    folder.edit(edited[-1].as_posix(), forget)
    with opened(folder.file.with_suffix(".out"), GameDocument) as after:
        assert after.game.blocks.blocks == []


# --- rooms ----------------------------------------------------------------------------------


def room(version: int = 33, *ids: int | str) -> Room:
    main = MainBlock(depth=1, walk_area_count=0, width=4, height=3)
    main.hotspot_names, main.hotspot_script_names = ["none", "moon"], ["hNone", "hMoon"]
    main.walk_to_points, main.hotspot_events = [Point(), Point(1, 2)], [[], ["look"]]
    main.hotspot_count = 2
    main.objects, main.object_events = [RoomObject(5)], [[]]
    main.object_baselines, main.object_flags = [7], [3]
    main.walk_area_light = [0] * 16
    pixels = Pixels(4, 3, 1, bytes(12))
    main.background.set_pixels(pixels, signed=True)
    for mask in (main.region_mask, main.walkable_mask, main.walk_behind_mask, main.hotspot_mask):
        mask.set_pixels(pixels, by_row=True)
    made = Room(version=version, blocks=DecodedBlocks(block_format(version), version))
    made.blocks.add(1, main)
    made.blocks.add(5, ObjectNames(["stone"]))
    made.blocks.add(8, RoomProperties(sets=[PropertySet() for _ in range(3)]))
    made.blocks.add("v363_objects", ObjectOptionsBlock())
    if "v400_areanames" in ids:
        made.blocks.add("v400_areanames", AreaNamesBlock([ThingNames("oStone", "stone")]))
    make_even(made.tables())
    return made


def test_things_of_a_room(tmp_path: Path) -> None:
    made = room()
    folder = Folder(tmp_path, "room1.crm", made.to_bytes())
    shown = folder.json("room.json")
    assert [spot["name"] for spot in shown["hotspots"]] == ["none", "moon"]
    stone = shown["objects"][0]
    assert (stone["sprite"], stone["name"], stone["baseline"]) == (5, "stone", 7)
    assert "options" in stone and "properties" in stone
    assert [row["id"] for row in shown["blocks"]] == [1, 5, 8, "v363_objects"]
    assert "fields" not in shown["blocks"][1] and "objects" not in shown["blocks"][0]["fields"]
    assert folder.pack(from_scratch=True) == made.to_bytes()
    lamp = {"name": "lamp", "properties": {"format": 2, "values": [{"name": "a", "value": "b"}]}}
    data = folder.edit("room.json", lambda s: (s["hotspots"].append(lamp), s["objects"].clear()))
    packed = Room.read(data, strict=True)
    main = instance(MainBlock, packed.main)
    assert not packed.uneven and main.hotspot_count == 3 and main.objects == []
    assert main.hotspot_names == ["none", "moon", "lamp"] and main.object_flags == []
    assert packed.blocks.content(5) == ObjectNames([])
    sets = instance(RoomProperties, packed.blocks.content(8)).sets
    assert [len(each.values) for each in sets] == [0, 0, 1]
    assert packed.blocks.content("v363_objects") == ObjectOptionsBlock()


def test_blocks_read_anew_keep_the_lists_of_things(tmp_path: Path) -> None:
    folder = Folder(tmp_path, "room1.crm", room().to_bytes())
    data = folder.edit("room.json", lambda s: s["blocks"][0]["fields"].update(start_music=9))
    packed = Room.read(data)
    assert instance(MainBlock, packed.main).start_music == 9 and not packed.uneven
    assert packed.blocks.content(5) == ObjectNames(["stone"])


def test_names_that_are_stored_twice_stay_the_same(tmp_path: Path) -> None:
    made = room(4000033, "v400_areanames")
    made.compiled_with = "4.0"
    folder = Folder(tmp_path, "room1.crm", made.to_bytes())
    shown = folder.json("room.json")["objects"][0]
    assert (shown["name"], shown["script_name"]) == ("stone", "oStone")
    data = folder.edit("room.json", lambda shown: shown["objects"][0].update(name="rock"))
    packed = Room.read(data)
    assert packed.blocks.content(5) == ObjectNames(["rock"])
    again = instance(AreaNamesBlock, packed.blocks.content("v400_areanames"))
    assert again.objects == [ThingNames("oStone", "rock")]
    # In the library, one of the two alone can't be written.
    again.objects[0].name = "other"
    with pytest.raises(EncodeError, match="says something else than the objects"):
        packed.to_bytes()


def test_an_undefined_count_of_hotspots(tmp_path: Path) -> None:
    """Up to version 25, no hotspots mean 20."""
    made = room(25)
    main = instance(MainBlock, made.main)
    main.hotspot_names, main.hotspot_script_names = ["x"] * 20, ["h"] * 20
    main.walk_to_points = [Point() for _ in range(20)]
    make_even(made.tables())
    for count in (0, 20):
        main.hotspot_count = count
        data = made.to_bytes()
        (tmp_path / str(count)).mkdir()
        folder = Folder(tmp_path / str(count), "room1.crm", data)
        fields = folder.json("room.json")["blocks"][0]["fields"]
        assert fields.get("hotspot_count") == (None if count else 0)  # shown if it does not follow
        assert folder.pack(from_scratch=True) == data
    packed = Room.read(folder.edit("room.json", lambda shown: shown["hotspots"].pop()))
    assert instance(MainBlock, packed.main).hotspot_count == 19


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("extensions.json", {"zz": 1}, "unknown field 'zz'"),
        ("cursors.json", {"cursors": [None]}, r"cursors/0\.json: expected an object, got null"),
        ("texts.json", {"lip_sync": [None]}, r"lip_sync\[0\]: expected a value, got null"),
        ("gui.json", {"guis": [{"control_references": [None]}]}, r"control_references\[0\]: exp"),
    ],
)
def test_lists_have_no_nulls_and_objects_no_unknown_keys(
    name: str, change: object, message: str, tmp_path: Path
) -> None:
    folder = Folder(tmp_path, "game28.dta", game().to_bytes())
    with pytest.raises(WorkspaceError, match=message):
        folder.edit(name, lambda shown: shown.update(change))


def test_a_thing_is_what_its_lists_have_of_it() -> None:
    made = game(*ALL)
    people = things_of(made.tables(), "characters", str.upper)
    assert [thing.text("script_name") for thing in people] == ["CEGO", ""]
    ego = people[0]
    assert ego.get("hat") is None and ego.text("hat") == "" and ego.listed("hat") == []
    assert ego.number("hat") == -1 and len(ego.listed("inventory")) == 301
    ego.put("room", 7)
    assert instance(GameContent, made.content).characters[0].room == 7
    row = ego.row()
    assert row["room"] == 7 and row["script_name"] == "cEgo" and "blending" in row
    assert things_of(made.tables(), "hats") == []


def test_an_edit_reads_the_kinds_of_things_that_it_touches() -> None:
    used: set[str] = set()
    with opened(game(*ALL).to_bytes(), GameDocument) as document:
        plain = FORMAT.plain_files(document, UnpackOptions())
        files = memory_folder({file.path: bytes(file.read()) for file in plain})
        FORMAT.apply(document, files.noting(used), {"characters/cEgo.json": "changed"})
    assert {name.partition("/")[0] for name in used} == {"game.json", "characters"}


def test_an_error_says_once_where_it_is_and_that_the_version_is_another() -> None:
    with opened(game(*ALL).to_bytes(), GameDocument) as document:
        plain = FORMAT.plain_files(document, UnpackOptions())
        files = {file.path: bytes(file.read()) for file in plain}
        files["game.json"] = re.sub(rb'"version": \d+', b'"version": 70000', files["game.json"])
        files["properties.json"] = b'{"PropertyDefinitions": [{"Type": null}]}'
        changes: dict[str, Change] = dict.fromkeys(("game.json", "properties.json"), "changed")
        with pytest.raises(
            PlainFileError, match=r"got null \(game\.json: version: 70000"
        ) as caught:
            FORMAT.apply(document, memory_folder(files), changes)
    assert (caught.value.file, caught.value.key) == (
        "properties.json", "PropertyDefinitions[0].Type"
    )  # fmt: skip
