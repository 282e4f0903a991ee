"""What is open: addresses of resources, their plain files, and what is kept in memory."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from overhaul.document.protocol import Document, Resource
from overhaul.media.pool import Pool
from overhaul.viewer.listings import listings_of
from overhaul.viewer.opened import Cache, NotThere, Site, anchor_of, plural


def test_kinds_and_names_have_addresses_of_their_own() -> None:
    listings = listings_of(
        [
            Resource("sprite", "a", "sprites/a"),
            Resource("code entry", "a", "code/a.gml"),
            Resource("sprite", "A", "sprites/A%~2"),
            Resource("sprite", "a/b.json", "sprites/x"),
            Resource("texture page", "0", "textures/0.png", 7),
        ]
    )
    assert list(listings) == ["sprites", "code", "texture-pages"]
    assert [listing.title for listing in listings.values()] == ["Sprites", "Code", "Texture pages"]
    assert list(listings["sprites"].entries) == ["a", "A%~2", "a%2Fb%2Ejson"]
    entry = listings["sprites"].entries["a%2Fb%2Ejson"]
    assert (entry.name, entry.position, entry.size) == ("a/b.json", 2, None)
    assert listings["texture-pages"].entries["0"].size == 7


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("sprite", "sprites"), ("dictionary", "dictionaries"), ("display", "displays"),
        ("settings", "settings"), ("code entry", "code"), ("gui", "guis"), ("mask", "masks"),
        ("inventory", "inventory"),
    ],
)  # fmt: skip
def test_plurals(kind: str, expected: str) -> None:
    assert plural(kind) == expected


@pytest.fixture
def site(lantern: Path) -> Site:
    return Site([str(lantern)])


def test_resources_and_their_files_lead_to_each_other(site: Site) -> None:
    (opened,) = site.documents
    sprite = opened.entry("sprites", "spr_keeper")
    paths = [file.path for file in opened.files_of(sprite)]
    assert "sprites/spr_keeper/0.png" in paths
    assert all(path.startswith("sprites/spr_keeper/") for path in paths)
    for path in paths:
        assert opened.entry_at(path) == sprite
    code = opened.entry("code", "gml_Object_obj_keeper_Step_0")
    for ending in (".gml", ".asm"):
        path = f"code/gml_Object_obj_keeper_Step_0{ending}"
        assert opened.entry_at(path) == code
        assert anchor_of(code, path) == "L"
    assert anchor_of(sprite, "sprites/spr_keeper/notes.txt") == "notes.txt-L"
    assert opened.entry_at("nothing/there.txt") is None
    assert opened.find("spr_keeper") == sprite
    assert opened.find("spr_keeper", "object") is None
    assert opened.find("obj_keeper", "object") == opened.entry("objects", "obj_keeper")
    assert opened.find(4) is None
    assert opened.href(sprite, "frames", "a b?.png") == "/sprites/spr_keeper/frames/a%20b%3F.png"
    for slug, key in (("sprites", "x"), ("x", "spr_keeper")):
        with pytest.raises(NotThere):
            opened.entry(slug, key)
    sound = opened.entry("sounds", next(iter(opened.listing("sounds").entries)))
    assert {file.path.rpartition(".")[2] for file in opened.files_of(sound)} >= {"wav"}
    site.close()


def test_what_is_kept_is_bounded_and_used_last() -> None:
    pool = Pool(100)
    cache = Cache(pool)
    made: list[str] = []

    def get(key: str, size: int) -> str:
        def make() -> str:
            made.append(key)
            return key * size

        return cache.get(key, make, len)

    assert get("a", 40) == get("a", 40) == "a" * 40
    get("b", 40)
    get("a", 40)
    get("c", 40)  # b goes
    assert pool.size == 80
    get("a", 40)
    assert made == ["a", "b", "c"]
    get("b", 40)
    assert made == ["a", "b", "c", "b"]
    get("huge", 101)
    assert (len(cache), pool.size) == (2, 80)
    get("full", 25)
    assert pool.size == 100
    other = Cache(pool)
    assert other.get("full", lambda: "mine", len) == "mine"
    assert (len(cache), pool.size) == (0, 4)  # of all caches what was used last is kept
    cache.clear()
    assert (len(cache), len(other), pool.size) == (0, 1, 4)


def test_what_two_threads_make_at_once_is_counted_once() -> None:
    pool = Pool(100)
    cache = Cache(pool)
    both = threading.Barrier(2)

    def make() -> str:
        both.wait(10)
        return "x" * 30

    threads = [threading.Thread(target=cache.get, args=("x", make, len)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(cache), pool.size) == (1, 30)


def test_the_side_is_closed_with_what_it_is_the_side_of(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed: list[object] = []
    kind = type(site.documents[0].document)
    close = kind.close

    def noted(document: Document) -> None:
        closed.append(document)
        close(document)

    monkeypatch.setattr(kind, "close", noted)
    (opened,) = site.documents
    first = opened.side.document
    opened.forget()
    assert closed == [first]
    with opened.borrowed_side() as side:
        second = side.document
        assert second is not first
        opened.forget()
        assert closed == [first]  # a page works on it
        with opened.borrowed_side() as other:
            assert other.document is not second
    assert closed == [first, second]
    third = opened.side.document
    whole = opened.document
    site.close()
    assert closed == [first, second, third, whole]
