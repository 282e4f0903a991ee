"""Translations put into made games."""

from __future__ import annotations

import re
from pathlib import Path

import polib
import pytest
from PIL import Image

from drawn_games import add_object, drawn_game
from overhaul import translate
from overhaul.errors import FormatError
from overhaul.gamemaker.data.blank import blank_game
from overhaul.gamemaker.data.game import GameData
from small_games import again, game_of

STEP = "gml_Object_obj_a_Step_0"


def made(version: str, source: str) -> GameData:
    game = game_of(version)
    game.add_event("obj_a", "Step_0", source)
    return again(game)


def po(**texts: str) -> polib.POFile:
    made = polib.POFile()
    made.extend(polib.POEntry(msgid=text, msgstr=new) for text, new in texts.items())
    return made


def step_of(data: bytes) -> str:
    game = GameData.from_bytes(data)
    assert game.to_bytes() == data
    game.decode()
    assert game.to_bytes() == data
    return game.code[STEP].gml


@pytest.mark.parametrize("version", ["1.4.1763", "2023.4", "2024.13"])
def test_a_text_changes_only_where_it_is_shown(version: str) -> None:
    game = made(version, 'draw_text(0, 0, "go");\nif (k == "go") n = "go";')
    before = game.to_bytes()
    done = translate.apply(game, po(go="va"))
    assert step_of(done.data) == 'draw_text(0, 0, "va");\nif (k == "go")\n{\n    n = "go";\n}'
    assert (done.texts, done.warnings) == (1, [])
    assert game.to_bytes() == before and game.code[STEP].gml.count('"va"') == 0


@pytest.mark.parametrize("version", ["1.4.1763", "2023.4"])
def test_a_text_that_another_entry_uses_as_a_key(version: str) -> None:
    game = made(version, 'draw_text(0, 0, "go"); draw_text(9, 9, "go");')
    game.add_event("obj_a", "Create_0", 'k = ds_map_find_value(m, "go");')
    keys = game.code["gml_Object_obj_a_Create_0"].gml
    done = translate.apply(game, po(go="va"))
    assert step_of(done.data) == 'draw_text(0, 0, "va");\ndraw_text(9, 9, "va");'
    assert GameData.from_bytes(done.data).code["gml_Object_obj_a_Create_0"].gml == keys


def test_a_translation_that_is_a_text_of_the_game() -> None:
    game = made("2023.4", 'draw_text(0, 0, "go");\ndraw_text(0, 0, "va");')
    done = translate.apply(game, po(go="va", va="go"))
    assert step_of(done.data) == 'draw_text(0, 0, "va");\ndraw_text(0, 0, "go");'


def test_templates() -> None:
    game = made("2024.13", 'draw_text(0, 0, $"at {k}");')
    done = translate.apply(game, po(**{"at {0}": "à {0} h"}))
    assert step_of(done.data) == 'draw_text(0, 0, $"à {k} h");'


def test_nothing_translated_is_the_identical_game() -> None:
    game = made("2023.4", 'draw_text(0, 0, "go");')
    data = game.to_bytes()
    fuzzy, gone = po(go="va"), po(go="va")
    fuzzy[0].flags.append("fuzzy")
    gone[0].obsolete = True
    for messages in (translate.extract(game), po(go="go"), fuzzy, gone):
        done = translate.apply(game, messages)
        assert (done.data, done.texts, done.warnings) == (data, 0, [])


def test_what_cant_be_put_in_is_reported() -> None:
    game = made("2023.4", 'draw_text(0, 0, "go");\nk = "hidden";')
    messages = po(hidden="x", never="y")
    messages += [
        polib.POEntry(msgid="go", msgstr="va", msgctxt="verb"),
        polib.POEntry(msgid="go", msgstr="a\0b"),
    ]
    done = translate.apply(game, messages)
    assert done.data == game.to_bytes()
    assert done.warnings == [
        "'go' has a context or a plural, which no text has",
        "the translation of 'go' has a NUL character, which ends a text",
        "'hidden' is not a text that the game shows",
        "'never' is not a text that the game shows",
    ]
    plural = po()
    plural.append(polib.POEntry(msgid="go", msgid_plural="gos", msgstr_plural={0: "va", 1: "van"}))
    done = translate.apply(game, plural)
    assert done.warnings == ["'go' has a context or a plural, which no text has"]
    twice = po(go="va")
    twice.append(polib.POEntry(msgid="go", msgstr="corre"))
    done = translate.apply(game, twice)
    assert done.warnings == ["'go' has two translations; the first one counts"]
    assert '"va"' in step_of(done.data)


def test_lines_of_a_trs_that_are_no_messages_are_reported(tmp_path: Path) -> None:
    """A line that is missing shifts all that follow, until an empty line seems to be a text."""
    game = made("2023.4", 'draw_text(0, 0, "go");\ndraw_text(0, 0, "stop");')
    file = tmp_path / "es.trs"
    file.write_text("go\nva\n\nalto\n\nfin\ngo\ncorre\nstop\nalto\nstop\nalto\n", "utf-8")
    done = translate.apply(game, translate.load(file))
    assert (done.texts, done.warnings) == (
        2,
        [
            "line 3: the empty line is a text, which the next line translates (1 more)",
            "line 7: 'go' has two translations; the first counts",
        ],
    )
    file.write_text("go\nva\n\n\n", "utf-8")
    assert translate.apply(game, translate.load(file)).warnings == []


