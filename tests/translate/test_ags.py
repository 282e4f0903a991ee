"""Translations of games of Adventure Game Studio: templates, checks, .tra and .trs files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import polib
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ags_games import TEXTS, game, opened, package, room
from overhaul import translate
from overhaul.ags.documents.game import GameDocument
from overhaul.ags.documents.translation import TranslationDocument
from overhaul.ags.fields import Unterminated
from overhaul.ags.game.game import Game
from overhaul.ags.properties import TextMap
from overhaul.ags.room.records import ObjectNames
from overhaul.ags.script.texts import source_texts
from overhaul.ags.translating import code_page_of, escape, unescape
from overhaul.ags.translation import (
    GameIdBlock,
    NewTextOptionsBlock,
    Pair,
    TextOptionsBlock,
    Translation,
)
from overhaul.errors import EncodeError, FormatError
from overhaul.translate.ags.game import read_glyphs
from overhaul.translate.ags.settings import Settings
from overhaul.translate.rules import read_rules
from typefaces import typeface

#: a game of 3.5, whose texts are in a code page
OLD = (50, "3.5.1.10")


def entry(messages: polib.POFile, text: str) -> polib.POEntry:
    found = messages.find(text)
    assert found is not None
    return found


def translated(made: Game | None = None, **texts: str) -> polib.POFile:
    """The template with some translations, by the first word of the text."""
    messages = translate.extract(opened(made))
    for word, new in texts.items():
        (found,) = [message for message in messages if message.msgid.startswith(word)]
        found.msgstr = new
    return messages


def test_the_texts_are_in_the_order_of_the_editor() -> None:
    messages = translate.extract(opened())
    assert [message.msgid for message in messages] == TEXTS
    said = entry(messages, "&7 I'm Bob.")
    assert said.comment == "cBob: Say\nspeech file Bob7" and said.occurrences == [("Dialog_0", "")]
    shown = entry(messages, "one\ntwo")
    assert shown.comment == "Display" and shown.occurrences == [("GlobalScript.asc", "3")]
    assert entry(messages, "open").comment == "compared"
    assert entry(messages, "You have %d coins, %s.").flags == ["c-format"]
    assert entry(messages, "Score: @SCORE@").occurrences == [("guis/gBar/lScore", "")]
    assert entry(messages, "a lamp").occurrences == [("room1/objects/0", "")]
    assert messages.metadata["Project-Id-Version"] == "Small Game"


def test_the_name_of_the_game_is_translated_from_3_6_on() -> None:
    messages = translate.extract(opened(game(*OLD)))
    assert [message.msgid for message in messages] == TEXTS[1:]


def test_a_text_at_several_places_is_one_entry() -> None:
    made = game()
    assert made.content is not None
    made.content.characters[1].name = "Save"
    found = entry(translate.extract(opened(made)), "Save")
    assert found.occurrences == [("guis/gBar/bSave", ""), ("characters/1", "")]
    assert found.comment == "a button\nthe name of a character"


def test_rooms_and_fonts_next_to_game_data(tmp_path: Path) -> None:
    (tmp_path / "game28.dta").write_bytes(game().to_bytes())
    (tmp_path / "room3.crm").write_bytes(room().to_bytes())
    (tmp_path / "room4.crm").write_bytes(b"broken")
    messages = translate.extract(tmp_path / "game28.dta")
    assert [message.msgid for message in messages] == TEXTS
    assert entry(messages, "a lamp").occurrences == [("room3/objects/0", "")]
    header = messages.header.split("\n")
    assert header[1] == "Texts of these parts of the game are not here:"
    assert header[2].startswith("  missing room4.crm: ")


def test_rooms_come_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    (tmp_path / "game28.dta").write_bytes(game().to_bytes())
    for name in ("room10", "room2", "room1", "intro"):  # which is room 0
        (tmp_path / f"{name}.crm").write_bytes(room().to_bytes())
    found = entry(translate.extract(tmp_path / "game28.dta"), "a lamp")
    places = [name for name, _ in found.occurrences]
    assert places == [f"room{number}/objects/0" for number in (0, 1, 2, 10)]


def test_what_is_not_a_game_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.tra").write_bytes(TranslationDocument().to_bytes())
    (tmp_path / "a.crm").write_bytes(room().to_bytes())
    for name in ("a.tra", "a.crm"):
        with pytest.raises(FormatError, match="got ags-"):
            translate.extract(tmp_path / name)
    broken = bytearray(game().to_bytes())
    broken[400:404] = b"\xff\xff\xff\x7f"
    document = GameDocument.from_bytes(bytes(broken[:-4000]), source="x.dta")
    with pytest.raises(FormatError, match=r"x\.dta: the texts of the game can't be read"):
        translate.extract(document)


# --- .tra -----------------------------------------------------------------------------------


def blocks_of(data: bytes) -> Translation:
    document = TranslationDocument.from_bytes(data)
    assert document.to_bytes() == data
    return document.translation


def test_a_compiled_translation_knows_its_game() -> None:
    made = translate.apply(opened(), translated(Who="Wer bist du?", one="eins\nzwei é"))
    assert (made.texts, made.warnings) == (2, [])
    translation = blocks_of(made.data)
    assert [(p.source, p.text) for p in translation.pairs] == [
        ("Who are you?", "Wer bist du?"),
        ("one\ntwo", "eins\nzwei é"),
    ]
    assert [block.id for block in translation.blocks.blocks] == [2, 1, 3, "ext_sopts"]
    known = translation.blocks.find(2, GameIdBlock)
    assert known is not None and (known.unique_id, known.game_name) == (4711, "Small Game")
    assert isinstance(known.game_name, Unterminated)
    assert isinstance(translation.pairs[0].source, Unterminated)
    texts = translation.blocks.find("ext_sopts", TextMap)
    assert texts is not None and [(e.key, e.value) for e in texts.entries] == [
        ("encoding", "UTF-8")
    ]
    assert translation.trailing == bytes(4) and not translation.short_id


@pytest.mark.parametrize(
    ("version", "compiled", "flags", "language", "ended", "short"),
    [
        (3060021, "3.6.0.51", False, None, False, False),
        (3060300, "3.6.3.3", False, "de_AT", False, False),
        (3060304, "3.6.3.10", True, "de_AT", False, False),
        (4000027, "4.00.00.28", False, "de_AT", False, False),
        (50, "3.5.1.10", False, None, True, False),
        (36, "3.0.1", False, None, True, False),
    ],
)
def test_each_release_has_its_layout(
    version: int, compiled: str, flags: bool, language: str | None, ended: bool, short: bool
) -> None:
    made = game(*OLD)
    messages = translated(made, Who="Wer?")
    messages.metadata["Language"] = "de-AT"
    document = GameDocument.from_bytes(made.to_bytes())
    document.game.version, document.game.header.compiled_with = version, compiled
    translation = blocks_of(translate.apply(document, messages).data)
    options = translation.blocks.find(3, TextOptionsBlock)
    assert isinstance(options, NewTextOptionsBlock) == flags
    texts = translation.blocks.find("ext_sopts", TextMap)
    assert (texts is None) == (version < 3000000)
    assert texts is None or texts.get("language") == language
    assert isinstance(translation.pairs[0].text, Unterminated) != ended
    assert translation.short_id == short


def test_before_3_the_length_of_the_first_block_is_one_too_small() -> None:
    document = GameDocument.from_bytes(game(*OLD).to_bytes())
    document.game.version, document.game.header.compiled_with = 32, "2.72"
    made = blocks_of(translate.apply(document, translated(game(*OLD), Who="Wer?")).data)
    assert made.short_id


def test_before_3_6_texts_are_in_a_code_page() -> None:
    made = game(*OLD, name="Caf\udce9")  # as cp1252 has it
    assert made.content is not None
    made.content.characters[0].name = "Ren\udce9"
    document = opened(made)
    messages = translate.extract(document)
    assert messages.metadata["X-AGS-Encoding"] == "cp1252"
    assert messages.metadata["Project-Id-Version"] == "Café"
    entry(messages, "René").msgstr = "Рене"
    with pytest.raises(EncodeError, match="cp1252 lacks 'Р': set X-AGS-Encoding or Language"):
        translate.apply(document, messages)
    (problem,) = translate.check(document, messages)
    assert problem.message.startswith("cp1252 lacks Р е н: set X-AGS-Encoding or Language")
    messages.metadata["X-AGS-Encoding"] = "cp1251"
    assert translate.check(document, messages) == []
    translation = blocks_of(translate.apply(document, messages).data)
    (pair,) = translation.pairs
    assert pair.source.encode("utf-8", "surrogateescape") == "René".encode("cp1252")
    assert pair.text.encode("utf-8", "surrogateescape") == "Рене".encode("cp1251")
    known = translation.blocks.find(2, GameIdBlock)
    assert known is not None and known.game_name == "Caf\udce9"


def test_without_a_code_page_that_of_the_language_is_taken() -> None:
    made = game(*OLD)
    messages = translated(made, Who="Кто?")
    assert messages.metadata["X-AGS-Encoding"] == "ASCII"
    with pytest.raises(EncodeError, match="cp1252 lacks"):
        translate.apply(opened(made), messages)
    messages.metadata["Language"] = "ru"
    (pair,) = blocks_of(translate.apply(opened(made), messages).data).pairs
    assert pair.text.encode("utf-8", "surrogateescape") == "Кто?".encode("cp1251")
    assert [code_page_of(name) for name in ("pl_PL", "pt_BR", "zh_TW", "zh_CN", "xx")] == [
        "cp1250",
        "cp1252",
        "cp950",
        "cp936",
        "cp1252",
    ]


def test_utf_8_is_refused_in_games_that_can_not_read_it() -> None:
    messages = translated(game(*OLD), Who="Wer?")
    messages.metadata["X-AGS-Encoding"] = "UTF-8"
    with pytest.raises(EncodeError, match=r"games before 3\.6 can't read UTF-8"):
        translate.apply(opened(game(*OLD)), messages)


def test_a_text_is_looked_up_as_it_is_stored_in_a_room(tmp_path: Path) -> None:
    """The game has no foreign letters, so that its own encoding is not known."""
    made, other = game(*OLD), room()
    names = other.blocks.get(5)
    assert names is not None
    names.content = ObjectNames(["lam\udce9"])
    (tmp_path / "game28.dta").write_bytes(made.to_bytes())
    (tmp_path / "room1.crm").write_bytes(other.to_bytes())
    messages = translate.extract(tmp_path / "game28.dta")
    entry(messages, "lamé").msgstr = "é"
    messages.append(polib.POEntry(msgid="ä", msgstr="b"))
    pairs = blocks_of(translate.apply(tmp_path / "game28.dta", messages).data).pairs
    assert [(pair.source, pair.text) for pair in pairs] == [
        ("lam\udce9", "\udce9"),
        ("\udce4", "b"),
    ]


def test_an_unset_letter_names_its_place(tmp_path: Path) -> None:
    made = game(*OLD)
    (tmp_path / "small.ags").write_bytes(package(made))
    messages = translated(made, Who="Ж")
    messages.save(str(tmp_path / "de.po"))
    lines = (tmp_path / "de.po").read_text("utf-8").split("\n")
    line = lines.index('msgid "Who are you?"') - 1  # where its comments begin
    with pytest.raises(EncodeError, match=rf"de\.po: line {line}: cp1252 lacks 'Ж'"):
        translate.apply(tmp_path / "small.ags", translate.load(tmp_path / "de.po"))


def test_settings_are_put_in_and_reported_where_the_release_has_none() -> None:
    messages = translated(Who="Wer?")
    messages.metadata |= {
        "X-AGS-NormalFont": "2",
        "x-ags-speechfont": "1",
        "X-AGS-TextDirection": "right",
        "X-AGS-Font1": "Font0",
        "X-AGS-AutoTranslateParserSaid": "ON",
    }
    made = translate.apply(opened(), messages)
    options = blocks_of(made.data).blocks.find(3, TextOptionsBlock)
    assert options is not None
    assert (options.normal_font, options.speech_font, options.direction) == (2, 1, 2)
    assert made.warnings == [
        "this release has no fonts in place of others",
        "this release has no AutoTranslateParserSaid",
    ]
    again = translate.apply(opened(game(3060021, "3.6.3.10")), messages)
    assert again.warnings == []
    options = blocks_of(again.data).blocks.find(3, NewTextOptionsBlock)
    assert options is not None and options.flags == 1


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("NormalFont", "x", "expected DEFAULT or the number of a font, got 'x'"),
        ("NormalFont", "-2", "expected DEFAULT or the number of a font"),
        ("TextDirection", "UP", "expected DEFAULT, LEFT or RIGHT"),
        ("Encoding", "klingon", "expected UTF-8, ASCII or a code page"),
        ("Encoding", "utf-16", "expected UTF-8, ASCII or a code page"),
        ("Font1", "File=x.ttf;Size=3", "expected a font such as Font2"),
        ("Font1", "File=x.ttf;Settings=1,2", "expected eleven numbers"),
        ("AutoTranslateParserSaid", "YES", "expected ON or OFF"),
        ("Colour", "red", "unknown setting X-AGS-Colour"),
    ],
)
def test_wrong_settings_are_refused(name: str, value: str, message: str) -> None:
    messages = translated(Who="Wer?")
    messages.fpath = "de.po"
    messages.metadata[f"X-AGS-{name}"] = value
    for verb in (translate.apply, translate.check):
        with pytest.raises(EncodeError, match=f"de.po: .*{message}"):
            verb(opened(), messages)
    with pytest.raises(EncodeError, match=message):
        translate.file_bytes(messages, "x.trs")


def test_what_can_not_be_put_in_is_reported() -> None:
    messages = translated(Who="Wer?", Save="Sichern")
    entry(messages, "Save").flags.append("fuzzy")
    messages.append(polib.POEntry(msgid="Who are you?", msgstr="Wer da?"))
    messages.append(polib.POEntry(msgid="Gone", msgstr="Weg"))
    messages.append(polib.POEntry(msgid="Old", msgstr="Alt", obsolete=True))
    messages.append(polib.POEntry(msgid="Bob", msgctxt="x", msgstr="B"))
    messages.append(polib.POEntry(msgid="cup", msgstr="a\0b"))
    made = translate.apply(opened(), messages)
    assert made.warnings == [
        "'Who are you?' has two translations; the first one counts",
        "'Bob' has a context or a plural, which no text has",
        "the translation of 'cup' has a NUL character, which ends a text",
        "'Gone' is not a text that the game shows",
    ]
    assert [p.source for p in blocks_of(made.data).pairs] == ["Who are you?", "Gone"]
    part = translate.apply(GameDocument.from_bytes(game().to_bytes()), messages)
    assert part.warnings[-1].startswith("1 texts, 'Gone' first, are not in what is here")


# --- checks ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "new", "expected"),
    [
        ("&7", "Ich bin Bob.", "it lacks &7"),
        ("&7", "Ich &7 bin Bob.", "&7 is to be at its beginning"),
        ("&7", "&8 Ich bin Bob.", "it lacks &7|it has &8, which the text has not"),
        ("&7", "&7 Ich bin Bob.", ""),
        ("You have", "%s hat %d", "expected the marks %d %s in this order, got %s %d"),
        ("You have", "nichts", "expected the marks %d %s in this order, got none"),
        ("You have", "Du hast %d von %s, 100%%", ""),
        ("Bye", "Leb wohl", "it has 0 line breaks, the text has 1"),
        ("Bye", "Leb \\[wohl]", "it has 0 line breaks, the text has 1"),
        ("Bye", "Leb\nwohl", ""),
        ("Score", "Punkte", "it lacks @SCORE@"),
        ("Score", "@SCORE@ @A@", "it has @A@, which the text has not"),
    ],
)
def test_marks_are_checked(text: str, new: str, expected: str) -> None:
    found = translate.check(opened(), translated(None, **{text: new}))
    assert "|".join(problem.message for problem in found) == expected


def test_letters_that_fonts_lack_are_found() -> None:
    document = opened(letters=("Savebcdé", "Savebcdé"))
    messages = translated(Save="Säve", Bob="cé")
    entry(messages, "cup").msgstr = "ü"
    found = {each.text: each.message for each in translate.check(document, messages)}
    assert found == {"Save": "font 0 lacks ä", "cup": "no font of the game has ü"}
    made = translate.apply(document, messages)
    assert made.warnings == [
        "font 0 lacks ä (1): in 1 translation, that of 'Save' first; --ttf draws them into bitmap "
        "fonts",
        "no font of the game has ü (1): in 1 translation, that of 'cup' first; --ttf draws them "
        "into bitmap fonts",
    ]


def test_a_font_of_the_translation_s_own_has_the_letters() -> None:
    document = opened(letters=("Save", "Save"))
    messages = translated(Save="Säve")
    assert [each.message for each in translate.check(document, messages)] == ["font 0 lacks ä"]
    messages.metadata["X-AGS-Font0"] = "Font1"
    assert [each.message for each in translate.check(document, messages)] == ["font 1 lacks ä"]
    messages.metadata["X-AGS-Font0"] = "File=my.ttf;Settings=0,12,-1,0,0,0,0,0,0,0,1"
    assert translate.check(document, messages) == []


def test_the_font_of_speech_and_messages() -> None:
    """Font 0 shows messages, font 1 speech, unless settings or scripts choose others."""
    document = opened(letters=("ab ", "cd "))
    messages = translated(So="ab", one="ab", Who="ab")
    found = {each.text: each.message for each in translate.check(document, messages)}
    assert found['So "long"!'] == "font 1 lacks a b"
    assert not {"Who are you?"} & found.keys()
    assert found["one\ntwo"] == "it has 0 line breaks, the text has 1"
    messages.metadata |= {"X-AGS-SpeechFont": "0", "X-AGS-NormalFont": "1"}
    found = {each.text: each.message for each in translate.check(document, messages)}
    assert 'So "long"!' not in found
    messages.find("one\ntwo").msgstr = "a\nb"
    assert [each.message for each in translate.check(document, messages)] == ["font 1 lacks a b"]
    made = game()
    assert made.content is not None and made.content.global_script is not None
    made.content.global_script.imports.append("Game::set_SpeechFont")
    document = opened(made, letters=("ab ", "cd "))
    assert translate.check(document, messages) == []


def test_letters_of_a_truetype_font() -> None:
    font = read_glyphs(typeface("AHé"))
    assert font is not None and not font.by_number
    assert font.missing("A éЖ\nH", "cp1252") == "Ж"


def test_progress_counts_the_files_of_the_game() -> None:
    seen: list[tuple[int, int, str]] = []
    translate.extract(opened(rooms=2), progress=lambda *step: seen.append(step))
    assert seen == [
        (0, 3, "game28.dta"), (1, 3, "room1.crm"), (2, 3, "room2.crm"), (3, 3, ""),
    ]  # fmt: skip


def test_glyphs_of_a_font_are_at_the_codes_of_the_encoding() -> None:
    from ags_games import wfn

    font = read_glyphs(wfn("aЖ", "cp1251"))
    assert font is not None
    assert font.missing("aЖb Ж", "cp1251") == "b" and font.missing("aÆ", "cp1252") == ""
    assert font.missing("aЖ", "utf-8") == "Ж"
    assert read_glyphs(b"no font") is None and read_glyphs(b"WGT Font File  ") is None
    assert read_glyphs(b"WGT Font File  \xff\xff") is None
    assert read_glyphs(b"\0\1\0\0" + bytes(50)) is None


# --- .trs -----------------------------------------------------------------------------------


def test_a_source_of_translations_both_ways(tmp_path: Path) -> None:
    messages = translated(Who="Wer bist\tdu?", So='So "lang"!', one="eins\nzwei")
    messages.metadata |= {"Language": "de", "X-AGS-TextDirection": "LEFT"}
    entry(messages, "Save").msgstr, entry(messages, "Save").flags = "Sich\\ern", ["fuzzy"]
    entry(messages, "Bob").tcomment = "a man"
    messages.append(polib.POEntry(msgid="Gone", msgstr="Weg", obsolete=True, flags=["fuzzy"]))
    data = translate.file_bytes(messages, "German.trs")
    text = data.decode("utf-8")
    assert text.count("\n") == text.count("\r\n")
    assert "//#TextDirection=LEFT\r\n" in text and "//#Language=de\r\n" in text
    assert "\r\nWho are you?\r\nWer bist\\tdu?\r\n" in text
    assert '\r\nSo "long"!\r\nSo "lang"!\r\n' in text
    assert "\r\n// fuzzy: Sich\\\\ern\r\nSave\r\n\r\n" in text
    assert "\r\n// a man\r\nBob\r\n\r\n" in text
    assert text.endswith("//$OBSOLETE\r\nGone\r\nWeg\r\n")
    (tmp_path / "German.trs").write_bytes(data)
    again = translate.load(tmp_path / "German.trs")
    kept = ("msgid", "msgstr", "tcomment", "flags", "obsolete")
    for old, new in zip(messages, again, strict=True):
        flags = [flag for flag in old.flags if flag == "fuzzy" and not old.obsolete]
        expected = [flags if name == "flags" else getattr(old, name) for name in kept]
        assert [getattr(new, name) for name in kept] == expected
    names = ("Language", "X-AGS-TextDirection", "X-AGS-Encoding", "X-AGS-NormalFont")
    assert [again.metadata[name] for name in names] == ["de", "LEFT", "UTF-8", "DEFAULT"]
    first = translate.apply(opened(), messages).data
    assert translate.apply(opened(), again).data == first
    (tmp_path / "German.tra").write_bytes(first)
    compiled = translate.load(tmp_path / "German.tra")
    assert translate.apply(opened(), compiled).data == first


def test_quotes_of_scripts_are_escaped_as_there() -> None:
    made = game()
    messages = translate.extract(opened(made))
    found = entry(messages, 'So "long"!')
    found.occurrences = [("GlobalScript.asc", "3")]
    assert b'\r\nSo \\"long\\"!\r\n' in translate.file_bytes(messages, "x.trs")


@given(st.text(st.characters(codec="utf-8", exclude_characters="\0")), st.booleans())
def test_a_text_comes_back_from_its_line(text: str, quotes: bool) -> None:
    line = escape(text, quotes=quotes)
    assert "\n" not in line and "\r" not in line
    assert unescape(line) == text


@pytest.mark.parametrize(
    ("line", "text"),
    [
        (r"a\nb", "a\nb"),
        (r"a\\nb", r"a\nb"),
        (r"\"x\"", '"x"'),
        (r"a\[b", r"a\[b"),
        (r"\x41\u0416", "AЖ"),
        (r"\ud800\x0", r"\ud800\x0"),
        (r"\q", "q"),
        ("a[b", "a[b"),
    ],
)
def test_escapes_of_lines(line: str, text: str) -> None:
    assert unescape(line) == text


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"//#NormalFont=x\n", "line 1: X-AGS-NormalFont: expected DEFAULT"),
    ],
)
def test_wrong_lines_are_refused(tmp_path: Path, data: bytes, message: str) -> None:
    (tmp_path / "x.trs").write_bytes(data)
    with pytest.raises(FormatError, match=rf"x\.trs: {message}"):
        translate.load(tmp_path / "x.trs")


LINES = [
    # (the file, texts and translations, headers)
    (b"a\nb\n\n// c\nd\ne\n", {"a": "b", "d": "e"}, {}),  # an empty text, which // c translates
    (b"\nDemo\nHello\nHola\n", {"Hello": "Hola"}, {}),
    (b"Hello\n\nHello\nBuenas\n", {"Hello": ""}, {}),  # the first counts
    (b"Hello\nHola\n// x\nHello\nBuenas\nb\nc\n", {"Hello": "Hola", "b": "c"}, {}),
    (b"a\\x41\nb\naA\nc\n", {"aA": "b"}, {}),  # the same text, written otherwise
    (b"Hello\r\nHola\r\nlast", {"Hello": "Hola", "last": ""}, {}),
    (b"Hello\rHola\ra\rb", {"Hello": "Hola", "a": "b"}, {}),
    (b"\n\n\n", {}, {}),
    (b"", {}, {}),
    (b"// x\n", {}, {}),
    (
        b"//#GameID=7772\n//#GameName=cult: 2\n// c\nHello\nHola\n",
        {"Hello": "Hola"},
        {"X-AGS-GameID": "7772", "X-AGS-GameName": "cult: 2"},
    ),
    (b"a\nb\n//#Mood= Blue \nc\nd\n", {"a": "b", "c": "d"}, {"X-AGS-Tag-Mood": "Blue"}),
    (b"//#Encoding=UTF-8\nGames\xe9\nJuegos\n", {"Games\ufffd": "Juegos"}, {}),
    (b"//#Encoding=cp932\na\n\x81\n", {"a": "\ufffd"}, {}),
    (b"a\n\x81\n", {"a": "\ufffd"}, {}),
    (b"\xef\xbb\xbf// c\nHello\nHola\n// end", {"Hello": "Hola"}, {}),
]


@pytest.mark.parametrize(("data", "texts", "headers"), LINES)
def test_lines_are_read_as_the_editor_does_and_written_as_they_were(
    tmp_path: Path, data: bytes, texts: dict[str, str], headers: dict[str, str]
) -> None:
    path = tmp_path / "x.trs"
    path.write_bytes(data)
    messages = translate.load(path)
    assert {entry.msgid: entry.msgstr for entry in messages} == texts
    assert {name: messages.metadata.get(name) for name in headers} == headers
    assert translate.file_bytes(messages, path) == data
    (tmp_path / "x.po").write_bytes(translate.file_bytes(messages, "x.po"))
    again = translate.load(tmp_path / "x.po")
    assert {entry.msgid: entry.msgstr for entry in again} == texts
    if "\ufffd" in texts.values():
        with pytest.raises(EncodeError, match="has '\ufffd', which"):
            translate.file_bytes(again, "y.trs")
        return
    (tmp_path / "y.trs").write_bytes(translate.file_bytes(again, "y.trs"))
    last = translate.load(tmp_path / "y.trs")
    assert {entry.msgid: entry.msgstr for entry in last} == texts
    assert {name: last.metadata.get(name) for name in headers} == headers


def test_only_what_was_changed_is_written_otherwise(tmp_path: Path) -> None:
    path = tmp_path / "x.trs"
    data = (
        b"// head\n//#NormalFont=DEFAULT\n//#GameName=x\n// note\nHello\rHola\n"
        b"//#x=y\n// two\nb\\x63\nc\n\nd\ne\nf\n// end"
    )
    path.write_bytes(data)

    def changed(edit: Callable[[polib.POFile], object]) -> bytes:
        messages = translate.load(path)
        edit(messages)
        return translate.file_bytes(messages, path)

    def set_(number: int, **values: object) -> Callable[[polib.POFile], object]:
        return lambda messages: vars(messages[number]).update(values)

    assert changed(set_(0, msgstr="Salut")) == data.replace(b"Hola\n", b"Salut\r\n")
    assert changed(set_(1, msgstr="")) == data.replace(b"c\n\n", b"\r\n\n", 1)
    assert changed(set_(1, tcomment="three")) == data.replace(
        b"// two\nb\\x63\nc\n", b"// three\r\nb\\x63\nc\r\n"
    )
    assert changed(set_(1, flags=["fuzzy"])) == data.replace(
        b"// two\nb\\x63\nc\n", b"// two\r\n// fuzzy: c\r\nb\\x63\n\r\n"
    )
    assert changed(set_(1, msgid="new")) == data.replace(
        b"//#x=y\n// two\nb\\x63\nc\n", b"// two\r\nnew\r\nc\r\n"
    )
    assert changed(lambda m: m.append(polib.POEntry(msgid="g", msgstr="h"))) == data.replace(
        b"// end", b"g\r\nh\r\n// end"
    )
    font = changed(lambda m: m.metadata.update({"X-AGS-NormalFont": "3", "X-AGS-Tag-y": "z"}))
    assert font == b"//#y=z\r\n" + data.replace(b"NormalFont=DEFAULT\n", b"NormalFont=3\r\n")
    gone = changed(lambda m: m.metadata.pop("X-AGS-Tag-x"))
    assert gone == data.replace(b"//#x=y\n", b"")


def test_the_encoding_of_lines(tmp_path: Path) -> None:
    path = tmp_path / "x.trs"
    for data, encoding, named, text in [
        ("a\r\né\r\n".encode("cp1252"), None, "cp1252", "é"),
        ("a\né\n".encode("utf-8-sig"), None, "UTF-8", "é"),
        ("a\nж\n".encode("cp1251"), "cp1251", "cp1251", "ж"),
        ("//#Encoding=cp1251\na\nж\n".encode("cp1251"), None, "cp1251", "ж"),
        (b"//#Encoding=ASCII\na\ne\n", None, "ASCII", "e"),
    ]:
        path.write_bytes(data)
        messages = translate.load(path, encoding=encoding)
        assert [(e.msgid, e.msgstr) for e in messages] == [("a", text)]
        assert messages.metadata["X-AGS-Encoding"] == named
        assert translate.file_bytes(messages, path) == data
    path.write_bytes(b"a\n\x81\n")
    with pytest.raises(FormatError, match=r"x\.trs: line 2: not a text in cp932"):
        translate.load(path, encoding="cp932")
    with pytest.raises(FormatError, match="unknown encoding 'x'"):
        translate.load(path, encoding="x")
    messages = polib.POFile()
    messages.append(polib.POEntry(msgid="a", msgstr="ж"))
    with pytest.raises(EncodeError, match="has 'ж', which cp1252 lacks: set X-AGS-Encoding"):
        translate.file_bytes(messages, "x.trs")
    messages.append(polib.POEntry(msgid="// a", msgstr="b"))
    with pytest.raises(EncodeError, match=r"a \.trs can't have the text '// a'"):
        translate.file_bytes(messages, "x.trs")


def test_a_compiled_translation_in_a_code_page(tmp_path: Path) -> None:
    made = game(*OLD)
    messages = translated(made, Who="Кто?")
    messages.metadata["X-AGS-Encoding"] = "cp1251"
    data = translate.apply(opened(made), messages).data
    (tmp_path / "ru.tra").write_bytes(data)
    guessed = translate.load(tmp_path / "ru.tra")
    assert guessed.metadata["X-AGS-Encoding"] == "cp1252"
    loaded = translate.load(tmp_path / "ru.tra", encoding="cp1251")
    assert [(e.msgid, e.msgstr) for e in loaded] == [("Who are you?", "Кто?")]
    assert translate.apply(opened(made), loaded).data == data
    assert translate.apply(opened(made), guessed).data == data
    with pytest.raises(FormatError, match=r"ru\.tra: unknown encoding 'no'"):
        translate.load(tmp_path / "ru.tra", encoding="no")


def test_the_first_of_several_translations_counts(tmp_path: Path) -> None:
    document = TranslationDocument.from_bytes(translate.apply(opened(), translated(Who="x")).data)
    pair = document.translation.pairs[0]
    others = [Pair(pair.source, type(pair.text)("y")), Pair(type(pair.text)(""), pair.text)]
    document.translation.set_pairs([pair, *others])
    (tmp_path / "a.tra").write_bytes(document.to_bytes())
    assert [(e.msgid, e.msgstr) for e in translate.load(tmp_path / "a.tra")] == [
        ("Who are you?", "x")
    ]


def test_bytes_without_a_letter_are_reported(tmp_path: Path) -> None:
    document = TranslationDocument.from_bytes(translate.apply(opened(), translated(Who="x")).data)
    document.translation.pairs[0].text = "\udc81"
    data = document.to_bytes()
    (tmp_path / "a.tra").write_bytes(data)
    with pytest.raises(FormatError, match=r"a\.tra: pairs\[0\]: not a text in utf-8$"):
        translate.load(tmp_path / "a.tra")
    (tmp_path / "a.tra").write_bytes(data.replace(b"UTF-8", b"ASCII"))
    with pytest.raises(FormatError, match=r"pairs\[0\]: not a text in cp1252: name its code page"):
        translate.load(tmp_path / "a.tra")
    (loaded,) = translate.load(tmp_path / "a.tra", encoding="latin-1")
    assert loaded.msgstr == "\x81"


def test_fonts_of_a_translation_come_back() -> None:
    settings = Settings()
    settings.take("Font2", "Font0")
    settings.take("Font3", "File=my.ttf;Settings=0,12,-1,0,0,0,0,0,0,0,1")
    again = Settings.of(settings.headers())
    assert again == settings and again.fonts[1].settings == [0, 12, -1, *[0] * 7, 1]


def test_texts_of_source() -> None:
    source = b'// "no"\nDisplay("a \\"b\\" \\[ \\n");\n/* "no" */ x = \'"\'; Say("\xe9");'
    found = [(text.text, text.line) for text in source_texts(source)]
    assert found == [('a "b" \\[ \n', 2), ("\udce9", 3)]


def test_an_update_keeps_the_settings() -> None:
    messages = translated(Who="Wer?")
    messages.metadata["X-AGS-SpeechFont"] = "1"
    made = game()
    assert made.content is not None
    made.content.dialogs[0].options[0] = "Who are you??"
    done = translate.update(opened(made), messages)
    assert done.fuzzy == 1 and done.messages.metadata["X-AGS-SpeechFont"] == "1"
    changed = entry(done.messages, "Who are you??")
    assert changed.msgstr == "Wer?" and changed.previous_msgid == "Who are you?"


# --- rules ----------------------------------------------------------------------------------


def rules(text: str) -> translate.Rules:
    return read_rules(text.encode())


def test_rules_change_which_texts_are_there() -> None:
    made = rules(
        '[exclude]\ntexts = ["Save"]\npatterns = ["a .*"]\nentries = ["room1/hot*"]\n'
        'functions = ["compared", "Say"]\n[include]\ntexts = ["Bob"]\npatterns = ["So.*"]\n'
    )
    found = [each.msgid for each in translate.extract(opened(), rules=made)]
    gone = {"Save", "a lamp", "the door", "open", "&7 I'm Bob."}
    assert found == [text for text in TEXTS if text not in gone]
    messages = translated(Save="Sichern", Who="Wer?")
    (problem,) = translate.check(opened(), messages, rules=made)
    assert (problem.text, problem.message) == ("Save", "the game does not show this text")
    done = translate.apply(opened(), messages, rules=made)
    assert done.warnings == ["'Save' is left out: a rule excludes it"]
    assert [pair.source for pair in blocks_of(done.data).pairs] == ["Who are you?"]


def test_each_decision_is_explained() -> None:
    made = game()
    assert made.content is not None
    made.content.gui.buttons[0].text = "42"
    made.content.characters[1].name = "// Bob"

    def why(text: str, more: str = "") -> list[tuple[str, bool, str]]:
        found = translate.explain(opened(made), text, rules=rules(more) if more else None)
        return [(each.where, each.shown, each.reason) for each in found]

    listed = "the editor lists it for a translation"
    assert why("open") == [("GlobalScript.asc", True, listed)]
    assert why("42") == [("guis/gBar/bSave", True, listed)]
    comment = "it begins like a comment of a .trs"
    assert why("// Bob") == [("characters/1", False, comment)]
    both = '[include]\ntexts = ["42"]\n[exclude]\npatterns = ["4."]'
    assert why("42", both) == [("guis/gBar/bSave", True, "a rule includes it")]
    assert why("open", '[exclude]\nfunctions = ["comp*"]') == [
        ("GlobalScript.asc", False, "a rule excludes it")
    ]
    assert why("nothing") == []
