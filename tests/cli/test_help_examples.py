"""Every example of every ``--help`` runs on the files that it names (those about code are in
test_examples.py)."""

from __future__ import annotations

import re
import shlex
import shutil
import sys
import zipfile
from collections.abc import Iterator
from io import BytesIO, TextIOWrapper
from pathlib import Path

import click
import pytest
from PIL import Image

import ags_built
import overhaul
from ags_editor_projects import make_project
from ags_scripted import scripted_package
from furnished import furnished
from handmade_project import project_file
from ide_projects import modern_project
from made_executables import executable
from overhaul import mods
from overhaul.cli import main
from overhaul.cli.app import COMMANDS
from overhaul.cli.app import overhaul as group
from overhaul.document.protocol import HasMembers
from typefaces import typeface

#: commands whose examples test_examples.py runs, but for some
CODE_COMMANDS = (
    "decompile", "compile", "disasm", "asm", "grep", "refs", "debug", "verify", "unpack", "pack",
    "ls", "status",
)  # fmt: skip
#: examples that answer "no": two files differ, letters are missing, a file is damaged, a room
#: without the word
CODES = {
    "diff": 1, "translate check": 1, "font missing": 1, "ls --salvage": 1, "unpack --salvage": 1,
    'overhaul grep "light" room1.crm --only "*.asc"': 1,
    "overhaul translate check data.win ru.po --ttf DejaVuSans.ttf": 0,
    "overhaul convert game.ags --to agf -o project": 1,  # a function of it is missing
}  # fmt: skip
#: what comes before an example
BEFORE = {
    "overhaul pack mygame -o data.win": "overhaul new --version 2023.8 mygame",
    "overhaul build recovered -o new.win --like data.win": (
        "overhaul convert data.win --to yyp -o recovered"
    ),
}
#: what a test does not run: it does not end, asks another machine, or writes into a home folder
ELSEWHERE = re.compile(
    r"overhaul (view|lsp|watch|completion|git-setup --write|git setup$|git check)"
    r"|s3://|zip://|^find "
)
PO = """msgid ""
msgstr ""
"Content-Type: text/plain; charset=UTF-8\\n"
"Language: {}\\n"

msgid "The door is open."
msgstr "La a."
"""


def examples() -> Iterator[str]:
    def of(name: str, command: click.Command) -> Iterator[str]:
        text = command.get_help(click.Context(command, info_name=name)).partition("Examples:")[2]
        yield from re.findall(r"^ +(.*\boverhaul .*)$", text, re.M)
        if isinstance(command, click.Group):
            for part, inner in command.commands.items():
                yield from of(f"{name} {part}", inner)

    for name in COMMANDS:
        command = group.get_command(click.Context(group), name)
        assert command is not None
        yield from of(name, command)


def chosen() -> list[str]:
    """The examples that run here."""
    code = re.compile(f"overhaul ({'|'.join(CODE_COMMANDS)}) ")
    other = re.compile(r"crm|\.ags|handmade|MyGame|mygame")
    return [
        line
        for line in dict.fromkeys(examples())
        if not ELSEWHERE.search(line) and (not code.match(line) or other.search(line))
    ]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files that the examples name."""
    path = tmp_path_factory.mktemp("examples")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(path)
        make_games()
        make_others()
    return path


def make_games() -> None:
    """GameMaker's."""
    Path("games").mkdir()
    with overhaul.open_game(furnished("current")) as game:
        game.sprites.rename("spr_keeper", "spr_player")
        game.objects.rename("obj_keeper", "obj_player")
        game.rooms.rename("rm_cave", "rm_first")
        game.rooms.rename("rm_ending", "rm_world")
        game.rooms.duplicate("rm_first", "rm_second")
        for layer, name in zip(game.rooms["rm_first"].layers, ("Instances", "Tiles"), strict=False):
            layer.name = name
        game.texture_groups.add("Title")
        game.fonts.rename("fnt_small", "fnt_main")
        game.objects["obj_player"].events["Draw_0"].append(
            'draw_set_font(fnt_main);\ndraw_text(0, 0, "The door is open.");'
        )
        game.save("data.win")
        game.sprites.add("spr_hero", frames=[Image.new("RGBA", (8, 8), "red")])
        game.objects.add("obj_hero").sprite = game.sprites["spr_hero"]
        game.save("changed.win")
    with overhaul.open_game("data.win") as game:
        game.objects["obj_door"].events["Create_0"].append("extra = 1;")
        game.save("theirs.win")
    for name in ("old.win", "games/first.win", "update.win"):
        shutil.copy("data.win", name)
    for name in ("other.win", "mine.win"):
        shutil.copy("changed.win", name)
    with zipfile.ZipFile("game.zip", "w") as archive:
        archive.write("data.win")
    shutil.copytree(overhaul.unpack("data.win", "game.made").folder, "handmade")
    shutil.rmtree("handmade/.overhaul")
    mods.make("data.win", "changed.win", name="mine").save("mine.zip")
    mods.make("data.win", "theirs.win", name="theirs").save("theirs.zip")


