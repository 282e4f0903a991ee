"""The folder, with the toy format: real formats have their own tests in tests/corpus."""

from __future__ import annotations

import hashlib
import os
import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import overhaul
from overhaul.errors import FormatError, WorkspaceError
from overhaul.folder.packing import edited
from toy import SIDE, Toy, toy_bytes

NOTES = {"one": b"first", "two": b"second", "CON": b"reserved", "a/../b": b"path", "ONE": b"case"}


@pytest.fixture
def game(toys: None, tmp_path: Path) -> Path:
    path = tmp_path / "in" / "x.toy"
    path.parent.mkdir()
    path.write_bytes(toy_bytes(NOTES, "Title") + b"opaque tail")
    return path


@pytest.fixture
def folder(game: Path, tmp_path: Path) -> Path:
    overhaul.unpack(game, tmp_path / "folder")
    return tmp_path / "folder"


def tree(folder: Path) -> dict[str, bytes]:
    return {
        p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()
    }


def plain(folder: Path) -> set[str]:
    return {path for path in tree(folder) if not path.startswith(".")}


def test_what_unpacking_writes(game: Path, folder: Path) -> None:
    assert plain(folder) == {
        "overhaul.toml",
        "notes/one.txt",
        "notes/two.txt",
        "notes/%43ON.txt",
        "notes/a%2F..%2Fb.txt",
        "notes/ONE%~2.txt",
    }
    text = (folder / "overhaul.toml").read_text()
    assert 'kind = "toy"' in text
    assert 'name = "x.toy"' in text
    assert str(game.parent) not in text + (folder / ".overhaul/manifest.json").read_text()
    digest = hashlib.sha256(game.read_bytes()).hexdigest()
    assert (folder / ".overhaul/blobs" / digest).read_bytes() == game.read_bytes()


def test_unpacking_is_deterministic(game: Path, folder: Path, tmp_path: Path) -> None:
    overhaul.unpack(game, tmp_path / "again")
    assert tree(tmp_path / "again") == tree(folder)


def test_an_untouched_folder_packs_to_the_identical_file(
    game: Path, folder: Path, tmp_path: Path
) -> None:
    done = overhaul.pack(folder, tmp_path / "new")
    assert (tmp_path / "new").read_bytes() == game.read_bytes()
    assert done.changes == {}
    assert not done.from_scratch


def test_changes_are_applied_to_the_original(folder: Path, tmp_path: Path) -> None:
    (folder / "notes/one.txt").write_bytes(b"FIRST")
    (folder / "notes/two.txt").unlink()
    (folder / "notes/new.txt").write_bytes(b"third")
    done = overhaul.pack(folder, tmp_path / "new")
    assert done.changes == {
        "notes/new.txt": "added",
        "notes/one.txt": "changed",
        "notes/two.txt": "removed",
    }
    kept = {name: text for name, text in NOTES.items() if name != "two"}
    expected = toy_bytes({**kept, "one": b"FIRST", "new": b"third"}, "Title") + b"opaque tail"
    assert (tmp_path / "new").read_bytes() == expected


def test_settings_are_editable(folder: Path, tmp_path: Path) -> None:
    path = folder / "overhaul.toml"
    path.write_text(path.read_text().replace('"Title"', '"Other"'))
    done = overhaul.pack(folder, tmp_path / "new")
    assert done.changes == {"overhaul.toml": "changed"}
    assert overhaul.open(tmp_path / "new").info()["title"] == "Other"


def test_files_that_are_not_saved_count_as_saved_ones(folder: Path, tmp_path: Path) -> None:
    """Random edits: some are saved, some are not."""
    generator = random.Random(101)
    paths = [*sorted(plain(folder) - {"overhaul.toml"}), "notes/new.txt", "notes/newer.txt"]
    texts = [None, b"", b"other", b"first", b"second"]
    found = set()
    for number in range(40):
        place = shutil.copytree(folder, tmp_path / str(number))
        for path in generator.sample(paths, 3):
            put(place, path, generator.choice(texts))
        unsaved = {path: generator.choice(texts) for path in generator.sample(paths, 3)}
        changes = dict(edited(place, unsaved).changes)
        for path, text in unsaved.items():
            put(place, path, text)
        assert changes == edited(place).changes
        found |= {*changes.values()}
    assert found == {"added", "changed", "removed"}


