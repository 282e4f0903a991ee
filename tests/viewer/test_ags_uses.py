"""What uses the things of a game of Adventure Game Studio: the pages, and the column of lists."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import quote

import pytest

import overhaul
from ags_package import package
from overhaul.document.names import unescape_name
from overhaul.document.plainfiles import UnpackOptions
from overhaul.document.protocol import Document
from overhaul.folder import uses, uses_in_folder, uses_of_all
from overhaul.folder.parallel import Workers
from overhaul.folder.texts import TEXTS, plain_files
from real_files import corpus_files
from viewing import looking_at

GAME = "/in/game28.dta"
#: The folders of things, and the slugs of their lists.
LISTS = {
    "characters": "characters", "inventory": "inventory", "cursors": "cursors", "views": "views",
    "dialogs": "dialogs", "guis": "guis", "audio_clips": "audio-clips",
}  # fmt: skip


def keys_of(document: Document) -> dict[str, str]:
    """What ``overhaul refs`` knows each thing of a package by, by the path of its file."""
    keys = {}
    for resource in document.tree():
        folder, _, file = resource.path.partition("/")
        if folder in LISTS:
            name = unescape_name(file.removesuffix(".json"))
            keys[resource.path] = f"{folder}/{name}" if name.isdecimal() else name
    return keys


def check(path: Path) -> int:
    """Compare the numbers of users that lists show with what ``refs`` finds; how many."""
    total = 0
    with overhaul.open(path) as document:
        keys = keys_of(document)
        workers = Workers(str(path), document)
        expected = {key: list(uses(workers, key)) for key in keys.values()}
        options = UnpackOptions(whole=False)
        files = {
            file.path: file.read
            for file in plain_files(document, options)
            if file.path.endswith(TEXTS)
        }
        found: dict[str, list[object]] = {key: [] for key in keys.values()}
        for name, match in uses_of_all(document.kind, keys.values(), files):
            found[name].append(match)
        assert found == expected
    with looking_at(path) as client:
        for folder, slug in LISTS.items():
            answer = client.get(f"{GAME}/-/counts/{slug}")
            if answer.status_code == 404:  # there are none
                continue
            counts = answer.json()
            assert f'data-address="{GAME}/-/counts/{slug}"' in (
                client.get(f"{GAME}/{slug}?as=table").text
            )
            rows = client.get(f"{GAME}/{slug}.json").json()["rows"]
            for row in rows[:3]:
                page = client.get(f"{GAME}/-/uses/{slug}/{quote(row['key'])}.json").json()
                assert len(page["uses"]) == counts[row["key"]]
            total += sum(counts.values())
            own = {path: key for path, key in keys.items() if path.startswith(f"{folder}/")}
            users = [
                len({_owner(match.path) for match in expected[key]} - {_owner(path)})
                for path, key in own.items()
            ]
            assert sorted(users) == sorted(counts.values()), slug
    return total


def _owner(path: str) -> str:
    """The thing, script or room that a file is of."""
    parts = path.split("/")
    if parts[0] == "rooms":
        return "/".join(parts[:2]) + ("/script" if parts[2].startswith("script.") else "")
    return path.rpartition(".")[0] if len(parts) > 1 else path


def test_the_column_of_uses_equals_what_refs_finds(tmp_path: Path) -> None:
    path = tmp_path / "small.ags"
    path.write_bytes(package())
    assert check(path) == 8


def test_a_view_is_used_by_the_macro_of_its_number(tmp_path: Path) -> None:
    path = tmp_path / "small.ags"
    path.write_bytes(package())
    overhaul.unpack(path, tmp_path / "game")
    room = tmp_path / "game/rooms/1/script.ash"
    room.write_text("#define VEGO 1\n" + (room.read_text() if room.exists() else ""))
    (tmp_path / "game/scripts/More.asc").write_text("// player.LockView(VEGO);\n")
    found = [match.path for match in uses_in_folder(str(tmp_path / "game"), "vEgo")]
    assert "scripts/More.asc" in found
    assert "rooms/1/script.ash" not in found


@pytest.mark.corpus
def test_the_column_of_uses_in_real_games() -> None:
    found = sorted(corpus_files("ags*/**/*.ags"), key=lambda each: each.stat().st_size)
    for path in found if os.environ.get("OVERHAUL_FULL") else found[:1]:
        check(path)
