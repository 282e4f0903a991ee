"""A small format of our own for testing what is generic: ``TOY1``, named notes and one companion.

    "TOY1"  u8 length + title  u32 count  count x (u8 length + name, u32 length + text)

Each note is a plain file ``notes/NAME.txt``; the title is in ``toy.json``; a file ``side.toy``
next to it (raw bytes) is part of the document, as ``side.bin``.  ``TOYP`` holds other files by
name: a package.  ``TOYG`` is a game, as JSON: sprites (the colour of each frame of 2 x 1 pixels)
and rooms (a colour and a size).
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any, Self

from PIL.Image import Image
from PIL.Image import new as new_image

from overhaul.document.base import BaseDocument
from overhaul.document.folder_format import FolderFormat
from overhaul.document.names import FileNames, unescape_name
from overhaul.document.plainfiles import Change, Folder, PlainFile, UnpackOptions
from overhaul.document.protocol import Buffer, Coverage, Opaque, Resource, Siblings
from overhaul.document.registry import Format
from overhaul.document.room_views import InstanceView, LayerShown
from overhaul.document.surface import DrawnRoom, ResourceSurface, SpriteDefaults
from overhaul.document.views import ResourceView
from overhaul.errors import EncodeError, FormatError, WorkspaceError
from overhaul.findings import Findings
from overhaul.media.canvas import Drawing

SIDE = "side.toy"


class Reader:
    def __init__(self, data: Buffer) -> None:
        self.data = data
        self.position = 4

    def take(self, length: int, path: str) -> bytes:
        if self.position + length > len(self.data):
            raise FormatError("the file ends too early", offset=self.position, path=path)
        piece = bytes(self.data[self.position : self.position + length])
        self.position += length
        return piece

    def short(self, path: str) -> bytes:
        return self.take(self.take(1, path)[0], path)

    def long(self, path: str) -> bytes:
        return self.take(struct.unpack("<I", self.take(4, path))[0], path)


class Toy(BaseDocument):
    kind = "toy"
    version = "1"

    def __init__(self, title: str = "", source: str | None = None) -> None:
        super().__init__(source)
        self.title = title
        self.notes: list[tuple[str, bytes]] = []
        self.side: bytes | None = None
        self.opaque = b""
        self.lossy = False

    @classmethod
    def from_bytes(
        cls,
        data: Buffer,
        *,
        source: str | None = None,
        assume_version: str | None = None,
        strict: bool = False,
        siblings: Siblings | None = None,
    ) -> Self:
        reader = Reader(data)
        toy = cls(reader.short("title").decode("utf-8", "surrogateescape"), source)
        toy.version = assume_version or "1"
        count = struct.unpack("<I", reader.take(4, "count"))[0]
        if count > len(data):
            raise FormatError(f"{count} notes can't be in it", offset=reader.position, path="count")
        for index in range(count):
            path = f"notes[{index}]"
            name = reader.short(path).decode("utf-8", "surrogateescape")
            toy.notes.append((name, reader.long(path)))
        toy.opaque = bytes(data[reader.position :])
        if toy.opaque:
            toy.findings.warn("kept-as-bytes", f"{len(toy.opaque)} bytes behind the end")
        # A title for tests of verify: it does not survive.
        toy.lossy = toy.title == "lossy"
        if siblings is not None and SIDE in siblings.names():
            toy.side = siblings.read(SIDE)
        return toy

    def info(self) -> dict[str, object]:
        return {"title": self.title, "counts": {"notes": len(self.notes)}, "side": bool(self.side)}

    def to_bytes(self) -> bytes:
        title = b"LOSSY" if self.lossy else self.title.encode("utf-8", "surrogateescape")
        pieces = [b"TOY1", _short(title, "title"), struct.pack("<I", len(self.notes))]
        for name, text in self.notes:
            pieces.append(_short(name.encode("utf-8", "surrogateescape"), name))
            pieces.append(struct.pack("<I", len(text)) + text)
        return b"".join(pieces) + self.opaque

    def coverage(self) -> Coverage:
        size = len(self.to_bytes())
        opaque = len(self.opaque)
        details = [Opaque(size - opaque, "", opaque, "behind the end")] if opaque else []
        return Coverage(size - opaque, 0, opaque, details)

    def locate(self, offset: int) -> str:
        return "title" if offset < 5 + len(self.title) else "notes"

    def companions(self) -> Mapping[str, bytes]:
        return {} if self.side is None else {SIDE: self.side}

    def named(self) -> list[tuple[str, str, bytes]]:
        names = FileNames()
        return [(name, f"notes/{names(name)}.txt", text) for name, text in self.notes]


class ToyFolder(FolderFormat["Toy"]):
    """The folder of a toy: see FolderFormat."""

    def tree(self, toy: Toy) -> Iterable[Resource]:
        for name, path, text in toy.named():
            yield Resource("note", name, path, len(text))

    def empty(self, settings: Mapping[str, object]) -> Toy:
        return Toy(str(settings.get("title", "")))

    def settings(self, toy: Toy) -> dict[str, object]:
        return {"title": toy.title}

    def plain_files(self, toy: Toy, options: UnpackOptions) -> Iterator[PlainFile]:
        for index, (name, path, text) in enumerate(toy.named()):
            yield PlainFile(path, partial(bytes, text), origin=f"notes[{index}]", note=name[:1])
        if toy.side is not None:
            yield PlainFile("side.bin", lambda: toy.side or b"")

    def apply(self, toy: Toy, folder: Folder, changes: Mapping[str, Change]) -> Findings:
        warnings = Findings()
        paths = {path: index for index, (_, path, _) in enumerate(toy.named())}
        removed = set()
        for path, change in changes.items():
            if path == "overhaul.toml":
                toy.title = str(folder.settings["title"])
            elif path == "side.bin":
                toy.side = None if change == "removed" else folder.read(path)
            elif not (path.startswith("notes/") and path.endswith(".txt")):
                warnings.warn("left-out", "not a file of this format; it is left out", path)
            elif change == "removed":
                removed.add(paths[path])
            elif path in paths:
                toy.notes[paths[path]] = (toy.notes[paths[path]][0], folder.read(path))
            else:
                toy.notes.append((unescape_name(path[6:-4]), folder.read(path)))
        toy.notes = [note for index, note in enumerate(toy.notes) if index not in removed]
        if not toy.notes and any(change == "removed" for change in changes.values()):
            raise WorkspaceError("a toy needs a note")
        return warnings


class ToyPackage(BaseDocument):
    kind = "toy-package"

    def __init__(self, content: dict[str, bytes], source: str | None) -> None:
        super().__init__(source)
        self.content = content

    @classmethod
    def from_bytes(
        cls,
        data: Buffer,
        *,
        source: str | None = None,
        assume_version: str | None = None,
        strict: bool = False,
        siblings: Siblings | None = None,
    ) -> Self:
        try:
            rows = json.loads(bytes(data[4:]))
        except ValueError as error:
            raise FormatError(str(error)) from error
        return cls({name: bytes.fromhex(text) for name, text in rows.items()}, source)

    def info(self) -> dict[str, object]:
        return {"members": list(self.content)}

    def to_bytes(self) -> bytes:
        return toy_package(self.content)

    def coverage(self) -> Coverage:
        return Coverage(len(self.to_bytes()))

    def members(self) -> Iterable[PlainFile]:
        return [PlainFile(name, partial(bytes, data)) for name, data in self.content.items()]


class PackageFolder(FolderFormat["ToyPackage"]):
    """The folder of a package: see FolderFormat."""

    def tree(self, toys: ToyPackage) -> Iterable[Resource]:
        return [Resource("member", name, name, len(data)) for name, data in toys.content.items()]

    def settings(self, toys: ToyPackage) -> dict[str, object]:
        return {}

    def empty(self, settings: Mapping[str, object]) -> ToyPackage:
        return ToyPackage({}, None)

    def plain_files(self, toys: ToyPackage, options: UnpackOptions) -> Iterator[PlainFile]:
        yield from toys.members()

    def apply(self, toys: ToyPackage, folder: Folder, changes: Mapping[str, Change]) -> Findings:
        for path, change in changes.items():
            if change == "removed":
                del toys.content[path]
            else:
                toys.content[path] = folder.read(path)
        return Findings()


class ToyFrame:
    """A frame: a picture of one colour."""

    has_picture = True

    def __init__(self, colour: str) -> None:
        self.colour = colour

    @property
    def image(self) -> Image:
        return new_image("RGBA", (2, 1), self.colour)


class ToySprite(SpriteDefaults, ResourceSurface):
    """A sprite of a toy game, with what all sprites must have and no more."""

    kind = "sprite"
    name = ""
    width = 2
    height = 1
    record: list[str]

    def __init__(self, name: str, colours: list[str]) -> None:
        self.name = name
        self.record = colours

    @property
    def frames(self) -> list[ToyFrame]:
        return [ToyFrame(colour) for colour in self.record]


class ToyRoom(DrawnRoom, ResourceSurface):
    """A room of a toy game: one layer of a colour."""

    kind = "room"
    name = ""
    weight = 100
    shown_layers = (LayerShown("ground"),)
    instances: tuple[InstanceView, ...] = ()
    creation_code = None
    _facts = ("colour",)
    record: str

    def __init__(self, name: str, colour: str, size: tuple[int, int]) -> None:
        self.name = name
        self.record = self.colour = colour
        self._size = size

    @property
    def width(self) -> int:
        return self._size[0]

    @property
    def height(self) -> int:
        return self._size[1]

    def drawing(self, *, layers: Iterable[str] | None = None) -> Drawing:
        for name in layers or ():
            if name != "ground":
                raise KeyError(f"there is no layer named {name!r}")
        red, green, blue = (int(self.colour[n : n + 2], 16) for n in (1, 3, 5))
        return Drawing(self.name, lambda canvas: canvas.fill((red, green, blue, 255)), False)


class ToyGame(BaseDocument):
    """A game: a document whose resources can be looked at."""

    kind = "toy-game"
    version = "1"
    drawn_kinds = ("room", "sprite")

    def __init__(self, content: dict[str, Any], source: str | None = None) -> None:
        super().__init__(source)
        self.content = content

    @classmethod
    def from_bytes(
        cls,
        data: Buffer,
        *,
        source: str | None = None,
        assume_version: str | None = None,
        strict: bool = False,
        siblings: Siblings | None = None,
    ) -> Self:
        return cls(json.loads(bytes(data[4:])), source)

    def resources(self, kind: str) -> Iterable[ResourceView]:
        if kind == "sprite":
            return [ToySprite(name, them) for name, them in self.content["sprites"].items()]
        if kind == "room":
            return [ToyRoom(name, *them) for name, them in self.content["rooms"].items()]
        return ()

    def info(self) -> dict[str, object]:
        return {"name": "a toy"}

    def to_bytes(self) -> bytes:
        return b"TOYG" + json.dumps(self.content).encode()

    def coverage(self) -> Coverage:
        return Coverage(len(self.to_bytes()))


class GameFolder(PackageFolder):
    """The folder of a game: one file."""

    def tree(self, game: ToyGame) -> Iterable[Resource]:  # type: ignore[override]
        for kind in ("sprite", "room"):
            for view in game.resources(kind):
                yield Resource(kind, view.name, "game.json")

    def plain_files(  # type: ignore[override]
        self, game: ToyGame, options: UnpackOptions
    ) -> Iterator[PlainFile]:
        yield PlainFile("game.json", lambda: json.dumps(game.content).encode())


def toy_bytes(notes: Mapping[str, bytes] | list[tuple[str, bytes]], title: str = "T") -> bytes:
    """The bytes of a toy file."""
    toy = Toy(title)
    toy.notes = list(notes.items()) if isinstance(notes, Mapping) else notes
    return toy.to_bytes()


def toy_package(content: Mapping[str, bytes]) -> bytes:
    """The bytes of a package."""
    return b"TOYP" + json.dumps({name: data.hex() for name, data in content.items()}).encode()


def _short(data: bytes, path: str) -> bytes:
    if len(data) > 255:
        raise EncodeError("it is too long", path=path)
    return bytes([len(data)]) + data


TOY_FOLDER = ToyFolder()
PACKAGE_FOLDER = PackageFolder()
GAME_FOLDER = GameFolder()
FORMATS = [
    Format("toy", "Toy", lambda probe: probe.head[:4] == b"TOY1", "toy:Toy", "toy:TOY_FOLDER"),
    Format(
        "toy-package",
        "Toys",
        lambda probe: probe.head[:4] == b"TOYP",
        "toy:ToyPackage",
        "toy:PACKAGE_FOLDER",
    ),
    Format(
        "toy-game",
        "Toy game",
        lambda probe: probe.head[:4] == b"TOYG",
        "toy:ToyGame",
        "toy:GAME_FOLDER",
    ),
]
