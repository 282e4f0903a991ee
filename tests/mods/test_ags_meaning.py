"""Sprite sets, translations and scripts of Adventure Game Studio merge by what is in them."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, cast

import pytest

import ags_games
from ags_package import translation
from ags_rooms import RED, bgra, sprites
from modded_games import Edit, changed, plain
from overhaul import mods
from overhaul.ags.library.package import Package
from overhaul.ags.pictures import Pixels
from overhaul.ags.sprite_index import index_of, version_of, write_index
from overhaul.ags.sprites import SpriteSet
from overhaul.errors import WorkspaceError
from overhaul.mods.patches import ValuePatch
from overhaul.mods.values import identity, read_value, value_bytes
from overhaul.mods.view import opened

TRANSLATION = translation().to_bytes()
TRS = "dictionary.trs"
ONE = Pixels(2, 1, 4, bgra((*RED, 0), (255, 0, 255, 0)))
OTHER = Pixels(1, 2, 4, bgra((0, 0, 255, 0), (*RED, 0)))
SET = sprites(ONE, None, ONE, ONE)


def sprite_set(*, file_id: int, **slots: Pixels | None) -> bytes:
    """The set with other sprites (``s2``), as an editor writes it."""
    found = SpriteSet.read(SET)
    found.header.file_id = file_id
    for name, pixels in slots.items():
        slot = int(name[1:])
        while slot >= len(found.slots):
            found.slots += SpriteSet.read(sprites(None)).slots
        found.slots[slot] = SpriteSet.read(sprites(pixels)).slots[0]
    return found.to_bytes()


def together(old: bytes, one: bytes, two: bytes) -> mods.Applied:
    """Mods of two changed builds put on the first one, in both orders."""
    found = [
        mods.load(mods.make(old, new, name=name).to_bytes())
        for name, new in zip("ab", (one, two), strict=True)
    ]
    result = mods.apply(old, found)
    assert mods.apply(old, found[::-1]).data == result.data
    return result


# ------------------------------------------------------------------------------------ sprite sets


def test_mods_of_different_sprites_go_together() -> None:
    result = together(SET, sprite_set(file_id=7, s0=OTHER), sprite_set(file_id=5, s3=OTHER))
    assert result.conflicts == []
    assert result.data == sprite_set(file_id=7, s0=OTHER, s3=OTHER)


def test_sprites_that_come_and_go() -> None:
    result = together(SET, sprite_set(file_id=7, s5=OTHER), sprite_set(file_id=9, s1=ONE, s2=None))
    assert result.conflicts == []
    assert result.data == sprite_set(file_id=9, s1=ONE, s2=None, s5=OTHER)


def test_two_that_change_one_sprite_are_in_conflict() -> None:
    result = together(SET, sprite_set(file_id=7, s0=OTHER), sprite_set(file_id=5, s0=None))
    assert result.data == b""
    assert {conflict.path for conflict in result.conflicts} <= {"sprites/00000.png", "sprites.json"}
    assert result.conflicts


def test_a_mod_alone_gives_the_id_that_it_has() -> None:
    new = sprite_set(file_id=-3, s0=OTHER)
    assert mods.apply(SET, [mods.make(SET, new, name="one")]).data == new


def with_sprites(stored: bytes, *, stale: int = 0) -> bytes:
    """A package with a sprite set and its index."""
    made = Package.read(ags_games.package())
    made.add("acsprset.spr", stored)
    index = write_index(11, index_of(SpriteSet.read(stored)))
    made.add("sprindex.dat", index[:-1] + bytes([stale]) if stale else index)
    return made.to_bytes()


def test_the_index_in_a_package_follows_the_sprites() -> None:
    one, two = sprite_set(file_id=7, s0=OTHER), sprite_set(file_id=5, s3=OTHER)
    old, *new = (with_sprites(stored) for stored in (SET, one, two))
    assert {change.path for change in mods.diff(old, new[0]).changes} == {
        "sprites.json",
        "sprites/00000.png",
    }
    result = together(old, *new)
    assert result.conflicts == []
    assert result.data == with_sprites(sprite_set(file_id=7, s0=OTHER, s3=OTHER))
    found = Package.read(result.data)
    stored = SpriteSet.read(bytes(found["acsprset.spr"].read()))
    assert version_of(bytes(found["sprindex.dat"].read()), stored) == 11


def test_an_index_of_another_set_is_a_file_as_others() -> None:
    old, new = with_sprites(SET, stale=1), with_sprites(SET, stale=2)
    (change,) = mods.diff(old, new).changes
    assert change.path == "assets/sprindex.dat/index.json"
    assert mods.apply(old, [mods.make(old, new, name="stale")]).data == new
    with opened(new) as view:
        assert "assets/sprindex.dat" in view.files
    with opened(with_sprites(SET)) as view:
        assert "assets/sprindex.dat" in view.derived


# ----------------------------------------------------------------------------------- translations


def entries(change: Callable[[list[str]], list[str]]) -> bytes:
    def edit(text: str) -> str:
        return "\n".join([*change(text.split("\n")[:-1]), ""])

    return changed(TRANSLATION, {TRS: edit})


def translated(text: str, now: str) -> Callable[[list[str]], list[str]]:
    def edit(lines: list[str]) -> list[str]:
        at = lines[::2].index(text) * 2 + 1
        return [*lines[:at], now, *lines[at + 1 :]]

    return edit


def test_translations_merge_by_entry() -> None:
    one, two = entries(translated("text 7", "Text 7")), entries(translated("text 8", "Text 8"))
    result = together(TRANSLATION, one, two)
    assert result.conflicts == []
    lines = plain(result.data, TRS).decode().split("\n")
    assert lines[lines.index("text 7") :][:4] == ["text 7", "Text 7", "text 8", "Text 8"]
    mod = mods.make(TRANSLATION, one, name="one")
    patch = mod.patches[TRS]
    assert isinstance(patch, ValuePatch)
    assert [(op.at, op.was, op.now) for op in patch.ops] == [
        (({"name": "text 7"}, "text"), "", "Text 7")
    ]
    (change,) = mods.diff(TRANSLATION, one).changes
    assert change.lines() == ['[name=text 7].text: "" → "Text 7"']


def test_new_entries_of_two_mods_at_one_place() -> None:
    one, two = (entries(lambda lines, w=word: [*lines, w, w.upper()]) for word in ("more", "also"))  # type: ignore[misc]
    result = together(TRANSLATION, one, two)
    assert result.conflicts == []
    lines = plain(result.data, TRS).decode().split("\n")
    assert {(lines[-5], lines[-4]), (lines[-3], lines[-2])} == {("more", "MORE"), ("also", "ALSO")}
    assert mods.apply(TRANSLATION, [mods.make(TRANSLATION, one, name="one")]).data == one


def test_an_entry_in_two_languages_is_a_conflict() -> None:
    one, two = (entries(translated("text 7", word)) for word in ("sieben", "sept"))
    (conflict,) = together(TRANSLATION, one, two).conflicts
    assert (conflict.path, conflict.place) == (TRS, "[name=text 7].text")
    assert {conflict.ours, conflict.theirs} == {"sieben", "sept"}


def test_the_order_of_entries_stays_as_it_was_made() -> None:
    other = entries(lambda lines: [*lines[:2], "new", "neu", *lines[6:8], *lines[2:6], *lines[8:]])
    assert mods.apply(TRANSLATION, [mods.make(TRANSLATION, other, name="order")]).data == other


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ([{"name": "a\nb", "text": ""}], r"a.trs: \[0\].name: expected one line"),
        ([{"name": "a", "text": "b\r"}], r"a.trs: \[0\].text: expected one line"),
        ([{"name": "a"}], r"a.trs: \[0\].text: expected a text"),
        (["a"], r"a.trs: \[0\]: expected an object"),
        ({}, "a.trs: expected a list"),
    ],
)
def test_what_is_no_entry(value: object, message: str) -> None:
    with pytest.raises(WorkspaceError, match=message):
        value_bytes("a.trs", value)


@pytest.mark.parametrize("data", [b"a", b"a\n", b"a\nb\nc\n", b"a\nb"])
def test_lines_that_are_no_entries(data: bytes) -> None:
    with pytest.raises(WorkspaceError, match=r"a\.trs: expected a line with the translation"):
        read_value("a.trs", data)


def test_entries_are_written_as_they_were() -> None:
    for data in (b"", b"a\nb\n", b"a\n\nc\n\xff\n"):
        assert value_bytes("a.trs", read_value("a.trs", data)) == data


# ---------------------------------------------------------------------------------- sprite flags


def flagged(stored: bytes) -> bytes:
    made = ags_games.game()
    assert made.content is not None
    made.content.sprite_flags = stored
    return made.to_bytes()


FLAGS = bytes([0, 1, 0, 16, 0])


def test_flags_of_different_sprites_go_together() -> None:
    old = flagged(FLAGS)
    assert json.loads(plain(old, "game.json"))["sprite_flags"] == {
        "sprite_count": 5,
        "1": 1,
        "3": 16,
    }
    one, two = flagged(bytes([0, 1, 32, 16, 0])), flagged(bytes([0, 0, 0, 16, 0, 0, 7]))
    result = together(old, one, two)
    assert result.conflicts == []
    assert result.data == flagged(bytes([0, 0, 32, 16, 0, 0, 7]))
    (change,) = mods.diff(old, two).changes
    assert change.lines() == [
        "sprite_flags.1: gone: 1",
        "sprite_flags.sprite_count: 5 → 7",
        "sprite_flags.6: new: 7",
    ]


def as_it_was(text: str) -> str:
    return json.dumps({**json.loads(text), "sprite_flags": "0001000010"})


def test_older_folders_have_the_flags_as_bytes() -> None:
    assert changed(flagged(b""), {"game.json": as_it_was}) == flagged(b"\0\1\0\0\x10")


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        ({"1": 1}, r"sprite_flags.sprite_count: it is missing"),
        ({"sprite_count": 1, "1": 1}, r"sprite_flags.1: expected the number of a sprite below 1"),
        ({"sprite_count": 1, "x": 1}, r"sprite_flags.x: expected the number"),
        ({"sprite_count": 1, "²": 1}, r"sprite_flags.*expected the number"),
        ({"sprite_count": 1, "0": 256}, r"sprite_flags.0: "),
        ({"sprite_count": 1, "0": -1}, r"sprite_flags.0: "),
        ({"sprite_count": -1}, r"sprite_flags.sprite_count: "),
        ([1], r"sprite_flags: expected"),
    ],
)
def test_flags_that_can_not_be(flags: Any, message: str) -> None:
    def edit(text: str) -> str:
        return json.dumps({**json.loads(text), "sprite_flags": flags})

    with pytest.raises(WorkspaceError, match=f"game.json.*{message}"):
        changed(flagged(FLAGS), {"game.json": edit})


# ---------------------------------------------------------------------------------------- scripts


def test_a_longer_text_in_a_script_leaves_all_others_only() -> None:
    old = ags_games.game().to_bytes()
    path = "scripts/GlobalScript.asm"

    def said(before: str, after: str) -> dict[str, Edit]:
        def edit(text: str) -> str:
            assert f': "{before}"' in text
            return text.replace(f': "{before}"', f': "{after}"')

        return {path: edit}

    one = changed(old, said("You have %d coins, %s.", "You have %d coins of gold, %s."))
    two = changed(old, said("open", "opened"))
    (change,) = mods.diff(old, one).changes
    pairs = cast("list[list[str]]", change.details["bytes"])
    assert pairs and all("You_have" in line for pair in pairs for line in pair)
    result = together(old, one, two)
    assert result.conflicts == []
    text = plain(result.data, path).decode()
    assert ': "You have %d coins of gold, %s."' in text
    assert ': "opened"' in text


# ------------------------------------------------------------------------------------- characters


EGO, BOB = "characters/cEgo.json", "characters/cBob.json"


def edited(old: bytes, path: str, **fields: object) -> bytes:
    return changed(old, {path: lambda text: json.dumps({**json.loads(text), **fields})})


def test_a_character_with_another_name_is_the_same_one() -> None:
    old = ags_games.game().to_bytes()
    one, two = edited(old, EGO, RealName="Hero"), edited(old, EGO, StartX=33)
    (change,) = mods.diff(old, one).changes
    assert change.path == EGO
    assert change.lines() == ['RealName: "Ego" → "Hero"']
    result = together(old, one, two)
    assert result.conflicts == []
    ego = json.loads(plain(result.data, EGO))
    assert (ego["RealName"], ego["StartX"]) == ("Hero", 33)


def test_things_that_no_script_names_have_their_names() -> None:
    assert identity([{"script_name": "a", "name": "x"}], [{"script_name": "b", "name": "y"}]) == (
        "script_name"
    )
    assert (
        identity([{"script_name": "", "name": "x"}], [{"script_name": "b", "name": "y"}]) == "name"
    )
    assert identity([{"name": "", "slot": 1}], []) == "name"
    assert identity([{"name": 1, "slot": 1}, {"name": 1, "slot": 2}], []) == "slot"
