"""Whole games recompiled from their own source, and real edits in real games."""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import overhaul
from overhaul.gml.vm.opcodes import InstanceType
from overhaul.gml.vm.registration import BUILTIN_ID, local_names
from present import instance
from real_files import NO_CORPUS, corpus_files, sample

pytestmark = pytest.mark.corpus

GAMES = sample(corpus_files("datawin*/*.win"), 8, seed=3)
LOCAL = int(InstanceType.LOCAL)
SELF = int(InstanceType.SELF)
BUILTIN = int(InstanceType.BUILTIN)

#: entries whose decompiled source compiles to other code
NOT_IDENTICAL: dict[str, set[str]] = {}

STATEMENTS = """\
var brand_new_local = irandom(7);
global.brand_new_global = "never written before" + string(brand_new_local);
brand_new_variable = brand_new_local;
show_debug_message(global.brand_new_global);
show_error("never written before", display_get_gui_width() > 3);
"""
FUNCTIONS = """\
brand_new_method = function(arg0)
{
    var inner = arg0 * 2;
    return {
        brand_width: inner,
        brand_height: 3
    };
};

function brand_new_function(arg0, arg1)
{
    return arg0 + arg1;
}
"""


@dataclass
class Tables:
    """What a game's tables hold, in plain values."""

    strings: list[str]
    variables: list[tuple[Any, ...]]
    functions: list[tuple[Any, ...]]
    counts: tuple[int, int, int]
    locals: dict[str, tuple[Any, ...]]
    entries: list[tuple[str, int, int, int, str]]
    scripts: list[tuple[str, str, bool]]
    codes: dict[str, Any]


def open_game(path: Path | bytes) -> Any:
    game: Any = overhaul.open(path)
    if game.is_native or game.record("CODE") is None:
        pytest.skip("no bytecode in this game")
    return game


def roots_of(game: Any) -> list[Any]:
    return [entry for entry in game.records.code if entry is not None and entry.root is None]


def root_name(entry: Any) -> str:
    return str(entry.name if entry.root is None else entry.root.name)


def tables(game: Any) -> Tables:
    head, func = game.record("VARI"), game.record("FUNC")
    return Tables(
        [string.text for string in game.strings],
        [(str(v.name), v.name.number, v.instance_type, v.id) for v in game.variables],
        [(str(f.name), f.name.number) for f in game.functions],
        (head.globals_count, head.instance_count, head.max_locals),
        {
            str(each.name): (each.count, [(local.index, str(local.name)) for local in each.locals])
            for each in func.code_locals or ()
        },
        [
            (str(e.name), e.locals_count, e.arguments, e.offset, root_name(e))
            for e in game.records.code
            if e is not None
        ],
        [
            (str(s.name), "" if s.code.entry is None else root_name(s.code.entry.target),
             s.code.constructor)
            for s in game.records.scripts
            if s is not None
        ],
        {str(root.name): game.language.code(root) for root in roots_of(game)},
    )  # fmt: skip


def check_only(before: Tables, after: Tables, edited: set[str], modern: bool) -> None:
    """Nothing but the edited roots changed, and what was added stands behind what was there."""
    assert after.strings[: len(before.strings)] == before.strings
    assert after.functions[: len(before.functions)] == before.functions
    if modern:
        assert after.variables[: len(before.variables)] == before.variables
    else:  # the ids of locals are places in a list that the edit may change
        for mine, theirs in zip(before.variables, after.variables, strict=False):
            assert mine[:3] == theirs[:3]
            assert mine[3] == theirs[3] or mine[2] == LOCAL
    for name, own in before.locals.items():
        if name not in edited:
            assert after.locals[name] == own
    assert list(after.locals) == list(before.locals)
    for kind in ("entries", "scripts"):
        kept = [each for each in getattr(before, kind) if each[-1 if kind == "entries" else 1]
                not in edited]  # fmt: skip
        found = [each for each in getattr(after, kind) if each[-1 if kind == "entries" else 1]
                  not in edited]  # fmt: skip
        assert kept == found
    for name, code in before.codes.items():
        if name not in edited:
            assert after.codes[name] == code, name
    assert before.codes.keys() == after.codes.keys()


