"""How JSON shows what a record refers to: resources and strings by name."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Any

from overhaul.errors import FormatError
from overhaul.gamemaker.data.chunks import CHUNKS
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data.listed_names import stored_names
from overhaul.gamemaker.data.references import NamedList, Reference
from overhaul.gamemaker.data.strings import String
from overhaul.gamemaker.data.version import Version
from overhaul.schema import Scheme

if TYPE_CHECKING:
    from overhaul.gamemaker.data.chunks.txtr import TexturePageItem

#: the chunks that references lead into
REFERRED = (
    "SPRT", "SOND", "OBJT", "ROOM", "CODE", "BGND", "FONT", "SEQN", "ACRV", "PSYS", "PSEM",
    "PATH", "SCPT", "SHDR", "TMLN",
)  # fmt: skip


class ReferenceNames:
    """How references are written in the folder: by name, or as ``{"index": n}``."""

    def __init__(self, game: GameData) -> None:
        self.game = game
        self._shown: dict[tuple[str, int], object] = {}
        #: the places of names in lists that are not decoded, and the names
        self._stored: dict[str, tuple[dict[str, int], list[str]] | None] = {}
        show: dict[str, Callable[[object], object]] = dict.fromkeys(REFERRED, self.show_reference)
        show |= {
            "string": show_string,
            "parent": self.show_reference,
            "asset": self._show_asset,
            "TXTR": lambda value: value.index if isinstance(value, Reference) else value,
            "item": self._show_item,
        }
        read = {chunk: self._reader(chunk) for chunk in REFERRED}
        read |= {
            "string": self.read_string,
            "parent": read["OBJT"],
            "asset": self._read_asset,
            "TXTR": self._read_page,
            "item": self._read_item,
        }
        self.scheme: Scheme = Scheme(game.release, show=show, read=read, omit_defaults=True)

    @property
    def version(self) -> Version:
        """The layout of the game's records."""
        return self.game.release

    # -- showing ------------------------------------------------------------------------------

    def show_reference(self, value: object) -> object:
        """A reference by its name; by its index where the name leads elsewhere."""
        if not isinstance(value, Reference):
            return value
        if value.index < 0:
            return None
        key = (value.chunk, value.index)
        if key not in self._shown:
            stored = self._stored_list(value.chunk)
            if stored is not None and value.index < len(stored[1]):
                name = stored[1][value.index]
                exact = name and stored[0][name] == value.index
            else:
                name = name_of(value.target)
                exact = name and value.owner.index(name) == value.index
            self._shown[key] = name if exact else {"index": value.index}
        return self._shown[key]

    def _stored_list(self, chunk: str) -> tuple[dict[str, int], list[str]] | None:
        """The places of the names of a list, and the names; None where they are not stored."""
        found = self.game.chunks.get(chunk)
        if found is None or found.decoded:  # by now it may be edited
            return None
        if chunk not in self._stored:
            names = stored_names(self.game, chunk)
            places: dict[str, int] = {}
            for index, name in enumerate(names or ()):
                places.setdefault(name, index)
            self._stored[chunk] = None if names is None else (places, names)
        return self._stored[chunk]

    def _show_asset(self, value: object) -> object:
        if not isinstance(value, Reference) or value.index < 0:
            return value if isinstance(value, int) else None
        return {_asset_key(value.chunk): self.show_reference(value)}

    def _show_item(self, value: object) -> object:
        items = enumerate(self.game.texture_items)
        return None if value is None else next((n for n, item in items if item is value), None)

    # -- reading ------------------------------------------------------------------------------

    def read_string(self, value: object) -> String | None:
        """A text as an entry of the string table."""
        if value is None:
            return None
        if not isinstance(value, str):
            raise FormatError(f"expected a text, got {value!r}")
        string: String = self.game.strings.add(value)
        return string

    def _reader(self, chunk: str) -> Callable[[object], object]:
        owner = self.game.named(chunk)

        def read(value: object) -> object:
            stored = self._stored_list(chunk) if isinstance(value, str) else None
            place = None if stored is None else stored[0].get(str(value))
            return read_reference(owner, value) if place is None else owner.reference(place)

        return read

    def _read_asset(self, value: object) -> object:
        if isinstance(value, dict) and len(value) == 1:
            ((key, name),) = value.items()
            for chunk in REFERRED:
                if _asset_key(chunk) == key:
                    return read_reference(self.game.named(chunk), name)
        if value is None or is_number(value):
            return value
        raise FormatError(f'expected an asset like {{"sprite": "spr_player"}}, got {value!r}')

    def _read_page(self, value: object) -> object:
        pages = self.game.named("TXTR")
        if isinstance(value, int) and 0 <= value < len(pages):
            return pages.reference(value)
        return value

    def _read_item(self, value: object) -> TexturePageItem | None:
        if value is None:
            return None
        items = self.game.texture_items
        if isinstance(value, int) and 0 <= value < len(items):
            item: TexturePageItem | None = items[value]
            return item
        raise FormatError(f"there is no texture page item {value!r}")


def _asset_key(chunk: str) -> str:
    """The key of an asset's JSON object: the word for resources of a chunk."""
    return CHUNKS[chunk].title.replace(" ", "_")


def name_of(item: object) -> str:
    """The name of a resource as text; "" where it has none."""
    name = getattr(item, "name", None)
    return "" if name is None else str(name)


def show_string(value: object) -> object:
    """A string entry as its text."""
    return str(value) if isinstance(value, String) else value


def is_number(value: object) -> bool:
    """Whether a JSON value is a whole number."""
    return isinstance(value, int) and not isinstance(value, bool)


def expect_keys(value: object, known: Collection[str]) -> None:
    """Raise FormatError if an object of JSON has an unknown key."""
    unknown = value.keys() - known if isinstance(value, dict) else ()
    if unknown:
        raise FormatError("there is no such key").within(min(unknown))


def read_reference(owner: NamedList[Any], value: object) -> object:
    """A reference from its name, ``{"index": n}``, None, or a number that leads nowhere."""
    if value is None:
        return None
    if isinstance(value, str):
        return owner.reference(index_of(owner, value))
    if isinstance(value, dict):
        index = value.get("index")
        if isinstance(index, int) and 0 <= index < len(owner) and len(value) == 1:
            return owner.reference(index)
    elif is_number(value):
        return value
    raise FormatError(f"expected the name of a {owner.title}, got {value!r}")


def index_of(owner: NamedList[Any], name: str) -> int:
    """The index of the element with a name, or with that name before the edit. Raises FormatError
    where there is none."""
    try:
        return owner.index(name if name in owner else owner.former.get(name, name))
    except KeyError as error:
        raise FormatError(str(error.args[0])) from None