def put(folder: Path, path: str, text: bytes | None) -> None:
    if text is not None:
        (folder / path).write_bytes(text)
    else:
        (folder / path).unlink(missing_ok=True)


def test_packing_without_the_kept_original(folder: Path, tmp_path: Path) -> None:
    done = overhaul.pack(folder, tmp_path / "new", from_scratch=True)
    assert done.from_scratch
    with overhaul.open(tmp_path / "new") as document:
        assert isinstance(document, Toy)
        assert sorted(document.notes) == sorted(
            (name if name != "ONE" else "ONE", text) for name, text in NOTES.items()
        )


def test_a_folder_written_by_hand(toys: None, tmp_path: Path) -> None:
    folder = tmp_path / "hand"
    (folder / "notes").mkdir(parents=True)
    (folder / "overhaul.toml").write_text('[document]\nkind = "toy"\n[settings]\ntitle = "Mine"\n')
    (folder / "notes/hello.txt").write_text("hi")
    (folder / "notes/hello.txt~").write_text("an editor's backup")
    (folder / ".gitignore").write_text("*.bak")
    with pytest.raises(WorkspaceError, match=r"document\.name"):
        overhaul.pack(folder)
    overhaul.pack(folder, tmp_path / "hand.toy")
    assert (tmp_path / "hand.toy").read_bytes() == toy_bytes({"hello": b"hi"}, "Mine")


def test_only_a_part(game: Path, tmp_path: Path) -> None:
    part = tmp_path / "part"
    overhaul.unpack(game, part, only=["notes/t*"])
    assert plain(part) == {"overhaul.toml", "notes/two.txt"}
    overhaul.pack(part, tmp_path / "same")
    assert (tmp_path / "same").read_bytes() == game.read_bytes()
    (part / "notes/two.txt").write_bytes(b"2")
    overhaul.pack(part, tmp_path / "new")
    assert (tmp_path / "new").read_bytes() == toy_bytes(
        {**NOTES, "two": b"2"}, "Title"
    ) + b"opaque tail"
    with pytest.raises(WorkspaceError, match="only a part"):
        overhaul.pack(part, tmp_path / "other", from_scratch=True)
    with pytest.raises(WorkspaceError, match="nothing matches"):
        overhaul.unpack(game, tmp_path / "none", only=["sprites/*"])
    assert not (tmp_path / "none").exists()


# ------------------------------------------------------------------------------------- companions


def test_companions_are_kept_and_written_back(game: Path, tmp_path: Path) -> None:
    (game.parent / SIDE).write_bytes(b"side")
    folder = tmp_path / "folder"
    overhaul.unpack(game, folder)
    (tmp_path / "out").mkdir()
    done = overhaul.pack(folder, tmp_path / "out/x.toy")
    assert {os.path.basename(path) for path in done.written} == {"x.toy", SIDE}
    assert (tmp_path / "out" / SIDE).read_bytes() == b"side"
    (folder / "side.bin").write_bytes(b"longer side")
    overhaul.pack(folder, tmp_path / "out/x.toy", force=True)
    assert (tmp_path / "out" / SIDE).read_bytes() == b"longer side"
    assert (tmp_path / "out" / (SIDE + ".bak")).read_bytes() == b"side"


# --------------------------------------------------------------------------------------- overwrite


def test_packing_over_the_original_keeps_it(game: Path, folder: Path, with_cache: Path) -> None:
    original = game.read_bytes()
    (folder / "notes/one.txt").write_bytes(b"1")
    with pytest.raises(FileExistsError):
        overhaul.pack(folder, game)
    overhaul.pack(folder, game, force=True)
    assert game.with_name("x.toy.bak").read_bytes() == original
    first = game.read_bytes()
    assert first != original
    (folder / "notes/one.txt").write_bytes(b"11")
    overhaul.pack(folder, game, force=True)  # what it replaces now was packed: no backup of that
    assert sorted(os.listdir(game.parent)) == ["x.toy", "x.toy.bak"]


