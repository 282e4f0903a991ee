"""The tables of a compiled block: data, strings, imports, exports, sections; the preprocessor."""

from __future__ import annotations

import pytest

from ags_scripts import EDITOR, Settings, compiled, instructions
from overhaul.ags.language import CompilerOptions, ScriptError, Source, compile_block
from overhaul.ags.script.model import Script, read_script
from overhaul.errors import FormatError


def exports(script: Script) -> list[tuple[str, int, int]]:
    """(name, kind, place) of each export."""
    return [(item.name, item.address >> 24, item.address & 0xFFFFFF) for item in script.exports]


def test_global_data_is_packed_in_order_with_its_initial_values() -> None:
    script = compiled(
        "char c = 1; short s = -2; int i = eTenth; float f = -1.5; Thing *t; int d[]; char b[3];",
        "int first = 7;",
    )
    expected = "07000000 01 feff 0a000000 0000c0bf 00000000 00000000 000000"
    assert script.global_data == bytes.fromhex(expected)


def test_an_old_string_has_its_text_and_a_pointer_to_it() -> None:
    script = compiled("int a = 1; string s;", settings=Settings(old_strings=True))
    assert script.global_data == b"\1\0\0\0" + bytes(200) + b"\4\0\0\0"
    assert (script.fixup_types, script.fixup_positions) == (b"\5", [204])


def test_hexadecimal_literals_have_32_bits() -> None:
    script = compiled("int a = 0xFFFFFFFF; int b = 0x7fffffff; int c = 0X80000000; int d = -0x1;")
    assert script.global_data == bytes.fromhex("ffffffff ffffff7f 00000080 ffffffff")


@pytest.mark.parametrize("member", ["-eLeast", "eNext", "eAgain"])
def test_members_of_enums_count_with_32_bits(member: str) -> None:
    enum = "enum Far { eLeast = -2147483648, eMost = 2147483647, eNext, eAgain = -eLeast };"
    assert compiled(f"{enum}\nint x = {member};").global_data == b"\0\0\0\x80"


def test_literals_of_characters_are_numbers() -> None:
    script = compiled(
        "char a = 'a'; char b = '\\n'; char c = '\\\\'; char d = '\\''; char e = '\\q';"
    )
    assert script.global_data == b"a\n\\'q"


@pytest.mark.parametrize("text", ["string s[];", 'string s = "a";', "void f() { string s[]; }"])
def test_old_strings_are_no_dynamic_arrays_and_have_no_initial_values(text: str) -> None:
    with pytest.raises(ScriptError, match=r"dynamic arrays of string|initial value: use StrCopy"):
        compiled(text, settings=Settings(old_strings=True))


def test_every_literal_is_in_the_table_and_all_uses_have_the_last_copy() -> None:
    script = compiled('void f() { Display("a"); Display("b"); Display("a"); }', '#define X "no"')
    pieces = script.strings.split(b"\0")
    assert pieces == [
        b"__NEWSCRIPTSTART__BuiltIn.ash",
        b"__NEWSCRIPTSTART_0.ash",
        b"__NEWSCRIPTSTART_a.asc",
        *(b"a", b"b", b"a", b""),
    ]
    words = script.words
    uses = [
        words[position]
        for kind, position in zip(script.fixup_types, script.fixup_positions, strict=True)
        if kind == 3
    ]
    last = script.strings.rindex(b"a\0")
    assert uses == [last, last - 2, last]


@pytest.mark.parametrize(
    ("editor", "expected"),
    [
        ((3, 3, 0, 0), b'q"\n\\[x\0\0\0'),
        ((3, 4, 9, 99), b'q"\n\\[x\0\0\0'),
        ((3, 5, 0, 0), b'q"\n\\[x\0'),
        ((3, 6, 1, 99), b'q"\n\\[x\0'),
        ((3, 6, 2, 0), b'q"\n\\[x\0\0\0'),
        ((3, 6, 2, 5), b'q"\n\\[x\0\0\0'),
    ],
)
def test_escapes_in_literals(editor: tuple[int, ...], expected: bytes) -> None:
    script = compiled(r'void f() { Display("q\"\n\[x"); }', editor=editor)
    assert script.strings.endswith(b"a.asc\0" + expected)


