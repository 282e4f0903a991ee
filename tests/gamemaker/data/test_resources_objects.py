"""Objects, scripts, timelines and paths as people change them."""

from __future__ import annotations

from typing import Any

import pytest

from overhaul.errors import EncodeError
from overhaul.gamemaker.data.chunks.objt import EventType, PhysicsShape
from overhaul.gamemaker.data.chunks.room import Instance as InstanceRecord
from overhaul.gml.errors import CompileError, SyntaxError_
from present import present
from small_games import again, game_of

VERSIONS = ["1.0.0.1250", "1.4.9999", "2.2.5", "2.3.1", "2023.11", "2024.14"]


@pytest.mark.parametrize("version", VERSIONS)
def test_events_by_name(version: str) -> None:
    game = game_of(version)
    events = game.objects["obj_a"].events
    events.add("Step_0", "x += 1;")
    events.add("Collision_obj_a_b", "hp -= 1;")
    events["Alarm_3"] = "x = 2;"
    events["Step_0"] = "x += 2;"
    read = again(game).objects["obj_a"]
    assert sorted(read.events) == ["Alarm_3", "Collision_obj_a_b", "Step_0"]
    assert len(read.events) == 3
    step, hit = read.events["Step_0"], read.events["Collision_obj_a_b"]
    assert (step.type, step.other, step.object) == (EventType.STEP, None, read)
    assert step.gml.strip() == present(step.code).gml.strip() == "x += 2;"
    assert hit.other is not None and hit.other.name == "obj_a_b"
    assert repr(hit) == "<Event Collision_obj_a_b of obj_a>"
    assert repr(read) == "<GameObject obj_a 3 events>"
    step.gml = "x = 7;"
    assert "7" in read.game.records.code["gml_Object_obj_a_Step_0"].gml


def test_wrong_events_are_refused_with_a_hint() -> None:
    game = game_of("1.4.9999")
    events = game.objects["obj_a"].events
    events.add("Step_0", "x = 1;")
    before = game.to_bytes()
    with pytest.raises(KeyError, match=r"obj_a has no event 'Stepp_0' \(did you mean 'Step_0'"):
        events["Stepp_0"]
    with pytest.raises(KeyError, match="no event 'Draw_0'; it has Step_0"):
        del events["Draw_0"]
    with pytest.raises(KeyError, match="it has none"):
        game.objects["obj_a_b"].events["Draw_0"]
    for name, message in [
        ("Step_0", "already has the event Step_0"),
        ("Jump_0", "not a valid event"),
        ("Step", "not a valid event"),
        ("Step_x", "not a valid number"),
        ("Collision_obj_nobody", "no object named 'obj_nobody'"),
        ("CleanUp_0", "this release has no CleanUp events"),
    ]:
        with pytest.raises(EncodeError, match=message):
            events.add(name, "x = 1;")
    with pytest.raises(SyntaxError_):
        events.add("Draw_0", "x = ;")
    with pytest.raises(CompileError):
        events["Draw_0"] = "break;"
    assert game.to_bytes() == before


@pytest.mark.parametrize("version", VERSIONS)
def test_an_event_goes_with_its_code(version: str) -> None:
    game = game_of(version)
    events = game.objects["obj_a"].events
    events.add("Step_0", "x = 1;")
    events.add("Step_1", "x = 2;")
    del events["Step_0"]
    read = again(game)
    assert list(read.objects["obj_a"].events) == ["Step_1"]
    assert read.code.names() == ["gml_Object_obj_a_Step_1"]
    assert read.objects["obj_a"].events["Step_1"].gml.strip() == "x = 2;"


def test_code_that_others_run_stays() -> None:
    game = game_of("2024.14")
    one, two = game.objects["obj_a"], game.objects["obj_a_b"]
    one.events.add("Step_0", "x = 1;")
    two.record.events[3].append(one.record.events[3][0])
    del one.events["Step_0"]
    assert list(one.events) == []
    assert two.events["Step_0"].gml.strip() == "x = 1;"
    del two.events["Step_0"]
    assert len(game.code) == 0


