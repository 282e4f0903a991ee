"""Journals: what is in them survives, and a torn end is cut off."""

from __future__ import annotations

import errno
import hashlib
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from overhaul.errors import WorkspaceError
from overhaul.findings import warning
from overhaul.workbench.history import (
    At,
    Begin,
    Change,
    History,
    Record,
    Replaced,
    Said,
    Saved,
    Step,
)
from overhaul.workbench.journal import Busy, Journal, KeptGames, line_of, records_in

WARNING = Said.of(warning("no-effect", "a warning", "a.txt", "x", 3, 4))
RECORDS: list[Record] = [
    Begin("/games/a.win", "d" * 64, 10, "gamemaker-data", "17"),
    Step(1, 0, "one", 1.0, {"a.txt": Change(None, "b" * 64)}, result="1"),
    Step(
        2,
        1,
        "two ü",
        2.0,
        {"a.txt": Change("b" * 64, None)},
        [WARNING],
        result="2",
    ),
    At(1),
    Step(3, 1, "three", 3.0, {}, result="3"),
    Replaced({"side.dat": "c" * 64}),
    Saved(3, "3"),
]


def test_records_come_back(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "j")
    for record in RECORDS:
        journal.append(record)
    digest = journal.put(b"content")
    journal.close()
    again = Journal(tmp_path / "j")
    assert again.records == RECORDS
    assert again.get(digest) == b"content"
    again.path_of(digest).write_bytes(b"other")
    with pytest.raises(WorkspaceError, match="damaged"):
        again.get(digest)
    with pytest.raises(WorkspaceError, match="can't be read"):
        again.get("0" * 64)
    again.close()


@given(st.data())
def test_wherever_a_journal_ends_its_whole_records_are_read(data: st.DataObject) -> None:
    lines = [line_of(record) for record in RECORDS]
    whole = b"".join(lines)
    cut = data.draw(st.integers(0, len(whole)))
    garbage = data.draw(st.binary(max_size=8))
    records, end = records_in(whole[:cut] + (garbage if cut < len(whole) else b""))
    count = len(records)
    assert records == RECORDS[:count]
    assert end == sum(map(len, lines[:count]))
    assert end + len(lines[count] if count < len(lines) else b"") >= cut


def test_a_torn_end_is_cut_off(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "j")
    journal.append(RECORDS[0])
    journal.close()
    file = tmp_path / "j" / "journal"
    good = file.read_bytes()
    file.write_bytes(good + line_of(RECORDS[1])[:-5])
    journal = Journal(tmp_path / "j")
    assert file.read_bytes() == good
    journal.append(RECORDS[1])
    journal.close()
    assert file.read_bytes() == good + line_of(RECORDS[1])


@pytest.mark.parametrize("part", [0, 7, 10_000])
def test_a_record_that_can_not_be_written_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, part: int
) -> None:
    journal = Journal(tmp_path / "j")
    journal.append(RECORDS[0])
    write = os.write

    def full(handle: int, data: bytes) -> int:
        write(handle, data[:part])
        raise OSError(errno.ENOSPC, "no space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("os.write", full)
        with pytest.raises(OSError, match="no space left"):
            journal.append(RECORDS[1])
    assert journal.records == RECORDS[:1]
    file = tmp_path / "j" / "journal"
    assert file.read_bytes() == line_of(RECORDS[0])
    for record in RECORDS[2:4]:
        journal.append(record)
    journal.close()
    kept = [RECORDS[0], *RECORDS[2:4]]
    assert file.read_bytes() == b"".join(map(line_of, kept))
    again = Journal(tmp_path / "j")
    assert again.records == kept
    again.close()


def test_a_record_is_written_in_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write = os.write
    journal = Journal(tmp_path / "j")
    with monkeypatch.context() as patch:
        patch.setattr("os.write", lambda handle, data: write(handle, data[:5]))
        journal.append(RECORDS[0])
        journal.append(RECORDS[1])
    journal.close()
    data = (tmp_path / "j" / "journal").read_bytes()
    assert data == line_of(RECORDS[0]) + line_of(RECORDS[1])


def test_one_program_at_a_time(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "j")
    with pytest.raises(Busy, match="another viewer"):
        Journal(tmp_path / "j")
    journal.close()
    Journal(tmp_path / "j").close()


def test_a_record_of_another_version_is_refused_and_stays(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "j")
    journal.append(RECORDS[0])
    journal.close()
    file = tmp_path / "j" / "journal"
    strange = line_of(RECORDS[0]).replace(b'"begin"', b'"other"')
    body = strange.split(b" ", 2)[2].rstrip(b"\n")
    line = b"%d %s %s\n" % (len(body), hashlib.sha256(body).hexdigest()[:16].encode(), body)
    file.write_bytes(file.read_bytes() + line)
    before = file.read_bytes()
    with pytest.raises(WorkspaceError, match="another version"):
        Journal(tmp_path / "j")
    assert file.read_bytes() == before


def test_a_change_has_the_contents_of_both_sides(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "j")
    files: dict[str, tuple[bytes | None, bytes | None]] = {
        "new": (None, b"made"), "old": (b"was", None), "both": (b"was", b""),
    }  # fmt: skip
    changes = journal.put_all(files)
    assert {path: journal.both(change) for path, change in changes.items()} == files
    journal.close()


def test_steps_are_a_tree() -> None:
    history = History(RECORDS)
    assert history.at == 3
    assert [step.id for step in history.path_to()] == [1, 3]
    assert [step.id for step in history.abandoned()] == [2]
    assert history.saved == {"3": 3}
    assert history.next_id == 4
    history.add(At(0))
    assert [step.id for step in history.undone()] == [1, 3]
    history.add(At(2))
    history.add(At(1))
    assert [step.id for step in history.undone()] == [2]
    assert [step.id for step in history.between(2, 3)] == [2, 3]


def test_kept_games_make_room(tmp_path: Path) -> None:
    kept = KeptGames(tmp_path, 25)
    kept.pinned.add("first")
    for name in ("first", "second", "third", "last"):
        kept.keep(name, b"0123456789")
    assert kept.path("first").exists()
    assert kept.path("last").exists()
    assert not kept.path("second").exists()
