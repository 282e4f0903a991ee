"""Edits of folders of real files of every format: none is lost, none changes more than it says."""

from __future__ import annotations

import os
import random
from collections import Counter
from pathlib import Path

import pytest

from edit_law import names, renumbering
from edit_law.edits import all_edits, in_turn
from edit_law.law import GOOD, compact, judge
from edit_law.subject import Subject
from overhaul.errors import OverhaulError
from real_files import NO_CORPUS, corpus_files

FULL = os.environ.get("OVERHAUL_FULL") == "1"
#: What a message must say is looked at by the command in CONTRIBUTING.md.
HONEST = (*GOOD, "UNCLEAR", "NO KEY")
#: Patterns, files of each, and edits of each file.  The rest is for OVERHAUL_FULL=1.
SAMPLES = [
    ("projects/*.gm[dk6]*", 5, 40),
    ("projects/*.g[eb][dx1]", 2, 30),
    ("projects/*.l[ig][bl]", 2, 30),
    ("projects/*.gm[rs]*", 2, 30),
    ("datawin*/side/*.yydebug", 2, 30),
    ("datawin*/*.win", 3, 20),
    ("ags/*/*.tra", 2, 40),
    ("ags/*/*ROOM9.CRM", 2, 40),
    ("ags/ericoporto__DungeonHands/*-room301.crm", 1, 30),
    ("ags/*/10d8305f-room1.crm", 1, 10),
    ("ags/*/97d7e0a1-acsprset.spr", 1, 40),
    ("ags/AlexPC03__AGS-Game/*.dta", 1, 40),
    ("ags/*/a57fd823-AC2GAME.DTA", 1, 6),
]
#: The largest game of which all code is compared, after edits that move numbers.
SMALL = 1 << 62 if FULL else 400_000
LARGEST = 1 << 62 if FULL else 120_000


def files() -> list[tuple[Path, int]]:
    chosen = []
    for pattern, count, edits in SAMPLES:
        found = [path for path in corpus_files(pattern) if path.stat().st_size < LARGEST]
        some = found if FULL else random.Random(4).sample(found, min(count, len(found)))
        chosen += [(path, 1 << 30 if FULL else edits) for path in some]
    return chosen


def test_there_are_files() -> None:
    if not corpus_files("projects/*"):
        pytest.skip(NO_CORPUS)
    assert len(files()) >= 10


@pytest.mark.parametrize(("path", "count"), files(), ids=lambda value: getattr(value, "name", ""))
def test_the_law(path: Path, count: int) -> None:
    try:
        subject = Subject(path.name, path.read_bytes())
    except OverhaulError:
        pytest.skip("not a whole file")
    edits = all_edits(subject.files, seed=1)
    chosen = in_turn(edits, Counter(), seed=2)[:count]
    found = [judge(subject, edit) for edit in chosen]
    assert compact([one for one in found if one.outcome not in HONEST]) == []


@pytest.mark.parametrize(
    "path",
    [path for path in corpus_files("datawin*/*.win") if path.stat().st_size < SMALL][
        :: 1 if FULL else 12
    ],
    ids=lambda path: path.name,
)
def test_untouched_code_means_what_it_meant(path: Path) -> None:
    subject = renumbering.subject(path)
    if subject is None:
        pytest.skip("no code that holds assets as numbers")
    for what, edits, renaming in subject.edits(1):
        assert subject.judge(what, edits, renaming).wrong == [], what


NAMED = [
    *[path for path in corpus_files("datawin*/*.win") if path.stat().st_size < SMALL][
        5 :: 1 if FULL else 16
    ],
    *[path for path in corpus_files("projects/*.gm[dk6]*") if path.stat().st_size < LARGEST][
        :: 1 if FULL else 16
    ],
]


@pytest.mark.parametrize("path", NAMED, ids=lambda path: path.name)
def test_no_used_name_disappears_without_a_word(path: Path) -> None:
    subject = names.subject(path)
    if subject is None:
        pytest.skip("no readable code")
    tried = subject.tried(random.Random(1), 2 if FULL else 1)
    assert [one for one in tried if one.outcome == "silent"] == []
