"""``overhaul translate``: the guide and the help run, and what is wrong is reported."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import click
import polib
import pytest

from ags_games import TEXTS, package
from overhaul.ags.documents.translation import TranslationDocument
from overhaul.cli import main
from overhaul.cli.app import overhaul
from overhaul.gamemaker.data.game import GameData
from overhaul.translate import extract
from overhaul.translate.rules import read_rules
from small_games import again, game_of
from typefaces import typeface

ROOT = Path(__file__).resolve().parents[2]
GUIDE, OF_AGS = (
    (ROOT / "docs/guide/translation.md").read_text("utf-8").split("\n## Adventure Game Studio\n")
)
SOURCE = re.findall(r"```gml\n(.*?)```", GUIDE, re.S)[0]


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> GameData:
    monkeypatch.chdir(tmp_path)
    made = game_of("2023.4")
    made.objects["obj_a"].name = "obj_sign"
    made.add_event("obj_sign", "Step_0", SOURCE)
    made = again(made)
    Path("data.win").write_bytes(made.to_bytes())
    return made


def test_the_guide_runs(game: GameData, capsys: pytest.CaptureFixture[str]) -> None:
    lines = re.findall(r"^    overhaul (translate .*)$", GUIDE, re.M)
    assert len(lines) == 8
    Path("update.win").write_bytes(game.to_bytes())
    for number, line in enumerate(lines):
        assert main(shlex.split(line)) == 0, capsys.readouterr().err
        if number == 0:
            written = Path("es.po").read_text("utf-8")
            (shown,) = re.findall(r"```po\n(.*?)```", GUIDE, re.S)
            assert shown in written
            texts = [entry.msgid for entry in polib.pofile("es.po")]
            assert texts == ["Anna", "Hello, ", "The door is open."]
            new = written.replace('msgid "Anna"\nmsgstr ""', 'msgid "Anna"\nmsgstr "Ana"')
            Path("es.po").write_text(new, "utf-8")
    assert capsys.readouterr().out == (
        "es.po: 3 texts\nspanish.win: 1 texts translated\n"
        "gml_Object_obj_sign_Step_0:5: translated: shown by show_message\n"
        '    show_message("The door is open.");\n'
        "pictures: 0 sprites\n"
        "es2.po: 1 kept, 0 fuzzy, 2 untranslated, 0 gone\nes.csv: 3 texts\n"
    )
    (rules,) = re.findall(r"```toml\n(.*?)```", GUIDE, re.S)
    assert [entry.msgid for entry in extract("data.win", rules=read_rules(rules.encode()))] == [
        "Hello, ",
        "open",
        "The door is open.",
    ]
    (block,) = re.findall(r"```python\n(.*?)```", GUIDE, re.S)
    exec(block, {})
    assert capsys.readouterr().out == "3 []\n"
    loud = extract("loud.win")
    assert [entry.msgid for entry in loud] == ["ANNA", "HELLO, ", "THE DOOR IS OPEN."]
    spanish = GameData.from_bytes(Path("spanish.win").read_bytes())
    (code,) = [code for code in spanish.code if code.name.endswith("Step_0")]
    assert 'name = "Ana";' in code.gml and '== "open"' in code.gml


def test_the_guide_to_adventure_game_studio_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("game.ags").write_bytes(package(letters=("DuhastMünzenfr%d,. ",) * 2))
    lines = [shlex.split(line) for line in re.findall(r"^    overhaul (.*)$", OF_AGS, re.M)]
    assert [words[1] for words in lines] == ["extract", "check", "apply", "convert", "convert"]
    for words in lines:
        if words[1] == "check":
            written = Path("de.po").read_text("utf-8")
            (shown,) = re.findall(r"```po\n(.*?)```", OF_AGS, re.S)
            for part in shown.strip().split("\n\n"):
                assert part in written
            text = 'msgid "You have %d coins, %s."\nmsgstr "'
            assert text in written
            Path("de.po").write_text(
                written.replace(text, f"{text}Du hast %d Münzen, %s."), "utf-8"
            )
        assert main(words) == 0, capsys.readouterr().err
    assert capsys.readouterr().out == (
        f"de.po: {len(TEXTS)} texts\nGerman.tra: 1 texts translated\n"
        f"old.po: 1 texts\nGerman.trs: {len(TEXTS)} texts\n"
    )
    old = polib.pofile("old.po")
    assert [(e.msgid, e.msgstr) for e in old] == [
        ("You have %d coins, %s.", "Du hast %d Münzen, %s.")
    ]
    assert main(["translate", "apply", "game.ags", "German.trs", "-o", "again.tra"]) == 0
    assert Path("again.tra").read_bytes() == Path("German.tra").read_bytes()


def test_the_cell_of_a_problem(game: GameData, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["translate", "extract", "data.win", "-o", "es.csv"]) == 0
    table = Path("es.csv").read_text("utf-8").replace("Anna,,", '"Anna","A\nB",', 1)
    Path("es.csv").write_text(table, "utf-8")
    capsys.readouterr()
    assert main(["translate", "check", "data.win", "es.csv", "--json"]) == 1
    (problem,) = json.loads(capsys.readouterr().out)["problems"]
    assert (problem["cell"], problem["line"], problem["text"]) == ("C3", 3, "Anna")
    assert main(["translate", "check", "data.win", "es.csv"]) == 1
    assert capsys.readouterr().out.startswith("es.csv:cell C3: 'Anna': it has 1 line breaks")
    assert main(["translate", "convert", "es.csv", "data.win"]) == 2


def test_the_help_runs(game: GameData, capsys: pytest.CaptureFixture[str]) -> None:
    command = overhaul.get_command(click.Context(overhaul), "translate")
    assert isinstance(command, click.Group)
    for name in ("es.po", "ru.po"):
        extract(game).save(name)
    Path("update.win").write_bytes(game.to_bytes())
    Path("small.ags").write_bytes(package())
    Path("DejaVuSans.ttf").write_bytes(typeface())
    for name, part in {"": command, **command.commands}.items():
        text = part.get_help(click.Context(part, info_name=name)).split("Examples:")[1]
        for line in re.findall(r"^ +overhaul (.*)$", text, re.M):
            words = shlex.split(line)
            writes = "-o" in words or "convert" in words
            assert main([*words, "--force"] if writes else words) == 0, line
            capsys.readouterr()


def test_json(game: GameData, capsys: pytest.CaptureFixture[str]) -> None:
    def said(code: int, *words: str) -> object:
        assert main(["translate", *words, "--json"]) == code
        return json.loads(capsys.readouterr().out)

    assert said(0, "extract", "data.win", "-o", "es.po") == {"path": "es.po", "texts": 3}
    messages = polib.pofile("es.po")
    messages[0].msgstr = "A\nB"
    messages.append(polib.POEntry(msgid="Quit", msgstr="Salir"))
    messages.save("es.po")
    unknown = "the game does not show this text"
    found = said(1, "check", "data.win", "es.po")
    assert isinstance(found, dict)
    assert [(row["text"], row["message"]) for row in found["problems"]] == [
        ("Anna", "it has 1 line breaks, the text has 0"),
        ("Quit", unknown),
    ]
    line = Path("es.po").read_text("utf-8").split("\n")[found["problems"][1]["line"] - 1]
    assert line == 'msgid "Quit"'
    assert said(0, "apply", "data.win", "es.po", "-o", "new.win") == {
        "path": "new.win",
        "texts": 1,
        "files": [],
        "warnings": ["'Quit' is not a text that the game shows"],
        "findings": [
            {
                "severity": "warning",
                "code": "unknown-text",
                "path": "",
                "key": "",
                "line": 0,
                "column": 0,
                "message": "'Quit' is not a text that the game shows",
            }
        ],
    }
    counts = {"kept": 1, "fuzzy": 0, "untranslated": 2, "gone": 1}
    assert said(0, "update", "data.win", "es.po", "-o", "es2.po") == {"path": "es2.po", **counts}
    assert main(["translate", "check", "data.win", "es.po"]) == 1
    assert (
        f"es.po:line {found['problems'][1]['line']}: 'Quit': {unknown}" in capsys.readouterr().out
    )
    assert main(["translate", "apply", "data.win", "es.po", "-o", "x.win"]) == 0
    assert "overhaul: 'Quit' is not a text" in capsys.readouterr().err


def test_nothing_is_written_over(game: GameData, capsys: pytest.CaptureFixture[str]) -> None:
    before = Path("data.win").read_bytes()
    Path("es.po").write_text("mine")
    assert main(["translate", "extract", "data.win", "-o", "es.po"]) == 2
    assert Path("es.po").read_text() == "mine"
    assert main(["translate", "apply", "data.win", "es.po", "-o", "new.win"]) == 3
    assert "es.po: line 1: expected a line of a PO file" in capsys.readouterr().err
    extract(game).save("es.po")
    assert main(["translate", "apply", "data.win", "es.po", "-o", "data.win"]) == 2
    assert main(["translate", "apply", "data.win", "es.po", "-o", "data.win", "--force"]) == 0
    assert Path("data.win").read_bytes() == before
    assert Path("data.win.bak").read_bytes() == before


def test_other_games_are_refused(game: GameData, capsys: pytest.CaptureFixture[str]) -> None:
    extract(game).save("es.po")
    assert main(["translate", "extract", "es.po", "-o", "x.po"]) == 3
    assert "es.po" in capsys.readouterr().err
    Path("es.tra").write_bytes(TranslationDocument().to_bytes())
    assert main(["translate", "extract", "es.tra", "-o", "x.po"]) == 3
    assert "got ags-translation" in capsys.readouterr().err
    assert not Path("x.po").exists()


@pytest.mark.skipif(shutil.which("msgfmt") is None, reason="gettext is not installed")
def test_gettext_accepts_the_file(game: GameData) -> None:
    for number, text in enumerate(('a \\"b\\"', "{0} {x", "100% of %1", "tab\\there", "日本\\n")):
        game.add_event("obj_sign", f"Alarm_{number}", f'draw_text(0, 0, "{text} x");')
    made = extract(game)
    assert len(made) == 8
    for entry in made:
        entry.msgstr = entry.msgid
    Path("es.po").write_text(str(made), "utf-8")
    subprocess.run(["msgfmt", "--check", "-o", "es.mo", "es.po"], check=True)
    assert polib.pofile("es.po") == made
