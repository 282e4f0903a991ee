"""What each construct compiles to, release by release.

The expected code is what official builds show (docs: the specification's section 6); whole sources
against whole official code are in tests/corpus/test_sourcepairs.py.
"""

from __future__ import annotations

import random

import pytest

from overhaul import gml
from overhaul.gml.compiler.definitions import add_definitions

B8 = gml.Dialect.for_version(8, (1, 0, 0, 412))
B10 = gml.Dialect.for_version(10, (1, 0, 0, 666))
EARLY = gml.Dialect.for_version(13, (1, 0, 0, 964))
OLD = gml.Dialect.for_version(13, (1, 1, 0, 1307))
GMS1 = gml.Dialect.for_version(16, (1, 4, 0, 1773))
GMS2 = gml.Dialect.for_version(17, (2, 2, 5, 0))
FIRST = gml.Dialect.for_version(17, (2, 3, 0, 0))
V23 = gml.Dialect.for_version(17, (2, 3, 7, 0), array_copy_on_write=False)
OWNERS = gml.Dialect.for_version(17, (2, 3, 7, 0))
Y2023 = gml.Dialect.for_version(17, (2023, 8, 0, 0))
Y2024 = gml.Dialect.for_version(17, (2024, 2, 0, 0))
Y2024_14 = gml.Dialect.for_version(17, (2024, 14, 0, 0))
NEWEST = gml.Dialect()

NAMES = {
    "412": B8, "666": B10, "964": EARLY, "old": OLD,
    "gms1": GMS1, "gms2": GMS2, "2.3.0": FIRST, "2.3.7": V23, "owners": OWNERS,
    "2023.8": Y2023, "2024.2": Y2024, "2024.14": Y2024_14, "newest": NEWEST,
}  # fmt: skip


def context(dialect: gml.Dialect) -> gml.Context:
    result = gml.Context(dialect=dialect)
    result.add_asset("object", 5, "obj_a")
    result.add_asset("sprite", 3, "spr_b")
    result.add_enum("E", [("zero", 0), ("two", 2)])
    result.add_function("tally", "gml_Script_tally" if dialect.gml_v2 else "tally")
    return result


def shape(source: str, dialect: gml.Dialect, kind: str = "event") -> str:
    """The instructions of a source, one line, without the heads of blocks that nothing names."""
    made = context(dialect)
    text = gml.disassemble(gml.compile(source, made, kind=kind, name="gml_Object_o_Step_0"), made)
    lines = [line for line in text.splitlines() if line and not line.startswith((".", ":[0]"))]
    return "; ".join(line for line in lines if line != ":[end]")


