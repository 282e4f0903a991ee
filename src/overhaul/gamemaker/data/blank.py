"""New games: a file of a stated release without resources, and one with a first room."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from overhaul.errors import FormatError
from overhaul.gamemaker.data.chunks import CHUNKS
from overhaul.gamemaker.data.chunks.bytecode import Bytecode
from overhaul.gamemaker.data.chunks.code import CodeArea
from overhaul.gamemaker.data.chunks.font import ascii_code_page, windows_code_page
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
from overhaul.gamemaker.data.chunks.sond import AudioGroupEntry
from overhaul.gamemaker.data.chunks.txtr import EmbeddedImage, TextureGroup, TexturePageItem
from overhaul.gamemaker.data.detect import FLAG_NAMES, RELEASE_CONSTANT, Evidence, detect
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data.model import Chunk
from overhaul.gamemaker.data.room_rules import SLOTS, enlist_room, fill_slots, flags_of_release
from overhaul.gamemaker.data.version import FIRST_SHADERS, Version, not_a_version, parse_release
from overhaul.gamemaker.form import Form, read_form
from overhaul.gml.vm.columns import decode
from overhaul.schema import fields_of

#: the choices of a file that its release number does not decide
_CHOICES = (
    "string_alignment", "background_alignment", "old_options", "lts", "extension_classes",
    "object_friction",
)  # fmt: skip
_FLAGS = ("nullish", "login_sso", "operagx-yyc")


def version_of(text: str, settings: Mapping[str, object]) -> Version:
    """The version that a number and settings ask for.  Raises FormatError."""
    number, lts = parse_release(text)
    major, minor, release, build = (*number, 0, 0, 0)[:4]
    if not (1 <= major <= 2 or 2022 <= major <= 2999) or min(number) < 0 or len(number) > 4:
        raise not_a_version(text)
    if major == 1 and not build:
        minor, release, build = 0, 0, 9999
    version = Version(_bytecode(major, minor, release, build), major, minor, release, build)
    version = version._replace(
        lts=lts,
        string_alignment=4 if version.at_least(2, 3, 2) else 1,
        background_alignment=8 if version.at_least(2, 3, 2) else 1,
        old_options=version.major == 1 and version.build < 1380,
        extension_classes=version.number >= FIRST_SHADERS,
        object_friction=version.bytecode >= 10,
    )
    changes: dict[str, Any] = {}
    for name in ("bytecode", *_CHOICES):
        value = settings.get(name)
        if value is None:
            continue
        if not isinstance(value, int) or (name == "bytecode" and not 8 <= value <= 17):
            raise FormatError(f"settings.{name} can't be {value!r}")
        changes[name] = value
    return version._replace(**changes)


def _bytecode(major: int, minor: int, release: int, build: int) -> int:
    if major > 2 or (major, minor, release) >= (2, 2, 1):
        return 17
    if major == 2:
        return 16 if (minor, release) >= (0, 6) else 15
    if build >= 1773:
        return 16
    for least, bytecode in ((1675, 15), (1464, 14), (929, 13), (666, 10)):
        if build >= least:
            return bytecode
    return 8


def settings_of(game: GameData) -> dict[str, object]:
    """The settings from which :func:`blank_game` makes a game of the same layout."""
    release = game.release
    usual = version_of(str(release), {})
    settings: dict[str, object] = {}
    if release.bytecode != usual.bytecode:
        settings["bytecode"] = release.bytecode
    for name in _CHOICES:
        if getattr(release, name) != getattr(usual, name):
            settings[name] = getattr(release, name)
    if game.alignment != chunk_alignment(release):
        settings["chunk_alignment"] = game.alignment
    if list(game.chunks) != chunk_names(release):
        settings["chunks"] = list(game.chunks)
    others = {
        name: str(chunk.version)
        for name, chunk in game.chunks.items()
        if chunk.version is not None and chunk.version != release
    }
    if others:
        settings["layouts"] = others
    if game.assumed:
        settings["assume_version"] = str(release)
    return settings


def chunk_alignment(version: Version) -> int:
    """The alignment of chunk headers, judged by the release (specification, 1.4)."""
    if version.major == 1:
        return 16 if version.build >= 9999 else 1
    return 16 if version.bytecode >= 17 else 1


def chunk_names(version: Version) -> list[str]:
    """The chunks of a file of this release, in order."""
    return [
        name
        for name, chunk_type in CHUNKS.items()
        if chunk_type.since is not None
        and version.number >= chunk_type.since
        and (chunk_type.lts or not version.lts)
    ]


def blank_game(settings: Mapping[str, object]) -> GameData:
    """A new game of the release ``settings["version"]``, with all its chunks and no resources.

    Other settings are those of :func:`settings_of`.  Raises FormatError for an invalid version.
    """
    game = make_blank(settings)
    show_release(game)
    return game


def make_blank(settings: Mapping[str, object]) -> GameData:
    """As :func:`blank_game`, but nothing in the game shows its release yet."""
    text = str(settings.get("version") or "2024.14")
    version = version_of(text, settings)
    alignment = settings.get("chunk_alignment", chunk_alignment(version))
    if alignment not in (1, 16):
        raise FormatError("settings.chunk_alignment is 1 or 16")
    game = GameData(
        b"",
        Form((), int(alignment), 0, b""),
        version,
        [Evidence(text, "asked for")],
    )
    names = settings.get("chunks", chunk_names(version))
    if not isinstance(names, list) or not {"GEN8", "STRG"} <= set(names):
        raise FormatError(
            "settings.chunks is a list of chunk names, GEN8 and STRG among them "
            "(a file without them, whose compiler was stopped, can't be made)"
        )
    for name in names:
        chunk = game.chunks[name] = Chunk(str(name))
        chunk.decoded = True
        chunk.version = version
        if name not in CHUNKS:
            chunk.raw = b""
            chunk.reason = "Overhaul does not know this chunk"
            continue
        chunk.record = _new_record(CHUNKS[name].load())
        chunk.trailing = None
    layouts = settings.get("layouts", {})
    for name, number in layouts.items() if isinstance(layouts, dict) else ():
        other = version_of(str(number), {})
        if name in game.chunks:
            game.chunks[name].version = version.with_number(*other.number)._replace(lts=other.lts)
    game.last_chunk = names[-1]
    _fill(game)
    return game


def _new_record(cls: type[Any]) -> Any:
    record = cls()
    for field in fields_of(cls):
        if field.name == "area":
            none = np.array([], np.uint32)
            record.area = CodeArea([], Bytecode.of(decode(b"", 17)), none)
    return record


def _fill(game: GameData) -> None:
    """Fill the chunks with what every game of a release has besides resources."""
    version = game.release
    text = game.strings.add
    general = game.general
    general.bytecode = version.bytecode
    general.file_name = general.name = text("game")
    general.config = text("Default" if version.major >= 2 else "default")
    general.display_name = text("Game")
    general.flags = 0x10 | 0x20
    if version.major < 2:
        general.major, general.minor, general.release, general.build = version.number
        general.debugger_port = 6502
    elif version.number < (2022, 8):
        general.debugger_port = 51268
    options = game.options
    if options is not None and version.major >= 2:
        options.scale, options.load_alpha = 1, 0
        for name, value in (("@@SleepMargin", "10"), ("@@DrawColour", "4294967295")):
            options.constants.append(Constant(text(name), text(value)))
    if "FONT" in game.chunks:
        old = version.major == 1 and version.build < 1380
        game.record("FONT").code_page = windows_code_page() if old else ascii_code_page()
    if "AGRP" in game.chunks and version.major >= 2:
        path = text("audiogroup_default.dat") if version.at_least(2024, 14) else None
        game.records.audio_groups.append(AudioGroupEntry(text("audiogroup_default"), path))
    if game.feature_flags is not None:
        flags = [*_FLAGS, *(name for name, since in FLAG_NAMES if version.number >= since)]
        game.feature_flags.flags = [text(flag) for flag in flags]


def shows_release(game: GameData) -> bool:
    """Whether the layout of the game's file shows its release, or a later one."""
    if game.release.major < 2:
        return True
    data = game.to_bytes()
    detected, _ = detect(data, read_form(data))
    asked = game.release
    return detected.number > asked.number or (detected.number, detected.lts) == (
        asked.number,
        asked.lts,
    )


def release_constant(game: GameData) -> str | None:
    """The release that a constant of the options names; None without such a constant."""
    for constant in () if game.options is None else game.options.constants:
        if str(constant.name) == RELEASE_CONSTANT:
            return str(constant.value)
    return None


def show_release(game: GameData) -> None:
    """Name the release in a constant of the options where nothing else in the file shows it.

    GEN8 says 2.0.0.0 in every file of GameMaker 2 and later, and other programs expect that.
    """
    options = game.options
    if options is not None and not shows_release(game):
        add = game.strings.add
        options.constants.append(Constant(add(RELEASE_CONSTANT), add(game.version)))


#: the name of a new game's first room
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

    ``settings`` are those of :func:`blank_game`. Raises FormatError for an unknown version.
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
        page=game.painting.add_page(pixels, group),
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
