"""Projects of authors are built, and compared with the games that they published; the circle."""

from __future__ import annotations

import gzip
import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import ags_built
import overhaul
from overhaul import ags
from overhaul.ags import project as ags_project
from overhaul.ags.decompiler.proof import differences
from overhaul.ags.game.game import Game
from overhaul.ags.library.package import Package, is_package
from overhaul.ags.project.building.game import Compiled, GameBuilder
from overhaul.ags.project.building.releases import release_of
from overhaul.ags.project.elements import node
from overhaul.ags.text import unshow
from overhaul.document.reading import open_data
from overhaul.document.xmltext import read_xml
from overhaul.errors import OverhaulError
from real_files import NO_CORPUS, corpus_files, corpus_folder, sample

WHOLE = (
    "PoteatTutorial", "A01_-Make_a_Thing_Do_a_Thing", "BellaAninmRoom", "TomlinAnimRoom",
    "GAM3332Animation",
)  # fmt: skip
#: Game data of a project: the author's repository has the game of another commit.
OTHER_COMMIT = ("Julian", "sketch", "Brian-Storm", "memory", "indianajonescredits", "Wilfred-2088")
#: Editors whose game data has what was in memory between texts and behind pointers.
WITH_MEMORY = ("Syd-Achmed-SP", "InGameQuestEx2", "Neofeud")


@pytest.mark.parametrize("name", WHOLE)
def test_the_package_of_a_project_is_that_of_its_author(tmp_path: Path, name: str) -> None:
    root = corpus_folder()
    found = [] if root is None else list(root.glob(f"ags-projects/*__{name}__*"))
    if not found:
        pytest.skip(NO_CORPUS)
    built = ags.build(found[0] / "project", tmp_path / "out")
    (published,) = found[0].glob("compiled/*.ags")
    assert Path(built.path).read_bytes() == published.read_bytes()
    config = found[0] / "compiled" / "acsetup.cfg"
    if config.exists():
        assert (tmp_path / "out" / "acsetup.cfg").read_bytes() == config.read_bytes()


def game_data() -> Iterator[tuple[str, bytes, bytes]]:
    """(repository, project, game data) of each pair."""
    root = corpus_folder()
    for folder in [] if root is None else sorted(root.glob("ags-projects/*/")):
        for path in sorted(folder.glob("compiled/*")):
            if path.suffix in (".ags", ".exe"):
                data = Package.read(path.read_bytes())["game28.dta"].read()
                project = (folder / "project" / "Game.agf").read_bytes()
                yield folder.name.split("__")[1], project, data
    for path in [] if root is None else sorted(root.glob("ags-pairs/*/compiled/*/game28.dta.gz")):
        file = path.parents[2] / "src" / path.parent.name[:8] / "Game.agf.gz"
        if file.exists():
            name = path.parents[2].name.partition("+")[2]
            yield name, gzip.decompress(file.read_bytes()), gzip.decompress(path.read_bytes())


def built_data(project: bytes, theirs: Game) -> Game:
    """The data that is made of a project, with the scripts of the game."""
    file = read_xml(project)
    said = file.root.attributes
    release = release_of(said["EditorVersion"], said["VersionIndex"])
    if file.encoding != "utf-8":
        for node in file.root.walk():
            node.text = unshow(node.text, file.encoding)
    node_ = file.root.find("Game")
    content = theirs.content
    assert node_ is not None and content is not None
    assert content.global_script is not None and content.dialog_script is not None
    modules = {script.name: script for script in content.script_modules}
    scripts = Compiled(content.global_script, content.dialog_script, modules)
    return GameBuilder(node_, release).build(scripts)


def test_game_data_is_that_of_the_author() -> None:
    pairs = list(game_data())
    if not pairs:
        pytest.skip(NO_CORPUS)
    same: list[str] = []
    others: list[str] = []
    for name, project, data in pairs:
        theirs = Game.read(data)
        made = built_data(project, theirs)
        made.header = theirs.header  # old projects name the release, not the build
        (same if made.to_bytes() == data else others).append(name)
    assert sorted(others) == sorted([*OTHER_COMMIT, *WITH_MEMORY])
    assert len(same) == 25


