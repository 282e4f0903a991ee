"""The .trs of a project as the .tra of its game."""

from __future__ import annotations

import pytest

from overhaul.ags.fields import Unterminated
from overhaul.ags.project.building.releases import release_of
from overhaul.ags.project.building.translations import translation_of
from overhaul.ags.properties import TextMap
from overhaul.ags.translation import (
    GAME_ID,
    TEXT_OPTIONS,
    GameIdBlock,
    TextOptionsBlock,
    Translation,
)
from overhaul.errors import SourceError
from overhaul.findings import Findings

HEAD = "// comment\n//#NormalFont=2\n//#TextDirection=RIGHT\n//#Encoding=UTF-8\n"


def made(text: str, editor: str = "3.6.2.12", encoding: str = "utf-8") -> Translation:
    """The translation, read again."""
    findings = Findings()
    release = release_of(editor, "")
    data = translation_of(text.encode(encoding), "a.trs", release, 4711, "A game", findings)
    return Translation.read(data)


def test_texts_and_settings() -> None:
    translation = made(f"{HEAD}one\nein\\ns\nempty\n\nÄ\nß\n")
    assert [(pair.source, pair.text) for pair in translation.pairs] == [
        ("one", "ein\ns"),
        ("Ä", "ß"),
    ]
    assert all(isinstance(pair.text, Unterminated) for pair in translation.pairs)
    game = translation.blocks.find(GAME_ID, GameIdBlock)
    options = translation.blocks.find(TEXT_OPTIONS, TextOptionsBlock)
    assert game is not None and options is not None
    assert (game.unique_id, game.game_name) == (4711, "A game")
    assert (options.normal_font, options.speech_font, options.direction) == (2, -1, 2)
    texts = translation.blocks.find("ext_sopts", TextMap)
    assert texts is not None and texts.get("encoding") == "UTF-8"


def test_old_releases_keep_the_bytes_of_the_system() -> None:
    translation = made("T\xfcr\nporte\n", "3.5.0.24", "cp1252")
    assert [(pair.source, pair.text) for pair in translation.pairs] == [("T\udcfcr", "porte")]
    assert not isinstance(translation.pairs[0].text, Unterminated)
    assert translation.blocks.get("ext_sopts") is None


def test_of_two_translations_the_first_counts() -> None:
    findings = Findings()
    text = b"a\nx\na\ny\na\nx\n"
    data = translation_of(text, "a.trs", release_of("3.6.2.12", ""), 1, "", findings)
    assert [pair.text for pair in Translation.read(data).pairs] == ["x"]
    assert [(one.code, one.path, one.line) for one in findings] == [
        ("two-translations", "a.trs", 3)
    ]


def test_a_translation_without_texts_is_an_error_before_3_6() -> None:
    with pytest.raises(SourceError, match="no translated line"):
        made("a\n\n", "3.5.0.24")
    assert made("a\n\n").pairs == []


def test_settings_that_are_not_valid() -> None:
    with pytest.raises(SourceError) as caught:
        made("// a\n//#NormalFont=big\n")
    assert (caught.value.name, caught.value.line) == ("a.trs", 2)


@pytest.mark.parametrize("name", ["klingon", "cp12\x0052", "base64"])
def test_an_encoding_that_there_is_not_is_an_error(name: str) -> None:
    with pytest.raises(SourceError, match="expected UTF-8, ASCII or a code page") as caught:
        made(f"//#Encoding={name}\na\nb\n")
    assert (caught.value.name, caught.value.line) == ("a.trs", 1)
