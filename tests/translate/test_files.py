"""Files next to a game that its code reads: found, listed, translated."""

from __future__ import annotations

import json
import re
from pathlib import Path

import polib
import pytest

from overhaul import translate
from overhaul.cli import main
from overhaul.errors import FormatError
from overhaul.translate.files import file_bytes
from overhaul.translate.gamemaker import companions
from overhaul.translate.gamemaker.companions import Catalogue
from overhaul.translate.rules import Rules
from small_games import again, game_of

SOURCE = """
folder = "lang/";
f = file_text_open_read(folder + language + ".json");
g = load_csv(working_directory + "items.csv");
ini_open("save.ini");
scr_read("deep\\a.txt");
draw_text(0, 0, "Play");
"""
ENGLISH = '{\n  "play": "Play",\n  "list": ["Quit \\"now\\"", 1, "en_US"],\n  "a\\\\": "x: y"\n}\n'
ITEMS = 'id,name,price\nsword,"A ""sharp"" sword, long",12\r\nbow,Bow,3\n'


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    game = game_of("1.4.1763")
    game.add_script("scr_read", "return file_text_open_read(argument0);")
    game.add_event("obj_a", "Step_0", SOURCE)
    (tmp_path / "lang").mkdir()
    (tmp_path / "lang/en.json").write_bytes(ENGLISH.encode())
    (tmp_path / "items.csv").write_bytes(ITEMS.encode())
    (tmp_path / "other.json").write_bytes(b'{"a": "Never read"}')
    found = tmp_path / "data.win"
    found.write_bytes(again(game).to_bytes())
    return found


def test_what_the_code_reads(path: Path) -> None:
    step = "gml_Object_obj_a_Step_0"
    found = {
        file.pattern: (file.path, file.function, file.where) for file in translate.game_files(path)
    }
    assert found == {
        "*items.csv": ("items.csv", "load_csv", step),
        "lang/*.json": ("lang/en.json", "file_text_open_read", step),
        "save.ini": ("", "ini_open", step),
        "deep/a.txt": ("", "file_text_open_read", "gml_Script_scr_read"),
    }
    header = translate.extract(path).header
    assert header.endswith(
        "The game reads these companion files, which may have texts:\n"
        "  file items.csv\n  file lang/en.json"
    )
    made = translate.update(path, translate.extract(path)).messages
    assert made.header == header


def test_texts_of_files(path: Path) -> None:
    plain = translate.extract(path)
    assert [entry.msgid for entry in plain] == ["Play"]
    rules = Rules().with_files(["lang/*.json", "*.csv", "other.json"])
    messages = translate.extract(path, rules=rules)
    places = {entry.msgid: entry.occurrences for entry in messages}
    assert places == {
        "Play": [("gml_Object_obj_a_Step_0", "6"), ("lang/en.json", "2")],
        'Quit "now"': [("lang/en.json", "3")],
        "x: y": [("lang/en.json", "4")],
        'A "sharp" sword, long': [("items.csv", "2")],
        "sword": [("items.csv", "2")],
        "bow": [("items.csv", "3")],
        "Bow": [("items.csv", "3")],
    }
    new = {"Play": 'Иг"рать', 'A "sharp" sword, long': "Меч", "Bow": 'Лук, "новый"'}
    for entry in messages:
        entry.msgstr = new.get(entry.msgid, "")
    before = path.read_bytes()
    made = translate.apply(path, messages, rules=rules)
    assert made.companions == {
        "lang/en.json": ENGLISH.replace('"Play"', '"Иг\\"рать"').encode(),
        "items.csv": 'id,name,price\nsword,"Меч",12\r\nbow,"Лук, ""новый""",3\n'.encode(),
    }
    assert made.texts == 3
    problems = [each.message for each in translate.check(path, messages, rules=rules)]
    for warning in (*made.warnings, *problems):  # nothing but
        assert warning.startswith("the game has no font, and GameMaker's own has no "), warning
    assert path.read_bytes() == before
    # without the files their texts are not the game's
    assert translate.apply(path, messages).companions == {}
    warnings = translate.apply(path, messages).warnings
    assert sum(each.endswith("is not a text that the game shows") for each in warnings) == 2
    assert translate.update(path, messages, rules=rules).kept == 3


