"""The examples do what they say, with the small game of both editions."""

from __future__ import annotations

import ast
import importlib.util
import json
from pathlib import Path
from textwrap import dedent
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from PIL import Image

import overhaul
from modded_games import lantern as packed_lantern
from present import present

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"


@pytest.fixture(params=["gms1", "current"])
def lantern(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = tmp_path / "lantern.win"
    path.write_bytes(packed_lantern(request.param))
    return path


def example(name: str) -> ModuleType:
    spec = present(importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py"))
    module = importlib.util.module_from_spec(spec)
    present(spec.loader).exec_module(module)
    return module


def sources(path: Path) -> dict[str, str]:
    game = overhaul.open_game(path)
    return {code.name: code.gml for code in game.code if code.parent is None}


def places(path: Path) -> list[tuple[str, int, int]]:
    rooms = overhaul.open_game(path).rooms
    return [
        (present(instance.object).name, instance.x, instance.y)
        for room in rooms
        for instance in room.instances
    ]


def test_rebalance(lantern: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    new = tmp_path / "new.win"
    example("rebalance").main([str(lantern), str(new)])
    assert (
        "obj_keeper Create_0: 'walk_speed = 1.5' -> 'walk_speed = 2.5'" in capsys.readouterr().out
    )
    before, after = sources(lantern), sources(new)
    keeper = "gml_Object_obj_keeper_"
    assert after.pop(f"{keeper}KeyPress_76").strip() == "light = 2;"
    changed = {name for name in after if after[name] != before[name]}
    script = next(name for name in before if "Script" in name)
    hit = next(name for name in before if f"{keeper}Collision" in name and "0.35" in before[name])
    assert changed == {f"{keeper}Create_0", f"{keeper}Step_0", f"{keeper}Draw_0", hit, script}
    assert before.keys() == after.keys()
    assert "0.5)" in after[hit] and "0.02 * sin" in after[script]
    assert 'draw_text(8, 20, "L: light");' in after[f"{keeper}Draw_0"].splitlines()[-1]
    with pytest.raises(overhaul.EncodeError, match=r"its source has no 'walk_speed = 1\.5'"):
        example("rebalance").main([str(new), str(tmp_path / "again.win")])
    assert not (tmp_path / "again.win").exists()


def pixels(picture: Image.Image | None) -> Any:
    return np.asarray(present(picture)).astype(int)


def test_recolour(lantern: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    new = tmp_path / "new.win"
    example("recolour").main([str(lantern), str(new), "--hue", "120", "spr_f*", "spr_door"])
    assert capsys.readouterr().out.startswith("2 sprites: ")
    before, after = overhaul.open_game(lantern), overhaul.open_game(new)
    for sprite in before.sprites:
        for old, frame in zip(sprite.frames, after.sprites[sprite.name].frames, strict=True):
            one, two = pixels(old.image), pixels(frame.image)
            assert (one[..., 3] == two[..., 3]).all()
            seen = one[..., 3] > 0
            one, two = one[seen][:, :3], two[seen][:, :3]
            if sprite.name not in ("spr_firefly", "spr_door"):
                assert (one == two).all()
                continue
            # a third of a turn: what was red is green now, as light as before
            assert abs(one.max(axis=1) - two.max(axis=1)).max() <= 2
            assert abs(one[:, [2, 0, 1]] - two).max() <= 12
            assert (one != two).any()


def test_randomiser(lantern: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main = example("randomiser").main
    chosen = ["obj_firefly", "obj_door"]
    main([str(lantern), str(tmp_path / "a.win"), "--seed", "3", *chosen])
    lines = capsys.readouterr().out.splitlines()
    main([str(lantern), str(tmp_path / "b.win"), "--seed", "3", *chosen])
    main([str(lantern), str(tmp_path / "c.win"), "--seed", "4", *chosen])
    before, after = places(lantern), places(tmp_path / "a.win")
    assert (tmp_path / "a.win").read_bytes() == (tmp_path / "b.win").read_bytes()
    assert places(tmp_path / "c.win") != after
    stay = [each for each in before if each[0] not in chosen]
    assert stay == [each for each in after if each[0] not in chosen]
    assert sorted(each[1:] for each in before) == sorted(each[1:] for each in after)
    assert before != after
    assert len(lines) == len(before) - len(stay) > 3
    with pytest.raises(KeyError, match="no object named 'obj_nobody'"):
        main([str(lantern), str(tmp_path / "d.win"), "obj_nobody"])


def test_room_statistics(lantern: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    book = json.loads((EXAMPLES / "room_statistics.ipynb").read_text("utf-8"))
    monkeypatch.chdir(lantern.parent)
    names: dict[str, Any] = {}
    shown = []
    for cell in book["cells"]:
        if cell["cell_type"] == "code":
            assert cell["outputs"] == []
            shown.append(run("".join(cell["source"]), names))
    assert repr(shown[1]).startswith("<2 rooms>")
    assert "<td>obj_wall × 8" in shown[2]._repr_html_() or "obj_wall" in shown[2]._repr_html_()
    assert shown[3] == []
    assert "<td>obj_keeper</td><td>" in shown[4]._repr_html_()
    assert shown[5].size == (320, 192)


def run(source: str, names: dict[str, Any]) -> Any:
    """Run a cell; what its last line is, as a notebook shows it."""
    tree = ast.parse(source)
    last = tree.body[-1]
    if not isinstance(last, ast.Expr):
        exec(compile(tree, "cell", "exec"), names)
        return None
    tree.body.pop()
    exec(compile(tree, "cell", "exec"), names)
    return eval(compile(ast.Expression(last.value), "cell", "eval"), names)


def test_the_readme(lantern: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The README's Python runs, with the names of the small game."""
    monkeypatch.chdir(tmp_path)
    lantern.rename("data.win")
    room = overhaul.open_game("data.win").rooms[0].name
    text = (EXAMPLES.parent / "README.md").read_text("utf-8")
    code = dedent(text.split("From Python:")[1].split("\n## ")[0])
    for name, real in (("_player", "_keeper"), ("rm_start", room)):
        code = code.replace(name, real)
    exec(compile(code, "README.md", "exec"), {})
    changed = overhaul.open_game("new.win")
    assert changed.objects["obj_keeper"].events["Create_0"].gml.endswith("hp = 99;")
    for name, picture in (
        ("player.png", changed.sprites["spr_keeper"].frames[0].image),
        ("start.png", changed.rooms[room].image()),
    ):
        with Image.open(name) as read:
            assert read.tobytes() == present(picture).tobytes()
    assert Path("same.win").read_bytes() == Path("data.win").read_bytes()
