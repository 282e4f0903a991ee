"""A game with some of its plain files changed, built in memory as packing a folder does."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import NamedTuple

from overhaul import patches
from overhaul.document.plainfiles import Change, Folder, PackOptions
from overhaul.document.protocol import Document
from overhaul.document.reading import FoundFile, nothing_to_release, open_data
from overhaul.errors import OverhaulError, PlainFileError, SourceError
from overhaul.findings import Findings
from overhaul.folder.packing import Built, build
from overhaul.folder.toml import NAME
from overhaul.mods.renames import moved_path
from overhaul.mods.renaming import Renaming
from overhaul.mods.view import CODE, FileView, Game, opened


def _changed_files(
    view: FileView,
    changed: Mapping[str, bytes | None],
    settings: Mapping[str, object],
    options: PackOptions,
) -> Folder:
    """The plain files of a game, with others in the place of some (None: gone).

    Sources that no mod changed are not listed, as reading them says nothing that the game does not
    say itself.
    """

    def read(path: str) -> bytes:
        if path not in view:
            raise PlainFileError("there is no such file", path)
        return view.read(path)

    def has(path: str) -> bool:
        source = view.source_of(path)
        is_gone = bool(source) and changed.get(source, b"") is None
        return not is_gone and path in view

    def list_paths() -> set[str]:
        return {*view.derived, *(path for path in view.files if path not in view.assembly)}

    def list_in(name: str) -> list[str]:
        if name == view.format.assembled:
            return []
        near = view.paths_in(name)
        return [path for path in near if path in view.derived or path not in view.assembly]

    all_settings = {**view.all_settings(), **settings}
    folder = Folder(list_paths, read, all_settings, options, has, list_in)
    return folder.overlay(
        {path: None if data is None else data.__bytes__ for path, data in changed.items()}
    )


def rebuild(
    view: FileView,
    changed: Mapping[str, bytes | None],
    settings: Mapping[str, object] | None = None,
    options: PackOptions | None = None,
) -> Built:
    """The file that packing would make if the plain files were changed so (None: gone).

    Raises what :func:`overhaul.pack` raises for edits that can't be taken.
    """
    options = options or PackOptions(remove_all_code=True)
    changed, options, findings = _with_parts(view, changed, options)
    files = _changed_files(view, changed, settings or {}, options)
    changes: dict[str, Change] = {}
    for path, data in sorted(changed.items()):
        if data is None:
            changes[path] = "removed"
        else:
            changes[path] = "changed" if path in view else "added"
    if settings:
        changes[NAME] = "changed"
    built = build(view.reopen(), files, changes, view.reopen)
    kept = {path: data for path, data in view.sources.items() if path not in changed}
    return built._replace(
        sources={**kept, **built.sources}, findings=Findings([*findings, *built.findings])
    )


def _with_parts(
    view: FileView, changed: Mapping[str, bytes | None], options: PackOptions
) -> tuple[dict[str, bytes | None], PackOptions, Findings]:
    """The changes of a game where those inside of documents in it are changes of these, the
    options that say so, and warnings about these."""
    made: dict[str, bytes | None] = {}
    inside: dict[str, dict[str, bytes | None]] = {}
    for path, data in changed.items():
        head, rest = view.part_of(path)
        (inside.setdefault(head, {}) if head else made)[rest] = data
    findings: Findings = Findings()
    for head, files in inside.items():
        part = view.part(head)
        if part is None:
            made[head] = None
            continue
        with _errors_in(head):
            built = rebuild(part, files, None, options)
        made[head] = built.data
        findings += built.findings.under(f"{head}/")
    return made, options.with_inside(inside), findings


@contextmanager
def _errors_in(head: str) -> Iterator[None]:
    """Let errors name files as they are named outside of a document."""
    try:
        yield
    except PlainFileError as error:
        error.file = f"{head}/{error.file}"
        raise
    except OverhaulError as error:
        if isinstance(error, SourceError) and error.name:
            error.name = f"{head}/{error.name}"
            raise
        raise PlainFileError(str(error), head) from error


def view_of(built: Built, source: str | None) -> FileView:
    """The view of a game that was built."""
    siblings = built if built.around is None else built.around
    original = FoundFile(built.content, source, siblings, nothing_to_release, built.sources)
    return FileView(original.open(), original, lazily=True)


def patched(game: Game, patch: bytes) -> Document:
    """The game that a binary patch (BPS, xdelta, UPS, IPS) makes of a game's file, with the files
    next to it unchanged.

    Raises FormatError for a broken patch, one for another file, and if it makes no game.
    """
    with opened(game) as view:
        data, siblings = view.original()
        made = patches.apply(patch, data)
        return open_data(made, source=view.document.source, siblings=siblings)


def with_names(view: FileView, renamed: Mapping[str, str], texts: Mapping[str, str]) -> FileView:
    """A game with resources renamed and texts edited.  Raises what packing raises."""
    changed = rename_files(view, renamed)
    path = view.texts()
    if texts and path is not None:
        changed[path] = with_texts(view.read(path), texts)
    if not changed:
        return view
    return view_of(rebuild(view, changed), view.document.source)


def rename_files(view: FileView, renamed: Mapping[str, str]) -> dict[str, bytes | None]:
    """The changes of plain files that rename resources."""
    changed: dict[str, bytes | None] = {}
    # packing itself follows the names of other resources
    renaming = Renaming({old: new for old, new in renamed.items() if old.startswith(CODE)})
    for path, place in view.resources().items() if renamed else ():
        if place in renamed:
            changed[path] = None
            data = renaming.file(path, view.read(path))
            changed[moved_path(path, {place: renamed[place]})] = data
    return changed


#: Of how many rows one may differ, and it is still the same table with edited texts.
# -- the table of texts (strings.csv) --------------------------------------------------------------

_EDITED = 20
_LONGEST = 1 << 30


class TextRow(NamedTuple):
    """A row; texts of a ``kind`` can't be edited."""

    text: str
    kind: str


