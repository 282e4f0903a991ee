"""All texts of a game, edited and replaced in the viewer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx2
import pytest

import overhaul
from ags_package import package
from furnished import furnished_lantern
from handmade_project import as_json, project_file
from overhaul import mods
from overhaul.errors import WorkspaceError
from overhaul.workbench.texts import Search, TextTable
from overhaul.workbench.typed import as_typed
from viewing import HOST, Browser, looking_at

TABLE = b'index,text,kind\n0,keeper,name\n1,"Hello, World"\n2,hello again\n3,"two\nlines"\n'

ROOM = as_json({"caption": "Hello all"})


def post(client: Browser, address: str, **sent: Any) -> httpx2.Response:
    return client.post(address, headers={"Origin": HOST}, data=sent)


def test_tables_are_searched_and_replaced() -> None:
    table = TextTable(TABLE)
    assert [text.row for text in table.found(Search("HELLO"))] == [1, 2]
    assert [text.row for text in table.found(Search("Hello", case=True))] == [1]
    assert [text.row for text in table.found(Search("hell", word=True))] == []
    assert table.replaced(Search("hello"), "\\1") == {1: "\\1, World", 2: "\\1 again"}
    assert table.replaced(Search("e"), "E").keys() == {1, 2, 3}
    assert table.replaced(Search(""), "E") == {}
    changed = table.with_texts({1: 'say "x"', 3: "one"})
    assert changed == b'index,text,kind\n0,keeper,name\n1,"say ""x"""\n2,hello again\n3,one\n'
    for wrong in ({0: "x"}, {9: "x"}):
        with pytest.raises(WorkspaceError):
            table.with_texts(wrong)
    with pytest.raises(WorkspaceError, match="too long"):
        table.replaced(Search("e"), "x" * (1 << 20 | 1))
    for data in (b"", b"a,b\n", b'index,text\n0,"x', b"\xff\xfe"):
        with pytest.raises(WorkspaceError):
            TextTable(data)


def test_line_ends_stay() -> None:
    assert as_typed("a\r\nb", "x\ny") == "a\nb"
    assert as_typed("a\r\nb", "x\r\ny") == "a\r\nb"
    assert as_typed("a\r\nb", "x\ry") == "a\rb"


def editable(client: Browser) -> list[dict[str, Any]]:
    page = client.get("/-/strings.json?only=1").json()
    rows: list[dict[str, Any]] = page["rows"]
    return rows


def test_texts_are_edited_in_place_and_everywhere(game: Path) -> None:
    old = game.read_bytes()
    with looking_at(game) as client:
        rows = editable(client)
        row = next(row for row in rows if " " in row["text"])
        before = client.get("/-/strings.json").json()["before"]
        sent = {f"r:{each['row']}": each["text"] for each in rows} | {"before": before}
        assert "Nothing changed." in post(client, "/-/strings", **sent).text
        assert client.get("/-/steps.json").json()["done"] == []
        sent[f"r:{row['row']}"] = "Another <b>text</b>"
        assert "The step is made." in post(client, "/-/strings", **sent).text
        page = client.get("/-/strings?q=another")
        assert "Another &lt;b&gt;text" in page.text
        sent[f"r:{row['row']}"] = "Too late"
        assert post(client, "/-/strings", **sent).status_code == 409
        find = "/-/replacing.json?q=Another&by=One+more&unseen=1"
        shown = client.get(find).json()
        assert [each["row"]["new"] for each in shown["rows"]] == ["One more <b>text</b>"]
        replacing = {"q": "Another", "by": "One more", "before": shown["before"]}
        assert post(client, "/-/replacing", **replacing).status_code == 422  # none is chosen
        replacing[f"row:{row['row']}"] = "1"
        assert post(client, "/-/replacing", **replacing).status_code == 200
        assert len(client.get("/-/steps.json").json()["done"]) == 2
        post(client, "/-/save")
    changed = str([change.details for change in mods.diff(old, game).changes])
    assert "One more <b>text</b>" in changed


