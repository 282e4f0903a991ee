"""The search: what an index holds, what is found in it, and how it is kept."""

from __future__ import annotations

import os
import re
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

import overhaul
from overhaul.document import caches
from overhaul.viewer import index, indexing
from overhaul.viewer.index import Index
from overhaul.viewer.matching import Hit, Hits, Query, find, parse
from viewing import looking_at


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """An index of a few texts."""
    path = tmp_path_factory.mktemp("index") / "small"
    with closing(sqlite3.connect(path)) as index:
        index.executescript(indexing._TABLES)
        index.execute("INSERT INTO names VALUES ('spr_hero', 'Sprites', '/sprites/spr_hero', '')")
        rows = [
            (0, "Code", "/code/a", "L", "code/a.gml", "hero = 1;\nHERO_2 += hero;\n\nend"),
            (1, "Texts", "/tables/strings", "L", "strings.csv", "Über uns\nÜBER\n100%_sure\\"),
            (2, "Fields", "/objects/o", "", "objects/o.json", '{"sprite": "spr_hero"}'),
            (0, "Code", "/code/b", "L", "code/b.gml", "x" * 500 + "needle" + "y" * 500),
        ]
        insert = "INSERT INTO files (rank, kind, href, anchor, path, text) VALUES (?,?,?,?,?,?)"
        index.executemany(insert, rows)
        index.commit()
    yield path


def shown(hits: Hits | None) -> list[tuple[str, str, str]]:
    assert hits is not None
    return [(hit.group, hit.href, hit.before + hit.found + hit.after) for hit in hits.hits]


def test_a_text_is_found_in_names_and_lines(small: Path) -> None:
    hits = find(small, Query("hero"), 10)
    assert shown(hits) == [
        ("Sprites", "/sprites/spr_hero", "spr_hero"),
        ("Code", "/code/a#L1", "hero = 1;"),
        ("Code", "/code/a#L2", "HERO_2 += hero;"),
        ("Fields", "/objects/o#fields", '{"sprite": "spr_hero"}'),
    ]
    assert hits.counts == {"Sprites": 1, "Code": 2, "Fields": 1}
    assert hits.whole
    assert hits.hits[1] == Hit("Code", "/code/a#L1", "code/a.gml:1", "", "hero", " = 1;")


@pytest.mark.parametrize("indexed", [False, True])
def test_words_are_found_in_any_order(tmp_path: Path, indexed: bool) -> None:
    path = tmp_path / "words"
    with closing(sqlite3.connect(path)) as index:
        index.executescript(indexing._TABLES)
        names = ("gml_Object_oPlayer_Step_0", "oPlayer", "oPlayerTwo_Step", "oDoor_Step")
        index.executemany("INSERT INTO names VALUES (?, 'Code', ?, '')", [(n, n) for n in names])
        rows = [
            (0, "Code", "/a", "L", "code/oPlayer_Step.gml", "x = 1;\nif (hp < 3) die();"),
            (0, "Code", "/b", "L", "code/other.gml", "hp = 1;\n\ndie(Player);\nPLAYER.hp -= 1;"),
            (0, "Code", "/c", "L", "code/third.gml", "player = 1;\nhp = player;\nhp();"),
            (0, "Code", "/d", "L", "code/fourth.gml", "player = 1;"),
        ]
        insert = "INSERT INTO files (rank, kind, href, anchor, path, text) VALUES (?,?,?,?,?,?)"
        index.executemany(insert, rows)
        if indexed:
            index.executescript(f"{indexing._GRAMS}; INSERT INTO grams(grams) VALUES ('rebuild');")
        index.commit()
    assert shown(find(path, Query("Step oplayer"), 10)) == [
        ("Code", "oPlayerTwo_Step", "oPlayerTwo_Step"),
        ("Code", "gml_Object_oPlayer_Step_0", "gml_Object_oPlayer_Step_0"),
    ]
    assert shown(find(path, Query("player hp"), 10)) == [
        ("Code", "/a#L2", "if (hp < 3) die();"),
        ("Code", "/b#L4", "PLAYER.hp -= 1;"),
        ("Code", "/c#L2", "hp = player;"),
    ]
    # one by one in different lines: the first line that has the longest of them
    assert shown(find(path, Query("third hp 1"), 10)) == [("Code", "/c#L2", "hp = player;")]
    assert shown(find(path, Query("hp = player"), 10))[0] == ("Code", "/c#L2", "hp = player;")
    assert shown(find(path, Query("player nothing"), 10)) == []
    assert find(path, Query("Step oplayer"), 1).counts == {"Code": 2}


