"""Hostile requests: nothing but answers that say what is wrong.

A few hundred at random, the same ones each time; with OVERHAUL_FULL=1 five thousand.
"""

from __future__ import annotations

import json
import os
import random
from collections import Counter
from pathlib import Path
from urllib.parse import quote, urlencode

import httpx2

import overhaul
from ags_scripted import package_with_variables
from furnished import furnish
from handmade_project import project_file
from overhaul.viewer.pages import FEATURES
from viewing import HOST, Browser, looking_at

COUNT = 5000 if os.environ.get("OVERHAUL_FULL") == "1" else 400
TEXTS = [
    "", " ", "0", "-1", "1e999", "nan", "x" * 3000, "\0", "\ud83d\ude00"[:0] + "😀", "../..", "..",
    "/etc/passwd", "C:\\x", "%2e%2e%2f", "<script>alert(1)</script>", "'\"><b>", "{{7*7}}", "\r\n",
    "[" * 2000, '{"a":' * 900,
    "[" * 400 + "]" * 400, '{"a":' * 300 + "1" + "}" * 300, "null", "true",
    '{"a": 1, "a": 2}', "9" * 400, "\u202e\u0000",
    "spr_keeper", "obj_keeper", "rm_cave", "objects/obj_keeper/object.json", "strings.csv",
    "rooms/rm_cave.json", "/instances/0", "/instances/0/x", "/~2", "/", "overhaul.toml",
    "order.json", "general.json", "sprites/spr_keeper/0.png", "gml_Object_obj_keeper_Create_0",
    "-", "con", "nul.txt", "a/b", "a\\b", "save", "remove", "rename", "add:/instances",
    "remove:hasKey", "add:/tracks/0/keyframes/frames", "remove:/instances/0", "up:/0",
    "duplicate:", "f:/x", "1 0", "0 0 0", "2", "1",
    '[{"op":"set","path":"rooms/rm_cave.json","at":"/instances/0","x":1e9}]',
    '[{"op":"add","path":"rooms/rm_cave.json","to":"/instances","fields":{"object":"nothing"}}]',
    '[{"op":"remove","path":"rooms/rm_cave.json","at":"/instances/-1"}]', "{}",
    "event", "Step_0", "Collision_obj_door", "duplicate", "replace", "a_strip9.png",
]  # fmt: skip
KEYS = [
    "path", "at", "from", "to", "name", "do", "q", "by", "replace", "case", "word", "only", "kind",
    "before", "text", "ops", "order", "sure", "accept", "rewrite", "slug", "key", "file", "size",
    "chars", "as", "back", "source", "raw", "f:/visible", "f:/depth", "f:/sprite", "t:/visible",
    "k:/visible", "f:", "f:x", "t:/events", "r:0", "r:1", "r:x", "everything", "saved",
    "type:hasKey", "value:hasKey", "value:title", "type", "value",
    "n:/tracks/0/keyframes/frames",
]  # fmt: skip
PLACES = [
    "", "/sprites/spr_keeper", "/objects/obj_keeper", "/rooms/rm_cave", "/code/nothing", "/x/y",
    "/code/gml_Object_obj_keeper_Create_0", "/paths/pth_round", "/fonts/fnt_main", "/sounds",
    "/views/vEgo", "/sequences/seq_walk", "/masks/region", "/backgrounds/0",
    "/game", "/mod", "/changes", "/changes/change/0", "/changes/old/x", "//", "/../..", "/%00",
]  # fmt: skip


def asked(client: Browser, chance: random.Random, prefix: str) -> tuple[str, int, str]:
    """One request at random: what was asked, and the answer."""
    pick = chance.choice
    feature = pick([*sorted(FEATURES), "nothing", "form", "whole", "room", "strings", "frames"])
    address = f"{prefix}/-/{feature}{pick(PLACES)}{pick(['', '', '.json'])}"
    query = urlencode(
        [(pick(KEYS), pick(TEXTS)) for _ in range(chance.randrange(4))], errors="replace"
    )
    address = quote(address, safe="/%.") + (f"?{query}" if query else "")
    if chance.random() < 0.35:
        answer = client.get(address[:7000])
        return f"GET {address}", answer.status_code, shown(answer)
    fields = [(pick(KEYS), pick(TEXTS)) for _ in range(chance.randrange(7))]
    if chance.random() < 0.5:
        fields.append(("before", digest(client, pick(TEXTS))))
    body: bytes = urlencode(fields, errors="replace").encode()
    if chance.random() < 0.25:
        png, gif = b"\x89PNG\r\n\x1a\n", b"GIF89a"
        noise = chance.randbytes(80)
        body = pick([noise, png + noise, gif + noise, json.dumps(fields).encode()])
    headers = {"Origin": HOST, "Content-Type": "application/x-www-form-urlencoded"}
    answer = client.post(address[:7000], content=body, headers=headers)
    return f"POST {address} {body[:200]!r}", answer.status_code, shown(answer)


