"""Words that a text must have for a regular expression to be found in it."""

from __future__ import annotations

import random
import re

import pytest

from overhaul.folder.needed_words import NeededWord, needed_word, plain_word


@pytest.mark.parametrize(
    ("pattern", "word"),
    [
        ("hp", "hp"),
        ("hp *-=", "hp"),
        (r"spr_boss\.x", "spr_boss"),
        (r"\bobj_wall\b", "obj_wall"),
        (r"(?<!\w)obj_wall(?!\w)", "obj_wall"),
        ("game over", "game"),
        ("abc?def", "def"),
        ("abcd?ef", "abc"),
        ("abcd*ef", "abc"),
        ("abcd{0,2}ef", "abc"),
        ("abcd+ef", "abcd"),
        ("ab[cde]fgh", "fgh"),
        ("ab[]x]fgh", "fgh"),
        ("(abcdef)gh", "gh"),
        ("(abcdef)?gh", "gh"),
        ("(?:abcdef|g)hi", "hi"),
        ("(a(b)cdef)gh", "gh"),
        (r"abc\dde", "abc"),
        (r"\(abc\)", "abc"),
        ("é_abc", "_abc"),
        ("a", None),
        ("a.b", None),
        ("abc|def", None),
        (r"\x41bc", None),
        (r"\u0041bcd", None),
        (r"\101bcd", None),
        (r"(ab)\1cd", None),
        ("(?i)abc", None),
        ("(?P<n>a)bcd", None),
        ("(?(1)ab|cd)ef", None),
        ("", None),
    ],
)
def test_the_longest_word_that_is_certain(pattern: str, word: str | None) -> None:
    try:
        expression = re.compile(pattern)
    except re.error:
        expression = re.compile(f"(x){pattern}")
    made = needed_word(expression)
    assert made == (None if word is None else NeededWord(word, any_case=False))


def test_case_and_spaces_that_do_not_count() -> None:
    assert needed_word(re.compile("HP_x", re.IGNORECASE)) == NeededWord("HP_x", any_case=True)
    assert needed_word(re.compile("ab cd", re.VERBOSE)) is None


def test_a_content_has_a_word() -> None:
    exact, loose = NeededWord("Hp", any_case=False), NeededWord("Hp", any_case=True)
    assert [exact.is_in(content) for content in (b"xHpx", b"hp", b"")] == [True, False, False]
    assert [loose.is_in(content) for content in (b"xHPx", b"hP", b"h p")] == [True, True, False]
    assert loose.is_in("ſ".encode())  # such letters may stand for those of ASCII


def test_a_plain_word_has_letters_digits_and_underscores() -> None:
    assert plain_word("spr_1") == NeededWord("spr_1", any_case=False)
    assert [plain_word(name) for name in ("a", "a b", "é_a", "a-b", "")] == [None] * 5


def test_random_patterns_are_found_only_where_their_word_is() -> None:
    choose = random.Random(3)
    parts = ["a", "b", "c", "a?", "b*", "c+", "(ab)", "(a|b)?", "[abc]", ".", "a{2}", "b{0,1}", "_"]
    checked = 0
    for _ in range(6000):
        pattern = re.compile("".join(choose.choices(parts, k=choose.randint(2, 6))))
        word = needed_word(pattern)
        for _ in range(10 if word else 0):
            text = "".join(choose.choices("abc_ ", k=8))
            if pattern.search(text):
                checked += 1
                assert word is not None
                assert word.is_in(text.encode())
    assert checked > 1000
