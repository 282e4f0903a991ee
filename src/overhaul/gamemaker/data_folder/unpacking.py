"""The plain files of a game, each made when it is read, and the list of its resources."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import ParamSpec

import numpy as np

from overhaul.document.plainfiles import PlainFile, UnpackOptions
from overhaul.folder.jsonkit import json_bytes, wide
from overhaul.gamemaker.data.chunks.tpag import TexturePageItem
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data.pictures import PageImages, has_picture
from overhaul.gamemaker.data_folder.audiogroup import audio_files
from overhaul.gamemaker.data_folder.code import code_files
from overhaul.gamemaker.data_folder.code_details import CODE_DETAILS, show_details
from overhaul.gamemaker.data_folder.kinds import Kind
from overhaul.gamemaker.data_folder.raw_chunks import chunk_files
from overhaul.gamemaker.data_folder.strings import STRINGS, show_strings
from overhaul.gamemaker.data_folder.texture_pages import page_files
from overhaul.gamemaker.data_folder.view import ORDER, FolderView
from overhaul.media import png
from overhaul.media.bounds import MAX_PIXELS

P = ParamSpec("P")


def plain_files(game: GameData, options: UnpackOptions) -> Iterator[PlainFile]:
    """All files, in a stable order."""
    view = FolderView(game)
    images = PageImages()
    yield PlainFile(ORDER, lambda: json_bytes(view.order_json(), wide))
    yield PlainFile(STRINGS, lambda: show_strings(game), origin="STRG")
    for table in view.tables():
        yield PlainFile(table.path, partial(_json, table.show, view.names), origin=table.chunk)
    for kind in view.kinds:
        yield from _resource_files(view, kind, images)
    yield from code_files(view, options)
    if options.code == "gml" and options.whole and not game.is_native:
        yield PlainFile(CODE_DETAILS, partial(show_details, view), origin="CODE")
    yield from page_files(view, images)
    if "SOND" in game.chunks:
        game.audio_files.tell_absent()
    yield from audio_files((index, game.audio[index]) for index in game.audio_files.unnamed())
    yield from chunk_files(game)


def _resource_files(view: FolderView, kind: Kind, images: PageImages) -> Iterator[PlainFile]:
    for index, stem, record in view.resources(kind):
        origin = f"{kind.chunk}[{index}]"
        yield PlainFile(
            kind.json_path(stem), partial(_json, view.json_of, kind, record, stem), origin=origin
        )
        place = f"{kind.folder}/{stem}"
        for picture in kind.pictures(record):
            if picture.item is not None and has_picture(picture.item):
                path = f"{place}{picture.path}.png"
                read = partial(_picture, picture.item, path, view.game, images)
                yield PlainFile(path, read, origin=f"{origin}.{picture.field}")
        yield from kind.parts(record, place, origin, view.names)


def _json(show: Callable[P, object], *arguments: P.args, **named: P.kwargs) -> bytes:
    return json_bytes(show(*arguments, **named), wide)


def _picture(item: TexturePageItem, path: str, game: GameData, images: PageImages) -> bytes:
    frame = images.frame(item)
    if frame is None:
        game.warnings.append(f"{path} is empty: its texture page can't be decoded")
        height, width = item.bounding_height, item.bounding_width
        if height * width > MAX_PIXELS:
            height = width = 1
        frame = np.zeros((height, width, 4), np.uint8)
    return png.encode(frame)
