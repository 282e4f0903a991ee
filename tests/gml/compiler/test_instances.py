"""Room instances: a file keeps their numbers, not their names, so the old code shows them."""

from __future__ import annotations

import pytest

from overhaul import gml
from overhaul.errors import OverhaulError

RELEASES = {
    "gms2": gml.Dialect.for_version(17, (2, 2, 5, 0)),
    "2.3.7": gml.Dialect.for_version(17, (2, 3, 7, 0)),
    "2024.2": gml.Dialect.for_version(17, (2024, 2, 0, 0)),
}
SOURCE = """
instance_destroy(inst_6B1F54B5);
inst_6B1F54B5.solid = true;
with (inst_1A2B3C4D) { x = 1 }
"""


def compiled(
    source: str, dialect: gml.Dialect, previous: gml.Code | None, *numbers: int
) -> gml.Code:
    context = gml.Context(dialect=dialect)
    for number, name in zip(numbers, ("inst_6B1F54B5", "inst_1A2B3C4D"), strict=False):
        context.add_asset("room_instance", number, name)
    return gml.compile(source, context, name="gml_Object_o_Create_0", previous=previous)


@pytest.mark.parametrize("release", RELEASES)
def test_names_of_instances_are_found_in_the_old_code(release: str) -> None:
    dialect = RELEASES[release]
    official = compiled(SOURCE, dialect, None, 100017, 100405)
    again = compiled(SOURCE, dialect, official)
    assert again == official


@pytest.mark.parametrize("release", RELEASES)
def test_a_changed_source_is_compiled_as_it_stands(release: str) -> None:
    dialect = RELEASES[release]
    official = compiled(SOURCE, dialect, None, 100017, 100405)
    changed = SOURCE.replace("x = 1", "x = 2")
    assert compiled(changed, dialect, official) == compiled(changed, dialect, None)


def test_one_name_is_one_instance() -> None:
    dialect = RELEASES["gms2"]
    old = "show(inst_6B1F54B5); show(inst_1A2B3C4D);"
    context = gml.Context(dialect=dialect)
    context.add_function("show", "show")
    context.add_asset("room_instance", 100017, "inst_6B1F54B5")
    context.add_asset("room_instance", 100405, "inst_1A2B3C4D")
    official = gml.compile(old, context, name="gml_Object_o_Create_0")
    bare = gml.Context(dialect=dialect)
    bare.add_function("show", "show")
    same = "show(inst_1A2B3C4D); show(inst_1A2B3C4D);"
    assert gml.compile(same, bare, name="gml_Object_o_Create_0", previous=official) != official
    assert gml.compile(old, bare, name="gml_Object_o_Create_0", previous=official) == official


def test_a_number_replaced_by_a_variable_stays_replaced() -> None:
    official = compiled("x = 100017; y = 100017;", RELEASES["gms2"], None)
    changed = compiled("x = target; y = target;", RELEASES["gms2"], official)
    assert changed == compiled("x = target; y = target;", RELEASES["gms2"], None) != official


def test_a_name_someone_gave_is_known_by_the_rest_of_the_source() -> None:
    official = compiled("x = 100017; y = 2 * 3;", RELEASES["gms2"], None)
    assert compiled("x = the_door; y = 2 * 3;", RELEASES["gms2"], official) == official
    assert compiled("x = the_door; y = 6;", RELEASES["gms2"], official) != official


USES = (
    "if (inst_6B1F54B5) x = 1; else y = 2;",
    "x = inst_6B1F54B5 ? hp : mp;",
    "if (inst_6B1F54B5 == inst_1A2B3C4D) { show(x); } y = 3;",
    "x = string(inst_6B1F54B5) + name;",
    "x = inst_6B1F54B5.hp + inst_1A2B3C4D.mp;",
    "x[inst_6B1F54B5] = y;",
    "switch (inst_6B1F54B5) { case 1: x = 2; break; }",
    "repeat (inst_6B1F54B5) x += 1;",
    "x = -inst_6B1F54B5; y = 4;",
)
STRUCTS = ("x = {a: inst_6B1F54B5, b: y};", "x = [inst_6B1F54B5, y]; x = function() { y = 1; };")


@pytest.mark.parametrize("release", RELEASES)
def test_what_can_not_be_instances_is_refused_only_where_a_trial_fails(
    release: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    dialect = RELEASES[release]
    for source in USES + STRUCTS * dialect.gml_v2:
        official = compiled(source, dialect, None, 100017, 100405)
        for edited in (source, source + " z = heard;", source.replace("y", "w")):
            short = said(edited, dialect, official)
            with monkeypatch.context() as patch:
                patch.setattr("overhaul.gml.compiler.compiler.may_be_instances", always)
                assert short == said(edited, dialect, official), edited


def said(source: str, dialect: gml.Dialect, official: gml.Code) -> gml.Code | str:
    try:
        return compiled(source, dialect, official)
    except OverhaulError as error:
        return str(error)


def always(*_: object) -> bool:
    return True
