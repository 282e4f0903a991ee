"""The global variables of an AGS game as a table: each edit changes what it must in the script."""

from __future__ import annotations

from pathlib import Path

import httpx2
import pytest

import overhaul
from ags_scripted import VARIABLES, package_with_variables, scripted_package
from overhaul.errors import OverhaulError
from overhaul.workbench import variables
from overhaul.workbench.forms import Mistyped
from viewing import HOST, Browser, looking_at

SOURCE = VARIABLES.replace("GUI", "int rack[4];\nGUI").replace(
    "export panel", "export rack;\nexport panel"
)
GAME = "/in/game28.dta/-/variables"


@pytest.fixture
def game(tmp_path: Path) -> Path:
    path = tmp_path / "small.ags"
    path.write_bytes(package_with_variables())
    return path


def send(client: Browser, **given: str) -> httpx2.Response:
    before = client.get(f"{GAME}.json").json()["before"]
    return client.post(GAME, data={"before": before, **given}, headers={"origin": HOST})


def shown(client: Browser) -> dict[str, tuple[str, str]]:
    listed = client.get(f"{GAME}.json").json()["variables"]
    return {each["name"]: (each["type"], each["value"]) for each in listed}


def test_variables_are_added_changed_and_removed(game: Path, tmp_path: Path) -> None:
    with looking_at(game) as client:
        assert f'href="{GAME}"' in client.get("/in/game28.dta/").text
        assert shown(client) == {
            "hasKey": ("int", "3"), "speed": ("float", "1.5"), "title": ("String", 'A "lantern"'),
            "panel": ("int", ""),
        }  # fmt: skip
        typed = {"value:hasKey": "0", "value:speed": "2", "value:title": "Night"}
        assert send(client, **typed).status_code == 200
        new = {"name": "motto", "type": "String", "value": "Carpe"}
        assert send(client, do="add", **new).status_code == 200
        assert send(client, do="remove:panel").status_code == 200
        refused = send(client, do="remove:hasKey")  # a room uses it
        assert refused.status_code == 422
        assert "hasKey is used here" in refused.text and 'name="value:hasKey"' in refused.text
        assert send(client, **{"value:hasKey": "many"}).status_code == 422
        assert shown(client)["motto"] == ("String", "Carpe")
        client.post("/-/save", headers={"origin": HOST})
    overhaul.unpack(game, tmp_path / "made")
    made = (tmp_path / "made" / variables.PATH).read_text()
    assert {each.name: each.value for each in variables.variables_of(made)} == {
        "hasKey": "", "speed": "2.0", "title": "Night", "motto": "Carpe",
    }  # fmt: skip


def test_only_what_was_typed_changes() -> None:
    assert variables.edited(SOURCE, {}) == SOURCE
    made = variables.edited(SOURCE, {"value:hasKey": "7", "do": "remove:title"})
    expected = SOURCE.replace("hasKey = 3", "hasKey = 7").replace("String title;\n", "")
    expected = expected.replace("export title;\n", "")
    assert made == expected.replace('  title = "A \\"lantern\\"";\n', "")
    assert variables.edited("", {"do": "add", "name": "a", "type": "int"}) == "int a;\nexport a;\n"


def test_what_begins_as_nothing_is_fixed() -> None:
    fixed = {each.name: each.fixed for each in variables.variables_of(SOURCE) if each.fixed}
    assert fixed == {"rack": "an array [4]", "panel": "it begins as nothing"}


@pytest.mark.parametrize(
    "given",
    [
        {"do": "add", "name": "2x"},
        {"do": "add", "name": "hasKey"},
        {"do": "add", "name": "a", "type": "Character*"},
        {"value:speed": "fast"},
        {"value:title": "two\nlines"},
        {"type:hasKey": "int;int"},
        {"value:hasKey": "1; int b"},
    ],
)
def test_what_is_no_value(given: dict[str, str]) -> None:
    with pytest.raises(Mistyped):
        variables.edited(SOURCE, given)


def test_a_variable_that_there_is_not() -> None:
    for do in ("remove:nothing", "burn:hasKey"):
        with pytest.raises(OverhaulError):
            variables.edited(SOURCE, {"do": do})


def test_a_game_without_them_has_no_page(tmp_path: Path) -> None:
    path = tmp_path / "small.ags"
    path.write_bytes(scripted_package())
    with looking_at(path) as client:
        assert client.get(GAME).status_code == 404
