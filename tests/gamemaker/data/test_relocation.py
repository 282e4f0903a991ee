"""Chunks that nobody touched are moved without being decoded: as decoding and writing them does."""

from __future__ import annotations

import struct
from collections.abc import Callable
from copy import copy
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest
from PIL import Image

from furnished import furnish
from overhaul.document.mapped import held
from overhaul.errors import EncodeError
from overhaul.gamemaker.data import relocation
from overhaul.gamemaker.data.chunks import CHUNKS
from overhaul.gamemaker.data.filling import fill_many
from overhaul.gamemaker.data.game import GameData, open_game
from overhaul.gamemaker.data.layouts import ChunkWalk
from overhaul.gamemaker.data.outlines import ROOTS
from overhaul.gamemaker.data.relocation import Relocation, is_regular, numbered
from overhaul.gamemaker.data.version import Version
from overhaul.gamemaker.data.writer import NEW_TYPES, OLD_TYPES, AssetTable, fill_few
from overhaul.gml.asset_types import NEW_ASSET_TYPES, OLD_ASSET_TYPES
from overhaul.stretch import Stretch, joined
from real_files import corpus_files, finished, sample
from small_games import game_of
from sound_files import wave

RELEASES = ("1.0.0.1773", "2.0", "2.2.2", "2.3.0", "2.3.6", "2022.6", "2023.8", "2024.14")


def test_asset_numbers_of_references_and_of_tags_are_those_of_code() -> None:
    """Two tables of the numbers: by chunks, and by the words of the language."""
    words = {
        "BGND": "background", "OBJT": "object", "PSYS": "particle_system", "SCPT": "script",
        "SEQN": "sequence", "SHDR": "shader", "SOND": "sound", "SPRT": "sprite", "TMLN": "timeline",
        "ACRV": "animation_curve", "FONT": "font", "PATH": "path", "ROOM": "room",
    }  # fmt: skip
    for chunks, kinds in ((NEW_TYPES, NEW_ASSET_TYPES), (OLD_TYPES, OLD_ASSET_TYPES)):
        named = {number: words[chunk] for number, chunk in chunks.items()}
        assert named == {n: kind for n, kind in kinds.items() if kind != "room_instance"}


def no_change(game: GameData) -> None:
    assert len(game.strings)


