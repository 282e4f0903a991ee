"""Small files that save work, in the user's cache folder.

They may be deleted at any time.  A file that is damaged, or that another version wrote, counts as
missing.  Files are replaced as a whole, so that several processes may use one folder, and those
that were used least recently go once all together are too large.

The environment variable ``OVERHAUL_CACHE`` moves the folder; :func:`without` does without it.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import sys
import tempfile
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from overhaul.version import __version__

logger: logging.Logger = logging.getLogger(__name__)

LARGEST: Final = 1 << 26
"""All files of one kind together take so many bytes."""
_UNPACKED: Final = 1 << 27
"""The content of a file takes so many bytes at most; another is not kept."""
_HEAD: Final = b"overhaul cache 1\n"
_DIGEST: Final = 16
_SECONDS: Final = 60.0
"""A file that was used within this time is not noted as used again."""

_allowed = True


@contextmanager
def without() -> Iterator[None]:
    """Neither read nor write caches inside the ``with``."""
    global _allowed
    before, _allowed = _allowed, False
    try:
        yield
    finally:
        _allowed = before


def is_allowed() -> bool:
    """Whether caches are used: see :func:`without`."""
    return _allowed


def cache_folder() -> Path:
    """The folder of the caches, made if it is not there.  Raises OSError."""
    chosen = os.environ.get("OVERHAUL_CACHE")
    if chosen:
        folder = Path(chosen)
    elif sys.platform == "win32":
        folder = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData/Local") / "overhaul"
    elif sys.platform == "darwin":
        folder = Path.home() / "Library/Caches/overhaul"
    else:
        folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "overhaul"
    folder = folder.absolute()
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return folder


def stamp_of(*folders: str) -> str:
    """The identity of the code of this package in some of its folders: its version, and the
    sizes and times of the modules."""
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    parts = [__version__]
    for folder in folders:
        for place, below, files in os.walk(os.path.join(root, folder)):
            below[:] = sorted(name for name in below if name != "__pycache__")
            for name in sorted(files):
                status = os.stat(os.path.join(place, name))
                parts.append(f"{name} {status.st_size} {status.st_mtime_ns}")
    return "\n".join(parts)


def read(name: str, ending: str) -> bytes | None:
    """The content kept under a name (of letters and digits), None if there is none."""
    if not _allowed:
        return None
    try:
        path = cache_folder() / f"{name}.{ending}"
        data = path.read_bytes()
        content = _unpacked(data)
        if content is None:
            logger.debug("the cache %s is damaged", path)
        elif _age(path) > _SECONDS:
            os.utime(path)
    except (OSError, RuntimeError) as error:  # RuntimeError: no home
        logger.debug("no cache: %s", error)
        return None
    return content


def write(name: str, ending: str, content: bytes) -> None:
    """Keep a content under a name.  Where that is impossible, nothing is kept."""
    if not _allowed or len(content) > _UNPACKED:
        return
    body = zlib.compress(content, 1)
    data = _HEAD + hashlib.blake2b(body, digest_size=_DIGEST).digest() + body
    try:
        folder = cache_folder()
        _replace(folder / f"{name}.{ending}", data)
        _make_room(folder, ending)
    except (OSError, RuntimeError) as error:
        logger.debug("nothing is cached: %s", error)


def read_value(name: str, ending: str) -> object:
    """The values of JSON kept under a name, None if there are none."""
    content = read(name, ending)
    if content is None:
        return None
    try:
        value: object = json.loads(content.decode("utf-8", "surrogatepass"))
    except (ValueError, RecursionError) as error:
        logger.debug("the cache %s.%s is not understood: %s", name, ending, error)
        return None
    return value


def write_value(name: str, ending: str, value: object) -> None:
    """Keep values of JSON under a name, if they come back as they are: tuples do not."""
    if not _allowed:
        return
    try:
        text: str = json.dumps(value, ensure_ascii=False)
        is_exact = json.loads(text) == value
    except (TypeError, ValueError, RecursionError) as error:
        logger.debug("%s.%s is not kept: %s", name, ending, error)
        return
    if is_exact:
        write(name, ending, text.encode("utf-8", "surrogatepass"))


def _unpacked(data: bytes) -> bytes | None:
    """The content of a file; None if it is damaged."""
    start = len(_HEAD) + _DIGEST
    body = data[start:]
    digest = hashlib.blake2b(body, digest_size=_DIGEST).digest()
    if data[: len(_HEAD)] != _HEAD or data[len(_HEAD) : start] != digest:
        return None
    unpacking = zlib.decompressobj()
    try:
        content = unpacking.decompress(body, _UNPACKED)
    except zlib.error:
        return None
    return content if unpacking.eof else None


def _age(path: Path) -> float:
    """How long ago a file was used, in seconds."""
    return time.time() - path.stat().st_mtime


def _replace(path: Path, data: bytes) -> None:
    """Write a file as a whole."""
    number, part = tempfile.mkstemp(prefix=path.name, suffix=".part", dir=path.parent)
    try:
        with open(number, "wb") as file:
            file.write(data)
        os.replace(part, path)
    except BaseException:
        os.unlink(part)
        raise


def _make_room(folder: Path, ending: str) -> None:
    """Remove the files that were used least recently, until the others are small enough."""
    files = []
    for path in folder.glob(f"*.{ending}"):
        try:
            state = path.stat()
        except FileNotFoundError:  # another process removed it
            continue
        files.append((state.st_mtime_ns, state.st_size, path))
    total = sum(size for _, size, _ in files)
    for _, size, path in sorted(files):
        if total <= LARGEST:
            return
        path.unlink(missing_ok=True)
        total -= size
