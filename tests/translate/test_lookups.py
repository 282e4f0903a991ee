"""Keys that code looks up are no texts, names that it puts together reach texts, and the names of
files come through functions."""

from __future__ import annotations

import pytest

from overhaul import translate
from overhaul.gamemaker.data.game import GameData
from small_games import game_of

OLD, NEW = "1.4.1763", "2023.4"
#: bodies of ``say(key)``, and which of its callers' texts a player sees: KEYS are "play", "Go on"
BODIES = {
    'switch (KEY) { case "play": return "Play!"; case "Go on": return "On"; } return KEY;': "Quit",
    'if (KEY == "play") return "Play!"; if ("Go on" == KEY) return "On"; return KEY;': "Quit",
    'if (KEY == "play") return "Play!"; return KEY;': "Go on,Quit",
    'var t; t = KEY; if (t == "play") t = "Play!"; if (t == "Go on") t = "On"; return t;': "Quit",
    # not returned, or nothing else is: the argument is what is shown, or is not
    'if (KEY == "play") return "Play!"; return "";': "",
    'if (KEY == "play") return 0; return KEY;': "Go on,Quit,play",
    'if (KEY == "") return "None"; return KEY;': "Go on,Quit,play",
    "return KEY;": "Go on,Quit,play",
    'if (KEY == "play") return "Play!"; draw_text(0, 0, KEY); return KEY;': "Go on,Quit,play",
    # what else it returns is not in the code
    "if (ds_map_exists(m, KEY)) return ds_map_find_value(m, KEY); return KEY;": "Go on,Quit,play",
    "return ini_read_string(1, KEY, KEY);": "Go on,Quit,play",
}


def texts(game: GameData) -> set[str]:
    return {entry.msgid for entry in translate.extract(game)}


@pytest.mark.parametrize("version", [OLD, NEW])
@pytest.mark.parametrize(("body", "wanted"), BODIES.items())
def test_keys_that_a_function_compares_are_no_texts(version: str, body: str, wanted: str) -> None:
    game = game_of(version)
    if version == OLD:
        game.add_script("say", body.replace("KEY", "argument0"))
    else:
        game.add_script("say", f"function say(key) {{ {body.replace('KEY', 'key')} }}")
    calls = (f'draw_text(0, 0, say("{key}"));' for key in ("play", "Go on", "Quit"))
    game.add_event("obj_a", "Step_0", "\n".join(calls))
    answers = {"Play!", "On", "None"}
    assert ",".join(sorted(texts(game) - answers)) == wanted


#: what a function returns of a table that code does not write
OPEN = [
    "if (ds_map_exists(m, key)) return ds_map_find_value(m, key); return key;",
    "if (ds_map_exists(m, key)) return m[? key]; return key;",
    "var t = m[$ key]; if (is_undefined(t)) return key; return t;",
    "return variable_struct_get(m, key) ?? key;",
    'return ini_read_string("texts", key, key);',
    "for (var i = 0; i < n; i++) { if (g[# 0, i] == key) return g[# 1, i]; } return key;",
    "for (var i = 0; i < n; i++) { if (m[i].key == key) return m[i].text; } return key;",
    "for (var i = 0; i < n; i++) { var k = m[i]; if (k == key) return t[i]; } return key;",
    "var i = ds_list_find_index(m, key); return (i < 0) ? key : ds_list_find_value(t, i);",
]


@pytest.mark.parametrize("body", OPEN)
@pytest.mark.parametrize(
    ("said", "shown"),
    [
        (("play", "menu_start", "Menu.Quit"), ""),
        (("play", "menu_start", "New game"), ""),  # most of them are keys
        (("New game", "Quit", "play"), "New game,Quit,play"),  # the texts are the keys
    ],
)
def test_keys_of_a_table_that_is_not_in_the_code(
    body: str, said: tuple[str, ...], shown: str
) -> None:
    game = game_of(NEW)
    game.add_script("say", f"function say(key) {{ {body} }}")
    calls = (f'draw_text(0, 0, say("{key}"));' for key in said)
    game.add_event("obj_a", "Step_0", "\n".join(calls))
    assert ",".join(sorted(texts(game))) == shown


def test_the_keys_of_a_map_that_code_fills_are_keys() -> None:
    game = game_of(OLD)
    body = "if (ds_map_exists(m, {0})) return ds_map_find_value(m, {0}); return {0};"
    game.add_script("say", body.format("argument0"))
    game.add_event("obj_a", "Create_0", 'm = ds_map_create(); ds_map_add(m, "Start it", "Go");')
    shown = ("Start it", "One more", "Two more")
    calls = (f'draw_text(0, 0, say("{key}"));' for key in shown)
    game.add_event("obj_a", "Step_0", "\n".join(calls))
    assert texts(game) == {"Go", "One more", "Two more"}


def test_a_key_that_goes_through_variables_and_functions() -> None:
    game = game_of(NEW)
    game.add_script(
        "say", 'function say(key) { if (key == "item_sword") return "Sword"; return key; }'
    )
    game.add_script("label", "function label(name) { return string_upper(say(name)); }")
    game.add_event("obj_a", "Create_0", 'k = "item_sword"; n = "Shield"; p = "item_";')
    game.add_event(
        "obj_a",
        "Step_0",
        "draw_text(0, 0, label(k)); draw_text(0, 0, label(n)); draw_text(0, 0, label(p + q));",
    )
    assert texts(game) == {"Sword", "Shield"}


