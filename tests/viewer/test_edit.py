"""Changes tried in the viewer, and saved into an unpacked folder."""

from __future__ import annotations

import io
import shutil
from pathlib import Path
from typing import Any

import httpx2
import pytest
from PIL import Image

from overhaul import folder as folders
from overhaul.errors import EncodeError, WorkspaceError
from overhaul.folder.parallel import Workers
from overhaul.gamemaker.data.code.language import Language
from overhaul.gamemaker.data.game import GameData
from overhaul.gamemaker.data_folder.batch import EntrySource, check_sources, unknown_names
from overhaul.viewer.pages.edit import FIELDS
from overhaul.workbench import FolderBench
from viewing import HOST, Browser, looking_at

CODE = "gml_Object_obj_keeper_Create_0"
EDIT = f"/-/edit/code/{CODE}"


def post(client: Browser, address: str, **sent: Any) -> httpx2.Response:
    """Send what a page of the viewer sends."""
    return client.post(address, headers={"Origin": HOST}, **sent)


def test_a_change_is_checked_shown_saved_and_undone(folder: Path) -> None:
    file = folder / "code" / f"{CODE}.gml"
    old = file.read_bytes()
    with looking_at(folder) as client:
        source = client.get(f"{EDIT}.json").json()["source"]
        new = f"{source}\nbonus = 7;"
        checked = post(client, f"{EDIT}.json", data={"do": "check", "source": new}).json()
        shown = post(client, f"{EDIT}.json", data={"do": "show", "source": new}).json()
        assert file.read_bytes() == old
        sent = {"do": "save", "source": new, "before": shown["before"]}
        saved = post(client, EDIT, data=sent)
        assert b"bonus = 7;" in file.read_bytes()
        assert "bonus" in client.get(f"/code/{CODE}.json").json()["source"]
        undone = post(client, "/-/undo")
        assert "bonus" not in client.get(f"/code/{CODE}.json").json()["source"]
        again = post(client, "/-/undo").status_code
    assert checked["state"] == "compiles"
    assert "+bonus = 7;" in shown["diff"]
    assert (saved.status_code, undone.status_code, again) == (200, 200, 422)
    assert file.read_bytes() == old


def test_code_that_is_applied_as_it_was_is_no_step(lantern: Path) -> None:
    with looking_at(lantern) as client:
        page = client.get(f"{EDIT}.json").json()
        sent = {"do": "save", "source": page["source"], "before": page["before"]}
        answer = post(client, EDIT, data=sent)
        assert "Nothing changed." in answer.text
        assert "The step is made." not in answer.text
        assert 'id="bench"' not in answer.text


@pytest.mark.parametrize("lantern", ["current"], indirect=True)
def test_names_that_a_step_brought_are_warned_of_when_it_is_made(lantern: Path) -> None:
    """From then on the game has them: nothing would warn of them any more."""
    with looking_at(lantern) as client:
        before = client.get(f"{EDIT}.json").json()["before"]
        sent = {"do": "save", "source": "a = 1;\nnot_there(a);", "before": before}
        made = post(client, f"{EDIT}.json", data=sent).json()
        assert [(each["line"], each["column"]) for each in made["warnings"]] == [(2, 1)]
        assert made["outcome"] == "made"
        assert "not_there" in client.get(f"/code/{CODE}.json").json()["source"]


def test_what_does_not_compile_is_reported_at_its_place(folder: Path) -> None:
    file = folder / "code" / f"{CODE}.gml"
    old = file.read_bytes()
    with looking_at(folder) as client:
        for do in ("check", "show", "save"):
            given = {"do": do, "source": "a = 1;\nb = (2;\n", "before": "x"}
            page = post(client, f"{EDIT}.json", data=given).json()
            assert page["state"] == "wrong"
            assert page["mistakes"][0]["line"] == 2
        text = post(client, EDIT, data={"source": "<script>"}).text
    assert "<script>\n" not in text
    assert "&lt;script&gt;" in text
    assert file.read_bytes() == old


