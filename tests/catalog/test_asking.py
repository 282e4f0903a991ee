"""Asking: a catalogue is only read, and the questions with names answer them."""

from __future__ import annotations

import json
import math
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import duckdb
import pyarrow.parquet
import pytest

import overhaul
from cataloged import lanterns, shelf
from overhaul import catalog as catalogs
from overhaul.catalog.questions import LEAST_EVIDENCE, QUESTIONS, SIMILAR
from overhaul.cli import main
from overhaul.errors import FormatError, OverhaulError


@pytest.fixture(scope="module")
def built() -> tuple[Path, Path]:
    """The games, and their catalogue."""
    return shelf() / "games", shelf() / "my.catalog"


def said(capsys: pytest.CaptureFixture[str], *line: str | Path, code: int = 0) -> str:
    assert main([str(each) for each in line]) == code, capsys.readouterr().err
    return capsys.readouterr().out


@pytest.mark.parametrize(
    "query",
    [
        "DROP VIEW files",
        "SELECT 1; SELECT 2",
        "",
        "COPY (SELECT 1) TO '/tmp/x.csv'",
        "INSERT INTO files VALUES (1)",
        "SELECT * FROM read_csv('/etc/passwd')",
        "SELECT * FROM '/etc/passwd'",
        "SELECT * FROM read_text('/etc/passwd')",
        "ATTACH '/tmp/x.db'",
        "SET threads = 1",
        "SELECT nothing FROM files",
        "SELEC 1",
        "SELECT * FROM query",  # a variable of the program
    ],
)
def test_a_query_only_reads_tables(built: tuple[Path, Path], query: str) -> None:
    with catalogs.open(built[1]) as opened, pytest.raises(OverhaulError):
        opened.sql(query).fetchall()


def test_from_python(built: tuple[Path, Path]) -> None:
    with catalogs.open(built[1]) as opened:
        answer = opened.sql(
            "SELECT count(*) AS n FROM files WHERE kind = $kind", {"kind": "ags-room"}
        )
        table = answer.to_arrow_table()
        assert table.column_names == ["n"]
        assert table["n"].to_pylist()[0] >= 1
        assert repr(opened) == f"<Catalog {built[1]} of {rows_in(opened)} files>"
        with pytest.raises(KeyError):
            opened.ask("nonsense")


def rows_in(opened: catalogs.Catalog) -> int:
    return int(opened.sql("SELECT count(DISTINCT sha256) FROM files").fetchall()[0][0])


