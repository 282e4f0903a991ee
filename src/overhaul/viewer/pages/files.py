"""A plain file as text, to be edited: scripts, dialogs, tables, and JSON as written."""

from __future__ import annotations

from collections.abc import Iterable, Set
from urllib.parse import urlencode

import msgspec

from overhaul.errors import OverhaulError, PlainFileError, SourceError
from overhaul.mods.view import FileView
from overhaul.viewer.answers import Answer, Asked, Crumb, DataPage, Moved
from overhaul.viewer.opened import ListedResource, NotThere, Opened
from overhaul.viewer.pages import late
from overhaul.viewer.pages.edit import Mistake, bytes_of, form_of
from overhaul.viewer.pages.merging import STILL_MARKED, Merge, marked_line, merged
from overhaul.viewer.writing import must_write
from overhaul.workbench.bench import NothingChanged, StaleEdit
from overhaul.workbench.journal import digest_of
from overhaul.workbench.typed import as_typed, in_browser

#: A larger file is not edited in a browser.
LARGEST = 4 << 20
ASSEMBLY = ".asm"
#: files of shaders whose whole source is there, as the engine gives it to a browser
_STAGES = {"vertex.glsl": "vertex", "fragment.glsl": "fragment"}
#: endings of plain files that are text
TEXTS = (
    *(".gml", ".asm", ".json", ".csv", ".txt", ".trs", ".asc", ".ash", ".ads", ".glsl", ".hlsl"),
    *(".ini", ".fsh", ".vsh", ".xml", ".md", ".rtf", ".yy", ".yyp", ".gmx"),
)


class FilePage(msgspec.Struct, frozen=True):
    """A plain file as it was typed: ``before`` is the digest of the file that is changed,
    ``mistakes`` what packing refuses; ``form``: where its fields are edited, ``page`` where it is
    shown; ``why``: why it can't be edited; ``editor`` are the settings of the code editor.

    ``before`` is the digest of the file as the page was opened with it, ``base`` its text then;
    ``merge``: the file was changed meanwhile, and ``text`` has both edits.  ``accept`` was chosen.
    ``source``: the file is the assembly of that source, which it replaces; ``is_written``: the
    source is as somebody wrote it, with comments.  ``stage`` is that of a shader in the language of
    WebGL: ``vertex``, ``fragment`` or "".  ``edit_source`` is where that source is edited.
    """

    path: str
    text: str
    before: str
    mistakes: list[Mistake]
    why: str
    form: str
    page: str
    outcome: str = ""
    editor: str = ""
    base: str = ""
    merge: Merge | None = None
    accept: bool = False
    source: str = ""
    is_written: bool = False
    stage: str = ""
    edit_source: str = ""


def show_file(asked: Asked) -> Answer:
    """``/-/file?path=PATH``; a POST (``text``, ``before``) is a step.

    Code has its assembly too, next to its source; what is typed there takes the source's place.
    """
    opened, path = asked.opened, asked.query.get("path", "")
    source = source_of(opened, path)
    stored = read(opened, source or path)
    data = _view(opened).read(path) if source else stored
    text = text_of(data, path)
    if asked.method != "POST":
        page = _page(opened, path, text, digest_of(stored), base=text, outcome=asked.outcome)
        return _shown(opened, path, page)
    given = form_of(asked.body)
    typed, base = (as_typed(given.get(name, ""), "") for name in ("text", "base"))
    before, known = given.get("before", ""), paths_next_to(opened, path)
    accept = given.get("accept") == "yes"
    try:
        if line := marked_line(typed):
            raise PlainFileError(STILL_MARKED, file=path, line=line)
        changes: dict[str, bytes | None] = {path: bytes_of(typed, data)}
        if source and typed.rstrip() != in_browser(text).rstrip():
            changes[source] = None
        must_write(opened.writer).step(
            {} if source and source not in changes else changes,
            f"Edit {path}",
            before={source or path: before},
            accept=accept,
        )
        outcome = "made"
    except NothingChanged:
        outcome = "same"
    except StaleEdit:
        if not base:
            raise
        both, merge = merged(path, base, typed, in_browser(text))
        page = _page(opened, path, both, digest_of(stored), base=text, merge=merge)
        return _shown(opened, path, page, 409)
    except OverhaulError as error:
        page = _page(opened, path, typed, before, mistakes_of(error, path, opened), base=base)
        page = msgspec.structs.replace(page, accept=accept)
        return _shown(opened, path, page, 422)
    now = path_after(opened, path, known)
    return Moved(f"{href_of(opened, now)}&saved={outcome}" if now else f"{opened.prefix}/")


def paths_next_to(opened: Opened, path: str) -> frozenset[str]:
    """The plain files in the folder of one."""
    return _view(opened).next_to(path)


