"""The keys of the files with ``key=value`` lines, and the fields of a project that they stand
for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from overhaul.gamemaker.gm82.names import NONE, ResourceIds
from overhaul.gamemaker.gm82.texts import (
    Layouts,
    delimited,
    integer,
    one_line,
    real,
    real_text,
    signed,
    undelimited,
    unsigned,
    wrong,
)


class Key(NamedTuple):
    """A key: its field, empty for one that no field of the record has, and the form of its value.

    ``form`` is ``int``, ``unsigned``, ``real``, ``text``, ``delimited``, ``bits`` (``shift``,
    ``mask``; ``flip`` inverts them, ``plus`` is what the field has more), or the kind of resource
    whose name the value is, where ``none`` is the id of an empty one.
    """

    name: str
    field: str = ""
    form: str = "int"
    shift: int = 0
    mask: int = 1
    flip: int = 0
    plus: int = 0
    none: int = NONE


def _same(*names: str) -> list[Key]:
    """Keys that are called as their fields are."""
    return [Key(name, name) for name in names]


SPRITE: Final = [
    Key("frames"),
    Key("origin_x", "origin_x"),
    Key("origin_y", "origin_y"),
    Key("collision_shape", "mask_shape"),
    Key("alpha_tolerance", "alpha_tolerance"),
    Key("per_frame_colliders", "separate_masks"),
    Key("bbox_type", "bbox_mode"),
    *_same("bbox_left", "bbox_top", "bbox_right", "bbox_bottom"),
]
BACKGROUND: Final = [
    Key("exists"),
    Key("tileset", "use_as_tileset"),
    *_same("tile_width", "tile_height"),
    Key("tile_hoffset", "tile_h_offset"),
    Key("tile_voffset", "tile_v_offset"),
    Key("tile_hsep", "tile_h_sep"),
    Key("tile_vsep", "tile_v_sep"),
]
SOUND: Final = [
    Key("extension", "file_type", "text"),
    Key("exists"),
    Key("source", "file_name", "text"),
    *_same("kind", "effects"),
    Key("volume", "volume", "real"),
    Key("pan", "pan", "real"),
    Key("preload", "preload"),
]
PATH: Final = [
    *_same("connection", "closed", "precision"),
    Key("background", "background_room", "rooms"),
    *_same("snap_x", "snap_y"),
]
FONT: Final = [
    Key("name", "font_name", "text"),
    *_same("size", "bold", "italic"),
    Key("charset", "range_start", "bits", 16, 0xFF),
    Key("aa_level", "range_start", "bits", 24, 0xFF, plus=1),
    Key("range_start", "range_start", "bits", 0, 0xFFFF),
    Key("range_end", "range_end"),
]
OBJECT: Final = [
    Key("sprite", "sprite", "sprites"),
    *_same("visible", "solid", "persistent", "depth"),
    Key("parent", "parent", "objects", none=-100),
    Key("mask", "mask", "sprites"),
]
TRIGGER: Final = [Key("constant", "constant_name", "text"), Key("kind", "moment")]
DATA_FILE: Final = [
    *_same("store"),
    Key("free", "free_memory"),
    *_same("overwrite"),
    Key("remove", "remove_at_end"),
    *_same("export"),
]
EXPORT_FOLDER: Final = Key("export_folder", "export_folder", "text")

ROOM: Final = [
    Key("caption", "caption", "text"),
    *_same("width", "height", "snap_x", "snap_y", "isometric"),
    Key("roomspeed", "speed"),
    Key("roompersistent", "persistent"),
    Key("bg_color", "background_colour"),
    Key("clear_screen", "draw_background_colour", "bits"),
    Key("clear_view", "draw_background_colour", "bits", 1, flip=1),
]
ROOM_VIEWS: Final = [Key("views_enabled", "enable_views")]
#: for each of the eight; the number of the layer or the view follows the key
ROOM_BACKGROUND: Final = [
    Key("bg_visible", "visible"),
    Key("bg_is_foreground", "foreground"),
    Key("bg_source", "background", "backgrounds"),
    Key("bg_xoffset", "x"),
    Key("bg_yoffset", "y"),
    Key("bg_tile_h", "tile_horizontally"),
    Key("bg_tile_v", "tile_vertically"),
    Key("bg_hspeed", "h_speed"),
    Key("bg_vspeed", "v_speed"),
    Key("bg_stretch", "stretch"),
]
VIEW: Final = [
    Key("view_visible", "visible"),
    Key("view_xview", "view_x"),
    Key("view_yview", "view_y"),
    Key("view_wview", "view_width"),
    Key("view_hview", "view_height"),
    Key("view_xport", "port_x"),
    Key("view_yport", "port_y"),
    Key("view_wport", "port_width"),
    Key("view_hport", "port_height"),
    Key("view_fol_hbord", "h_border"),
    Key("view_fol_vbord", "v_border"),
    Key("view_fol_hspeed", "h_speed"),
    Key("view_fol_vspeed", "v_speed"),
    Key("view_fol_target", "follow_object", "objects"),
]
ROOM_EDITOR: Final = [
    *_same("remember"),
    Key("editor_width", "width"),
    Key("editor_height", "height"),
    *_same("show_grid", "show_objects", "show_tiles", "show_backgrounds", "show_foregrounds"),
    *_same("show_views", "delete_underlying_objects", "delete_underlying_tiles", "tab"),
    Key("editor_x", "scroll_x", "unsigned"),
    Key("editor_y", "scroll_y", "unsigned"),
]
SETTINGS: Final = [
    Key("fullscreen", "start_fullscreen"),
    Key("interpolate_pixels", "interpolate"),
    *_same("dont_draw_border", "display_cursor", "scaling", "allow_resize"),
    Key("window_on_top", "always_on_top"),
    Key("clear_color", "colour_outside_room"),
    *_same("set_resolution"),
    Key("color_depth", "colour_depth"),
    *_same("resolution", "frequency", "dont_show_buttons"),
    Key("vsync", "synchronise", "bits"),
    Key("swap_creation_events"),
    Key("disable_screensaver", "disable_screensavers"),
    Key("f4_fullscreen_toggle", "key_f4"),
    Key("f1_help_menu", "key_f1"),
    Key("esc_close_game", "key_esc"),
    Key("f5_save_f6_load", "key_f5_f6"),
    Key("f9_screenshot", "key_f9"),
    Key("treat_close_as_esc", "close_as_esc"),
    *_same("priority", "freeze_on_lose_focus"),
    Key("custom_loader", "own_load_image"),
    Key("custom_bar", "load_bar"),
    Key("bar_has_bg"),
    Key("bar_has_fg"),
    Key("transparent", "load_transparent"),
    Key("translucency", "load_alpha"),
    Key("scale_progress_bar", "load_scale_bar"),
    Key("show_error_messages", "errors_display"),
    Key("log_errors", "errors_log"),
    Key("always_abort", "errors_abort"),
    Key("zero_uninitialized_vars", "uninitialised", "bits"),
    Key("error_on_uninitialized_args", "uninitialised", "bits", 1),
]
INFORMATION: Final = [
    Key("color", "background_colour", "unsigned"),
    Key("new_window", "window_flag"),
    Key("caption", "caption", "text"),
    *_same("left", "top", "width", "height"),
    Key("border", "show_border"),
    Key("resizable", "allow_resize"),
    Key("window_on_top", "always_on_top"),
    Key("freeze_game", "pause_game"),
]
#: of the .gm82 file, of the settings
HEAD: Final = [
    Key("info_author", "author", "text"),
    Key("info_version", "game_version_text", "text"),
    Key("info_information", "information", "delimited"),
    Key("exe_company", "company", "text"),
    Key("exe_product", "product", "text"),
    Key("exe_copyright", "copyright", "text"),
    Key("exe_description", "description", "text"),
]


def names_of(keys: Sequence[Key], number: object = "") -> list[str]:
    """The names of the keys in a file."""
    return [f"{key.name}{number}" for key in keys]


Values = dict[str, tuple[str, int]]


class KeyReader:
    """Takes the values of a file into records."""

    def __init__(
        self, path: str, data: bytes, usual: list[str], layouts: Layouts, names: ResourceIds
    ):
        self.path = path
        self.values: Values = layouts.read_keys(path, data, usual)
        self._names = names
        for key in usual:
            if key and key not in self.values:
                message = f"the key {key} is not there: it has the usual value"
                names.findings.warn("unusual", message, path)

    def number(self, key: str, usual: int = 0) -> int:
        """The number of a key."""
        text, line = self.values.get(key, ("", 0))
        return integer(text, self.path, line) if key in self.values else usual

    def text(self, key: str) -> str:
        """The text of a key."""
        return self.values.get(key, ("", 0))[0]

    def take(self, keys: Sequence[Key], record: object, number: object = "") -> None:
        """Give a record what the keys have."""
        for key in keys:
            found = self.values.get(f"{key.name}{number}")
            if found is not None and key.field:
                now = getattr(record, key.field)
                setattr(record, key.field, self._value(key, now, *found))

    def _value(self, key: Key, now: int, text: str, line: int) -> object:
        if key.form == "text":
            return text
        if key.form == "delimited":
            return undelimited(text)
        if key.form == "real":
            return real(text, self.path, line)
        if key.form in ("int", "unsigned"):
            return signed(integer(text, self.path, line))
        if key.form == "bits":
            bits = (integer(text, self.path, line) + key.plus) ^ key.flip
            if bits & ~key.mask:
                highest = key.mask - key.plus
                raise wrong(self.path, line, f"{text} is not a number from 0 to {highest}")
            return signed(unsigned(now) & ~(key.mask << key.shift) | bits << key.shift)
        return self._names.id_of(key.form, text, self.path, line, none=key.none)


def given(
    keys: Sequence[Key], record: object, names: ResourceIds, path: str, number: object = ""
) -> dict[str, str]:
    """The values of a record by keys, for a file."""
    values = {}
    for key in keys:
        if not key.field:
            continue
        value = getattr(record, key.field)
        values[f"{key.name}{number}"] = _text(key, value, names, path)
    return values


def _text(key: Key, value: str | float, names: ResourceIds, path: str) -> str:
    if key.form == "text":
        return one_line(str(value))
    if key.form == "delimited":
        return delimited(str(value))
    if key.form == "real":
        return real_text(float(value))
    if key.form == "int":
        return str(value)
    if key.form == "unsigned":
        return str(unsigned(int(value)))
    if key.form == "bits":
        return str(((unsigned(int(value)) >> key.shift & key.mask) ^ key.flip) - key.plus)
    return names.name_of(key.form, int(value), path)
