"""Names: in no table, of extensions, of two things at once, with letters of any alphabet."""

from __future__ import annotations

import pytest

from overhaul import gml

RELEASES = {
    "1.1": (13, (1, 1, 0, 1307)), "1.4": (16, (1, 4, 0, 1773)), "2.2": (17, (2, 2, 5, 0)),
    "2.3.0": (17, (2, 3, 0, 0)), "2.3.7": (17, (2, 3, 7, 0)), "2023.8": (17, (2023, 8, 0, 0)),
    "2024.14": (17, (2024, 14, 0, 0)),
}  # fmt: skip

EVERYWHERE = [
    "größe = 1; x = größe + 日本;",
    "global.größe = 1; var ö = global.größe; ö += 2;",
    "größer(1); x = shout(größe, 2);",
    "obj_a.spr_b = 2; x = obj_a.spr_b + y.spr_b;",
    "self.spr_b = 1; x = self.spr_b; global.spr_b = x; y.E = x;",
    "self.c_red = 1; x = y.c_red + self.c_red; global.c_red = x;",
    "var spr_b; spr_b = 1; x = spr_b;",
    "var shout; shout = 1; x = shout; shout(x);",
    "x = y.größer + y.abs + global.abs; y.shout = x;",
]
FUNCTIONS = [
    "x = {spr_b: 1, shout: 2, abs: 3, größe: 4, room: 5, c_red: 6};",
    "x = shout; y = abs; z = method(self, größer);",
    "x = y.shout(1) + self.größer(1) + self.abs(1) + global.shout(1);",
    "x = self.größer + self.abs + self.shout; self.abs = x;",
    "unknown(1); x = unknown; y = self.unknown(1) + global.unknown();",
    "f = function(spr_b, größer, größe = 2) { return spr_b + größer + größe; }",
    "f = function() { static größe = 1; return größe++; }",
    "x = new größe(1); x = new größer(1); x = new y.größe(1);",
    'x[$ "größe"] = y[$ größe];',
    "enum Größe { eins, zwei }\nx = Größe.zwei;",
    "#macro GRÖSSE 5\nx = GRÖSSE;",
]


def context(release: str) -> gml.Context:
    dialect = gml.Dialect.for_version(*RELEASES[release])
    made = gml.Context(dialect=dialect)
    made.add_asset("object", 5, "obj_a")
    made.add_asset("sprite", 3, "spr_b")
    made.add_extension_function("shout")
    made.add_function("größer", "gml_Script_größer" if dialect.gml_v2 else "größer")
    return made


@pytest.mark.parametrize("release", RELEASES)
def test_names_come_back(release: str) -> None:
    made = context(release)
    for source in EVERYWHERE + (FUNCTIONS if made.dialect.gml_v2 else []):
        code = gml.compile(source, made, name="gml_Object_o_Step_0")
        assert gml.assemble(gml.disassemble(code, made), made).instructions == code.instructions
        text = gml.decompile(code, made)
        again = gml.compile(text, made, name="gml_Object_o_Step_0")
        assert again.instructions == code.instructions, text


@pytest.mark.parametrize("release", ["2.3.7", "2023.8", "2024.14"])
def test_built_in_names_of_the_instance_s_own(release: str) -> None:
    made = context(release)
    code = gml.compile("self.room = 1; x = self.room; room = self.score;", made)
    assert gml.compile(gml.decompile(code, made), made).instructions == code.instructions


@pytest.mark.parametrize("release", RELEASES)
def test_the_instance_s_own_before_a_local_of_that_name(release: str) -> None:
    made = context(release)
    code = gml.compile("var i = 1; q = self.temp; var temp = i;", made)
    assert gml.compile(gml.decompile(code, made), made).instructions == code.instructions


@pytest.mark.parametrize("release", ["2.3.0", "2.3.7", "2024.14"])
def test_elements_without_an_owner(release: str) -> None:
    dialect = context(release).dialect.replace(array_copy_on_write=True)
    for source in (
        "q[0] -= 1;\nq[@ 0] -= 1;",
        "q[@ 0]++;\nq[0]++;",
        "a.q[@ 0] += b;",
        "q[0][@ 1] ^= 1;",
        "q[f([1])] += 1;\nq[@ f([1])] += 1;",
    ):
        code = gml.compile(source, gml.Context(dialect=dialect))
        assert gml.decompile(code, gml.Context(dialect=dialect)).rstrip() == source
