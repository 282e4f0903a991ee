"""The game in an executable as a folder: extracted, not put back."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, Final

import numpy

from overhaul.document.folder_format import FolderFormat
from overhaul.document.names import FileNames
from overhaul.document.plainfiles import Change, Folder, PlainFile, UnpackOptions
from overhaul.document.protocol import Resource
from overhaul.errors import FormatError, WorkspaceError
from overhaul.findings import Findings
from overhaul.gamemaker.classic.documents.executable import ExecutableDocument
from overhaul.gamemaker.classic.documents.project import ProjectDocument
from overhaul.gamemaker.classic.executable.records import (
    GameBackground,
    GameFont,
    GamePath,
    GamePicture,
    GameRoom,
    GameScript,
    GameSprite,
    Mask,
    PackedExtension,
    PackedFile,
    packed_streams,
)
from overhaul.gamemaker.classic.fields import Deflated
from overhaul.gamemaker.classic.kinds import BY_PLURAL
from overhaul.gamemaker.classic.settings import Trigger
from overhaul.gamemaker.classic_folder.kind import (
    JsonObject,
    Made,
    made_json,
    made_text,
    show_record,
)
from overhaul.gamemaker.classic_folder.kinds import KINDS
from overhaul.gamemaker.classic_folder.names import ResourceFileNames
from overhaul.gamemaker.classic_folder.pictures import bgra_png
from overhaul.gamemaker.classic_folder.project import FORMAT as PROJECT
from overhaul.gamemaker.classic_folder.rooms import APART, COLOURS, ROOM_REFERENCES, show_part
from overhaul.gamemaker.classic_folder.small_kinds import show_points
from overhaul.media import png

_ACTION_LIBRARY = 3


def _project(document: ExecutableDocument) -> ProjectDocument | None:
    """The project that an executable of 5.3 stores."""
    project = document.executable.project
    return None if project is None else ProjectDocument.of(project)


def _names(document: ExecutableDocument) -> ResourceFileNames:
    return ResourceFileNames.of_slots(int(document.version), document.slots())


class ExecutableFormat(FolderFormat[ExecutableDocument]):
    """A compiled executable as a folder."""

    def tree(self, document: ExecutableDocument) -> Iterator[Resource]:
        """The resources, and the files next to them."""
        project = _project(document)
        if project is not None:
            yield from PROJECT.tree(project)
            return
        names = _names(document)
        for kind, slots in document.slots().items():
            if kind == "triggers":
                continue
            for stem, slot in zip(names.stems[kind], slots, strict=True):
                if stem is not None:
                    path = KINDS[kind].path(stem)
                    yield Resource(
                        BY_PLURAL[kind].singular, slot.name, path, len(slot.kept) or None
                    )
        for path, made in _files(document):
            yield Resource("file", path.rpartition("/")[2], path, len(made()))

    def settings(self, document: ExecutableDocument) -> dict[str, object]:
        """None beyond kind and version."""
        return {}

    def plain_files(
        self, document: ExecutableDocument, options: UnpackOptions
    ) -> Iterator[PlainFile]:
        """The resources as in the folder of a project, as far as executables have them."""
        project = _project(document)
        if project is not None:
            yield from PROJECT.plain_files(project, options)
            return
        names = _names(document)
        for path, made in _files(document):
            yield PlainFile(path, made)
        for kind, slots in document.slots().items():
            for stem, slot in zip(names.stems[kind], slots, strict=True):
                if stem is not None:
                    for path, made in _show(kind, slot.resource, stem, names):
                        yield PlainFile(f"{kind}/{path}", made)

    def empty(self, settings: Mapping[str, object]) -> ExecutableDocument:
        """Refused: only Game Maker makes executables."""
        raise WorkspaceError(
            "an executable can't be made from plain files: they lack the runner, the program "
            "of Game Maker that plays the game"
        )

    def apply(
        self, document: ExecutableDocument, folder: Folder, changes: Mapping[str, Change]
    ) -> Findings:
        """Refused: the game in an executable can't be edited."""
        raise WorkspaceError(
            "an executable's resources can be extracted, but not put back: "
            "the game's project is what Game Maker makes executables from"
        )


FORMAT: Final = ExecutableFormat()


def _bytes(value: Deflated | bytes | None) -> bytes:
    return value.data if isinstance(value, Deflated) else value or b""


def _files(document: ExecutableDocument) -> Iterator[Made]:
    """The files next to the resources: included ones, those of extensions, the runner's."""
    executable, game = document.executable, document.executable.game
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


def _extension_files(package: PackedExtension) -> Iterator[Made]:
    """The files of an extension package, and its definition."""
    file_name = FileNames()
    folder = f"extensions/{file_name(package.name)}"
    streams = packed_streams(package)
    for file in package.files:
        if file.kind != _ACTION_LIBRARY:
            stream = next(streams, None)
            if stream is not None:
                yield f"{folder}/{file_name(file.name)}", partial(_bytes, stream)
    files = [_show_file(file) for file in package.files]
    plain = {"name": package.name, "folder": package.folder, "files": files}
    yield f"{folder}.json", made_json(plain)