def test_doubtful_names_are_those_that_pack_and_compile_warn_of(folder: Path) -> None:
    source = "a = 1;\nb = not_there + a;\nif (b)\n    c = obj_keper.x;\n"
    with folders.open(folder) as game:
        assert isinstance(game, GameData)
        workers = Workers(str(folder), game)
        outcomes = [*check_sources(workers, [EntrySource(CODE, "a.gml", source)])]
        ((*expected,),) = unknown_names(outcomes)
        assert [each.line for each in expected] == [2, 4]
    with looking_at(folder) as client:
        pages = {
            do: post(client, f"{EDIT}.json", data={"do": do, "source": source}).json()
            for do in ("check", "show")
        }
        text = post(client, EDIT, data={"do": "check", "source": source}).text
        good = post(client, EDIT, data={"do": "check", "source": "a = 1;"}).text
    for page in pages.values():
        said = [(each["line"], each["column"], each["message"]) for each in page["warnings"]]
        assert said == [tuple(each) for each in expected]
        assert page["mistakes"] == []
    assert (pages["check"]["state"], pages["show"]["state"]) == ("compiles", "shown")
    assert "unknown variable not_there" in text
    assert "did you mean obj_keeper?" in text
    assert "It compiles, but:" in text
    assert "It compiles." not in text
    assert 'data-line="2" data-column="5"' in text
    assert "It compiles." in good


def test_what_can_not_be_linked_is_a_mistake(
    lantern: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*given: object) -> bytes:
        raise EncodeError("there is no room for it")

    monkeypatch.setattr(Language, "link", fails)
    with looking_at(lantern) as client:
        page = post(client, f"{EDIT}.json", data={"do": "check", "source": "a = 1;"}).json()
    assert page["state"] == "wrong"
    assert page["mistakes"][0]["message"] == "there is no room for it"


def test_a_form_may_have_many_fields(lantern: Path) -> None:
    many = {f"field{n}": "x" for n in range(FIELDS - 2)}
    given = {**many, "do": "check", "source": "a = 1;"}
    with looking_at(lantern) as client:
        good = post(client, f"{EDIT}.json", data=given)
        bad = post(client, f"{EDIT}.json", data={**given, "one more": "x"})
    assert good.json()["state"] == "compiles"
    assert bad.status_code == 422
    assert f"more than {FIELDS} fields" in bad.json()["error"]


def test_a_file_that_changed_meanwhile_is_not_written(folder: Path) -> None:
    file = folder / "code" / f"{CODE}.gml"
    with looking_at(folder) as client:
        shown = post(client, f"{EDIT}.json", data={"do": "show", "source": "a = 1;"}).json()
        file.write_text("b = 2;\n")
        sent = {"do": "save", "source": "a = 1;", "before": shown["before"]}
        answer = post(client, EDIT, data=sent)
    assert answer.status_code == 409
    assert "changed meanwhile" in answer.text
    assert file.read_text() == "b = 2;\n"


def test_an_entry_that_two_pages_change_has_both_edits(folder: Path) -> None:
    file = folder / "code" / f"{CODE}.gml"
    with looking_at(folder) as client:
        opening = client.get(f"{EDIT}.json").json()
        assert opening["base"] == opening["source"]
        source = opening["source"].rstrip("\n")
        sent = {"before": opening["before"], "base": opening["base"]}
        theirs = f"third = 1;\n{source}"
        saved = post(client, EDIT, data={"do": "save", "source": theirs, **sent})
        mine = f"{source}\nmine = 2;"
        for do in ("show", "save"):
            answer = post(client, f"{EDIT}.json", data={"do": do, "source": mine, **sent})
            assert (answer.status_code, answer.json()["state"]) == (409, "merged")
        page = answer.json()
        assert b"mine" not in file.read_bytes()
        again = {"before": page["before"], "base": page["base"], "source": page["source"]}
        last = post(client, EDIT, data={"do": "save", **again})
    assert (saved.status_code, last.status_code) == (200, 200)
    assert page["source"] == f"third = 1;\n{source}\nmine = 2;"
    assert page["base"] == theirs
    merge = page["merge"]
    assert merge["line"] == 0
    assert [line for line in merge["theirs"] if line[:1] in "+-"] == ["+third = 1;"]
    assert [line for line in merge["yours"] if line[:1] in "+-"] == ["+mine = 2;"]
    assert file.read_text() == f"third = 1;\n{source}\nmine = 2;\n"


def test_lines_that_two_pages_change_stand_between_marks(folder: Path) -> None:
    file = folder / "code" / f"{CODE}.gml"
    with looking_at(folder) as client:
        opening = client.get(f"{EDIT}.json").json()
        sent = {"do": "save", "before": opening["before"], "base": opening["base"]}
        rest = opening["source"].rstrip("\n").split("\n")[1:]
        theirs, mine = ("\n".join([line, *rest]) for line in ("a = 1;", "a = 2;"))
        post(client, EDIT, data={**sent, "source": theirs})
        answer = post(client, f"{EDIT}.json", data={**sent, "source": mine})
        page = answer.json()
        marked = {"before": page["before"], "base": page["base"], "source": page["source"]}
        refused = post(client, f"{EDIT}.json", data={"do": "save", **marked}).json()
        text = post(client, EDIT, data={**sent, "source": mine}).text
    marks = ["<<<<<<< yours", "a = 2;", "=======", "a = 1;", ">>>>>>> saved meanwhile"]
    assert page["source"].split("\n") == [*marks, *rest]
    assert page["merge"]["line"] == 1
    assert (refused["state"], len(refused["mistakes"]), refused["mistakes"][0]["line"]) == (
        "wrong", 1, 1,
    )  # fmt: skip
    assert "between marks" in refused["mistakes"][0]["message"]
    assert "both stand between marks, from line 1 on" in text
    assert file.read_text() == theirs + "\n"


