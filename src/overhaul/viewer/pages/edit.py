"""The bodies of requests to edit: texts and files as bytes, forms, and the state of the file."""

from __future__ import annotations

import hashlib
from urllib.parse import parse_qs

import msgspec

from overhaul.errors import WorkspaceError
from overhaul.viewer.answers import Asked, DataPage, Moved
from overhaul.viewer.opened import ListedResource, NotThere, Opened
from overhaul.viewer.writing import Writer, must_write
from overhaul.workbench.typed import as_typed

_MARK = b"\xef\xbb\xbf"
#: fields that a form may have
FIELDS = 10_000


class Mistake(msgspec.Struct, frozen=True):
    """A place that does not compile, or a doubtful name.

    Lines and columns count from 1; they are 0 where the place is not known.
    """

    line: int
    column: int
    message: str


class Replaced(msgspec.Struct, frozen=True):
    """The answer to a file that was dropped."""

    path: str


def text_of_code(data: bytes) -> str:
    """The bytes of a file of code as a source."""
    return data.decode("utf-8-sig", "surrogateescape").replace("\r\n", "\n").rstrip("\n")


def why_not(opened: Opened, entry: ListedResource) -> str:
    """Why a change of a resource can't be saved; empty where it can."""
    if opened.writer is None:
        return "This file can't be edited."
    if opened.writer.why:
        return opened.writer.why
    if not opened.writer.has(entry.path):
        return f"There is no file {entry.path}."
    return ""


def writer_of(opened: Opened) -> Writer:
    """The change of a game's plain files. Raises WorkspaceError where nothing can."""
    return must_write(opened.writer)


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
    ("Enter", "in the search: go to the resource of just this name, else all results"),
    ("F2", "rename, duplicate or remove what the page shows"),
    ("Ctrl-S", "apply what was typed; then save the file"),
    ("e", "edit the code that the page shows"),
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
