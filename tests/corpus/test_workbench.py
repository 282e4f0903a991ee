"""Real games on the workbench: forms without a change, edits that are undone, and their cost."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from filling import fields_in, send
from overhaul import mods
from real_files import corpus_files, finished, sample
from viewing import Browser, looking_at

pytestmark = pytest.mark.corpus
GAMES = sample(finished(corpus_files("datawin*/*.win")), 2, seed=28)
PROJECTS = sample(corpus_files("projects/*.g*k"), 1, seed=28)
AGS = sample(corpus_files("ags/*/*.dta") + corpus_files("ags/*/*.ags"), 1, seed=28)
#: CPU seconds that an edit of a game of 1 MB may take; other programs may need the caches
PATIENCE = 1.5


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OVERHAUL_DATA", str(tmp_path / "data"))


def forms_of(client: Browser, each: int) -> list[tuple[str, str]]:
    """Some forms of each kind of JSON file: their addresses, and their pages."""
    found: dict[str, list[tuple[str, str]]] = {}
    for document in documents(client):
        for path in document.files:
            if not path.endswith(".json"):
                continue
            kind = f"{document.prefix}{path.partition('/')[0]}"
            if len(found.setdefault(kind, [])) < each:
                address = f"{document.prefix}/-/form"
                answer = client.get(address, params={"path": path})
                assert answer.status_code == 200, (path, answer.text[-400:])
                assert len(answer.content) < 300_000, path
                found[kind].append((str(answer.url).removeprefix("http://127.0.0.1:4321"),
                                    answer.text))  # fmt: skip
    return [form for forms in found.values() for form in forms]


def documents(client: Browser) -> list[Any]:
    whole = client.site.documents[0]
    inside = [
        whole.inside.open(path)
        for path in whole.inside.paths()
        if path.endswith((".crm", ".dta")) and whole.inside.can_open(path)
    ]
    return [whole, *inside[:2]]


def steps(client: Browser) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = client.get("/-/steps.json").json()["done"]
    return rows


@pytest.mark.parametrize("path", [*GAMES, *PROJECTS, *AGS], ids=lambda path: path.name[:40])
def test_forms_change_what_was_typed_and_nothing_else(path: Path, tmp_path: Path) -> None:
    game = tmp_path / path.name
    game.write_bytes(path.read_bytes())
    old = game.read_bytes()
    with looking_at(game) as client:
        forms = forms_of(client, 1)
        for address, page in forms:
            answer = send(client, address, fields_in(page))
            assert answer.status_code == 200, (address, answer.text[-600:])
            assert steps(client) == [], address
        made = 0
        for address, page in forms[:12]:
            fields = fields_in(page)
            numbers = [
                at for at, (name, text) in enumerate(fields)
                if name.startswith("f:") and text.isdigit() and "id" not in name.lower()
            ]  # fmt: skip
            if not numbers:
                continue
            number = numbers[len(numbers) // 2]
            name, text = fields[number]
            fields[number] = (name, str(int(text) + 1))
            answer = send(client, address, fields)
            assert answer.status_code in (200, 422), (address, answer.text[-600:])
            now = len(steps(client))
            made += now
            if now:
                client.post("/-/undo", headers={"Origin": "http://127.0.0.1:4321"})
                assert steps(client) == []
        assert client.get("/-/steps/game").content == old
    assert made or not forms


@pytest.mark.parametrize("path", GAMES[:2], ids=lambda path: path.name[:40])
def test_an_edit_is_immediate_and_a_mod_is_it(path: Path, tmp_path: Path) -> None:
    game = tmp_path / "game.win"
    game.write_bytes(path.read_bytes())
    old = game.read_bytes()
    with looking_at(game) as client:
        whole = client.site.documents[0]
        assert whole.writer is not None
        wanted = next(each for each in whole.files if each.startswith("objects/"))
        value = json.loads(whole.writer.read(wanted))
        client.get("/")
        before = time.process_time()
        value["visible"] = not value["visible"]
        whole.writer.step({wanted: json.dumps(value).encode()}, "edit")
        assert time.process_time() - before < PATIENCE
        mod = mods.load(client.get("/-/steps/mod?name=mine&download=1").content)
        client.post("/-/save", headers={"Origin": "http://127.0.0.1:4321"})
    applied = mods.apply(old, [mod])
    assert not applied.conflicts
    assert not mods.diff(applied.data, game).changes
    assert {change.path for change in mods.diff(old, game).changes} == {wanted}
