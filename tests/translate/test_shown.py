"""Which texts of a made game a player sees, one rule at a time."""

from __future__ import annotations

import pytest

from overhaul import translate
from overhaul.gamemaker.data.chunks.room import AssetsLayer, Layer, LayerType, TextInstance
from overhaul.gml.syntax import tree
from overhaul.gml.syntax.parser import parse
from overhaul.translate.gamemaker.shown import _literals
from overhaul.translate.rules import read_rules
from small_games import game_of

OLD, NEW = "1.4.1763", "2023.4"

BOTH = {
    # directly, through functions, operators and branches
    'draw_text(0, 0, "a");': "a",
    'draw_text_ext_color(0, 0, "a", 1, 1, 0, 0, 0, 0, 1);': "a",
    'show_message("a");': "a",
    'k = show_question("a");': "a",
    'k = get_string("a", "b");': "a b",
    'window_set_caption("a");': "a",
    'k = string_width("a");': "a",
    'draw_text(0, 0, "a" + string(k) + "b");': "a b",
    'draw_text(0, 0, string_upper(string_copy("a", 1, k)));': "a",
    'draw_text(0, 0, string_replace_all("a", "b", "c"));': "a c",
    'draw_text(0, 0, string_insert("a", "b", 1));': "a b",
    'draw_text(0, 0, choose("a", "b"));': "a b",
    'draw_text(0, 0, string_repeat("a", string_length("b")));': "a",
    'room_caption = "a";': "a",
    # not
    'show_debug_message("a");': "",
    'k = "a";': "",
    'draw_text(0, 0, k == "a");': "",
    'draw_text(0, 0, string(string_length("a")));': "",
    'draw_text(0, 0, ini_read_string("a", "b", "c"));': "c",
    'draw_text(0, 0, "1: ");': "",
    # through variables
    'k = "a"; draw_text(0, 0, k);': "a",
    'k += "a"; draw_text(0, 0, k);': "a",
    'k -= "a"; draw_text(0, 0, k);': "",
    'global.k = "a"; draw_text(0, 0, global.k);': "a",
    'obj_a_b.k = "a"; draw_text(0, 0, obj_a_b.k);': "a",
    'obj_a_b.k = "a"; draw_text(0, 0, k);': "",
    'obj_a_b.k = "a"; draw_text(0, 0, n.k);': "a",
    'n.k = "a"; draw_text(0, 0, k);': "a",
    'with (obj_a_b) k = "a"; draw_text(0, 0, k);': "",
    'with (obj_a_b) k = "a"; draw_text(0, 0, obj_a_b.k);': "a",
    'with (n) k = "a"; draw_text(0, 0, k);': "a",
    'self.k = "a"; with (obj_a_b) draw_text(0, 0, k);': "",
    'self.k = "a"; with (obj_a_b) draw_text(0, 0, other.k);': "a",
    'global.k = "a"; draw_text(0, 0, k);': "",
    'obj_a_b.k = "a"; event_perform_object(obj_a_b, 0, 0); draw_text(0, 0, k);': "a",
    'obj_a_b.k = "a"; event_perform_object(n, 0, 0); draw_text(0, 0, k);': "a",
    'var k; k = "a"; n = "b"; draw_text(0, 0, n);': "b",
    'k = "a"; n = k; m = n; draw_text(0, 0, m);': "a",
    'k = n; n = k; k = "a"; draw_text(0, 0, n);': "a",
    'k[0] = "a"; k[3] = "b"; draw_text(0, 0, k[i]);': "a b",
    'variable_global_set("k", "a"); draw_text(0, 0, global.k);': "a",
    'global.k = "a"; draw_text(0, 0, variable_global_get("k"));': "a",
    # through what holds values; keys are none
    'ds_list_add(k, "a", "b"); draw_text(0, 0, ds_list_find_value(k, 0));': "a b",
    'ds_map_add(k, "a", "b"); draw_text(0, 0, ds_map_find_value(k, "a"));': "b",
    'ds_grid_set(k, 0, 0, "a"); draw_text(0, 0, ds_grid_get(k, 0, 0));': "a",
    'k[? "a"] = "b"; draw_text(0, 0, k[? "a"]);': "b",
    'k[? "a"] = "b"; draw_text(0, 0, k[? "c"]);': "",
    'k[? "a"] = "b"; draw_text(0, 0, n[? "a"]);': "b",
    'k[? "a"] = "b"; draw_text(0, 0, k[? n]);': "b",
    'k[? n] = "b"; draw_text(0, 0, k[? "a"]);': "b",
    'ds_list_copy(k, n); ds_list_add(n, "a"); draw_text(0, 0, ds_list_find_value(k, 0));': "a",
    # what is put into a list that a variable or an argument is one with
    'k = n; ds_list_add(k, "a"); draw_text(0, 0, ds_list_find_value(n, 0));': "a",
    'k = n; k = "a"; draw_text(0, 0, n);': "",
    "scr_fill(k); draw_text(0, 0, ds_list_find_value(k, 0));": "filled",
    # pictures of letters
    'draw_sprite(spr, ord(string_char_at("a", 1)) - 32, 0, 0);': "a",
    'draw_sprite(spr, string_ord_at("a", 1) mod 32, 0, 0);': "a",
    'draw_sprite(ord("a"), 0, 0, 0);': "",
    # dialogs of files; file types alone are not for people
    'k = get_open_filename("Maps|*.map", n);': "Maps|*.map",
    'k = "*.map"; n = get_open_filename("Maps|" + k, "");': "Maps|",
    # names, where code relies on them
    'k = "key_up"; draw_text(0, 0, k); n = variable_global_get(k);': "",
    'k = "key_up"; draw_text(0, 0, k); if (k == "other") n = 1;': "",
    'k = "key_up"; draw_text(0, 0, k); if (k == "") n = 1;': "key_up",
    'k = "key_up"; draw_text(0, 0, k); switch (k) { case "other": n = 1; }': "",
    'ds_list_add(k, "goTo"); draw_text(0, 0, ds_list_find_value(k, 0)); '
    "n = ds_list_find_index(k, m);": "",
    'k = "speed"; draw_text(0, 0, k); if (k == "other") n = 1;': "",
    'k = "Speed"; draw_text(0, 0, k); if (k == "other") n = 1;': "Speed",
    'k = "key up"; draw_text(0, 0, k); if (k == "other") n = 1;': "key up,",
    'draw_text(0, 0, "key_up"); if (k == "key_up") n = 1;': "key_up",
    'k = "http://a.b"; draw_text(0, 0, k);': "",
    # through the game's own functions
    'scr_show("n", "a");': "a",
    'script_execute(scr_show, "n", "a");': "a",
    "draw_text(0, 0, scr_name());": "name",
    # names of assets and files, unless drawn at once
    'k = "obj_a"; n = asset_get_index(k); draw_text(0, 0, k);': "",
    'k = "pictures/a.png"; draw_text(0, 0, k);': "",
    'k = ".png"; draw_text(0, 0, k);': "",
    'k = "a png"; draw_text(0, 0, string_lower("a.png") + k);': "a.png,a png",
    'draw_text(0, 0, "obj_a");': "obj_a",
}
MODERN = {
    'k = ["a", ["b"]]; draw_text(0, 0, k[1][0]);': "a b",
    'k = { t: "a", u: "b" }; draw_text(0, 0, k.t);': "a",
    'k = { t: "a", u: "b" }; draw_text(0, 0, k[$ n]);': "a b",
    'k = { t: "a", u: "b" }; draw_text(0, 0, k[$ "u"]);': "b",
    'k = { t: "a" }; draw_text(0, 0, variable_struct_get(k, n));': "a",
    'variable_struct_set(k, "t", "a"); draw_text(0, 0, k.t);': "a",
    'k = function(p, t) { draw_text(0, 0, t); }; k("n", "a");': "a",
    'k = function() { return "a"; }; draw_text(0, 0, k());': "a",
    'k = function() { var n = "a"; }; var n = "b"; draw_text(0, 0, n);': "b",
    'k = function(t = "a") { draw_text(0, 0, t); };': "a",
    'k = n ?? "a"; draw_text(0, 0, k);': "a",
    'draw_text(0, 0, n ? "a" : "b");': "a b",
    'array_push(k, "a"); draw_text(0, 0, array_pop(k));': "a",
    'layer_text_text(k, "a");': "a",
}


