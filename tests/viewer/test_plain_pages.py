"""What pages say in plain words: labels, values, and what is there where there is nothing."""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
from PIL import Image

import overhaul
from ags_editor_projects import make_project
from ags_furnished import EDITORS, furnished
from ags_furnished import write as write_furnished
from ags_package import package
from debug_files import debug_file
from handmade_project import project_file
from ide_projects import picture, studio_project, write
from modded_games import lantern
from overhaul.gamemaker.classic import ProjectDocument
from overhaul.gamemaker.debug.document import Source, SourceList
from overhaul.gamemaker.gm82 import folder_of
from overhaul.schema.record import Record
from overhaul.schema.spans import brief
from overhaul.suggest import plural
from overhaul.viewer.listings import capitalised, uncapitalised
from overhaul.viewer.opened import Opened
from overhaul.viewer.templates import Statics, environment, link
from overhaul.workbench.tables import tables_of
from viewing import HOST, looking_at

FORM = "/-/form?path=objects/obj_keeper/object.json"


class Point(Record):
    """A record without a name."""

    place_x: int = 0
    place_y: int = 0
    more: list[int] = []


class Named(Record):
    """A record with a name."""

    name: str = ""
    place_x: int = 0


@pytest.mark.parametrize(
    ("kind", "one", "many", "inside"),
    [
        ("sprite", "Sprite", "Sprites", "sprites"),
        ("gui", "GUI", "GUIs", "GUIs"),
        ("room ui", "Room UI", "Room UIs", "room UIs"),
        ("index", "Index", "Indexes", "indexes"),
        ("code entry", "Code entry", "Code", "code"),
    ],
)
def test_kinds_are_written_as_people_write_them(
    kind: str, one: str, many: str, inside: str
) -> None:
    title = capitalised(plural(kind))
    assert (capitalised(kind), title, uncapitalised(title)) == (one, many, inside)


def shown(value: object) -> str:
    """A value as pages show values of fields."""
    made = environment(Statics())
    text = "{% import 'parts.html' as parts %}{{ parts.value(here, none, it) }}"

    class Here:
        @staticmethod
        def find(name: object) -> None:
            return None

    return made.from_string(text).render(here=Here, it=value)


def test_flags_are_yes_and_no() -> None:
    assert re.findall(r"<dd>(\w+)\s*</dd>", shown({"solid": True, "visible": False})) == [
        "yes",
        "no",
    ]


def test_rows_of_numbers_stand_next_to_each_other() -> None:
    made = shown([[0, 71], [12, 92.5]])
    assert "rows-of-numbers" in made
    assert re.findall(r"<li>([^<]*)</li>", made) == ["0, 71", "12, 92.5"]
    assert "rows-of-numbers" not in shown([["a", 1], ["b", 2]])


def test_long_names_of_fields_can_be_broken() -> None:
    assert "<dt>Inventory<wbr>Hotspot<wbr>Marker</dt>" in shown({"InventoryHotspotMarker": 1})


def test_a_record_among_bytes_is_in_words() -> None:
    assert brief(Point(place_x=4)) == "place x 4, place y 0"
    assert brief(Named(name="spr_a", place_x=4)) == "spr_a"


def test_a_page_shows_some_of_very_many_values(tmp_path: Path) -> None:
    debug = debug_file()
    lists = debug.to_bytes()
    (tmp_path / "game.yydebug").write_bytes(lists)
    with looking_at(tmp_path / "game.yydebug") as client:
        page = client.get("/places/debug").text
    assert 'class="values rows-of-numbers"' in page


def test_a_number_is_no_use_of_what_only_has_a_number(tmp_path: Path) -> None:
    debug = debug_file()
    debug.record(SourceList).sources[2] = Source(debug.strings.add("x = 0;"))
    (tmp_path / "game.yydebug").write_bytes(debug.to_bytes())
    with looking_at(tmp_path / "game.yydebug") as client:
        assert client.get("/-/uses/sources/0.json").json()["uses"] == []


def test_uses_in_a_folder_of_game_maker_8_2(tmp_path: Path) -> None:
    folder = folder_of(ProjectDocument.from_bytes(project_file(810)), "game")
    for path, read in folder.files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(read())
    with looking_at(tmp_path / "game.gm82") as client:
        uses = client.get("/-/uses/sprites/spr_player.json").json()["uses"]
    assert ("object", "obj_player") in {(use["kind"], use["name"]) for use in uses}


def test_a_choice_of_kinds_has_its_notes_below(game: Path) -> None:
    with looking_at(game) as client:
        page = client.get("/-/add?kind=sprite").text
    options = re.findall(r"<option[^>]*>([^<]*)</option>", page)
    notes = re.findall(r'<p class="none">([^<]*)</p>', page)
    assert "Sprite" in options
    assert [note for note in notes if note.startswith("Sprite: with ")]


