"""Pack: make a game's file from a folder of plain files, all or nothing."""

from __future__ import annotations

import codecs
import json
import os
from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType
from typing import NamedTuple

from overhaul.document.files import already_exists, save_all
from overhaul.document.folder_format import FolderFormat
from overhaul.document.jsontext import line_and_column
from overhaul.document.mapped import held
from overhaul.document.plainfiles import Change, Folder, PackOptions
from overhaul.document.protocol import Buffer, Document, Siblings, companions_of, removed_of
from overhaul.document.reading import open_data
from overhaul.document.registry import folder_format_of
from overhaul.errors import (
    CharacterError,
    EncodeError,
    FindingsError,
    FormatError,
    OverhaulError,
    PathError,
    PlainFileError,
    WorkspaceError,
)
from overhaul.findings import Findings
from overhaul.folder.comparing import compare, is_same_content
from overhaul.folder.json_fields import placed_in
from overhaul.folder.manifest import KEPT, KeptSiblings, Manifest, map_blob, read_blob
from overhaul.folder.paths import scan
from overhaul.folder.processes import jobs_for
from overhaul.folder.taken import check_taken, new_findings
from overhaul.folder.targets import default_target, is_kept, note_written
from overhaul.folder.toml import NAME, FolderSettings

TYPE_CHECKING = False

#: The endings of files whose text is compiled.
SOURCE = ".gml"
#: Texts of code that are kept in memory while packing have so many bytes together.
_MOST_TEXTS = 16 << 20
#: The most edited files that an error about several of them names.
_NAMED = 3


class Packed(NamedTuple):
    """The result of packing.

    ``path`` is the file; ``written`` also names the companions that were written.  ``changes`` has
    each plain file that differed from the manifest (``"added"``, ``"changed"`` or ``"removed"``),
    ``from_scratch`` says that no kept original was used.  ``size`` is in bytes; ``findings`` are
    about edits that have no effect, or more effects than one might think; ``warnings`` are their
    texts.
    """

    path: str
    size: int
    written: list[str]
    from_scratch: bool
    changes: Mapping[str, Change]
    findings: Findings

    @property
    def warnings(self) -> list[str]:
        """The findings as texts."""
        return self.findings.texts()

    def to_json(self) -> dict[str, object]:
        """The fields as docs/guide/json.md describes them."""
        row = self._asdict() | {"changes": dict(self.changes), "warnings": self.warnings}
        return row | {"findings": self.findings.to_json()}


def pack(
    folder: str | os.PathLike[str],
    out: str | os.PathLike[str] | None = None,
    *,
    force: bool = False,
    from_scratch: bool = False,
    strict: bool = False,
    rewrite_code: bool = False,
    accept_renumbering: bool = False,
    jobs: int = 1,
) -> Packed:
    """Make a game's file from a folder.

    Files that are as they were unpacked keep their original bytes: an untouched folder gives the
    identical file. Added, changed or removed parts are rebuilt. Without kept originals (no
    ``.overhaul``, or ``from_scratch``) everything is built from the plain files only.

    With ``rewrite_code``, code of projects that keep it as text gets the new names of renamed
    resources where it certainly means them; the folder's files stay as they are.

    Code that holds resources as plain numbers follows when these get other numbers, where it shows
    what a number is.  Other numbers that may name such a resource are a WorkspaceError that lists
    them; with ``accept_renumbering`` they are warnings, and stay as they are.

    With ``strict``, any warning is a WorkspaceError, and nothing is written.

    ``jobs``: in how many processes pictures are read and code is compiled, or 0 for as many as pay.

    ``out``: the file to write; by default the name that overhaul.toml gives, next to the folder,
    where no hidden file and no file of another kind is written.  An existing file is replaced only
    with ``force``, and is kept as ``NAME.bak`` (``NAME.bak2``, ...) unless packing wrote it.

    Raises WorkspaceError if folder and manifest disagree or a plain file is not valid,
    SourceError for source text with errors, EncodeError if the model can't be written, OSError.
    """
    root = os.path.abspath(os.fspath(folder))
    toml = FolderSettings.load(root)
    target = os.path.abspath(os.fspath(out)) if out is not None else default_target(root, toml)
    _refuse_inside(target)
    if os.path.lexists(target) and not force:
        raise already_exists(target)
    manifest = None if from_scratch else Manifest.load(root)
    options = PackOptions(
        rewrite_code=rewrite_code, accept_renumbering=accept_renumbering, jobs=jobs
    )
    built = (
        _pack_from_scratch(root, toml, options)
        if manifest is None
        else _repack(root, toml, manifest, options)
    )
    if strict and built.findings:
        raise FindingsError(built.findings)
    written = save_all(target, built.content, built.companions, force=force, backup=is_kept)
    if built.changes:
        for path in written:
            note_written(path)
    return Packed(
        target, len(built.content), written, manifest is None, dict(built.changes), built.findings
    )


