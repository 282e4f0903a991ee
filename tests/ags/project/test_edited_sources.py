"""Scripts of a project are edited where they are, next to ``Game.agf``."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

import overhaul
from ags_editor_projects import make_project
from ags_furnished import EDITORS, furnished, write
from overhaul import mods
from overhaul.ags.documents.room import RoomDocument
from overhaul.ags.project.document import ProjectDocument
from overhaul.errors import FormatError, PlainFileError
from overhaul.workbench import FileBench, StaleEdit


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return make_project(tmp_path) / "Game.agf"


@pytest.fixture
def bench(project: Path) -> Iterator[FileBench]:
    made = FileBench(str(project))
    made.load()
    yield made
    made.close()


def files(project: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in project.parent.iterdir() if path.is_file()}


def said(bench: FileBench, path: str, text: str) -> list[tuple[str, int, str]]:
    """Where an edit makes mistakes, and which."""
    step = bench.step({path: text.encode()}, "edit")
    return [(each.path, each.line, each.message) for each in step.said()]


def test_a_script_is_edited_and_nothing_else(project: Path, bench: FileBench) -> None:
    before = files(project)
    text = bench.view.read("Module.asc").decode()
    assert text.encode() == before["Module.asc"]
    assert said(bench, "Module.asc", text + "// more\n") == []
    assert files(project) == before
    bench.save()
    now = files(project)
    assert now.pop("Module.asc.bak") == before["Module.asc"]
    assert now == {**before, "Module.asc": before["Module.asc"] + b"// more\n"}
    bench.go(0)
    bench.save()
    now.update(before)
    assert {**files(project), "Module.asc.bak": b""} == {**now, "Module.asc.bak": b""}


def test_steps_are_there_again(project: Path, bench: FileBench) -> None:
    text = bench.view.read("Module.asc") + b"// more\n"
    bench.step({"Module.asc": text}, "one")
    bench.close()
    again = FileBench(str(project))
    again.load()
    assert again.view.read("Module.asc") == text and again.unsaved
    again.save()
    assert (project.parent / "Module.asc").read_bytes() == text
    again.close()


def test_a_script_that_another_program_wrote_stays(project: Path, bench: FileBench) -> None:
    bench.step({"Module.asc": bench.view.read("Module.asc") + b"// more\n"}, "one")
    (project.parent / "Module.asc").write_bytes(b"// the editor was here\n")
    before = files(project)
    with pytest.raises(StaleEdit, match=r"Module\.asc was changed by another program"):
        bench.save()
    assert files(project) == before


def test_mistakes_are_warned_about(project: Path, bench: FileBench) -> None:
    own = bench.view.read("Module.asc").decode()
    (mistake,) = said(bench, "Module.asc", own + "function f() { nothing(); }\n")
    assert mistake[:2] == ("Module.asc", own.count("\n") + 1)
    assert "nothing" in mistake[2]
    # the mistake that is there already is not made again
    changed = bench.view.read("Module.asc").decode().replace("function f", "function g")
    assert said(bench, "Module.asc", changed) == []


def test_a_header_breaks_the_scripts_that_use_it(project: Path, bench: FileBench) -> None:
    header = bench.view.read("Module.ash").decode()
    text = bench.view.read("GlobalScript.asc").decode()
    assert said(bench, "Module.ash", header + "#define FAST 4\n") == []
    assert said(bench, "GlobalScript.asc", text + "int speed = FAST;\n") == []
    found = said(bench, "Module.ash", header)
    assert [(path, line) for path, line, _ in found] == [("GlobalScript.asc", text.count("\n") + 1)]


def test_a_name_that_scripts_use_does_not_vanish(bench: FileBench) -> None:
    text = bench.view.read("GlobalScript.asc").decode()
    assert said(bench, "GlobalScript.asc", text + "function h() { cBear.Say(title); }\n") == []
    bear = json.loads(bench.view.read("characters/cBear.json"))
    found = said(bench, "characters/cBear.json", json.dumps({**bear, "ScriptName": "cWolf"}))
    assert [(path, line) for path, line, _ in found] == [
        ("GlobalScript.asc", text.count("\n") + 1),
        ("dialogs/dTalk.ads", 14),
    ]
    assert "cBear" in found[0][2]


@pytest.mark.parametrize(
    ("stored", "shown", "new", "written"),
    [
        ("// gr\xfcn\r\n".encode("cp1252"), "// gr\xfcn\r\n", "// \u20ac\r\n", b"// \x80\r\n"),
        ("\ufeff// gr\xfcn\n".encode(), "// gr\xfcn\n", "// \u4e2d", "\ufeff// \u4e2d".encode()),
        ("// gr\xfcn\n".encode(), "// gr\xfcn\n", "// \u4e2d\n", "// \u4e2d\n".encode()),
        (b"// \x81\x9d\n", "// \x81\x9d\n", "// \x81\n", b"// \x81\n"),
        (b"// green\n", "// green\n", "// gr\xfcn\n", b"// gr\xfcn\n"),
    ],
    ids=["code page", "marked", "UTF-8", "no letters", "ASCII"],
)  # fmt: skip
def test_encodings_stay(project: Path, stored: bytes, shown: str, new: str, written: bytes) -> None:
    path = project.parent / "Module.asc"
    path.write_bytes(stored)
    bench = FileBench(str(project))
    bench.load()
    assert bench.view.read("Module.asc") == shown.encode()
    bench.step({"Module.asc": new.encode()}, "edit")
    assert bench.view.read("Module.asc") == new.encode()
    bench.save()
    assert path.read_bytes() == written
    bench.close()


def test_ascii_scripts_of_a_game_in_utf_8(project: Path) -> None:
    wanted = b"<GameTextEncoding>UTF-8</GameTextEncoding></Settings>"
    project.write_bytes(project.read_bytes().replace(b"</Settings>", wanted))
    bench = FileBench(str(project))
    bench.load()
    bench.step({"Module.asc": "// gr\xfcn\n".encode()}, "edit")
    bench.save()
    assert (project.parent / "Module.asc").read_bytes() == "// gr\xfcn\n".encode()
    bench.close()


def test_letters_that_the_encoding_lacks_are_refused(project: Path) -> None:
    (project.parent / "Module.asc").write_bytes(b"// one\n// gr\xfcn\n")
    bench = FileBench(str(project))
    bench.load()
    with pytest.raises(PlainFileError, match=r"Module\.asc:2:4: .*is not a letter of cp1252"):
        bench.step({"Module.asc": "// one\n// \u4e2d\n".encode()}, "bad")
    bench.close()


@pytest.mark.parametrize("path", ["Module.asc", "New.asc", "Game.ash"])
def test_which_scripts_there_are_the_project_says(bench: FileBench, path: str) -> None:
    change, data = ("removed", None) if path == "Module.asc" else ("added", b"// new\n")
    with pytest.raises(
        PlainFileError, match=f"{path}: it can't be {change} alone: project.xml lists"
    ):
        bench.step({path: data}, "bad")


def test_projects_differ_by_their_scripts(project: Path, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    other = make_project(tmp_path / "other") / "Game.agf"
    with (other.parent / "Module.asc").open("ab") as file:
        file.write(b"// more\n")
    changes = mods.diff(project, other).changes
    assert [(each.kind, each.path) for each in changes] == [("changed", "Module.asc")]


def test_a_mod_has_what_differs_next_to_a_project(project: Path, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    other = make_project(tmp_path / "other") / "Game.agf"
    with (other.parent / "Module.asc").open("ab") as file:
        file.write(b"// more\n")
    mod = mods.make(project, other, name="more")
    assert ([*mod.patches], [*mod.added], mod.left_out) == (["Module.asc"], [], [])
    made = mods.apply(project, [mod])
    assert dict(made.companions) == {"Module.asc": (other.parent / "Module.asc").read_bytes()}
    assert not made.conflicts and not made.findings


def test_unpacking_leaves_scripts_where_they_are(project: Path, tmp_path: Path) -> None:
    overhaul.unpack(project, tmp_path / "folder")
    assert not [*(tmp_path / "folder").rglob("*.as?")]


def test_a_script_that_another_program_wrote_after_saving_is_shown(project: Path) -> None:
    path = project.parent / "Module.asc"
    for bench, more in zip(opened_again(project), (b"// one\n", b"// two\n"), strict=True):
        text = path.read_bytes()
        assert bench.view.read("Module.asc") == text and not bench.left
        bench.step({"Module.asc": text + more}, "edit")
        bench.save()
        assert path.read_bytes() == text + more
        path.write_bytes(path.read_bytes() + b"// the editor\n")
    assert path.read_bytes().endswith(b"// one\n// the editor\n// two\n// the editor\n")


def test_steps_of_a_script_that_was_replaced_are_set_aside(project: Path) -> None:
    path = project.parent / "Module.asc"
    first, second = opened_again(project)
    first.step({"Module.asc": first.view.read("Module.asc") + b"// one\n"}, "edit")
    first.close()
    path.write_bytes(b"// the editor\n")
    second.load()
    assert second.view.read("Module.asc") == b"// the editor\n"
    assert [orphaned.number for orphaned in second.left] == [1]
    with closing(second.orphaned_bench(0)) as old:
        assert old.view.read("Module.asc").endswith(b"// one\n")


def test_a_script_that_was_put_back_is_shown_as_it_was(project: Path) -> None:
    path = project.parent / "Module.asc"
    before = path.read_bytes()
    first, second = opened_again(project)
    first.step({"Module.asc": before + b"// one\n"}, "edit")
    first.save()
    first.close()
    path.write_bytes(before)
    second.load()
    assert second.view.read("Module.asc") == before and second.history.at == 0
    assert not second.unsaved
    second.go(1)
    second.save()
    assert path.read_bytes() == before + b"// one\n"


def opened_again(project: Path) -> Iterator[FileBench]:
    """Two benches of a project, each loaded when it is taken."""
    for _ in range(2):
        bench = FileBench(str(project))
        bench.load()
        yield bench
        bench.close()


# -- rooms -----------------------------------------------------------------------------------------


@pytest.fixture
def furnished_project(tmp_path: Path) -> Path:
    write(tmp_path, furnished(1, *EDITORS[-1]))
    return tmp_path / "Game.agf"


def test_a_room_is_edited_in_its_project(furnished_project: Path) -> None:
    with closing(FileBench(str(furnished_project))) as bench:
        bench.load()
        room = next(path for path in bench.view.files if path.endswith(".crm"))
        before = files(furnished_project)
        value = json.loads(bench.view.read(f"{room}/room.json"))
        value["Hotspots"][1]["Description"] = "the well"
        bench.step({f"{room}/room.json": json.dumps(value).encode()}, "edit")
        assert files(furnished_project) == before
        bench.save()
        now = files(furnished_project)
        assert now.pop(f"{room}.bak") == before[room] != now[room]
        assert {**now, room: b""} == {**before, room: b""}
        with overhaul.open(f"{furnished_project}!{room}") as made:
            assert isinstance(made, RoomDocument)
            assert b"the well" in made.to_bytes()
        bench.go(0)
        bench.save()
        assert files(furnished_project)[room] == before[room]


def test_a_file_that_is_no_room_is_refused(furnished_project: Path) -> None:
    with closing(FileBench(str(furnished_project))) as bench:
        bench.load()
        room = next(path for path in bench.view.files if path.endswith(".crm"))
        with pytest.raises(FormatError):
            bench.step({room: b"no room"}, "bad")
        with pytest.raises(PlainFileError, match="it can't be removed alone"):
            bench.step({room: None}, "bad")


def test_rooms_of_a_project_are_looked_at_once(furnished_project: Path) -> None:
    report = overhaul.verify(furnished_project)
    assert report.identical and not report.members
    with overhaul.open(furnished_project) as project:
        assert isinstance(project, ProjectDocument)
        names = [each.path for each in project.members()]
    assert (furnished_project.parent / "acsprset.spr").exists()
    names.remove("acsprset.spr")  # the sprites that rooms show
    assert "room1.asc" in names
    folder = furnished_project.parent
    assert sorted(names) == sorted(p.name for p in folder.glob("room*.*") if p.suffix != ".bak")


# -- names that vanish -----------------------------------------------------------------------------

#: how a script uses the names of things, by their folders
USES = {"views": "int view = {};"} | dict.fromkeys(
    ("audio_clips", "characters", "guis", "inventory"), "if ({} == null) {{ }}"
)


def named_things(bench: FileBench) -> Iterator[tuple[str, str, str]]:
    """A file of each folder of things: its path, the key of its name, and the name in scripts."""
    for folder in USES:
        path = next(path for path in bench.view.files if path.startswith(f"{folder}/"))
        value = json.loads(bench.view.read(path))
        key = "ScriptName" if "ScriptName" in value else "Name"
        yield path, key, value[key].upper() if folder == "views" else value[key]


@pytest.mark.parametrize("editor", EDITORS, ids=lambda editor: editor[0])
def test_each_name_that_a_script_uses_is_missed(tmp_path: Path, editor: tuple[str, str]) -> None:
    write(tmp_path, furnished(1, *editor))
    with closing(FileBench(str(tmp_path / "Game.agf"))) as bench:
        bench.load()
        things = list(named_things(bench))
        plain = bench.view.read("GlobalScript.asc").decode()
        lines = "".join(f"  {USES[p.partition('/')[0]].format(name)}\n" for p, _, name in things)
        assert said(bench, "GlobalScript.asc", f"{plain}function use() {{\n{lines}}}\n") == []
        at = bench.history.at
        for number, (path, key, name) in enumerate(things, plain.count("\n") + 2):
            value = {**json.loads(bench.view.read(path)), key: "cAnother"}
            found = said(bench, path, json.dumps(value))
            missed = [(place, line) for place, line, message in found if name in message]
            assert ("GlobalScript.asc", number) in missed, (name, found)
            bench.go(at)


def test_names_are_missed_where_a_header_is_not_there(project: Path) -> None:
    """Scripts whose names the lost header declares have mistakes before and after."""
    header = next(project.parent.glob("*.ash"))
    text = (project.parent / "GlobalScript.asc").read_text()
    header.unlink()
    with closing(FileBench(str(project))) as other:
        other.load()
        assert header.name not in other.view.files
        assert (
            said(other, "GlobalScript.asc", f"{text}function h() {{ cBear.Say(title); }}\n") == []
        )
        bear = json.loads(other.view.read("characters/cBear.json"))
        found = said(other, "characters/cBear.json", json.dumps({**bear, "ScriptName": "cWolf"}))
        assert ("GlobalScript.asc", text.count("\n") + 1) in [each[:2] for each in found]


def test_a_variable_that_a_script_uses_is_missed(bench: FileBench) -> None:
    shown = json.loads(bench.view.read("variables.json"))
    (row,) = (row for row in shown["GlobalVariables"] if row["Name"] == "title")
    row["Name"] = "caption"
    found = said(bench, "variables.json", json.dumps(shown))
    assert [(path, line) for path, line, _ in found] == [("GlobalScript.asc", 1)]
    assert "title" in found[0][2]


def test_lines_of_dialogs_are_compiled(bench: FileBench) -> None:
    lines = bench.view.read("dialogs/dTalk.ads").decode()
    changed = lines.replace("add-inv 1", "  nothing();").replace("goto-dialog", "  goto-dialog")
    found = said(bench, "dialogs/dTalk.ads", changed)
    number = changed.split("\n").index("  nothing();") + 1
    assert ("dialogs/dTalk.ads", number) in [(path, line) for path, line, _ in found]
    bench.go(0)
    found = said(bench, "dialogs/dTalk.ads", lines.replace("dtalk", "dtall"))
    assert [path for path, _, _ in found] == ["dialogs/dTalk.ads"]
    assert "no dialog is called 'dtall'" in found[0][2]


def test_functions_that_events_run_are_missed(furnished_project: Path) -> None:
    with closing(FileBench(str(furnished_project))) as bench:
        bench.load()
        text = bench.view.read("GlobalScript.asc").decode()
        found = said(bench, "GlobalScript.asc", text.replace("handler()", "renamed()"))
        assert found
        assert {path for path, _, _ in found} <= {"GlobalScript.asc", "Module.asc"}
        assert all("runs handler, which is not there" in message for _, _, message in found)
        # those that are lost are not lost again
        assert said(bench, "GlobalScript.asc", text.replace("handler()", "another()")) == []


def test_mistakes_from_before_are_not_said_again(bench: FileBench) -> None:
    """Their words can differ: what a name may mean changes with the others."""
    text = bench.view.read("GlobalScript.asc").decode() + "function h() {\n  cBeer.x = 1;\n}\n"
    (found,) = said(bench, "GlobalScript.asc", text)
    assert "cBear" in found[2]
    bear = json.loads(bench.view.read("characters/cBear.json"))
    number = text.count("\n") - 1
    for name in ("cWolf", "cBeers"):
        again = said(bench, "characters/cBear.json", json.dumps({**bear, "ScriptName": name}))
        assert ("GlobalScript.asc", number) not in [each[:2] for each in again]
        bench.undo()
    bench.step({"GlobalScript.asc": f"// more\n{text}".encode()}, "a line more")
    (found,) = said(bench, "GlobalScript.asc", f"// more\n{text}function k() {{ nothing(); }}\n")
    assert found[1] == text.count("\n") + 2 and "nothing" in found[2]


def test_events_of_a_thing_with_another_name_lose_nothing(furnished_project: Path) -> None:
    with closing(FileBench(str(furnished_project))) as bench:
        bench.load()
        text = bench.view.read("GlobalScript.asc").decode()
        assert said(bench, "GlobalScript.asc", text.replace("handler()", "renamed()")) != []
        path = next(path for path in bench.view.files if path.startswith("guis/"))
        value = {**json.loads(bench.view.read(path)), "Name": "gAnother"}
        assert said(bench, path, json.dumps(value)) == []


def test_functions_that_events_of_rooms_run_are_missed(furnished_project: Path) -> None:
    script = furnished_project.parent / "ROOM1.asc"  # the editor finds it in any case
    (furnished_project.parent / "room1.asc").rename(script)
    script.write_text("function look() { }\n")
    with closing(FileBench(str(furnished_project))) as bench:
        bench.load()
        value = json.loads(bench.view.read("room1.crm/room.json"))
        hotspot = value["Hotspots"][1]
        hotspot["Interactions"] = {"Look": "look"}  # the script has it, and is not compiled so far
        assert said(bench, "room1.crm/room.json", json.dumps(value)) == []
        hotspot["Interactions"] = {"Look": "stare"}
        with pytest.raises(PlainFileError, match="no script has a function stare"):
            said(bench, "room1.crm/room.json", json.dumps(value))
        (found,) = said(bench, "ROOM1.asc", "function stare() { }\n")
        assert found[0] == "ROOM1.asc" and "runs look, which is not there" in found[2]
        assert said(bench, "room1.crm/room.json", json.dumps(value)) == []
