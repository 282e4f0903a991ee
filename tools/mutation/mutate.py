"""Mutation testing of areas: ``python3 dev.py mutate AREA… [--sample N]``, or ``all``.

cosmic-ray changes the code of the area in copies of the repository (``.mutate/AREA-K``), one small
change at a time (a comparison, a number, an operator, a ``not``), and runs those of the area's
tests that reach it (``noticing.py``).  A change that no test notices is a survivor: a rule that
nothing holds.  The tests see no corpus, as on a fresh machine.

The sample is the same on each run: of all changes of the same family at a place one is taken, and
of these places ``--sample``.  Annotations are not changed, as nothing reads them.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from cosmic_ray.work_db import WorkDB, use_db
from cosmic_ray.work_item import TestOutcome, WorkerOutcome, WorkItem, WorkResult

ROOT = Path(__file__).resolve().parents[2]
GAMEMAKER = "src/overhaul/gamemaker"
COPIED = (
    "src",
    "tests",
    "tools",
    "examples",
    "benchmarks",
    "docs",
    "editors",
    "pyproject.toml",
    "README.md",
    "LICENSE",
    "dev.py",
)
#: Seconds until the tests of one change are ended (which counts as noticed).
TIMEOUT = 240.0


class Area(NamedTuple):
    """What is changed, and the tests that should notice it, the quickest first."""

    modules: tuple[str, ...]
    tests: tuple[str, ...]


AREAS = {
    "schema": Area(("src/overhaul/schema",), ("tests/schema", "tests/testing", "tests/ags")),
    "folder": Area(("src/overhaul/folder",), ("tests/folder", "tests/document", "tests/cli")),
    "compiler": Area(("src/overhaul/gml/compiler",), ("tests/gml",)),
    "passes": Area(
        ("src/overhaul/gml/decompiler/passes", "src/overhaul/gml/decompiler/fragment.py"),
        ("tests/gml/decompiler", "tests/gml/test_roundtrip.py"),
    ),
    "values": Area(
        ("src/overhaul/gml/values.py", "src/overhaul/gml/builtins/effects.py"),
        ("tests/gml/test_effects.py", "tests/gml/decompiler/test_types.py", "tests/translate"),
    ),
    "sprites": Area(
        (f"{GAMEMAKER}/data/chunks/sprt.py", f"{GAMEMAKER}/data_folder/sprites.py"),
        ("tests/schema/test_layouts.py", "tests/gamemaker/data"),
    ),
    "surface": Area((f"{GAMEMAKER}/data/resources",), ("tests/gamemaker/data",)),
    "drawing": Area(
        (f"{GAMEMAKER}/data/drawing", "src/overhaul/media/canvas.py"),
        (
            "tests/gamemaker/data/test_room_sequences.py",
            "tests/gamemaker/data/test_room_pictures.py",
            "tests/gamemaker/tiled",
        ),
    ),
    "classic-rooms": Area(
        (f"{GAMEMAKER}/classic/resources.py", f"{GAMEMAKER}/classic_folder/rooms.py"),
        (
            "tests/schema/test_layouts.py",
            "tests/gamemaker/classic",
            "tests/properties/test_projects.py",
        ),
    ),
    "mods": Area(("src/overhaul/mods",), ("tests/mods", "tests/cli/test_commands.py")),
    "patches": Area(("src/overhaul/patches",), ("tests/patches",)),
    "detect": Area(
        (
            f"{GAMEMAKER}/data/detect.py",
            f"{GAMEMAKER}/data/detect_code.py",
            f"{GAMEMAKER}/data/decoding.py",
        ),
        (
            "tests/gamemaker/data/test_detect.py",
            "tests/gamemaker/data/test_detect_layouts.py",
            "tests/gamemaker/data/test_detect_code.py",
            "tests/gamemaker/data/test_decoding.py",
            "tests/gamemaker/data/test_unreadable_code.py",
            "tests/gamemaker/data/test_modern_evidence.py",
            "tests/gamemaker/data/test_code_evidence.py",
            "tests/gamemaker/data/test_early_releases.py",
            "tests/gamemaker/data/test_first_builds.py",
            "tests/gamemaker/data/test_blank.py",
            "tests/schema/test_places.py",
        ),
    ),
    "ds": Area((f"{GAMEMAKER}/ds",), ("tests/gamemaker/ds",)),
    "tiled": Area((f"{GAMEMAKER}/tiled",), ("tests/gamemaker/tiled",)),
    "regions": Area(
        (
            "src/overhaul/gml/decompiler/regions",
            "src/overhaul/gml/decompiler/choices.py",
            "src/overhaul/gml/roundtrip.py",
        ),
        ("tests/gml/decompiler", "tests/gml/test_roundtrip.py"),
    ),
    "translate": Area(("src/overhaul/translate",), ("tests/translate",)),
    "viewer": Area(("src/overhaul/viewer",), ("tests/viewer",)),
    "ags-room": Area(
        ("src/overhaul/ags/room", "src/overhaul/ags/folder/room.py"),
        ("tests/ags", "tests/properties/test_ags.py", "tests/schema/test_layouts.py"),
    ),
    "ags-compiler": Area(
        ("src/overhaul/ags/language", "src/overhaul/ags/agf"),
        ("tests/ags/language", "tests/cli/test_ags_compile.py"),
    ),
    "ags-decompiler": Area(("src/overhaul/ags/decompiler",), ("tests/ags/decompiler",)),
    "language": Area(("src/overhaul/language",), ("tests/language",)),
    "workbench": Area(
        tuple(
            f"src/overhaul/workbench/{name}.py"
            for name in ("bench", "file_bench", "folder_bench", "history", "journal", "states")
        ),
        ("tests/workbench",),
    ),
    "workbench-edits": Area(
        tuple(
            f"src/overhaul/workbench/{name}.py"
            for name in (
                "filetexts", "forms", "hints", "keyframes", "pictures", "resources", "rooms",
                "tables", "texts", "tilemaps", "timelines", "variables",
            )
        ),
        (
            "tests/workbench/test_filetexts.py",
            "tests/viewer/test_whole.py",
            "tests/viewer/test_edit.py",
            "tests/viewer/test_tileedit.py",
            "tests/viewer/test_roomedit.py",
            "tests/viewer/test_variables.py",
            "tests/viewer/test_tables.py",
            "tests/viewer/test_media_edit.py",
            "tests/viewer/test_strings.py",
            "tests/viewer/test_steps.py",
        ),
    ),
    "catalog": Area(("src/overhaul/catalog",), ("tests/catalog",)),
    "relocation": Area(
        (
            f"{GAMEMAKER}/data/relocation.py",
            f"{GAMEMAKER}/data/repacking.py",
            f"{GAMEMAKER}/data/writer.py",
        ),
        (
            "tests/gamemaker/data/test_relocation.py",
            "tests/gamemaker/data/test_repacking.py",
            "tests/gamemaker/data/test_container.py",
        ),
    ),
    "caches": Area(
        (
            "src/overhaul/document/caches.py",
            f"{GAMEMAKER}/data/code/remembered.py",
            f"{GAMEMAKER}/data/code/parts.py",
        ),
        (
            "tests/document/test_caches.py",
            "tests/gamemaker/data/test_remembered.py",
            "tests/gamemaker/data/test_parts.py",
        ),
    ),
    "recovery": Area((f"{GAMEMAKER}/recovery",), ("tests/gamemaker/recovery",)),
    "forward": Area((f"{GAMEMAKER}/forward",), ("tests/gamemaker/forward",)),
    "ags-project": Area(("src/overhaul/ags/project",), ("tests/ags/project",)),
}  # fmt: skip


def main() -> int:
    """Run the sample of each area in as many copies as there are cores; report the scores."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("areas", nargs="+", choices=[*AREAS, "all"], metavar="AREA")
    parser.add_argument("--sample", type=int, default=150, metavar="N")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    arguments = parser.parse_args()
    areas = list(AREAS) if "all" in arguments.areas else arguments.areas
    code = copy_of_the_code()
    scores = []
    for name in areas:
        print(f"-- {name}", flush=True)
        scores.append(run(name, code, arguments.sample, arguments.seed, arguments.jobs))
    if len(areas) > 1:
        for name, (changes, noticed) in zip(areas, scores, strict=True):
            print(f"{name:16} {changes:4} changes, {noticed:4} noticed")
    return 0


