"""Documents inside a document: their plain files have a prefix, next to its own.

A package is a document whose members are documents.  Its folder has the files of all of them: a
:class:`NestedDocument` is a member with the prefix of its files (``rooms/12/``).
:func:`part_files` lists them, and :func:`rebuild_part` makes the member that an edited folder says,
by the same steps as a document by itself is packed, so that all that holds for its own folder holds
for the part.

A format with parts has the members of
:class:`~overhaul.document.folder_format.FolderFormat`; ``unpack``, ``pack``, ``ls``, ``cat``,
``grep``,
``refs`` and ``diff`` then see one tree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from overhaul.document.plainfiles import Change, Folder, PlainFile, UnpackOptions
from overhaul.document.protocol import Document, Siblings
from overhaul.document.registry import folder_format_of
from overhaul.errors import OverhaulError, WorkspaceError
from overhaul.findings import path_under
from overhaul.folder.packing import Built, build
from overhaul.folder.toml import NAME

TYPE_CHECKING = False

#: The end of the literal beginning of a glob.
_WILD = "*?["


class NestedDocument:
    """A member that is a document: its ``name`` in the outer one, the ``prefix`` of its files
    (``rooms/12/``; "" where they stand among the outer one's own), its ``kind``.

    ``owns`` says whether a path without the prefix is one of its files; ``open`` gives the
    document, which the caller closes.
    """

    __slots__ = ("kind", "name", "open", "owns", "prefix")

    def __init__(
        self,
        name: str,
        prefix: str,
        kind: str,
        open: Callable[[], Document],
        owns: Callable[[str], bool] = lambda path: True,
    ) -> None:
        self.name: str = name
        self.prefix: str = prefix
        self.kind: str = kind
        self.open: Callable[[], Document] = open
        self.owns: Callable[[str], bool] = owns

    def has(self, path: str) -> bool:
        """Whether a path of the outer folder is one of its files."""
        return path.startswith(self.prefix) and self.owns(path[len(self.prefix) :])

    def __repr__(self) -> str:
        return f"Part({self.name!r}, {self.prefix!r})"


def part_of(parts: Iterable[NestedDocument], path: str) -> NestedDocument | None:
    """The part that a path belongs to: that of the longest prefix; None for an own file."""
    if path == NAME:
        return None
    found = [part for part in parts if path.startswith(part.prefix) and part.has(path)]
    return max(found, key=lambda part: len(part.prefix), default=None)


# --- the files of parts -------------------------------------------------------------------------


class PartOptions(UnpackOptions):
    """The options of unpacking, for a part, whose paths lack the prefix."""

    __slots__ = ("_outer", "_own", "prefix")

    def __init__(self, outer: UnpackOptions, prefix: str) -> None:
        super().__init__(
            only=outer.only,
            code=outer.code,
            whole=outer.whole,
            warn=outer.warn,
            proven=outer.proven,
        )
        self._outer = outer
        outer_prefix = outer.prefix if isinstance(outer, PartOptions) else ""
        #: the beginning of the paths of the whole folder, before those of the part
        self.prefix: str = outer_prefix + prefix
        self._own = prefix

    def wants(self, path: str) -> bool:
        """Whether a plain file is among those asked for."""
        return self._outer.wants(self._own + path)

    def wants_in(self, folder: str) -> bool:
        """Whether a plain file in a folder may be among those asked for."""
        return self._outer.wants_in(self._own + folder)


def may_want_in(prefix: str, options: UnpackOptions) -> bool:
    """Whether a file whose path begins with the prefix may be among those asked for."""
    if not options.only:
        return True
    outer = options.prefix if isinstance(options, PartOptions) else ""
    folder = NestedDocument("", outer + prefix, "", _never)
    return any(_may_match(folder, glob) for glob in options.only)


def _never() -> Document:
    raise WorkspaceError("it is not a document")


def may_want(part: NestedDocument, options: UnpackOptions) -> bool:
    """Whether a file of the part may be among those asked for, as far as the globs show."""
    if not options.only:
        return True
    return any(_may_match(part, glob) for glob in options.only)


def _may_match(part: NestedDocument, glob: str) -> bool:
    at = min((glob.find(c) for c in _WILD if c in glob), default=-1)
    if at < 0:
        glob = glob.rstrip("/")
        return part.has(glob) or part.prefix.startswith(f"{glob}/")
    start = glob[:at]
    if start.startswith(part.prefix):
        rest = start[len(part.prefix) :]
        return "/" not in rest or part.owns(rest)
    return part.prefix.startswith(start)


def part_files(
    part: NestedDocument, document: Document, options: UnpackOptions
) -> Iterator[PlainFile]:
    """The plain files of a part's document, by their paths in the outer folder."""
    inner = PartOptions(options, part.prefix)
    for file in folder_format_of(document.kind).plain_files(document, inner):
        file.path = part.prefix + file.path
        yield file


# --- packing ------------------------------------------------------------------------------------


def folder_of(
    part: NestedDocument,
    folder: Folder,
    parts: Iterable[NestedDocument],
    settings: dict[str, object],
) -> Folder:
    """The files of a part, as its format reads them: without the prefix."""
    listed = list(parts)
    own = folder.only(lambda path: part_of(listed, path) is part)
    return own.under(part.prefix, settings)


def without_parts(folder: Folder, parts: Iterable[NestedDocument]) -> Folder:
    """The files of a document without those of its parts."""
    listed = list(parts)
    return folder.only(lambda path: part_of(listed, path) is None)


def changes_by_part(
    parts: Iterable[NestedDocument], changes: Mapping[str, Change]
) -> tuple[dict[str, Change], dict[str, dict[str, Change]]]:
    """The changes of own files; those of each part by its name, without the prefix."""
    listed = list(parts)
    own: dict[str, Change] = {}
    inside: dict[str, dict[str, Change]] = {}
    for path, change in changes.items():
        part = part_of(listed, path)
        if part is None:
            own[path] = change
        else:
            inside.setdefault(part.name, {})[path[len(part.prefix) :]] = change
    return own, inside


def rebuild_part(
    part: NestedDocument,
    folder: Folder,
    changes: Mapping[str, Change],
    *,
    fresh: bool = False,
    siblings: Siblings | None = None,
) -> Built:
    """The member that the edited files of a part make; ``fresh``: from its files only.

    ``siblings`` are the files next to it.  Raises what packing raises, with the paths of the outer
    folder.
    """
    try:
        if fresh:
            document = folder_format_of(part.kind).empty({"kind": part.kind, **folder.settings})
            document.source = part.name
            built = build(document, folder, changes, siblings=siblings)
        else:
            built = build(part.open(), folder, changes, part.open, siblings=siblings)
    except OverhaulError as error:
        raise error.moved(lambda path: path_under(part.prefix, path)) from error
    return built._replace(findings=built.findings.under(part.prefix))
