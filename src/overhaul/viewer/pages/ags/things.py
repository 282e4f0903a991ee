"""What the pages of Adventure Game Studio share: the things of a file as its JSON says them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overhaul.viewer.answers import Crumb
from overhaul.viewer.pages.ags import scripts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from overhaul.viewer.opened import Opened

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
    """A text of a thing; empty where it has none."""
    value = row.get(key)
    return value if isinstance(value, str) else ""


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
        return shown if any(each not in ("", [], {}, None) for each in shown) else []
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
