"""Findings, the places that make them, and what asks for them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from overhaul.errors import (
    FindingsError,
    FormatError,
    OverhaulError,
    PlainFileError,
    SourceError,
    SourceErrors,
    WorkspaceError,
)
from overhaul.findings import CODES, Finding, Findings, path_under, warning

ROOT = Path(__file__).resolve().parents[1]
SOURCES = sorted((ROOT / "src" / "overhaul").rglob("*.py"))
#: functions and classes whose first argument is a code
_MAKERS = {"add_note", "warn", "warn_once", "warning", "as_warning"}
#: methods that look into a text
_LOOKS = {"startswith", "endswith", "partition", "removeprefix", "search", "match", "fullmatch"}
#: modules that read the texts of errors of Pillow and of Python
OTHERS_ERRORS = {"ags/images.py", "gml/vm/assembler.py"}
#: names of values that are sentences for people
_SENTENCES = {"finding", "warning", "message"}


def test_a_finding_is_written_as_compilers_write_it() -> None:
    assert str(warning("no-effect", "it is gone")) == "it is gone"
    assert str(warning("no-effect", "it is gone", "a.json")) == "a.json: it is gone"
    assert str(warning("duplicate", "twice", "a.json", "ids[3]", 4)) == "a.json:4: ids[3]: twice"
    assert str(warning("syntax", "no ;", "a.gml", line=4, column=2)) == "a.gml:4:2: no ;"
    assert str(warning("syntax", "no ;", "a.gml", column=2)) == "a.gml: no ;"


def test_a_finding_of_a_part_has_the_path_of_the_whole() -> None:
    inside = warning("no-effect", "it is gone", "room.json", "x", 2, 3)
    assert inside.under("rooms/1/") == inside.replaced(path="rooms/1/room.json")
    assert warning("no-effect", "it is gone").under("rooms/1/").path == "rooms/1"
    assert path_under("rooms/1/", "") == "rooms/1"


def test_findings_are_chosen_by_file_and_by_what_is_new() -> None:
    findings = Findings()
    findings.warn("no-effect", "one", "a")
    findings.warn("no-effect", "two", "b")
    findings.warn_once("no-effect", "one", "a")
    findings.warn_once("no-effect", "one", "c")
    assert [finding.path for finding in findings] == ["a", "b", "c"]
    assert findings.of("b").texts() == ["b: two"]
    assert findings.without(findings.of("a")).texts() == ["b: two", "c: one"]
    assert findings.under("p/").texts() == ["p/a: one", "p/b: two", "p/c: one"]
    assert findings.to_json()[1] == {
        "severity": "warning", "code": "no-effect", "message": "two", "path": "b", "key": "",
        "line": 0, "column": 0,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("error", "finding"),
    [
        (OverhaulError("no"), Finding("error", "invalid", "no")),
        (WorkspaceError("no", code="limit"), Finding("error", "limit", "no")),
        (
            PlainFileError("no", "a.json", "x", 2, 3, code="no-effect"),
            Finding("error", "no-effect", "no", "a.json", "x", 2, 3),
        ),
        (
            FormatError("no", source="a.win", offset=16, path="SPRT[1]"),
            Finding("error", "invalid", "no (at offset 0x10)", "a.win", "SPRT[1]"),
        ),
        (
            SourceError("no", 2, 3, name="a.gml"),
            Finding("error", "syntax", "no", "a.gml", "", 2, 3),
        ),
    ],
)
def test_an_error_has_the_place_that_it_names(error: OverhaulError, finding: Finding) -> None:
    assert list(error.findings) == [finding]
    assert error.as_warning("left-out", "; it is left out") == finding.replaced(
        severity="warning", code="left-out", message=finding.message + "; it is left out"
    )


def test_an_error_of_several_sources_has_a_finding_for_each() -> None:
    both = SourceErrors([SourceError("one", 1, 2, name="a"), SourceError("two", 3, 4, name="b")])
    assert both.findings.texts() == ["a:1:2: one", "b:3:4: two"]
    assert both.moved(lambda path: f"p/{path}").findings.texts() == ["p/a:1:2: one", "p/b:3:4: two"]


def test_errors_follow_their_file_into_a_package() -> None:
    def outside(path: str) -> str:
        return path_under("rooms/1/", path)

    assert str(PlainFileError("no", "room.json", "x").moved(outside)) == "rooms/1/room.json: x: no"
    made = FormatError("no", path="blocks[1]").moved(outside)
    assert str(made) == "rooms/1: blocks[1]: no"
    assert type(made) is PlainFileError
    several = FindingsError([warning("renumbered", "one", "a"), warning("renumbered", "two", "b")])
    assert several.moved(outside).findings.texts() == ["rooms/1/a: one", "rooms/1/b: two"]
    assert [finding.severity for finding in several.findings] == ["error", "error"]
    assert several.code == "renumbered"
    error = WorkspaceError("no")
    assert error.moved(lambda path: path) is error


def test_the_docs_list_the_codes() -> None:
    text = (ROOT / "docs" / "guide" / "json.md").read_text("utf-8")
    rows = [f"| `{code}` | {said} |" for code, said in CODES.items()]
    assert "\n".join(rows) in text


def test_the_code_of_each_finding_is_in_the_table() -> None:
    used = {code for _, tree in _trees("code|warn|add_note") for code in _codes(tree)}
    assert used - CODES.keys() == set()
    assert CODES.keys() - used == set()


def _trees(words: str) -> Iterator[tuple[Path, ast.Module]]:
    """The sources with a match of a pattern, parsed; parsing all takes longer than the tests."""
    for path in SOURCES:
        text = path.read_text("utf-8")
        if re.search(words, text):
            yield path, ast.parse(text)


def _codes(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            if name.endswith("Error"):
                yield from _texts([each.value for each in node.keywords if each.arg == "code"])
            elif name in _MAKERS:
                yield from _texts(node.args[:1])
        elif isinstance(node, ast.ClassDef):
            fields = [each for each in node.body if isinstance(each, ast.Assign | ast.AnnAssign)]
            codes = [each.value for each in fields if "code" in ast.unparse(each).split("=")[0]]
            yield from _texts([each for each in codes if each is not None])


def _texts(nodes: list[ast.expr]) -> Iterator[str]:
    for node in nodes:
        for each in (node.body, node.orelse) if isinstance(node, ast.IfExp) else (node,):
            if isinstance(each, ast.Constant) and isinstance(each.value, str) and each.value:
                yield each.value


def test_nothing_carries_or_reads_sentences() -> None:
    """Warnings are findings, and what asks about one asks for its code."""
    found = [
        f"{path}:{node.lineno}"
        for path, tree in _trees(rf"(?:{'|'.join(_LOOKS)})\(|(?:warnings|findings): list\[str\]")
        if path.relative_to(ROOT / "src" / "overhaul").as_posix() not in OTHERS_ERRORS
        for node in ast.walk(tree)
        if isinstance(node, ast.AnnAssign | ast.Call) and (_is_sentences(node) or _parses(node))
    ]
    assert found == []


def _is_sentences(node: ast.AST) -> bool:
    """Whether it declares a list of warnings as texts (of a page, it may)."""
    return (
        isinstance(node, ast.AnnAssign)
        and getattr(node.target, "id", getattr(node.target, "attr", "")) in ("warnings", "findings")
        and ast.unparse(node.annotation) == "list[str]"
    )


def _parses(node: ast.AST) -> bool:
    """Whether it looks into a sentence."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return False
    if node.func.attr not in _LOOKS:
        return False
    looked_at = [node.func.value, *node.args]
    return any(
        getattr(each, "attr", getattr(each, "id", "")) in _SENTENCES
        or (isinstance(each, ast.Call) and ast.unparse(each) == "str(error)")
        for each in looked_at
    )