def test_more_escapes_since_3_6_2_1() -> None:
    text = r'void f() { Display("\t\v"); }'
    assert b"tv\0" in compiled(text).strings
    assert b"\t\v\0\0\0" in compiled(text, editor=(3, 6, 2, 1)).strings


def test_bytes_that_are_not_utf_8_stay() -> None:
    assert b"x\xe9\xff\0" in compiled('void f() { Display("x\udce9\udcff"); }').strings


def test_unused_imports_keep_their_slots_without_names() -> None:
    script = compiled("void f() { oThing.x = 1; Wait(1); }")
    used = {name: slot for slot, name in enumerate(script.imports) if name}
    assert list(used) == ["Thing::get_x", "Thing::set_x", "Wait", "oThing"]
    assert used["Thing::set_x"] == used["Thing::get_x"] + 1
    assert len(script.imports) == len(compiled("").imports) == 22


def test_an_import_that_the_script_defines_is_blank() -> None:
    script = compiled("int g() { return 1; } void f() { g(); }", "import int g();")
    assert script.imports == [""] * 23
    assert exports(script) == [("g$0", 1, 0), ("f$0", 1, 12)]


def test_functions_count_their_parameters_in_imports_since_3_6_2_2() -> None:
    text = 'void f() { Display("a"); oThing.Go(1); oThing.Ex(2); }'
    header = "import void Ex(this Thing*, int a);"
    old = compiled(text, header)
    new = compiled(text, header, editor=(3, 6, 2, 2))
    assert [n for n in old.imports if n] == ["Thing::Go^3", "Display", "oThing", "Thing::Ex"]
    assert [n for n in new.imports if n] == ["Thing::Go^3", "Display^101", "oThing", "Thing::Ex^1"]


def test_exports_are_the_variables_named_and_all_functions() -> None:
    script = compiled(
        "int a; int b; int c;\nexport c, a;\nvoid f(int x, ...) { }\nexport f;\nint g(int y) { }"
    )
    assert exports(script) == [("c", 2, 8), ("a", 2, 0), ("f$101", 1, 0), ("g$1", 1, 8)]


def test_sections_without_code_are_replaced() -> None:
    script = compiled(
        'void f() { }\n"__NEWSCRIPTSTART_Dialog 0"\nvoid g() { }\n"__NEWSCRIPTSTART_Dialog 1"\n'
    )
    assert [(item.name, item.offset) for item in script.sections] == [
        ("a.asc", 0),
        ("Dialog 0", 8),
        ("Dialog 1", 16),
    ]
    assert instructions(script)[4] == "sourceline 1"


def test_code_of_headers_is_in_the_block() -> None:
    script = compiled("void f() { g(); }", "int g() { return 2; }")
    assert [item.name for item in script.sections] == ["0.ash", "a.asc"]
    assert exports(script)[0] == ("g$0", 1, 0)


@pytest.mark.parametrize(("editor", "version"), [((3, 3, 5, 2), 89), ((3, 4, 0, 0), 90)])
def test_the_version_is_that_of_the_editor(editor: tuple[int, ...], version: int) -> None:
    script = compiled("void f() { }", editor=editor)
    assert script.version == version
    assert read_script(script.to_bytes())[0].to_bytes() == script.to_bytes()


def test_words_of_later_versions_are_names_in_older_ones() -> None:
    assert compiled("int switch; void f() { switch = 1; }", editor=(3, 3, 0, 0)).words
    with pytest.raises(ScriptError, match="expected the name of a variable"):
        compiled("int switch;")


