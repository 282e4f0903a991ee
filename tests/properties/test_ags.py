"""Records of Adventure Game Studio, drawn from their declarations: bytes and JSON keep them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from overhaul.ags.fields import (
    TABLES,
    EString,
    Unterminated,
    new_reader,
    new_writer,
)
from overhaul.ags.folder import file_io
from overhaul.ags.game import extensions, gui, resources
from overhaul.ags.library import tables
from overhaul.ags.properties import EventSchema, HandlerTable, PropertySchema, PropertySet, TextMap
from overhaul.ags.room import records as room
from overhaul.ags.text import decode
from overhaul.ags.translation import FontsBlock, GameIdBlock, NewTextOptionsBlock
from overhaul.schema import NulText, Record, SizedText, codec_for
from overhaul.testing import records

WITHOUT_PICTURES: tuple[type[Record], ...] = (
    room.ObjectNames,
    room.ObjectScriptNames,
    room.RoomProperties,
    *(record for id, record in room.BLOCKS.items() if isinstance(id, str)),
)
RECORDS: list[tuple[type[Record], Any]] = [
    *((record, 4000029) for record in extensions.BLOCKS.values()),
    *((record, version) for record in WITHOUT_PICTURES for version in (25, 33)),
    *((record, version) for record in (resources.Character, resources.View) for version in (50,)),
    *(
        (record, 50)
        for record in (resources.Dialog, resources.AudioClip, resources.Plugin, resources.Word)
    ),
    *((record, version) for record in (gui.Button, gui.ListBox) for version in (101, 114, 119)),
    *((record, None) for record in (PropertySet, PropertySchema, TextMap, EventSchema)),
    *((record, None) for record in (HandlerTable, FontsBlock, GameIdBlock, NewTextOptionsBlock)),
    *((tables.TABLES[version], version) for version in (6, 10, 20, 21, 30)),
]


def texts(longest: int, *, nul: bool = True) -> st.SearchStrategy[str]:
    """Texts of at most so many bytes, as reading gives them: no NUL at the end of a fixed one."""
    data = st.binary(max_size=longest)
    if not nul:
        data = data.map(lambda found: found.replace(b"\0", b"x"))
    return data.map(lambda found: decode(found.rstrip(b"\0")))


def drawn(record: type[Record], version: Any) -> st.SearchStrategy[Record]:
    codec_for(record, version)  # the kinds of fixed texts are known once they were declared
    kinds = {kind: texts(int(kind.removeprefix("text"))) for kind in TABLES}
    fields: dict[type, Any] = {
        NulText: lambda codec, needed: texts(8, nul=False),
        SizedText: lambda codec, needed: texts(8),
        EString: lambda codec, needed: texts(8) | texts(8).map(Unterminated),
    }
    return records(record, version, values=kinds, fields=fields)


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("record", "version"), RECORDS, ids=lambda value: getattr(value, "__name__", str(value))
)
@given(data=st.data())
@settings(max_examples=12, suppress_health_check=[HealthCheck.too_slow], deadline=None)
def test_bytes_and_json_give_the_record_back(
    record: type[Record], version: Any, data: st.DataObject
) -> None:
    value = data.draw(drawn(record, version))
    writer = new_writer(version)
    codec = codec_for(record, version)
    codec.write(writer, value)
    stored = bytes(writer.out)
    found, end = codec.read(stored, 0, new_reader(version))
    assert found == value and end == len(stored)
    shown = json.loads(json.dumps(file_io.show(value, version)))
    assert file_io.read(record, shown, version, "test") == value
