"""What all tests share; the corpus of real files is found by real_files.py."""

from __future__ import annotations

from pathlib import Path

import pytest

from real_files import NO_CORPUS, corpus_folder


@pytest.fixture(scope="session")
def corpus() -> Path:
    """The folder of the corpus; the test is skipped where there is none."""
    folder = corpus_folder()
    if folder is None:
        pytest.skip(NO_CORPUS)
    return folder


@pytest.fixture
def toys(monkeypatch: pytest.MonkeyPatch) -> None:
    """Register the small formats of toy.py, with which what is generic is tested."""
    import toy
    from overhaul import formats

    monkeypatch.setattr(formats, "REGISTRY", [*formats.REGISTRY, *toy.FORMATS])


def pytest_report_header() -> str:
    """Say in the first lines whether real files are read."""
    folder = corpus_folder()
    return f"corpus: {folder}" if folder else f"corpus: none; {NO_CORPUS}"