def test_the_default_target_is_next_to_the_folder(folder: Path, tmp_path: Path) -> None:
    assert overhaul.pack(folder).path == str(tmp_path / "x.toy")


def test_unpacking_refuses_what_is_not_its_own(game: Path, folder: Path, tmp_path: Path) -> None:
    with pytest.raises(FileExistsError, match="already exists"):
        overhaul.unpack(game, folder)
    foreign = tmp_path / "foreign"
    foreign.mkdir()
    (foreign / "thesis.txt").write_text("years of work")
    with pytest.raises(FileExistsError, match="not a folder that Overhaul made"):
        overhaul.unpack(game, foreign, force=True)
    assert (foreign / "thesis.txt").exists()
    with pytest.raises(FileExistsError, match="not a folder"):
        overhaul.unpack(game, foreign / "thesis.txt", force=True)
    with pytest.raises(FileNotFoundError):
        overhaul.unpack(game, tmp_path / "no" / "such")


def test_unpacking_again_keeps_the_repository(game: Path, folder: Path) -> None:
    (folder / ".git").mkdir()
    (folder / ".git/HEAD").write_text("ref")
    (folder / ".gitattributes").write_text("*.png binary")
    (folder / ".overhaul/old").touch()
    overhaul.unpack(game, folder, force=True)
    assert (folder / ".git/HEAD").read_text() == "ref"
    assert (folder / ".gitattributes").read_text() == "*.png binary"
    assert not (folder / ".overhaul/old").exists()
    assert len(os.listdir(folder.parent)) == 2  # the game's folder and this


def edit_a_note(folder: Path) -> None:
    (folder / "notes/one.txt").write_bytes(b"FIRST")


def remove_a_note(folder: Path) -> None:
    (folder / "notes/two.txt").unlink()


def add_a_note(folder: Path) -> None:
    (folder / "notes/mine.txt").write_bytes(b"")


def edit_the_settings(folder: Path) -> None:
    path = folder / "overhaul.toml"
    path.write_text(path.read_text().replace("x.toy", "y.toy").replace('"1"', '"2"'))


def leave_a_draft(folder: Path) -> None:
    (folder / "notes/.draft").write_bytes(b"of mine")


def leave_a_copy(folder: Path) -> None:
    (folder / "notes.txt~").write_bytes(b"of mine")


def lose_the_manifest(folder: Path) -> None:
    (folder / ".overhaul/manifest.json").unlink()


def lose_what_was_kept(folder: Path) -> None:
    shutil.rmtree(folder / ".overhaul")


@pytest.mark.parametrize(
    ("work", "said"),
    [
        (edit_a_note, r"\(notes/one.txt changed\)"),
        (remove_a_note, r"\(notes/two.txt removed\)"),
        (add_a_note, r"\(notes/mine.txt added\)"),
        (edit_the_settings, r"\(overhaul.toml changed\)"),
        (leave_a_draft, r"\(notes/.draft added\)"),
        (leave_a_copy, r"\(notes.txt~ added\)"),
    ],
)
def test_unpacking_again_never_removes_work(
    game: Path, folder: Path, work: Callable[[Path], None], said: str
) -> None:
    work(folder)
    before = tree(folder)
    with pytest.raises(WorkspaceError, match=f"folder is not replaced: .*{said}"):
        overhaul.unpack(game, folder, force=True)
    assert tree(folder) == before and len(os.listdir(folder.parent)) == 2
    overhaul.unpack(game, folder, discard=True)
    assert tree(folder) == tree_of(game)