def test_a_text_that_two_pages_change_has_both_edits(folder: Path) -> None:
    file = folder / "objects" / "obj_door" / "object.json"
    address = "/-/file?path=objects/obj_door/object.json"
    with looking_at(folder) as client:
        opening = client.get(address.replace("file?", "file.json?")).json()
        text, sent = opening["text"], {"before": opening["before"], "base": opening["base"]}
        assert opening["base"] == text and '"visible": true' in text and '"depth": 5' in text
        theirs, mine = (
            text.replace(old, new)
            for old, new in (('"visible": true', '"visible": false'), ('"depth": 5', '"depth": 7'))
        )
        post(client, address, data={"text": theirs, **sent})
        answer = post(client, address.replace("file?", "file.json?"), data={"text": mine, **sent})
        page = answer.json()
        both = theirs.replace('"depth": 5', '"depth": 7')
        assert (answer.status_code, page["text"].rstrip(), page["merge"]["line"]) == (
            409, both.rstrip(), 0,
        )  # fmt: skip
        assert file.read_text() == theirs
        again = {"before": page["before"], "base": page["base"], "text": page["text"]}
        assert post(client, address, data=again).status_code == 200
        marks = "<<<<<<< yours\n=======\n>>>>>>> saved meanwhile\n"
        marked = {"before": opening["before"], "text": marks + text}
        refused = post(client, address.replace("file?", "file.json?"), data=marked)
        assert refused.json()["mistakes"][0]["line"] == 1
    assert file.read_text() == both


def test_a_file_is_changed_by_saving_only(lantern: Path) -> None:
    old = lantern.read_bytes()
    with looking_at(lantern) as client:
        page = client.get(f"{EDIT}.json").json()
        shown = post(client, f"{EDIT}.json", data={"do": "show", "source": "a = 1;"}).json()
        sent = {"do": "save", "source": "a = 1;", "before": shown["before"]}
        saved = post(client, EDIT, data=sent).status_code
        put = post(
            client, "/-/replace/sprites/spr_keeper?file=sprites/spr_keeper/0.png", content=b""
        )
        assert client.get(f"/code/{CODE}.json").json()["source"].strip() == "a = 1;"
        undone = post(client, "/-/undo").status_code
        again = post(client, "/-/undo").status_code
    assert page["why"] == ""
    assert (saved, put.status_code, undone, again) == (200, 422, 200, 422)
    assert lantern.read_bytes() == old


def test_comments_stay_while_there_are_steps(lantern: Path, folder: Path) -> None:
    source = "// what it has\na = 1; // one\n"
    for place in (lantern, folder):
        with looking_at(place) as client:
            shown = post(client, f"{EDIT}.json", data={"do": "show", "source": source}).json()
            post(client, EDIT, data={"do": "save", "source": source, "before": shown["before"]})
            assert client.get(f"{EDIT}.json").json()["source"] == source
            post(client, "/-/undo")


def test_a_picture_takes_the_place_of_another(folder: Path) -> None:
    file = folder / "sprites" / "spr_keeper" / "0.png"
    old = file.read_bytes()
    picture = Image.open(io.BytesIO(old)).convert("RGBA")
    picture.putpixel((5, 5), (9, 8, 7, 255))
    data = io.BytesIO()
    picture.save(data, "PNG")
    where = "/-/replace/sprites/spr_keeper"
    with looking_at(folder) as client:
        assert 'data-behaviour="drop"' in client.get("/sprites/spr_keeper").text
        broken = post(client, f"{where}?file=sprites/spr_keeper/0.png", content=b"no picture")
        assert file.read_bytes() == old
        done = post(client, f"{where}?file=sprites/spr_keeper/0.png", content=data.getvalue())
        frame = client.get("/sprites/spr_keeper/frames/0.png").content
        for wrong in ("overhaul.toml", "../x.png", "sprites/spr_door/0.png", "/etc/passwd"):
            assert post(client, f"{where}?file={wrong}", content=b"x").status_code == 404, wrong
        assert client.get(f"{where}?file=sprites/spr_keeper/0.png").status_code == 404
        post(client, "/-/undo")
    assert (broken.status_code, done.status_code) == (422, 200)
    assert Image.open(io.BytesIO(frame)).convert("RGBA").getpixel((5, 5)) == (9, 8, 7, 255)
    assert file.read_bytes() == old


