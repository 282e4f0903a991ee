"""Wrong scripts: each error with its script, line and column."""

from __future__ import annotations

import random
import re

import pytest

from ags_scripts import EDITOR, HEADER, compiled
from overhaul.ags.language import CompilerOptions, ScriptError, Source, compile_block

#: A script on one line, where / stands for a line break; below it, what the error says.
WRONG = r"""
void f() { x = 1; }
    1:12: 'x' is not declared
void f() {/  Dispaly(1);/}
    2:3: 'Dispaly' is not declared (did you mean 'Display'?)
void f() { Wait(); }
    1:16: Wait takes 1 argument, got 0
void f() { Wait(1, 2); }
    1:16: Wait takes 1 argument, got 2
void f() { oThing.Go(1,); }
    1:24: an argument is missing
void f() { Wait(1;/}
    1:16: '(' is not closed
void f() { oThing.value[1] = 2; }
    1:19: Thing has no member 'value' (did you mean 'Values'?)
void f() { oThing.Gone(); }
    1:19: Thing has no member 'Gone'
void f() { Display(1); }
    1:20: can't convert int to const string
void f() { String s = 5; }
    1:23: can't convert int to String
void f() { float y = 1; }
    1:22: can't convert int to float
void f() { int y = 1.5 + 1; }
    1:24: '+' can't work on float and int
void f() { Thing *t = 1; }
    1:23: can't convert int to Thing*
void f() { if (oThing == "a") Wait(1); }
    1:23: '==' can't work on Thing* and const string
void f() { int y = -pointed; }
    1:20: '-' can't work on Thing*
void f() {/  if (1) {/    Wait(1);/
    2:10: the '{' is not closed
void f() { } }
    1:14: expected a declaration, got '}'
void f() {/  Wait(1)/}
    3:1: expected ';', got '}'
void f() { Display("x); }
    1:20: the literal that begins with " does not end on its line
void f() { int y = 'ab'; }
    1:20: expected one character between quotes, got 'ab'
int f(int a, int a) { }
    1:18: 'a' is already declared
int f(int) { }
    1:10: the parameter has no name
void f() { int y; /* c */ y = TRUE TRUE; }
    1:36: expected ';', got '1'
void f() { oThing.Name = null; }
    1:12: 'Name' is readonly
void f() { break; }
    1:12: 'break' is outside a loop or switch
void f() { switch (1) { case 1: continue; } }
    1:33: 'continue' is outside a loop
void f() { switch (1) { Wait(1); } }
    1:25: expected 'case' or 'default', got 'Wait'
void f() { switch (1) { default: default: } }
    1:34: the switch has a default already
void f() { switch (1) { case 1: int x; } }
    1:33: a declaration needs braces around it here: 'int'
void f() { else { } }
    1:12: 'else' is outside the block of its statement
void f() { if (1) int y; }
    1:19: a declaration needs braces around it here: 'int'
void f() { while () { } }
    1:19: expected a condition between the brackets
void f() { int a[3]; a = 5; }
    1:22: can't assign to the whole of 'a'
void f() { int y; y[1] = 5; }
    1:20: 'y' is not an array
void f() { int y; y.z = 5; }
    1:20: expected a struct before the dot, got int
void f() { thing.x = 5; }
    1:17: expected an index before the member of an array's element
void f() { Thing.x = 5; }
    1:18: Thing::x is not static: it needs an object before the dot
void f() { Thing t; }
    1:18: Thing is managed: a variable can only point to one ('Thing *')
void f() { return 1; }
    1:12: f returns nothing
String f() { return; }
    1:20: expected a value of type String to return
int f(int a) { }/void g() { f(); }
    2:13: f takes 1 argument, got 0
import int f(int a);/int f() { }
    2:5: f has 0 parameters here, but 1 where it is imported
import int f(int a);/int f(float a) { }
    2:5: f has other types where it is imported
import int f();/void g() { f(); }/int f() { }
    3:5: 'f' is used above as an import: define it before using it
int y = 99999999999;
    1:9: the number 99999999999 does not fit 32 bits
int y[0];
    1:7: an array needs at least one element
int y[2000000000];
    1:7: the array is too large
import int y[2000000000];
    1:14: the array is too large
int y[70000000];
    1:5: the variables take more than 256 MB
struct S { int a[536870912]; };
    1:16: the struct S is too large
Tihng *y;
    1:1: 'Tihng' is not a type (did you mean 'Thing'?)
struct S { int a; int a; };
    1:23: S has a member 'a' already
struct S { int a; }
    1:19: expected ';' after the struct, got the end of the text
struct S { Thing t; };
    1:12: a member can't be a whole Thing
struct S { int f(); };
    1:16: a function in a struct needs 'import'
struct S { protected int a; };/S s;/void f() { s.a = 1; }
    3:14: S::a is protected: only its struct's functions can use it
struct S { writeprotected int a; };/S s;/void f() { s.a = 1; }
    3:12: 'a' is writeprotected: only its struct can write it
string s;
    1:8: the type string needs EnforceNewStrings off: use String
export y;
    1:8: 'y' is not declared
export imported;
    1:8: 'imported' is imported: it can't be exported
#if X
    1:1: unknown directive #if
#ifdef X
    1:1: an #if lacks its #endif
#endif
    1:1: #endif without an #if before it
#define TRUE 2
    1:1: the macro TRUE is already defined
#error no
    1:1: #error no
void f() { int y = Thing; }
    1:20: 'Thing' is a type, not a value
void f() { int y = 5 5; }
    1:22: expected ',' or ';', got '5'
void f() { int y = ٣; }
    1:20: expected a value, got '٣'
int f(int é) { }
    1:11: expected ',' or ')', got 'é'
void f() { int y = @; }
    1:20: expected a value, got '@'
void f() { int y = new int; }
    1:24: 'new' needs a managed struct of a script, got int
void f() { Thing *t = new Thing; }
    1:27: 'new' needs a managed struct of a script, got Thing
void f() { void g() { } }
    1:17: a function can't be inside another: perhaps a '}' is missing
import void g(int d[] = 5);
    1:25: a pointer's default value can only be 0
import void g(float d = 1.5x);
    1:28: expected ',' or ')', got 'x'
import void g(float d = -1.5x);
    1:29: expected ',' or ')', got 'x'
import void g(float d = -999999999999999999999999999999999999999999999999999999999999.0);
    1:26: the number 9999999999999999999999999999999999999999 is too large
void f() { int y; /* y = b */ y = b/+ 1; }
    1:35: 'b' is not declared
struct S { int a; };/void f() { S s[]; }
    2:15: can't make a dynamic array of S: it is not managed
Thing *t = null;
    1:12: 't' can't have an initial value here: it is a pointer or array
int a[3] = 1;
    1:12: 'a' can't have an initial value here: it is a pointer or array
managed struct M { int a[]; };/struct S { int a[]; };/S s[2];
    3:4: can't make an array of S: it has dynamic arrays
int y;/  int z = "x;
    2:11: the literal that begins with " does not end on its line
void f() { Display("a"); /* c */ Display("x); }
    1:42: the literal that begins with " does not end on its line
int y = ';
    1:9: the literal that begins with ' does not end on its line
int y;/void f() { y = 'a;/}
    2:16: the literal that begins with ' does not end on its line
int a = 'a';/  int y = 'a' + 'ab';
    2:17: expected one character between quotes, got 'ab'
int a[];/void f() { a = new int[1.5]; }
    2:24: the size of an array must be an int
void f() { Thing *t; t = new Thing[2].x; }
    1:22: can't convert Thing*[] to Thing*
void f() { switch (oThing) { case 1: break; } }
    1:35: can't compare Thing* with int
void f() { switch (1.5) { case 1: break; } }
    1:32: can't compare float with int
void f() { int y; y 5; }
    1:21: expected an assignment or a call, got '5'
import int a = 4;
    1:14: an imported variable can't have an initial value
int y = 0x100000000;
    1:9: the number 0x100000000 does not fit 32 bits
int y;/void f() { oThing.Values = 2; }
    2:12: expected an index after 'Values'
void f() { oThing.Name = null; }
    1:12: 'Name' is readonly
"""


