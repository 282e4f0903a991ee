"""What scripts declare of each other, put together in headers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from overhaul.ags.decompiler.declared import Declaration, DeclaredMember
from overhaul.ags.project.declared import DeclaredNames
from overhaul.ags.project.scripts import built_in


def field(text: str) -> DeclaredMember:
    return DeclaredMember(text.rpartition(" ")[2], f"{text};")


def method(text: str) -> DeclaredMember:
    """A function of a struct, or an attribute."""
    kind: Literal["attribute", "function"] = "attribute" if "attribute " in text else "function"
    name = text.partition("(")[0].rpartition(" ")[2]
    return DeclaredMember(name, f"import {text};", kind, " = " in text)


def struct(name: str, *members: DeclaredMember, base: str = "") -> Declaration:
    extends = f" extends {base}" if base else ""
    return Declaration("struct", name, f"struct {name}{extends} {{", members, base)


def given(name: str, text: str) -> Declaration:
    return Declaration("import", name, f"import {text};")


A = (
    struct(
        "Hero", method("function Greet(Character *p0)"), method("function Sing()"),
        field("int value_0"), field("Overlay *theOverlay_4"),
    ),
    given("first", "int first"),
)  # fmt: skip
B = (
    struct(
        "Hero", method("int Greet(Character *p0)"), field("bool flag_0"), field("int unused_4"),
        field("float number_8"),
    ),
    given("first", "int first"),
    given("second", "int second(int p0)"),
)  # fmt: skip


def declared(**scripts: Iterable[Declaration]) -> DeclaredNames:
    made = DeclaredNames(())
    for name, declarations in scripts.items():
        made.take(name, declarations)
    return made


def test_what_a_script_defines_is_in_its_header() -> None:
    made = declared(A=A, B=B)
    headers = made.headers(["A", "B"], {"Hero::Greet": "A", "second": "B", "first": "B"}, {})
    assert headers["B"] == "import int second(int p0);\r\n"
    # the first script that uses a name comes before the one that defines it
    assert headers["A"].splitlines()[-1] == "import int first;"
    assert headers["A"].count("struct Hero {") == 1


def test_structs_of_one_name_are_private_to_their_scripts() -> None:
    one = [struct("S", method("function F()"), field("int value_0"))]
    two = [struct("S", method("function F(int p0)"))]
    made = declared(A=one, B=two)
    assert made.own_structs({"A": ["S::F"], "B": ["S::F"]}) == {
        "A": "struct S { import function F(); int value_0; }; ",
        "B": "struct S { import function F(int p0); }; ",
    }
    assert made.headers(["A", "B"], {}, {}) == {"A": "", "B": ""}
    shared = declared(A=one, B=one)
    assert shared.own_structs({"A": ["S::F"], "B": ["Sub::F"]}) == {}
    assert shared.own_structs({"A": ["S::F"], "B": ["S::G"]}) == {}


def test_names_stand_in_the_order_of_the_author() -> None:
    s = struct("S", method("function B()"), method("attribute int A"))
    made = declared(A=[s, given("y", "int y"), given("x", "int x"), given("z", "int z")])
    places = {"S::get_A": 4, "S::B": 5, "x": 7, "y": 9}
    header = made.headers(["A"], {}, places)["A"].splitlines()
    assert header == [
        "struct S {", "  import attribute int A;", "  import function B();", "};", "import int x;",
        "import int y;", "import int z;",
    ]  # fmt: skip


def test_an_enum_that_scripts_share_is_in_a_header() -> None:
    one = Declaration("enum", "Minus1", "enum Minus1 { eMinus1 = -1 };")
    other = Declaration("enum", "Minus3", "enum Minus3 { eMinus3 = -3 };")
    made = declared(A=[one], B=[one, other])
    headers = made.headers(["A", "B"], {}, {})
    assert headers == {"A": f"{one.text}\r\n", "B": f"{other.text}\r\n"}


def test_functions_are_declared_as_their_script_defines_them() -> None:
    made = declared(
        A=[given("F", "int F(int p0)"), given("Character::F", "int F(this Character*)")]
    )
    made.define({"F": "import int F(int p0, int p1 = -1);", "G": "import int G();"})
    assert made.headers(["A"], {}, {})["A"].splitlines() == [
        "import int F(int p0, int p1 = -1);", "import int F(this Character*);",
    ]  # fmt: skip
    made.define({"Character::F": "import function F(this Character*);"})
    assert made.headers(["A"], {}, {})["A"].splitlines()[1:] == [
        "import function F(this Character*);"
    ]


def test_names_of_the_editor_are_not_declared() -> None:
    made = DeclaredNames(["F", "x"])
    made.know(["y"])
    made.take("A", [given("x", "int x"), given("y", "int y"), given("Character::F", "int F()")])
    made.take("A", [given("\udcd2isplay", "int \udcd2isplay()")])  # one of a damaged game
    assert made.headers(["A"], {}, {}) == {"A": ""}


def test_a_struct_stands_behind_the_one_that_it_extends() -> None:
    made = declared(
        A=[struct("B", field("int value_4"), base="C"), struct("C", field("int value_0"))]
    )
    header = made.headers(["A"], {}, {})["A"].splitlines()
    assert [line for line in header if line.startswith("struct")] == [
        "struct C {", "struct B extends C {",
    ]  # fmt: skip


def test_an_attribute_stands_for_its_functions() -> None:
    """The script that has only the function that reads it makes it readonly."""
    members = (method("attribute int A"), method("int get_A()"), method("int get_B()"))
    made = declared(A=[struct("S", *members)])
    header = made.headers(["A"], {"S::get_A": "A"}, {})["A"].splitlines()
    assert header == [
        "struct S {",
        "  readonly import attribute int A;",
        "  import int get_B();",
        "};",
    ]
    made = declared(A=[struct("S", *members)])
    header = made.headers(["A"], {"S::get_A": "A", "S::set_A": "A"}, {})["A"].splitlines()
    assert header[1] == "  import attribute int A;"


def test_names_of_the_editor() -> None:
    assert "ProcessClick" in built_in("3.4.0.14")
    assert "ProcessClick" in built_in("3.3.5")
    assert {"Display", "game", "mouse"} <= built_in("3.6.2.12")
    assert "get_ID" not in built_in("3.6.2.12")


def test_functions_of_structs_are_declared_as_they_are_defined() -> None:
    """The dialogs come before the global script, which defines what they use."""
    used = [struct("S", method("static bool F()"))]
    defined = [struct("S", method("static function F()"), method("int G(int p0)"))]
    room = [struct("S", method("int G(int p0 = -2)"))]
    made = declared(dialogs=used, GlobalScript=defined, room1=room)
    places = {"S::F": "GlobalScript", "S::G": "GlobalScript"}
    assert made.headers(["dialogs", "GlobalScript"], places, {})["dialogs"].splitlines() == [
        "struct S {", "  import static function F();", "  import int G(int p0 = -2);", "};"
    ]  # fmt: skip
