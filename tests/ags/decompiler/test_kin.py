"""Managed structs with methods that extend each other, and objects of one where another one is
expected."""

from __future__ import annotations

import os

import pytest

from ags_decompiled import compiled, text_of, unproven
from ags_kin import kin

EDITORS = ("3.4.0.14", "3.6.2.21")
BASE = "managed struct Base {{ {} import int Go(int a); }};\n"
HEIR = "managed struct Heir extends Base {{ {} import int Do(Base *b); }};\n"


@pytest.mark.parametrize("editor", EDITORS)
def test_random_scripts_of_kin_compile_to_their_bytes(editor: str) -> None:
    """In most scripts: the code can leave open which of several structs extends which."""
    count = 1000 if os.environ.get("OVERHAUL_FULL") == "1" else 40
    assert len(unproven(kin, editor, range(count))) <= count // 20


def shown(text: str) -> str:
    """The text that a script decompiles to, in one line."""
    return text_of(compiled(text, editor="3.4.0.14"))


def test_structs_with_names_stay_two() -> None:
    text = shown(
        f"{BASE.format('')}{HEIR.format('')}"
        "managed struct Last extends Heir { import int End(Last *l); };\n"
        "Heir *kept;\n"
        "int Heir::Do(Base *b) { kept = this; }\n"
        "int Last::End(Last *l) { kept = this; }\n"
    )
    assert "struct Last extends Heir {" in text and "Heir *g_theHeir1;" in text


def test_a_struct_with_methods_is_given_as_what_it_extends() -> None:
    text = shown(
        "managed struct Other;\n"
        "managed struct Base { import int Go(Other *o); };\n"
        "managed struct Other extends Base { import int Do(int a); };\n"
        "Other *all[3]; int count;\n"
        "Other *Take(Base *b) { }\n"
        "int Base::Go(Other *o) { all[count] = Take(this); }\n"
        "Base *Give(Base *b) { }\n"
        "int Other::Do(int a) { Base *b = Give(Take(this)); }\n"
    )
    assert "Take(this)" in text


def test_values_that_are_compared_may_have_structs_that_extend_each_other() -> None:
    text = shown(
        "managed struct Base { }; managed struct More extends Base { };\n"
        "managed struct Last extends More { int value; import int Go(int a); };\n"
        "Base *first; Last *last; int count;\n"
        "int Last::Go(int a) { first = new More; count += last.value; if (last == first) count++; }"
        "\n"
    )
    assert "managed struct Struct2 extends Struct1 {" in text
    assert "if (g_theStruct21 == g_theStruct11)" in text


def test_a_value_has_the_fields_of_what_it_is_put_into() -> None:
    text = shown(
        f"{BASE.format('')}{HEIR.format('')}"
        "managed struct Last extends Heir { import int End(Last *l); };\n"
        "Heir *kept; int count;\n"
        "int Heir::Do(Base *b) { kept = this; count += kept.Do(new Heir); }\n"
        "int Last::End(Last *l) { kept = this; }\n"
    )
    assert "struct Last extends Heir {" in text
