"""The steps of a game on the workbench: undone, done again, looked at, saved."""

from __future__ import annotations

import time
from collections.abc import Sequence
from urllib.parse import quote, urlencode

import msgspec

from overhaul.document.names import is_safe_component
from overhaul.document.registry import folder_format_of
from overhaul.errors import WorkspaceError
from overhaul.findings import Finding
from overhaul.mods.comparing import compare
from overhaul.mods.view import FileView
from overhaul.viewer import running
from overhaul.viewer.answers import Answer, Apart, Asked, Crumb, DataPage, Media, Moved
from overhaul.viewer.opened import PICTURES, SOUNDS, NotThere, Opened
from overhaul.viewer.pages.compare import Compared, LinePair, Pair, rows_of_texts, show_compared
from overhaul.viewer.pages.edit import form_of
from overhaul.viewer.pages.files import TEXTS
from overhaul.viewer.pages.generic import media_of
from overhaul.viewer.pages.making import mod_or_report
from overhaul.viewer.writing import Writer, must_write
from overhaul.workbench import Bench, FileBench
from overhaul.workbench.bench import NothingChanged, StaleEdit
from overhaul.workbench.history import Change, Step

#: files of a step that its row names, and the newest steps that are listed
_NAMED = 4
_LISTED = 500
#: files and rows that the page of a step shows, and bytes of a text that is compared
_FILES, _ROWS = 40, 400
_LONGEST = 1 << 20


class StepRow(msgspec.Struct, frozen=True):
    """A step: when it was made (``2026-11-26 14:05``), what it changes, whether it is on show."""

    id: int
    label: str
    time: str
    files: list[str]
    more: int
    findings: Sequence[Finding]
    here: bool
    saved: bool


class StepsPage(msgspec.Struct, frozen=True):
    """The steps of a game: those that are ``done`` and ``undone``, the last first, and ``others``,
    after which something else was done.  ``earlier``: steps that are done but not listed.

    ``unsaved``: saving would change the file ``path``; ``backup`` is what the original is kept as.
    ``folder``: steps write their files, and there is nothing to save.  ``saves``: the file is not
    inside another one, so it can be written.  ``left``: how many steps were made on each other file
    that was at this path.  ``project``: saving writes the files of a project that differ.
    """

    done: list[StepRow]
    undone: list[StepRow]
    others: list[StepRow]
    earlier: int
    at: int
    unsaved: bool
    folder: bool
    saves: bool
    path: str
    backup: str
    notes: list[str]
    why: str
    left: list[int]
    problem: str = ""
    project: bool = False


class FileChange(msgspec.Struct, frozen=True):
    """A plain file that a step changes: ``kind`` is ``added``, ``changed`` or ``removed``; ``rows``
    are its texts next to each other, ``sizes`` what it has in bytes before and after; ``pair`` are
    the addresses of a picture or sound before and after."""

    path: str
    kind: str
    rows: list[LinePair]
    more: bool
    sizes: tuple[int, int]
    page: str
    pair: Pair | None = None


class StepPage(msgspec.Struct, frozen=True):
    """The changes of one step; ``more`` files are not listed."""

    step: StepRow
    files: list[FileChange]
    more: int


def show_steps(asked: Asked) -> Answer:
    """``/-/steps``: all steps; ``/-/steps/game`` and ``/-/steps/mod`` are downloads, and
    ``/-/steps/changes`` says what all steps together change."""
    opened = asked.opened.root
    writer = _writer(opened)
    name, _, rest = asked.rest.partition("/")
    if name == "game":
        return _game(opened, writer)
    if name == "mod":
        return _as_mod(asked, writer.bench)
    if name == "left":
        return _left(asked, writer, rest)
    if name == "changes":
        return _changes(asked, writer, rest)
    if name.isascii() and name.isdigit() and len(name) < 10:
        step = writer.bench.history.steps.get(int(name))
        if step is None:
            raise NotThere("there is no such step")
        return _file_of(writer, step, rest) if rest else _step(opened, writer, step)
    if name:
        raise NotThere("page not found")
    return _page(opened, writer)


def _file_of(writer: Writer, step: Step, rest: str) -> Media:
    """``old/PATH`` and ``new/PATH``: a file before and after a step."""
    side, _, path = rest.partition("/")
    change, journal = step.changes.get(path), writer.bench.journal
    if change is None or journal is None or side not in ("old", "new"):
        raise NotThere("the step has no such file")
    data = journal.both(change)[side == "new"]
    if data is None:
        raise NotThere("the step has no such file")
    return media_of(path, data)


