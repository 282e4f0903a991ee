"""The sprites of a game, packed as the project asks."""

from __future__ import annotations

from pathlib import Path

import pytest

import ags_built
import overhaul
from overhaul import ags
from overhaul.ags.documents.package import PackageDocument
from overhaul.ags.pictures import Pixels
from overhaul.ags.project.building.releases import release_of
from overhaul.ags.project.building.sprites import asked, packed
from overhaul.ags.sprite_index import index_of, version_of, write_index
from overhaul.ags.sprites import EmptySlot, Sprite, SpriteSet
from overhaul.errors import OverhaulError

PLAIN = bytes(range(64)) * 16


def sprite_set(version: int = 12, compression: int = 0) -> SpriteSet:
    made = SpriteSet(version, slots=[EmptySlot(), EmptySlot(), EmptySlot()])
    made.header.compression, made.header.file_id = compression, 77
    made.header.last_slot = 2
    made.replace(0, Pixels(16, 16, 4, PLAIN), palette=b"", compression=compression)
    made.replace(2, Pixels(32, 32, 1, bytes(1024)), palette=b"", compression=compression)
    return made


@pytest.mark.parametrize("compression", [1, 2, 3])
def test_a_set_is_packed_again_with_its_index(compression: int) -> None:
    old = sprite_set()
    data = old.to_bytes()
    index = write_index(11, index_of(old, 11))
    made, other = packed(data, index, compression, "acsprset.spr")
    again = SpriteSet.read(made)
    assert again.header.compression == compression and again.header.file_id == 77
    held = {slot: again.pixels(sprite) for slot, sprite in again.filled()}
    assert {slot: (one.width, one.data) for slot, one in held.items()} == {
        0: (16, PLAIN), 2: (32, bytes(1024)),
    }  # fmt: skip
    assert all(again.compression_of(sprite) == compression for _, sprite in again.filled())
    assert isinstance(again.slots[1], EmptySlot) and isinstance(again.slots[2], Sprite)
    assert other is not None and version_of(other, again) == 11 and other != index
    assert packed(made, other, compression, "acsprset.spr") == (made, other)
    assert packed(made, None, 0, "acsprset.spr") == (data, None)


def test_an_index_of_another_set_is_left_out() -> None:
    assert packed(sprite_set().to_bytes(), b"no index", 1, "acsprset.spr")[1] is None


def test_sets_that_have_no_such_compression_stay() -> None:
    old = sprite_set(11).to_bytes()
    assert packed(old, b"i", 2, "acsprset.spr") == (old, b"i")
    assert SpriteSet.read(packed(old, None, 1, "acsprset.spr")[0]).header.compression == 1
    older = sprite_set(5).to_bytes()
    assert packed(older, b"i", 0, "acsprset.spr") == (older, b"i")
    assert packed(b"no set", b"i", 1, "acsprset.spr") == (b"no set", b"i")


@pytest.mark.parametrize(
    ("editor", "more", "expected"),
    [
        ("3.6.2.12", {"CompressSpritesType": "LZW"}, 2),
        ("3.6.2.12", {"CompressSpritesType": "Deflate"}, 3),
        ("3.6.2.12", {}, 0),
        ("3.5.1.22", {"CompressSprites": True}, 1),
        ("3.5.1.22", {}, 0),
    ],
)
def test_what_a_project_asks_for(editor: str, more: dict[str, str | bool], expected: int) -> None:
    game = ags_built.project(editor, "27", **more).root.find("Game")
    assert game is not None
    assert asked(game, release_of(editor, "27")) == expected


@pytest.mark.parametrize(
    ("editor", "name"), [("3.6.2.12", "CompressSpritesType"), ("3.5.1.22", "CompressSprites")]
)
def test_numbers_that_no_way_has_are_refused(tmp_path: Path, editor: str, name: str) -> None:
    file = ags_built.project(editor, "27", **{name: 65536})
    project = ags_built.write(tmp_path / "project", file)
    with pytest.raises(OverhaulError, match=r"Game\.agf:\d+:7: \w+: no sprites .* way 65536"):
        ags.build(project, tmp_path / "out")


def test_a_game_has_the_sprites_that_its_project_asks_for(tmp_path: Path) -> None:
    file = ags_built.project(CompressSpritesType="RLE")
    project = ags_built.write(tmp_path / "project", file)
    (project / "acsprset.spr").write_bytes(sprite_set().to_bytes())
    made = ags.build(project, tmp_path / "out")
    with overhaul.open(made.path) as document:
        assert isinstance(document, PackageDocument)
        assert SpriteSet.read(document.read("acsprset.spr")).header.compression == 1
