"""The test of edits (tests/edit_law) sees a format that lies, and passes an honest one."""

from __future__ import annotations

import io
import json
from collections import Counter
from collections.abc import Callable, Mapping

import pytest
from PIL import Image

import toy
from edit_law.edits import Edit, all_edits, changed, dump, families, in_turn
from edit_law.law import Finding, compact, differing, judge, summary, table, with_old_name
from edit_law.subject import Subject
from memory_folder import memory_folder
from overhaul.document.plainfiles import Change, Folder
from overhaul.document.registry import Format
from overhaul.errors import WorkspaceError
from overhaul.findings import Findings
from toy_json import Apply, JsonToy

NOTES = {"one": b"first", "two": b"second"}


def honest(document: toy.Toy, folder: Folder, changes: Mapping[str, Change]) -> Findings:
    """Takes what it can, and refuses the rest by name."""
    stray = sorted(set(folder.list()) - {"toy.json", "notes.txt"})
    if stray or "toy.json" not in folder or "notes.txt" in changes:
        raise WorkspaceError(f"not a change that can be: {', '.join([*stray, *changes])}")
    plain = json.loads(folder.read("toy.json"))
    if not isinstance(plain, dict) or set(plain) - {"title", "count", "notes"}:
        raise WorkspaceError(f"toy.json: unknown key in {list(plain)}")
    notes = plain.get("notes", [])
    if plain.get("count", len(notes)) != len(notes):
        raise WorkspaceError(f"toy.json: count: there are {len(notes)} notes")
    for note in notes:
        if set(note) != {"name", "text"}:
            raise WorkspaceError(f"toy.json: notes: a note has a name and a text: {list(note)}")
    document.title = plain.get("title", document.title)
    document.notes = [(note["name"], note["text"].encode()) for note in notes]
    return Findings()


def forgetful(document: toy.Toy, folder: Folder, changes: Mapping[str, Change]) -> Findings:
    """Drops edits of the title, and keys it does not know."""
    title = document.title
    plain = json.loads(folder.read("toy.json"))
    plain.pop("zz_unknown", None)
    known = memory_folder({"toy.json": json.dumps(plain).encode()}, folder.settings)
    warnings = honest(document, known, changes)
    document.title = title
    return warnings


def meddling(document: toy.Toy, folder: Folder, changes: Mapping[str, Change]) -> Findings:
    """Changes a note with each edit."""
    warnings = honest(document, folder, changes)
    if document.notes:
        document.notes[0] = (document.notes[0][0], document.notes[0][1] + b"!")
    return warnings


def crashing(document: toy.Toy, folder: Folder, changes: Mapping[str, Change]) -> Findings:
    """Raises what is no error of ours."""
    raise KeyError("a slip")


def mumbling(document: toy.Toy, folder: Folder, changes: Mapping[str, Change]) -> Findings:
    """Refuses without saying what."""
    raise WorkspaceError("no")


@pytest.fixture
def findings(monkeypatch: pytest.MonkeyPatch) -> Callable[[Apply], list[Finding]]:
    from overhaul.document import registry

    format = Format("toy", "Toy", lambda probe: probe.head[:4] == b"TOY1", "toy:Toy", "json")
    monkeypatch.setattr(registry, "REGISTRY", [format])

    def run(taking: Apply) -> list[Finding]:
        monkeypatch.setattr(Format, "folder_format", lambda self: JsonToy(taking))
        subject = Subject("a.toy", toy.toy_bytes(NOTES))
        return [judge(subject, edit) for edit in all_edits(subject.files, 5)]

    return run


def outcomes(found: list[Finding]) -> set[str]:
    return {finding.outcome for finding in found}


def test_an_honest_format_passes(findings: Callable[[Apply], list[Finding]]) -> None:
    found = findings(honest)
    wrong = [one for one in found if not one.good]
    # both are made of toy.json too, which the test does not know
    assert {one.detail.split(" ")[0] for one in wrong} <= {"notes.txt", "overhaul.toml"}
    assert {"true", "refused"} <= outcomes(found)
    kinds = {one.edit.kind for one in found}
    assert {"value: text", "list: element removed", "key: unknown", "file: stray"} <= kinds


@pytest.mark.parametrize(
    ("taking", "outcome"),
    [(forgetful, "DROPPED"), (meddling, "OTHER"), (crashing, "CRASH"), (mumbling, "UNCLEAR")],
)
def test_a_lie_is_seen(
    findings: Callable[[Apply], list[Finding]], taking: Apply, outcome: str
) -> None:
    found = findings(taking)
    assert outcome in outcomes(found)
    (line, *_) = [line for line in compact(found) if outcome in line]
    assert "a.toy" in line
    assert outcome in summary(found)


def test_what_is_dropped_is_found_by_its_place(
    findings: Callable[[Apply], list[Finding]],
) -> None:
    found = findings(forgetful)
    (dropped,) = (
        one for one in found if one.edit.place == ("zz_unknown",) and one.edit.family == "toy.json"
    )
    assert (dropped.outcome, dropped.detail) == (
        "DROPPED",
        "toy.json zz_unknown: 123456 came back as nothing",
    )
    assert "123456 came back as nothing" in dropped.detail


