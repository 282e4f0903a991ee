"""Pictures and sounds put into a game through the library."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

import overhaul
from overhaul.gamemaker.data import GameData
from overhaul.media import textures
from present import present
from real_files import corpus_files, sample
from small_games import game_of

GAMES = sample(corpus_files("datawin*/*.win"), 12, seed=4)


def opened(data: bytes | Path) -> GameData:
    game = overhaul.open(data)
    assert isinstance(game, GameData)
    return game


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_a_frame_is_replaced(path: Path) -> None:
    game = opened(path)
    sprites = [
        s for s in game.records.sprites if s is not None and s.textures and s.frames[0] is not None
    ]
    if not sprites:
        pytest.skip("no sprite with a picture")
    sprite = sprites[len(sprites) // 2]
    others = {str(s.name): [f.tobytes() for f in s.frames if f] for s in sprites if s is not sprite}
    picture = Image.new("RGBA", (sprite.width, sprite.height), (9, 8, 7, 255))
    with pytest.raises(TypeError):
        sprite.frames[0] = picture  # type: ignore[index]
    with pytest.raises(ValueError, match=r"of .* pixels, got 1 x 2"):
        game.set_frame(sprite, 0, Image.new("RGBA", (1, 2)))
    with pytest.raises(IndexError, match="no frame"):
        game.set_frame(sprite, len(sprite.textures), picture)
    game.set_frame(str(sprite.name), 0, picture)
    data = game.to_bytes()
    assert overhaul.verify(data).identical
    read_game = opened(data)
    assert (
        present(read_game.records.sprites[str(sprite.name)].frames[0]).tobytes()
        == picture.tobytes()
    )
    for name, frames in others.items():
        assert [f.tobytes() for f in read_game.records.sprites[name].frames if f] == frames


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_a_sound_is_replaced(path: Path) -> None:
    game = opened(path)
    names = [name for name in game.records.sounds.names() if game.sound_bytes(name)]
    if not names:
        pytest.skip("no sound with bytes")
    before = {name: game.sound_bytes(name) for name in names[1:]}
    game.set_sound_bytes(names[0], b"OggS" + bytes(range(200)))
    read_game = opened(game.to_bytes())
    assert read_game.sound_bytes(names[0]) == b"OggS" + bytes(range(200))
    assert {name: read_game.sound_bytes(name) for name in names[1:]} == before


def shown(game: GameData) -> bytes:
    (frame,) = game.records.sprites["spr_a"].frames
    assert frame is not None
    return frame.tobytes()


def test_a_page_of_several_games_is_decoded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """And an edit of one game does not show in the other."""
    decoded: list[bytes] = []
    decode = textures.decode

    def counted(blob: bytes | memoryview) -> NDArray[np.uint8]:
        decoded.append(bytes(blob))
        return decode(blob)

    made = game_of("2023.8")
    red, blue = (Image.new("RGBA", (19, 23), colour) for colour in ("#ff0003", "#0300ff"))
    made.sprites.add("spr_a", [red])
    data = made.to_bytes()
    monkeypatch.setattr(textures, "decode", counted)
    with opened(data) as one, opened(data) as other:
        for _ in range(2):
            for game in (one, other):
                assert shown(game) == red.tobytes()
        assert len(decoded) == 1
        one.set_frame("spr_a", 0, blue)
        assert (shown(one), shown(other)) == (blue.tobytes(), red.tobytes())
        with opened(one.to_bytes()) as again:
            assert shown(again) == blue.tobytes()
