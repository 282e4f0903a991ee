"""Every page of a game, and its JSON."""

from __future__ import annotations

import io
import time
from pathlib import Path

import pytest
from PIL import Image
from starlette.responses import Response

import overhaul
from overhaul.ags.documents.package import PackageDocument
from overhaul.ags.library.package import Package
from overhaul.document.registry import folder_format_of, load
from overhaul.errors import FormatError
from overhaul.gamemaker.data.chunks.sprt import Sprite
from overhaul.gamemaker.data.game import GameData
from overhaul.viewer import pages
from overhaul.viewer.answers import Asked, DataPage, Page
from overhaul.viewer.app import Application
from overhaul.viewer.opened import uncapitalised
from overhaul.viewer.pages import generic
from overhaul.viewer.templates import counted
from small_games import game_of
from viewing import HOST, Browser, crawl, looking_at

LANTERN = Path(__file__).resolve().parents[2] / "examples" / "lantern"


def test_every_page_and_feature_is_there() -> None:
    """They are named by their modules, which are loaded when they are asked for."""
    for kind, page in pages.PAGES:
        assert isinstance(load(kind), type), kind
        assert isinstance(load(f"{pages.__name__}.{page}"), Page), page
    for name in pages.FEATURES:
        assert callable(pages.feature(name)), name


def test_every_page_of_the_demo(lantern: Path) -> None:
    with looking_at(lantern) as client:
        counts = crawl(client)
    with overhaul.open(lantern) as game:
        resources = list(game.tree())
    assert counts["text/html"] > len(resources)
    assert counts["image/png"] > sum(r.kind == "sprite" for r in resources)
    assert counts["audio/wav"] == 4  # two sounds, each by two addresses


def test_a_page_shows_its_fields_with_links(lantern: Path) -> None:
    with looking_at(lantern) as client:
        page = client.get("/objects/obj_keeper").text
        assert '<a href="/sprites/spr_keeper">spr_keeper</a>' in page
        assert '<a class="open" href="/code/gml_Object_obj_keeper_Step_0">' in page
        data = client.get("/objects/obj_keeper.json").json()
    assert data["kind"] == "object"
    assert data["fields"]["sprite"] == "spr_keeper"


def test_findings_of_a_game_come_as_json_with_their_fields(lantern: Path, tmp_path: Path) -> None:
    game = GameData.from_bytes(lantern.read_bytes())
    head = game.record("VARI")
    assert head is not None
    unused = next(n for n, variable in enumerate(head.variables) if not variable.occurrences)
    data = bytearray(lantern.read_bytes())
    first_use = game.chunks["VARI"].start + 12 + 20 * unused + 16
    data[first_use : first_use + 4] = (77).to_bytes(4, "little")
    path = tmp_path / "data.win"
    path.write_bytes(data)
    with looking_at(path) as client:
        findings = client.get("/.json").json()["findings"]
        page = client.get("/").text
    assert [finding["path"] for finding in findings] == ["CODE", "VARI", "FUNC"]
    assert {finding["code"] for finding in findings} == {"unusual"}
    assert all(finding["message"] in page for finding in findings)


def test_a_list_is_filtered_and_comes_whole_as_json(lantern: Path) -> None:
    with looking_at(lantern) as client:
        rows = client.get("/code.json").json()["rows"]
        found = client.get("/code.json", params={"filter": "KEEPER"}).json()
        piece = client.get("/sprites?filter=door", headers={"HX-Request": "true"}).text
    with overhaul.open(lantern) as game:
        names = [r.name for r in game.tree() if r.kind == "code entry"]
    assert [row["name"] for row in rows] == names
    assert [row["name"] for row in found["rows"]] == [n for n in names if "keeper" in n]
    assert found["count"] == len(names)
    assert "<html" not in piece
    assert "spr_door" in piece
    assert "spr_keeper" not in piece


