"""What one types has no end yet: every prefix of a text is scanned."""

from __future__ import annotations

import os
import random
from itertools import pairwise

import pytest

from overhaul.gml.dialect import Dialect
from overhaul.language.ags import scanning as ags
from overhaul.language.gml import scanning as gml
from real_files import NO_CORPUS, corpus_files, sample

AGS = """\
#define TWICE(x) ((x) * 2)
import readonly int score;
import static function Outside(this Character*, const string text, int optional = -1);
enum Mode { eFirst, eSecond = 10, eThird };
builtin managed struct Base { import int Get(int at); protected int inner[5], more; };
struct Derived extends Base { readonly import attribute String Name;
  import static Derived* New(); };
_tryimport autoptr struct Late;
int first = 3, second[10];
String Derived::Say(const string text, Base *others[], int last) {
  int a = 1, b = first * 2, *c;
  for (int i = 0; i < 10; i++) { Base *one = this.Get(i); one.more -= 'x'; }
  if (a) return String.Format("%d \\" // no comment", b); else while (b) { b--; }
  /* a comment */ return null;
}
function noloopcheck game_start() { switch (first) { case 1: break; default: second[0]++; } }
export first, second;
import
"""
GML = """\
#macro Debug:SPEED (2 + 3)
enum Kind { First, Second = 10, }
globalvar a, b;
function one(x, y = 2, rest) constructor { static z = 1; self.w = x ?? y; }
function two() : one(1, 2) constructor { }
var list = [1, 2, { key: 3, "other": function(q) { return q; } }], m = list[| 0] + map[? "k"];
for (var i = 0; i < 10; ++i) { if (i mod 2 == 0) continue; else with (obj) { x += other.y; } }
try { throw $"text {list[0] + $"inner {a}"} end"; } catch (e) { show(e.message); } finally { }
switch (a) { case Kind.First: break; default: delete list; }
@"raw ""text"; // comment
/* more */ #region name
do { x--; } until (x < 0) repeat (3) y[$ "k"] = @"z";
"""


def scanned(text: str, kind: str, dialect: Dialect) -> None:
    """Scan a text; whatever is wrong with it, that gives an answer."""
    if kind == "gml":
        gml.scan(text, dialect)
    else:
        found = ags.scan(text)
        assert all(scope.end >= 0 for scope in found.scopes)


@pytest.mark.parametrize(("text", "kind"), [(AGS, "ags"), (GML, "gml")])
def test_every_prefix(text: str, kind: str) -> None:
    dialect = Dialect()
    for end in range(len(text) + 1):
        scanned(text[:end], kind, dialect)
    # And each word at the end of it, as one types it behind something else.
    for word in {*text.split()}:
        for start in ("", "struct S { ", "int f(", "int f() { "):
            scanned(f"{start}{word}", kind, dialect)


#: Pieces of a declaration that are scanned one by one, and prefixes of a text.
_MOST_PIECES = 250
_PREFIXES = 4


def _declarations(text: str) -> int:
    """Scan each declaration of a script up to each of its pieces; returns how many scans."""
    scanner = ags._Scanner(text)
    starts = []
    while scanner.at < len(scanner.pieces):
        starts.append(scanner.at)
        scanner._declaration()
    count = 0
    for start, end in pairwise([*starts, len(scanner.pieces)]):
        for stop in range(start + 1, min(end, start + _MOST_PIECES) + 1):
            part = ags._Scanner("")
            part.source, part.pieces = text, scanner.pieces[start:stop]
            part.run()
            count += 1
    return count


def test_prefixes_of_real_scripts() -> None:
    """Some prefixes; with OVERHAUL_FULL=1 of each declaration of all scripts up to each piece."""
    files = sample(corpus_files("ags*/**/*.as[ch]"), 120, seed=3)
    sources = sample(corpus_files("sourcepairs*/**/*.gml"), 120, seed=3)
    if not files or not sources:
        pytest.skip(NO_CORPUS)
    dialect = Dialect()
    scans = 0
    for path in (*files, *sources):
        kind = "gml" if path.suffix == ".gml" else "ags"
        text = path.read_text("utf-8", errors="surrogateescape")
        chosen = random.Random(path.name)
        for _ in range(_PREFIXES if text else 0):
            scanned(text[: chosen.randrange(len(text))], kind, dialect)
        if kind == "ags" and os.environ.get("OVERHAUL_FULL") == "1":
            scans += _declarations(text)
    assert scans > 100_000 or os.environ.get("OVERHAUL_FULL") != "1"
