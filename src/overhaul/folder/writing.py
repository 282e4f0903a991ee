"""The plain files of a document, written into a new folder by one process or by several.

The processes write their files themselves, and report what the manifest says of them.  The folder,
the order of the manifest and that of warnings are the same for any number of processes.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

from overhaul.document.files import pieces_of
from overhaul.document.folder_format import FolderFormat
from overhaul.document.mapped import write_pieces
from overhaul.document.plainfiles import PlainFile, UnpackOptions
from overhaul.document.protocol import Buffer, Document, HasCode, NotesChecks
from overhaul.document.registry import folder_format_of
from overhaul.findings import Findings
from overhaul.folder.comparing import text_digest
from overhaul.folder.manifest import BLOBS, KeptFile, ManifestEntry
from overhaul.folder.parallel import LEAST, PIECES, Progress, Workers, itself, tracked
from overhaul.folder.paths import DiskPaths
from overhaul.stretch import Passing

TYPE_CHECKING = False

_STEP = 1 << 20
"""How many bytes are read at once."""
_NO_TEXTS = (".png", ".wav", ".ogg", ".mp3")
"""The endings of files that have no lines."""
_PIXELS = 6_000
"""How many pixels of a picture are as much work as a file without one."""
_FINER = 4
"""In how many shares files are divided that are a piece of a process's work elsewhere."""
_SOURCE = ".gml"
"""The ending of files with source that is made from code."""
_PARTS = ".parts"
"""The folder in the new one in which processes put files until their names are chosen."""


class FileWriter:
    """Writes files into the temporary folder, and remembers them for the manifest."""

    def __init__(self, folder: str) -> None:
        self.entries: list[ManifestEntry] = []
        self.size = 0
        self.folder = folder
        self._disk_path = DiskPaths()
        self._made: set[str] = set()

    def place(self, path: str) -> str:
        """The path on the disk of a plain file, in a folder that is there."""
        file = self._disk_path(path)
        self._make_folder(file)
        return file

    def write(self, file: PlainFile) -> None:
        """Write a plain file."""
        disk = self._disk_path(file.path)
        content = file.read()
        self.put(disk, content)
        self.note(_entry(file, disk, content))

    def note(self, entry: ManifestEntry) -> None:
        """Remember a file that was written."""
        self.entries.append(entry)
        self.size += entry.size

    def keep(self, name: str, content: Buffer) -> KeptFile:
        """Keep the original bytes of a file."""
        digest = _digest(content)
        path = f"{BLOBS}/{digest}"
        if not os.path.exists(os.path.join(self.folder, path)):
            self.put(path, content)
        return KeptFile(name, len(content), digest)

    def put(self, file: str, content: Buffer) -> None:
        """Write a file; its folders are made."""
        self._make_folder(file)
        with open(os.path.join(self.folder, *file.split("/")), "xb") as output:
            write_pieces(output, pieces_of(content))

    def _make_folder(self, file: str) -> None:
        place = os.path.join(self.folder, *file.split("/")[:-1])
        if place not in self._made:
            os.makedirs(place, exist_ok=True)
            self._made.add(place)


def _digest(content: Buffer) -> str:
    """The SHA-256 of bytes; what was read of a mapped file is let go."""
    passing, made = Passing(content), hashlib.sha256()
    view = memoryview(content)
    for start in range(0, len(view), _STEP):
        part = view[start : start + _STEP]
        made.update(part)
        passing.read(len(part))
    return made.hexdigest()


def _entry(file: PlainFile, disk: str, content: bytes) -> ManifestEntry:
    """The line of the manifest for a file that was read."""
    digest = hashlib.sha256(content).hexdigest()
    is_text = not file.path.endswith(_NO_TEXTS) and b"\r\n" in content
    lines = text_digest(content) if is_text else ""
    return ManifestEntry(file.path, disk, len(content), digest, file.origin, file.note, lines)


