from __future__ import annotations

import io
import json
import logging
import os
import re
import sys
from pathlib import Path

import pytest

import overhaul
from overhaul.cli import main, run_plain
from overhaul.cli.output import findings_in
from overhaul.errors import SourceError, SourceErrors
from overhaul.findings import Finding
from toy import toy_bytes, toy_package

CapSys = pytest.CaptureFixture[str]


@pytest.fixture
def game(toys: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "x.toy"
    path.write_bytes(toy_bytes({"one": b"first", "two\x1b[31m": b"2"}, "Title"))
    return path


def run(capsys: CapSys, *words: str) -> tuple[int, str, str]:
    code = main(list(words))
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_without_arguments_it_says_what_it_does(capsys: CapSys) -> None:
    code, out, _ = run(capsys)
    assert code == 0
    assert "overhaul unpack FILE" in out


def test_an_unknown_command_is_a_usage_error(capsys: CapSys) -> None:
    code, _, err = run(capsys, "verfy", "x")
    assert code == 2
    assert "Did you mean 'verify'?" in err


def test_info(game: Path, capsys: CapSys) -> None:
    code, out, _ = run(capsys, "info", "x.toy")
    assert code == 0
    assert out == "x.toy: toy 1\n  title: Title\n  counts: notes 2\n  side: no\n"
    code, out, _ = run(capsys, "info", "--json", "x.toy")
    assert json.loads(out) == {
        "files": [
            {
                "path": "x.toy",
                "kind": "toy",
                "version": "1",
                "title": "Title",
                "counts": {"notes": 2},
                "side": False,
            }
        ]
    }
    assert "9.9" in run(capsys, "info", "--assume-version", "9.9", "x.toy")[1]


def test_info_goes_on_after_a_bad_file(game: Path, capsys: CapSys) -> None:
    Path("bad").write_bytes(b"TOY1\xff")
    code, out, err = run(capsys, "info", "bad", "none", "x.toy")
    assert code == 3
    assert "x.toy: toy 1" in out
    assert err == (
        "overhaul: bad: title: the file ends too early (at offset 0x5)\n"
        "overhaul: none: No such file or directory\n"
    )


@pytest.mark.parametrize("command", ["info", "verify"])
@pytest.mark.parametrize("flags", [(), ("--json",), ("-q",), ("-v",), ("--quiet", "--json")])
def test_the_short_way_says_the_same(
    game: Path, capsys: CapSys, monkeypatch: pytest.MonkeyPatch, command: str, flags: tuple[str]
) -> None:
    Path("bad").write_bytes(b"TOY1\xff")
    Path("odd").write_bytes(toy_bytes({}, "lossy") + b"tail")
    words = [command, *flags, "x.toy", "bad", "odd"]
    code = run_plain(words)
    assert code is not None
    short = (code, *capsys.readouterr())
    monkeypatch.setattr("overhaul.cli.run_plain", lambda words: None)
    assert run(capsys, *words) == short


@pytest.mark.parametrize(
    "words", [[], ["info"], ["ls", "x"], ["info", "--help"], ["info", "-j", "2", "x"]]
)
def test_the_short_way_takes_only_what_is_plain(words: list[str]) -> None:
    assert run_plain(words) is None


def test_ls(game: Path, capsys: CapSys) -> None:
    code, out, _ = run(capsys, "ls", "x.toy")
    assert code == 0
    assert out == (
        "note  5  notes/one.txt\nnote  1  notes/two%1B%5B31m.txt  (two\\x1b[31m)\n"
    ).replace("%5B", "[")
    assert run(capsys, "ls", "x.toy", "o*")[1] == "note  5  notes/one.txt\n"
    assert run(capsys, "ls", "x.toy", "notes/o*", "--kind", "n*")[1] == "note  5  notes/one.txt\n"
    assert run(capsys, "ls", "x.toy", "--kind", "sprite")[0] == 1
    rows = json.loads(run(capsys, "ls", "--json", "x.toy", "one")[1])
    assert rows["resources"] == [
        {"kind": "note", "name": "one", "path": "notes/one.txt", "size": 5}
    ]


def test_cat(game: Path, capsysbinary: pytest.CaptureFixture[bytes], tmp_path: Path) -> None:
    assert main(["cat", "x.toy", "notes/one.txt"]) == 0
    assert capsysbinary.readouterr().out == b"first"
    assert main(["cat", "x.toy", "notes/*"]) == 3
    assert b"2 files match" in capsysbinary.readouterr().err
    assert main(["cat", "x.toy", "notes/*", "-o", "out"]) == 0
    assert (tmp_path / "out/notes/one.txt").read_bytes() == b"first"
    assert main(["cat", "x.toy", "notes/one.txt", "-o", "one"]) == 0
    assert main(["cat", "x.toy", "notes/one.txt", "-o", "one"]) == 2
    assert main(["cat", "x.toy", "notes/one.txt", "-o", "one", "--force"]) == 0
    assert main(["cat", "x.toy", "nothing"]) == 1
    Path("package").write_bytes(toy_package({"a.toy": b"data"}))
    capsysbinary.readouterr()
    assert main(["cat", "package", "a.toy"]) == 0
    assert capsysbinary.readouterr().out == b"data"


def test_verify(game: Path, capsys: CapSys) -> None:
    Path("odd").write_bytes(toy_bytes({}, "lossy") + b"tail")
    code, out, err = run(capsys, "verify", "x.toy", "odd")
    assert code == 1
    assert out == (
        "x.toy: identical; toy 1, 41 B: decoded 100.0%, media 0.0%, opaque 0 bytes\n"
        "odd: differs at 0x5 (title); toy 1, 18 B: decoded 77.8%, media 0.0%, opaque 4 bytes\n"
    )
    assert "2 files: 1 identical, 1 differ, 0 could not be read" in err
    code, out, _ = run(capsys, "verify", "--json", "--details", "odd")
    finding = Finding("warning", "kept-as-bytes", "4 bytes behind the end").to_json()
    assert json.loads(out) == {
        "files": [
            {
                "path": "odd",
                "kind": "toy",
                "version": "1",
                "identical": False,
                "first_difference": {"offset": 5, "path": "title"},
                "coverage": {"decoded": 14, "media": 0, "opaque": 4},
                "opaque": [{"offset": 14, "path": "", "length": 4, "reason": "behind the end"}],
                "findings": [finding],
            }
        ]
    }


def test_verify_in_processes_says_the_same(game: Path, capsys: CapSys) -> None:
    Path("odd").write_bytes(toy_bytes({}, "lossy"))
    Path("bad").write_bytes(b"TOY1\xff")
    words = ["x.toy", "odd", "bad", "x.toy"]
    assert run(capsys, "verify", "-j", "2", *words) == run(capsys, "verify", *words)


def test_unpack_and_pack(game: Path, capsys: CapSys) -> None:
    code, out, _ = run(capsys, "unpack", "x.toy", "folder")
    assert code == 0
    assert out.startswith("x.toy: 2 files, 6 B, in ")
    code, out, _ = run(capsys, "pack", "folder", "-o", "y.toy")
    assert code == 0
    assert "41 B, as it was unpacked" in out
    assert Path("y.toy").read_bytes() == game.read_bytes()

    code, _, err = run(capsys, "unpack", "x.toy", "folder")
    assert code == 2
    assert "--force replaces it" in err
    Path("folder/notes/one.txt").write_text("changed")
    code, out, _ = run(capsys, "pack", "folder", "-v", "-o", "y.toy", "--force")
    assert code == 0
    assert "1 changed\n  changed  notes/one.txt\n" in out
    code, out, _ = run(capsys, "pack", "folder", "--json", "-o", "z.toy")
    assert json.loads(out)["changes"] == {"notes/one.txt": "changed"}
    code, _, err = run(capsys, "unpack", "x.toy", "folder", "--force")
    assert code == 3 and "notes/one.txt changed" in err and "--discard replaces it" in err
    assert Path("folder/notes/one.txt").read_text() == "changed"
    assert run(capsys, "unpack", "x.toy", "folder", "--discard")[0] == 0
    assert Path("folder/notes/one.txt").read_text() == "first"
    assert run(capsys, "unpack", "x.toy", "folder", "--force")[0] == 0


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_unpack_several(game: Path, capsys: CapSys, jobs: str) -> None:
    Path("y.toy").write_bytes(toy_bytes({}))
    Path("bad.toy").write_bytes(b"TOY1\xff")
    code, out, err = run(
        capsys, "unpack", "-j", jobs, "--json", "--into", "all", "x.toy", "y.toy", "bad.toy"
    )
    assert code == 3
    assert "bad.toy: title" in err
    assert [row.get("files") for row in json.loads(out)["files"]] == [2, 0, None]
    assert sorted(os.listdir("all")) == ["x", "y"]
    code, _, err = run(capsys, "unpack", "x.toy", "all/x/overhaul.toml", "x.toy")
    assert code == 2
    assert "two of the files" in err


def test_unpack_names_the_folder_after_the_file(game: Path, capsys: CapSys) -> None:
    assert run(capsys, "unpack", "x.toy")[0] == 0
    assert Path("x/overhaul.toml").is_file()


def test_a_bad_folder(game: Path, capsys: CapSys) -> None:
    code, _, err = run(capsys, "pack", ".", "-o", "new")
    assert code == 3
    assert "it has no overhaul.toml" in err


def test_interrupted(game: Path, capsys: CapSys, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*args: object, **named: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("overhaul.folder.unpack", stop, raising=False)
    code, _, err = run(capsys, "unpack", "x.toy", "folder")
    assert code == 130
    assert "interrupted" in err


def test_a_fault_of_our_own_is_one_line(
    game: Path, capsys: CapSys, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("toy.Toy.info", lambda self: 1 / 0)
    code, _, err = run(capsys, "info", "x.toy")
    assert code == 70
    assert err.count("\n") == 1
    assert "ZeroDivisionError" in err


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion(capsys: CapSys, shell: str) -> None:
    code, out, _ = run(capsys, "completion", shell)
    assert code == 0
    assert "_OVERHAUL_COMPLETE" in out


def test_unpack_only_suggests_what_a_glob_may_have_meant(game: Path, capsys: CapSys) -> None:
    code, _, err = run(capsys, "unpack", "x.toy", "part", "--only", "notes/onne.txt")
    assert code == 3
    assert err == "overhaul: nothing matches notes/onne.txt (did you mean 'notes/one.txt'?)\n"
    assert run(capsys, "unpack", "x.toy", "part", "--only", "qqqq")[2].endswith("matches qqqq\n")


def test_verbose_shows_only_the_traces_of_overhaul(game: Path, capsys: CapSys) -> None:
    run(capsys, "info", "x.toy", "--verbose")
    logging.getLogger("PIL.PngImagePlugin").debug("STREAM b'IHDR' 16 13")
    logging.getLogger("overhaul.test").debug("a trace")
    err = capsys.readouterr().err
    assert "a trace" in err and "STREAM" not in err


def test_errors_of_the_library_do_not_name_options(game: Path) -> None:
    Path("y.toy").write_bytes(b"")
    with overhaul.open("x.toy") as document, pytest.raises(FileExistsError) as caught:
        document.save("y.toy")
    assert caught.value.strerror == "already exists"
    options = re.compile(r"[\"'( ]--(force|only|key|strict|discard)\b")
    for path in Path(overhaul.__file__).parent.rglob("*.py"):
        if path.match("mods/git.py"):  # git's own settings call the command
            continue
        assert "cli" in path.parts or not options.search(path.read_text()), path


def test_errors_are_json_too(game: Path, capsys: CapSys) -> None:
    Path("empty").write_bytes(b"")
    code, out, _ = run(capsys, "ls", "empty", "--json")
    [finding] = json.loads(out)["findings"]
    assert (code, finding["path"]) == (3, "empty")
    code, out, _ = run(capsys, "pack", "nowhere", "--json")
    assert code == 3 and "it has no overhaul.toml" in json.loads(out)["error"]


def test_mistakes_of_people_are_findings_with_places() -> None:
    first = SourceError("expected a value", 3, 7, name="code/a.gml")
    second = SourceError("unknown name", 1, 2, name="code/b.gml")
    assert findings_in(SourceErrors([first, second])) == [
        Finding("error", "syntax", "expected a value", "code/a.gml", "", 3, 7),
        Finding("error", "syntax", "unknown name", "code/b.gml", "", 1, 2),
    ]
    assert findings_in(FileNotFoundError(2, "No such file", "a.win")) == [
        Finding("error", "invalid", "[Errno 2] No such file: 'a.win'", "a.win")
    ]
    assert findings_in(RecursionError("too deep")) == [Finding("error", "invalid", "too deep")]


def test_info_reads_standard_input(
    game: Path, capsys: CapSys, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = Path("x.toy").read_bytes()
    for words in (("info", "-"), ("info", "-", "--json"), ("info", "--short", "-")):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        code, out, err = run(capsys, *words)
        assert (code, err) == (0, "")
        expected = run(capsys, *("x.toy" if word == "-" else word for word in words))
        assert out.replace('"-"', '"x.toy"').replace("-: ", "x.toy: ") == expected[1]


def test_what_is_wrong_with_standard_input_names_it(
    game: Path, capsys: CapSys, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"")))
    code, out, err = run(capsys, "info", "--short", "-", "x.toy")
    assert (code, err) == (3, "overhaul: standard input: the file is empty\n")
    assert out.startswith("x.toy: ")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"")))
    rows = json.loads(run(capsys, "info", "--json", "-")[1])["files"]
    assert rows == [{"path": "-", "error": "standard input: the file is empty"}]


def test_a_folder_to_write_to_may_end_with_a_slash(game: Path, capsys: CapSys) -> None:
    assert run(capsys, "cat", "x.toy", "notes/*", "-o", "new/deep/")[0] == 0
    assert Path("new/deep/notes/one.txt").is_file()
