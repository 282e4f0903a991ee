"""Writing files so that nothing is ever left half-written.

Every write goes to a temporary file next to the target, is flushed to the disk and renamed over
the target.  A full disk, an error or Ctrl-C leaves the target as it was and no temporary file.
"""

from __future__ import annotations

import os
import time

from overhaul.document.mapped import write_pieces
from overhaul.errors import WorkspaceError
from overhaul.lazy import LazyModule
from overhaul.stretch import Stretch

TYPE_CHECKING = False
if TYPE_CHECKING:
    import shutil
    from collections.abc import Callable, Iterable, Mapping

    from overhaul.stretch import Piece
else:  # start-up: it imports re, and modules that unpack archives
    shutil = LazyModule("shutil")

#: The errors of Windows for a file that is in use: no access, a sharing violation, a mapped file.
_IN_USE = (5, 32, 1224)
#: How long to wait, in seconds, for it to be free.
_WAITS = (0.02, 0.05, 0.1, 0.3, 0.5)
#: The ending of the copy kept of a file that is packed over.
BACKUP = ".bak"


def write_file(
    path: str | os.PathLike[str],
    data: bytes | memoryview | Iterable[Piece],
    *,
    force: bool = False,
    backup: bool = False,
    flush: bool = True,
) -> None:
    """Write ``data`` (bytes, or pieces of them) to ``path``, all or nothing.

    An existing file is only replaced with ``force`` (FileExistsError otherwise).  With ``backup``
    the existing file is kept next to the new one as ``NAME.bak`` (``NAME.bak2``, ... where that is
    taken: a backup is never overwritten).  A symbolic link is followed: the file it names is
    replaced, the link stays.  Without ``flush`` the file is not flushed to the disk at once: for
    many files that a command can make again.
    """
    target = os.path.realpath(path)
    exists = os.path.exists(target)
    if exists and not force:
        raise already_exists(path)
    temporary = _written(path, target, data, flush=flush)
    try:
        if exists and backup:
            keep_backup(target)
        _replace(temporary, target)
    except BaseException as error:
        remove_quietly(temporary)
        _name(error, temporary, path)
        raise
    if flush:
        sync_folder(os.path.dirname(target))


def _written(
    path: str | os.PathLike[str],
    target: str,
    data: bytes | memoryview | Iterable[Piece],
    *,
    flush: bool,
) -> str:
    """Write a temporary file next to ``target``, which ``path`` leads to; return its path."""
    exists = os.path.exists(target)
    if exists and not os.path.isfile(target):
        raise IsADirectoryError(21, "not a file", os.fspath(path))
    temporary = temporary_next_to(target)
    pieces = pieces_of(data)
    try:
        with open(temporary, "xb") as file:
            if exists:  # before there is something in it that others may not read
                os.chmod(temporary, os.stat(target).st_mode & 0o7777)
            write_pieces(file, pieces)
            if flush:
                file.flush()
                os.fsync(file.fileno())
    except BaseException as error:
        remove_quietly(temporary)
        _name(error, temporary, path)
        raise
    return temporary


def _name(error: BaseException, temporary: str, path: str | os.PathLike[str]) -> None:
    """Give an error the name of the file that was meant: a write that fails names none."""
    if isinstance(error, OSError) and error.filename in (None, temporary):
        error.filename = os.fspath(path)
        del error.filename2


def pieces_of(data: bytes | memoryview | Iterable[Piece]) -> Iterable[Piece]:
    """The pieces to write: a mapped file is a stretch of itself."""
    if isinstance(data, memoryview):
        return (Stretch(data, 0, len(data)),)
    return (data,) if isinstance(data, bytes | bytearray) else data


def _replace(temporary: str, target: str) -> None:
    """Rename over the target.

    On Windows that fails while a program has the file open, as virus scanners do for a moment: it
    is tried for a second.
    """
    for wait in _WAITS:
        try:
            return os.replace(temporary, target)
        except PermissionError as error:
            if getattr(error, "winerror", None) not in _IN_USE:
                raise
        time.sleep(wait)
    try:
        return os.replace(temporary, target)
    except PermissionError as error:
        if getattr(error, "winerror", None) in _IN_USE:
            error.strerror = "another program has the file open"
        raise


