"""Scripts of a game that are read together: one type for each name, one layout for each struct."""

from __future__ import annotations

import ags_games
import ags_rooms
from ags_decompiled import compiled
from overhaul.ags.decompiler import Decompiled, Environment, decompile_blocks
from overhaul.ags.decompiler.game import declared_by, environment_of, environment_of_room
from overhaul.ags.decompiler.proof import compile_back, differences
from overhaul.ags.documents.room import RoomDocument

STRUCT = "struct Hero { int age; short level; short gold[4]; import int Sum(int a); };\n"


def together(header: str, *texts: str) -> list[Decompiled]:
    """Scripts with one header, which are read together."""
    return decompile_blocks([compiled(header + text) for text in texts], Environment())


def lines(made: Decompiled) -> list[str]:
    return [line.strip() for line in (made.declarations + made.text).splitlines() if line.strip()]


def heads(text: str) -> list[str]:
    """The heads of the structs that a script has when it is decompiled."""
    (made,) = together("", text)
    return [line for line in lines(made) if line.startswith("struct")]


def test_a_variable_has_the_type_that_another_script_shows() -> None:
    header = "import Overlay *shown; import bool open; import float speed;\n"
    own = "Overlay *shown; bool open = true; float speed;\nexport shown, open, speed;\n"
    user = "function f() { shown.Remove(); if (open) open = false; speed = 2.5; }\n"
    exporter, other = together(header, own, user)
    head = exporter.text.splitlines()[0] if exporter.text else ""
    text = exporter.text.replace("\r\n", " ")
    assert "Overlay *shown;" in text, head
    assert "bool open = true;" in text
    assert "float speed;" in text
    assert {"import Overlay *shown;", "import bool open;", "import float speed;"} <= {*lines(other)}


def test_a_struct_that_another_script_uses_is_no_flat_variables() -> None:
    header = "struct Flags { short a; short b; short c[5]; int d; };\nimport Flags flags;\n"
    own = (
        "int before; Flags flags; int after;\nexport flags;\nint f() { return flags.b + after; }\n"
    )
    user = "function g() { flags.c[2] = 1; flags.d = flags.a; }\n"
    exporter, other = together(header, own, user)
    assert "Struct1 flags;" in exporter.text.replace("\r\n", " ")
    assert "flags.short_2 +" in exporter.text
    assert "import Struct1 flags;" in lines(other)
    assert "flags.short_4[2] = 1; flags.value_14 = flags.short_0;" in other.text
    fields = ["short short_0;", "short short_2;", "short short_4[5];", "int value_14;"]
    for made in (exporter, other):
        found = lines(made)
        start = found.index("struct Struct1 {")
        assert found[start + 1 : start + 5] == fields


def test_fields_have_one_name_in_all_scripts() -> None:
    header = f"{STRUCT}import Hero hero;\n"
    own = "Hero hero; export hero;\nint Hero::Sum(int a) { return this.age + a; }\n"
    user = "function g() { hero.gold[1] = hero.level; }\nint h() { return hero.Sum(2); }\n"
    exporter, other = together(header, own, user)
    for made in (exporter, other):
        assert {"int value_0;", "short short_4;", "short short_6[4];"} <= {*lines(made)}
    assert "hero.short_6[1] = hero.short_4;" in other.text


def test_parameters_have_the_types_of_the_script_that_defines_the_function() -> None:
    header = "import function Raise(GUI *window);\n"
    own = "function Raise(GUI *window) { window.ZOrder = 2; }\n"
    user = "function Raise_OnClick(GUI *theGui, MouseButton button) { Raise(theGui); }\n"
    _, other = together(header, own, user)
    assert "function Raise_OnClick(GUI *control, MouseButton button)" in lines(other)


def test_managed_structs_have_the_fields_of_all_scripts() -> None:
    header = (
        "managed struct Pair { int left; float right; Character *who; };\n"
        "import Pair *first; import Pair *made(int a);\n"
    )
    own = (
        "Pair *first; export first;\n"
        "Pair *made(int a) { first = new Pair; first.left = a; return first; }\n"
    )
    user = "function g() { Pair *pair = made(2); pair.right = 1.5; pair.who.x = 3; }\n"
    for script in together(header, own, user):
        found = lines(script)
        start = found.index("managed struct Struct1 {")
        fields = ["int value_0;", "float number_4;", "Character *theCharacter_8;", "};"]
        assert found[start + 1 : start + 5] == fields


def test_functions_of_one_name_in_two_scripts_are_apart() -> None:
    one = "int own2(int a)\n{\n return a;\n}\nint f() { return own2(2); }\n"
    two = "float own2(float a)\n{\nreturn a * 2.0;\n}\nfloat f() { return own2(2.0); }\n"
    first, second = together("", one, two)
    assert "int own2(int value)" in lines(first)
    assert "float own2(float number)" in lines(second)


