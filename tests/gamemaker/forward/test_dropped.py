"""What stands for functions that later releases dropped: all is declared, and runs."""

from __future__ import annotations

import math
import re
from typing import Any

import pytest

from gml_evaluator import Machine
from overhaul.gamemaker.forward import dropped
from overhaul.gml.builtins import load_classic_functions, load_functions, load_variables
from overhaul.gml.compiler import compile as compile_gml
from overhaul.gml.context import Context
from overhaul.gml.dialect import Dialect
from overhaul.gml.syntax import tree
from overhaul.gml.syntax.parser import parse


def machine(*names: str, **natives: Any) -> Machine:
    made = Machine(natives)
    for name in dropped.needed(names):
        made.declare(dropped.scripted()[name].source)
    return made


@pytest.mark.parametrize("name", dropped.scripted())
def test_each_function_calls_what_there_is(name: str) -> None:
    source = dropped.scripted()[name].source
    compile_gml(source, Context(Dialect.for_version(17, (2024, 13, 0, 0))))
    known = load_functions()
    for node in parse(source).walk():
        if not isinstance(node, tree.Call):
            continue
        assert isinstance(node.function, tree.Name)
        called = node.function.name
        if called in dropped.scripted() or called in dropped.MADE:
            assert called in dropped.scripted()[name].uses or called == name
            continue
        builtin = known[called]
        assert builtin.generation != "gms1", called
        most = builtin.maximum if builtin.maximum >= 0 else 99
        assert builtin.minimum <= len(node.arguments) <= most, called


def test_no_function_hides_one_that_there_is() -> None:
    for name in dropped.scripted():
        known = load_functions().get(name)
        assert known is None or known.generation == "gms1", name


def test_the_lists_agree() -> None:
    assert not dropped.without_equivalent() & dropped.scripted().keys()
    assert "instance_create" not in dropped.without_equivalent()
    assert {"d3d_model_load", "mplay_end", "execute_string"} <= dropped.without_equivalent()
    assert dropped.GONE.isdisjoint(dropped.VIEWS.keys() | dropped.BACKGROUNDS.keys())
    assert dropped.VIEWS.keys() | dropped.BACKGROUNDS.keys() <= load_variables().keys()
    own = load_classic_functions() | load_functions().keys()
    assert own >= {*dropped.MADE}
    helpers = {name for name in dropped.scripted() if name not in own}
    assert all(name.startswith(("old_", "action_")) for name in helpers)


def test_what_functions_need() -> None:
    assert dropped.needed(["sound_play"]) == ["sound_play"]
    assert dropped.needed(["instance_create"]) == ["instance_create", "object_get_depth"]
    assert dropped.needed(["action_partemit_burst"]) == [
        "action_partemit_burst", "old_particle_type", "old_particles",
    ]  # fmt: skip


# -- run -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("own", "way", "place"),
    [
        ({"hspeed": 4, "vspeed": 0, "x": 650, "y": 5}, 2, (10, 5)),
        ({"hspeed": -4, "vspeed": 0, "x": -10, "y": 5}, 0, (630, 5)),
        ({"hspeed": 4, "vspeed": 0, "x": 650, "y": 5}, 1, (650, 5)),
        ({"hspeed": 0, "vspeed": 2, "x": 0, "y": 490}, 1, (0, 10)),
        ({"hspeed": -4, "vspeed": 2, "x": 650, "y": -3}, 2, (650, -3)),
    ],
)
def test_wrap(own: dict[str, Any], way: int, place: tuple[int, int]) -> None:
    made = machine("action_wrap")
    made.constants = {"room_width": 640, "room_height": 480}
    made.self = own
    made.call("action_wrap", way)
    assert (own["x"], own["y"]) == place


def test_lives_as_pictures() -> None:
    made = machine(
        "action_draw_life_images",
        sprite_exists=lambda picture: picture == "spr",
        draw_sprite=lambda *_: None,
        sprite_get_width=lambda _: 16,
    )
    made.globals["lives"] = 2
    made.call("action_draw_life_images", 5, 7, "spr")
    drawn = [arguments for name, arguments in made.calls if name == "draw_sprite"]
    assert drawn == [("spr", 0, 5, 7), ("spr", 0, 21, 7)]
    made.call("action_draw_life_images", 5, 7, "none")
    assert made.calls[-1] == ("sprite_exists", ("none",))


def test_health_as_a_bar() -> None:
    made = machine("action_draw_health", draw_healthbar=lambda *_: None)
    made.globals["health"] = 30
    made.constants = {name: name for name in ("c_red", "c_lime", "c_white", "c_black", "c_blue")}
    made.call("action_draw_health", 1, 2, 3, 4, 0, 0)
    made.call("action_draw_health", 1, 2, 3, 4, 1, 15)
    assert [arguments for _, arguments in made.calls] == [
        (1, 2, 3, 4, 30, "c_white", "c_red", "c_lime", 0, False, True),
        (1, 2, 3, 4, 30, "c_black", "c_blue", "c_blue", 0, True, True),
    ]


