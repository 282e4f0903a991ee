"""Drag-and-drop actions as GML that does the same.

The GML is that of Studio 1, with its functions: what later releases dropped of it is followed
where all code is (:mod:`.code`).

In a template ``{0}`` is an argument, ``{x0}`` and ``{y0}`` one that is added to the instance's
position where the action is relative, ``{=}`` an assignment that adds where it is relative, and
``{0:a|b}`` one of the texts by the number that the argument holds.
Facts: specs/gamemaker-projects.md, section 11, and the manual of Game Maker 8.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, NamedTuple

from overhaul.gamemaker.classic.action_table import ARGUMENT_RESOURCES
from overhaul.gamemaker.classic.actions import Action
from overhaul.gamemaker.forward.texts import tokens_of
from overhaul.gml.syntax.lexer import NAME, NUMBER, STRING

BEGIN, END, ELSE, EXIT, REPEAT, VARIABLE, CODE = range(1, 8)
COMMENT: Final = 605
_STRING, _BOTH, _FONT = 1, 2, 15
_PLACE: Final = re.compile(r"\{(?:(=)|([xy]?)(\d)(?::([^{}]*))?)\}")
_NOTHING: Final = ("<undefined>", "")
_COMPARED: Final = ("==", "<", ">", "<=", ">=")
#: The directions of "start moving", in the order of its digits; None stands still.
_DIRECTIONS: Final = (225, 270, 315, 180, None, 0, 135, 90, 45)
_NO_SPRITE: Final = "-1"

#: The statements of actions, by the function that they call.
STATEMENTS: Final = {
    "action_set_hspeed": "hspeed {=} {0};",
    "action_set_vspeed": "vspeed {=} {0};",
    "action_set_gravity": "gravity_direction {=} {0};\ngravity {=} {1};",
    "action_set_friction": "friction {=} {0};",
    "action_move_point": "move_towards_point({x0}, {y1}, {2});",
    "action_move_to": "x {=} {0};\ny {=} {1};",
    "action_move_start": "x = xstart;\ny = ystart;",
    "action_move_random": "move_random({0}, {1});",
    "action_wrap": "action_wrap({0});",
    "action_reverse_xdir": "hspeed = -hspeed;",
    "action_reverse_ydir": "vspeed = -vspeed;",
    "action_bounce": "move_bounce_{1:solid|all}({0:false|true});",
    "action_move_contact": "move_contact_{2:solid|all}({0}, {1});",
    "action_snap": "move_snap({0}, {1});",
    "action_path": "path_start({0}, {1}, {2}, {3:false|true});",
    "action_linear_step": "mp_linear_step({x0}, {y1}, {2}, {3:false|true});",
    "action_potential_step": "mp_potential_step({x0}, {y1}, {2}, {3:false|true});",
    "action_path_position": "path_position {=} {0};",
    "action_path_speed": "path_speed {=} {0};",
    "action_path_end": "path_end();",
    "action_create_object": "instance_create({x1}, {y2}, {0});",
    "action_change_object": "instance_change({0}, {1:false|true});",
    "action_kill_object": "instance_destroy();",
    "action_kill_position": "position_destroy({x0}, {y1});",
    "action_set_sprite": "sprite_index = {0};\nimage_xscale = {1};\nimage_yscale = {1};",
    "action_create_object_motion": (
        "with (instance_create({x1}, {y2}, {0})) motion_set({4}, {3});"
    ),
    "action_sound": "sound_{1:play|loop}({0});",
    "action_end_sound": "sound_stop({0});",
    "action_previous_room": "room_goto_previous();",
    "action_next_room": "room_goto_next();",
    "action_current_room": "room_restart();",
    "action_another_room": "room_goto({0});",
    "action_set_alarm": "alarm[{1}] {=} {0};",
    "action_sleep": "sleep({0});",
    "action_set_timeline": "timeline_index = {0};\ntimeline_position = {1};\n"
    "timeline_running = true;",
    "action_timeline_set": (
        "timeline_index = {0};\ntimeline_position = {1};\n"
        "timeline_running = {2:true|false};\ntimeline_loop = {3:false|true};"
    ),
    "action_set_timeline_position": "timeline_position {=} {0};",
    "action_set_timeline_speed": "timeline_speed {=} {0};",
    "action_timeline_start": "timeline_running = true;",
    "action_timeline_pause": "timeline_running = false;",
    "action_timeline_stop": "timeline_running = false;\ntimeline_position = 0;",
    "action_message": "show_message({0});",
    "action_show_info": "show_info();",
    "action_restart_game": "game_restart();",
    "action_end_game": "game_end();",
    "action_save_game": "game_save({0});",
    "action_load_game": "game_load({0});",
    "action_draw_sprite": "draw_sprite({0}, {3}, {x1}, {y2});",
    "action_draw_background": "draw_background{3:|_tiled}({0}, {x1}, {y2});",
    "action_draw_rectangle": "draw_rectangle({x0}, {y1}, {x2}, {y3}, {4:false|true});",
    "action_draw_ellipse": "draw_ellipse({x0}, {y1}, {x2}, {y3}, {4:false|true});",
    "action_draw_line": "draw_line({x0}, {y1}, {x2}, {y3});",
    "action_draw_text": "draw_text({x1}, {y2}, {0});",
    "action_draw_arrow": "draw_arrow({x0}, {y1}, {x2}, {y3}, {4});",
    "action_draw_gradient_hor": (
        "draw_rectangle_color({x0}, {y1}, {x2}, {y3}, {4}, {5}, {5}, {4}, false);"
    ),
    "action_draw_gradient_vert": (
        "draw_rectangle_color({x0}, {y1}, {x2}, {y3}, {4}, {4}, {5}, {5}, false);"
    ),
    "action_draw_ellipse_gradient": (
        "draw_ellipse_color({x0}, {y1}, {x2}, {y3}, {4}, {5}, false);"
    ),
    "action_draw_text_transformed": "draw_text_transformed({x1}, {y2}, {0}, {3}, {4}, {5});",
    "action_fill_color": "draw_set_color({0});",
    "action_color": "draw_set_color({0});",
    "action_font": "draw_set_font({0});\ndraw_set_halign({1:fa_left|fa_center|fa_right});",
    "action_fullscreen": ("window_set_fullscreen({0:!window_get_fullscreen()|false|true});"),
    "action_effect": "effect_create_{5:below|above}({0}, {x1}, {y2}, {3}, {4});",
    "action_sprite_transform": (
        "image_xscale = {3:|-||-}({0});\nimage_yscale = {3:||-|-}({1});\nimage_angle = {2};"
    ),
    "action_sprite_color": "image_blend = {0};\nimage_alpha = {1};",
    "action_inherited": "event_inherited();",
    "action_draw_variable": "draw_text({x1}, {y2}, string({0}));",
    "action_set_score": "score {=} {0};",
    "action_draw_score": "draw_text({x0}, {y1}, {2} + string(score));",
    "action_highscore": "highscore_show(score);",
    "action_highscore_show": "highscore_show(score);",
    "action_highscore_clear": "highscore_clear();",
    "action_set_life": "lives {=} {0};",
    "action_draw_life": "draw_text({x0}, {y1}, {2} + string(lives));",
    "action_draw_life_images": "action_draw_life_images({x0}, {y1}, {2});",
    "action_set_health": "health {=} {0};",
    "action_draw_health": "action_draw_health({x0}, {y1}, {x2}, {y3}, {4}, {5});",
    "action_set_cursor": "cursor_sprite = {0};\nwindow_set_cursor({1:cr_none|cr_default});",
    "action_snapshot": "screen_save({0});",
    "action_replace_sprite": "action_replace_sprite({0}, {1}, {2});",
    "action_replace_background": "action_replace_sprite({0}, {1}, 1);",
    "action_webpage": "url_open({0});",
    "action_partsyst_create": "action_partsyst_create({0});",
    "action_partsyst_destroy": "action_partsyst_destroy();",
    "action_partsyst_clear": "action_partsyst_clear();",
    "action_parttype_create": "action_parttype_create({0}, {1}, {2}, {3}, {4}, {5});",
    "action_parttype_color": "action_parttype_color({0}, {1}, {2}, {3}, {4}, {5});",
    "action_parttype_life": "action_parttype_life({0}, {1}, {2});",
    "action_parttype_speed": "action_parttype_speed({0}, {1}, {2}, {3}, {4}, {5});",
    "action_parttype_gravity": "action_parttype_gravity({0}, {1}, {2});",
    "action_parttype_secondary": "action_parttype_secondary({0}, {1}, {2}, {3}, {4});",
    "action_partemit_create": "action_partemit_create({0}, {1}, {2}, {3}, {4}, {5});",
    "action_partemit_destroy": "action_partemit_destroy({0});",
    "action_partemit_burst": "action_partemit_burst({0}, {1}, {2});",
    "action_partemit_stream": "action_partemit_stream({0}, {1}, {2});",
}
#: The conditions of questions.
CONDITIONS: Final = {
    "action_if_sound": "sound_isplaying({0})",
    "action_if_previous_room": "room != room_first",
    "action_if_next_room": "room != room_last",
    "action_if_empty": "place_{2:free|empty}({x0}, {y1})",
    "action_if_collision": "!place_{2:free|empty}({x0}, {y1})",
    "action_if_object": "place_meeting({x1}, {y2}, {0})",
    "action_if_number": "instance_number({0}) {2:==|<|>|<=|>=} {1}",
    "action_if_dice": "random({0}) < 1",
    "action_if_question": "show_question({0})",
    "action_if": "{0}",
    "action_if_mouse": "mouse_check_button({0:mb_none|mb_left|mb_right|mb_middle})",
    "action_if_aligned": "place_snapped({0}, {1})",
    "action_if_variable": "{0} {2:==|<|>|<=|>=} {1}",
    "action_if_score": "score {1:==|<|>|<=|>=} {0}",
    "action_if_life": "lives {1:==|<|>|<=|>=} {0}",
    "action_if_health": "health {1:==|<|>|<=|>=} {0}",
}
#: Actions that no later release has anything for.
WITHOUT: Final = frozenset(
    (
        *("action_show_video", "action_splash_web", "action_splash_video"),
        *(
            "action_splash_settings",
            "action_set_caption",
            "action_replace_sound",
            "action_draw_font_old",
        ),
        *("action_draw_font", "action_cd_play", "action_cd_stop", "action_cd_pause"),
        *("action_cd_resume", "action_cd_present", "action_cd_playing"),
        *("action_parttype_create_old",),
    )
)


class Act(NamedTuple):
    """An action as a project of Studio 1 has it.

    ``arguments`` are their kinds and texts; resources have names.
    """

    library: int
    number: int
    kind: int
    is_question: bool
    exec_type: int
    function: str
    code: str
    who: str
    relative: bool
    negated: bool
    arguments: tuple[tuple[int, str], ...]

    def record(self) -> Action:
        """The action as Game Maker 8 has it, with names for the numbers of resources."""
        return Action(
            library_id=self.library,
            action_id=self.number,
            kind=self.kind,
            can_be_relative=int(self.relative),
            is_question=int(self.is_question),
            exec_type=self.exec_type,
            function_name=self.function,
            code=self.code,
            argument_count=len(self.arguments),
            argument_kinds=[kind for kind, _ in self.arguments],
            applies_to={"self": -1, "other": -2}.get(self.who, 0),
            relative=int(self.relative),
            arguments=[text for _, text in self.arguments],
            negated=int(self.negated),
        )


def quoted(text: str) -> str:
    """A text as a string of Studio 1, which has no escapes."""
    text = text.replace("\r\n", "\n")
    if '"' not in text:
        return f'"{text}"'
    if "'" not in text:
        return f"'{text}'"
    parts = [f"'{part}'" if number % 2 else f'"{part}"'
             for number, part in enumerate(re.split(r'("+)', text)) if part]  # fmt: skip
    return f"({' + '.join(parts)})"


def argument(act: Act, number: int) -> str:
    """An argument as an expression."""
    kind, text = act.arguments[number] if number < len(act.arguments) else (0, "0")
    if kind in ARGUMENT_RESOURCES:
        return _NO_SPRITE if text in _NOTHING else text
    if kind in (_STRING, _FONT):
        return quoted(text)
    if kind == _BOTH and text.lstrip()[:1] not in ("'", '"'):
        return quoted(text)
    return text.strip() or "0"


def grouped(expression: str) -> str:
    """An expression as a part of another one."""
    kinds = tokens_of(expression).kinds[:-1]
    is_plain = len(kinds) == 1 and kinds[0] in (NAME, NUMBER, STRING)
    return expression if is_plain else f"({expression})"


def filled(template: str, act: Act) -> str | None:
    """A template with the arguments of an action; None where a number has no text."""
    missing = False

    def part(found: re.Match[str]) -> str:
        nonlocal missing
        assign, side, digit, menu = found.groups()
        if assign:
            return "+=" if act.relative else "="
        text = argument(act, int(digit))
        if menu is not None:
            chosen = _chosen(menu, text)
            missing = missing or chosen is None
            return chosen or ""
        if side and act.relative:
            return f"{side} + {grouped(text)}"
        return text

    made = _PLACE.sub(part, template)
    return None if missing else made


def _chosen(menu: str, text: str) -> str | None:
    """The text of a menu that a number means."""
    items = menu.split("|")
    bare = {"true": "1", "false": "0"}.get(text, text)
    if bare.isascii() and bare.isdigit() and len(bare) < 4 and int(bare) < len(items):
        return items[int(bare)]
    return None


# -- actions that no template makes ----------------------------------------------------------------


def _move(act: Act) -> str:
    """Start moving in one of some directions; in the middle of them, stop."""
    digits = act.arguments[0][1] if act.arguments else ""
    ways = [way for way, digit in zip(_DIRECTIONS, digits, strict=False) if digit == "1"]
    angles = [str(way) for way in ways if way is not None]
    if not ways:
        return "// no direction was chosen"
    if None in ways:
        if not angles:
            return "speed = 0;"
        choices = ", ".join([*angles, "-1"])
        return (
            f"var action_way = choose({choices});\n"
            f"if (action_way < 0) speed = 0;\n"
            f"else\n{{\n    direction = action_way;\n    {_speed(act)}\n}}"
        )
    chosen = angles[0] if len(angles) == 1 else f"choose({', '.join(angles)})"
    return f"direction = {chosen};\n{_speed(act)}"


def _speed(act: Act) -> str:
    return f"speed {'+=' if act.relative else '='} {argument(act, 1)};"


def _motion(act: Act) -> str:
    verb = "motion_add" if act.relative else "motion_set"
    return f"{verb}({argument(act, 0)}, {argument(act, 1)});"


def _create_random(act: Act) -> str:
    kinds = [argument(act, number) for number in range(4)]
    there = [kind for kind in kinds if kind != _NO_SPRITE]
    if not there:
        return "// no object was chosen"
    chosen = there[0] if len(there) == 1 else f"choose({', '.join(there)})"
    return filled(f"instance_create({{x4}}, {{y5}}, {chosen});", act) or ""


def _execute(act: Act) -> str:
    script = argument(act, 0)
    arguments = ", ".join(argument(act, number) for number in range(1, 6))
    if script == _NO_SPRITE:
        return "// no script was chosen"
    kinds = tokens_of(script).kinds[:-1]
    if kinds == [NAME]:
        return f"{script}({arguments});"
    return f"script_execute({script}, {arguments});"


def _sprite_set(act: Act) -> str:
    """Another sprite; a subimage below 0 keeps the one that is shown."""
    frame = argument(act, 1)
    lines = [f"sprite_index = {argument(act, 0)};"]
    if frame.isascii() and frame.replace(".", "", 1).isdigit():
        lines.append(f"image_index = {frame};")
    elif frame != _NO_SPRITE:
        lines.append(f"if ({frame} >= 0) image_index = {frame};")
    return "\n".join([*lines, f"image_speed = {argument(act, 2)};"])


#: The actions whose GML depends on more than their arguments.
_MADE: Final[dict[str, Callable[[Act], str]]] = {
    "action_move": _move,
    "action_set_motion": _motion,
    "action_create_object_random": _create_random,
    "action_execute_script": _execute,
    "action_sprite_set": _sprite_set,
}
_TRANSITIONS: Final = {
    "action_previous_room": 0, "action_next_room": 0, "action_current_room": 0,
    "action_another_room": 1,
}  # fmt: skip


def has_transition(act: Act) -> bool:
    """Whether an action shows a transition between rooms, which no later release does."""
    place = _TRANSITIONS.get(act.function)
    return place is not None and argument(act, place) not in ("0", "")


def statements(act: Act) -> str | None:
    """The statements of an action that is not a question; None for an unknown one."""
    made = _MADE.get(act.function)
    if made is not None and act.library == 1:
        return made(act)
    template = STATEMENTS.get(act.function)
    if template is not None and act.library == 1:
        return filled(template, act)
    if act.exec_type == 1 and act.function and act.library != 1:
        return f"{_call(act)};"
    if act.exec_type == 2 and act.code.strip():
        return _own_code(act)
    return None


def condition(act: Act) -> str | None:
    """The condition of a question, without its "not"; None for an unknown one."""
    template = CONDITIONS.get(act.function)
    if template is not None and act.library == 1:
        return filled(template, act)
    if act.exec_type == 1 and act.function and act.library != 1:
        return _call(act)
    return None


def _call(act: Act) -> str:
    arguments = ", ".join(argument(act, number) for number in range(len(act.arguments)))
    return f"{act.function}({arguments})"


def _own_code(act: Act) -> str:
    """The GML that a library has for an action, with the arguments in it."""
    if act.number == 500 and act.library == 1:
        return "draw_self();"
    tokens = tokens_of(act.code)
    parts: list[str] = []
    at = 0
    for kind, value, position in zip(tokens.kinds, tokens.values, tokens.positions, strict=True):
        if kind != NAME:
            continue
        digits = value.removeprefix("argument")
        made = None
        if value == "argument_relative":
            made = "true" if act.relative else "false"
        elif value.startswith("argument") and digits.isdigit():
            made = grouped(argument(act, int(digits)))
        if made is not None:
            parts += act.code[at:position], made
            at = position + len(value)
    return "".join([*parts, act.code[at:]])
