"""The command: its address, its end, two at once."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2
import pytest

import loops
from modded_games import lantern as packed_lantern
from overhaul.cli import main
from overhaul.viewer.serving import own_port, tcp_socket

SOURCE = Path(__file__).resolve().parents[2] / "src"


@pytest.fixture(scope="module")
def lantern(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo game as a file; serving asks nothing of its edition."""
    path = tmp_path_factory.mktemp("lantern") / "lantern.win"
    path.write_bytes(packed_lantern("current"))
    return path


@contextmanager
def command(*words: str | Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A viewer as a process, and the address it printed."""
    process = subprocess.Popen(
        [sys.executable, "-m", "overhaul", "view", "--no-open", *map(str, words)],
        env={**os.environ, "PYTHONPATH": str(SOURCE)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # where this is run in the background, SIGINT would be ignored
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    try:
        assert process.stdout is not None
        yield process, process.stdout.readline().strip()
    finally:
        process.kill()
        process.communicate()


def test_the_first_line_is_the_address_and_ctrl_c_ends_it(lantern: Path) -> None:
    with command(lantern) as (process, address):
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/\?token=[\w-]{20,}", address)
        assert "spr_keeper" in httpx2.get(address.replace("/?", "/sprites?"), timeout=60).text
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=20)
    assert process.returncode == 130
    assert said.splitlines() == [
        "overhaul: Ctrl-C ends the viewer", "overhaul: the viewer has ended",
    ]  # fmt: skip


def test_two_viewers_do_not_share_their_tokens(lantern: Path) -> None:
    with (
        command(lantern) as (_, one),
        command(lantern) as (_, two),
        httpx2.Client(timeout=60) as client,
    ):
        assert client.get(one).status_code == 200
        root = two.partition("?")[0]
        assert client.get(root).status_code == 403
        assert client.get(two).status_code == 200
        # both stay open in one browser
        assert client.get(one.partition("?")[0]).status_code == 200
        assert client.get(root).status_code == 200


def test_a_port_that_is_taken_is_reported(lantern: Path) -> None:
    with command(lantern) as (_, address):
        port = address.split(":")[2].partition("/")[0]
        with command(lantern, "--port", port) as (other, nothing):
            _, said = other.communicate(timeout=20)
    assert nothing == ""
    assert other.returncode == 3
    assert "Traceback" not in said


@pytest.mark.parametrize("content", [b"", b"FORM\0\0\0\0", b"nothing that is known"])
def test_a_broken_file_is_reported(
    content: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "data.win"
    path.write_bytes(content)
    assert main(["view", "--no-open", str(path)]) == 3
    assert capsys.readouterr().out == ""
    assert main(["view", "--no-open", str(tmp_path / "missing")]) == 3


def test_without_its_packages_it_says_what_to_install(
    lantern: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in [name for name in sys.modules if name.startswith("overhaul.viewer.")]:
        if name != "overhaul.viewer.starting":
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    assert main(["view", str(lantern)]) == 3
    assert "pip install 'overhaul[view]'" in capsys.readouterr().err


def test_ctrl_c_ends_it_while_a_page_is_made(lantern: Path) -> None:
    with command("-q", lantern) as (process, address), socket.socket() as other:
        port = int(address.split(":")[2].partition("/")[0])
        token = address.partition("?")[2]
        other.connect(("127.0.0.1", port))
        other.sendall(f"GET /-/unused?{token} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=30)
    assert process.returncode == 130
    assert said.splitlines() == ["overhaul: the viewer has ended"]


def test_answers_are_sent_at_once() -> None:
    """asyncio sets TCP_NODELAY on what such a socket accepts, and on no other."""

    async def accepted() -> int:
        done: asyncio.Future[int] = asyncio.get_running_loop().create_future()

        def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            ours = writer.get_extra_info("socket")
            done.set_result(ours.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            writer.close()

        with tcp_socket() as listening:
            listening.bind(("127.0.0.1", 0))
            async with await asyncio.start_server(connected, sock=listening):
                _, writer = await asyncio.open_connection(*listening.getsockname())
                found = await done
                writer.close()
        return found

    assert loops.run(accepted())


def test_a_viewer_has_the_same_port_whenever_its_files_are_opened(lantern: Path) -> None:
    port = own_port([str(lantern)])
    assert port == own_port([os.path.relpath(lantern)]) != own_port([str(lantern), "other.win"])
    with command(lantern) as (_, address), command(lantern) as (_, second):
        assert address.split(":")[2].partition("/")[0] == str(port)
        assert second.split(":")[2].partition("/")[0] != str(port)  # that is taken
