"""Scripts of real games as source in unpacked folders."""

from __future__ import annotations

from pathlib import Path

import pytest

import overhaul
from overhaul import mods
from overhaul.ags.decompiler.game import environment_of
from overhaul.ags.decompiler.proof import decompile_proven
from overhaul.ags.documents.code import HasScripts
from overhaul.errors import OverhaulError
from real_files import NO_CORPUS, corpus_folder, sample

CORPUS = corpus_folder()
#: The share of scripts that need no assembly.
AS_SOURCE = 0.85
FUNCTION = "\nfunction added_by_a_test(int a)\n{\n  return a * 2 + 7;\n}\n"


def scripts_in(path: Path) -> list[str]:
    """The functions that the scripts of a file export."""
    with overhaul.open(path) as document:
        assert isinstance(document, HasScripts)
        return [e.name for _, script in document.compiled_scripts() for e in script.exports]


def games() -> list[Path]:
    """Files with scripts, some of all by a fixed seed."""
    return sample([] if CORPUS is None else sorted(CORPUS.glob("ags/*/*")), 20, seed=5)


def test_source_rebuilds_scripts_and_takes_new_functions(tmp_path: Path) -> None:
    if CORPUS is None:
        pytest.skip(NO_CORPUS)
    as_source = as_assembly = edited = 0
    for number, path in enumerate(games()):
        try:
            with overhaul.open(path) as document:
                if not isinstance(document, HasScripts) or not document.code_names():
                    continue
        except OverhaulError:
            continue  # a file of another kind
        folder, packed = tmp_path / str(number), tmp_path / f"{number}.packed"
        overhaul.unpack(path, folder)
        overhaul.pack(folder, packed, from_scratch=True)
        assert packed.read_bytes() == path.read_bytes(), path
        sources = sorted(p for p in folder.rglob("*.json") if p.with_suffix(".asc").exists())
        exact = [p.with_suffix(".asc") for p in sources if not p.with_suffix(".asm").exists()]
        as_source += len(exact)
        as_assembly += len(sources) - len(exact)
        if not exact:
            continue
        with exact[0].open("a", encoding="utf-8") as file:
            file.write(FUNCTION)
        overhaul.pack(folder, packed, force=True)
        before, after = scripts_in(path), scripts_in(packed)
        assert sorted(after) == sorted([*before, "added_by_a_test$1"]), path
        changed = [change.path for change in mods.diff(str(path), str(packed)).changes]
        assert changed == [exact[0].relative_to(folder).as_posix()], path
        edited += 1
    assert edited and as_source >= AS_SOURCE * (as_source + as_assembly)


#: Files met since, in which a script stayed assembly or did not compile, and how many they have.
MET = {
    "2baeb16a-indianajonescredits.ags": 5,
    "8b1dddbb-room304.crm": 1,
    "b7a0d377-RescueMission.exe": 8,
    "cfe0481f-gamescript13.o": 1,
}


@pytest.mark.parametrize(("name", "count"), MET.items())
def test_scripts_of_files_met_since_come_back(name: str, count: int) -> None:
    if CORPUS is None:
        pytest.skip(NO_CORPUS)
    with overhaul.open(CORPUS / "new4" / "ags" / name) as document:
        assert isinstance(document, HasScripts)
        environment = environment_of(document)
        wrong = {
            path: decompile_proven(script, environment)[1]
            for path, script in document.compiled_scripts()
        }
    assert not any(wrong.values()), wrong
    assert len(wrong) == count
