"""Files of three editions: only lines that a merge changes differ, and marks hold whole sides."""

from __future__ import annotations

from pathlib import Path

import pytest

from ide_projects import modern_project, old_project, printed, studio_project
from overhaul.cli import main
from overhaul.gamemaker.ide.marks import sides_of
from overhaul.gamemaker.ide.printing import print_text
from overhaul.gamemaker.ide.styles import Style
from overhaul.gamemaker.ide.texts import read_json_file
from overhaul.gamemaker.ide.values import Json, list_at
from overhaul.gamemaker.ide_merge.files import MergedFile, merge_files

ROOM = "rooms/rm_a/rm_a.yy"
#: an instance that was placed
PLACED = '"v4","name":"a","resourceType":"GMRInstance","x":5.0,'


@pytest.fixture
def room(tmp_path: Path) -> str:
    modern_project(tmp_path)
    return (tmp_path / ROOM).read_text()


def merge(path: str, base: str, ours: str, theirs: str) -> MergedFile:
    return merge_files(path, base.encode(), ours.encode(), theirs.encode())


def reasons(merged: MergedFile) -> list[str]:
    return [str(conflict) for conflict in merged.conflicts]


def test_only_merged_lines_differ(room: str) -> None:
    ours = room.replace('"x":1.0', '"x":5.0')
    theirs = room.replace('  "parentRoom":null,', '  "parentRoom":null,\n  "persistent":true,')
    merged = merge(ROOM, room, ours, theirs)
    assert merged.conflicts == []
    assert merged.data.decode() == theirs.replace('"x":1.0', '"x":5.0')


def test_a_file_in_another_form_keeps_it(room: str) -> None:
    base = room.replace('  "parentRoom":null,', '  "parentRoom" : null ,')
    ours, theirs = base.replace('"x":1.0', '"x":5.0'), base.replace('"v4"', '"v5"')
    assert merge(ROOM, base, ours, theirs).data.decode() == ours.replace('"v4"', '"v5"')


def test_a_conflict_has_both_sides_between_marks(room: str) -> None:
    ours, theirs = (room.replace('"x":1.0', f'"x":{x}.0') for x in (5, 6))
    theirs = theirs.replace('  "parentRoom":null,', '  "parentRoom":null,\n  "persistent":true,')
    merged = merge(ROOM, room, ours, theirs)
    lines = merged.data.decode().splitlines()
    line = lines.index("<<<<<<< ours") + 1
    assert reasons(merged) == [f"{ROOM}:{line}: instances.inst_1.x: changed by both"]
    assert lines[line + 1] == "======="
    assert lines[line + 3] == ">>>>>>> theirs"
    one, two = sides_of(merged.data.decode())
    assert one == theirs.replace('"x":6.0', '"x":5.0')
    assert two == theirs


def layered(*layers: tuple[str, list[str]]) -> str:
    def instance(name: str) -> Json:
        return {"$GMRInstance": "v4", "name": name, "resourceType": "GMRInstance"}

    rows: list[Json] = [
        {"$GMRInstanceLayer": "", "instances": list(map(instance, names)), "name": name}
        for name, names in layers
    ]
    order: list[Json] = [{"name": name, "path": ROOM} for _, names in layers for name in names]
    return printed({
        "$GMRoom": "v1", "instanceCreationOrder": order, "layers": rows, "name": "rm_a",
        "resourceType": "GMRoom",
    })  # fmt: skip


def layers_of(text: str) -> list[tuple[str, list[str]]]:
    value = read_json_file(text.encode()).value
    return [
        (str(layer["name"]), [str(row["name"]) for row in list_at(layer, "instances")
                              if isinstance(row, dict)])
        for layer in list_at(value, "layers") if isinstance(layer, dict)
    ]  # fmt: skip


def test_an_instance_that_one_moves_to_another_layer_and_the_other_edits() -> None:
    base = layered(("A", ["a", "b"]), ("B", []))
    ours = layered(("A", ["b"]), ("B", ["a"]))
    theirs = base.replace('"v4","name":"a","resourceType":"GMRInstance",', PLACED)
    merged = merge(ROOM, base, ours, theirs)
    assert merged.conflicts == []
    assert layers_of(merged.data.decode()) == [("A", ["b"]), ("B", ["a"])]
    assert PLACED in merged.data.decode()


