"""A project becomes the files of a .gm82 folder."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from overhaul.document.protocol import Buffer
from overhaul.gamemaker.classic.actions import Object
from overhaul.gamemaker.classic.fields import Deflated, VersionedRecord
from overhaul.gamemaker.classic.kinds import BY_PLURAL
from overhaul.gamemaker.classic.pictures import pixels_of
from overhaul.gamemaker.classic.records import Node
from overhaul.gamemaker.classic.resources import (
    Background,
    Font,
    Path,
    Picture,
    Script,
    Sound,
    Sprite,
    Timeline,
)
from overhaul.gamemaker.classic.settings import OptionalPicture, Settings
from overhaul.gamemaker.gm82 import keys as tables
from overhaul.gamemaker.gm82.actions import event_name, part_lines
from overhaul.gamemaker.gm82.keys import Key, given, names_of
from overhaul.gamemaker.gm82.model import FOLDERS, ROOMS, Gm82Project, head_keys
from overhaul.gamemaker.gm82.reading import KINDS, SWAP_START, sound_path
from overhaul.gamemaker.gm82.rooms import write_room
from overhaul.gamemaker.gm82.texts import from_code, one_line, real_text, unsigned
from overhaul.media import png


def write_folder(made: Gm82Project) -> dict[str, Buffer]:
    """The files of a project, by their paths."""
    made.written = {}
    _write_head(made)
    _write_settings(made)
    writers: dict[str, Callable[[Gm82Project, str, VersionedRecord], None]] = {
        "sprites": _sprite, "sounds": _sound, "backgrounds": _background, "paths": _path,
        "scripts": _script, "fonts": _font, "timelines": _timeline, "objects": _object,
    }  # fmt: skip
    for kind in KINDS:
        slots = getattr(made.project, kind).slots
        if kind not in made.folders and not any(slot.exists for slot in slots):
            continue
        made.write_index(f"{kind}/index.yyd", [slot.name for slot in slots])
        root = BY_PLURAL[kind].grouping
        nodes = [node for node in made.project.tree if node.grouping == root]
        tree = [line for node in nodes for line in _tree_lines(made, kind, node.children, "")]
        made.write(f"{kind}/tree.yyd", "\n".join(tree))
        for slot in slots:
            if slot.exists and kind == ROOMS:
                write_room(made, slot.name, slot.resource, made.write)
            elif slot.exists:
                writers[kind](made, slot.name, slot.resource)
    _write_triggers(made)
    _write_data_files(made)
    return made.written


def _write_head(made: Gm82Project) -> None:
    project, settings = made.project, made.project.settings
    values = {"gm82_version": str(made.version), "gameid": str(unsigned(project.game_id))}
    values |= given(tables.HEAD, settings, made.names, made.name)
    numbers = settings.major, settings.minor, settings.release, settings.build
    values["exe_version"] = ".".join(map(str, numbers))
    filled = {kind for kind in FOLDERS if kind != "datafiles" and any(
        slot.exists for slot in getattr(project, kind).slots)}  # fmt: skip
    if project.includes.slots:
        filled.add("datafiles")
    filled |= {kind for kind, is_there in made.has_keys.items() if is_there}
    values |= {f"has_{kind}": str(int(kind in filled)) for kind in FOLDERS}
    made.write_keys(made.name, values, head_keys(made.version))


def _tree_lines(made: Gm82Project, kind: str, nodes: list[Node], tabs: str) -> Iterator[str]:
    for node in nodes:
        if node.status == 2:
            yield f"{tabs}+{one_line(node.name)}"
            yield from _tree_lines(made, kind, node.children, f"{tabs}\t")
        else:
            yield f"{tabs}|{made.names.name_of(kind, node.index, f'{kind}/tree.yyd')}"


# --------------------------------------------------------------------------------- resources


def _keys(made: Gm82Project, path: str, keys: list[Key], record: object, **more: int) -> None:
    values = given(keys, record, made.names, path)
    values |= {name: str(value) for name, value in more.items()}
    made.write_keys(path, values, names_of(keys))


def _picture(made: Gm82Project, path: str, picture: Picture | None) -> bool:
    """Write a picture, as it was read where its pixels are the same; whether there is one."""
    pixels = pixels_of(picture)
    if pixels is None or picture is None:
        return False
    data, read = made.pictures.get(path, (b"", None))
    is_same = read is not None and (read.width, read.pixels) == (picture.width, picture.pixels)
    made.put(path, data if is_same else png.encode(pixels))
    return True


def _sprite(made: Gm82Project, name: str, sprite: VersionedRecord) -> None:
    assert isinstance(sprite, Sprite)
    folder = f"sprites/{name}"
    for number, frame in enumerate(sprite.frames):
        _picture(made, f"{folder}/{number}.png", frame)
    _keys(made, f"{folder}/sprite.txt", tables.SPRITE, sprite, frames=len(sprite.frames))


def _background(made: Gm82Project, name: str, background: VersionedRecord) -> None:
    assert isinstance(background, Background)
    path = f"backgrounds/{name}.png"
    exists = _picture(made, path, background.image) or _is_absent(made, path)
    _keys(made, f"backgrounds/{name}.txt", tables.BACKGROUND, background, exists=int(exists))


def _is_absent(made: Gm82Project, path: str) -> bool:
    """Whether a file was not there when the folder was read, though the project names it."""
    return any(found.code == "absent-file" and found.path == path for found in made.findings)


def _sound(made: Gm82Project, name: str, sound: VersionedRecord) -> None:
    assert isinstance(sound, Sound)
    path = sound_path(name, sound.file_type)
    if sound.data is not None:
        made.put(path, sound.data.data if isinstance(sound.data, Deflated) else sound.data)
    exists = sound.data is not None or _is_absent(made, path)
    _keys(made, f"sounds/{name}.txt", tables.SOUND, sound, exists=int(exists))


def _path(made: Gm82Project, name: str, path: VersionedRecord) -> None:
    assert isinstance(path, Path)
    _keys(made, f"paths/{name}/path.txt", tables.PATH, path)
    points = [",".join(map(real_text, (point.x, point.y, point.speed))) for point in path.points]
    made.write(f"paths/{name}/points.txt", "\n".join(points))


def _script(made: Gm82Project, name: str, script: VersionedRecord) -> None:
    assert isinstance(script, Script)
    made.write(f"scripts/{name}.gml", from_code(script.code))


def _font(made: Gm82Project, name: str, font: VersionedRecord) -> None:
    assert isinstance(font, Font)
    _keys(made, f"fonts/{name}.txt", tables.FONT, font)


def _timeline(made: Gm82Project, name: str, timeline: VersionedRecord) -> None:
    assert isinstance(timeline, Timeline)
    path = f"timelines/{name}.gml"
    lines: list[str] = []
    for moment in timeline.moments:
        lines += part_lines(str(moment.position), moment.actions.actions, path, made.names)
    made.write(path, "\n".join(lines))


def _object(made: Gm82Project, name: str, one: VersionedRecord) -> None:
    assert isinstance(one, Object)
    _keys(made, f"objects/{name}.txt", tables.OBJECT, one)
    path = f"objects/{name}.gml"
    lines: list[str] = []
    for category, events in enumerate(one.categories):
        for event in events:
            called = event_name(category, event.sub_type, path, made.names)
            if called:
                lines += part_lines(called, event.actions.actions, path, made.names)
            else:
                message = (
                    f"an event of category {category} is left out: "
                    "the resource that it names is gone"
                )
                made.findings.warn("left-out", message, path)
    made.write(path, "\n".join(lines))


# ---------------------------------------------------------------------------------- the rest


def _write_triggers(made: Gm82Project) -> None:
    slots = made.project.triggers.slots
    if "triggers" not in made.folders and not any(slot.exists for slot in slots):
        return
    made.write_index("triggers/index.yyd", [slot.name for slot in slots])
    for slot in slots:
        if slot.resource is not None:
            path = f"triggers/{slot.name}"
            _keys(made, f"{path}.txt", tables.TRIGGER, slot.resource)
            made.write(f"{path}.gml", from_code(slot.resource.condition))


def _write_data_files(made: Gm82Project) -> None:
    includes = [slot.include for slot in made.project.includes.slots if slot.include is not None]
    if not includes and "datafiles" not in made.folders:
        return
    made.write("datafiles/index.yyd", "\n".join(include.file_name for include in includes))
    for include in includes:
        path = f"datafiles/{include.file_name}.txt"
        folder = [tables.EXPORT_FOLDER] if include.export == 3 else []
        _keys(made, path, [*tables.DATA_FILE, *folder], include)
        if include.data is not None:
            made.put(f"datafiles/include/{include.file_name}", include.data)


def _write_settings(made: Gm82Project) -> None:
    project, settings = made.project, made.project.settings
    loader = _loading(made, "loader.bmp", settings.load_image)
    _keys(
        made,
        "settings/settings.txt",
        tables.SETTINGS,
        settings,
        swap_creation_events=_swapped(settings),
        custom_loader=settings.own_load_image if loader else 0,
        bar_has_bg=_loading(made, "back.bmp", settings.load_bar_back),
        bar_has_fg=_loading(made, "front.bmp", settings.load_bar_front),
    )
    if settings.icon or made.has("settings/icon.ico"):
        made.put("settings/icon.ico", settings.icon)
    constants = [one_line(f"{one.name}={one.value}") for one in project.constants.constants]
    made.write("settings/constants.txt", "\n".join(constants))
    names = [one_line(package.name) for package in project.packages.names]
    made.write("settings/extensions.txt", "\n".join(names))
    path = "settings/game_information.txt"
    _keys(made, path, tables.INFORMATION, project.information)
    made.put("settings/game_information.rtf", project.information.text)


def _swapped(settings: Settings) -> int:
    """Whether creation events are swapped: the flag follows the settings of Game Maker 8.2."""
    rest = settings.rest
    is_known = len(rest) == 8 and rest.startswith(SWAP_START)
    return int.from_bytes(rest[4:], "little") if is_known else 0


def _loading(made: Gm82Project, name: str, picture: OptionalPicture | None) -> int:
    """Write a picture that is shown while the game loads; whether there is one."""
    path = f"settings/{name}"
    if picture is None or picture.file is None:
        return int(_is_absent(made, path))
    made.put(path, picture.file.data)
    return 1
