"""Building: everything is found and read once, and no file and no kill costs more than itself."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from hashlib import sha256
from pathlib import Path

import pytest

import overhaul
from cataloged import games, lanterns, read_here, rows, tables, zipped
from overhaul.catalog import building, child, isolated
from overhaul.catalog.building import build
from overhaul.catalog.child import Limits, Request
from overhaul.catalog.reading import Wanted
from overhaul.errors import FormatError, OverhaulError
from small_games import again, game_of

SRC = Path(overhaul.__file__).resolve().parents[1]


def start_with(patch: pytest.MonkeyPatch, program: str) -> None:
    """Let the process of a reader run a program of the test."""
    patch.setattr(isolated, "command_of", lambda _: [sys.executable, "-c", program])


def test_what_is_found_and_what_is_in_it(tmp_path: Path) -> None:
    folder, catalog = games(tmp_path / "games"), tmp_path / "c"
    summary = build([folder], catalog, jobs=2)
    assert (summary.files, summary.unchanged) == (7, 0)
    assert summary.status["unknown"] == 2  # the text, and the archive itself
    assert summary.status["duplicate"] == 3
    assert summary.status["failed"] == 1
    new, _ = lanterns()
    digest = sha256(new).hexdigest()
    places = rows(catalog, f"SELECT place FROM files WHERE sha256 = '{digest}' ORDER BY place")
    assert [str(place).removeprefix(f"{folder}/") for (place,) in places] == [
        "a.win", "inner/copy.dat", "pack.zip!y/more.zip!data.win",
    ]  # fmt: skip
    [(size, kind, version, identical, status, opaque)] = rows(
        catalog,
        f"SELECT size, kind, version, identical, status, opaque FROM files "
        f"WHERE place = '{folder}/a.win'",
    )
    game = overhaul.open_game(new)
    assert (size, kind, version) == (len(new), "gamemaker-data", game.version)
    assert (identical, status, opaque) == (True, "read", 0)
    [broken] = rows(catalog, "SELECT place, stage, error FROM errors")
    assert broken == (f"{folder}/cut.win", "open", "format")
    assert rows(catalog, f"SELECT status FROM files WHERE place = '{folder}/cut.win'") == [
        ("failed",)
    ]
    assert summary.rows["contents"] == len(rows(catalog, "SELECT DISTINCT sha256 FROM files"))
    assert summary.kinds["gamemaker-data"] == 6
    assert summary.kinds["ags-package"] == 1
    assert summary.to_json()["files"] == 7


@pytest.mark.usefixtures("here")
def test_the_tables_agree_with_the_library(tmp_path: Path) -> None:
    new, _ = lanterns()
    (tmp_path / "a.win").write_bytes(new)
    build(
        [tmp_path / "a.win"], tmp_path / "c", jobs=1, wanted=Wanted(sources=True, verify_code=True)
    )
    game = overhaul.open_game(new)

    def ask(sql: str) -> list[tuple[object, ...]]:
        return rows(tmp_path / "c", sql)

    listed = [(each.kind, each.name, each.path) for each in game.tree()]
    assert sorted(ask("SELECT kind, name, path FROM resources")) == sorted(listed)
    order = ask("SELECT name FROM resources WHERE kind = 'sprite' ORDER BY \"index\"")
    assert [name for (name,) in order] == [sprite.name for sprite in game.sprites]
    assert {path for (path,) in ask("SELECT path FROM resources WHERE hash IS NULL")} <= {
        path for _, _, path in listed if path.endswith(".json")
    }
    counted = game.code_instructions()
    assert dict(ask("SELECT name, instructions FROM code")) == counted  # type: ignore[arg-type]
    sources = {entry.name: entry.gml + "\n" for entry in game.code if entry.name in counted}
    assert dict(ask("SELECT name, source FROM code")) == sources  # type: ignore[arg-type]
    texts = [str(each) for each in game.strings]
    assert ask('SELECT "index", text FROM strings ORDER BY "index"') == list(enumerate(texts))
    frames = sum(len(sprite.frames) for sprite in game.sprites)
    assert ask("SELECT count(*) FROM images WHERE kind = 'sprite' AND path NOT LIKE '%mask%'") == [
        (frames,)
    ]
    sounds = {each.name: sha256(each.bytes or b"").hexdigest() for each in game.sounds}
    assert dict(ask("SELECT name, hash FROM sounds")) == sounds  # type: ignore[arg-type]
    [(entries, identical, sprites)] = ask(
        "SELECT code_entries, code_identical, counts['sprites'] FROM files"
    )
    assert entries == identical == len(game.code_names())
    assert sprites == len(game.sprites)
    [frame] = ask("SELECT name, width, height FROM images WHERE kind = 'sprite' LIMIT 1")
    sprite = game.sprites[str(frame[0])]
    assert frame[1:] == (sprite.width, sprite.height)


@pytest.mark.usefixtures("here")
def test_code_that_does_not_compile_to_itself_is_counted(tmp_path: Path) -> None:
    game = game_of("2024.14")
    for event in ("Create_0", "Step_0", "Step_1"):
        game.add_event("obj_a", event, "hp = 1;\n")
    game = again(game)
    for event in ("Step_0", "Step_1"):
        game.code[f"gml_Object_obj_a_{event}"].assembly = "pushi.e 1\npushi.e 2\npopz.v\nexit.i\n"
    (tmp_path / "a.win").write_bytes(game.to_bytes())
    build([tmp_path / "a.win"], tmp_path / "c", jobs=1, wanted=Wanted(verify_code=True))
    counts = "SELECT code_entries, code_identical FROM files"
    assert rows(tmp_path / "c", counts) == [(3, 1)]


@pytest.mark.usefixtures("here")
def test_what_is_not_wanted_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "a.win").write_bytes(lanterns()[0])
    nothing = Wanted(verify=False, code=False, strings=False, images=False, sounds=False)
    summary = build([tmp_path / "a.win"], tmp_path / "c", jobs=1, wanted=nothing)
    filled = {name for name, count in summary.rows.items() if count}
    assert filled == {"places", "contents", "resources"}
    assert rows(tmp_path / "c", "SELECT identical, decoded, kind FROM files") == [
        (None, None, "gamemaker-data")
    ]
    less = Wanted(verify=False, resources=False)
    summary = build([tmp_path / "a.win"], tmp_path / "d", jobs=1, wanted=less)
    assert {name for name, count in summary.rows.items() if count} == {"places", "contents"}


@pytest.mark.usefixtures("here")
def test_a_second_build_reads_only_what_is_new(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, catalog = games(tmp_path / "games"), tmp_path / "c"
    build([folder], catalog, jobs=1)
    before = tables(catalog)
    with monkeypatch.context() as patch:
        patch.delattr(child, "answer")  # reading would fail
        summary = build([folder], catalog, jobs=1)
    assert (summary.files, summary.unchanged, summary.status) == (7, 7, {})
    assert tables(catalog) == before
    (folder / "new.win").write_bytes(lanterns()[0])  # known bytes
    (folder / "b.win").write_bytes(lanterns()[0])  # changed
    (folder / "park.ags").unlink()
    (folder / "pack.zip").write_bytes(zipped({"data.win": lanterns()[1]}))
    summary = build([folder], catalog, jobs=1)
    assert (summary.files, summary.unchanged, summary.gone) == (7, 4, 1)
    assert summary.status == {"unknown": 1, "duplicate": 3}
    assert tables(catalog)["contents"] == before["contents"]
    assert rows(catalog, "SELECT count(*) FROM files WHERE container LIKE '%park.ags'") == [(0,)]
    inside = rows(catalog, "SELECT place FROM files WHERE container LIKE '%pack.zip'")
    assert [str(place).rpartition("!")[2] for (place,) in inside] == ["data.win"]
    digest = sha256(lanterns()[0]).hexdigest()
    assert rows(catalog, f"SELECT count(*) FROM files WHERE sha256 = '{digest}'") == [(4,)]


def test_what_failed_is_read_again_when_asked(tmp_path: Path) -> None:
    path, catalog = tmp_path / "a.win", tmp_path / "c"
    path.write_bytes(lanterns()[0])
    patience = Limits(seconds=0.001)
    summary = build([path], catalog, jobs=1, limits=patience)
    assert summary.status == {"failed": 1}
    [(stage, error, message)] = rows(catalog, "SELECT stage, error, message FROM errors")
    assert (stage, error) == ("survey", "time")
    assert str(message).startswith("took more than 0.")
    with read_here():
        assert build([path], catalog, jobs=1).unchanged == 1
        assert build([path], catalog, jobs=1, retry=True).status == {"read": 1}
        assert rows(catalog, "SELECT count(*) FROM errors") == [(0,)]
        assert rows(catalog, "SELECT status FROM files") == [("read",)]
        assert build([path], catalog, jobs=1, retry=True).unchanged == 1


#: The process that reads, but for files whose names say what happens to it.
_UNLUCKY = """
import os, time
from overhaul.catalog import child
before = child.read
def read(found, digest, wanted):
    name = os.path.basename(found.source or "")
    if name.startswith("crash"): os.abort()
    if name.startswith("hang"): time.sleep(60)
    if name.startswith("big"): bytearray(2 << 30)
    if name.startswith("odd"): raise ZeroDivisionError("no")
    if name.startswith("deep"): raise RecursionError("too deep")
    return before(found, digest, wanted)
