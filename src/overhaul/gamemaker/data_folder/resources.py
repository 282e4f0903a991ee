"""The JSON of one resource, read back into a record."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from overhaul.errors import FormatError
from overhaul.gamemaker.data.chunks.extn import NO_PRODUCT_ID
from overhaul.gamemaker.data_folder import rooms
from overhaul.gamemaker.data_folder.events import read_events
from overhaul.gamemaker.data_folder.kinds import resource_defaults
from overhaul.gamemaker.data_folder.plain import read_record
from overhaul.schema import fields_of

if TYPE_CHECKING:
    from overhaul.gamemaker.data_folder.applying import Touched
    from overhaul.gamemaker.data_folder.view import FolderView


def read_resource(view: FolderView, resource: Touched, plain: dict[str, Any]) -> Any:
    """The record that a resource's JSON describes.  Raises FormatError with the key's path.

    Hidden fields have their defaults; the caller puts back what they were.
    """
    kind = resource.kind
    names = view.names
    given = dict(plain)
    resource_name = given.pop("name", None)
    if resource_name is not None and not isinstance(resource_name, str):
        raise FormatError(f"expected a text, not {resource_name!r}").within("name")
    details = given.pop("details", {})
    if not isinstance(details, dict):
        raise FormatError("expected an object").within("details")
    values = {**resource_defaults(kind, view.game.layout), **details, **given}
    hidden = values.keys() & (kind.hidden - {"name"})
    if hidden:
        raise FormatError("this is kept in a file of its own, not here").within(min(hidden))
    after: dict[str, Any] = {}
    if kind.chunk == "OBJT":
        lists = values.pop("event_types", 0)
        name = str(resource.record.name)
        try:
            after["events"] = read_events(values.pop("events", None), names, name, _count(lists))
        except FormatError as error:
            raise error.within("events") from None
    elif kind.chunk == "ROOM":
        values = rooms.prepare_room(values, names)
    elif kind.chunk == "BGND":
        values["tile_ids"] = rooms.flat(values.get("tile_ids", []))
        if view.game.layout.major < 2:
            del values["tile_ids"]
    elif kind.chunk == "SOND":
        values["group"] = _group(view, values.get("group"))
    elif kind.chunk == "EXTN":
        _set_product_id(view, resource, values.pop("product_id", None))
    elif kind.chunk == "SPRT":
        _drop_absent(values)
    record = read_record(kind.load(), _ordered(kind.load(), values), names.scheme)
    for name, value in after.items():
        setattr(record, name, value)
    return record


def _count(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= 64:
        raise FormatError(f"expected the number of event types, not {value!r}")
    return value


def _drop_absent(values: dict[str, Any]) -> None:
    """A special sprite's parts are there for some sub-versions only."""
    if values.get("sub_version") == 0:
        for key in ("sprite_type", "playback_speed", "playback_speed_type"):
            values.pop(key, None)
    if values.get("special", 0) is None:
        del values["special"]


def _ordered(cls: type[Any], values: dict[str, Any]) -> dict[str, Any]:
    """Keys in the order of declaration: a choice is read before what it chooses."""
    place = {field.name: index for index, field in enumerate(fields_of(cls))}
    return dict(sorted(values.items(), key=lambda pair: place.get(pair[0], len(place))))


def _group(view: FolderView, value: Any) -> int:
    groups = view.game.audio_groups
    if value is None:
        return 1 if view.game.layout.bytecode < 14 else 0
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    try:
        return int(groups.index(str(value)))
    except KeyError as error:
        raise FormatError(str(error.args[0])).within("group") from None


def _set_product_id(view: FolderView, resource: Touched, value: Any) -> None:
    """Product ids stand apart from the extensions, one for each."""
    chunk = view.game.chunk("EXTN")
    index = view.game.extensions.index(resource.record)
    if value is None:
        if view.game.layout.major >= 2 or chunk.product_ids:
            value = NO_PRODUCT_ID.hex()
        else:
            return
    try:
        raw = bytes.fromhex(value)
    except (TypeError, ValueError):
        raise FormatError("expected 32 hexadecimal digits").within("product_id") from None
    if len(raw) != 16:
        raise FormatError("expected 32 hexadecimal digits").within("product_id")
    while len(chunk.product_ids) <= index:
        chunk.product_ids.append(NO_PRODUCT_ID)
    chunk.product_ids[index] = raw
