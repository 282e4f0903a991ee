"""The examples about code, in help texts and in the guide, run as they are printed."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path
from typing import Any

import click
import pytest

from overhaul.cli import main
from overhaul.cli.app import COMMANDS, overhaul
from overhaul.gamemaker.data.blank import blank_game
from overhaul.gamemaker.data.chunks.objt import GameObject
from overhaul.gamemaker.data.chunks.sond import Sound
from overhaul.gamemaker.data.chunks.sprt import Sprite
from overhaul.gamemaker.data.game import GameData

ROOT = Path(__file__).resolve().parents[2]
CODE_COMMANDS = [
    "decompile", "compile", "disasm", "asm", "grep", "refs", "debug", "verify", "unpack", "pack",
    "ls", "status",
]  # fmt: skip
PAGES = ["guide/code.md", "guide/command-line.md", "formats/yydebug.md"]


JUMP = "function jump() { audio_play_sound(snd_jump, 1, false); return -4; }"


def of_help(name: str) -> list[str]:
    command = overhaul.get_command(click.Context(overhaul), name)
    assert command is not None
    text = command.get_help(click.Context(command, info_name=name)).split("Examples:")[1]
    return re.findall(r"^ +(overhaul .*)$", text, re.M)


def of_page(page: str) -> list[str]:
    text = (ROOT / "docs" / page).read_text()
    found: list[str] = re.findall(r"^(?:    )?(overhaul [a-z].*)$", text, re.M)
    return [line for line in found if line.split()[1] in CODE_COMMANDS]


def examples() -> list[str]:
    assert set(CODE_COMMANDS) <= set(COMMANDS)
    lines = [line for name in CODE_COMMANDS for line in of_help(name)]
    lines += [line for page in PAGES for line in of_page(page)]
    lines = [line.split("  #")[0].rstrip() for line in dict.fromkeys(lines)]
    # another format, and a folder that is written by hand, have examples of their own
    other = re.compile(r"crm|\.ags|handmade|MyGame")
    return [line for line in dict.fromkeys(lines) if not other.search(line)]


def game() -> bytes:
    made = GameData.from_bytes(blank_game({"version": "2023.4"}).to_bytes())
    made.load_all()
    add = made.strings.add
    for name in ("obj_player", "obj_potion"):
        made.records.objects.append(GameObject(add(name), events=[[] for _ in range(15)]))
    for name in ("spr_player", "spr_boss"):
        made.records.sprites.append(Sprite(add(name)))
    made.records.sounds.append(Sound(add("snd_jump")))
    made.language.forget()
    made.records.objects["obj_player"].sprite = made.records.sprites.reference(0)
    made.add_script("jump", JUMP)
    made.add_script("scr_hurt", "function scr_hurt(amount) { hp -= amount; }")
    made.add_event("obj_player", "Create_0", "hp = 3;\nsprite_index = spr_player;")
    made.add_event("obj_player", "Step_0", 'hp -= 1;\nif (hp < 0) show_message("Game over");')
    made.add_event("obj_potion", "Create_0", "sprite_index = spr_boss;\nvspeed = jump();")
    return made.to_bytes()


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files that the examples name."""
    path = tmp_path_factory.mktemp("examples")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(path)
        make_files(game())
    return path


def make_files(data: bytes) -> None:
    Path("games").mkdir()
    for name in ("data.win", "games/first.win", "games/second.win"):
        Path(name).write_bytes(data)
    Path("macros.gml").write_text("#macro START 30\n")
    Path("step.gml").write_text("hp -= 2;\n")
    for words in (
        "decompile data.win -o project/code",
        "decompile data.win -o sources",
        "disasm data.win -o .",
        "decompile data.win -o .",
        "unpack data.win made",
    ):
        assert main(words.split()) == 0
    Path("create.asm").write_text(Path("gml_Object_obj_player_Create_0.asm").read_text())
    Path("gml_Object_obj_player_Alarm_3.gml").write_text("hp += 1;\n")
    Path("gml_Script_jump.gml").write_text(JUMP)
    Path("sources").rename("source_files")


@pytest.fixture
def folder(files: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the files, which an example may change."""
    shutil.copytree(files, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(line: str) -> int:
    words = shlex.split(re.split(r"[|>]", line)[0])[1:]
    given: list[str] = []
    for word in words:
        found = sorted(map(str, Path().glob(word))) if "*" in word and "/" in word else []
        given += found or [word]
    return main(given)


@pytest.mark.parametrize("line", examples())
def test_examples_run(folder: Path, line: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = line.split()
    if "game" in words and words[1] != "unpack":
        Path("made").rename("game")
    if "source/*.gml" in line:
        Path("source_files").rename("source")
    code = run(line)
    out, err = capsys.readouterr()
    assert (code, err) == (0, ""), line
    assert out or "-o" in words or "--output" in words or words[1] in ("unpack", "pack")


def test_the_python_of_the_guide_runs(folder: Path) -> None:
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "docs/guide/code.md").read_text(), re.S)
    names: dict[str, Any] = {}
    for block in blocks:
        exec(block, names)
    changed: Any = names["game"]
    assert "hp = 60;" in names["entry"].gml
    assert "gml_Object_obj_player_Alarm_3" in changed.code
    assert Path("new.win").is_file()
