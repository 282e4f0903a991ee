"""Texture pages packed again: pictures stay, pages get fewer."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from overhaul.gamemaker.data.chunks.font import Font
from overhaul.gamemaker.data.chunks.txtr import Background, TexturePage, TexturePageItem
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data.repacking import PageTotals
from overhaul.media import textures
from overhaul.media.textures import TextureFormat
from present import present
from small_games import again, game_of

VERSIONS = ["1.0.0.1763", "2.2.5", "2.3.2", "2022.9", "2024.14"]


def noise(width: int, height: int, seed: int) -> NDArray[np.uint8]:
    return np.random.default_rng(seed).integers(0, 256, (height, width, 4), np.uint8)


def scattered(version: str, count: int = 6) -> GameData:
    """A game with as many pages as sprites, most of each empty."""
    game = game_of(version)
    for number in range(count):
        pixels = np.zeros((40, 30, 4), np.uint8)
        pixels[5:35, 4:24] = noise(20, 30, number // 2)  # each twice
        game.sprites.add(f"spr_{number}", [pixels])
        page = present(game.textures[number])  # its page is made
        assert page.blob is not None
        whole = np.zeros((256, 256, 4), np.uint8)
        decoded = textures.decode(page.blob)
        whole[: decoded.shape[0], : decoded.shape[1]] = decoded
        kind = textures.sniff(page.blob)
        size = 8 if game.release.number < (2022, 5) else 12
        page.blob = textures.encode(whole, kind, header_size=size)
        page.width = page.height = 256
    return again(game)


def frames(game: GameData) -> list[NDArray[np.uint8] | None]:
    return [game.pictures.frame(item) for item in game.texture_items]


def blob_of(game: GameData, number: int) -> bytes:
    return bytes(present(game.textures[number].blob))


def same(one: GameData, two: GameData) -> bool:
    return all(
        (a is None and b is None) or np.array_equal(present(a), present(b))
        for a, b in zip(frames(one), frames(two), strict=True)
    )


@pytest.mark.parametrize("version", VERSIONS)
def test_pages_get_fewer_and_pictures_stay(version: str) -> None:
    game = scattered(version)
    report = game.repack()
    read = again(game)
    assert same(read, scattered(version))
    assert (len(read.textures), len(read.texture_items)) == (1, 6)
    assert len({(i.source_x, i.source_y) for i in read.texture_items.present()}) == 3
    before, after = report.total("before"), report.total("after")
    page = present(read.textures[0])
    info = textures.inspect(blob_of(read, 0))
    assert before == PageTotals(6, 6 * 256 * 256, before.bytes) and before.bytes > after.bytes
    assert after == PageTotals(1, info.width * info.height, len(present(page.blob)))
    assert after.area == 4096
    (bucket,) = report.buckets
    assert (bucket.pictures, bucket.distinct, bucket.separate, bucket.packed) == (6, 3, 0, True)
    if "TGIN" in game.chunks:
        group = read.texture_groups[0]
        assert group.pages == [page] and bucket.group == group.name
        assert page.index_in_group == 0
    modern = read.release.at_least(2022, 1)
    assert info.format is (TextureFormat.BZ2_QOI if modern else TextureFormat.PNG)
    if read.release.at_least(2022, 9):
        assert (page.width, page.height) == (info.width, info.height)


def test_what_is_packed_well_stays() -> None:
    game = scattered("2024.14")
    game.repack()
    data = game.to_bytes()
    report = game.repack()
    assert game.to_bytes() == data and not report.buckets[0].packed
    assert report.total("before") == report.total("after")
    assert game.repack(padding=2).buckets[0].packed
    assert same(again(game), scattered("2024.14"))


def test_a_picture_with_a_page_for_itself_keeps_it() -> None:
    game = scattered("2.3.2")
    alone = noise(64, 64, 9)
    blob = textures.encode(alone, TextureFormat.PNG)
    page = game.textures.append(TexturePage(blob=blob))
    game.texture_groups[0].record.pages.insert(0, page)
    item = TexturePageItem(0, 0, 64, 64, 0, 0, 64, 64, 64, 64, page)
    game.texture_items.append(item)
    game.records.sprites[0].textures.append(item)
    report = game.repack(padding=0)
    assert report.buckets[0].separate == 1
    read = again(game)
    assert [bytes(present(page.blob)) == blob for page in read.texture_groups[0].pages] == [
        *(True, False)
    ]
    assert np.array_equal(present(read.pictures.frame(read.texture_items[6])), alone)


def test_groups_keep_their_pages() -> None:
    game = scattered("2024.14")
    game.texture_groups.add("Title", game.sprites["spr_0"], game.sprites["spr_2"])
    before = again(game)
    game.repack()
    read = again(game)
    assert [
        np.array_equal(np.array(a.frames[0].image), np.array(b.frames[0].image))
        for a, b in zip(before.sprites, read.sprites, strict=True)
    ] == [True] * 6
    for group in read.texture_groups:
        mine = [id(page) for page in group.pages]
        for name in group.sprites:
            (item,) = read.sprites[name].record.textures
            assert id(item.page.target) in mine, (name, group)
    assert sum(len(group.pages) for group in read.texture_groups) == len(read.textures) == 2


def test_one_group_is_packed_by_itself() -> None:
    game = scattered("2024.14")
    game.texture_groups.add("Title", game.sprites["spr_0"])
    game = again(game)
    count = len(game.texture_groups["Default"].pages)
    report = game.repack(["Title"], padding=4)
    assert [bucket.group for bucket in report.buckets] == ["Title"]
    assert len(again(game).texture_groups["Default"].pages) == count
    with pytest.raises(KeyError, match=r"there is no texture group named 'Titel' .did you mean"):
        game.repack(["Titel"])


@pytest.mark.parametrize(("padding", "extrude"), [(0, 0), (1, 1), (4, 2), (6, 0), (5, None)])
def test_padding_and_extrusion(padding: int, extrude: int | None) -> None:
    game = game_of("2.3.2")
    for number in range(12):
        game.sprites.add(f"spr_{number}", [noise(10, 10, number) | np.uint8(1)])
    before = again(game)
    game.repack(padding=padding, extrude=extrude)
    read = again(game)
    assert same(read, before)
    page = textures.decode(blob_of(read, 0))
    wanted = padding if extrude is None else extrude
    for item in read.texture_items.present():
        x, y = item.source_x, item.source_y
        assert x >= padding and y >= padding
        if wanted:
            assert (page[y : y + 10, x - wanted : x] == page[y : y + 10, x : x + 1]).all()
        if wanted < padding:
            assert not page[y : y + 10, x - wanted - 1].any()
        for other in read.texture_items.present():
            gap = max(other.source_x - x - 10, other.source_y - y - 10)
            back = max(x - other.source_x - 10, y - other.source_y - 10)
            assert other is item or max(gap, back) >= 2 * padding


def test_pages_are_as_large_as_asked() -> None:
    game = game_of("2.3.2")
    game.sprites.add("spr_a", [noise(60, 60, number) for number in range(8)])
    before = again(game)
    game.repack(page_size=128)
    read = again(game)
    sizes = [present(page.image).size for page in read.textures.present()]
    assert max(max(size) for size in sizes) == 128 and len(sizes) > 1 and same(read, before)
    game.sprites.add("spr_large", [noise(200, 30, 7)])
    before = again(game)
    game.repack(page_size=64)
    read = again(game)
    assert same(read, before)
    assert sorted(present(p.image).size for p in read.textures.present())[-1] == (256, 32)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"page_size": 1000}, "page_size: expected a power of two from 64 to 8192, got 1000"),
        ({"page_size": 16384}, "got 16384"),
        ({"padding": -1}, "padding: expected 0 to 64, got -1"),
        ({"padding": 65}, "got 65"),
        ({"padding": 1, "extrude": 2}, r"extrude: expected 0 to the padding \(1\), got 2"),
        ({"extrude": 3}, r"the padding \(2\), got 3"),
    ],
)
def test_settings_that_no_page_can_have(settings: dict[str, int], message: str) -> None:
    game = scattered("2024.14", 1)
    data = game.to_bytes()
    with pytest.raises(ValueError, match=message):
        game.repack(**settings)  # type: ignore[arg-type]
    assert game.to_bytes() == data


@pytest.mark.parametrize("version", ["1.0.0.1763", "2024.14"])
def test_fonts_and_tile_sets_are_not_cropped(version: str) -> None:
    game = scattered(version, 2)
    made: list[tuple[str, Any]] = [("FONT", Font()), ("BGND", Background())]
    for number, (chunk, record) in enumerate(made):
        pixels = np.zeros((24, 16, 4), np.uint8)
        pixels[8:16, 4:12] = noise(8, 8, 50 + number) | np.uint8(1)
        record.name = game.strings.add(f"x_{number}")
        game.named(chunk).append(record)
        show = partial(setattr, record, "texture")
        game.painting.put(pixels, None, show, group=lambda: None, path="", crop=False)
    before = again(game)
    game.repack(padding=3)
    read = again(game)
    assert same(read, before)
    font, background = read.records.fonts[0].texture, read.records.backgrounds[0].texture
    assert (font.source_width, font.source_height) == (16, 24)
    tiles = version != "1.0.0.1763"
    assert (background.source_width, background.source_height) == ((16, 24) if tiles else (8, 8))


def test_scaled_empty_and_wrapped_pictures_stay_what_they_are() -> None:
    game = scattered("2.3.2", 2)
    page = game.textures.reference(0)
    item = present(game.texture_items[0])
    half = TexturePageItem(item.source_x, item.source_y, 10, 10, 2, 3, 20, 20, 30, 30, page)
    none = TexturePageItem(item.source_x, item.source_y, 0, 0, 0, 0, 0, 0, 8, 8, page)
    for element in (half, none):
        game.texture_items.append(element)
        game.records.sprites[0].textures.append(element)
    pixels = textures.decode(blob_of(game, 0))
    tile = noise(8, 8, 3) | np.uint8(1)
    pixels[100:112, 100:112] = np.pad(tile, ((2, 2), (2, 2), (0, 0)), mode="wrap")
    game.textures[0].blob = textures.encode(pixels, TextureFormat.PNG)
    game.pictures.forget(game.textures[0])
    wrapped = TexturePageItem(102, 102, 8, 8, 0, 0, 8, 8, 8, 8, page)
    game.texture_items.append(wrapped)
    game.records.sprites[0].textures.append(wrapped)
    before = again(game)
    game.repack(padding=2)
    read = again(game)
    assert same(read, before)
    assert [(i.source_width, i.target_width) for i in read.texture_items.present()][2] == (10, 20)
    item = present(read.texture_items[4])
    new = textures.decode(blob_of(read, item.page.index))
    x, y = item.source_x, item.source_y
    assert np.array_equal(new[y : y + 8, x - 2 : x], tile[:, -2:])


def test_pages_that_are_broken_or_elsewhere_stay() -> None:
    game = scattered("2024.14", 3)
    game.textures[0].blob = b"DDS " + bytes(200)
    present(game.texture_items[2]).source_x = 250
    data = [page.blob for page in game.textures.present()]
    report = game.repack(padding=2)
    assert [page.blob for page in game.textures.present()][0::2] == data[0::2]
    assert [line.partition(":")[0] for line in report.left] == ["textures[0]", "textures[2]"]
    assert "pages of the format dds" in report.left[0]
    assert "reaches beyond the page of 256 x 256 pixels" in report.left[1]


def test_pages_behind_one_in_another_file_are_packed() -> None:
    game = scattered("2024.14", 3)
    game.textures[0].blob = None
    report = game.repack(padding=2)
    assert report.total("before").pages == 2
    assert report.total("after").pages == 1


@pytest.mark.parametrize(("field", "most"), [("source_x", 236), ("source_y", 226)])
def test_a_picture_may_reach_to_the_last_pixel(field: str, most: int) -> None:
    """Of the first page, too: pages behind one that stays are packed."""
    for place, left in ((most, []), (most + 1, ["textures[0]"])):
        game = scattered("2024.14", 4)
        setattr(present(game.texture_items[0]), field, place)
        report = game.repack(padding=2)
        assert [line.partition(":")[0] for line in report.left] == left
        assert report.total("before").pages == 4 - len(left)
        assert report.total("after").pages == 1


def test_a_page_that_cannot_be_decoded_keeps_its_group_as_it_is() -> None:
    game = scattered("2.3.2", 2)
    blob = bytearray(present(game.textures[0].blob))
    at = blob.index(b"IDAT") + 6
    blob[at : at + 8] = bytes(8)
    game.textures[0].blob = bytes(blob)
    before = game.to_bytes()
    report = game.repack(padding=2)
    assert game.to_bytes() == before
    assert "textures[0]" in report.left[0] and not report.buckets[0].packed


def test_progress_is_reported() -> None:
    seen: list[tuple[int, int, str]] = []
    scattered("2024.14").repack(progress=lambda *now: seen.append(now))
    assert seen[0] == (0, 6, "Default, reading page 1 of 6") and seen[-1] == (6, 6, "")
    assert any("packing 6 pictures" in name for _, _, name in seen)


def test_the_report_as_json() -> None:
    shown = scattered("2024.14").repack().to_jsonable()
    assert shown["left"] == [] and isinstance(shown["groups"], list)
    assert shown["groups"][0]["after"] == shown["after"]
