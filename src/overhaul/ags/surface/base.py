"""The parts that the resources of Adventure Game Studio share: their fields, names, and lists."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import (
    TYPE_CHECKING,
    ClassVar,
    Final,
    Generic,
    NamedTuple,
    Protocol,
    SupportsIndex,
    TypeVar,
    cast,
    overload,
)

from PIL.Image import Image

from overhaul.ags.drawing.art import Art
from overhaul.ags.parallel import Tables, things_of
from overhaul.ags.text import UTF_8, recoded, show
from overhaul.document.protocol import Siblings
from overhaul.document.registry import load
from overhaul.document.surface import ResourceList, ResourceSurface
from overhaul.schema import Record, Scheme
from overhaul.schema.jsonable import to_jsonable
from overhaul.suggest import did_you_mean

if TYPE_CHECKING:
    from overhaul.ags.game.game import Game

#: The folder's module that sets keys of plain files.
_EDITING: Final = "overhaul.ags.folder.editing"
#: The fields of a row for the functions that events run.
_EVENTS = ("events", "handlers", "event_handlers")
#: Fields that only place others in the file.
_QUIET = ("format", "padding", "reserved", "end_padding", "short_")


class Holder(Protocol):
    """A document of Adventure Game Studio, as far as its resources need it."""

    @property
    def source(self) -> str | None: ...
    @property
    def encoding(self) -> str: ...
    @property
    def art(self) -> Art: ...

    def shown(self, text: str) -> str:
        """A text in the document's encoding, up to its first NUL."""
        return text


H = TypeVar("H", bound=Holder)
S = TypeVar("S", bound=ResourceSurface)


class AgsResource(ResourceSurface, Generic[H]):
    """A resource of a file: its number in the list of its kind, its ``record``."""

    __slots__ = ("_holder", "number")
    _kind: ClassVar[str]

    def __init__(self, holder: H, number: int) -> None:
        self._holder: H = holder
        self.number: int = number

    @property
    def kind(self) -> str:
        """Its kind in ``overhaul ls``."""
        return self._kind

    @property
    def document(self) -> object:
        """The document it is of."""
        return self._holder

    @property
    def place(self) -> int | None:
        """Its position among those of its kind that ``ls`` lists."""
        return self.number

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, AgsResource):
            return NotImplemented
        same = self._kind == other._kind and self.number == other.number
        return same and self._holder is other._holder

    def __hash__(self) -> int:
        return hash((self._kind, self.number))


class Fields:
    """The values that a file stores of one resource, as JSON values by name."""

    __slots__ = ("_encoding", "_row")

    def __init__(self, row: dict[str, object], encoding: str) -> None:
        self._row = row
        self._encoding = encoding

    @classmethod
    def of(
        cls,
        tables: Tables,
        kind: str,
        number: int,
        holder: Holder,
        stored: tuple[Record, int] | None = None,
    ) -> Fields:
        """The values of a resource by its number; of its ``stored`` record, of a version, only,
        where no table has it."""
        things = things_of(tables, kind)[number : number + 1] if number >= 0 else ()
        row = next((thing.row() for thing in things), {})
        if not row and stored is not None and kind not in tables.kinds:
            record, version = stored
            row = dict(to_jsonable(record, Scheme(version)))
        return cls(row, holder.encoding)

    def text(self, name: str) -> str:
        """A text, up to its first NUL; empty where there is none."""
        value = self._row.get(name)
        return self._shown(value).partition("\0")[0] if isinstance(value, str) else ""

    def _shown(self, text: str) -> str:
        return text if self._encoding == UTF_8 else show(text, self._encoding)

    @property
    def values(self) -> dict[str, object]:
        """All of them that say something."""
        shown = recoded(self._row, self._encoding, show)
        return cast("dict[str, object]", pruned(shown))

    @property
    def functions(self) -> list[str]:
        """The functions of scripts that its events run, each once."""
        names = (name for key in _EVENTS for name in _texts(self._row.get(key)))
        return list(dict.fromkeys(name for name in names if name.isidentifier()))


class Setting(NamedTuple):
    """How a part is set: what sets keys of its row in a plain file, and what gives the part as it
    is then."""

    put: Callable[[Mapping[str, object]], None]
    again: Callable[[], Part]


class Part:
    """A part of a room or a GUI, as the file stores it: an area, an object, a control.

    Assignments are made as edits of a plain file are, as for :class:`GameResource`.
    """

    __slots__ = ("_fields", "_setting")

    def __init__(self, fields: Fields, setting: Setting) -> None:
        self._fields = fields
        self._setting = setting

    def edit(self, **values: object) -> None:
        """Set keys of its row in the plain file, by the names that they have there:
        ``edit(StartX=10)``.

        All of them are set, or none: what packing such an edit refuses is refused with the same
        error.  The document is rebuilt once, so set several at once.
        """
        self._setting.put(values)
        now = self._setting.again()
        for kind in type(self).__mro__:
            for slot in getattr(kind, "__slots__", ()):
                setattr(self, slot, getattr(now, slot))

    @property
    def name(self) -> str:
        """Its name for people; empty if it has none."""
        return self._fields.text("name")

    @name.setter
    def name(self, new: str) -> None:
        self.edit(Description=new)

    @property
    def script_name(self) -> str:
        """Its name in scripts; empty if it has none. A name that scripts use can't be changed."""
        return self._fields.text("script_name")

    @script_name.setter
    def script_name(self, new: str) -> None:
        self.edit(Name=new)

    @property
    def functions(self) -> list[str]:
        """The functions of scripts that its events run."""
        return self._fields.functions

    @property
    def fields(self) -> dict[str, object]:
        """The values that the file stores of it, as JSON values by name."""
        return self._fields.values


