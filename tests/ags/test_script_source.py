"""Scripts as source in an unpacked folder: exact, edited, compiled when packing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import ags_games
import overhaul
from ags_decompiled import compiled
from ags_folders import Folder
from overhaul.ags.decompiler.files import compile_files, script_files
from overhaul.ags.game.game import Game
from overhaul.ags.script.assembler import assemble
from overhaul.ags.script.model import Script, Section, read_script
from overhaul.errors import SourceError, WorkspaceError

TEXT = """\
int count;

function Greet(String name)
{
  count++;
  cEgo.Say("Hello");
  Display("%s, hello %d times", name, count);
}

function room_Load()
{
  Greet("you");
  OtherScript(2, 1.5);
}
"""
UNREAD = """\
.script 90
.exports
    function "odd$0" L_odd
    function "fine$0" L_fine
.sections
    "x.asc" L_odd
.code
L_odd:
    thisaddr 0
    pop ax
    ret
L_fine:
    thisaddr 3
    ret
"""


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    """What the tests get copies of."""
    return Folder(tmp_path_factory.mktemp("script"), "x.o", compiled(TEXT).to_bytes())


@pytest.fixture
def folder(unpacked: Folder, tmp_path: Path) -> Folder:
    return unpacked.copy(tmp_path)


def replace(folder: Folder, name: str, before: str, after: str) -> None:
    path = folder.path / name
    text = path.read_text("utf-8")
    assert before in text
    path.write_text(text.replace(before, after), "utf-8")


def packed(folder: Folder) -> Script:
    return read_script(folder.pack())[0]


# -- unpacked ----------------------------------------------------------------------------------


def test_a_script_is_a_text_a_header_and_tables(folder: Folder) -> None:
    assert folder.names() == ["script.asc", "script.ash", "script.json"]
    text = (folder.path / "script.asc").read_text("utf-8")
    assert 'cEgo.Say("Hello");' in text and "\r" not in text
    header = (folder.path / "script.ash").read_text("utf-8")
    assert "import Character cEgo;" in header and "OtherScript(" in header
    tables = folder.json("script.json")
    assert tables["sections"] == ["room1.asc"] and "literals" not in tables
    assert tables["exports"] == ["Greet$1", "room_Load$0"]
    folder.check()


@pytest.mark.parametrize("how", ["asm", "both"])
def test_assembly_is_there_where_it_is_asked_for(how: str, folder: Folder) -> None:
    overhaul.unpack(folder.file, folder.path, code=how, force=True)
    source = {"script.asc", "script.ash", "script.json"} if how == "both" else set()
    assert set(folder.names()) == {"script.asm"} | source
    assert folder.pack(from_scratch=True) == folder.data


def test_texts_in_other_places_are_kept_by_their_offsets() -> None:
    script = compiled('function f() { Display("a"); Display("b"); Display("a"); }')
    swapped = Script(**{n: getattr(script, n) for n in Script.__struct_fields__})
    # The second "a" stands before the first one; the code uses them as before.
    swapped.strings = b"a\0b\0a\0" + script.strings
    words = list(script.words)
    places = [p for k, p in zip(script.fixup_types, script.fixup_positions, strict=True) if k == 3]
    for place, offset in zip(places, (4, 2, 0), strict=True):
        words[place] = offset
    swapped.code = b"".join(word.to_bytes(4, "little", signed=True) for word in words)
    files = script_files(swapped)
    assert files.reason == "" and files.tables.literals == (4, 2, 0)
    assert compile_files(files).to_bytes() == swapped.to_bytes()


def test_a_text_without_an_end_stays_so() -> None:
    script = compiled(TEXT)
    script.strings += b"cut"
    files = script_files(script)
    assert files.reason == "" and files.tables.cut
    assert compile_files(files).to_bytes() == script.to_bytes()


def test_headers_among_the_sections_begin_where_the_script_does() -> None:
    script = compiled(TEXT)
    script.sections = [Section(name=name) for name in ("Header", "a.ash", "room1.asc")]
    files = script_files(script)
    assert files.reason == "" and files.tables.sections == (("Header", "a.ash", "room1.asc"),)
    longer = compile_files(
        type(files)("int more() { return 1; }\n" + files.text, files.header, files.tables)
    )
    assert longer.sections == script.sections


def test_an_edit_of_a_source_of_ags_4_is_refused_and_one_of_its_assembly_taken(
    tmp_path: Path,
) -> None:
    newer = assemble(UNREAD.replace(".script 90", ".script 95"))
    folder = Folder(tmp_path, "x.o", newer.to_bytes())
    replace(folder, "script.asm", "    thisaddr 3", "    thisaddr 4")
    assert packed(folder).version == 95 and packed(folder).code != newer.code
    refused = r"^script\.asc: AGS 4 has another compiler .*: edit script\.asm$"
    replace(folder, "script.asm", "    thisaddr 4", "    thisaddr 3")
    (folder.path / "script.asc").write_text("int i;\n")
    with pytest.raises(WorkspaceError, match=refused):
        folder.pack()


def test_what_is_not_read_has_assembly_which_counts(tmp_path: Path) -> None:
    folder = Folder(tmp_path, "x.o", assemble(UNREAD).to_bytes())
    assert folder.names() == ["script.asc", "script.asm", "script.json"]
    assert folder.json("script.json")["unread"] == ["odd"]
    folder.check()
    replace(folder, "script.asc", "fine()", "finer()")
    made = packed(folder)
    assert [export.name for export in made.exports] == ["odd$0", "finer$0"]
    assert made.words[:5] == (38, 0, 30, 3, 5)


# -- edited ------------------------------------------------------------------------------------


def test_an_edited_text_leaves_all_else(folder: Folder) -> None:
    old = read_script(folder.data)[0]
    replace(folder, "script.asc", '"Hello"', '"Good morning"')
    new = packed(folder)
    assert new.strings == old.strings + b"Good morning\0"
    assert new.imports == old.imports and new.exports == old.exports
    different = [a for a, b in zip(old.words, new.words, strict=True) if a != b]
    assert len(different) == 1  # the place of the text


def test_a_new_function_and_import(folder: Folder) -> None:
    old = read_script(folder.data)[0]
    with (folder.path / "script.asc").open("a") as file:
        file.write("function Later(int a)\n{\n  NewOne(a * 2);\n}\n")
    with (folder.path / "script.ash").open("a") as file:
        file.write("import function NewOne(int a);\n")
    new = packed(folder)
    assert [e.name for e in new.exports] == [*(e.name for e in old.exports), "Later$1"]
    assert new.words[: len(old.words)] == old.words
    assert new.imports[: len(old.imports)] == old.imports and new.imports[-1].startswith("NewOne")


def test_a_script_without_tables_is_new(folder: Folder) -> None:
    (folder.path / "script.json").unlink()
    new = read_script(folder.pack(from_scratch=True))[0]
    assert [section.name for section in new.sections] == ["script.asc"]
    assert b"Hello\0" in new.strings


GROUPED = "int f(int a, int b, int c)\n{\n  return a - b - c;\n}\n"


@pytest.mark.parametrize("left_to_right", [False, True])
def test_a_new_script_is_compiled_as_its_game_says(left_to_right: bool, tmp_path: Path) -> None:
    game = ags_games.game(3060003, "3.6.0.51")
    assert game.content is not None
    options = list(game.content.settings.options)
    options[33] = int(left_to_right)
    game.content.settings.options = options
    game.content.script_modules = []
    folder = Folder(tmp_path, "game28.dta", game.to_bytes(), new=True)
    (folder.path / "scripts" / "modules").mkdir()
    (folder.path / "scripts" / "modules" / "new.asc").write_text(GROUPED)
    listed = ["scripts/modules/new.asc"]
    folder.edit("game.json", lambda shown: shown.update(script_modules=listed))
    made = Game.read(folder.pack()).content
    assert made is not None
    (module,) = made.script_modules
    assert module.code == compiled(GROUPED, left_to_right=left_to_right).code
    assert module.name == "new.asc"


def test_a_module_is_renamed_with_its_section(tmp_path: Path) -> None:
    game = ags_games.game(3060003, "3.6.0.51")
    assert game.content is not None
    module = compiled(GROUPED)
    module.sections[-1].name = "Sums.asc"
    game.content.script_modules = [module]
    folder = Folder(tmp_path, "game28.dta", game.to_bytes(), new=True)
    for path in (folder.path / "scripts" / "modules").iterdir():
        path.rename(path.with_name(f"Other{path.suffix}"))
    folder.edit(
        "game.json", lambda shown: shown.update(script_modules=["scripts/modules/Other.asc"])
    )
    with pytest.raises(
        WorkspaceError, match=r"script_modules\[0\]: .*Other.asc is the module 'Sums"
    ):
        folder.pack()
    folder.edit("scripts/modules/Other.json", lambda shown: shown.update(sections=["Other.asc"]))
    made = Game.read(folder.pack()).content
    assert made is not None
    assert [(each.name, each.code) for each in made.script_modules] == [("Other.asc", module.code)]


def test_without_its_tables_a_script_keeps_its_settings_and_names(tmp_path: Path) -> None:
    script = compiled(GROUPED, left_to_right=False)
    folder = Folder(tmp_path, "x.o", script.to_bytes())
    (folder.path / "script.json").unlink()
    new = packed(folder)
    assert [section.name for section in new.sections] == ["room1.asc"]
    assert new.code == script.code and new.strings != script.strings


@pytest.mark.parametrize(
    ("name", "before", "after", "message"),
    [
        ("script.asc", "g_value1++;", "g_value2++;", r"script\.asc:\d+:\d+: .*g_value2"),
        ("script.ash", "import Character cEgo;", "import Charakter cEgo;", r"script\.ash:\d+:\d+"),
        ("script.asc", "room_Load()\n{", "room_Load()\n", r"script\.asc:\d+:\d+"),
    ],
)
def test_errors_name_the_file_and_the_line(
    name: str, before: str, after: str, message: str, folder: Folder
) -> None:
    replace(folder, name, before, after)
    with pytest.raises(SourceError) as caught:
        folder.pack()
    assert caught.match(message)
    if after == "g_value2++;":
        line = (folder.path / name).read_text("utf-8").split("g_value2++")[0].count("\n") + 1
        assert caught.value.line == line


def test_all_errors_of_a_game_are_reported_at_once(tmp_path: Path) -> None:
    game = ags_games.game(3060003, "3.6.0.51")
    assert game.content is not None
    game.content.global_script = compiled(GROUPED)
    module = compiled(GROUPED)
    module.sections[-1].name = "Sums.asc"
    game.content.script_modules = [module]
    folder = Folder(tmp_path, "game28.dta", game.to_bytes(), new=True)
    for name, more in (("GlobalScript", "void a() { x; y = 1; }"), ("modules/Sums", "z b;")):
        path = folder.path / "scripts" / f"{name}.asc"
        path.write_text(f"{path.read_text()}\n{more}\n")
    with pytest.raises(SourceError) as caught:
        folder.pack()
    first, second, third = str(caught.value).split("\n")
    assert first.startswith("scripts/GlobalScript.asc:") and "'x' is not declared" in first
    assert second.startswith("scripts/GlobalScript.asc:") and "'y' is not declared" in second
    assert third.startswith("scripts/modules/Sums.asc:") and "'z' is not a type" in third


def test_errors_behind_a_mark_name_the_line_of_the_file() -> None:
    files = script_files(compiled(TEXT))
    text = files.text + '"__NEWSCRIPTSTART_Dialog 1"\nint a;\nint b = c;\n'
    with pytest.raises(SourceError) as caught:
        compile_files(type(files)(text, files.header, files.tables), path="scripts/Dialogs")
    assert caught.value.name == "scripts/Dialogs.asc"
    assert text.split("\n")[caught.value.line - 1] == "int b = c;"


def test_two_edits_of_one_script_are_refused(folder: Folder) -> None:
    overhaul.unpack(folder.file, folder.path, code="both", force=True)
    replace(folder, "script.asc", "Hello", "Good morning")
    replace(folder, "script.asm", ': "you"', ': "him"')
    with pytest.raises(WorkspaceError, match=r"script\.asc and script\.asm are both edited"):
        folder.pack()
    (folder.path / "script.asm").unlink()
    assert b"Good morning\0" in packed(folder).strings


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda shown: shown.update(zz=1), r"script\.json:.*unknown field 'zz'"),
        (lambda shown: shown.update(version=96), r"version: expected a whole number from 1 to 95"),
        (lambda shown: shown["compiler"].update(zz=1), r"compiler: unknown field 'zz'"),
        (lambda shown: shown["compiler"].update(debug=1), r"compiler: .*bool"),
        (lambda shown: shown["compiler"].update(version="x"), r"compiler\.version: .*such as 3"),
        (lambda shown: shown["compiler"].update(version=""), r"compiler\.version: .*such as 3"),
        (lambda shown: shown["compiler"].update(version="3"), r"compiler\.version: .*such as 3"),
        (
            lambda shown: shown["compiler"].update(version="3." + "9" * 5000),
            r"compiler\.version: .*such as 3",
        ),
        (lambda shown: shown["compiler"].update(old_negatives=1), r"old_negatives: .*true or"),
        (lambda shown: shown.update(import_count=1 << 21), r"import_count: expected"),
        (lambda shown: shown.update(import_count=2), r"import_count: expected"),
        (lambda shown: shown["imports"].update({"99999": "x"}), r"import_count: expected"),
        (lambda shown: shown["imports"].update({"9999999": "x"}), r"imports: expected the number"),
        (lambda shown: shown["imports"].update(x="x"), r"imports: expected the number of a slot"),
        (lambda shown: shown.update(sections=[[]]), r"sections\[0\]: expected a name"),
        (lambda shown: shown.update(literals=[-1]), r"literals\[0\]: expected"),
        (lambda shown: shown.update(strings=[3]), r"strings\[0\]: expected a text"),
    ],
)
def test_errors_in_tables(change: Any, message: str, folder: Folder) -> None:
    folder.refuses("script.json", change, message)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda shown: shown["imports"].popitem(), r"imports: the source needs other imports"),
        (lambda shown: shown["exports"].pop(), r"exports: the source needs other exports"),
        (
            lambda shown: shown["strings"].remove("Hello"),
            r"strings: the source needs other strings",
        ),
        (lambda shown: shown["sections"].append("x"), r"sections: the source needs other sections"),
        (
            lambda shown: shown.update(unread=["f"]),
            r"unread: the source needs other functions left as assembly than these",
        ),
    ],
)
def test_tables_that_do_not_fit_the_source(change: Any, message: str, folder: Folder) -> None:
    folder.edit("script.json", change)
    with pytest.raises(WorkspaceError, match=rf"script\.(json|asc):.*{message}"):
        folder.pack()


def test_tables_that_fit_the_source_are_taken(folder: Folder) -> None:
    folder.edit("script.json", lambda shown: shown["strings"].append("a text for later"))
    assert packed(folder).strings.endswith(b"a text for later\0")
    folder.edit("script.json", lambda shown: shown.update(sections=["other.asc"]))
    assert [section.name for section in packed(folder).sections] == ["other.asc"]


def test_texts_are_shown_in_the_encoding_of_the_game(tmp_path: Path) -> None:
    script = compiled('function f() { Display("Gru\udcdf"); }')
    folder = Folder(tmp_path, "x.o", script.to_bytes())
    text = (folder.path / "script.asc").read_text("utf-8")
    assert "Gruß" in text and json.dumps("Gruß", ensure_ascii=False) in (
        folder.path / "script.json"
    ).read_text("utf-8")
    folder.check()
    replace(folder, "script.asc", "Gruß", "Grüße")
    assert b"Gr\xfc\xdfe\0" in packed(folder).strings
    replace(folder, "script.asc", "Grüße", "Grüße Ω")
    with pytest.raises(SourceError, match=r"script\.asc:1:\d+: 'Ω' does not exist .*cp1252"):
        folder.pack()
