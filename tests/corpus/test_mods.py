"""Mods of real games: two builds of one game, and edits put together."""

from __future__ import annotations

import io
import itertools
import os
import random
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

import overhaul
from mod_laws import builds
from mod_laws.generated import mods_of
from mod_laws.putting import carried, together
from modded_games import Edit, changed, field, plain
from overhaul import mods
from overhaul.media import png
from overhaul.mods.comparing import is_of_release
from overhaul.mods.modfile import MadeFor
from overhaul.mods.view import opened
from overhaul.sequences import CONTEXT
from real_files import NO_CORPUS, corpus_files, corpus_folder, sample

pytestmark = pytest.mark.corpus

FULL = os.environ.get("OVERHAUL_FULL") == "1"
#: pairs of builds whose mods make of the one exactly the other, by ``diff``
BUILDS = [
    ("DM47__BTS_gameMaker__36818bb2", "DM47__BTS_gameMaker__c85da6b3"),
    ("TricksterTales__GameMakerGames__41195c20", "TricksterTales__GameMakerGames__bec89bfc"),
    ("TricksterTales__GameMakerGames__b7ea0813", "TricksterTales__GameMakerGames__b8aab20c"),
    ("face144__GMS2-OnlineShooterEngine__13419b2e", "face144__GMS2-OnlineShooterEngine__f2877781"),
    ("Nanopar__BeforeTheAfterInn__5c274598", "Nanopar__BeforeTheAfterInn__b2640658"),
    ("TXMAY__gamemaker_vacation_project__23c6cf9c", "TXMAY__gamemaker_vacation_project__c2b856be"),
    ("gml-simpledraw__66112652", "gml-simpledraw__bcbad4c0"),
    ("NooGat111__A-spark-s-tale__115e44af1b", "NooGat111__A-spark-s-tale__697b2489d1"),
    ("Shooting-Gallery__0a25545402", "Shooting-Gallery__2a567f4fc4"),
]  # fmt: skip


def build(name: str) -> Path:
    folders = ("datawin", "datawin/side", "datawin2", "projects")
    return next(path for folder in folders for path in corpus_files(f"{folder}/*{name}*"))


@pytest.mark.parametrize(("one", "two"), BUILDS)
def test_a_mod_makes_one_build_of_the_other(one: str, two: str, corpus: Path) -> None:
    old, new = build(one).read_bytes(), build(two).read_bytes()
    mod = mods.load(mods.make(old, new, name="m").to_bytes())
    result = mods.apply(old, [mod], accept_renumbering=True)
    assert result.conflicts == []
    with opened(result.data) as made:
        changes = mods.diff(result.data, new).changes
        left = [change for change in changes if not is_of_release(made, change)]
    assert left == []
    again = mods.apply(result.data, [mod], accept_renumbering=True)
    assert again.conflicts == [] or left == []


def games() -> list[Path]:
    """Games whose code can be edited, small ones unless all are wanted."""
    found = corpus_files("datawin/*.win") + corpus_files("datawin2/*.win")
    return [path for path in found if FULL or path.stat().st_size < 25_000]


def of_all_families() -> list[Path]:
    """Files of every family, some of each folder."""
    found = []
    for folder in ("datawin", "datawin/side", "datawin2", "datawin2/side", "projects", "ags/**"):
        kinds: dict[str, list[Path]] = {}
        for path in corpus_files(f"{folder}/*"):
            if FULL or path.stat().st_size < 400_000:
                kinds.setdefault(path.suffix.lower(), []).append(path)
        for files in kinds.values():
            found += sample(files, 2)
    return found + sample(corpus_files("ags-pairs/**/*.o"), 5)


@pytest.mark.parametrize("path", of_all_families(), ids=lambda path: path.name[-30:])
def test_no_mod_and_an_empty_mod_change_nothing(path: Path) -> None:
    data = path.read_bytes()
    try:
        with overhaul.open(path) as document:
            kind = document.kind
    except overhaul.FormatError:
        pytest.skip("a file of no kind that is read, or damaged")
    assert mods.apply(data, []).data == data
    result = mods.apply(path, [mods.Mod("empty", MadeFor(kind))])
    assert (result.data, result.conflicts) == (data, [])
    for name, content in result.companions.items():
        assert (path.parent / name).read_bytes() == content
    made = mods.make(path, path, name="none")
    assert not made
    assert mods.apply(path, [mods.load(made.to_bytes())]).data == data


def edits_of(game: bytes, seed: int) -> Iterator[tuple[str, dict[str, Edit]]]:
    """Edits of a game that touch different things."""
    chance = random.Random(seed)
    with opened(game) as view:
        code = [p for p, file in view.files.items() if p.endswith(".gml") and file.is_exact]
        rooms = [path for path in view.files if path.startswith("rooms/")]
    chance.shuffle(code)
    for number, path in enumerate(code[:2]):
        yield f"line of {path}", {path: lambda text, n=number: f"zz_{n} = {n};\n{text}"}  # type: ignore[misc]
    for key in ("width", "height"):
        if rooms:
            yield key, {rooms[0]: field(key, 1234)}
    for name in ("spr_zz_a", "spr_zz_b"):
        yield name, {f"sprites/{name}/sprite.json": b'{"width": 4, "height": 4}'}


