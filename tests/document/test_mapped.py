"""Mapped files, and copying from them without reading: every way gives the same bytes."""

from __future__ import annotations

import errno
import os
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from overhaul import stretch
from overhaul.document import mapped
from overhaul.document.files import save_all, write_file
from overhaul.document.mapped import MappedFile, held, write_pieces
from overhaul.document.opening import find_bytes
from overhaul.folder.verifying import difference_in, first_difference
from overhaul.stretch import Passing, Stretch, feed, joined, same_bytes

if TYPE_CHECKING:
    from overhaul.stretch import Piece

CONTENT = os.urandom(300_000) + bytes(200_000)


def pieces_of(path: Path) -> list[Piece]:
    """A file in another order, with other bytes between its stretches."""
    data = find_bytes(str(path)).data
    return [
        b"head",
        Stretch(data, 100_000, 400_000),
        memoryview(b"between"),
        Stretch(data, 0, 99_999),
        Stretch(data, 7, 20),
        bytearray(b"tail"),
    ]


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "data.win"
    path.write_bytes(CONTENT)
    return path


def expected() -> bytes:
    return b"".join(
        (b"head", CONTENT[100_000:400_000], b"between", CONTENT[:99_999], CONTENT[7:20], b"tail")
    )


def test_all_ways_of_copying_give_the_same(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*arguments: object) -> int:
        raise OSError(errno.EXDEV, "between file systems")

    assert joined(pieces_of(source)) == expected()
    out = tmp_path / "out.win"
    for names in ((), ("copy_file_range",), ("copy_file_range", "sendfile")):
        for name in names:
            monkeypatch.setattr(os, name, refused, raising=False)
        write_file(out, pieces_of(source), force=True)
        assert out.read_bytes() == expected(), names
    monkeypatch.delattr(os, "pread", raising=False)
    write_file(out, pieces_of(source), force=True)
    assert out.read_bytes() == expected()
    monkeypatch.setattr(MappedFile, "reopened", lambda self: -1)
    write_file(out, pieces_of(source), force=True)
    assert out.read_bytes() == expected()


def test_part_of_it_is_copied_by_the_system(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stops(read: int, write: int, count: int, start: int) -> int:
        if start >= 150_000:
            raise OSError(errno.EINVAL, "no more")
        return os.write(write, os.pread(read, min(count, 30_000), start))

    monkeypatch.setattr(os, "copy_file_range", stops, raising=False)
    out = tmp_path / "out.win"
    write_file(out, pieces_of(source))
    assert out.read_bytes() == expected()


def test_a_full_disk_is_an_error_and_leaves_nothing(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*arguments: object) -> int:
        raise OSError(errno.ENOSPC, "no space left")

    monkeypatch.setattr(os, "copy_file_range", full, raising=False)
    with pytest.raises(OSError, match="no space left"):
        write_file(tmp_path / "out.win", pieces_of(source))
    assert [path.name for path in tmp_path.iterdir()] == ["data.win"]


def test_a_file_that_was_replaced_is_not_read(source: Path, tmp_path: Path) -> None:
    """The map has the bytes that there were."""
    pieces = pieces_of(source)
    other = tmp_path / "other"
    other.write_bytes(bytes(len(CONTENT)))
    os.replace(other, source)
    out = tmp_path / "out.win"
    write_file(out, pieces)
    assert out.read_bytes() == expected()


def test_a_file_is_written_over_itself(source: Path) -> None:
    save_all(source, pieces_of(source), {}, force=True, backup=lambda path: True)
    assert source.read_bytes() == expected()
    assert source.with_name("data.win.bak").read_bytes() == CONTENT


def test_what_is_large_is_held_in_a_file(source: Path, tmp_path: Path) -> None:
    large, small = held(pieces_of(source), 1000), held(pieces_of(source), 1 << 30)
    assert isinstance(small, bytes)
    assert isinstance(large, memoryview) or os.name == "nt"
    assert bytes(large) == small == expected()
    out = tmp_path / "out.win"
    write_file(out, large)
    assert out.read_bytes() == expected()
    with out.open("wb") as file:
        write_pieces(file, [Stretch(large, 5, 250_000)])
    assert out.read_bytes() == expected()[5:250_000]


def test_without_room_for_a_file_it_is_held_in_memory(
    source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(pieces: list[Piece]) -> memoryview:
        raise OSError(errno.ENOSPC, "no space left")

    monkeypatch.setattr(mapped, "_in_file", full)
    assert held(pieces_of(source), 1000) == expected()


def test_a_difference_is_found_in_pieces(source: Path) -> None:
    data = find_bytes(str(source)).data
    whole: list[Piece] = [
        Stretch(data, 0, 70_000),
        data[70_000:90_000],
        Stretch(data, 90_000, 500_000),
    ]
    assert difference_in(data, whole) is None
    for number, other in (
        (1, CONTENT[70_000:80_000] + b"?" + CONTENT[80_001:90_000]),
        (0, Stretch(data, 1, 70_001)),
        (2, CONTENT[90_000:]),
        (2, CONTENT[90_000:] + b"more"),
        (2, CONTENT[90_000:-3]),
    ):
        changed = [*whole[:number], other, *whole[number + 1 :]]
        assert difference_in(data, changed) == first_difference(data, joined(changed))


def test_what_was_read_can_be_read_again(source: Path) -> None:
    data = find_bytes(str(source)).data
    passing = Passing(data)
    for _ in range(3):
        assert bytes(data) == CONTENT
        passing.read(1 << 25)
    passing.over(10)
    Passing(CONTENT).read(1 << 25)


def test_files_are_the_same_or_not(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stretch, "_AROUND", 1 << 10)
    monkeypatch.setattr(stretch, "_LET_GO", 1 << 12)
    let_go: list[int] = []
    monkeypatch.setattr(stretch, "let_go", lambda data: let_go.append(len(data)))
    data = find_bytes(str(source)).data
    assert same_bytes(data, CONTENT) and same_bytes(CONTENT, bytearray(CONTENT))
    assert len(let_go) > 100
    assert same_bytes(b"", b"") and not same_bytes(b"", b"a")
    assert not same_bytes(data, CONTENT[:-1]) and not same_bytes(CONTENT[:-1], data)
    for place in (0, 1 << 10, 300_000, len(CONTENT) - 1):
        other = bytearray(CONTENT)
        other[place] ^= 1
        assert not same_bytes(data, other)


def test_a_digest_is_fed_all_bytes(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stretch, "_AROUND", 1 << 10)
    monkeypatch.setattr(stretch, "_LET_GO", 1 << 12)
    for data in (CONTENT, memoryview(CONTENT), find_bytes(str(source)).data, b""):
        digest = sha256()
        feed(digest, data)
        assert digest.digest() == sha256(data).digest()
