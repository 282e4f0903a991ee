"""Names in a source that nothing has: warnings of the compiled code."""

from __future__ import annotations

import pytest

from overhaul import gml
from overhaul.gml.builtins import load_functions
from overhaul.gml.context import UnknownName
from overhaul.gml.dialect import Dialect
from overhaul.gml.vm.registration import names_given
from overhaul.suggest import closest, did_you_mean

GAME = ["hp", "speed_max"]


def context(variables: list[str] | None = GAME) -> gml.Context:
    """A game of the newest release with two variables."""
    made = gml.Context(Dialect())
    made.variables = variables
    made.add_asset("sprite", 0, "spr_player")
    made.add_asset("object", 0, "obj_wall")
    made.add_function("jump", "gml_Script_jump")
    made.add_extension_function("ads_show", 0)
    made.add_macro("LIMIT", "10")
    made.add_enum("Side", [("left", 0)])
    made.add_global("score_total")
    return made


def unknown(source: str, game: gml.Context | None = None, kind: str = "event") -> list[str]:
    return [str(name) for name in gml.compile(source, game or context(), kind=kind).unknown]


def test_a_misspelt_function_is_named_with_its_place_and_what_it_may_be() -> None:
    assert unknown("x = 1;\n  instance_craete(1, 2, 3);") == [
        "2:3: unknown function instance_craete (did you mean instance_create_layer?)"
    ]


def test_what_a_name_may_be_is_of_the_generation_of_the_game() -> None:
    new, old = gml.Context(), gml.Context(gml.Dialect(gms2_or_later=False, gml_v2=False))

    def meant(name: str) -> list[str]:
        return [
            game.suggestion(name).removeprefix(" (did you mean ").removesuffix("?)")
            for game in (new, old)
        ]

    assert meant("instance_craete") == ["instance_create_layer", "instance_create"]
    assert meant("draw_txt") == ["draw_text", "draw_text"]
    assert meant("sound_ply") == ["sound_play", "sound_play"]  # nothing newer begins so
    assert meant("layer_creat") == ["layer_create", "layer_create"]
    assert meant("asset_backgroun") == ["asset_background", "asset_background"]
    new.add_function("instance_create", "gml_Script_instance_create")
    assert meant("instance_craete")[0] == "instance_create"  # a function of the game's own


def test_a_function_of_the_other_generation_is_one_that_the_game_lacks() -> None:
    source = "x = 1;\n  instance_create(1, 2, obj_wall);\ninstance_create(1, 2, obj_wall);"
    assert unknown(source) == [
        "2:3: GameMaker Studio 2 has no function instance_create "
        "(did you mean instance_create_layer?)"
    ]
    old = gml.Context(gml.Dialect(gms2_or_later=False, gml_v2=False))
    old.variables = []
    assert unknown("layer_create(5);", old) == [
        "1:1: GameMaker: Studio 1 has no function layer_create"
    ]
    assert unknown("draw_self(); place_meeting(x, y, 0);", old) == []


@pytest.mark.parametrize("add", ["add_function", "add_extension_function"])
def test_a_game_may_have_functions_of_the_other_generation(add: str) -> None:
    game = context()
    if add == "add_function":
        game.add_function("instance_create", "gml_Script_instance_create")
    else:
        game.add_extension_function("instance_create", 3)
    assert unknown("instance_create(1, 2, obj_wall);", game) == []


def test_the_generation_of_functions_shows_in_their_types() -> None:
    functions = load_functions()
    for name, generation in {
        "instance_create": "gms1", "d3d_start": "gms1", "instance_create_layer": "gms2",
        "struct_get": "gms2", "camera_create": "gms2", "draw_text": "", "sprite_add": "",
        "method": "gms2", "audio_play_sound": "", "rollback_use_late_join": "",
        "place_meeting": "", "script_execute": "", "part_system_create": "", "file_text_eof": "",
        "variable_instance_get": "", "array_map": "gms2", "tilemap_get": "gms2",
    }.items():  # fmt: skip
        assert functions[name].generation == generation, name


def test_a_misspelt_asset_and_variable_are_named() -> None:
    assert unknown("sprite_index = spr_plaier; x = hpp + qwertz;") == [
        "1:16: unknown variable spr_plaier (did you mean spr_player?)",
        "1:32: unknown variable hpp (did you mean hp?)",
        "1:38: unknown variable qwertz",
    ]


def test_a_constant_of_the_build_is_reported() -> None:
    assert unknown("x = GM_version; y = GM_versio;") == [
        "1:5: GM_version is filled in when a game is built: write its value",
        "1:21: unknown variable GM_versio",
    ]


def test_each_name_is_named_once_where_it_stands_first() -> None:
    (unknown,) = gml.compile("x = qwertz;\ny = qwertz + qwertz;", context()).unknown
    assert isinstance(unknown, UnknownName)
    assert (unknown.name, unknown.line, unknown.column, unknown.called) == ("qwertz", 1, 5, False)
    assert repr(unknown) == "<1:5: unknown variable qwertz>"


