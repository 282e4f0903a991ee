"""The data of a game, made of its project."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from copy import deepcopy

import pytest

import ags_built
from overhaul.ags.game.extensions import (
    ButtonPaddingBlock,
    DialogsBlock,
    EventsBlock,
    ScriptEventsBlock,
)
from overhaul.ags.game.game import Game
from overhaul.ags.project.building.game import Compiled, GameBuilder, clips_of
from overhaul.ags.project.building.reading import ElementError
from overhaul.ags.project.building.releases import release_of
from overhaul.ags.project.elements import group, leaf
from overhaul.ags.properties import TextMap
from overhaul.ags.script.assembler import assemble
from overhaul.document.xmltext import XmlFile, XmlNode
from overhaul.errors import OverhaulError

EMPTY = assemble(".script 90\n.data 0\n.strings\n.imports 0\n.exports\n.sections\n.code\n    ret\n")


def builder(file: XmlFile) -> GameBuilder:
    """What makes the data of a project."""
    said = file.root.attributes
    game = file.root.find("Game")
    assert game is not None
    return GameBuilder(game, release_of(said["EditorVersion"], said["VersionIndex"]))


def built(file: XmlFile) -> Game:
    """The data, written and read again."""
    made = builder(file).build(Compiled(EMPTY, EMPTY, {"Module.asc": EMPTY}))
    game = Game.read(made.to_bytes(), strict=True)
    assert not game.findings and not game.uneven and not game.trailing
    return game


def found(file: XmlFile, path: str) -> XmlNode:
    """An element of the game."""
    node = file.root.find(f"Game/{path}")
    assert node is not None
    return node


EDITORS = (
    ("3.2.1", "6"), ("3.3.0", "7"), ("3.4.0", "13"), ("3.4.1", "15"), ("3.5.0.24", "26"),
    ("3.5.1.22", "27"), ("3.6.0.51", "3060020"), ("3.6.1.13", "3060110"), ("3.6.1.26", "3060110"),
    ("3.6.2.1", "3060200"), ("3.6.2.12", "3060209"),
    ("3.6.3.8", "3060308"), ("3.6.3.10", "3060310"),
)  # fmt: skip


@pytest.mark.parametrize(("editor", "index"), EDITORS)
def test_each_release_has_all_sections(editor: str, index: str) -> None:
    game = built(ags_built.project(editor, index))
    content = game.content
    assert content is not None
    settings = content.settings
    assert game.header.compiled_with == editor
    assert (settings.name, settings.unique_id) == ("A small game", 4711)
    assert (content.save.guid, content.save.folder) == ("{1-2}", "Saves")
    (ego,) = content.characters
    assert (ego.script_name, ego.name, ego.normal_view, ego.room) == ("cEgo", "Ego", 0, 1)
    assert [item.name for item in content.inventory] == ["", "A key"]
    assert content.inventory_script_names == ["", "iKey"]
    assert [view.loops[0].frames[0].picture for view in content.views] == [0]
    assert len(content.views[0].loops) == 4  # ego walks in it
    assert content.view_names == ["VEGO"]
    assert [gui.name for gui in content.gui.guis] == ["gMenu"]
    assert content.gui.buttons[0].text == "Ok"
    assert [word.text for word in content.dictionary] == ["look"]
    assert (content.messages, settings.has_message[2], sum(settings.has_message)) == (
        ["It is locked"], 1, 1,
    )  # fmt: skip
    assert settings.palette[4:7] == bytes((63, 32, 1)) and settings.palette_uses[:2] == b"\0\2"
    assert [clip.file_name for clip in content.audio_clips] == ["au000001.ogg", "au000002.ogg"]
    assert [(clip.volume, clip.bundling) for clip in content.audio_clips] == [(70, 2), (70, 1)]
    assert [kind.id for kind in content.audio_types] == [0, 1, 2]
    assert content.views[0].loops[0].frames[0].sound == 1  # of the fixed index 2
    assert content.score_clip == -1
    assert content.script_modules[0].code == EMPTY.code
    if content.fonts:
        assert content.fonts[0].size == 9
    else:
        assert content.font_flags == [9]


@pytest.mark.parametrize(("editor", "index"), EDITORS)
def test_blocks_follow_the_release(editor: str, index: str) -> None:
    game = built(ags_built.project(editor, index))
    release = release_of(editor, index)
    assert [block.id for block in game.blocks.blocks] == list(release.blocks)
    assert all(not isinstance(block.content, bytes) for block in game.blocks.blocks)
    assert game.offset_follows == (release.build >= (3, 6, 1, 14))


def test_names_are_whole_in_a_block() -> None:
    file = ags_built.project()
    found(file, "Settings/GameName").text = r"A game\nof more than fifty letters, which none has"
    found(file, "Characters/CharacterFolder/Characters/Character/RealName").text = "E" * 45
    content = built(file).content
    assert content is not None
    assert content.settings.name.startswith(r"A game\nof more")  # as it is
    assert content.settings.short_name == "A game\nof more than fifty letters, which none has"
    assert (content.characters[0].name, content.characters[0].short_name) == ("E" * 45, "E" * 40)
    assert (content.cursors[0].name, content.cursors[0].short_name) == ("eModeWalkto", "Walk to")
    old = ags_built.project("3.5.0.24", "26")
    found(old, "Characters/CharacterFolder/Characters/Character/RealName").text = "E" * 45
    content = built(old).content
    assert content is not None and content.characters[0].name == "E" * 40
    oldest = ags_built.project("3.3.0", "7")
    found(oldest, "Characters/CharacterFolder/Characters/Character/RealName").text = "E" * 45
    with pytest.raises(ElementError, match="takes 45 bytes, and the game has room for 40"):
        built(oldest)


def test_texts_that_have_no_room_are_named() -> None:
    """The editor cuts them, from 3.4 on; a block has whole names later, and all later texts."""
    long = "E" * 200
    places = {
        "Settings/SaveGameFileExtension": "save.extension: the game has only the first 20 bytes",
        "Settings/SaveGameFolderName": "save.folder: the game has only the first 50 bytes",
        "Characters/CharacterFolder/Characters/Character/RealName":
            "characters[0].name: the game has only the first 40 bytes",
        "GUIs/GUIFolder/GUIs/GUIMain/Controls/GUIButton/Text":
            "gui.buttons[0].text: the game has only the first 50 bytes",
        "Dialogs/DialogFolder/Dialogs/Dialog/DialogOptions/DialogOption/Text":
            "dialogs[0].options[0]: the game has only the first 150 bytes",
        "LipSync/Frames/CharsForFrame": "lip_sync[0]: the game has only the first 50 bytes",
        "TextParser/Words/TextParserWord/Word":
            "dictionary[0]: the game has only the first 30 letters",
    }  # fmt: skip
    said = {}
    for editor, index in (("3.4.1", "15"), ("3.6.2.12", "3060209"), ("3.6.3.12", "3060312")):
        file = ags_built.project(editor, index)
        found(file, "LipSync/Frames").children = [XmlNode("CharsForFrame")]
        for place in places:
            found(file, place).text = long
        maker = builder(file)
        content = maker.build(Compiled(EMPTY, EMPTY, {"Module.asc": EMPTY})).content
        assert content is not None
        said[editor] = {finding.message for finding in maker.findings}
        assert {finding.code for finding in maker.findings} == {"cut-short"}
        assert (content.save.extension, content.lip_sync[0]) == ("E" * 20, "E" * 50)
    every = {f"{message} of '{'E' * 60}…'" for message in places.values()}
    name, button = (
        next(one for one in every if one.startswith(start)) for start in ("characters", "gui")
    )
    folder, option, word = (
        next(one for one in every if one.startswith(start))
        for start in ("save.folder", "dialogs", "dictionary")
    )
    assert said["3.4.1"] == every
    assert said["3.6.2.12"] == every - {name, button, folder}
    assert said["3.6.3.12"] == every - {name, button, folder, option, word}


def test_events_stand_in_a_block_from_3_6_2_on() -> None:
    content = built(ags_built.project("3.6.1.26", "3060110")).content
    assert content is not None
    assert content.character_events == [[""] * 8]
    assert content.inventory_events == [["iKey_Look", "", "", "", ""]]
    game = built(ags_built.project("3.6.2.1", "3060200"))
    block = game.blocks.find("v362_interevents", EventsBlock)
    assert game.content is not None and block is not None
    assert (game.content.character_events, game.content.inventory_events) == ([[]], [[]])
    assert [table.handlers for table in block.inventory] == [[], ["iKey_Look", "", "", "", ""]]
    later = built(ags_built.project()).blocks.find("v362_interevent2", ScriptEventsBlock)
    assert later is not None
    assert (later.global_script, later.dialog_script, later.modules) == (
        "GlobalScript.asc", "__DialogScripts.asc", ["Module.asc"],
    )  # fmt: skip
    assert later.gui_script_modules == ["GlobalScript.asc"]
    padding = built(ags_built.project()).blocks.find("v362_guictrls", ButtonPaddingBlock)
    assert padding is not None and len(padding.buttons) == 1


def test_3_6_3_has_dialogs_and_information_in_blocks() -> None:
    file = ags_built.project("3.6.3.10", "3060310", ReleaseDate="2026-11-28",
                             GameTextLanguage="de-AT", Genre="Mystery")  # fmt: skip
    found(file, "TextParser/Words/TextParserWord/Word").text = "look, see , "
    game = built(file)
    content = game.content
    dialogs = game.blocks.find("v363_dialogsnew", DialogsBlock)
    said = game.blocks.find("v363_gameinfo", TextMap)
    assert content is not None and dialogs is not None and said is not None
    assert (content.dialogs, content.settings.dialog_count) == ([], 0)
    assert [option.text for option in dialogs.dialogs[0].options] == ["Hello?"]
    assert (said.get("release_date"), said.get("text_lang")) == ("28.11.2026", "de_AT")
    assert [entry.key for entry in said.entries] == [
        "title", "description", "dev_name", "dev_url", "genre", "release_date", "version",
        "text_lang",
    ]  # fmt: skip
    assert [word.text for word in content.dictionary] == ["look", "see"]
    assert content.settings.palette[3] == 0 and content.settings.palette[7] == 255


@pytest.mark.parametrize(
    ("editor", "flags"),
    [("3.4.1", b"\x10"), ("3.6.2.12", b"\x10")],
)
def test_flags_of_sprites(editor: str, flags: bytes) -> None:
    file = ags_built.project(editor, "15" if editor == "3.4.1" else "3060209")
    sprites = found(file, "Sprites/SpriteFolder/Sprites")
    sprites.children.append(XmlNode("Sprite", attributes={"Slot": "3", "Resolution": "HighRes"}))
    content = built(file).content
    assert content is not None
    if editor == "3.4.1":
        assert content.sprite_flags == b"\x10\0\0\1" + bytes(30000 - 4)
    else:
        assert content.sprite_flags == b"\x10\0\0\x21"


def test_rooms_have_names_where_the_game_is_debugged() -> None:
    content = built(ags_built.project(DebugMode=True)).content
    assert content is not None
    assert [(room.number, room.name) for room in content.room_names] == [(1, "The room")]
    content = built(ags_built.project()).content
    assert content is not None and content.room_names == []


def test_missing_views_have_no_loops() -> None:
    file = ags_built.project()
    found(file, "Views/ViewFolder/Views/View/ID").text = "3"
    content = built(file).content
    assert content is not None
    assert [len(view.loops) for view in content.views] == [0, 0, 1]
    assert content.view_names == ["", "", "VEGO"]


def test_plugins_have_their_data() -> None:
    file = ags_built.project()
    plugin = group("Plugin", [leaf("FileName", "agsteam.dll"), leaf("Data", "AQID")])
    found(file, "Plugins").children.append(plugin)
    content = built(file).content
    assert content is not None
    assert [(one.name, one.data) for one in content.plugins] == [("agsteam.dll", b"\1\2\3")]


@pytest.mark.parametrize("data", ["AQI", "A", "AQID\u00e9"])
def test_data_of_plugins_that_is_not_base_64_is_refused(data: str) -> None:
    file = ags_built.project()
    plugin = group("Plugin", [leaf("FileName", "agsteam.dll"), leaf("Data", data)])
    found(file, "Plugins").children.append(plugin)
    with pytest.raises(ElementError, match="expected base 64: ") as caught:
        built(file)
    assert caught.value.node is plugin.children[-1]


def _number(path: str, text: str) -> Callable[[XmlFile], None]:
    def change(file: XmlFile) -> None:
        found(file, path).text = text

    return change


def _attribute(path: str, name: str, value: str) -> Callable[[XmlFile], None]:
    def change(file: XmlFile) -> None:
        found(file, path).attributes[name] = value

    return change


FOLDER = "CharacterFolder/Characters/Character"


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (_number(f"Characters/{FOLDER}/ID", "1"), "expected the number 0, got 1"),
        (_number("InventoryItems/InventoryItemFolder/InventoryItems/InventoryItem/ID", "2"),
         "expected the number 1, got 2"),
        (_number("GUIs/GUIFolder/GUIs/GUIMain/NormalGUI/ID", "2"), "GUIs are numbered"),
        (_number("Views/ViewFolder/Views/View/ID", "0"), "number of a view, from 1 on"),
        (_number("Views/ViewFolder/Views/View/ID", "99999999"), "number of a view, from 1 on"),
        (_attribute("Palette/PaletteEntry", "Index", "256"), "Index up to 255, got '256'"),
        (_attribute("Palette/PaletteEntry", "Red", "-1"), "Red up to 255, got '-1'"),
        (_attribute("Sprites/SpriteFolder/Sprites/Sprite", "Slot", "x"), "the Slot, got 'x'"),
        (_attribute("Sprites/SpriteFolder/Sprites/Sprite", "Slot", "999999999"), "the Slot"),
        (_number(f"Characters/{FOLDER}/NormalView", "1.5"), "whole number, got '1.5'"),
        (_number(f"Characters/{FOLDER}/StartX", "99999999999"), "whole number, got '9999"),
        (_number("AudioClips/AudioClipFolder/AudioClips/AudioClip/DefaultVolume", "loud"),
         "expected a volume, got 'loud'"),
    ],
)  # fmt: skip
def test_what_is_refused(change: Callable[[XmlFile], None], reason: str) -> None:
    file = ags_built.project()
    change(file)
    with pytest.raises(ElementError, match=reason):
        built(file)


def test_the_item_that_is_too_much_is_the_last() -> None:
    file = ags_built.project()
    items = found(file, "InventoryItems/InventoryItemFolder/InventoryItems")
    (first,) = items.children
    for number in range(2, 301):
        more = deepcopy(first)
        for tag, text in (("ID", str(number)), ("Name", f"iKey{number}")):
            field = more.find(tag)
            assert field is not None
            field.text = text
        items.children.append(more)
    content = built(file).content
    assert content is not None and len(content.inventory) == 301
    items.children.append(deepcopy(first))
    last = items.children[-1].find("ID")
    assert last is not None
    last.text = "301"
    with pytest.raises(ElementError, match="a game has at most 300 items") as caught:
        built(file)
    assert caught.value.node is items.children[-1]


@pytest.mark.parametrize("seed", range(20))
def test_sounds_have_what_the_nearest_folder_says(seed: int) -> None:
    """Those of a folder stand before those of the folders in it."""
    dice = random.Random(seed)
    expected: list[tuple[str, dict[str, str]]] = []

    def folder(depth: int, above: Mapping[str, str]) -> XmlNode:
        said = {tag: dice.choice(["Inherit", "-1", "", "Yes", "No"]) for tag in ("Repeat", "Loud")}
        own = {**above, **{tag: text for tag, text in said.items() if text in ("Yes", "No")}}
        clips = []
        for _ in range(dice.randrange(3)):
            name = f"a{len(expected)}"
            clips.append(group("AudioClip", [leaf("ScriptName", name)]))
            expected.append((name, own))
        inner = [folder(depth + 1, own) for _ in range(dice.randrange(3) if depth < 3 else 0)]
        settings = group("AudioClipFolder", [leaf(tag, text) for tag, text in said.items()])
        return group(
            "AudioClipFolder", [group("SubFolders", inner), group("AudioClips", clips), settings]
        )

    made = clips_of(folder(0, {}), {})
    assert [(clip.value("ScriptName"), said) for clip, said in made] == expected


@pytest.mark.parametrize(("editor", "index"), [("3.6.3.10", "3060310"), ("3.2.1", "6")])
def test_any_text_in_an_element_gives_data_or_an_error_of_ours(editor: str, index: str) -> None:
    dice = random.Random(3)
    file = ags_built.project(editor, index)
    plugin = group("Plugin", [leaf("FileName", "agsteam.dll"), leaf("Data", "AQID")])
    found(file, "Plugins").children.append(plugin)
    texts = ["", "-1", "1.5", "1e999", "9" * 20, "x" * 300, "AQI", "\u00b2", "\u0663", "\0", "nan"]
    counts = [0, 0]
    for node in [each for each in file.root.walk() if not each.children]:
        before = node.text
        for node.text in ("\u00e9", dice.choice(texts)):
            try:
                builder(file).build(Compiled(EMPTY, EMPTY, {"Module.asc": EMPTY})).to_bytes()
            except OverhaulError:
                counts[1] += 1
            else:
                counts[0] += 1
        node.text = before
    assert min(counts) > 50