_LINES = WRONG.strip("\n").split("\n")


@pytest.mark.parametrize(("text", "message"), [*zip(_LINES[::2], _LINES[1::2], strict=True)])
def test_errors_have_their_place(text: str, message: str) -> None:
    broken = re.sub(r"(?<!\*)/(?!\*)", "\n", text)
    with pytest.raises(ScriptError) as caught:
        compiled(broken)
    assert str(caught.value) == f"a.asc:{message.strip()}"


def test_an_error_in_a_section_has_its_name_and_its_lines() -> None:
    with pytest.raises(ScriptError) as caught:
        compiled('int a;\n"__NEWSCRIPTSTART_Dialog 3"\nvoid f() {\n  b(1);\n}')
    assert str(caught.value) == "Dialog 3:2:3: 'b' is not declared"


def test_a_literal_in_a_section_has_its_place() -> None:
    with pytest.raises(ScriptError) as caught:
        compiled('int a;\n"__NEWSCRIPTSTART_Dialog 3"\nvoid f() {\n  b("a);\n}')
    assert str(caught.value).startswith("Dialog 3:2:5: the literal that begins with")


def test_an_error_in_a_header_has_its_name() -> None:
    with pytest.raises(ScriptError) as caught:
        compiled("", "int a;\nint a;")
    assert str(caught.value) == "0.ash:2:5: 'a' is already declared"