def test_what_is_not_there_is_404(lantern: Path) -> None:
    with looking_at(lantern) as client:
        for address in (
            *("/nothing", "/sprites/nothing", "/sprites/spr_keeper/nothing", "/-/nothing"),
            *("/sprites/spr_keeper/files/nothing", "/sprites/spr_keeper/files/../../general.json"),
            *("/in/room1.crm/", "/-/static/x/app.js", "/-/static/app.js", "/2/", "/-/tree/nothing"),
        ):
            assert client.get(address).status_code == 404, address
        assert client.get("/sprites/nothing.json").json()["status"] == 404


def test_a_sprite_without_pictures_has_an_empty_thumbnail(tmp_path: Path) -> None:
    game = game_of("1.4")
    game.records.sprites.append(Sprite(game.strings.add("spr_none")))
    game.save(tmp_path / "data.win")
    with looking_at(tmp_path / "data.win") as client:
        answer = client.get("/sprites/spr_none/thumbnail.png")
        assert answer.status_code == 200
        with Image.open(io.BytesIO(answer.content)) as picture:
            assert picture.convert("RGBA").getpixel((0, 0)) == (0, 0, 0, 0)
        crawl(client)


def test_several_files_stand_beside_each_other(lantern: Path, folder: Path) -> None:
    with looking_at(lantern, folder) as client:
        assert "/2/" in client.get("/").text
        assert client.get("/2/sprites/spr_keeper").status_code == 200
        for address in ("/0/", "/3/", "/sprites", "/1234567890123/", "/²/"):
            assert client.get(address).status_code == 404, address
        counts = crawl(client)
    assert counts["audio/wav"] == 8  # of two games two sounds, each by two addresses


def test_a_file_that_changes_is_reported_and_shown_again(lantern: Path, tmp_path: Path) -> None:
    copy = tmp_path / "game.win"
    copy.write_bytes(lantern.read_bytes())
    with looking_at(copy) as client:
        assert client.get("/-/state.json").json() == {"changed": False, "edition": 0}
        with overhaul.open_game(lantern) as game:
            game.sprites["spr_keeper"].name = "spr_watcher"
            game.save(copy, force=True)
        assert eventually_changed(client)
        assert client.get("/sprites/spr_keeper").status_code == 200
        assert client.get("/-/reload").status_code == 404
        done = client.post("/-/reload", headers={"Origin": str(client.base_url).rstrip("/")})
        assert done.status_code == 200
        assert client.get("/sprites/spr_watcher").status_code == 200
        assert client.get("/sprites/spr_keeper").status_code == 404
        assert client.get("/-/state.json").json() == {"changed": False, "edition": 1}


def test_players_get_the_part_of_a_sound_they_ask_for(lantern: Path) -> None:
    with looking_at(lantern) as client:
        files = client.get("/sounds.json").json()["rows"]
        page = client.get(files[0]["href"] + ".json").json()
        address = page["audio"]
        whole = client.get(address)
        assert whole.headers["accept-ranges"] == "bytes"
        size = len(whole.content)
        for asked, start, end in (
            ("bytes=0-", 0, size), ("bytes=10-19", 10, 20), (f"bytes={size - 1}-", size - 1, size),
            ("bytes=-7", size - 7, size), (f"bytes=5-{size + 9}", 5, size),
            (f"bytes=-{size + 1}", 0, size),
        ):  # fmt: skip
            part = client.get(address, headers={"Range": asked})
            assert part.status_code == 206
            assert part.content == whole.content[start:end]
            assert part.headers["content-range"] == f"bytes {start}-{end - 1}/{size}"
        for asked in (f"bytes={size}-", "bytes=9-3", "bytes=-0"):
            refused = client.get(address, headers={"Range": asked})
            assert refused.status_code == 416
            assert refused.headers["content-range"] == f"bytes */{size}"
        for asked in ("bytes=-", "bytes=1-2,5-6", "x", "bytes=a-b"):
            assert client.get(address, headers={"Range": asked}).content == whole.content
        tag = whole.headers["etag"]
        assert client.get(address, headers={"If-None-Match": tag}).status_code == 304
        other = {"Range": "bytes=0-3", "If-Range": '"another"'}
        assert client.get(address, headers=other).status_code == 200