def test_the_nearest_name_is_first(tmp_path: Path) -> None:
    path = tmp_path / "index"
    with closing(sqlite3.connect(path)) as index:
        index.executescript(indexing._TABLES)
        names = ["o_hero", "hero_2", "Hero", "herb", "hero", "a hero"]
        rows = [(name, "Sprites", f"/sprites/{name}", "") for name in names]
        index.executemany("INSERT INTO names VALUES (?, ?, ?, ?)", rows)
        index.execute("INSERT INTO names VALUES ('hero', 'Objects', '/objects/hero', '')")
        index.commit()
    hits = find(path, Query("hero"), 10)
    found = [href for _, href, _ in shown(hits)]
    assert found == [
        *("/sprites/hero", "/objects/hero", "/sprites/Hero", "/sprites/hero_2"),
        *("/sprites/o_hero", "/sprites/a hero"),
    ]
    assert list(hits.counts) == ["Sprites", "Objects"]
    assert [href for _, href, _ in shown(find(path, Query("hero"), 1))] == found[:2]
    assert shown(find(path, Query("her[ob]", "regex"), 10))[0][1] == "/sprites/Hero"
    assert shown(find(path, Query("her[ob]$", "regex"), 2))[0][1] == "/sprites/Hero"


def test_the_nearest_name_is_first_while_there_is_no_index(
    lantern: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Index, "search", lambda *given: None)
    path = tmp_path / "named.win"
    with overhaul.open_game(lantern) as game:
        game.objects.add("obj_door_open")
        game.objects.rename("obj_door", "door_obj_door")
        game.objects.add("obj_door")
        game.save(path)
    with looking_at(path) as client:
        found = client.get("/-/search.json?q=obj_door").json()["groups"]
        names = client.get("/-/names.json?q=OBJ_door").json()["kinds"]
    order = ["obj_door", "obj_door_open", "door_obj_door"]
    objects = next(each for each in found if each["title"] == "Objects")
    assert [each["href"] for each in objects["results"]] == [f"/objects/{name}" for name in order]
    assert found[0] is objects
    objects = next(each for each in names if each["title"] == "Objects")
    assert [each["text"] for each in objects["names"]] == order


def test_strings_are_found_by_their_numbers(tmp_path: Path) -> None:
    path = tmp_path / "index"
    with closing(sqlite3.connect(path)) as index:
        index.executescript(indexing._TABLES)
        row = (1, "Texts", "/tables/strings", "row", "strings.csv", "\nHello\n")
        insert = "INSERT INTO files (rank, kind, href, anchor, path, text) VALUES (?,?,?,?,?,?)"
        index.execute(insert, row)
        index.commit()
    (hit,) = find(path, Query("hello"), 10).hits
    assert (hit.href, hit.where) == ("/tables/strings?row=1#row1", "string 1")


def test_a_limit_is_of_each_group_and_all_are_counted(small: Path) -> None:
    hits = find(small, Query("hero"), 1)
    assert [hit.group for hit in hits.hits] == ["Sprites", "Code", "Fields"]
    assert hits.counts["Code"] == 2