SHAPES = [
    # the first releases
    ("412", "x = hp", "push.v builtin.hp; pop.v.v builtin.x"),
    ("666", "room = self.hp", "push.v self.hp; pop.v.v builtin.room"),
    ("964", "room = self.hp", "push.v self.hp; pop.v.v self.room"),
    ("666", "self.hp[1] = 2", "push.e 2; push.e -1; push.e 1; pop.v.i [array]self.hp"),
    ("666", "hp[i] = 2", "push.e 2; push.e -6; push.v builtin.i; conv.v.i; pop.v.i [array]self.hp"),
    (
        "964", "hp[i] = 2",
        "push.e 2; push.e -1; push.v self.i; conv.v.i; chkindex.e; pop.v.i [array]self.hp",
    ),
    ("964", "x = view_xview", "push.e -1; push.e 0; chkindex.e; push.v [array]self.view_xview; "
     "pop.v.v self.x"),
    ("old", "x = view_xview", "push.e -1; push.e 0; push.v [array]self.view_xview; pop.v.v self.x"),
    (
        "412", "hp[0] += 1",
        "push.e -6; push.e 0; push.v [array]self.hp; push.e 1; add.i.v; push.e -6; push.e 0; "
        "pop.v.v [array]self.hp",
    ),
    (
        "412", "a.hp--",
        "push.v builtin.a; conv.v.i; push.v [stacktop]self.hp; push.e 1; sub.i.v; "
        "push.v builtin.a; conv.v.i; pop.v.v [stacktop]self.hp",
    ),
    (
        "666", "hp[0] += 1",
        "push.e -6; push.e 0; dup.i 1; push.v [array]self.hp; push.e 1; add.i.v; "
        "pop.i.v [array]self.hp",
    ),
    ("412", "hp += 1", "push.v builtin.hp; push.e 1; add.i.v; pop.v.v builtin.hp"),
    (
        "666", "x = a[1, 2]",
        "push.e -6; push.e 1; push.i 32000; mul.i.i; push.e 2; add.i.i; push.v [array]self.a; "
        "pop.v.v builtin.x",
    ),
    (
        "964", "x = a[1, 2]",
        "push.e -1; push.e 1; chkindex.e; push.i 32000; mul.i.i; push.e 2; chkindex.e; add.i.i; "
        "push.v [array]self.a; pop.v.v self.x",
    ),
    ("412", 'x = ord("A")', 'push.s "A"; conv.s.v; call.i ord(argc=1); pop.v.v builtin.x'),
    ("666", 'x = ord("A")', "push.e 65; pop.v.i builtin.x"),
    ("666", "x = os_browser", "push.v builtin.os_browser; pop.v.v builtin.x"),
    ("964", "x = os_browser", "push.e -1; pop.v.i self.x"),
    ("964", "x = a & 3", "push.v self.a; conv.v.i; push.e 3; and.i.i; pop.v.i self.x"),
    ("964", "x = ~a", "push.v self.a; conv.v.i; not.i; pop.v.i self.x"),
    ("964", "x = a << 3", "push.v self.a; conv.v.i; push.e 3; shl.i.i; pop.v.i self.x"),
    ("old", "x = a & 3", "push.v self.a; conv.v.l; push.e 3; and.i.l; pop.v.l self.x"),
    (
        "964", "x = a && b",
        "push.v self.a; conv.v.b; push.v self.b; conv.v.b; and.b.b; pop.v.b self.x",
    ),
    (
        "964", "switch (x) { case 1: return 5; }",
        "push.v self.x; dup.v 0; push.e 1; cmp.i.v EQ; bt [2]; :[1]; b [3]; :[2]; push.e 5; "
        "conv.i.v; ret.v; :[3]; popz.v",
    ),
    (
        "964", "switch (x) { case 1: exit; }",
        "push.v self.x; dup.v 0; push.e 1; cmp.i.v EQ; bt [2]; :[1]; b [3]; :[2]; popz.v; "
        "exit.i; :[3]; popz.v",
    ),
    # constants
    ("gms2", "x = 5", "pushi.e 5; pop.v.i self.x"),
    ("old", "x = 5", "push.e 5; pop.v.i self.x"),
    ("gms2", "x = 70000", "push.i 70000; pop.v.i self.x"),
    ("gms2", "x = 3000000000", "push.l 3000000000; pop.v.l self.x"),
    ("gms2", "x = 0.5 + 0.5", "pushi.e 1; pop.v.i self.x"),
    ("gms2", "x = c_red + 1", "pushi.e 256; pop.v.i self.x"),
    ("gms1", "x = E.two", "pushi.e 2; pop.v.i self.x"),
    ("gms2", "x = E.two", "push.l 2; pop.v.l self.x"),
    ("gms2", "x = true", "pushi.e 1; pop.v.i self.x"),
    ("2.3.7", "x = true", "pushi.e 1; pop.v.b self.x"),
    ("gms2", "x = spr_b", "pushi.e 3; pop.v.i self.x"),
    ("2023.8", "x = spr_b", "pushref.i 16777219; pop.v.v self.x"),
    # operators: each side by its own type, and a chain as one
    (
        "gms2", "x = hp - dmg / 2",
        "push.v self.hp; push.v self.dmg; pushi.e 2; conv.i.d; div.d.v; sub.v.v; pop.v.v self.x",
    ),
    (
        "gms2", "x = (flags & 4) != 0",
        "push.v self.flags; conv.v.l; pushi.e 4; and.i.l; pushi.e 0; cmp.i.l NEQ; pop.v.b self.x",
    ),
    ("gms2", "x = 1 + 2 + y", "pushi.e 3; push.v self.y; add.v.i; pop.v.v self.x"),
    (
        "gms2", "x = y + 1 + 2",
        "push.v self.y; pushi.e 1; add.i.v; pushi.e 2; add.i.v; pop.v.v self.x",
    ),
    ("old", "x = y >> 1", "push.v self.y; conv.v.l; push.e 1; shr.i.l; pop.v.l self.x"),
    ("gms2", "x = y >> 1", "push.v self.y; conv.v.l; pushi.e 1; conv.i.l; shr.l.l; pop.v.l self.x"),
    ("gms2", "x = !y", "push.v self.y; conv.v.b; not.b; pop.v.b self.x"),
    # short circuits
    (
        "gms2", "x = a && b",
        "push.v self.a; conv.v.b; bf [2]; :[1]; push.v self.b; conv.v.b; b [3]; :[2]; push.e 0; "
        ":[3]; pop.v.b self.x",
    ),
    (
        "2.3.7", "x = a ?? b",
        "push.v self.a; chknullish.e; bf [2]; :[1]; popz.v; push.v self.b; :[2]; pop.v.v self.x",
    ),
    # variables
    ("gms2", "var i = room; i = i", "pushbltn.v self.room; pop.v.v local.i"),
    ("2.3.7", "x = room", "pushbltn.v builtin.room; pop.v.v self.x"),
    ("2024.2", "x = room", "pushbltn.v builtin.room; pop.v.v builtin.x"),
    ("gms2", "obj_a.x = global.y", "pushglb.v global.y; pop.v.v 5.x"),
    ("gms2", "target.hp = 9", "pushi.e 9; push.v self.target; conv.v.i; pop.v.i [stacktop]self.hp"),
    ("2.3.7", "target.hp = 9",
     "pushi.e 9; push.v self.target; pushi.e -9; pop.v.i [stacktop]self.hp"),
    ("gms2", "a[i] = 1", "pushi.e 1; pushi.e -1; push.v self.i; conv.v.i; pop.v.i [array]self.a"),
    (
        "2.3.7", "a[1][2] = 0",
        "pushi.e 0; conv.i.v; pushi.e -1; pushi.e 1; push.v [arraypopaf]self.a; pushi.e 2; popaf.e",
    ),
    (
        "2.3.7", "x = a[1, 2]",
        "pushi.e -1; pushi.e 1; push.v [arraypushaf]self.a; pushi.e 2; pushaf.e; pop.v.v self.x",
    ),
    ("gms2", "x = l[| 2]", "pushi.e 2; conv.i.v; push.v self.l; call.i ds_list_find_value(argc=2); "
     "pop.v.v self.x"),
    ("gms1", "x = view_xview", "pushi.e -1; push.l 0; conv.l.i; push.v [array]self.view_xview; "
     "pop.v.v self.x"),
    # changes
    ("gms2", "x += 1", "push.v self.x; pushi.e 1; add.i.v; pop.v.v self.x"),
    ("gms2", "x++", "push.v self.x; push.e 1; add.i.v; pop.v.v self.x"),
    ("gms2", "a[0]++", "pushi.e -1; pushi.e 0; dup.l 0; push.v [array]self.a; push.e 1; add.i.v; "
     "pop.i.v [array]self.a"),
    ("2.3.7", "y = list[2]++", "pushi.e -1; pushi.e 2; dup.i 1; push.v [array]self.list; dup.v 0; "
     "dup.i 4 48; push.e 1; add.i.v; pop.i.v [array]self.list; pop.v.v self.y"),
    ("2.3.7", "a[0][1] += 2", "pushi.e -1; pushi.e 0; push.v [arraypopaf]self.a; pushi.e 1; "
     "dup.i 4; savearef.e; pushaf.e; pushi.e 2; add.i.v; restorearef.e; dup.i 4 40; popaf.e"),
    ("gms2", "m[? 1] += 2", "pushi.e 1; conv.i.v; push.v self.m; call.i ds_map_find_value(argc=2); "
     "pushi.e 2; add.i.v; pushi.e 1; conv.i.v; push.v self.m; call.i ds_map_set(argc=3); popz.v"),
    # loops
    (
        "gms2", "repeat (n) a = 1",
        "push.v self.n; conv.v.i; dup.i 0; push.i 0; cmp.i.i LTE; bt [2]; :[1]; pushi.e 1; "
        "pop.v.i self.a; push.i 1; sub.i.i; dup.i 0; conv.i.b; bt [1]; :[2]; popz.i",
    ),
    (
        "2023.8", "repeat (n) a = 1",
        "push.v self.n; conv.v.i; dup.i 0; push.i 0; cmp.i.i LTE; bt [2]; :[1]; pushi.e 1; "
        "pop.v.i self.a; pushi.e 1; sub.i.i; dup.i 0; bt [1]; :[2]; popz.i",
    ),
    (
        "gms2", "with (obj_a) { break; }",
        "pushi.e 5; pushenv [2]; :[1]; b [3]; :[2]; popenv [1]; b [end]; :[3]; popenv <drop>",
    ),
    (
        "gms2", "switch (x) { case 1: a = 1; default: b = 2; }",
        "push.v self.x; dup.v 0; pushi.e 1; cmp.i.v EQ; bt [3]; :[1]; b [4]; :[2]; b [5]; "
        ":[3]; pushi.e 1; pop.v.i self.a; :[4]; pushi.e 2; pop.v.i self.b; :[5]; popz.v",
    ),
    ("gms2", "if (0) { a = 1 } else b = 2", "pushi.e 2; pop.v.i self.b"),
    (
        "gms2", "with (obj_a) { return 1; }",
        "pushi.e 5; pushenv [2]; :[1]; pushi.e 1; conv.i.v; pop.v.v local.$$$$temp$$$$; "
        "popenv <drop>; push.v local.$$$$temp$$$$; ret.v; :[2]; popenv [1]",
    ),
    # calls
    ("gms2", "tally(1, x)", "push.v self.x; pushi.e 1; conv.i.v; call.i tally(argc=2); popz.v"),
    ("2.3.7", "tally(1, 2)", "pushi.e 2; conv.i.v; pushi.e 1; conv.i.v; "
     "call.i gml_Script_tally(argc=2); popz.v"),
    ("2.3.7", "f(a)",
     "push.v self.a; call.i @@This@@(argc=0); push.v builtin.f; callv.v 1; popz.v"),
    ("2.3.7", "e.f(a)", "push.v self.e; push.v self.a; dup.v 1 8; dup.v 0; push.v stacktop.f; "
     "callv.v 1; popz.v"),
    ("2.3.7", "tally(1,2).f(a)", "push.v self.a; pushi.e 2; conv.i.v; pushi.e 1; conv.i.v; "
     "call.i gml_Script_tally(argc=2); dup.v 0; pushi.e -9; push.v [stacktop]self.f; callv.v 1; "
     "popz.v"),
    ("2.3.7", "new f(a)",
     "push.v self.a; push.v builtin.f; call.i @@NewGMLObject@@(argc=2); popz.v"),
    ("2.3.7", "x = self", "call.i @@This@@(argc=0); pop.v.v self.x"),
    ("gms2", "x = other", "push.v other.id; pop.v.v self.x"),
    ("2023.8", "x = tally", "push.i [function]gml_Script_tally; pop.v.i self.x"),
    ("2024.2", "x = tally", "pushref.i gml_Script_tally; pop.v.v builtin.x"),
    # owners of arrays
    # a member of an element, stepped: as in an expression, and marked
    (
        "owners", "a[i].b++",
        "push.i 231072; setowner.e; pushi.e -1; push.v self.i; conv.v.i; push.v [array]self.a; "
        "pushi.e -9; dup.i 4; push.v [stacktop]self.b; dup.v 0; dup.i 4 72; push.e 1; add.i.v; "
        "pop.i.v [stacktop]self.b; popz.v",
    ),
    (
        "owners", "x = ++a[i].b",
        "push.i 231072; setowner.e; pushi.e -1; push.v self.i; conv.v.i; push.v [array]self.a; "
        "pushi.e -9; dup.i 4; push.v [stacktop]self.b; push.e 1; add.i.v; dup.v 0; dup.i 4 72; "
        "pop.i.v [stacktop]self.b; pop.v.v self.x",
    ),
    (
        "owners", "a = [1]; a[0] = 2;",
        "push.i 165536; setowner.e; pushi.e 1; conv.i.v; call.i @@NewGMLArray@@(argc=1); "
        "pop.v.v self.a; pushi.e 2; conv.i.v; pushi.e -1; pushi.e 0; pop.v.v [array]self.a",
    ),
    # exceptions
    (
        "2.3.7", "try { x = 1 } catch (e) { y = e }",
        "push.i 104; conv.i.v; push.i 52; conv.i.v; call.i @@try_hook@@(argc=2); popz.v; "
        "pushi.e 1; pop.v.i self.x; b [2]; :[1]; pop.v.v local.e; call.i @@try_unhook@@(argc=0); "
        "popz.v; pushloc.v local.e; pop.v.v self.y; call.i @@finish_catch@@(argc=0); popz.v; "
        "b [end]; :[2]; call.i @@try_unhook@@(argc=0); popz.v",
    ),
    # what chains, templates and single operators come to
    ("gms2", "x = -noone", "pushi.e 4; pop.v.i self.x"),
    ("gms2", "x = all + 1", "pushi.e -2; pop.v.i self.x"),
    (
        "2.3.7", "x = f().g(a)",
        "push.v self.a; call.i @@This@@(argc=0); push.v builtin.f; callv.v 0; dup.v 0; "
        "pushi.e -9; push.v [stacktop]self.g; callv.v 1; pop.v.v self.x",
    ),
    (
        "2.3.7", "x = (f()).g(a)",
        "call.i @@This@@(argc=0); push.v builtin.f; callv.v 0; push.v self.a; dup.v 1 8; "
        "dup.v 0; push.v stacktop.g; callv.v 1; pop.v.v self.x",
    ),
    (
        "newest", "x = f().g(a)",
        "call.i @@This@@(argc=0); push.v builtin.f; callv.v 0; dup.v 0; pushi.e -9; "
        "push.v [stacktop]self.g; push.v builtin.a; dup.e 2 8; callv.v 1; pop.v.v builtin.x",
    ),
    (
        "newest", "x = (f()).g(a)",
        "call.i @@This@@(argc=0); push.v builtin.f; callv.v 0; push.v builtin.a; dup.v 1 8; "
        "dup.v 0; push.v stacktop.g; callv.v 1; pop.v.v builtin.x",
    ),
    (
        "newest", 'x = $"a{"b"}c{y}"',
        'push.v builtin.y; push.s "b"; conv.s.v; push.s "a{0}c{1}"; conv.s.v; '
        "call.i @@string@@(argc=3); pop.v.v builtin.x",
    ),
    ("newest", 'x = $"abc"', 'push.s "abc"; pop.v.s builtin.x'),
    (
        "2.3.7", "a ??= b",
        "push.v self.a; chknullish.e; bf [2]; :[1]; popz.v; push.v self.b; pop.v.v self.a; "
        "b [end]; :[2]; popz.v",
    ),
    (
        "newest", "y.a ??= 1",
        "push.v builtin.y; pushi.e -9; push.v [stacktop]self.a; chknullish.e; bf [2]; :[1]; "
        "popz.v; pushi.e 1; conv.i.v; push.v builtin.y; pushi.e -9; "
        "pop.v.v [stacktop]self.a; b [end]; :[2]; popz.v",
    ),
    (
        "old", "x = view_xview",
        "push.e -1; push.e 0; push.v [array]self.view_xview; pop.v.v self.x",
    ),
    (
        "gms2", "x = view_xview",
        "pushi.e -1; push.l 0; conv.l.i; push.v [array]self.view_xview; pop.v.v self.x",
    ),
    (
        "2.3.7", "view_xview = 1",
        "pushi.e 1; conv.i.v; pushi.e -6; push.l 0; conv.l.i; pop.v.v [array]self.view_xview",
    ),
    ("gms2", "var x = x", "pushloc.v local.x; pop.v.v local.x"),
    ("2.3.7", "x = !1", "pushi.e 0; pop.v.i self.x"),
    ("2.3.7", "x = !true", "pushi.e 0; pop.v.b self.x"),
    ("old", "x = other", "push.e -2; pop.v.i self.x"),
    ("newest", "x = 1 / 0", "push.d Infinity; pop.v.d builtin.x"),
    (
        "gms1", "if (y) (z).x = 1",
        "push.v self.y; conv.v.b; bf [end]; :[1]; pushi.e 1; push.v self.z; conv.v.i; "
        "pop.v.i [stacktop]self.x",
    ),
    (
        "2.3.7", "try { a = 1 } finally { b = 2 }",
        "push.i 48; conv.i.v; push.i -1; conv.i.v; call.i @@try_hook@@(argc=2); popz.v; "
        "pushi.e 1; pop.v.i self.a; call.i @@try_unhook@@(argc=0); popz.v; pushi.e 2; "
        "pop.v.i self.b; call.i @@finish_finally@@(argc=0); popz.v; b [end]",
    ),
    # keys of structs
    (
        "2023.8", 'x = y[$ "hp"]',
        'push.s "hp"; conv.s.v; push.v self.y; call.i variable_struct_get(argc=2); pop.v.v self.x',
    ),
    (
        "2024.2", 'x = y[$ "hp"]',
        "push.i [variable]hp; conv.i.v; push.v builtin.y; "
        "call.i struct_get_from_hash(argc=2); pop.v.v builtin.x",
    ),
    (
        "2024.2", 'x = y[$ "h p"]',
        'push.s "h p"; conv.s.v; push.v builtin.y; call.i variable_struct_get(argc=2); '
        "pop.v.v builtin.x",
    ),
    (
        "2024.14", 'y[$ "hp"] = 1',
        'pushi.e 1; conv.i.v; push.s "hp"; conv.s.v; push.v builtin.y; '
        "call.i variable_struct_set(argc=3); popz.v",
    ),
    ("newest", 'y[$ "hp"] = z', "push.v builtin.z; push.v builtin.y; pushi.e -9; "
     "pop.v.v [stacktop]self.hp"),
    # members of enums that are part of the language
    ("2.3.7", "x = AudioEffectType.Gain", "push.l 2; pop.v.l self.x"),
    # parts of colours
    (
        "2024.14", "x = color_get_red($8040FF)",
        "push.i 8405247; conv.i.v; call.i color_get_red(argc=1); pop.v.v builtin.x",
    ),
    ("newest", "x = color_get_red($8040FF)", "pushi.e 255; pop.v.i builtin.x"),
    ("newest", "x = colour_get_green($8040FF)", "pushi.e 64; pop.v.i builtin.x"),
    ("newest", "x = color_get_blue($8040FF)", "pushi.e 128; pop.v.i builtin.x"),
    # an element of a member, called: before 2024.14.4 with the arguments first
    (
        "2024.14", "y.list[1](z, 2)",
        "pushi.e 2; conv.i.v; push.v builtin.z; push.v builtin.y; pushi.e -9; pushi.e 1; "
        "push.v [array]self.list; dup.v 0; callv.v 2; popz.v",
    ),
    (
        "newest", "y.list[1](z, 2)",
        "push.v builtin.y; pushi.e -9; pushi.e 1; push.v [array]self.list; dup.v 0; pushi.e 2; "
        "conv.i.v; push.v builtin.z; dup.e 2 16; callv.v 2; popz.v",
    ),
    (
        "newest", "y.list[1]()",
        "push.v builtin.y; pushi.e -9; pushi.e 1; push.v [array]self.list; dup.v 0; callv.v 0; "
        "popz.v",
    ),
    # a chain of ?? is nested to the right
    (
        "2.3.7", "x = a ?? b ?? c",
        "push.v self.a; chknullish.e; bf [3]; :[1]; popz.v; push.v self.b; chknullish.e; bf [3]; "
        ":[2]; popz.v; push.v self.c; :[3]; pop.v.v self.x",
    ),
    ("newest", "", "exit.i"),
    ("gms2", "", ""),
]  # fmt: skip