def test_a_key_that_is_drawn_too_is_a_text() -> None:
    game = game_of(NEW)
    game.add_script("say", 'function say(key) { if (key == "Go") return "Geh"; return key; }')
    game.add_event("obj_a", "Step_0", 'k = "Go"; draw_text(0, 0, say(k)); draw_text(0, 0, k);')
    assert texts(game) == {"Go", "Geh"}


def test_why_a_key_is_no_text_is_explained() -> None:
    game = game_of(NEW)
    game.add_script("say", 'function say(key) { if (key == "Go") return "Geh"; return key; }')
    game.add_event("obj_a", "Step_0", 'draw_text(0, 0, say("Go"));')
    found = translate.explain(game, "Go")
    assert {each.reason for each in found if not each.shown} == {
        "it is a key, which say looks up",
        "it is compared",
    }


COMPUTED = {
    # read
    'text_a = "One"; draw_text(0, 0, variable_instance_get(id, "text_" + k));': "One",
    'text_a = "One"; n = "text_" + k; draw_text(0, 0, variable_instance_get(id, n));': "One",
    'text_a = "One"; draw_text(0, 0, variable_instance_get(id, k));': "",
    'other_a = "One"; draw_text(0, 0, variable_instance_get(id, "text_" + k));': "",
    'm.text_a = "One"; draw_text(0, 0, variable_instance_get(m, "text_" + k));': "One",
    'obj_a_b.text_a = "One"; draw_text(0, 0, variable_instance_get(id, "text_" + k));': "",
    'a_text = "One"; draw_text(0, 0, variable_instance_get(id, k + "_text"));': "One",
    # written
    'variable_instance_set(id, "text_" + k, "One"); draw_text(0, 0, text_a);': "One",
    'variable_instance_set(id, "text_" + k, "One"); draw_text(0, 0, other_a);': "",
    'variable_instance_set(id, "text_" + k, "One"); '
    'draw_text(0, 0, variable_instance_get(id, "text_a"));': "One",
}
STRUCTS = {
    'm = {}; m.a = "One"; draw_text(0, 0, variable_struct_get(m, k));': "One",
    'm = {}; m.a = "One"; draw_text(0, 0, m[$ k]);': "One",
    'm = {}; m.a = "One"; draw_text(0, 0, n[$ k]);': "",
    'm = {}; m.a = "One"; draw_text(0, 0, m[$ "b"]);': "",
    'm.text_a = "One"; draw_text(0, 0, n[$ "text_" + k]);': "One",
    'm = {}; variable_struct_set(m, "a", "One"); draw_text(0, 0, m[$ k]);': "One",
    'm = {}; variable_struct_set(m, k, "One"); draw_text(0, 0, m[$ k]);': "One",
    'T = function() constructor { a = "One"; self.b = "Two"; }; m = new T(); '
    "draw_text(0, 0, m[$ k]);": "One,Two",
    'T = function() constructor { a = "One"; }; m = new T(); draw_text(0, 0, m);': "",
}


@pytest.mark.parametrize(
    ("version", "code", "wanted"),
    [
        *((version, *pair) for version in (OLD, NEW) for pair in COMPUTED.items()),
        *((NEW, *pair) for pair in STRUCTS.items()),
    ],
)
def test_variables_whose_names_are_computed(version: str, code: str, wanted: str) -> None:
    game = game_of(version)
    game.add_event("obj_a", "Step_0", code)
    assert ",".join(sorted(texts(game))) == wanted


FILES = {
    'load("texts.csv");': "texts.csv",
    'load("lang/" + k + ".csv");': "lang/*.csv",
    'k = "en"; load(k + ".csv");': "en.csv",
    'load(string_lower("Texts.csv"));': "Texts.csv",
    'load(k ? "a.csv" : "b.csv");': "a.csv,b.csv",
    "load(k);": "",
}


@pytest.mark.parametrize(("code", "wanted"), FILES.items())
@pytest.mark.parametrize(
    "body",
    [
        "var b = buffer_load(argument[0]);",
        "var b = buffer_load(argument0);",
        "var b = buffer_load(full(argument0));",
        "load_further(argument0);",
    ],
)
def test_a_file_that_a_function_reads_is_named_by_its_callers(
    body: str, code: str, wanted: str
) -> None:
    game = game_of(NEW)
    full = 'if (k == 1) return argument0; return "./" + argument0;'
    game.add_script("full", f"function full() {{ {full} }}")
    game.add_script("load", f"function load() {{ {body} }}")
    game.add_script("load_further", "function load_further(n) { var b = buffer_load(n); }")
    game.add_event("obj_a", "Step_0", code)
    found = {file.pattern for file in translate.game_files(game)}
    assert ",".join(sorted(found)) == wanted


def test_a_path_is_of_its_own_call() -> None:
    game = game_of(NEW)
    game.add_script("full", 'function full(name) { return "data/" + name; }')
    game.add_event("obj_a", "Step_0", 'k = full("pictures"); b = buffer_load(full("a.csv"));')
    assert [file.pattern for file in translate.game_files(game)] == ["data/a.csv"]