def make_others() -> None:
    """Other families, and the files of people."""
    Path("game.ags").write_bytes(scripted_package())
    Path("damaged.ags").write_bytes(scripted_package()[:-200])
    Path("project").mkdir()
    make_project(Path("project"))
    ags_built.write(Path("MyGame"))
    Path("acwin.exe").write_bytes(b"MZ")
    modern_project(Path("source"))
    modern_project(Path("mine"))
    modern_project(Path("theirs"))
    for name in ("base", "mine", "theirs"):
        shutil.copy("source/objects/obj_a/obj_a.yy", f"{name}.yy")
    for version, name in ((600, "old.gm6"), (530, "game.gmd"), (800, "old.gmk")):
        Path(name).write_bytes(project_file(version))
    Path("game.exe").write_bytes(executable(800))
    for name in ("DejaVuSans.ttf", "NotoSans.ttf"):
        letters = {chr(code): (0, 0, 600, 700, 700) for code in (*range(32, 127), *range(160, 256))}
        Path(name).write_bytes(typeface("".join(letters), outlines=letters))
    for name in ("e.png", "n.png"):
        Image.new("RGBA", (6, 9), "white").save(name)
    Path("pictures").mkdir()
    Image.new("RGBA", (8, 8), "blue").save("pictures/spr_new.png")
    for language in ("es", "ru"):
        Path(f"{language}.po").write_text(PO.format(language))
    for name in ("save.json", "new.json", "bag.json"):
        Path(name).write_text('{"lives": 3, "names": ["a", "b"]}')
    assert run("overhaul ds encode save.json > save.txt") == 0
    bag = Path("save.txt").read_text().strip()
    Path("game.ini").write_text(f'[player]\nbag="{bag}"\nname="Ana"\n')
    shutil.copy("theirs.win", "new.win")
    with overhaul.open("game.ags") as package:
        assert isinstance(package, HasMembers)
        rooms = [member for member in package.members() if member.path == "room1.crm"]
        Path("room1.crm").write_bytes(rooms[0].read())
        Path("MyGame/room1.asc").write_text("function room_Load() { } // the light\n")
    for words in (
        "patch make data.win new.win -o better.bps",
        "catalog build games -o games.catalog -q",
        "tiled export data.win -o maps",
    ):
        assert main(words.split()) == 0
    for name in ("better.xdelta", "their.xdelta"):
        Path(name).write_bytes(as_vcdiff(Path("new.win").read_bytes()))


def as_vcdiff(data: bytes) -> bytes:
    """A patch that adds the whole new file (RFC 3284), in one window."""

    def number(value: int) -> bytes:
        digits = [value & 0x7F]
        while value := value >> 7:
            digits.insert(0, value & 0x7F | 0x80)
        return bytes(digits)

    instruction = b"\x01" + number(len(data))  # ADD, its size follows
    body = number(len(data)) + b"\0" + number(len(data)) + number(len(instruction)) + b"\0"
    body += data + instruction
    return b"\xd6\xc3\xc4\0\0\0" + number(len(body)) + body


@pytest.fixture
def folder(files: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the files, which an example may change."""
    shutil.copytree(files, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(line: str) -> int:
    """Run an example as a shell does, but for programs of others."""
    *_, command = [part for part in line.split("|") if "overhaul " in part]
    command, _, target = command.partition(" > ")
    command, _, source = command.partition(" < ")
    given: list[str] = []
    for word in re.findall(r'"[^"]*"|' "'[^']*'" r"|\S+", command)[1:]:
        unquoted = "*" in word and word[0] not in "\"'"
        given += sorted(map(str, Path().glob(word))) if unquoted else shlex.split(word)
    with pytest.MonkeyPatch.context() as patch:
        if source:
            patch.setattr(sys, "stdin", TextIOWrapper(BytesIO(Path(source.strip()).read_bytes())))
        if "unzip" in line:
            patch.setattr(sys, "stdin", TextIOWrapper(BytesIO(Path("data.win").read_bytes())))
        if target:
            with open(target.strip(), "w") as out:
                patch.setattr(sys, "stdout", out)
                return main(given)
        return main(given)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("line", chosen())
def test_every_example_runs(folder: Path, line: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = shlex.split(line)
    if "-o" in words and "--force" not in words:  # it is not there before
        old = Path(words[words.index("-o") + 1])
        shutil.rmtree(old) if old.is_dir() else old.unlink(missing_ok=True)
    if "game" in words:
        Path("game.made").rename("game")
        with open("game/code/gml_Object_obj_door_Create_0.gml", "a") as file:
            file.write("extra = 1;\n")
    if line in BEFORE:
        assert run(BEFORE[line]) == 0
    names = line, words[1], " ".join(words[1:3])
    expected = next((CODES[name] for name in names if name in CODES), 0)
    assert run(line) == expected, (line, capsys.readouterr().err)
