"""Building a catalogue: files are found, surveyed, read, and committed in batches.

A batch of files is surveyed (hashed, containers listed), and what no batch before it has is read.
Both are done by workers: threads that each have a process of their own to read with
(:mod:`overhaul.catalog.isolated`), here or on the machines of a Dask cluster.  Workers write the
parts of the tables, and this process commits them, so that a build that is ended goes on from its
last commit.
"""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from typing import Final, NamedTuple, cast

import msgspec
import pyarrow as pa
import pyarrow.compute

from overhaul.catalog.arrow import from_stream, raw_text, to_arrow
from overhaul.catalog.child import Limits, Request
from overhaul.catalog.isolated import end_readers, reader
from overhaul.catalog.places import Candidate, Unlisted, find_files, place_of
from overhaul.catalog.reading import Row, Wanted
from overhaul.catalog.store import Commit, Store, TablePart
from overhaul.catalog.surveying import SurveyedFile
from overhaul.catalog.tables import STORED
from overhaul.document.registry import load
from overhaul.errors import OverhaulError

#: The files of a batch, and about how many bytes these have at most.
BATCH: Final = 32
BATCH_SIZE: Final = 32 << 20
#: The batches that wait for each worker.
_AHEAD: Final = 2

#: Called with how many files are done, how many there are, and the name of the next.
Progress = Callable[[int, int, str], None]


class Surveyed(msgspec.Struct):
    """A file of a batch, and what is in it."""

    file: Candidate
    entries: list[SurveyedFile]


class FileState(NamedTuple):
    """A file on the disk as the catalogue has it: its size and time, and the build that met it."""

    size: int
    modified: int
    run: int
    gone: bool


class Content(msgspec.Struct):
    """Bytes to read: where they are, and what they hash to."""

    path: str
    members: list[bytes]
    place: str
    container: str
    digest: str
    size: int


class Written(msgspec.Struct):
    """The result of reading a batch: the parts it wrote, and the number of files that failed."""

    parts: list[TablePart]
    failed: int


class Summary(msgspec.Struct):
    """The result of a build.

    ``files`` are those that were found, ``unchanged`` those of them that the catalogue had.
    ``status`` counts the places of known formats among the rest, and in them: ``read``, ``failed``,
    ``duplicate`` (bytes that were read elsewhere), and ``unknown`` for files of no known format.
    ``rows`` are those that each table has now.  ``catalog`` is its folder.  ``gone`` places were
    there before and are no longer; what is in ``unlisted`` ones can't be listed. ``kinds`` counts
    the files that were read, by kind; ``seconds`` is how long it took.
    """

    catalog: str
    files: int = 0
    unchanged: int = 0
    gone: int = 0
    unlisted: int = 0
    status: dict[str, int] = {}
    kinds: dict[str, int] = {}
    rows: dict[str, int] = {}
    seconds: float = 0.0

    def to_json(self) -> dict[str, object]:
        """The summary as docs/guide/json.md describes it."""
        made = msgspec.to_builtins(self)
        assert isinstance(made, dict)
        return made


def build(
    places: Iterable[str | os.PathLike[str]],
    catalog: str | os.PathLike[str],
    *,
    jobs: int | None = None,
    wanted: Wanted | None = None,
    limits: Limits | None = None,
    retry: bool = False,
    dask: str | None = None,
    progress: Progress | None = None,
) -> Summary:
    """Read files into a catalogue, which is begun if it is not there.

    ``places`` are files, folders, globs, and addresses of fsspec (``s3://games``). Files that the
    catalogue has and that did not change are not read; with ``retry``, those that failed are read
    again. Files are read in ``jobs`` processes (as many as there are processors), or by the workers
    of a Dask cluster at the address ``dask``. A file that can't be read becomes a row of
    ``errors``.

    Raises OverhaulError where ``catalog`` is another folder, OSError where it can't be written.
    """
    store = Store.create(os.fspath(catalog))
    builder = Builder(
        store,
        wanted or Wanted(),
        limits or Limits(),
        progress=progress,
    )
    with _workers(jobs or os.cpu_count() or 1, dask) as (executor, count):
        return builder.build([os.fspath(place) for place in places], executor, count, retry=retry)


@contextmanager
def _workers(jobs: int, dask: str | None) -> Iterator[tuple[Executor, int]]:
    """The function that runs tasks, and the number that run at once."""
    if dask is not None:
        try:
            cluster = load("distributed:Client")
        except ImportError:
            raise OverhaulError("a cluster needs a package: pip install distributed") from None
        with cluster(dask, set_as_default=False) as client:
            count = max(1, sum(client.nthreads().values()))
            yield client.get_executor(pure=False, retries=3), count
        return
    executor = ThreadPoolExecutor(jobs)
    try:
        yield executor, jobs
    except BaseException:
        executor.shutdown(wait=False, cancel_futures=True)
        end_readers()
        raise
    finally:
        executor.shutdown(cancel_futures=True)
        end_readers()


