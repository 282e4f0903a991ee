"""Unpack: write a document as a folder of plain files, all or nothing."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Sequence
from contextlib import nullcontext
from typing import NamedTuple

from overhaul.document.files import BACKUP, already_exists, free_name, temporary_next_to
from overhaul.document.opening import find_game
from overhaul.document.plainfiles import UnpackOptions
from overhaul.document.protocol import Document, Siblings, companions_of
from overhaul.document.reading import FoundFile, nothing_to_release
from overhaul.document.registry import REGISTRY, folder_format_of, load
from overhaul.errors import WorkspaceError
from overhaul.findings import Findings
from overhaul.folder import opening
from overhaul.folder.comparing import work_in
from overhaul.folder.manifest import KEPT, MANIFEST, Manifest
from overhaul.folder.parallel import Progress, Workers
from overhaul.folder.toml import NAME, FolderSettings
from overhaul.folder.writing import FileWriter, write_files
from overhaul.suggest import did_you_mean
from overhaul.version import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from overhaul.document.salvaging import Lost


_SMALLEST = "overhaul.media.png:smallest"
GIT_ATTRIBUTES = ".gitattributes"
GIT_TEXT = b"""\
# Packing compares these files byte by byte, so git leaves their line ends as they are.
* -text
"""


class Unpacked(NamedTuple):
    """The result of unpacking: the folder, the number of plain files and bytes, and ``findings``.

    ``lost`` is what could not be salvaged of a damaged file.  ``game`` is the path of the only game
    in a container (``game.apk!assets/game.droid``) that was named; empty for other files.
    """

    folder: str
    files: int
    bytes: int
    findings: Findings
    lost: Sequence[Lost] = ()
    game: str = ""

    @property
    def warnings(self) -> list[str]:
        """The findings as texts."""
        return self.findings.texts()


def unpack(
    source: str | os.PathLike[str] | bytes,
    folder: str | os.PathLike[str],
    *,
    only: Iterable[str] = (),
    code: str = "gml",
    flat: bool = False,
    force: bool = False,
    discard: bool = False,
    assume_version: str | None = None,
    strict: bool = False,
    salvage: bool = False,
    progress: Progress | None = None,
    jobs: int = 1,
    small: bool = False,
) -> Unpacked:
    """Take a game's file apart into the folder ``folder``.

    ``only``: globs of the plain files wanted (``sprites/spr_player*``); ``code``: how code is
    written (``"asm"``, ``"gml"`` or ``"both"``).  With ``flat``, the files of a package stay files;
    otherwise those that are documents are taken apart too.  The folder must not exist, or be empty;
    with ``force`` a folder that Overhaul made is replaced (its ``.git`` and other hidden entries
    stay):
    removed if all that is in it was unpacked, kept next to the new one as ``FOLDER.bak`` if nothing
    says what was, and refused if there are somebody's edits in it.  With ``discard`` it is removed
    in any case.  The files are written to a temporary folder next to it, which is renamed at the
    end.  With ``salvage``, the folder of a damaged file has what is whole in it
    (:func:`overhaul.document.salvaging.salvage`); packing it gives a file of what is in the folder.
    ``jobs`` processes write the files (0: as many as there are processors, if there is much to do);
    the folder is the same.  With ``small``, PNG files are as small as can be, and take five times
    as long.

    Raises FormatError for a broken file, WorkspaceError and OSError for a folder that can't be
    written.
    """
    target = os.path.abspath(os.fspath(folder))
    is_known = check_target(target, force=force, discard=discard)
    found, lost = opening.salvage(source) if salvage else (find_game(source), [])
    options = UnpackOptions(only=only, code=code, near=False)
    with found.open(assume_version=assume_version, strict=strict) as document:
        folder_format = folder_format_of(document.kind)
        folder_format.arrange(document, {"flat": flat})
        # Of what is salvaged, processes can't open what they do not inherit.
        jobs = 1 if salvage else jobs
        workers = Workers(source, document, assume_version=assume_version, jobs=jobs)
        if small and not workers.inherits:
            workers.jobs = 1
        with load(_SMALLEST)() if small else nullcontext():
            done = unpack_document(workers, found, target, options, progress, keep=not is_known)
    named = isinstance(source, bytes) or found.source in (None, os.fspath(source))
    return done._replace(lost=lost, game="" if named else found.source or "")


def check_target(target: str, *, force: bool, discard: bool = False) -> bool:
    """Raise unless a folder may be unpacked to this path; whether what is there may be removed.

    Raises FileExistsError, WorkspaceError for a folder with somebody's work in it.
    """
    if not os.path.lexists(target):
        parent = os.path.dirname(target)
        if not os.path.isdir(parent):
            raise FileNotFoundError(2, "no such folder to write to", parent)
        return True
    if not os.path.isdir(target):
        raise FileExistsError(17, "already exists and is not a folder", target)
    if not os.listdir(target):
        return True
    if not os.path.isfile(os.path.join(target, NAME)):
        raise FileExistsError(
            17, f"already exists and is not a folder that Overhaul made (no {NAME})", target
        )
    if not force and not discard:
        raise already_exists(target)
    return discard or _is_all_unpacked(target)


def _is_all_unpacked(target: str) -> bool:
    """Whether unpacking wrote all that is in a folder; False if nothing there says what it wrote.

    Raises WorkspaceError if there is anything else in it.
    """
    try:
        manifest = Manifest.load(target)
        if manifest is None:
            return False
        work = work_in(target, manifest)
    except WorkspaceError:
        return False
    if work:
        some = ", ".join(f"{path} {change}" for path, change in list(work.items())[:3])
        more = f" and {len(work) - 3} more" if len(work) > 3 else ""
        raise WorkspaceError(
            f"{target} is not replaced: there is work in it since it was unpacked ({some}{more})",
            code="work-in-it",
        )
    return True


def unpack_document(
    workers: Workers[Document],
    original: FoundFile,
    target: str,
    options: UnpackOptions,
    progress: Progress | None = None,
    *,
    keep: bool = False,
) -> Unpacked:
    """Write a document, opened from ``found``, as a folder; ``keep`` what is there as a backup."""
    document = workers.document
    folder_format = folder_format_of(document.kind)
    temporary = temporary_next_to(target)
    os.mkdir(temporary)
    try:
        writer = FileWriter(temporary)
        write_files(workers, options, writer, progress)
        if options.only and not writer.entries:
            raise WorkspaceError(
                f"nothing matches {' or '.join(options.only)}{_meant(document, options.only)}"
            )
        settings = folder_format.settings(document)
        name = _file_name(document)
        kept = writer.keep(name, original.data)
        companions = [
            writer.keep(companion, _original_bytes(original.siblings, companion, content))
            for companion, content in sorted(companions_of(document).items())
        ]
        toml = FolderSettings(
            document.kind, document.version, name, settings=settings, only=options.only
        )
        toml_text = toml.to_bytes(__version__)
        # The settings are kept as they read back, so that an unedited file compares equal.
        as_read = FolderSettings.from_bytes(toml_text).for_model()
        manifest = Manifest(document.kind, kept, companions, as_read, writer.entries)
        writer.put(MANIFEST, manifest.to_bytes())
        writer.put(NAME, toml_text)
        writer.put(GIT_ATTRIBUTES, GIT_TEXT)
        backup = put_in_place(temporary, target, keep=keep)
    except BaseException:
        shutil.rmtree(temporary, ignore_errors=True)
        raise
    findings = Findings(document.findings)
    if backup:
        findings.warn(
            "work-in-it",
            f"nothing says what in {target} was unpacked: the folder that was there is kept as "
            f"{backup}",
        )
    return Unpacked(target, len(writer.entries), writer.size, findings)


def _meant(document: Document, globs: Iterable[str]) -> str:
    """The paths that globs without a match may mean."""
    known = [resource.path for resource in document.tree()]
    suggestions = (did_you_mean(glob.rstrip("/*"), known) for glob in globs)
    return next(filter(None, suggestions), "")


def _file_name(document: Document) -> str:
    """The name that packing gives the file: that of the source, without its folder."""
    source = (document.source or "").rpartition("!")[2] or (document.source or "")
    name = os.path.basename(source.replace("\\", "/"))
    return name if name not in ("", ".", "..") else f"{document.kind}.bin"


def _original_bytes(siblings: Siblings | None, name: str, content: bytes) -> bytes:
    """A companion as it is on the disk; as rebuilt, if it is not there."""
    if siblings is not None:
        try:
            return siblings.read(name)
        except FileNotFoundError:
            return content
    return content


def put_in_place(temporary: str, target: str, *, keep: bool) -> str:
    """Rename the finished folder to its name; only then is an old one removed.

    With ``keep`` it gets a free ``.bak`` name instead, which is returned.
    """
    if not os.path.lexists(target):
        os.rename(temporary, target)
        return ""
    old = free_name(target + BACKUP) if keep else temporary_next_to(target)
    os.rename(target, old)
    moved = []
    try:
        for name in os.listdir(old):  # a git repository and the like stay
            if name.startswith(".") and name != KEPT:
                os.replace(os.path.join(old, name), os.path.join(temporary, name))
                moved.append(name)
        os.rename(temporary, target)
    except BaseException:
        for name in moved:
            os.rename(os.path.join(temporary, name), os.path.join(old, name))
        os.rename(old, target)
        raise
    if keep:
        return old
    shutil.rmtree(old, ignore_errors=True)
    return ""


# -- new games -------------------------------------------------------------------------------------

#: the kind of document that is made unless another is asked for
GAME = "gamemaker-data"


def new(folder: str | os.PathLike[str], *, version: str = "", kind: str = GAME) -> Unpacked:
    """Begin a new game of a version as a folder of plain files; by default of the newest.

    The folder must not exist, or be empty.  ``kind`` is the kind of document: ``gamemaker-data``
    (a data.win with one room) or ``gamemaker-project`` (a project of Game Maker 5 to 8.1).

    Raises FormatError for an unknown kind or version, WorkspaceError for a kind that can't be
    begun, FileExistsError for a folder with something in it, OSError.
    """
    target = os.path.abspath(os.fspath(folder))
    if os.path.isdir(target) and os.listdir(target):
        raise FileExistsError(17, "is not empty, and a new game needs a new folder", target)
    check_target(target, force=False)
    folder_format = folder_format_of(kind)
    if not folder_format.begins:
        known = [f.kind for f in REGISTRY if folder_format_of(f.kind).begins]
        raise WorkspaceError(f"a new {kind} can't be begun; only {' and '.join(sorted(known))} can")
    with folder_format.begin({"kind": kind, "version": version}) as begun:
        data, name = begun.to_bytes(), begun.source
        asked = begun.version
    original = FoundFile(data, name, None, nothing_to_release)
    with original.open() as document:
        if document.version != asked:
            document.findings.warn(
                "unsupported",
                f"the new game is read as {document.version}: nothing in an empty game shows "
                f"{asked}",
            )
        return unpack_document(Workers(b"", document), original, target, UnpackOptions())
