"""Projects of the editor made of games: the circle, and the parts of each."""

from __future__ import annotations

import json
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image as pillow

import overhaul
from furnished import furnished
from overhaul.cli import main
from overhaul.document.files import write_into
from overhaul.document.xmltext import read_xml
from overhaul.errors import FormatError
from overhaul.gamemaker.data.blank import blank_game
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.ide.document import IdeProjectDocument
from overhaul.gamemaker.ide.values import read_values
from overhaul.gamemaker.recovery import Recovered, recover
from overhaul.gamemaker.recovery.assets import ranges_of
from overhaul.gamemaker.recovery.objects import Definition, assignments, definition_of
from overhaul.gamemaker.recovery.rooms import compressed
from per_file import per_file

EDITIONS = {"current": "yyp", "gms1": "gmx"}


@per_file
def made(edition: str) -> Recovered:
    with overhaul.open_game(furnished(edition)) as game:
        game.load_all()
        found = recover(game)
        return found._replace(files={path: read().__bytes__ for path, read in found.files.items()})


def written(found: Recovered, folder: Path) -> Path:
    write_into(str(folder), found.files)
    return folder / found.name


def value(found: Recovered, path: str) -> Any:
    """The values of a file."""
    return read_values(found.files[path]().decode("utf-8"))


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_project_is_the_game(
    edition: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = made(edition)
    assert found.name.endswith({"yyp": ".yyp", "gmx": ".project.gmx"}[EDITIONS[edition]])
    path = written(found, tmp_path / "project")
    assert main(["check", str(path)]) == 0
    assert overhaul.verify(path).identical
    game_file = tmp_path / "game.win"
    game_file.write_bytes(furnished(edition))
    assert main(["diff", str(path), str(game_file)]) == 0, capsys.readouterr().out
    with overhaul.open_game(furnished(edition)) as game, overhaul.open_project(path) as project:
        assert isinstance(project, IdeProjectDocument)
        assert next(iter(project.sprites)).name == next(iter(game.sprites)).name
        assert [room.name for room in project.rooms] == [room.name for room in game.rooms]
        assert [kind.name for kind in project.objects] == [kind.name for kind in game.objects]
        frames = [np.asarray(frame.image) for frame in project.sprites["spr_keeper"].frames]
        own = [np.asarray(frame.image) for frame in game.sprites["spr_keeper"].frames]
        assert all(map(np.array_equal, frames, own)) and len(frames) == len(own)


def test_each_kind_of_a_project_of_today() -> None:
    found = made("current")
    project = value(found, found.name)
    listed = [row["id"]["path"] for row in project["resources"]]
    assert "paths/pth_round/pth_round.yy" in listed and len(set(listed)) == len(listed)
    order = [path for path in listed if str(path).startswith("sprites/")]
    assert order[-1] == "sprites/spr_ts_cave/spr_ts_cave.yy"  # after those with numbers
    path = value(found, "paths/pth_round/pth_round.yy")
    assert path["closed"] is True and path["points"] == [
        {"speed": 100.0, "x": 16.0, "y": 16.0},
        {"speed": 100.0, "x": 300.0, "y": 16.0},
        {"speed": 100.0, "x": 300.0, "y": 170.0},
    ]
    timeline = value(found, "timelines/tm_dusk/tm_dusk.yy")
    assert [row["moment"] for row in timeline["momentList"]] == [10, 40]
    assert found.files["timelines/tm_dusk/moment_40.gml"]() == b"y += 1;\nx -= 1;\n"
    assert found.files["shaders/sh_glow/sh_glow.fsh"]().startswith(b"// Glows.\nuniform vec3")
    assert found.files["shaders/sh_glow/sh_glow.vsh"]() == b"void main() {}\n"
    tiles = value(found, "tilesets/ts_cave/ts_cave.yy")
    assert (tiles["tileWidth"], tiles["tileHeight"], tiles["tile_count"]) == (16, 16, 8)
    sheet = pillow.open(BytesIO(found.files[_png_in(found, "sprites/spr_ts_cave/")]()))
    assert sheet.size == (
        int(str(tiles["out_columns"])) * 16,
        8 // int(str(tiles["out_columns"])) * 16,
    )
    assert sheet.getpixel((1, 1)) == (90, 80, 70, 255)
    font = value(found, "fonts/fnt_small/fnt_small.yy")
    assert font["ranges"] == [{"lower": 97, "upper": 98}]
    glyph = font["glyphs"]["97"]
    assert (glyph["w"], glyph["h"]) == (5, 9)
    curve = value(found, "animcurves/ac_rise/ac_rise.yy")
    points = curve["channels"][0]["points"]
    assert [(point["x"], point["y"] if "y" in point else point["th0"]) for point in points] == [
        (0.0, 0.0), (0.4, 2.0), (1.0, 1.0)
    ]  # fmt: skip


def _png_in(found: Recovered, folder: str) -> str:
    return next(path for path in found.files if path.startswith(folder) and path.count("/") == 2
                and path.endswith(".png"))  # fmt: skip


def test_each_kind_of_a_project_of_studio() -> None:
    found = made("gms1")
    root = read_xml(found.files[found.name]()).root
    assert [child.tag for child in root.children][:5] == [
        "Configs", "NewExtensions", "sounds", "sprites", "backgrounds"
    ]  # fmt: skip
    assert "timelines\\tm_dusk" in [node.text for node in root.walk() if node.tag == "timeline"]
    timeline = read_xml(found.files["timelines/tm_dusk.timeline.gmx"]()).root
    assert [node.text for node in timeline.walk() if node.tag == "string"] == [
        "x += 1;\n", "y += 1;\nx -= 1;\n"
    ]  # fmt: skip
    shader = found.files["shaders/sh_glow.shader"]().decode()
    assert shader.startswith("void main() {}\n//####") and shader.count("// Glows.") == 1
    path = read_xml(found.files["paths/pth_round.path.gmx"]()).root
    assert [node.text for node in path.walk() if node.tag == "point"] == [
        "16,16,100", "300,16,100", "300,170,100"
    ]  # fmt: skip
    assert path.value("closed") == "-1"
    options = read_xml(found.files["Configs/Default.config.gmx"]()).root
    assert options.value("Options/option_interpolate") in ("true", "false")


def test_a_second_recovery_is_the_same() -> None:
    with overhaul.open_game(furnished("current")) as game:
        again = recover(game)
        found = made("current")
        assert list(again.files) == list(found.files)
        assert all(read() == found.files[path]() for path, read in again.files.items())


def test_the_report_counts_and_names_what_is_left_out() -> None:
    found = made("current")
    assert found.tallies["sprites"].lost == 0 and found.tallies["sprites"].total > 2
    assert found.tallies["sequences"] == (1, 0, 0)
    codes = {finding.code for finding in found.findings}
    assert codes >= {"lost-in-compiling"}
    report = found.files["RECOVERED.md"]().decode()
    assert f"| sprites | {found.tallies['sprites'].total} | 0 | 0 |" in report
    lost = (
        "- sequences: the colours of tracks, and which are locked or hidden, got lost in compiling"
    )
    assert lost.replace("hidden,", "hidden") in report
    shown = found.to_json()
    assert (
        json.loads(json.dumps(shown))["recovered"]["rooms"]["lossy"] == found.tallies["rooms"].total
    )


@pytest.mark.parametrize("edition", EDITIONS)
def test_tallies_are_of_every_resource(edition: str) -> None:
    totals = {"sprites": 5, "sounds": 2, "objects": 5, "rooms": 2, "extensions": 0}
    totals |= dict.fromkeys(("paths", "scripts", "shaders", "fonts", "timelines"), 1)
    lossy = {"rooms"}
    if edition == "current":
        made_today = ("tile_sets", "animation_curves", "sequences", "particle_systems")
        totals |= dict.fromkeys(made_today, 1)
        lossy |= {"fonts", "tile_sets"}
    else:
        totals["backgrounds"] = 0
    assert made(edition).tallies == {
        kind: (total, total if kind in lossy else 0, 0) for kind, total in totals.items()
    }


def test_the_other_kind_is_refused() -> None:
    refused = pytest.raises(FormatError, match="becomes a project of the kind yyp, not gmx")
    with overhaul.open_game(furnished("current")) as game, refused:
        recover(game, "gmx")


# -- parts -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("4", Definition(0, "4")),
        ("-2.5", Definition(0, "-2.5")),
        ("true", Definition(3, "True")),
        ('"Go"', Definition(2, "Go")),
        ('"a\\nb"', Definition(4, '"a\\nb"')),
        ("[1, 2]", Definition(4, "[1, 2]")),
        ("spr_a", Definition(4, "spr_a")),
    ],
)
def test_definitions_have_the_type_of_their_value(expression: str, expected: Definition) -> None:
    assert definition_of(expression) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ('event_inherited();\nself.hp = 4;\nname = "x";\n', {"hp": "4", "name": '"x"'}),
        ("", {}),
        ("if (a)\n{\n    hp = 4;\n}\n", None),
        ("hp = 4;\nmove(1);\n", None),
    ],
)
def test_only_assignments_are_definitions(source: str, expected: dict[str, str] | None) -> None:
    assert assignments(source) == expected


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        ([], []),
        ([7], [1, 7]),
        ([7, 7], [-2, 7]),
        ([1, 2, 3, 3, 3, 4], [2, 1, 2, -3, 3, 1, 4]),
        ([0] * 5 + [1, 2], [-5, 0, 2, 1, 2]),
    ],
)
def test_cells_are_compressed_as_the_editor_does(cells: list[int], expected: list[int]) -> None:
    assert compressed(cells) == expected


