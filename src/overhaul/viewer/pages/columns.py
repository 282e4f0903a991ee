"""The columns of lists, by what a resource can show, and what code is called in lists."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias, cast

from overhaul.document import room_views, views
from overhaul.document.views import ResourceView
from overhaul.errors import OverhaulError
from overhaul.viewer.pages import is_a

if TYPE_CHECKING:
    from overhaul.viewer.opened import ListedResource, Opened

#: Code of GameMaker games, whose module other games do not need.
CODE = "overhaul.gamemaker.data.resources.code:Code"
#: The first of what values are sorted by, where there is none.
MISSING = 2
#: The value of a column for a resource; None if it has none.
Value: TypeAlias = str | int | float | None


class Owner(Protocol):
    """The owner of code: the event of an object, for example."""

    @property
    def resource(self) -> ResourceView: ...
    @property
    def title(self) -> str: ...


class Owned(Protocol):
    """Code that something runs."""

    @property
    def owner(self) -> Owner | None: ...


class Column(NamedTuple):
    """A column: its title, and what it shows of a resource of its class; None for the size that
    the list of all resources has. ``of_all`` is a method that some documents have, which finds
    out about all resources at once: what ``value`` is made of, by their numbers. Unknown
    resources are asked one by one (``asked``)."""

    title: str
    value: Callable[[Any], Value] | None
    of_all: str = ""
    asked: Callable[..., object] = lambda it: it


def _name(resource: ResourceView | None) -> str:
    return "" if resource is None else resource.name


def _owner(owner: Owner | None) -> str:
    return "" if owner is None else owner.resource.name


def _event(owner: Owner | None) -> str:
    return "" if owner is None else owner.title


def _owner_of(code: Owned) -> Owner | None:
    return code.owner


def _itself(value: Value) -> Value:
    return value


def _parent(it: views.ObjectView) -> str:
    return next((parent.name for parent in it.ancestors()), "")


_PICTURE = (Column("width", lambda it: it.width), Column("height", lambda it: it.height))
_PEOPLE = "overhaul.ags.surface.people"
_GAME = "overhaul.ags.surface.game"
_SCRIPT_NAME = Column("script name", lambda it: it.script_name)
#: Columns of the first class that a resource is an instance of.
COLUMNS: tuple[tuple[type | str, tuple[Column, ...]], ...] = (
    (
        CODE,
        (
            Column("run by", _owner, "code_owners", _owner_of),
            Column("event", _event, "code_owners", _owner_of),
            Column("instructions", lambda it: len(it.record.bytecode)),
        ),
    ),
    (
        f"{_PEOPLE}:Character",
        (
            Column("shown as", lambda it: it.full_name),
            Column("room", lambda it: None if it.room is None else it.record.room),
            Column("items", lambda it: len(it.items)),
        ),
    ),
    (
        f"{_PEOPLE}:View",
        (
            Column("loops", lambda it: len(it.record.loops)),
            Column("frames", lambda it: sum(len(loop.frames) for loop in it.record.loops)),
        ),
    ),
    (f"{_PEOPLE}:InventoryItem", (_SCRIPT_NAME,)),
    (f"{_PEOPLE}:Cursor", (Column("view", lambda it: _name(it.view)),)),
    (
        f"{_GAME}:Gui",
        (Column("controls", lambda it: len(it.controls)),),
    ),
    (f"{_GAME}:Dialog", (Column("options", lambda it: len(it.options)),)),
    (views.SpriteView, (*_PICTURE, Column("frames", lambda it: len(it.frames)))),
    (views.PictureView, _PICTURE),
    (room_views.RoomView, (*_PICTURE, Column("instances", lambda it: len(it.instances)))),
    (views.SoundView, (Column("bytes", None), Column("group", lambda it: _name(it.group)))),
    (
        views.ObjectView,
        (
            Column("sprite", lambda it: _name(it.sprite)),
            Column("parent", _parent),
            Column("events", lambda it: len(it.own_events)),
            Column("instances", _itself, "instance_counts", lambda it: it.instance_count),
        ),
    ),
    (
        views.PathView,
        (
            Column("points", lambda it: len(it.points)),
            Column("closed", lambda it: "yes" if it.closed else "no"),
        ),
    ),
    (views.TimelineView, (Column("moments", lambda it: len(it.steps)),)),
    (
        views.FontView,
        (Column("size", lambda it: it.size), Column("glyphs", lambda it: len(it.glyphs))),
    ),
    (views.TextsView, (Column("texts", lambda it: len(it.pairs)),)),
)


def columns_of(it: ResourceView | None) -> tuple[Column, ...]:
    """The columns of resources like one; none where it can't be looked at."""
    return next((columns for kind, columns in COLUMNS if is_a(it, kind)), ())


def values_of(opened: Opened, entry: ListedResource, columns: Sequence[Column]) -> list[Value]:
    """The values of a resource in the columns; empty if it can't be read."""
    values: list[Value] = []
    for column in columns:
        try:
            it = opened.resource(entry)
            if column.value is None or it is None:
                values.append(entry.size if column.value is None else None)
                continue
            known = _of_all(opened, column)
            number = getattr(it, "index", None) if known else None
            found = known[number] if number in known else column.asked(it)
            values.append(column.value(found))
        except (OverhaulError, OSError, ValueError):
            values.append(None)
    return values


def _of_all(opened: Opened, column: Column) -> Mapping[int | None, object]:
    """The facts about resources that were asked about at once."""
    method = getattr(opened.document, column.of_all, None) if column.of_all else None
    if method is None:
        return {}
    made: Mapping[int | None, object] = opened.remember(
        (column.of_all,), method, lambda found: 100 + 200 * len(found)
    )
    return made


def by_value(value: Value) -> tuple[int, float, str]:
    """The key by which values of a column are sorted: numbers, then texts, then missing values."""
    if value is None or value == "":
        return (MISSING, 0, "")
    return (0, value, "") if isinstance(value, int | float) else (1, 0, value.casefold())


def label_of(opened: Opened, entry: ListedResource) -> str:
    """The name of a resource in lists of names: code by its object and event."""
    try:
        it = opened.resource(entry) if entry.kind == "code entry" else None
        owner = cast("Owned", it).owner if is_a(it, CODE) else None
    except OverhaulError:  # its owner is damaged
        owner = None
    if owner is None or not owner.title:
        return entry.name
    return f"{owner.resource.name} · {owner.title}"
