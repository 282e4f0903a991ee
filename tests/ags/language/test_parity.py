"""What makes compiling fast gives what the plain way gives: texts read at once, code that is kept,
headers that scripts share, names of rooms that come late."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import overhaul.ags
from ags_editor_projects import make_project
from ags_scripts import EDITOR, HEADER
from overhaul.ags.language import (
    CompilerOptions,
    LateNames,
    ScriptError,
    Source,
    compile_block,
    compile_late,
    states,
)
from overhaul.ags.language.lexer import Lexer
from overhaul.ags.language.parsing import Path as ScriptPath
from overhaul.ags.language.paths import Access, Paths
from overhaul.ags.language.preprocessor import Preprocessor
from overhaul.ags.language.reading import read_tokens
from overhaul.ags.language.symbols import Variable
from overhaul.ags.script.model import Script

OPTIONS = CompilerOptions(editor=EDITOR)
EDITORS = [(2, 72), (3, 2, 0), (3, 4, 0, 0), EDITOR]
PIECES = [
    *("a", "b1", "_x", "__X", "TWO", "WORD", "CALL", "1", "1.5", "0x1F", "'a'", "'\\n'", "\u00e4"),
    *('"text"', '"a // b"', '"/* no"', '"\\""', "// c", "/* c */", "/*", "*/", "'", '"', "#", "."),
    *("(", ")", "[", "]", "{", "}", ";", ",", "+", "++", "<<=", "...", "::", "&&", "/", "*"),
    *("\n", "\n", "\r\n", "\r", " ", "\t", "\x0b", "\xa0", "\x1c", "\u2003"),
    *("\n#define TWO 2\n", "\n#define WORD other\n", "\n#define CALL f(TWO)\n", "\n#undef TWO\n"),
    *("\n#ifdef TWO\n", "\n#ifndef TWO\n", "\n#else\n", "\n#endif\n", "\n #define X /* y */ 3\n"),
]  # fmt: skip
MACROS = {"MANY": "1 + 2", "ONE": "1", "x": "y"}


def by_lines(source: Source, editor: tuple[int, ...]) -> tuple[object, ...]:
    """What the preprocessor and the lexer make of a text line by line."""
    lexer = Lexer(CompilerOptions(editor=editor), bytearray())
    preprocessor = Preprocessor(MACROS.copy(), editor, lexer.pattern)
    lines = preprocessor.lines(source)
    tokens = lexer.run(source.name, lines, preprocessor.tokens)
    return tokens.tokens, tokens.lines, preprocessor.macros, lexer.literals, lexer.strings


def at_once(source: Source, editor: tuple[int, ...]) -> tuple[object, ...] | None:
    """What is made of a text at once; None if it has to be read line by line."""
    lexer = Lexer(CompilerOptions(editor=editor), bytearray())
    read = read_tokens(source, MACROS.copy(), editor, lexer)
    if read is None:
        assert not lexer.literals
        assert not lexer.strings
        return None
    return read[0].tokens, read[0].lines, read[1], lexer.literals, lexer.strings


def text_of(chosen: random.Random) -> str:
    """A text of random pieces, often with spaces between them."""
    pieces = chosen.choices([*PIECES, *MACROS], k=chosen.randrange(1, 40))
    if chosen.random() < 0.7:  # most texts have no quotes and comments that do not end
        pieces = [piece for piece in pieces if piece not in ("'", '"', "/*", "*/", "#", "\xa0")]
    return chosen.choice((" ", "", " ")).join(pieces)


@pytest.mark.parametrize("editor", [(3, 2, 0), (3, 4, 0, 0), EDITOR])
def test_texts_read_at_once_have_the_tokens_of_their_lines(editor: tuple[int, ...]) -> None:
    chosen = random.Random(25)
    read = 0
    for _ in range(4000):
        source = Source("a.asc", text_of(chosen))
        quick = at_once(source, editor)
        if quick is not None:
            assert quick == by_lines(source, editor), source.text
            read += 1
    assert read > 500


@pytest.mark.parametrize(
    "text",
    [
        'int a; // "no literal',
        'Display("a // b"); // c',
        "a /* 1\n 2 */ b\n/* 3 */ c /* 4",
        "f('/'); g('\"'); // x",
        "#define A B // C\nA a;\n#ifdef A\n#endif // A",
        "MANY + ONE.x - x.ONE; ONE",
        "",
        "\n\n",
        "a\r\nb\rc\n",
        "a\xa0\n\xa0b\x1c // c\n",
        'a\n"__NEWSCRIPTSTART_a"\nb\nc "__NEWSCRIPTSTART_b" d e\n\n\nf\n"__NEWSCRIPTSTART_c"',
    ],
)
def test_usual_texts_are_read_at_once(text: str) -> None:
    source = Source("a.asc", text)
    assert at_once(source, EDITOR) == by_lines(source, EDITOR)


@pytest.mark.parametrize(
    "text",
    ["a/* */b", "'ab'", '"open', "#ifdef X", "#define", "_x"],
)
def test_what_is_not_certain_is_read_line_by_line(text: str) -> None:
    assert at_once(Source("a.asc", text), EDITOR) is None


SCRIPT = """
int count; int numbers[4]; String name; Thing *held; short small; char letter; float part;
struct Pair { int left; int right; Thing *thing; int many[3]; };
Pair pair; Pair pairs[2];
int own(int a, int b) { return a - b; }
int extended(this Thing*, int a) { return this.x + this.plain + a; }
void f(Thing *t, int a) {
  Thing *u = t.Next; Thing *v[2]; int d[] = new int[3]; int i = 3; String s = "a";
  for (i = 0; i < 4; i++) { numbers[i] = i * 2 + a; if (i == 2) continue; d[i % 3] += 1; }
  t.x = t.Next.x; t.Next.x = a; t.x += 2; u.x++; thing[i].x = thing[1].Values[2];
  oThing.x = pointed.Next.Next.plain; pointed = oThing; u = Thing.Find(3); Thing.Count = 4;
  thing[i].Next.Next.Go(thing[1].Next.Next.x); v[1] = thing[2].Next.Next; v[1].Next.x = 1;
  t.Go(1); oThing.Go(i, a, eFirst); own(1, own(a, i)); t.extended(own(1, 2));
  pair.left = pair.right; pair.many[1] = pairs[1].many[2]; pair.thing = t; pair.thing.x = 1;
  s = s.Append(t.Name); letter = s.Chars[0]; small = imported; part = 1.5 * part; held = null;
  switch (t.x) { case 1: t.x = 1; case 2: { Thing *w = u; w.x = 1; } default: Wait(1); }
  while (t.x > 2 && u.x < 3 || !a) { t.x--; if (a) break; else if (i) return; }
  do { Display("%d", t.half[1]); } while (Random(3));
}
void g(Thing *z) { Thing *q = z; z.Go(q.x, z.plain); q.Next.x = z.Next.x; Display(z.Name); }
"""


def plain_paths(patch: pytest.MonkeyPatch) -> None:
    """Let the code of paths be compiled at each use."""

    def compiled_again(self: Paths, path: ScriptPath, mode: int) -> None:
        self._use(Access(path.steps[0], mode), path)

    def as_path(self: Paths, item: Variable, at: int, mode: int) -> None:
        path = ScriptPath(at)
        path.steps.append(item)
        self._use(Access(item, mode), path)

    patch.setattr(Paths, "_kept", compiled_again)
    patch.setattr(Paths, "read_member", lambda *_: False)
    patch.setattr(Paths, "read_variable", lambda self, item, at: as_path(self, item, at, 0))
    patch.setattr(Paths, "write_variable", lambda self, item, at: as_path(self, item, at, 1))


def compiled(text: str, editor: tuple[int, ...] = EDITOR) -> Script:
    options = CompilerOptions(editor=editor)
    headers = [Source("_BuiltIn.ash", HEADER), Source("b.ash", "import int other(int a = 3);")]
    return compile_block(headers, Source("a.asc", text), options)


def script_of(editor: tuple[int, ...]) -> str:
    """The script, without statements and names that an editor does not know."""
    if editor >= (3, 4, 0, 0):
        return SCRIPT
    lines = [line for line in SCRIPT.split("\n") if not line.lstrip().startswith(_NEW)]
    return "\n".join(lines)


_NEW = ("for", "switch", "do ", "while")


@pytest.mark.parametrize("editor", EDITORS)
def test_code_that_is_kept_is_what_compiling_gives(
    editor: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    states.forget_states()
    made = [compiled(script_of(editor), editor).to_bytes() for _ in range(2)]
    states.forget_states()
    plain_paths(monkeypatch)
    assert made == [compiled(script_of(editor), editor).to_bytes()] * 2


def test_a_function_that_is_new_in_one_script_is_not_known_in_another() -> None:
    header = "import int extra(this Thing*, int a);\n"
    own = "int extra(this Thing*, int a) { return a; }\nvoid f() { oThing.extra(1); }"
    other = "void f() { oThing.extra(1); oThing.x = oThing.extra(2); }"
    headers = [Source("_BuiltIn.ash", HEADER), Source("b.ash", header)]
    states.forget_states()
    fresh = compile_block(headers, Source("b.asc", other), OPTIONS).to_bytes()
    states.forget_states()
    for _ in range(2):
        compile_block(headers, Source("a.asc", own), OPTIONS)
        assert compile_block(headers, Source("b.asc", other), OPTIONS).to_bytes() == fresh


def test_shared_headers_give_what_fresh_headers_give() -> None:
    headers = [
        Source("_BuiltIn.ash", HEADER),
        Source("a.ash", "#define LATE 3\nint data = LATE;\nimport int other(int a = LATE);"),
        Source("b.ash", "enum Kind { eKind = LATE };\nstruct Box { int in; };\n#undef LATE"),
    ]
    scripts = [
        SCRIPT,
        "Box b; void f() { b.in = eKind; other(); }",
        "int LATE; int other(int a) {}",
    ]
    fresh = []
    for text in scripts:
        states.forget_states()
        fresh.append(compile_block(headers, Source("a.asc", text), OPTIONS).to_bytes())
    for _ in range(2):
        shared = [compile_block(headers, Source("a.asc", text), OPTIONS) for text in scripts]
        assert [script.to_bytes() for script in shared] == fresh


ROOM = "import Thing oDoor;\nimport Thing oLamp;\nimport Thing hWall;\n"
NAMES = [("Thing", "oDoor"), ("Thing", "oLamp"), ("Thing", "hWall")]


@pytest.mark.parametrize(
    ("text", "certain"),
    [
        ("import int own(); void f() { hWall.x = oLamp.x; own(); }", True),
        ("void f() { oLamp.Go(1); }", True),
        ("void f() { }", True),
        ("import int own(); void f() { Thing *t = oDoor; own(); }", True),
        ("void f(int oDoor) { }", False),
        ("void f() { oDor.x = 1; }", False),
        ("void f() { pointed.oDoor = 1; }", False),
    ],
)
def test_names_that_come_late_are_those_of_the_header(text: str, *, certain: bool) -> None:
    first = [Source("_BuiltIn.ash", HEADER), Source("a.ash", "import int before;\n")]
    behind = [Source("c.ash", "import int behind(int a);\nint data = 3;\n")]
    late = compile_late([*first, *behind], Source("a.asc", text), OPTIONS, LateNames(1, NAMES))
    assert (late is not None) == certain
    if late is not None:
        whole = [first[0], Source("a.ash", first[1].text + ROOM), *behind]
        plain = compile_block(whole, Source("a.asc", text), OPTIONS)
        assert late.to_bytes() == plain.to_bytes()


@pytest.mark.parametrize(
    "header",
    [
        "int oLamp;",
        "#define oLamp 3",
        "void f(int oLamp) { }",
        "enum e { oLamp };",
        "struct oLamp {};",
    ],
)
def test_names_that_headers_know_do_not_come_late(header: str) -> None:
    headers = [Source("_BuiltIn.ash", HEADER), Source("b.ash", header)]
    late = LateNames(0, NAMES)
    assert compile_late(headers, Source("a.asc", "int a;"), OPTIONS, late) is None


def test_a_project_is_read_again_when_its_file_changes(tmp_path: Path) -> None:
    folder = make_project(tmp_path)
    (folder / "a.asc").write_text("function f() { cEgo.Say(title); }")
    first = overhaul.ags.compile_project(folder, "a.asc")
    assert overhaul.ags.compile_project(folder, "a.asc") == first
    text = (folder / "Game.agf").read_bytes()
    (folder / "Game.agf").write_bytes(text.replace(b"cEgo", b"cAgo"))
    with pytest.raises(ScriptError, match="'cEgo' is not declared"):
        overhaul.ags.compile_project(folder, "a.asc")
    (folder / "Game.agf").write_bytes(text)
    assert overhaul.ags.compile_project(folder, "a.asc") == first


def test_the_length_of_an_array_of_a_header_has_the_slot_of_each_script() -> None:
    """Its import stands where a script uses it first; code of paths is kept with the variable."""
    headers = [
        Source("Header.ash", "import int numbers[]; import int other; struct Held { int n[]; };")
    ]
    options = CompilerOptions(editor=(3, 6, 2, 12))
    scripts = [
        Source("a.asc", "import int more; int f() { return numbers.Length; }"),
        Source("b.asc", "int f() { return numbers.Length; }"),
        Source("c.asc", "import int x; import int y; int f(int a[]) { a[0] = x; Held h; "
                        "return numbers.Length + a.Length + h.n.Length; }"),
    ]  # fmt: skip
    together = [compile_block(headers, script, options).to_bytes() for script in scripts]
    alone = []
    for script in scripts:
        states.forget_states()
        alone.append(compile_block(headers, script, options).to_bytes())
    assert together == alone
