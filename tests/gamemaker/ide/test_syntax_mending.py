"""Broken JSON is mended where only one reading is possible, and named where it is not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import overhaul
from broken_projects import KINDS, broken, counted, repaired
from ide_projects import modern_project, printed
from overhaul.cli import main
from overhaul.errors import WorkspaceError
from overhaul.gamemaker.ide.printing import print_text
from overhaul.gamemaker.ide.resources.objects import Events
from overhaul.gamemaker.ide.styles import Style
from overhaul.gamemaker.ide.syntax_mending import Mended, Unmendable, in_form, mended
from overhaul.gamemaker.ide.values import Json
from overhaul.gamemaker.ide_merge.trees import Tree, tree_of

EVENTS: list[Json] = [
    {"$GMEvent": "v1", "%Name": "", "collisionObjectId": None, "eventNum": number, "eventType": 3,
     "isDnD": False, "name": "", "resourceType": "GMEvent", "resourceVersion": "2.0"}
    for number in (0, 1)
]  # fmt: skip
OBJECT: dict[str, Json] = {
    "$GMObject": "", "%Name": "obj_a", "eventList": EVENTS, "managed": True, "name": "obj_a",
    "parentObjectId": None, "persistent": False, "resourceType": "GMObject",
    "resourceVersion": "2.0", "solid": False, "visible": True,
}  # fmt: skip
TEXT = printed(OBJECT)
LINES = TEXT.splitlines(keepends=True)


def without(text: str, part: str, number: int = 0) -> str:
    """A text without the occurrence of a part of a number."""
    at = -1
    for _ in range(number + 1):
        at = text.index(part, at + 1)
    return text[:at] + text[at + len(part) :]


@pytest.mark.parametrize(
    ("text", "step"),
    [
        (without(TEXT, ",\n", 1), "line 3: put in a comma"),
        (TEXT.replace('"eventNum":1,', '"eventNum":1,,'), "line 6: take out a comma"),
        (TEXT.replace('"eventList":[', '"eventList":[,'), "line 4: take out a comma"),
        (without(TEXT, "},\n"), "line 6: put in a closing bracket"),
        (without(TEXT, "  ],\n"), "line 7: put in a closing bracket"),
        (without(TEXT, "{", 1), "line 5: put in an opening bracket"),
        (without(TEXT, "["), "line 5: put in an opening bracket"),
        (TEXT.replace("},\n", "}},\n", 1), "line 5: take out a bracket"),
        (TEXT.replace("  ],\n", "  ],],\n"), "line 7: take out a bracket"),
        (without(TEXT, '"', 5), "line 3: put in a quote"),
        ("".join([*LINES[:9], *LINES[7:]]), "lines 10 to 11: take out duplicates"),
        (TEXT[:-1], "line 17: put in the closing bracket at the end"),
        (TEXT + "}\n]", "line 17: take out brackets after the end"),
    ],
)
def test_one_mistake(text: str, step: str) -> None:
    made = mended(text.encode())
    assert made.text == TEXT
    assert [one.partition(": ")[2] for one in made.steps] == [step.partition(": ")[2]]


def test_several_mistakes() -> None:
    text = without(without(TEXT, ",\n", 1), "},\n").replace('"eventNum":1,', '"eventNum":1,,')
    made = mended(text.encode())
    assert (made.text, len(made.steps)) == (TEXT, 3)


@pytest.mark.parametrize(
    ("data", "step"),
    [
        (TEXT.encode("utf-16"), "it was in UTF-16, and is in UTF-8"),
        (TEXT.encode("utf-16-le"), "it was in UTF-16, and is in UTF-8"),
        (TEXT.encode("utf-16-be"), "it was in UTF-16, and is in UTF-8"),
        (TEXT.encode("utf-8-sig"), "the byte order mark before the text is gone"),
        (TEXT.encode() + bytes(7), "7 zeros after the end are gone"),
    ],
)
def test_encodings(data: bytes, step: str) -> None:
    assert mended(data) == Mended(TEXT, [step])


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        ("".join(LINES[:12]).encode(), "it is cut off after resourceType, and may have had res"),
        (TEXT[: TEXT.index('"eventNum":1')].encode(), "no small edit makes it whole"),
        (b"", "nothing of it is left"),
        (bytes(100), "nothing of it is left"),
        (TEXT.replace("obj_a", "obj_\xe4").encode("latin-1"), "line 3: the bytes are not text in"),
        (TEXT.replace('  "solid":false,\n', '  "solid":false,\n  "solid":true,\n').encode(),
         "duplicate key 'solid': no small edit makes it whole"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"a' * 50_000, "no small edit"),
    ],
)  # fmt: skip
def test_what_may_have_lost_something_is_left(data: bytes, reason: str) -> None:
    with pytest.raises(Unmendable) as error:
        mended(data)
    assert reason in str(error.value)


def test_members_of_other_releases() -> None:
    value: dict[str, Json] = {"isDnD": False, "isCompatibility": False, "resourceVersion": "1.0",
                              "name": "scr", "tags": [], "resourceType": "GMScript"}  # fmt: skip
    text = print_text(value, Style("B"))
    assert mended(text[:-1].encode()).text == text
    cut = text[: text.index('  "resourceType"')]
    with pytest.raises(Unmendable, match="it is cut off: get the rest from a copy"):
        mended(cut.encode())


def test_the_form_of_gamemaker() -> None:
    loose = TEXT.replace('"solid":false,', '"solid" : false,').replace(
        '"visible":true,', '"visible":true'
    )
    made = in_form(mended(loose.encode()))
    assert made == Mended(TEXT, ["blanks and commas are as GameMaker writes them"])
    assert in_form(Mended(TEXT, [])) == Mended(TEXT, [])
    other = Mended(TEXT.replace("false", "1.00"), [])
    assert in_form(other) == other


# -- projects -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Tree:
    folder = tmp_path_factory.mktemp("project")
    modern_project(folder)
    found = tree_of(str(folder))
    return Tree("project", {path: found.read(path) for path in found.files})


@pytest.mark.parametrize("kind", KINDS)
def test_broken_projects_are_repaired_and_lose_nothing(tree: Tree, kind: str) -> None:
    before = counted(tree.document())
    tried = 0
    for seed in range(12):
        made = broken(tree, kind, seed)
        if made is None:
            continue
        try:
            fixed, steps, left = repaired(made.tree)
        except WorkspaceError as error:  # the project's own file, cut off or read in two ways
            assert "Game.yyp" in str(error)
            continue
        document = fixed.document()
        document.decode()
        wrong = [str(one) for one in document.findings if one.severity != "note"]
        if left:
            assert left[0].partition(":")[0] in made.words
            continue
        assert wrong == [], made.words
        after = counted(document)
        assert all(after[what] >= before[what] - (kind == "gone") for what in before), made.words
        tried += bool(steps)
    assert tried or kind in ("cut", "merge")


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = modern_project(tmp_path)
    text = path.read_text()
    path.write_text(text.replace('"%Name":"Game",', '"%Name":"Game"'))
    room = tmp_path / "rooms/rm_a/rm_a.yy"
    whole = room.read_bytes()
    room.write_bytes(whole[: len(whole) // 2])
    assert main(["check", str(path)]) == 3
    assert "Game.yyp:4:3: not valid JSON: Expecting ',' delimiter" in "".join(capsys.readouterr())
    assert main(["repair", str(path)]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "Game.yyp: line 4: put in a comma", "1 steps: --yes does this",
    ]  # fmt: skip
    assert main(["repair", str(path), "--yes", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["steps"] == ["Game.yyp: line 4: put in a comma"]
    assert said["left"][0].startswith("rooms/rm_a/rm_a.yy: line ")
    assert path.read_text() == text
    assert (tmp_path / "Game.yyp.bak").read_text() != text
    assert room.read_bytes() == whole[: len(whole) // 2]
    assert main(["repair", str(path)]) == 0
    assert "overhaul: not repaired: rooms/rm_a/rm_a.yy: line " in capsys.readouterr().err


def test_a_placeholder_keeps_what_uses_it(tmp_path: Path) -> None:
    path = modern_project(tmp_path)
    (tmp_path / "objects/obj_b/obj_b.yy").unlink()
    assert main(["repair", str(path), "--yes", "-q"]) == 0
    project = overhaul.open_project(path)
    assert overhaul.verify(path).findings == []
    assert list(project.objects["obj_b"].events) == ["Create_0"]
    events = project.objects["obj_b"].events
    assert isinstance(events, Events)
    assert events["Create_0"].gml == "x = 1;\n"
    assert [one.object.name for one in project.rooms["rm_a"].instances if one.object] == ["obj_b"]


def test_a_project_file_in_utf_16(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = modern_project(tmp_path)
    text = path.read_text()
    path.write_bytes(text.encode("utf-16"))
    assert main(["check", str(path)]) == 3
    assert "expected a text in UTF-8, got a text in UTF-16" in "".join(capsys.readouterr())
    assert main(["repair", str(path), "--yes"]) == 0
    assert path.read_text() == text