@pytest.mark.parametrize("lose", [lose_the_manifest, lose_what_was_kept])
def test_a_folder_that_does_not_say_what_was_unpacked_is_kept(
    game: Path, folder: Path, lose: Callable[[Path], None]
) -> None:
    again = tree_of(game)
    for number in ("", "2", "3"):
        edit_a_note(folder)
        lose(folder)
        (folder / ".git").mkdir(exist_ok=True)
        before = {path: data for path, data in tree(folder).items() if path != ".gitattributes"}
        done = overhaul.unpack(game, folder, force=True)
        backup = folder.with_name(f"folder.bak{number}")
        assert tree(backup) == before
        assert done.warnings[-1].endswith(f"the folder that was there is kept as {backup}")
        assert tree(folder) == again and (folder / ".git").is_dir()
    lose(folder)
    assert overhaul.unpack(game, folder, discard=True).warnings == done.warnings[:-1]
    assert tree(folder) == again and not folder.with_name("folder.bak4").exists()
    assert overhaul.unpack(game, folder, force=True).warnings == done.warnings[:-1]


def tree_of(game: Path) -> dict[str, bytes]:
    """The folder of a game, unpacked again."""
    overhaul.unpack(game, game.parent / "again")
    found = tree(game.parent / "again")
    shutil.rmtree(game.parent / "again")
    return found


def test_much_work_is_reported_shortly(game: Path, folder: Path) -> None:
    for number in range(6):
        (folder / f"notes/{number}.txt").touch()
    with pytest.raises(WorkspaceError, match=r"\(.*0.txt added, .*2.txt added and 3 more\)"):
        overhaul.unpack(game, folder, force=True)


def test_what_systems_leave_is_no_work(game: Path, folder: Path) -> None:
    for name in (".DS_Store", "notes/.DS_Store", "notes/Thumbs.db", "desktop.ini", ".idea"):
        (folder / name).write_bytes(b"x")
    overhaul.unpack(game, folder, force=True)
    assert (folder / ".idea").exists() and not (folder / "notes/.DS_Store").exists()


# ------------------------------------------------------------------------------------ line ends


def with_line_ends(folder: Path, end: bytes) -> None:
    """What git does to a checkout: everything that has no zero byte gets other line ends."""
    for path in folder.rglob("*"):
        if path.is_file() and b"\0" not in (data := path.read_bytes())[:8000]:
            path.write_bytes(data.replace(b"\r\n", b"\n").replace(b"\n", end))


@pytest.fixture
def text_game(toys: None, tmp_path: Path) -> Path:
    notes = {"lf": b"one\ntwo\n", "crlf": b"one\r\ntwo\r\n", "both": b"a\r\nb\nc\r", "none": b"x"}
    path = tmp_path / "text.toy"
    path.write_bytes(toy_bytes(notes, "Title"))
    return path


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_a_checkout_with_other_line_ends_is_the_same(
    text_game: Path, tmp_path: Path, end: bytes
) -> None:
    folder = tmp_path / "folder"
    overhaul.unpack(text_game, folder)
    assert (folder / ".gitattributes").read_text().endswith("\n* -text\n")
    with_line_ends(folder, end)
    done = overhaul.pack(folder, tmp_path / "same.toy")
    assert done.changes == {}
    assert (tmp_path / "same.toy").read_bytes() == text_game.read_bytes()
    overhaul.unpack(text_game, folder, force=True)  # no work in it either
    with_line_ends(folder, end)
    (folder / "notes/lf.txt").write_bytes(b"one" + end + b"2" + end)
    assert overhaul.pack(folder, tmp_path / "new.toy").changes == {"notes/lf.txt": "changed"}


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_a_kept_text_may_get_other_line_ends(toys: None, tmp_path: Path, end: bytes) -> None:
    kept = b"a\nb\n".replace(b"\n", b"\r\n" if end == b"\n" else b"\n")
    path = tmp_path / "game" / "x.toy"
    path.parent.mkdir()
    path.write_bytes(toy_bytes({"one": b"x\0"}))
    (path.parent / SIDE).write_bytes(kept)
    overhaul.unpack(path, tmp_path / "folder")
    with_line_ends(tmp_path / "folder", end)
    overhaul.pack(tmp_path / "folder", tmp_path / "x.toy")
    assert (tmp_path / SIDE).read_bytes() == kept


