"""PO files as editors and services write them: Poedit, Weblate, a person."""

from __future__ import annotations

from pathlib import Path

import pytest

from overhaul import translate
from overhaul.gamemaker.data.game import GameData
from small_games import again, game_of

SHOWN = 'draw_text(0, 0, "go now"); draw_text(0, 0, "stop"); draw_text(0, 0, "wait");'
PLAIN = """msgid ""
msgstr ""
"Content-Type: text/plain; charset=UTF-8\\n"

msgid "go now"
msgstr "va tout de suite"

msgid "stop"
msgstr "arrête"
"""
POEDIT = """msgid ""
msgstr ""
"Project-Id-Version: a game\\n"
"X-Generator: Poedit 3.4\\n"
"MIME-Version: 1.0\\n"
"Language: fr\\n"
"Content-Transfer-Encoding: 8bit\\n"
"Content-Type: text/plain; charset=UTF-8\\n"
"Plural-Forms: nplurals=2; plural=(n > 1);\\n"

#. obj_a Step_0: draw_text(0, 0, "stop");
#: gml_Object_obj_a_Step_0:2
msgid "stop"
msgstr "arrête"

# a remark of the translator
#: gml_Object_obj_a_Step_0:1
#, no-wrap
msgid ""
"go "
"now"
msgstr ""
"va tout "
"de suite"
"""
WEBLATE = """# A game.
# Copyright
#, fuzzy
msgid ""
msgstr ""
"Content-Type: text/plain; charset=UTF-8\\n"
"X-Generator: Weblate 5.4\\n"

#: gml_Object_obj_a_Step_0:1
#, c-format
msgid "go now"
msgstr "va tout de suite"

msgid "stop"
msgstr "arrête"

#, fuzzy
#| msgid "waits"
msgid "wait"
msgstr "attend"

#~ msgid "gone"
#~ msgstr "parti"

#~| msgid "older"
#~ msgid "old"
#~ msgstr ""
#~ "vieux"
"""


@pytest.fixture(scope="module")
def game() -> GameData:
    game = game_of("2023.4")
    game.add_event("obj_a", "Step_0", SHOWN)
    return again(game)


@pytest.fixture(scope="module")
def wanted(game: GameData) -> str:
    source = game.code["gml_Object_obj_a_Step_0"].gml
    return source.replace("go now", "va tout de suite").replace("stop", "arrête")


@pytest.mark.parametrize("text", [PLAIN, POEDIT, WEBLATE], ids=["plain", "poedit", "weblate"])
@pytest.mark.parametrize("ends", ["\n", "\r\n"], ids=["lf", "crlf"])
@pytest.mark.parametrize("mark", ["", "\ufeff"], ids=["", "bom"])
def test_what_editors_write_is_read(
    game: GameData, wanted: str, text: str, ends: str, mark: str, tmp_path: Path
) -> None:
    path = tmp_path / "fr.po"
    path.write_bytes((mark + text.replace("\n", ends)).encode("utf-8"))
    done = translate.apply(game, translate.load(path))
    assert GameData.from_bytes(done.data).code["gml_Object_obj_a_Step_0"].gml == wanted
    assert (done.texts, done.warnings) == (
        2,
        ["the game has no font, and GameMaker's own has no ê of the translation of 'stop'"],
    )


def test_another_encoding_is_read(game: GameData, wanted: str, tmp_path: Path) -> None:
    path = tmp_path / "fr.po"
    path.write_bytes(PLAIN.replace("UTF-8", "ISO-8859-1").encode("latin-1"))
    done = translate.apply(game, translate.load(path))
    assert GameData.from_bytes(done.data).code["gml_Object_obj_a_Step_0"].gml == wanted


@pytest.mark.parametrize("text", [POEDIT, WEBLATE], ids=["poedit", "weblate"])
def test_update_keeps_what_editors_wrote(game: GameData, text: str, tmp_path: Path) -> None:
    path = tmp_path / "fr.po"
    path.write_text(text, "utf-8")
    done = translate.update(game, translate.load(path))
    kept = {message.msgid: message.msgstr for message in done.messages if not message.obsolete}
    assert kept["go now"] == "va tout de suite"
    assert kept["stop"] == "arrête"
    gone = {message.msgid: message.msgstr for message in done.messages if message.obsolete}
    assert gone == ({"gone": "parti", "old": "vieux"} if text is WEBLATE else {})
    remark = next(message for message in done.messages if message.msgid == "go now").tcomment
    assert remark == ("a remark of the translator" if text is POEDIT else "")
