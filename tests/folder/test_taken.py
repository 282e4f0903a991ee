"""Edits that come out of the packed document as they were before are refused, or reported."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

import toy
from edit_law.subject import Subject
from overhaul.document.plainfiles import Change, Folder, PlainFile
from overhaul.document.registry import Format
from overhaul.errors import EncodeError, WorkspaceError
from overhaul.findings import Findings, warning
from overhaul.folder import taken
from overhaul.media import png
from toy_json import JsonToy

#: What the toy shows of its own: the values of toy.json before the edit.
WAS: dict[str, Any] = {
    "n": 1, "x": 0.5, "text": "Abc", "list": [1, 2], "flags": ["a", "b"], "names": ["a", "b"],
    "inner": {"deep": [{"k": 1}]}, "none": None,
}  # fmt: skip


class Derived(JsonToy):
    """A toy that shows WAS, where ``takes`` says so with the values of the edited file."""

    slow_listing = False

    def __init__(self, takes: tuple[str, ...], extra: Any = None) -> None:
        super().__init__(lambda document, folder, changes: Findings())
        self.takes = takes

    def plain_files(self, document: toy.Toy, options: Any) -> Any:
        shown = {**WAS, **json.loads(document.title or "{}")}
        yield PlainFile("toy.json", lambda: json.dumps(shown).encode())
        if shown.get("other", True):
            yield PlainFile("other.bin", lambda: b"1")

    def settings(self, document: toy.Toy) -> dict[str, object]:
        return {"fixed": 1}

    def apply(self, document: toy.Toy, folder: Folder, changes: Mapping[str, Change]) -> Findings:
        if "toy.json" in folder:
            plain = json.loads(folder.read("toy.json"))
            document.title = json.dumps({key: plain[key] for key in self.takes if key in plain})
        return Findings()


def packed(
    monkeypatch: pytest.MonkeyPatch, changed: Mapping[str, Any], takes: tuple[str, ...] = ()
) -> list[str]:
    """The warnings of packing with these values in toy.json."""
    subject = made(monkeypatch, takes)
    edited = json.dumps({**WAS, **changed}).encode()
    return subject.pack({**subject.files, "toy.json": edited}).warnings


def made(monkeypatch: pytest.MonkeyPatch, takes: tuple[str, ...] = ()) -> Subject:
    from overhaul.document import registry

    format = Format("toy", "Toy", lambda probe: probe.head[:4] == b"TOY1", "toy:Toy", "x")
    monkeypatch.setattr(registry, "REGISTRY", [format])
    monkeypatch.setattr(Format, "folder_format", lambda self: Derived(takes))
    return Subject("a.toy", toy.toy_bytes({}, ""))


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"n": 2}, r"toy\.json: n: 2 has no effect: .* stays 1$"),
        ({"x": 0.75}, r"toy\.json: x: 0\.75 has no effect"),
        ({"text": "Abcd"}, r"toy\.json: text: 'Abcd' has no effect: .* stays 'Abc'$"),
        ({"list": [1, 3]}, r"toy\.json: list\[1\]: 3 has no effect"),
        ({"list": [1]}, r"toy\.json: list: a list has no effect"),
        ({"names": ["b", "a"]}, r"toy\.json: names\[0\]: 'b' has no effect: .* \(and 1 more\)$"),
        ({"flags": ["a"]}, r"toy\.json: flags: a list has no effect"),
        ({"inner": {"deep": [{"k": 2}]}}, r"toy\.json: inner\.deep\[0\]\.k: 2 has no effect"),
    ],
)
def test_a_value_that_stays_is_refused(
    monkeypatch: pytest.MonkeyPatch, changed: dict[str, Any], message: str
) -> None:
    with pytest.raises(WorkspaceError, match=message):
        packed(monkeypatch, changed)


@pytest.mark.parametrize(
    "changed",
    [
        {"x": 0.50000001},  # the same in 32 bits
        {"text": "aBC"},  # names are found in any case
        {"flags": ["b", "a", "a"]},  # a set
        {"n": "one"},  # another way to write it
        {"none": 3},
        {"new": 1},  # the reader says what it does not know
        {"inner": {}},  # what is left out keeps its value
    ],
)
def test_what_means_the_same_is_taken(
    monkeypatch: pytest.MonkeyPatch, changed: dict[str, Any]
) -> None:
    assert packed(monkeypatch, changed) == []


def test_a_value_that_is_taken_is_no_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    assert packed(monkeypatch, {"n": 2, "list": [5]}, takes=("n", "list")) == []
    with pytest.raises(WorkspaceError, match="x: 2 has no effect"):
        packed(monkeypatch, {"n": 2, "x": 2}, takes=("n",))


def test_a_value_that_the_writer_drops_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """What counts is what the packed file shows."""
    subject = made(monkeypatch, ("n",))
    edited = {**subject.files, "toy.json": json.dumps({**WAS, "n": 2}).encode()}
    without = toy.toy_bytes({}, "")
    monkeypatch.setattr(toy.Toy, "to_bytes", lambda self: without)
    with pytest.raises(WorkspaceError, match=r"toy\.json: n: 2 has no effect: .* stays 1$"):
        subject.pack(edited)
    # unless a setting says how the file is read, and the file does not have it
    monkeypatch.setattr(Derived, "settings", lambda self, document: {"read_as": document.title})
    assert subject.pack(edited).warnings == []


def picture(*colour: int) -> bytes:
    return png.encode(np.full((2, 3, 4), colour, np.uint8))


@pytest.mark.parametrize(
    ("shown", "edited", "reported"),
    [
        (b"1", b"2", True),
        (b"a b\n", b"a  b", False),  # white space
        (picture(1, 2, 3, 255), picture(1, 2, 4, 255), True),
        (
            picture(1, 2, 3, 255),
            picture(1, 2, 3, 255)[:-12] + b"\0\0\0\0tEXt\0\0\0\0" + picture(1, 2, 3, 255)[-12:],
            False,
        ),
        (picture(1, 2, 3, 255), b"no picture", True),
    ],
)
def test_a_file_that_stays_is_reported(
    monkeypatch: pytest.MonkeyPatch, shown: bytes, edited: bytes, reported: bool
) -> None:
    def plain_files(self: Derived, document: toy.Toy, options: Any) -> Any:
        return [PlainFile("toy.json", lambda: b"{}"), PlainFile("x.png", lambda: shown)]

    monkeypatch.setattr(Derived, "plain_files", plain_files)
    subject = made(monkeypatch)
    warnings = subject.pack({**subject.files, "x.png": edited}).warnings
    assert warnings == ["x.png: it has no effect: what it shows stays as it was"] * reported
    monkeypatch.setattr(
        Derived,
        "apply",
        lambda *given: Findings([warning("no-effect", "not taken, as it rains", "x.png")]),
    )
    assert subject.pack({**subject.files, "x.png": edited}).warnings == [
        "x.png: not taken, as it rains"
    ]


def test_a_removed_file_that_is_empty_now_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Some formats always have a file; that it is another now is what was asked for."""

    def plain_files(self: Derived, document: toy.Toy, options: Any) -> Any:
        yield PlainFile("toy.json", lambda: b"{}")
        yield PlainFile("x.txt", lambda: document.title.encode() or b"text")

    def with_nothing(self: Derived, document: toy.Toy, options: Any) -> Any:
        yield PlainFile("toy.json", lambda: b"{}")
        yield PlainFile("x.txt", lambda: b"" if document.title else b"text")

    def apply(self: Derived, document: toy.Toy, folder: Folder, changes: Any) -> Findings:
        document.title = title
        return Findings()

    monkeypatch.setattr(Derived, "plain_files", plain_files)
    monkeypatch.setattr(Derived, "apply", apply)
    subject = made(monkeypatch)
    files = {path: data for path, data in subject.files.items() if path != "x.txt"}
    title = "default"
    assert subject.pack(files).warnings == ["x.txt: it is gone: what it said is as in a new file"]
    monkeypatch.setattr(Derived, "plain_files", with_nothing)
    assert subject.pack(files).warnings == []
    monkeypatch.setattr(Derived, "plain_files", plain_files)
    title = ""
    assert subject.pack(files).warnings == ["x.txt: it is gone, but what it said stays as it was"]


