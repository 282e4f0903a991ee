"""Projects packed from their plain files alone are the ones they were; large pictures have a limit
that a person raises."""

from __future__ import annotations

import shutil
import zlib
from pathlib import Path

import pytest

import overhaul
from handmade_project import project_file
from overhaul.bounds import EXPANSION, expansion, size_of
from overhaul.cli import main
from overhaul.errors import FormatError, WorkspaceError
from overhaul.gamemaker.classic.documents.project import ProjectDocument
from overhaul.gamemaker.classic.fields import Deflated
from overhaul.gamemaker.classic.streams import inflate
from present import present


def alone(data: bytes, folder: Path) -> Path:
    """The folder of a project, without what is kept of the project."""
    game = folder.with_name("old.gmk")
    game.write_bytes(data)
    overhaul.unpack(game, folder)
    shutil.rmtree(folder / ".overhaul")
    return folder


def test_pictures_that_stay_bmp(tmp_path: Path) -> None:
    document = ProjectDocument.from_bytes(project_file(600))
    document.decode()
    sky = present(document.project.backgrounds.slots[0].resource)
    bmp = b"BM" + bytes(52)  # no program reads it, so it is no PNG file
    present(sky.old_image).file = Deflated.of(bmp)
    data = document.to_bytes()
    folder = alone(data, tmp_path / "folder")
    assert (folder / "backgrounds/bg_sky.bmp").read_bytes() == bmp
    made = overhaul.pack(folder, tmp_path / "new.gmk")
    assert (tmp_path / "new.gmk").read_bytes() == data
    assert made.warnings == []


def test_what_the_tree_leaves_out(tmp_path: Path) -> None:
    document = ProjectDocument.from_bytes(project_file(800))
    document.decode()
    [root] = [node for node in document.project.tree if node.name == "Objects"]
    assert [child.name for child in root.children] == ["obj_wall", "obj_player"]
    del root.children[0]
    data = document.to_bytes()
    folder = alone(data, tmp_path / "folder")
    tree = (folder / "tree.json").read_text()
    assert '{"root": "Objects", "children": ["obj_player"], "left_out": ["obj_wall"]}' in tree
    overhaul.pack(folder, tmp_path / "new.gmk")
    assert (tmp_path / "new.gmk").read_bytes() == data
    # what neither lists is at the end, as before
    (folder / "tree.json").write_text(tree.replace(', "left_out": ["obj_wall"]', ""))
    overhaul.pack(folder, tmp_path / "other.gmk")
    with overhaul.open(tmp_path / "other.gmk") as other:
        assert isinstance(other, ProjectDocument)
        [root] = [node for node in other.project.tree if node.name == "Objects"]
        assert [child.name for child in root.children] == ["obj_player", "obj_wall"]


def test_an_executable_says_what_its_plain_files_lack() -> None:
    from overhaul.gamemaker.classic_folder.executable import FORMAT as executable

    with pytest.raises(WorkspaceError, match="they lack the runner"):
        executable.empty({})


# -- limits --------------------------------------------------------------------------------------


def test_a_limit_is_raised_by_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = zlib.compress(bytes(3 << 20))
    assert len(inflate(stream)[0]) == 3 << 20
    monkeypatch.setattr("overhaul.gamemaker.classic.streams.MAXIMUM_BLOCK", 2 << 20)
    with pytest.raises(FormatError, match=r"limit, 2 MB here: OVERHAUL_MAX_EXPANSION=2GB raises"):
        inflate(stream)
    monkeypatch.setenv(EXPANSION, "3MB")
    assert len(inflate(stream)[0]) == 3 << 20
    with pytest.raises(FormatError, match="limit, 1 MB here"):
        inflate(stream, 1 << 20)
    monkeypatch.setenv(EXPANSION, "much")
    with pytest.raises(FormatError, match="OVERHAUL_MAX_EXPANSION: 'much' is not a size"):
        inflate(stream)


@pytest.mark.parametrize(
    ("text", "size"), [("0", 0), ("12", 12), ("3k", 3072), (" 2 MB", 2 << 20), ("1gib", 1 << 30)]
)
def test_sizes_in_words(text: str, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    assert size_of(text) == size
    monkeypatch.setenv(EXPANSION, text)
    assert expansion(100) == max(100, size)


def test_the_command_line_raises_it_for_one_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv(EXPANSION, raising=False)
    monkeypatch.setattr("overhaul.gamemaker.classic.streams.SMALL_FILES", 50)
    monkeypatch.setattr("overhaul.gamemaker.classic.streams.USUAL_RATIO", 0)
    path = str(tmp_path / "old.gmk")
    Path(path).write_bytes(project_file(800))
    assert main(["verify", path]) == 3
    assert "(--max-expansion 2GB does so for one command)" in capsys.readouterr().err
    assert main(["verify", path, "--max-expansion", "1MB"]) == 0
    assert main(["verify", path]) == 3
    assert main(["verify", path, "--max-expansion", "1XB"]) == 2
    assert "'1XB' is not a size: expected one like 512MB or 2GB" in capsys.readouterr().err
