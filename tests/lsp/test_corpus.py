"""``overhaul lsp`` on real games: a rename packs and does what it says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import loops
import overhaul
from lsp_editor import Editor, editing
from overhaul.gml.builtins import load_variables
from real_files import corpus_files, sample

pytest.importorskip("pygls", reason="the extra [lsp] is not installed")
pytestmark = pytest.mark.corpus
#: larger games take long to unpack
LARGEST = 2 << 20


def games() -> list[Path]:
    files = [
        path
        for folder in ("datawin", "datawin2", "datawin3")
        for path in corpus_files(f"{folder}/*.win")
        if path.stat().st_size < LARGEST
    ]
    return sample(files, 5, seed=4)


@pytest.mark.parametrize("game", games(), ids=lambda path: path.name)
def test_a_variable_of_a_real_game_is_renamed(game: Path, tmp_path: Path) -> None:
    folder = tmp_path / "game"
    overhaul.unpack(game, folder)
    paths = sorted(path.relative_to(folder).as_posix() for path in folder.glob("code/*.gml"))
    names = (
        (path, match[1])
        for path in paths
        for match in re.finditer(r"^([a-z]\w{4,}) = ", (folder / path).read_text(), re.M)
        if match[1] not in load_variables()
    )
    found = next(names, None)
    if found is None:
        pytest.skip("no line of the game sets a variable of its own")
    path, old = found

    async def steps(editor: Editor) -> None:
        lsp = editor.lsp
        text = editor.open(path)
        editor.type(path, text + "\nx = never_heard_of;\n")
        await editor.reported(path, "unknown variable never_heard_of")
        editor.type(path, text)
        await editor.reported(path)
        at = editor.place(path, f"{old} = ")
        edit = await editor.client.text_document_rename_async(
            lsp.RenameParams(editor.document(path), at, "renamed_by_hand")
        )
        editor.apply(edit)

    async def main() -> None:
        async with editing(folder) as editor:
            await steps(editor)

    loops.run(main())
    made = overhaul.pack(folder, tmp_path / "renamed.win")
    with overhaul.open_game(made.path) as packed:
        words = [word for entry in packed.code for word in re.findall(r"\w+", entry.gml)]
    assert "renamed_by_hand" in words
