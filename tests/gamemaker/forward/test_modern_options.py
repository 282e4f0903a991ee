"""Options and texture groups of a project of Studio 1 as those of later releases."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import overhaul
from furnished import furnished
from overhaul.document.files import write_into
from overhaul.document.xmltext import read_xml
from overhaul.gamemaker.forward import forward
from overhaul.gamemaker.ide.document import IdeProjectDocument
from overhaul.gamemaker.ide.values import read_values
from overhaul.gamemaker.recovery import Recovered, recover
from per_file import per_file

CONFIG = "Configs/Default.config.gmx"


@per_file
def studio() -> dict[str, bytes]:
    """The files of a project of Studio 1, and the name of that of the project."""
    with overhaul.open_game(furnished("gms1")) as game:
        found = recover(game)
        return {"": found.name.encode(), **{path: read() for path, read in found.files.items()}}


def converted(folder: Path, options: dict[str, str], **edits: tuple[str, str]) -> Recovered:
    """The later project of one with other options; ``edits`` are changes of text in files whose
    names begin so."""
    files = dict(studio())
    name = files.pop("").decode()
    lines = "".join(f"<option_{key}>{text}</option_{key}>" for key, text in options.items())
    files[CONFIG] = f"<Config><Options>{lines}</Options></Config>".encode()
    for start, (old, new) in edits.items():
        path = next(
            path
            for path in files
            if path.endswith(".gmx") and path.rpartition("/")[2].startswith(f"{start}.")
        )
        assert old.encode() in files[path], (path, old)
        files[path] = files[path].replace(old.encode(), new.encode())
    write_into(str(folder), {path: data.__bytes__ for path, data in files.items()}, force=True)
    with overhaul.open_project(folder / name) as document:
        assert isinstance(document, IdeProjectDocument)
        made = forward(document, "yyp", "game")
        return made._replace(files={path: read().__bytes__ for path, read in made.files.items()})


def value(made: Recovered, path: str) -> Any:
    return read_values(made.files[path]().decode("utf-8"))


def windows(made: Recovered) -> dict[str, Any]:
    said = value(made, "options/windows/options_windows.yy")
    return {key.removeprefix("option_windows_"): text for key, text in said.items()}


def test_options_of_windows_are_kept(tmp_path: Path) -> None:
    made = converted(
        tmp_path,
        {
            "gameguid": "{D99E6CF2-A2C0-4C4B-85AF-736451234567}",
            "windows_company_info": "A &amp; B", "windows_copyright_info": "(c) Ada",
            "windows_description_info": "About stars",
            "windows_product_info": "Stars", "windows_enable_steam": "-1",
            "windows_steam_app_id": "480", "windows_save_location": "1",
            "windows_sleep_margin": "4", "windows_texture_page": "4096",
            "windows_major_version": "1", "windows_mainor_version": "2",
            "windows_release_version": "5", "windows_build_version": "77",
            "version_major": "9", "version_company": "Other",
        },
    )  # fmt: skip
    said = windows(made)
    assert {key: said[key] for key in (
        "company_info", "copyright_info", "description_info", "product_info", "enable_steam",
        "save_location", "sleep_margin", "texture_page", "version", "use_splash",
    )} == {
        "company_info": "A & B", "copyright_info": "(c) Ada", "description_info": "About stars",
        "product_info": "Stars", "enable_steam": True, "save_location": 1, "sleep_margin": 4,
        "texture_page": "4096x4096", "version": "1.2.5.77", "use_splash": False,
    }  # fmt: skip
    main = value(made, "options/main/options_main.yy")
    assert main["option_gameguid"] == "d99e6cf2-a2c0-4c4b-85af-736451234567"
    assert main["option_steam_app_id"] == "480"


def test_options_of_game_maker_8_count_where_those_of_windows_say_nothing(tmp_path: Path) -> None:
    said = windows(
        converted(
            tmp_path,
            {
                "version_major": "3", "version_minor": "1", "version_release": "-4",
                "version_build": "8", "version_company": "Old", "windows_company_info": "",
                "gameguid": "no guid", "windows_texture_page": "256",
            },
        )
    )  # fmt: skip
    assert (said["version"], said["company_info"]) == ("3.1.0.8", "Old")
    assert (said["texture_page"], said["sleep_margin"]) == ("2048x2048", 10)


def test_a_splash_screen_is_copied_where_it_is_used(tmp_path: Path) -> None:
    picture = tmp_path / "project" / "Configs" / "splash.png"
    picture.parent.mkdir(parents=True)
    picture.write_bytes(b"a picture")
    options = {"windows_splash_screen": r"Configs\splash.png", "windows_use_splash": "true"}
    made = converted(tmp_path / "project", options)
    assert windows(made)["use_splash"] is True
    path = windows(made)["splash_screen"].removeprefix("${options_dir}/")
    assert made.files[f"options/{path}"]() == b"a picture"
    made = converted(tmp_path / "project", {**options, "windows_use_splash": "false"})
    assert windows(made)["use_splash"] is False
    assert f"options/{path}" not in made.files


def test_texture_groups_keep_names_members_and_parents(tmp_path: Path) -> None:
    in_group = "<TextureGroup0>{}</TextureGroup0>"
    made = converted(
        tmp_path,
        {
            "textureGroup_count": "3", "textureGroups0": "Default", "textureGroups1": "Boss",
            "textureGroups2": "Level", "textureGroup0_scaled": "0", "textureGroup1_scaled": "-1",
            "textureGroup1_nocropping": "-1", "textureGroup1_border": "4",
            "textureGroup1_parent": "Level", "textureGroup2_parent": "&lt;none&gt;",
        },
        spr_keeper=(in_group.format(0), in_group.format(1)),
        spr_door=(in_group.format(0), in_group.format(9)),
        fnt_small=("<texgroup0>0</texgroup0>", "<texgroup0>2</texgroup0>"),
    )  # fmt: skip
    rows = {row["name"]: row for row in value(made, made.name)["TextureGroups"]}
    assert list(rows) == ["Default", "Boss", "Level"]
    boss = rows["Boss"]
    assert (boss["isScaled"], boss["autocrop"], boss["border"]) == (True, False, 4)
    assert boss["groupParent"] == {"name": "Level", "path": "texturegroups/Level"}
    assert rows["Level"]["groupParent"] is None and rows["Default"]["isScaled"] is False
    groups = {
        name: value(made, f"{folder}/{name}/{name}.yy")["textureGroupId"]["name"]
        for folder, name in (
            ("sprites", "spr_keeper"), ("sprites", "spr_door"), ("fonts", "fnt_small")
        )
    }  # fmt: skip
    assert groups == {"spr_keeper": "Boss", "spr_door": "Default", "fnt_small": "Level"}


def test_whether_a_room_clears_the_screen_is_kept(tmp_path: Path) -> None:
    old = "<clearDisplayBuffer>-1</clearDisplayBuffer>"
    new = "<clearDisplayBuffer>0</clearDisplayBuffer>"
    path = "rooms/rm_cave/rm_cave.yy"
    made = converted(tmp_path / "clears", {})
    assert value(made, path)["viewSettings"]["clearDisplayBuffer"] is True
    made = converted(tmp_path / "keeps", {}, rm_cave=(old, new))
    assert value(made, path)["viewSettings"]["clearDisplayBuffer"] is False
    for edition in ("gms1", "current"):
        with overhaul.open_game(furnished(edition)) as game:
            game.rooms["rm_cave"].record.flags |= 4
            files = recover(game).files
        if edition == "gms1":
            root = read_xml(files["rooms/rm_cave.room.gmx"]()).root
            assert root.value("clearDisplayBuffer") == "0"
        else:
            said: Any = read_values(files[path]().decode())
            assert said["viewSettings"]["clearDisplayBuffer"] is False


def test_conditions_that_were_evaluated_whole_are_named(tmp_path: Path) -> None:
    message = (
        "conditions were evaluated whole: the right side of a false && or a true || is skipped now"
    )
    for text, expected in (("false", [message]), ("0", [message]), ("true", []), ("-1", [])):
        found = converted(tmp_path, {"shortcircuit": text}).findings
        assert [one.message for one in found if "evaluated" in one.message] == expected
    assert message not in [one.message for one in converted(tmp_path, {}).findings]