def test_macros_are_replaced_as_words_outside_of_literals_and_not_behind_dots() -> None:
    script = compiled(
        "#define x 3\n#define twice(x) y\n#define loop loop + 1\n"
        'void f() { oThing.x = x; Display("x"); Wait(x); }',
    )
    lines = instructions(script)
    assert lines.count("movl ax 3") == 2
    assert "movl ax 'x'" in lines


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("#ifdef A\n#define V 1\n#else\n#define V 2\n#endif", 2),
        ("#define A\n#ifdef A\n#define V 1\n#else\n#define V 2\n#endif", 1),
        ("#ifndef A\n#define V 1\n#endif", 1),
        ("#ifver 3.6.1\n#define V 1\n#endif\n#ifnver 3.6.1\n#define V 2\n#endif", 1),
        ("#ifver 3.6.2\n#define V 1\n#endif\n#ifnver 3.6.2\n#define V 2\n#endif", 2),
        ("#ifver 3.6.1.27\n#define V 1\n#endif\n#ifnver 3.6.1.27\n#define V 2\n#endif", 1),
        ("#ifver 3.6.1.28\n#define V 1\n#endif\n#ifnver 3.6.1.28\n#define V 2\n#endif", 2),
        ("#ifdef A\n#ifndef B\n#define V 1\n#endif\n#else\n#define V 5\n#endif", 5),
        ("#define V 1\n#undef V\n#define V 4 // and so on", 4),
        ("#define W 6\n#define V W", 6),
        ("/* #define V 1\n*/ #define V 2", 2),
        ("#region x\n#define V 9\n#endregion", 9),
    ],
)
def test_directives(text: str, value: int) -> None:
    script = compiled(f"{text}\nint a = V;")
    assert script.global_data == value.to_bytes(4, "little")


def test_comments_keep_the_lines() -> None:
    text = 'void f() { /* a\n b */ Wait(1); // Wait(2);\n Display("// /*"); }'
    lines = instructions(compiled(text))
    assert [line for line in lines if line.startswith("sourceline")] == [
        f"sourceline {number}" for number in (1, 2, 3)
    ]
    assert "movl ax '// /*'" in lines


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_all_ends_of_lines_count(end: str) -> None:
    text = end.join(["void f()", "{", "", "  Wait(1);", "}"])
    assert "sourceline 4" in instructions(compiled(text))


LOST = """
import void Display(const string text, ...);
builtin managed struct Thing { import attribute int x; };
import Thing oThing;
"""
TEXT = 'int a;\nexport a;\nvoid f() { Display("a"); oThing.x = 1; Display("b"); Display("a"); }'


def test_kept_tables_give_the_old_bytes_though_headers_are_lost() -> None:
    old = compiled(TEXT, 'import int other();\nimport int more(int a);\n#define A "a"')
    options = CompilerOptions(editor=EDITOR)
    headers = [Source("lost.ash", LOST)]
    again = compile_block(headers, Source("b.asc", TEXT), options, keep=old)
    assert again.to_bytes() == old.to_bytes()
    assert compile_block(headers, Source("b.asc", TEXT), options).to_bytes() != old.to_bytes()


def test_an_import_that_nothing_uses_any_more_has_no_name() -> None:
    old = compiled(TEXT)
    less = compile_block(
        [Source("lost.ash", LOST)],
        Source("b.asc", TEXT.replace("oThing.x = 1;", "")),
        CompilerOptions(editor=EDITOR),
        keep=old,
    )
    assert "oThing" in old.imports
    assert less.imports == [
        "" if name in ("oThing", "Thing::set_x") else name for name in old.imports
    ]
    unused = read_script(old.to_bytes())[0]
    unused.imports.append("kept")  # nothing used it before
    for declaration, name in (("import int kept;\n", "kept"), ("", "")):
        again = compile_block(
            [Source("lost.ash", LOST + declaration)],
            Source("b.asc", TEXT),
            CompilerOptions(editor=EDITOR),
            keep=unused,
        )
        assert again.imports == [*unused.imports[:-1], name]