@pytest.mark.parametrize(
    "source",
    [
        "x = hp; hp = speed_max; hspeed = image_index;",
        "x = spr_player; with (obj_wall) { hp = other.hp; }",
        "jump(); ads_show(); show_debug_message(LIMIT + Side.left);",
        "score_total += 1; globalvar total; total = 1;",
        "var here = 1; x = here;",
        "fresh = 1; x = fresh;",
        "fresh[2] = 1; x = fresh[2];",
        "fresh += 1; other.later = 2; x = later;",
        "global.table = 1; x = global.anything;",
        "x = other.anything; y = obj_wall.anything; anything_else = self.nothing_yet;",
        'variable_instance_set(id, "named", 1); x = named;',
        "function inner(a, b = 2) { static count = 0; count += a; return b + count; } inner(1);",
        "f = function(a) { return a; }; f(1);",
        "thing = { size: 2 }; x = thing.size;",
        "function Thing() constructor { size = 1; } t = new Thing();",
        "try { x = 1; } catch (problem) { show_debug_message(problem); }",
        "for (var i = 0; i < 3; i++) x = i; repeat (3) { y = argument_count + argument0; }",
        "y = background_index[0]; part_system_create(); script_execute(jump);",
        "x = room_instance_100003; y = pi + undefined + infinity; z = id; w = all;",
        "x = AudioEffectType.Reverb1;",
    ],
)
def test_what_something_has_is_no_warning(source: str) -> None:
    assert unknown(source) == []


def test_functions_of_a_script_know_each_other() -> None:
    source = "function one() { return two(); }\nfunction two() { return thre(); }"
    assert unknown(source, kind="global_script") == ["2:25: unknown function thre"]


def test_without_the_variables_of_a_game_only_calls_count() -> None:
    source = "x = anything; callled(2); f = show_debug_messge;"
    assert unknown(source, context(None)) == ["1:15: unknown function callled"]
    assert len(unknown(source, context([]))) == 3


def test_variables_are_looked_at_in_every_release() -> None:
    for dialect in (Dialect.for_version(14, (1, 1)), Dialect.for_version(16, (1, 4))):
        game = gml.Context(dialect)
        game.variables = ["hp"]
        assert unknown("x = hp; y = hpp;", game) == [
            "1:13: unknown variable hpp (did you mean hp?)"
        ]
        with pytest.raises(gml.CompileError, match="unknown function shwo"):
            gml.compile("shwo(1);", game)


def test_code_gives_what_it_sets_and_its_strings() -> None:
    code = gml.compile('a = b; c[1] = "d"; e.f = 2; var g = 3;', context())
    assert names_given(code) == {"a", "c", "d", "f", "g"}


def test_suggestions() -> None:
    assert did_you_mean("spr_plaier", ["obj", "spr_player"]) == " (did you mean 'spr_player'?)"
    assert did_you_mean("SPR_A", ["spr_b", "spr_a"]) == " (did you mean 'spr_a'?)"
    assert did_you_mean("OBJ_PLAIER", ["obj_player"]) == " (did you mean 'obj_player'?)"
    assert did_you_mean("wholly other", ["spr_a"]) == ""
    many = [f"name_{number}" for number in range(20_001)]
    assert closest("NAME_7", many) == "name_7"
    assert closest("nane_7", many) is None


@pytest.mark.parametrize("release", [(17, (2, 3, 7, 0)), (17, (2024, 11, 0, 0))])
@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("s = { hp: +5, mp: 3 };", "s = { hp: 5, mp: 3 };", ["hp, mp is: 0, 1"]),
        (
            "s = { a: 1, b: 2, c: 3, d: 4 };",
            "s = { a: x, b: y, c: 3, d: 4 };",
            ["a, b, c, ...: 2, 0"],
        ),
        ("s = { a: 1 };", "s = { a: 2 };", []),
        ("s = { a: x };", "s = { a: y };", []),
        ("s = { a: x };", "s = { a: x, b: y };", []),  # another struct
        ("s = { a: x };", "s = { b: 1 };", []),
        ("s = { a: x };", "s = { a: 1 }; t = { };", []),  # functions were added
        ("s = { a: x, f: { q: y } };", "s = { a: x, f: { q: 1 } };", ["a, f: 1, 2", "q: 0, 1"]),
        ("s = { a: x }; t = { a: 1 };", "s = { a: x }; t = { a: x };", ["a: 1, 0"]),
    ],
)
def test_a_struct_literal_that_is_compiled_in_another_way_is_a_warning(
    release: tuple[int, tuple[int, ...]], before: str, after: str, said: list[str]
) -> None:
    game = gml.Context(Dialect.for_version(*release))
    game.variables = None
    code = gml.compile(before, game, name="gml_Object_o_Create_0")
    made = gml.compile(after, game, name="gml_Object_o_Create_0", previous=code)
    messages = sorted(literal.message for literal in made.unknown)
    assert len(messages) == len(said)
    for message, words in zip(messages, said, strict=True):
        names, _, numbers = words.partition(": ")
        assert f"the struct literal of {names.removesuffix(' is')} is compiled" in message
        now, was = numbers.split(", ")
        assert f" {now} of its values are worked out outside of it, {was} were" in message