def test_a_file_that_is_named_otherwise_when_it_is_unpacked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def plain_files(self: Derived, document: toy.Toy, options: Any) -> Any:
        yield PlainFile("some things/50%25 off.txt", lambda: b"1")

    subject = made(monkeypatch)
    monkeypatch.setattr(Derived, "plain_files", plain_files)
    files = {**subject.files, "some things/50% off.txt": b"1", "some things/51% off.txt": b"1"}
    (warning,) = subject.pack(files).warnings
    assert warning.startswith("some things/51% off.txt: it has no effect")


def test_a_warning_of_only_the_edited_file_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    def apply(
        self: Derived, document: toy.Toy, folder: Folder, changes: Mapping[str, Change]
    ) -> Findings:
        document.title, document.opaque = json.dumps({"n": 2}), b"12345"
        return Findings()

    monkeypatch.setattr(Derived, "apply", apply)
    edited = json.dumps({**WAS, "n": 2}).encode()
    subject = made(monkeypatch)
    reported = subject.pack({**subject.files, "toy.json": edited}).warnings
    assert reported == ["toy.json: read again: 5 bytes behind the end"]
    before = Subject("a.toy", toy.toy_bytes({}, "") + b"1")
    assert before.pack({**before.files, "toy.json": edited}).warnings == []


