"""Characters as people write them down."""

from __future__ import annotations

from pathlib import Path

import pytest

from overhaul.errors import FormatError
from overhaul.gamemaker import letters_of_strings, read_characters
from small_games import game_of


def test_ranges() -> None:
    assert "".join(read_characters(["65-67,U+0416", "0xe9, 97"])) == "ABCaéЖ"
    assert read_characters([]) == []
    assert read_characters(["U+FFFF-U+FFFF"]) == ["\uffff"]


@pytest.mark.parametrize(
    "word", ["67-65", "U+10000", "65-U+10000", "E9", "A-Z", "65,", "", "none.txt"]
)
def test_what_is_no_range(word: str) -> None:
    with pytest.raises(ValueError, match="expected"):
        read_characters([word])


def test_files(tmp_path: Path) -> None:
    path = tmp_path / "letters.txt"
    path.write_bytes("\ufeffñ\r\n¿ a".encode())
    assert "".join(read_characters([str(path), "98"])) == " ab¿ñ"
    path.write_bytes(b"a\xff")
    with pytest.raises(FormatError, match="UTF-8") as caught:
        read_characters([str(path)])
    assert (caught.value.source, caught.value.offset) == (str(path), 1)


def test_letters_of_strings() -> None:
    game = game_of("2024.14")
    game.strings.add("ñ\n\t😀Ж")
    letters = letters_of_strings(game)
    assert "ñ" in letters and "Ж" in letters and "o" in letters
    assert not set("\n\t😀") & set(letters) and list(letters) == sorted(set(letters))
