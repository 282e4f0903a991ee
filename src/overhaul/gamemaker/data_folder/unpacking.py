"""The plain files of a game, each made when it is read."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from overhaul.document.protocol import PlainFile, Resource, UnpackOptions
from overhaul.gamemaker.data.chunks.sprt import mask_size
from overhaul.gamemaker.data.pictures import PageImages, has_picture
from overhaul.gamemaker.data.references import Reference
from overhaul.gamemaker.data.sounds import bytes_of_sound, unnamed_audio
from overhaul.gamemaker.data_folder.audiogroup import audio_path
from overhaul.gamemaker.data_folder.code import CODE, SOURCE, code_files, root_stems
from overhaul.gamemaker.data_folder.codedetails import show_details
from overhaul.gamemaker.data_folder.jsontext import write_json
from overhaul.gamemaker.data_folder.kinds import (
    CODE_DETAILS,
    FILES,
    ORDER,
    SHADER_BLOBS,
    SHADER_TEXTS,
    STRINGS,
    TEXTURES,
    Kind,
)
from overhaul.gamemaker.data_folder.strings import write_strings
from overhaul.gamemaker.data_folder.view import FolderView, file_chunks, name_of
from overhaul.media import masks, png, textures
from overhaul.media.audio import sniff
from overhaul.media.bounds import MAX_PIXELS

if TYPE_CHECKING:
    from overhaul.gamemaker.data.game import GameData

AUDIO = "audio"
CHUNK_BYTES = "chunks"


class Unpacker:
    """Makes the plain files of a game."""

    def __init__(self, game: GameData, options: UnpackOptions) -> None:
        self.game = game
        self.options = options
        self.view = FolderView(game)
        self.images = PageImages()

    def files(self) -> Iterator[PlainFile]:
        """All files, in a stable order."""
        game = self.game
        yield PlainFile(ORDER, lambda: write_json(self.view.order_json()))
        yield PlainFile(STRINGS, lambda: write_strings(game.strings), origin="STRG")
        for chunk in file_chunks(game):
            yield PlainFile(
                FILES[chunk],
                partial(self._file, chunk),
                origin=chunk,
            )
        for kind in self.view.kinds:
            yield from self._resources(kind)
        yield from code_files(self.view, self.options)
        if self.options.code == "gml" and self.options.whole and not game.is_native:
            yield PlainFile(CODE_DETAILS, partial(show_details, game), origin="CODE")
        yield from self._textures()
        for index in unnamed_audio(game):
            audio = game.audio[index]
            yield PlainFile(
                audio_path(index, audio, AUDIO),
                partial(bytes, audio.data),
                origin=f"AUDO[{index}]",
            )
        for slot in game.slots.values():
            game.chunk(slot.name)  # a chunk that nothing above asked for is known or raw now
            if slot.raw is not None:
                yield PlainFile(
                    f"{CHUNK_BYTES}/{slot.name}.bin",
                    partial(bytes, slot.raw),
                    origin=slot.name,
                    note=slot.reason,
                )

    def _file(self, chunk: str) -> bytes:
        return write_json(self.view.file_json(chunk))

    def _json(self, kind: Kind, record: Any, stem: str) -> bytes:
        return write_json(self.view.json_of(kind, record, stem))

    def _resources(self, kind: Kind) -> Iterator[PlainFile]:
        view = self.view
        for index, record in enumerate(self.game.named(kind.chunk)):
            if record is None:
                continue
            stem = view.stems(kind.chunk)[index]
            origin = f"{kind.chunk}[{index}]"
            yield PlainFile(
                kind.json_path(stem),
                partial(self._json, kind, record, stem),
                origin=origin,
            )
            yield from self._parts(kind, record, f"{kind.folder}/{stem}", origin)

    def _parts(self, kind: Kind, record: Any, place: str, origin: str) -> Iterator[PlainFile]:
        """The files of a resource besides its JSON."""
        if kind.chunk == "SPRT":
            yield from self._sprite(record, place, origin)
        elif kind.chunk == "BGND":
            yield from self._picture(record.texture, f"{place}.png", f"{origin}.texture")
        elif kind.chunk == "EMBI":
            yield from self._picture(record.image, f"{place}.png", f"{origin}.image")
        elif kind.chunk == "FONT":
            yield from self._picture(record.texture, f"{place}/font.png", f"{origin}.texture")
        elif kind.chunk == "SOND":
            data = bytes_of_sound(self.game, record)
            if data is not None:
                path = f"{place}.{sniff(data).value}"
                yield PlainFile(path, partial(bytes, data), origin=f"{origin}.audio")
        elif kind.chunk == "SHDR":
            yield from self._shader(record, place, origin)

    def _sprite(self, sprite: Any, place: str, origin: str) -> Iterator[PlainFile]:
        for number, item in enumerate(sprite.textures):
            yield from self._picture(item, f"{place}/{number}.png", f"{origin}.textures[{number}]")
        version = self.game.slots["SPRT"].version or self.game.layout
        width, height = mask_size(
            version,
            sprite.width,
            sprite.height,
            sprite.margin_left,
            sprite.margin_right,
            sprite.margin_top,
            sprite.margin_bottom,
        )
        if width <= 0 or height <= 0:
            return
        for number, mask in enumerate(sprite.masks):
            yield PlainFile(
                f"{place}/mask_{number}.png",
                partial(mask_png, mask, width, height),
                origin=f"{origin}.masks[{number}]",
            )

    def _picture(self, item: Any, path: str, origin: str) -> Iterator[PlainFile]:
        if has_picture(item):
            yield PlainFile(path, partial(self._frame, item, path), origin=origin)

    def _frame(self, item: Any, path: str) -> bytes:
        frame = self.images.frame(item)
        if frame is None:
            self.game.warnings.append(f"{path} is empty: its texture page can't be decoded")
            size = (item.bounding_height, item.bounding_width)
            frame = np.zeros((*(size if size[0] * size[1] <= MAX_PIXELS else (1, 1)), 4), np.uint8)
        return png.encode(frame)

    def _shader(self, shader: Any, place: str, origin: str) -> Iterator[PlainFile]:
        for name, file in SHADER_TEXTS.items():
            text = getattr(shader, name)
            if text is not None:
                yield PlainFile(
                    f"{place}/{file}", partial(bytes, text.raw), origin=f"{origin}.{name}"
                )
        for name, file in SHADER_BLOBS.items():
            blob = getattr(shader, name)
            if blob is not None:
                yield PlainFile(f"{place}/{file}", partial(bytes, blob), origin=f"{origin}.{name}")

    # -- texture pages ----------------------------------------------------------------------

    def _textures(self) -> Iterator[PlainFile]:
        game = self.game
        if "TXTR" not in game.slots:
            return
        yield PlainFile(TEXTURES, lambda: write_json(self.textures_json()), origin="TXTR")
        for index, page in enumerate(game.textures):
            if page is not None and page.blob is not None:
                yield PlainFile(
                    f"textures/{index}.{page_ending(page)}",
                    partial(self._page, page),
                    origin=f"TXTR[{index}].blob",
                )

    def _page(self, page: Any) -> bytes:
        if textures.sniff(page.blob) is textures.TextureFormat.PNG or page_ending(page) != "png":
            return bytes(page.blob)
        pixels = self.images.page(page)
        return bytes(page.blob) if pixels is None else png.encode(pixels)

    def textures_json(self) -> dict[str, Any]:
        """The pages, and every item with what it shows."""
        users = self._users()
        pages: list[Any] = []
        for page in self.game.textures:
            if page is None:
                pages.append(None)
                continue
            shown: dict[str, Any] = {"scaled": page.scaled, "generated_mips": page.generated_mips}
            if page.blob is not None:
                shown["format"] = textures.sniff(page.blob).value
            if page.blob is None or page.index_in_group:
                for key in ("block_size", "width", "height", "index_in_group"):
                    if getattr(page, key):
                        shown[key] = getattr(page, key)
            pages.append(shown)
        items: list[Any] = []
        for item in self.game.texture_items:
            if item is None:
                items.append(None)
                continue
            page = item.page
            items.append({
                "page": page.index if isinstance(page, Reference) else page,
                "source": [
                    item.source_x, item.source_y, item.source_width, item.source_height
                ],
                "target": [
                    item.target_x, item.target_y, item.target_width, item.target_height
                ],
                "canvas": [item.bounding_width, item.bounding_height],
                "of": users.get(id(item), []),
            })  # fmt: skip
        return {"pages": pages, "items": items}

    def _users(self) -> dict[int, list[str]]:
        return item_users(self.view)


def item_users(view: FolderView) -> dict[int, list[str]]:
    """What each texture page item shows: paths without their ending, by the item's identity."""
    game = view.game
    users: dict[int, list[str]] = {}
    for kind in view.kinds:
        if kind.chunk not in ("SPRT", "BGND", "FONT", "EMBI"):
            continue
        stems = view.stems(kind.chunk)
        for record, stem in zip(game.named(kind.chunk), stems, strict=True):
            if record is None:
                continue
            place = f"{kind.folder}/{stem}"
            if kind.chunk == "SPRT":
                for number, item in enumerate(record.textures):
                    users.setdefault(id(item), []).append(f"{place}/{number}")
            elif kind.chunk == "FONT":
                users.setdefault(id(record.texture), []).append(f"{place}/font")
            else:
                item = record.texture if kind.chunk == "BGND" else record.image
                users.setdefault(id(item), []).append(place)
    return users