@pytest.mark.parametrize("path", games(), ids=lambda path: path.stem[-20:])
def test_mods_of_different_things_commute(path: Path) -> None:
    game = path.read_bytes()
    with opened(game) as view:
        if not any(name.endswith(".gml") for name in view.files):
            pytest.skip("its code is elsewhere")
    made = [
        mods.make(game, changed(game, edits), name=name)
        for name, edits in edits_of(game, len(game))
    ]
    pairs = list(itertools.combinations(made, 2))
    for one, two in pairs if FULL else random.Random(1).sample(pairs, min(3, len(pairs))):
        result = mods.apply(game, [one, two])
        assert result.conflicts == [], (one, two)
        assert mods.apply(game, [two, one]).data == result.data
        touched = {change.path for change in mods.diff(game, result.data).changes}
        for mod in (one, two):
            assert any(p.startswith(tuple(touched)) for p in mod.paths())
            assert mods.apply(result.data, [mod]).data == result.data
    for mod in made[:1]:
        (path_of_it,) = (p for p in mod.patches if p.endswith(".gml"))
        other = changed(game, {path_of_it: lambda text: "zz_other = 1;\n" + text})
        clash = mods.apply(game, [mod, mods.make(game, other, name="other")])
        assert [conflict.path for conflict in clash.conflicts] == [path_of_it]
        assert plain(game, path_of_it) in plain(other, path_of_it)


def test_generated_mods_commute_and_their_rivals_conflict() -> None:
    chosen = [path for path in games() if path.stat().st_size > 10_000]
    for path in sample(chosen, 1, seed=3):
        counts, wrong = together(path, most=20 if FULL else 3)
        assert wrong == [], path.name
        assert counts["commute"] >= 3
        assert counts["conflict"] >= 4


@pytest.mark.skipif(corpus_folder() is None, reason=NO_CORPUS)
def test_mods_are_carried_over_two_updates() -> None:
    files = corpus_files("datawin2/Nanopar__BeforeTheAfterInn__*.win")
    assert len(files) == 3
    counts, wrong = carried(files)
    assert wrong == []
    assert counts["kept"] == 6  # a new sprite and two copies of a room, on both
    assert counts["reported"] == 1  # the room that another mod changes is gone


@pytest.mark.skipif(corpus_folder() is None, reason=NO_CORPUS)
def test_a_file_of_one_name_in_a_repository_is_a_build_of_it() -> None:
    names = {
        (builds.name_of(old), builds.name_of(new))
        for family in builds.FAMILIES
        for old, new in itertools.islice(builds.pairs(family), 5)
    }
    assert names
    pairs = sample([old for old, _ in builds.pairs("ags")], 3)
    for old in pairs:
        new = next(two for one, two in builds.pairs("ags") if one == old)
        outcome, _ = builds.judge(old, new)
        with overhaul.open(old) as one, overhaul.open(new) as two:
            assert outcome.good or one.version != two.version, outcome


def texts_and_media(game: bytes) -> tuple[set[bytes], list[bytes], list[bytes]]:
    """The lines of code, the rows of pixels and the sounds of a game, long ones."""
    lines: set[bytes] = set()
    rows: list[bytes] = []
    sounds: list[bytes] = []
    with opened(game) as view:
        for path, file in view.files.items():
            if path.endswith((".gml", ".csv")):
                lines |= {line for line in file.read().split(b"\n") if len(line) > 24}
            elif path.startswith("sprites/") and path.endswith("/0.png"):
                pixels = png.decode(file.read())
                rows += [row.tobytes() for row in pixels if len({*map(bytes, row)}) > 8][:3]
            elif path.startswith("sounds/") and not path.endswith(".json"):
                sounds.append(file.read()[64:256])
        strings = view.texts()
        if strings is not None:
            lines |= {line for line in view.read(strings).split(b"\n") if len(line) > 24}
    return lines, rows, [part for part in sounds if len({*part}) > 16]


@pytest.mark.parametrize("path", sample(games(), 3, seed=5), ids=lambda path: path.stem[-20:])
def test_nothing_of_a_game_is_in_mods_of_it_but_context(path: Path) -> None:
    game = path.read_bytes()
    lines, rows, sounds = texts_and_media(game)
    assert lines
    with opened(game) as view:
        generated = mods_of(view, 1)
    for made in generated:
        if made.name.startswith("sound"):
            continue  # a sound is replaced as a whole: the modder's, which is made of the game's
        with zipfile.ZipFile(io.BytesIO(made.mod.to_bytes())) as archive:
            files = {name: archive.read(name) for name in archive.namelist()}
        content = b"\n".join(
            png.decode(data).tobytes() if name.endswith(".png") else data
            for name, data in files.items()
        )
        assert not [row for row in rows if row in content], made.name
        assert not [sound for sound in sounds if sound in content], made.name
        known = [line for line in lines if line.strip() in content]
        assert len(known) <= 2 * CONTEXT + 1, (made.name, known)
