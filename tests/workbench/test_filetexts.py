"""Texts in plain files: found, replaced, and nothing else touched."""

from __future__ import annotations

import json

import pytest

from overhaul.errors import WorkspaceError
from overhaul.workbench.filetexts import FileTexts, TextFile, texts_in
from overhaul.workbench.texts import Search

GML = b"""// "not this"
draw_text(x, y, "It's late.");
/* 'nor this' */ s = 'say "x"' + "";
if (a) show_message("two
lines"); // 'end"""
SCRIPT = b"""// "not this"
cEgo.Say("\\"Hi\\"[there\\\\");  char c = '"';
/* "nor this" */
Display("a\\nb"); Display("");
"""
DIALOG = b"""// Ego: no
@S
Ego: Hello there.
run-script 1
  narrator:   A door: open.
Ego:
return
"""
JSON = json.dumps(
    {
        "RealName": "Ego",
        "ScriptName": "cEgo",
        "options": [{"Text": 'a "b"', "Name": "x"}, {"Text": ""}],
        "messages": ["one", "two"],
        "Nested": {"deep": ["no", {"Description": "é"}]},
    },
    ensure_ascii=False,
    indent=2,
).encode()
ACTIONS = json.dumps(
    {
        "caption": "Cave",
        "actions": [{"action": "x", "arguments": ["0", "'Hi'", "Game over!", "hp"]}],
    }
).encode()


def texts(kind: str, path: str, data: bytes) -> list[str]:
    return [text.text for text in texts_in(kind, path, data)]


def held(kind: str, path: str, data: bytes) -> FileTexts:
    return FileTexts([TextFile(path, kind, texts_in(kind, path, data))], lambda _: data)


def test_texts_are_found_in_code_dialogs_and_fields() -> None:
    project, ags = "gamemaker-project", "ags-game"
    assert texts(project, "scripts/s.gml", GML) == ["It's late.", 'say "x"', "two\nlines"]
    assert texts(ags, "scripts/g.asc", SCRIPT) == ['"Hi"[there\\\\', "a\\nb"]
    assert texts(ags, "dialogs/d.ads", DIALOG) == ["Hello there.", "A door: open."]
    assert texts(ags, "characters/c.json", JSON) == ["Ego", 'a "b"', "one", "two", "é"]
    assert texts(project, "rooms/r/room.json", ACTIONS) == ["Cave", "'Hi'", "Game over!"]
    assert texts(ags, "x.png", b"\x89PNG") == texts("ags-sprites", "a.json", JSON) == []
    assert texts(ags, "a.asc", b"\xff\xfe") == []
    assert [text.line for text in texts_in(project, "s.gml", GML)] == [2, 3, 4]


@pytest.mark.parametrize(
    ("kind", "path", "data"),
    [
        ("gamemaker-project", "s.gml", GML),
        ("ags-game", "g.asc", SCRIPT),
        ("ags-game", "d.ads", DIALOG),
        ("ags-room", "c.json", JSON),
        ("gamemaker-project", "room.json", ACTIONS),
    ],
)
def test_the_same_texts_are_the_same_file(kind: str, path: str, data: bytes) -> None:
    table = held(kind, path, data)
    same = {text.row: text.text for text in table.texts()}
    assert table.changes(same) == {path: data}


def test_only_a_text_is_replaced() -> None:
    table = held("gamemaker-project", "s.gml", GML)
    (changed,) = table.changes({0: 'He said "no".', 2: "one"}).values()
    assert changed == GML.replace(b'"It\'s late."', b"'He said \"no\".'").replace(
        b"two\nlines", b"one"
    )
    with pytest.raises(WorkspaceError, match=r"s\.gml, line 2"):
        table.changes({0: "both \" and '"})
    script = held("ags-game", "g.asc", SCRIPT)
    (changed,) = script.changes({1: 'say "x"\nnow'}).values()
    assert changed == SCRIPT.replace(b'"a\\nb"', b'"say \\"x\\"\\nnow"')
    for wrong in ("ends with \\", 'a\\"'):
        with pytest.raises(WorkspaceError, match="backslash"):
            script.changes({1: wrong})
    dialog = held("ags-game", "d.ads", DIALOG)
    (changed,) = dialog.changes({1: "Shut."}).values()
    assert changed == DIALOG.replace(b"A door: open.", b"Shut.")
    for wrong in ("two\nlines", " led", ""):
        with pytest.raises(WorkspaceError, match="no line breaks"):
            dialog.changes({0: wrong})
    fields = held("ags-game", "c.json", JSON)
    (changed,) = fields.changes({1: 'ü "\n'}).values()
    assert json.loads(changed)["options"][0]["Text"] == 'ü "\n'
    with pytest.raises(WorkspaceError, match="no row 9"):
        fields.changes({9: "x"})


def test_they_are_searched_as_a_table_is() -> None:
    table = held("ags-game", "c.json", JSON)
    assert [text.row for text in table.found(Search("o"))] == [0, 2, 3]
    assert table.replaced(Search("o"), "0") == {0: "Eg0", 2: "0ne", 3: "tw0"}
    assert table.digest != held("ags-game", "c.json", JSON.replace(b"two", b"2")).digest
    assert table.digest == held("ags-game", "c.json", JSON).digest
