"""Games as projects of the editor, compared with the games again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import overhaul
from overhaul.cli import main
from overhaul.document.files import write_into
from overhaul.errors import FormatError
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.recovery import recover
from real_files import corpus_files, sample

pytestmark = pytest.mark.corpus

GAMES = [
    path
    for pattern in ("datawin/*.*", "datawin2/*.*", "datawin3/*.*")
    for path in corpus_files(pattern)
    if path.suffix in (".win", ".unx", ".ios", ".droid")
]
#: a sound that is streamed from a file that the corpus does not have
ABSENT = "absent-file"
#: a game in which the compiler folded a call at one place and not at another
FOLDED = "purplculiar__webrune__927c8452.win"


@pytest.mark.parametrize("path", sample(GAMES, 14), ids=lambda path: path.name)
def test_a_project_of_a_game_is_the_game(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        document = overhaul.open(path)
    except FormatError:
        pytest.skip("it is damaged")
    with document:
        if not isinstance(document, GameData):
            pytest.skip("it is no game")
        found = recover(document)
        write_into(str(tmp_path / "out"), found.files)
    project = tmp_path / "out" / found.name
    main(["check", "--json", str(project)])
    said = json.loads(capsys.readouterr().out)
    (row,) = said["files"]
    assert {finding["code"] for finding in row["findings"]} <= {ABSENT}
    assert main(["verify", str(project)]) == 0
    capsys.readouterr()
    code = main(["diff", str(project), str(path)])
    assert code == (path.name == FOLDED), capsys.readouterr().out[:2000]