def test_a_file_that_is_cut_short_is_still_shown(lantern: Path, tmp_path: Path) -> None:
    copy = tmp_path / "game.win"
    copy.write_bytes(lantern.read_bytes())
    with looking_at(copy) as client:
        with copy.open("r+b") as file:  # in place: what was mapped would be gone
            file.truncate(100)
        assert client.get("/code/gml_Object_obj_keeper_Step_0").status_code == 200
        assert client.get("/sprites/spr_wall/thumbnail.png").status_code == 200
        assert eventually_changed(client)
        refused = client.post("/-/reload", headers={"Origin": HOST})
        assert refused.status_code == 422
        assert client.get("/objects/obj_keeper").status_code == 200
        copy.unlink()
        assert client.get("/-/state.json").status_code == 200


def test_an_edit_in_a_folder_is_reported(folder: Path) -> None:
    with looking_at(folder) as client:
        assert client.get("/-/state.json").json()["changed"] is False
        source = folder / "code/gml_Object_obj_keeper_Create_0.gml"
        source.write_text(source.read_text() + "\nhp_of_a_test = 4;\n")
        assert eventually_changed(client)
        client.post("/-/reload", headers={"Origin": HOST})
        assert "hp_of_a_test" in client.get("/code/gml_Object_obj_keeper_Create_0").text


def eventually_changed(client: Browser) -> bool:
    """Whether the viewer notices within some seconds that a file changed."""
    end = time.monotonic() + 20
    while time.monotonic() < end:
        if client.get("/-/state.json").json()["changed"]:
            return True
        time.sleep(0.05)
    return False


def test_files_in_a_package_are_opened(tmp_path: Path) -> None:
    park = tmp_path / "park.ags"
    overhaul.pack(LANTERN.parent / "ags/park", park)
    document = folder_format_of("ags-package").empty({"version": "21"})
    assert isinstance(document, PackageDocument)
    document.package.add("game28.dta", Package.read(park.read_bytes())["game28.dta"].read())
    document.package.add("other.bin", b"nothing that is known")
    document.save(tmp_path / "game.ags")
    with looking_at(tmp_path / "game.ags") as client:
        page = client.get("/assets/game28.dta.json").json()
        assert page["inside"] == "/in/game28.dta/"
        assert client.get("/assets/other.bin.json").json()["inside"] == ""
        assert client.get("/in/other.bin/").status_code == 422
        assert client.get("/in/missing/").status_code == 404
        characters = client.get("/in/game28.dta/characters.json").json()["rows"]
        assert characters[0]["href"].startswith("/in/game28.dta/characters/")
        first = client.get(characters[0]["href"] + ".json").json()
        assert first["name"] == characters[0]["name"]
        counts = crawl(client)
        # one search for all that is in the package
        index = client.site.documents[0].index
        index.start()
        index.wait(120)
        groups = client.get("/-/search.json", params={"q": first["name"]}).json()["groups"]
        found = {group["title"]: group["results"][0]["href"] for group in groups}
        assert found["Characters"] == characters[0]["href"]
        assert found["Fields"].startswith("/in/game28.dta/")
    assert counts["text/html"] > 10


@pytest.mark.parametrize("address", ["/sprites", "/objects/obj_keeper", "/-/search?q=keeper"])
def test_pages_are_whole_without_javascript(lantern: Path, address: str) -> None:
    with looking_at(lantern) as client:
        assert "obj_keeper" in client.get(address).text or "spr_keeper" in client.get(address).text


