"""What people learn from is true: the tutorial runs, and every command of the pages exists."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import click
import pytest
from PIL import Image

import overhaul
from cataloged import read_here
from overhaul.cli import main
from overhaul.cli.app import overhaul as group
from present import present

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])
CapSys = pytest.CaptureFixture[str]


def commands(page: Path) -> list[str]:
    """The commands of a page: indented lines, and those in backticks."""
    text = page.read_text("utf-8").replace("\\\n", " ")
    found = re.findall(r"^(?: {4}|\$ )(overhaul [a-z-].+)$", text, re.M)
    return [*found, *re.findall(r"`(overhaul [a-z][^`\n]*)`", text)]


def words_of(command: str) -> list[str]:
    """The words of a command, without what a shell does with its output."""
    words = shlex.split(command.replace("\\|", "|"), comments=True)[1:]
    for number, word in enumerate(words):
        if word in ("|", ">", ">>", "&&", "<", "2>"):
            return words[:number]
    return words


def parse(words: list[str]) -> None:
    """Raises click.UsageError where there is no such command or option."""
    command: click.Command = group
    context = click.Context(group, info_name="overhaul")
    while isinstance(command, click.Group) and words and not words[0].startswith("-"):
        inner = command.get_command(context, words[0])
        if inner is None:
            raise click.UsageError(f"there is no command {words[0]!r}")
        command, context = inner, click.Context(inner, info_name=words[0], parent=context)
        words = words[1:]
    if words in (["..."], ["…"]):
        return
    command.make_parser(context).parse_args(args=list(words))


def test_every_command_of_a_page_exists() -> None:
    wrong = []
    for page in PAGES:
        for command in commands(page):
            try:
                parse(words_of(command))
            except (click.UsageError, ValueError) as error:
                wrong.append(f"{page}: {command}: {error}")
    assert wrong == []


def test_commands_are_read() -> None:
    """The test above would notice a command or an option that does not exist."""
    assert sum(len(commands(page)) for page in PAGES) > 300
    for words in (["unpak", "x"], ["unpack", "--colour", "x"], ["mod", "update"]):
        with pytest.raises(click.UsageError):
            parse(words)


def test_links_lead_somewhere() -> None:
    wrong = []
    for page in PAGES:
        text = re.sub(r"```.*?```|`[^`\n]*`", "", page.read_text("utf-8"), flags=re.S)
        for target in re.findall(r"\]\((?!https?:)([^)\s]+)\)", text):
            path, _, anchor = target.partition("#")
            goal = (page.parent / path).resolve() if path else page
            is_page = goal.suffix == ".md" and "reference" not in goal.parts
            if not goal.exists() or (anchor and is_page and anchor not in anchors(goal)):
                wrong.append(f"{page}: {target}")
    assert wrong == []


@cache
def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as Python-Markdown makes them."""
    headings = re.findall(r"^#+ (.+?)(?: \{#([\w-]+)\})?$", page.read_text("utf-8"), re.M)
    made = set()
    for title, own in headings:
        text = (
            re.sub(r"[^\w\s-]", "", re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", title)).strip().lower()
        )
        made |= {own or re.sub(r"[-\s]+", "-", text)}
    return made


def test_the_tutorial(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: CapSys) -> None:
    page = ROOT / "docs" / "learn" / "tutorial.md"
    monkeypatch.chdir(tmp_path)
    code = tmp_path / "game" / "code" / "gml_Object_obj_keeper_Create_0.gml"
    text = page.read_text("utf-8")
    change = re.search(r"^    (walk_speed = \d;)$", text, re.M)
    mistake = re.search(r"^    (overhaul: code/.*)$", text, re.M)
    assert change is not None
    assert mistake is not None
    for command in commands(page):
        words = words_of(command)
        if words[0] == "view":
            continue
        if words[0] == "status":
            old = code.read_text("utf-8")
            code.write_text(old.replace("walk_speed = 1.5;", "walk_speed = = 3;"), "utf-8")
            assert main(["pack", "game", "-o", "wrong.win"]) == 3
            assert mistake[1] in capsys.readouterr().err
            assert not (tmp_path / "wrong.win").exists()
            code.write_text(old.replace("walk_speed = 1.5;", change[1]), "utf-8")
            with Image.open(tmp_path / "game/sprites/spr_keeper/0.png") as image:
                image.putpixel((8, 0), (255, 0, 0, 255))
                image.save(tmp_path / "game/sprites/spr_keeper/0.png")
        assert main(words) == (1 if words[0] == "diff" else 0), capsys.readouterr().err
    assert (tmp_path / "same.win").read_bytes() == (tmp_path / "lantern.win").read_bytes()
    assert (tmp_path / "modded.win").read_bytes() == (tmp_path / "faster.win").read_bytes()
    with overhaul.open_game(tmp_path / "modded.win") as game:
        assert "walk_speed = 3;" in game.code["gml_Object_obj_keeper_Create_0"].gml
        assert present(game.sprites["spr_keeper"].frames[0].image).getpixel((8, 0)) == (
            255,
            0,
            0,
            255,
        )
    capsys.readouterr()
    assert main(["info", "--json", "lantern.win"]) == 0
    (info,) = json.loads(capsys.readouterr().out)["files"]
    assert f"a game of GameMaker {info['version']}" in text


def test_commands_are_quoted_for_every_shell() -> None:
    """Windows knows double quotes only; single ones are for what other shells would expand."""
    for page in PAGES:
        for command in commands(page):
            outside = re.sub(r'"[^"]*"', "", command)
            for quoted in re.findall(r"(?<=[\s=])'([^']*)'", outside):
                assert set(quoted) & set('!$"`'), f"{page}: {command}"


def walk(page: Path, monkeypatch: pytest.MonkeyPatch, place: Path) -> Iterator[list[str]]:
    """Run the commands of a page, one after another; each is given before it runs."""
    monkeypatch.chdir(place)
    for command in re.findall(r"^ {4}(overhaul .+)$", page.read_text("utf-8"), re.M):
        words = words_of(command)
        yield words
        if words[0] != "view":
            assert main(words) == (1 if words[0] == "diff" else 0), command


def test_the_translators_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = ROOT / "docs" / "learn" / "translator.md"
    translated = re.findall(r'^(msgid ".+"\n)msgstr (".+")$', page.read_text("utf-8"), re.M)
    assert len(translated) == 2
    for words in walk(page, monkeypatch, tmp_path):
        if words[1:2] == ["explain"]:
            texts = Path("nl.po").read_text("utf-8")
            for original, text in translated:
                assert texts.count(f'{original}msgstr ""') == 1
                texts = texts.replace(f'{original}msgstr ""', f"{original}msgstr {text}")
            Path("nl.po").write_text(texts, "utf-8")
        if words[:2] == ["pack", "build"]:
            code = Path("build/code/gml_Object_obj_ending_Draw_0.gml")
            code.write_text(code.read_text("utf-8").replace("Thank you", "Thanks"), "utf-8")
    assert Path("mine.win").read_bytes() == Path("dutch.win").read_bytes()
    with overhaul.open_game("mine.win") as game:
        assert '"Vuurvliegjes: "' in game.code["gml_Object_obj_keeper_Draw_0"].gml
    carried = Path("nl2.po").read_text("utf-8")
    assert 'msgid "The cave is lit. Thanks for playing."\nmsgstr "De grot' in carried
    assert "#, fuzzy\n" in carried
    Path("nl.po").write_text(texts.replace("spelen", "spelé"), "utf-8")
    assert main(["translate", "check", "lantern.win", "nl.po"]) == 1


def test_the_archivists_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: CapSys
) -> None:
    answers = {}
    asked = ""
    with read_here():
        for words in walk(ROOT / "docs" / "learn" / "archivist.md", monkeypatch, tmp_path):
            answers[asked] = capsys.readouterr().out
            asked = " ".join(words[:2])
    assert "lantern-old.win: identical" in answers["verify lantern.win"].replace("\n", " ")
    assert "gamemaker-data" in answers["catalog versions"]
    assert "draw_text" not in answers["catalog broken"]
    assert "lantern.win" in answers["catalog similar"]
    assert answers["catalog who-uses"].count("gml_Object_obj_keeper_Draw_0") == 2
    assert "Lantern" in answers["catalog query"]
