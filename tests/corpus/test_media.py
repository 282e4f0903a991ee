"""Pictures, masks, tile maps and sounds of real games: understood, and put back to the byte."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import overhaul
from game_blobs import sounds_of, textures_of
from overhaul.gamemaker.data.game import GameData
from overhaul.media import audio, masks, packing, pages, png, qoi, textures, tilemap
from overhaul.media.textures import TextureFormat
from present import opened, present
from real_files import corpus_files, finished, sample

pytestmark = pytest.mark.corpus

GAMES = finished(corpus_files("datawin*/*.win") + corpus_files("datawin*/side/*.win"))
GROUPS = corpus_files("datawin*/side/*.dat")


def name(path: Path) -> str:
    return path.name.split("__")[1]


def each(count: int, seed: int = 0) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("path", sample(GAMES, count, seed), ids=name)


@each(60)
def test_texture_blobs(path: Path) -> None:
    """Every blob ends where its structure says; fioq streams re-encode to their own bytes."""
    for data in textures_of(path):
        info = textures.inspect(data)
        assert not any(data[info.length :])
        blob = data[: info.length]
        assert textures.inspect(blob) == info
        pixels = textures.decode(blob)
        assert pixels.shape == (info.height, info.width, 4)
        if info.format is TextureFormat.PNG:
            continue
        assert info.format is TextureFormat.BZ2_QOI
        stream = textures.decompress(blob)
        assert qoi.encode(pixels) == stream
        assert textures.encode(pixels, TextureFormat.QOI) == stream
        again = textures.compress(stream, header_size=info.header_size)
        assert again[: info.header_size] == blob[: info.header_size]
        # libbz2 is not quite GameMaker's compressor: the bytes may differ, never the stream.
        assert textures.decompress(again) == stream


@each(12)
def test_pages_survive_as_png(path: Path) -> None:
    for data in textures_of(path):
        pixels = textures.decode(data)
        assert np.array_equal(png.decode(png.encode(pixels)), pixels)


@each(60)
def test_the_model_has_the_same_blobs(path: Path) -> None:
    with opened(path, GameData) as game:
        found = [bytes(page.blob) for page in map(present, game.textures) if page.blob is not None]
    cut = [data[: textures.inspect(data).length] for data in textures_of(path)]
    assert sorted(found) == sorted(cut)


def decoded_pages(game: Any) -> list[np.ndarray]:
    return [textures.decode(page.blob) for page in game.textures]


def items_of(game: Any) -> Iterator[tuple[int, Any]]:
    """(page number, item) of every texture page item on a page."""
    for item in game.record("TPAG").items:
        if item is not None and item.page is not None and item.page.index >= 0:
            yield item.page.index, item


@each(40)
def test_items_go_out_and_back(path: Path) -> None:
    with overhaul.open(path) as game:
        images = decoded_pages(game)
        before = [image.copy() for image in images]
        for number, item in items_of(game):
            frame = pages.frame(images[number], item)
            assert frame.shape == (item.bounding_height, item.bounding_width, 4)
            if pages.fits(frame, item):
                pages.replace(images[number], item, frame)
            else:
                assert item.source_width != item.target_width
        for image, old in zip(images, before, strict=True):
            assert np.array_equal(image, old)


@each(40)
def test_borders_follow_the_rules(path: Path) -> None:
    """From Studio 2 on every item has a border of a known kind, or none drawn at all."""
    with overhaul.open(path) as game:
        images = decoded_pages(game)
        modern = not game.version.startswith("1.")
        for number, item in items_of(game):
            image = images[number]
            if (item.source_width, item.source_height) != (item.target_width, item.target_height):
                continue
            around = pages._around(image, item, pages.BORDER)
            (rows, columns), inside = around
            if inside != (slice(0, item.source_height + 4), slice(0, item.source_width + 4)):
                continue  # at the edge of its page
            if pages._border_style(image, item, around, pages.BORDER) is None and modern:
                bare = image[rows, columns].copy()
                bare[2:-2, 2:-2] = 0
                assert not bare.any(), item


@each(8, seed=1)
def test_a_repainted_frame_changes_nothing_else(path: Path) -> None:
    with overhaul.open(path) as game:
        images = decoded_pages(game)
        items = list(items_of(game))
        shared = pages.sharing([item for _, item in items])
        frames = [pages.frame(images[number], item) for number, item in items]
        changed = next(
            (
                i
                for i, (_, item) in enumerate(items)
                if i not in shared and pages.fits(frames[i], item) and item.target_width > 3
            ),
            None,
        )
        if changed is None:
            return
        number, item = items[changed]
        frames[changed] = frames[changed].copy()
        x, y = item.target_x, item.target_y
        frames[changed][y : y + item.target_height, x : x + 2] = (1, 2, 3, 255)
        neighbours = [other for page, other in items if page == number]
        pages.replace(images[number], item, frames[changed], neighbours=neighbours)
        for (page, other), frame in zip(items, frames, strict=True):
            assert np.array_equal(pages.frame(images[page], other), frame)


@each(6, seed=2)
def test_all_frames_move_to_new_pages(path: Path) -> None:
    with overhaul.open(path) as game:
        images = decoded_pages(game)
        frames = [pages.frame(images[number], item) for number, item in items_of(game)]
    built = packing.build(frames, max_size=4096, hidden_colours=True)
    for frame, (number, item) in zip(frames, built.items, strict=True):
        assert np.array_equal(pages.frame(built.pages[number], item), frame)


@each(60)
def test_collision_masks(path: Path) -> None:
    with opened(path, GameData) as game:
        for sprite in game.records.sprites:
            if sprite is None:
                continue
            for mask in sprite.masks or ():
                if len(mask) == masks.mask_size(sprite.width, sprite.height):
                    width, height = sprite.width, sprite.height
                else:  # from 2024.6 on the mask covers the bounding box
                    width = sprite.margin_right - sprite.margin_left + 1
                    height = sprite.margin_bottom - sprite.margin_top + 1
                pixels = masks.unpack(mask, width, height)
                assert masks.pack(pixels, masks.spare_bits(mask, width, height)) == bytes(mask)
                assert np.array_equal(masks.from_image(masks.to_image(pixels)), pixels)


@each(60)
def test_tile_maps(path: Path) -> None:
    with opened(path, GameData) as game:
        if game.release.number < (2024, 2):
            return
        for room in game.records.rooms:
            for layer in () if room is None else room.layers or ():
                tiles = getattr(layer.data, "tiles", None)
                if tiles is None or layer.type != 4:
                    continue
                assert tiles.encoded is None  # our encoder gave the file's own bytes
                array = np.array(tiles, np.uint32)
                assert np.array_equal(tilemap.decode(tilemap.encode(array), len(array))[0], array)


@pytest.mark.parametrize("path", GAMES + GROUPS, ids=lambda path: path.name[-30:])
def test_sounds(path: Path) -> None:
    for data in sounds_of(path):
        info = audio.inspect(data)
        assert info.format in (audio.AudioFormat.WAV, audio.AudioFormat.OGG)
        assert info.channels in (1, 2)
        assert info.sample_rate and 8000 <= info.sample_rate <= 48000
        assert info.duration and 0 < info.duration < 600
        assert 2000 < len(data) / info.duration < 200_000
