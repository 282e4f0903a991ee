"""Mapped files, and copying from one file to another without reading what is copied.

A view on a mapped file knows the file by its ``obj``; :func:`write_pieces` lets the system copy
the stretches of such files that a new one has too. Large built bytes are kept in a file without
a name instead of in memory (:func:`held`).
"""

from __future__ import annotations

import errno
import mmap
import os
from io import BufferedIOBase, FileIO

from overhaul.stretch import Stretch, bytes_of, joined

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Final

    from overhaul.stretch import Piece

#: built bytes larger than this are kept in a file
HELD: Final = 16 << 20
#: how much is copied at once where the system does not do it
_STEP: Final = 1 << 20
#: shorter stretches are written as bytes
_LEAST: Final = 1 << 16
#: errors of copying by the system that are errors of the disk
_FATAL: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO})


class MappedFile(mmap.mmap):
    """A mapped file that can be opened once more, as long as it is the same."""

    path: str = ""
    #: device, number, size and time of the file as it was mapped
    identity: tuple[int, ...] = ()
    #: the open file of one without a name
    handle: int = -1

    def __del__(self) -> None:
        handle, self.handle = self.handle, -1
        if handle >= 0:
            os.close(handle)

    def reopened(self) -> int:
        """A file handle to read from; -1 if the file is no longer the same."""
        if self.handle >= 0:
            return os.dup(self.handle)
        try:
            handle = os.open(self.path, os.O_RDONLY | getattr(os, "O_CLOEXEC", 0))
        except OSError:
            return -1
        if identity_of(handle) == self.identity:
            return handle
        os.close(handle)
        return -1


def identity_of(handle: int) -> tuple[int, ...]:
    """The identity of an open file, which changes when the file does."""
    state = os.fstat(handle)
    return (state.st_dev, state.st_ino, state.st_size, state.st_mtime_ns)


def map_open(file: FileIO, path: str) -> MappedFile:
    """Map an open file.  Raises ValueError or OSError for one that can't be."""
    mapped = MappedFile(file.fileno(), 0, access=mmap.ACCESS_READ)
    mapped.path = os.path.abspath(path)
    mapped.identity = identity_of(file.fileno())
    return mapped


def write_pieces(file: BufferedIOBase, pieces: Iterable[Piece]) -> None:
    """Write pieces to a file, one after another."""
    for piece in pieces:
        if isinstance(piece, Stretch) and len(piece) >= _LEAST:
            _copy(file, piece)
        else:
            file.write(bytes_of(piece))


def _copy(file: BufferedIOBase, piece: Stretch) -> None:
    """Copy a stretch: by the system, or by reading the file, or from its map."""
    owner = piece.source.obj if isinstance(piece.source, memoryview) else None
    handle = owner.reopened() if isinstance(owner, MappedFile) else -1
    if handle < 0:
        data = piece.bytes
        for at in range(0, len(data), _STEP):
            file.write(data[at : at + _STEP])
        return
    try:
        file.flush()
        done = copied_by_system(handle, file.fileno(), piece.start, len(piece))
        for at in range(piece.start + done, piece.end, _STEP):
            file.write(_read(handle, at, min(_STEP, piece.end - at)))
    finally:
        os.close(handle)


def copied_by_system(source: int, target: int, start: int, size: int) -> int:
    """How many bytes the system copied from one open file to where another is; 0 if it can't.

    Raises OSError where the disk is the reason.
    """
    done = 0
    for name in ("copy_file_range", "sendfile"):
        try:
            while done < size:
                left = min(size - done, 1 << 30)
                if name == "sendfile":
                    count = os.sendfile(target, source, start + done, left)
                else:
                    count = os.copy_file_range(source, target, left, start + done)
                if not count:
                    break
                done += count
        except (OSError, AttributeError) as error:
            if isinstance(error, OSError) and error.errno in _FATAL:
                raise
    return done


def _read(handle: int, start: int, size: int) -> bytes:
    """Bytes of an open file.  Raises OSError if there are fewer."""
    if hasattr(os, "pread"):
        data = os.pread(handle, size, start)
    else:
        os.lseek(handle, start, os.SEEK_SET)
        data = os.read(handle, size)
    if len(data) == size:
        return data
    if not data:
        raise OSError(errno.EIO, "the file is shorter than it was")
    return data + _read(handle, start + len(data), size - len(data))


def held(pieces: list[Piece], least: int | None = None) -> bytes | memoryview:
    """The bytes of pieces: in memory, or mapped from a file without a name where they are at least
    so many (:data:`HELD`)."""
    if os.name == "nt" or sum(map(len, pieces)) < (HELD if least is None else least):
        return joined(pieces)
    try:
        return _in_file(pieces)
    except OSError:  # no room for it
        return joined(pieces)


def _in_file(pieces: list[Piece]) -> memoryview:
    import tempfile  # start-up: for large files only

    with tempfile.TemporaryFile() as file:
        write_pieces(file, pieces)
        file.flush()
        mapped = MappedFile(file.fileno(), 0, access=mmap.ACCESS_READ)
        mapped.handle = os.dup(file.fileno())
    return memoryview(mapped)