def longer_text(game: GameData) -> None:
    texts = game.strings[len(game.strings) // 2 :]
    number = next(text.number for text in texts if not text.startswith("GM"))
    game.strings[number] += " and so much longer that everything behind it is moved" * 9


def shorter_text(game: GameData) -> None:
    number = max(range(len(game.strings)), key=lambda number: len(game.strings[number]))
    game.strings[number] = ""


def new_text(game: GameData) -> None:
    game.strings.append("another text")


def wider_room(game: GameData) -> None:
    for room in game.records.rooms.present():
        room.width += 1
        break


def another_sprite(game: GameData) -> None:
    game.records.sprites.append(copy(next(game.records.sprites.present(), None)))


def another_item(game: GameData) -> None:
    game.texture_items.append(copy(next(game.texture_items.present(), None)))


def page_dropped(game: GameData) -> None:
    if len(game.audio):
        game.audio.items.pop()


def text_that_says_a_layout(game: GameData) -> None:
    for text in game.strings:
        if text.startswith("GM"):
            text.text = "GMNothing"
            break


CHANGES = (
    *(no_change, longer_text, shorter_text, new_text),
    *(wider_room, another_sprite, another_item, page_dropped),
    text_that_says_a_layout,
)


def outcome(data: bytes, change: Callable[[GameData], None], decoded: bool) -> bytes | None:
    """The file after a change; None if it can't be written."""
    with GameData.from_bytes(data) as game:
        if decoded:
            game.load_all()
        change(game)
        try:
            return joined(game.pieces())
        except EncodeError:
            return None


def check(data: bytes) -> None:
    for change in CHANGES:
        assert outcome(data, change, False) == outcome(data, change, True), change.__name__


@pytest.fixture(scope="module", params=RELEASES)
def furnished(request: pytest.FixtureRequest) -> bytes:
    game = game_of(request.param)
    picture = Image.new("RGBA", (20, 30), (200, 100, 0, 255))
    game.sprites.add("spr_keeper", [picture, picture.rotate(180)])
    game.sounds.add("snd_step", wave())
    if game.release.major < 2 or game.release.at_least(2023, 2):
        furnish(game)
        return game.to_bytes()
    game.tile_sets.add("ts_cave", picture, tile_size=(10, 10))
    if game.release.at_least(2, 3):
        game.animation_curves.add("ac_rise", {"height": [(0, 0), (0.4, 2), (1, 1)]})
        tracks = game.sequences.add("seq_walk", length=60).tracks
        tracks.add(game.sprites["spr_keeper"]).tracks.add_values("position", {0: (0, 0)})
    return game.to_bytes()


def test_moved_as_decoded_and_written(furnished: bytes) -> None:
    check(furnished)


def test_every_chunk_of_a_game_by_the_rules_is_moved(furnished: bytes) -> None:
    with GameData.from_bytes(furnished) as game:
        moved = Relocation(game).moved
        assert sorted(moved) == sorted(game.chunks.keys() - {"STRG"})


@pytest.mark.parametrize("name", ["CODE", "VARI", "FUNC"])
def test_chunks_of_code_are_moved_together_or_not_at_all(furnished: bytes, name: str) -> None:
    with GameData.from_bytes(furnished) as game:
        relocation = Relocation(game)
        others = relocation.moved.keys() - {"CODE", "VARI", "FUNC"}
        relocation.forget(name)
        assert relocation.moved.keys() == others != set()


def test_only_what_is_touched_is_decoded(furnished: bytes) -> None:
    with GameData.from_bytes(furnished) as game:
        longer_text(game)
        game.pieces()
        assert [chunk.name for chunk in game.chunks.values() if chunk.decoded] == ["STRG"]


def test_a_chunk_against_the_rules_is_decoded(furnished: bytes) -> None:
    """A pointer that leads elsewhere, and a string that is none."""
    with GameData.from_bytes(furnished) as game:
        room, sound = game.chunks["ROOM"], game.chunks["SOND"]
    for place, word in ((room.start + 4, room.start + 12), (sound.start + 8, 5)):
        damaged = bytearray(furnished)
        struct.pack_into("<I", damaged, place, word)
        with GameData.from_bytes(bytes(damaged)) as game:
            assert not {"ROOM", "SOND"} <= Relocation(game).moved.keys()
            assert is_regular(game, "ROOM") == (place != room.start + 4)
            assert is_regular(game, "SPRT") and is_regular(game, "NONE")
        assert outcome(bytes(damaged), no_change, False) == bytes(damaged)


def test_code_with_an_address_elsewhere_is_decoded(furnished: bytes) -> None:
    """Moved by a distance it would not fit its field, or lead somewhere else."""
    with GameData.from_bytes(furnished) as game:
        game.add_script("scr_count", "global.count += 1; show_debug_message(global.count);")
        data = game.to_bytes()
    with GameData.from_bytes(data) as game:
        moved = Relocation(game).moved
        places = [place for name in ("VARI", "FUNC") for place in moved[name].found["address"]]
        code = game.chunks["CODE"]
    unused = [at for at in places if struct.unpack_from("<i", data, at)[0] == -1]
    for place in (places[0], places[-1], *unused[:1]):
        for word in (code.start - 4, code.end, 4, 0xFFFFFFFE):
            damaged = bytearray(data)
            struct.pack_into("<I", damaged, place, word)
            with GameData.from_bytes(bytes(damaged)) as game:
                assert not {"CODE", "VARI", "FUNC"} & Relocation(game).moved.keys()
            for change in (no_change, wider_room, another_sprite):
                made = outcome(bytes(damaged), change, False)
                assert made == outcome(bytes(damaged), change, True), change.__name__


def test_pointers_into_a_list_that_cannot_be_read_stay(furnished: bytes) -> None:
    """Sprites lead to items that are listed; the list is damaged at an item that nothing uses."""
    with GameData.from_bytes(furnished) as game:
        another_item(game)
        data = game.to_bytes()
    with GameData.from_bytes(data) as game:
        start = game.chunks["TPAG"].start
        assert "SPRT" in Relocation(game).moved
    (count,) = struct.unpack_from("<I", data, start)
    damaged = bytearray(data)
    struct.pack_into("<I", damaged, start + 4 * count, 0xFFFFFFF0)
    for change in (no_change, longer_text, new_text):
        made = outcome(bytes(damaged), change, False)
        assert made == outcome(bytes(damaged), change, True), change.__name__
    assert outcome(bytes(damaged), no_change, False) == bytes(damaged)


def test_a_chunk_with_known_bytes_is_not_followed_again(
    furnished: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    followed: list[int] = []

    class Noting(ChunkWalk):
        def __init__(self, file: bytes, start: int, end: int, version: Version) -> None:
            followed.append(start)
            super().__init__(file, start, end, version)

    def regular(data: bytes) -> dict[str, bool]:
        del followed[:]
        game = open_game(data)
        return {name: is_regular(game, name) for name in game.chunks}

    monkeypatch.setattr(relocation, "_walked", {})
    monkeypatch.setattr(relocation, "ChunkWalk", Noting)
    first = regular(furnished)
    assert len(followed) > 10
    assert regular(furnished) == first
    again = [*followed]
    game = open_game(furnished)
    for chunk in game.chunks.values():
        if chunk.name in ROOTS and chunk.name not in ("CODE", "VARI", "TXTR", "AUDO"):
            walk = relocation.followed(game, chunk)
            if walk is not None:  # it may follow from what another chunk says
                assert (chunk.start in again) == bool(walk.texts), chunk.name
    start = game.chunks["OBJT"].start
    broken = bytearray(furnished)
    broken[start + 4 : start + 8] = struct.pack("<I", 3)  # a pointer to nowhere
    assert first["OBJT"]
    assert not regular(bytes(broken))["OBJT"]
    assert start in followed
    assert regular(furnished) == first
    monkeypatch.setattr(relocation, "_MOST", 0)
    regular(furnished)
    assert relocation._walked == {}


@pytest.mark.parametrize("version", ["2.3.6", "2024.14"])
def test_asset_ids_have_the_kind_in_the_top_byte(version: str) -> None:
    game = game_of(version)
    for number in range(2):
        game.sprites.add(f"spr_{number}", [np.zeros((2, 2, 4), np.uint8)])
        game.sounds.add(f"snd_{number}", wave())
    table = AssetTable(game)
    for chunk, kind in (("SPRT", 1), ("SOND", 2)):
        reference = game.named(chunk).reference(1)
        assert table.encode(reference) == kind << 24 | 1
        assert table[kind << 24 | 1] == reference
    assert (table.encode(None), table.encode(77), table[99 << 24 | 1]) == (-1, 77, 99 << 24 | 1)
    game.add_script("scr_a", "return 1;")
    script = game.named("SCPT").reference(0)
    number = AssetTable(game).encode(script)
    assert number & 0xFFFFFF == 100_000 and AssetTable(game)[number] == script
    assert AssetTable(game)[number - 1] == number - 1  # no script has it


@pytest.mark.parametrize(("size", "numbers"), [(3, {0: 0}), (4, {0: 0}), (8, {0: 0, 77: 1})])
def test_a_list_that_ends_early_has_no_elements(size: int, numbers: dict[int, int]) -> None:
    data = struct.pack("<II", size >= 8, 77)[:size]
    chunk = SimpleNamespace(start=0, end=size)
    game = cast("GameData", SimpleNamespace(chunks={"TPAG": chunk}, data=data))
    assert numbered(game, "TPAG", 0) == numbers


def test_pointers_one_by_one_and_at_once() -> None:
    numbers = [number % 7 for number in range(100)]
    addresses = [1000 * number + 3 for number in range(7)]
    places = [4 * number + 1 for number in range(100)]
    few, many = (bytearray(1) + struct.pack("<100I", *numbers) for _ in range(2))
    fill_few(few, places, addresses)
    fill_many(many, places, addresses)
    assert few == many
    assert struct.unpack_from("<100I", few, 1) == tuple(addresses[number] for number in numbers)


def test_the_outlines_have_all_chunks() -> None:
    assert sorted(ROOTS) == sorted(CHUNKS.keys() - {"STRG"})


def test_saved_in_pieces_as_built(furnished: bytes, tmp_path: Path) -> None:
    """Long stretches of the file that was opened are copied; a game is saved over itself."""
    path = tmp_path / "data.win"
    game = GameData.from_bytes(furnished)
    sound = game.audio[0]
    assert sound is not None
    game.load_all()
    sound.data = bytes(range(256)) * 4096 + b"end"
    path.write_bytes(game.to_bytes())
    expected = outcome(path.read_bytes(), longer_text, True)
    assert expected is not None
    with open_game(path) as opened:
        longer_text(opened)
        pieces = opened.pieces()
        assert any(isinstance(piece, Stretch) for piece in pieces)
        assert bytes(held(pieces, 0)) == bytes(held(pieces)) == expected
        opened.save(path, force=True)
    assert path.read_bytes() == expected


def other_code(game: GameData) -> None:
    """The code of an entry of many, without linking what the others have."""
    game.code["gml_Object_obj_a_Alarm_1"].gml = "hp = 3;\nother_name = hp;"


@pytest.mark.parametrize("version", ["1.0.0.1539", "2024.14"])
@pytest.mark.parametrize("change", [longer_text, wider_room, other_code])
def test_long_parts_without_pointers_stay_in_the_file(
    version: str, change: Callable[[GameData], None]
) -> None:
    """The masks of a sprite are not in memory, and what follows them leads to the same places."""
    game = game_of(version)
    picture = Image.new("RGBA", (1024, 1024), (200, 100, 0, 255))
    sprite = game.sprites.add("spr_wall", [picture]).record
    sprite.masks = [bytes(range(256)) * 512]
    sprite.margin_right = sprite.margin_bottom = 1023
    sprite.margin_left = sprite.margin_top = 0
    game.sprites.add("spr_after", [Image.new("RGBA", (8, 8), (0, 200, 0, 255))])
    for number in range(3):
        game.add_event("obj_a", f"Alarm_{number}", f"hp = {number};\n" * 400)
    data = game.to_bytes()
    with GameData.from_bytes(data) as opened:
        change(opened)
        pieces = opened.pieces()
        sprites = opened.chunks["SPRT"]
        long = [piece for piece in pieces if isinstance(piece, Stretch) and len(piece) > 120_000]
        assert any(sprites.start < piece.start < sprites.end for piece in long)
        made = joined(pieces)
    assert made == outcome(data, change, True)
    with GameData.from_bytes(made) as opened:
        opened.load_all()
        assert opened.to_bytes() == made and not opened.findings


@pytest.mark.corpus
@pytest.mark.parametrize("path", sample(finished(corpus_files("datawin*/*.win")), 12), ids=str)
def test_real_games(path: Path) -> None:
    check(path.read_bytes())


def test_companions_are_written_and_others_cost_nothing(furnished: bytes, tmp_path: Path) -> None:
    """A streamed sound's file goes with the game; without one the sounds are not decoded."""
    with GameData.from_bytes(furnished) as game:
        sound = next(game.records.sounds.present())
        sound.flags, sound.audio = 0x64, -1
        sound.file = game.strings.add("music.ogg")
        there = tmp_path / "there"
        there.mkdir()
        (there / "data.win").write_bytes(game.to_bytes())
    (there / "notes.txt").write_text("nothing of the game")
    for name, expected in (("alone", []), ("with", ["music.ogg"])):
        with open_game(there / "data.win") as game:
            longer_text(game)
            (tmp_path / name).mkdir()
            game.save(tmp_path / name / "data.win")
            assert game.chunks["SOND"].decoded is bool(expected)
            written = sorted(path.name for path in (tmp_path / name).iterdir())
            assert written == sorted(["data.win", *expected])
        (there / "music.ogg").write_bytes(b"OggS")
    assert (tmp_path / "with" / "music.ogg").read_bytes() == b"OggS"