def _refuse_inside(target: str) -> None:
    """Raise WorkspaceError for the path of a file inside another one."""
    outer, mark, inner = target.partition("!")
    if mark and os.path.isfile(outer):
        raise WorkspaceError(
            f"{target}: a file inside another can't be written by itself: unpack {outer}, change "
            f"{inner} there, and pack that folder"
        )


def packed(
    folder: str | os.PathLike[str], unsaved: Mapping[str, bytes | None] = MappingProxyType({})
) -> Built:
    """The result of :func:`pack` with ``accept_renumbering``; raises the same.

    ``unsaved``: the contents of files that are not saved yet, by path; None for one that is gone.
    """
    root = os.path.abspath(os.fspath(folder))
    toml = FolderSettings.load(root)
    options = PackOptions(accept_renumbering=True)
    manifest = Manifest.load(root)
    if manifest is None:
        return _pack_from_scratch(root, toml, options, unsaved)
    return _repack(root, toml, manifest, options, unsaved)


class Edited(NamedTuple):
    """An unpacked folder as packing sees it: how to open what it was unpacked from, its files, and
    which of them differ from that.  ``reopen`` is None in a folder without kept originals; ``size``
    gives that of a file on the disk in bytes."""

    reopen: Callable[[], Document] | None
    files: Folder
    changes: dict[str, Change]
    size: Callable[[str], int]


def edited(
    folder: str | os.PathLike[str], unsaved: Mapping[str, bytes | None] = MappingProxyType({})
) -> Edited:
    """The folder with its edits, and with files that are not saved yet.

    Raises WorkspaceError for a folder that packing refuses, OSError.
    """
    root = os.path.abspath(os.fspath(folder))
    toml = FolderSettings.load(root)
    manifest = Manifest.load(root)
    if manifest is None:
        return _new_folder(root, toml, PackOptions(), unsaved)
    return _edited_folder(root, toml, manifest, PackOptions(), unsaved)[1]


def _edited_folder(
    root: str,
    toml: FolderSettings,
    manifest: Manifest,
    options: PackOptions,
    unsaved: Mapping[str, bytes | None],
) -> tuple[Buffer, Edited]:
    """The kept original, and the folder that was made of it."""
    texts = _Texts()
    changes, disk = compare(root, manifest, texts.note)
    if toml.for_model() != manifest.settings:
        changes[NAME] = "changed"
    known = {entry.path: entry for entry in manifest.entries}
    for path, data in unsaved.items():
        if data is None:
            disk.pop(path, None)
            if changes.pop(path, "") != "added" and path in known:
                changes[path] = "removed"
            continue
        disk.setdefault(path, path)
        if path not in known:
            changes[path] = "added"
        elif is_same_content(data, known[path]):
            changes.pop(path, None)
        else:
            changes[path] = "changed"
    original = map_blob(root, manifest.original)
    reopen = partial(
        open_data,
        original,
        source=manifest.original.name,
        siblings=KeptSiblings(root, manifest.companions),
        assume_version=_assumed_version(manifest.settings),
    )
    files = _on_disk(root, disk, toml.for_model(), options, {**texts.known, **unsaved})
    size = partial(_size, root, disk)
    return original, Edited(reopen, files, dict(sorted(changes.items())), size)


class _Texts:
    """The texts of code that comparing has read, so that definitions are looked for in them without
    reading the files again: as many as take little memory."""

    def __init__(self) -> None:
        self.known: dict[str, bytes] = {}
        self._left = _MOST_TEXTS

    def note(self, path: str, content: bytes) -> None:
        """Keep a text of code."""
        if path.endswith(SOURCE) and len(content) <= self._left:
            self._left -= len(content)
            self.known[path] = content