def test_unused_resources_are_counted_in_the_plural(game: Path) -> None:
    with overhaul.open_game(game) as opened:
        for name in ("spr_one", "spr_two"):
            opened.sprites.add(name, [Image.new("RGBA", (8, 8), "red")])
        opened.save(game, force=True)
    with looking_at(game) as client:
        page = client.get("/-/unused").text
        kinds = client.get("/-/unused.json").json()["kinds"]
    titles = re.findall(r"<h2>([^<]*) <span", page)
    assert titles == [capitalised(plural(kind)) for kind in kinds] and titles


def test_what_all_steps_change_names_the_file_once(game: Path) -> None:
    with looking_at(game) as client:
        page = client.get("/-/steps/changes").text
    lead = re.search(r'<p class="lead">(.*?)</p>', page, re.S)
    assert lead is not None and lead[1].endswith("on the disk → with all steps")
    assert "diff-counts" not in page


def test_columns_without_any_value_are_left_out(tmp_path: Path) -> None:
    (tmp_path / "game.gm81").write_bytes(project_file(810))
    with looking_at(tmp_path / "game.gm81") as client:
        page = client.get("/objects").text
        data = client.get("/objects.json").json()
    assert "instances" in [column["title"] for column in data["columns"]]
    assert ">Instances</a>" not in page and ">Sprite</a>" in page


def test_a_form_without_fields_says_so(tmp_path: Path) -> None:
    path = tmp_path / "game.win"
    path.write_bytes(lantern("gms1"))
    with overhaul.open_game(path) as opened:
        opened.backgrounds.add("bg_bare", Image.new("RGBA", (8, 8), "red"))
        opened.save(path, force=True)
    with looking_at(path) as client:
        form = client.get("/-/form?path=backgrounds/bg_bare.json").text
        record = client.get("/-/record/backgrounds/bg_bare").text
        assert "It has no fields." not in client.get(FORM).text
    for page in (form, record):
        assert "It has no fields." in page and "bench-save" not in page


def test_a_gui_of_a_project_is_edited_without_a_picture(tmp_path: Path) -> None:
    write_furnished(tmp_path, furnished(1, *EDITORS[-1]))
    with looking_at(tmp_path / "Game.agf") as client:
        names = [row["name"] for row in client.get("/guis.json").json()["rows"]]
        pages = [client.get(f"/-/table/guis/{name}").text for name in names]
    assert any("guistage" in page for page in pages)
    assert not any("<image" in page for page in pages)
    (tmp_path / "game.ags").write_bytes(package())
    with looking_at(tmp_path / "game.ags") as client:
        base = "/in/game28.dta"
        name = client.get(f"{base}/guis.json").json()["rows"][0]["name"]
        assert "<image" in client.get(f"{base}/-/table/guis/{name}").text


def test_the_end_of_a_way_does_not_repeat_the_name(game: Path) -> None:
    ends = {
        "/-/edit/code/gml_Object_obj_keeper_Create_0": "Edit",
        "/-/uses/sprites/spr_keeper": "Uses",
        "/-/whole/sprites/spr_keeper": "Rename, duplicate, remove",
        "/-/file?path=objects/obj_keeper/object.json": "object.json",
    }
    with looking_at(game) as client:
        for address, end in ends.items():
            assert f'aria-current="page"><span>{end}</span>' in client.get(address).text, address


def test_a_background_whose_picture_is_not_there_says_so(tmp_path: Path) -> None:
    path = studio_project(tmp_path)
    listed = (
        '<backgrounds name="background"><background>background\\bg_a</background></backgrounds>'
    )
    text = path.read_text().replace("</assets>", f"{listed}</assets>")
    path.write_text(text)
    write(
        tmp_path, "background/bg_a.background.gmx",
        "<background>\n  <width>4</width>\n  <height>2</height>\n"
        "  <data>images\\bg_a.png</data>\n</background>\n",
    )  # fmt: skip
    with looking_at(path) as client:
        lost = client.get("/backgrounds/bg_a").text
    write(tmp_path, "background/images/bg_a.png", picture(4, 2))
    with looking_at(path) as client:
        there = client.get("/backgrounds/bg_a").text
    assert "It has no picture." in lost and "picture.png" not in lost
    assert "picture.png" in there