@pytest.fixture
def written(tmp_path: Path) -> Path:
    """A game whose code has a word in texts that are shown, and in others; a sprite has it, too."""
    path = furnished_lantern(tmp_path / "written.win")
    code = """draw_text(0, 0, "The cave of the keeper");
draw_text(0, 9, "keepers and caves");
draw_text(0, 18, "A Cave");
draw_text(0, 27, "spr_keeper");
hidden = "cave of no player";
if (hidden == "cave") draw_text(0, 36, "cave");
"""
    with overhaul.open_game(path) as game:
        game.code["gml_Object_obj_ending_Draw_0"].gml = code
        game.save(tmp_path / "game.win")
    return tmp_path / "game.win"


def texts_of(page: dict[str, Any]) -> dict[str, tuple[str, bool]]:
    """What replacing makes of each text, and whether it is chosen."""
    return {each["row"]["text"]: (each["row"]["new"], each["chosen"]) for each in page["rows"]}


def test_replacing_takes_whole_words_of_texts_that_players_see(written: Path) -> None:
    with looking_at(written) as client:
        page = client.get("/-/replacing.json?q=cave&by=den&case=1").json()
        assert texts_of(page) == {
            "The cave of the keeper": ("The den of the keeper", True),
            # code compares it, too
            "cave": ("den", False),
        }
        # the other is what the code said before
        assert (page["known"], page["hidden"], page["more"]) == (True, 2, 0)
        notes = {each["row"]["text"]: each["note"] for each in page["rows"]}
        assert notes["The cave of the keeper"] == ""
        assert "same text is also" in notes["cave"]
        parts = client.get("/-/replacing.json?q=cave&by=den&case=1&parts=1").json()
        assert texts_of(parts)["keepers and caves"] == ("keepers and dens", True)
        case = client.get("/-/replacing.json?q=cave&by=den").json()
        assert texts_of(case)["A Cave"] == ("A den", True)
        # one meaning, as where texts are searched
        assert "Match case" in client.get("/-/replacing").text
        assert "Ignore case" not in client.get("/-/replacing").text
        unseen = client.get("/-/replacing.json?q=cave&by=den&case=1&unseen=1").json()
        assert texts_of(unseen)["cave of no player"] == ("den of no player", False)
        # what is no name is found in words, too
        assert "keepers and caves" in texts_of(
            client.get("/-/replacing.json?q=s+and+c&by=-").json()
        )
        assert client.get("/-/replacing.json?q=&by=x").json()["rows"] == []


def test_only_chosen_texts_are_replaced(written: Path) -> None:
    with looking_at(written) as client:
        page = client.get("/-/replacing.json?q=cave&by=den&case=1").json()
        row = next(r["row"]["row"] for r in page["rows"] if r["row"]["text"] == "cave")
        sent = {"q": "cave", "by": "den", "before": page["before"], f"row:{row}": "1"}
        assert post(client, "/-/replacing", **sent).status_code == 200
        source = client.get("/code/gml_Object_obj_ending_Draw_0.json").json()["source"]
    assert '"The cave of the keeper"' in source
    assert 'hidden == "den"' in source and 'draw_text(0, 36, "den")' in source


def test_names_are_not_replaced_and_not_edited(written: Path) -> None:
    with looking_at(written) as client:
        find = "/-/replacing.json?q=keeper&by=hero&parts=1&unseen=1"
        page = client.get(find).json()
        assert {"text": "spr_keeper", "href": "/-/whole/sprites/spr_keeper"} in page["names"]
        assert "spr_keeper" not in texts_of(page)
        assert texts_of(page)["The cave of the keeper"] == ("The cave of the hero", True)
        text = client.get(find.replace(".json", "")).text
        assert 'href="/-/whole/sprites/spr_keeper"' in text
        rows = client.get("/-/strings.json?q=spr_keeper").json()["rows"]
        (row,) = [row for row in rows if row["text"] == "spr_keeper"]
        assert (row["kind"], row["rename"]) == (
            "name of the sprite", "/-/whole/sprites/spr_keeper",
        )  # fmt: skip
        listed = client.get("/-/strings?q=spr_keeper").text
        assert f'name="r:{row["row"]}"' not in listed and "rename it" in listed
        replacing = {"q": "keeper", "by": "hero", "parts": "1", "before": page["before"]}
        typed = {"before": page["before"], f"r:{row['row']}": "spr_hero"}
        for address, sent in (
            ("/-/replacing", {**replacing, f"row:{row['row']}": "1"}),
            ("/-/strings", typed),
        ):
            refused = post(client, address, **sent)
            assert refused.status_code == 422
            assert "is the name of the sprite: rename it on its page" in refused.text
        assert client.get("/-/steps.json").json()["done"] == []


