"""What a game can't become is reported where a mod of it is made."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from modded_games import KEEPER, changed, field, lantern, new_sprite
from overhaul import mods
from overhaul.cli import main
from overhaul.findings import Findings
from overhaul.gamemaker.data import GameData
from overhaul.mods import making

OLD, NEW = lantern("gms1"), lantern()


def test_a_mod_that_its_own_game_can_take_tells_nothing() -> None:
    new = changed(NEW, {KEEPER: lambda text: "lives = 3;\n" + text})
    mod = mods.make(NEW, new, name="line")
    assert mod.left_out == []
    assert "told" not in mod.to_json()


def test_what_another_release_has_is_reported() -> None:
    mod = mods.make(OLD, NEW, name="update")
    assert [str(each) for each in mod.left_out] == [
        str(conflict) for conflict in mods.apply(OLD, [mod]).conflicts
    ]
    assert mod.left_out
    reported = mod.to_json()["left_out"]
    assert reported == [each.to_json() for each in mod.left_out]
    assert mods.make(OLD, NEW, name="update", check=False).left_out == []


def test_the_command_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("old.win").write_bytes(OLD)
    Path("new.win").write_bytes(NEW)
    assert main(["mod", "make", "old.win", "new.win", "-o", "update.zip"]) == 1
    out, err = capsys.readouterr()
    assert err.startswith("overhaul: conflict: ")
    assert "update.zip" in out
    assert mods.load("update.zip").patches
    assert main(["mod", "make", "old.win", "new.win", "-o", "b.zip", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["left_out"]
    assert main(["mod", "make", "new.win", "new.win", "-o", "none.zip"]) == 0


def test_what_a_carried_mod_can_not_do_is_reported_too() -> None:
    new = changed(NEW, {KEEPER: lambda text: "lives = 3;\n" + text.split("\n", 1)[1]})
    gone = changed(NEW, {KEEPER: b"x = 1;\n"})
    carried = mods.rebase(mods.make(NEW, new, name="line"), NEW, gone)
    assert [each.path for each in carried.left_out] == [KEEPER]


def test_what_is_not_as_it_should_be_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """Here nothing is put on, without a conflict."""
    cave = "rooms/rm_cave.json"
    new = changed(NEW, {KEEPER: b"x = 1;\n", cave: field("width", 8), **new_sprite("spr_new")})
    monkeypatch.setattr(
        making, "apply_to", lambda *given, **how: mods.Applied(NEW, {}, [], [], Findings())
    )
    reported = mods.make(NEW, new, name="mod").left_out
    should = "it can't be set: packing recomputes it from other values"
    assert {(each.path, each.reason) for each in reported} == {
        (KEEPER, should),
        (cave, should),
        ("sprites/spr_new", "it can't be added"),
        ("texture_groups.json", should),  # they list the sprite
    }
    back = mods.make(new, NEW, name="back", check=False)
    assert back.left_out == []
    monkeypatch.setattr(
        making, "apply_to", lambda *given, **how: mods.Applied(new, {}, [], [], Findings())
    )
    assert ("sprites/spr_new", "it is not removed") in {
        (each.path, each.reason) for each in mods.make(new, NEW, name="back").left_out
    }


def test_the_number_of_a_build_is_of_no_mod() -> None:
    game = GameData.from_bytes(NEW)
    game.general.build += 1
    mod = mods.make(NEW, game.to_bytes(), name="build")
    assert not mod
    assert mod.left_out == []
