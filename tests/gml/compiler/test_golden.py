# ruff: noqa: E501 - each program is one line
"""What programs compile to in every release, as digests: no instruction changes unnoticed.

The digests are of code that was compared with official code where the corpus has such. After a
change that is meant, ``python tests/gml/compiler/test_golden.py`` writes them again.
"""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

if __name__ == "__main__":
    TESTS = Path(__file__).parents[2]
    sys.path[:0] = [str(TESTS), str(TESTS / "support"), str(TESTS.parent / "src")]

import pytest

import gml_programs
from gml_programs import RELEASES
from overhaul import gml
from overhaul.gml.compiler import compile_with_source_map
from overhaul.gml.vm.code import Code

FILE = Path(__file__).with_name("golden.txt")

FOLDED = [
    "a = 1 + 2 * 3; b = 7 - 9; c = 2 * 0.5; d = 0.1 + 0.2; e = 1 / 3; f = 6 / 3; g = -6 / 4;",
    "a = 7 div 2; b = -7 div 2; c = 7 div -2; d = 7.9 div 2.9; e = 7 % 4; f = -7 % 4; g = 7.5 % 2; h = 7 % -4;",
    "a = 1 / 0; b = -1 / 0; c = 0 / 0; d = 5 % 0; e = 1 / -0; f = 1.5 / 0;",
    "a = $100000000 / 3; b = $100000000 % 7; c = $100000000 div 7; d = $100000000 * $100000000; e = $100000000 + 1; f = -$100000000 div 7; g = -$100000007 % 7;",
    "a = $100000000 / $7fffffffff; b = $f00000000 / $300000000; c = -$f00000000 / $400000000; d = $100000000 * 1.5;",
    "a = 5 & 3; b = 5 | 3; c = 5 ^ 3; d = 1 << 4; e = 256 >> 4; f = 1 << 31; g = 1 << 63; h = 1 << 64; i = 1 << -1; j = -1 >> 1; k = 1 >> 64;",
    "a = 5.7 & 3.2; b = -1 & 255; c = -1 | 0; d = -1 ^ 1; e = ~5; f = ~-1; g = ~5.5; h = ~$100000000; i = ~true;",
    "a = $80000000; b = $7fffffff; c = $80000000 & $ffffffff; d = $7fffffff | 1; e = $100000000 & 1; f = $100000000 >> 32; g = 1 << $100000000; h = $100000000 << 1;",
    "a = -5; b = - -5; c = -5.5; d = !1; e = !0; f = !0.5; g = !0.6; h = !$100000000; i = -$100000000; j = +5; k = -true; l = !true; m = !false; n = -$8000000000000000;",
    "a = 1 < 2; b = 1 <= 1; c = 2 > 2; d = 2 >= 2; e = 1 == 1.0; f = 1 != 1; g = 2 < 1; h = 1 <= 2; i = 2 > 1; j = 1 >= 2;",
    'a = "x" == "x"; b = "x" != "x"; c = "a" < "b"; d = "a" > "b"; e = "a" <= "a"; f = "b" >= "a"; g = "a" + "b" + "c"; h = 3 * "ab"; i = 0 * "ab"; j = "a" - "b";',
    "a = 1 && 0; b = 1 || 0; c = 1 ^^ 1; d = 1 ^^ 0; e = 0.5 && 1; f = 0.6 && 1; g = $100000000 && 1; h = 0 || 0;",
    "a = true + 1; b = true == 1; c = true && false; d = (1 < 2) + 1; e = (1 < 2) == true; f = !(1 < 2); g = -(1 < 2);",
    "a = b + 1 + 2; c = 1 + 2 + b; d = b * (1 + 2); e = (b + 1) + 2; f = 1 + b + 2; g = b - 1 - 2;",
    'a = ord("A"); b = ord(""); c = chr(65); d = chr(-1); e = int64(5.9); f = real("12.5"); g = real("x"); h = string(5); i = string("x"); j = string(1.5); k = real(7); l = ord("AB"); m = chr($110000); n = real("-3");',
    "a = 1 ? b : c; d = 0 ? b : c; if (1) e = 1; else f = 2; if (0) g = 1; else h = 2; if (0) i = 1; if (0) { } else if (b) j = 1; else k = 2;",
    "a = 9007199254740993; b = 9007199254740992; c = 9007199254740992 + 1; d = 9223372036854775807; e = 9223372036854775808; f = 0x7fffffffffffffff + 1;",
    "a = 32767; b = 32768; c = -32768; d = -32769; e = 2147483647; f = 2147483648; g = -2147483648; h = -2147483649; i = 1000.0; j = 0.5; k = 65535.5;",
    "a = c_red; b = pi; c = true; d = undefined; e = noone; f = self; g = other; h = all; i = global; j = spr; k = obj; l = rm; m = NaN; n = infinity;",
]
VARIABLES = [
    "a = argument0; argument1 = 2; b = argument[2]; argument[3] = 4; c = argument_count; argument0 += 1; argument0++;",
    "var a; a = 1; a += 2; a++; a[0] = 1; a[1, 2] = 3; a[0] += 1; a[0]++; b = a[0]; b = a[1, 2]; a.x = 1; b = a.x; a.x += 1; a.x++;",
    "global.a = 1; global.a += 1; global.a++; global.a[0] = 1; global.a[1, 2] += 3; b = global.a[0]; global.a.x = 1; global.a.x++; b = global.a[0].x;",
    "obj.a = 1; obj.a += 1; b = obj.a++; obj.a[1] = 2; b = obj.a[1]; (100001).a = 1; b = (100001).a; (100001).a++; (40000).a = 1; b = (100001).c.d;",
    "self.a = 1; other.a = 2; b = self.a; b = other.a; all.a = 1; noone.a = 2; self.a += 1; other.a++; self.a[0] = 1; b = other.a[0];",
    "view_xview = 1; b = view_xview; view_xview[1] = 2; view_xview += 3; view_xview++; b = other.view_xview; other.view_xview = 1; alarm = 5; alarm[1] = 2; b = alarm[c];",
    "score += 1; health = 5; x = 1; y += x; b = room; room = rm; b = image_index++; obj.image_index += 1; lives--;",
    "globalvar g, h; g = 1; h[0] = g; g += 1; g++; b = g.x; g.x = 2;",
    "globalvar g = 5; a = g; delete a; delete a.b; delete g[0];",
    "a[b[c[0]]] = d[e]; a[b.c] = d; a.b[c.d[0]].e = f; a[0].b[1].c = d; a.b.c.d = e; a.b.c[0] += 1; a[0].b++; b = a[0].b++;",
    "a[0][1] = 2; b = a[0][1][2]; a[0][1] += 3; a[0][1]++; b = a[0][1]++; b = --a[0][1][2]; global.a[0][1] = 2; o.a[0][1] = 3; o.a[0, 1][2] = 4;",
    "a ??= 1; a.b ??= 2; a[0] ??= 3; b = a ?? c ?? d; b = a[0] ?? c; l[| 0] ??= 4;",
    'a[@ 0] = 1; b = a[@ 0]; a[@ 0] += 1; a[@ 0]++; a[@ 1, 2] = 3; b = f()[0]; b = f().a; f()[0] = 1; b = f()[0][1]; b = (a.b)[0]; b = s[$ "x"]++; b = --s[$ "x"];',
    "b = spr; b = F; b = draw_text; b = a.F; F.b = 1; c = F.b; b = room_instance_100005; room_instance_100005.x = 1; with (room_instance_100005) c = 1;",
    'b = variable_get_hash("abc"); b = variable_get_hash(c); gml_pragma("forceinline"); b = ev_create; b = os_windows;',
    "for (var i = 0; i < 3; i++) { var j = i; a[i] = j; } x = x; var k; k = k; y = self.y;",
]
CONTROL = [
    "switch (a) { default: b = 1; break; case 1: b = 2; } c = 1;",
    "switch (a) { case 1: b = 1; case 2: default: b = 2; case 3: } c = 1;",
    'switch (a + 1) { case "x": b = 1; break; case c: b = 2; break; case 1.5: exit; default: return 5; }',
    "while (a) { switch (b) { default: continue; case 1: break; } c = 1; } d = 1;",
    "repeat (3) { switch (b) { case 1: continue; default: repeat (2) { if (c) exit; if (d) return e; break; } } }",
    "repeat (a) repeat (b) { if (c) return d; if (e) continue; break; } repeat (int64(5)) a = 1; repeat ($100000000) b = 1; repeat (2.5) c = 1;",
    "with (a) { with (b) { if (c) continue; if (d) break; if (e) exit; if (f) return g; } h = 1; }",
    "with (self) a = 1; with (other) b = 1; with (all) c = 1; with (obj) d = 1; with (a.b) e = 1; with (a[0]) f = 1; with (100001) g = 1; with (noone) { } with (global) h = 1;",
    "do { if (a) continue; if (b) break; c = 1; } until (d); do a = 1; until (1);",
    "for (;;) break; for (a = 0; ; a++) { if (b) break; continue; } for (; a < 3; ) { a++; } for (a = 0; a < 3; { a++; b++; }) c = a;",
    "if (a) { if (b) c = 1; } else if (d) { e = 1; } else { f = 1; } if (a) { } else { } if (a < b) c = 1; if (!a) b = 1; if (a && b || c) d = 1;",
    "a = b && c && d; a = (b && c) && d; a = b || (c || d); a = b && (c || d) && !e; a = b ? c : d ? e : f; a = (b ? c : d) + 1; if (b ? c : d) a = 1;",
    'a = -b; a = !b; a = ~b; a = -(b + c); a = !(b == c); a = ~(b & c); a = -"5"; a = -b.c; a = !b[0]; a = - -b; a = -(b < c); a = !(b && c);',
    'a = b + c - d; a = b * c / d; a = b / c * d; a = (b * c) / d; a = b / 2; a = 2 / b; a = "s" + b; a = b + "s"; a = 1 / "s"; a = b div c div d; a = b % c; a = 5 div b; a = (b < c) + d; a = (b < c) * 2; a = (b < c) / 2;',
    'a = b & c; a = b | 1; a = 1 ^ b; a = b << 1; a = 1 << b; a = b >> c >> d; a = (b & c) == d; a = b & c | d; a = (b < c) & d; a = $100000000 & b; a = "s" & b; a = (b | c) << 2;',
    'a &= b; a |= 1; a ^= 2.5; a &= $100000000; a += b < c; a -= "s"; a *= 2; a /= 2; a %= 2; a[0] &= 1; a.b |= 2; a += 0.5; a ^= b < c;',
    'a = b == c; a = b != 1; a = b < 0.5; a = "s" >= b; a = (b == c) == d; a = b > c > d; a = b = c; a = true == b;',
]
FUNCTIONS = [
    "function f(a, b = 1, c = a + 1) { return a + b + c + d; } function g() { exit; } f(1); g();",
    "function f() constructor { a = 1; static b = 2; static c = function() { return b; }; } x = new f(); y = new f(1, 2).a;",
    "function f(a) constructor { b = a; } function g(a, c) : f(a + 1) constructor { d = c; } x = new g(1, 2);",
    "function f() { static a = 0, b; static c = [1]; a++; if (a) { static d = 5; } return a; static e = function(z) { return z; }; }",
    "f = function(a) { return function(b) { return a + b; }; }; g = function named(c) { return named(c); }; h = method(self, function() { });",
    'a = {}; a = { b: 1, c: "x", d: c_red, e: f, g: h + 1, i: -1, j: [1, k], l: { m: 1, n: o }, p: function() { return q; }, r: spr, s: true };',
    "a = { b: { c: { d: e } }, f: [g, [h]], i: j() }; k({ l: m }); n = [{ o: 1 }, { p: q }]; return { a };",
    "a.b(c); a.b.c(d, e); a.b().c(d); a().b(c); a(b).c(d).e(f); a[0](b); a[0].b(c); a.b[0](c); global.a(b); self.a(b); other.a(b); (a())(b); (a.b)(c); (a()).b(c);",
    "F(1); a = F; a = [F, draw_text]; F(F); b = F(1).c(2); new F(); new a.b(c); new (a())(b); b.c(F); b.c(d, function() { return F; }); b.c(e.g(F), F); b.c(self.d(F));",
    "f(function() { var a = 1; return a; }, [1, 2, [3]], { a: b }); var f2 = function(x, y) { x = y; x += 1; x++; x[0] = 1; x.z++; return x; }; f2(1, 2); f2(, 1); f2(1, ,); ",
    "function f(p0,p1,p2,p3,p4,p5,p6,p7,p8,p9,p10,p11,p12,p13,p14,p15,p16,p17) { p16 = p15; p17 += p16; p16++; return p17[0]; }",
    "function f(p0,p1,p2,p3,p4,p5,p6,p7,p8,p9,p10,p11,p12,p13,p14,p15,p16,p17) { p16(); p17(1, p16); new p17(p15); p15(); p16.x = p17.y; }",
    "function f() { if (a) { var z = 1; } var y, b; for (var k = 0; k < 2; k++) { var c = k; var z; } switch (b) { case 1: var w = 2; } try { var t; } catch (e) { } return z + c; } var u; function g() { var x, h = function() { var i, j; }, l; }",
    "#macro M 5\n#macro N M + b\n#macro P c[d]\na = M; b = N; P = M; P += N; e = P.f; g(M, N); M2 = M; if (M < N) h = P++; exit;",
    "a(b)[0].x[1].y = f(c)[1].z; a[b[0].c].d = e[f(g[0])].h; a[0][1].b = c[0, 1].d[2].e; i = (j)[0].k; l[m(1)[2]].n++; o = a[{ p: 1 }.p].q;",
    "{ a = 1; { b = 2; } }\nif (a) { }\nelse { c = 1; }\nwhile (b) { }\nfunction f() { }\nvar d = function() { return 1 };\n{ }",
    "function outer() { function inner() { return 1; } var a = inner(); return inner; } function later() { return outer() + earlier(); } function earlier() { return later; }",
    "function f() { throw a; } throw f(); function g(a = f(), b = { c: a }) { return argument_count + argument[0] + argument1; }",
    'a = $"x{b}y{"z"}"; c = $"plain"; d = $"{e}{f + 1}"; g = $"{$"in{h}"}"; i = $"{1}";',
]
OWNERS = [
    "a[0] = 1; a[1] = 2; b[0] = 1; a[0] = 3; a[@ 0] = 1; a[0][1] = 2; global.a[0] = 1; o.a[0] = 1; o.a.b[1] = 2; self.a[0] = 1;",
    "var l; l[0] = 1; l[1] = 2; var m = [1, 2]; m = [3]; n = [4]; n = f([5]); f([6]); f(7); n = array_create(3); array_set(n, 0, 1); array_set_2D(n, 0, 1, 2);",
    "a[0]++; a[1]++; b = a[0]++; ++a[0]; a[0] += 1; a[@ 0]++; a = [[1], [2]]; if (a) { a[0] = 1; } else { a[0] = 2; } a[0] = 3; while (b) { a[0] = 1; } a[0] = 2;",
    "function f(p, q) { p[0] = 1; q[0] = 2; var r; r[0] = 3; s[0] = 4; alarm[0] = 5; view_xview[0] = 6; x = [1]; static t = [2]; return [3]; } a[0] = 1;",
    "function f() { a[0] = 1; function g() { a[0] = 1; b[0] = 2; } b[0] = 1; } function h() { a[0] = 1; c.b[0] = 1; } d = { e: [1, 2], f: [g] };",
    "switch (a) { case 1: b[0] = 1; break; case 2: b[0] = 2; } b[0] = 3; try { b[0] = 4; } catch (e) { b[0] = 5; } b[0] = 6; view_xview = 1; b = [c ? [1] : [2]]; alarm = 3; with (o) { b[0] = 1; } b[0] = 2;",
]
TRIES = [
    "try { a = 1; } catch (e) { b = e; } finally { c = 1; } d = 1;",
    "try { a = 1; } finally { c = 1; } try { } catch (e) { } try { } finally { } try { a = 1; }",
    "for (i = 0; i < 3; i++) { try { if (a) break; if (b) continue; c = 1; } catch (e) { break; } d = 1; }",
    "while (a) { try { if (b) break; continue; } catch (e) { continue; } finally { c = 1; } d = 1; }",
    "do { try { break; } catch (e) { if (a) continue; } } until (b); repeat (3) { try { if (a) break; continue; } finally { b = 1; } } with (o) { try { break; } catch (e) { continue; } }",
    "switch (a) { case 1: try { break; } catch (e) { b = 1; } break; default: try { if (c) exit; } finally { d = 1; } } while (a) { switch (b) { case 1: try { continue; } catch (e) { break; } } }",
    "function f() { try { return a; } catch (e) { return b; } finally { c = 1; } } function g() { try { exit; } finally { d = 1; } } function h() { try { if (a) return 1; } catch (e) { throw e; } return 2; }",
    "function f() { try { try { return a; } finally { b = 1; } } catch (e) { return c; } finally { d = 1; } } function g() { try { try { throw a; } catch (e) { throw e; } finally { b = 1; } } finally { c = 1; } }",
    "try { throw a; } finally { b = 1; } try { throw a; } catch (e) { throw e; } finally { b = 1; } try { if (c) exit; throw a; } catch (e) { if (d) exit; throw e; } finally { b = 1; }",
    "for (i = 0; i < 3; i++) { try { while (a) { if (b) break; continue; } for (j = 0; j < 2; j++) { if (c) break; continue; } repeat (2) break; with (o) continue; do { break; } until (d); if (1) break; } catch (e) { for (;;) { try { break; } catch (f) { continue; } } } }",
    "function f() { for (;;) { try { if (1) { return a; } else { break; } if (0) continue; else if (b) break; else exit; } catch (e) { switch (b) { case 1: break; case 2: continue; default: return 5; } } finally { for (;;) { break; } } } }",
    "try { f = function() { return 1; }; function g() { exit; } } catch (e) { h = function() { return 2; }; } with (o) { try { return a; } catch (e) { exit; } } repeat (2) { try { return b; } finally { c = 1; } }",
    "while (1) { try { if (a) { break; } } catch (e) { try { continue; } finally { b = 1; } } finally { try { c = 1; } catch (f) { d = 1; } } }",
]
PROGRAMS = [
    *gml_programs.PROGRAMS, *gml_programs.NEW_PROGRAMS,
    *FOLDED, *VARIABLES, *CONTROL, *FUNCTIONS, *OWNERS, *TRIES,
]  # fmt: skip