def test_packing_itself_refuses_what_comes_back_as_it_was(
    findings: Callable[[Apply], list[Finding]],
) -> None:
    found = findings(forgetful)
    (title,) = (
        one for one in found if one.edit.kind == "value: text" and one.edit.where == "title"
    )
    assert title.outcome == "refused"
    assert title.detail.startswith("toy.json: title: 'T_x' has no effect")
    assert title.detail.endswith("stays 'T'")


def test_the_same_seed_gives_the_same_edits() -> None:
    files = {"a.json": dump({"x": 1, "y": ["a", "b"], "z": None}), "b/c.png": b"", "b/d.bin": b"12"}
    first, second = (all_edits(files, 3) for _ in range(2))
    assert [edit.of(files) for edit in first] == [edit.of(files) for edit in second]
    edited = {edit.path for edit in first}
    assert {"a.json", "b/d.bin"} <= edited


def test_an_edit_leaves_the_other_edits_only() -> None:
    value = {"a": [{"b": 1, "c": 2}], "d": []}
    assert changed(value, ("a", 0, "b"), 5) == {"a": [{"b": 5, "c": 2}], "d": []}
    assert value == {"a": [{"b": 1, "c": 2}], "d": []}


def test_every_kind_of_file_has_its_turn_and_what_was_tried_comes_last() -> None:
    files = {"a.json": dump({f"x{n}": n for n in range(20)}), "b/c.bin": b"12", "b/d.txt": b""}
    edits = all_edits(files, 3)
    count = len({edit.family for edit in edits})
    order = in_turn(edits, Counter(), 7)
    assert sorted(map(str, order)) == sorted(map(str, edits))
    assert len({edit.family for edit in order[:count]}) == count
    first = order[0]
    again = in_turn(edits, Counter([first.key]), 7)
    same = [edit.key for edit in again if edit.family == first.family]
    assert same[-1] == first.key


def test_a_colour_of_an_indexed_picture_is_edited() -> None:
    image = Image.frombytes("P", (2, 2), bytes([0, 1, 1, 2]))
    image.putpalette([1, 2, 3, 4, 5, 6, 255, 0, 255])
    out = io.BytesIO()
    image.save(out, "PNG")
    files = {"a/0.png": out.getvalue()}
    (edit,) = (e for e in all_edits(files, 1) if e.kind == "picture: another colour")
    (made,) = edit.of(files).values()
    with Image.open(io.BytesIO(made)) as other:
        assert other.tobytes() == image.tobytes()
        assert (other.getpalette() or [])[:9] == [1, 2, 3, 4, 5, 6, 0, 255, 0]
    swapped = Image.frombytes("P", (2, 2), bytes([2, 1, 1, 0]))
    swapped.putpalette([255, 0, 255, 4, 5, 6, 1, 2, 3])
    out = io.BytesIO()
    swapped.save(out, "PNG")
    same = {"a/0.png": out.getvalue()}
    assert [where[0] for where in differing(files, same)] == ["a/0.png"]  # other numbers
    assert list(differing(files, dict(files))) == []


def test_the_table_counts_each_sort_of_file() -> None:
    edit = Edit("value: text", "a/b.json", "a/*.json", "x", "", {})
    other = Edit("value: text", "c.json", "c.json", "x", "", {})
    found = [Finding("one", edit, "true"), Finding("two", edit, "DROPPED"),
             Finding("two", edit, "CRASH"), Finding("two", other, "refused")]  # fmt: skip
    rows = [line.split(None, 6) for line in table(found)[1:]]
    assert rows == [
        ["a/*.json", "2", "3", "1", "0", "0", "1 CRASH, 1 DROPPED"],
        ["c.json", "1", "1", "0", "1", "0", "0"],
        ["all", "2", "4", "1", "1", "0", "1 CRASH, 1 DROPPED"],
    ]


def test_a_renamed_resource_is_compared_under_its_old_name() -> None:
    renamed = {"x/a_zz.json": b"a_zz", "x/a_zz.png": b"a_zz", "y.json": b'["a_zz"]'}
    named = {"x/a.json": b"a", "x/a.png": b"a_zz", "y.json": b'["a"]'}
    assert with_old_name(renamed, "a", "a_zz") == named
    both = {"x/a.json": b"1", "x/a_zz.json": b"2"}
    assert with_old_name(both, "a", "a_zz") == both


def test_families_forget_names() -> None:
    paths = "sprites/a/sprite.json sprites/b/sprite.json sprites/a/0.png rooms/r.json x.csv"
    files = dict.fromkeys(paths.split(), b"")
    assert set(families(files).values()) == {
        "sprites/*/sprite.json", "sprites/*/*.png", "rooms/*.json", "x.csv",
    }  # fmt: skip


def test_an_edit_changes_its_files_only() -> None:
    edit = Edit("file: renamed", "b", "b", "", "", {"a": None, "b": b"1"})
    assert edit.of({"a": b"1", "c": b"2"}) == {"b": b"1", "c": b"2"}