class Built(NamedTuple):
    """A packed file, not yet written; its companions are the files next to it.

    ``content`` is the file, mapped where it is large (see
    :func:`~overhaul.document.mapped.held`).  ``sources`` are the texts of code that were compiled
    into it, by path; ``removed`` the paths of files next to it that it has no longer;
    ``around`` are all files next to it, where those are more than its companions.
    """

    content: Buffer
    companions: Mapping[str, bytes]
    changes: Mapping[str, Change]
    findings: Findings
    sources: Mapping[str, bytes] = MappingProxyType({})
    removed: frozenset[str] = frozenset()
    around: Siblings | None = None

    @property
    def warnings(self) -> list[str]:
        """The findings as texts."""
        return self.findings.texts()

    @property
    def data(self) -> bytes:
        """The file, read into memory where ``content`` is mapped."""
        return bytes(self.content)

    def names(self) -> list[str]:
        """The names of the companions, sorted."""
        return sorted(self.companions)

    def read(self, name: str) -> bytes:
        """The bytes of a companion.  Raises FileNotFoundError for an unknown name."""
        if name not in self.companions:
            raise FileNotFoundError(2, "not a companion", name)
        return self.companions[name]


def _new_folder(
    root: str, toml: FolderSettings, options: PackOptions, unsaved: Mapping[str, bytes | None]
) -> Edited:
    """A folder without a kept original, in which each file is new."""
    gone = {path for path, data in unsaved.items() if data is None}
    disk = {path: path for path in (*scan(root), *unsaved) if path not in gone}
    files = _on_disk(root, disk, toml.for_model(), options, unsaved)
    return Edited(None, files, dict.fromkeys(files.list(), "added"), partial(_size, root, disk))


def _pack_from_scratch(
    root: str,
    toml: FolderSettings,
    options: PackOptions,
    unsaved: Mapping[str, bytes | None] = MappingProxyType({}),
) -> Built:
    """Build a new document from the plain files only."""
    if toml.only:
        raise WorkspaceError(
            f"{root} holds only a part of its game (what matches {' or '.join(toml.only)}), "
            f"so it can't be packed without its {KEPT} folder"
        )
    given = _new_folder(root, toml, options, unsaved)
    try:
        folder_format = folder_format_of(toml.kind)
    except FormatError as error:
        raise PlainFileError(str(error), os.path.join(root, NAME)) from error
    document = folder_format.empty(toml.for_model())
    options.jobs = jobs_for(options.jobs, map(given.size, given.changes))
    return build(document, given.files, given.changes)


def _repack(
    root: str,
    toml: FolderSettings,
    manifest: Manifest,
    options: PackOptions,
    unsaved: Mapping[str, bytes | None] = MappingProxyType({}),
) -> Built:
    """Take what is unchanged from the kept original, and rebuild the rest."""
    if toml.kind != manifest.kind:
        raise PlainFileError(
            f"it says {toml.kind}, but the kept original is {manifest.kind}. To make another "
            f"kind of file from this folder, remove {KEPT}",
            NAME,
        )
    original, given = _edited_folder(root, toml, manifest, options, unsaved)
    manifest.entries.clear()  # of a large game they take memory
    if not given.changes or given.reopen is None:
        companions = {kept.name: read_blob(root, kept) for kept in manifest.companions}
        return Built(original, companions, {}, Findings())
    if refusal := folder_format_of(manifest.kind).edited_in_place:
        raise WorkspaceError(refusal)
    options.jobs = jobs_for(options.jobs, map(given.size, given.changes))
    return build(given.reopen(), given.files, given.changes, given.reopen)


def build(
    document: Document,
    files: Folder,
    changes: Mapping[str, Change],
    reopen: Callable[[], Document] | None = None,
    *,
    siblings: Siblings | None = None,
) -> Built:
    """Apply the changes of a folder to a document, and write that.

    ``reopen`` opens the document as it is before the changes; None for a new one.  ``siblings``
    are the files next to it, if they are not its companions.  Raises what :func:`pack` raises for
    edits that can't be taken.
    """
    with document:
        folder_format = folder_format_of(document.kind)
        edited = changes
        files, changes, made_of = folder_format.take_others(document, files, changes)
        used: set[str] = set()
        try:
            with placed_in(files):
                findings = folder_format.apply(document, files.noting(used), changes)
        except OverhaulError as error:
            raise error.moved(lambda path: made_of.get(path, path)) from error.__cause__
        try:
            data = held(document.pieces())
            sources = _sources(files, changes)
            companions = dict(companions_of(document))
            built = Built(data, companions, edited, findings, sources, removed_of(document))
            around = siblings or folder_format.siblings_of(document, built)
            built = built._replace(around=None if around is built else around)
            # a file that can't be opened again is not written
            again = open_data(
                data,
                source=document.source,
                siblings=around,
                assume_version=_assumed_version(folder_format.settings(document)),
            )
        except PathError as error:
            raise _in_edited(error, files, changes) from error
        if again.kind != document.kind:
            raise EncodeError(
                f"{_edited(changes)}: the written file is not a {document.kind}: it opens as "
                f"{again.kind}"
            )
        with again:
            shown = _shown_by(folder_format, document, again, files.settings)
            files, changes = folder_format.own_files(document, files, changes)
            reopen = reopen and partial(_arranged, reopen, folder_format, files.settings)
            findings += check_taken(shown, files, changes, reopen, reported=findings, used=used)
            if reopen is not None:
                for found in new_findings(document, again):
                    findings.warn("unlike", f"read again: {found}", _edited(changes))
            again.let_go()
        document.let_go()
    findings[:] = [each.replaced(path=made_of.get(each.path, each.path)) for each in findings]
    return built