def test_commands(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def said(*words: str, code: int = 0) -> dict[str, object]:
        assert main(["translate", *words, "--json"]) == code
        return dict(json.loads(capsys.readouterr().out))

    files = said("files", "data.win")["files"]
    assert isinstance(files, list) and [file["found"] for file in files] == [
        True,
        True,
        False,
        False,
    ]
    assert main(["translate", "files", "data.win"]) == 0
    lines = capsys.readouterr().out.split("\n")
    assert lines[1] == "lang/en.json: file_text_open_read in gml_Object_obj_a_Step_0"
    assert "save.ini: ini_open in gml_Object_obj_a_Step_0; not next to the game" in lines
    names = ["--files", "*.json", "--files", "*.csv"]
    assert said("extract", "data.win", "-o", "es.po", *names)["texts"] == 7
    messages = polib.pofile("es.po")
    for entry in messages:
        entry.msgstr = entry.msgid.upper()
    messages.save()
    done = said("apply", "data.win", "es.po", "-o", "new/es.win", *names)
    assert done["files"] == ["new/items.csv", "new/lang/en.json"]
    assert json.loads(Path("new/lang/en.json").read_text("utf-8"))["play"] == "PLAY"
    assert Path("lang/en.json").read_bytes() == ENGLISH.encode()
    # next to the game itself they would be written over
    assert main(["translate", "apply", "data.win", "es.po", "-o", "es.win", *names]) == 2
    assert not Path("es.win").exists() and Path("lang/en.json").read_bytes() == ENGLISH.encode()
    capsys.readouterr()
    assert main(["translate", "apply", "data.win", "es.po", "-o", "es.win", "--force", *names]) == 0
    assert Path("lang/en.json.bak").read_bytes() == ENGLISH.encode()


@pytest.mark.parametrize("ending", [".po", ".csv"])
def test_names_that_are_no_unicode_are_listed(ending: str) -> None:
    game = game_of("2023.4")
    entry = game.add_event("obj_a", "Step_0", 'draw_text(0, 0, "Play");')
    entry.name = game.strings.add("gml_Object_obj_\udce9_Step_0")
    messages = translate.extract(again(game))
    assert "obj_?_Step_0" in messages[0].occurrences[0][0]
    assert b"obj_?_Step_0" in file_bytes(messages, f"x{ending}")


def test_a_game_that_is_no_file_has_no_companions() -> None:
    game = game_of("2023.4")
    game.add_event("obj_a", "Step_0", 'f = load_csv("a.csv");')
    (found,) = translate.game_files(game)
    assert (found.pattern, found.path, found.found) == ("a.csv", "", False)
    assert not translate.extract(game, rules=Rules().with_files(["*.csv"]))


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("a.json", b'{"a": "b"', "not JSON: "),
        ("a.json", b"\xff", "not a text in UTF-8: "),
        ("a.json", b"[" * 100_000, "not JSON: "),
        ("a.csv", b'a,b\n"c"d,e', "line 2: expected cells with commas between them"),
        ("a.csv", b'a,"b', "line 1: expected cells with commas between them"),
    ],
)
def test_other_files_are_refused(name: str, data: bytes, message: str) -> None:
    with pytest.raises(FormatError, match=re.escape(message)):
        Catalogue(data, name)


@pytest.mark.parametrize(
    ("name", "data", "texts"),
    [
        ("a.json", '\ufeff["Ж", "\\u0416\\n", {"k" : "v"}]', ["Ж", "Ж\n", "v"]),
        ("a.json", '"one"', ["one"]),
        ("a.csv", "", [""]),
        ("a.csv", "a,b", ["a", "b"]),
        ("a.csv", "\ufeffx y,b\r\rc", ["x y", "b", "", "c"]),
        ("a.csv", 'k,v\n1,"two\nlines"\n', ["1", "two\nlines", ""]),
        ("a.csv", "a b,c\nd,e\nf,g", ["a b", "c", "d", "e", "f", "g"]),
    ],
)
def test_catalogues(name: str, data: str, texts: list[str]) -> None:
    read = Catalogue(data.encode(), name)
    assert [each.text for each in read.texts] == texts
    assert read.replaced({}) == data.encode()
    assert read.replaced({text: text for text in texts}) == data.encode() or "\\u" in data
    changed = Catalogue(read.replaced({texts[-1]: 'new, "ж"'}), name)
    assert [each.text for each in changed.texts][-1] == 'new, "ж"'


def test_escapes_stay_escapes() -> None:
    read = Catalogue(b'["\\u0416", "a"]', "a.json")
    assert read.replaced({"Ж": "Й", "a": "Я"}) == '["\\u0419", "Я"]'.encode()


def test_the_files_looked_at_are_bounded(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files are looked at in order: those of the game's folder first."""
    monkeypatch.setattr(companions, "_MOST", 1)
    assert [file.path for file in translate.game_files(path) if file.found] == []
    monkeypatch.setattr(companions, "_MOST", 2)
    assert [file.path for file in translate.game_files(path) if file.found] == ["items.csv"]
    monkeypatch.setattr(companions, "_MOST", 4)
    found = [file.path for file in translate.game_files(path) if file.found]
    assert found == ["items.csv", "lang/en.json"]