def test_what_is_new_is_appended_to_kept_tables() -> None:
    old = compiled(TEXT)
    changed = TEXT.replace('Display("b");', 'Display("new"); Wait(1); Display("new");')
    again = compile_block(
        [Source("lost.ash", LOST + "import void Wait(int loops);")],
        Source("b.asc", changed),
        CompilerOptions(editor=EDITOR),
        keep=old,
    )
    assert again.strings == old.strings + b"new\0"
    assert again.imports == [*old.imports, "Wait"]
    assert instructions(again).count("movl ax 'new'") == 2


def test_kept_imports_are_found_whether_or_not_they_count_parameters() -> None:
    old = compiled(TEXT, editor=(3, 6, 2, 5))
    assert "Display^101" in old.imports
    again = compile_block(
        [Source("lost.ash", LOST)], Source("b.asc", TEXT), CompilerOptions(editor=EDITOR), keep=old
    )
    assert again.imports == old.imports


def test_kept_literals_have_the_places_that_they_had_in_turn() -> None:
    old = compiled('void f() { Display("a"); Display("a"); }')
    position = old.fixup_positions[list(old.fixup_types).index(3)]
    words = list(old.words)
    words[position] = old.strings.index(b"\0a\0") + 1
    assert words != list(old.words)
    moved = Script(
        version=old.version,
        code=b"".join(word.to_bytes(4, "little", signed=True) for word in words),
        strings=old.strings,
        fixup_types=old.fixup_types,
        fixup_positions=old.fixup_positions,
        imports=old.imports,
        exports=old.exports,
        sections=old.sections,
    )
    again = compiled('void f() { Display("a"); Display("a"); }', keep=moved)
    assert again.to_bytes() == moved.to_bytes()


def test_texts_of_a_kept_table_are_found_though_the_old_code_does_not_use_them() -> None:
    old = compiled('void f() { Display("a"); }')
    old.strings += b"unused\0other\0"
    again = compiled('void f() { Display("other"); }', keep=old)
    assert again.strings == old.strings
    assert instructions(again)[2] == "movl ax 'other'"


def test_a_block_of_another_compiler_is_refused() -> None:
    with pytest.raises(FormatError, match="another compiler"):
        compiled("void f() { }", keep=Script(version=95))


def test_headers_are_compiled_once() -> None:
    from overhaul.ags.language import states as kept

    def lengths() -> list[int]:
        return sorted(len(headers) for headers, _ in [*kept._FIRST, *kept._STATES])

    kept.forget_states()
    compiled("int a;", "int c;")
    first = [*kept._FIRST.values(), *kept._STATES.values()]
    compiled("int b;", "int c;")
    assert lengths() == [1, 2]
    again = [*kept._FIRST.values(), *kept._STATES.values()]
    assert all(state is before for state, before in zip(again, first, strict=True))
    compiled("int b;", "int c;", "int d;")
    compiled("int b;", "int e;")
    assert lengths() == [1, 2, 2, 3]
    compiled("int b;", *["int i;"] + [""] * 70)
    assert len(kept._STATES) == 64
    for number in range(20):
        kept.state_after((Source("a.ash", f"int i{number};"),), CompilerOptions())
    assert len(kept._FIRST) == 16


def test_a_thousand_headers_are_no_nesting() -> None:
    options = CompilerOptions(editor=EDITOR)
    headers = [Source(f"{number}.ash", f"import int i{number};") for number in range(1000)]
    script = compile_block(headers, Source("a.asc", "void f() { i999 = 1; }"), options)
    assert script.imports == [*[""] * 999, "i999"]
    assert compile_block(headers, Source("a.asc", "int a;"), options).imports == [""] * 1000


def test_functions_behind_an_index_and_a_member() -> None:
    script = compiled("void f(int i) { thing[i].Next.Next.Go(1); }")
    used = [name for name in script.imports if name]
    assert used == ["Thing::Go^3", "Thing::get_Next", "Thing::set_Next", "thing"]
