"""The same build on a Dask cluster, with a worker that is lost, and into a store like S3."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cataloged import games, rows, tables
from overhaul.catalog import building
from overhaul.catalog.building import build
from overhaul.cli import main
from overhaul.document.registry import load

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("default")]


@pytest.fixture
def cluster() -> Iterator[Any]:
    """A cluster of two workers, each a process."""
    local = load("distributed:LocalCluster")
    with local(n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50) as made:
        yield made


def test_a_cluster_gives_the_same_even_if_a_worker_is_lost(
    tmp_path: Path, cluster: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = games(tmp_path / "games")
    monkeypatch.setattr(building, "BATCH", 1)
    build([folder], tmp_path / "alone", jobs=1)

    def lose_one() -> None:
        while not list((tmp_path / "many").glob("commits/*")):
            time.sleep(0.01)
        os.kill(next(iter(cluster.workers.values())).pid, 9)

    killer = threading.Thread(target=lose_one)
    killer.start()
    summary = build([folder], tmp_path / "many", dask=cluster.scheduler_address)
    killer.join()
    assert summary.files == 7
    assert tables(tmp_path / "many") == tables(tmp_path / "alone")


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of a bucket in a store like S3."""
    server = load("moto.server:ThreadedMotoServer")(ip_address="127.0.0.1", port=0)
    server.start()
    host, port = server.get_host_and_port()
    for name, value in {
        "AWS_ENDPOINT_URL": f"http://{host}:{port}",
        "AWS_ACCESS_KEY_ID": "test",
        "AWS_SECRET_ACCESS_KEY": "test",
        "AWS_DEFAULT_REGION": "us-east-1",
        "NO_PROXY": "127.0.0.1",
    }.items():
        monkeypatch.setenv(name, value)
    files = load("s3fs:S3FileSystem")(skip_instance_cache=True)
    files.mkdir("games")
    yield "s3://games"
    load("s3fs:S3FileSystem").clear_instance_cache()
    server.stop()


def test_games_and_catalogue_in_a_store(
    tmp_path: Path, store: str, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = games(tmp_path / "games")
    files = load("s3fs:S3FileSystem")(skip_instance_cache=True)
    for path in folder.rglob("*"):
        if path.is_file():
            files.put_file(str(path), f"games/shelf/{path.relative_to(folder)}")
    address = f"{store}/catalog"
    summary = build([f"{store}/shelf"], address, jobs=2)
    assert summary.files == 7
    here = build([folder], tmp_path / "here", jobs=2)
    assert summary.status == here.status
    sql = "SELECT sha256, kind, identical, status, counts FROM files ORDER BY ALL"
    assert rows(address, sql) == rows(tmp_path / "here", sql)
    assert rows(address, "SELECT place FROM files ORDER BY place LIMIT 2") == [
        ("s3://games/shelf/a.win",), ("s3://games/shelf/b.win",),
    ]  # fmt: skip
    again = build([f"{store}/shelf"], address, jobs=2)
    assert (again.unchanged, again.status) == (7, {})
    assert main(["catalog", "stats", address, "--csv"]) == 0
    assert f"files,{sum(here.kinds.values())}" in capsys.readouterr().out
