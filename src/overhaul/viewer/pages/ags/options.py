"""A dialog edited as options, each with the lines that follow when it is chosen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from overhaul.errors import OverhaulError, WorkspaceError
from overhaul.findings import Finding, warning
from overhaul.folder.json_fields import read_object
from overhaul.viewer.answers import Answer, Asked, Crumb, DataPage, Moved
from overhaul.viewer.languages import LANGUAGES
from overhaul.viewer.opened import ListedResource, NotThere, Opened
from overhaul.viewer.pages.edit import form_of
from overhaul.viewer.pages.generic import way_of
from overhaul.viewer.writing import must_write
from overhaul.workbench.bench import NothingChanged, StaleEdit
from overhaul.workbench.dialogs import MOST, Lines, edited, options_of, renumbered, uses_in
from overhaul.workbench.forms import written_as
from overhaul.workbench.journal import digest_of

_LINES = ".ads"
_DID = {
    "add": "Add an option to",
    "remove": "Remove an option from",
    "up": "Move an option of",
    "down": "Move an option of",
}


class OptionShown(msgspec.Struct, frozen=True):
    """An option: its text, whether it is shown at first and said aloud, and its lines; option 0
    is how the dialog begins."""

    number: int
    text: str
    show: bool
    say: bool
    lines: str


class OptionsPage(msgspec.Struct, frozen=True):
    """The options of a dialog; ``scripted``: their lines are in a file of its own, ``full``: it
    can have no more of them."""

    name: str
    options: list[OptionShown]
    scripted: bool
    full: bool
    before: str
    problem: str
    why: str
    page: str


def show_options(asked: Asked) -> Answer:
    """``/-/dialog/dialogs/dBarman``; a POST (fields, ``do``, ``before``) is a step."""
    opened = asked.opened
    slug, _, key = asked.rest.partition("/")
    entry = opened.entry(slug, key)
    if not has_options(opened, entry):
        raise NotThere(f"{entry.name} has no options that can be edited here")
    if asked.method != "POST":
        return _shown(opened, entry)
    given = form_of(asked.body)
    try:
        _take(opened, entry, given)
    except StaleEdit:
        raise
    except NothingChanged:
        pass
    except OverhaulError as error:
        return _shown(opened, entry, str(error), given)
    return Moved(options_href(opened, entry))


def options_href(opened: Opened, entry: ListedResource) -> str:
    """Where the options of a dialog are edited."""
    return f"{opened.prefix}/-/dialog{opened.own_path(entry)}"


def edits_of(opened: Opened, entry: ListedResource) -> list[Crumb]:
    """The link to where the options of a dialog are edited."""
    known = has_options(opened, entry)
    return [Crumb("Edit options", options_href(opened, entry))] if known else []


def has_options(opened: Opened, entry: ListedResource) -> bool:
    """Whether a resource is a dialog whose options are edited."""
    if entry.kind != "dialog" or opened.writer is None or entry.path not in opened.files:
        return False
    try:
        options_of(read_object(opened.files[entry.path].read(), entry.path))
    except WorkspaceError:
        return False
    return True


def _lines_path(opened: Opened, entry: ListedResource) -> str:
    """The file of a dialog's lines; "" without one."""
    path = entry.path.removesuffix(".json") + _LINES
    return path if path in opened.files else ""


def _files(opened: Opened, entry: ListedResource) -> dict[str, bytes]:
    """The files of a dialog as they are now: its JSON, and its lines, if they are a file."""
    writer, lines = opened.writer, _lines_path(opened, entry)
    assert writer is not None
    return {path: writer.read(path) for path in (entry.path, lines) if path}


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


def _digest(files: dict[str, bytes]) -> str:
    return digest_of(b"\0".join(files.values()))


def _take(opened: Opened, entry: ListedResource, given: dict[str, str]) -> None:
    writer, files = must_write(opened.writer), _files(opened, entry)
    if given.get("before") != _digest(files):
        raise StaleEdit(entry.path)
    data, path = files[entry.path], _lines_path(opened, entry)
    lines = Lines.of(_text(files[path])) if path else Lines.of("")
    value, made = edited(read_object(data, entry.path), lines, given)
    changes = {entry.path: written_as(value, data)}
    if path:
        changes[path] = made.text.encode("utf-8", "surrogateescape")
    elif made.text:
        raise WorkspaceError("the lines of this dialog are in the script of all dialogs")
    changes = {name: now for name, now in changes.items() if now != files[name]}
    if not changes:
        raise NothingChanged("nothing was changed")
    do, count = given.get("do", ""), len(options_of(read_object(data, entry.path)))
    others = renumbered(count, do)
    if others and not path:
        raise WorkspaceError(
            "the lines of this dialog are in the script of all dialogs: its options keep their "
            "numbers, and one is added at the end"
        )
    step = f"{_DID.get(do.partition(':')[0], 'Edit options of')} {entry.name}"
    findings = [*_left(opened.root, entry.name, others)] if others else []
    writer.step(changes, step, findings=findings)


def _left(root: Opened, name: str, others: Mapping[int, int]) -> Iterator[Finding]:
    """Places of scripts that name an option whose number is another one now."""
    for path, source in _scripts(root, ""):
        own = path.rpartition("/")[2] == f"{name}{_LINES}"
        for each in (name, "this") if own else (name,):
            for line, number in uses_in(source, each):
                if number not in others:
                    continue
                became = f"is option {others[number]} now" if others[number] else "is gone"
                text = f"option {number} of {name} is named here by its number, and {became}"
                yield warning("renumbered", text, path, line=line)


def _scripts(opened: Opened, place: str) -> Iterator[tuple[str, str]]:
    """The scripts and lines of a document, and of those in it."""
    for path, file in opened.files.items():
        if path.endswith(LANGUAGES):
            yield place + path, _text(file.read())
    inside = opened.inside
    for entry in opened.entries() if inside.paths() else ():
        if entry.name in inside.paths() and inside.can_open(entry.name):
            yield from _scripts(inside.open(entry.name), f"{place}{entry.path}/")


def _shown(
    opened: Opened, entry: ListedResource, problem: str = "", given: dict[str, str] | None = None
) -> DataPage:
    writer, files = opened.writer, _files(opened, entry)
    assert writer is not None
    path = _lines_path(opened, entry)
    lines = Lines.of(_text(files[path])) if path else Lines.of("")
    stored = options_of(read_object(files[entry.path], entry.path))
    options = [OptionShown(0, "", True, True, lines.lines_of(0))]
    for number, option in enumerate(stored, 1):
        text, show, say = (option.get(key) for key in ("Text", "Show", "Say"))
        options.append(
            OptionShown(
                number,
                str(text or ""),
                bool(show),
                bool(say),
                lines.lines_of(number),
            )
        )
    if given is not None:
        options = [_typed(option, given) for option in options]
    page = OptionsPage(
        entry.name,
        options,
        bool(path),
        len(stored) >= MOST,
        _digest(files) if given is None else given.get("before", ""),
        problem,
        writer.why,
        opened.href(entry),
    )
    way = way_of(opened, entry)
    status = 422 if problem else 200
    return DataPage("dialog-edit.html", page, f"Options of {entry.name}", way, "Options", status)


def _typed(option: OptionShown, given: dict[str, str]) -> OptionShown:
    """An option as it was sent."""
    number = option.number
    if number and f"row:{number}" not in given:
        return option
    return OptionShown(
        number,
        given.get(f"text:{number}", ""),
        f"show:{number}" in given,
        f"say:{number}" in given,
        given.get(f"lines:{number}", option.lines),
    )
