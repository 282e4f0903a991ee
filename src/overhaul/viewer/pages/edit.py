"""Trying a change of code, and saving it, or a picture or sound, into the unpacked folder."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, cast
from urllib.parse import parse_qs

import msgspec

from overhaul.errors import OverhaulError, WorkspaceError
from overhaul.gml.errors import SyntaxError_
from overhaul.viewer.answers import Answer, Asked, Crumb, DataPage, Moved
from overhaul.viewer.opened import ListedResource, NotThere, Opened
from overhaul.viewer.pages import late
from overhaul.viewer.pages.merging import (
    STILL_MARKED,
    Merge,
    difference,
    marked_line,
    merged,
)
from overhaul.viewer.writing import Writer, must_write
from overhaul.workbench.bench import StaleEdit
from overhaul.workbench.typed import as_typed, in_browser

if TYPE_CHECKING:
    from overhaul.gamemaker.data.game import GameData
    from overhaul.gamemaker.data.resources.code import Code

DATA = "gamemaker-data"
#: what a form asks for that is about the file as it is now
_WRITES = ("show", "save")
_MARK = b"\xef\xbb\xbf"
#: fields that a form may have
FIELDS = 10_000


class Mistake(msgspec.Struct, frozen=True):
    """What does not compile, or is a doubtful name.

    Lines and columns count from 1; they are 0 where the place is not known.
    """

    line: int
    column: int
    message: str


class EditPage(msgspec.Struct, frozen=True):
    """A source as it was typed.

    ``state``: ``""`` (nothing was tried), ``wrong``, ``compiles``, ``merged`` (the file was changed
    meanwhile: ``merge``), or ``shown``: ``diff`` is what saving would change in the file ``path``.
    ``before`` is the digest of the file as the page was opened with it, ``base`` its source then.
    ``why`` says why nothing can be saved, ``warnings`` what ``pack`` and ``compile`` warn of: names
    that nothing in the game has.  ``undo``: whether the last step changed this file.  ``editor``
    are the settings of the code editor, as JSON; ``assembly`` is where the assembly is edited.
    """

    name: str
    path: str
    source: str
    state: str
    mistakes: list[Mistake]
    warnings: list[Mistake]
    diff: list[str]
    before: str
    why: str
    undo: bool
    editor: str = ""
    base: str = ""
    merge: Merge | None = None
    assembly: str = ""


class Replaced(msgspec.Struct, frozen=True):
    """The answer to a file that was dropped."""

    path: str


def show_edit(asked: Asked) -> Answer:
    """``/-/edit/code/NAME``; a POST checks (``do=check``), shows (``do=show``) or saves."""
    opened = asked.opened
    slug, _, key = asked.rest.partition("/")
    entry = opened.entry(slug, key)
    if opened.kind != DATA or entry.kind != "code entry":
        raise NotThere(f"the code of {entry.name} can't be edited here")
    if asked.method != "POST":
        source = _source(opened, entry)
        return _page(opened, entry, source, base=source, before=_digest_now(opened, entry))
    given = form_of(asked.body)
    source, base = (as_typed(given.get(name, ""), "") for name in ("source", "base"))
    opened_with = given.get("before", "")
    do = given.get("do", "")
    if do in _WRITES and base and opened_with != _digest_now(opened, entry):
        return _merged(opened, entry, base, source)
    source = as_typed(source, _source(opened, entry))
    mistakes, warnings = found_in(_code(opened, entry), source)
    if mistakes:
        if line := marked_line(source):
            mistakes = [Mistake(line, 1, STILL_MARKED)]
        return _page(opened, entry, source, "wrong", mistakes, before=opened_with, base=base)
    if do == "check":
        state = "compiles"
        return _page(opened, entry, source, state, warnings=warnings, before=opened_with, base=base)
    writer = writer_of(opened)
    before = writer.read(entry.path)
    after = code_bytes(source, before)
    if do == "save":
        if digest(before) != opened_with:
            raise StaleEdit(entry.path)
        writer.write(entry.path, after, before, opened.reload)
        return Moved(f"{opened.prefix}/-/edit/{slug}/{entry.key}")
    old, new = (data.decode("utf-8", "replace").splitlines() for data in (before, after))
    return _page(
        opened,
        entry,
        source,
        "shown",
        warnings=warnings,
        diff=difference(entry.path, old, new),
        before=digest(before),
        base=base,
    )


def _digest_now(opened: Opened, entry: ListedResource) -> str:
    """The digest of the file of code as it is now; "" where nothing can be saved."""
    return "" if why_not(opened, entry) else digest(writer_of(opened).read(entry.path))


def _merged(opened: Opened, entry: ListedResource, base: str, mine: str) -> DataPage:
    """A source, and what was saved meanwhile, in one text; to be looked at before it is saved."""
    now = writer_of(opened).read(entry.path)
    theirs = in_browser(text_of_code(now))
    source, merge = merged(entry.path, base, mine, theirs)
    return _page(
        opened, entry, source, "merged", before=digest(now), base=theirs, merge=merge, status=409
    )


def text_of_code(data: bytes) -> str:
    """The bytes of a file of code as a source."""
    return data.decode("utf-8-sig", "surrogateescape").replace("\r\n", "\n").rstrip("\n")


def _page(
    opened: Opened,
    entry: ListedResource,
    source: str,
    state: str = "",
    mistakes: Sequence[Mistake] = (),
    *,
    warnings: Sequence[Mistake] = (),
    diff: Sequence[str] = (),
    before: str = "",
    base: str = "",
    merge: Merge | None = None,
    status: int = 200,
) -> DataPage:
    writer = opened.writer
    why = why_not(opened, entry)
    undo = writer is not None and bool(writer.writes) and writer.writes[-1].path == entry.path
    data = EditPage(
        name=entry.name,
        path=entry.path,
        source=source,
        state=state,
        mistakes=[*mistakes],
        warnings=[*warnings],
        diff=[*diff],
        before=before,
        why=why,
        undo=undo,
        editor=late("language:editor_of")(opened, entry.path, opened.href(entry)),
        base=base,
        merge=merge,
        assembly=late("files:assembly_href")(opened, entry),
    )
    listing = opened.listings[entry.slug]
    crumbs = (
        Crumb(listing.title, f"{opened.prefix}/{listing.slug}"),
        Crumb(entry.name, opened.href(entry)),
    )
    return DataPage("edit.html", data, f"Edit {entry.name}", crumbs, status=status)


def why_not(opened: Opened, entry: ListedResource) -> str:
    """Why a change of a resource can't be saved; empty where it can."""
    if opened.writer is None:
        return "What is on show can't be edited."
    if opened.writer.why:
        return opened.writer.why
    if not opened.writer.has(entry.path):
        return f"There is no file {entry.path}."
    return ""


