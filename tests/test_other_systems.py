"""What Windows and macOS do otherwise, simulated: files in use, case, consoles, line ends.

``windows`` makes replacing, renaming and removing files fail as they do there while this process
has them open or mapped; Linux says which these are.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import overhaul
from overhaul.cli import main
from overhaul.document import reading

ROOT = Path(__file__).resolve().parents[1]
LANTERN = ROOT / "examples" / "lantern" / "current"
#: the error of Windows for a file that is mapped, and for one that is open
MAPPED, SHARED = 1224, 32

pytestmark = pytest.mark.skipif(
    not os.path.isdir("/proc/self/fd"), reason="only Linux says which files are in use"
)


class InUse(PermissionError):
    """As Windows raises it."""

    def __init__(self, winerror: int, path: str) -> None:
        super().__init__(13, "The process cannot access the file", path)
        self.winerror = winerror


def in_use(path: str) -> int:
    """The error for a file that this process has mapped or open; 0 where it has not."""
    target = os.path.realpath(path)
    with open("/proc/self/maps", encoding="utf-8", errors="replace") as maps:
        if any(line.rstrip("\n").endswith(f" {target}") for line in maps):
            return MAPPED
    for number in os.listdir("/proc/self/fd"):
        try:
            if os.readlink(f"/proc/self/fd/{number}") == target:
                return SHARED
        except OSError:  # that of the list itself
            continue
    return 0


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Files in use are not replaced, renamed or removed."""

    def guarded(function: Callable[..., None], *places: int) -> Callable[..., None]:
        def call(*paths: str | os.PathLike[str], **rest: object) -> None:
            for place in places:
                path = os.fspath(paths[place])
                error = in_use(path) if os.path.isfile(path) else 0
                if error:
                    raise InUse(error, path)
            function(*paths, **rest)

        return call

    monkeypatch.setattr(os, "replace", guarded(os.replace, 0, 1))
    monkeypatch.setattr(os, "rename", guarded(os.rename, 0, 1))
    monkeypatch.setattr(os, "remove", guarded(os.remove, 0))
    monkeypatch.setattr(os, "unlink", guarded(os.unlink, 0))
    monkeypatch.setattr(reading, "MAPPED_IS_REPLACED", False)
    yield


@pytest.fixture
def game(tmp_path: Path) -> Path:
    overhaul.pack(LANTERN, tmp_path / "data.win")
    return tmp_path / "data.win"