def test_an_instance_that_one_moves_and_the_other_removes() -> None:
    base = layered(("A", ["a", "b"]), ("B", []))
    moved, gone = layered(("A", ["b"]), ("B", ["a"])), layered(("A", ["b"]), ("B", []))
    for ours, theirs in ((moved, gone), (gone, moved)):
        merged = merge(ROOM, base, ours, theirs)
        assert [one.reason for one in merged.conflicts] == [
            "an instance is moved to another layer by one, and moved or removed by the other"
        ]
        sides = sides_of(merged.data.decode())
        assert [layers_of(side) for side in sides] == [layers_of(ours), layers_of(theirs)]
    other = layered(("A", ["b"]), ("B", []), ("C", ["a"]))
    assert len(merge(ROOM, base, moved, other).conflicts) == 1


def sprite(*frames: str) -> str:
    keyframes: list[Json] = [
        {"$Keyframe": "", "Channels": {"0": {"Id": {"name": name, "path": "s.yy"}}},
         "id": f"key {name}", "Key": float(number), "Length": 1.0}
        for number, name in enumerate(frames)
    ]  # fmt: skip
    track: Json = {"keyframes": {"Keyframes": keyframes}, "name": "frames",
                   "resourceType": "GMSpriteFramesTrack"}  # fmt: skip
    return printed({
        "$GMSprite": "v2", "frames": [{"$GMSpriteFrame": "v1", "name": name} for name in frames],
        "name": "spr_a", "resourceType": "GMSprite",
        "sequence": {"length": float(len(frames)), "tracks": [track]},
    })  # fmt: skip


def test_frames_of_both_sides_have_times() -> None:
    merged = merge("s.yy", sprite("a", "b"), sprite("a", "c", "b"), sprite("a", "b", "d"))
    assert (merged.data.decode(), merged.conflicts) == (sprite("a", "c", "b", "d"), [])
    merged = merge("s.yy", sprite("a", "b"), sprite("b", "a"), sprite("a"))
    assert (merged.data.decode(), merged.conflicts) == (sprite("a"), [])


def test_the_newer_form_is_kept(tmp_path: Path) -> None:
    value: dict[str, Json] = {"resourceType": "GMObject", "resourceVersion": "1.0", "name": "o",
                              "solid": False, "visible": False}  # fmt: skip
    base = print_text(value, Style("C"))
    ours = print_text({**value, "solid": True}, Style("C"))
    theirs = print_text({"$GMObject": "", "%Name": "o", **value, "visible": True}, Style("D"))
    merged = merge("o.yy", base, ours, theirs)
    assert merged.conflicts == []
    assert merged.data.decode() == theirs.replace('"solid":false', '"solid":true')
    assert merge("o.yy", base, theirs, ours).data == merged.data


def test_a_conflict_in_the_form_of_theirs_says_whose_is_what() -> None:
    value: dict[str, Json] = {"resourceType": "GMObject", "name": "o", "x": 1, "y": 1}
    base = print_text(value, Style("C"))
    ours = print_text({**value, "x": 2}, Style("C"))
    theirs = print_text({"$GMObject": "", **value, "x": 3}, Style("D"))
    merged = merge("o.yy", base, ours, theirs)
    assert [(one.ours, one.theirs) for one in merged.conflicts] == [(2, 3)]
    one, two = sides_of(merged.data.decode())
    assert ('"x":2' in one, '"x":3' in two) == (True, True)


def test_an_old_project(tmp_path: Path) -> None:
    text = old_project(tmp_path).read_text()
    row = text[text.index("        {\n") : text.index("        },\n") + len("        },\n")]
    ours = text.replace(row, row.replace('"Key": "1"', '"Key": "8"').replace("spr_a", "b") + row)
    theirs = text.replace(row, row + row.replace('"Key": "1"', '"Key": "9"').replace("spr_a", "c"))
    merged = merge("Old.yyp", text, ours, theirs)
    assert merged.conflicts == []
    file = read_json_file(merged.data)
    assert [item["Key"] for item in list_at(file.value, "resources") if isinstance(item, dict)] == [
        "8", "1", "9", "2", "3", "4",
    ]  # fmt: skip
    assert file.printed() == file.text