@pytest.mark.parametrize(
    "text",
    [
        "void f() { int x = " + "(" * 5000 + "1" + ")" * 5000 + "; }",
        "void f() " + "{" * 5000 + "}" * 5000,
        "void f() { " + "if (1) " * 5000 + "Wait(1); }",
        "void f() { int x = " + "Random(" * 5000 + "1" + ")" * 5000 + "; }",
        "void f() { int x = " + "- (" * 5000 + "1" + ")" * 5000 + "; }",
        "\n".join(f"#define A{i} A{i + 1} A{i + 1}" for i in range(60)) + "\nint A0;",
        "void f() { Thing *t[4000000]; return; return; return; return; return; return; }",
    ],
)
def test_what_nests_or_grows_too_much_is_refused(text: str) -> None:
    with pytest.raises(ScriptError, match="too"):
        compiled(text)


def test_a_long_chain_of_else_if_is_no_nesting() -> None:
    chain = "if (1) Wait(1); else " * 3000
    assert len(compiled(f"void f() {{ {chain} Wait(2); }}").words) > 3000 * 20


PROGRAM = """
struct S { int a; char b[4]; Thing *p; import int get(int n); };
S s; S many[3];
int S::get(int n) { return this.a + n; }
int g(this Thing*, String t) { if (t == "x" && this.x > 2) return -1; return t.Length; }
void f(int n) {
  for (int i = 0; i < n; i++) { if (i % 2 == 0) continue; many[i].b[1] = 'c'; }
  switch (n) { case 1: Wait(1); break; default: do { n--; } while (n > 0); }
  float y = 2.5 * 1.0; y += 1.0;
  Thing *t = Thing.Find(n); t.Next.Values[n + 1] = s.get(3) + oThing.g("q");
  String text = String.Format("%d[%s", n, t.Name);
  Display("%s", text.Append("z"));
}
"""
_TOKENS = re.compile(r'"[^"\n]*"|\w+|\s+|.', re.DOTALL)
_INSERTED = [
    "(", ")", "{", "}", "[", "]", ";", ",", ".", "=", "-", "!", "*", "new", "this", "int", "S",
    "String", "struct", "case", "else", "for", "::", "++", "0", "1.5", '"x"', "null", "'c'", "...",
    "import", "attribute", "#define f", "\n#ifdef X\n", "\n#endif\n", "/*", "//", '"', "\0", "é",
]  # fmt: skip


def test_mutated_scripts_have_no_other_errors() -> None:
    chosen = random.Random(7)
    good = 0
    for _ in range(1500):
        tokens = _TOKENS.findall(PROGRAM)
        for _ in range(chosen.choice((1, 1, 2, 8))):
            at = chosen.randrange(len(tokens))
            match chosen.randrange(4):
                case 0:
                    tokens[at] = ""
                case 1:
                    tokens[at] = chosen.choice(tokens)
                case 2:
                    tokens.insert(at, chosen.choice(_INSERTED) + " ")
                case 3:
                    tokens[at:] = tokens[at + chosen.randrange(20) :]
        try:
            compiled("".join(tokens))
            good += 1
        except ScriptError as error:
            assert error.line > 0 and error.column > 0
    assert 100 < good < 1400


