"""What GameMaker's own functions do with texts: which draw them, pass them on, store them."""

from __future__ import annotations

from typing import Final

#: numbers of arguments
Arguments = tuple[int, ...]
#: at the end of them: and all behind the last
REST: Final = -1

_BY_ARGUMENTS: Final = {
    (0,): (
        "show_message show_message_async show_question show_question_async "
        "get_integer get_integer_async window_set_caption string_width string_width_ext "
        "string_height string_height_ext action_message action_if_question action_draw_text "
        "action_draw_text_transformed get_open_filename get_save_filename scribble"
    ),
    (0, 1): "get_string get_string_async get_login_async message_input show_menu",
    (2,): (
        "draw_text draw_text_color draw_text_colour draw_text_ext draw_text_ext_color "
        "draw_text_ext_colour draw_text_ext_transformed draw_text_ext_transformed_color "
        "draw_text_ext_transformed_colour draw_text_transformed draw_text_transformed_color "
        "draw_text_transformed_colour draw_text_scribble draw_text_scribble_ext show_menu_pos"
    ),
    (0, 1, 2): "highscore_set_strings",
    (0, 1, 2, 3): "show_message_ext",
    (1,): "layer_text_text message_caption",
    (1, 2): "push_local_notification",
    (0, 3): "get_open_filename_ext get_save_filename_ext",
    (4,): "layer_text_create",
}

#: functions that show arguments to the player
SHOWN: Final[dict[str, Arguments]] = {
    name: arguments for arguments, names in _BY_ARGUMENTS.items() for name in names.split()
}

#: variables whose value is shown
SHOWN_VARIABLES: Final = frozenset(
    ("room_caption", "caption_score", "caption_lives", "caption_health")
)

_PASSED: Final = {
    (0,): (
        "string_hash_to_newline string_upper string_lower string_copy string_char_at "
        "string_delete string_repeat string_trim string_trim_start string_trim_end string_letters "
        "string_lettersdigits string_split string_split_ext string_set_byte_at array_get "
        "array_get_2D array_pop array_shift array_first array_last array_concat array_shuffle "
        "array_reverse array_unique ds_list_find_value ds_map_find_value ds_grid_get "
        "ds_queue_dequeue ds_queue_head ds_queue_tail ds_stack_pop ds_stack_top "
        "ds_priority_find_min ds_priority_find_max ds_priority_delete_min ds_priority_delete_max"
    ),
    (0, 1): "string_insert string_ext string_join_ext",
    (0, 2): "string_replace string_replace_all",
    (1,): "array_create",
    (2,): "ini_read_string",
    (0, REST): "string choose string_concat string_join string_concat_ext",
}

#: functions whose result holds arguments, or what is in them
PASSED: Final[dict[str, Arguments]] = {
    name: arguments for arguments, names in _PASSED.items() for name in names.split()
}

_STORED: Final = {
    (1, REST): "ds_list_add ds_queue_enqueue ds_stack_push array_push",
    (2,): (
        "ds_list_insert ds_list_replace ds_list_set ds_map_add ds_map_set ds_map_replace "
        "ds_map_add_list ds_map_add_map ds_map_replace_list ds_map_replace_map array_set array_copy"
    ),
    (2, REST): "array_insert",
    (3,): "ds_grid_set ds_grid_add array_set_2D",
    (5,): "ds_grid_set_region ds_grid_add_region",
    (1,): "ds_priority_add ds_list_copy ds_map_copy ds_grid_copy ds_queue_copy ds_stack_copy",
}

#: functions that put arguments into what the first one is
STORED: Final[dict[str, Arguments]] = {
    name: arguments for arguments, names in _STORED.items() for name in names.split()
}

_KEYS: Final = {
    (0,): (
        "asset_get_index file_exists file_text_open_read file_text_open_write file_bin_open "
        "ini_open sprite_add sound_add audio_create_stream json_decode json_parse real ord "
        "variable_global_get variable_global_set variable_global_exists"
    ),
    (0, 1): (
        "ini_read_string ini_read_real ini_write_string ini_write_real ini_key_exists "
        "ini_key_delete"
    ),
    (1,): (
        "ds_map_find_value ds_map_exists ds_map_add ds_map_set ds_map_replace ds_map_delete "
        "variable_instance_get variable_instance_set variable_instance_exists "
        "variable_struct_get variable_struct_set variable_struct_exists struct_get struct_set "
        "struct_exists"
    ),
}

#: functions for which arguments are names of something, which a translation would not be
KEYS: Final[dict[str, Arguments]] = {
    name: arguments for arguments, names in _KEYS.items() for name in names.split()
}

#: functions that put a value into a map: their second argument is its key
FIELDS: Final = frozenset(
    [
        "ds_map_add",
        "ds_map_set",
        "ds_map_replace",
        "ds_map_add_list",
        "ds_map_add_map",
        "ds_map_replace_list",
        "ds_map_replace_map",
    ]
)
#: functions that look for a value in what the first argument is
COMPARED: Final = frozenset(
    ["ds_list_find_index", "array_contains", "array_get_index", "ds_grid_value_exists"]
)
#: functions that draw a picture whose number, the second argument, may be a letter's
LETTERS: Final = frozenset(
    [
        "draw_sprite",
        "draw_sprite_ext",
        "draw_sprite_part",
        "draw_sprite_part_ext",
        "draw_sprite_stretched",
        "draw_sprite_stretched_ext",
        "draw_sprite_general",
    ]
)
#: functions that read a file whose name is the first argument
READS_FILE: Final = frozenset(
    [
        *("file_text_open_read", "ini_open", "load_csv", "buffer_load", "buffer_load_async"),
        *("file_bin_open", "ds_map_secure_load"),
    ]
)
#: functions that run the events of an object named by an argument, as what calls them
TAKE_EVENTS: Final = {"event_perform_object": 0, "instance_change": 0}

#: functions that read a variable: which argument is its name
READS: Final = {
    "variable_global_get": 0,
    "variable_instance_get": 1,
    "variable_struct_get": 1,
    "struct_get": 1,
    "struct_get_from_hash": 1,
}
#: functions that set a variable: which argument is its name; the value follows
SETS: Final = {
    "variable_global_set": 0,
    "variable_instance_set": 1,
    "variable_struct_set": 1,
    "struct_set": 1,
    "struct_set_from_hash": 1,
}


def chosen(arguments: Arguments, count: int) -> list[int]:
    """The numbers of the arguments of a call with ``count`` of them."""
    if arguments[-1] == REST:
        first = arguments[-2]
        return [*arguments[:-2], *range(first, count)]
    return [number for number in arguments if number < count]
