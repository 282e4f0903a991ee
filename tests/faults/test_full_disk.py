"""A disk that fills up: a clear error, and nothing left half-written.

Where a small file system can be mounted, that is done; else the size of files is limited, which
fails in the same place with another error number.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import overhaul
from toy import toy_bytes

SOURCE = Path(__file__).resolve().parents[2] / "src"
TESTS = Path(__file__).resolve().parents[1] / "support"

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="limits are set as on Linux")

#: Runs the command line with the toy formats, and files limited to 64 kB if asked for.
PROGRAM = """
import resource, sys
from overhaul.document import registry as formats
import toy
formats.REGISTRY += toy.FORMATS
if sys.argv[1] == "limited":
    resource.setrlimit(resource.RLIMIT_FSIZE, (65536, 65536))
from overhaul.cli import main
sys.exit(main(sys.argv[2:]))
"""


def run(*words: str, limited: bool) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", PROGRAM, "limited" if limited else "free", *words],
        env={**os.environ, "PYTHONPATH": f"{SOURCE}:{TESTS}"},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[tuple[Path, bool]]:
    """A folder on a file system of 256 kB if one may be mounted; and whether to limit instead."""
    disk = tmp_path / "disk"
    disk.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", str(disk)]
    try:
        mounted = subprocess.run(command, capture_output=True, check=False).returncode == 0
    except OSError:
        mounted = False
    yield disk, not mounted
    if mounted:
        subprocess.run(["umount", str(disk)], check=True)


def test_unpacking(toys: None, tmp_path: Path, small_disk: tuple[Path, bool]) -> None:
    disk, limited = small_disk
    game = tmp_path / "x.toy"
    game.write_bytes(toy_bytes({"small": b"1", "large": bytes(400_000)}))
    done = run("unpack", str(game), str(disk / "folder"), limited=limited)
    assert done.returncode == 3
    assert ("No space left" in done.stderr) or ("File too large" in done.stderr)
    assert "Traceback" not in done.stderr
    assert os.listdir(disk) == []


def test_packing(toys: None, tmp_path: Path, small_disk: tuple[Path, bool]) -> None:
    disk, limited = small_disk
    game = tmp_path / "x.toy"
    game.write_bytes(toy_bytes({"large": bytes(400_000)}))
    overhaul.unpack(game, tmp_path / "folder")
    old = disk / "old.toy"
    old.write_bytes(b"old")
    for out in (disk / "new.toy", old):
        done = run("pack", str(tmp_path / "folder"), "-o", str(out), "--force", limited=limited)
        assert done.returncode == 3
        assert ("No space left" in done.stderr) or ("File too large" in done.stderr)
    assert os.listdir(disk) == ["old.toy"]
    assert old.read_bytes() == b"old"


def test_interrupted_from_outside(toys: None, tmp_path: Path) -> None:
    """SIGINT and SIGTERM in the middle of unpacking leave nothing behind."""
    import signal

    program = PROGRAM.replace(
        "from overhaul.cli import main",
        "import os, signal\n"
        # A shell that runs the tests in the background has this one ignored.
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "toy.Toy.decode = lambda self: None\n"
        "real = toy.ToyFolder.plain_files\n"
        "def slow(self, document, options):\n"
        "    yield from real(self, document, options)\n"
        "    os.kill(os.getpid(), int(os.environ['SIGNAL']))\n"
        "toy.ToyFolder.plain_files = slow\n"
        "from overhaul.cli import main",
    )
    game = tmp_path / "x.toy"
    game.write_bytes(toy_bytes({"small": b"1"}))
    for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
        done = subprocess.run(
            [sys.executable, "-c", program, "free", "unpack", str(game), str(tmp_path / "folder")],
            env={
                **os.environ,
                "PYTHONPATH": f"{SOURCE}:{TESTS}",
                "SIGNAL": str(int(number)),
            },
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == code, done.stderr
        assert os.listdir(tmp_path) == ["x.toy"]
