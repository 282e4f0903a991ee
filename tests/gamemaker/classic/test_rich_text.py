"""The text of game information (RTF), and what the language tools know of a project."""

from __future__ import annotations

import pytest

from drawn_projects import Made, pixels
from overhaul.gamemaker.classic.documents.games import plain_text
from overhaul.gamemaker.classic.resources import Script


@pytest.mark.parametrize(
    ("rtf", "text"),
    [
        (rb"{\rtf1 Press keys.}", "Press keys."),
        (rb"{\rtf1\ansi\b bold\b0  plain}", "bold plain"),
        (rb"{\rtf1 one\par two\line three\tab x}", "one\ntwo\nthree\tx"),
        (b"{\\rtf1 one\r\ntwo\\par\r\nthree}", "onetwo\nthree"),
        (rb"{\rtf1{\fonttbl{\f0\fnil Arial;}}{\colortbl;\red0;}{\info{\author me}}text}", "text"),
        (rb"{\rtf1{\*\generator Msftedit;}text{\*\unknown gone}}", "text"),
        (rb"{\rtf1 a {\i b {\b c}} d}", "a b c d"),
        (rb"{\rtf1 caf\'e9 \'80}", "café €"),
        (rb"{\rtf1 \u8364?5 \u-4051?x}", "€5 \uf02dx"),
        (rb"{\rtf1\uc0 \u8364 5}", "€5"),
        (rb"{\rtf1\uc2\u8364 \'3f\'3f5}", "€5"),
        (rb"{\rtf1 {\uc0 \u65 }\u66?C}", "ABC"),
        (rb"{\rtf1 \u55357?x}", "�x"),
        (rb"{\rtf1 \{a\}\\ b\~c\_d}", "{a}\\ b c-d"),
        (rb"{\rtf1 \ldblquote a\rdblquote  \emdash  \bullet}", "“a” — •"),
        (b"{\\rtf1 a}\0", "a"),
        (rb"{\rtf1 a}}}} b", "a b"),
        (rb"{\rtf1 {{{a", "a"),
        (rb"{\rtf1 fonttbl {x fonttbl}}", "fonttbl x fonttbl"),
        (rb"{\rtf1 a\fonttbl b}", "ab"),
        (b"{\\rtf1 a\\\nb}", "a\nb"),
        (rb"{\rtf1 \par a  \par \par b\par }", "a\n\nb"),
        (b"no RTF \xe9\0\0", "no RTF é"),
        (b"", ""),
    ],
)
def test_rich_text_is_plain(rtf: bytes, text: str) -> None:
    assert plain_text(rtf) == text


def test_bytes_are_of_the_encoding_even_in_two() -> None:
    assert plain_text(rb"{\rtf1 \'d6\'d0\b\'ce\'c4}", "cp936") == "中文"
    assert plain_text("{\\rtf1 я}".encode("cp1251"), "cp1251") == "я"


def test_information_is_in_the_code_page_that_it_names() -> None:
    made = Made(800)
    made.project.information.text = rb"{\rtf1\ansicpg1251 \'ff}"
    assert made.document.information == "я"
    made.project.information.text = rb"{\rtf1 \'e9}"
    assert made.document.information == "é"


def test_the_context_knows_resources_by_name() -> None:
    made = Made()
    made.sprite("spr", pixels([(1, 2, 3, 255)]))
    made.sprite("", pixels([(1, 2, 3, 255)]))
    made.add("scripts", "gone", Script(version=800))
    made.add("scripts", "scr", Script(version=800))
    gone = made.project.scripts.slots[0]
    gone.exists, gone.resource = 0, None
    context = made.document.context()
    assert context.asset_id("spr") == ("sprite", 0)
    assert context.asset_id("scr") == ("script", 1)
    assert context.asset_id("gone") is None
    assert context.asset_id("") is None
    assert not context.dialect.gms2_or_later