def test_files_and_settings_without_effect_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    subject = made(monkeypatch)
    files = dict(subject.files)
    del files["other.bin"]
    warnings = subject.pack({**files, "stray.txt": b""}).warnings
    assert warnings == [
        "other.bin: it is gone, but what it said stays as it was",
        "stray.txt: it has no effect: nothing in the game's file is made of it",
    ]
    toml = files["overhaul.toml"].replace(b"fixed = 1", b"fixed = 1\nnew = 2")
    assert subject.pack({**subject.files, "overhaul.toml": toml}).warnings == [
        "overhaul.toml: settings.new has no effect"
    ]
    toml = files["overhaul.toml"].replace(b"fixed = 1", b"fixed = 2")
    with pytest.raises(WorkspaceError, match=r"overhaul\.toml: settings\.fixed: 2 has no effect"):
        subject.pack({**subject.files, "overhaul.toml": toml})
    toml = files["overhaul.toml"].replace(b'version = "1"', b'version = "2"')
    with pytest.raises(WorkspaceError, match=r"settings\.version: '2' has no effect: .* stays '1'"):
        subject.pack({**subject.files, "overhaul.toml": toml})


def test_files_that_lost_their_use_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    subject = made(monkeypatch, ("other",))
    edited = json.dumps({**WAS, "other": False}).encode()
    assert subject.pack({**subject.files, "toy.json": edited}).warnings == [
        "other.bin: it has no effect any more: nothing in the game's file is made of it"
    ]
    monkeypatch.setattr(Derived, "slow_listing", True)
    assert subject.pack({**subject.files, "toy.json": edited}).warnings == []


def test_code_may_come_and_go(monkeypatch: pytest.MonkeyPatch) -> None:
    """Which files of code there are depends on the language that people chose."""
    subject = made(monkeypatch)
    (warning,) = subject.pack({**subject.files, "code/a.asm": b""}).warnings
    assert warning.startswith("code/a.asm: it has no effect")
    monkeypatch.setattr(Derived, "slow_listing", True)
    assert subject.pack({**subject.files, "code/a.asm": b""}).warnings == []


def test_what_can_not_be_opened_again_is_not_written(monkeypatch: pytest.MonkeyPatch) -> None:
    subject = made(monkeypatch, ("n",))
    monkeypatch.setattr(toy.Toy, "to_bytes", lambda self: b"TOY1")
    edited = json.dumps({**WAS, "n": 2}).encode()
    with pytest.raises(EncodeError, match=r"^toy\.json: title: the file ends too early"):
        subject.pack({**subject.files, "toy.json": edited})
    files = {f"{name}.txt": b"" for name in "abcd"}
    with pytest.raises(EncodeError, match=r"^a\.txt, b\.txt, c\.txt and 1 more: title"):
        subject.pack({**subject.files, **files})


@pytest.mark.parametrize(
    ("one", "two", "same"),
    [
        (1.0, 1.0000001, True),  # as 32 bits hold it
        (0.1, 0.10000000149011612, True),
        (1.0, 1.00001, False),
        (100.0, 99.0, False),
        (100, 99.5, False),
        (0.0, 1e-31, True),
        (0.0, 1e-29, False),
        (1e-20, 1.1e-20, False),
        (2, 2.0, True),
        ("Abc", "aBC", True),
        ([1.0, "a"], [1.0000001, "A"], True),
        ({"x": 1.0}, {"x": 1.001}, False),
        (1.0, "1.0", False),
    ],
)
def test_what_is_the_same_to_the_law(one: object, two: object, same: bool) -> None:
    assert taken._same(one, two) is same
    assert taken._same(two, one) is same