def read_texts(data: bytes) -> list[TextRow]:
    """The rows of the file that a format makes."""
    limit = csv.field_size_limit(_LONGEST)
    try:
        text = data.decode("utf-8", "surrogateescape")
        rows = list(csv.reader(io.StringIO(text, newline="")))
    finally:
        csv.field_size_limit(limit)
    return [TextRow(row[1], row[2] if len(row) > 2 else "") for row in rows[1:] if len(row) > 1]


def edited_texts(before: bytes, after: bytes) -> dict[str, str]:
    """The texts that were edited in place, old and new; empty if the tables are of two builds."""
    old, new = read_texts(before), read_texts(after)
    edited = {
        one.text: two.text for one, two in zip(old, new, strict=False) if one.text != two.text
    }
    if not edited or len(new) < len(old) or len(edited) * _EDITED > max(len(old), _EDITED):
        return {}
    kinds = {row.text: row.kind for row in (*old, *new)}
    left, known = {row.text for row in new}, {row.text for row in old}
    if any(kinds[one] or kinds[two] or one in left or two in known for one, two in edited.items()):
        return {}
    return edited


def with_texts(data: bytes, edited: Mapping[str, str]) -> bytes:
    """The file with edited texts."""
    rows = read_texts(data)
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n", quoting=csv.QUOTE_ALL)
    writer.writerow(("index", "text"))
    for index, row in enumerate(rows):
        if not row.kind and row.text in edited:
            writer.writerow((index, edited[row.text]))
        elif "\ufffd" not in row.text:  # rows that are left out do not change
            writer.writerow((index, row.text))
    return out.getvalue().encode("utf-8", "surrogateescape")


def text_details(before: bytes, after: bytes) -> dict[str, object] | None:
    """The differences between two tables, for people; None if only the order does."""
    edited = edited_texts(before, after)
    old, new = (Counter(row.text for row in read_texts(data)) for data in (before, after))
    gone, came = sorted((old - new).elements()), sorted((new - old).elements())
    if not gone and not came:
        return None
    fields = [{"path": one, "old": one, "new": two} for one, two in sorted(edited.items())]
    gone = [text for text in gone if text not in edited]
    came = [text for text in came if text not in edited.values()]
    return {"fields": fields} | {
        key: texts for key, texts in (("removed", gone), ("added", came)) if texts
    }