@pytest.mark.parametrize(
    ("version", "code", "wanted"),
    [
        *((version, *pair) for version in (OLD, NEW) for pair in BOTH.items()),
        *((NEW, *pair) for pair in MODERN.items()),
    ],
)
def test_what_is_shown(version: str, code: str, wanted: str) -> None:
    game = game_of(version)
    if "scr_" in code:
        scripts = {
            "scr_show": ("p, t", "argument0, argument1", "draw_text(0, 0, {1});"),
            "scr_name": ("", "", 'return "name";'),
            "scr_fill": ("p, t", "argument0, argument1", 'ds_list_add({0}, "filled");'),
        }
        for name, (parameters, arguments, body) in scripts.items():
            body = body.format(*(arguments.split(", ") if version == OLD else ("p", "t")))
            whole = f"function {name}({parameters}) {{ {body} }}"
            game.add_script(name, body if version == OLD else whole)
    game.add_event("obj_a", "Step_0", code)
    found = {entry.msgid for entry in translate.extract(game)}
    unused = {"name"} if "scr_name" not in code else set()
    assert found - unused == {each for each in wanted.split("," if "," in wanted else None) if each}


def test_an_argument_of_any_number() -> None:
    game = game_of(OLD)
    game.add_script("scr_all", "for (k = 0; k < 3; k += 1) draw_text(0, 0, argument[k]);")
    game.add_script("scr_second", "draw_text(0, 0, argument[1]);")
    game.add_event("obj_a", "Step_0", 'scr_all("a", "b"); scr_second("c", "d");')
    assert [entry.msgid for entry in translate.extract(game)] == ["a", "b", "d"]