def test_an_empty_folder_may_be_there(game: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    overhaul.unpack(game, tmp_path / "empty")
    assert (tmp_path / "empty/overhaul.toml").exists()


# ------------------------------------------------------------------------------- what may go wrong


def test_an_interrupted_unpack_leaves_nothing(
    game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(done: int, total: int, name: str) -> None:
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        overhaul.unpack(game, tmp_path / "folder", progress=stop)
    assert os.listdir(tmp_path) == ["in"]


def test_an_interrupted_replacement_restores_the_old_folder(
    game: Path, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / ".git").mkdir()
    (folder / "notes/extra.txt").write_text("x")
    (folder / ".gitattributes").unlink()
    before = tree(folder)
    rename = os.rename

    def fail_at_the_end(source: str, target: str) -> None:
        if target == str(folder) and ".tmp" in source and not (tmp_path / "failed").exists():
            (tmp_path / "failed").touch()
            raise OSError(5, "the disk is gone", target)
        rename(source, target)

    monkeypatch.setattr(os, "rename", fail_at_the_end)
    with pytest.raises(OSError, match="gone"):
        overhaul.unpack(game, folder, discard=True)
    assert tree(folder) == before
    (tmp_path / "failed").unlink()
    lose_the_manifest(folder)
    before = tree(folder)
    with pytest.raises(OSError, match="gone"):
        overhaul.unpack(game, folder, force=True)
    assert tree(folder) == before
    assert (folder / ".git").is_dir()
    assert sorted(os.listdir(tmp_path)) == ["failed", "folder", "in"]


def test_a_failed_pack_leaves_the_old_file(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.write_bytes(b"old")
    for path in (folder / "notes").iterdir():
        path.unlink()
    with pytest.raises(WorkspaceError, match="needs a note"):
        overhaul.pack(folder, out, force=True)
    assert out.read_bytes() == b"old"
    assert sorted(os.listdir(tmp_path)) == ["folder", "in", "out"]


def test_a_full_disk(game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = "/dev/full"
    if not os.path.exists(real):
        pytest.skip("this system has no /dev/full")
    import overhaul.document.files

    def opened(path: str, mode: str = "r", *rest: object) -> object:
        return open(real, "wb", buffering=0) if mode == "xb" else open(path, mode)

    monkeypatch.setattr(overhaul.document.files, "open", opened, raising=False)
    with overhaul.open(game) as document, pytest.raises(OSError, match="No space left"):
        document.save(tmp_path / "out")
    assert os.listdir(tmp_path) == ["in"]


@pytest.mark.parametrize("position", range(0, 1200, 37))
def test_a_damaged_manifest(folder: Path, tmp_path: Path, position: int) -> None:
    path = folder / ".overhaul/manifest.json"
    data = bytearray(path.read_bytes())
    data[position % len(data)] ^= 0x11
    path.write_bytes(data)
    with pytest.raises(WorkspaceError, match=r"manifest\.json"):
        overhaul.pack(folder, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_parts_that_are_missing_or_damaged(folder: Path, tmp_path: Path) -> None:
    blob = next((folder / ".overhaul/blobs").iterdir())
    data = blob.read_bytes()
    blob.write_bytes(data[:-1] + b"?")
    with pytest.raises(WorkspaceError, match="damaged"):
        overhaul.pack(folder, tmp_path / "out")
    blob.unlink()
    with pytest.raises(WorkspaceError, match=r"kept original of x\.toy"):
        overhaul.pack(folder, tmp_path / "out")
    (folder / ".overhaul/manifest.json").unlink()
    with pytest.raises(WorkspaceError, match="is missing"):
        overhaul.pack(folder, tmp_path / "out")
    (folder / "overhaul.toml").unlink()
    with pytest.raises(WorkspaceError, match=r"no overhaul\.toml"):
        overhaul.pack(folder, tmp_path / "out")
    with pytest.raises(WorkspaceError, match="not a folder"):
        overhaul.pack(tmp_path / "nowhere", tmp_path / "out")


@pytest.mark.skipif(os.name == "nt", reason="making links needs rights on Windows")
def test_links_out_of_the_folder_are_refused(folder: Path, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("password")
    link = folder / "notes/stolen.txt"
    link.symlink_to(secret)
    with pytest.raises(WorkspaceError, match="leads out"):
        overhaul.pack(folder, tmp_path / "out")
    link.unlink()
    link.symlink_to(folder / "notes")
    with pytest.raises(WorkspaceError, match="link to a folder"):
        overhaul.pack(folder, tmp_path / "out")
    link.unlink()
    link.symlink_to("one.txt")  # within the folder a link is a file like others
    overhaul.pack(folder, tmp_path / "out")
    link.unlink()
    os.mkfifo(link)
    with pytest.raises(WorkspaceError, match="neither a file nor a folder"):
        overhaul.pack(folder, tmp_path / "out", force=True)


def test_an_unsafe_path_of_a_model_stays_inside(
    game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = ["../../evil.txt", "/etc/evil", "a", "A", "a/b", ".overhaul/x", "overhaul.toml", "c:x"]

    def named(self: Toy) -> list[tuple[str, str, bytes]]:
        return [(p, p, t) for p, (_, t) in zip(paths, self.notes * 2, strict=False)]

    monkeypatch.setattr(Toy, "named", named)
    folder = tmp_path / "folder"
    overhaul.unpack(game, folder)
    assert sorted(os.listdir(tmp_path)) == ["folder", "in"]
    assert plain(folder) == {
        "overhaul.toml",
        "%2E%2E/%2E%2E/evil.txt",
        "%-/etc/evil",
        "a",
        "A%~2",
        "a%~3/b",
        "%2Eoverhaul/x",
        "overhaul%~2.toml",
        "c%3Ax",
    }
    overhaul.pack(folder, tmp_path / "out")
    assert (tmp_path / "out").read_bytes() == game.read_bytes()


def test_two_files_of_one_path_are_refused(
    game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Toy, "named", lambda self: [("x", "x", b"1"), ("x", "x", b"2")])
    with pytest.raises(WorkspaceError, match="two plain files"):
        overhaul.unpack(game, tmp_path / "folder")
    assert os.listdir(tmp_path) == ["in"]


def test_a_kind_that_nobody_knows(toys: None, tmp_path: Path) -> None:
    (tmp_path / "overhaul.toml").write_text('[document]\nkind = "nonsense"\n')
    with pytest.raises(WorkspaceError, match="unknown kind of document 'nonsense'"):
        overhaul.pack(tmp_path, tmp_path / "out")


def test_a_broken_file_leaves_no_folder(game: Path, tmp_path: Path) -> None:
    game.write_bytes(game.read_bytes()[:30])
    with pytest.raises(FormatError):
        overhaul.unpack(game, tmp_path / "folder")
    assert os.listdir(tmp_path) == ["in"]


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    notes=st.lists(
        st.tuples(
            st.binary(max_size=20).map(lambda b: b.decode("utf-8", "surrogateescape")),
            st.binary(max_size=20),
        ),
        max_size=6,
    )
)
def test_any_names_survive(
    toys: None, tmp_path_factory: pytest.TempPathFactory, notes: list[tuple[str, bytes]]
) -> None:
    place = tmp_path_factory.mktemp("names")
    data = toy_bytes(notes)
    overhaul.unpack(data, place / "folder")
    overhaul.pack(place / "folder", place / "out")
    assert (place / "out").read_bytes() == data
    overhaul.pack(place / "folder", place / "fresh", from_scratch=True)
    fresh = overhaul.open(place / "fresh")
    assert isinstance(fresh, Toy)
    assert sorted(fresh.notes) == sorted(notes)
