"""A file of rules changes which texts are translated; each decision is explained."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from overhaul import translate
from overhaul.errors import FormatError
from overhaul.gamemaker.data.game import GameData
from overhaul.translate.rules import Rules, load_rules, read_rules
from small_games import game_of

SOURCE = """
draw_text(0, 0, "Hello");
show_debug_message("Log");
name = "obj_a";
draw_text(0, 0, name);
k = "key_up";
draw_text(0, 0, k);
if (k == "other")
    scr_log("Logged");
"""


@pytest.fixture(scope="module")
def game() -> GameData:
    made = game_of("1.4.1763")
    made.add_script("scr_log", "draw_text(0, 0, argument0);")
    made.add_event("obj_a", "Step_0", SOURCE)
    return made


@pytest.mark.parametrize(
    ("rules", "texts"),
    [
        ("", "Hello Logged"),
        ('[include]\ntexts = ["Log"]', "Hello Log Logged"),
        ('[include]\npatterns = ["L.g"]', "Hello Log Logged"),
        ('[include]\npatterns = ["L"]', "Hello Logged"),
        ('[include]\nfunctions = ["show_debug_message:0"]', "Hello Log Logged"),
        ('[include]\nfunctions = ["show_debug_message:1"]', "Hello Logged"),
        ('[include]\nfunctions = ["show_debug_*"]', "Hello Log Logged"),
        ('[include]\nentries = ["gml_Object_obj_a_*"]', "Hello Log obj_a key_up other Logged"),
        ('[include]\nentries = ["gml_Object_obj_b_*"]', "Hello Logged"),
        ('[exclude]\ntexts = ["Hello"]', "Logged"),
        ('[exclude]\npatterns = ["H.*|x"]', "Logged"),
        ('[exclude]\npatterns = ["H"]', "Hello Logged"),
        ('[exclude]\nfunctions = ["scr_log"]', "Hello"),
        ('[exclude]\nfunctions = ["scr_log:0"]', "Hello"),
        ('[exclude]\nfunctions = ["scr_log:1"]', "Hello Logged"),
        ('[exclude]\nentries = ["*Step_0"]', ""),
        ('[exclude]\ntexts = ["Log"]\n[include]\ntexts = ["Log"]', "Hello Log Logged"),
    ],
)
def test_rules(game: GameData, rules: str, texts: str) -> None:
    read = read_rules(rules.encode())
    found = translate.extract(game, rules=read)
    assert [entry.msgid for entry in found] == texts.split()


def test_all_verbs_take_them(game: GameData) -> None:
    rules = read_rules(b'[include]\ntexts = ["Log"]\n[exclude]\ntexts = ["Hello"]')
    messages = translate.extract(game, rules=rules)
    for entry in messages:
        entry.msgstr = entry.msgid.upper()
    done = translate.apply(game, messages, rules=rules)
    assert (done.texts, done.warnings) == (2, [])
    code = GameData.from_bytes(done.data).code["gml_Object_obj_a_Step_0"].gml
    assert 'show_debug_message("LOG")' in code and '"Hello"' in code
    assert translate.check(game, messages, rules=rules) == []
    assert [str(each) for each in translate.check(game, messages)] == [
        "line 0: 'Log': the game does not show this text"
    ]
    assert translate.update(game, messages, rules=rules).kept == 2
    assert translate.update(game, messages).gone == 1


def test_texts_of_rooms_can_be_left_out() -> None:
    game = game_of("1.4.1763")
    game.records.rooms[0].caption = game.strings.add("The cave")
    assert len(translate.extract(game, rules=Rules())) == 1
    assert not translate.extract(game, rules=read_rules(b'[exclude]\npatterns = ["The .*"]'))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[includes]", "includes: unknown key; expected one of include, exclude"),
        ("[include]\nsprite = []", "include.sprite: unknown key; expected one of texts, patterns"),
        ("include = 1", "include: expected a table, got 1"),
        ('[exclude]\ntexts = "a"', "exclude.texts: expected a list of strings, got 'a'"),
        ("[exclude]\ntexts = [1]", "exclude.texts: expected a list of strings, got [1]"),
        ('[exclude]\npatterns = ["("]', "exclude.patterns: '(' is not a regular expression: "),
        ('[include]\nfunctions = ["a:b"]', "include.functions: expected a name, or one with"),
        ('[include]\nfunctions = [":1"]', "include.functions: expected a name, or one with"),
        ('[include]\nfunctions = ["a:100"]', "include.functions: expected a name, or one with"),
        ("[include", "not a TOML file: "),
        ("\udcff", "not a TOML file: "),
    ],
)
def test_other_files_are_refused(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "translate.toml"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(FormatError, match=re.escape(message)) as error:
        load_rules(path)
    assert str(path) in str(error.value)


@pytest.mark.parametrize(
    ("text", "shown", "line", "reason"),
    [
        ("Hello", True, 1, "shown by draw_text"),
        ("Log", False, 2, "it is passed to show_debug_message"),
        ("obj_a", False, 3, "it is the name of a resource"),
        ("key_up", False, 5, "it looks like a name, and comes to a comparison"),
        ("other", False, 7, "it is compared"),
        ("Logged", True, 9, "shown by draw_text, through argument 0 of scr_log"),
    ],
)
def test_explain(game: GameData, text: str, shown: bool, line: int, reason: str) -> None:
    (found,) = translate.explain(game, text)
    assert (found.shown, found.line, found.reason) == (shown, line, reason)
    assert found.where == "gml_Object_obj_a_Step_0" and f'"{text}"' in found.source


def test_explain_tells_of_each_place_of_an_entry() -> None:
    made = game_of("1.4.1763")
    lines = ('if (k == "A") x = 1;', 'draw_text(0, 0, "A");', "y = 2;", 'draw_text(9, 9, "A");')
    made.add_event("obj_a", "Step_0", "\n".join(lines))
    found = translate.explain(made, "A")
    assert [each.shown for each in found] == [False, True, True]
    assert found[0].line == 1 < found[1].line < found[2].line


def test_explain_rules_and_rooms(game: GameData) -> None:
    rules = read_rules(b'[include]\ntexts = ["Log"]\n[exclude]\ntexts = ["Hello"]')
    (log,) = translate.explain(game, "Log", rules=rules)
    (hello,) = translate.explain(game, "Hello", rules=rules)
    assert (log.shown, log.reason) == (True, "shown by the rules")
    assert (hello.shown, hello.reason) == (False, "the rules exclude it")
    assert translate.explain(game, "Never") == []
    other = game_of("1.4.1763")
    other.records.rooms[0].caption = other.strings.add("The cave")
    (cave,) = translate.explain(other, "The cave")
    assert (cave.where, cave.shown, cave.reason) == ("rooms/rm_first", True, "a text of a room")


def test_a_long_way_is_reported_shortly() -> None:
    game = game_of("2023.4")
    steps = "".join(f"v{number + 1} = v{number};" for number in range(9))
    game.add_event("obj_a", "Step_0", f'v0 = "Go"; {steps} draw_text(0, 0, v9);')
    (found,) = translate.explain(game, "Go")
    assert found.reason == "shown by draw_text, through v0, v1, v2, v3, v4, ..., v9"
