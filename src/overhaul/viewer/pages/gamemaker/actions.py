"""The actions of an event, edited: rows with their arguments, and a palette to add from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from overhaul.document.views import ObjectView
from overhaul.errors import OverhaulError, WorkspaceError
from overhaul.gamemaker.classic.action_table import ARGUMENT_RESOURCES, Definition, by_name
from overhaul.gamemaker.classic.describing import choices_of, title_of
from overhaul.gamemaker.classic.kinds import BY_PLURAL
from overhaul.viewer.answers import Answer, Asked, Crumb, DataPage, Moved
from overhaul.viewer.opened import ListedResource, NotThere, Opened
from overhaul.viewer.pages.edit import form_of
from overhaul.viewer.pages.files import href_of
from overhaul.viewer.pages.forms import NameList, names_of
from overhaul.viewer.pages.gamemaker.action_lists import ActionLine, Writer, actions_href, events_of
from overhaul.viewer.pages.generic import way_of
from overhaul.viewer.writing import must_write
from overhaul.workbench.actions import ActionFiles
from overhaul.workbench.bench import StaleEdit
from overhaul.workbench.journal import digest_of
from overhaul.workbench.typed import as_typed

#: the value of a new argument, by its kind: texts are empty
_TEXT = 1
#: the names of the bounds of blocks, each by itself
_BOUNDS = {"begin_group": "Start of a block", "end_group": "End of a block"}


class Argument(msgspec.Struct, frozen=True):
    """An argument: its value as text, the kind of resource that it names, or the items it chooses
    from, by number."""

    label: str
    text: str
    kind: str = ""
    choices: list[str] = []


class ActionRow(msgspec.Struct, frozen=True):
    """An action: what it does (``line``), what can be set, and where its code is edited.

    ``applies`` is ``self``, ``other`` or the name of an object; None where it applies to nothing.
    """

    number: int
    line: ActionLine | None
    title: str
    arguments: list[Argument]
    applies: str | None
    relative: bool | None
    negated: bool | None
    code: str


class ActionsPage(msgspec.Struct, frozen=True):
    """The actions of an event; ``palette`` are those that can be added, by what they do;
    ``before`` is the digest of their file."""

    name: str
    title: str
    event: str
    rows: list[ActionRow]
    palette: list[str]
    names: list[NameList]
    problem: str
    why: str
    back: str
    before: str


def show_actions(asked: Asked) -> Answer:
    """``/-/actions/objects/obj_player?event=step``; a POST (``do``) is a step."""
    opened = asked.opened
    slug, _, key = asked.rest.partition("/")
    entry, event = opened.entry(slug, key), asked.query.get("event", "")
    if asked.method != "POST":
        return _shown(asked, entry, event)
    given = form_of(asked.body)
    do, _, number = given.get("do", "").partition(":")
    at = _number(number)
    try:
        writer = must_write(opened.writer)
        files = _files(opened, entry, event)
        digest = digest_of(files.content)
        if given.get("before", digest) != digest:
            raise StaleEdit(files.path)
        _change(files, do, at, given)
        writer.step(files.done(), f"{do.capitalize()} an action of {entry.name}, {event}")
    except StaleEdit:
        raise
    except OverhaulError as error:
        return _shown(asked, entry, event, problem=str(error), status=422)
    to = _number(given.get("to", ""))
    row = {"remove": at, "up": at - 1, "down": at + 1, "duplicate": at + 1, "move": to}.get(do, at)
    return Moved(f"{actions_href(opened, entry, event)}#action-{max(row, 0)}")


def _number(text: str) -> int:
    """The number of an action; -1 for what is none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 7 else -1


def _files(opened: Opened, entry: ListedResource, event: str) -> ActionFiles:
    writer = opened.writer
    if writer is None or not event or "/" in event or "\\" in event:
        raise NotThere("there is no such event")
    return ActionFiles(f"{entry.path}/{event}", writer.read, writer.has)


def _change(files: ActionFiles, do: str, at: int, given: Mapping[str, str]) -> None:
    if do == "add":
        definition = _definition(given.get("name", ""))
        arguments = [_new_argument(kind) for kind in definition.kinds]
        files.add(definition.name, arguments, at if at >= 0 else len(files.actions))
    elif do == "remove":
        files.remove(at)
    elif do == "duplicate":
        files.duplicate(at)
    elif do in ("up", "down"):
        files.move(at, -1 if do == "up" else 1)
    elif do == "move":
        to = _number(given.get("to", ""))
        if not 0 <= to < len(files.actions):
            raise WorkspaceError("an action can't be moved there")
        files.move(at, to - at)
    elif do == "set":
        files.set(at, _values(files.actions, at, given))
    else:
        raise NotThere("that can't be done with an action")


def _new_argument(kind: int) -> str:
    """A new argument: no resource is the number -1."""
    return "-1" if _kind(kind) else "" if kind == _TEXT else "0"


def _definition(said: str) -> Definition:
    """The action that people call so.  Raises WorkspaceError."""
    wanted = said.strip().casefold()
    for definition in by_name().values():
        if wanted in (definition.name.casefold(), _title(definition).casefold()):
            return definition
    raise WorkspaceError(f"there is no action {said[:80]!r}")


