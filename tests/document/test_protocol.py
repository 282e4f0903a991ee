from __future__ import annotations

from pathlib import Path

import pytest

import overhaul
from overhaul.document.plainfiles import matches
from overhaul.document.protocol import (
    Coverage,
    Document,
    HasCode,
    HasCompanions,
    HasMembers,
    companions_of,
)
from overhaul.errors import WorkspaceError
from toy import SIDE, Toy, ToyPackage, toy_bytes


def as_document(toy: Toy) -> Document:
    return toy  # a type checker compares the base class with the protocol here


def test_save_is_all_or_nothing_and_keeps_the_original(toys: None, tmp_path: Path) -> None:
    path = tmp_path / "x.toy"
    original = toy_bytes({"a": b"1"})
    path.write_bytes(original)
    with overhaul.open(path) as document:
        assert isinstance(document, Toy)
        document.title = "New"
        with pytest.raises(FileExistsError):
            document.save(path)
        document.save(path, force=True)
    assert overhaul.open(path.read_bytes()).info()["title"] == "New"
    assert (tmp_path / "x.toy.bak").read_bytes() == original


def test_save_writes_companions_that_differ(toys: None, tmp_path: Path) -> None:
    toy = Toy("T")
    toy.side = b"side"
    toy.save(tmp_path / "a.toy")
    assert (tmp_path / SIDE).read_bytes() == b"side"
    toy.save(tmp_path / "b.toy")  # the companion is there already, so nothing is overwritten
    toy.side = b"other"
    with pytest.raises(FileExistsError, match=r"side\.toy"):
        toy.save(tmp_path / "c.toy")
    assert not (tmp_path / "c.toy").exists()


def test_a_companion_never_leaves_the_folder(tmp_path: Path) -> None:
    class Bad(Toy):
        def companions(self) -> dict[str, bytes]:
            return {"../x": b""}

    with pytest.raises(WorkspaceError):
        Bad("T").save(tmp_path / "a")
    assert list(tmp_path.iterdir()) == []


def test_a_document_shows_what_it_is() -> None:
    assert repr(as_document(Toy("T", "a.toy"))) == "<Toy toy 1 a.toy>"
    assert Coverage(1, 2, 3).total == 6


@pytest.mark.parametrize(
    ("path", "pattern", "expected"),
    [
        ("sprites/spr_a/0.png", "sprites/spr_a/0.png", True),
        ("sprites/spr_a/0.png", "sprites/spr_a", True),
        ("sprites/spr_a/0.png", "sprites/", True),
        ("sprites/spr_a/0.png", "sprites/spr_*", True),
        ("sprites/spr_a/0.png", "spr_a", False),
        ("sprites/spr_a/0.png", "sprites/spr_b*", False),
    ],
)
def test_globs_name_files_and_folders(path: str, pattern: str, expected: bool) -> None:
    assert matches(path, pattern) is expected


def test_capabilities_are_those_whose_members_a_document_has() -> None:
    toy, package = Toy("T"), ToyPackage({}, None)
    assert isinstance(toy, HasCompanions) and not isinstance(toy, HasMembers)
    assert isinstance(package, HasMembers) and not isinstance(package, HasCompanions)

    class Half(Toy):  # not all members of HasCode
        def code_names(self) -> list[str]:
            return []

    class Whole(Half):
        def code_size(self) -> int:
            return 0

        def learn_code(self, each: object, *, later: bool = False) -> None: ...

        def check_code(self, name: str) -> None: ...

        def code_compiler(self) -> dict[str, object]:
            return {}

    assert not isinstance(Half("T"), HasCode) and isinstance(Whole("T"), HasCode)
    toy.side = b"1"
    assert companions_of(toy) == {SIDE: b"1"}
    assert companions_of(package) == {}
