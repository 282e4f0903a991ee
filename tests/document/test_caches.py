"""Files in the cache folder: kept, damaged, too many, and done without."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from overhaul.document import caches
from overhaul.version import __version__

ENDING = "test"


@pytest.fixture(autouse=True)
def folder(with_cache: Path) -> Path:
    return with_cache


def test_what_is_written_is_read_again(folder: Path) -> None:
    assert caches.read("a", ENDING) is None
    caches.write("a", ENDING, b"content" * 1000)
    assert caches.read("a", ENDING) == b"content" * 1000
    assert [path.name for path in folder.iterdir()] == ["a.test"]
    assert (folder / "a.test").stat().st_size < 1000


@pytest.mark.skipif(os.name != "posix", reason="there are no such permissions")
def test_the_folder_is_its_owner_s_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OVERHAUL_CACHE", str(tmp_path / "made"))
    before = os.umask(0)
    try:
        made = caches.cache_folder()
    finally:
        os.umask(before)
    assert made == tmp_path / "made" and made.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("at", [0, 16, 17, 32, 33, 40, -1])
def test_a_damaged_file_is_missing_and_written_again(folder: Path, at: int) -> None:
    caches.write("a", ENDING, b"content")
    path = folder / "a.test"
    data = bytearray(path.read_bytes())
    data[at] ^= 1
    path.write_bytes(data)
    assert caches.read("a", ENDING) is None
    caches.write("a", ENDING, b"content")
    assert caches.read("a", ENDING) == b"content"


@pytest.mark.parametrize("length", [0, 10, 20, 33, 35])
def test_a_file_that_is_cut_off_is_missing(folder: Path, length: int) -> None:
    caches.write("a", ENDING, b"content")
    path = folder / "a.test"
    path.write_bytes(path.read_bytes()[:length])
    assert caches.read("a", ENDING) is None


def test_a_file_that_unpacks_to_too_much_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    caches.write("a", ENDING, bytes(1001))
    monkeypatch.setattr(caches, "_UNPACKED", 1000)
    assert caches.read("a", ENDING) is None
    caches.write("b", ENDING, bytes(1001))
    assert caches.read("b", ENDING) is None


def test_without_nothing_is_read_or_written(folder: Path) -> None:
    caches.write("a", ENDING, b"content")
    with caches.without():
        assert not caches.is_allowed()
        assert caches.read("a", ENDING) is None
        caches.write("b", ENDING, b"content")
    assert not (folder / "b.test").exists()
    assert caches.is_allowed()
    assert caches.read("a", ENDING) == b"content"


@pytest.mark.parametrize("value", [{"a": [1, None, "\ud800"]}, [], "text", 0])
def test_values_come_back(folder: Path, value: object) -> None:
    caches.write_value("a", ENDING, value)
    assert caches.read_value("a", ENDING) == value
    with caches.without():
        caches.write_value("b", ENDING, value)
    assert not (folder / "b.test").exists()


@pytest.mark.parametrize("value", [(1, 2), {1: 2}, b"bytes"])
def test_values_that_would_come_back_as_others_are_not_kept(folder: Path, value: object) -> None:
    caches.write_value("a", ENDING, value)
    assert not folder.exists()


def test_a_file_that_another_process_removes_first(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    caches.write("a", ENDING, os.urandom(1000))
    caches.write("b", ENDING, os.urandom(1000))
    os.utime(folder / "a.test", (0, 0))
    unlink = Path.unlink

    def late(self: Path, missing_ok: bool = False) -> None:
        os.unlink(self)
        unlink(self, missing_ok)

    monkeypatch.setattr(Path, "unlink", late)
    monkeypatch.setattr(caches, "LARGEST", 500)
    caches.write("c", ENDING, b"content")
    assert [path.name for path in folder.iterdir()] == ["c.test"]


def test_the_files_used_least_recently_go(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    caches.write("other", "kind", b"x" * 10)
    for number, name in enumerate("abc"):
        caches.write(name, ENDING, os.urandom(1000))
        os.utime(folder / f"{name}.test", (number, number))
    assert caches.read("a", ENDING) is not None  # now it is the newest
    monkeypatch.setattr(caches, "LARGEST", 2500)
    caches.write("d", ENDING, os.urandom(300))
    assert sorted(path.name for path in folder.iterdir()) == [
        "a.test", "c.test", "d.test", "other.kind",
    ]  # fmt: skip


def test_a_folder_that_cannot_be_made_is_no_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_bytes(b"")
    monkeypatch.setenv("OVERHAUL_CACHE", str(tmp_path / "file" / "cache"))
    caches.write("a", ENDING, b"content")
    assert caches.read("a", ENDING) is None


def test_processes_may_write_one_file_at_once(folder: Path) -> None:
    code = (
        "from overhaul.document import caches\n"
        "for _ in range(50):\n"
        "    caches.write('a', 'test', b'content' * 5000)\n"
        "    assert caches.read('a', 'test') == b'content' * 5000\n"
    )
    started = [subprocess.Popen([sys.executable, "-c", code]) for _ in range(3)]
    assert [process.wait() for process in started] == [0, 0, 0]
    assert [path.name for path in folder.iterdir()] == ["a.test"]


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="these have folders of their own")
def test_without_a_choice_the_folder_is_in_the_home(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OVERHAUL_CACHE", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert caches.cache_folder() == tmp_path / ".cache" / "overhaul"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "other"))
    assert caches.cache_folder() == tmp_path / "other" / "overhaul"


def test_the_stamp_of_code_has_each_module() -> None:
    stamp = caches.stamp_of("document", "gml").splitlines()
    assert stamp[0] == __version__ and len(stamp) > 50
    path = Path(caches.__file__)
    status = path.stat()
    assert f"caches.py {status.st_size} {status.st_mtime_ns}" in stamp
    assert not any(line.startswith("__pycache__") or ".pyc" in line for line in stamp)