def test_a_script_named_as_a_later_function_is_the_games_own() -> None:
    game = game_of(OLD)
    game.add_script("string_split", 'return "whole";')
    game.add_event("obj_a", "Step_0", 'draw_text(0, 0, string_split("a", "b"));')
    assert [entry.msgid for entry in translate.extract(game)] == ["whole"]


def test_a_template_is_one_text() -> None:
    game = game_of("2024.13")
    game.add_event("obj_a", "Step_0", 'draw_text(0, 0, $"It is {hour} of {day + "th"}.");')
    first, second = translate.extract(game)
    assert (first.msgid, first.flags) == ("It is {0} of {1}.", ["python-brace-format"])
    assert second.msgid == "th"


def test_texts_of_rooms() -> None:
    game = game_of("2024.6")
    text = TextInstance(game.strings.add("text_1"), text=game.strings.add("Welcome"))
    layer = Layer(game.strings.add("signs"), type=LayerType.ASSETS, data=AssetsLayer(texts=[text]))
    game.records.rooms[0].layers.append(layer)
    (entry,) = translate.extract(game)
    assert (entry.msgid, entry.occurrences) == ("Welcome", [("rooms/rm_first", "")])
    assert entry.comment == "rm_first, layer signs, text text_1"
    old = game_of(OLD)
    old.records.rooms[0].caption = old.strings.add("The cave")
    (entry,) = translate.extract(old)
    assert (entry.msgid, entry.comment) == ("The cave", "rm_first caption")


def test_an_entry_tells_its_places_and_other_uses() -> None:
    game = game_of(NEW)
    source = 'k = 1;\ndraw_text(0, 0, "Go");\nif (k == "Go") n = m[? "Go"];'
    game.add_event("obj_a", "Step_0", source)
    game.add_event("obj_a", "Create_0", 'show_message("Go");\nshow_debug_message("Go");')
    (entry,) = translate.extract(game)
    assert sorted(entry.occurrences) == [
        ("gml_Object_obj_a_Create_0", "1"),
        ("gml_Object_obj_a_Step_0", "2"),
    ]
    assert 'obj_a Step_0: draw_text(0, 0, "Go");' in entry.comment
    warning = entry.comment.split("\n")[-1]
    assert warning.startswith("WARNING: the same text is also ")
    for use in ("compared in", "a key in", "passed to show_debug_message in"):
        assert f"{use} gml_Object_obj_a_" in warning


