"""The actions of Game Maker's own libraries, which all have the library id 1.

One line each: id, name, flags (Q question, A can apply to, R can be relative), the kinds of the
arguments.  The name is that of the function an action calls; those that call none have a word.
Facts: specs/gamemaker-projects.md, section 11.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from overhaul.gamemaker.classic.actions import Action

SLOTS = 8  # how many arguments every action stores

#: the kinds of arguments of actions that are ids of resources
ARGUMENT_RESOURCES = {
    5: "sprites",
    6: "sounds",
    7: "backgrounds",
    8: "paths",
    9: "scripts",
    10: "objects",
    11: "rooms",
    12: "fonts",
    14: "timelines",
}

_TABLE = """
101 action_move AR 1,0
102 action_set_motion AR 0,0
103 action_set_hspeed AR 0
104 action_set_vspeed AR 0
105 action_move_point AR 0,0,0
107 action_set_gravity AR 0,0
108 action_set_friction AR 0
109 action_move_to AR 0,0
110 action_move_start A -
111 action_move_random A 0,0
112 action_wrap A 4
113 action_reverse_xdir A -
114 action_reverse_ydir A -
115 action_bounce A 4,4
116 action_move_contact A 0,0,4
117 action_snap A 0,0
119 action_path A 8,0,4,4
120 action_linear_step AR 0,0,0,4
121 action_potential_step AR 0,0,0,4
122 action_path_position AR 0
123 action_path_speed AR 0
124 action_path_end A -
201 action_create_object AR 10,0,0
202 action_change_object A 10,4
203 action_kill_object A -
204 action_kill_position AR 0,0
205 action_set_sprite A 5,0
206 action_create_object_motion AR 10,0,0,0,0
207 action_create_object_random AR 10,10,10,10,0,0
211 action_sound - 6,3
212 action_end_sound - 6
213 action_if_sound Q 6
221 action_previous_room - 4
222 action_next_room - 4
223 action_current_room - 4
224 action_another_room - 11,4
225 action_if_previous_room Q -
226 action_if_next_room Q -
301 action_set_alarm AR 0,4
302 action_sleep - 0,3
303 action_set_timeline A 14,0
304 action_set_timeline_position AR 0
305 action_timeline_set A 14,0,4,4
306 action_timeline_start A -
307 action_timeline_pause A -
308 action_timeline_stop A -
309 action_set_timeline_speed AR 0
321 action_message - 2
322 action_show_info - -
323 action_show_video - 2,4,4
326 action_splash_web - 2,4
327 action_splash_video - 2,4
328 action_splash_settings - 2,4,4,4,4
331 action_restart_game - -
332 action_end_game - -
333 action_save_game - 2
334 action_load_game - 2
401 action_if_empty QAR 0,0,4
402 action_if_collision QAR 0,0,4
403 action_if_object QAR 10,0,0
404 action_if_number Q 10,0,4
405 action_if_dice Q 0
407 action_if_question Q 2
408 action_if QA 0
409 action_if_mouse Q 4
410 action_if_aligned QA 0,0
421 else - -
422 begin_group - -
423 repeat - 0
424 end_group - -
425 exit - -
500 draw_self - -
501 action_draw_sprite AR 5,0,0,0
502 action_draw_background R 7,0,0,3
511 action_draw_rectangle AR 0,0,0,0,4
512 action_draw_ellipse AR 0,0,0,0,4
513 action_draw_line AR 0,0,0,0
514 action_draw_text AR 2,0,0
515 action_draw_arrow AR 0,0,0,0,0
516 action_draw_gradient_hor AR 0,0,0,0,13,13
517 action_draw_gradient_vert AR 0,0,0,0,13,13
518 action_draw_ellipse_gradient AR 0,0,0,0,13,13
519 action_draw_text_transformed AR 2,0,0,0,0,0
521 action_fill_color - 13
523 action_draw_font_old - 1,0,0,3,3,3
524 action_color - 13
525 action_draw_font - 15
526 action_font - 12,4
531 action_fullscreen - 4
532 action_effect AR 4,0,0,4,13,4
541 action_sprite_set A 5,0,0
542 action_sprite_transform A 0,0,0,4
543 action_sprite_color A 13,0
601 action_execute_script A 9,0,0,0,0,0
603 code A 1
604 action_inherited - -
605 comment - 1
611 variable AR 1,0
612 action_if_variable QA 0,0,4
613 action_draw_variable AR 0,0,0
701 action_set_score R 0
702 action_if_score Q 0,4
703 action_draw_score R 0,0,1
706 action_highscore - -
707 action_highscore_clear - -
709 action_highscore_show - 7,4,13,13,15
711 action_set_life R 0
712 action_if_life Q 0,4
713 action_draw_life R 0,0,1
714 action_draw_life_images R 0,0,5
721 action_set_health R 0
722 action_if_health Q 0,4
723 action_draw_health R 0,0,0,0,4,4
731 action_set_caption - 4,1,4,1,4,1
801 action_set_cursor - 5,4
802 action_snapshot - 2
803 action_replace_sprite - 5,2,0
804 action_replace_sound - 6,2
805 action_replace_background - 7,2
807 action_webpage - 2
808 action_cd_play - 0,0
809 action_cd_stop - -
810 action_cd_pause - -
811 action_cd_resume - -
812 action_cd_present Q -
813 action_cd_playing Q -
820 action_partsyst_create - 0
821 action_partsyst_destroy - -
822 action_partsyst_clear - -
823 action_parttype_create - 4,4,5,0,0,0
824 action_parttype_color - 4,4,13,13,0,0
825 action_parttype_create_old - 4,4,0,0,13,13
826 action_parttype_life - 4,0,0
827 action_parttype_speed - 4,0,0,0,0,0
828 action_parttype_gravity - 4,0,0
829 action_parttype_secondary - 4,4,0,4,0
831 action_partemit_create - 4,4,0,0,0,0
832 action_partemit_destroy - 4
833 action_partemit_burst - 4,4,0
834 action_partemit_stream - 4,4,0
"""

# kind and execution type of the actions that call no function
_WITHOUT_FUNCTION = {
    "begin_group": (1, 0),
    "end_group": (2, 0),
    "else": (3, 0),
    "exit": (4, 0),
    "repeat": (5, 0),
    "variable": (6, 2),
    "code": (7, 2),
    "comment": (0, 0),
    "draw_self": (0, 2),
}


@dataclass(frozen=True)
class Definition:
    """An action as its library defines it."""

    id: int
    name: str
    flags: str
    kinds: tuple[int, ...]

    def action(self) -> Action:
        """A new action of this definition, its arguments all "0"."""
        kind, exec_type = _WITHOUT_FUNCTION.get(self.name, (0, 1))
        return Action(
            version=440,
            library_id=1,
            action_id=self.id,
            kind=kind,
            can_be_relative=int("R" in self.flags),
            is_question=int("Q" in self.flags),
            can_apply_to=int("A" in self.flags),
            exec_type=exec_type,
            function_name=self.name if exec_type == 1 else "",
            code="draw_self;" if self.name == "draw_self" else "",
            argument_count=len(self.kinds),
            argument_kinds=[*self.kinds, *[0] * (SLOTS - len(self.kinds))],
            arguments=["0"] * SLOTS,
        )


@lru_cache(maxsize=1)
def definitions() -> dict[int, Definition]:
    """The definitions by id."""
    result = {}
    for line in _TABLE.strip().splitlines():
        number, name, flags, kinds = line.split(" ")
        numbers = tuple(int(kind) for kind in kinds.split(",") if kind != "-")
        result[int(number)] = Definition(int(number), name, flags.strip("-"), numbers)
    return result


@lru_cache(maxsize=1)
def by_name() -> dict[str, Definition]:
    """The definitions by name; of two with one name, the one with the lower id."""
    result: dict[str, Definition] = {}
    for definition in definitions().values():
        result.setdefault(definition.name, definition)
    return result