@pytest.mark.parametrize(
    ("release", "source", "expected"), SHAPES, ids=[f"{r}: {s}" for r, s, _ in SHAPES]
)
def test_shape(release: str, source: str, expected: str) -> None:
    assert shape(source, NAMES[release]) == expected


@pytest.mark.parametrize("release", NAMES)
def test_every_release_compiles_what_assembles_again(release: str) -> None:
    dialect = NAMES[release]
    made = context(dialect)
    source = "if (x > 1 && y) { z[1] = tally(x, 'a'); } else { with (obj_a) z += 1; }"
    if dialect.gms2_or_later:
        source = source.replace("'", '"')
    code = gml.compile(source, made, name="gml_Object_o_Step_0")
    again = gml.assemble(gml.disassemble(code, made), made)
    assert again.instructions == code.instructions


def test_functions_are_children_named_by_their_place() -> None:
    source = "function f(p) { g = function() {}; }\nx = {a: 1};"
    made = context(V23)
    code = gml.compile(source, made, name="gml_Object_o_Create_0")
    assert [(child.name, child.arguments_count) for child in code.children] == [
        ("gml_Script_anon_f_gml_Object_o_Create_0_20_f_gml_Object_o_Create_0", 0),
        ("gml_Script_f_gml_Object_o_Create_0", 1),
        ("gml_Script____struct___0_gml_Object_o_Create_0", 0),
    ]
    code = gml.compile(source, context(NEWEST), kind="global_script", name="gml_GlobalScript_s")
    assert [child.name for child in code.children] == [
        "gml_Script_anon@20@f@s", "gml_Script_f", "gml_Script____struct___0",
    ]  # fmt: skip


