"""What scripts declare of each other, put together in headers."""

from __future__ import annotations

import pytest

from overhaul.ags.project.declared import DeclaredNames, with_accessors
from overhaul.ags.project.scripts import built_in

A = """\
struct Hero {
  import function Greet(Character *p0);
  import function Sing();
  int value_0;
  Overlay *theOverlay_4;
};
import int first;
"""
B = """\
struct Hero {
  import int Greet(Character *p0);
  bool flag_0;
  int unused_4;
  float number_8;
};
import int first;
import int second(int p0);
"""


def declared(**scripts: str) -> DeclaredNames:
    made = DeclaredNames(())
    for name, text in scripts.items():
        made.take(name, text)
    return made


def test_what_a_script_defines_is_in_its_header() -> None:
    made = declared(A=A, B=B)
    headers = made.headers(["A", "B"], {"Hero::Greet": "A", "second": "B", "first": "B"}, {})
    assert headers["B"] == "import int second(int p0);\r\n"
    # the first script that uses a name comes before the one that defines it
    assert headers["A"].splitlines()[-1] == "import int first;"
    assert headers["A"].count("struct Hero {") == 1


def test_structs_of_one_name_are_private_to_their_scripts() -> None:
    one = "struct S {\n  import function F();\n  int value_0;\n};\n"
    two = "struct S {\n  import function F(int p0);\n};\n"
    made = declared(A=one, B=two)
    texts = {"A": "function S::F() { }", "B": "function S::F(int a) { }"}
    assert made.own_structs(texts) == {
        "A": "struct S { import function F(); int value_0; }; ",
        "B": "struct S { import function F(int p0); }; ",
    }
    assert made.headers(["A", "B"], {}, {}) == {"A": "", "B": ""}
    shared = declared(A=one, B=one)
    assert shared.own_structs({"A": "function S::F() { }", "B": "s.F();"}) == {}


def test_names_stand_in_the_order_of_the_author() -> None:
    struct = "struct S {\n  import function B();\n  import attribute int A;\n};\n"
    made = declared(A=f"{struct}import int y;\nimport int x;\n")
    places = {"S::get_A": 4, "S::B": 5, "x": 7, "y": 9}
    header = made.headers(["A"], {}, places)["A"].splitlines()
    assert header == [
        "struct S {", "  import attribute int A;", "  import function B();", "};", "import int x;",
        "import int y;",
    ]  # fmt: skip


def test_an_enum_that_scripts_share_is_in_a_header() -> None:
    enum = "enum Minus1 { eMinus1 = -1 };\n"
    made = declared(A=enum, B=f"{enum}enum Minus3 {{ eMinus3 = -3 }};\n")
    headers = made.headers(["A", "B"], {}, {})
    assert headers == {"A": enum.replace("\n", "\r\n"), "B": "enum Minus3 { eMinus3 = -3 };\r\n"}


def test_functions_are_declared_without_the_names_of_their_parameters() -> None:
    made = declared(A="import int F(int p0);\n")
    made.define("function F(this Character*, int count, String text)\n{\n}\n")
    made.take("A", "import int G(this Character*, int p0, ...);\n")
    header = made.headers(["A"], {}, {})["A"]
    assert "import int F(int p0);" in header
    other = declared(A="import int F(this Character*, int p0, int p1);\n")
    other.define("function F(this Character*, Overlay *theOverlay, int value)\n{\n}\n")
    third = declared(A="import int F(int p0, int p1);\n")
    third.define("int F(int count, int value2 = -1)\n{\n}\n")
    assert third.headers(["A"], {}, {})["A"] == "import int F(int p0, int p1 = -1);\r\n"
    assert other.headers(["A"], {}, {})["A"] == (
        "import function F(this Character*, Overlay *p0, int p1);\r\n"
    )


def test_a_struct_stands_behind_the_one_that_it_extends() -> None:
    made = declared(A="struct B extends C {\n  int value_4;\n};\nstruct C {\n  int value_0;\n};\n")
    header = made.headers(["A"], {}, {})["A"].splitlines()
    assert [line for line in header if line.startswith("struct")] == [
        "struct C {", "struct B extends C {",
    ]  # fmt: skip


def test_functions_without_loop_checks_are_declared_as_they_are() -> None:
    made = declared(A="import bool F(int p0);\nimport Hero *G(int p0[]);\n")
    made.define(
        "function noloopcheck F(int value)\n{\n}\nHero* noloopcheck G(int values[])\n{\n}\n"
    )
    assert made.headers(["A"], {}, {})["A"].splitlines() == [
        "import function F(int p0);", "import Hero* G(int p0[]);",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Label* Two::get_Action()", "Label* get_Action(this Two*)"),
        ("static GUI* Two::get_Action()", "GUI* get_Action(static Two)"),
        ("int Two::geti_Action(int i)", "int geti_Action(this Two*, int i)"),
        ("function Two::set_Action(Label *l)", "function set_Action(this Two*, Label *l)"),
        ("function Two::Other()", "function Two::Other()"),
        ("function Two::get_Other()", "function Two::get_Other()"),
    ],
)
def test_functions_behind_attributes_extend_the_struct(text: str, expected: str) -> None:
    assert with_accessors(text, {"Two": {"Action"}}) == expected


def test_names_of_the_editor() -> None:
    assert "ProcessClick" in built_in("3.4.0.14")
    assert "ProcessClick" in built_in("3.3.5")
    assert {"Display", "game", "mouse"} <= built_in("3.6.2.12")
    assert "get_ID" not in built_in("3.6.2.12")


def test_functions_of_structs_are_declared_as_they_are_defined() -> None:
    """The dialogs come before the global script, which defines what they use."""
    used = "struct S {\n  import static bool F();\n};\n"
    defined = "struct S {\n  import static function F();\n  import int G(int p0);\n};\n"
    room = "struct S {\n  import int G(int p0 = -2);\n};\n"
    made = declared(dialogs=used, GlobalScript=defined, room1=room)
    places = {"S::F": "GlobalScript", "S::G": "GlobalScript"}
    assert made.headers(["dialogs", "GlobalScript"], places, {})["dialogs"].splitlines() == [
        "struct S {", "  import static function F();", "  import int G(int p0 = -2);", "};"
    ]  # fmt: skip
