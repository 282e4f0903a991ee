"""``verify --code`` of documents with compiled scripts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import overhaul
from ags_decompiled import compiled
from overhaul.ags.decompiler.proof import differences
from overhaul.cli import main
from overhaul.document.protocol import HasCode
from overhaul.folder import verify


def test_a_script_is_an_entry(tmp_path: Path) -> None:
    path = tmp_path / "room1.o"
    path.write_bytes(compiled("function f(int a) { other = a; }\n").to_bytes())
    report = verify(path, code=True)
    assert report.code is not None
    assert (report.code.entries, report.code.identical, report.code.failed) == (1, 1, [])


def test_a_script_that_is_not_given_back_has_its_reason(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    script = compiled("function f(int a) { other = a; }\nfunction g() { }\n")
    words = bytearray(script.code)
    words[4 * 2 : 4 * 3] = (99).to_bytes(4, "little")
    script.code = bytes(words)
    path = tmp_path / "room1.o"
    path.write_bytes(script.to_bytes())
    assert main(["verify", "--code", "--json", str(path)]) == 1
    code = json.loads(capsys.readouterr().out)["files"][0]["code"]
    assert code == {
        "entries": 1,
        "identical": 0,
        "failed": [{"name": "room1.asc", "reason": "f: the word 99 is not an instruction"}],
    }


def test_documents_have_code_by_the_names_of_scripts(tmp_path: Path) -> None:
    path = tmp_path / "room1.o"
    path.write_bytes(compiled("function f() { }\n").to_bytes())
    with overhaul.open(path) as document:
        assert isinstance(document, HasCode)
        assert document.code_names() == ["room1.asc"]
        assert document.check_code("room1.asc") is None
        assert document.code_compiler() == {"script_versions": [90]}


def test_decompile_prints_and_writes_scripts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "room1.o"
    path.write_bytes(compiled("\nfunction f(int a)\n{\n  other = a;\n}\n").to_bytes())
    assert main(["decompile", str(path)]) == 0
    text = "import int other;\nfunction f(int value)\n{\n  other = value;\n}\n"
    assert capsys.readouterr().out.replace("\r", "") == text
    assert main(["decompile", str(path), "room1*", "-o", str(tmp_path / "out")]) == 0
    written = (tmp_path / "out" / "room1.asc").read_bytes()
    assert written == text.replace("\n", "\r\n").encode()
    capsys.readouterr()
    assert main(["decompile", str(path), "room2.asc"]) == 1
    assert "no code entry is called room2.asc (did you mean" in capsys.readouterr().err


def test_source_with_assembly_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    script = compiled("function f(int a) { other = a; }\n")
    script.version = 95
    path = tmp_path / "room1.o"
    path.write_bytes(script.to_bytes())
    main(["decompile", str(path)])
    shown = capsys.readouterr()
    assert "f is left as assembly" in shown.out
    assert "some of it is assembly in comments: f: AGS 4 has another compiler" in shown.err


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        (
            "Wait(1);",
            "WaitKey(1);",
            "instruction 6: movl 3, @Wait, but movl 3, @WaitKey when compiled",
        ),
        (
            'Display("a");',
            'Display("b");',
            "instruction 3: movl 3, b'a', but movl 3, b'b' when compiled",
        ),
        ("g();", "h();", "instruction 3: movl 3, fn g$0, but movl 3, fn h$0 when compiled"),
        ("one = 1;", "two = 1;", "instruction 4: movl 2, data+0, but movl 2, data+4 when compiled"),
        ("Wait(1);", "", "instruction 2: sourceline 4, but sourceline 5 when compiled"),
    ],
)
def test_differences_name_what_the_code_refers_to(old: str, new: str, found: str) -> None:
    head = "int one; int two; function g() { } function h() { }\n"
    before, after = (compiled(f"{head}function f()\n{{\n{code}\n}}\n") for code in (old, new))
    assert list(differences(before, before)) == []
    assert list(differences(before, after)) == [("f$0", found)]
