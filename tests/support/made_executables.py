"""Executables of Game Maker that tests make: of a small game, and of any project."""

from __future__ import annotations

import struct
from array import array
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from overhaul.gamemaker.classic.actions import Event, Object
from overhaul.gamemaker.classic.conversion import copied
from overhaul.gamemaker.classic.executable import records
from overhaul.gamemaker.classic.executable.container import (
    OFFSET_53,
    OFFSETS,
    OLD_MAGIC,
    Executable,
    write_executable,
)
from overhaul.gamemaker.classic.fields import Deflated, Section, Slot, VersionedRecord
from overhaul.gamemaker.classic.kinds import item_version, section_version
from overhaul.gamemaker.classic.obfuscation import Obfuscation, table_of_seed
from overhaul.gamemaker.classic.pictures import pixels_of
from overhaul.gamemaker.classic.records import Project
from overhaul.gamemaker.classic.recovery.masks import shaped
from overhaul.gamemaker.classic.resources import Background, OldSprite, Room, Sound, Sprite
from overhaul.gamemaker.classic.settings import LibraryCodes, OptionalPicture, RoomOrder
from overhaul.gamemaker.classic_folder.actions import code_list
from present import present

SETTINGS = {600: 600, 700: 702, 800: 800, 810: 800}
PIXELS = bytes(range(2 * 3 * 4))


def game(version: int) -> records.Game:
    """A small game with a sprite, a sound, a script and an object."""
    made = records.Game(game_id=77, guid=[1, 2, 3, 4])
    new = version >= 800
    project = {600: 600, 700: 701, 800: 800, 810: 810}[version]
    parts: dict[str, Callable[[], Any]] = {
        "extensions": records.Extensions,
        "triggers": records.GameTriggers,
        "constants": records.GameConstants,
        "includes": records.GameIncludes,
        "sprites": records.SPRITES.new,
        "backgrounds": records.BACKGROUNDS.new,
        "paths": records.PATHS.new,
        "scripts": records.SCRIPTS.new,
        "fonts": records.FONTS.new,
        "timelines": records.TIMELINES.new,
        "objects": records.OBJECTS.new,
        "rooms": records.ROOMS.new,
        "information": records.GameInformationText,
        "library_codes": LibraryCodes,
        "room_order": RoomOrder,
        "sounds": (records.SOUNDS if version > 600 else records.PLAIN_SOUNDS).new,
    }
    for name, kind in parts.items():
        field = "packages" if name == "extensions" else name
        record = kind()
        record.version = section_version(field, max(project, 701 if field == "packages" else 0))
        setattr(made, "plain_sounds" if (name, version) == ("sounds", 600) else name, record)
    if version == 600:
        made.settings = records.GameSettings(version=600, load_bar=0)
    pixels = PIXELS if new else Deflated.of(PIXELS)
    picture = records.GamePicture(version=800 if new else 540, width=2, height=3, pixels=pixels)
    sprite = records.GameSprite(version=item_version("sprites", project), frames=[picture])
    if new:
        sprite.masks = [records.Mask(version=800, width=1, height=2, bits=bytes(8))]
    present(made.sprites).slots = [records.GameSlot(exists=1, name="spr", resource=sprite)]
    data = b"RIFF    WAVE"
    if version == 600:
        plain = records.PlainSound(version=600, has_data=1, data=data, file_type=".wav")
        present(made.plain_sounds).slots = [records.GameSlot(exists=1, name="snd", resource=plain)]
    else:
        stored = data if new else Deflated.of(data)
        sound = Sound(version=800 if new else 600, has_data=1, data=stored, file_type=".wav")
        present(made.sounds).slots = [records.GameSlot(exists=1, name="snd", resource=sound)]
    script = records.GameScript(version=item_version("scripts", project), code="return 1;")
    present(made.scripts).slots = [records.GameSlot(exists=1, name="scr", resource=script)]
    last = 11 if new else 10
    events: list[list[Event]] = [[] for _ in range(last + 1)]
    events[0] = [Event(0, code_list("x = 1;"))]
    object_ = Object(version=430, last_category=last, categories=events)
    present(made.objects).slots = [
        records.GameSlot(),
        records.GameSlot(exists=1, name="obj", resource=object_),
    ]
    information: Any = made.information  # the text of a game is deflated before 800
    information.text = b"{\\rtf1}\0" if new else Deflated.of(b"{\\rtf1}\0")
    return made


