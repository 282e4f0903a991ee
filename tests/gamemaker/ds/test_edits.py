"""Edits of the JSON of ds strings: each comes back from the string, or is refused."""

from __future__ import annotations

import json
import random

import pytest

from edit_law.edits import Edit, json_edits, load
from edit_law.law import differing
from overhaul.errors import OverhaulError
from overhaul.gamemaker import ds
from real_files import corpus_files


def made() -> dict[str, str]:
    """A few values as JSON texts, and those of the corpus."""
    texts = {
        "list.json": ds.json_text(ds.to_json(ds.loads(ds.dumps([1, "two", 2.5])))),
        "map.json": ds.json_text(ds.to_json(ds.loads(ds.dumps({"a": 1, "b": "x"})))),
    }
    for path in corpus_files("ds/*"):
        if path.suffix != ".tsv" and path.stat().st_size < 4000:
            texts[path.stem + ".json"] = ds.json_text(
                ds.to_json(ds.loads(path.read_text("latin-1")))
            )
    return texts


def outcome(edit: Edit) -> str:
    edited = edit.of({})["x.json"]
    try:
        text = ds.dumps(ds.from_json(ds.parse_json(edited.decode())))
        back = ds.json_text(ds.to_json(ds.loads(text))).encode()
    except OverhaulError:
        return "refused"
    left = [
        where
        for _, where, _, place, one, two in differing({"x.json": edited}, {"x.json": back})
        if not (edit.open and place[: len(edit.place)] == edit.place)
        and (one, two) != ([], {})  # entries, of which there are none
    ]
    return "true" if not left else f"{edit.kind} {edit.what}: {left[0]}: {load(back)!r:.200}"


@pytest.mark.parametrize("name", sorted(made()))
def test_edits_come_back_or_are_refused(name: str) -> None:
    text = made()[name]
    try:
        shown = ds.json_text(ds.to_json(ds.loads(ds.dumps(ds.from_json(ds.parse_json(text))))))
    except OverhaulError as error:
        pytest.fail(f"{name}: {error}")
    files = {"x.json": json.dumps(json.loads(shown)).encode()}
    # an object without "ds" is a map of what it has, and an edit of its own
    edits = [edit for edit in json_edits(files, random.Random(1)) if edit.place[-1:] != ("ds",)]
    assert edits
    result = [outcome(edit) for edit in edits]
    assert [one for one in result if one not in ("true", "refused")] == []
    assert "true" in result
