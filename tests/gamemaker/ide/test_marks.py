"""Marks of merges: both sides are kept where they agree."""

from __future__ import annotations

from pathlib import Path

import pytest

import overhaul
from ide_projects import modern_project
from overhaul.cli import main
from overhaul.errors import FormatError
from overhaul.gamemaker.ide.marks import Disagreement, sides_of, without_marks
from overhaul.gamemaker.ide.texts import read_json_file


def merged(text: str) -> str:
    return without_marks(text.encode(), "a.yy").text


def test_sides() -> None:
    text = "a\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> other\nd\n"
    assert sides_of(text) == ("a\nb\nd\n", "a\nc\nd\n")
    nested = "<<<<<<< x\n<<<<<<< y\na\n=======\nb\n>>>>>>> y\n=======\nc\n=======\nd\n>>>>>>> x\ne"
    assert sides_of(nested) == ("a\ne", "d\ne")
    assert sides_of("a\r\n<<<<<<< x\r\nb\r\n=======\r\n>>>>>>> y\r\n") == ("a\r\nb\r\n", "a\r\n")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a\n=======\n", "line 2: ======= without a beginning"),
        ("a\n>>>>>>> x\n", "line 2: >>>>>>> without a beginning"),
        ("<<<<<<< x\na\n=======\n", "line 1: a block without an end"),
        ("<<<<<<< x\n" * 65, "line 65: marks are in each other too deep"),
    ],
)
def test_marks_that_do_not_belong_together(text: str, message: str) -> None:
    with pytest.raises(Disagreement) as error:
        sides_of(text)
    assert str(error.value) == message


def row(name: str) -> str:
    return f'    {{"id":{{"name":"{name}","path":"objects/{name}/{name}.yy",}},}},\n'


def listing(rows: str) -> str:
    return '{\n  "$GMProject":"",\n  "resources":[\n' + rows + "  ],\n}"


def test_rows_of_both_sides_are_kept() -> None:
    block = f"<<<<<<< HEAD\n{row('b')}=======\n{row('c')}>>>>>>> other\n"
    expected = listing(row("a") + row("b") + row("c") + row("d"))
    made = merged(listing(row("a") + block + row("d")))
    assert sorted(made.splitlines()) == sorted(expected.splitlines())
    assert read_json_file(made.encode()).value


def test_members_of_both_sides_are_kept() -> None:
    one, other = '  "solid":true,\n', '  "visible":true,\n'
    start = '{\n  "$GMObject":"",\n'
    text = f"{start}<<<<<<< a\n{one}=======\n{other}>>>>>>> b\n}}"
    assert merged(text) == start + one + other + "}"


def test_values_that_differ_are_left_to_people() -> None:
    text = '{\n  "$GMObject":"",\n<<<<<<< a\n  "x":1,\n=======\n  "x":2,\n>>>>>>> b\n}'
    with pytest.raises(Disagreement, match="x is 1 on one side, 2 on the other"):
        merged(text)
    text = '{\n  "$GMObject":"",\n<<<<<<< a\n  "x":[1,],\n=======\n  "x":[2,],\n>>>>>>> b\n}'
    with pytest.raises(Disagreement, match="x has other elements on both sides"):
        merged(text)
    text = '{\n<<<<<<< a\n  "x":1,\n  "x":2,\n=======\n  "x":1,\n>>>>>>> b\n}'
    with pytest.raises(Disagreement, match=r"one side is not JSON: .*duplicate key 'x'"):
        merged(text)


def test_a_project_is_repaired(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = modern_project(tmp_path)
    lines = path.read_text().splitlines(keepends=True)
    number = next(number for number, line in enumerate(lines) if "scripts/scr_a" in line)
    path.write_text("".join([
        *lines[:number], "<<<<<<< HEAD\n", lines[number], "=======\n", lines[number + 1],
        ">>>>>>> other\n", *lines[number + 2 :],
    ]))  # fmt: skip
    room = tmp_path / "rooms/rm_a/rm_a.yy"
    room.write_text(room.read_text().replace(
        '  "parentRoom":null,', '<<<<<<< a\n  "parentRoom":null,\n=======\n>>>>>>> b'
    ))  # fmt: skip
    with pytest.raises(FormatError):
        overhaul.open(path)
    assert main(["repair", str(path)]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "Game.yyp: keep both sides of the merge", "1 steps: --yes does this",
    ]  # fmt: skip
    assert main(["repair", str(path), "--yes"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "Game.yyp: keep both sides of the merge",
        "rooms/rm_a/rm_a.yy: keep both sides of the merge",
        "2 steps: done",
    ]  # fmt: skip
    assert [str(one) for one in overhaul.verify(path).findings] == []
    assert overhaul.open(path).info()["resources"] == {
        "included file": 1, "object": 2, "room": 1, "script": 1, "sound": 1, "sprite": 1,
    }  # fmt: skip


def test_a_project_whose_sides_disagree(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = modern_project(tmp_path)
    text = path.read_text()
    block = '<<<<<<< a\n  "name":"Game",\n=======\n  "name":"Other",\n>>>>>>> b\n'
    path.write_text(text.replace('  "name":"Game",\n', block))
    before = path.read_bytes()
    assert main(["repair", str(path), "--yes"]) != 0
    assert "name is 'Game' on one side, 'Other' on the other" in capsys.readouterr().err
    assert path.read_bytes() == before
