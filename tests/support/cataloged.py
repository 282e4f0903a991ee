"""Games to build catalogues of, and what is in a catalogue: ``from cataloged import games``."""

from __future__ import annotations

import atexit
import io
import shutil
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from threading import Lock
from typing import Any

import msgspec
import pytest

from ags_package import package
from modded_games import lantern
from overhaul import catalog as catalogs
from overhaul.catalog import child, isolated
from overhaul.catalog.building import build
from overhaul.catalog.store import Store

#: What differs between builds of the same.
_MEASURED = ("seconds", "memory", "run")


@cache
def lanterns() -> tuple[bytes, bytes]:
    """The demo game of two releases."""
    return lantern("current"), lantern("gms1")


def zipped(members: Mapping[str, bytes]) -> bytes:
    """A zip archive."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return out.getvalue()


def games(folder: Path) -> Path:
    """A folder with games of two families, a copy, archives in each other, and what is no game."""
    new, old = lanterns()
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "inner").mkdir()
    files = {
        "a.win": new,
        "b.win": old,
        "inner/copy.dat": new,
        "inner/readme.txt": b"not a game",
        "park.ags": package(),
        "pack.zip": zipped({"x/game.unx": old, "y/more.zip": zipped({"data.win": new}), "n": b"n"}),
        "cut.win": new[: len(new) // 2],
    }
    for name, data in files.items():
        (folder / name).write_bytes(data)
    return folder


@contextmanager
def read_here() -> Iterator[None]:
    """Let this process read the files of catalogues.

    One that does so takes longer to start than to read a small game; what happens where it ends is
    tested with it.
    """
    lock, local = Lock(), child.Local()

    def ask(reader: isolated.Reader, request: child.Request, size: int = 0) -> child.Answer:
        request.seconds = reader.limits.seconds + isolated.SECONDS_PER_MB * size / (1 << 20)
        sent = msgspec.msgpack.decode(msgspec.msgpack.encode(request), type=child.Request)
        with lock:
            answer = msgspec.msgpack.encode(child.answer(sent, local))
        return msgspec.msgpack.decode(answer, type=child.Answer)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(isolated.Reader, "ask", ask)
        yield
    local.close()


@cache
def shelf() -> Path:
    """A folder of the games (``games``) and their catalogue (``my.catalog``), only to be read."""
    folder = Path(mkdtemp())
    atexit.register(shutil.rmtree, folder)
    with read_here():
        build([games(folder / "games")], folder / "my.catalog", jobs=1)
    return folder


def tables(catalog: Path | str) -> dict[str, list[dict[str, Any]]]:
    """All rows of a catalogue as they are stored, but for what is measured, sorted."""
    store = Store.open(str(catalog))
    made = {}
    for name in ("places", "contents", "resources", "code", "calls", "strings", "images", "errors"):
        rows = store.dataset(name).to_table().to_pylist()
        for row in rows:
            for column in _MEASURED:
                row.pop(column, None)
        made[name] = sorted(rows, key=repr)
    return made


def rows(catalog: Path | str, sql: str) -> list[tuple[Any, ...]]:
    """The answer to a query."""
    with catalogs.open(catalog) as opened:
        return list(opened.sql(sql).fetchall())