def mask_png(mask: bytes, width: int, height: int) -> bytes:
    """A collision mask as a PNG file of one bit per pixel."""
    from io import BytesIO

    out = BytesIO()
    masks.to_image(masks.unpack(mask, width, height)).save(out, "PNG", compress_level=4)
    return out.getvalue()


def page_ending(page: Any) -> str:
    """The ending of a texture page's file: png, or that of what can't be written back."""
    kind = textures.sniff(page.blob)
    if kind is textures.TextureFormat.DDS:
        return "dds"
    return "bin" if kind is textures.TextureFormat.UNKNOWN else "png"


def resources(game: GameData) -> Iterator[Resource]:
    """What ``overhaul ls`` lists."""
    view = FolderView(game)
    for kind in view.kinds:
        stems = view.stems(kind.chunk)
        for index, record in enumerate(game.named(kind.chunk)):
            if record is None:
                continue
            stem = stems[index]
            if kind.main:
                path, size = f"{kind.folder}/{stem}", None
            else:
                path, size = kind.json_path(stem), None
            if kind.chunk == "SOND":
                data = bytes_of_sound(game, record)
                if data is not None:
                    path, size = f"{kind.folder}/{stem}.{sniff(data).value}", len(data)
            yield Resource(kind.word, name_of(record), path, size)
    for stem, entry in root_stems(view).items():
        yield Resource("code entry", name_of(entry), f"{CODE}/{stem}{SOURCE}")
    for script in game.scripts if "SCPT" in game.slots else ():
        if script is not None:
            yield Resource("script", name_of(script), FILES["SCPT"])
    for index, page in enumerate(game.textures if "TXTR" in game.slots else ()):
        if page is not None and page.blob is not None:
            ending = page_ending(page)
            path = f"textures/{index}.{ending}"
            yield Resource("texture page", str(index), path, len(page.blob))
    for chunk in file_chunks(game):
        yield Resource("table", FILES[chunk].removesuffix(".json"), FILES[chunk])
    yield Resource("table", "strings", STRINGS)