P = TypeVar("P", bound=Part)


class Parts(list[P]):
    """The parts of a room or a GUI, by number, and by the name that scripts have for them."""

    @overload
    def __getitem__(self, key: SupportsIndex | str) -> P: ...
    @overload
    def __getitem__(self, key: slice) -> list[P]: ...
    def __getitem__(self, key: SupportsIndex | str | slice) -> P | list[P]:
        """The part of a number or name; KeyError or IndexError where there is none."""
        if not isinstance(key, str):
            return super().__getitem__(key)
        found = self.get(key)
        if found is None:
            near = did_you_mean(key, self.names())
            raise KeyError(f"there is nothing named {key!r}{near}")
        return found

    def get(self, name: str) -> P | None:
        """The part that scripts call so, else the first that people call so; None without one."""
        by_script = (part for part in self if name and part.script_name == name)
        by_name = (part for part in self if name and part.name == name)
        return next(by_script, None) or next(by_name, None)

    def names(self) -> list[str]:
        """Their names in scripts, or for people where they have none there; things without a
        name are left out."""
        return [name for part in self if (name := part.script_name or part.name)]


def pruned(value: object) -> object:
    """JSON values without what says nothing: empty ones, padding, lists of zeros."""
    if isinstance(value, dict):
        pairs = ((key, pruned(item)) for key, item in value.items() if not key.startswith(_QUIET))
        return {key: item for key, item in pairs if item not in ("", [], {}, None)}
    if isinstance(value, list):
        shown = [pruned(item) for item in value]
        return shown if any(item not in ("", [], {}, None, 0) for item in shown) else []
    return value


def function_names(value: object) -> list[str]:
    """The functions in a list of events or in a table of handlers, each once."""
    return list(dict.fromkeys(name for name in _texts(value) if name.isidentifier()))


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)
    elif isinstance(value, dict):
        yield from _texts(value.get("handlers"))
    elif isinstance(value, Record):
        yield from _texts(getattr(value, "handlers", None))


class AgsResources(ResourceList[S]):
    """The resources of a kind, by name or by number; ``first`` is the number of the first."""

    def __init__(
        self, holder: Holder, kind: str, count: int, make: Callable[[int], S], *, first: int = 0
    ) -> None:
        self._holder = holder
        self._kind = kind
        self._count = max(0, count)
        self._make = make
        self.first = first

    @property
    def kind(self) -> str:
        """The kind of one of them in ``overhaul ls``."""
        return self._kind

    @property
    def title(self) -> str:
        """The word for one of them in messages."""
        return {"inventory": "inventory item", "gui": "GUI"}.get(self._kind, self._kind)

    @property
    def document(self) -> object:
        """The document they are of."""
        return self._holder

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[S]:
        return map(self._make, range(self.first, self.first + self._count))

    def _named(self, name: str) -> S | None:
        """The first resource of a name, else the first that scripts call so."""
        return super()._named(name) or next(
            (thing for thing in self if name and getattr(thing, "script_name", "") == name), None
        )

    def _numbered(self, number: int) -> S | None:
        there = self.first <= number < self.first + self._count
        return self._make(number) if there else None


class Scripted(AgsResource[H]):
    """A resource that scripts know by a name, and whose events run functions of theirs."""

    __slots__ = ()

    @property
    @abstractmethod
    def _fields(self) -> Fields: ...

    @property
    def script_name(self) -> str:
        """Its name in scripts; empty if it has none."""
        return self._fields.text("script_name")

    @property
    def functions(self) -> Sequence[str]:
        """The functions of scripts that its events run."""
        return self._fields.functions

    @property
    def fields(self) -> dict[str, object]:
        """The values that the file stores of it, as JSON values by name; padding is left out."""
        return self._fields.values

    def _about(self) -> str:
        return ""


class HasNeighbours(Protocol):
    """A document with the files of its game: next to it, or in it."""

    @property
    def neighbours(self) -> Siblings | None: ...

    def edit_next_to(self, file: str, path: str, values: Mapping[str, object]) -> None:
        """Set keys of a plain file of a document next to it, which a package has with it."""


class GameHolder(Holder, HasNeighbours, Protocol):
    """A document of game data."""

    @property
    def game(self) -> Game: ...

    def edit(self, path: str, values: Mapping[str, object]) -> None:
        """Set keys of a plain file."""


class GameResource(Scripted[GameHolder]):
    """A resource of game data that is an element of tables, which call its kind ``_table``."""

    __slots__ = ()
    _table = ""

    @property
    def _fields(self) -> Fields:
        game, record = self._holder.game, self.record
        stored = (
            (record, self._version) if game.old is not None and isinstance(record, Record) else None
        )
        return Fields.of(game.tables(), self._table, self.number, self._holder, stored)

    @property
    def _version(self) -> int:
        """The version of its record in a game before 2.5."""
        return self._holder.game.version

    def edit(self, **values: object) -> None:
        """Set keys of its plain file, by the names that they have there: ``edit(StartX=10)``.

        All of them are set, or none: what packing such an edit refuses is refused with the same
        error.  The document is rebuilt once, so set several at once.
        """
        path = load(f"{_EDITING}:path_of")(self._holder, self._kind, self.place)
        self._holder.edit(path, values)

    @property
    def no_sprites(self) -> str:
        """The reason why the game's sprites are not known; empty if they are."""
        return self._holder.art.problem

    def sprite_image(self, number: int) -> Image | None:
        """A sprite of the game in its colours; None where there is none, or it is damaged."""
        return self._holder.art.sprite(number)