class AlreadyExists(FileExistsError):
    """A file is not replaced without ``force``."""

    def __str__(self) -> str:
        return f"{self.filename} already exists (force=True replaces it)"


def already_exists(path: str | os.PathLike[str]) -> AlreadyExists:
    """The error for a file that is not replaced without ``force``."""
    return AlreadyExists(17, "already exists", os.fspath(path))


def write_into(
    folder: str,
    files: Mapping[str, Callable[[], bytes]],
    *,
    force: bool = False,
    backup: bool = False,
) -> None:
    """Write files into a folder, which is made: paths in it (with ``/``), and what gives the bytes.

    Nothing is written if a file exists already, without ``force`` (FileExistsError).  All files are
    written under other names first, and then renamed: after an error or Ctrl-C the folder is as it
    was.  A folder that is not there is renamed as a whole: it is there with all files, or not at
    all, also where the process is killed.  With ``backup`` replaced files are kept, as
    :func:`write_file` does.
    """
    if not os.path.lexists(folder):
        return _write_new_folder(folder, files)
    targets = [os.path.join(folder, *path.split("/")) for path in files]
    existing = [target for target in targets if os.path.lexists(target)]
    if existing and not force:
        raise already_exists(existing[0])
    made: list[str] = []
    written: list[tuple[str, str]] = []
    try:
        _make_folders(folder, made)
        for target, read in zip(targets, files.values(), strict=True):
            _make_folders(os.path.dirname(target), made)
            place = os.path.realpath(target)
            written.append((_written(target, place, read(), flush=False), place))
        _replace_all(written, backup=backup)
    except BaseException:
        for temporary, _ in written:
            remove_quietly(temporary)
        for place in reversed(made):
            _remove_if_empty(place)
        raise


def _write_new_folder(folder: str, files: Mapping[str, Callable[[], bytes]]) -> None:
    made: list[str] = []
    target = os.path.abspath(folder)
    temporary = temporary_next_to(target)
    try:
        _make_folders(os.path.dirname(target), made)
        os.mkdir(temporary)
        for path, read in files.items():
            place = os.path.join(temporary, *path.split("/"))
            os.makedirs(os.path.dirname(place), exist_ok=True)
            try:
                with open(place, "xb") as file:
                    write_pieces(file, pieces_of(read()))
            except OSError as error:
                _name(error, place, os.path.join(folder, *path.split("/")))
                raise
        os.rename(temporary, target)
    except BaseException:
        shutil.rmtree(temporary, ignore_errors=True)
        for place in reversed(made):
            _remove_if_empty(place)
        raise


def _remove_if_empty(folder: str) -> None:
    try:
        os.rmdir(folder)
    except OSError:  # something else is in it by now; the error that led here is reported
        return


def _replace_all(written: Iterable[tuple[str, str]], *, backup: bool) -> None:
    """Rename files over others; after an error those are there again that were before."""
    new: list[str] = []
    old: list[tuple[str, str]] = []
    try:
        for temporary, target in written:
            if os.path.exists(target):
                if backup:
                    keep_backup(target)
                old.append((temporary_next_to(target), target))
                _keep_as(target, old[-1][0])
            else:
                new.append(target)
            _replace(temporary, target)
    except BaseException:
        for target in new:
            remove_quietly(target)
        for kept, target in old:
            if os.path.lexists(kept):
                os.replace(kept, target)
        raise
    for kept, _ in old:
        remove_quietly(kept)


def _keep_as(target: str, kept: str) -> None:
    """Give a file another name as well; only that, where the file system has no hard links."""
    try:
        os.link(target, kept)
    except OSError:
        os.replace(target, kept)


