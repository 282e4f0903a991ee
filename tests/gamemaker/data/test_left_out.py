"""Large parts that are not in memory while a game is written: what is irregular stays, and what is
not understood is said to be where it is in the file."""

from __future__ import annotations

import struct

from PIL import Image

from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data.writer import write_game
from present import present
from small_games import game_of
from sound_files import wave


def with_sounds() -> bytes:
    """A game with two sounds of more bytes than are copied."""
    game = game_of("2022.6")
    game.sounds.add("snd_step", wave())
    game.sounds.add("snd_leap", wave())
    for sound in game.audio:
        assert sound is not None
        sound.data = wave() + bytes(range(256)) * 50 + b"."
    return game.to_bytes()


def test_an_unusual_chunk_of_large_media_stays() -> None:
    data = bytearray(with_sounds())
    with GameData.from_bytes(bytes(data)) as game:
        start = game.chunks["AUDO"].start
    (first,) = struct.unpack_from("<I", data, start + 4)
    (length,) = struct.unpack_from("<I", data, first)
    assert length % 4  # padding follows
    data[first + 4 + length] = 7
    with GameData.from_bytes(bytes(data)) as game:
        game.load_all()
        assert game.chunks["AUDO"].kept is not None
        assert game.to_bytes() == data


def test_code_that_cannot_be_read_is_where_it_is_said_to_be() -> None:
    """Masks before it are not in memory."""
    game = game_of("2024.14")
    sprite = game.sprites.add("spr_wall", [Image.new("RGBA", (512, 512), "red")]).record
    sprite.masks = [bytes(64 * 512)]
    sprite.margin_right = sprite.margin_bottom = 511
    sprite.margin_left = sprite.margin_top = 0
    for number in range(4):
        game.add_event("obj_a", f"Alarm_{number}", f"hp = {number};")
    with GameData.from_bytes(game.to_bytes()) as again:
        area = present(present(again.record("CODE")).area)
        assert area.begin > 0
        data = bytearray(again.data)
        data[area.begin : area.begin + 4] = bytes(4)
    with GameData.from_bytes(bytes(data)) as again:
        assert again.record("CODE") is not None
        writer, coverage = write_game(again)
        assert writer.finished() == data and writer.left_out > 30_000
        details = [part for part in coverage.details if part.path.startswith("CODE.")]
        assert [part.offset for part in details] == [area.begin]