def write_files(
    workers: Workers[Document],
    options: UnpackOptions,
    writer: FileWriter,
    progress: Progress | None = None,
) -> None:
    """Write the plain files of a document that are wanted."""
    document = workers.document
    folder_format = folder_format_of(document.kind)
    jobs = workers.jobs_for_all()
    if options.code != "asm" and isinstance(document, HasCode):
        if not options.only and jobs > 1:
            workers.learn_code()
        elif options.only and not folder_format.has_parts:
            workers.learn_code(entries=_sources(document, options))
    names = _unproved(document, options)
    if jobs > 1 and names:
        _prove(workers, document, names)
    if folder_format.has_parts:
        _write_parts(workers, folder_format, options, writer, jobs, progress)
        return
    listed = folder_format.plain_files(document, options)
    files = [file for file in listed if options.wants(file.path)]
    place = {file.path: number for number, file in enumerate(files)}
    ordered = sorted(files, key=lambda file: file.near)
    if jobs > 1 and len(ordered) >= LEAST:
        _write_shares(workers, ordered, options, writer, jobs, progress)
    else:
        for file in tracked([file.path for file in ordered], ordered, progress):
            writer.write(file)
    writer.entries.sort(key=lambda entry: place[entry.path])


# -- code ------------------------------------------------------------------------------------------


def _sources(document: Document, options: UnpackOptions) -> int:
    """The number of sources among the files that are wanted, at most."""
    wanted = UnpackOptions(
        only=options.only, code=options.code, whole=False, warn=False, proven=False
    )
    listed = folder_format_of(document.kind).plain_files(document, wanted)
    return sum(file.path.endswith(_SOURCE) and wanted.wants(file.path) for file in listed)


def _unproved(document: Document, options: UnpackOptions) -> list[str]:
    """The code whose compiling has no verdict yet, where listing the files needs all verdicts; the
    document is prepared for it."""
    if options.only or options.code == "asm" or not isinstance(document, NotesChecks):
        return []
    names = [name for name in document.code_names() if not document.knows_check(name)]
    if names:
        document.expect_checks()
    return names


def _prove(workers: Workers[Document], document: Document, names: list[str]) -> None:
    """Let processes find out which code is the same after compiling."""
    assert isinstance(document, NotesChecks)
    for name, made in zip(names, workers.map(itself, _check, names), strict=True):
        document.note_check(name, *made)


def _check(document: Document, name: str) -> tuple[str | None, object]:
    assert isinstance(document, NotesChecks)
    return document.prove_code(name)


# -- shares of a document --------------------------------------------------------------------------


class _Share(NamedTuple):
    """Files to be written, from one number up to another."""

    start: int
    end: int


class _Written(NamedTuple):
    """The files that were written, and the warnings that the document got by it."""

    entries: list[ManifestEntry]
    findings: Findings


class _Listed(NamedTuple):
    """All files that are to be written, in order, each with its path on the disk."""

    document: Document
    files: list[PlainFile]
    disk: list[str]
    folder: str


def _write_shares(
    workers: Workers[Document],
    ordered: list[PlainFile],
    options: UnpackOptions,
    writer: FileWriter,
    jobs: int,
    progress: Progress | None,
) -> None:
    near, work = [file.near for file in ordered], [_work_of(file) for file in ordered]
    shares = _shares(near, work, jobs)
    disk = [writer.place(file.path) for file in ordered]
    inherited = _Listed(workers.document, ordered, disk, writer.folder)
    prepare = partial(_list, options=options, disk=disk, folder=writer.folder, made=[inherited])
    if not workers.inherits:
        prepare = partial(_list, options=options, disk=disk, folder=writer.folder)
    most_first = sorted(shares, key=lambda share: -sum(work[slice(*share)]))
    names = [ordered[share.start].path for share in most_first]
    written = workers.map(prepare, _write_share, most_first, least=2, jobs=jobs, size=1)
    done = zip(most_first, tracked(names, written, progress), strict=True)
    for _, part in sorted(done):
        _take(part, workers.document, writer)


def _list(
    document: Document,
    options: UnpackOptions,
    disk: list[str],
    folder: str,
    made: Sequence[_Listed] = (),
) -> _Listed:
    """The files as a process sees them that inherits them, or lists them itself."""
    for listed in made:
        return listed
    files = folder_format_of(document.kind).plain_files(document, options)
    wanted = [file for file in files if options.wants(file.path)]
    return _Listed(document, sorted(wanted, key=lambda file: file.near), disk, folder)