def _show_file(file: PackedFile) -> JsonObject:
    names = ResourceFileNames(800)
    plain = show_record(file, file.version, names, without=["functions", "constants"])
    plain["functions"] = [show_record(item, item.version, names) for item in file.functions]
    plain["constants"] = [show_record(item, item.version, names) for item in file.constants]
    return plain


# ------------------------------------------------------------------------------- resources


def _show(kind: str, resource: Any, stem: str, names: ResourceFileNames) -> Iterator[Made]:
    """The files of a resource; of kinds that executables store as projects do, the same ones."""
    show = _SHOW.get(kind)
    if show is not None:
        return show(resource, stem, names)
    return KINDS[kind].show(resource, stem, {}, names)


def _show_sprite(sprite: GameSprite, stem: str, names: ResourceFileNames) -> Iterator[Made]:
    plain = show_record(sprite, sprite.version, names, without=["frames", "masks"])
    for index, frame in enumerate(sprite.frames):
        if frame.width > 0 and frame.height > 0:
            yield f"{stem}/{index}.png", partial(_png, frame)
    masks = []
    for index, mask in enumerate(sprite.masks):
        masks.append(show_record(mask, mask.version, names, without=["bits"]))
        if mask.width > 0 and mask.height > 0:
            yield f"{stem}/mask_{index}.png", partial(_mask_png, mask)
    if masks:
        plain["masks"] = masks
    yield f"{stem}/sprite.json", made_json(plain)


def _png(picture: GamePicture) -> bytes:
    data = _bytes(picture.pixels)
    if len(data) != picture.width * picture.height * 4:
        raise FormatError(
            f"{len(data)} bytes of pixels in a picture of {picture.width} by {picture.height}"
        )
    return bgra_png(data, picture.width, picture.height)


def _mask_png(mask: Mask) -> bytes:
    bits = numpy.frombuffer(mask.bits, "<u4").reshape(mask.height, mask.width)
    grey = (bits != 0).astype(numpy.uint8) * 255
    return png.encode(numpy.stack([grey, grey, grey, numpy.full_like(grey, 255)], axis=2))


def _show_background(
    background: GameBackground, stem: str, names: ResourceFileNames
) -> Iterator[Made]:
    picture = background.picture
    plain = show_record(background, background.version, names, without=["image", "old_image"])
    if picture is not None and picture.width > 0 and picture.height > 0:
        yield f"{stem}.png", partial(_png, picture)
    yield f"{stem}.json", made_json(plain)


def _show_path(path: GamePath, stem: str, names: ResourceFileNames) -> Iterator[Made]:
    plain = show_record(path, path.version, names)
    plain["points"] = show_points(path.points, names)
    yield f"{stem}.json", made_json(plain)


def _show_script(script: GameScript, stem: str, names: ResourceFileNames) -> Iterator[Made]:
    yield f"{stem}.gml", made_text(script.code)


def _show_font(font: GameFont, stem: str, names: ResourceFileNames) -> Iterator[Made]:
    plain = show_record(font, font.version, names, without=["glyphs", "alpha"])
    fields = ("x", "y", "width", "height", "advance", "offset")
    glyphs = {code: font.glyphs[6 * code : 6 * code + 6] for code in range(256)}
    plain["glyphs"] = {
        str(code): dict(zip(fields, glyph, strict=True))
        for code, glyph in glyphs.items()
        if any(glyph)
    }
    yield f"{stem}.json", made_json(plain)
    if font.map_width > 0 and font.map_height > 0:
        yield f"{stem}.png", partial(_glyph_png, font)


def _glyph_png(font: GameFont) -> bytes:
    data = _bytes(font.alpha)
    if len(data) != font.map_width * font.map_height:
        raise FormatError(f"{len(data)} bytes for {font.map_width} by {font.map_height} pixels")
    alpha = numpy.frombuffer(data, numpy.uint8).reshape(font.map_height, font.map_width)
    white = numpy.full_like(alpha, 255)
    return png.encode(numpy.stack([white, white, white, alpha], axis=2))


def _show_room(room: GameRoom, stem: str, names: ResourceFileNames) -> Iterator[Made]:
    plain = show_record(room, room.version, names, without=APART, colours=COLOURS)
    for part in ROOM_REFERENCES:
        parts = getattr(room, part)
        plain[part] = [show_part(part, item, room.version, names) for item in parts]
    yield f"{stem}/room.json", made_json(plain)
    if room.creation_code:
        yield f"{stem}/creation.gml", made_text(room.creation_code)


def _show_trigger(trigger: Trigger, stem: str, names: ResourceFileNames) -> Iterator[Made]:
    yield f"{stem}.gml", made_text(trigger.condition)


#: the fields that executables store in another way than projects
_SHOW: dict[str, Callable[[Any, str, ResourceFileNames], Iterator[Made]]] = {
    "sprites": _show_sprite,
    "backgrounds": _show_background,
    "paths": _show_path,
    "scripts": _show_script,
    "fonts": _show_font,
    "rooms": _show_room,
    "triggers": _show_trigger,
}