def test_inner_functions_keep_the_names_they_had() -> None:
    made = context(V23)
    old = gml.compile("x = {a: 1}; f = function() {};", made, name="gml_Object_o_Create_0")
    old.children[0].name = "gml_Script____struct___42_gml_Object_o_Create_0"
    new = gml.compile("x = {a: 1};\n\nf = function() {};", made, name="gml_Object_o_Create_0",
                      previous=old)  # fmt: skip
    assert [child.name for child in new.children] == [child.name for child in old.children]
    more = gml.compile("x = {a: 1}; y = {b: 2};", made, name="gml_Object_o_Create_0", previous=old)
    assert more.children[0].name == old.children[0].name
    assert more.children[1].name != more.children[0].name


def test_locals_are_counted_and_listed() -> None:
    code = gml.compile("var a, b = 1; c = b;", context(GMS2), name="gml_Object_o_Create_0")
    assert (code.locals_count, code.local_names) == (3, ["arguments", "b"])
    code = gml.compile("x = 1;", context(NEWEST), name="gml_Object_o_Create_0")
    assert (code.locals_count, code.arguments_count, code.local_names) == (0, 0x8000, [])


def test_a_globalvar_is_seen_in_the_code_an_entry_had() -> None:
    made = context(GMS2)
    old = gml.compile("global.score2 = 1;", made, name="s")
    new = gml.compile("score2 = 2 - 1;", made, name="s", previous=old)
    assert new.instructions == old.instructions
    both = gml.compile("global.score2 = 1; score2 = 2;", made, name="s", previous=old)
    assert both.instructions[3].value == -1
    said = gml.compile("self.score2 = 3; score2 = 4;", made, name="s", previous=old)
    assert [instruction.value for instruction in said.instructions[1::2]] == [-1, -1]
    new = gml.compile("score2 = 5;", made, name="s", previous=both)
    assert new.instructions[1].value == -1


