"""All texts of a game, edited and replaced in the viewer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx2
import pytest

from ags_package import package
from handmade_project import as_json, project_file
from overhaul import mods
from overhaul.errors import WorkspaceError
from overhaul.workbench.texts import Search, Table, as_typed
from viewing import HOST, Browser, looking_at

TABLE = b'index,text,kind\n0,keeper,name\n1,"Hello, World"\n2,hello again\n3,"two\nlines"\n'

ROOM = as_json({"caption": "Hello all"})


def post(client: Browser, address: str, **sent: Any) -> httpx2.Response:
    return client.post(address, headers={"Origin": HOST}, data=sent)


def test_tables_are_searched_and_replaced() -> None:
    table = Table(TABLE)
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
            Table(data)


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
        assert post(client, "/-/strings", **sent).status_code == 200
        assert client.get("/-/steps.json").json()["done"] == []
        sent[f"r:{row['row']}"] = "Another <b>text</b>"
        assert post(client, "/-/strings", **sent).status_code == 200
        page = client.get("/-/strings?q=another")
        assert "Another &lt;b&gt;text" in page.text
        sent[f"r:{row['row']}"] = "Too late"
        assert post(client, "/-/strings", **sent).status_code == 409
        shown = client.get("/-/strings.json?q=Another&by=One+more&replace=1").json()
        assert [row["new"] for row in shown["rows"]] == ["One more <b>text</b>"]
        replacing = {"do": "replace", "q": "Another", "by": "One more", "before": shown["before"]}
        assert post(client, "/-/strings", **replacing).status_code == 200
        assert len(client.get("/-/steps.json").json()["done"]) == 2
        post(client, "/-/save")
    changed = str([change.details for change in mods.diff(old, game).changes])
    assert "One more <b>text</b>" in changed


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
        assert 'href="/-/strings"' in client.get("/").text
        page = client.get("/-/strings.json?q=hello").json()
        rows = {row["where"]: row for row in page["rows"]}
        assert rows["scr_say"]["uses"] == "/scripts/scr_say#L1"
        assert rows["rm_first"]["text"] == "Hello all"
        shown = client.get("/-/strings.json?q=hello&by=Hi&replace=1").json()
        assert {row["new"] for row in shown["rows"]} == {"Hi", "Hi all"}
        sent = {"do": "replace", "q": "hello", "by": "Hi", "before": shown["before"]}
        assert post(client, "/-/strings", **sent).status_code == 200
        late = post(client, "/-/strings", **sent)
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