def test_questions(built: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    folder, catalog = built

    def ask(name: str, *rest: str) -> list[dict[str, Any]]:
        answer = said(capsys, "catalog", name, catalog, *rest, "--json")
        made = json.loads(answer)
        assert isinstance(made, list)
        return made

    versions = {(each["kind"], each["version"]): each["files"] for each in ask("versions")}
    assert versions["gamemaker-data", overhaul.open_game(lanterns()[0]).version] == 3
    duplicates = ask("duplicates")
    assert [each["count"] for each in duplicates] == [3, 2]
    assert duplicates[0]["places"][0] == f"{folder}/a.win"
    [broken] = ask("broken")
    assert (broken["place"], broken["stage"]) == (f"{folder}/cut.win", "open")
    stats = {each["table_name"]: each["rows"] for each in ask("stats")}
    assert stats["files"] == sum(each["count"] for each in duplicates) + rest_of(catalog)
    assert stats["code"] > 10
    users = ask("who-uses", "keyboard_check_pressed")
    assert users
    assert {each["kind"] for each in users} == {"function"}
    assert ask("who-uses", "no_such_function") == []
    assert all(each["built"] for each in ask("timeline"))
    shared = ask("libraries")
    assert all(each["games"] > 1 for each in shared)


def rest_of(catalog: Path) -> int:
    """The files that are there once."""
    with catalogs.open(catalog) as opened:
        answer = opened.sql(
            "SELECT count(*) FROM (SELECT sha256 FROM files GROUP BY ALL HAVING count(*) = 1)"
        )
        return int(answer.fetchall()[0][0])


@pytest.mark.usefixtures("here")
def test_similar_files(
    built: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, catalog = built
    (tmp_path / "new.win").write_bytes(lanterns()[0])
    rows = json.loads(said(capsys, "catalog", "similar", catalog, tmp_path / "new.win", "--json"))
    assert [(row["score"], Path(row["place"]).name) for row in rows[:2]] == [
        (1.0, "a.win"), (1.0, "copy.dat"),
    ]  # fmt: skip
    other = {Path(row["place"]).name: row for row in rows}["b.win"]
    assert 0 < other["score"] < 1
    assert other["shared_pictures"] > 0
    (tmp_path / "bad.win").write_bytes(b"FORM")
    with catalogs.open(catalog) as opened:
        with pytest.raises(FormatError):
            opened.similar(tmp_path / "bad.win")
        with pytest.raises(FileNotFoundError):
            opened.similar(folder / "gone.win")


def test_files_that_share_little_are_not_similar() -> None:
    """Of 60 files: one that shares less than two rare things is left out."""
    connection = duckdb.connect()
    connection.sql(
        "CREATE TABLE files (sha256 VARCHAR, place VARCHAR, kind INT, version INT, name INT)"
    )
    connection.sql("CREATE TABLE code (file VARCHAR, normal_hash VARCHAR, tokens INT)")
    connection.sql("CREATE TABLE images (file VARCHAR, hash VARCHAR, perceptual INT)")
    connection.sql("CREATE TABLE asked_code AS SELECT normal_hash, tokens FROM code LIMIT 0")
    connection.sql("CREATE TABLE asked_images AS SELECT hash, perceptual FROM images LIMIT 0")
    shared = {
        "rare": {0},
        "scarce": {1},
        "common": {0, *range(2, 23)},
        "known": {1, *range(30, 37)},
    }
    for number in range(60):
        connection.execute(
            "INSERT INTO files VALUES (?, ?, 0, 0, 0)", [f"{number}", f"{number}.win"]
        )
        for name in (f"own {number}", *(each for each in shared if number in shared[each])):
            connection.execute("INSERT INTO code VALUES (?, ?, 999)", [f"{number}", name])
    for name in shared:
        connection.execute("INSERT INTO asked_code VALUES (?, 999)", [name])
    weights = [
        sum(math.log(61 / len(files)) for files in shared.values() if number in files)
        for number in (0, 1)
    ]
    assert 5 < weights[0] < LEAST_EVIDENCE < weights[1] < LEAST_EVIDENCE + 1
    assert [row[1] for row in connection.sql(SIMILAR).fetchall()] == ["1.win"]


def test_forms_of_answers(
    built: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, catalog = built
    sql = "SELECT name, size, counts, built FROM files JOIN (SELECT 1) ON true ORDER BY name, size"
    assert said(capsys, "catalog", "query", catalog, "SELECT 'a,b' AS x, 1.5 AS y", "--csv") == (
        'x,y\n"a,b",1.5\n'
    )
    assert said(
        capsys, "catalog", "query", catalog, "SELECT NULL AS x, 10 AS n, 'k' AS longer"
    ) == ("x   n  longer\n   10  k\n")
    values = json.loads(said(capsys, "catalog", "query", catalog, sql, "--json", "--limit", "2"))
    assert len(values) == 2
    assert values[0].keys() == {"name", "size", "counts", "built"}
    target = tmp_path / "out.parquet"
    said(capsys, "catalog", "query", catalog, "SELECT place FROM files", "--parquet", target)
    assert pyarrow.parquet.read_table(target).num_rows >= 8
    said(capsys, "catalog", "query", catalog, "SELECT 1", "--parquet", target, code=2)
    said(capsys, "catalog", "query", catalog, "SELECT 1", "--parquet", target, "--force")
    assert pyarrow.parquet.read_table(target).num_rows == 1
    odd = "SELECT DATE '2020-01-02' AS d, [1, 2] AS l, '\\xff'::BLOB AS b, 3::HUGEINT AS h"
    assert json.loads(said(capsys, "catalog", "query", catalog, odd, "--json")) == [
        {"d": "2020-01-02", "l": [1, 2], "b": "ff", "h": 3}
    ]


def test_what_turns_out_while_rows_are_read_is_reported(
    built: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    query = ["catalog", "query", str(built[1]), "SELECT CAST(place AS INTEGER) FROM files"]
    assert main(query) == 3
    assert "the query can't be answered" in capsys.readouterr().err
    assert main([*query, "--parquet", str(tmp_path / "out.parquet")]) == 3
    assert not (tmp_path / "out.parquet").exists()
    shutil.copytree(built[1], tmp_path / "c")
    for part in (tmp_path / "c/strings").iterdir():
        part.write_bytes(part.read_bytes()[:100])
    assert main(["catalog", "query", str(tmp_path / "c"), "SELECT text FROM strings"]) == 3
    assert "the query can't be answered" in capsys.readouterr().err
    assert main(["catalog", "versions", str(tmp_path / "c")]) == 0


def test_what_is_no_catalogue(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for line in (["stats", tmp_path / "none"], ["query", tmp_path, "SELECT 1"]):
        assert main(["catalog", *map(str, line)]) == 3
        assert "there is no catalogue" in capsys.readouterr().err


def test_the_command_builds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.win").write_bytes(lanterns()[0])
    (tmp_path / "b.txt").write_bytes(b"text")
    out = said(capsys, "catalog", "build", tmp_path, "-o", tmp_path / "c")
    assert out.splitlines()[0].startswith("2 files, 0 unchanged, in 0:")
    assert "       1 gamemaker-data" in out
    summary = json.loads(said(capsys, "catalog", "build", tmp_path, "-o", tmp_path / "c", "--json"))
    assert (summary["files"], summary["unchanged"], summary["status"]) == (2, 2, {})
    assert summary["rows"]["contents"] == 1


@pytest.mark.usefixtures("here")
def test_places_on_standard_input(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    import io

    (tmp_path / "a.win").write_bytes(lanterns()[0])
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{tmp_path}/a.win\n\n{tmp_path}/gone.win\n"))
    out = said(capsys, "catalog", "build", "-", "-o", tmp_path / "c")
    assert "1 places could not be listed" in out
    [row] = json.loads(said(capsys, "catalog", "broken", tmp_path / "c", "--json"))
    assert (row["stage"], row["message"]) == ("find", "No such file or directory")


def test_tables_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    text = said(capsys, "catalog", "tables")
    assert "files: " in text
    assert "    sha256 " in text
    assert json.loads(said(capsys, "catalog", "tables", "--json"))["code"]["normal_hash"]


def test_every_question_has_a_command(capsys: pytest.CaptureFixture[str]) -> None:
    text = said(capsys, "catalog", "--help")
    for name, question in QUESTIONS.items():
        assert name in text
        assert question.about in said(capsys, "catalog", name, "--help").replace("\n  ", " ")


@pytest.mark.parametrize(
    ("package", "line"),
    [("pyarrow", "catalog build . -o c"), ("duckdb", "catalog stats c"), ("fsspec", "view c")],
)
def test_a_package_that_is_missing_is_named(
    built: tuple[Path, Path], tmp_path: Path, package: str, line: str
) -> None:
    program = (
        f"import sys; sys.modules[{package!r}] = None\n"
        "from overhaul.cli import main\n"
        f"sys.exit(main({line.replace(' c', f' {built[1]}').split()!r}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": str(Path(overhaul.__file__).parents[1])},
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (
        3,
        f"overhaul: a catalogue needs the package {package}: pip install 'overhaul[catalog]'\n",
    )
