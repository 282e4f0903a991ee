"""What a survey finds in a file, and the memory that reading it took."""

from __future__ import annotations

import hashlib
import io
import sys
import zipfile
from pathlib import Path

import pytest

from modded_games import lantern
from overhaul.catalog import child
from overhaul.catalog.surveying import DEEPEST, SurveyedFile, survey


def zipped(name: str, data: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(name, data)
    return file.getvalue()


def test_a_file_from_elsewhere_is_fetched_once(monkeypatch: pytest.MonkeyPatch) -> None:
    fetched: list[str] = []

    def fetch(path: str, folder: str) -> str:
        fetched.append(path)
        copy = Path(folder, f"{len(fetched)}.zip")
        copy.write_bytes(path.encode())
        return str(copy)

    monkeypatch.setattr(child, "fetch", fetch)
    local = child.Local()
    first = local.path("memory://one.zip")
    assert local.path("memory://one.zip") == first
    assert Path(first).read_bytes() == b"memory://one.zip"
    second = local.path("memory://two.zip")
    assert local.path("here.zip") == "here.zip"
    assert fetched == ["memory://one.zip", "memory://two.zip"]
    assert not Path(first).exists()
    local.close()
    assert not Path(second).exists()


def test_games_in_archives_have_their_way_and_size(tmp_path: Path) -> None:
    game = lantern("current")
    inner = zipped("data.win", game)
    path = tmp_path / "games.zip"
    path.write_bytes(zipped("inner.zip", inner))
    outer = path.stat().st_size
    assert list(survey(str(path))) == [
        SurveyedFile([], size=outer),
        SurveyedFile(
            [b"inner.zip", b"data.win"],
            "gamemaker-data",
            hashlib.sha256(game).hexdigest(),
            len(game),
        ),
    ]


def test_what_lies_too_deep_has_an_error_and_no_size(tmp_path: Path) -> None:
    data = zipped("data.win", b"FORM")
    for _ in range(DEEPEST):
        data = zipped("a.zip", data)
    path = tmp_path / "deep.zip"
    path.write_bytes(data)
    first, deep = survey(str(path))
    assert (first.members, first.size) == ([], len(data))
    assert deep == SurveyedFile(
        [b"a.zip"] * DEEPEST,
        None,
        None,
        0,
        f"more than {DEEPEST} containers in each other",
        "format",
    )


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no module resource")
@pytest.mark.parametrize(
    ("folder", "kind"), [("extensions", None), ("Ads", "gamemaker-ide-project")]
)
def test_an_extension_in_a_project_is_no_project(
    folder: str, kind: str | None, tmp_path: Path
) -> None:
    path = tmp_path / folder / "Ads.extension.gmx"
    path.parent.mkdir()
    path.write_bytes(b"<extension>\n  <name>Ads</name>\n</extension>\n")
    assert [found.kind for found in survey(str(path))] == [kind]


def test_memory_is_in_bytes_where_the_system_has_no_proc(monkeypatch: pytest.MonkeyPatch) -> None:
    class Usage:
        ru_maxrss = 5000

    def missing(*_: object) -> None:
        raise FileNotFoundError

    monkeypatch.setitem(vars(child), "open", missing)
    monkeypatch.setattr("resource.getrusage", lambda who: Usage)
    for system, most in (("linux", 5000 * 1024), ("darwin", 5000), ("win32", 0)):
        monkeypatch.setattr("sys.platform", system)
        assert child._peak() == most
