"""Labels in assembly say what they stand for, so that others keep theirs when it changes."""

from __future__ import annotations

import difflib

import pytest

from overhaul.ags.script import assemble, disassemble
from overhaul.errors import SourceError

FUNCTION = """L{name}:
    thisaddr {number}
    movl ax, @string s{name}
    farpush ax
    movl ax, @import "Display^101"
    farcall ax
    jzi M{name}
    jmpi L{name}
M{name}:
    movl bx, @data {number}
    ret
"""


def script(names: str, texts: dict[str, str], inserted: str = "") -> str:
    """The assembly of a script with functions of one letter, each with its text."""
    lines = [".script 90", ".data 400", ".strings"]
    lines += [f'    s{name}: "{text}"' for name, text in texts.items()]
    lines += [".imports 1", '    0: "Display^101"', ".exports"]
    lines += [f'    function "f{name}$0" L{name}' for name in names]
    lines += [".sections", ".code"]
    code = "".join(FUNCTION.format(name=name, number=ord(name)) for name in names)
    code = code.replace("jzi M", "jzi LM").replace("\nM", "\nLM")
    return (
        "\n".join(lines) + "\n" + code.replace("    thisaddr 98\n", inserted + "    thisaddr 98\n")
    )


TEXTS = {"a": "first", "b": "second one", "c": "third"}
SHOWN = disassemble(assemble(script("abc", TEXTS)))


def changed_lines(other: str) -> set[str]:
    """The lines that only one of the two has, without blanks and signs."""
    found = difflib.ndiff(SHOWN.split("\n"), other.split("\n"))
    return {line[2:].strip() for line in found if line[:2] in ("- ", "+ ")}


def test_labels_say_what_they_stand_for() -> None:
    assert '    s_second_one_e468f3: "second one"\n' in SHOWN
    assert '    function "fb$0" L_fb\n' in SHOWN
    assert "    jmpi L_fb\n" in SHOWN
    (place,) = [line for line in SHOWN.split("\n") if line.startswith("L_fb_")]
    assert f"    jzi {place.removesuffix(':')}\n" in SHOWN


def test_another_text_is_another_label_and_changes_no_other() -> None:
    longer = disassemble(assemble(script("abc", TEXTS | {"a": "the first one of all"})))
    assert {
        line for line in changed_lines(longer) if "first" not in line and "L_fa_" not in line
    } == set()
    before = disassemble(assemble(script("abc", {"z": "new", **TEXTS})))
    assert changed_lines(before) == {'s_new_11507a: "new"'}


def test_code_that_comes_in_changes_only_labels_around_it() -> None:
    more = disassemble(assemble(script("abc", TEXTS, "    ret\n    ret\n")))
    assert changed_lines(more) == {"ret"}
    new = disassemble(assemble(script("zabc", TEXTS | {"z": "new"})))
    assert not [line for line in changed_lines(new) if "_f" in line and "L_fz" not in line]


def test_the_same_twice_has_a_number() -> None:
    text = disassemble(assemble(script("abc", {"a": "same", "b": "same", "c": "other"})))
    assert text.count(" s_same_") == 4
    assert '.2: "same"' in text
    again = assemble(text)
    assert (again.strings, again.words[4]) == (b"same\0same\0other\0", 0)
    assert disassemble(again) == text


def test_texts_of_other_letters_have_a_digest_alone() -> None:
    text = disassemble(assemble(script("ab", {"a": "Привет", "b": "你好"})))
    labels = [
        line.strip().partition(":")[0] for line in text.split("\n") if line.startswith("    s_")
    ]
    assert len({*labels}) == 2
    assert all(len(label) == len("s_") + 6 for label in labels)


def test_texts_that_begin_alike_have_other_labels() -> None:
    long = "a text that is longer than a label may be, "
    text = disassemble(assemble(script("ab", {"a": long + "one", "b": long + "two"})))
    assert text.count("s_a_text_that_is_longer_t") == 4
    assert ".2" not in text


def test_a_label_may_be_given_twice_for_the_same_text() -> None:
    given = script("ab", {"a": "same", "b": "x"}).replace("    sb:", '    sa: "same"\n    sb:')
    assert assemble(given).strings == b"same\0same\0x\0"
    assert assemble(given).words[4] == 0
    with pytest.raises(SourceError, match="duplicate string label sa"):
        assemble(given.replace('sa: "same"\n    sb', 'sa: "else"\n    sb'))


def test_the_place_in_equal_surroundings_counts() -> None:
    """Labels of neighbouring places differ without numbers."""
    code = script("a", {"a": "x"}) + "Ln1:\n    ret\nLn2:\n    ret\n    jmpi Ln1\n    jmpi Ln2\n"
    text = disassemble(assemble(code))
    labels = [line for line in text.split("\n") if line.startswith("L_fa_")]
    assert len({*labels}) == 3
    assert not [label for label in labels if "." in label]