def copy_of_the_code() -> Path:
    """A copy of the repository: the areas of one run are of one code, though it is worked on.

    Its bytecode is known by what the sources hold: a changed module of a copy is never taken for
    the one before.
    """
    folder = ROOT / ".mutate" / "code"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, folder / name)
    shutil.copytree(folder / "src", folder / "original")
    (folder / ".coveragerc").write_text("[run]\nrelative_files = true\n", encoding="utf-8")
    call(folder, "compileall", "-q", "--invalidation-mode", "checked-hash", "src")
    return folder


def run(name: str, code: Path, size: int, seed: int, jobs: int) -> tuple[int, int]:
    """Run the sample of one area: how many changes there were, and how many were noticed."""
    area = AREAS[name]
    folders = [ROOT / ".mutate" / f"{name}-{n}" for n in range(jobs)]
    prepare(folders[0], code, area)
    for folder in folders[1:]:
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(folders[0], folder)
    chosen = choose(folders[0] / "session.sqlite", size, seed)
    for number, folder in enumerate(folders):
        keep_only(folder / "session.sqlite", set(chosen[number :: len(folders)]))
    with ThreadPoolExecutor(len(folders)) as pool:
        codes = list(pool.map(lambda folder: cosmic_ray(folder, "exec"), folders))
    if any(codes):
        raise SystemExit(f"mutate.py: the changes of {name} can't be made")
    return report(folders)


