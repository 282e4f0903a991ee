"""The bytes of resources and of the file, with their fields."""

from __future__ import annotations

from pathlib import Path

import overhaul
from ags_package import package
from overhaul.document.stored import ShowsBytes
from overhaul.viewer.pages.stored import FIELDS, PAGE
from stored_bytes import breaches
from viewing import looking_at


def test_every_byte_of_a_resource_is_a_field_or_padding(lantern: Path) -> None:
    with overhaul.open(lantern) as game:
        assert isinstance(game, ShowsBytes)
        assert breaches(game) == []


def test_a_sprite_shows_its_fields(lantern: Path) -> None:
    with overhaul.open_game(lantern) as game:
        sprite = game.records.sprites["spr_keeper"]
    with looking_at(lantern) as client:
        assert "/-/bytes/sprites/spr_keeper" in client.get("/sprites/spr_keeper").text
        page = client.get("/-/bytes/sprites/spr_keeper.json").json()
        text = client.get("/-/bytes/sprites/spr_keeper").text
    fields = {field["path"]: field for field in page["fields"]}
    assert fields["name"]["value"] == "'spr_keeper'"
    assert fields["width"]["value"] == str(sprite.width)
    place = int(fields["width"]["place"], 16)
    data = lantern.read_bytes()
    assert int.from_bytes(data[place : place + 4], "little") == sprite.width
    first = page["rows"][0]
    shown = bytes.fromhex("".join(run["hex"] for run in first["runs"]))
    start = int(first["place"], 16)
    assert shown == data[start : start + len(shown)]
    assert "spr_keeper" in text


def test_the_file_is_shown_by_its_chunks_a_page_at_a_time(lantern: Path) -> None:
    with looking_at(lantern) as client:
        page = client.get("/-/bytes.json").json()
        assert page["parts"][0]["text"] == "GEN8"
        texts = next(n for n, part in enumerate(page["parts"]) if part["text"] == "STRG")
        data, address = bytearray(), f"/-/bytes.json?part={texts}"
        pages = 0
        while address:
            page = client.get(address).json()
            for row in page["rows"]:
                data += bytes.fromhex("".join(run["hex"] for run in row["runs"]))
            assert len(page["fields"]) <= FIELDS
            assert (
                sum(len(run["hex"].split()) for row in page["rows"] for run in row["runs"]) <= PAGE
            )
            address = page["after"].replace("/-/bytes?", "/-/bytes.json?")
            pages += 1
        assert pages == -(-page["size"] // PAGE)
        assert len(data) == page["size"]
        for wrong in ("sprites/nothing", "nothing/at", "sprites"):
            assert client.get(f"/-/bytes/{wrong}").status_code == 404, wrong
        assert client.get("/-/bytes?part=99999&from=99999999").status_code == 200


def test_code_shows_its_instructions(lantern: Path) -> None:
    with looking_at(lantern) as client:
        code = client.get("/code.json").json()["rows"][0]
        page = client.get(f"/-/bytes{code['href']}.json?part=1").json()
    assert page["parts"][1]["text"] == "instructions"
    assert page["fields"][0]["path"] == "+0"
    assert all(field["size"] % 4 == 0 for field in page["fields"])


def test_pictures_of_a_room_show_their_bytes(tmp_path: Path) -> None:
    path = tmp_path / "small.ags"
    path.write_bytes(package())
    with overhaul.open(f"{path}!room1.crm") as room:
        assert isinstance(room, ShowsBytes)
        assert breaches(room) == []
    with looking_at(path) as client:
        base = "/in/room1.crm/-/bytes"
        for place, field in (
            ("backgrounds/0", "background"), ("backgrounds/1", "frames"),
            ("masks/hotspot", "hotspot mask"), ("scripts/room1.asc", "block 7 compiled script"),
        ):  # fmt: skip
            page = client.get(f"{base}/{place}.json").json()
            assert page["title"] == field
            assert page["size"] > 0 < len(page["fields"])
        assert f'href="{base}/masks/region"' in client.get("/in/room1.crm/masks/region").text