child.read = read
child.main()
"""


@pytest.mark.skipif(os.name == "nt", reason="Windows bounds no memory")
def test_a_file_costs_no_more_than_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    new, old = lanterns()
    names = ["big", "crash", "deep", "good", "hang", "odd", "zgood"]
    for number, name in enumerate(names):
        other = new if name == "good" else old
        if name not in ("good", "zgood"):
            other = zipped({f"{name}.win": new[:-8] + bytes([0x80 + number]) + new[-7:]})
        (tmp_path / f"{name}.win").write_bytes(other)
    start_with(monkeypatch, _UNLUCKY)
    monkeypatch.setattr(isolated, "SECONDS_PER_MB", 0.0)
    summary = build([tmp_path], tmp_path / "c", jobs=2, limits=Limits(seconds=3))
    found = rows(tmp_path / "c", "SELECT place, stage, error, message FROM errors ORDER BY place")
    assert [
        (Path(str(place)).name.partition(".")[0], stage, error) for place, stage, error, _ in found
    ] == [
        ("big", "open", "memory"),
        ("crash", "open", "crash"),
        ("deep", "open", "memory"),
        ("hang", "open", "time"),
        ("odd", "open", "crash"),
    ]
    assert [message for *_, message in found][1:] == [
        f"the process that read it ended with {-signal.SIGABRT}",
        "RecursionError: too deep",
        "took more than 3 seconds",
        "ZeroDivisionError: no",
    ]
    assert summary.status["failed"] == 5
    assert rows(tmp_path / "c", "SELECT count(*) FROM files WHERE status = 'read'") == [(2,)]


def test_a_stage_that_fails_leaves_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.win").write_bytes(lanterns()[0])
    start = (
        "from overhaul.catalog import child, reading\n"
        "def fail(*args): raise MemoryError('full')\n"
        "reading.first_difference = fail\n"
        "reading.pixels_hash = fail\n"
        "child.main()"
    )
    start_with(monkeypatch, start)
    build([tmp_path / "a.win"], tmp_path / "c", jobs=1)
    [(status, kind, identical)] = rows(tmp_path / "c", "SELECT status, kind, identical FROM files")
    assert (status, kind, identical) == ("partly", "gamemaker-data", None)
    stages = rows(tmp_path / "c", "SELECT DISTINCT stage, error FROM errors ORDER BY stage")
    assert stages == [("resources", "memory"), ("verify", "memory")]
    assert rows(tmp_path / "c", "SELECT count(*) > 0 FROM code") == [(True,)]


@pytest.mark.usefixtures("here")
def test_hostile_files(tmp_path: Path) -> None:
    new, _ = lanterns()
    folder = tmp_path / "games"
    folder.mkdir()
    files = {
        "climb.zip": zipped({"../../up.win": new, "/abs.win": new, "a!b/c.win": new}),
        "bomb.zip": zipped({"zeros.win": b"FORM" + b"\0" * (64 << 20)}),
        "cut.zip": zipped({"data.win": new})[:-30],
        "flipped.zip": zipped({"data.win": new}).replace(new[:4], b"\0\0\0\0"),
        "empty.win": b"",
        "form.win": b"FORM\xff\xff\xff\xffGEN8\xff\xff\xff\xff",
        "text.win": b"FORM",
    }
    nested = new
    for _ in range(6):
        nested = zipped({"x.zip": nested})
    files["deep.zip"] = nested
    flipped = bytearray(zipped({"data.win": new}))
    flipped[200] ^= 0xFF
    files["flipped.zip"] = bytes(flipped)
    for name, data in files.items():
        (folder / name).write_bytes(data)
    summary = build([folder], tmp_path / "c", jobs=1)
    assert summary.files == len(files)
    failed = {
        Path(str(place)).name.partition("!")[0]: str(message)
        for place, message in rows(tmp_path / "c", "SELECT place, message FROM errors")
    }
    assert failed.keys() == {"bomb.zip", "cut.zip", "flipped.zip", "form.win", "deep.zip"}
    assert "unpacks to" in failed["bomb.zip"]
    assert failed["deep.zip"] == "more than 4 containers in each other"
    inside = rows(tmp_path / "c", "SELECT place, status FROM files WHERE place LIKE '%climb%'")
    assert sorted((str(place).partition("!")[2], status) for place, status in inside) == [
        ("../../up.win", "read"), ("/abs.win", "read"), ("a!b/c.win", "read"),
    ]  # fmt: skip
    assert sorted(each.name for each in tmp_path.iterdir()) == ["c", "games"]


@pytest.mark.usefixtures("here")
def test_a_member_may_have_the_mark_of_containers_in_its_name(tmp_path: Path) -> None:
    (tmp_path / "one!two.zip").write_bytes(zipped({"a!b/c.win": lanterns()[0]}))
    assert build([tmp_path], tmp_path / "c", jobs=1).status == {"unknown": 1, "read": 1}
    assert rows(tmp_path / "c", "SELECT place, identical FROM files") == [
        (f"{tmp_path}/one!two.zip!a!b/c.win", True)
    ]


@pytest.mark.usefixtures("here")
def test_a_resource_that_was_not_read_whole_has_no_hash(tmp_path: Path) -> None:
    (tmp_path / "a.win").write_bytes(lanterns()[0])
    build([tmp_path / "a.win"], tmp_path / "all", jobs=1)
    build([tmp_path / "a.win"], tmp_path / "less", jobs=1, wanted=Wanted(images=False))
    hashes = "SELECT kind, name, path, hash FROM resources ORDER BY ALL"
    whole, less = (rows(tmp_path / name, hashes) for name in ("all", "less"))
    for one, two in zip(whole, less, strict=True):
        assert two == (*one[:3], None if one[0] in ("sprite", "texture page") else one[3])
    assert {row[0] for row in whole if row[3]} >= {"sprite", "object", "room", "sound"}


@pytest.mark.skipif(sys.platform != "linux", reason="file names are Unicode here")
def test_names_of_files_may_have_bytes_that_are_not_unicode(tmp_path: Path) -> None:
    folder = os.fsencode(tmp_path / "games") + b"\xfe"
    os.mkdir(folder)
    good, cut = folder + b"/b\xffad.zip", folder + b"/cut\xff.win"
    Path(os.fsdecode(good)).write_bytes(zipped({"data.win": lanterns()[0]}))
    Path(os.fsdecode(cut)).write_bytes(lanterns()[1][:-40])
    summary = build([os.fsdecode(folder)], tmp_path / "c", jobs=1)
    assert (summary.files, summary.status) == (
        2,
        {"read": 1, "failed": 1, "unknown": 1},  # the archive
    )
    assert rows(tmp_path / "c", "SELECT place FROM files WHERE sha256 IS NOT NULL ORDER BY 1") == [
        (f"{tmp_path}/games\\xfe/b\\xffad.zip!data.win",),
        (f"{tmp_path}/games\\xfe/cut\\xff.win",),
    ]


@pytest.mark.usefixtures("here")
def test_a_damaged_catalogue_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.win").write_bytes(lanterns()[0])
    build([tmp_path / "a.win"], tmp_path / "c", jobs=1)
    [part] = (tmp_path / "c/places").iterdir()
    data = part.read_bytes()
    for damaged in (data[: len(data) // 2], b"", bytes(len(data)), data[:-6] + b"\xff" + data[-5:]):
        part.write_bytes(damaged)
        with pytest.raises(FormatError, match="it is damaged"):
            build([tmp_path / "a.win"], tmp_path / "c", jobs=1)
    part.unlink()
    with pytest.raises(FormatError, match="it is damaged"):
        build([tmp_path / "a.win"], tmp_path / "c", jobs=1)


def test_a_reader_that_is_ended_takes_its_files_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    start = "import tempfile, time; open(tempfile.mkdtemp() + '/x', 'w').close(); time.sleep(60)"
    start_with(monkeypatch, start)
    reader = isolated.Reader(Limits(seconds=1))
    answer = reader.ask(Request(b"nothing"))
    assert answer.failure is not None
    assert answer.failure.error == "time"
    assert reader._folder is None
    assert [*Path(tempfile.gettempdir()).glob("overhaul-*/*/x")] == []


def test_a_large_file_has_more_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """The process does not end itself before the answer is no longer waited for."""
    start = "from overhaul.catalog import child; import time\n" + (
        "def read(*args): time.sleep(0.6); return {}\nchild._do = read\nchild.main()"
    )
    start_with(monkeypatch, start)
    reader = isolated.Reader(Limits(seconds=0.2))
    assert reader.ask(Request(b"x"), 20 << 20).failure is None
    reader.close()


def test_a_reader_reads_several_files_in_one_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """But not in one that has taken most of its memory."""
    start = "from overhaul.catalog import child\nchild._do = lambda *_: {}\nchild.main()"
    start_with(monkeypatch, start)
    reader = isolated.Reader(Limits())
    processes = []
    for _ in range(3):
        assert reader.ask(Request(b"x")).failure is None
        processes.append(reader._process)
    assert processes[0] is not None and len({*processes}) == 1
    monkeypatch.setattr(isolated, "_WORN", -1.0)
    assert reader.ask(Request(b"x")).failure is None
    assert reader._process is None
    reader.close()


@pytest.mark.usefixtures("here")
def test_a_catalogue_in_its_own_folder_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "a.win").write_bytes(lanterns()[0])
    build([tmp_path], tmp_path / "c", jobs=1)
    assert build([tmp_path], tmp_path / "c", jobs=1).files == 1


def test_other_folders_are_left_as_they_are(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/x").write_bytes(b"1")
    with pytest.raises(OverhaulError):
        build([tmp_path], tmp_path / "mine")


def test_batches_are_bounded() -> None:
    from overhaul.catalog.places import Candidate

    files = [Candidate(str(n), str(n), size, 0) for n, size in enumerate([1] * 70 + [40 << 20, 1])]
    batches = list(building._batches(files))
    assert [len(each) for each in batches] == [32, 32, 6, 1, 1]
    assert [file for batch in batches for file in batch] == files


_BUILD = (
    "import sys; from overhaul.catalog.building import build;"
    "from overhaul.catalog import building; building.BATCH = 1;"
    "build([sys.argv[1]], sys.argv[2], jobs=2)"
)


def start(folder: Path, catalog: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-c", _BUILD, str(folder), str(catalog)],
        env={**os.environ, "PYTHONPATH": str(SRC)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def parts_of(catalog: Path) -> int:
    """How many batches of places a catalogue has."""
    return sum(path.suffix == ".parquet" for path in (catalog / "places").glob("*"))


def test_a_build_that_is_killed_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """At three moments here; tests/corpus kills twenty times."""
    folder = games(tmp_path / "games")
    monkeypatch.setattr(building, "BATCH", 1)
    killed = tmp_path / "killed"
    with read_here():
        build([folder], tmp_path / "whole", jobs=1)
    codes = []
    for more in (0, 1, 2):  # batches of it that are done
        until = parts_of(killed) + more
        process = start(folder, killed)
        while process.poll() is None and (not killed.exists() or parts_of(killed) < until):
            time.sleep(0.01)
        process.kill()
        codes.append(process.wait())
    assert any(codes)
    with read_here():
        build([folder], killed, jobs=1)
    assert tables(tmp_path / "killed") == tables(tmp_path / "whole")


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signal")
def test_ctrl_c_ends_a_build_at_once(tmp_path: Path) -> None:
    """Nothing is left half-written, no process and no temporary file remains."""
    folder = tmp_path / "games"
    folder.mkdir()
    for number in range(40):
        (folder / f"{number:02}.win").write_bytes(lanterns()[0] + bytes(number))
    (tmp_path / "tmp").mkdir()
    slow = (
        "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "from overhaul.catalog import isolated\n"
        "program = ('from overhaul.catalog import child; import time; was = child._do\\n'\n"
        "    'def do(*args): time.sleep(0.5); was(*args)\\n' 'child._do = do; child.main()')\n"
        "isolated.command_of = lambda _: [sys.executable, '-c', program]\n"
        "from overhaul.cli import main\n"
        "sys.exit(main(['catalog', 'build', sys.argv[1], '-o', sys.argv[2], '-j', '2', '-q']))"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", slow, str(folder), str(tmp_path / "c")],
        env={**os.environ, "PYTHONPATH": str(SRC), "TMPDIR": str(tmp_path / "tmp")},
        stderr=subprocess.PIPE,
        text=True,
    )
    while not list((tmp_path / "tmp").iterdir()):
        time.sleep(0.05)
    time.sleep(0.5)
    asked = time.monotonic()
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130, said
    assert "Traceback" not in said
    assert time.monotonic() - asked < 8  # a batch takes twenty seconds
    assert list((tmp_path / "tmp").iterdir()) == []
    for path in sorted(folder.iterdir())[4:]:
        path.unlink()
    assert build([folder], tmp_path / "c", jobs=2).files == 4
    assert rows(tmp_path / "c", "SELECT count(*) FROM files") == [(4,)]