@pytest.mark.parametrize(
    ("query", "lines"),
    [
        (Query("hero", "word"), ["/code/a#L1", "/code/a#L2"]),
        (Query("spr_hero", "word"), ["/sprites/spr_hero", "/objects/o#fields"]),
        (Query("über"), ["/tables/strings#L1", "/tables/strings#L2"]),
        (Query("%_"), ["/tables/strings#L3"]),
        (Query("sure\\"), ["/tables/strings#L3"]),
        (Query("0%_s"), ["/tables/strings#L3"]),
        (Query("00%"), ["/tables/strings#L3"]),
        (Query("h.ro"), []),
        (Query("^h.ro", "regex"), ["/code/a#L1", "/code/a#L2"]),
        (Query(r"\d;$", "regex"), ["/code/a#L1"]),
        (Query(r"1;\s+HERO", "regex"), []),
    ],
)
def test_ways_to_search(small: Path, query: Query, lines: list[str]) -> None:
    assert [hit.href for hit in find(small, query, 10).hits] == lines


@pytest.mark.parametrize("grams", [True, False])
def test_an_index_of_parts_of_words_changes_nothing(
    small: Path, tmp_path: Path, grams: bool
) -> None:
    path = tmp_path / "index"
    path.write_bytes(small.read_bytes())
    with closing(sqlite3.connect(path)) as index:
        if grams:
            assert indexing._has_grams(index)
            index.execute("INSERT INTO grams (rowid, text) SELECT id, text FROM files")
            index.commit()
    for text in ("hero", "HERO_2", "100%", "0%_sure", "sure\\", "über", "e", "pr_h", "1;"):
        assert find(path, Query(text), 9) == find(small, Query(text), 9)


def test_long_lines_are_cut_around_what_was_found(small: Path) -> None:
    (hit,) = find(small, Query("needle"), 10).hits
    assert hit.found == "needle"
    assert hit.before == "…" + "x" * 60
    assert hit.after == "y" * 140 + "…"


def test_a_regular_expression_that_takes_for_ever_is_ended(small: Path) -> None:
    started = time.monotonic()
    hits = find(small, Query(r"hero|(x+x+)+z", "regex"), 10, patience=1)
    assert time.monotonic() - started < 30
    assert not hits.whole
    assert [hit.group for hit in hits.hits][:1] == ["Sprites"]


@pytest.mark.parametrize("text", ["(", "*", "a{99999999999}", "(?P<", "[z-a]"])
def test_what_is_no_regular_expression_is_reported(small: Path, text: str) -> None:
    with pytest.raises(ValueError, match="not a regular expression"):
        find(small, Query(text, "regex"), 10)


def test_what_people_type() -> None:
    assert parse("  a b ") == Query("a b")
    assert parse('"ab"') == Query("ab", "word")
    assert parse("/a.b/") == Query("a.b", "regex")
    assert parse("//") == Query("//")
    assert parse('"') == Query('"')
    assert parse("/a/", "word") == Query("/a/", "word")
    assert parse("a.b", "regex") == Query("a.b", "regex")
    assert len(parse("x" * 5000).text) == 500


