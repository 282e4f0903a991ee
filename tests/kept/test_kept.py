"""What an older Overhaul wrote is read: folders, mods and catalogues of each format there was.

``tests/kept/N/`` has what the first version with format N wrote of the example game: a folder with
one line of code changed, a mod of that change, a catalogue of the game. They are never made again.
"""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

import overhaul
from overhaul import catalog, mods
from overhaul.folder import manifest, toml
from overhaul.mods import modfile

HERE = Path(__file__).parent
LANTERN = HERE.parents[1] / "examples" / "lantern" / "current"
FORMATS = sorted(int(path.name) for path in HERE.iterdir() if path.name.isdigit())


def test_every_format_is_kept() -> None:
    newest = max(manifest.FORMAT, toml.FORMAT, modfile.FORMAT)
    assert list(range(1, newest + 1)) == FORMATS, "keep what the new format writes in tests/kept"


@pytest.fixture(params=FORMATS)
def kept(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A folder with what was kept of a format, unpacked."""
    for name in ("folder", "catalog"):
        with zipfile.ZipFile(HERE / str(request.param) / f"{name}.zip") as archive:
            archive.extractall(tmp_path)
    (tmp_path / "mod.zip").write_bytes((HERE / str(request.param) / "mod.zip").read_bytes())
    return tmp_path


def test_a_folder_is_packed(kept: Path) -> None:
    result = overhaul.pack(kept / "folder", kept / "new.win")
    assert dict(result.changes) == {"code/gml_Object_obj_keeper_Create_0.gml": "changed"}
    assert result.warnings == []
    with overhaul.open_game(kept / "new.win") as game:
        assert "walk_speed = 3;" in game.code["gml_Object_obj_keeper_Create_0"].gml


def test_a_mod_is_put_on(kept: Path) -> None:
    overhaul.pack(LANTERN, kept / "lantern.win")
    made = mods.apply(kept / "lantern.win", [kept / "mod.zip"])
    assert made.conflicts == []
    overhaul.pack(kept / "folder", kept / "new.win")
    assert made.data == (kept / "new.win").read_bytes()


def test_a_catalogue_answers(kept: Path) -> None:
    with catalog.open(kept / "catalog") as games:
        rows = games.sql("SELECT version, identical FROM files").fetchall()
        assert rows == [("2024.13", True)]
        assert games.sql("SELECT count(*) FROM code").fetchall() == [(12,)]