def _work_of(file: PlainFile) -> int:
    """About how much work a file is, in files without a picture."""
    width, height = file.dimensions() or (0, 0)
    return 1 + width * height // _PIXELS


def _shares(near: Sequence[int], work: Sequence[int], jobs: int) -> list[_Share]:
    """Shares of files for some processes, small ones, as how much work a file is is only guessed.
    Files that are made of one thing are in one share, unless they are more than a process should
    do."""
    most = max(1, sum(work) // (_FINER * jobs * PIECES))
    shares: list[_Share] = []
    start = done = 0
    for group in _groups(near, work, max(1, sum(work) // jobs)):
        own = sum(work[slice(*group)])
        if done and done + own > most:
            shares.append(_Share(start, group.start))
            start, done = group.start, 0
        done += own
    if near:
        shares.append(_Share(start, len(near)))
    return shares


def _groups(near: Sequence[int], work: Sequence[int], limit: int) -> Iterator[_Share]:
    """Files that are made of one thing, up to a limit of work; others one by one."""
    start = done = 0
    for at, own in enumerate(work, 1):
        done += own
        together = at < len(near) and near[at] and near[at] == near[at - 1]
        if not together or done >= limit:
            yield _Share(start, at)
            start, done = at, 0


def _write_share(listed: _Listed, share: _Share) -> _Written:
    before = len(listed.document.findings)
    entries = []
    for at in range(*share):
        file, disk = listed.files[at], listed.disk[at]
        content = file.read()
        with open(os.path.join(listed.folder, *disk.split("/")), "xb") as output:
            output.write(content)
        entries.append(_entry(file, disk, content))
    return _Written(entries, Findings(listed.document.findings[before:]))


def _take(done: _Written, document: Document, writer: FileWriter) -> None:
    for entry in done.entries:
        writer.note(entry)
    document.findings += done.findings.without(document.findings)


# -- documents in a document -----------------------------------------------------------------------


def _write_parts(
    workers: Workers[Document],
    folder_format: FolderFormat[Document],
    options: UnpackOptions,
    writer: FileWriter,
    jobs: int,
    progress: Progress | None,
) -> None:
    """Write files as they are listed, so that what they are made of need not stay in memory; with
    several processes, each part by one."""
    document = workers.document
    groups = folder_format.groups(document, options)
    if jobs <= 1 or len(groups) < 3:
        files = (file for group in groups for file in group() if options.wants(file.path))
        _write_as_listed(document, files, writer, progress)
        return
    staged = os.path.join(writer.folder, _PARTS)
    os.mkdir(staged)
    task = partial(_write_group, options=options, folder=staged)
    numbers = range(len(groups) - 1)
    written = workers.map(itself, task, numbers, least=2, jobs=jobs)
    for done in tracked([str(number) for number in numbers], written, progress):
        for at, entry in enumerate(done.entries):
            disk = writer.place(entry.path)
            os.rename(os.path.join(staged, entry.file), os.path.join(writer.folder, disk))
            done.entries[at] = entry._replace(file=disk)
        _take(done, document, writer)
    os.rmdir(staged)
    for file in groups[-1]():
        if options.wants(file.path):
            writer.write(file)


def _write_group(document: Document, number: int, options: UnpackOptions, folder: str) -> _Written:
    """Write the files of a part under numbers."""
    folder_format = folder_format_of(document.kind)
    before = len(document.findings)
    entries: list[ManifestEntry] = []
    for file in folder_format.groups(document, options)[number]():
        if options.wants(file.path):
            content = file.read()
            name = f"{number}-{len(entries)}"
            with open(os.path.join(folder, name), "xb") as output:
                output.write(content)
            entries.append(_entry(file, name, content))
    return _Written(entries, Findings(document.findings[before:]))


def _write_as_listed(
    document: Document, files: Iterator[PlainFile], writer: FileWriter, progress: Progress | None
) -> None:
    total = sum(1 for _ in document.tree()) if progress is not None else 0
    for done, file in enumerate(files):
        if progress is not None:
            progress(done, max(total, done + 1), file.path)
        writer.write(file)
    if progress is not None:
        progress(1, 1, "")
