"""Rooms: backgrounds, views, instances and tiles."""

from __future__ import annotations

from typing import Annotated, ClassVar

from msgspec import field

from overhaul.gamemaker.classic.fields import COUNT, Colour, Flag, Text, VersionedRecord, section
from overhaul.schema import Record, Times, before, f64, i32, only, since


class RoomBackground(Record):
    """One of a room's background layers."""

    visible: Flag = 0
    foreground: Flag = 0
    background: Annotated[i32, "-1: none"] = -1
    x: i32 = 0
    y: i32 = 0
    tile_horizontally: Flag = 1
    tile_vertically: Flag = 1
    h_speed: i32 = 0
    v_speed: i32 = 0
    stretch: Annotated[Flag, since(520)] = 0


class View(Record):
    """A view: a part of the room, and where it appears on the screen."""

    visible: Flag = 0
    view_x: i32 = 0
    view_y: i32 = 0
    view_width: i32 = 640
    view_height: i32 = 480
    port_x: i32 = 0
    port_y: i32 = 0
    port_width: Annotated[i32, since(541)] = 640
    port_height: Annotated[i32, since(541)] = 480
    h_border: i32 = 32
    v_border: i32 = 32
    h_speed: Annotated[i32, "-1: at once"] = -1
    v_speed: Annotated[i32, "-1: at once"] = -1
    follow_object: Annotated[i32, "-1: none"] = -1


class Instance(Record):
    """An object placed in a room."""

    x: i32 = 0
    y: i32 = 0
    object: i32 = -1
    id: i32 = 0
    creation_code: Annotated[Text, "GML"] = ""
    scale_x: Annotated[f64, since(810)] = 1.0
    scale_y: Annotated[f64, since(810)] = 1.0
    blend: Annotated[i32, since(810)] = -1
    rotation: Annotated[f64, since(811)] = 0.0
    locked: Flag = 0


class Tile(Record):
    """A rectangle of a background, placed in a room."""

    x: i32 = 0
    y: i32 = 0
    background: i32 = -1
    tile_x: i32 = 0
    tile_y: i32 = 0
    width: i32 = 16
    height: i32 = 16
    depth: i32 = 1000000
    id: i32 = 0
    scale_x: Annotated[f64, since(810)] = 1.0
    scale_y: Annotated[f64, since(810)] = 1.0
    blend: Annotated[i32, since(810)] = -1
    locked: Flag = 0


class RoomEditor(Record):
    """How the room's editor was left."""

    remember: Flag = 0
    width: i32 = 0
    height: i32 = 0
    flags: Annotated[
        list[i32], only(500), Times(10), "those below and two more, in an unknown order"
    ] = field(default_factory=lambda: [0] * 10)
    show_grid: Annotated[Flag, since(520)] = 0
    show_objects: Annotated[Flag, since(520)] = 0
    show_tiles: Annotated[Flag, since(520)] = 0
    show_backgrounds: Annotated[Flag, since(520)] = 0
    show_foregrounds: Annotated[Flag, since(520)] = 0
    show_views: Annotated[Flag, since(520)] = 0
    delete_underlying_objects: Annotated[Flag, since(520)] = 0
    delete_underlying_tiles: Annotated[Flag, since(520)] = 0
    tile_width: Annotated[i32, before(541)] = 0
    tile_height: Annotated[i32, before(541)] = 0
    tile_h_sep: Annotated[i32, before(541)] = 0
    tile_v_sep: Annotated[i32, before(541)] = 0
    tile_h_offset: Annotated[i32, only(520)] = 0
    tile_v_offset: Annotated[i32, only(520)] = 0
    tab: Annotated[i32, "0 objects, 1 settings, 2 tiles, 3 backgrounds, 4 views"] = 0
    scroll_x: i32 = 0
    scroll_y: i32 = 0


class Room(VersionedRecord):
    """A room."""

    versions: ClassVar[tuple[int, ...]] = (500, 520, 541, 810, 811)

    caption: Text = ""
    width: i32 = 640
    height: i32 = 480
    snap_y: i32 = 16
    snap_x: i32 = 16
    isometric: Annotated[Flag, since(520)] = 0
    speed: Annotated[i32, "steps per second"] = 30
    persistent: Flag = 0
    background_colour: Colour = 12632256
    draw_background_colour: Annotated[
        i32, "bit 0; bit 1: the view's background is not cleared (8.1)"
    ] = 1
    creation_code: Annotated[Text, "GML"] = ""
    backgrounds: Annotated[list[RoomBackground], COUNT] = []
    enable_views: Flag = 0
    views: Annotated[list[View], COUNT] = []
    instances: Annotated[list[Instance], COUNT] = []
    tiles: Annotated[list[Tile], COUNT] = []
    editor: RoomEditor = field(default_factory=RoomEditor)


ROOMS = section("Rooms", (420, 800), Room)