def shown(answer: httpx2.Response) -> str:
    """The beginning of an answer; of JSON, whose texts are no markup, without angle brackets."""
    text = answer.text[:2000]
    is_json = answer.headers["content-type"].startswith("application/json")
    return text.replace("<", "") if is_json else text


def digest(client: Browser, path: str) -> str:
    """The digest that a good form of a file would have."""
    answer = client.get("/-/file.json", params={"path": path})
    return str(answer.json().get("before", "")) if answer.status_code == 200 else ""


def bombard(client: Browser, seed: int, count: int, prefix: str = "") -> Counter[int]:
    chance = random.Random(seed)
    answers: Counter[int] = Counter()
    wrong = []
    for _ in range(count):
        said, status, text = asked(client, chance, prefix)
        answers[status] += 1
        if status >= 500 or "Traceback" in text or "<script>alert" in text:
            wrong.append((said[:600], status, text[-600:]))
    assert wrong == [], f"{len(wrong)} of {count}, the first: {wrong[0]}"
    return answers


def test_a_game_stands_hostile_requests(lantern: Path, tmp_path: Path) -> None:
    path = tmp_path / "game.win"
    path.write_bytes(lantern.read_bytes())
    with overhaul.open_game(path) as made:
        furnish(made)
        made.save(path, force=True)
    furnished = path.read_bytes()
    with looking_at(path) as client:
        answers = bombard(client, 1, COUNT // 2)
        assert answers[404] and answers[422] and answers[200]
        for address in ("/", "/-/steps", "/objects", "/-/strings"):
            assert client.get(address).status_code == 200
    assert {each.name for each in tmp_path.iterdir()} <= {
        "game.win", "game.win.bak", "game.win.bak2", *(text.strip() for text in TEXTS)
    }  # fmt: skip
    assert (tmp_path / "game.win.bak").read_bytes() == lantern.read_bytes()
    saved = tmp_path / "game.win.bak2"  # where one of the requests was a good one to save
    assert not saved.exists() or saved.read_bytes() == furnished


def test_a_project_and_a_package_stand_them_too(tmp_path: Path) -> None:
    project, game = tmp_path / "game.gmk", tmp_path / "game.ags"
    project.write_bytes(project_file(800))
    game.write_bytes(package_with_variables())
    with looking_at(project) as client:
        bombard(client, 2, COUNT // 4)
    with looking_at(game) as client:
        whole = client.site.documents[0]
        for name in whole.inside.paths():
            if whole.inside.can_open(name):
                bombard(client, 3, COUNT // 8, whole.inside.prefix(name))


HOSTILE = [
    "<script>x</script>",
    "';--",
    '"><img src=x onerror=alert(1)>',
    "{{x}}",
    "a\u202eb",
    "😀",
]


def test_what_is_nested_deeply_is_refused(lantern: Path, tmp_path: Path) -> None:
    path = tmp_path / "game.win"
    path.write_bytes(lantern.read_bytes())
    file = "objects/obj_keeper/object.json"
    with looking_at(path) as client:
        for depth in (100, 330, 480, 900, 5000):
            nested = "[" * depth + "]" * depth
            before = digest(client, file)
            sent = {"text": f'{{"vertices": {nested}}}', "before": before}
            answer = client.post(
                "/-/file", params={"path": file}, data=sent, headers={"Origin": HOST}
            )
            assert answer.status_code == 422, depth
            sent = {"f:/vertices": nested, "f:/sprite": nested, "before": before}
            answer = client.post(
                "/-/form", params={"path": file}, data=sent, headers={"Origin": HOST}
            )
            assert answer.status_code == 422, depth


def test_hostile_names_and_texts_are_texts(lantern: Path, tmp_path: Path) -> None:
    path = tmp_path / "game.win"
    path.write_bytes(lantern.read_bytes())
    with looking_at(path) as client:
        for number, text in enumerate(HOSTILE):
            kind = ["object", "sprite", "room", "path"][number % 4]
            sent = {"kind": kind, "name": text}
            done = client.post("/-/add", data=sent, headers={"Origin": HOST})
            assert done.status_code in (200, 422), text
            label = {"do": "replace", "q": "the", "by": text, "case": "1"}
            label["before"] = client.get("/-/strings.json").json()["before"]
            client.post("/-/strings", data=label, headers={"Origin": HOST})
        for address in ("/", "/-/steps", "/objects", "/sprites", "/-/strings", "/rooms"):
            answer = client.get(address)
            assert answer.status_code == 200
            for text in HOSTILE[:3]:
                assert text not in answer.text.replace("&lt;", "").replace("<wbr>", ""), address
        for slug in ("objects", "sprites", "rooms", "paths"):
            for row in client.get(f"/{slug}.json").json().get("rows", []):
                for way in ("", "/-/whole", "/-/frames", "/-/room"):
                    answer = client.get(f"{way}{row['href']}")
                    assert answer.status_code in (200, 404), answer.text[-400:]
                    assert "<script>x" not in answer.text
                    assert "<img src=x" not in answer.text
