"""New games for people to begin with: what GameMaker's own new project has."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from overhaul.gamemaker.data.blank import make_blank, show_release
from overhaul.gamemaker.data.chunks.embi import EmbeddedImage
from overhaul.gamemaker.data.chunks.gen8 import InfoFlags
from overhaul.gamemaker.data.chunks.optn import Constant, OptionFlags, Options
from overhaul.gamemaker.data.chunks.room import (
    BackgroundLayer,
    InstancesLayer,
    Layer,
    LayerType,
    Room,
    View,
)
from overhaul.gamemaker.data.chunks.tgin import TextureGroup
from overhaul.gamemaker.data.chunks.tpag import TexturePageItem
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data.painting import painting_of
from overhaul.gamemaker.data.room_rules import SLOTS, enlist_room, fill_slots, flags_of_release

#: what a new game's first room is called
FIRST_ROOM = "Room1"
#: the name of the picture that is drawn where a texture is missing
FALLBACK = "fallbacktexture.png"
_SIDE, _SQUARE = 64, 8
_CHEQUERED = ((255, 0, 255, 255), (0, 0, 0, 255))
_GREY, _BLACK = 0xC0C0C0, 0xFF000000
_SHOWN = OptionFlags.SHOW_CURSOR | OptionFlags.VARIABLE_ERRORS
_STUDIO = (
    OptionFlags.INTERPOLATE
    | OptionFlags.NEW_AUDIO
    | OptionFlags.SCREEN_KEY
    | OptionFlags.QUIT_KEY
    | OptionFlags.SAVE_KEY
    | OptionFlags.SCREENSHOT_KEY
    | OptionFlags.CLOSE_SECONDARY
    | OptionFlags.SCALE_PROGRESS
    | OptionFlags.DISPLAY_ERRORS
    | OptionFlags.CREATION_EVENT_ORDER
)
_VERSION = (("Major", "1"), ("Minor", "0"), ("Build", "0"), ("Revision", "0"))


def begin_game(settings: Mapping[str, object]) -> GameData:
    """A new game with one empty room, and the options of a new project of that release.

    ``settings`` are those of :func:`.blank.blank_game`.  Raises FormatError for a version that
    there is not.
    """
    game = make_blank(settings)
    game.source = "data.win"
    room = _first_room(game)
    game.records.rooms.append(room)
    enlist_room(game, room)
    game.general.window_width, game.general.window_height = room.width, room.height
    if game.release.major < 2:
        game.general.flags |= int(InfoFlags.ALLOW_FULLSCREEN_KEY)
    if game.options is not None:
        _set_options(game, game.options)
    if game.release.at_least(2022, 9):
        _add_fallback(game)
    show_release(game)
    return game


def _add_fallback(game: GameData) -> None:
    """The picture that the runner draws where a texture is missing, in a group of its own.

    Every file of 2022.9 and later has the group.  The picture is a chequered one of ours.
    """
    text, release = game.strings.add, game.release
    marks = ("__yy__{}_yyg_auto_gen_tex_group_name_", "__YY__{}_YYG_AUTO_GEN_TEX_GROUP_NAME_")
    group = TextureGroup(
        name=text(marks[not release.at_least(2024, 2)].format(f"0{FALLBACK}")),
        directory=text("dyntex" if release.at_least(2024, 14) else "DynTex"),
        extension=text(".yytex"),
    )
    game.records.texture_groups.append(group)
    rows, columns = np.indices((_SIDE, _SIDE)) // _SQUARE
    pixels = np.array(_CHEQUERED, np.uint8)[(rows + columns) % 2]
    item = TexturePageItem(
        *(0, 0, _SIDE, _SIDE, 0, 0, _SIDE, _SIDE, _SIDE, _SIDE),
        page=painting_of(game).add_page(pixels, group),
    )
    game.texture_items.append(item)
    game.records.embedded_images.append(EmbeddedImage(text(FALLBACK), item))


def _set_options(game: GameData, options: Options) -> None:
    """The options that GameMaker's own new projects have."""
    release = game.release
    if release.old_options:
        options.new_audio = True
    elif release.major < 2:
        options.flags = int(_SHOWN | _STUDIO)
    else:
        old = OptionFlags.DISPLAY_ERRORS if not release.at_least(2, 3) else OptionFlags(0)
        audio = OptionFlags.NEW_AUDIO if not release.at_least(2024, 11) else OptionFlags(0)
        options.flags = int(_SHOWN | audio | old)
        options.scale = int(not release.at_least(2024, 11))
    if release.at_least(2023, 4):
        add = game.strings.add
        options.constants += [
            Constant(add(f"@@Version{part}"), add(number)) for part, number in _VERSION
        ]


def _first_room(game: GameData) -> Room:
    """An empty room as the room editor makes it."""
    text, release = game.strings.add, game.release
    modern = release.major >= 2
    width, height = (1366, 768) if release.at_least(2, 3) else (1024, 768)
    room = Room(text(FIRST_ROOM), width=width, height=height, flags=int(flags_of_release(release)))
    room.views = [
        View(view_width=width, view_height=height, port_width=width, port_height=height)
        for _ in range(SLOTS)
    ]
    fill_slots(room, release)
    room.physics_right, room.physics_bottom = width, height
    if not modern:
        room.caption, room.speed = text(""), 30
        room.background_colour = _GREY
        return room
    room.draw_background_colour = False
    room.layers = [
        Layer(text("Instances"), 0, LayerType.INSTANCES, 0, data=InstancesLayer()),
        Layer(
            text("Background"), 1, LayerType.BACKGROUND, 100, data=BackgroundLayer(colour=_BLACK)
        ),
    ]
    return room