def test_structs_of_one_name_in_two_scripts_are_apart() -> None:
    texts = [
        f"struct S {{ {fields} import int F(); }};\nS s;\n"
        f"int S::F() {{ return {value}; }}\nint f() {{ return s.F(); }}\n"
        for fields, value in (("int a; int b;", "this.b"), ("short a; short b;", "this.b"))
    ]
    first, second = together("", *texts)
    assert "int value_4;" in lines(first)
    assert "short short_2;" in lines(second)


def test_an_array_begins_where_its_first_element_is_an_object() -> None:
    text = (
        f"int count; export count;\n{STRUCT}Hero all[3];\n"
        "int f(int a) { return all[a].Sum(all[a].level); }\n"
    )
    (made,) = together("", text)
    assert "int count; Hero g_theHero1[3];" in " ".join(lines(made)).replace("export count;", "")


def test_attributes_of_the_scripts_own_structs_are_declared() -> None:
    text = (
        "struct S { int held; import attribute int Held; };\nS s;\n"
        "int get_Held(this S*) { return this.held; }\n"
        "void set_Held(this S*, int value) { this.held = value; }\n"
        "function f() { s.Held = s.Held + 1; }\n"
    )
    (made,) = together("", text)
    found = lines(made)
    assert "import attribute int Held;" in found
    assert "int get_Held(this S*)" in found
    assert "g_theS1.Held = g_theS1.Held + 1;" in " ".join(found)


def test_structs_that_extend_one_struct_do_not_extend_each_other_in_a_circle() -> None:
    text = (
        "struct C { int c; import int FC(); };\n"
        "struct A extends C { import int FA(); };\nstruct B extends C { import int FB(); };\n"
        "A a; B b;\n"
        "int C::FC() { return this.c; }\n"
        "int A::FA() { return this.FC(); }\nint B::FB() { return this.FC(); }\n"
        "int f() { return a.FA() + a.FC() + b.FB() + b.FC(); }\n"
    )
    assert heads(text) == ["struct C {", "struct A extends C {", "struct B extends C {"]


def test_a_struct_extends_what_it_calls_methods_of_in_one_line() -> None:
    text = (
        "struct A { int a; import int FA(); };\nstruct B extends A { import int FB(); };\n"
        "struct C extends B { import int FC(); };\nC c;\n"
        "int A::FA() { return this.a; }\nint B::FB() { return this.FA(); }\n"
        "int C::FC() { return this.FA() + this.FB(); }\nint f() { return c.FC(); }\n"
    )
    assert heads(text) == ["struct A {", "struct B extends A {", "struct C extends B {"]


def test_pointers_that_are_compared_as_no_texts_are_no_texts() -> None:
    text = "bool f(Object *one, Object *two) { return one == two; }\n"
    (made,) = together("", text)
    assert "f(Character *theCharacter, Character *theCharacter2)" in made.text


def test_a_switch_of_texts_has_texts() -> None:
    header = "import String named();\n"
    text = 'int f() { switch (named()) { case "a": return 1; } return 2; }\n'
    (made,) = together(header, text)
    assert "import String named();" in lines(made)


def test_what_while_counts_is_a_counter() -> None:
    text = (
        "int f(int a)\n{\nint number = 0; int sum = 2;\n"
        "while (number < a) { number++; sum += number; }\nreturn sum;\n}\n"
    )
    (made,) = together("", text)
    assert "while (i < value)" in made.text and "value2 += i;" in made.text


def test_attributes_that_only_a_function_of_the_script_sets_have_its_type() -> None:
    text = (
        "struct S { int held; import attribute Overlay *Shown; };\nS s;\n"
        "void set_Shown(this S*, Overlay *value) { }\n"
        "function f() { s.Shown = null; }\n"
    )
    (made,) = together("", text)
    assert "g_theS1.Shown = null;" in made.text


def test_a_local_struct_whose_pointers_stay_extends_the_struct_that_has_them() -> None:
    text = (
        "struct A { Character *who; int count; import Overlay *F(); };\n"
        "struct B extends A { import int G(); };\n"
        "int B::G()\n{\nthis.count = 2; this.F();\nB local; local.F();\n"
        "if (this.who != null) return 2;\n}\n"
    )
    (made,) = together("", text)
    assert "struct Struct1 extends A {" in lines(made)
    assert "Struct1 theStruct1; theStruct1.F();" in made.text


def test_fields_of_a_struct_that_extends_another_lie_behind_all_that_it_extends() -> None:
    text = (
        "struct A { int many[20]; short few[2]; import attribute int Way; };\n"
        "struct B extends A { import attribute int Other; };\nstruct C extends B { };\n"
        "A all[10];\n"
        "int get_Deep(this C*) { return all[0].Way + this.few[1] + this.Other + this.Way; }\n"
    )
    (made,) = together("", text)
    found = lines(made)
    assert "short short_80[2];" in found
    assert sum("unused_0" in line for line in found) == 1


