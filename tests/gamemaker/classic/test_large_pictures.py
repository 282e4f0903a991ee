"""Large pictures in zlib blocks: one copy in memory, and the bytes that any picture has."""

from __future__ import annotations

import tracemalloc
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest

import overhaul
from handmade_project import project_file
from overhaul.errors import FormatError, WorkspaceError
from overhaul.gamemaker.classic.documents.project import ProjectDocument
from overhaul.gamemaker.classic.resources import Picture, Sprite
from overhaul.gamemaker.classic.streams import Content, ProjectWriter, deflate_like, inflate
from present import instance

SIDE = 1600
#: the bytes of one picture, and of the content of its sprite
SIZE = SIDE * SIDE * 4


def project() -> bytes:
    """A project with a sprite of two large pictures."""
    with ProjectDocument.from_bytes(project_file(810)) as document:
        frames = [
            Picture(version=800, width=SIDE, height=SIDE, pixels=bytes([n]) * SIZE) for n in (1, 2)
        ]
        sprite_of(document).frames = [*frames]
        return document.to_bytes()


def sprite_of(document: ProjectDocument) -> Sprite:
    """The sprite of the project."""
    return instance(Sprite, document.project.sprites.slots[0].resource)


@contextmanager
def at_most(limit: float) -> Iterator[None]:
    """That what runs takes at most so many times the size of both pictures."""
    tracemalloc.start()
    try:
        yield
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < limit * 2 * SIZE


def test_reading_and_writing_hold_one_copy() -> None:
    data = project()
    with at_most(1.35):
        document = ProjectDocument.from_bytes(data)
        assert document.to_bytes() == data
    sprite = sprite_of(document)
    assert [bytes(frame.pixels[:2]) for frame in sprite.frames] == [b"\1\1", b"\2\2"]
    assert [len(frame.pixels) for frame in sprite.frames] == [SIZE, SIZE]


def test_packing_holds_less_than_two_copies(tmp_path: Path) -> None:
    (tmp_path / "game.gm81").write_bytes(project())
    overhaul.unpack(tmp_path / "game.gm81", tmp_path / "game")
    with ProjectDocument.from_bytes(project()) as document:
        name = document.project.sprites.slots[0].name
    path = tmp_path / "game" / "sprites" / name / "sprite.json"
    path.write_text(path.read_text().replace('"origin_x": 0', '"origin_x": 3'))
    (kept, painted) = sorted(path.parent.glob("*.png"))
    for from_scratch in (True, False):
        with at_most(1.75):
            overhaul.pack(
                tmp_path / "game",
                tmp_path / "made.gm81",
                force=True,
                from_scratch=from_scratch,
            )
        with ProjectDocument.from_bytes((tmp_path / "made.gm81").read_bytes()) as document:
            frames = sprite_of(document).frames
            assert [bytes(frame.pixels[:2]) for frame in frames] == [b"\1\1", b"\2\2"]
            assert [len(frame.pixels) for frame in frames] == [SIZE, SIZE]
    painted.write_bytes(kept.read_bytes())
    overhaul.pack(tmp_path / "game", tmp_path / "made.gm81", force=True)
    with ProjectDocument.from_bytes((tmp_path / "made.gm81").read_bytes()) as document:
        assert [bytes(frame.pixels[:2]) for frame in sprite_of(document).frames] == [b"\1\1"] * 2
    kept.unlink()
    with pytest.raises(WorkspaceError, match=r"frames"):
        overhaul.pack(tmp_path / "game", tmp_path / "made.gm81", force=True)


def test_an_edited_sprite_is_compressed_as_a_whole() -> None:
    document = ProjectDocument.from_bytes(project())
    sprite_of(document).frames[1] = Picture(version=800, width=1, height=1, pixels=b"abcd")
    written = ProjectDocument.from_bytes(document.to_bytes())
    again, slot = sprite_of(written), written.project.sprites.slots[0]
    assert again.frames[1].pixels == b"abcd" and again.frames[0].pixels == b"\1" * SIZE
    content = zlib.decompress(slot.kept)
    assert content.count(b"\1" * SIZE) == 1 and zlib.compress(content) == slot.kept


def content_of(pieces: list[bytes]) -> Content:
    writer = ProjectWriter()

    def write() -> None:
        for piece in pieces:
            writer.blob(piece)

    return writer.block(write)


@pytest.mark.parametrize("seed", range(6))
def test_the_pieces_of_a_content_are_compressed_as_one(seed: int) -> None:
    chance = Random(seed)
    sizes = [chance.choice((0, 3, 1 << 20, (1 << 20) + 7, 3 << 20)) for _ in range(5)]
    pieces = [chance.randbytes(99) * (size // 99 + 1) for size in sizes]
    whole = b"".join(pieces)
    content = content_of(pieces)
    assert len(content) == len(whole) and b"".join(content.pieces()) == whole
    stream = zlib.compress(whole)
    assert deflate_like(content, b"") == stream
    other = zlib.compress(whole, 1)
    assert deflate_like(content, other + b"behind") == other + b"behind"
    for wrong in (whole[:-1], whole + b"x", whole[:-1] + b"\xff", b"x" + whole):
        assert deflate_like(content, zlib.compress(wrong, 1)) == stream
    assert deflate_like(content, other[:-5]) == stream
    inflated, behind = inflate(other + b"behind")
    assert inflated == whole and behind == b"behind"


@pytest.mark.parametrize("size", [10, 5 << 20])
@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda stream: stream[:-6], "ends early"),
        (lambda stream: stream[: len(stream) // 2], "ends early"),
        (lambda stream: stream[:-1] + b"\0", "damaged"),
    ],
)
def test_damaged_streams(size: int, damage: Callable[[bytes], bytes], message: str) -> None:
    stream = zlib.compress(Random(1).randbytes(size // 2) * 2)
    with pytest.raises(FormatError, match=message):
        inflate(damage(stream))