def prepare(folder: Path, code: Path, area: Area) -> None:
    """Make a copy of the code with a session that lists every possible change of an area."""
    reached = dict.fromkeys(reach(code, tests) for tests in area.tests)
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(code, folder, ignore=shutil.ignore_patterns(".coverage*", ".hypothesis"))
    shutil.copy(code / ".coveragerc", folder)
    call(folder, "coverage", "combine", "--keep", "-q", *map(str, reached))
    modules = [name for name in area.modules if (folder / name).exists()]
    tests = " ".join(area.tests)
    noticing = ROOT / "tools" / "mutation" / "noticing.py"
    (folder / "session.toml").write_text(
        "[cosmic-ray]\n"
        f"module-path = {modules!r}\n"
        f"timeout = {TIMEOUT}\n"
        "excluded-modules = []\n"
        f'test-command = "{sys.executable} {noticing} {tests}"\n'
        '[cosmic-ray.distributor]\nname = "local"\n',
        encoding="utf-8",
    )
    if cosmic_ray(folder, "init") != 0:
        raise SystemExit(f"mutate.py: the changes in {folder} can't be listed")


def reach(code: Path, tests: str) -> Path:
    """The file that says which test runs which line: the tests run once for all areas of a run."""
    ran = [_coverage_of(code, path) for path in (tests, *map(str, Path(tests).parents))]
    known = next((file for file in ran if file.exists()), None)
    if known is not None:
        return known
    options = ["-q", "-n", "0", "-m", "not slow", "-p", "no:cacheprovider"]
    coverage = ["--cov-context=test", "--cov-report=", "--cov=src"]
    if call(code, "pytest", *options, *coverage, tests) != 0:
        raise SystemExit(f"mutate.py: {tests} fail before anything is changed")
    return (code / ".coverage").rename(ran[0])


def _coverage_of(code: Path, tests: str) -> Path:
    return code / f".coverage-{tests.replace('/', '-')}"


def cosmic_ray(folder: Path, verb: str) -> int:
    """Run a command of cosmic-ray in a copy."""
    return call(folder, "cosmic_ray.cli", verb, "session.toml", "session.sqlite")


def call(folder: Path, module: str, *arguments: str) -> int:
    """Run a module of Python in a copy, whose own package and no corpus is seen."""
    environment = {**os.environ, "PYTHONPATH": str(folder / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
    environment["OVERHAUL_CORPUS"] = str(folder / "no-corpus")
    return subprocess.call([sys.executable, "-m", module, *arguments], cwd=folder, env=environment)


def choose(session: Path, size: int, seed: int) -> list[tuple[object, ...]]:
    """The places of the sample, in random order."""
    with use_db(session, WorkDB.Mode.open) as database:
        places = sorted({place for item in database.work_items if (place := place_of(item))})
    generator = random.Random(seed)
    generator.shuffle(places)
    return [(*place, generator.random()) for place in places[:size]]


def place_of(item: WorkItem) -> tuple[str, int, int, str] | None:
    """Where a change is, and its family; None for one that is not made."""
    (change,) = item.mutations
    name = change.operator_name.partition("/")[2]
    if "BitOr" in name:  # an annotation, nearly always
        return None
    family = name.partition("_")[0]
    return (str(change.module_path), *change.start_pos, family)


def keep_only(session: Path, chosen: set[tuple[object, ...]]) -> None:
    """Mark all other changes as skipped; of those at a chosen place keep one."""
    wanted = {place[:-1]: place[-1] for place in chosen}
    with use_db(session, WorkDB.Mode.open) as database:
        at_place: dict[tuple[object, ...], list[WorkItem]] = {}
        items = list(database.work_items)
        for item in items:
            place = place_of(item)
            if place is not None and place in wanted:
                at_place.setdefault(place, []).append(item)
        kept = {
            group[int(float(str(wanted[place])) * len(group))].job_id
            for place, group in at_place.items()
        }
        others = [item.job_id for item in items if item.job_id not in kept]
        database.set_multiple_results(others, WorkResult(WorkerOutcome.SKIPPED))


def report(folders: list[Path]) -> tuple[int, int]:
    """Print the survivors with their changes, and the score: changes, and those noticed."""
    killed = 0
    survivors: list[tuple[WorkItem, str]] = []
    for folder in folders:
        with use_db(folder / "session.sqlite", WorkDB.Mode.open) as database:
            items = {item.job_id: item for item in database.work_items}
            for job, result in database.results:
                if result.worker_outcome is not WorkerOutcome.SKIPPED:
                    if result.test_outcome is TestOutcome.SURVIVED:
                        survivors.append((items[job], result.diff or ""))
                    else:
                        killed += 1
    for item, diff in sorted(survivors, key=lambda pair: str(place_of(pair[0]))):
        (change,) = item.mutations
        print(f"{change.module_path}:{change.start_pos[0]} {change.operator_name}")
        lines = [line for line in diff.split("\n") if line[:1] in "+-" and line[:3] not in "+++---"]
        print("\n".join(f"    {line}" for line in lines))
    total = killed + len(survivors)
    print(f"{total} changes: {killed} noticed, {len(survivors)} not ({killed / max(total, 1):.1%})")
    return total, killed


if __name__ == "__main__":
    sys.exit(main())