def writer_of(opened: Opened) -> Writer:
    """What changes plain files of the game.  Raises WorkspaceError where nothing can."""
    return must_write(opened.writer)


def _source(opened: Opened, entry: ListedResource) -> str:
    """The source to begin with: as somebody wrote it, else decompiled."""
    written = None if opened.writer is None else opened.writer.written(entry.path)
    return _code(opened, entry).gml if written is None else written


def _code(opened: Opened, entry: ListedResource) -> Code:
    game = cast("GameData", opened.document)
    return game.code[entry.name]


def found_in(code: Code, source: str) -> tuple[list[Mistake], list[Mistake]]:
    """What of a source does not compile as the code, and what is only doubtful in it; nothing of
    the game is changed."""
    game = cast("GameData", code.game)
    try:
        made = game.compile(code.name, source)
        made.to_bytes()
    except SyntaxError_ as error:
        return [
            Mistake(mistake.line, mistake.column, mistake.message) for mistake in error.errors
        ], []
    except (OverhaulError, ValueError, RecursionError) as error:
        return [Mistake(0, 0, str(error))], []
    return [], [Mistake(unknown.line, unknown.column, unknown.message) for unknown in made.unknown]


def bytes_of(source: str, before: bytes) -> bytes:
    """A text as bytes: where nothing was typed, they are those of the file."""
    text = source if source.endswith("\n") or not before.endswith(b"\n") else f"{source}\n"
    return as_typed(text, before.decode("utf-8", "surrogateescape")).encode(
        "utf-8", "surrogateescape"
    )