def test_views_are_cameras() -> None:
    camera = {"x": 10, "y": 20, "w": 640, "h": 480, "target": -1}

    def place(_: object, x: int, y: int) -> None:
        camera.update(x=x, y=y)

    made = machine(
        "old_view_get", "old_view_set",
        camera_get_view_x=lambda _: camera["x"],
        camera_get_view_y=lambda _: camera["y"],
        camera_set_view_pos=place,
        camera_set_view_size=lambda _, w, h: camera.update(w=w, h=h),
        camera_get_view_width=lambda _: camera["w"],
        camera_get_view_height=lambda _: camera["h"],
        camera_set_view_target=lambda _, target: camera.update(target=target),
    )  # fmt: skip
    made.constants = {"view_camera": [100, 101]}
    assert made.call("old_view_get", "xview") == 10
    made.call("old_view_set", "yview", 1, 50)
    made.call("old_view_set", "xview", 0, 5, "+=")
    made.call("old_view_set", "wview", 0, 2, "/=")
    made.call("old_view_set", "object", 0, 77)
    assert camera == {"x": 15, "y": 50, "w": 320, "h": 480, "target": 77}
    assert made.calls[1][1][0] == 101
    assert made.call("old_view_get", "unknown") == 0


@pytest.mark.parametrize(
    ("sign", "result"),
    [("+=", 13), ("-=", 7), ("*=", 30), ("/=", 10 / 3), ("|=", 11), ("&=", 2), ("^=", 9), ("", 3)],
)
def test_compound_assignments(sign: str, result: float) -> None:
    assert machine("old_changed").call("old_changed", 10, 3, sign) == result


def test_backgrounds_are_layers() -> None:
    layers = {"Background_0": 1, "Colour": 9}
    state: dict[str, Any] = {}

    def create(depth: int, name: str) -> int:
        layers[name] = 50
        state["created"] = depth
        return 50

    made = machine(
        "old_background_get", "old_background_set",
        string=str,
        layer_get_id=lambda name: layers.get(name, -1),
        layer_create=create,
        layer_background_create=lambda *_: 0,
        layer_set_visible=lambda place, value: state.update({f"visible {place}": value}),
        layer_background_get_id=lambda place: place * 10,
        layer_x=lambda place, value: state.update({f"x {place}": value}),
        layer_get_x=lambda place: state.get(f"x {place}", 0),
        layer_depth=lambda place, value: state.update({f"depth {place}": value}),
        layer_background_blend=lambda shown, value: state.update({f"blend {shown}": value}),
    )  # fmt: skip
    made.call("old_background_set", "x", 0, 12)
    made.call("old_background_set", "x", 0, 3, "-=")
    made.call("old_background_set", "foreground", 0, True)
    made.call("old_background_set", "color", 0, 255)
    made.call("old_background_set", "visible", 3, True)
    assert state == {
        "x 1": 9, "depth 1": -2147483500, "blend 90": 255, "created": 2147483596,
        "visible 50": True,
    }  # fmt: skip
    assert made.call("old_background_get", "x", 0) == 9


def test_tiles_of_a_depth() -> None:
    hidden: list[int] = []
    names = {1: "Tiles_5", 2: "Tiles_5_2", 3: "Tiles_50", 4: "Tiles_m5", 5: "Instances_5"}
    made = machine(
        "tile_layer_hide",
        layer_get_all=lambda: list(names),
        layer_get_name=lambda place: names[int(place)],
        array_length=len,
        array_push=lambda found, each: found.append(each),
        string_length=len,
        string_copy=lambda text, start, count: text[start - 1 : start - 1 + count],
        string=str,
        abs=abs,
        layer_set_visible=lambda place, _: hidden.append(place),
    )
    made.call("tile_layer_hide", 5)
    made.call("tile_layer_hide", -5)
    assert hidden == [1, 2, 4]


def test_high_scores_are_a_message() -> None:
    table = [("Ann", 50), ("Bo", 20), *[("", 0)] * 8]
    shown: list[str] = []
    made = machine(
        "highscore_show",
        highscore_add=lambda name, value: table.insert(0, (name, value)),
        get_string=lambda *_: "Me",
        highscore_name=lambda place: table[place - 1][0],
        highscore_value=lambda place: table[place - 1][1],
        show_message=shown.append,
        string=str,
        chr=chr,
    )
    made.call("highscore_show", -1)
    made.call("highscore_show", 90)
    assert shown[0].splitlines()[:3] == ["1. Ann: 50", "2. Bo: 20", "3. : 0"]
    assert shown[1].splitlines()[:2] == ["1. Me: 90", "2. Ann: 50"]
    assert len(shown[1].splitlines()) == 10


