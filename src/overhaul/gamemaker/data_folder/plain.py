"""Records of a game as JSON with names for references, and back into the game's own records.

What is read back is laid over the record that was there (:func:`overlay`): a value that is equal
stays the very object it was, so that strings that occur twice, the bits of a NaN and the coding
of a tile map survive an edit beside them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from overhaul.errors import FormatError
from overhaul.gamemaker.data.chunks import CHUNKS
from overhaul.gamemaker.data.chunks.sprt_spine import Block
from overhaul.gamemaker.data.references import NamedList, Reference
from overhaul.gamemaker.data.strings import String
from overhaul.schema import Counted, Deferred, Record, fields_of
from overhaul.schema.jsonable import Scheme, from_jsonable, to_jsonable, value_to_jsonable

if TYPE_CHECKING:
    from overhaul.gamemaker.data.game import GameData

#: counts that follow from a list beside them, and are left out of the JSON
COUNTS = frozenset({"vertex_count", "tag_count", "owned_count", "track_count"})
#: the chunks that references lead into
REFERRED = (
    "SPRT", "SOND", "OBJT", "ROOM", "CODE", "BGND", "FONT", "SEQN", "ACRV", "PSYS", "PSEM",
    "PATH", "SCPT", "SHDR", "TMLN",
)  # fmt: skip


class Names:
    """How references are written in the folder: by name, or as ``{"index": n}``."""

    def __init__(self, game: GameData) -> None:
        self.game = game
        self._shown: dict[tuple[str, int], Any] = {}
        self.scheme = Scheme(
            game.layout, show=self._showers(), read=self._readers(), omit_defaults=True
        )

    def _showers(self) -> dict[str, Callable[[Any], Any]]:
        show: dict[str, Callable[[Any], Any]] = dict.fromkeys(REFERRED, self.show_reference)
        show["string"] = show_string
        show["parent"] = self.show_reference
        show["asset"] = self._show_asset
        show["TXTR"] = lambda value: value.index if isinstance(value, Reference) else value
        show["item"] = self._show_item
        return show

    def _readers(self) -> dict[str, Callable[[Any], Any]]:
        read: dict[str, Callable[[Any], Any]] = {
            chunk: self._reader(self.game.named(chunk)) for chunk in REFERRED
        }
        read["string"] = self.read_string
        read["parent"] = read["OBJT"]
        read["asset"] = self._read_asset
        read["TXTR"] = self._read_page
        read["item"] = self._read_item
        return read

    # -- showing ----------------------------------------------------------------------------

    def show_reference(self, value: Any) -> Any:
        """A reference by its name; by its index where the name leads elsewhere."""
        if not isinstance(value, Reference):
            return value
        if value.index < 0:
            return None
        key = (value.owner.kind, value.index)
        try:
            return self._shown[key]
        except KeyError:
            shown = self._shown[key] = self._name_of(value)
            return shown

    @staticmethod
    def _name_of(value: Reference) -> Any:
        name = getattr(value.target, "name", None)
        if name is not None and str(name) and value.owner.index(str(name)) == value.index:
            return str(name)
        return {"index": value.index}

    def _show_asset(self, value: Any) -> Any:
        if not isinstance(value, Reference) or value.index < 0:
            return value if isinstance(value, int) else None
        return {CHUNKS[value.kind].word.replace(" ", "_"): self.show_reference(value)}

    def _show_item(self, value: Any) -> Any:
        if value is None:
            return None
        for index, item in enumerate(self.game.texture_items):
            if item is value:
                return index
        return None

    # -- reading ----------------------------------------------------------------------------

    def read_string(self, value: Any) -> Any:
        """A text as an entry of the string table."""
        if value is None:
            return None
        if not isinstance(value, str):
            raise FormatError(f"expected a text, not {value!r}")
        return self.game.strings.add(value)

    def _reader(self, owner: NamedList) -> Callable[[Any], Any]:
        return lambda value: read_reference(owner, value)

    def _read_asset(self, value: Any) -> Any:
        if isinstance(value, dict) and len(value) == 1:
            ((word, name),) = value.items()
            for chunk in REFERRED:
                if CHUNKS[chunk].word.replace(" ", "_") == word:
                    return read_reference(self.game.named(chunk), name)
        if value is None or (isinstance(value, int) and not isinstance(value, bool)):
            return value
        raise FormatError(f'expected an asset like {{"sprite": "spr_player"}}, not {value!r}')

    def _read_page(self, value: Any) -> Any:
        pages = self.game.named("TXTR")
        if isinstance(value, int) and 0 <= value < len(pages):
            return pages.reference(value)
        return value

    def _read_item(self, value: Any) -> Any:
        if value is None:
            return None
        items = self.game.texture_items
        if isinstance(value, int) and 0 <= value < len(items):
            return items[value]
        raise FormatError(f"there is no texture page item {value!r}")


def show_string(value: Any) -> Any:
    """A string entry as its text."""
    return value.text if isinstance(value, String) else value


def read_reference(owner: NamedList, value: Any) -> Any:
    """A reference from its name, ``{"index": n}``, None, or a number that leads nowhere."""
    if value is None:
        return None
    if isinstance(value, str):
        try:
            return owner.reference(owner.index(value))
        except KeyError as error:
            raise FormatError(str(error.args[0])) from None
    if isinstance(value, dict):
        index = value.get("index")
        if isinstance(index, int) and 0 <= index < len(owner) and len(value) == 1:
            return owner.reference(index)
    elif isinstance(value, int) and not isinstance(value, bool):
        return value
    raise FormatError(f"expected the name of a {owner.word}, not {value!r}")


def show_record(
    record: Record, scheme: Scheme, hidden: frozenset[str] = frozenset()
) -> dict[str, Any]:
    """A resource as JSON: all its own fields, and of nested records what is not the default."""
    brief = to_jsonable(record, scheme)
    shown: dict[str, Any] = {}
    for field in fields_of(type(record)):
        name = field.name
        if name in hidden or name in COUNTS or not field.present(scheme.version):
            continue
        if name in brief:
            shown[name] = without_counts(brief[name])
        elif field.given is None or field.given.holds(getattr(record, field.given.field)):
            try:
                shown[name] = value_to_jsonable(field.codec, getattr(record, name), scheme)
            except TypeError:  # padding has no plain form
                continue
    return shown


def without_counts(plain: Any) -> Any:
    """JSON without the counts that follow from lists."""
    if isinstance(plain, dict):
        return {key: without_counts(item) for key, item in plain.items() if key not in COUNTS}
    if isinstance(plain, list) and plain and isinstance(plain[0], (dict, list)):
        return [without_counts(item) for item in plain]
    return plain


def read_record(cls: type[Record], plain: Any, scheme: Scheme) -> Any:
    """A record from JSON; missing fields have their defaults, counts follow from lists."""
    record = from_jsonable(cls, plain, scheme)
    settle_counts(record)
    return record


def settle_counts(record: Any) -> None:
    """Set the counts of lists and the lengths of blocks, throughout."""
    for field in fields_of(type(record)):
        value = getattr(record, field.name)
        codec = field.codec.inner if isinstance(field.codec, Deferred) else field.codec
        if isinstance(codec, (Counted, Block)) and value is not None:
            setattr(record, codec.needs[0], len(value))
        if isinstance(value, list):
            for item in value:
                if isinstance(item, Record):
                    settle_counts(item)
                elif isinstance(item, list):
                    for part in item:
                        if isinstance(part, Record):
                            settle_counts(part)
        elif isinstance(value, Record):
            settle_counts(value)


def overlay(old: Any, new: Any) -> Any:
    """The new value made of the old one's parts wherever they are equal."""
    if type(old) is not type(new):
        return old if _same(old, new) else new
    if isinstance(old, Record):
        known = {field.name for field in fields_of(type(old))}
        same = True
        for name in type(old).__struct_fields__:
            before = getattr(old, name)
            if known and name not in known:  # what is not stored stays with its record
                setattr(new, name, before)
                continue
            value = overlay(before, getattr(new, name))
            setattr(new, name, value)
            same = same and value is before
        return old if same else new
    if isinstance(old, list):
        return _overlay_lists(old, new)
    return old if _same(old, new) else new


def _overlay_lists(old: list[Any], new: list[Any]) -> list[Any]:
    if len(old) == len(new):
        merged = [overlay(before, after) for before, after in zip(old, new, strict=True)]
        return old if all(a is b for a, b in zip(old, merged, strict=True)) else merged
    start = 0
    shorter = min(len(old), len(new))
    while start < shorter and _same(old[start], new[start]):
        start += 1
    end = 0
    while end < shorter - start and _same(old[-1 - end], new[-1 - end]):
        end += 1
    middle = new[start : len(new) - end]
    tail = old[len(old) - end :] if end else []
    return [*old[:start], *middle, *tail]


def _same(old: Any, new: Any) -> bool:
    try:
        return bool(old == new)
    except (TypeError, ValueError):
        return False


def replace_fields(target: Record, source: Record, hidden: frozenset[str]) -> None:
    """Copy all fields but the hidden ones into a record, which keeps its identity."""
    for name in type(target).__struct_fields__:
        if name not in hidden:
            setattr(target, name, getattr(source, name))
