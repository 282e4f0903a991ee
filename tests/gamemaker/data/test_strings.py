"""Strings of the table: ``str`` to people, entries with an identity to the file."""

from __future__ import annotations

import copy
import json
import pickle
import re
from collections.abc import Callable
from pathlib import Path, PurePosixPath
from typing import Any

import pytest

from overhaul.errors import EncodeError
from overhaul.gamemaker.data import GameData
from overhaul.gamemaker.data.blank import blank_game
from overhaul.gamemaker.data.chunks.optn import Language, LanguageInfo
from overhaul.gamemaker.data.chunks.room import Room
from overhaul.gamemaker.data.chunks.shdr import Shader
from overhaul.gamemaker.data.chunks.sond import Sound
from overhaul.gamemaker.data.chunks.sprt import Sprite
from overhaul.gamemaker.data.strings import String, StringTable
from present import instance, present
from small_games import game_of


def again(game: GameData) -> GameData:
    return GameData.from_bytes(game.to_bytes())


@pytest.fixture
def game() -> GameData:
    """Two sprites, a room that shares a name with one of them, and a shader."""
    game = blank_game({"kind": "gamemaker-data", "version": "2024.13"})
    for name in ("spr_a", "spr_b"):
        game.records.sprites.append(Sprite(name))
    game.records.rooms.append(Room("spr_a"))
    game.records.shaders.append(Shader("shd", attributes=["in_Position", "in_Colour"]))
    return again(game)


def test_names_are_str(game: GameData) -> None:
    name = present(game.records.sprites[0].name)
    assert isinstance(name, str)
    assert (
        ", ".join(present(sprite.name) for sprite in game.records.sprites.present())
        == "spr_a, spr_b"
    )
    assert json.dumps({"name": name}) == '{"name": "spr_a"}'
    assert PurePosixPath("sprites") / name == PurePosixPath("sprites/spr_a")
    match = re.match("spr_(.)", name)
    assert match is not None and match[1] == "a"
    assert (name.index("_"), name.count("a"), name[4:], name + "!") == (3, 1, "a", "spr_a!")
    assert {"spr_a": 1}[name] == 1
    assert type(str(name)) is str


def test_a_sound_is_found_by_its_own_name(tmp_path: Path) -> None:
    game = blank_game({"kind": "gamemaker-data", "version": "2024.13"})
    game.records.sounds.append(Sound("snd_a"))
    game.set_sound_bytes("snd_a", b"OggS and more")
    read = again(game)
    assert read.sound_bytes(present(read.records.sounds[0].name)) == b"OggS and more"


def test_an_entry_that_is_given_another_text_is_seen_by_all_that_share_it(game: GameData) -> None:
    held = instance(String, game.records.sprites[0].name)
    assert game.records.rooms[0].name is held
    game.strings[held.number] = "spr_c"
    for state in (game, again(game)):
        names = [state.records.sprites[0].name, state.records.rooms[0].name]
        assert [*names, state.records.sprites[1].name] == ["spr_c", "spr_c", "spr_b"]
        assert state.records.sprites["spr_c"] is state.records.sprites[0]
        assert "spr_a" not in state.records.sprites
    assert game.records.sprites[0].name is game.strings[held.number]
    assert (held, held.text, held.raw) == ("spr_a", "spr_c", b"spr_c")


def test_an_entry_can_be_given_many_texts_one_after_another(game: GameData) -> None:
    held = instance(String, game.records.sprites[0].name)
    for number in range(3000):
        game.strings[held.number] = f"spr_{number}"
    assert game.records.sprites[0].name == again(game).records.sprites[0].name == "spr_2999"
    held.text = "spr_last"
    assert (held.text, game.records.rooms[0].name) == ("spr_last", "spr_last")
    assert again(game).records.rooms[0].name == "spr_last"


def test_a_name_that_is_assigned_leaves_those_that_shared_it(game: GameData) -> None:
    count = len(game.strings)
    game.records.sprites[0].name = "spr_new"
    read = again(game)
    assert (read.records.sprites[0].name, read.records.rooms[0].name) == ("spr_new", "spr_a")
    assert len(read.strings) == count + 1
    game.records.sprites[0].name = game.records.sprites[1].name
    assert again(game).records.sprites[0].name is not None
    assert again(game).records.sprites[0].name == "spr_b"
    game.records.sprites[0].name = None
    assert again(game).records.sprites[0].name is None


def test_strings_in_lists_show_the_entry_that_is_there(game: GameData) -> None:
    shader = game.records.shaders[0]
    number = instance(String, shader.attributes[0]).number
    game.strings[number] = "in_Place"
    assert shader.attributes == ["in_Place", "in_Colour"]
    assert again(game).records.shaders[0].attributes == ["in_Place", "in_Colour"]


def test_texts_of_languages_show_the_entry_that_is_there() -> None:
    game = blank_game({"kind": "gamemaker-data", "version": "2024.13"})
    record = instance(LanguageInfo, game.languages)
    record.language_count = 1
    record.entry_ids.append("greeting")
    record.languages = [Language("English", "GB", ["Hello"])]
    read = again(game)
    language = instance(LanguageInfo, read.languages).languages[0]
    for place, text in ((language.texts[0], "Hi"), (language.name, "English (UK)")):
        read.strings[instance(String, place).number] = text
    for item in (language, instance(LanguageInfo, again(read).languages).languages[0]):
        assert (item.name, item.region, item.texts) == ("English (UK)", "GB", ["Hi"])