def test_one_file_at_a_time() -> None:
    made = machine(
        "file_open_read", "file_read_string", "file_close",
        file_text_open_read=lambda name: f"<{name}>",
        file_text_read_string=lambda file: f"text of {file}",
        file_text_close=lambda file: file,
    )  # fmt: skip
    made.call("file_open_read", "a.txt")
    assert made.call("file_read_string") == "text of <a.txt>"
    made.call("file_close")
    assert made.calls[-1] == ("file_text_close", ("<a.txt>",))


def test_a_particle_type_is_made_once() -> None:
    made = machine(
        "action_parttype_life",
        part_type_create=lambda: 7,
        part_system_create=lambda: 3,
        array_create=lambda count, value: [value] * count,
        part_type_life=lambda *_: None,
    )
    made.call("action_parttype_life", 2, 10, 20)
    made.call("action_parttype_life", 2, 30, 40)
    assert [call for call in made.calls if call[0] != "array_create"] == [
        ("part_system_create", ()), ("part_type_create", ()),
        ("part_type_life", (7, 10, 20)), ("part_type_life", (7, 30, 40)),
    ]  # fmt: skip


def three_dimensions(*names: str) -> tuple[Machine, list[tuple[float, ...]]]:
    """A machine that notes the corners of what is drawn."""
    corners: list[tuple[float, ...]] = []
    natives: dict[str, Any] = dict.fromkeys(
        ("vertex_format_begin", "vertex_format_add_position_3d", "vertex_format_add_normal",
         "vertex_format_add_colour", "vertex_format_add_texcoord", "vertex_begin", "vertex_end",
         "vertex_submit", "vertex_normal", "vertex_colour", "vertex_texcoord", "matrix_set"),
        lambda *_: None,
    )  # fmt: skip
    made = machine(
        *names,
        **natives,
        vertex_format_end=lambda: "format",
        vertex_create_buffer=lambda: "buffer",
        draw_get_colour=lambda: 255,
        draw_get_alpha=lambda: 1,
        vertex_position_3d=lambda _, *place: corners.append(place),
        is_array=lambda value: isinstance(value, list),
        array_push=lambda found, each: found.append(each),
        array_length=len,
        array_get=lambda found, index: found[index],
        array_set=lambda found, index, value: found.__setitem__(index, value),
        matrix_get=lambda _: "world",
        matrix_multiply=lambda first, second: (first, second),
        dcos=lambda degrees: math.cos(math.radians(degrees)),
        dsin=lambda degrees: math.sin(math.radians(degrees)),
        clamp=lambda value, low, high: min(high, max(low, value)),
        ceil=math.ceil,
    )
    made.constants = {"pr_trianglelist": 4, "matrix_world": 2}
    return made, corners


def test_corners_of_a_floor_and_a_block() -> None:
    made, corners = three_dimensions("d3d_draw_floor", "d3d_draw_block")
    made.call("d3d_draw_floor", 0, 0, 5, 10, 20, 5, "tex", 1, 2)
    assert corners == [(0, 0, 5), (10, 0, 5), (10, 20, 5), (0, 0, 5), (10, 20, 5), (0, 20, 5)]
    assert made.calls[-1] == ("vertex_submit", ("buffer", 4, "tex"))
    del corners[:]
    made.call("d3d_draw_block", 0, 0, 0, 1, 2, 3, "tex", 1, 1)
    assert len(corners) == 36 and len(set(corners)) == 8
    assert [name for name, _ in made.calls].count("vertex_format_begin") == 1


def test_round_bodies_touch_their_boxes() -> None:
    made, corners = three_dimensions("d3d_draw_cylinder", "d3d_draw_cone", "d3d_draw_ellipsoid")
    for name, given in (
        ("d3d_draw_cylinder", (True, 8)), ("d3d_draw_cone", (False, 8)),
        ("d3d_draw_ellipsoid", (8,)),
    ):  # fmt: skip
        del corners[:]
        made.call(name, -1, -2, 0, 1, 2, 6, "tex", 1, 1, *given)
        low, high = [tuple(round(f(axis), 6) for axis in zip(*corners, strict=True))
                     for f in (min, max)]  # fmt: skip
        assert (low, high) == ((-1, -2, 0), (1, 2, 6)), name


