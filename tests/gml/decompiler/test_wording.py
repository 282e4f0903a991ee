"""The words that decompiled source may have on its own."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import overhaul.gml.decompiler
from overhaul.gml.decompiler.wording import may_say

PACKAGE = Path(overhaul.gml.decompiler.__file__).parent
#: calls that make names of source, or the errors that its comments show
MAKING = ("Name", "Member", "Call", "Comment", "push_call", "unstructured")
_WORD = re.compile(r"\w+")


def said() -> set[str]:
    """The words in texts that become names or errors."""
    words = set[str]()
    modules = [*PACKAGE.rglob("*.py"), *(PACKAGE.parent / "vm").rglob("*.py")]
    for module in (*modules, PACKAGE.parent / "roundtrip.py"):
        for node in ast.walk(ast.parse(module.read_text("utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            if name in MAKING or name.rstrip("_").endswith("Error"):
                for part in ast.walk(node):
                    if isinstance(part, ast.Constant) and isinstance(part.value, str):
                        words.update(_WORD.findall(part.value))
    return words


def test_each_word_that_the_decompiler_writes_is_known() -> None:
    words = said()
    assert {"noone", "static_get", "copyVar", "pushref", "holds"} <= words
    assert sorted(word for word in words if not may_say(word, v2=True)) == []


@pytest.mark.parametrize(
    "words",
    [
        "else elSE lse constructor noone could argument3 arg0 g0 inst_100123 st_1 Value_m3 "
        "UnknownEnum pushloc sprite 12 0x1F beef L4 arg0_ __yy_break flexpanel_position_type"
    ],
)
def test_words_of_the_language_and_of_comments(words: str) -> None:
    assert [word for word in words.split() if not may_say(word, v2=True)] == []


@pytest.mark.parametrize("word", ["hp", "spr_player", "obj_wall2", "myfunc", "instance_create_x"])
def test_names_of_games(word: str) -> None:
    assert not may_say(word, v2=True)


def test_words_of_2_3_are_no_words_before() -> None:
    assert may_say("nullish", v2=False)  # of assembly
    assert [may_say("throw", v2=v2) for v2 in (True, False)] == [True, False]
