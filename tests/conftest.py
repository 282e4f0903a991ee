"""What all tests share; the corpus of real files is found by real_files.py."""

from __future__ import annotations

import gc
import os
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from per_file import FORGET
from real_files import NO_CORPUS, corpus_folder

# The same examples every time, and none fails for a busy machine; OVERHAUL_FULL=1 looks further.
settings.register_profile("steady", deadline=None, derandomize=True, max_examples=30)
settings.register_profile("searching", deadline=None)
settings.load_profile("searching" if os.environ.get("OVERHAUL_FULL") == "1" else "steady")

# As in commands: with Python's own 700, collecting cycles is a tenth of the time of the tests.
gc.set_threshold(50_000, *gc.get_threshold()[1:])

#: Folders whose tests take long: with several workers they begin, so that none has the last of them
#: while the others have nothing more to do.
LONG = ("corpus", "viewer", "catalog", "lsp", "workbench", "mods")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Take one of so many cases of each test that says ``sampled``, always the same ones."""
    if "PYTEST_XDIST_WORKER" in os.environ:
        here = len(os.path.join(os.path.dirname(__file__), ""))
        place = {name: number for number, name in enumerate(LONG)}
        items.sort(key=lambda item: place.get(str(item.path)[here:].split(os.sep)[0], len(LONG)))
    if os.environ.get("OVERHAUL_FULL") == "1":
        return
    left = {item for item in items if is_left_out(item)}
    if left:
        config.hook.pytest_deselected(items=[*left])
        items[:] = [item for item in items if item not in left]


def pytest_collection_finish() -> None:
    """Keep the collector of cycles away from the tests themselves, which stay until the end."""
    gc.collect()
    gc.freeze()


def is_left_out(item: pytest.Item) -> bool:
    """Whether a case of a test is none of the sample."""
    marker = item.get_closest_marker("sampled")
    return marker is not None and zlib.crc32(item.name.encode()) % marker.args[0] != 0


@pytest.fixture(scope="session")
def corpus() -> Path:
    """The folder of the corpus; the test is skipped where there is none."""
    folder = corpus_folder()
    if folder is None:
        pytest.skip(NO_CORPUS)
    return folder


@pytest.fixture(scope="session", autouse=True)
def cache_of_tests(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Let tests do without caches, and the processes that they start keep nothing in the user's
    folders of caches and data; a test of caches takes the fixture ``with_cache``."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OVERHAUL_DATA", str(tmp_path_factory.mktemp("data")))
        patch.setenv("OVERHAUL_CACHE", str(tmp_path_factory.mktemp("cache")))
        patch.setattr("overhaul.document.caches._allowed", False)
        patch.setattr("os.fsync", lambda handle: None)  # what tests write need not outlive a crash
        yield


@pytest.fixture(scope="module", autouse=True)
def made_per_file() -> Iterator[None]:
    """Forget what the tests of a file shared."""
    yield
    for forget in FORGET:
        forget()


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """The browser, for all tests: starting it takes longer than most of them.

    Its loop counts as running in this thread until the end: a test that needs one of its own takes
    :func:`loops.run`.
    """
    from playwright.sync_api import sync_playwright

    from browsing import BROWSER, QUIET

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=BROWSER, args=QUIET)
        yield browser
        browser.close()


@pytest.fixture
def with_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of caches of this test, which is not there yet."""
    monkeypatch.setenv("OVERHAUL_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr("overhaul.document.caches._allowed", True)
    return tmp_path / "cache"


@pytest.fixture
def toys(monkeypatch: pytest.MonkeyPatch) -> None:
    """Register the small formats of toy.py, with which what is generic is tested."""
    import toy
    from overhaul.document import registry as formats

    monkeypatch.setattr(formats, "REGISTRY", [*toy.FORMATS, *formats.REGISTRY])


def pytest_report_header() -> str:
    """Say in the first lines whether real files are read."""
    folder = corpus_folder()
    return f"corpus: {folder}" if folder else f"corpus: none; {NO_CORPUS}"
