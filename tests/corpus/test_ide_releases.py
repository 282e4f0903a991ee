"""Projects of the corpus made into those of other releases, and back."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

import overhaul
from overhaul.document.files import write_into
from overhaul.errors import FormatError
from overhaul.findings import Findings
from overhaul.gamemaker.forward.memory import MadeFiles
from overhaul.gamemaker.ide.document import IdeProjectDocument
from overhaul.gamemaker.ide.texts import read_json_file
from overhaul.gamemaker.ide.values import Json
from overhaul.gamemaker.ide_release import converted_to, losses, named_release
from overhaul.gamemaker.ide_release.objects import kind_of_value
from overhaul.gamemaker.recovery.recovering import Recovered
from real_files import NO_CORPUS, corpus_files, sample

PROJECTS = corpus_files("gmprojects*/**/*.yyp")
RELEASES = ("2.3.0", "2.3.7", "2022.3", "2022.9", "2023.11", "2024.2", "2024.14", "2026.0")
#: Projects that no editor opens.
BROKEN = "gmprojects2/broken/"


def codes(findings: Findings) -> Counter[str]:
    return Counter(each.code for each in findings if each.severity != "note")


def opened(made: Recovered) -> IdeProjectDocument:
    files = MadeFiles(made.files)
    return IdeProjectDocument.from_bytes(made.files[made.name](), source=made.name, siblings=files)


def compared(first: Json, second: Json, counts: Counter[str], kind: str = "") -> None:
    """Count the fields that are equal, and those that differ."""
    if isinstance(first, dict) and isinstance(second, dict):
        for key in first.keys() | second.keys():
            if key.startswith("$"):
                continue
            inner = f"{kind_of_value(first) or kind}.{key}"
            if key in first and key in second:
                compared(first[key], second[key], counts, inner)
            else:
                counts["one has it"] += 1
                counts[inner] += 1
    elif isinstance(first, list) and isinstance(second, list) and len(first) == len(second):
        for one, other in zip(first, second, strict=True):
            compared(one, other, counts, kind)
    elif first == second:
        counts["equal"] += 1
    else:
        counts["differ"] += 1
        counts[kind] += 1


@pytest.mark.parametrize("release", RELEASES)
def test_projects_become_sound_ones(release: str, tmp_path: Path) -> None:
    if not PROJECTS:
        pytest.skip(NO_CORPUS)
    tried = 0
    for number, path in enumerate(sample(PROJECTS, 6)):
        out = tmp_path / str(number)
        try:
            with overhaul.open_project(path) as project:
                made = converted_to(project, named_release(release))
                write_into(str(out), made.files)
        except FormatError as error:
            assert BROKEN in path.as_posix(), error
            continue
        before, after = overhaul.verify(path), overhaul.verify(out / made.name)
        assert after.identical, path
        new = codes(after.findings) - codes(before.findings)
        if "iconstudio" in path.as_posix():  # files that 2.2 does not list in the project are gone
            del new["absent-file"]
        assert not new, path
        tried += 1
    assert tried


@pytest.mark.parametrize("release", ["2.3.7", "2022.9", "2023.11", "2024.2"])
def test_projects_come_back(release: str) -> None:
    if not PROJECTS:
        pytest.skip(NO_CORPUS)
    counts: Counter[str] = Counter()
    for path in sample(PROJECTS, 6):
        try:
            with overhaul.open_project(path) as project:
                own = named_release(project.version)
                first = converted_to(project, own)
                there = converted_to(opened(first), named_release(release))
        except FormatError:  # one that does not open, of 2.0 to 2.2, or damaged
            continue
        back = converted_to(opened(there), own)
        lost = {(each.path, each.key) for each in losses(there)}
        counts["lost"] += len(lost)
        for name in back.files:
            if name.endswith((".yy", ".yyp")):
                try:
                    one = read_json_file(first.files[name]()).value
                except FormatError:  # a file that nothing lists
                    continue
                compared(one, read_json_file(back.files[name]()).value, counts)
    assert counts["equal"] > 100 * (counts["differ"] + counts["one has it"]), counts