def test_the_whole_game_is_found(lantern: Path, cache: Path) -> None:
    with overhaul.open_game(lantern) as game:
        number = next(n for n, text in enumerate(game.strings) if text.startswith("Fireflies:"))
    with looking_at(lantern) as client:
        first = client.get("/-/search.json?q=keeper").json()
        assert first["state"] == "building"
        assert {group["title"] for group in first["groups"]} == {"Sprites", "Objects", "Code"}
        assert 'hx-trigger="load delay:1s"' in client.get("/-/search?q=keeper").text
        index = client.site.documents[0].index
        index.wait(120)
        assert index.state == "ready", index.reason
        assert index.done == index.total > 20
        found = client.get("/-/search.json?q=fireflies: ").json()
        groups = {group["title"]: group["results"] for group in found["groups"]}
        line = groups["Lines of code"][0]
        assert line["href"].startswith("/code/gml_Object_obj_keeper_Draw_0#L")
        page = client.get(line["href"]).text
        assert f' id="{line["href"].partition("#")[2]}"' in page
        assert [each["found"] + each["after"] for each in groups["Texts"]] == ["Fireflies:"]
        (text,) = groups["Texts"]
        assert text["where"] == f"string {number}"
        assert text["href"] == f"/tables/strings?row={number}#row{number}"
        row = client.get(text["href"]).text.partition(f'<tr id="row{number}">')[2]
        assert row.startswith(f"<td>{number}</td><td>Fireflies:")
        assert client.get("/-/search.json?q=(&how=regex").json()["error"] != ""
        brief = client.get("/-/search?q=e&brief=1", headers={"HX-Request": "true"}).text
        assert brief.count("<mark>") <= 8 * brief.count("<section")
        assert 'href="/-/search?q=e' in brief
    # the second time it is there at once
    assert len(list(cache.glob("*.index"))) == 1
    again = Index(str(lantern))
    again.start()
    again.wait(60)
    assert again.state == "ready"
    assert again.total == 0


def test_of_the_strings_only_texts_are_searched() -> None:
    table = 'index,text,kind\n0,draw_text,built-in\n1,"two\nlines"\n2,last,\n3,spr_a\n'
    assert indexing._texts_alone(table, {"spr_a"}) == "\ntwo lines\nlast\n"


def test_a_file_that_can_not_be_read_is_reported(tmp_path: Path, cache: Path) -> None:
    path = tmp_path / "data.win"
    path.write_bytes(b"FORM\0\0\0\0")
    index = Index(str(path))
    index.start()
    index.wait(60)
    assert index.state == "failed"
    assert "no GameMaker chunk follows" in index.reason
    assert index.search(Query("x"), 1) is None
    assert list(cache.iterdir()) == []


def test_closing_ends_the_program_that_makes_an_index(lantern: Path, cache: Path) -> None:
    index = Index(str(lantern))
    index.start()
    while index._process is None and index.state == "building":
        time.sleep(0.01)
    index.close()
    assert index.state == "failed"
    assert list(cache.iterdir()) == []
    index = Index(str(lantern))
    index.close()
    index.start()
    assert index.state == "new"


def test_indexes_take_a_bounded_room(cache: Path) -> None:
    folder = caches.cache_folder()
    for number, name in enumerate(("old", "used", "new")):
        path = folder / f"{name}.index"
        path.write_bytes(bytes(100))
        os.utime(path, (number, number))
    (folder / "other.txt").write_bytes(bytes(1000))
    index.touch(folder / "old.index")
    index.make_room(250)
    assert sorted(path.name for path in folder.iterdir()) == ["new.index", "old.index", "other.txt"]
    index.make_room(200)
    assert len(list(folder.iterdir())) == 3


def test_an_index_is_of_the_content(tmp_path: Path, cache: Path) -> None:
    one, two = tmp_path / "one.win", tmp_path / "two.win"
    one.write_bytes(b"x" * (3 << 20))
    two.write_bytes(b"x" * (3 << 20))
    assert index.index_path(str(one)) == index.index_path(str(two))
    assert re.fullmatch(r"[0-9a-f]{64}\.index", index.index_path(str(one)).name)
    with two.open("r+b") as file:
        file.seek(2 << 20)
        file.write(b"y")
    assert index.index_path(str(one)) != index.index_path(str(two))
    assert index.index_path(f"{one}!a") != index.index_path(f"{one}!b")
    folder = tmp_path / "folder"
    (folder / "code").mkdir(parents=True)
    (folder / "code/a.gml").write_text("x")
    before = index.index_path(str(folder))
    assert before == index.index_path(str(folder))
    os.utime(folder / "code/a.gml", (1, 1))
    assert before != index.index_path(str(folder))