class Builder:
    """One build: finds files, hands batches to workers, and commits what they wrote."""

    def __init__(
        self,
        store: Store,
        wanted: Wanted,
        limits: Limits,
        *,
        progress: Progress | None = None,
    ) -> None:
        self._store = store
        self._wanted = wanted
        self._limits = limits
        self._progress = progress or (lambda done, total, name: None)
        self._run = store.run + 1
        self._known: set[str] = set()
        self._summary = Summary(store.address)

    def build(
        self, places: Sequence[str], executor: Executor, workers: int, *, retry: bool = False
    ) -> Summary:
        """Read what is at the places; see :func:`build`."""
        started = time.monotonic()
        summary = self._summary
        self._store.clean()
        states = self._states()
        self._known = self._read_before(retry=retry)
        again = self._to_retry(states) if retry else set()
        files: list[Candidate] = []
        met: set[str] = set()
        unlisted: list[Row] = []
        for found in find_files(places, self._is_catalog):
            if isinstance(found, Unlisted):
                unlisted.append(self._not_listed(found))
                continue
            if found.place in met:
                continue
            met.add(found.place)
            summary.files += 1
            state = states.get(found.place)
            same = state is not None and state[:2] == (found.size, found.modified)
            if same and found.place not in again:
                summary.unchanged += 1
            else:
                files.append(found)
        summary.unlisted = len(unlisted)
        self._work(files, executor, workers)
        self._finish(unlisted, self._gone(places, states, met))
        summary.rows = dict(self._store.counts())
        summary.seconds = time.monotonic() - started
        return summary

    def _is_catalog(self, path: str) -> bool:
        return os.path.abspath(path) == self._store.folder

    # -- what the catalogue has ------------------------------------------------------------------

    def _states(self) -> dict[str, FileState]:
        """The size and time of each file on the disk that the catalogue has as it was last met."""
        columns = ["place", "container", "size", "modified", "gone", "run"]
        states: dict[str, FileState] = {}
        for row in self._store.read("places", columns).to_pylist():
            before = states.get(row["place"])
            if row["place"] == row["container"] and (before is None or before.run <= row["run"]):
                states[row["place"]] = FileState(
                    row["size"], row["modified"], row["run"], row["gone"]
                )
        return {place: state for place, state in states.items() if not state.gone}

    def _read_before(self, *, retry: bool) -> set[str]:
        """The hashes of what was read."""
        rows = self._store.read("contents", ["sha256", "kind"])
        if retry:
            rows = rows.filter(pa.compute.is_valid(rows["kind"]))
        return set(rows["sha256"].to_pylist())

    def _to_retry(self, states: Mapping[str, FileState]) -> set[str]:
        """The files on the disk with errors that were not read since."""
        rows = self._store.read("errors", ["container", "run"]).to_pylist()
        return {
            row["container"]
            for row in rows
            if row["container"] in states and row["run"] >= states[row["container"]].run
        }

    # -- batches ---------------------------------------------------------------------------------

    def _work(self, files: Sequence[Candidate], executor: Executor, workers: int) -> None:
        """Survey and read all files; batches are surveyed in order, so that of equal files the
        first is read."""
        waiting = deque(_batches(files))
        surveys: deque[tuple[list[Candidate], Future[list[Surveyed]]]] = deque()
        reads: dict[Future[Written], int] = {}
        done, most = 0, _AHEAD * workers
        self._progress(0, len(files), "")
        while waiting or surveys or reads:
            while waiting and len(surveys) < most:
                batch = waiting.popleft()
                surveys.append((batch, executor.submit(survey_batch, batch, self._limits)))
            while surveys and surveys[0][1].done() and len(reads) < most:
                batch, survey = surveys.popleft()
                reads[self._read(survey.result(), executor)] = len(batch)
            ahead = [surveys[0][1]] if surveys and len(reads) < most else []
            wait(cast("list[Future[object]]", [*reads, *ahead]), return_when=FIRST_COMPLETED)
            for future in [future for future in reads if future.done()]:
                written = future.result()
                self._store.commit(Commit(self._run, written.parts))
                self._count("failed", written.failed)
                self._count("read", -written.failed)
                done += reads.pop(future)
                name = surveys[0][0][0].place if surveys else ""
                self._progress(done, len(files), name)

    def _read(self, batch: list[Surveyed], executor: Executor) -> Future[Written]:
        contents = []
        for surveyed in batch:
            for entry in surveyed.entries:
                if entry.kind is None or entry.sha256 is None:
                    if not entry.members and entry.error is None:
                        self._count("unknown")
                    elif entry.error is not None:
                        self._count("failed")
                    continue
                kinds = self._summary.kinds
                kinds[entry.kind] = kinds.get(entry.kind, 0) + 1
                if entry.sha256 in self._known:
                    self._count("duplicate")
                    continue
                self._known.add(entry.sha256)
                self._count("read")
                contents.append(
                    Content(
                        surveyed.file.path,
                        entry.members,
                        surveyed.file.place + entry.inside,
                        surveyed.file.place,
                        entry.sha256,
                        entry.size,
                    )
                )
        return executor.submit(
            read_batch,
            self._store.address,
            self._run,
            batch,
            contents,
            self._wanted,
            self._limits,
        )

    def _count(self, status: str, count: int = 1) -> None:
        if count:
            counts = self._summary.status
            counts[status] = counts.get(status, 0) + count

    # -- the end ---------------------------------------------------------------------------------

    def _not_listed(self, place: Unlisted) -> Row:
        return {
            "place": place.place,
            "container": place.place,
            "stage": "find",
            "error": "system",
            "message": place.reason,
            "run": self._run,
        }

    def _gone(
        self, places: Sequence[str], states: Mapping[str, FileState], met: set[str]
    ) -> list[Row]:
        """The places below those of this build that are no longer there."""
        folders = [os.path.abspath(place) for place in places if os.path.isdir(place)]
        roots = tuple(os.path.join(place_of(folder), "") for folder in folders)
        gone = [place for place in states if place not in met and place.startswith(roots)]
        self._summary.gone = len(gone)
        return [
            {"place": place, "container": place, "size": 0, "gone": True, "run": self._run}
            for place in gone
        ]

    def _finish(self, unlisted: list[Row], gone: list[Row]) -> None:
        parts = []
        for name, rows in (("errors", unlisted), ("places", gone)):
            if rows:
                parts.append(self._store.write_part(name, to_arrow(STORED[name], rows)))
        if parts:
            self._store.commit(Commit(self._run, parts))
        self._store.compact()