def test_models_keep_their_parts() -> None:
    made, corners = three_dimensions(
        "d3d_model_create", "d3d_model_block", "d3d_model_draw", "d3d_model_clear",
        "d3d_model_primitive_begin", "d3d_model_primitive_end", "d3d_model_vertex",
    )  # fmt: skip
    assert (made.call("d3d_model_create"), made.call("d3d_model_create")) == (0, 1)
    made.call("d3d_model_block", 1, 0, 0, 0, 1, 2, 3, 1, 1)
    made.call("d3d_model_primitive_begin", 1, 2)
    made.call("d3d_model_vertex", 1, 7, 8, 9)
    made.call("d3d_model_primitive_end", 1)
    assert not [name for name, _ in made.calls if name == "vertex_position_3d"]
    made.call("d3d_model_draw", 1, 5, 5, 5, "tex")
    counted = [len(corners)]
    assert counted == [37] and list(corners[-1]) == [7, 8, 9]
    submitted = [arguments for name, arguments in made.calls if name == "vertex_submit"]
    assert submitted == [("buffer", 4, "tex"), ("buffer", 2, "tex")]
    assert made.calls[-1] == ("matrix_set", (2, "world"))
    made.call("d3d_model_clear", 1)
    made.call("d3d_model_draw", 1, 5, 5, 5, "tex")
    counted.append(len(corners))
    assert counted == [37, 37]


@pytest.mark.parametrize(
    ("function", "angle", "point", "expected"),
    [
        ("d3d_transform_set_rotation_z", 90, (1, 0, 0), (0, -1, 0)),
        ("d3d_transform_set_rotation_z", 90, (0, 1, 0), (1, 0, 0)),
        ("d3d_transform_set_rotation_x", 90, (0, 1, 0), (0, 0, -1)),
        ("d3d_transform_set_rotation_y", 90, (0, 0, 1), (-1, 0, 0)),
    ],
)
def test_rotations(
    function: str, angle: float, point: tuple[int, ...], expected: tuple[int, ...]
) -> None:
    kept: list[Any] = []
    made = machine(
        function,
        dcos=lambda degrees: math.cos(math.radians(degrees)),
        dsin=lambda degrees: math.sin(math.radians(degrees)),
        matrix_set=lambda _, matrix: kept.append(matrix),
    )
    made.constants = {"matrix_world": 2}
    made.call(function, angle)
    (matrix,) = kept
    moved = [sum(point[row] * matrix[4 * row + column] for row in range(3)) for column in range(3)]
    assert [round(value, 9) + 0 for value in moved] == list(expected)


def test_matrices_are_put_away_and_taken_back() -> None:
    world: list[Any] = ["first"]

    def put(_: object, matrix: object) -> None:
        world[0] = matrix

    made = machine(
        "d3d_transform_stack_push", "d3d_transform_stack_pop", "d3d_transform_add_translation",
        matrix_get=lambda _: world[0],
        matrix_set=put,
        matrix_multiply=lambda first, second: (first, second),
        array_push=lambda found, each: found.append(each),
        array_pop=lambda found: found.pop(),
        array_length=len,
    )  # fmt: skip
    made.constants = {"matrix_world": 2}
    assert made.call("d3d_transform_stack_pop") is False
    made.call("d3d_transform_stack_push")
    made.call("d3d_transform_add_translation", 1, 2, 3)
    assert world[0] == ("first", [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 2, 3, 1])
    assert made.call("d3d_transform_stack_pop") is True and world == ["first"]


@pytest.mark.parametrize(
    ("name", "given", "native", "expected"),
    [
        ("sound_loop", ("a",), "audio_play_sound", ("a", 10, True)),
        ("sound_volume", ("a", 0.5), "audio_sound_gain", ("a", 0.5, 0)),
        ("draw_background", ("b", 1, 2), "draw_sprite", ("b", 0, 1, 2)),
        ("draw_background_tiled", ("b", 1, 2), "draw_sprite_tiled", ("b", 0, 1, 2)),
        ("background_get_width", ("b",), "sprite_get_width", ("b",)),
        ("draw_set_blend_mode", (1,), "gpu_set_blendmode", (1,)),
        ("texture_set_repeat", (True,), "gpu_set_texrepeat", (True,)),
        ("draw_pixel", (3, 4), "draw_point", (3, 4)),
        ("tile_set_visible", (9, False), "layer_tile_visible", (9, False)),
        ("joystick_exists", (1,), "gamepad_is_connected", (0,)),
        ("move_contact", (90,), "move_contact_solid", (90, -1)),
    ],
)
def test_functions_that_have_another_name(
    name: str, given: tuple[object, ...], native: str, expected: tuple[object, ...]
) -> None:
    made = machine(name, **{native: lambda *_: "made"})
    made.call(name, *given)
    assert made.calls == [(native, expected)]


def test_each_function_has_a_comment_or_a_plain_name() -> None:
    for name, known in dropped.scripted().items():
        head = next(line for line in known.source.splitlines() if not line.startswith("//"))
        assert re.match(rf"function {name}\(", head)