def check_new_records(game: Any, before: Tables, after: Tables) -> None:
    """New variables have the ids that compilers would give them."""
    dialect = game.language.context.dialect
    if game.release.bytecode < 15:
        return
    builtins = game.language.context.builtin_variables
    places = {}
    if not dialect.gml_v2:
        for name, code in after.codes.items():
            own = game.records.code[name].bytecode.record.tolist()
            for number in set(own):
                if 0 <= number < len(after.variables) and after.variables[number][2] == LOCAL:
                    local = after.variables[number]
                    places[number] = local_names(code).index(local[0])
    seen: set[tuple[int, int]] = set()
    for number, (name, string, scope, own_id) in enumerate(after.variables):
        new = number >= len(before.variables)
        if not dialect.gml_v2 and scope == LOCAL:
            if new or number in places:
                assert own_id == places.get(number, 0)  # 0: arguments, unused
            continue
        if new and dialect.gml_v2:
            builtin = scope == SELF and name in builtins
            assert own_id == (BUILTIN_ID if builtin else 0 if scope == BUILTIN else string)
        elif new and own_id != BUILTIN_ID:
            separate = scope if game.release.bytecode == 15 and game.release.major < 2 else 0
            assert (separate, own_id) not in seen
            seen.add((separate, own_id))
    if dialect.gml_v2 or not (game.release.bytecode == 15 and game.release.major < 2):
        top = 1 + max(variable[3] for variable in after.variables if variable[2] != LOCAL)
        assert after.counts[:2] == (max(top, before.counts[0]), max(top, before.counts[1]))
    assert after.counts[2] >= max((own[0] for own in after.locals.values()), default=0)


@pytest.mark.skipif(not GAMES, reason=NO_CORPUS)
@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_assigning_a_game_its_own_source_changes_nothing(path: Path) -> None:
    game = open_game(path)
    data = game.to_bytes()
    before = tables(game)
    roots = roots_of(game)
    sources = [root.gml for root in roots]
    for root, source in zip(roots, sources, strict=True):
        root.gml = source
    changed = {str(r.name) for r in roots if game.language.code(r) != before.codes[str(r.name)]}
    assert changed <= NOT_IDENTICAL.get(path.name, set())
    if not changed:
        assert game.to_bytes() == data
        return
    again = open_game(game.to_bytes())
    check_only(before, tables(again), changed, again.language.context.dialect.gml_v2)


@pytest.mark.skipif(not GAMES, reason=NO_CORPUS)
@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_assigning_a_game_its_own_assembly_changes_nothing(path: Path) -> None:
    game = open_game(path)
    data = game.to_bytes()
    roots = roots_of(game)
    texts = [root.assembly for root in roots]
    for root, text in zip(roots, texts, strict=True):
        root.assembly = text
    assert game.to_bytes() == data


def edited_source(source: str, added: str, *, before: bool = False) -> str:
    """The lines before or behind the others, but before the enum that stands in for unknown ones;
    before the others, a new local comes first of all locals."""
    if before and "static " not in source:
        return f"{added}{source}"
    at = source.find("\nenum UnknownEnum")
    if at < 0:
        return f"{source}\n{added}"
    return f"{source[:at]}\n{added}{source[at:]}"


def lines_of(source: str) -> list[str]:
    return [line for line in source.split("\n") if line.strip()]