def _title(definition: Definition) -> str:
    """The name of an action for people."""
    return _BOUNDS.get(definition.name) or title_of(definition.id) or definition.name


def _kind(number: int) -> str:
    """The kind of resource that an argument names; "" for none."""
    return BY_PLURAL[ARGUMENT_RESOURCES[number]].singular if number in ARGUMENT_RESOURCES else ""


def _values(
    actions: Sequence[Mapping[str, object]], at: int, given: Mapping[str, str]
) -> dict[str, object]:
    """The keys of an action that a form sent."""
    action = actions[at] if 0 <= at < len(actions) else {}
    known = _known(action)
    values: dict[str, object] = {}
    count = sum(key.startswith("a:") for key in given)
    if count:
        kinds = [_kind(kind) for kind in known.kinds] if known is not None else []
        old = action.get("arguments", [])
        was = old if isinstance(old, list) else []
        values["arguments"] = [
            _argument(_typed(given.get(f"a:{number}", ""), number, was), number, kinds, old)
            for number in range(count)
        ]
    if "applies" in given:
        who = given["applies"].strip() or "self"
        shown = who if who in ("self", "other") else {"object": who}
        values["applies_to"] = None if who == "self" else shown
    if "flags" in given:
        values["relative"] = True if "relative" in given else None
        values["not"] = True if "not" in given else None
    return values


def _typed(sent: str, number: int, was: Sequence[object]) -> str:
    """The text of an argument, which a browser may not have shown as it was."""
    old = was[number] if number < len(was) else ""
    return as_typed(sent, old if isinstance(old, str) else "")


def _argument(text: str, number: int, kinds: Sequence[str], old: object) -> object:
    """An argument as the file has it: of a resource by name, of others as it was typed."""
    kind = kinds[number] if number < len(kinds) else ""
    if not kind and isinstance(old, list) and number < len(old) and isinstance(old[number], dict):
        kind = next(iter(old[number]), "")
    if not kind or text.lstrip("-").isdecimal():
        return text
    return {kind: text} if text else "-1"


def _known(action: Mapping[str, object]) -> Definition | None:
    name = action.get("action")
    return by_name().get(name) if isinstance(name, str) else None


# ----------------------------------------------------------------------------------- the page


def _shown(
    asked: Asked, entry: ListedResource, event: str, *, problem: str = "", status: int = 200
) -> DataPage:
    opened = asked.opened
    files = _files(opened, entry, event)
    it = opened.resource(entry)
    if not isinstance(it, ObjectView):
        raise NotThere("there is no such event")
    found = next((each for word, each in events_of(opened, it) if word == event), None)
    if found is None:
        raise NotThere("there is no such event")
    lines = {line.number: line for line in Writer(opened).shown(found, event).actions}
    rows = [_row(opened, files, number, lines.get(number)) for number in range(len(files.actions))]
    kinds = {argument.kind: None for row in rows for argument in row.arguments if argument.kind}
    page = ActionsPage(
        entry.name,
        found.title,
        event,
        rows,
        [_title(each) for each in by_name().values()],
        [names_of(opened, kind) for kind in {**kinds, "object": None}],
        problem,
        "" if opened.writer is None else opened.writer.why,
        f"{opened.href(entry)}#{event}",
        digest_of(files.content),
    )
    way = (*way_of(opened, entry), Crumb(found.title, page.back))
    return DataPage("actions-edit.html", page, f"Actions of {entry.name}", way, "Actions", status)


def _row(opened: Opened, files: ActionFiles, number: int, line: ActionLine | None) -> ActionRow:
    action = files.actions[number]
    known, listed = _known(action), action.get("arguments")
    given = listed if isinstance(listed, list) else []
    flags = known.flags if known is not None else "ARQ"
    count = max(len(given), len(known.kinds) if known is not None and "file" not in action else 0)
    file = action.get("file")
    path = f"{files.path.rpartition('/')[0]}/{file}"
    return ActionRow(
        number,
        line,
        _title(known) if known is not None else f"action {action.get('id', '')}",
        [_shown_argument(known, at, given) for at in range(count)],
        _applies(action) if "A" in flags or "applies_to" in action else None,
        bool(action.get("relative")) if "R" in flags or "relative" in action else None,
        bool(action.get("not")) if "Q" in flags or "not" in action else None,
        href_of(opened, path) if isinstance(file, str) and path in opened.files else "",
    )


def _applies(action: Mapping[str, object]) -> str:
    who = action.get("applies_to", "self")
    return str(next(iter(who.values()), "")) if isinstance(who, dict) else str(who)


def _shown_argument(known: Definition | None, at: int, given: Sequence[object]) -> Argument:
    value = given[at] if at < len(given) else "0"
    kind = _kind(known.kinds[at]) if known is not None and at < len(known.kinds) else ""
    if isinstance(value, dict):
        kind, value = next(iter(value.items()), ("", ""))
    choices = choices_of(known.id, at) if known is not None else []
    label = kind.capitalize() if kind else f"Value {at + 1}"
    text = "" if kind and value == "-1" else str(value)
    return Argument(label, text, kind, choices)
