# ruff: noqa: E501 - each program is one line
"""Small programs that use every statement and expression, and releases to compile them for.

What a compiler makes of them must decompile to source that compiles to the same again.
"""

from __future__ import annotations

import re
from typing import TypeAlias

from overhaul.gml.context import Context
from overhaul.gml.dialect import Dialect
from overhaul.gml.vm.code import Code, FunctionReference

_DIGITS = re.compile(r"\d+")

#: every release
PROGRAMS = [
    "for (i = 0; i < 5; i += 1) { if (a) continue; if (b) break; c += i; }",
    "for (i = 0; i < 5; i += 1) { if (a) { c = 1; continue; } d = 2; }",
    "for (;;) { a += 1; if (a > 3) break; }",
    "while (a) { if (b) { c(); continue; } if (d) break; e = 1; }",
    "do { if (a) continue; b += 1; if (c) break; } until (b > 3);",
    "repeat (5) { if (a) continue; if (b) break; c += 1; }",
    "repeat (n) { repeat (m) { a += 1; } if (a) exit; }",
    "with (obj) { if (a) continue; if (b) break; c = 1; }",
    "with (obj) { }",
    "with (obj) { with (other) { a = other.b; if (a) break; } exit; }",
    "with (obj) { return 5; }",
    "switch (a) { case 1: b = 1; break; case 2: case 3: b = 2; default: b = 3; break; case 4: b = 4; }",
    "switch (a) { default: b = 1; }",
    "switch (a) { case 1: }",
    "switch (a) { case 1: break; default: }",
    "switch (a) { case 1: switch (b) { case 2: c = 1; break; default: exit; } break; case 3: return 4; }",
    "while (a) { switch (b) { case 1: continue; case 2: break; default: c = 1; continue; } d = 1; }",
    "for (i = 0; i < 3; i += 1) { switch (b) { case 1: continue; case 2: if (c) break; d = 1; break; } e = 1; }",
    "repeat (3) { switch (a) { case 1: exit; case 2: return b; } }",
    "with (o) { switch (a) { case 1: continue; case 2: break; } b = 1; }",
    "if (a) { } else { b = 1; }",
    "if (a) { b = 1; } else { }",
    "if (a) { if (b) c = 1; else d = 1; } else if (e) { f = 1; } else g = 1;",
    "a = b && c || d && !e;",
    "a = (b && c) && d;",
    "a = (b || c) && (d || e);",
    "if (a && (b || c)) d = 1;",
    "a = b ^^ c;",
    "a = -b * c; d = ~e; f = !g;",
    "a[0] = 1; a[1, 2] = 3; b = a[c, d]; a[i] += 1; a[i, j] -= 2; o.a[i] *= 3; o.a[1, 2] += 4;",
    "x += 1; o.x -= 2; global.g *= 3; o.p.x /= 4; a = b / 2; a /= 2; a = a / 2;",
    "a++; b--; ++c; o.x++; a[i]++; a[1,2]--; b = a++; c = ++b; d = o.x++; e = --o.x; f = a[i]++; g = --a[i]; h = o.a[i]++;",
    "var a, b; a = 1; b = a + 1; if (a) { var c; c = 2; } d = c;",
    "var i; for (i = 0; i < 3; i += 1) { a[i] = i; } i = 5;",
    'a = \'x\' + "y"; b = a + "1" + c;',
    "a = 5 div 2; b = c div d; e = f mod g; h = i % 3;",
    "a = b & c | d ^ e; f = g << 2 >> h; i &= 3; j |= k; l ^= m;",
    "exit; a = 1;",
    "return a; b = 2;",
    "if (a) return 1; return 2;",
    "if (a) exit; else return b;",
    "a = 3000000000; b = $FFFFFFFF; c = 0.5; d = -1; e = 70000; f = -70000; g = 15000000000.5;",
    "draw_text(x, y, string(a) + 'b'); show_message('hi');",
    "a = instance_create(x, y, obj); with (a) { b = 1; }",
    "room_goto(rm); sprite_index = spr; if (room == rm) exit;",
    "a = b == c; d = (e < f) == (g > h); i = j != k;",
    "while (true) { a = 1; }",
    "do { a += 1; } until (true);",
    "while (a) { while (b) { if (c) break; d = 1; } if (e) continue; f = 1; }",
    "with (obj) { if (a) { if (b) { c = 1; } else { d = 1; continue; } } e = 1; }",
    "repeat (5) { if (a) { if (b) { c = 1; } else { d = 1; break; } } e = 1; }",
    "for (i = 0; i < 5; i += 1) { if (a) { if (b) { } else { continue; } } e = 1; }",
    "do { do { a += 1; } until (b); do { c += 1; } until (d); } until (e);",
    "do { while (a) { b = 1; } } until (c);",
    "alarm[0] = 5; alarm[1] += 2; view_xview[0] = 3; a = view_yview;",
    "a.b.c.d = e.f[g].h;",
    "(a).b = 1;",
    "x = y; x = x + y * 2; x = (x + y) * 2; x = x - (y - z); x = x / (y / z);",
]
#: 2.3 and later
NEW_PROGRAMS = [
    "switch (a) { default: case 1: return b.c(); }",
    "switch (a) { default: case 1: try { return; } catch (e) { } }",
    "a = function() { switch (b) { default: case 1: i = {}; exit; } }",
    "switch (a) { case 1: default: return b.c(); }",
    "function f(a, b = 7) { return a + b; }",
    "function F(a) constructor { x = a; static s = 1; static m = function() { return s; } }",
    "function A(p) constructor { q = p; } function B(p, r = 2) : A(p) constructor { t = r; }",
    "a = { b: 1, c: x, d: [1, y, 2], e: { f: 2, g: z } }; h = {}; i = { j: function(k) { return k; } };",
    "a = function() { }; b = function(c) { return c ? 1 : 2; };",
    "a = b ? c : d; e = (f ? g : h) ? i : j; k(l ? m : n, o);",
    "a = b ?? c; d ??= e; f.g ??= h; i[j] ??= k; a = b ?? c ?? d; l = (m ?? n) + 1;",
    "a[0][1] = 2; b = a[i][j]; a[i][j][k] = 3; b = a[i][j][k]; a[0][1] += 2; a[i][j]++; b = a[i][j]++; c = --a[0][1];",
    "o.a[0][1] = 2; o.a[i][j] += 3; o.a[i]++; b = o.a[i][j]++; global.g[0] = 1; global.g[1][2] = 3; global.g[i] += 1;",
    "f(a, b); o.f(a); global.f(a); self.f(a); other.f(a); f()(a); a[0](b); o.a[0](b); g().f(a); a.b().c().d(x);",
    "new F(1); a = new F(b, c); d = new o.F(2);",
    'throw a; throw "b" + c;',
    "try { a(); } catch (e) { b(e); }",
    "try { a(); } catch (e) { b(e); } finally { c(); }",
    "try { a(); } finally { c(); }",
    "try { try { a(); } catch (e) { b(e); } } catch (g) { h(g); } i = 1;",
    "function f() { try { a(); return 1; } catch (e) { return 2; } }",
    "function f() { try { return a(); } catch (e) { exit; } finally { c(); } }",
    "for (i = 0; i < 5; i++) { try { if (a) break; if (b) continue; c(); } catch (e) { break; } }",
    "for (i = 0; i < 5; i++) { try { if (a) break; c(); } catch (e) { continue; } finally { d(); } }",
    "while (a) { try { b(); } catch (e) { c(); } }",
    "try { return a; } finally { repeat (b) { if (c) continue; } }",
    "try { exit; } finally { with (o) { if (c) continue; d(); } repeat (2) { if (c) break; } }",
    "try { if (a) throw b; exit; } finally { do { if (c) continue; else d(); if (e) { f(); continue; } } until (g); }",
    "try { return a; } catch (e) { return e; } finally { for (i = 0; i < 3; i++) { if (c) continue; d(); } }",
    "try { i = 0; return a; } finally { for (; i; i++) { if (b) { if (c) continue; d(); } e(); if (f) break; g(); } }",
    "try { return a; } finally { switch (b) { case 1: if (c) break; d(); case 2: if (e) break; } }",
    "try { try { return a; } finally { repeat (b) { if (c) continue; } } } finally { do { if (d) continue; e(); } until (f); }",
    "try { return a; } finally { switch (b) { case 1: if (c) break; break; case 2: case 3: } }",
    "function f() { var i, k; try { i = 1; return a; } finally { for (k = 1; b; i++) { c(); continue; } } }",
    "try { for (i = 0; a; { b(); exit; }) { if (c) continue; } } finally { do { } until (d); e = 1; }",
    "try { for (; a; exit) { if (b) continue; c(); } } catch (e) { for (i = 0; a; exit) { if (b) continue; } }",
    "try { with (o) { switch (a) { case 1: for (; b; exit) { c(); if (d) continue; } } } } finally { e(); }",
    "enum E { A, B } while (E.B) { if (a) try { if (b) break; } finally { c(); } }",
    "enum E { A, B } for (; E.B;) { if (a) try { if (b) break; } finally { c(); } }",
    "enum E { A, B } while (a) { while (E.B) { try { if (b) break; } catch (e) { } } }",
    "enum E { A, B } while (E.B) { repeat (a) { try { if (b) break; } catch (e) { } } }",
    "try { a(); } catch (e) { do { if (b) { } else { if (c) break; } } until (d); }",
    "try { do { if (a) { } else { b(); } } until (c); for (; i; i++) { } if (d) exit; } catch (e) { }",
    "try { exit; } finally { for (i = 0; a; i += 1) if (b) { c(); if (d) continue; e(); } else { } }",
    "try { a(); } catch (e) { try { b(); } catch (f) { c(); exit; } } finally { c(); }",
    "for (i = 0; a; ++j) try { b(); } finally { c(); if (i < 3) continue; }",
    "repeat (3) { try { if (a) break; } finally { if (b) break; else if (c) continue; d(); } e(); }",
    "for (; a; ++i) { while (b) { try { break; } catch (e) { } } }",
    "for (; a; i++) { do { try { if (c) break; d(); } catch (e) { continue; } } until (b); }",
    "while (a) { while (b) { try { if (c) break; d(); } catch (e) { continue; } } i++; }",
    "for (i = 0; a; i++) { while (b) { try { try { if (c) break; d(); } catch (e) { } } catch (f) { continue; } } }",
    "i = 0; while (i < 3) { while (b) { try { if (c) break; d(); } catch (e) { } } i++; }",
    "do { try { for (; i; i++) { } continue; } catch (e) { } } until (a);",
    "while (a) { try { for (; i; i++) { b(); } continue; } catch (e) { for (; j; ++j) { } break; } }",
    "with (o) { try { i = 0; while (i < 5) { b(); i++; } if (c) continue; d(); } catch (e) { break; } }",
    "for (;;) { try { for (; i; i++) { b(); } if (c) break; while (d) { i++; } if (f) continue; g(); } catch (e) { } }",
    "while (a) { try { try { for (; i; i++) { } break; } finally { while (b) { i++; } } continue; } catch (e) { } }",
    "repeat (3) { try { for (var j = 0; j < 3; j++) { if (b) break; if (c) continue; d(); } } catch (e) { } }",
    'l[| 0] = 1; a = l[| i]; m[? "k"] = 2; b = m[? k]; g[# 1, 2] = 3; c = g[# x, y]; s[$ "n"] = 4; d = s[$ n]; e[@ 0] = 5;',
    'l[| 0] += 1; m[? "k"] -= 2; g[# 1, 2] *= 3; s[$ n] += 4; m[? k]++; l[| i]--; a = m[? k]++; b = ++l[| i];',
    "a = m[? b[0]]; c = s[$ d[i]]; e = variable_struct_get(s, d[i]); f = l[| g[# 1, 2]];",
    "with (o) { function g() { return 1; } a = g(); }",
    "delete a; delete o.b;",
    'a = $"x{b}y{c + 1}"; d = $"plain"; e = $"{f}";',
    "enum E { A, B = 5, C } a = E.A; b = E.C; switch (c) { case E.A: d = 1; break; case E.B: d = 2; }",
    "static_get(F); a = F.s; F.s = 3;",
    "a = self; b = other; c = global; with (self) { d = other; }",
    "var a = [1, 2, [3, x]]; a[0] = b; return a;",
    "function f() { static a = 1, b = [2]; static c = function() { return a; }; a += 1; return b; }",
    "function f(a = {}, b = [], c = function() { return 1; }) { return argument_count + argument[0]; }",
    "repeat (3) { with (o) { switch (a) { case 1: return b; case 2: exit; } } }",
    "if (a) { function g() { } } else { h = function() { }; }",
    "for (var i = 0, n = 5; i < n; i++) { a(i); } for (var i = 0; i < 2; i++) { b(i); }",
    "var a; if (b) { a = 1; } else { a = 2; } c = a;",
    "return a ? b : c;",
    "if (a == undefined) a = 1;",
    "x = infinity; y = NaN; z = pointer_null; a = -infinity; b = pi;",
    "a = true; b = !true; while (false) { c = 1; } d = e && true; if (f == true) g(false);",
    "a.b.c[0].d.e(f)[1].g = h;",
    "function f() { return; } function g() { if (a) return; b = 1; }",
    "a = function() constructor { b = 1; }; c = new a();",
    "var f = function() { }; f(); f.g(); a(f);",
    "x = x; self.x = x; x += x;",
    "a[b[c[d]]] = e[f[g]];",
    "a = b[0] + c[1][2] * d.e[3];",
    "a = (function() { return 1; })();",
    "for (; a; { b(); c[0] = 1; exit; }) { } c[d] |= 1;",  # what a for's step marks is known behind it
    "for (i = 0; a; { if (b) c[0] = [1]; }) { d(); } c[1] = e;",
    "if (f) { for (; a; c[0] = 1) { } if (b) { c[1] = 2; } else { c[2] = 3; } } else { c[3] = 4; }",
    "switch (f) { case 1: for (; a; { c[0] = 1; }) { d(); } case 2: c[1] = 2; }",
    "while (f) { for (; a; c[0] = 1) { } if (b) continue; c[1] = 2; } for (; a; a = [1]) { d(); } e([]);",
    "a[0] = 1; for (; b;) { if (c) continue; } a[1] = 2;",
    "a[0] = 1; for (; b;) { if (c) continue; if (d) continue; } if (e) f(); a[1] = 2;",
    "for (; a; { switch (b) { case c: d([]); } }) { e[@ 0] = {}; }",
    "function f() { static s = a; s = [1]; }",
    "try { switch (a) { default: case 0: b = 1; return c; } } finally { d(); }",
    "switch (a) { case 1: try { b(); } catch (e) { switch (c) { default: case 0: return d; } } }",
    "try { } catch (e) { for (;; exit) { return a; } } finally { b[c] = 0; }",
    "try { } finally { --a[i]; } for (;;) { if (b) continue; } a[c] += d;",
    "switch ([]) { default: for (;;) { if (a) continue; } b([]); }",
    "switch ([]) { case 1: a(); case 2: for (;;) { if (a) continue; } b([]); }",
    "try { return a; return b; } finally { for (;; if (c) { d[1] = e; }) { } }",
    "try { return a; return b; } finally { for (i = 0; i < 3; { c[1] = d; i++; }) { while (e) f(); } }",
    "a[0] = function() { for (;;) { if (b) continue; } c[0]++; }; while (d) { } a[e] = f;",
    "a = function() { for (;; b[0] = 1) { c(); } b[1] = 2; }; d = e;",
    "try { } catch (e) { for (;; if (a) { return 3; }) { } exit; } finally { b[c].d |= e; }",
    "for (;; { a[0].b = 1; }) { c(); } a[1].b.d = 2; for (;; { a[0].b = 1; }) { c(); } a[1].b -= 2;",
    "a[0] ??= 1; for (;; b()) { if (c) { if (d) continue; } } a[2] = 0;",
    "a[0] = b; for (;; if (c) { d[1] = e; }) { break; }",
    "while (a) { b(); for (;; c[0] = 1) { c[1] = 2; } } c[2] = 3;",
    "for (;;) { a.b[0] |= c; } d = e[0]--; f.b[1] = 0;",
    "for (;;) { a[0] |= c; } d = e[0][1]++; a[1] = --e[0][2];",
    "for (;;) { a[0] |= c; } e[0].d++; a[1] = 2;",
    "try { throw a; if (0) { exit; } } catch (e) { } finally { switch (b) { default: break; } }",
    "while (a) { d[0] = 1; for (;; c[0] = 1) { c[1] = 2; } }",
    "for (;; { switch (a) { case 0: b[0] = 1; default: c[0] = 1; } }) { c[1] = d; }",
    "a[0] = b; do { if (c) { a[1] = 1; } else { a[2] = 2; } } until (d); a[3] = 4;",
    "--a[[], b ? c : d]; e[[1]][f ? g : h] = 2;",
    "a = { b: { c: pi ?? 0 }, d: infinity ?? 1 };",
    "switch (a) { case 0: default: b ??= 0; exit; }",
    "switch (a) { default: case 0: switch (b) { default: exit; case 1: } }",
    "switch (a) { case 0: default: switch (b) { case 1: default: return c; } }",
    "try { } catch (e) { switch (a) { default: case 1: exit; } }",
    "try { } catch (e) { switch (a) { case 1: default: exit; } }",
    "try { for (i = 0;; ++i) { exit; } } finally { if (a) { } else { } }",
    "a[b] /= c; if (d) { for (;;) { if (e) continue; } } else { } a[f] = 1;",
    "a[0] = 1; if (d) { if (e) { for (;;) { if (f) continue; } } else { } } else { g(); } a[1] = 1;",
    "for (;; while (a) { b[c] = 0; }) { b[d] = 1; }",
    "try { for (;; { return a; exit; }) { b.c[d] *= e; } } finally { if (f) { } else { g.c[h] = i; } }",
    "i = 0; for (;;) { if (a) { continue; } else { } b.i = 1; }",
    "i = 0; for (;;) { if (a) { exit; } else { } b.i = 1; }",
    "delete a[0]; for (;; { delete a[0]; }) { if (b) { continue; } }",
    "for (;; while (a) { b[0] = 1; }) { b[c] |= 1; for (;;) { } }",
    "scr--; scr += 1; a = scr++; self.scr--; a = self.scr;",
]
#: a bytecode number and a version: what chooses a dialect
Release: TypeAlias = tuple[int, tuple[int, ...]]
#: every dialect: at least one release on each side of every capability's boundary
RELEASES: list[Release] = [
    (8, (1, 0, 0, 412)),
    (10, (1, 0, 0, 666)),
    (13, (1, 0, 0, 964)),
    (13, (1, 0, 0, 1044)),
    (14, (1, 0, 0, 1567)),
    (15, (1, 0, 0, 1539)),
    (15, (1, 0, 0, 1657)),
    (16, (1, 0, 0, 1773)),
    (16, (2, 0, 0, 0)),
    (17, (2, 2, 5, 0)),
    (17, (2, 3, 0, 0)),
    (17, (2, 3, 1, 0)),
    (17, (2, 3, 5, 0)),
    (17, (2, 3, 7, 0)),
    (17, (2022, 6, 0, 0)),
    (17, (2022, 11, 0, 0)),
    (17, (2023, 2, 0, 0)),
    (17, (2023, 4, 0, 0)),
    (17, (2023, 8, 0, 0)),
    (17, (2023, 11, 0, 0)),
    (17, (2024, 2, 0, 0)),
    (17, (2024, 4, 0, 0)),
    (17, (2024, 6, 0, 0)),
    (17, (2024, 8, 0, 0)),
    (17, (2024, 11, 0, 0)),
    (17, (2024, 13, 0, 0)),
    (17, (2024, 14, 0, 0)),
    (17, (2024, 14, 4, 0)),
]


def context(bytecode: int, version: tuple[int, ...]) -> Context:
    """A game of a release, with what the programs name."""
    made = Context(Dialect.for_version(bytecode, version))
    made.add_asset("object", 0, "obj_first")
    made.add_asset("object", 3, "obj")
    made.add_asset("sprite", 2, "spr")
    made.add_asset("room", 1, "rm")
    made.add_function("F", "gml_Script_F")
    made.add_function("scr", "gml_Script_scr")
    if not made.dialect.gml_v2:
        for name in "abcdefghijklmnop":
            made.add_extension_function(name)
    return made


def plain(code: Code) -> list[object]:
    """The instructions, numbers in names of inner functions (places in the source) left out."""
    return [
        (each.opcode, _DIGITS.sub("#", each.operand.name))
        if isinstance(each.operand, FunctionReference)
        else each.key()
        for each in code.instructions
    ]