def text(code: Code) -> str:
    """All that a code is, a line per instruction."""
    lines = [repr(instruction.key()) for instruction in code.instructions]
    lines += [repr(child) for child in code.children]
    return "\n".join([*lines, f"{code.locals_count} {code.arguments_count} {code.local_names}"])


def contexts() -> list[gml.Context]:
    """One for each release, and two more where the project has array owners nevertheless."""
    made = [gml_programs.context(*release) for release in RELEASES]
    for release in ((17, (2023, 8, 0, 0)), (17, (2024, 14, 4, 0))):
        context = gml_programs.context(*release)
        context.dialect = context.dialect.replace(array_copy_on_write=True)
        made.append(context)
    return made


def compiled(program: str, context: gml.Context) -> str:
    """The code of a program as an object event, and as a global script with its source map; or the
    errors.
    """
    try:
        made = text(gml.compile(program, context, "event", "gml_Object_o_Create_0"))
        mapped = compile_with_source_map(program, context, "global_script", "gml_GlobalScript_s")
    except gml.SyntaxError_ as error:
        return str([(problem.line, problem.column) for problem in error.errors])
    points = " ".join(f"{offset}:{position}" for offset, position in mapped.points)
    functions = " ".join(map(str, mapped.functions))
    return f"{made}\n\n{text(mapped.code)}\n{points}\n{functions}"


def digest(program: str, context: gml.Context) -> str:
    made = compiled(program, context).encode("utf-8", "surrogatepass")
    return hashlib.sha256(made).hexdigest()[:6]


CONTEXTS = contexts()


def digests(program: str) -> str:
    return " ".join(digest(program, context) for context in CONTEXTS)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program[:40])
def test_programs_compile_to_the_code_they_had(program: str) -> None:
    expected = dict(zip(PROGRAMS, FILE.read_text().splitlines(), strict=True))[program]
    for context, known in zip(CONTEXTS, expected.split(), strict=True):
        assert digest(program, context) == known, f"{context.dialect}\n{compiled(program, context)}"


if __name__ == "__main__":
    FILE.write_text("".join(digests(program) + "\n" for program in PROGRAMS))
