"""The corpus itself: said plainly where it is missing, refused where it is another folder."""

from __future__ import annotations

from pathlib import Path

import pytest

FOLDERS = (
    "ags", "datawin", "datawin/side", "datawin2", "datawin2/side", "ds", "projects", "sourcepairs",
    "sourcepairs2",
)  # fmt: skip


@pytest.mark.parametrize("name", FOLDERS)
def test_every_part_of_the_corpus_has_files(corpus: Path, name: str) -> None:
    assert any(path.is_file() for path in (corpus / name).glob("**/*")), name