@pytest.mark.skipif(not GAMES, reason=NO_CORPUS)
@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_an_edit_changes_what_it_should(path: Path) -> None:
    game = open_game(path)
    before = tables(game)
    modern = game.language.context.dialect.gml_v2
    added = STATEMENTS + (FUNCTIONS if modern else "")
    skipped = NOT_IDENTICAL.get(path.name, set())
    candidates = [r for r in roots_of(game) if len(r.bytecode) and str(r.name) not in skipped]
    if not candidates:
        pytest.skip("no entry with instructions")
    chosen = random.Random(path.name).sample(candidates, min(3, len(candidates)))
    sources: dict[str, str] = {}
    for root in chosen:
        text = edited_source(root.gml, added, before=len(sources) == 1 and not modern)
        if modern:
            text = text.replace("brand_new_function", f"brand_new_function_{len(sources)}")
        sources[str(root.name)] = text
        root.gml = text
    again = open_game(game.to_bytes())
    after = tables(again)
    check_only(before, after, set(sources), modern)
    check_new_records(again, before, after)
    assert after.strings.count("never written before") == 1
    assert len([v for v in after.variables if v[0] == "brand_new_global"]) == 1
    for name, text in sources.items():
        entry = again.records.code[name]
        if game.language.context.dialect.bytecode >= 13:  # before, `var` is shown without a value
            assert lines_of(entry.gml) == lines_of(text)
        if name in after.locals:
            assert [own for _, own in after.locals[name][1]] == local_names(after.codes[name])
        if modern:
            check_children(again, entry)
    made = again.to_bytes()
    assert made == open_game(made).to_bytes()
    for name, text in sources.items():
        again.records.code[name].gml = text
    assert again.to_bytes() == made


def check_children(game: Any, root: Any) -> None:
    """The new functions stand in both lists, in the order in which they end in the code."""
    names = [str(child.name) for child in root.children]
    assert any("brand_new_function" in name for name in names[-1:])
    assert any("anon" in name for name in names[-2:-1])
    assert any("___struct___" in name for name in names[-3:-2])
    places = [game.records.code.index(child) for child in root.children]
    start = game.records.code.index(root)
    assert places == list(range(start + 1, start + 1 + len(places)))
    scripts = [s.code.entry.index for s in game.records.scripts if s is not None and s.code.entry]
    assert scripts == sorted(scripts)
    assert len({str(e.name) for e in game.records.code}) == len(game.records.code)


@pytest.mark.skipif(not GAMES, reason=NO_CORPUS)
@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_taking_an_edit_back_gives_the_old_code(path: Path) -> None:
    """Records stay behind, as the format's numbers must not move; code and lists are as before."""
    game = open_game(path)
    before = tables(game)
    modern = game.language.context.dialect.gml_v2
    candidates = [r for r in roots_of(game) if len(r.bytecode)]
    if not candidates:
        pytest.skip("no entry with instructions")
    root = random.Random(path.name).choice(candidates)
    code = game.language.code(root)
    root.gml = edited_source(root.gml, STATEMENTS + (FUNCTIONS if modern else ""))
    game.language.assign(root, code)
    again = open_game(game.to_bytes())
    after = tables(again)
    check_only(before, after, set(), modern)
    assert after.entries == before.entries
    assert after.scripts == before.scripts
    assert after.locals == before.locals


@pytest.mark.skipif(not GAMES, reason=NO_CORPUS)
@pytest.mark.parametrize("path", GAMES[:6], ids=lambda path: path.stem)
def test_compiled_code_links_without_touching_the_game(path: Path) -> None:
    """One entry linked by itself has the words it has when it is assigned."""
    game = open_game(path)
    data = game.to_bytes()
    candidates = [r for r in roots_of(game) if len(r.bytecode)]
    chosen = random.Random(path.name).sample(candidates, min(4, len(candidates)))
    made = {}
    for root in chosen:
        name = str(root.name)
        assert game.compile(name, root.gml).to_bytes() == root.to_bytes() or (
            name in NOT_IDENTICAL.get(path.name, ())
        )
        text = edited_source(root.gml, STATEMENTS)
        made[name] = text, game.compile(name, text).to_bytes()
    assert game.to_bytes() == data
    for name, (text, words) in made.items():
        changed = open_game(path)
        changed.records.code[name].gml = text
        assert changed.records.code[name].to_bytes() == words


