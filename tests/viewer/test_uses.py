"""What uses what, what calls what, and what nothing uses."""

from __future__ import annotations

from pathlib import Path

import overhaul
from overhaul.gamemaker.data.code.mentions import call_graph
from overhaul.gamemaker.data.resources.users import unused
from overhaul.gml.vm.columns import is_string_push
from viewing import looking_at


def names(page: dict[str, list[dict[str, str]]]) -> list[tuple[str, str]]:
    return [(use["kind"], use["name"]) for use in page["uses"]]


def test_uses_have_their_lines(lantern: Path) -> None:
    with looking_at(lantern) as client:
        page = client.get("/-/uses/sounds/snd_catch.json").json()
        piece = client.get("/-/uses/sounds/snd_catch", headers={"HX-Request": "true"}).text
        sprite = client.get("/-/uses/sprites/spr_keeper.json").json()
        missing = client.get("/-/uses/sprites/nothing").status_code
    code = "gml_Object_obj_keeper_Collision_obj_firefly"
    assert names(page) == [("code entry", code)]
    (line,) = page["uses"][0]["lines"]
    assert line["href"].startswith(f"/code/{code}#L")
    with overhaul.open_game(lantern) as game:
        source = game.code[code].gml.split("\n")
    assert source[int(line["href"].partition("#L")[2]) - 1].strip() == line["text"]
    assert "snd_catch" in line["text"]
    assert "<html" not in piece
    assert code in piece
    assert ("object", "obj_keeper") in names(sprite)
    assert missing == 404


def test_calls_are_known_both_ways(lantern: Path) -> None:
    with overhaul.open_game(lantern) as game:
        graph = call_graph(game)
        script = next(c.name for c in game.code if c.name.endswith("Script_scr_flicker"))
    drawing = "gml_Object_obj_keeper_Draw_0"
    assert graph.calls[drawing] == [script]
    assert graph.callers[script] == [drawing]
    assert script not in graph.calls
    with looking_at(lantern) as client:
        page = client.get(f"/-/calls/code/{script}.json").json()
        same = client.get("/-/calls/scripts/scr_flicker.json").json()
        text = client.get(f"/-/calls/code/{script}").text
        none = client.get("/-/calls/sprites/spr_keeper").status_code
    boxes = {node["name"]: node for node in page["nodes"]}
    assert set(boxes) == {script, drawing}
    assert boxes[script]["here"]
    assert not boxes[drawing]["here"]
    assert boxes[drawing]["x"] + boxes[drawing]["width"] < boxes[script]["x"]
    (call,) = page["calls"]
    x1, x2 = boxes[drawing]["x"] + boxes[drawing]["width"], boxes[script]["x"]
    y1, y2 = boxes[drawing]["y"] + 12, boxes[script]["y"] + 12
    assert (call["x"], call["y"]) == (x2, y2)
    assert call["path"] == f"M{x1:g} {y1:g} C{x1 + 45:g} {y1:g} {x2 - 45:g} {y2:g} {x2:g} {y2:g}"
    assert same["nodes"] == page["nodes"]
    assert f'<a href="/code/{drawing}">' in text
    assert none == 404


def test_calls_are_followed_for_two_steps(lantern: Path, tmp_path: Path) -> None:
    path = tmp_path / "game.win"
    with overhaul.open_game(lantern) as game:
        for name, body in (("d", ""), ("c", "scr_d();"), ("b", "scr_c();"), ("a", "scr_b();")):
            whole = body if game.release.major < 2 else f"function scr_{name}() {{ {body} }}"
            game.scripts.add(f"scr_{name}", whole)
        entry = next(code.name for code in game.code if code.name.endswith("Script_scr_a"))
        game.save(path)
    with looking_at(path) as client:
        page = client.get(f"/-/calls/code/{entry}.json").json()
    assert [node["name"][-5:] for node in page["nodes"]] == ["scr_a", "scr_b", "scr_c"]


def test_what_nothing_uses_is_listed(lantern: Path, tmp_path: Path) -> None:
    path = tmp_path / "game.win"
    with overhaul.open_game(lantern) as game:
        assert unused(game) == []
        picture = game.sprites["spr_keeper"].frames[0].image
        assert picture is not None
        game.sprites.add("spr_lonely", frames=[picture])
        game.sprites.add("spr_named", frames=[picture])
        game.sprites.add("spr_in_code", frames=[picture])
        code = game.code["gml_Object_obj_keeper_Create_0"]
        code.append('found = asset_get_index("spr_named");\nother_sprite = spr_in_code;')
        game.scripts.add("scr_lonely", "return 1;")
        assert {str(each) for each in unused(game)} == {"sprite spr_lonely", "script scr_lonely"}
        game.save(path)
    with looking_at(path) as client:
        page = client.get("/-/unused.json").json()
        text = client.get("/-/unused").text
    assert page["count"] == 2
    assert page["kinds"]["sprite"] == [{"text": "spr_lonely", "href": "/sprites/spr_lonely"}]
    assert 'href="/sprites/spr_lonely"' in text


def test_an_object_shows_the_events_it_inherits(lantern: Path, tmp_path: Path) -> None:
    path = tmp_path / "game.win"
    with overhaul.open_game(lantern) as game:
        game.objects["obj_firefly"].parent = game.objects["obj_door"]
        game.objects["obj_ending"].parent = game.objects["obj_firefly"]
        game.save(path)
    with looking_at(path) as client:
        page = client.get("/objects/obj_ending.json").json()
        text = client.get("/objects/obj_ending").text
    events = {each["name"]: each for each in page["events"]}
    assert events["Step_0"]["inherited"] is None
    assert events["Step_0"]["code"]["href"] == "/code/gml_Object_obj_ending_Step_0"
    assert events["Create_0"]["inherited"]["text"] == "obj_firefly"
    family = page["family"]
    assert (family["name"], family["here"]) == ("obj_door", False)
    assert family["children"][0]["children"][0]["name"] == "obj_ending"
    assert family["children"][0]["children"][0]["here"]
    assert 'aria-current="page">obj_ending</a>' in text


def test_code_with_a_text_that_is_not_there_uses_nothing_by_it(lantern: Path) -> None:
    with overhaul.open_game(lantern) as game:
        entry = game.records.code["gml_Object_obj_ending_Draw_0"]
        columns = entry.bytecode.columns
        texts = is_string_push(columns)
        assert texts.any()
        columns.operand = columns.operand.copy()
        columns.operand[texts] = len(game.strings)
        assert unused(game) == []