def test_a_field_that_a_struct_and_its_heir_use_is_one() -> None:
    header = (
        "managed struct Pair { int left; String name; float right; };\n"
        "struct A { int many[3]; Pair *pair; import int FA(); };\n"
        "struct B extends A { int more; import int FB(); };\n"
    )
    own = (
        'int B::FB() { if (this.pair.name == "t") return 1; return 2; }\n'
        "int A::FA() { this.pair.right = 2.5; return this.pair.left + 2; }\n"
    )
    user = "A one[2]; B all[2];\nint f(int i) { return one[i].FA() + all[i].FB() + all[i].FA(); }\n"
    for made in together(header, own, user):
        found = lines(made)
        start = found.index("managed struct Struct1 {")
        fields = ["int value_0;", "String text_4;", "float number_8;", "};"]
        assert found[start + 1 : start + 5] == fields
        assert "struct B extends A {" in found


def test_structs_of_one_name_in_several_scripts_have_sizes_of_their_own() -> None:
    """Methods of the one use more bytes than the other has."""
    method = "function State::Reset() {{ this.{} = 7; }}\nfunction {}() {{ state.Reset(); }}\n"
    small = "struct State { int a; import function Reset(); };\nState state; int behind;\n"
    large = "struct State { int a[4]; int last; import function Reset(); };\nState state;\n"
    scripts = [
        compiled(large + method.format("last", "first")),
        compiled(small + method.format("a", "second") + "function third() { behind = 2; }\n"),
    ]
    one, two = decompile_blocks(scripts, Environment())
    assert "int unused_0[4];" in one.declarations and "int value_16;" in one.declarations
    assert "unused" not in two.declarations
    for made, script in zip((one, two), scripts, strict=True):
        assert list(differences(script, compile_back(made, script))) == []


def test_handlers_of_events_have_the_types_of_what_they_are_told() -> None:
    text = (
        "function door(Hotspot *h, int m) { }\nfunction press(GUIControl *c) { }\n"
        "function lstSaveGamesList_OnSelectionCh(GUIControl *c) { }\nfunction other_(int a) { }\n"
    )
    known = (("door", ("Hotspot*", "MouseButton")), ("press", ("GUIControl*", "MouseButton")))
    (made,) = decompile_blocks([compiled(text)], [Environment(handlers=known)])
    found = made.text
    assert "function door(Hotspot *theHotspot, MouseButton button)" in found
    assert "function press(GUIControl *control)" in found
    assert "function lstSaveGamesList_OnSelectionCh(GUIControl *control)" in found
    assert "function other_(int value)" in found
    dialogs = compiled("function _run_dialog3(int e) { if (e == 1) Wait(1); return -1; }\n")
    (shown,) = decompile_blocks([dialogs], Environment())
    assert "function _run_dialog3(int entryPoint)" in shown.text
    assert "if (entryPoint == 1)" in shown.text
    (plain,) = together("", text)
    assert "function door(String text, int value)" in plain.text


def test_data_of_games_and_rooms_names_the_handlers() -> None:
    game = ags_games.game()
    assert game.content is not None
    game.content.character_events = [["", "ego_look"]]
    game.content.inventory_events = [["key_look"]]
    game.content.gui.guis[0].on_click = "panel_click"
    game.content.gui.buttons[0].events = ["ok_click"]
    known = declared_by(game)
    handlers = dict(known.handlers)
    assert handlers["ego_look"] == ("Character*", "CursorMode")
    assert handlers["key_look"] == ("InventoryItem*", "CursorMode")
    assert handlers["panel_click"] == ("GUI*", "MouseButton")
    assert handlers["ok_click"] == ("GUIControl*", "MouseButton")
    assert "" not in handlers
    room = ags_rooms.room()
    main = ags_rooms.main_of(room)
    main.hotspot_events = [["door_look"], ["", "ego_look"]]
    main.object_events = [["lamp_look"]]
    main.region_events = [["step"]]
    inside = dict(environment_of_room(room, known).handlers)
    assert inside["door_look"] == inside["ego_look"] == ("Hotspot*", "CursorMode")
    assert inside["lamp_look"] == ("Object*", "CursorMode")
    assert inside["step"] == ("Region*",) and inside["ok_click"] == handlers["ok_click"]
    document = RoomDocument()
    document.room = room
    assert dict(environment_of(document).handlers)["step"] == ("Region*",)


def test_an_attribute_is_static_where_another_script_uses_it_without_an_object() -> None:
    """Editors before 3.4 had no static functions behind attributes."""
    header = "struct S { int held; import static attribute int Of; import attribute int On; };\n"
    own = header + "int get_Of(this S*) { return 7; }\nint get_On(this S*) { return this.held; }\n"
    user = header + "function f() { other = S.Of; }\n"
    scripts = [compiled(own), compiled(user)]
    reads = decompile_blocks(scripts, Environment())
    for made, script in zip(reads, scripts, strict=True):
        assert "import static attribute int Of;" in lines(made)
        assert list(differences(script, compile_back(made, script))) == []
    assert "import attribute int On;" in lines(reads[0])
    assert "int get_Of(this S*)" in reads[0].text