def executable(version: int, content: records.Game | None = None, encoding: str = "") -> bytes:
    """An executable with a game: the small one, if no other is given."""
    made = Executable(version, encoding or ("utf-8" if version == 810 else "cp1252"))
    made.game = game(version) if content is None else content
    made.garbage = b"garbage!"
    made.hidden = Obfuscation(1, 2, array("i", [7]), 12345, array("i", [8, 9]))
    made.table = table_of_seed(4711)
    made.junk = b"junk", b"morejunk"
    made.files = [(b"D3DX8.dll", b"MZ a library")]
    place = OFFSETS.get(version, (3_800_100,))[0]
    made.runner = b"MZ" + bytes(place - 2)
    magic = struct.pack("<ii", 1234321, version)
    if version == 600:
        made.head = magic + bytes(12)
        made.inner_head = struct.pack("<8i", 1230600, 335, 336, 1, 27, 1234321, 600, 0)
    else:
        made.settings = records.GameSettings(version=SETTINGS[version], load_bar=0)
        if made.game.settings is not None:
            made.settings, made.game.settings = made.game.settings, None
    if version == 700:
        made.head = magic + bytes(4)
        made.inner_head = struct.pack("<i", 28489)
    elif version >= 800:
        made.head = magic + bytes(4)
        made.inner_head = struct.pack("<ii", 1, 5) + struct.pack("<i", 1)
    if version == 810:
        mark = bytes.fromhex("110022f7") + bytes.fromhex("67331444")
        made.mask = 952549023, 0x8AB0477E
        made.head = mark + struct.pack("<II", *made.mask) + bytes(16)
    return write_executable(made)


# -- compiling a project ---------------------------------------------------------------------------

#: what stands for the pictures that Game Maker itself has for loading
USUAL = b"BM the usual picture"
#: what executables call the products that their projects call otherwise
_EXECUTABLES = {701: 700}
_LISTS = {
    "sprites": records.SPRITES,
    "backgrounds": records.BACKGROUNDS,
    "paths": records.PATHS,
    "scripts": records.SCRIPTS,
    "fonts": records.FONTS,
    "timelines": records.TIMELINES,
    "objects": records.OBJECTS,
    "rooms": records.ROOMS,
}
_KINDS: dict[str, type[VersionedRecord]] = {
    "paths": records.GamePath,
    "scripts": records.GameScript,
    "fonts": records.GameFont,
}


def compiled(project: Project) -> bytes:
    """The executable that compiling a project gives, as the specification describes it.

    What it throws away is what a recovery can't know; transparent pixels keep their colours.
    """
    version = _EXECUTABLES.get(project.version, project.version)
    if version == 530:
        return stored(project)
    made = game(version)
    made.game_id = project.game_id
    made.guid = list(struct.unpack("<4i", project.guid))
    made.last_instance_id, made.last_tile_id = project.last_instance_id, project.last_tile_id
    made.settings = _settings(project, version)
    for kind, new in _LISTS.items():
        section: Section[Any] = new.new()
        section.version = getattr(project, kind).version
        section.slots = _slots(getattr(project, kind), kind)
        setattr(made, kind, section)
    _sounds(project, made, version)
    if version >= 800:
        present(made.triggers).slots = project.triggers.slots
        present(made.constants).constants = project.constants.constants
    if version >= 700:
        includes = present(made.includes)
        includes.version = project.includes.version
        includes.slots = [
            records.GameIncludeSlot(include=copied(each, records.GameInclude, each.version))
            for slot in project.includes.slots
            if (each := slot.include) is not None
        ]
    information = present(made.information)
    made.information = copied(
        project.information, records.GameInformationText, information.version, without=("text",)
    )
    text = bytes(project.information.text)
    content: Any = text if version >= 800 else Deflated.of(text)
    made.information.text = content
    made.library_codes, made.room_order = project.library_codes, project.room_order
    return executable(version, made, project.encoding)


def stored(project: Project, key: int = 4711) -> bytes:
    """The executable of 5.3, which stores a project as it is."""
    made = Executable(530, project=project)
    made.runner = b"MZ" + bytes(OFFSET_53 - 2)
    made.head = OLD_MAGIC + struct.pack("<i", key)
    made.inner_head = struct.pack("<ii", 1, 3) + b"DLL"
    return write_executable(made)


def _settings(project: Project, version: int) -> records.GameSettings:
    pictures = ("load_bar_back", "load_bar_front", "load_image")
    made = copied(project.settings, records.GameSettings, SETTINGS[version], without=pictures)
    if version >= 800:
        made.constants = []
    old = project.settings

    def content(picture: OptionalPicture | None) -> Any:
        return None if picture is None or picture.file is None else picture.file

    usual = Deflated.of(USUAL)
    made.load_image = content(old.load_image) if old.own_load_image else usual
    made.own_load_image = int(made.load_image is not None)
    made.load_bar = int(old.load_bar != 0)
    if made.load_bar:
        for name in pictures[:2]:
            file = content(getattr(old, name)) if old.load_bar == 2 else usual
            setattr(made, name, records.BarPicture(int(file is not None), file))
    if version >= 800:  # the streams themselves are what is stored
        for part in (made.load_bar_back, made.load_bar_front):
            if part is not None and isinstance(part.file, Deflated):
                part.file = part.file.stream
        if isinstance(made.load_image, Deflated):
            made.load_image = made.load_image.stream
    return made


