"""Start-up is a feature: what is imported when."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from edited_games import packed
from overhaul.cli.app import COMMANDS

SOURCE = Path(__file__).resolve().parents[1] / "src"
HEAVY = {"numpy", "PIL", "msgspec", "rich", "click", "typing", "re", "json", "dataclasses", "enum"}


def imported_names(code: str) -> set[str]:
    """The modules that Python code imports beyond what Python's own start does."""
    program = (
        "import sys; before = set(sys.modules)\n"
        f"{code}\n"
        "sys.stderr.write(' '.join(set(sys.modules) - before))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": str(SOURCE)},
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stderr.split())


def imported_by(code: str) -> set[str]:
    """The packages of these modules."""
    return {name.partition(".")[0] for name in imported_names(code)}


def test_import_overhaul_imports_nothing_else() -> None:
    assert imported_by("import overhaul") == {"overhaul"}


@pytest.mark.parametrize(
    "name", ["overhaul.document.opening", "overhaul.document.base", "overhaul.cli"]
)
def test_what_every_command_passes_is_light(name: str) -> None:
    assert not imported_by(f"import {name}") & HEAVY


def test_help_imports_no_more_than_click() -> None:
    loaded = imported_by("from overhaul.cli import main; main(['--help'])")
    assert not loaded & {"numpy", "PIL", "msgspec", "rich"}


def test_help_loads_few_modules() -> None:
    """A module costs about a millisecond, the standard library's too."""
    loaded = imported_names("from overhaul.cli import main; main(['--help'])")
    assert len(loaded) < 95, sorted(loaded)
    assert sum(name.startswith("overhaul") for name in loaded) < 12


@pytest.mark.parametrize("version", ["2.3.2", "2023.8"])
def test_info_imports_neither_records_nor_arrays(tmp_path: Path, version: str) -> None:
    game = tmp_path / "data.win"
    game.write_bytes(packed(version))
    loaded = imported_by(f"from overhaul.cli import main; main(['info', {str(game)!r}])")
    assert not loaded & {"numpy", "PIL", "msgspec", "rich", "click", "dataclasses"}


@pytest.mark.parametrize("version", ["1.4.9999", "2023.8"])
def test_listing_a_kind_of_a_large_game_imports_neither_records_nor_arrays(
    tmp_path: Path, version: str
) -> None:
    game = tmp_path / "data.win"
    game.write_bytes(packed(version))
    words = ["ls", str(game), "sprites/*", "objects/*"]
    loaded = imported_names(
        "from overhaul.gamemaker.data import listed_names\n"
        "listed_names._LARGE = 0\n"  # each list is a large one
        f"from overhaul.cli import main; main({words!r})"
    )
    chunks = {name for name in loaded if name.startswith("overhaul.gamemaker.data.chunks.")}
    assert not chunks
    assert not {name.partition(".")[0] for name in loaded} & {"numpy", "PIL", "msgspec"}


def test_decompiling_imports_no_other_kind_of_resource(tmp_path: Path) -> None:
    game = tmp_path / "data.win"
    game.write_bytes(packed("2.3.2"))
    words = ["decompile", "-q", str(game), "-o", str(tmp_path / "code")]
    loaded = imported_names(f"from overhaul.cli import main; main({words!r})")
    chunks = {name for name in loaded if name.startswith("overhaul.gamemaker.data.chunks.")}
    assert {name.rpartition(".")[2] for name in chunks} <= {
        "bytecode", "code", "code_rows", "extn", "func", "gen", "gen8", "scpt", "strg", "vari",
    }  # fmt: skip
    assert not {name.partition(".")[0] for name in loaded} & {"PIL", "rich"}


def test_a_viewer_gives_its_address_before_it_loads_what_answers(tmp_path: Path) -> None:
    game = tmp_path / "data.win"
    game.write_bytes(packed("2.3.2"))
    loaded = imported_names(
        "from overhaul import viewer\n"
        "def ready(address): raise SystemExit\n"
        f"try: viewer.serve([{str(game)!r}], ready=ready)\n"
        "except SystemExit: pass"
    )
    packages = {name.partition(".")[0] for name in loaded}
    assert not packages & {"uvicorn", "starlette", "jinja2", "numpy", "PIL"}


def test_the_first_page_of_a_game_loads_no_other_family(tmp_path: Path) -> None:
    game = tmp_path / "data.win"
    game.write_bytes(packed("2.3.2"))
    loaded = imported_names(
        f"import sys; sys.path.insert(0, {str(Path(__file__).parent / 'support')!r})\n"
        "from viewing import looking_at\n"
        "from pathlib import Path\n"
        f"with looking_at(Path({str(game)!r})) as client: client.get('/').raise_for_status()"
    )
    others = ("overhaul.ags", "overhaul.language")
    assert {name for name in loaded if name.startswith(others)} == set()


@pytest.mark.sampled(3)
@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_a_command_imports_nothing_that_works(command: str) -> None:
    """Neither the models nor what reads and writes folders: their names come when they are used."""
    loaded = imported_names(f"from overhaul.cli import main; main(['{command}', '--help'])")
    heavy = {"numpy", "PIL", "msgspec", "rich", "json", "dataclasses", "pathlib", "tempfile"}
    assert not {name.partition(".")[0] for name in loaded} & heavy
    light = ("overhaul.cli", "overhaul.document", "overhaul.errors", "overhaul.findings",
             "overhaul.lazy")  # fmt: skip
    others = {
        name for name in loaded if name.startswith("overhaul.") and not name.startswith(light)
    }
    assert others <= {
        "overhaul.folder", "overhaul.folder.opening", "overhaul.gamemaker", "overhaul.gamemaker.ds",
        "overhaul.gamemaker.classic", "overhaul.gamemaker.recovery",
        "overhaul.ags", "overhaul.ags.project", "overhaul.catalog", "overhaul.catalog.questions",
        "overhaul.catalog.tables", "overhaul.mods", "overhaul.patches", "overhaul.suggest",
        "overhaul.lsp", "overhaul.stretch", "overhaul.translate",
        "overhaul.version", "overhaul.viewer",
    }  # fmt: skip
    documents = {name for name in loaded if name.startswith("overhaul.document.")}
    assert documents <= {
        f"overhaul.document.{each}"
        for each in (
            "families", "files", "games", "mapped", "names", "opening", "protocol", "reading",
            "registry",
        )
    }  # fmt: skip