def test_parents_and_children() -> None:
    game = game_of("2024.14")
    a, b = game.objects["obj_a"], game.objects["obj_a_b"]
    c = game.objects.add("obj_c", parent=b, events={"Create_0": "x = 1;"})
    b.parent = "obj_a"
    a.events.add("Step_0", "x = 1;")
    read = again(game).objects
    a, b, c = (read[name] for name in ("obj_a", "obj_a_b", "obj_c"))
    assert c.parent == b and c.ancestors() == [b, a] and a.children == [b]
    assert a.descendants() == [b, c] and c.children == []
    assert c.find_event("Step_0") == a.events["Step_0"]
    assert c.find_event("Draw_0") is None
    assert repr(c) == "<GameObject obj_c 1 event, child of obj_a_b>"
    for item in (a, "obj_a_b", c):
        with pytest.raises(ValueError, match="is or inherits from obj_a"):
            a.parent = item
    with pytest.raises(KeyError, match="no object named 'obj_d'"):
        a.parent = "obj_d"
    wrong: Any = 3
    with pytest.raises(TypeError, match="parent: expected"):
        a.parent = wrong
    b.parent = None
    assert b.parent is None and a.descendants() == []
    # a circle, as a damaged file has it, ends
    b.record.parent = c.record.parent
    b.record.parent = b.game.records.objects.reference_to("obj_c")
    assert c.ancestors() == [b] and c.descendants() == [b]


def test_instances_in_rooms() -> None:
    game = game_of("1.4.9999")
    a, b = game.objects["obj_a"], game.objects["obj_a_b"]
    b.parent = a
    record = game.records.rooms[0]
    for number, item in enumerate((a, b, a)):
        made = InstanceRecord(x=number, id=100000 + number)
        made.object = game.records.objects.reference_to(item.record)
        record.instances.append(made)
    assert [instance.x for instance in a.instances()] == [0, 2]
    assert [instance.x for instance in a.instances(descendants=True)] == [0, 1, 2]
    result = b.instances()[0].object
    assert result == b and type(result) is type(b)


def test_a_new_object_is_whole_or_not_there() -> None:
    game = game_of("2024.14")
    before = game.to_bytes()
    add = game.objects.add
    with pytest.raises(ValueError, match="'obj_a' is taken"):
        add("obj_a")
    with pytest.raises(KeyError, match="no sprite named"):
        add("obj_n", sprite="spr_none")
    with pytest.raises(KeyError, match="no object named"):
        add("obj_n", parent="obj_none")
    wrong: Any = "yes"
    with pytest.raises(TypeError, match="visible: expected True or False"):
        add("obj_n", visible=wrong)
    with pytest.raises(EncodeError, match="not a valid event"):
        add("obj_n", events={"Create_0": "some_new_name = 1;", "Jump_0": "x = 1;"})
    with pytest.raises(SyntaxError_):
        add("obj_n", events={"Create_0": "some_new_name = 1;", "Step_0": "x = ;"})
    assert game.to_bytes() == before
    made = add(
        "obj_n",
        visible=False,
        depth=-5,
        events={"Create_0": "x = obj_n;", "Collision_obj_n": "x = other.y;"},
    )
    assert (made.visible, made.depth, made.solid) == (False, -5, False)
    read = again(game).objects["obj_n"]
    assert sorted(read.events) == ["Collision_obj_n", "Create_0"]
    assert read.events["Create_0"].gml.strip() == "x = obj_n;"


def test_physics() -> None:
    game = game_of("2024.14")
    physics = game.objects["obj_a"].physics
    assert repr(physics) == "<Physics of obj_a: off>"
    physics.enabled = True
    physics.shape = PhysicsShape.CUSTOM
    physics.vertices = [(0, 0), (8.5, 0), (0, 8)]
    physics.density = 0
    read = again(game).objects["obj_a"].physics
    assert read.enabled and read.shape is PhysicsShape.CUSTOM and read.density == 0
    assert read.vertices == [(0, 0), (8.5, 0), (0, 8)]
    with pytest.raises(ValueError, match="shape: expected one of CIRCLE, BOX, CUSTOM"):
        physics.shape = 7
    with pytest.raises(ValueError, match="group: -1 does not fit u32"):
        physics.group = -1
    with pytest.raises(ValueError, match="does not fit f32"):
        physics.density = 1e300
    assert physics.group == 0 and physics.density == 0


def test_a_field_that_the_release_lacks() -> None:
    game = game_of("2.2.5")
    with pytest.raises(ValueError, match=r"managed: files of 2\.2\.5"):
        game.objects["obj_a"].managed = False
    game.objects["obj_a"].managed = True  # as it is


# -- scripts, timelines, paths -------------------------------------------------------------------