def test_code_by_lines() -> None:
    base = "a = 1;\nb = 2;\nc = 3;\n"
    merged = merge("x.gml", base, base.replace("1", "5"), base.replace("3", "6"))
    assert (merged.data.decode(), merged.conflicts) == ("a = 5;\nb = 2;\nc = 6;\n", [])
    merged = merge("x.gml", base, base.replace("2", "5"), base.replace("2", "6"))
    assert merged.data.decode() == (
        "a = 1;\n<<<<<<< ours\nb = 5;\n=======\nb = 6;\n>>>>>>> theirs\nc = 3;\n"
    )
    assert reasons(merged) == ["x.gml:2: changed by both"]
    assert merged.conflicts[0].sides() == [("ours", '"b = 5;\\n"'), ("theirs", '"b = 6;\\n"')] or (
        merged.conflicts[0].sides() == [("ours", "b = 5;"), ("theirs", "b = 6;")]
    )


def test_ends_of_lines_are_those_of_the_side_that_changed_them() -> None:
    base = "a\nb\nc\nd\n"
    ours = base.replace("a", "x").replace("\n", "\r\n")
    merged = merge("x.gml", base, ours, base.replace("d", "y"))
    assert (merged.data, merged.conflicts) == (b"x\r\nb\r\nc\r\ny\r\n", [])
    assert merge("x.gml", base, base.replace("d", "y"), ours).data == merged.data


def test_lines_that_end_in_different_ways_stay() -> None:
    base = "a\r\nb\nc\n"
    merged = merge("x.gml", base, base.replace("c", "x"), base.replace("a", "y"))
    assert (merged.data, merged.conflicts) == (b"y\r\nb\nx\n", [])


@pytest.mark.parametrize("character", ["\f", "\v", "\x1c", "\x85", "\u2028", "\r"])
def test_only_a_line_feed_ends_a_line(character: str) -> None:
    base = f"a{character}b\nc\n"
    ours, theirs = base.replace("b", "x"), base.replace("b", "y")
    merged = merge("x.gml", base, ours, theirs)
    assert reasons(merged) == ["x.gml:1: changed by both"]
    assert sides_of(merged.data.decode()) == (ours, theirs)
    value = f'{{\n  "a":"1{character}",\n}}'
    if character >= " ":  # JSON has it in texts
        sides = value.replace("1", "2"), value.replace("1", "3")
        assert sides_of(merge("o.yy", value, *sides).data.decode()) == sides


@pytest.mark.parametrize("name", ["o.yy", "o.gmx", "o.gml"])
def test_a_file_that_both_added(name: str) -> None:
    form = '{{\n  "name":"o",\n  "{0}":1,\n}}' if name == "o.yy" else "<o>\n  <{0}/>\n</o>\n"
    ours, theirs = form.format("a"), form.format("b")
    merged = merge(name, "", ours, theirs)
    line = 3 if name == "o.yy" else 2
    assert reasons(merged) == [f"{name}:{line}: added by both, and not the same"]
    assert sides_of(merged.data.decode()) == (ours, theirs)
    assert merge(name, "", ours, ours).conflicts == []
    # ends of lines are no difference
    merged = merge(name, "", ours, ours.replace("\n", "\r\n"))
    assert (merged.data.decode(), merged.conflicts) == (ours, [])


def test_files_that_are_no_text() -> None:
    merged = merge_files("a.png", b"\x89PNG\0", b"\x89PNG\1\0", b"\x89PNG\2\0")
    assert merged.data == b"\x89PNG\1\0"
    assert reasons(merged) == ["a.png: changed by both, and no text"]
    assert merge_files("a.png", b"\0", b"\0", b"\1\0").data == b"\1\0"
    merged = merge_files("a.png", b"", b"\x89PNG\1\0", b"\x89PNG\2\0")
    assert reasons(merged) == ["a.png: added by both, and no text"]


def test_json_that_is_broken_is_merged_by_lines() -> None:
    base = '{\n  "a":1,\n  "b":2,\n  "c":3,\n'
    merged = merge("o.yy", base, base.replace("1", "5"), base.replace("3", "6"))
    assert (merged.data.decode(), merged.conflicts) == ('{\n  "a":5,\n  "b":2,\n  "c":6,\n', [])


# -- Studio 1 -------------------------------------------------------------------------------------


@pytest.fixture
def studio(tmp_path: Path) -> Path:
    studio_project(tmp_path)
    return tmp_path


