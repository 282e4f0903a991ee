"""Building catalogues in this process."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from cataloged import read_here


@pytest.fixture
def here() -> Iterator[None]:
    """This process reads the files of catalogues, where what reads them is not tested."""
    with read_here():
        yield