def blank() -> GameData:
    return blank_game({"version": "2023.8"})


def test_variable_definitions_come_back() -> None:
    game = blank()
    game.objects.add("obj_a").events.add("PreCreate_0", 'hp = 4;\nname = "x";\n')
    child = game.objects.add("obj_b", parent="obj_a")
    child.events.add("PreCreate_0", "event_inherited();\nhp = 9;\nspeed_up = hp * 2;\n")
    room = game.rooms.add("rm_a")
    found = recover(game)
    parent = value(found, "objects/obj_a/obj_a.yy")
    assert [(row["name"], row["varType"], row["value"]) for row in parent["properties"]] == [
        ("hp", 0, "4"), ("name", 2, "x")
    ]  # fmt: skip
    own = value(found, "objects/obj_b/obj_b.yy")
    (override,) = own["overriddenProperties"]
    assert override["value"] == "9"
    assert override["propertyId"] == {"name": "hp", "path": "objects/obj_a/obj_a.yy"}
    assert [(row["name"], row["varType"]) for row in own["properties"]] == [("speed_up", 4)]
    assert parent["eventList"] == [] and room.name == "rm_a"


def test_other_code_before_create_stays_code() -> None:
    game = blank()
    kind = game.objects.add("obj_a")
    kind.events.add("PreCreate_0", "if (global.hard)\n{\n    hp = 1;\n}\n")
    kind.events.add("Create_0", "hp += 1;\n")
    found = recover(game)
    source = found.files["objects/obj_a/Create_0.gml"]().decode()
    assert source == "if (global.hard)\n{\n    hp = 1;\n}\nhp += 1;\n"
    assert any("at the head of its Create event" in str(finding) for finding in found.findings)