def test_two_entries_of_one_text_stay_two(game: GameData) -> None:
    twin = game.strings.add_new("spr_a")
    game.records.sprites[1].name = twin
    read = again(game)
    first, second = (instance(String, read.records.sprites[index].name) for index in (0, 1))
    assert first == second and first is not second
    assert second.number == twin.number == len(read.strings) - 1
    read.strings[second.number] = "spr_z"
    assert [sprite.name for sprite in again(read).records.sprites.present()] == ["spr_a", "spr_z"]


def test_an_entry_of_another_game_is_added(game: GameData) -> None:
    other = blank_game({"kind": "gamemaker-data", "version": "2024.13"})
    other.records.sprites.append(Sprite("spr_other"))
    foreign = instance(String, again(other).records.sprites[0].name)
    game.records.sprites[0].name = foreign
    assert again(game).records.sprites[0].name == "spr_other"
    copied = StringTable([String("a")])
    copied.append(foreign)
    assert copied[1] == foreign and copied[1] is not foreign
    assert foreign.number != 1


def test_a_copied_record_shares_its_strings(game: GameData) -> None:
    name = instance(String, game.records.sprites[0].name)
    for twin in (copy.copy(game.records.sprites[0]), copy.deepcopy(game.records.sprites[0])):
        assert twin.name is name
    assert copy.copy(name) is name
    there = pickle.loads(pickle.dumps(name))
    assert (there, type(there)) == ("spr_a", str)


def test_a_replaced_entry_is_not_found_any_more() -> None:
    table = StringTable([String("a"), String("b")])
    before = present(table.find("a"))
    table[0] = "c"
    assert table.find("a") is None
    assert table.find("c") is table[0] is before.current
    assert table.add("a").number == 2
    assert table.encode(before) == 1
    table[0] = table[0]
    assert (table.edits, table[0].later) == (1, None)


def test_the_table_takes_plain_texts_wherever_they_are_put() -> None:
    table = StringTable()
    table.append("b")
    table.extend(["c", "d"])
    table += ["e"]
    table.insert(0, "a")
    assert [(str(item), item.number) for item in table] == [*zip("abcde", range(5), strict=True)]
    b, e = table[1], table[4]
    table[1:3] = ["B", "C"]
    assert (b.text, table[1].number) == ("B", 1)
    table[-1] = "E"
    assert (e.current, table[4].number) == ("E", 4)
    table[1:3] = ["x", "y", "z"]
    assert table == ["a", "x", "y", "z", "d", "E"]
    assert [item.number for item in table] == [*range(6)]
    assert (table.encode("y"), table.encode(None), table.encode(table[5])) == (3, 0, 6)


def test_what_is_no_text_is_refused() -> None:
    table = StringTable([String("a")])
    for wrong in (3, b"a", None):
        with pytest.raises(EncodeError, match="expected a string, got"):
            table[0] = wrong  # type: ignore[call-overload]
    with pytest.raises(EncodeError, match="expected a string, got bytes"):
        table.encode(b"a")
    with pytest.raises(IndexError):
        table[1] = "b"
    with pytest.raises(EncodeError, match="is not text"):
        _ = String("\ud800").raw
    assert table == ["a"]


def test_bytes_that_are_not_utf8_come_back() -> None:
    for raw in (b"\xff\xfename", b"\xed\xa0\x80", b"", "žluť".encode()):
        assert String(raw).raw == raw


def test_a_string_outside_of_tables_takes_another_text() -> None:
    alone = String("a")
    alone.text = "b"
    alone.text = "c"
    assert (alone.text, alone.raw, alone.number) == ("c", b"c", -1)


@pytest.mark.parametrize("version", ["1.0.0.1044", "1.4.0.1773", "2024.14"])
def test_a_code_entry_shows_the_name_its_string_has_now(version: str) -> None:
    """Code entries are not read by a codec, as other records are."""
    game = game_of(version)
    game.add_script("scr_first", "return 1;")
    read = again(game)
    entry: Any = read.records.code[0]
    before = str(entry.name)
    entry.name.text = before + "_later"
    assert str(entry.name) == before + "_later" and before + "_later" in repr(entry)


MOVES: dict[str, Callable[[StringTable], object]] = {
    "insert": lambda strings: strings.insert(0, "more"),
    "slice": lambda strings: strings.__setitem__(slice(0, 1), ["one", "two"]),
    "del": lambda strings: strings.__delitem__(0),
    "pop": lambda strings: strings.pop(0),
    "remove": lambda strings: strings.remove(strings[0]),
    "clear": lambda strings: strings.clear(),
    "reverse": lambda strings: strings.reverse(),
    "sort": lambda strings: strings.sort(),
}


@pytest.mark.parametrize("how", MOVES)
def test_texts_do_not_move_where_code_has_their_numbers(how: str) -> None:
    game = game_of("2023.8")
    game.add_script("hello", 'show_debug_message("hello");')
    before = game.to_bytes()
    game = GameData.from_bytes(before)
    with pytest.raises(EncodeError, match="code has the numbers of texts"):
        MOVES[how](game.strings)
    assert game.to_bytes() == before
    game.strings.append("at the end")
    again = GameData.from_bytes(game.to_bytes())
    assert again.strings[-1] == "at the end"
    assert "hello" in again.code["gml_GlobalScript_hello"].gml


@pytest.mark.parametrize("how", MOVES)
def test_texts_move_where_no_code_is(how: str) -> None:
    """Fields keep their texts: one that is gone is added again."""
    game = GameData.from_bytes(game_of("2023.8").to_bytes())
    expected = list(game.strings)
    MOVES[how](game.strings)
    assert [string.number for string in game.strings] == [*range(len(game.strings))]
    again = GameData.from_bytes(game.to_bytes())
    assert [str(each.name) for each in again.records.objects.present()] == ["obj_a", "obj_a_b"]
    assert set(again.strings) >= set(expected) - {expected[0]}