@pytest.mark.parametrize("version", VERSIONS)
def test_scripts(version: str) -> None:
    game = game_of(version)
    modern = game.release.at_least(2, 3)
    body = "function scr_up(a) { return a + 1; }" if modern else "return argument0 + 1;"
    made = game.scripts.add("scr_up", body)
    assert made.name == "scr_up" and not made.constructor
    made.gml = body.replace("1", "2")
    read = again(game).scripts["scr_up"]
    assert "2" in read.gml and present(read.code).gml == read.gml
    before = game.to_bytes()
    for name in ("scr_up", "obj_a", "2nd", "if"):
        with pytest.raises(ValueError, match="name"):
            game.scripts.add(name, body)
    with pytest.raises(SyntaxError_):
        game.scripts.add("scr_down", "x = ;")
    assert game.to_bytes() == before


@pytest.mark.parametrize("version", VERSIONS)
def test_timelines(version: str) -> None:
    game = game_of(version)
    made = game.timelines.add("tm_night", {30: "x = 3;", 10: "x = 1;"})
    made.moments.add(20, "x = 2;")
    made.moments[40] = "x = 4;"
    made.moments[10] = "x = 9;"
    made.moments[40].step = 15
    read = again(game).timelines["tm_night"]
    assert list(read.moments) == [10, 15, 20, 30]
    assert [moment.gml.strip() for moment in read.moments.values()] == [
        *("x = 9;", "x = 4;", "x = 2;", "x = 3;"),
    ]
    assert repr(read) == "<Timeline tm_night 4 moments>"
    assert repr(read.moments[15]) == "<Moment step 15 of tm_night>"
    before = game.to_bytes()
    with pytest.raises(KeyError, match="no moment at step 11; it has 10, 15, 20, 30"):
        read.moments[11]
    with pytest.raises(ValueError, match="moment at step 20"):
        made.moments[10].step = 20
    with pytest.raises(ValueError, match="step: -1 does not fit"):
        made.moments.add(-1, "x = 1;")
    with pytest.raises(ValueError, match="already has a moment at step 10"):
        made.moments.add(10, "x = 1;")
    with pytest.raises(SyntaxError_):
        game.timelines.add("tm_other", {1: "fresh = 1;", 2: "x = ;"})
    with pytest.raises(TypeError, match="step: expected a whole number"):
        game.timelines.add("tm_other", {"1": "x = 1;"})  # type: ignore[dict-item]
    assert game.to_bytes() == before
    del made.moments[20]
    assert list(again(game).timelines["tm_night"].moments) == [10, 15, 30]


def test_paths() -> None:
    game = game_of("2024.14")
    made = game.paths.add("pth_round", [(0, 0), (100, 50, 25)], closed=True)
    made.points.append((7, 8))
    made.points[0] = (1, 2)
    made.points.insert(1, (5, 5))
    read = again(game).paths["pth_round"]
    assert read.points == [(1, 2, 100), (5, 5, 100), (100, 50, 25), (7, 8, 100)]
    assert (read.closed, read.smooth, read.precision) == (True, False, 4)
    assert repr(read) == "<Path pth_round 4 points, closed>"
    assert repr(read.points).splitlines()[1] == "  Point(x=1.0, y=2.0, speed=100.0)"
    kept = read.record.points[2]
    read.points = [read.points[2], (0, 0)]
    assert read.record.points[0] is kept
    del read.points[0]
    assert read.points[:] == [(0, 0, 100)]
    before = game.to_bytes()
    wrong: Any
    for wrong in [(1,), (1, 2, 3, 4), 5, ("a", 2)]:
        with pytest.raises(TypeError, match="expected a"):
            made.points.append(wrong)
        with pytest.raises(TypeError, match="expected a"):
            made.points = [(0, 0), wrong]
    with pytest.raises(ValueError, match=r"x: 1e\+100 does not fit f32"):
        made.points[0] = (1e100, 0)
    with pytest.raises(IndexError, match="no point number 9 of 4"):
        made.points[9]
    with pytest.raises(ValueError, match="precision: expected a number from 1 to 8"):
        made.precision = 9
    with pytest.raises(TypeError):
        game.paths.add("pth_other", [(1,)])
    assert game.to_bytes() == before


@pytest.mark.parametrize("version", VERSIONS)
def test_instances_are_counted_for_all_objects_at_once(version: str) -> None:
    game = game_of(version)
    rooms = [room.record for room in game.rooms]
    for room, name in ((rooms[0], "obj_a"), (rooms[0], "obj_a_b"), (rooms[-1], "obj_a")):
        room.instances.append(InstanceRecord(object=game.records.objects.reference_to(name)))
    rooms[0].instances.append(InstanceRecord(object=-1))
    counts = game.instance_counts()
    assert counts == {each.index: each.instance_count for each in game.objects}
    assert counts[game.objects["obj_a"].index] == 2
    assert counts[game.objects["obj_a_b"].index] == 1
