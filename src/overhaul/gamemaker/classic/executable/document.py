"""A game's executable as a document: listed and extracted, not edited."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from overhaul.document.names import FileNames
from overhaul.document.protocol import BaseDocument, Coverage, PlainFile, Resource, UnpackOptions
from overhaul.errors import FormatError, WorkspaceError
from overhaul.gamemaker.classic.executable.container import (
    Executable,
    read_executable,
    write_executable,
)
from overhaul.gamemaker.classic.executable.records import PackedExtension
from overhaul.gamemaker.classic.executable.resources import (
    GameBackground,
    GameFont,
    GamePath,
    GamePicture,
    GameRoom,
    GameSprite,
)
from overhaul.gamemaker.classic.fields import Deflated, sized
from overhaul.gamemaker.classic.kinds import BY_PLURAL
from overhaul.gamemaker.classic.measure import Measure
from overhaul.gamemaker.classic.obfuscation import inverse, table_of_seed
from overhaul.gamemaker.classic.streams import ProjectReader
from overhaul.gamemaker.classic_folder.events import show_object, show_timeline
from overhaul.gamemaker.classic_folder.files import json_bytes, show_record
from overhaul.gamemaker.classic_folder.names import Names
from overhaul.gamemaker.classic_folder.resources import Made, made_json, made_text, show_sound
from overhaul.gamemaker.classic_folder.whole import main_path

if TYPE_CHECKING:
    from overhaul.document.protocol import Beside, Buffer, Change, Folder

PRODUCTS = {600: "Game Maker 6", 700: "Game Maker 7", 800: "Game Maker 8.0", 810: "Game Maker 8.1"}
_ACTION_LIBRARY = 3
_GARBAGE = "random words behind the game, which the runner ignores"


class ExecutableFile(BaseDocument):
    """An executable with a game of Game Maker 6 to 8.1 in it."""

    kind = "gamemaker-executable"

    def __init__(self, data: Buffer, source: str | None = None) -> None:
        super().__init__(source)
        self._data = data
        self._read: Executable | None = None
        self._size = len(data)
        from overhaul.gamemaker.classic.executable.container import locate

        found = locate(data)
        self.version = str(found[0]) if found else ""

    @classmethod
    def from_bytes(
        cls,
        data: Buffer,
        *,
        source: str | None = None,
        assume_version: str | None = None,
        strict: bool = False,
        beside: Beside | None = None,
    ) -> ExecutableFile:
        """Open an executable; only the place of the game is looked for now."""
        return cls(data, source)

    @classmethod
    def empty(cls, settings: Mapping[str, object]) -> ExecutableFile:
        """Refused: an executable is made by Game Maker alone."""
        raise WorkspaceError("an executable can't be made from a folder")

    @property
    def executable(self) -> Executable:
        """The game and its layers."""
        if self._read is None:
            self._read = read_executable(self._data, source=self.source)
        return self._read

    def _slots(self) -> dict[str, list[Any]]:
        game = self.executable.game
        sections = {kind: getattr(game, kind, None) for kind in BY_PLURAL}
        sections["sounds"] = game.sounds or game.plain_sounds
        slots = {kind: section.slots for kind, section in sections.items() if section is not None}
        if game.triggers is not None:
            slots["triggers"] = game.triggers.slots
        return slots

    def _names(self) -> Names:
        names = Names(int(self.version))
        for kind, slots in self._slots().items():
            if kind == "triggers":
                names.put(kind, [s.trigger.name if s.trigger is not None else None for s in slots])
            else:
                names.put(kind, [slot.name if slot.exists else None for slot in slots])
        return names

    def info(self) -> dict[str, object]:
        """The product, the game id, what there is."""
        game = self.executable.game
        return {
            "product": PRODUCTS[self.executable.version],
            "game_id": game.game_id,
            "offset": len(self.executable.runner),
            "resources": {
                kind: sum(1 for slot in slots if slot.exists)
                for kind, slots in self._slots().items()
            },
        }

    def tree(self) -> Iterator[Resource]:
        """The resources."""
        names = self._names()
        for kind, slots in self._slots().items():
            if kind == "triggers":
                continue
            for stem, slot in zip(names.stems[kind], slots, strict=True):
                if stem is not None:
                    size = len(slot.kept) or None
                    path = main_path(kind, stem)
                    yield Resource(BY_PLURAL[kind].singular, slot.name, path, size)
        for path, made in self._files():
            yield Resource("file", path.rpartition("/")[2], path, len(made()))

    def decode(self) -> None:
        """Read the game, and inflate what has a zlib stream of its own."""
        self.coverage()

    def to_bytes(self) -> bytes:
        """The executable, its game rebuilt from the records and hidden again."""
        data = write_executable(self.executable)
        self._size = len(data)
        return data

    def coverage(self) -> Coverage:
        """The runner, the files, pictures and sounds are media; the garbage is not understood."""
        executable = self.executable
        measure = Measure(self._size)
        measure.add(executable.runner)
        for _, content in executable.files:
            measure.add(content)
        share = 1.0
        if executable.stream:  # of 6 and 7: all of the game stands in one zlib stream
            inside = len(executable.garbage) + len(executable.inner_head)
            share = min(1.0, len(executable.stream) / max(1, inside + self._plain_size()))
        media = measure.media
        for kind, slots in self._slots().items():
            for slot in slots:
                if kind != "triggers" and slot.resource is not None:
                    for stream in _media(slot.resource):
                        measure.add(stream, slot if executable.version >= 800 else None)
        measure.media = media + (measure.media - media) * share
        measure.opaque("garbage", round(len(executable.garbage) * share), _GARBAGE)
        if executable.behind:
            start = self._size - len(executable.behind)
            measure.opaque("behind", len(executable.behind), "bytes behind the game", start)
        return measure.coverage()

    def _plain_size(self) -> int:
        from overhaul.gamemaker.classic.streams import inflate

        return len(inflate(self.executable.stream)[0])

    def plain_files(self, options: UnpackOptions) -> Iterator[PlainFile]:
        """The resources as in the folder of a project, as far as executables have them."""
        names = self._names()
        for path, made in self._files():
            yield PlainFile(path, made)
        for kind, slots in self._slots().items():
            for stem, slot in zip(names.stems[kind], slots, strict=True):
                if stem is None:
                    continue
                resource = slot.trigger if kind == "triggers" else slot.resource
                for path, made in _show(kind, resource, stem, names):
                    yield PlainFile(f"{kind}/{path}", made)

    def _files(self) -> Iterator[Made]:
        """The files beside the resources: included ones, those of extensions, the runner's."""
        executable, game = self.executable, self.executable.game
        if game.information is not None:
            text = _bytes(game.information.text)
            yield "game_information.rtf", lambda: text.removesuffix(b"\0")
        file_name = FileNames()
        for name, content in executable.files:
            yield f"runner/{file_name(name.decode('latin-1'))}", partial(bytes, content)
        file_name = FileNames()
        for item in game.includes.slots if game.includes is not None else ():
            if item.include is not None and item.include.data is not None:
                path = f"included_files/{file_name(item.include.file_name)}"
                yield path, partial(_bytes, item.include.data)
        for package in game.extensions.packages if game.extensions is not None else ():
            yield from _extension_files(package)

    def apply(self, folder: Folder, changes: Mapping[str, Change]) -> list[str]:
        """Refused: the game in an executable can't be edited."""
        raise WorkspaceError(
            "an executable's resources can be extracted, but not put back: "
            "the game's project is what Game Maker makes executables from"
        )


