"""Each kind of resource as files: sounds, sprites, backgrounds, paths, scripts, fonts, triggers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, cast

from overhaul.errors import FormatError
from overhaul.gamemaker.classic.fields import Deflated
from overhaul.gamemaker.classic.resources import (
    Background,
    DataFile,
    Font,
    OldPicture,
    OldSprite,
    Path,
    Picture,
    Script,
    Sound,
    Sprite,
)
from overhaul.gamemaker.classic.settings import Trigger
from overhaul.gamemaker.classic_folder import pictures
from overhaul.gamemaker.classic_folder.files import (
    Files,
    json_bytes,
    read_record,
    show_record,
    text_bytes,
)
from overhaul.gamemaker.classic_folder.names import Names
from overhaul.gamemaker.classic_folder.outlines import add_outline, size_of, without_outline

#: a file's name below the resource's own path, and what makes its bytes
Made = tuple[str, Callable[[], bytes]]

_EXTENSION = re.compile(r"\.[A-Za-z0-9]{1,8}")
ROOM = {"background_room": ("rooms", -1)}


def made_json(value: Any) -> Callable[[], bytes]:
    """What makes a JSON file."""
    return lambda: json_bytes(value)


def made_text(text: str) -> Callable[[], bytes]:
    """What makes a text file."""
    return lambda: text_bytes(text)


# ---------------------------------------------------------------------------------- sounds


def show_sound(sound: Sound, stem: str, extra: dict[str, Any], names: Names) -> Iterator[Made]:
    """``NAME.json`` and the sound file."""
    plain = extra | show_record(sound, sound.version, names, without=["data", "has_data"])
    data = sound.data
    if sound.has_data not in (0, 1):
        plain["has_data"] = sound.has_data
    if data is not None:
        name = stem + _sound_extension(sound)
        plain["file"] = name
        if name == stem + sound.file_type:  # so that another kind of file can take its place
            del plain["file_type"]
        yield name, lambda: data.data if isinstance(data, Deflated) else data
    yield f"{stem}.json", made_json(plain)


def _sound_extension(sound: Sound) -> str:
    if _EXTENSION.fullmatch(sound.file_type) and sound.file_type.lower() != ".json":
        return sound.file_type
    return ".bin"


def read_sound(
    files: Files, stem: str, plain: dict[str, Any], version: int, names: Names, base: Sound | None
) -> Sound:
    """The sound of its files."""
    name = plain.pop("file", None)
    sound = read_record(Sound, plain, version, names, base=base)
    before = None if base is None else base.data
    if name is None:
        sound.data = None
        if "has_data" not in plain:
            sound.has_data = 0
        if version < 600:
            sound.kind = -1
        return sound
    data = _named_file(files, "sounds", name)
    sound.data = data if version >= 800 else _deflated(data, before)
    if not sound.has_data:
        sound.has_data = 1
    if "file_type" not in plain:
        sound.file_type = "." + str(name).rpartition(".")[2]
    return sound


def _named_file(files: Files, folder: str, name: Any) -> bytes:
    if not isinstance(name, str) or "/" in name:
        raise FormatError("the name of a file beside this one is expected", path="file")
    return files.bytes(f"{folder}/{name}")


def _deflated(data: bytes, before: object) -> Deflated:
    """The stream of a file; the one that was there before if it says the same."""
    if isinstance(before, Deflated) and before.data == data:
        return before
    return Deflated.of(data)


# --------------------------------------------------------------------------------- sprites


def show_sprite(
    sprite: OldSprite | Sprite, stem: str, extra: dict[str, Any], names: Names
) -> Iterator[Made]:
    """``sprite.json`` and one picture for each subimage."""
    plain = extra | show_record(sprite, sprite.version, names, without=["frames"])
    entries: list[Any] = []
    frames: list[OldPicture] | list[Picture] = sprite.frames
    for index, frame in enumerate(frames):
        entry, made = show_picture(cast("OldPicture | Picture", frame), str(index))
        entries.append(entry)
        if made is not None:
            yield f"{stem}/{made[0]}", made[1]
    if entries != [f"{index}.png" for index in range(len(entries))]:
        plain["frames"] = entries
    without_outline(plain, sprite)
    yield f"{stem}/sprite.json", made_json(plain)


def show_picture(picture: OldPicture | Picture, name: str) -> tuple[Any, Made | None]:
    """How JSON tells of a picture (the file's name, if that says all), and its file."""
    if isinstance(picture, Picture):
        entry: dict[str, Any] = {}
        if picture.version != 800:
            entry["version"] = picture.version
        if not picture.pixels:
            return entry | {"width": picture.width, "height": picture.height}, None
        file = f"{name}.png"
        made = file, lambda: cast(bytes, pictures.file_of(picture))
        return (entry | {"file": file} if entry else file), made
    found = pictures.old_file(picture)
    if found is None:
        return {"present": picture.present}, None
    extension, data = found
    file = name + extension
    entry = {"file": file, "present": picture.present} if picture.present != 10 else {}
    return entry or file, (file, lambda: data)


def read_sprite(
    files: Files,
    stem: str,
    plain: dict[str, Any],
    version: int,
    names: Names,
    base: OldSprite | Sprite | None,
) -> OldSprite | Sprite:
    """The sprite of its files; without a list of frames, those are 0.png, 1.png, ..."""
    entries = plain.pop("frames", None)
    folder = f"sprites/{stem}"
    if entries is None:
        entries = []
        while f"{folder}/{len(entries)}.png" in files:
            entries.append(f"{len(entries)}.png")
    if not isinstance(entries, list):
        raise FormatError("a list of files is expected", path="frames")
    old = version < 800
    before: list[Any] = [] if base is None else list(base.frames)
    frames: list[Any] = []
    for index, entry in enumerate(entries):
        same = before[index] if index < len(before) else None
        try:
            frames.append(read_picture(files, folder, entry, same, old=old))
        except FormatError as error:
            raise error.within("frames", index) from None
    sprite: OldSprite | Sprite
    if old:
        was = base if isinstance(base, OldSprite) else None
        sprite = read_record(OldSprite, plain, version, names, base=was)
    else:
        new = base if isinstance(base, Sprite) else None
        sprite = read_record(Sprite, plain, version, names, base=new)
    sprite.frames = frames
    add_outline(sprite, plain)
    sizes = dict.fromkeys(size for frame in frames if (size := size_of(frame)) is not None)
    if len(sizes) > 1:
        told = " and ".join(f"{width} by {height}" for width, height in sizes)
        files.warnings.append(f"{folder}: the subimages of a sprite have one size, not {told}")
    return sprite


def read_picture(
    files: Files, folder: str, entry: Any, before: Any, *, old: bool
) -> OldPicture | Picture:
    """The picture of an entry of JSON and its file."""
    plain = {"file": entry} if isinstance(entry, str) else entry
    if not isinstance(plain, dict):
        raise FormatError("the name of a file is expected")
    name = plain.get("file")
    if name is None:
        numbers = {k: v for k, v in plain.items() if isinstance(v, int) and v in range(-1, 1 << 20)}
        if old:
            return OldPicture(present=numbers.get("present", -1))
        size = numbers.get("width", 0), numbers.get("height", 0)
        return Picture(version=numbers.get("version", 800), width=size[0], height=size[1])
    data = _named_file(files, folder, name)
    try:
        if old:
            extension = "." + str(name).rpartition(".")[2].lower()
            picture = pictures.old_picture(
                extension, data, before if isinstance(before, OldPicture) else None
            )
            picture.present = plain.get("present", 10)
            return picture
        return pictures.picture_of(data, plain.get("version", 800))
    except FormatError as error:
        error.source = f"{folder}/{name}"
        raise


# ----------------------------------------------------------------------------- backgrounds


def show_background(
    background: Background, stem: str, extra: dict[str, Any], names: Names
) -> Iterator[Made]:
    """``NAME.json`` and the picture."""
    plain = extra | show_record(
        background, background.version, names, without=["image", "old_image", "has_image"]
    )
    picture = background.image if background.version >= 710 else background.old_image
    if background.has_image not in (0, 1):
        plain["has_image"] = background.has_image
    if picture is not None:
        entry, made = show_picture(picture, stem)
        if entry != f"{stem}.png":
            plain["image"] = entry
        if made is not None:
            yield made
    without_outline(plain, background)
    yield f"{stem}.json", made_json(plain)


def read_background(
    files: Files,
    stem: str,
    plain: dict[str, Any],
    version: int,
    names: Names,
    base: Background | None,
) -> Background:
    """The background of its files."""
    entry = plain.pop("image", None)
    if entry is None and f"backgrounds/{stem}.png" in files:
        entry = f"{stem}.png"
    old = version < 710
    background = read_record(Background, plain, version, names, base=base)
    before = None if base is None else base.old_image if old else base.image
    picture = None if entry is None else read_picture(files, "backgrounds", entry, before, old=old)
    if not old:
        background.image = cast("Picture | None", picture) or Picture(version=800)
        return background
    background.old_image = cast("OldPicture | None", picture)
    if "has_image" not in plain:
        background.has_image = int(picture is not None)
    add_outline(background, plain)
    return background


# ------------------------------------------------------ paths, scripts, fonts, data files


def show_path(path: Path, stem: str, extra: dict[str, Any], names: Names) -> Iterator[Made]:
    """``NAME.json`` with the points as [x, y, speed]."""
    plain = extra | show_record(path, path.version, names, references=ROOM)
    plain["points"] = [[point["x"], point["y"], point["speed"]] for point in plain["points"]]
    yield f"{stem}.json", made_json(plain)


def read_path(
    files: Files, stem: str, plain: dict[str, Any], version: int, names: Names, base: Path | None
) -> Path:
    """The path of its file."""
    points = plain.get("points")
    if isinstance(points, list):
        for index, point in enumerate(points):
            if not isinstance(point, list) or len(point) != 3:
                raise FormatError("a point is [x, y, speed]").within("points", index)
        plain["points"] = [dict(zip(("x", "y", "speed"), point, strict=True)) for point in points]
    return read_record(Path, plain, version, names, references=ROOM, base=base)


def show_script(script: Script, stem: str, extra: dict[str, Any], names: Names) -> Iterator[Made]:
    """``NAME.gml``, and ``NAME.json`` in the rare case that there is more to say."""
    yield f"{stem}.gml", made_text(script.code)
    if extra:
        yield f"{stem}.json", made_json(extra)


def read_script(
    files: Files, stem: str, plain: dict[str, Any], version: int, names: Names, base: Script | None
) -> Script:
    """The script of its file."""
    return Script(version=version, code=files.text(f"scripts/{stem}.gml"))


def show_font(font: Font, stem: str, extra: dict[str, Any], names: Names) -> Iterator[Made]:
    """``NAME.json``; a packed range is split into its parts."""
    plain = extra | show_record(font, font.version, names)
    packed = font.range_start
    if packed > 0xFFFF:
        plain["range_start"] = packed & 0xFFFF
        plain["character_set"] = packed >> 16 & 0xFF
        plain["smoothing"] = packed >> 24
    yield f"{stem}.json", made_json(plain)


def read_font(
    files: Files, stem: str, plain: dict[str, Any], version: int, names: Names, base: Font | None
) -> Font:
    """The font of its file."""
    parts = [plain.pop(name, None) for name in ("character_set", "smoothing")]
    font = read_record(Font, plain, version, names, base=base)
    if parts != [None, None]:
        for part, limit in zip(parts, (256, 128), strict=True):
            if not isinstance(part, int) or not 0 <= part < limit:
                raise FormatError(f"a number below {limit} is expected, not {part!r:.20}")
        font.range_start = font.range_start & 0xFFFF | parts[0] << 16 | parts[1] << 24
    return font


def show_data_file(
    file: DataFile, stem: str, extra: dict[str, Any], names: Names
) -> Iterator[Made]:
    """``NAME.json`` and the file, as ``NAME.bin`` or with the extension of its own name."""
    plain = extra | show_record(file, file.version, names, without=["data", "has_data"])
    if file.has_data not in (0, 1):
        plain["has_data"] = file.has_data
    if file.data is not None:
        suffix = "." + file.file_name.rpartition(".")[2]
        good = _EXTENSION.fullmatch(suffix) and suffix.lower() != ".json"
        name = stem + (suffix if good else ".bin")
        plain["file"] = name
        data = file.data
        yield name, lambda: data.data
    yield f"{stem}.json", made_json(plain)


def read_data_file(
    files: Files,
    stem: str,
    plain: dict[str, Any],
    version: int,
    names: Names,
    base: DataFile | None,
) -> DataFile:
    """The data file of its files."""
    name = plain.pop("file", None)
    file = read_record(DataFile, plain, version, names, base=base)
    if name is None:
        file.data = None
        file.has_data = 0
        return file
    before = None if base is None else base.data
    file.data = _deflated(_named_file(files, "data_files", name), before)
    file.has_data = file.has_data or 1
    return file


def show_trigger(
    trigger: Trigger, stem: str, extra: dict[str, Any], names: Names
) -> Iterator[Made]:
    """``NAME.gml`` with the condition, and ``NAME.json``."""
    plain = extra | show_record(trigger, trigger.version, names, without=["condition", "name"])
    yield f"{stem}.gml", made_text(trigger.condition)
    yield f"{stem}.json", made_json(plain)


def read_trigger(
    files: Files, stem: str, plain: dict[str, Any], version: int, names: Names, base: Trigger | None
) -> Trigger:
    """The trigger of its files."""
    trigger = read_record(Trigger, plain, version, names, base=base)
    trigger.condition = files.text(f"triggers/{stem}.gml")
    return trigger