def test_a_macro_of_the_game_s_configuration_wins() -> None:
    definitions = "#macro HOST 1\n#macro Server:HOST 2\n#macro HOST 3\n"
    for configuration, value in (("", 1), ("Server", 2), ("Default", 1)):
        made = context(V23)
        made.configuration = configuration
        code = gml.compile(f"{definitions}x = HOST;", made, name="s")
        assert code.instructions[0].value == value
        add_definitions(made, definitions)
        assert gml.compile("x = HOST;", made, name="s").instructions[0].value == value


def test_definitions_of_a_text_that_was_read_before_are_the_same() -> None:
    texts = [
        "#macro M 1 + 2\nenum Plain { a, b = 3, c }\nglobalvar g, h;",
        "enum Sum { a = M * 2, b = -Plain.c, c = Plain.b | 1 << 2, d }",
        "enum Late { a = Later.z }\nenum Later { y = 5, z = M }",
        "enum Wrong { a = f() }",
        "// an enum\nx = 1;",
        "enum {",
    ]

    def declared() -> tuple[object, list[tuple[str, int, int]]]:
        made = context(V23)
        errors: list[tuple[str, int, int]] = []
        for text in texts:
            try:
                add_definitions(made, text)
            except (gml.CompileError, gml.SyntaxError_) as error:
                errors.append((str(error), error.line, error.column))
        return (made.macros, made.enums, sorted(made.globals)), errors

    first = declared()
    assert len(first[1]) == 2
    assert [declared(), declared()] == [first, first]


