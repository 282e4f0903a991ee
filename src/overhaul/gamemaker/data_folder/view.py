"""A game as its folder shows it: where each resource lies, and its JSON."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from overhaul.document.names import FileNames, unescape_name
from overhaul.gamemaker.data.chunks import CHUNKS
from overhaul.gamemaker.data_folder import events, rooms
from overhaul.gamemaker.data_folder.kinds import (
    FILE_DETAILS,
    FILES,
    KINDS,
    Kind,
    event_types,
    resource_defaults,
)
from overhaul.gamemaker.data_folder.plain import Names, show_record, without_counts
from overhaul.schema.jsonable import to_jsonable

if TYPE_CHECKING:
    from overhaul.gamemaker.data.game import GameData
    from overhaul.schema import Record

#: fields of JSON files that are not the record's own
EXTRA = frozenset({"name", "details"})


def kinds_of(game: GameData) -> list[Kind]:
    """The kinds of resources; backgrounds are tile sets from GMS2 on."""
    if game.layout.major < 2:
        return list(KINDS)
    return [replace(k, folder="tilesets") if k.chunk == "BGND" else k for k in KINDS]


class FolderView:
    """Names, places and JSON of a game's resources, as they were before any edit."""

    def __init__(self, game: GameData) -> None:
        self.game = game
        self.names = Names(game)
        self.kinds = kinds_of(game)
        self.by_folder = {kind.folder: kind for kind in self.kinds}
        self._stems: dict[str, list[str]] = {}
        self._usual: dict[str, dict[str, Any]] = {}

    def stems(self, chunk: str) -> list[str]:
        """The file name of each resource of a kind; "" for one that is not there."""
        found = self._stems.get(chunk)
        if found is None:
            made = FileNames()
            found = self._stems[chunk] = [
                "" if item is None else made(name_of(item)) for item in self.game.named(chunk)
            ]
        return found

    def json_of(self, kind: Kind, record: Record, stem: str) -> dict[str, Any]:
        """The JSON of a resource."""
        names = self.names
        plain = show_record(record, names.scheme, kind.hidden)
        if kind.chunk == "OBJT":
            plain["events"] = events.show_events(record, names)
            if len(record.events) != event_types(self.game.layout):  # type: ignore[attr-defined]
                plain["event_types"] = len(record.events)  # type: ignore[attr-defined]
        elif kind.chunk == "ROOM":
            plain = rooms.show_room(record, plain, names)
        elif kind.chunk == "BGND" and plain.get("tile_ids"):
            plain["tile_ids"] = rooms.rows(plain["tile_ids"], plain["columns"])
        elif kind.chunk == "SOND":
            plain["group"] = self.show_group(plain["group"])
        elif kind.chunk == "EXTN":
            self._show_product_id(record, plain)
        self._set_apart(kind, plain)
        named: dict[str, Any] = {}
        name = record.name  # type: ignore[attr-defined]
        if name is None or unescape_name(stem) != name.text:
            named["name"] = None if name is None else name.text
        return named | plain

    def _set_apart(self, kind: Kind, plain: dict[str, Any]) -> None:
        """Move what nobody edits to ``details``, and leave out there what is as usual."""
        usual = self.usual_details(kind)
        details = {}
        for key in list(plain):
            if key in kind.details:
                value = plain.pop(key)
                if usual.get(key, _NOTHING) != value:
                    details[key] = value
        if details:
            plain["details"] = details

    def usual_details(self, kind: Kind) -> dict[str, Any]:
        """The JSON values that the details of a kind have by default in this release."""
        found = self._usual.get(kind.chunk)
        if found is None:
            found = show_record(kind.load()(), self.names.scheme)
            if kind.chunk == "SPRT":
                found |= {"sprite_type": "bitmap", "sequence": None, "special": None}
            found |= resource_defaults(kind, self.game.layout)
            self._usual[kind.chunk] = found
        return found

    def show_group(self, group: int) -> Any:
        """An audio group by its name."""
        groups = self.game.audio_groups
        entry = groups.at(group)
        name = None if entry is None else name_of(entry)
        if name and groups.index(name) == group:
            return name
        return group

    def _show_product_id(self, record: Record, plain: dict[str, Any]) -> None:
        chunk = self.game.chunk("EXTN")
        index = self.game.extensions.index(record)
        if index < len(chunk.product_ids):
            plain["product_id"] = chunk.product_ids[index].hex()

    # -- chunks that are one file -----------------------------------------------------------

    def file_json(self, chunk: str) -> Any:
        """The JSON of a chunk that is one file."""
        record = self.game.chunk(chunk)
        scheme = self.names.scheme
        if chunk == "SCPT":
            return self._show_scripts(record)
        if chunk in ("GLOB", "GMEN"):
            return [self.names.show_reference(entry) for entry in record.code]
        if chunk == "FEAT":
            return [self.names.scheme.show["string"](flag) for flag in record.flags]
        if chunk in ("AGRP", "TGIN", "FEDS", "UILR"):
            items = CHUNKS[chunk].items or "nodes"
            return [
                None if item is None else without_counts(to_jsonable(item, scheme))
                for item in getattr(record, items)
            ]
        plain = show_record(record, scheme)
        details = {}
        for key in FILE_DETAILS.get(chunk, ()):
            if key in plain:
                details[key] = plain.pop(key)
        if details:
            plain["details"] = dict(sorted(details.items()))
        return plain

    def _show_scripts(self, record: Any) -> Any:
        shown: dict[str, Any] = {}
        count = 0
        listed: list[Any] = []
        for script in record.scripts:
            if script is None:
                listed.append(None)
                continue
            entry = self.names.show_reference(script.code.entry)
            code = {"constructor": entry} if script.code.constructor else entry
            name = name_of(script)
            shown[name] = code
            listed.append({"name": name, "code": code})
            count += 1
        return shown if count == len(shown) == len(listed) else listed

    def order_json(self) -> dict[str, Any]:
        """The order of all resources, by file name; null where one was removed."""
        order: dict[str, Any] = {}
        for kind in self.kinds:
            stems = self.stems(kind.chunk)
            if stems:
                order[kind.folder] = [stem or None for stem in stems]
        from overhaul.gamemaker.data_folder.code import root_stems

        code = list(root_stems(self))
        if code:
            order["code"] = code
        return order


def name_of(item: Any) -> str:
    """The name of a resource as text; "" where it has none."""
    name = getattr(item, "name", None)
    return "" if name is None else str(name)


def file_chunks(game: GameData) -> list[str]:
    """The chunks of a game that are one JSON file each and have content."""
    return [chunk for chunk in FILES if chunk in game.slots and game.chunk(chunk) is not None]


_NOTHING = object()