@pytest.mark.skipif(not GAMES, reason=NO_CORPUS)
@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_new_code_has_the_records_that_compilers_give_it(path: Path) -> None:
    from overhaul.gamemaker.data.code.additions import add_script

    game = open_game(path)
    before = tables(game)
    modern = game.language.context.dialect.gml_v2
    name = "brand_new_script"
    body = "var local = {0} * 2;\nreturn string(local);"
    if modern:
        source = f"function {name}(first)\n{{\n{body.format('first')}\n}}"
    else:
        source = body.format("argument0")
    entry = add_script(game, name, source)
    again = open_game(game.to_bytes())
    after = tables(again)
    assert root_name(again.records.scripts[name].code.entry.target) == str(entry.name)
    check_new_records(again, before, after)
    known = again.language.index.records
    roots = len(roots_of(again))
    assert len(known.arguments) == (roots if again.release.bytecode >= 15 else 0)
    assert list(after.codes) == [*before.codes, str(entry.name)]
    if before.locals:
        assert list(after.locals) == [*before.locals, str(entry.name)]
    for each, code in before.codes.items():
        assert after.codes[each] == code


@pytest.mark.skipif(not GAMES, reason=NO_CORPUS)
@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_functions_renamed_moved_and_removed(path: Path) -> None:
    from overhaul.gml.syntax import tree
    from overhaul.gml.syntax.parser import parse
    from overhaul.gml.syntax.printer import to_source

    game = open_game(path)
    dialect = game.language.context.dialect
    before = tables(game)
    found = None
    for root in roots_of(game):
        if str(root.name).startswith("gml_GlobalScript_") and len(root.children) > 1:
            block = parse(root.gml, dialect)
            functions = [
                statement
                for statement in block.statements
                if isinstance(statement, tree.ExpressionStatement)
                and isinstance(statement.expression, tree.Function)
                and statement.expression.name
            ]
            if len(functions) > 1:
                found = root, block, functions
                break
    if found is None:
        pytest.skip("no script with two functions")
    root, block, functions = found
    name = str(root.name)
    places = [block.statements.index(each) for each in functions]
    for place, moved in zip(places, reversed(functions), strict=True):
        block.statements[place] = moved
    function = instance(tree.Function, functions[0].expression)
    gone = function.name
    function.name = "brand_renamed"
    root.gml = to_source(block, dialect)
    again = open_game(game.to_bytes())
    after = tables(again)
    check_only(before, after, {name}, True)
    kept = {str(child.name) for child in again.records.code[name].children}
    assert "gml_Script_brand_renamed" in kept
    assert f"gml_Script_{gone}" not in {str(each.name) for each in again.records.code}
    assert f"gml_Script_{gone}" not in {str(script.name) for script in again.records.scripts}
    codes = [s.code.entry.index for s in again.records.scripts if s is not None and s.code.entry]
    assert codes == sorted(codes)
    assert lines_of(again.records.code[name].gml) == lines_of(to_source(block, dialect))
    # without functions, no entries are left inside
    again.records.code[name].gml = "global.nothing_left = 1;"
    last = open_game(again.to_bytes())
    assert last.records.code[name].children == []
    inner = [str(e.name) for e in last.records.code if e.root is not None and root_name(e) == name]
    assert inner == []
    assert not kept & {str(script.name) for script in last.records.scripts}
    check_only(before, tables(last), {name}, True)


@pytest.mark.skipif(not GAMES, reason=NO_CORPUS)
@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_constructors_are_known_by_the_code(path: Path) -> None:
    from overhaul.gamemaker.data.code.registration import constructors

    game = open_game(path)
    marked = {
        str(script.code.entry.name)
        for script in game.records.scripts
        if script is not None and script.code.constructor and script.code.entry is not None
    }
    inner = {
        str(entry.name)
        for entry in game.records.code
        if entry is not None and entry.root is not None
    }
    found = {name for root in roots_of(game) for name in constructors(game.language.code(root))}
    assert found & inner == marked