def _shown_by(
    folder_format: FolderFormat[Document],
    document: Document,
    again: Document,
    settings: Mapping[str, object],
) -> Document:
    """The document that shows the packed file: the file that was opened again, if that shows as
    much.

    An encoding that the file does not name is known to the edited document only.
    """
    if folder_format.rereads:
        document.let_go()
        folder_format.arrange(again, settings)
        return again
    same = folder_format.settings(again) == folder_format.settings(document)
    return again if same else document


def _arranged(
    reopen: Callable[[], Document],
    folder_format: FolderFormat[Document],
    settings: Mapping[str, object],
) -> Document:
    document = reopen()
    folder_format.arrange(document, settings)
    return document


def _sources(files: Folder, changes: Mapping[str, Change]) -> dict[str, bytes]:
    """The texts of code that were added or changed, with the line ends of unpacked ones."""
    return {
        path: files.read(path).removeprefix(codecs.BOM_UTF8).replace(b"\r\n", b"\n")
        for path, change in changes.items()
        if change != "removed" and path.endswith(SOURCE)
    }


def _in_edited(error: PathError, files: Folder, changes: Mapping[str, Change]) -> OverhaulError:
    """An error about several edited files; it names the one at fault where that is known."""
    if isinstance(error, CharacterError):
        for path, change in changes.items():
            text = "" if change == "removed" else _text(files.read(path))
            at = text.find(error.character)
            if at < 0 and path.endswith(".json"):  # perhaps it is written as an escape
                at = text.casefold().find(json.dumps(error.character).strip('"'))
            if at >= 0:
                return PlainFileError(error.message, path, "", *line_and_column(text, at))
    return EncodeError(f"{_edited(changes)}: {PathError.__str__(error)}")


def _text(data: bytes) -> str:
    """The text of a file; empty for a picture or a sound, which is none."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return ""


def _edited(changes: Mapping[str, Change]) -> str:
    """The edited files, for an error about several of them."""
    paths = list(changes)
    if len(paths) > _NAMED:
        paths[_NAMED:] = [f"{len(paths) - _NAMED} more"]
    return " and ".join([", ".join(paths[:-1]), paths[-1]] if len(paths) > 1 else paths)


def _on_disk(
    root: str,
    disk: Mapping[str, str],
    settings: dict[str, object],
    options: PackOptions,
    unsaved: Mapping[str, bytes | None] = MappingProxyType({}),
) -> Folder:
    """The plain files of a folder: ``disk`` has the paths on the disk by the model's paths."""

    def read(path: str) -> bytes:
        data = unsaved.get(path)
        if data is not None:
            return data
        file = disk.get(path)
        if file is None:
            raise PlainFileError(f"it is missing from {root}", path)
        try:
            with open(os.path.join(root, file), "rb") as source:
                return source.read()
        except OSError as error:
            raise PlainFileError(f"it can't be read: {error.strerror}", path) from error

    return Folder(lambda: disk, read, settings, options, disk.__contains__)


def _size(root: str, disk: Mapping[str, str], path: str) -> int:
    """How large a file on the disk is; 0 for one that is not there."""
    try:
        return os.path.getsize(os.path.join(root, disk[path])) if path in disk else 0
    except OSError:
        return 0


def _assumed_version(settings: Mapping[str, object]) -> str | None:
    assumed = settings.get("assume_version")
    return assumed if isinstance(assumed, str) else None
