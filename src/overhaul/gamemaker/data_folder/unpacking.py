"""The plain files of a game, each made when it is read, and the list of its resources."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator
from functools import partial
from operator import attrgetter

import numpy as np
from numpy.typing import NDArray

from overhaul.document.plainfiles import PlainFile, UnpackOptions
from overhaul.errors import PlainFileError
from overhaul.folder.json_fields import json_bytes, wide
from overhaul.gamemaker.data.chunks.txtr import TexturePage, TexturePageItem
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data.pictures import PageImages, has_picture
from overhaul.gamemaker.data.references import Reference
from overhaul.gamemaker.data.sounds import absent_files
from overhaul.gamemaker.data_folder.audiogroup import FOLDER as AUDIO
from overhaul.gamemaker.data_folder.audiogroup import audio_files
from overhaul.gamemaker.data_folder.code import code_files
from overhaul.gamemaker.data_folder.code_details import show_details
from overhaul.gamemaker.data_folder.edits import GameEdits
from overhaul.gamemaker.data_folder.kind_folders import CODE, PAGES
from overhaul.gamemaker.data_folder.kinds import TABLES, Kind
from overhaul.gamemaker.data_folder.strings import STRINGS, show_strings
from overhaul.gamemaker.data_folder.texture_pages import TEXTURES, page_files
from overhaul.gamemaker.data_folder.view import CODE_DETAILS, ORDER, FolderView
from overhaul.media import png
from overhaul.media.bounds import MAX_PIXELS
from overhaul.schema import fields_of
from overhaul.stretch import let_go

_PLACE = attrgetter(*(f.name for f in fields_of(TexturePageItem) if f.name != "page"))


def plain_files(game: GameData, options: UnpackOptions) -> Iterator[PlainFile]:
    """All files, in a stable order; of folders in which none is asked for, none."""
    view = FolderView(game)
    images = PageImages()
    yield PlainFile(ORDER, lambda: json_bytes(view.order_json(), wide))
    yield PlainFile(STRINGS, lambda: show_strings(game), origin="STRG")
    for table in view.tables(options.leaving):
        yield JsonFile(table.path, partial(table.show, view.names), table.chunk)
    for kind in filter(lambda kind: options.wants_in(kind.folder), view.kinds):
        yield from _resource_files(view, kind, images)
        let_go(memoryview(game.data))  # kinds such as sounds are looked for in all of the file
    if options.wants_in(CODE):
        yield from code_files(view, options)
    if options.code == "gml" and options.whole and not game.is_native:
        yield PlainFile(CODE_DETAILS, partial(show_details, view), origin="CODE")
    if options.wants_in(PAGES) or options.wants(TEXTURES):
        yield from page_files(view, images)
    if "SOND" in game.chunks and options.warn:
        game.findings += absent_files(game.audio_files.absent()).without(game.findings)
    if options.wants_in(AUDIO):
        yield from audio_files((index, game.audio[index]) for index in game.audio_files.unnamed())
    if options.wants_in(FOLDER):
        left = {kind.chunk for kind in view.kinds if kind.folder in options.leaving}
        left |= {table.chunk for table in TABLES if table.path in options.leaving}
        yield from chunk_files(game, left)


def _resource_files(view: FolderView, kind: Kind, images: PageImages) -> Iterator[PlainFile]:
    listed = view.places(kind)
    if listed is not None:
        reference = view.game.named(kind.chunk).reference
        for index, stem in listed:
            show = partial(view.json_at, kind, reference(index), stem)
            yield JsonFile(kind.json_path(stem), show, f"{kind.chunk}[{index}]")
        return
    for index, stem, record in view.resources(kind):
        origin = f"{kind.chunk}[{index}]"
        show = partial(view.json_of, kind, record, stem)
        yield JsonFile(kind.json_path(stem), show, origin)
        place = f"{kind.folder}/{stem}"
        for picture in kind.pictures(record):
            if picture.item is not None and has_picture(picture.item):
                path = f"{place}{picture.path}.png"
                origin_of_it = f"{origin}.{picture.field}"
                yield PictureFile(path, picture.item, view.game, images, origin_of_it)
        yield from kind.parts(record, place, origin, view.names)


class JsonFile(PlainFile):
    """A file of JSON, which follows from a value."""

    __slots__ = ("_show",)

    def __init__(self, path: str, show: Callable[[], object], origin: str) -> None:
        super().__init__(path, self._read, origin=origin)
        self._show = show

    def _read(self) -> bytes:
        return json_bytes(self._show(), wide)

    def same(self, other: PlainFile) -> bool:
        """Whether the text is the same."""
        return self.seems_same(other) or super().same(other)

    def seems_same(self, other: PlainFile) -> bool:
        """Whether the value is the same, by its text in one line, which takes less time."""
        if not isinstance(other, JsonFile):
            return False
        return json.dumps(self._show()) == json.dumps(other._show())


class PictureFile(PlainFile):
    """A picture, compared by its pixels."""

    __slots__ = ("_game", "_images", "_item")

    def __init__(
        self, path: str, item: TexturePageItem, game: GameData, images: PageImages, origin: str
    ) -> None:
        near = item.page.index + 1 if isinstance(item.page, Reference) else 0
        super().__init__(path, self._encode, origin=origin, near=near)
        self._item = item
        self._game = game
        self._images = images

    def same(self, other: PlainFile) -> bool:
        """Whether the pixels are the same; those of equal pages are not decoded."""
        if not isinstance(other, PictureFile):
            return super().same(other)
        if _place(self._item) == _place(other._item) and self._images.same_page(
            _page(self._item), _page(other._item)
        ):
            return True
        if self.dimensions() != other.dimensions():
            return False
        one, two = self.pixels(), other.pixels()
        return one.shape == two.shape and np.array_equal(one, two)

    def dimensions(self) -> tuple[int, int]:
        """The size of its canvas."""
        return self._item.bounding_width, self._item.bounding_height

    def _encode(self) -> bytes:
        return png.encode(self.pixels())

    def pixels(self) -> NDArray[np.uint8]:
        """The picture on its canvas; transparent where its page can't be decoded."""
        frame = self._images.frame(self._item)
        if frame is not None:
            return frame
        self._game.findings.warn(
            "not-drawn", "the picture is empty: its texture page can't be decoded", self.path
        )
        height, width = self._item.bounding_height, self._item.bounding_width
        if height * width > MAX_PIXELS:
            height = width = 1
        return np.zeros((height, width, 4), np.uint8)


