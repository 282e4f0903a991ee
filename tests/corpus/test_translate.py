"""Real games: their texts out, and translated ones in, with nothing else changed."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
from itertools import pairwise
from pathlib import Path

import numpy as np
import polib
import pytest

from overhaul import translate
from overhaul.gamemaker.data.game import GameData
from overhaul.gml.vm.columns import is_string_push
from real_files import NO_CORPUS, corpus_files, finished, sample

GAMES = [
    path
    for path in finished([*corpus_files("datawin/*.*"), *corpus_files("datawin2/*.*")])
    if path.suffix not in (".tsv", ".md")
]
#: pairs of builds of one game, by the repository they are from
BUILDS = sample(
    [
        (one, two)
        for one, two in pairwise(sorted(GAMES))
        if one.name.split("__")[:2] == two.name.split("__")[:2]
    ],
    4,
    13,
)
GAMES = sample(GAMES, 10, 13)

pytestmark = [pytest.mark.corpus, pytest.mark.skipif(not GAMES, reason=NO_CORPUS)]

#: what is reported of letters that a font lacks
_LETTERS = re.compile(r"no font of the game has |.* has no .+ of the translation of ", re.DOTALL)


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.name)
def test_only_shown_texts_change(path: Path, tmp_path: Path) -> None:
    before = path.read_bytes()
    messages = translate.extract(path)
    accepted_by_gettext(messages, tmp_path)
    assert translate.apply(path, messages).data == before
    for entry in messages:
        entry.msgstr = "é" + entry.msgid
    made = translate.apply(path, messages)
    assert made.texts == len(messages)
    assert all(_LETTERS.match(warning) for warning in made.warnings), made.warnings
    old, new = GameData.from_bytes(before), GameData.from_bytes(made.data)
    new.decode()
    assert new.to_bytes() == made.data
    wanted = {entry.msgstr for entry in messages}
    assert {entry.msgid for entry in translate.extract(new)} == wanted
    assert list(new.strings)[: len(old.strings)] == list(old.strings)
    assert set(list(new.strings)[len(old.strings) :]) <= wanted
    assert changed_pushes(old, new) <= {(entry.msgid, entry.msgstr) for entry in messages}


def accepted_by_gettext(messages: polib.POFile, folder: Path) -> None:
    if shutil.which("msgfmt") is not None:
        (folder / "a.po").write_text(str(messages), "utf-8")
        command = ["msgfmt", "--check", "-o", str(folder / "a.mo"), str(folder / "a.po")]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(("old", "new"), BUILDS, ids=lambda path: path.name)
def test_a_translation_is_carried_to_another_build(old: Path, new: Path, tmp_path: Path) -> None:
    messages = translate.extract(old)
    for entry in messages:
        entry.msgstr = "é" + entry.msgid
    done = translate.update(new, messages)
    before = {entry.msgid for entry in messages}
    current = {entry.msgid for entry in translate.extract(new)}
    made = {entry.msgid: entry for entry in done.messages if not entry.obsolete}
    assert made.keys() == current
    kept = {text for text, entry in made.items() if entry.msgstr == "é" + text}
    assert kept == before & current and done.kept == len(kept)
    gone = {entry.msgid for entry in done.messages if entry.obsolete}
    assert gone == before - current and done.gone == len(gone)
    assert all(entry.previous_msgid in gone for entry in made.values() if entry.fuzzy)
    accepted_by_gettext(done.messages, tmp_path)
    applied = translate.apply(new, done.messages)
    assert applied.texts == len(kept)
    assert [warning for warning in applied.warnings if not _LETTERS.match(warning)] == []
    back = translate.update(old, done.messages)
    assert {entry.msgid for entry in back.messages if entry.msgstr == "é" + entry.msgid} >= before


def changed_pushes(old: GameData, new: GameData) -> set[tuple[str, str]]:
    """The constants that differ; fails where other instructions do."""
    found: set[tuple[str, str]] = set()
    if old.record("CODE") is None:
        return found
    for one, two in zip(old.records.code, new.records.code, strict=True):
        if one is None or two is None or one.root is not None:
            continue
        before, after = one.bytecode.columns, two.bytecode.columns
        for name in ("opcode", "type1", "type2", "value", "size"):
            assert (getattr(before, name) == getattr(after, name)).all(), one.name
        assert (one.bytecode.record == two.bytecode.record).all()
        rows = np.flatnonzero(before.operand != after.operand)
        assert is_string_push(before)[rows].all(), one.name
        found |= {
            (str(old.strings[int(left)]), str(new.strings[int(right)]))
            for left, right in zip(before.operand[rows], after.operand[rows], strict=True)
        }
    return found


#: the texts of some games that a player sees, read by hand in their source: the first six digits of
#: the SHA-256 of each, one after the other
SEEN: dict[str, str] = json.loads((Path(__file__).parent / "seen_texts.json").read_text("ascii"))


@pytest.mark.parametrize("name", SEEN)
def test_the_texts_that_a_player_sees_are_there(name: str) -> None:
    path = next(iter(corpus_files(name)), None)
    if path is None:
        pytest.skip(NO_CORPUS)
    seen = {SEEN[name][at : at + 6] for at in range(0, len(SEEN[name]), 6)}
    found = {
        hashlib.sha256(entry.msgid.encode()).hexdigest()[:6] for entry in translate.extract(path)
    }
    assert len(seen & found) >= 0.99 * len(seen)
    assert len(seen & found) >= 0.85 * len(found)
