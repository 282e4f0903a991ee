"""What files are said to be that no format reads."""

from __future__ import annotations

from pathlib import Path

import pytest

import overhaul
from overhaul.document.sniff import DAMAGED, is_damaged
from overhaul.errors import FormatError
from small_games import game_of


def converted(data: bytes) -> bytes:
    """What a program makes of a file that it reads and writes as text in UTF-8."""
    return data.decode("utf-8", "replace").encode()


BINARY = b"unknown magic\0" + bytes(range(256)) * 8


def said_of(data: bytes) -> str:
    with pytest.raises(FormatError) as caught:
        overhaul.open(data)
    return caught.value.message


def test_a_file_that_was_converted_to_utf8_is_named_as_such() -> None:
    assert said_of(converted(BINARY)) == DAMAGED
    assert "EF BF BD" in DAMAGED
    assert "it begins with the bytes" in said_of(BINARY)


def test_so_is_a_game_whose_beginning_is_still_there() -> None:
    game = game_of("2023.4")
    for number in range(40):
        game.strings.add(bytes([number + 160] * 9).decode("utf-8", "surrogateescape"))
    data = game.to_bytes()
    assert data[:4] == converted(data)[:4] == b"FORM"
    message = said_of(converted(data))
    assert message.startswith(DAMAGED) and len(message) > len(DAMAGED) + 10


def test_texts_and_other_binary_files_are_not_damaged() -> None:
    mark = b"\xef\xbf\xbd"
    assert is_damaged(b"\0" + mark * 8)
    assert not is_damaged(b"\0" + mark * 7)
    assert not is_damaged(mark * 100)  # a text
    assert not is_damaged(b"\0" + mark * 8 + b"\xff")
    assert not is_damaged(b"\0" + mark * 8 + "\u00e9".encode() * 50)
    assert is_damaged(b"\0" + mark * (1 << 19))  # the sample ends inside a mark


def test_an_ags_translation_source_is_named() -> None:
    assert ".trs" in said_of(b"// AGS TRANSLATION SOURCE FILE\r\n// Format is\r\nHello\r\n")


def test_a_project_of_game_maker_8_2_as_text_is_named() -> None:
    lines = ["gameid=762953632", "", "info_author=me", "info_version=820", "exe_version=0.1.0.0"]
    for text in ("\n".join(lines), "\r\n".join(lines)):
        assert "a Game Maker 8.2 project saved as text without gm82_version" in said_of(
            text.encode()
        )
    with overhaul.open("\r\n".join(["gm82_version=5", *lines]).encode()) as document:
        assert document.kind == "gamemaker-gm82-project"
    for missing in range(len(lines)):
        others = [line for index, line in enumerate(lines) if index != missing]
        named = "8.2" in said_of("\n".join(others).encode())
        assert named == (lines[missing] == "")


@pytest.mark.parametrize("root", ["ExportedGUI", "ExportedCharacter"])
def test_what_the_editor_of_ags_exports(root: str) -> None:
    head = '<?xml version="1.0" encoding="Windows-1252"?><!--AGS Exported file. DO NOT EDIT-->'
    message = said_of(f'{head}<{root} Version="1"><Name>x</Name></{root}>'.encode())
    kind = {"ExportedGUI": "a GUI (.guf)", "ExportedCharacter": "a character (.chr)"}[root]
    assert message.startswith(f"{kind}, which the editor of Adventure Game Studio exported")


def test_the_files_of_a_web_player(tmp_path: Path) -> None:
    path = tmp_path / "runner.data"
    path.write_bytes(BINARY)
    with pytest.raises(FormatError, match="files of the player of a web build"):
        overhaul.open(path)