def test_what_is_no_text_of_the_game_is_not_there(game: Path) -> None:
    with looking_at(game) as client:
        before = client.get("/-/strings.json").json()["before"]
        kinds = [r for r in client.get("/-/strings.json").json()["rows"] if r["kind"]]
        wrong = post(client, "/-/strings", **{f"r:{kinds[0]['row']}": "x", "before": before})
        assert wrong.status_code == 422
        for key in ("r:99999999", "r:-1", "r:x", "r:", "r:1e9"):
            assert post(client, "/-/strings", **{key: "x", "before": before}).status_code == 200
        assert client.get("/-/steps.json").json()["done"] == []


def test_texts_of_a_project_are_replaced_in_all_its_files(tmp_path: Path) -> None:
    path = tmp_path / "made.gm81"
    files = {"scripts/scr_say.gml": b'show_message("Hello");\nshow_message("Bye");\n'}
    path.write_bytes(project_file(810, {**files, "rooms/rm_first/room.json": ROOM}))
    with looking_at(path) as client:
        assert 'href="/-/strings?only=1"' in client.get("/").text
        page = client.get("/-/strings.json?q=hello").json()
        rows = {row["where"]: row for row in page["rows"]}
        assert rows["scr_say"]["uses"] == "/scripts/scr_say#L1"
        assert rows["rm_first"]["text"] == "Hello all"
        shown = client.get("/-/replacing.json?q=Hello&by=Hi").json()
        assert {each["row"]["new"] for each in shown["rows"]} == {"Hi", "Hi all"}
        assert (shown["known"], shown["hidden"], shown["names"]) == (False, 0, [])
        chosen = {f"row:{each['row']['row']}": "1" for each in shown["rows"]}
        sent = {"q": "Hello", "by": "Hi", "before": shown["before"], **chosen}
        assert post(client, "/-/replacing", **sent).status_code == 200
        late = post(client, "/-/replacing", **sent)
        assert late.status_code == 409
        code = client.get("/scripts/scr_say.json").json()
        assert 'show_message("Hi");' in str(code)
        bye = client.get("/-/strings.json?q=Bye").json()
        field = {f"r:{bye['rows'][0]['row']}": "both \" and '", "before": bye["before"]}
        wrong = post(client, "/-/strings?q=Bye", **field)
        assert wrong.status_code == 422
        assert "both kinds of quotation marks" in wrong.text
        assert "both &#34; and &#39;" in wrong.text
        client.post("/-/undo", headers={"Origin": HOST})
        assert client.get("/-/strings.json?q=hello").json()["found"] == 2


def test_texts_of_all_files_of_a_package(tmp_path: Path) -> None:
    path = tmp_path / "small.ags"
    path.write_bytes(package())
    with looking_at(path) as client:
        page = client.get("/-/strings.json").json()
        inner = client.get("/in/game28.dta/-/strings.json").json()
        assert 0 < inner["count"] < page["count"]
        where = {row["where"].partition(":")[0] for row in page["rows"]}
        assert {"game28.dta", "room1.crm"} <= where
        row = next(r for r in page["rows"] if r["where"].startswith("game28.dta") and r["text"])
        sent = {f"r:{row['row']}": "Another text", "before": page["before"]}
        assert post(client, "/-/strings", **sent).status_code == 200
        again = client.get("/-/strings.json").json()
        assert again["rows"][row["row"]]["text"] == "Another text"
        assert again["count"] == page["count"]
        row = again["rows"][row["row"]]
        assert client.get(row["uses"].partition("#")[0]).status_code == 200
