"""Whole projects made into those of another release."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

import overhaul
from furnished import furnished
from ide_projects import modern_project, printed, studio_project, write
from overhaul.cli import main
from overhaul.document.files import write_into
from overhaul.errors import FindingsError, FormatError
from overhaul.gamemaker import ide_release
from overhaul.gamemaker.ide.texts import read_json_file
from overhaul.gamemaker.ide.values import Json, list_at, text_at
from overhaul.gamemaker.recovered import Tally
from overhaul.gamemaker.recovery.recovering import Recovered


def made_of(path: Path, release: str) -> Recovered:
    with overhaul.open_project(path) as project:
        return ide_release.converted_to(project, ide_release.named_release(release))


def value_of(made: Recovered, path: str) -> dict[str, Json]:
    value = read_json_file(made.files[path]()).value
    assert isinstance(value, dict)
    return value


@pytest.mark.parametrize("release", ["2.3.0", "2.3.7", "2022.3", "2022.9", "2023.11", "2024.2"])
def test_a_project_goes_down_and_comes_back(tmp_path: Path, release: str) -> None:
    path = modern_project(tmp_path / "new")
    before = overhaul.verify(path)
    made = made_of(path, release)
    assert made.findings == []
    write_into(str(tmp_path / "made"), made.files)
    after = overhaul.verify(tmp_path / "made" / "Game.yyp")
    assert after.identical
    assert after.findings == before.findings == []
    again = made_of(tmp_path / "made" / "Game.yyp", "2024.14.2.213")
    for name in ("sprites/spr_a/spr_a.yy", "objects/obj_b/obj_b.yy", "rooms/rm_a/rm_a.yy"):
        first = read_json_file((tmp_path / "new" / name).read_bytes()).value
        assert isinstance(first, dict)
        back = value_of(again, name)
        known = {key for key in first if not key.startswith("$")}
        for key in known - {"frames", "layers", "eventList"}:
            assert back[key] == first[key], key
    assert again.files["datafiles/info.txt"]() == b"text"
    assert again.files["objects/obj_b/Create_0.gml"]() == b"x = 1;\n"


def test_the_file_of_the_project_is_that_of_the_release(tmp_path: Path) -> None:
    path = modern_project(tmp_path)
    write(tmp_path, "options/main/options_main.yy", printed(
        {"$GMMainOptions": "v5", "%Name": "Main", "name": "Main",
         "resourceType": "GMMainOptions", "resourceVersion": "2.0"}))  # fmt: skip
    first = value_of(made_of(path, "2.3.0"), "Game.yyp")
    assert first["resourceVersion"] == "1.3"
    assert first["MetaData"] == {"IDEVersion": "2.3.0.529"}
    assert first["RoomOrder"] == [{"name": "rm_a", "path": "rooms/rm_a/rm_a.yy"}]
    assert first["Options"] == [{"name": "Main", "path": "options/main/options_main.yy"}]
    assert (first["isDnDProject"], first["tutorialPath"]) == (False, "")
    assert "RoomOrderNodes" not in first
    assert list(first)[-4:] == ["resourceVersion", "name", "tags", "resourceType"]
    later = value_of(made_of(path, "2026.0"), "Game.yyp")
    assert later["$GMProject"] == "v1"
    assert later["ForcedPrefabProjectReferences"] == []
    assert later["MetaData"] == {"IDEVersion": "2026.0.0.16"}


def test_the_order_of_the_asset_browser_is_kept(tmp_path: Path) -> None:
    path = modern_project(tmp_path / "new")
    order: dict[str, Json] = {
        "FolderOrderSettings": [{"name": "All", "order": 2, "path": "folders/All.yy"}],
        "ResourceOrderSettings": [
            {"name": "obj_b", "order": 3, "path": "objects/obj_b/obj_b.yy"}
        ],
    }  # fmt: skip
    write(tmp_path / "new", "Game.resource_order", printed(order))
    made = made_of(path, "2022.9")
    assert "Game.resource_order" not in made.files
    value = value_of(made, "Game.yyp")
    rows = list_at(value, "resources")
    orders = {text_at(row, "id", "name"): row.get("order") for row in rows if isinstance(row, dict)}
    assert (orders["obj_b"], orders["obj_a"]) == (3, 0)
    write_into(str(tmp_path / "made"), made.files)
    again = made_of(tmp_path / "made" / "Game.yyp", "2024.14")
    assert value_of(again, "Game.resource_order") == order


def test_resources_that_a_release_lacks_are_lost_by_name(tmp_path: Path) -> None:
    path = modern_project(tmp_path)
    system = "particles/ps_a/ps_a.yy"
    write(tmp_path, system, printed(
        {"$GMParticleSystem": "", "%Name": "ps_a", "name": "ps_a", "emitters": [],
         "resourceType": "GMParticleSystem", "resourceVersion": "2.0"}))  # fmt: skip
    file = read_json_file(path.read_bytes())
    path.write_bytes(
        file.added("resources", 0, value={"id": {"name": "ps_a", "path": system}}).to_bytes()
    )
    made = made_of(path, "2022.9")
    assert system not in made.files
    assert made.tallies["particle_system"] == Tally(1, 0, 1)
    assert made.findings.texts() == [
        f"Game.yyp: resources[0].id: 2022.9.1.51 has nothing like {system}: the reference is left "
        "out",
        f"{system}: 2022.9.1.51 has no GMParticleSystem: ps_a is left out",
    ]
    assert len(list_at(value_of(made, "Game.yyp"), "resources")) == 6
    with pytest.raises(FindingsError, match="nothing was written: --lossy leaves these out"):
        ide_release.refuse_losses(ide_release.losses(made))


def test_code_that_a_release_does_not_read_is_named(tmp_path: Path) -> None:
    path = modern_project(tmp_path)
    code = 'a ??= 1;\nb = c ?? 2;\n// $"no"\nd = $"{a} of {b}";\ne = $"x";\nf = "??";\n'
    write(tmp_path, "objects/obj_b/Create_0.gml", code)
    place = "objects/obj_b/Create_0.gml"
    assert made_of(path, "2023.8").findings == []
    assert made_of(path, "2022.9").findings.texts() == [
        f"{place}:4:5: 2022.9.1.51 does not read template strings: change the code"
    ]
    made = made_of(path, "2.3.6")
    assert made.findings.texts() == [
        f"{place}:1:3: 2.3.6.595 does not read ??=: change the code",
        f"{place}:2:7: 2.3.6.595 does not read ??: change the code",
        f"{place}:4:5: 2.3.6.595 does not read template strings: change the code",
    ]
    assert ide_release.losses(made) == []
    assert made.files[place]() == code.encode()


def test_a_damaged_file_is_repaired_first(tmp_path: Path) -> None:
    path = modern_project(tmp_path)
    write(tmp_path, "objects/obj_a/obj_a.yy", '{"a":')
    with pytest.raises(FormatError, match=r"^objects/obj_a/obj_a\.yy:1:6"):
        made_of(path, "2023.11")


def test_a_file_that_nothing_lists_stays_as_it_is(tmp_path: Path) -> None:
    path = modern_project(tmp_path)
    write(tmp_path, "objects/obj_z/obj_z.yy", '{"a":')
    made = made_of(path, "2023.11")
    assert made.files["objects/obj_z/obj_z.yy"]() == b'{"a":'
    assert made.findings.texts() == ["objects/obj_z/obj_z.yy: it is not JSON: it does not change"]
    assert ide_release.losses(made) == []


def test_projects_of_studio_1_take_another_way(tmp_path: Path) -> None:
    path = studio_project(tmp_path / "studio")
    with pytest.raises(FormatError, match="convert it with --to yyp first"):
        made_of(path, "2023.11")


def test_unknown_releases_are_refused() -> None:
    with pytest.raises(FormatError, match=r"unknown release '1\.4': there are 2022\.0, 2022\.2"):
        ide_release.named_release("1.4")


# --- the command ----------------------------------------------------------------------------------


def test_nothing_is_written_where_something_would_be_lost(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = modern_project(tmp_path / "new")
    sound = tmp_path / "new/sounds/snd_a/snd_a.yy"
    sound.write_bytes(
        read_json_file(sound.read_bytes()).added("exportDir", value="music").to_bytes()
    )
    out = tmp_path / "out"
    given = ["convert", str(path), "--release", "2023.11", "-o", str(out)]
    assert main(given) == 3
    said = capsys.readouterr().err
    assert 'exportDir: 2023.11.1.129 has no such field: "music" is left out' in said
    assert "--lossy" in said
    assert not out.exists()
    assert main([*given, "--lossy", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["path"] == str(out)
    assert told["project"] == "Game.yyp"
    assert told["recovered"]["sound"] == {"count": 1, "lossy": 1, "lost": 0}
    assert [finding["code"] for finding in told["findings"]] == ["not-in-release"]
    assert main(given) != 0  # which is there already


def test_old_projects_become_one_of_a_release(tmp_path: Path) -> None:
    path = studio_project(tmp_path / "studio")
    out = tmp_path / "out"
    assert main(["convert", str(path), "--to", "yyp", "--release", "2022.9", "-o", str(out)]) == 0
    made = next(out.glob("*.yyp"))
    after = overhaul.verify(made)
    assert after.identical
    with overhaul.open_project(made) as project:
        assert project.version == "2022.9.1.51"
        assert project.sprites.names() or project.rooms.names()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--to", "gm81", "--release", "2023.11"], "--release and --lossy are for projects"),
        (["--to", "yyp", "--lossy"], "--release and --lossy are for projects"),
        ([], "Missing option '--to' or '--release'"),
    ],
)
def test_options_that_do_not_fit_are_refused(
    tmp_path: Path, arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = modern_project(tmp_path)
    assert main(["convert", str(path), *arguments]) == 2
    assert message in capsys.readouterr().err


def test_other_documents_take_a_project_first(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = tmp_path / "data.win"
    game.write_bytes(furnished("current"))
    given = ["convert", str(game), "--release", "2023.11", "-o", str(tmp_path / "out")]
    assert main(given) == 3
    assert "--to yyp makes a project of it first" in capsys.readouterr().err
    assert main([*given, "--to", "yyp", "--lossy"]) == 0
    made = next((tmp_path / "out").glob("*.yyp"))
    assert overhaul.verify(made).identical
    with overhaul.open_project(made) as project:
        assert project.version == "2023.11.1.129"


def test_a_project_in_an_archive_becomes_a_folder(tmp_path: Path) -> None:
    path = modern_project(tmp_path / "new")
    archive = shutil.make_archive(str(tmp_path / "game"), "zip", path.parent)
    source = tmp_path / "game.yyz"
    Path(archive).rename(source)
    out = tmp_path / "out"
    assert main(["convert", str(source), "--release", "2022.9", "-o", str(out)]) == 0
    assert sorted(each.name for each in out.iterdir() if each.is_file()) == ["Game.yyp"]
    assert overhaul.verify(out / "Game.yyp").findings == []
    with overhaul.open_project(out / "Game.yyp") as project:
        assert project.version == "2022.9.1.51"