def test_names_that_the_editor_does_not_take_are_changed_and_reported() -> None:
    game = blank()
    kind = game.objects.add("obj_a")
    game.objects.add("obj_b", parent="obj_a")
    kind.record.name = game.strings.add("obj a")
    found = recover(game)
    child = value(found, "objects/obj_b/obj_b.yy")
    assert child["parentObjectId"] == {"name": "_obj_a", "path": "objects/_obj_a/_obj_a.yy"}
    assert any(
        finding.code == "renamed" and "'obj a'" in str(finding) for finding in found.findings
    )


@pytest.mark.parametrize(
    ("release", "editor"),
    [("2.2.2", "2.3.0.529"), ("2.3.1", "2.3.1.0"), ("2023.8", "2023.8.0.0")],
)
def test_the_editor_is_one_that_writes_the_form(
    release: str, editor: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = blank_game({"version": release})
    game.rooms.add("room_a")
    game.objects.add("obj_a")
    found = recover(game)
    assert value(found, found.name)["MetaData"] == {"IDEVersion": editor}
    main(["check", "--json", str(written(found, tmp_path / "project"))])
    (row,) = json.loads(capsys.readouterr().out)["files"]
    assert row["findings"] == []


def test_enumerations_that_have_no_name_are_one_script() -> None:
    game = blank()
    game.scripts.add("scr_a", "enum Kind { ONE, TWO }\nfunction a() { return Kind.TWO; }")
    game.objects.add("obj_a").events.add(
        "Create_0", "enum Kind { ONE, TWO, SIX = 6 }\nx = Kind.SIX;"
    )
    found = recover(game)
    enums = found.files["scripts/recovered_enums/recovered_enums.gml"]().decode()
    assert enums.startswith("enum UnknownEnum\n{\n") and enums.count("enum ") == 1
    sources = [read().decode() for path, read in found.files.items() if path.endswith(".gml")]
    assert sum("enum UnknownEnum" in source for source in sources) == 1


def test_ranges_are_runs_of_numbers() -> None:
    game = blank()
    boxes = dict.fromkeys("abcxz", (0, 0, 1, 1))
    font = game.fonts.add("fnt_a", pillow.new("RGBA", (4, 4)), boxes)
    assert ranges_of(font) == [
        {"lower": 97, "upper": 99}, {"lower": 120, "upper": 120}, {"lower": 122, "upper": 122}
    ]  # fmt: skip


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_command_makes_a_folder(
    edition: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game, out = tmp_path / "game.win", tmp_path / "out"
    game.write_bytes(furnished(edition))
    kind = EDITIONS[edition]
    words = ["convert", str(game), "--to", kind, "-o", str(out)]
    assert main([*words, "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["project"] == made(edition).name and (out / said["project"]).is_file()
    assert said["recovered"]["sprites"]["lost"] == 0 and said["findings"]
    assert main(words) != 0
    assert "already exists" in capsys.readouterr().err
    other = "gmx" if kind == "yyp" else "yyp"
    refused = main(["convert", str(game), "--to", other, "-o", str(tmp_path / "no")]) != 0
    assert refused == (other == "gmx")  # a game of Studio 1 becomes either
    assert (tmp_path / "no").exists() != refused
    assert main(["verify", str(out)]) == 0
    new = tmp_path / "new.win"
    capsys.readouterr()
    build = ["build", str(out), "-o", str(new), "--like", str(game), "--json"]
    assert main(build) == 0
    assert json.loads(capsys.readouterr().out)["changed"] == []
    assert new.read_bytes() == game.read_bytes()
    assert main(build[:4]) == 2
    assert "--like GAME" in capsys.readouterr().err
    assert main(["build", str(game), "-o", str(tmp_path / "x"), "--like", str(game)]) == 2