def _bytes(value: Deflated | bytes | None) -> bytes:
    return value.data if isinstance(value, Deflated) else value or b""


def _media(resource: Any) -> Iterator[object]:
    """The pictures and sounds of a resource."""
    if isinstance(resource, GameSprite):
        for frame in resource.frames:
            yield frame.pixels
    elif isinstance(resource, GameBackground):
        for picture in (resource.image, resource.old_image):
            if picture is not None:
                yield picture.pixels
    elif isinstance(resource, GameFont):
        yield resource.alpha
    else:
        yield getattr(resource, "data", None)


# ----------------------------------------------------------------------------- extraction


def _show(kind: str, resource: Any, stem: str, names: Names) -> Iterator[Made]:
    show: Callable[[Any, str, Names], Iterator[Made]] | None = _SHOW.get(kind)
    if show is not None:
        yield from show(resource, stem, names)


def _show_sprite(sprite: GameSprite, stem: str, names: Names) -> Iterator[Made]:
    plain = show_record(sprite, sprite.version, names, without=["frames", "masks"])
    for index, frame in enumerate(sprite.frames):
        if frame.width > 0 and frame.height > 0:
            yield f"{stem}/{index}.png", partial(_png, frame)
    masks = []
    for index, mask in enumerate(sprite.masks):
        masks.append(show_record(mask, mask.version, names, without=["bits"]))
        if mask.width > 0 and mask.height > 0:
            name = f"{stem}/mask_{index}.png"
            yield name, partial(_mask_png, mask.bits, mask.width, mask.height)
    if masks:
        plain["masks"] = masks
    yield f"{stem}/sprite.json", made_json(plain)


def _png(picture: GamePicture) -> bytes:
    import numpy

    from overhaul.media import png

    data = _bytes(picture.pixels)
    if len(data) != picture.width * picture.height * 4:
        raise FormatError(
            f"{len(data)} bytes of pixels in a picture of {picture.width} by {picture.height}"
        )
    pixels = numpy.frombuffer(data, numpy.uint8).reshape(picture.height, picture.width, 4)
    return png.encode(numpy.ascontiguousarray(pixels[:, :, [2, 1, 0, 3]]))


