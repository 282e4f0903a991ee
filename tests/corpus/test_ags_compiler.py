"""Scripts of real projects with what the official compiler made of them; a sample.

``ags-pairs`` has the compiled block of each script, its source, its headers and its project as they
were at that time.  The rooms themselves are mostly not there, so import slots behind a room's
things may differ: code is compared with the names of imports in place of their slots.
"""

from __future__ import annotations

import csv
import gzip
import shutil
from pathlib import Path

import pytest

from ags_scripts import instructions
from overhaul.ags.agf.compiling import ProjectCompiler
from overhaul.ags.language import ScriptError
from overhaul.ags.language.keeping import keep_tables
from overhaul.ags.script.model import Script, read_script
from real_files import corpus_files, sample

#: Compiled by another version of the editor, or from another state of the project, than stated.
OTHERS = {
    ("CarlosEscribanoGonzalez+Julian", "_GlobalVariables.asc"),
    ("ConeRX+RescueMission", "CharacterChange.asc"),
    ("Desuque+Monkey-Island-2.5-Demo", "room5.asc"),
    ("OmriKeret+InGameQuestEx2", "room2.asc"),
}


class Pair:
    """A script and its compiled block."""

    def __init__(self, folder: Path, row: dict[str, str]) -> None:
        self.folder = folder
        self.row = row
        source = folder / row["source"]
        self.project = source.parent.parent if source.parent.name == "generated" else source.parent
        self.source = source.relative_to(self.project)

    def old(self) -> Script:
        """The block of the official compiler."""
        return read_script((self.folder / self.row["compiled"]).read_bytes())[0]

    def new(self, place: Path) -> Script:
        """Our block; large files of the project are unpacked in ``place``."""
        copy = place / self.folder.name / self.project.name
        if not copy.exists():
            shutil.copytree(self.project, copy)
            for path in copy.rglob("*.gz"):
                path.with_suffix("").write_bytes(gzip.decompress(path.read_bytes()))
        return ProjectCompiler(copy, self.row["editor"]).compile(copy / self.source)

    @property
    def sure(self) -> bool:
        """Whether the block was made from exactly this source by the editor of this version."""
        row = self.row
        return (
            row["sure"].startswith(("1", "2"))
            and not row["container"].startswith("undefined")
            and (self.folder.name, row["script"]) not in OTHERS
            and "LINENUM" not in row["sure"]
        )


def pairs() -> list[Pair]:
    """All pairs that are byte tests."""
    found = []
    for table in corpus_files("ags-pairs/*/pairs.tsv"):
        if table.parent.name.startswith("_2x"):
            continue
        with table.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
                pair = Pair(table.parent, row)
                if pair.sure:
                    found.append(pair)
    return found


def test_blocks_are_those_of_the_official_compiler(
    corpus: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    place = tmp_path_factory.mktemp("pairs")
    every = pairs()
    chosen = sample([str(number) for number in range(len(every))], 60, seed=25)
    identical = 0
    for number in chosen:
        pair = every[int(number)]
        old = pair.old()
        try:
            new = pair.new(place)
        except ScriptError as error:
            raise AssertionError(f"{pair.folder.name} {pair.source}: {error}") from error
        assert instructions(new) == instructions(old), f"{pair.folder.name} {pair.source}"
        assert keep_tables(new, old).to_bytes() == old.to_bytes()
        identical += new.to_bytes() == old.to_bytes()
    assert identical > len(chosen) * 0.4
    assert corpus
