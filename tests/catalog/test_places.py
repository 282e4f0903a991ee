"""Which files a build finds: regular files, each once, in order, without loops."""

from __future__ import annotations

import io
import os
import socket
import tarfile
from pathlib import Path

import fsspec
import pytest

from cataloged import zipped
from overhaul.catalog.places import Candidate, Unlisted, fetch, find_files, is_remote, place_of


def found(*places: Path | str) -> list[str]:
    return [each.place for each in find_files(map(str, places))]


def test_folders_in_the_order_of_names(tmp_path: Path) -> None:
    for name in ("b/y", "b/x", "a", "c/d/e"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(b"123")
    assert [Path(each).relative_to(tmp_path).as_posix() for each in found(tmp_path)] == [
        "a", "b/x", "b/y", "c/d/e",
    ]  # fmt: skip
    [first] = find_files([str(tmp_path / "a")])
    assert isinstance(first, Candidate)
    assert (first.size, first.modified) == (3, (tmp_path / "a").stat().st_mtime_ns)


def test_paths_are_absolute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in/a").write_bytes(b"")
    monkeypatch.chdir(tmp_path / "in")
    assert found(".") == found("a") == found("../in/./a") == found("?") == [f"{tmp_path}/in/a"]


def test_globs_and_what_is_not_there(tmp_path: Path) -> None:
    for name in ("x.win", "y.win", "z.txt", "odd[1].win"):
        (tmp_path / name).write_bytes(b"")
    assert found(f"{tmp_path}/?.win") == [str(tmp_path / "x.win"), str(tmp_path / "y.win")]
    assert found(tmp_path / "odd[1].win") == [str(tmp_path / "odd[1].win")]
    [none, gone] = find_files([f"{tmp_path}/*.ags", str(tmp_path / "gone")])
    assert isinstance(none, Unlisted)
    assert isinstance(gone, Unlisted)
    assert (none.reason, gone.reason) == ("no file matches", "No such file or directory")


def test_a_folder_is_left_out(tmp_path: Path) -> None:
    for name in ("in/a", "out/b"):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_bytes(b"")
    left = str(tmp_path / "out")
    assert [each.place for each in find_files([str(tmp_path)], left.__eq__)] == [
        str(tmp_path / "in/a")
    ]


@pytest.mark.skipif(os.name == "nt", reason="Windows has none of these")
def test_only_regular_files_and_no_loops(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    with socket.socket(socket.AF_UNIX) as listening:
        short = os.path.relpath(tmp_path / "socket")
        listening.bind(short)
    (tmp_path / "loop").symlink_to(tmp_path)
    (tmp_path / "itself").symlink_to(tmp_path / "itself")
    (tmp_path / "device").symlink_to("/dev/zero")
    (tmp_path / "dangling").symlink_to("nowhere")
    (tmp_path / "real").write_bytes(b"1")
    (tmp_path / "link").symlink_to("real")
    assert [Path(each).name for each in found(tmp_path) if Path(each).name != "itself"] == [
        "link", "real",
    ]  # fmt: skip


@pytest.mark.skipif(os.name == "nt", reason="names are Unicode on Windows")
def test_names_that_are_not_unicode(tmp_path: Path) -> None:
    path = os.fsencode(tmp_path) + b"/\xff\xfe.win"
    with open(path, "wb") as file:
        file.write(b"12")
    [file_] = find_files([str(tmp_path)])
    assert isinstance(file_, Candidate)
    assert file_.place == f"{tmp_path}/\\xff\\xfe.win"
    assert os.fsencode(file_.path) == path
    assert place_of("") == ""


def test_addresses(tmp_path: Path) -> None:
    archive = tmp_path / "games.zip"
    archive.write_bytes(zipped({"a/x.win": b"12345", "b.win": b"1"}))
    address = f"zip://::{archive}"
    files = [each for each in find_files([address]) if isinstance(each, Candidate)]
    assert [(each.place, each.size) for each in files] == [
        (f"zip://a/x.win::{archive}", 5),
        (f"zip://b.win::{archive}", 1),
    ]
    assert is_remote(files[0].path)
    assert Path(fetch(files[0].path, str(tmp_path))).read_bytes() == b"12345"
    assert (tmp_path / "x.win").exists()


def test_a_tar_archive_and_memory(tmp_path: Path) -> None:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as tar:
        member = tarfile.TarInfo("in/x.win")
        member.size = 3
        tar.addfile(member, io.BytesIO(b"abc"))
    (tmp_path / "g.tar").write_bytes(out.getvalue())
    [file] = find_files([f"tar://::{tmp_path}/g.tar"])
    assert file.place == f"tar://in/x.win::{tmp_path}/g.tar"
    memory = fsspec.filesystem("memory")
    memory.pipe_file("/shelf/a.win", b"1")
    try:
        assert found("memory://shelf") == ["memory:///shelf/a.win"]
        assert found("memory://shelf/*.win") == ["memory:///shelf/a.win"]
        [none] = find_files(["memory://other"])
        assert none == Unlisted("memory://other", "no file is there")
    finally:
        memory.rm("/shelf", recursive=True)


def test_an_address_that_nothing_reads() -> None:
    [none] = find_files(["nonsense://x"])
    assert isinstance(none, Unlisted)
    assert "nonsense" in none.reason
