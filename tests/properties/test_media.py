"""Media made at random: what is encoded decodes to the same, what is packed lies apart."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from overhaul.errors import FormatError
from overhaul.media import audio, masks, packing, pages, png, qoi, textures, tilemap

shapes = st.tuples(st.integers(1, 24), st.integers(1, 24), st.just(4))
# Few values make repetitions, small differences and remembered pixels likely.
components = st.one_of(
    st.integers(0, 255), st.sampled_from([0, 1, 2, 14, 15, 16, 127, 128, 240, 254, 255])
)


@st.composite
def images(draw: st.DrawFn) -> np.ndarray:
    """Pictures drawn as the formats see them: a row of pixels, each like one before or near it."""
    height, width, _ = draw(shapes)
    seed = draw(st.integers(0, 2**32 - 1))
    rng = np.random.default_rng(seed)
    palette = draw(arrays.arrays(np.uint8, (draw(st.integers(1, 5)), 4), elements=components))
    steps = rng.choice(draw(st.sampled_from([[0], [0, 1, 255], [0, 7, 248], [0, 15, 240, 16]])), 4)
    flat = palette[rng.integers(0, len(palette), height * width)]
    runs = np.maximum.accumulate(
        np.where(rng.random(height * width) < 0.5, np.arange(height * width), 0)
    )
    flat = flat[runs] + (rng.random((height * width, 1)) < 0.2) * steps.astype(np.uint8)
    return flat.astype(np.uint8).reshape(height, width, 4)


@given(images())
def test_every_kind_of_texture_gives_its_pixels_back(image: np.ndarray) -> None:
    for kind in (
        textures.TextureFormat.PNG,
        textures.TextureFormat.QOI,
        textures.TextureFormat.BZ2_QOI,
    ):
        blob = textures.encode(image, kind)
        info = textures.inspect(blob + bytes(5))
        assert (info.width, info.height, info.length) == (*image.shape[1::-1], len(blob))
        assert np.array_equal(textures.decode(blob), image)
    assert textures.recompresses_identically(blob)


@given(st.binary(max_size=60), st.integers(1, 40), st.integers(1, 3))
def test_any_operations_give_an_image_or_an_error(data: bytes, width: int, height: int) -> None:
    head = b"fioq" + width.to_bytes(2, "little") + height.to_bytes(2, "little")
    try:
        image = qoi.decode(head + len(data).to_bytes(4, "little") + data)
    except FormatError:
        return
    assert image.shape == (height, width, 4)
    assert np.array_equal(qoi.decode(qoi.encode(image)), image)


@given(st.lists(st.tuples(st.sampled_from([0, 1, 2, 0xFFFF_FFFF]), st.integers(1, 300))))
def test_tile_maps_come_back(runs: list[tuple[int, int]]) -> None:
    tiles = np.repeat(
        np.array([tile for tile, _ in runs], np.uint32),
        np.array([count for _, count in runs], np.int64),
    )
    data = tilemap.encode(tiles)
    decoded, end = tilemap.decode(data + b"\x81\xff\xff\xff", len(tiles))
    assert end == len(data)
    assert np.array_equal(decoded, tiles)


@given(st.binary(max_size=200), st.integers(0, 500))
def test_any_bytes_are_a_tile_map_or_an_error(data: bytes, count: int) -> None:
    try:
        tiles, end = tilemap.decode(data, count)
    except FormatError:
        return
    assert len(tiles) == count
    assert end <= len(data)


@given(st.data(), st.integers(0, 40), st.integers(0, 10))
def test_masks_come_back(data: st.DataObject, width: int, height: int) -> None:
    size = masks.mask_size(width, height)
    packed = data.draw(st.binary(min_size=size, max_size=size))
    mask = masks.unpack(packed, width, height)
    assert mask.shape == (height, width)
    assert masks.pack(mask, masks.spare_bits(packed, width, height)) == packed
    assert np.array_equal(masks.from_image(masks.to_image(mask)), mask)


@given(st.lists(st.tuples(st.integers(1, 40), st.integers(1, 40)), max_size=30))
def test_packed_rectangles_lie_apart(sizes: list[tuple[int, int]]) -> None:
    packed = packing.pack(sizes, max_size=64)
    for page in packed:
        taken = np.zeros((page.height, page.width), np.bool_)
        for index, x, y in page.places:
            width, height = sizes[index]
            area = taken[max(0, y - 2) : y + height + 2, max(0, x - 2) : x + width + 2]
            assert not area.any()
            assert taken[y : y + height, x : x + width].shape == (height, width)
            area[...] = True
    assert sorted(i for page in packed for i, _, _ in page.places) == list(range(len(sizes)))


@given(st.lists(images(), max_size=6), st.sampled_from(list(pages.Border)), st.booleans())
def test_frames_come_back_from_pages(
    frames: list[np.ndarray], style: pages.Border, crop: bool
) -> None:
    built = packing.build(frames, max_size=64, style=style, crop=crop, hidden_colours=True)
    for frame, (number, item) in zip(frames, built.items, strict=True):
        page = built.pages[number]
        assert np.array_equal(pages.frame(page, item), frame)
        before = page.copy()
        pages.replace(page, item, frame)
        assert np.array_equal(page, before)


@given(st.binary(max_size=300))
def test_any_bytes_are_some_sound_and_some_texture(data: bytes) -> None:
    assert audio.inspect(data).extension.startswith(".")
    for start in (b"", b"RIFF\0\0\0\0WAVE", b"OggS", b"ID3\4\0\0\0\0\0\1", b"fLaC\0\0\0\x22"):
        assert audio.inspect(start + data).format in audio.AudioFormat
    for start in (b"", png.SIGNATURE, b"2zoq", b"2zoq\1\0\1\0BZh9", b"fioq", b"DDS \x7c\0\0\0"):
        try:
            assert textures.inspect(start + data).length <= len(start + data)
            textures.decode(start + data)
        except FormatError:
            pass
