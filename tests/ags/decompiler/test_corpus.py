"""Real scripts: what they decompile to compiles to the same bytes."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from overhaul.ags.decompiler.proof import prove
from overhaul.ags.script.model import read_script
from real_files import NO_CORPUS, corpus_files, sample

SCRIPTS = corpus_files("ags-pairs/*/compiled/*.o") + corpus_files("ags-pairs/*/compiled/*.o.gz")


@pytest.mark.skipif(not SCRIPTS, reason=NO_CORPUS)
@pytest.mark.parametrize("path", sample(SCRIPTS, 25), ids=lambda path: path.name)
def test_a_real_script_compiles_to_its_bytes(path: Path) -> None:
    data = path.read_bytes()
    script, _ = read_script(gzip.decompress(data) if path.suffix == ".gz" else data)
    assert prove(script) == []