SEVERAL = """int good = 1;
int bad = good2;
strct Wrong { int x; };
void f(Thing *t) {
  int i = nothing;
  i = 3;
  t.Nme = 3;
  if (unknown1) { t.Go(; i = unknown2; }
  else { i = unknown1; }
  for (i = 0; i < x9; i++) { Wait(1, 2); }
  while (i) i = unk3;
  switch (i) { case 1: y8 = 1; case 2: Wait("a"); }
  switch (y9) { case 1: Wait(1); }
  bad = i;
  return 5;
}
struct S { int a; Foo b; int c; };
void g() { S s; s.c = 1; s.q = 2; Display("x"; }
int h() { f(oThing); missing(1); missing(2); return i; }
"""
FOUND = """2:11: expected a whole number, got 'good2'
3:1: 'strct' is not a type
5:11: 'nothing' is not declared (did you mean 'oThing'?)
7:5: Thing has no member 'Nme' (did you mean 'Name'?)
8:7: 'unknown1' is not declared
8:23: '(' is not closed
8:30: 'unknown2' is not declared
10:19: 'x9' is not declared
10:34: Wait takes 1 argument, got 2
11:17: 'unk3' is not declared
12:24: 'y8' is not declared
12:45: can't convert const string to int
13:11: 'y9' is not declared
15:3: f returns nothing
17:19: expected the type of a member, got 'Foo'
18:28: S has no member 'q'
18:42: '(' is not closed
19:22: 'missing' is not declared"""


def all_errors(text: str, *headers: str) -> ScriptError:
    """The error of a text, with all that are found."""
    sources = [Source("_BuiltIn.ash", HEADER)]
    sources += [Source(f"{number}.ash", header) for number, header in enumerate(headers)]
    options = CompilerOptions(editor=EDITOR)
    with pytest.raises(ScriptError) as caught:
        compile_block(sources, Source("a.asc", text), options, every=True)
    return caught.value


def test_several_errors_are_found() -> None:
    error = all_errors(SEVERAL)
    assert str(error).split("\n") == [f"a.asc:{line}" for line in FOUND.split("\n")]
    assert error.errors[0] is error


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("void f() { x; } }", ["1:12: 'x'", "1:17: expected a declaration"]),
        ("void f() { if (", ["1:15: '(' is not closed"]),
        ("void f() { x; {{", ["1:12: 'x' is not", "1:16: the '{' is not closed"]),
        ("void f() { x(; } void g() { y; }", ["1:12: 'x' is not", "1:29: 'y' is not"]),
        ("enum e { a b }; void f() { e x = a; int y = b; z; }", ["1:12: expected", "1:48: 'z'"]),
        ("void f(int a, Foo b) { a = b; } void g() { f(1); }", ["1:15: expected the type"]),
        ("int a", ["1:5: expected ',' or ';'"]),
    ],
)
def test_errors_do_not_lead_to_others(text: str, found: list[str]) -> None:
    errors = str(all_errors(text)).split("\n")
    assert len(errors) == len(found)
    for error, start in zip(errors, found, strict=True):
        assert error.startswith(f"a.asc:{start}")


def test_the_errors_of_a_header_come_before_those_of_the_script() -> None:
    error = all_errors("void f() { x; }", "int a;", "int b = c;\nint d = e;")
    assert [each.name for each in error.errors] == ["1.ash", "1.ash"]


def test_there_is_an_end_of_errors() -> None:
    text = "".join(f"void f{number}() {{ x{number}; }}\n" for number in range(80))
    assert len(all_errors(text).errors) == 50


def test_damaged_scripts_have_errors_and_the_first_is_the_one_alone() -> None:
    chosen = random.Random(3)
    tokens = re.findall(r"\w+|\"[^\"]*\"|\s+|.", SEVERAL)
    for _ in range(300):
        damaged = tokens.copy()
        for _ in range(chosen.choice((1, 2, 5))):
            damaged[chosen.randrange(len(damaged))] = chosen.choice(
                ["x9", "{", "}", "(", ")", "else", "case", "int", ";", "", '"'],
            )
        error = all_errors("".join(damaged))
        with pytest.raises(ScriptError) as caught:
            compiled("".join(damaged))
        assert str(caught.value) == str(error).split("\n")[0]
        assert all(each.line > 0 and each.column > 0 for each in error.errors)
