"""Scripts of Adventure Game Studio in an unpacked game."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import overhaul
from ags_scripted import GAME_TEXT, scripted_package
from overhaul.errors import OverhaulError, SourceError, WorkspaceError
from overhaul.folder.packing import packed
from overhaul.language.ags.language import AgsLanguage
from overhaul.language.ags.scanning import pieces, scan
from overhaul.language.edits import after_edits, applied
from overhaul.language.texts import FolderTexts
from overhaul.language.workspace import Workspace
from real_files import corpus_files, sample

GLOBAL = "scripts/GlobalScript.asc"
ROOM = "rooms/1/script.asc"


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The made game with scripts that have a source."""
    path = tmp_path_factory.mktemp("ags") / "small.ags"
    path.write_bytes(scripted_package())
    return path


@pytest.fixture(scope="module")
def unpacked(game: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The game, unpacked, to be copied."""
    path = tmp_path_factory.mktemp("unpacked") / "game"
    overhaul.unpack(game, path)
    return path


@pytest.fixture
def folder(unpacked: Path, tmp_path: Path) -> Path:
    """The game, unpacked; a compiled script does not have the names of its variables and structs,
    which an edit gives back."""
    shutil.copytree(unpacked, tmp_path / "game")
    (tmp_path / "game" / GLOBAL).write_text(GAME_TEXT.replace("points * 2", "points * 3"))
    return tmp_path / "game"


@pytest.fixture
def workspace(folder: Path) -> Workspace:
    return Workspace.of_folder(folder)


@pytest.fixture
def ags(workspace: Workspace) -> AgsLanguage:
    language = workspace.language_of(GLOBAL)
    assert isinstance(language, AgsLanguage)
    return language


def texts_of(workspace: Workspace) -> FolderTexts:
    assert isinstance(workspace.texts, FolderTexts)
    return workspace.texts


def put(workspace: Workspace, path: str, text: str) -> None:
    texts_of(workspace).put(path, text)


def reports(folder: Path) -> list[str]:
    try:
        return packed(folder).warnings
    except SourceError as error:
        errors = getattr(error, "errors", [error])
        return [f"{each.name}:{each.line}:{each.column}: {each.message}" for each in errors]


@pytest.mark.parametrize(
    ("path", "added"),
    [
        (GLOBAL, "function wrong() { return missing; }"),
        (GLOBAL, "function wrong() { return 1 +; }"),
        (GLOBAL, "int score2 = ;"),
        (GLOBAL, "function wrong() { strength(); }"),
        (GLOBAL, "#nonsense"),
        (GLOBAL, 'function wrong() { Display("x }'),
        (GLOBAL, "function one() { return none; }\nfunction two() { return 1 +; }"),
        (ROOM, "function wrong() { return missing; }"),
        (ROOM, "function one() { return none; }\nfunction two() { return 1 +; }"),
    ],
)
def test_diagnostics_are_those_of_pack(
    workspace: Workspace, folder: Path, path: str, added: str
) -> None:
    text = workspace.texts.read(path) + added + "\n"
    put(workspace, path, text)
    found = workspace.diagnostics(path)
    whole = workspace.check()
    (folder / path).write_text(text)
    shown = [f"{path}:{each.line}:{each.column}: {each.message}" for each in found]
    assert shown == reports(folder)
    assert shown
    assert whole == {path: found}
    put(workspace, path, text.replace(added, ""))
    assert workspace.diagnostics(path) == []


def test_files_as_they_were_unpacked_have_none(workspace: Workspace) -> None:
    assert {path for path in workspace.texts.paths() if path.endswith(".asc")} >= {GLOBAL, ROOM}
    for path in workspace.texts.paths():
        assert workspace.diagnostics(path) == []


def names(workspace: Workspace, ags: AgsLanguage, path: str, typed: str) -> list[str]:
    """What is offered behind what is typed in a function at the end of a file."""
    before = workspace.texts.read(path)
    text = f"{before}function typed(int amount)\n{{\n  int near = amount;\n  {typed}"
    put(workspace, path, text)
    offered = [item.name for item in ags.completion(path, len(text)).items]
    put(workspace, path, before)
    return offered


def test_completion_follows_types(workspace: Workspace, ags: AgsLanguage) -> None:
    assert names(workspace, ags, GLOBAL, "sword.") == ["damage", "label"]
    assert names(workspace, ags, GLOBAL, "str")[:1] == ["strength"]
    assert names(workspace, ags, GLOBAL, "nea")[0] == "near"
    assert "Say" in names(workspace, ags, ROOM, "player.Sa")
    assert "strength" in names(workspace, ags, ROOM, "stre")
    assert names(workspace, ags, GLOBAL, '"str') == []
    assert names(workspace, ags, GLOBAL, "// str") == []


def test_what_names_are(workspace: Workspace, ags: AgsLanguage) -> None:
    text = workspace.texts.read(ROOM)
    hover = ags.hover(ROOM, text.index("strength") + 1)
    assert hover is not None
    assert "strength(int points)" in hover.code
    (span,) = ags.definitions(ROOM, text.index("strength"))
    assert span.path == GLOBAL
    uses = ags.references(GLOBAL, workspace.texts.read(GLOBAL).index("strength(found"))
    assert {each.path for each in uses} == {GLOBAL, ROOM, ROOM.replace(".asc", ".ash")}
    call = ags.signature(ROOM, text.index("counter);"))
    assert call is not None
    assert call.text.split(" ")[1].startswith("Display(")
    assert call.active == 1
    local = ags.references(GLOBAL, workspace.texts.read(GLOBAL).index("found ="))
    assert len(local) == 3
    # an event of the room is a use
    lens = {each.title for each in ags.lenses(ROOM)}
    assert lens == {"1 use"}


def test_what_pieces_are(workspace: Workspace, ags: AgsLanguage) -> None:
    text = '// said\nfunction added(int number) {\n  Display("one", number);\n}\n'
    put(workspace, GLOBAL, workspace.texts.read(GLOBAL) + text)
    whole = workspace.texts.read(GLOBAL)
    start = len(whole) - len(text)
    found = {
        whole[token.start : token.end]: token.role
        for token in ags.tokens(GLOBAL)
        if token.start >= start
    }
    roles = {"// said": "comment", "function": "keyword", "added": "function", "number": "local",
             '"one"': "string", "Display": "builtin"}  # fmt: skip
    assert {name: found[name] for name in roles} == roles
    line = whole.count("\n", 0, start) + 1
    assert [(fold.first, fold.last) for fold in ags.folds(GLOBAL) if fold.first > line] == [
        (line + 1, line + 3)
    ]


def test_layout(workspace: Workspace, ags: AgsLanguage) -> None:
    text = workspace.texts.read(GLOBAL)
    assert ags.format(GLOBAL) == []
    put(workspace, GLOBAL, text.replace("  ", " ").replace(" = ", "="))
    put(workspace, GLOBAL, applied(workspace.texts.read(GLOBAL), ags.format(GLOBAL)))
    assert workspace.texts.read(GLOBAL) == text
    assert ags.format("dialogs/any.ads") == []


@pytest.mark.parametrize(
    ("path", "word", "new", "files"),
    [
        (GLOBAL, "found", "sum", {GLOBAL}),
        (GLOBAL, "score", "points_so_far", {GLOBAL}),
        (GLOBAL, "strength", "power", {GLOBAL, ROOM, "rooms/1/script.ash"}),
        (ROOM, "hDoor_Look", "look_at_door", {ROOM, "rooms/1/room.json"}),
        (ROOM, "counter", "visits", {ROOM}),
    ],
)
def test_a_rename_packs_and_does_what_it_says(
    workspace: Workspace, ags: AgsLanguage, folder: Path, path: str, word: str, new: str,
    files: set[str],
) -> None:  # fmt: skip
    offset = workspace.texts.read(path).index(word)
    made = ags.rename(path, offset, new, workspace.prove)
    assert {edit.path for edit in made.edits} == files
    for place, data in after_edits(workspace.texts, made.edits, made.moves).items():
        assert data is not None
        (folder / place).write_bytes(data)
    out = folder.with_name("renamed.ags")
    assert set(overhaul.pack(folder, out).warnings) == {each.text for each in made.doubts}
    overhaul.unpack(out, folder.with_name("again"))
    assert word not in (folder / path).read_text()
    if word in ("strength", "hDoor_Look", "counter"):  # others are not in a compiled script
        again = (folder.with_name("again") / path).read_text()
        assert new in again
        assert word not in again


@pytest.mark.parametrize(
    ("path", "word", "new", "reason"),
    [
        (GLOBAL, "game_start", "begin", "called by the engine"),
        (GLOBAL, "damage", "label", "taken"),
        (ROOM, "Display", "Show", "declared by the editor"),
        (GLOBAL, "score", "sword", "taken"),
        (GLOBAL, "score", "player", "taken"),
        (GLOBAL, "score", "while", "word of the language"),
        (GLOBAL, "score", "1st", "not a name"),
    ],
)
def test_what_would_mean_something_else_is_refused(
    workspace: Workspace, ags: AgsLanguage, path: str, word: str, new: str, reason: str
) -> None:
    offset = workspace.texts.read(path).index(word)
    with pytest.raises(WorkspaceError, match=reason):
        ags.rename(path, offset, new, workspace.prove)


def test_broken_scripts_are_answered(workspace: Workspace, ags: AgsLanguage) -> None:
    for text in ('x = "', "function f(", "{" * 4000, "((((", "/*", "#define", "struct {", "a.b."):
        put(workspace, GLOBAL, text)
        for ask in (ags.tokens, ags.folds, ags.symbols, ags.format, ags.lenses):
            ask(GLOBAL)
        found = ags.diagnostics(GLOBAL)
        assert found or text == "/*", text  # a comment may end with the script
        for offset in (0, len(text)):
            ags.completion(GLOBAL, offset)
            ags.hover(GLOBAL, offset)
            ags.signature(GLOBAL, offset)
            ags.definitions(GLOBAL, offset)


@pytest.mark.corpus
def test_scripts_of_real_games_are_cut_into_pieces(corpus: Path, tmp_path: Path) -> None:
    packages = corpus_files("ags2/*.ags")
    for number, file in enumerate(sample(packages, 2)):
        overhaul.unpack(file, tmp_path / str(number))
        workspace = Workspace.of_folder(tmp_path / str(number))
        for path in workspace.texts.paths():
            language = workspace.language_of(path)
            if not isinstance(language, AgsLanguage):
                continue
            text = workspace.texts.read(path)
            assert "".join(piece.text for piece in pieces(text)) == text
            for each in scan(text).occurrences:
                assert text.startswith(each.name, each.position)
            if not path.endswith(".ads"):
                # every global name of a script that compiles is known
                unknown = [
                    each.name
                    for each in scan(text).occurrences
                    if language.names.target(path, each).what == "unknown"
                ]
                assert unknown == [], path


def test_errors_of_the_folder_are_no_traceback(tmp_path: Path) -> None:
    with pytest.raises(OverhaulError):
        Workspace.of_folder(tmp_path)