def _step(opened: Opened, writer: Writer, step: Step) -> DataPage:
    where = f"{opened.prefix}/-/steps/{step.id}"
    files = [
        _file_change(opened, writer, path, change, where)
        for path, change in list(step.changes.items())[:_FILES]
    ]
    page = StepPage(row_of(step, writer), files, max(0, len(step.changes) - len(files)))
    crumb = Crumb("Steps", f"{opened.prefix}/-/steps")
    return DataPage("step.html", page, step.label, (crumb,))


def _file_change(
    opened: Opened, writer: Writer, path: str, change: Change, where: str
) -> FileChange:
    journal = writer.bench.journal
    if journal is None:
        raise NotThere("the steps are no longer kept")
    before, after = journal.both(change)
    kind = "added" if before is None else "removed" if after is None else "changed"
    sizes = (len(before or b""), len(after or b""))
    rows: list[LinePair] = []
    if path.lower().endswith(TEXTS) and max(sizes) <= _LONGEST:
        texts = [(data or b"").decode("utf-8", "replace").splitlines() for data in (before, after)]
        rows = rows_of_texts(*texts)
    page = page_of_file(opened, path) if after is not None else ""
    pair = None
    if path.endswith(PICTURES + SOUNDS):
        old = "" if before is None else f"{where}/old/{quote(path)}"
        new = "" if after is None else f"{where}/new/{quote(path)}"
        pair = Pair(path, "sound" if path.endswith(SOUNDS) else "picture", old, new, "")
    return FileChange(path, kind, rows[:_ROWS], len(rows) > _ROWS, sizes, page, pair)


def _page(opened: Opened, writer: Writer, problem: str = "", status: int = 200) -> DataPage:
    bench = writer.bench
    history = bench.history
    way = history.path_to()
    done = [row_of(step, writer) for step in way[::-1][:_LISTED]]
    file = isinstance(bench, FileBench)
    is_project = folder_format_of(opened.root.document.kind).edits_files
    data = StepsPage(
        done,
        [row_of(step, writer) for step in history.undone()[:_LISTED]],
        [row_of(step, writer) for step in history.abandoned()[::-1][:_LISTED]],
        len(way) - len(done),
        history.at,
        isinstance(bench, FileBench) and bench.unsaved,
        not file,
        bench.saves,
        bench.source,
        f"{opened.title}.bak" if file and not is_project and not history.saved else "",
        list(bench.notes),
        bench.why,
        [each.number for each in bench.left] if isinstance(bench, FileBench) else [],
        problem,
        is_project,
    )
    return DataPage("steps.html", data, "Steps", status=status)


def row_of(step: Step, writer: Writer) -> StepRow:
    """A step as pages list it."""
    history = writer.bench.history
    files = list(step.changes)
    return StepRow(
        step.id,
        step.label,
        time.strftime("%Y-%m-%d %H:%M", time.localtime(step.time)),
        files[:_NAMED],
        max(0, len(files) - _NAMED),
        step.said(),
        step.id == history.at,
        step.id in history.saved.values(),
    )


def _writer(opened: Opened) -> Writer:
    if opened.writer is None:
        raise NotThere("this file can't be edited")
    return opened.writer


# ------------------------------------------------------------------------------------- downloads


def _game(opened: Opened, writer: Writer) -> Media:
    bench = writer.bench
    if not isinstance(bench, FileBench):
        raise NotThere("a folder is packed by overhaul pack")
    return Media(bytes(bench.data()), "application/octet-stream", opened.title, keep=False)


def _left(asked: Asked, writer: Writer, rest: str) -> Answer:
    """``left/N/game`` and ``left/N/mod``: of a file that was at the path before."""
    bench = writer.bench
    number, _, what = rest.partition("/")
    there = isinstance(bench, FileBench) and number.isascii() and number.isdigit()
    if not isinstance(bench, FileBench) or not there or int(number[:6]) >= len(bench.left):
        raise NotThere("there are no such steps")
    other = bench.orphaned_bench(int(number[:6]))
    try:
        if what == "game":
            data = bytes(other.data())
            title = asked.opened.root.title
            return Media(data, "application/octet-stream", title, keep=False)
        if what == "mod":
            return _as_mod(asked, other)
    finally:
        other.close()
    raise NotThere("page not found")


def _as_mod(asked: Asked, bench: Bench) -> Answer:
    name = (asked.query.get("name", "") or "my changes")[:100]
    mod = bench.mod(name)
    if not mod and not mod.left_out:
        raise NothingChanged("nothing was changed, so there is nothing for a mod")
    crumb = Crumb("Steps", f"{asked.opened.root.prefix}/-/steps")
    return mod_or_report(asked, mod, f"{name}.mod", (crumb,))


