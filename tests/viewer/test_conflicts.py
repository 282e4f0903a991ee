"""Two pages that edit one file at the same time: both edits are shown, and chosen from."""

from __future__ import annotations

from pathlib import Path

import pytest

import overhaul
from filling import edited, fields_in, form, labels, send, value
from furnished import furnish
from viewing import HOST, Browser, looking_at

OBJECT = "objects/obj_keeper/object.json"
Fields = list[tuple[str, str]]


@pytest.fixture
def game(lantern: Path, tmp_path: Path) -> Path:
    """The demo game with a resource of each kind, to be changed."""
    path = tmp_path / "game.win"
    path.write_bytes(lantern.read_bytes())
    with overhaul.open_game(path) as made:
        furnish(made)
        made.save(path, force=True)
    return path


def shown(client: Browser, address: str, fields: Fields) -> list[tuple[object, ...]]:
    """The differences that the answer to a late form has: place, was, now, yours, rivals."""
    page = send(client, address.replace("?", ".json?"), fields).json()
    keys = ("place", "was", "now", "yours", "rivals")
    return [tuple(each[key] for key in keys) for each in page["differences"]]


def test_sides_are_chosen_field_by_field(game: Path) -> None:
    with looking_at(game) as client:
        address, fields = form(client, OBJECT)
        theirs = edited(fields, f__depth="7", f__sprite="spr_door")
        assert send(client, address, theirs).status_code == 200
        mine = [each for each in fields if each[0] != "k:/visible"]
        late = send(client, address, edited(mine, f__depth="4"))
        assert late.status_code == 409
        assert shown(client, address, edited(mine, f__depth="4")) == [
            ("visible", "yes", "yes", "no", False),
            ("depth", "-10", "7", "4", True),
            ("sprite", "spr_keeper", "spr_door", "", False),
        ]
        again = fields_in(late.text)
        assert [text for name, text in again if name == "f:/depth"] == ["4"]
        unchosen = send(client, address, again)
        assert unchosen.status_code == 409
        assert "Choose a side of each field" in unchosen.text
        assert value(client, OBJECT)["depth"] == 7
        assert send(client, address, [*again, ("side:1", "yours")]).status_code == 200
        now = value(client, OBJECT)
        assert (now["depth"], now["visible"], now["sprite"]) == (4, False, "spr_door")
        assert labels(client) == [f"Edit {OBJECT}"] * 2


def test_the_other_side_and_a_third_edit(game: Path) -> None:
    with looking_at(game) as client:
        address, fields = form(client, OBJECT)
        send(client, address, edited(fields, f__depth="7"))
        late = fields_in(send(client, address, edited(fields, f__depth="4")).text)
        _, third = form(client, OBJECT)
        send(client, address, edited(third, f__depth="8"))
        newer = send(client, address, [*late, ("side:0", "yours")])
        assert newer.status_code == 409  # what was chosen between is no longer there
        assert ("depth", "-10", "8", "4", True) in shown(client, address, late)
        chosen = [*fields_in(newer.text), ("side:0", "theirs")]
        assert send(client, address, chosen).status_code == 200
        assert value(client, OBJECT)["depth"] == 8
        assert labels(client) == [f"Edit {OBJECT}"] * 2


def test_an_edit_that_changes_nothing_is_no_conflict(game: Path) -> None:
    with looking_at(game) as client:
        address, fields = form(client, OBJECT)
        send(client, address, edited(fields, f__depth="7"))
        assert send(client, address, fields).status_code == 200
        assert send(client, address, edited(fields, f__depth="7")).status_code == 200
        assert value(client, OBJECT)["depth"] == 7


def test_elements_stay_with_their_names(game: Path) -> None:
    """A button of a list does what it did on the page as it was."""
    with looking_at(game) as client:
        path = next(path for path in client.site.documents[0].files if path.startswith("paths/"))
        points = value(client, path)["points"]
        address, fields = form(client, path)
        assert send(client, address, fields, "remove:/points/0").status_code == 200
        late = send(client, address, fields, "duplicate:/points/1")
        assert late.status_code == 409
        again = fields_in(late.text)
        assert send(client, address, again, dict(again)["do"]).status_code == 200
        assert value(client, path)["points"] == [points[1], points[1], *points[2:]]


def test_a_file_that_another_program_wrote(game: Path, tmp_path: Path) -> None:
    """Nothing says what it was, so that all that differs is chosen."""
    overhaul.unpack(game, tmp_path / "folder")
    with looking_at(tmp_path / "folder") as client:
        address, fields = form(client, OBJECT)
        file = tmp_path / "folder" / OBJECT
        file.write_text(file.read_text().replace('"visible": true', '"visible": false'))
        client.post("/-/reload", headers={"Origin": HOST})
        late = send(client, address, edited(fields, f__depth="4"))
        assert late.status_code == 409
        assert shown(client, address, edited(fields, f__depth="4")) == [
            ("visible", "no", "no", "yes", True),
            ("depth", "-10", "-10", "4", True),
        ]
        sides = [("side:0", "theirs"), ("side:1", "yours")]
        assert send(client, address, fields_in(late.text) + sides).status_code == 200
        assert (value(client, OBJECT)["visible"], value(client, OBJECT)["depth"]) == (False, 4)


@pytest.mark.parametrize("lantern", ["current"], indirect=True)  # Studio 1 has no sequences
def test_tables_have_both_edits(game: Path) -> None:
    with looking_at(game) as client:
        where = "/-/table/sequences/seq_walk"
        page = client.get(f"{where}.json").json()
        table = next(each for each in page["tables"] if each["title"].endswith("position"))
        first, second = (row["pointer"] for row in table["rows"][:2])
        typed = {f"v:{cell['pointer']}": cell["text"] for cell in table["rows"][1]["cells"]}
        typed |= {f"v:{second}/channels/1/value": "8.5", f"r:{second}": "1"}
        opened = [("before", page["before"])]
        assert send(client, where, opened, f"remove:{first}").status_code == 200
        late = send(client, where, [*opened, *typed.items()], "")
        assert late.status_code == 409
        assert send(client, where, fields_in(late.text), "").status_code == 200
        page = client.get(f"{where}.json").json()
        table = next(each for each in page["tables"] if each["title"].endswith("position"))
        cells = {cell["pointer"]: cell["text"] for row in table["rows"] for cell in row["cells"]}
        assert len(table["rows"]) == 2
        assert cells[f"{first}/channels/1/value"] == "8.5"