def code_bytes(source: str, before: bytes) -> bytes:
    """A source as bytes; :func:`text_of_code` leaves out how the file begins and ends."""
    text = before.decode("utf-8-sig", "surrogateescape")
    mark = _MARK if before.startswith(_MARK) else b""
    if not source.endswith("\n"):
        source += text[len(text.rstrip("\r\n")) :]
    return mark + as_typed(source, text).encode("utf-8", "surrogateescape")


def digest(data: bytes) -> str:
    """A value that changes when a file is changed."""
    return hashlib.sha256(data).hexdigest()


def form_of(body: bytes) -> dict[str, str]:
    """The fields of a form.  Raises WorkspaceError for one of more than :data:`FIELDS`."""
    text = body.decode("utf-8", "replace")
    if text.count("&") >= FIELDS:
        raise WorkspaceError(f"a form of more than {FIELDS} fields was sent")
    return {name: values[0] for name, values in parse_qs(text, keep_blank_values=True).items()}


def replace(asked: Asked) -> DataPage:
    """``POST /-/replace/sprites/spr_player?file=PATH``: a picture or sound in the place of one of
    the resource's files; the body is the new file."""
    opened = asked.opened
    if asked.method != "POST":
        raise NotThere("this address only takes POST")
    slug, _, key = asked.rest.partition("/")
    entry = opened.entry(slug, key)
    path = asked.query.get("file", "")
    if path not in opened.replaceable(entry):
        raise NotThere(f"{entry.name} has no picture or sound {path!r}")
    writer = writer_of(opened)
    writer.write(path, asked.body, writer.read(path), opened.reload)
    return DataPage("replaced.html", Replaced(path), whole=False)


class EditState(msgspec.Struct, frozen=True):
    """``changed``: the file on the disk is another than the one on show."""

    changed: bool
    edition: int


class Help(msgspec.Struct, frozen=True):
    """The keys of the viewer, and what each does."""

    keys: list[tuple[str, str]]


KEYS = [
    ("/ or Ctrl-K", "search: letters of a name are enough (okc finds obj_keeper_child)"),
    ("Enter", "in the search: go to what has just this name, else all results"),
    ("F2", "rename, duplicate or remove what the page shows"),
    ("Ctrl-S", "apply what was typed (code shows first what would change); then save the file"),
    ("f", "filter the list on the left"),
    ("↑ ↓", "go through results and lists; Enter opens"),
    ("j k", "the next and the previous resource"),
    ("g h", "the first page of the game"),
    ("g s", "sprites"),
    ("g o", "objects"),
    ("g r", "rooms"),
    ("g c", "code"),
    ("g a", "sounds"),
    ("t", "keep the page in a tab, or close its tab"),
    ("[ ]", "the previous and the next tab"),
    ("\\", "show a second page next to this one; Alt and a click open a link there"),
    ("m", "bookmark the page, or remove the bookmark"),
    ("b", "of compared pictures, before and after in turn"),
    ("Esc", "leave a field, close this"),
    ("?", "this help"),
]


def show_state(asked: Asked) -> DataPage:
    """``/-/state``: asked now and then by open pages."""
    data = EditState(asked.opened.changed(), asked.opened.edition)
    return DataPage("state.html", data, whole=False)


def reload(asked: Asked) -> Moved:
    """``POST /-/reload``: show the file as it is now."""
    if asked.method != "POST":
        raise NotThere("this address only takes POST")
    asked.opened.reload()
    return Moved(f"{asked.opened.prefix}/")


def show_help(asked: Asked) -> DataPage:
    """``/-/help``: the keys."""
    return DataPage("help.html", Help(KEYS), "Keys")