def _changes(asked: Asked, writer: Writer, rest: str) -> Answer:
    """The changes of all steps together: the game as it was, compared with the selected version."""
    opened = asked.opened.root

    def make() -> Compared:
        old, new = FileView(writer.bench.original()), writer.bench.view
        return Compared(old, new, compare(old, new))

    compared = opened.remember("all changes", make, lambda made: 1_000_000)
    return show_compared(asked, compared, opened, f"{opened.prefix}/-/steps/changes", rest)


# --------------------------------------------------------------------------------------- changes


def undo(asked: Asked) -> Moved:
    """``POST /-/undo``: take the last step back."""
    return _moved(asked, _posted(asked).undo())


def redo(asked: Asked) -> Moved:
    """``POST /-/redo``: do the step again that was undone last."""
    return _moved(asked, _posted(asked).redo())


def go(asked: Asked) -> Moved:
    """``POST /-/go``: show the game as it was after a step (``to``; 0: before the first)."""
    writer = _posted(asked)
    to = form_of(asked.body).get("to", "")
    if not (to.isascii() and to.isdigit() and len(to) < 10):
        raise NotThere("there is no such step")
    writer.go(int(to))
    return Moved(f"{asked.opened.root.prefix}/-/steps")


def save(asked: Asked) -> Answer:
    """``POST /-/save``: write the file; with ``as``, another one next to it."""
    writer = _posted(asked)
    opened, bench = asked.opened.root, writer.bench
    if not isinstance(bench, FileBench):
        raise WorkspaceError("the files of a folder are written by each step")
    name = form_of(asked.body).get("as", "").strip()
    try:
        place = bench.source if bench.saves else bench.source.partition("!")[0]
        bench.save(_next_to(place, name) if name else None)
    except StaleEdit as error:
        return _page(opened, writer, str(error), 409)
    except (WorkspaceError, OSError) as error:
        return _page(opened, writer, _words(error), 422)
    opened.saved()
    return Moved(f"{opened.prefix}/-/steps")


def run_game(asked: Asked) -> Answer:
    """``POST /-/run``: start a copy of the game as it is now with the runner that was named."""
    writer, runner = _posted(asked), asked.site.runner
    opened, bench = asked.opened.root, writer.bench
    if not runner or not isinstance(bench, FileBench) or not bench.saves:
        raise WorkspaceError("the game can't be started: overhaul view --runner names the program")
    try:
        copy = running.Copy(bench, opened.document.kind)
    except (WorkspaceError, OSError) as error:
        return _page(opened, writer, _words(error), 422)

    def started() -> str:  # files next to the game may be large
        try:
            copy.start(runner)
        except OSError as error:
            return _words(error)
        return ""

    def done(problem: str) -> DataPage | Moved:
        if problem:
            return _page(opened, writer, problem, 422)
        return Moved(f"{opened.prefix}/-/steps")

    return Apart(started, done)


def _next_to(source: str, name: str) -> str:
    """A path in the folder of a file. Raises WorkspaceError for an invalid file name."""
    if not is_safe_component(name) or name.startswith(".") or len(name) > 200:
        raise WorkspaceError(f"{name!r} can't be the name of a file next to the game")
    head, slash, _ = source.replace("\\", "/").rpartition("/")
    return f"{head}{slash}{name}"


def _words(error: Exception) -> str:
    if isinstance(error, FileExistsError):
        return f"{error.filename} is there already; choose another name"
    return str(error)


def _posted(asked: Asked) -> Writer:
    if asked.method != "POST":
        raise NotThere("this address only takes POST")
    return must_write(asked.opened.root.writer)


def _moved(asked: Asked, path: str) -> Moved:
    """To the page that shows what a step changed; where the request came from, if it says."""
    opened = asked.opened.root
    back = form_of(asked.body).get("back", "")
    if back == "steps":
        return Moved(f"{opened.prefix}/-/steps")
    return Moved(page_of_file(opened, path))


def page_of_file(opened: Opened, path: str) -> str:
    """The address of the page that shows a plain file; the first page where none does."""
    entry = opened.entry_at(path)
    if entry is None:
        return f"{opened.prefix}/"
    if path.startswith(f"{entry.path}/") and opened.inside.can_open(entry.name):
        rest = path[len(entry.path) + 1 :]
        return f"{opened.inside.prefix(entry.name)}/-/go-to?{urlencode({'file': rest})}"
    return opened.href(entry)


def go_to(asked: Asked) -> Moved:
    """``/-/go-to?file=PATH``: the page that shows a plain file."""
    path = asked.query.get("file", "")
    entry = asked.opened.entry_at(path)
    return Moved(f"{asked.opened.prefix}/" if entry is None else asked.opened.href(entry))
