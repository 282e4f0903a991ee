"""The tables of fields in the pages of the formats are made of the declarations."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from overhaul.gamemaker.ide.declared import declared, declared_elements
from overhaul.gamemaker.ide.resources import assets, objects, rooms, sprites
from overhaul.gamemaker.ide.resources.fields import Choice, Field, Link, fields_of
from overhaul.gamemaker.ide.values import Steps

FORMATS = Path(__file__).parents[4] / "docs/formats"
TABLE = re.compile(r"<!-- fields -->\n(.*?)<!-- end of fields -->", re.DOTALL)
#: The classes with fields; of each: its class in JSON, its element in XML.
CLASSES: dict[type, tuple[str, str]] = {
    sprites.Sprite: ("GMSprite", "sprite"),
    sprites.NineSlice: ("GMNineSliceData", ""),
    objects.Object: ("GMObject", "object"),
    objects.Event: ("GMEvent", "event"),
    objects.Physics: ("GMObject", "object"),
    rooms.Room: ("GMRoom", "room"),
    rooms.Layer: ("", ""),
    rooms.Instance: ("GMRInstance", "instance"),
    rooms.SpriteElement: ("GMRSpriteGraphic", ""),
    rooms.View: ("GMRoom.views[]", "view"),
    rooms.RoomBackground: ("", "background"),
    rooms.Tile: ("", "tile"),
    assets.Sound: ("GMSound", "sound"),
    assets.Background: ("GMTileSet", "background"),
    assets.Path: ("GMPath", "path"),
    assets.Font: ("GMFont", "font"),
    assets.Moment: ("GMMoment", "entry"),
    assets.Sequence: ("GMSequence", ""),
    assets.AnimationCurve: ("GMAnimCurve", ""),
    assets.Extension: ("GMExtension", "extension"),
}
#: The classes of 2.0 to 2.2 that are called otherwise.
OLD = {"GMRoom.views[]": "GMRView"}
LAYERS = ("GMRInstanceLayer", "GMRBackgroundLayer", "GMRTileLayer", "GMRAssetLayer",
          "GMREffectLayer")  # fmt: skip


def shown(steps: Steps | None) -> str:
    return "" if steps is None else f"`{'.'.join(map(str, steps))}`"


def type_of(field: Field[object]) -> str:
    if isinstance(field, Link):
        return " or ".join(field.kinds)
    return field.members.__name__ if isinstance(field, Choice) else field.what.removeprefix("a ")


def rows(*, is_xml: bool) -> Iterator[str]:
    heads = ("`.gmx`",) if is_xml else ("2.3 and later", "2.0 to 2.2")
    yield "| | | " + " | ".join(heads) + " | |"
    yield "|---" * (3 + len(heads)) + "|"
    for kind in CLASSES:
        for name, field in fields_of(kind).items():
            modern, old, xml = field.places
            cells = (xml,) if is_xml else (modern, old)
            if any(cells):
                places = " | ".join(map(shown, cells))
                attribute = f"`{kind.__name__}.{name}`"
                yield f"| {attribute} | {type_of(field)} | {places} | {field.__doc__} |"


@pytest.mark.parametrize(("page", "is_xml"), [("yyp.md", False), ("gmx.md", True)])
def test_the_tables_are_those_of_the_declarations(page: str, is_xml: bool) -> None:
    path = FORMATS / page
    text = path.read_text("utf-8")
    made = "\n".join(rows(is_xml=is_xml)) + "\n"
    if os.environ.get("OVERHAUL_WRITE_LAYOUTS") == "1":
        path.write_text(TABLE.sub(lambda _: f"<!-- fields -->\n{made}<!-- end of fields -->", text))
        return
    found = TABLE.search(text)
    assert found is not None
    assert found[1] == made


@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.__name__)
def test_every_place_is_one_that_files_have(kind: type) -> None:
    tag, element = CLASSES[kind]
    known = declared()
    for name, field in fields_of(kind).items():
        modern, old, xml = field.places
        for steps, letters, own in ((modern, "BCD", tag), (old, "A", OLD.get(tag, tag))):
            owners = LAYERS if kind is rooms.Layer else (own,)
            if (steps is not None and own) or (steps is not None and kind is rooms.Layer):
                found = [known[each].get(str(steps[0])) for each in owners if each in known]
                has = {letter for one in found if one is not None for letter in one.letters}
                assert has & set(letters), (name, steps, letters)
        if xml is not None and element:
            assert str(xml[0]) in declared_elements()[element], (name, xml)