def _slots(section: Section[Any], kind: str) -> list[Slot[Any]]:
    made: list[Slot[Any]] = []
    for slot in section.slots:
        new: records.GameSlot[Any] = records.GameSlot(exists=slot.exists, name=slot.name)
        if slot.exists:
            new.resource = _resource(slot.resource, kind)
        made.append(new)
    return made


def _resource(old: Any, kind: str) -> VersionedRecord:
    if isinstance(old, OldSprite):
        made = copied(old, records.GameSprite, old.version, without=("frames",))
        made.frames = [_picture(frame, keyed=bool(old.transparent)) for frame in old.frames]
        return made
    if isinstance(old, Sprite):
        return _sprite(old)
    if isinstance(old, Background):
        back = copied(old, records.GameBackground, old.version, without=("image", "old_image"))
        if old.version >= 710:
            back.image = _picture(old.image)
        elif old.has_image:
            back.old_image = _picture(old.old_image, keyed=bool(old.transparent))
        return back
    if isinstance(old, Room):
        room = copied(old, records.GameRoom, old.version)
        room.instances = [_part(records.GameInstance, each) for each in old.instances]
        room.tiles = [_part(records.GameTile, each) for each in old.tiles]
        return room
    made_other: VersionedRecord = copied(old, _KINDS.get(kind, type(old)), old.version)
    if isinstance(made_other, records.GameFont):
        made_other.alpha = b"" if old.version >= 800 else Deflated.of(b"")
    return made_other


def _part(record: Any, old: Any) -> Any:
    values = {name: getattr(old, name) for name in record.__struct_fields__}
    return record(**values | {"locked": 0})


def _picture(picture: Any, *, keyed: bool = False) -> records.GamePicture:
    pixels = None if picture is None else pixels_of(picture, keyed=keyed)
    is_old = type(picture).__name__ == "OldPicture"
    made = records.GamePicture(version=540 if is_old else 800)
    if pixels is not None:
        made.height, made.width = pixels.shape[:2]
        data = np.ascontiguousarray(pixels[:, :, [2, 1, 0, 3]]).tobytes()
        made.pixels = Deflated.of(data) if is_old else data
    elif is_old:
        made.pixels = Deflated.of(b"")
    return made


def _sprite(old: Sprite) -> records.GameSprite:
    made = copied(old, records.GameSprite, old.version, without=("frames", "masks"))
    made.frames = [_picture(frame) for frame in old.frames]
    alphas = [pixels[:, :, 3] for frame in old.frames if (pixels := pixels_of(frame)) is not None]
    if not alphas or len(alphas) != len(old.frames) or len({a.shape for a in alphas}) > 1:
        made.frames, made.separate_masks = [], old.separate_masks
        return made
    masked: Sequence[Any] = alphas if old.separate_masks else [np.maximum.reduce(alphas)]
    made.masks = [_mask(old, alpha) for alpha in masked]
    return made


def _mask(old: Sprite, alpha: Any) -> records.Mask:
    height, width = alpha.shape
    box = old.bbox_left, old.bbox_top, old.bbox_right, old.bbox_bottom
    if old.bbox_mode == 1:
        box = 0, 0, width - 1, height - 1
    elif old.bbox_mode == 0:
        rows, columns = np.nonzero(alpha > old.alpha_tolerance)
        if rows.size:
            box = int(columns.min()), int(rows.min()), int(columns.max()), int(rows.max())
        else:
            box = 0, 0, 0, 0
    solid = shaped(alpha, box, old.mask_shape, old.alpha_tolerance)
    return records.Mask(
        version=800, width=width, height=height, left=box[0], top=box[1], right=box[2],
        bottom=box[3], bits=solid.astype("<u4").tobytes(),
    )  # fmt: skip


def _sounds(project: Project, made: records.Game, version: int) -> None:
    if version == 600:
        plain = records.PLAIN_SOUNDS.new()
        plain.version, plain.slots = project.sounds.version, []
        for slot in project.sounds.slots:
            new: records.GameSlot[Any] = records.GameSlot(exists=slot.exists, name=slot.name)
            if slot.resource is not None:
                new.resource = copied(slot.resource, records.PlainSound, 600, without=("data",))
                data = slot.resource.data
                new.resource.data = data.data if isinstance(data, Deflated) else data
            plain.slots.append(new)
        made.plain_sounds = plain
        return
    sounds = records.SOUNDS.new()
    sounds.version = project.sounds.version
    sounds.slots = [
        records.GameSlot(exists=slot.exists, name=slot.name, resource=slot.resource)
        for slot in project.sounds.slots
    ]
    made.sounds = sounds