def _mask_png(bits: bytes, width: int, height: int) -> bytes:
    import numpy

    from overhaul.media import png

    grey = (numpy.frombuffer(bits, "<u4").reshape(height, width) != 0).astype(numpy.uint8) * 255
    pixels = numpy.stack([grey, grey, grey, numpy.full_like(grey, 255)], axis=2)
    return png.encode(pixels)


def _show_background(background: GameBackground, stem: str, names: Names) -> Iterator[Made]:
    picture = background.image if background.version >= 710 else background.old_image
    plain = show_record(background, background.version, names, without=["image", "old_image"])
    if picture is not None and picture.width > 0 and picture.height > 0:
        yield f"{stem}.png", partial(_png, picture)
    yield f"{stem}.json", made_json(plain)


def _show_path(path: GamePath, stem: str, names: Names) -> Iterator[Made]:
    plain = show_record(path, path.version, names)
    plain["points"] = [[point["x"], point["y"], point["speed"]] for point in plain["points"]]
    yield f"{stem}.json", made_json(plain)


def _show_font(font: GameFont, stem: str, names: Names) -> Iterator[Made]:
    plain = show_record(font, font.version, names, without=["glyphs", "alpha"])
    fields = ("x", "y", "width", "height", "advance", "offset")
    plain["glyphs"] = {
        str(code): dict(zip(fields, font.glyphs[6 * code : 6 * code + 6], strict=True))
        for code in range(256)
        if any(font.glyphs[6 * code : 6 * code + 6])
    }
    yield f"{stem}.json", made_json(plain)
    if font.map_width > 0 and font.map_height > 0:
        yield f"{stem}.png", partial(_glyph_png, font)


def _glyph_png(font: GameFont) -> bytes:
    import numpy

    from overhaul.media import png

    data = _bytes(font.alpha)
    if len(data) != font.map_width * font.map_height:
        raise FormatError(f"{len(data)} bytes for {font.map_width} by {font.map_height} pixels")
    alpha = numpy.frombuffer(data, numpy.uint8).reshape(font.map_height, font.map_width)
    white = numpy.full_like(alpha, 255)
    return png.encode(numpy.stack([white, white, white, alpha], axis=2))


def _show_room(room: GameRoom, stem: str, names: Names) -> Iterator[Made]:
    version = room.version
    plain = show_record(
        room,
        version,
        names,
        without=["backgrounds", "views", "instances", "tiles", "creation_code"],
        colours=["background_colour"],
    )
    for field, references in (
        ("backgrounds", {"background": ("backgrounds", -1)}),
        ("views", {"follow_object": ("objects", -1)}),
        ("instances", {"object": ("objects", -1)}),
        ("tiles", {"background": ("backgrounds", -1)}),
    ):
        plain[field] = [
            show_record(item, version, names, references=references, short=True)
            for item in getattr(room, field)
        ]
    yield f"{stem}/room.json", made_json(plain)
    if room.creation_code:
        yield f"{stem}/creation.gml", made_text(room.creation_code)


def _extension_files(package: PackedExtension) -> Iterator[Made]:
    """The files of an extension package, and its definition."""
    file_name = FileNames()
    folder = f"extensions/{file_name(package.name)}"
    files: list[dict[str, Any]] = []
    plain = {"name": package.name, "folder": package.folder, "files": files}
    streams = _hidden_streams(package)
    for file in package.files:
        shown = show_record(file, file.version, Names(800), without=["functions", "constants"])
        for field in ("functions", "constants"):
            shown[field] = [
                show_record(item, item.version, Names(800)) for item in getattr(file, field)
            ]
        files.append(shown)
        if file.kind != _ACTION_LIBRARY:
            stream = next(streams, None)
            if stream is not None:
                yield f"{folder}/{file_name(file.name)}", partial(_bytes, stream)
    yield f"{folder}.json", lambda: json_bytes(plain)


def _hidden_streams(package: PackedExtension) -> Iterator[Deflated]:
    """The zlib streams of an extension's files, behind a seed and a substitution."""
    content = package.content
    if len(content) < 5:
        return
    seed = int.from_bytes(content[:4], "little", signed=True)
    plain = content[4:5] + content[5:].translate(inverse(table_of_seed(seed)))
    position = 0
    while position < len(plain):
        stream, position = sized(plain, position, ProjectReader())
        yield Deflated(stream)


_SHOW: dict[str, Callable[[Any, str, Names], Iterator[Made]]] = {
    "sounds": lambda sound, stem, names: show_sound(sound, stem, {}, names),
    "sprites": _show_sprite,
    "backgrounds": _show_background,
    "paths": _show_path,
    "scripts": lambda script, stem, names: iter([(f"{stem}.gml", made_text(script.code))]),
    "fonts": _show_font,
    "timelines": lambda timeline, stem, names: show_timeline(timeline, stem, {}, names),
    "objects": lambda object_, stem, names: show_object(object_, stem, {}, names),
    "rooms": _show_room,
    "triggers": lambda item, stem, names: iter([(f"{stem}.gml", made_text(item.condition))]),
}


__all__ = ["ExecutableFile"]
