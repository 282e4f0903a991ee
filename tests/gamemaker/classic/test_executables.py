"""Games in executables: layers undone and redone, resources extracted."""

from __future__ import annotations

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

import overhaul
from made_executables import executable
from memory_folder import memory_folder
from overhaul.document.plainfiles import UnpackOptions
from overhaul.errors import FormatError, UnsupportedVersion, WorkspaceError
from overhaul.gamemaker.classic.documents.executable import ExecutableDocument
from overhaul.gamemaker.classic.executable.container import (
    key_checksum,
    masked,
    read_executable,
    scramble,
    unscramble,
    write_executable,
)
from overhaul.gamemaker.classic.obfuscation import table_of_seed
from overhaul.gamemaker.classic_folder.executable import FORMAT as folder_format


@pytest.mark.parametrize("version", [600, 700, 800, 810])
def test_layers_both_ways(version: int) -> None:
    data = executable(version)
    read = read_executable(data)
    assert (read.version, read.game.game_id, read.garbage) == (version, 77, b"garbage!")
    assert write_executable(read) == data
    with overhaul.open(data) as document:
        assert isinstance(document, ExecutableDocument)
        assert document.version == str(version)
        document.decode()
        assert document.to_bytes() == data
        assert document.coverage().total == len(data)
        assert {item.name for item in document.tree()} >= {"spr", "snd", "scr", "obj"}
        plain_files = folder_format.plain_files(document, UnpackOptions())
        files = {plain.path: plain.read() for plain in plain_files}
        assert files["scripts/scr.gml"] == b"return 1;"
        assert files["objects/obj/create.gml"] == b"x = 1;"
        assert files["sounds/snd.wav"] == b"RIFF    WAVE"
        assert files["sprites/spr/0.png"].startswith(b"\x89PNG")
        assert files["runner/D3DX8.dll"] == b"MZ a library"
        assert files["game_information.rtf"] == b"{\\rtf1}"
        with pytest.raises(WorkspaceError):
            folder_format.apply(document, memory_folder({}, {}), {})


@pytest.mark.parametrize("version", [600, 700, 800, 810])
def test_broken_games_are_refused(version: int) -> None:
    data = executable(version)
    start = len(read_executable(data).runner)
    for length in range(start + 8, len(data), max(1, (len(data) - start) // 150)):
        with pytest.raises(FormatError):
            read_executable(data[:length])


def test_other_programs() -> None:
    with pytest.raises(FormatError):
        overhaul.open(b"MZ" + bytes(5000))
    data = bytearray(1_600_000)
    data[:2] = b"MZ"
    data[1_500_000:1_500_004] = struct.pack("<i", 1230500)
    with pytest.raises(UnsupportedVersion, match=r"5\.3"):
        overhaul.open(bytes(data)).info()


def test_the_key_of_the_mask() -> None:
    assert key_checksum(0) != key_checksum(1)
    data = bytes(range(100))
    assert masked(masked(data, 10, 3, 4), 10, 3, 4) == data != masked(data, 10, 3, 4)


@given(st.binary(max_size=700), st.integers(0, 30000))
def test_scrambling_both_ways(data: bytes, seed: int) -> None:
    table = table_of_seed(seed)
    assert unscramble(scramble(data, table), table) == data
    assert scramble(unscramble(data, table), table) == data