def path_after(opened: Opened, path: str, known: Set[str]) -> str:
    """Where a file is after a step: at another path where its resource got another name; "" where
    no file shows that.  ``known`` are the files next to it before the step."""
    now = paths_next_to(opened, path)
    if path in now or path not in known:
        return path
    ending = path.rpartition(".")[2]
    made = [each for each in now - known if each.rpartition(".")[2] == ending]
    return made[0] if len(made) == 1 else ""


def _shown(opened: Opened, path: str, page: FilePage, status: int = 200) -> DataPage:
    way = _way(opened, path)
    return DataPage("file.html", page, path, way, path.rpartition("/")[2] if way else path, status)


def href_of(opened: Opened, path: str) -> str:
    """Where a plain file is edited."""
    return f"{opened.prefix}/-/file?{urlencode({'path': path})}"


def source_of(opened: Opened, path: str) -> str:
    """The source whose assembly a file is, which the game's folder has in its place; "" for another
    file."""
    writer = opened.writer
    if writer is None or not path.endswith(ASSEMBLY):
        return ""
    view = _view(opened)
    source = "" if path in view.files else view.source_of(path)
    return source if source and writer.has(source) else ""  # a folder has one of both


def _view(opened: Opened) -> FileView:
    writer = opened.writer
    if writer is None or writer.place:
        return FileView(opened.document)
    return writer.bench.view


def assembly_href(opened: Opened, entry: ListedResource) -> str:
    """Where the assembly of code is edited; "" where it can't be."""
    if opened.writer is None or opened.writer.why or not opened.writer.has(entry.path):
        return ""
    found = _view(opened).assembly.get(entry.path)
    return "" if found is None else href_of(opened, found.path)


def read(opened: Opened, path: str) -> bytes:
    """The bytes of a plain file.  Raises NotThere."""
    writer = opened.writer
    if writer is None or not path or not writer.has(path):
        raise NotThere(f"there is no file {path!r} that can be edited")
    try:
        return writer.read(path)
    except OSError as error:
        raise NotThere(f"{path} can't be read: {error.strerror}") from error


def text_of(data: bytes, path: str) -> str:
    """The text of a file.  Raises NotThere for one that is none, or too long."""
    if not path.lower().endswith(TEXTS):
        raise NotThere(f"{path} is not text")
    if len(data) > LARGEST:
        raise NotThere(f"{path} is too long to be edited here; unpack the game for that")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise NotThere(f"{path} is not UTF-8") from error


def mistakes_of(error: OverhaulError, path: str, opened: Opened) -> list[Mistake]:
    """The findings with which packing refuses, at their places in the file; those elsewhere name
    their place."""
    place = "" if opened.writer is None else opened.writer.place
    errors: Iterable[BaseException] = getattr(error, "errors", None) or (error,)
    return [_mistake(mistake, path, place) for mistake in errors]


def _mistake(error: BaseException, path: str, place: str) -> Mistake:
    if isinstance(error, PlainFileError):
        if error.file.removeprefix(place) == path:
            said = ": ".join(filter(None, (error.key, error.message)))
            return Mistake(error.line, error.column, said)
    elif isinstance(error, SourceError) and error.line and _same(error.name, path, place):
        return Mistake(error.line, error.column, error.message)
    return Mistake(0, 0, str(error))


def _same(name: str, path: str, place: str) -> bool:
    return not name or name.removeprefix(place) == path


def _page(
    opened: Opened,
    path: str,
    text: str,
    before: str,
    mistakes: Iterable[Mistake] = (),
    *,
    base: str,
    outcome: str = "",
    merge: Merge | None = None,
) -> FilePage:
    entry = opened.entry_at(path)
    why = "" if opened.writer is None else opened.writer.why
    form = ""
    if path.endswith(".json"):
        form = f"{opened.prefix}/-/form?{urlencode({'path': path})}"
    page = "" if entry is None else opened.href(entry)
    editor = late("language:editor_of")(opened, path, page)
    source = source_of(opened, path)
    writer = opened.writer
    return FilePage(
        path, text, before, [*mistakes], why, form, page, outcome, editor, base=base, merge=merge,
        source=source,
        is_written=bool(source and writer is not None and writer.written(source) is not None),
        stage=_STAGES.get(path.rpartition("/")[2], ""),
        edit_source=_edit_href(opened, entry, source) if source else "",
    )  # fmt: skip


def _edit_href(opened: Opened, entry: ListedResource | None, path: str) -> str:
    """Where a source is edited: code of a game has an editor of its own."""
    if entry is None or entry.kind != "code entry":
        return href_of(opened, path)
    return f"{opened.prefix}/-/edit{opened.own_path(entry)}"


def _way(opened: Opened, path: str) -> tuple[Crumb, ...]:
    entry = opened.entry_at(path)
    if entry is None:
        return ()
    listing = opened.listings[entry.slug]
    return (
        Crumb(listing.title, f"{opened.prefix}/{listing.slug}"),
        Crumb(entry.name, opened.href(entry)),
    )
