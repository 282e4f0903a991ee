"""What scripts declare of each other, put together in headers."""

from __future__ import annotations

import pytest

from overhaul.ags.project.declared import Declared, Types, with_accessors
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


def declared(**scripts: str) -> Declared:
    made = Declared(())
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


def test_fields_stand_once_and_keep_the_name_that_says_more() -> None:
    made = declared(A=A, B=B)
    header = made.headers(["A", "B"], {}, {})["A"]
    assert [line.strip() for line in header.splitlines() if "_" in line] == [
        "bool flag_0;", "Overlay *theOverlay_4;", "float number_8;",
    ]  # fmt: skip
    assert made.with_fields("A", "h.value_0 = 1; h.theOverlay_4 = null;") == (
        "h.flag_0 = 1; h.theOverlay_4 = null;"
    )
    assert made.with_fields("B", "h.flag_0 = true;") == "h.flag_0 = true;"


def test_false_is_a_number_of_another_kind_where_a_field_is_a_float() -> None:
    one = "struct S {\n  import function F();\n  float number_0;\n};\n"
    two = "struct S {\n  import function F();\n  int value_0;\n};\n"
    made = declared(A=one, B=two)
    text = "s.value_0 = 0; if (s.value_0 == 0) s.value_0 = 5;"
    assert made.with_fields("B", text) == (
        "s.number_0 = 0.0; if (s.number_0 == 0.0) s.number_0 = 5;"
    )


def test_variables_have_all_bytes_of_their_struct() -> None:
    one = "struct S {\n  import function F();\n  int value_0;\n  int value_4[3];\n};\n"
    two = "struct S {\n  import function F();\n  int value_0;\n};\n"
    made = declared(A=one, B=two)
    text = "S g_s; int unused1;\nint unused2[2];\nint x; S other;"
    assert made.with_whole_variables("B", text) == "S g_s;\n\nint x; S other;"
    assert made.with_whole_variables("A", text) == text
    short = "S g_s; int unused1; int used;"
    assert made.with_whole_variables("B", short) == short


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


def test_functions_are_declared_without_the_names_of_their_parameters() -> None:
    made = declared(A="import int F(int p0);\n")
    made.define("function F(this Character*, int count, String text)\n{\n}\n")
    made.take("A", "import int G(this Character*, int p0, ...);\n")
    header = made.headers(["A"], {}, {})["A"]
    assert "import int F(int p0);" in header
    other = declared(A="import int F(this Character*, int p0, int p1);\n")
    other.define("function F(this Character*, Overlay *theOverlay, int value)\n{\n}\n")
    assert other.headers(["A"], {}, {})["A"] == (
        "import function F(this Character*, Overlay *p0, int p1);\r\n"
    )


def test_exported_variables_have_the_types_of_their_users() -> None:
    made = declared(A="import int x;\nimport bool y;\n", B="import Overlay *x;\nimport int y;\n")
    text = "int x; int y; int z;\nexport x; export y;\n"
    assert made.with_types(text) == "Overlay *x; bool y; int z;\nexport x; export y;\n"
    assert made.with_types("int x; int y;") == "int x; int y;"
    assert made.with_types("int y = 3; export y;") == "int y = 3; export y;"
    assert "import Overlay *x;" in made.headers(["A", "B"], {}, {})["A"]


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


@pytest.mark.parametrize(
    ("declarations", "value", "expected"),
    [
        (["import Object *x;", "import int x;"], "", ("Object*", "")),
        (["import int x;", "import AudioChannel *x;"], "0", ("AudioChannel*", "")),
        (["import bool x;"], "1", ("bool", "true")),
        (["import bool x;"], "", ("bool", "")),
        (["import bool x;"], "7", ("int", "7")),
        (["import int x;", "import int x(int p0);"], "7", ("int", "7")),
        ([], "7", ("int", "7")),
    ],
)
def test_global_variables_have_the_types_of_their_users(
    declarations: list[str], value: str, expected: tuple[str, str]
) -> None:
    types = Types()
    for line in declarations:
        types.take(line)
    made = types.typed({"Name": "x", "Type": "int", "DefaultValue": value})
    assert (made["Type"], made["DefaultValue"]) == expected
    text = {"Name": "x", "Type": "String", "DefaultValue": value}
    assert types.typed(text) == text


def test_names_of_the_editor() -> None:
    assert "ProcessClick" in built_in("3.4.0.14")
    assert "ProcessClick" in built_in("3.3.5")
    assert {"Display", "game", "mouse"} <= built_in("3.6.2.12")
    assert "get_ID" not in built_in("3.6.2.12")
