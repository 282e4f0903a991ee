"""The law of edits (tests/edit_law) over small games: an edit is true, reported or refused."""

from __future__ import annotations

import random

import numpy as np
import pytest

from edit_law.edits import Edit, Place, all_edits, dump
from edit_law.law import GOOD, compact, judge
from edit_law.meaning import follows, pictures_of, same_text, same_tiles
from edit_law.subject import Subject
from edited_games import packed
from overhaul.media import png

#: What a message must say is looked at by the command in CONTRIBUTING.md.
HONEST = (*GOOD, "UNCLEAR", "NO KEY")
EDITS = 60


@pytest.mark.parametrize("version", ["1.0.0.1600", "2.3.2", "2024.14"])
def test_the_law(version: str) -> None:
    subject = Subject("data.win", packed(version))
    edits = random.Random(5).sample(all_edits(subject.files, seed=1), EDITS)
    result = [judge(subject, edit) for edit in edits]
    assert compact([one for one in result if one.outcome not in HONEST]) == []
    assert sum(one.outcome == "true" for one in result) > EDITS // 3


def after(kind: str, edited: str, path: str, where: str = "", document: str = "data") -> bool:
    """Whether a change follows from an edit."""
    edit = Edit(kind, edited, "", "", "", {})
    return follows(f"gamemaker-{document}", edit, path, where, {}, b"", b"")


def test_what_follows_is_of_the_same_resource() -> None:
    assert after("picture: larger", "sprites/a/0.png", "sprites/a/sprite.json", "width")
    assert not after("picture: larger", "sprites/a/0.png", "sprites/b/sprite.json", "width")
    assert not after("picture: larger", "sprites/a/0.png", "sprites/a/sprite.json", "origin_x")
    assert not after("value: number", "rooms/a.json", "sprites/b/0.png")
    assert not after("table: cell text", "strings.csv", "rooms/a.json", "caption")


def test_what_follows_is_of_the_edited_kind() -> None:
    assert after("picture: larger", "sprites/a/0.png", "textures.json")
    assert not after("file: removed", "rooms/a.json", "textures.json")
    assert not after("file: removed", "textures.json", "general.json", "room_order[]")
    assert not after("value: number", "rooms/a.json", "overhaul.toml", "version")
    assert after("file: added", "sounds/a.ogg", "sounds/a.json", "group")
    assert not after("file: added", "sounds/a.ogg", "sounds/b.json", "group")
    assert after("value: number", "export.json", "objects/a/object.json", "depth", "export")
    assert not after(
        "value: number", "rooms/a/room.json", "objects/a/object.json", "depth", "export"
    )
    assert after("list: reversed", "ids.json", "objects/a/object.json", "id", "project")
    assert not after("list: reversed", "tree.json", "objects/a/object.json", "id", "project")


def texts(*rows: str) -> bytes:
    """A table of texts."""
    return "\n".join(["index,text,kind", *(f"{n},{row}" for n, row in enumerate(rows))]).encode()


@pytest.mark.parametrize(
    ("now", "follow"),
    [
        (["old", "room", "zz"], True),  # a new text
        (["new", "room"], True),  # what was edited
        (["old", "room,code"], True),  # what code makes of it
        (["new", "room", "new"], True),
        (["old", "other"], False),  # not in the edited file
        (["room", "old"], False),
        (["other", "room"], False),  # not what it was edited to
        (["old"], False),
    ],
)
def test_texts_change_as_the_edit_says(now: list[str], follow: bool) -> None:
    files = {"strings.csv": texts("old", "room"), "rooms/a.json": dump({"caption": "old", "n": 1})}
    edit = Edit("value: text", "rooms/a.json", "", "caption", "",
                {"rooms/a.json": dump({"caption": "new", "n": 1})}, ("caption",))  # fmt: skip
    given = files["strings.csv"]
    assert follows("gamemaker-data", edit, "strings.csv", "", files, given, texts(*now)) is follow


def test_pictures_follow_from_their_own_items() -> None:
    page = np.zeros((8, 8, 4), np.uint8)
    items = [
        {"page": 0, "source": [0, 0, 4, 4], "of": ["sprites/a/0", "sprites/b/0"]},
        {"page": 0, "source": [4, 0, 4, 4], "of": ["sprites/c/0"]},
        {"page": 1, "source": [0, 0, 4, 4], "of": ["sprites/d/0"]},
    ]
    files = {"textures.json": dump({"items": items}), "textures/0.png": png.encode(page)}

    def reached(kind: str, path: str, place: Place, data: bytes = b"") -> set[str]:
        return pictures_of(Edit(kind, path, "", "", "", {path: data}, place), files)

    first = {"sprites/a/0.png", "sprites/b/0.png"}
    assert reached("value: number", "textures.json", ("items", 0, "source", 1)) == first
    every = first | {"sprites/c/0.png", "sprites/d/0.png"}
    assert reached("list: reversed", "textures.json", ("items",)) == every
    page[3, 4] = 255
    data = png.encode(page)
    assert reached("picture: repainted", "textures/0.png", (), data) == {"sprites/c/0.png"}
    page[4, 4] = 255  # below it
    page[3, 4] = 0
    assert reached("picture: repainted", "textures/0.png", (), png.encode(page)) == set()
    assert reached("value: number", "sprites/a/sprite.json", ("width",)) == set()


def test_only_the_borders_of_tiles_follow() -> None:
    shown = {"tile_width": 4, "tile_height": 2, "output_border_x": 1, "output_border_y": 2}
    files = {"tilesets/a.json": dump(shown)}
    page = np.zeros((12, 12, 4), np.uint8)

    def same(y: int, x: int) -> bool:
        other = page.copy()
        other[y, x] = 255
        return same_tiles("tilesets/a.png", files, png.encode(page), png.encode(other))

    inside = {(y, x) for y in range(12) for x in range(12) if not same(y, x)}
    assert inside == {(y, x) for y in (2, 3, 8, 9) for x in (1, 2, 3, 4, 7, 8, 9, 10)}
    files = {}
    assert not same(0, 0)


def test_words_for_0_and_1_are_the_same_in_code_only() -> None:
    assert same_text("code/a.gml", b"a = true\n", b"a  = 1")
    assert same_text("code/a.gml", b"a = 0", b"a = false")
    assert not same_text("code/a.gml", b"a = 0", b"a = true")
    assert not same_text("notes.txt", b"a", b"a ")