def test_compiling_leaves_the_context_as_it_was() -> None:
    made = context(V23)
    gml.compile("#macro M 1\nenum F { a }\nglobalvar g;\nx = {a: M, b: F.a};", made, name="s")
    assert "M" not in made.macros
    assert "F" not in made.enums
    assert not made.globals
    assert made.next_struct == 0


def children(source: str, dialect: gml.Dialect) -> str:
    made = context(dialect)
    code = gml.compile(source, made, kind="global_script", name="gml_GlobalScript_s")
    return gml.disassemble(code, made)


def test_functions_of_a_script_are_known_in_all_of_it() -> None:
    text = children("f = function() { g(); }; function g() { }", V23)
    assert "call.i gml_Script_g(argc=0)" in text
    text = children("function a() constructor { } function b() : a() constructor { }", V23)
    assert "call.i gml_Script_a(argc=0)" in text


def test_parameters_behind_the_sixteenth_are_elements() -> None:
    names = ", ".join(f"p{index}" for index in range(18))
    text = children(f"function f({names}) {{ p16 = p15; }}", V23)
    lines = [line.strip() for line in text.splitlines()]
    at = lines.index("push.v arg.argument15")
    assert lines[at + 1 : at + 4] == ["pushi.e -15", "pushi.e 16", "pop.v.v [array]self.argument"]