def test_rows_of_a_project_of_studio(studio: Path) -> None:
    text = (studio / "Game.project.gmx").read_text()
    row = "    <object>objects\\obj_a</object>\n"
    ours = text.replace(row, row + row.replace("obj_a", "obj_b"))
    theirs = text.replace(row, row + row.replace("obj_a", "obj_c")).replace("snd_a", "snd_b")
    merged = merge("Game.project.gmx", text, ours, theirs)
    assert merged.conflicts == []
    expected = ours.replace("snd_a", "snd_b").replace(
        row.replace("obj_a", "obj_b"),
        row.replace("obj_a", "obj_b") + row.replace("obj_a", "obj_c"),
    )
    assert merged.data.decode() == expected


def test_instances_of_a_room_of_studio(studio: Path) -> None:
    text = (studio / "rooms/rm_a.room.gmx").read_text()
    row = '    <instance objName="obj_a" x="0" name="inst_1"/>\n'
    assert row in text
    ours = text.replace('x="0"', 'x="7"')
    theirs = text.replace(row, row + row.replace("inst_1", "inst_2"))
    theirs = theirs.replace("<code></code>", "<code>show();</code>")
    merged = merge("rooms/rm_a.room.gmx", text, ours, theirs)
    assert merged.conflicts == []
    assert merged.data.decode() == theirs.replace('x="0" name="inst_1"', 'x="7" name="inst_1"')
    other = text.replace('x="0"', 'x="8"')
    merged = merge("rooms/rm_a.room.gmx", text, ours, other)
    assert reasons(merged) == [
        "rooms/rm_a.room.gmx:5: elements[instances].elements[instance inst_1].@x: changed by both"
    ]
    assert sides_of(merged.data.decode()) == (ours, other)


@pytest.mark.parametrize("turned", [False, True])
def test_code_in_xml_whose_lines_end_otherwise(studio: Path, turned: bool) -> None:
    path = "rooms/rm_a.room.gmx"
    base = (studio / path).read_text().replace("<code></code>", "<code>a;\nb;\nc;</code>")
    ours = base.replace("b;", "x;").replace("\n", "\r\n")

    def both(theirs: str) -> MergedFile:
        return merge(path, base, theirs, ours) if turned else merge(path, base, ours, theirs)

    # the same edit
    assert (both(base.replace("b;", "x;")).data.decode(), both(ours).conflicts) == (ours, [])
    # another line
    made = both(base.replace("c;", "y;"))
    assert reasons(made) == ["rooms/rm_a.room.gmx:4: elements[code].text: changed by both"]
    made = both(base.replace('x="0"', 'x="7"'))
    assert (made.data.decode(), made.conflicts) == (ours.replace('x="0"', 'x="7"'), [])
    # lines of one file end in different ways
    mixed = base.replace("b;\n", "x;\r\n")
    assert both(mixed).data.decode() in (ours, mixed)


def test_marks_in_xml_of_another_encoding() -> None:
    base = '<?xml version="1.0" encoding="windows-1252"?>\n<o>\n  <n>é</n>\n  <m>0</m>\n</o>\n'
    sides = [base.replace(">0<", f">{number}<").encode("cp1252") for number in "12"]
    merged = merge_files("o.gmx", base.encode("cp1252"), *sides)
    assert reasons(merged) == ["o.gmx:4: elements[m].text: changed by both"]
    assert sides_of(merged.data.decode("cp1252")) == tuple(one.decode("cp1252") for one in sides)


def test_deep_nesting_is_merged_by_lines() -> None:
    deep = '{"a":' * 900
    base = f"{deep}1{'}' * 900}\n\n\nend\n"
    merged = merge("o.yy", base, base.replace("1", "2"), base.replace("end", "last"))
    assert merged.conflicts == []
    assert merged.data.decode() == base.replace("1", "2").replace("end", "last")
    base = f"{deep}1{'}' * 900}"
    assert len(merge("o.yy", base, base.replace("1", "2"), base.replace("1", "3")).conflicts) == 1


def test_marks_in_xml_are_named(studio: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = studio / "rooms/rm_a.room.gmx"
    text = path.read_text()
    merged = merge(path.name, text, text.replace('x="0"', 'x="7"'), text.replace('x="0"', 'x="8"'))
    path.write_bytes(merged.data)
    assert main(["check", str(studio / "Game.project.gmx")]) == 1
    said = "rooms/rm_a.room.gmx: line 5: a merge left <<<<<<< here: keep one of the two sides"
    assert said in capsys.readouterr().out
