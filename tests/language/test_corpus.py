"""The language service on real games: reports are those of packing, renames do what they say."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import overhaul
from overhaul.errors import OverhaulError, SourceError, WorkspaceError
from overhaul.folder.packing import packed
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.ide.gmx import read_gmx
from overhaul.language.edits import after_edits
from overhaul.language.gml.language import GmlLanguage
from overhaul.language.gml.names import Target
from overhaul.language.gml.xml_code import StudioTexts, is_coded
from overhaul.language.texts import FolderTexts
from overhaul.language.workspace import Workspace
from real_files import corpus_files, sample

pytestmark = pytest.mark.corpus
#: games that are unpacked, of all releases
GAMES = 4
#: no larger ones, which take long to unpack
LARGEST = 4 << 20


def games() -> list[Path]:
    files = [
        path
        for folder in ("datawin", "datawin2", "datawin3")
        for path in corpus_files(f"{folder}/*.win")
        if path.stat().st_size < LARGEST
    ]
    return sample(files, GAMES, seed=28)


@pytest.fixture(params=games(), ids=lambda path: path.name)
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    overhaul.unpack(request.param, tmp_path / "game")
    return tmp_path / "game"


def said(folder: Path, texts: dict[str, bytes]) -> list[str]:
    """What packing says of files with other texts, a line each."""
    try:
        return [text for text in packed(folder, texts).warnings if text.startswith("code/")]
    except SourceError as error:
        each = getattr(error, "errors", [error])
        return [f"{e.name or error.name}:{e.line}:{e.column}: {e.message}" for e in each]


def test_reports_are_those_of_packing(folder: Path) -> None:
    workspace = Workspace.of_folder(folder)
    texts = workspace.texts
    assert isinstance(texts, FolderTexts)
    paths = [path for path in texts.paths() if path.endswith(".gml")]
    for number, path in enumerate(sample(paths, 6)):
        before = texts.read(path)
        assert workspace.diagnostics(path) == []
        added = ("\nx = unheard_of;\nnever_heard(1);", "\nx = (;", "\nif (x {", "\nx = y + ;")
        for more in (added[0], added[1 + number % 3]):
            texts.put(path, before + more)
            found = workspace.diagnostics(path)
            shown = sorted(f"{path}:{e.line}:{e.column}: {e.message}" for e in found)
            assert shown == sorted(said(folder, texts.unsaved)), path
        texts.drop(path)
    workspace.close()


def test_renamed_names_pack_and_are_there(folder: Path) -> None:
    workspace = Workspace.of_folder(folder)
    texts = workspace.texts
    assert isinstance(texts, FolderTexts)
    (gml,) = workspace.languages
    assert isinstance(gml, GmlLanguage)
    wanted: dict[str, tuple[str, int, Target]] = {}
    for path in gml.index.paths():
        for each in gml.index.scan(path).occurrences:
            target = gml.index.target(path, each)
            if target.what in ("local", "variable", "function", "asset"):
                wanted.setdefault(target.what, (path, each.position, target))
    for what, (path, offset, target) in wanted.items():
        new = f"renamed_{what}"
        try:
            made = gml.rename(path, offset, new, workspace.prove)
        except WorkspaceError as error:
            assert re.search("can't be renamed|can't become", str(error)), error
            continue
        changed = after_edits(texts, made.edits, made.moves)
        built = packed(folder, changed)
        with overhaul.open(built.data) as game:
            assert isinstance(game, GameData)
            names = {name for entry in game.code for name in re.findall(r"\w+", entry.gml)}
            listed = {resource.name for resource in game.tree()}
        if what != "local":  # arguments have no names in a game
            assert new in names or new in listed, (what, target.name)
        if what == "asset":
            assert target.name not in listed
    workspace.close()


def test_every_answer_is_given_for_every_file(folder: Path) -> None:
    workspace = Workspace.of_folder(folder)
    (gml,) = workspace.languages
    paths = [path for path in workspace.texts.paths() if path.endswith(".gml")]
    for path in sample(paths, 10):
        text = workspace.texts.read(path)
        tokens = gml.tokens(path)
        assert "".join(text[each.start : each.end] for each in tokens).strip() or not text.strip()
        assert gml.format(path) == [] or text.strip() == ""
        for offset in range(0, len(text), max(1, len(text) // 15)):
            gml.completion(path, offset)
            gml.hover(path, offset)
            gml.signature(path, offset)
            for span in gml.definitions(path, offset)[:5]:
                assert workspace.texts.read(span.path)[span.start : span.end] is not None
            try:
                gml.renameable(path, offset)
            except OverhaulError as error:
                assert "can't be renamed" in str(error)
    workspace.close()


@pytest.mark.parametrize(
    "path", sample(corpus_files("gmprojects*/**/*.project.gmx"), 6), ids=lambda path: path.name
)
def test_code_in_xml_is_where_it_is(path: Path) -> None:
    """The pieces are what reading the XML gives, and what compiles has no mistake."""
    workspace = Workspace.of_project(path)
    texts = workspace.texts
    assert isinstance(texts, StudioTexts)
    for name in [each for each in texts.paths() if is_coded(each)]:
        stored: list[str] = []
        for node in read_gmx(texts.data(name)).root.walk():
            arguments = node.find("arguments") if node.tag == "action" else None
            if arguments is not None and node.value("kind") == "7":
                stored += [argument.value("string") for argument in arguments.children]
            elif node.tag == "code":
                stored.append(node.text)
            elif node.tag == "instance" and "code" in node.attributes:
                stored.append(node.attributes["code"])
        pieces = [piece.text.replace("\r\n", "\n") for piece in texts.pieces(name) if piece.is_code]
        assert pieces == [text.replace("\r\n", "\n") for text in stored], name
        assert workspace.diagnostics(name) == []