def test_strings_are_a_table_counted_as_code_counts_them(
    lantern: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(generic, "ROWS", 10)
    path = tmp_path / "texts.win"
    with overhaul.open_game(lantern) as game:
        game.strings.add("two\nlines, <b>")
        game.strings.add("long" * 50_000)  # longer than CSV has it by default
        game.save(path)
    with overhaul.open_game(path) as game:
        strings = [str(string) for string in game.strings]
    with looking_at(path) as client:
        (file,) = client.get("/tables/strings.json").json()["files"]
        first = client.get("/tables/strings").text
        last = client.get(f"/tables/strings?row={len(strings) - 1}").text
        beyond = client.get("/tables/strings?row=99999999").text
    assert file["columns"][:2] == ["index", "text"]
    assert [row[1] for row in file["rows"]] == strings
    assert [row[0] for row in file["rows"]] == [str(n) for n in range(len(strings))]
    assert {len(row) for row in file["rows"]} == {len(file["columns"])}
    assert first.count('<tr id="row') == 10
    assert '<tr id="row9"><td>9</td>' in first
    assert f"0 to 9 of {len(strings)}" in first
    assert '?row=10">After' in first
    assert ">Before</a>" not in first
    assert "two\nlines, &lt;b&gt;" in last + first
    assert f'<tr id="row{len(strings) - 1}">' in last
    assert ">After</a>" not in last
    assert beyond.count("<tr id") == last.count("<tr id")


def test_kinds_are_called_as_people_call_them(lantern: Path, tmp_path: Path) -> None:
    path = tmp_path / "words.win"
    with overhaul.open_game(lantern) as game:
        new = game.release.major >= 2
        game.backgrounds.add("bg_wall", Image.new("RGBA", (32, 32), "red"))
        game.objects["obj_keeper"].events.add("Keyboard_37", "x -= 1;")
        game.save(path)
        fonts = len(game.fonts)
    assert fonts < 2
    with looking_at(path) as client:
        front = client.get("/").text
        page = client.get("/backgrounds/bg_wall").text
        listing = client.get("/backgrounds").text
        event = client.get("/objects/obj_keeper.json").json()["events"]
        keeper = client.get("/objects/obj_keeper").text
        code = client.get("/code/gml_Object_obj_keeper_Keyboard_37").text
        tree = client.get("/-/tree/backgrounds").text
    assert ("<b>1</b> Tile set</a>" if new else "<b>1</b> Background</a>") in front
    assert f'<p class="lead">{"Tile set" if new else "Background"}' in page
    assert f"<h1>{'Tile sets' if new else 'Backgrounds'} <" in listing
    assert f"All {'tile sets' if new else 'backgrounds'}</a>" in tree
    assert {each["name"]: each["title"] for each in event}["Keyboard_37"] == "Keyboard: left"
    assert '<a href="#event-Keyboard_37">Keyboard: left</a>' in keeper
    assert "obj_keeper</a>, Keyboard: left" in code


@pytest.mark.parametrize(
    ("number", "noun", "words"),
    [(1, "sprite", "1 sprite"), (0, "sprite", "0 sprites"), (2, "more file", "2 more files")],
)
def test_one_is_no_plural(number: int, noun: str, words: str) -> None:
    assert counted(number, noun) == words


@pytest.mark.parametrize(
    ("title", "inside"), [("GUIs", "GUIs"), ("Tile sets", "tile sets"), ("Code", "code")]
)
def test_titles_inside_a_sentence(title: str, inside: str) -> None:
    assert uncapitalised(title) == inside


def test_a_file_that_no_page_can_frame_is_reported_as_text(
    game: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(self: Application, asked: Asked, shown: DataPage) -> Response:
        raise FormatError("it ends early")

    with looking_at(game) as client:
        monkeypatch.setattr(Application, "_html", broken)
        answer = client.get("/sprites")
    assert (answer.status_code, answer.text) == (422, "it ends early\n")
    assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
