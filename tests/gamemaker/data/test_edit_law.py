"""The law of edits (tests/edit_law) over small games: an edit is true, told or refused."""

from __future__ import annotations

import random

import pytest

from edit_law.edits import Edit, all_edits
from edit_law.law import GOOD, compact, judge
from edit_law.meaning import follows, same_text
from edit_law.subject import Subject
from edited_games import packed

#: What a message must say is looked at by the command in CONTRIBUTING.md.
HONEST = (*GOOD, "UNCLEAR", "NO KEY")
EDITS = 60


@pytest.mark.parametrize("version", ["1.0.0.1600", "2.3.2", "2024.14"])
def test_the_law(version: str) -> None:
    subject = Subject("data.win", packed(version))
    edits = random.Random(5).sample(all_edits(subject.files, seed=1), EDITS)
    found = [judge(subject, edit) for edit in edits]
    assert compact([one for one in found if one.outcome not in HONEST]) == []
    assert sum(one.outcome == "true" for one in found) > EDITS // 3


def test_what_follows_is_of_the_same_resource() -> None:
    def after(kind: str, edited: str, path: str, where: str = "") -> bool:
        return follows("gamemaker-data", Edit(kind, edited, "", "", "", {}), path, where)

    assert after("picture: larger", "sprites/a/0.png", "sprites/a/sprite.json", "width")
    assert not after("picture: larger", "sprites/a/0.png", "sprites/b/sprite.json", "width")
    assert not after("picture: larger", "sprites/a/0.png", "sprites/a/sprite.json", "origin_x")
    assert after("picture: repainted", "textures/0.png", "sprites/b/0.png")
    assert not after("value: number", "rooms/a.json", "sprites/b/0.png")
    assert not after("table: cell text", "strings.csv", "rooms/a.json", "caption")


def test_words_for_0_and_1_are_the_same_in_code_only() -> None:
    assert same_text("code/a.gml", b"a = true\n", b"a  = 1")
    assert same_text("code/a.gml", b"a = 0", b"a = false")
    assert not same_text("code/a.gml", b"a = 0", b"a = true")
    assert not same_text("notes.txt", b"a", b"a ")
