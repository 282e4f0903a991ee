"""Many files at once: a table of what each becomes, then one step."""

from __future__ import annotations

import msgspec

from overhaul.document.registry import folder_format_of
from overhaul.errors import OverhaulError, WorkspaceError
from overhaul.mods.view import FileView
from overhaul.viewer.answers import Answer, Asked, DataPage, Moved
from overhaul.viewer.opened import NotThere, Opened
from overhaul.viewer.writing import Writer, must_write
from overhaul.workbench import importing
from overhaul.workbench.importing import Import, State

_IMPORT = "Import files"


class Sent(msgspec.Struct, frozen=True):
    """The first line of what is sent: the files whose bytes follow one another, as ``path`` and
    size; ``chosen``: the files to import."""

    files: list[tuple[str, int]]
    chosen: list[str] = []


class ImportRow(msgspec.Struct, frozen=True):
    """A file: what it becomes, and where that is shown now."""

    file: str
    target: str
    state: str
    note: str
    href: str
    is_used: bool


class ImportPage(msgspec.Struct, frozen=True):
    """The resources that files become; none before some were sent."""

    rows: list[ImportRow]
    counts: dict[str, int]
    problem: str
    why: str


def show_import(asked: Asked) -> Answer:
    """``/-/import``; a POST has files (see :class:`Sent`): with ``?do=plan`` the answer is what
    they become, else the chosen ones are a step."""
    opened = asked.opened
    if opened.writer is None or not import_href(opened):
        raise NotThere("files can't be imported here")
    if asked.method != "POST":
        page = ImportPage([], {}, "", opened.writer.why)
        return DataPage("import.html", page, _IMPORT)
    plans = asked.query.get("do") == "plan"
    try:
        sent, files = _files_of(asked.body)
        rows = importing.planned(_view(opened, opened.writer), files)
        if not plans:
            return _imported(opened, rows, set(sent.chosen))
    except OverhaulError as error:
        page = ImportPage([], {}, str(error), opened.writer.why)
        template = "import-plan.html" if plans else "import.html"
        return DataPage(template, page, _IMPORT, status=422, whole=not plans)
    page = ImportPage([_row(opened, row) for row in rows], _counts(rows), "", opened.writer.why)
    return DataPage("import-plan.html", page, _IMPORT, whole=False)


def import_href(opened: Opened) -> str:
    """Where files are imported; "" where that is not possible."""
    known = folder_format_of(opened.document.kind)
    if opened.writer is None or opened.writer.why or known.edited_in_place:
        return ""
    return f"{opened.prefix}/-/import"


def _files_of(body: bytes) -> tuple[Sent, dict[str, bytes]]:
    """The files of a body.  Raises WorkspaceError for another."""
    head, _, rest = body.partition(b"\n")
    try:
        sent = msgspec.json.decode(head, type=Sent)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise WorkspaceError(f"the files were not sent as this page does it: {error}") from error
    if any(size < 0 for _, size in sent.files) or sum(n for _, n in sent.files) != len(rest):
        raise WorkspaceError("the files were not sent whole")
    at, given = 0, []
    for path, size in sent.files:
        given.append((path, rest[at : at + size]))
        at += size
    return sent, dict(importing.unpacked(given))


def _view(opened: Opened, writer: Writer) -> FileView:
    return FileView(opened.document) if writer.place else writer.bench.view


def _imported(opened: Opened, rows: list[Import], chosen: set[str]) -> Answer:
    """The chosen files as a step.  Raises WorkspaceError, and what packing raises."""
    used = [row for row in rows if row.file in chosen and row.changes]
    if not used:
        raise WorkspaceError("no file is chosen that changes the game")
    changes = {path: data for row in used for path, data in row.changes.items()}
    names = ", ".join(row.file.rpartition("/")[2] for row in used[:3])
    more = f" and {len(used) - 3} more" if len(used) > 3 else ""
    step = must_write(opened.writer).step(changes, f"Import {names}{more}")
    return Moved(f"{opened.root.prefix}/-/steps/{step.id}")


def _row(opened: Opened, row: Import) -> ImportRow:
    entry = opened.entry_at(row.target) if row.target and row.state != State.NEW else None
    return ImportRow(
        row.file,
        row.target,
        row.state.value,
        row.note,
        "" if entry is None else opened.href(entry),
        bool(row.changes),
    )


def _counts(rows: list[Import]) -> dict[str, int]:
    """The number of files in each state, as far as there are any."""
    counts = {state.value: sum(row.state is state for row in rows) for state in State}
    return {state: count for state, count in counts.items() if count}