def test_nothing_outside_the_folder_is_written(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    outside = tmp_path / "outside.txt"
    outside.write_bytes(b"old")
    (folder / "link.txt").symlink_to(outside)
    bench = FolderBench(str(folder))
    for path in ("link.txt", "../outside.txt", str(outside), ".", ".hidden", "a\0b", "x/../../y"):
        with pytest.raises(WorkspaceError):
            bench.step({path: b"new"}, "wrong")
    assert outside.read_bytes() == b"old"
    assert sorted(each.name for each in tmp_path.iterdir()) == ["folder", "outside.txt"]


def test_what_is_found_wrong_is_taken_back(tmp_path: Path) -> None:
    def refuse() -> None:
        raise WorkspaceError("no")

    file = tmp_path / "a.txt"
    file.write_bytes(b"old")
    bench = FolderBench(str(tmp_path))
    with pytest.raises(WorkspaceError, match="no"):
        bench.step({"a.txt": b"new"}, "wrong", check=refuse)
    assert file.read_bytes() == b"old"
    assert bench.history.at == 0
    bench.step({"a.txt": b"new"}, "good")
    with pytest.raises(WorkspaceError, match="no"):
        bench.undo(refuse)
    assert file.read_bytes() == b"new"
    assert list(bench.undo().changes) == ["a.txt"]
    assert file.read_bytes() == b"old"
    bench.close()


def test_assembly_takes_the_place_of_the_source(game: Path) -> None:
    path = "code/gml_Object_obj_keeper_Create_0"
    where = f"/-/file?path={path}.asm"
    with looking_at(game) as client:
        shown = client.get("/code/gml_Object_obj_keeper_Create_0").text
        assert f'href="/-/file?path={path.replace("/", "%2F")}.asm">Edit assembly' in shown
        editor = "/-/edit/code/gml_Object_obj_keeper_Create_0"
        assert ">Edit assembly" in client.get(editor).text
        assert f'href="{editor}">Edit source' in client.get(where).text
        page = client.get(where.replace("/-/file?", "/-/file.json?")).json()
        assert page["source"] == f"{path}.gml" and not page["is_written"]
        text = page["text"]
        same = post(client, where, data={"text": text, "before": page["before"], "base": text})
        assert same.status_code == 200 and "Nothing changed." in same.text
        assert "push.d 1.5" in text
        new = text.replace("push.d 1.5", "push.d 2.25", 1)
        bad = post(
            client,
            where,
            data={
                "text": text.replace("push.d 1.5", "nonsense 3"),
                "before": page["before"],
                "base": text,
            },
        )
        assert bad.status_code == 422 and "nonsense" in bad.text
        done = post(client, where, data={"text": new, "before": page["before"], "base": text})
        assert done.status_code == 200
        source = client.get("/-/edit/code/gml_Object_obj_keeper_Create_0.json").json()["source"]
        assert "= 2.25;" in source
        late = post(client, where, data={"text": text, "before": page["before"], "base": ""})
        assert late.status_code == 409
        edit = f"/-/file?path={path}.gml"
        now = client.get(edit.replace("/-/file?", "/-/file.json?")).json()
        post(
            client,
            edit,
            data={"text": "// mine\nx = 1;\n", "before": now["before"], "base": now["text"]},
        )
        assert "names that were written there are lost" in client.get(where).text
        post(client, "/-/undo")
        post(client, "/-/undo")
        assert client.get(where.replace("/-/file?", "/-/file.json?")).json()["text"] == text


def test_assembly_of_a_folder_takes_the_place_of_the_source(unpacked: Path, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    shutil.copytree(unpacked, folder)
    path = "code/gml_Object_obj_keeper_Create_0"
    where, data = f"/-/file?path={path}.asm", f"/-/file.json?path={path}.asm"
    with looking_at(folder) as client:
        for old, new in (("push.d 1.5", "push.d 2.25"), ("push.d 2.25", "push.d 3.5")):
            page = client.get(data).json()
            text = page["text"].replace(old, new, 1)
            sent = {"text": text, "before": page["before"], "base": page["text"]}
            assert post(client, where, data=sent).status_code == 200
            assert not (folder / f"{path}.gml").exists()
            assert new in (folder / f"{path}.asm").read_text()
        post(client, "/-/undo")
        post(client, "/-/undo")
    assert (folder / f"{path}.gml").read_bytes() == (unpacked / f"{path}.gml").read_bytes()
    assert not (folder / f"{path}.asm").exists()
