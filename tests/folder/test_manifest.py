"""Manifests are read at once; mistakes in one are found value by value."""

from __future__ import annotations

import hashlib

import pytest

from overhaul.errors import WorkspaceError
from overhaul.folder.manifest import KeptFile, Manifest, ManifestEntry

DIGEST = "ab" * 32
ENTRIES = [
    ManifestEntry("code/a.gml", "code/a.gml", 5, DIGEST),
    ManifestEntry("code/con.gml", "code/con_.gml", 0, DIGEST, "CODE[con]", "a note", "cd" * 32),
    ManifestEntry("sprites/\u00e4/0.png", "sprites/\u00e4/0.png", 1 << 40, DIGEST),
]


def manifest(entries: list[ManifestEntry]) -> Manifest:
    kept = [KeptFile("data.win", 10, DIGEST), KeptFile("audiogroup1.dat", 3, DIGEST)]
    return Manifest("gamemaker-data", kept[0], kept[1:], {"version": "2.3"}, entries)


def contents(read: Manifest) -> tuple[object, ...]:
    return read.kind, read.original, read.companions, read.settings, read.entries


def with_check(body: bytes) -> bytes:
    return body + f'"check": "{hashlib.sha256(body).hexdigest()}"\n}}\n'.encode()


@pytest.mark.parametrize("line_end", [b"\n", b"\r\n"])
def test_a_sound_manifest_is_read_at_once(monkeypatch: pytest.MonkeyPatch, line_end: bytes) -> None:
    made = manifest(ENTRIES)
    data = made.to_bytes()
    assert contents(Manifest._from_json(data)) == contents(made)
    monkeypatch.delattr(Manifest, "_from_json")
    read = Manifest.from_bytes(data.replace(b"\n", line_end))
    assert contents(read) == contents(made)
    assert read.to_bytes() == data


def test_a_name_that_is_no_text_is_read_too() -> None:
    made = manifest([ManifestEntry("code/\udcff.gml", "code/%FF.gml", 5, DIGEST)])
    assert contents(Manifest.from_bytes(made.to_bytes())) == contents(made)


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("code/a.gml", "code/../../a.gml", "names the unsafe path"),
        ("code/a.gml", "/a.gml", "names the unsafe path"),
        ("data.win", "../data.win", "names a kept file '../data.win'"),
        ("data.win", "z/data.win", "names a kept file"),
        ("data.win", "/data.win", "names a kept file"),
        ("data.win", "..", "names a kept file"),
        ("data.win", ".", "names a kept file"),
        ("code/a.gml", "code/aux.gml", "names the unsafe path"),
        ("code/a.gml", "con/a.gml", "names the unsafe path"),
        ('"size": 5', '"size": -5', "can't be read"),
        ('"size": 5', '"size": "5"', "can't be read"),
        ('"size": 5, ', "", "can't be read"),
        (DIGEST, DIGEST[1:], "SHA-256"),
        (DIGEST, DIGEST.upper(), "SHA-256"),
        ('"cdcd', '"c cd', "SHA-256"),
        ('"format": 1', '"format": 99', "has layout 99"),
        ('"kind"', '"size"', "can't be read"),
        ('"files": [', '"files": [[],', "can't be read"),
    ],
)
def test_what_is_wrong_in_a_manifest_is_named(before: str, after: str, message: str) -> None:
    body = manifest(ENTRIES).to_bytes().rpartition(b'"check"')[0].decode()
    assert before in body
    with pytest.raises(WorkspaceError, match=message):
        Manifest.from_bytes(with_check(body.replace(before, after, 1).encode()))