@pytest.mark.parametrize(
    ("text", "flags"),
    [
        ("%1 of %2", "qt-format"),
        ("{0} {x", ""),
        ("{0} of {1}", "python-brace-format"),
        ("at %s: %d%%", "c-format"),
        ("at %s: 100%", ""),
        ("100% sure", ""),
        ("%shown", ""),
    ],
)
def test_placeholders_are_flagged(text: str, flags: str) -> None:
    game = game_of(OLD)
    game.add_event("obj_a", "Step_0", f'draw_text(0, 0, "{text}");')
    assert [entry.flags for entry in translate.extract(game)] == [flags.split()]


@pytest.mark.parametrize(
    ("version", "text", "reported"),
    [(OLD, "a#b", True), (OLD, "a\\#b", False), (OLD, "ab", False), (NEW, "a#b", False)],
)
def test_breaks_of_lines_are_reported(version: str, text: str, reported: bool) -> None:
    game = game_of(version)
    quoted = text.replace("\\", "\\\\") if version == NEW else text
    game.add_event("obj_a", "Step_0", f'draw_text(0, 0, "{quoted}");')
    (entry,) = translate.extract(game)
    assert ("# breaks the line" in entry.comment) is reported


def test_the_way_is_reported() -> None:
    game = game_of(OLD)
    game.add_script("scr_say", "var t; t = argument0; draw_text(0, 0, t);")
    game.add_event("obj_a", "Step_0", 'scr_say("Go"); global.k = "By"; show_message(global.k);')
    go, by = translate.extract(game)
    assert go.comment.split("\n")[1:] == ["shown by draw_text, through argument 0 of scr_say, t"]
    assert by.comment.split("\n")[1:] == ["shown by show_message, through global.k"]


@pytest.mark.parametrize(
    ("code", "uses"),
    [
        ("n = asset_get_index(k);", "asset_get_index"),
        ("n = ds_map_exists(m, k);", "ds_map_exists"),
        ("n = ini_read_string(k, 1, 2);", "ini_read_string"),
        ("n = ini_read_string(1, k, 2);", "ini_read_string"),
        ("n = m[? k];", "[? ]"),
        ("m[? k] = 1;", "[? ]"),
        ("n = k; m = real(n);", "real"),
        ("n = ini_read_string(1, 2, k);", ""),
        ("n = ds_map_find_value(k, m);", ""),
        ("n = m[k];", ""),
    ],
)
def test_a_text_whose_value_is_a_name_elsewhere(code: str, uses: str) -> None:
    game = game_of(NEW)
    game.add_event("obj_a", "Step_0", f'k = "Go"; draw_text(0, 0, k); {code}')
    (entry,) = translate.extract(game)
    warning = f"WARNING: the same text is also a name that may come to {uses}; "
    assert entry.comment.count("WARNING") == bool(uses)
    assert not uses or warning in entry.comment


def test_a_text_that_only_the_decompiler_writes_is_no_text_of_the_game() -> None:
    """The code holds the number of a key, which is shown as ``ord("A")``."""
    game = game_of(NEW)
    game.add_event("obj_a", "Step_0", 'if (keyboard_check(ord("A"))) draw_text(0, 0, "Go");')
    rules = read_rules(b'[include]\nentries = ["*"]\n', "rules.toml")
    assert [entry.msgid for entry in translate.extract(game, rules=rules)] == ["Go"]


def test_texts_are_found_as_by_looking_at_every_node() -> None:
    source = """
        draw_text(0, 0, $"hi {name + "x"} and {string(1)}", [1, "two", { three: "four" }]);
        switch (word) { case "five": show(a ? "six" : b[? "seven"] ?? "eight", -"nine"); }
        f = function(tenth = "ten") { static s = "eleven"; return $"twelve"; };
    """
    block = parse(source, game_of("2024.14").language.context.dialect)
    inside = {
        id(part)
        for node in block.walk()
        if isinstance(node, tree.TemplateString)
        for part in node.parts
        if isinstance(part, tree.String)
    }
    kinds = (tree.String, tree.TemplateString)
    slow = [id(node) for node in block.walk() if isinstance(node, kinds) and id(node) not in inside]
    assert [id(literal.node) for literal in _literals(block)] == slow
    assert len(slow) > 10