def _make_folders(folder: str, made: list[str]) -> None:
    """Make a folder and those above it; those that were missing are appended to ``made``."""
    folder = folder.rstrip("/" + os.sep) or folder
    if folder and not os.path.lexists(folder):
        _make_folders(os.path.dirname(folder), made)
        os.mkdir(folder)
        made.append(folder)


def temporary_next_to(target: str) -> str:
    """A name in the target's folder that nothing else uses."""
    folder, name = os.path.split(target)
    return os.path.join(folder, f".{name[:100]}.{os.getpid()}-{os.urandom(4).hex()}.tmp")


def free_name(path: str) -> str:
    """The path, or the path with the first number from 2 behind it that nothing else uses."""
    name, number = path, 2
    while os.path.lexists(name):
        name, number = f"{path}{number}", number + 1
    return name


def keep_backup(target: str) -> str:
    """Keep the file under a free ``.bak`` name next to itself; return that name.

    A backup that is there already with the same content is enough.
    """
    number = 1
    while True:
        kept = target + BACKUP + (str(number) if number > 1 else "")
        if not os.path.lexists(kept):
            break
        if _equal(kept, target):
            return kept
        number += 1
    try:
        os.link(target, kept)
    except OSError:  # a file system without hard links
        with open(target, "rb") as file:
            write_file(kept, iter(lambda: file.read(1 << 20), b""))
    return kept


def _equal(first: str, second: str) -> bool:
    try:
        if os.path.getsize(first) != os.path.getsize(second):
            return False
        with open(first, "rb") as one, open(second, "rb") as other:
            while True:
                piece = one.read(1 << 20)
                if piece != other.read(1 << 20):
                    return False
                if not piece:
                    return True
    except OSError:
        return False


def sync_folder(folder: str) -> None:
    """Flush a folder's entries to the disk, where the system can."""
    try:
        handle = os.open(folder or ".", os.O_RDONLY)
    except OSError:  # Windows can't open a folder
        return
    try:
        os.fsync(handle)
    except OSError:  # some network file systems can't flush one
        return
    finally:
        os.close(handle)


def remove_quietly(path: str) -> None:
    """Remove a file if it is there."""
    try:
        os.unlink(path)
    except OSError:
        return


def save_all(
    path: str | os.PathLike[str],
    data: bytes | memoryview | Iterable[Piece],
    companions: Mapping[str, bytes],
    *,
    force: bool,
    backup: Callable[[str], bool],
) -> list[str]:
    """Write a file and its companions; return the paths written.

    Companions come first, so that the file never names something that is not there yet; those
    that are already there, byte for byte, are not written.  Nothing is written unless everything
    may be (FileExistsError), and nothing over an archive, which holds more than a game
    (WorkspaceError).  ``backup`` says of an existing file whether to keep it.
    """
    target = os.fspath(path)
    siblings = os.path.dirname(target)
    pending: list[tuple[str, bytes | memoryview | Iterable[Piece]]] = []
    for name, content in companions.items():
        if os.path.basename(name) != name or not name or name.startswith("."):
            raise WorkspaceError(f"{name!r} can't be the name of a file next to {target}")
        companion = os.path.join(siblings, name)
        if not _has_content(companion, content):
            pending.append((companion, content))
    pending.append((target, data))
    existing = {name for name, _ in pending if os.path.lexists(name)}
    if existing and not force:
        name = min(existing)
        raise already_exists(name)
    if target in existing and _is_archive(target):
        raise WorkspaceError(
            f"{target} is an archive, and is not replaced by a file that may be in it: name "
            "another file, and put it there"
        )
    for name, pieces in pending:
        keep = name in existing and backup(name)
        write_file(name, pieces, force=force, backup=keep)
    return [name for name, _ in pending]


def _is_archive(path: str) -> bool:
    """Whether an existing file is a zip archive, such as an .apk."""
    try:
        with open(path, "rb") as file:
            return file.read(4) == b"PK\3\4"
    except OSError:
        return False


def _has_content(path: str, content: bytes) -> bool:
    try:
        if os.path.getsize(path) != len(content):
            return False
        with open(path, "rb") as file:
            return file.read() == content
    except OSError:
        return False