def test_the_simulation_refuses_what_windows_refuses(
    game: Path, windows: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With mapped files, as elsewhere, saving over itself fails and leaves the original."""
    monkeypatch.setattr(reading, "MAPPED_IS_REPLACED", True)
    before = game.read_bytes()
    with overhaul.open_game(game) as document:
        document.general.display_name = "Other"
        with pytest.raises(PermissionError, match="open") as caught:
            document.save(game, force=True)
        assert getattr(caught.value, "winerror", 0) == MAPPED
    assert game.read_bytes() == before
    assert {path.name for path in game.parent.iterdir()} <= {"data.win", "data.win.bak"}


def test_a_game_is_saved_over_itself(game: Path, windows: None) -> None:
    with overhaul.open_game(game) as document:
        document.general.display_name = "Other"
        document.save(game, force=True)
        document.general.display_name = "Another"
        document.save(game, force=True)
    with overhaul.open_game(game) as document:
        assert document.general.display_name == "Another"


def test_every_command_replaces_its_own_input(game: Path, windows: None, tmp_path: Path) -> None:
    folder, mod = str(tmp_path / "game"), str(tmp_path / "m.zip")
    name = str(game)
    assert main(["unpack", name, folder]) == 0
    code = tmp_path / "game" / "code" / "gml_Object_obj_keeper_Create_0.gml"
    code.write_text(code.read_text("utf-8") + "lives_left = 3;\n", "utf-8")
    assert main(["mod", "make", name, folder, "-o", mod]) == 0
    for words in (
        ["pack", folder, "-o", name, "--force"],
        ["unpack", name, folder, "--force", "--discard"],
        ["mod", "apply", name, mod, "-o", name, "--force"],
        ["repack", name, "-o", name, "--force"],
        ["compile", name, str(code), "-o", name, "--force"],
        ["sprites", "save", name, "-o", str(tmp_path / "strips")],
        ["sprites", "add", name, str(tmp_path / "strips"), "-o", name, "--force", "--replace"],
        ["tiled", "export", name, "-o", str(tmp_path / "maps")],
        ["tiled", "import", str(tmp_path / "maps"), name, "-o", name, "--force"],
        ["translate", "extract", name, "-o", str(tmp_path / "es.po")],
        ["translate", "apply", name, str(tmp_path / "es.po"), "-o", name, "--force"],
        ["patch", "make", name, name, "-o", str(tmp_path / "p.bps")],
        ["patch", "apply", name, str(tmp_path / "p.bps"), "-o", name, "--force"],
    ):
        assert main(words) == 0, words
    assert overhaul.verify(name).identical
    left = [path.name for path in tmp_path.rglob("*") if path.name.endswith((".tmp", ".part"))]
    assert left == []


def test_another_program_s_file_is_left_with_a_plain_error(
    game: Path, windows: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.win"
    out.write_bytes(b"old")
    with out.open("rb"):
        assert main(["repack", str(game), "-o", str(out), "--force"]) == 3
    assert "another program has the file open" in capsys.readouterr().err
    assert out.read_bytes() == b"old"


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "encoding",
    ["ascii", "cp932", "cp1252", "cp437"][: 4 if os.environ.get("OVERHAUL_FULL") == "1" else 2],
)
def test_consoles_that_are_not_utf_8(tmp_path: Path, encoding: str) -> None:
    """A name that the console can't show is escaped; nothing fails."""
    overhaul.pack(LANTERN, tmp_path / "data.win")
    with overhaul.open_game(tmp_path / "data.win") as document:
        wall = document.objects["obj_wall"].record
        wall.name = document.strings.add("obj_стена_壁_🧱")
        document.general.display_name = "Фонарь"
        document.save(tmp_path / "new.win")
    for words in (["ls"], ["info"], ["verify"], ["grep", "стена"], ["ls", "--json"]):
        said = subprocess.run(
            [sys.executable, "-m", "overhaul", *words, "new.win"],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(ROOT / "src"), "PYTHONIOENCODING": encoding},
            capture_output=True,
        )
        assert said.returncode == 0, said.stderr
        assert said.stderr == b""
        said.stdout.decode(encoding)


def test_a_checkout_with_other_line_ends_packs_the_same(game: Path, tmp_path: Path) -> None:
    """git may write CRLF; a text that is otherwise as it was is no change."""
    folder = tmp_path / "game"
    overhaul.unpack(game, folder)
    texts = {".json", ".gml", ".csv", ".toml"}
    changed = 0
    for path in folder.rglob("*"):
        if path.suffix in texts and ".overhaul" not in path.parts:
            data = path.read_bytes()
            path.write_bytes(data.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"))
            changed += path.read_bytes() != data
    assert changed > 20
    result = overhaul.pack(folder, tmp_path / "same.win")
    assert result.changes == {}
    assert (tmp_path / "same.win").read_bytes() == game.read_bytes()


def test_names_fit_a_folder_that_ignores_case(game: Path, tmp_path: Path) -> None:
    """Names that differ only in case, reserved names and long ones become different files."""
    names = ["Obj_Wall", "obj_WALL", "CON", "aux.x", "a" * 300, "a" * 299 + "A", "trailing. "]
    with overhaul.open_game(game) as document:
        for number, name in enumerate(names):
            document.objects.add(f"obj_{number}").record.name = document.strings.add(name)
        document.save(tmp_path / "new.win")
    overhaul.unpack(tmp_path / "new.win", tmp_path / "game")
    files = [path.relative_to(tmp_path / "game") for path in (tmp_path / "game").rglob("*")]
    assert len({str(path).casefold() for path in files}) == len(files)
    for path in files:
        for part in path.parts:
            assert len(part.encode()) <= 255
            assert not part.endswith((" ", "."))
            assert part.partition(".")[0].upper() not in {"CON", "AUX"}
    overhaul.pack(tmp_path / "game", tmp_path / "same.win", from_scratch=True)
    with overhaul.open_game(tmp_path / "same.win") as document:
        assert [name for name in names if name in document.objects] == names