def _batches(files: Sequence[Candidate]) -> Iterator[list[Candidate]]:
    batch: list[Candidate] = []
    size = 0
    for file in files:
        if batch and (len(batch) == BATCH or size + file.size > BATCH_SIZE):
            yield batch
            batch, size = [], 0
        batch.append(file)
        size += file.size
    if batch:
        yield batch


# --------------------------------------------------------------------------- what workers do


def survey_batch(files: Sequence[Candidate], limits: Limits) -> list[Surveyed]:
    """The types of files, and their contents."""
    batch = []
    for file in files:
        answer = reader(limits).ask(Request(raw_text(file.path)), file.size)
        if answer.failure is not None:
            failure = answer.failure
            answer.entries.append(
                SurveyedFile(size=file.size, error=failure.message, error_kind=failure.error)
            )
        batch.append(Surveyed(file, answer.entries))
    return batch


def read_batch(
    address: str,
    run: int,
    batch: Sequence[Surveyed],
    contents: Sequence[Content],
    wanted: Wanted,
    limits: Limits,
) -> Written:
    """Read files, and write the parts of a batch, which are committed elsewhere."""
    tables: dict[str, list[pa.Table]] = {}
    errors = [row for surveyed in batch for row in _survey_errors(surveyed, run)]
    failed: list[Row] = []
    for content in contents:
        request = Request(
            raw_text(content.path),
            content.members,
            digest=content.digest,
            place=content.place,
            container=content.container,
            run=run,
            wanted=wanted,
        )
        answer = reader(limits).ask(request, content.size)
        for name, data in answer.tables.items():
            tables.setdefault(name, []).append(from_stream(data))
        if answer.failure is not None:
            failed.append(
                {
                    "sha256": content.digest,
                    "seconds": answer.seconds,
                    "memory": answer.memory,
                    "run": run,
                }
            )
            errors.append(
                {
                    "place": content.place,
                    "container": content.container,
                    "sha256": content.digest,
                    "stage": "open",
                    "error": answer.failure.error,
                    "message": answer.failure.message,
                    "run": run,
                }
            )
    met = [row for surveyed in batch for row in _places(surveyed, run)]
    for name, rows in (("places", met), ("errors", errors), ("contents", failed)):
        if rows:
            tables.setdefault(name, []).append(to_arrow(STORED[name], rows))
    store = Store(address)
    parts = [
        store.write_part(name, pa.concat_tables(each)) for name, each in sorted(tables.items())
    ]
    return Written(parts, len(failed))


def _places(surveyed: Surveyed, run: int) -> Iterator[Row]:
    """The rows of a file and of the files of known formats in it."""
    file, shown = surveyed.file, False
    for entry in surveyed.entries:
        if entry.error is not None and (entry.members or shown):
            continue
        shown = shown or not entry.members
        yield {
            "place": file.place + entry.inside,
            "container": file.place,
            "sha256": entry.sha256,
            "size": file.size if not entry.members else entry.size,
            "modified": file.modified,
            "detected": entry.kind,
            "gone": False,
            "run": run,
        }


def _survey_errors(surveyed: Surveyed, run: int) -> Iterator[Row]:
    for entry in surveyed.entries:
        if entry.error is not None:
            yield {
                "place": surveyed.file.place + entry.inside,
                "container": surveyed.file.place,
                "sha256": entry.sha256,
                "stage": "survey",
                "error": entry.error_kind,
                "message": entry.error,
                "run": run,
            }