def _page(item: TexturePageItem) -> TexturePage | None:
    """The page that an item is on."""
    return item.page.target if isinstance(item.page, Reference) else None


def _place(item: TexturePageItem) -> object:
    """Where an item is on its page and on its canvas."""
    return _PLACE(item)


FOLDER = "chunks"


def chunk_files(game: GameData, leaving: Collection[str] = ()) -> Iterator[PlainFile]:
    """The chunks of a game that can't be read; those in ``leaving`` can be, and are not decoded."""
    for chunk in game.chunks.values():
        if chunk.name in leaving:
            continue
        game.record(chunk.name)  # a chunk that nothing asked for yet is read or raw now
        if chunk.raw is not None:
            yield PlainFile(
                f"{FOLDER}/{chunk.name}.bin",
                partial(bytes, chunk.raw),
                origin=chunk.name,
                note=chunk.reason,
            )


def take_chunks(edits: GameEdits) -> None:
    """Put changed chunks into the game."""
    for path, change in edits.changes.items():
        head, _, rest = path.partition("/")
        if head != FOLDER or change == "removed":
            continue
        chunk = edits.game.chunks.get(rest.removesuffix(".bin"))
        if chunk is None or (chunk.raw is None and not edits.fresh):
            raise PlainFileError("the game has no such chunk that is kept as bytes", path)
        chunk.raw = edits.bytes(path)
        chunk.record = None
        chunk.reason = chunk.reason or "taken from the folder"
        if edits.fresh:
            edits.findings.warn(
                "kept-as-bytes", "it is taken unchanged: what it points to may have moved", path
            )