@pytest.mark.parametrize(
    ("source", "marked", "asked"),
    [
        ("repeat (2) { try { break; } catch (e) { } }", "break", 1),
        ("for (;;) { try { } catch (e) { continue; } }", "continue", 2),
        ("while (x) { try { break; } catch (e) { } }", "break", 0),
    ],
)
def test_ways_out_of_a_try_leave_a_mark(source: str, marked: str, asked: int) -> None:
    text = shape(source, V23)
    for name in ("break", "continue"):
        mark = f"pushi.e 1; pop.v.i local.__yy_{name}Ex0"
        assert text.count(mark) == (name == marked)
    assert text.count(f"pushloc.v local.__yy_{marked}Ex0") == asked


STUDIO_13 = gml.Dialect.for_version(13, (1, 0, 0, 1307))
STUDIO_14 = gml.Dialect.for_version(14, (1, 0, 0, 1567))
STUDIO_15 = gml.Dialect.for_version(15, (1, 0, 0, 1657))


def code_of(source: str, dialect: gml.Dialect) -> gml.Code:
    return gml.compile(source, gml.Context(dialect), name="gml_Object_o_Create_0")


@pytest.mark.parametrize("dialect", [STUDIO_13, STUDIO_14], ids=["13", "14"])
def test_steps_of_elements_copy_their_operands_as_one_number_in_old_bytecode(
    dialect: gml.Dialect,
) -> None:
    """As the official compiler of 1.0.0.1307 does with ``global.weapons[3,4]++``."""
    step, added = code_of("a[3, 4]++;", dialect), code_of("a[3, 4] += 1;", dialect)
    assert "dup.l 0" in gml.disassemble(step)
    assert "dup.i 1" in gml.disassemble(added)
    context = gml.Context(dialect)
    assert gml.decompile(step, context).strip() == "a[3, 4]++;"
    assert gml.decompile(added, context).strip() == "a[3, 4] += 1;"
    # of other variables the two are the same code
    assert code_of("a++; b.c++;", dialect) == code_of("a += 1; b.c += 1;", dialect)


