"""What stands around the chunks and between them: other lengths, other orders, odd lists."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import overhaul
from game_blobs import chunk
from modded_games import lantern
from overhaul.gamemaker.data import GameData
from overhaul.gamemaker.data.blank import blank_game
from present import present
from real_files import corpus_files, finished, sample
from sound_files import wave

GAMES = sample(finished(corpus_files("datawin*/*.win")), 6, seed=11)


@pytest.fixture(scope="module")
def small() -> bytes:
    """A game of our own."""
    return blank_game({"version": "2023.4"}).to_bytes()


@pytest.mark.parametrize(("behind", "more"), [(b"signature", 0), (b"", 100), (b"\0" * 16, 0)])
def test_what_is_around_the_form_stays_and_is_reported(
    small: bytes, behind: bytes, more: int
) -> None:
    data = small[:4] + (len(small) - 8 + more).to_bytes(4, "little") + small[8:] + behind
    report = overhaul.verify(data)
    assert report.identical
    assert report.coverage is not None
    assert report.coverage.opaque == len(behind)
    assert sum(detail.length for detail in report.coverage.details) == len(behind)
    assert len(report.warnings) == 1


@pytest.mark.parametrize(("behind", "more"), [(b"signature", 0), (b"", 100)])
def test_an_edit_keeps_it_and_the_length_follows(small: bytes, behind: bytes, more: int) -> None:
    data = small[:4] + (len(small) - 8 + more).to_bytes(4, "little") + small[8:] + behind
    game = GameData.from_bytes(data)
    game.strings[0].text = "longer " * 1000
    written = game.to_bytes()
    assert len(written) > len(data) + 6000
    assert written.endswith(behind)
    length = int.from_bytes(written[4:8], "little")
    assert length == len(written) - 8 - len(behind) + more
    again = GameData.from_bytes(written)
    assert str(again.strings[0]) == "longer " * 1000
    assert again.to_bytes() == written


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"MROF" + (92).to_bytes(4, "big") + b"8NEG" + bytes(88), "of an old console"),
        (b"FORM" + (92).to_bytes(4, "big") + b"GEN8\0\0\0\x54" + bytes(84), "of an old console"),
        (b"FORM" + (92).to_bytes(4, "big") + b"AIFFCOMM" + bytes(84), "an AIFF sound"),
    ],
)
def test_big_endian_files_are_refused_by_name(data: bytes, words: str) -> None:
    with pytest.raises(overhaul.UnsupportedVersion, match="big-endian") as caught:
        overhaul.open(data)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("content", "moves"),
    [(b"0123456789", True), (b"", True), (b"\xff" * 9 + b"\x20\0\0\0", False), (b"abc\0", True)],
)
def test_an_unknown_chunk_moves_only_without_pointers(
    small: bytes, content: bytes, moves: bool
) -> None:
    chunk = b"ZZZZ" + len(content).to_bytes(4, "little") + content
    data = small[:4] + (len(small) - 8 + len(chunk)).to_bytes(4, "little") + small[8:] + chunk
    report = overhaul.verify(data)
    assert report.identical
    assert report.coverage is not None
    assert report.coverage.opaque == len(content)
    assert not [w for w in report.warnings if not w.startswith(("ZZZZ", "AUDO: it is padded"))]
    game = GameData.from_bytes(data)
    game.general.window_width += 1  # an edit that moves nothing is always possible
    assert len(game.to_bytes()) == len(data)
    game.strings[0].text = "longer " * 100
    if not moves:
        with pytest.raises(overhaul.EncodeError, match="ZZZZ can't be read"):
            game.to_bytes()
        return
    again = GameData.from_bytes(game.to_bytes())
    again.load_all()
    assert again.chunks["ZZZZ"].raw == content
    assert again.alignment == 16
    assert str(again.strings[0]) == "longer " * 100


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_chunks_in_another_order(path: Path) -> None:
    original = overhaul.open(path)
    assert isinstance(original, GameData)
    original.load_all()
    names = list(original.chunks)
    order = [names[0], *names[-3:], *reversed(names[1:-3])]
    original.chunks = {name: original.chunks[name] for name in order}
    data = original.to_bytes()
    report = overhaul.verify(data)
    assert report.identical
    game = overhaul.open(data)
    assert isinstance(game, GameData)
    assert list(game.chunks) == order
    assert list(map(str, game.strings)) == list(map(str, original.strings))
    before = {resource.path for resource in original.tree()}
    assert {resource.path for resource in game.tree()} == before
    for mine, its in zip(game.records.code, original.records.code, strict=True):
        if its is not None:
            assert present(mine).assembly == its.assembly
    assert not report.warnings
    game.strings[0].text += " and longer" * 50
    assert overhaul.verify(game.to_bytes()).identical


@pytest.mark.parametrize("path", [*GAMES, "current", "gms1"], ids=str)
@pytest.mark.parametrize("how", ["null", "swapped", "shared"])
def test_lists_that_other_tools_left(path: Path | str, how: str) -> None:
    """Null, swapped and shared pointers: identical, reported, and by the rules on an edit."""
    data = bytearray(lantern(path) if isinstance(path, str) else path.read_bytes())
    original = GameData.from_bytes(bytes(data))
    start = original.chunks["OBJT"].start
    if int.from_bytes(data[start : start + 4], "little") < 3:
        pytest.skip("too few objects")
    first, second, third = (slice(start + 4 * n, start + 4 * n + 4) for n in (1, 2, 3))
    if how == "null":
        data[second] = bytes(4)
    elif how == "swapped":
        data[first], data[third] = data[third], data[first]
    else:
        data[third] = data[first]
    report = overhaul.verify(bytes(data))
    assert report.identical
    assert report.version == original.version
    assert any(warning.startswith("OBJT: an unusual layout") for warning in report.warnings)
    game = GameData.from_bytes(bytes(data))
    game.strings[0].text += " and longer" * 50
    written = game.to_bytes()
    again = overhaul.verify(written)
    assert again.identical
    assert not again.warnings
    names = [None if one is None else str(one.name) for one in original.records.objects]
    if how == "null":
        names[1] = None
    elif how == "swapped":
        names[0], names[2] = names[2], names[0]
    else:
        names[2] = names[0]
    result = [
        None if one is None else str(one.name)
        for one in GameData.from_bytes(written).records.objects
    ]
    assert result == names


@pytest.mark.parametrize("last", [("TXTR", "AUDO"), ("AUDO", "TXTR"), ("AUDO", "TXTR", "GLOB")])
def test_large_media_are_where_they_are_pointed_to(last: tuple[str, ...]) -> None:
    game = GameData.from_bytes(blank_game({"version": "2022.9"}).to_bytes())
    noise = np.random.default_rng(3)
    frames = [noise.integers(0, 256, (200, 200, 4), np.uint8) for _ in range(2)]
    sounds = [wave(samples) for samples in (9000, 5, 20001)]
    game.sprites.add("spr_noise", list(frames))
    for number, sound in enumerate(sounds):
        game.sounds.add(f"snd_{number}", sound)
    game.load_all()
    for name in last:
        game.chunks[name] = game.chunks.pop(name)
    data = game.to_bytes()
    assert list(GameData.from_bytes(data).chunks)[-len(last) :] == [*last]
    again = GameData.from_bytes(data)
    assert [game.sound_bytes(f"snd_{number}") for number in range(3)] == sounds
    assert [again.sound_bytes(f"snd_{number}") for number in range(3)] == sounds
    for index, frame in enumerate(frames):
        assert np.array_equal(np.asarray(again.sprites["spr_noise"].frames[index].image), frame)
    assert again.to_bytes() == data
    assert again.warnings == []
    pages = again.textures.items
    media = sum(map(len, sounds)) + sum(len(present(present(page).blob)) for page in pages)
    assert again.coverage().media == media
    assert again.coverage().opaque == 0


def test_an_empty_list_of_items_is_written_as_it_is(small: bytes) -> None:
    """What stands behind it is another chunk, not the number of its items."""
    start, end = chunk(small, b"TPAG")
    assert end - start == 8
    data = small[: start - 4] + bytes(4) + b"XXXX" + bytes(4) + small[end:]
    game = GameData.from_bytes(data)
    assert game.to_bytes() == data
    assert list(game.chunks)[list(game.chunks).index("TPAG") + 1] == "XXXX"
