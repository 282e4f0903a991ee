"""Mods of a choice of changes: the game that they make has these changes, and no other."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest

from lantern_edits import EDITS, GAME, renamed
from modded_games import DOOR, KEEPER, changed
from overhaul import mods
from overhaul.cli import main
from overhaul.mods.applying import apply
from overhaul.mods.building import read_texts, with_texts
from overhaul.mods.view import opened

#: edits whose files have nothing in common, so that one can be chosen without another
APART = (
    "first line", "other code", "field", "frame", "new sprite", "sound", "new object", "new code",
)  # fmt: skip


def paths_of(original: bytes, edited: bytes) -> list[str]:
    return [change.path for change in mods.diff(original, edited).changes]


def put_on(mod: mods.Mod) -> bytes:
    return bytes(apply(GAME, [mod]).content)


@pytest.mark.parametrize(
    ("chosen", "other"), [*pairwise((*APART, APART[0])), *pairwise(APART[::-2])]
)
def test_one_edit_is_chosen_without_another(chosen: str, other: str) -> None:
    alone = changed(GAME, EDITS[chosen])
    both = changed(GAME, {**EDITS[chosen], **EDITS[other]})
    only = paths_of(GAME, alone)
    mod = mods.make(GAME, both, name="part", only=only)
    assert mods.diff(alone, put_on(mod)).changes == []
    assert mod.paths() == mods.make(GAME, alone, name="part").paths()


def test_all_changes_chosen_are_the_mod_without_a_choice() -> None:
    both = changed(GAME, {**EDITS["first line"], **EDITS["new sprite"]})
    mod = mods.make(GAME, both, name="all", only=["*"])
    assert mod.paths() == mods.make(GAME, both, name="all").paths()
    assert mods.diff(both, put_on(mod)).changes == []
    assert not mods.make(GAME, both, name="none", only=["rooms/*"])


def test_a_change_that_needs_another_is_refused_or_reported() -> None:
    script = {"code/gml_GlobalScript_scr_new.gml": b"function scr_new() { return 3; }\n"}
    both = changed(GAME, script)
    both = changed(both, {KEEPER: b"x = scr_new();\n"})
    mod = mods.make(GAME, both, name="part", only=[KEEPER])
    assert [(each.code, each.path) for each in mod.findings] == [("unknown-name", KEEPER)]
    assert mods.make(GAME, both, name="all", only=["code/*"]).findings == []


def test_a_rename_is_chosen_or_not() -> None:
    stone = renamed()
    both = changed(stone, {DOOR: EDITS["other code"][DOOR]})
    (rename,) = [each for each in mods.diff(GAME, both).changes if each.kind == "renamed"]
    with_it = mods.make(GAME, both, name="part", only=[rename.path])
    assert mods.diff(stone, put_on(with_it)).changes == []
    without = mods.make(GAME, both, name="part", only=[DOOR])
    alone = changed(GAME, EDITS["other code"])
    assert mods.diff(alone, put_on(without)).changes == []


def test_a_text_is_chosen_with_the_code_that_shows_it() -> None:
    with opened(GAME) as view:
        path = view.texts()
        assert path is not None
        row = next(row for row in read_texts(view.read(path)) if " " in row.text and not row.kind)
        edited = with_texts(view.read(path), {row.text: "Another text"})
    alone = changed(GAME, {path: edited})
    both = changed(alone, EDITS["field"])
    (code,) = paths_of(GAME, alone)
    mod = mods.make(GAME, both, name="part", only=[code])
    assert mod.paths() == [code]
    assert mods.diff(alone, put_on(mod)).changes == []
    rest = mods.make(GAME, both, name="part", only=["rooms/*"])
    assert rest.texts == {} and rest.paths() == list(EDITS["field"])


def test_the_command_takes_globs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, data in (("old", GAME), ("new", changed(GAME, EDITS["field"] | EDITS["frame"]))):
        (tmp_path / f"{name}.win").write_bytes(data)
    files = [str(tmp_path / name) for name in ("old.win", "new.win")]
    command = ["mod", "make", *files, "-o", str(tmp_path / "part.zip"), "--json"]
    assert main([*command, "--only", "rooms/*"]) == 0
    assert json.loads(capsys.readouterr().out)["changed"] == list(EDITS["field"])
    assert main([*command, "--force", "--only", "rooms/*", "--only", "sprites/*"]) == 0
    both = sorted([*EDITS["field"], *EDITS["frame"]])
    assert json.loads(capsys.readouterr().out)["changed"] == both
