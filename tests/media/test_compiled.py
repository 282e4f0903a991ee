"""QOI compiled by mypyc passes the same tests as the plain module."""

from __future__ import annotations

from pathlib import Path

import pytest

from compiled_build import passes, why_not


@pytest.mark.slow
@pytest.mark.skipif(bool(why_not()), reason=why_not())
def test_the_compiled_qoi_passes_the_same_tests(tmp_path: Path) -> None:
    passes(tmp_path, ["tests/media/test_qoi.py", "tests/media/test_textures.py"], ["media/qoi.py"])