def test_instance_keywords_are_numbers_up_to_bytecode_14() -> None:
    source = "with (other) { x = 1; } y = instance_exists(other);"
    numbers = gml.disassemble(code_of(source, STUDIO_14))
    assert "push.e -2\npushenv" in numbers and "push.e -2\nconv.i.v\ncall" in numbers
    assert "other.id\nconv.v.i\npushenv" in gml.disassemble(code_of(source, STUDIO_15))
    for dialect in (STUDIO_14, STUDIO_15):
        code = code_of("with (other) { x = 1; }", dialect)
        assert gml.decompile(code, gml.Context(dialect)).startswith("with (other)")


def test_an_asset_is_not_a_function_of_its_name() -> None:
    """Left of a dot: only a script has statics."""
    for kind, statics in (("script", 1), ("object", 0), ("sprite", 0), ("sound", 0)):
        made = gml.Context(NEWEST)
        made.add_asset(kind, 3, "tally")
        made.add_function("tally", "gml_Script_tally")
        code = gml.compile("tally.x = 1; y = tally.x;", made)
        assert gml.disassemble(code, made).count("static_get") == 2 * statics, kind


def test_folded_numbers_are_doubles() -> None:
    """Sums of whole numbers around 2 to the power of 53, each step rounded."""
    generator = random.Random(101)
    for _ in range(200):
        value = float((1 << 53) - generator.choice((0, 2, 1 << 40)))
        source = f"{value:.0f}"
        for _ in range(6):
            operator = generator.choice("+++-")
            other = generator.choice((1, 3, (1 << 40) - 1, (1 << 40) + 1))
            source = f"({source}) {operator} {other}"
            value += other if operator == "+" else -other
        (push, *_) = gml.compile(f"a = {source};", gml.Context(NEWEST)).instructions
        assert push.operand == value, source


def test_var_before_a_global_variable_means_nothing_in_studio() -> None:
    assert code_of("var global.x = 0;", STUDIO_15) == code_of("global.x = 0;", STUDIO_15)
    with pytest.raises(gml.SyntaxError_):
        code_of("var global.x = 0;", gml.Dialect.for_version(17, (2, 2, 5, 0)))