def test_cells_of_a_table_stand_below_their_titles() -> None:
    value = {
        "Controls": [
            {"Type": "ListBox", "Name": "a", "Left": 1, "Top": 2, "Width": 3, "Height": 4},
            {"Type": "Button", "Name": "b", "Left": 1, "Top": 2, "Width": 3, "Height": 4,
             "Text": "Save"},
        ]
    }  # fmt: skip
    (table,) = tables_of(value)
    assert table.labels == ["Left", "Top", "Width", "Height", "Text"]
    texts = [[None if it is None else it.text for it in row.under(table.labels)]
             for row in table.rows]  # fmt: skip
    assert texts == [["1", "2", "3", "4", None], ["1", "2", "3", "4", "Save"]]


def test_scripts_and_rooms_of_a_project_are_files_next_to_it(tmp_path: Path) -> None:
    path = make_project(tmp_path) / "Game.agf"
    with looking_at(path) as client:
        names = [row["name"] for row in client.get("/scripts.json").json()["rows"]]
        pages = {name: client.get(f"/scripts/{name}").text for name in names}
    assert 'class="role-string">&#34;%d&#34;' in pages["GlobalScript.asc"]
    assert 'href="/-/file?path=GlobalScript.asc"' in pages["GlobalScript.asc"]
    assert not any("AGSEditorDocument" in page for page in pages.values())
    (tmp_path / "GlobalScript.asc").unlink()
    with looking_at(path) as client:
        page = client.get("/scripts/GlobalScript.asc").text
    assert "GlobalScript.asc is not next to the project." in page and "It is empty." in page
    write_furnished(tmp_path, furnished(1, *EDITORS[-1]))
    with looking_at(path) as client:
        name = client.get("/rooms.json").json()["rows"][0]["name"]
        room = client.get(f"/rooms/{name}").text
        (tmp_path / name).unlink()
    with looking_at(path) as client:
        lost = client.get(f"/rooms/{name}").text
    assert f'href="/in/{name}/"' in room and f"{name} is not next to the project." not in room
    assert f"{name} is not next to the project." in lost
    assert "AGSEditorDocument" not in room + lost


def test_the_bar_leads_to_the_warnings_of_a_step(game: Path) -> None:
    code = "code/gml_Object_obj_keeper_Step_0"
    with looking_at(game) as client:
        before = digest_of(client.get(f"/-/edit/{code}").text)
        for text, said in (("x = 1;", ""), ("x = quux + corge;", "2 warnings")):
            given = {"source": text, "before": before, "do": "save"}
            assert client.post(f"/-/edit/{code}", data=given, headers={"Origin": HOST})
            bar = client.get("/").text
            found = re.findall(r'class="bench-warnings"[^>]*>([^<]*)<', bar)
            assert found == ([said] if said else [])
            before = digest_of(client.get(f"/-/edit/{code}").text)


def digest_of(page: str) -> str:
    """The state that an editor was opened on."""
    found = re.search(r'name="before" value="([^"]*)"', page)
    assert found is not None
    return found[1]


def test_after_replacing_in_code_the_search_says_that_a_step_is_made(game: Path) -> None:
    with looking_at(game) as client:
        before = digest_of(client.get("/-/replace-code?q=speed&by=pace").text)
        data = client.get("/-/replace-code.json?q=speed&by=pace").json()["rows"]
        rows = {f"row:{row['line']}:{row['path']}": "1" for row in data[:1]}
        given = {"q": "speed", "by": "pace", "before": before, **rows}
        page = client.post("/-/replace-code", data=given, headers={"Origin": HOST})
        assert page.status_code == 200
        assert "The step is made." in page.text
        if "being read" in page.text:
            assert "Nothing was found" not in page.text


def test_after_removing_a_resource_the_others_are_shown(game: Path) -> None:
    with looking_at(game) as client:
        given = {"do": "remove", "sure": "1"}
        page = client.post(
            "/-/whole/sounds/snd_catch", data={**given, "accept": "1"}, headers={"Origin": HOST}
        )
        assert (page.status_code, page.url.path) == (200, "/sounds")


def test_the_first_page_leads_to_the_texts_that_can_be_edited(game: Path) -> None:
    with looking_at(game) as client:
        (address,) = re.findall(r'href="([^"]*)">Edit texts</a>', client.get("/").text)
        page = client.get(address).text
        everything = client.get("/-/strings").text
    rows = page.partition("<tbody>")[2]
    assert rows.count("<textarea") == rows.count("<tr") > 0
    assert everything.count("<tr") > page.count("<tr")


def test_a_number_is_not_a_link_to_a_room_of_that_name() -> None:
    finds_all = cast("Opened", SimpleNamespace(find=lambda value: value))
    assert link(finds_all, "room1")
    assert link(finds_all, "1") is None and link(finds_all, "room1", "name") is None