def test_game_data_of_3_3_differs_in_what_was_in_memory() -> None:
    tried = 0
    for name, project, data in game_data():
        if name not in WITH_MEMORY:
            continue
        theirs = Game.read(data)
        made = Game.read(built_data(project, theirs).to_bytes())
        tried += 1
        for game in (made, theirs):
            content = game.content
            assert content is not None
            content.settings.padding = content.settings.padding_2 = bytes(2)
            content.settings.has_message = [bool(one) for one in content.settings.has_message]
            for gui in content.gui.guis:
                gui.pointers = [0] * 30
                gui.control_references[gui.control_count :] = []
            for button in content.gui.buttons:
                button.text = button.text.split("\0")[0]
            for box in content.gui.text_boxes:
                box.text = box.text.split("\0")[0]
            for listing in content.gui.list_boxes:  # as the editor drew it last
                listing.row_height = listing.visible_rows = 0
            for dialog in content.dialogs:
                dialog.options = [
                    text.split("\0")[0] if at < dialog.option_count else ""
                    for at, text in enumerate(dialog.options)
                ]
                dialog.option_flags[dialog.option_count :] = []
                dialog.entry_points, dialog.start_entry = [0] * 30, 0
        one, two = made.content, theirs.content
        assert one is not None and two is not None
        for field in ("settings", "characters", "dialogs", "views", "inventory", "cursors"):
            ours, others = getattr(one, field), getattr(two, field)
            listed = zip(ours, others, strict=True) if isinstance(ours, list) else [(ours, others)]
            assert all(a == b for a, b in listed), (name, field)
        for field in type(one.gui).__struct_fields__:
            for a, b in zip(getattr(one.gui, field), getattr(two.gui, field), strict=True):
                assert a == b, (name, field)
    assert tried == 3 or corpus_folder() is None


def test_game_data_of_3_1_differs_in_what_was_in_memory() -> None:
    """The one game of 3.1.2 has neither rooms nor sprites; its project is a recovered one."""
    found = list(corpus_files("ags/*sketch*/*game28.dta*"))
    tried = 0
    for path in found:
        data = path.read_bytes()
        theirs = Game.read(data)
        if theirs.version != 40:
            continue
        tried += 1
        made = ags_project.convert(open_data(data, source="game28.dta"))
        ours = Game.read(built_data(made.files["Game.agf"](), theirs).to_bytes())
        one, two = ours.content, theirs.content
        assert one is not None and two is not None
        for field in ("characters", "views", "inventory", "cursors", "text_parser", "messages"):
            assert getattr(one, field, None) == getattr(two, field, None), field
        for field in type(one.gui).__struct_fields__:
            listed = getattr(one.gui, field), getattr(two.gui, field)
            if field != "guis":  # where their controls lay in memory
                assert listed[0] == listed[1], field
        assert one.settings.options == two.settings.options
    assert tried or not found


def games_with_rooms() -> list[Path]:
    """The packages of the corpus that have rooms."""
    found = []
    for path in corpus_files("ags*/**/*.ags"):
        data = path.read_bytes()
        if is_package(data) and "room1.crm" in [one.name for one in Package.read(data)]:
            found.append(path)
    return found


def test_game_project_game(tmp_path: Path) -> None:
    games = games_with_rooms()
    if not games:
        pytest.skip(NO_CORPUS)
    identical = 0
    for number, path in enumerate(sample(games, 3, seed=4)):
        folder = tmp_path / str(number)
        with overhaul.open(path) as document:
            made = ags_project.convert(document)
            ags_project.write_project(made, folder)
        assert made.is_whole, path
        built = ags.build(folder, tmp_path / f"{number}-built")  # some sounds are not here
        ours, theirs = Package.read(Path(built.path).read_bytes()), Package.read(path.read_bytes())
        assert [one.name for one in ours] == [one.name for one in theirs], path
        differ = [one.name for one in theirs if ours[one.name].read() != one.read()]
        identical += not differ
        if differ:
            # headers of the author declare what no script uses: tables of imports are longer
            assert differ == ["game28.dta"], path
            games_ = [Game.read(one["game28.dta"].read()) for one in (ours, theirs)]
            scripts = [dict(game.scripts()) for game in games_]
            assert scripts[0].keys() == scripts[1].keys()
            for name, script in scripts[1].items():
                assert not list(differences(script, scripts[0][name])), (path, name)
    assert identical


