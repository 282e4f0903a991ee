"""What the pages of Adventure Game Studio share: the things of a file as its JSON says them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overhaul.folder import read_json
from overhaul.viewer.answers import Crumb
from overhaul.viewer.pages.ags import scripts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from overhaul.viewer.opened import Entry, Opened

#: What tells nothing to people.
_QUIET = ("format", "padding", "reserved", "end_padding", "short_")
#: What is told elsewhere on a page, or only among all fields.
_ELSEWHERE = (
    "name", "script_name", "events", "handlers", "event_handlers", "interaction", "conditions",
)  # fmt: skip
_EVENTS = ("events", "handlers", "event_handlers")


def rows_of(fields: object, kind: str) -> list[dict[str, object]]:
    """The things of a kind in the JSON of a file."""
    found = fields.get(kind) if isinstance(fields, dict) else None
    return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []


def text_at(row: dict[str, object], key: str) -> str:
    """A text of a thing, up to its first NUL; empty where it has none."""
    value = row.get(key)
    return value.partition("\0")[0] if isinstance(value, str) else ""


def details(row: dict[str, object], *without: str) -> dict[str, object]:
    """The fields of a thing that say something."""
    return {
        key: shown
        for key, value in row.items()
        if key not in (*_ELSEWHERE, *without)
        for shown in (_pruned(value),)
        if not (key.startswith(_QUIET) or shown in ("", [], {}, None))
    }


def _pruned(value: object) -> object:
    if isinstance(value, dict):
        pairs = ((key, _pruned(each)) for key, each in value.items() if not key.startswith(_QUIET))
        return {key: each for key, each in pairs if each not in ("", [], {}, None)}
    if isinstance(value, list):
        shown = [_pruned(each) for each in value]
        return shown if any(each not in ("", [], {}, None, 0) for each in shown) else []
    return value


def handlers(opened: Opened, row: dict[str, object]) -> list[Crumb]:
    """The functions that a thing's events run, linked to the lines where they begin."""
    names = dict.fromkeys(
        text for key in _EVENTS for text in _texts(row.get(key)) if text.isidentifier()
    )
    return [scripts.function_link(opened, name) for name in names]


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for each in value:
            yield from _texts(each)
    elif isinstance(value, dict):
        yield from _texts(value.get("handlers"))


def json_of(opened: Opened, path: str) -> object:
    """What a JSON file of the unpacked document says; kept.  None where there is no such file."""
    file = opened.files.get(path)
    if file is None:
        return None

    def make() -> tuple[object, int]:
        data = file.read()
        return read_json(data, path), 5 * len(data)

    return opened.remember(("json", path), make, lambda made: made[1])[0]


def row_at(opened: Opened, path: str, kind: str, number: int) -> dict[str, object]:
    """A thing as the JSON of the unpacked document says it; empty where that has none."""
    fields = json_of(opened, path)
    if isinstance(fields, dict) and isinstance(fields.get("guis"), dict):
        fields = fields["guis"]  # before 2.5, all GUIs are one field
    rows = rows_of(fields, kind)
    return rows[number] if 0 <= number < len(rows) else {}


def beside_href(opened: Opened, name: str, *rest: str) -> str:
    """The address of what is in another file of the same package; empty without such a file."""
    package = opened.parent
    path = "" if package is None else package.inside.named(name)
    if package is None or not path:
        return ""
    return "/".join([package.inside.prefix(path), *rest])


def nth(opened: Opened, kind: str, number: int) -> Entry | None:
    """The resource of a number of a kind."""
    for shelf in opened.shelves.values():
        if shelf.kind == kind:
            return next((e for e in shelf.entries.values() if e.position == number), None)
    return None


def nth_link(opened: Opened, kind: str, number: int) -> Crumb | None:
    """A link to the resource of a number of a kind; None where there is none."""
    found = nth(opened, kind, number)
    return None if found is None else Crumb(found.name, opened.href(found))
