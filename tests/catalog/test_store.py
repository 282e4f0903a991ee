"""How a catalogue is stored: what commits list counts, and nothing else."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from overhaul.catalog import store as stores
from overhaul.catalog.arrow import to_arrow
from overhaul.catalog.store import Commit, Store, TablePart
from overhaul.catalog.tables import SOUNDS
from overhaul.errors import FormatError, OverhaulError, UnsupportedVersion


def part(store: Store, name: str) -> TablePart:
    return store.write_part("sounds", to_arrow(SOUNDS, [{"file": "f", "name": name}]))


def names(store: Store) -> list[str]:
    return sorted(store.dataset("sounds").to_table()["name"].to_pylist())


def test_parts_count_once_they_are_committed(tmp_path: Path) -> None:
    store = Store.create(str(tmp_path / "c"))
    one, two = part(store, "one"), part(store, "two")
    store.commit(Commit(1, [one]))
    assert names(Store.open(store.address)) == ["one"]
    store.commit(Commit(2, [two], [one.path]))
    again = Store.open(store.address)
    assert names(again) == ["two"]
    assert again.run == 2
    assert again.counts()["sounds"] == 1
    assert again.dataset("errors").to_table().num_rows == 0
    again.clean()
    assert not (tmp_path / "c" / one.path).exists()
    assert (tmp_path / "c" / two.path).exists()


def test_a_build_that_ended_at_once_left_no_other_things(tmp_path: Path) -> None:
    begun = tmp_path / f"catalog.json.{'0' * 32}.tmp"
    begun.write_bytes(b"{")
    Store.create(str(tmp_path))
    assert not begun.exists()
    (tmp_path / "commits").rmdir()
    assert Store.create(str(tmp_path)).run == 0  # it was ended after its first file
    (tmp_path / "catalog.json").rename(tmp_path / "catalog.json.tmp")
    with pytest.raises(OverhaulError, match="expected an empty folder"):
        Store.create(str(tmp_path))


def test_the_number_of_a_build_never_falls(tmp_path: Path) -> None:
    store = Store.create(str(tmp_path))
    store.commit(Commit(5, []))
    store.commit(Commit(3, []))
    assert Store.open(store.address).run == 5


def test_small_parts_are_put_together(tmp_path: Path) -> None:
    store = Store.create(str(tmp_path))
    for number in range(5):
        store.commit(Commit(1, [part(store, str(number))]))
    store.compact(least=6)
    assert len(store.of("sounds")) == 5
    store.compact(least=5)
    again = Store.open(store.address)
    assert len(again.of("sounds")) == 1
    assert names(again) == ["0", "1", "2", "3", "4"]
    # the last commit says all, so that the others need not be read
    for commit in sorted((tmp_path / "commits").iterdir())[:-1]:
        commit.write_text("broken")
    assert names(Store.open(store.address)) == ["0", "1", "2", "3", "4"]


def test_parts_are_put_together_up_to_a_size(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store.create(str(tmp_path))
    parts = [part(store, str(number)) for number in range(4)]
    monkeypatch.setattr(stores, "FULL", parts[0].size * 2)
    store.commit(Commit(1, parts))
    store.compact(least=1)
    assert sorted(each.rows for each in store.of("sounds")) == [2, 2]


def test_two_builds_do_not_write_over_each_other(tmp_path: Path) -> None:
    one = Store.create(str(tmp_path))
    two = Store.open(str(tmp_path))
    one.commit(Commit(1, []))
    with pytest.raises(OverhaulError, match="another build"):
        two.commit(Commit(1, []))


def test_a_folder_with_other_things_is_no_catalogue(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("x")
    with pytest.raises(OverhaulError, match="expected an empty folder or a catalogue"):
        Store.create(str(tmp_path))
    with pytest.raises(FileNotFoundError):
        Store.open(str(tmp_path))
    assert [each.name for each in tmp_path.iterdir()] == ["mine.txt"]


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("{", FormatError),
        ("[]", FormatError),
        ('{"overhaul": "mod", "version": 1}', FormatError),
        ('{"overhaul": "catalog", "version": "1"}', FormatError),
        ('{"overhaul": "catalog", "version": 99}', UnsupportedVersion),
    ],
)
def test_what_is_no_catalogue_is_refused(
    tmp_path: Path, text: str, error: type[OverhaulError]
) -> None:
    (tmp_path / "catalog.json").write_text(text)
    with pytest.raises(error):
        Store.open(str(tmp_path))


def test_a_damaged_commit_is_refused_with_its_name(tmp_path: Path) -> None:
    store = Store.create(str(tmp_path))
    store.commit(Commit(1, []))
    (tmp_path / "commits/00000001.json").write_text('{"run": "x"}')
    with pytest.raises(FormatError, match=r"commits/00000001\.json"):
        Store.open(str(tmp_path))


@pytest.mark.parametrize(
    ("table", "path"),
    [
        ("sounds", "../../other/sounds/" + "0" * 32 + ".parquet"),
        ("sounds", "files/" + "0" * 32 + ".parquet"),
        ("sounds", "/etc/passwd"),
        ("../x", "../x/" + "0" * 32 + ".parquet"),
        ("sounds", "sounds/a/" + "0" * 32 + ".parquet"),
        ("sounds", "sounds/x.parquet"),
    ],
)
def test_a_commit_names_no_path_outside_of_the_catalogue(
    tmp_path: Path, table: str, path: str
) -> None:
    address = str(tmp_path / "games.catalog")
    Store.create(address)
    commit = msgspec.json.encode(Commit(1, [TablePart(table, path, 1, 1)]))
    (tmp_path / "games.catalog/commits/00000001.json").write_bytes(commit)
    with pytest.raises(FormatError, match=r"00000001\.json: .* is not the path of a part"):
        Store.open(address)


def test_a_catalogue_in_a_store(tmp_path: Path) -> None:
    del tmp_path
    address = "memory://catalogs/one"
    store = Store.create(address)
    store.commit(Commit(1, [part(store, "there")]))
    again = Store.open(address)
    assert names(again) == ["there"]
    assert again.folder is None
    part(again, "lost")
    again.clean()
    assert len(again.files.ls(f"{again.root}/sounds")) == 1
    about = json.loads(again.files.cat_file(f"{again.root}/catalog.json"))
    assert about == {"overhaul": "catalog", "version": 1}
    again.files.rm(again.root, recursive=True)