def test_every_script_of_a_recovered_project_compiles() -> None:
    games = corpus_files("ags*/**/*.ags") + corpus_files("ags*/**/*game28.dta*")
    if not games:
        pytest.skip(NO_CORPUS)
    scripts = failed = 0
    for path in sample(games, 5, seed=6):
        data = path.read_bytes()
        data = gzip.decompress(data) if path.suffix == ".gz" else data
        try:
            document = open_data(data, source=path.name.removesuffix(".gz"))
            made = ags_project.convert(document)
        except OverhaulError:
            continue  # a game before 3.0, AGS 4
        scripts += len(made.scripts.names)
        failed += len(made.scripts.failed)
    assert scripts and not failed


ENGINE = shutil.which("scummvm", path=f"{os.environ.get('PATH', '')}:/usr/games")
DISPLAY = shutil.which("Xvfb")
#: The colour of the console in which the engine shows an error.
CONSOLE = bytes((205, 242, 255))
ROOM_SCRIPT = "function room_Load() { }\nfunction room_AfterFadeIn() { }\n"
GLOBAL_SCRIPT = """\
function iKey_Look() { }
function ok(GUIControl *control, MouseButton button) { }
function dialog_request(int param) { }
"""


def started(folder: Path, tmp_path: Path) -> list[bytes]:
    """The pixels of the screen (b, g, r) some seconds after a game has started."""
    assert ENGINE is not None and DISPLAY is not None
    home = tmp_path / "home"
    home.mkdir()
    number = f":{os.getpid() % 20000 + 100}"
    env = {**os.environ, "DISPLAY": number, "SDL_AUDIODRIVER": "dummy", "HOME": str(home)}
    screen = [DISPLAY, number, "-screen", "0", "640x480x24", "-fbdir", str(tmp_path)]
    out = subprocess.DEVNULL
    with subprocess.Popen(screen, stdout=out, stderr=out) as display:
        try:
            time.sleep(1)
            command = [ENGINE, "-p", str(folder), "--auto-detect"]
            with subprocess.Popen(command, env=env, stdout=out, stderr=out) as engine:
                time.sleep(7)
                data = (tmp_path / "Xvfb_screen0").read_bytes()
                running = engine.poll() is None
                engine.terminate()
        finally:
            display.terminate()
    assert running
    head, colours = (int.from_bytes(data[at : at + 4], "big") for at in (0, 76))
    pixels = data[head + 12 * colours :]
    return [pixels[at : at + 3] for at in range(0, 640 * 480 * 4, 4)]


@pytest.mark.skipif(ENGINE is None or DISPLAY is None, reason="scummvm or Xvfb is not installed")
@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    ("editor", "index"),
    [("3.3.0", "7"), ("3.4.0", "13"), ("3.4.1", "15"), ("3.5.0.24", "26"), ("3.5.1.22", "27"),
     ("3.6.0.51", "3060020")],
)  # fmt: skip
def test_a_built_game_shows_its_first_room(tmp_path: Path, editor: str, index: str) -> None:
    root = corpus_folder()
    found = [] if root is None else list(root.glob("ags-projects/*__Syd-Achmed-SP__*/project"))
    fonts = [] if root is None else list(root.glob("ags-projects/*__TomlinAnimRoom__*/project"))
    if not found or not fonts:
        pytest.skip(NO_CORPUS)
    file = ags_built.project(editor, index)
    game = file.root.find("Game")
    assert game is not None
    for name, tag, count in (("Cursors", "MouseCursor", 10), ("Fonts", "Font", 3)):
        section = game.find(name)
        assert section is not None
        section.children = [
            node(tag, {"ID": number, "Name": f"{tag[:5]}{number}", "StandardMode": True}, editor)
            for number in range(count)
        ]
    project = ags_built.write(tmp_path / "project", file)
    (project / "AGSFNT0.WFN").unlink()
    for number in range(3):
        shutil.copyfile(fonts[0] / f"AGSFNT{number}.WFN", project / f"agsfnt{number}.wfn")
    for name, other in (("room3.crm", "room1.crm"), ("acsprset.spr", "acsprset.spr")):
        shutil.copyfile(found[0] / name, project / other)
    (project / "room1.asc").write_text(ROOM_SCRIPT)
    (project / "GlobalScript.asc").write_text(GLOBAL_SCRIPT)
    ags.build(project, tmp_path / "game")
    pixels = started(tmp_path / "game", tmp_path)
    assert len(set(pixels)) > 20
    assert pixels.count(CONSOLE) < 1000