def test_letters_that_no_font_has() -> None:
    game = drawn_game("2023.4")
    square = (0, 0, 8, 8)
    for name, letters in (("fnt_small", "va "), ("fnt_big", "b ")):
        picture = Image.new("RGBA", (8, 8), "white")
        game.fonts.add(name, picture, dict.fromkeys(letters, square))
    add_object(game, "obj_a", None)
    game.add_event("obj_a", "Step_0", 'draw_text(0, 0, "go"); draw_text(0, 0, "by");')
    messages = po(go="va\nb", by="Жa日")
    done = translate.apply(game, messages)
    assert done.warnings == ["no font of the game has Ж 日 of the translation of 'by'"]
    assert done.texts == 2
    found = [each.message for each in translate.check(game, messages)]
    assert found == [
        "it has 1 line breaks, the text has 0",
        "no font of the game has Ж 日",
    ]


@pytest.mark.parametrize(
    ("version", "text", "new", "messages"),
    [
        ("2023.4", "{0} of %1", "%1 {0}", []),
        ("2023.4", "{0} of %1", "{0} {0}", ["it lacks %1", "it has {0}, which the text has not"]),
        ("2023.4", "at %s", "at", ["it lacks %s"]),
        ("2023.4", "at 100%", "cent %", []),
        ("2023.4", "a\nb", "ab", ["it has 0 line breaks, the text has 1"]),
        ("2023.4", "a#b", "ab", []),
        ("1.4.1763", "a#b", "ab", ["it has 0 line breaks, the text has 1"]),
        ("1.4.1763", "a#b", "a\nb", []),
        ("1.4.1763", "a\\#b", "ab", []),
        ("2023.4", "other", "x", ["the game does not show this text"]),
    ],
)
def test_checks(version: str, text: str, new: str, messages: list[str]) -> None:
    quoted = text.replace("\\", "\\\\").replace("\n", "\\n") if version == "2023.4" else text
    shown = "none" if text == "other" else quoted
    game = made(version, f'draw_text(0, 0, "{shown}");')
    found = translate.check(game, po(**{text: new}))
    assert [each.message for each in found] == messages
    fuzzy = po(**{text: new})
    fuzzy[0].flags.append("fuzzy")
    assert translate.check(game, fuzzy) == []


HEAD = 'msgid ""\nmsgstr "Content-Type: text/plain; charset={}\\n"\n\n'


@pytest.mark.parametrize(
    ("data", "new"),
    [
        ((HEAD.format("UTF-8") + 'msgid "go"\nmsgstr "vé"\n').encode(), "vé"),
        (b'# a\n#. b\n#: c:1\n#, x\n#| msgid "o"\nmsgid "go"\nmsgstr "v\\"\\n"', 'v"\n'),
        (b'msgid "go"\nmsgstr "v"\n\n#~ msgid "a"\n#~ msgstr ""\n#~ "b"\n', "v"),
        ((HEAD.format("UTF-8") + 'msgid "go"\nmsgstr "vé"\n').replace("\n", "\r\n").encode(), "vé"),
        (b"\xef\xbb\xbf" + 'msgid "go"\nmsgstr ""\n"v"\n"é"\n'.encode(), "vé"),
    ],
)
def test_files_of_editors(tmp_path: Path, data: bytes, new: str) -> None:
    (tmp_path / "es.po").write_bytes(data)
    entry = translate.load(tmp_path / "es.po")[0]
    assert (entry.msgid, entry.msgstr) == ("go", new)


def test_another_charset(tmp_path: Path) -> None:
    text = (
        'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=iso-8859-1\\n"\n\n'
        'msgid "go"\nmsgstr "vé"\n'
    )
    (tmp_path / "es.po").write_bytes(text.encode("latin-1"))
    assert translate.load(tmp_path / "es.po")[0].msgstr == "vé"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b'msgid "go"\nmsgstr oops\n', "line 2: expected a line of a PO file, got 'msgstr oops'"),
        (b'msgid "go\nmsgstr "x"\n', "line 1: expected a line"),
        (b'msgid "a "b"\nmsgstr ""\n', "line 1: expected a line"),
        (b"hello\n", "line 1: expected a line"),
        (b"hello", "line 1: expected a line"),
        (b'msgstr "a"\nmsgid "b"\n', "not a PO file: "),
        (b'msgid "a"\nmsgstr "\xff"\n', "not a text in its encoding: "),
        (b'msgid ""\nmsgstr ""\n"charset=none-such\\n"\n', "not a text in its encoding: "),
    ],
)
def test_files_that_are_none(tmp_path: Path, data: bytes, message: str) -> None:
    (tmp_path / "es.po").write_bytes(data)
    with pytest.raises(FormatError, match=re.escape(message)) as error:
        translate.load(tmp_path / "es.po")
    assert str(tmp_path / "es.po") in str(error.value)


def test_other_files_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.po").write_text("hello")
    with pytest.raises(FormatError):
        translate.extract(tmp_path / "a.po")
    data = blank_game({"version": "2023.4"}).to_bytes()
    (tmp_path / "blank.win").write_bytes(data)
    assert translate.apply(tmp_path / "blank.win", po(go="va")).data == data
