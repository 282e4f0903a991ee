"""A .gm82 folder becomes a project."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from overhaul.document.protocol import Siblings
from overhaul.errors import FormatError, UnsupportedVersion
from overhaul.gamemaker.classic.actions import ActionList, Object
from overhaul.gamemaker.classic.fields import Deflated, Slot, VersionedRecord
from overhaul.gamemaker.classic.kinds import BY_PLURAL, item_version
from overhaul.gamemaker.classic.records import Node
from overhaul.gamemaker.classic.resources import (
    Background,
    Font,
    Moment,
    Path,
    PathPoint,
    Picture,
    Script,
    Sound,
    Sprite,
    Timeline,
)
from overhaul.gamemaker.classic.settings import (
    Constant,
    Include,
    IncludeSlot,
    OptionalPicture,
    PackageName,
    Trigger,
    TriggerSlot,
)
from overhaul.gamemaker.gm82 import keys as tables
from overhaul.gamemaker.gm82.actions import events_of, read_parts
from overhaul.gamemaker.gm82.keys import Key, KeyReader, names_of
from overhaul.gamemaker.gm82.model import (
    FIRST_INSTANCE,
    FIRST_TILE,
    FOLDERS,
    NEWEST,
    ROOMS,
    VERSIONS,
    Gm82Project,
    head_keys,
)
from overhaul.gamemaker.gm82.rooms import read_room
from overhaul.gamemaker.gm82.texts import integer, lines_of, real, signed, to_code, wrong
from overhaul.media import png
from overhaul.schema.streams import MAX_DEPTH

#: the resources with a tree, and how one is read
KINDS: Final = (
    "sprites", "sounds", "backgrounds", "paths", "scripts", "fonts", "timelines", "objects", ROOMS,
)  # fmt: skip
CATEGORIES: Final = 12
#: how deep groups may be nested: a .gm81 file has a record for each, in that of the kind
_DEEPEST: Final = MAX_DEPTH - 2
_NAME: Final = re.compile("[0-9A-F]{8}")
#: in front of whether the creation events are swapped, behind the settings of Game Maker 8.2
SWAP_START: Final = bytes(4)


def read_folder(data: bytes, name: str, siblings: Siblings | None) -> Gm82Project:
    """The project of a folder whose .gm82 file has these bytes.  Raises FormatError."""
    made = Gm82Project(name, siblings)
    _read_head(made, data)
    made.folders = _folders(made)
    listed = [kind for kind in (*KINDS, "triggers") if kind in made.folders]
    needed = ["settings/settings.txt", *(f"{kind}/index.yyd" for kind in listed)]
    if not any(map(made.has, needed)):
        folders = ", ".join(["settings", *listed])
        message = f"the folders of the project must be next to this file: {folders}"
        raise FormatError(message, source=name, code="absent-file")
    for kind in (*KINDS, "triggers"):
        index = made.read_index(f"{kind}/index.yyd") if kind in made.folders else []
        made.names.add(kind, index)
        _take_slots(made, kind, index)
    readers: dict[str, Callable[[Gm82Project, str], VersionedRecord]] = {
        "sprites": _sprite, "sounds": _sound, "backgrounds": _background, "paths": _path,
        "scripts": _script, "fonts": _font, "timelines": _timeline, "objects": _object,
        ROOMS: read_room,
    }  # fmt: skip
    for kind in KINDS:
        for slot in getattr(made.project, kind).slots:
            if slot.exists:
                slot.resource = readers[kind](made, slot.name)
        if kind in made.folders:
            _read_tree(made, kind)
    _take_ids(made)
    _read_triggers(made)
    _read_data_files(made)
    _read_settings(made)
    for path, line in made.layouts.undecoded.items():
        made.findings.warn("invalid", "the text is not UTF-8: its bytes are kept", path, line=line)
    made.project.last_instance_id = made.last_instance
    made.project.last_tile_id = made.last_tile
    return made


def _folders(made: Gm82Project) -> set[str]:
    """The folders of resources that the project has; since version 5 its head says which."""
    there = set(made.files.listing("")[1])
    found = {kind for kind in FOLDERS if made.has_keys.get(kind, kind in there)}
    for kind in sorted(there.intersection(FOLDERS) - found):
        made.findings.warn("unlisted", f"the folder is not read: has_{kind} is 0", kind)
    return found | ({ROOMS} & there)


def _read_head(made: Gm82Project, data: bytes) -> None:
    head = KeyReader(
        made.name, data, head_keys(_version(data, made.name)), made.layouts, made.names
    )
    made.version = head.number("gm82_version")
    project, settings = made.project, made.project.settings
    project.game_id = signed(head.number("gameid"))
    head.take(tables.HEAD, settings)
    text, line = head.values.get("exe_version", ("1.0.0.0", 0))
    for kind in FOLDERS if made.version >= NEWEST else ():
        made.has_keys[kind] = bool(head.number(f"has_{kind}"))
    parts = [integer(part, made.name, line) for part in text.split(".")]
    if len(parts) != 4:
        raise wrong(made.name, line, f"expected four numbers, got {text!r}")
    settings.major, settings.minor, settings.release, settings.build = parts


def _version(data: bytes, name: str) -> int:
    for number, line in enumerate(data.decode("utf-8", "replace").splitlines(), 1):
        key, _, value = line.lstrip("\ufeff").partition("=")
        if key == "gm82_version":
            version = integer(value, name, number)
            if version not in VERSIONS:
                known = ", ".join(map(str, VERSIONS))
                message = f"version {version} of .gm82 is not supported (there are {known})"
                raise UnsupportedVersion(message, source=name)
            return version
    raise FormatError(
        "the .gm82 file has no gm82_version: save the project in a newer Game Maker 8.2",
        source=name,
    )


def _take_slots(made: Gm82Project, kind: str, names: list[str]) -> None:
    """Give the project a place for each line of an index."""
    if kind == "triggers":
        made.project.triggers.slots = [TriggerSlot(exists=int(bool(name))) for name in names]
        return
    slots: list[Slot[VersionedRecord]] = [Slot(exists=int(bool(name)), name=name) for name in names]
    getattr(made.project, kind).slots = slots


def _read_tree(made: Gm82Project, kind: str) -> None:
    """Take the tree of a kind into that of the project; the order of rooms is in it as well."""
    path = f"{kind}/tree.yyd"
    known = BY_PLURAL[kind]
    root = next(node for node in made.project.tree if node.grouping == known.grouping)
    stack = [root]
    for number, line in enumerate(lines_of(made.read(path)), 1):
        text = line.lstrip("\t")
        depth = len(line) - len(text)
        if text[:1] not in ("+", "|") or depth >= len(stack):
            message = "expected |NAME or +NAME, as deep as a folder above it"
            raise wrong(path, number, message)
        if depth > _DEEPEST:
            raise wrong(path, number, f"groups are nested more than {_DEEPEST} levels deep")
        del stack[depth + 1 :]
        name = text[1:]
        if text[0] == "+":
            node = Node(2, known.grouping, 0, name)
            stack.append(node)
            stack[depth].children.append(node)
        else:
            index = made.names.id_of(kind, name, path, number)
            stack[depth].children.append(Node(3, known.grouping, index, name))
            if kind == ROOMS:
                made.project.room_order.rooms.append(index)


def _take_ids(made: Gm82Project) -> None:
    """Take the names of instances for their ids where all are ids: those that Overhaul gives are.

    Game Maker 8.2 gives names any numbers of 32 bits, which are not ids.
    """
    names = [name for name, _ in made.instances.values()]
    if not all(_NAME.fullmatch(name) for name in names) or len(set(names)) != len(names):
        return
    ids = {int(name, 16) for name in names}
    if not ids or min(ids) <= FIRST_INSTANCE or max(ids) > FIRST_TILE:
        return
    for slot in made.project.rooms.slots:
        for instance in slot.resource.instances if slot.resource is not None else ():
            instance.id = int(made.instances[instance.id][0], 16)
    made.instances = {int(found[0], 16): found for found in made.instances.values()}
    made.last_instance = max(ids)


# --------------------------------------------------------------------------------- resources


def _keys(made: Gm82Project, path: str, keys: list[Key], *more: str) -> KeyReader:
    usual = [*names_of(keys), *more]
    return KeyReader(path, made.data(path), usual, made.layouts, made.names)


def _picture(made: Gm82Project, path: str) -> Picture:
    """The picture of a PNG; none, and a finding, where the file is not there."""
    if not made.has(path):
        made.findings.warn("absent-file", "the picture is not there", path)
        return Picture(version=800)
    data = made.data(path)
    try:
        pixels = png.decode(data)
    except FormatError as error:
        error.source = path
        raise
    height, width = pixels.shape[:2]
    stored = pixels[:, :, [2, 1, 0, 3]].tobytes()
    picture = Picture(version=800, width=width, height=height, pixels=stored)
    made.pictures[path] = data, picture
    return picture


def _sprite(made: Gm82Project, name: str) -> Sprite:
    keys = _keys(made, f"sprites/{name}/sprite.txt", tables.SPRITE)
    sprite = Sprite(version=item_version("sprites", 810))
    keys.take(tables.SPRITE, sprite)
    count = keys.number("frames")
    there = sum(file.endswith(".png") for file in made.files.listing(f"sprites/{name}")[0])
    most = max(there, 1) * 2 + 1000  # a number that no sprite has does not need a look for files
    if count > most:
        _, line = keys.values["frames"]
        raise wrong(keys.path, line, f"{count} subimages, but there are {there} pictures")
    sprite.frames = [_picture(made, f"sprites/{name}/{number}.png") for number in range(count)]
    return sprite


def _background(made: Gm82Project, name: str) -> Background:
    keys = _keys(made, f"backgrounds/{name}.txt", tables.BACKGROUND)
    background = Background(version=item_version("backgrounds", 810))
    keys.take(tables.BACKGROUND, background)
    background.image = Picture(version=800)
    if keys.number("exists"):
        background.image = _picture(made, f"backgrounds/{name}.png")
    return background


def sound_file(name: str, extension: str) -> str:
    """The name of the file of a sound."""
    ending = extension.strip(".")
    return f"{name}.{ending}" if ending else name


def sound_path(name: str, extension: str) -> str:
    """The path of the file of a sound."""
    return f"sounds/{sound_file(name, extension)}"


def _sound(made: Gm82Project, name: str) -> Sound:
    keys = _keys(made, f"sounds/{name}.txt", tables.SOUND)
    sound = Sound(version=item_version("sounds", 810))
    keys.take(tables.SOUND, sound)
    path = sound_path(name, sound.file_type)
    if keys.number("exists"):
        if made.has(path):
            sound.has_data, sound.data = 1, made.data(path)
        else:
            made.findings.warn("absent-file", "the sound is not there", path)
    return sound


def _path(made: Gm82Project, name: str) -> Path:
    keys = _keys(made, f"paths/{name}/path.txt", tables.PATH)
    path = Path(version=item_version("paths", 810))
    keys.take(tables.PATH, path)
    source = f"paths/{name}/points.txt"
    for line, text in enumerate(lines_of(made.read(source)), 1):
        cells = text.split(",")
        if len(cells) != 3:
            raise wrong(source, line, f"expected x,y,speed, got {text!r}")
        path.points.append(PathPoint(*(real(cell, source, line) for cell in cells)))
    return path


def _script(made: Gm82Project, name: str) -> Script:
    code = to_code(made.read(f"scripts/{name}.gml"))
    return Script(version=item_version("scripts", 810), code=code)


def _font(made: Gm82Project, name: str) -> Font:
    keys = _keys(made, f"fonts/{name}.txt", tables.FONT)
    font = Font(version=item_version("fonts", 810))
    keys.take(tables.FONT, font)
    return font


def _timeline(made: Gm82Project, name: str) -> Timeline:
    path = f"timelines/{name}.gml"
    timeline = Timeline(version=item_version("timelines", 810))
    for part in read_parts(made.read(path), path, made.names):
        position = signed(integer(part.name, path, part.line))
        timeline.moments.append(Moment(position, ActionList(version=400, actions=part.actions)))
    return timeline


def _object(made: Gm82Project, name: str) -> Object:
    keys = _keys(made, f"objects/{name}.txt", tables.OBJECT)
    made_object = Object(version=item_version("objects", 810))
    keys.take(tables.OBJECT, made_object)
    path = f"objects/{name}.gml"
    parts = read_parts(made.read(path), path, made.names)
    made_object.categories = events_of(parts, path, made.names, CATEGORIES)
    made_object.last_category = CATEGORIES - 1
    return made_object


# ---------------------------------------------------------------------------------- the rest


def _read_triggers(made: Gm82Project) -> None:
    if "triggers" not in made.folders:
        return
    names = made.read_index("triggers/index.yyd")
    for slot, name in zip(made.project.triggers.slots, names, strict=True):
        if name:
            trigger = Trigger(version=800, name=name)
            _keys(made, f"triggers/{name}.txt", tables.TRIGGER).take(tables.TRIGGER, trigger)
            trigger.condition = to_code(made.read(f"triggers/{name}.gml"))
            slot.resource = trigger


def _read_data_files(made: Gm82Project) -> None:
    if "datafiles" not in made.folders:
        return
    for name in made.read_index("datafiles/index.yyd"):
        path = f"datafiles/{name}.txt"
        data = made.data(path)
        folder = [tables.EXPORT_FOLDER] if b"\nexport_folder=" in data else []
        include = Include(version=item_version("includes", 810), file_name=name)
        _keys(made, path, [*tables.DATA_FILE, *folder]).take([*tables.DATA_FILE, *folder], include)
        content = f"datafiles/include/{name}"
        if made.has(content):
            include.data = made.data(content)
            include.original_size = len(include.data)
            include.original_chosen = include.store = 1
        made.project.includes.slots.append(IncludeSlot(include=include))


def _read_settings(made: Gm82Project) -> None:
    project, settings = made.project, made.project.settings
    keys = _keys(made, "settings/settings.txt", tables.SETTINGS)
    keys.take(tables.SETTINGS, settings)
    swapped = keys.number("swap_creation_events")
    settings.rest = SWAP_START + swapped.to_bytes(4, "little")
    if settings.load_bar == 2:
        settings.load_bar_back = _loading(made, "back.bmp", bool(keys.number("bar_has_bg")))
        settings.load_bar_front = _loading(made, "front.bmp", bool(keys.number("bar_has_fg")))
    if settings.own_load_image:
        settings.load_image = _loading(made, "loader.bmp", True)
    icon = "settings/icon.ico"
    if made.has(icon):
        settings.icon = made.data(icon)
    constants = "settings/constants.txt"
    for line, text in enumerate(lines_of(made.read(constants)), 1):
        name, sign, value = text.partition("=")
        if not sign:
            raise wrong(constants, line, f"expected NAME=expression, got {text!r}")
        project.constants.constants.append(Constant(name, value))
    packages = lines_of(made.read("settings/extensions.txt"))
    project.packages.names = [PackageName(name) for name in packages]
    information = project.information
    _keys(made, "settings/game_information.txt", tables.INFORMATION).take(
        tables.INFORMATION, information
    )
    information.text = made.data("settings/game_information.rtf")


def _loading(made: Gm82Project, name: str, exists: bool) -> OptionalPicture:
    """A picture that is shown while the game loads."""
    path = f"settings/{name}"
    if not exists:
        return OptionalPicture()
    if not made.has(path):
        made.findings.warn("absent-file", "the picture is not there", path)
        return OptionalPicture()
    return OptionalPicture(1, Deflated.of(made.data(path)))
