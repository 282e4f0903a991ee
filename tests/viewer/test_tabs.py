"""Pages that a window keeps open: what of an address is a tab, and what it is called."""

from __future__ import annotations

from pathlib import Path

import pytest

from overhaul.viewer.tabs import MOST, Tab, tabs_in, title_of
from viewing import looking_at


def test_the_tabs_of_an_address() -> None:
    listed = "/objects/obj_a,/-/form?path=objects/obj_a/object.json&at=/events,/objects/obj_a"
    assert tabs_in(listed, "/objects/obj_a?tabs=x&saved=1") == [
        Tab("/objects/obj_a", "obj_a", True),
        Tab("/-/form?path=objects/obj_a/object.json&at=/events", "obj_a: Fields", False),
    ]
    here = "/-/form?at=%2Fevents&path=objects%2Fobj_a%2Fobject.json&from=100&tabs=x"
    assert [tab.here for tab in tabs_in(listed, here)] == [False, True]
    assert not any(tab.here for tab in tabs_in(listed, "/-/form?path=objects/obj_a/object.json"))


@pytest.mark.parametrize(
    "href",
    [
        "//elsewhere/x",
        "/\\elsewhere",
        "https://elsewhere/",
        "javascript:a()",
        "",
        "x",
        "/a\nb",
        "/a b",
    ],
)
def test_other_addresses_are_no_tabs(href: str) -> None:
    assert tabs_in(f"{href},/rooms/rm_a", "/") == [Tab("/rooms/rm_a", "rm_a", False)]


def test_as_many_tabs_as_there_may_be() -> None:
    listed = ",".join(f"/rooms/rm_{number}" for number in range(100))
    assert [tab.title for tab in tabs_in(listed, "/")] == [f"rm_{n}" for n in range(MOST)]


@pytest.mark.parametrize(
    ("href", "title"),
    [
        ("/", "Game"),
        ("/2/rooms/rm%20one", "rm one"),
        ("/in/room1.crm/rooms/room", "room"),
        ("/-/room/rooms/rm_a", "rm_a: Canvas"),
        ("/1/-/edit/code/gml_a", "gml_a: Edit"),
        ("/-/file?path=notes.txt", "notes.txt: File"),
        ("/-/strings", "Strings"),
        ("/-/strings?q=a/b", "Strings"),
    ],
)
def test_what_tabs_are_called(href: str, title: str) -> None:
    assert title_of(href) == title


def test_a_page_shows_the_tabs_of_its_address(game: Path) -> None:
    with looking_at(game) as client:
        plain = client.get("/objects/obj_keeper").text
        assert 'id="tabs" aria-label="Tabs" hidden' in plain
        listed = "/objects/obj_keeper,/rooms/rm_cave?x=%22%3E%3Cb%3E"
        page = client.get("/objects/obj_keeper", params={"tabs": listed}).text
        assert '<a href="/objects/obj_keeper" aria-current="page">obj_keeper</a>' in page
        assert '<a href="/rooms/rm_cave?x=%22%3E%3Cb%3E" >rm_cave</a>' in page
        shown = client.get("/-/nothing", params={"tabs": listed})
        assert shown.status_code == 404 and ">rm_cave</a>" in shown.text
        both = (client.get("/-/strings.json", params=each).json() for each in ({}, {"tabs": "/a"}))
        assert next(both) == next(both)


@pytest.mark.parametrize(
    "href", ["//elsewhere/", "https://elsewhere/", "javascript:a()", "/-/split?left=/", ""]
)
def test_two_pages_are_pages_of_this_viewer(game: Path, href: str) -> None:
    with looking_at(game) as client:
        asked = {"left": "/objects/obj_keeper", "right": href}
        panes = client.get("/-/split.json", params=asked).json()["panes"]
        assert panes == [
            {"side": "left", "href": "/objects/obj_keeper", "title": "obj_keeper"},
            {"side": "right", "href": "/", "title": "Game"},
        ]
        page = client.get("/-/split", params=asked)
        assert '<iframe name="right" title="Game" src="/"></iframe>' in page.text
        policy = page.headers["content-security-policy"]
        assert "frame-src 'self'; frame-ancestors 'self'" in policy
