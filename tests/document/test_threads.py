"""Several threads open, decode, pack and show games in a new process: what is made on first use is
made once, and no thread sees it half made."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import overhaul
from ags_scripted import scripted_package
from handmade_project import project_file
from modded_games import lantern
from real_files import ROOT

WORK = """
import sys, threading, traceback
from urllib.parse import quote

sys.setswitchinterval(0.0002)
import overhaul
from overhaul.folder.packing import packed

failures = []


def work(path, folder):
    try:
        with overhaul.open(path) as document:
            with open(path, "rb") as file:
                assert document.to_bytes() == file.read()
            for resource in document.tree():
                repr(resource)
        packed(folder)
    except BaseException:
        failures.append(traceback.format_exc())


threads = [
    threading.Thread(target=work, args=(path, folder))
    for path, folder in zip(sys.argv[1::2], sys.argv[2::2])
]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print("".join(failures))
"""


def test_threads_share_what_is_made_on_first_use(tmp_path: Path) -> None:
    games = [lantern("gms1"), scripted_package(), project_file(800)] * 2
    arguments = []
    for number, data in enumerate(games):
        game, folder = tmp_path / f"game{number}", tmp_path / f"folder{number}"
        game.write_bytes(data)
        overhaul.unpack(game, folder)
        for path in folder.rglob("*.gml"):
            path.write_text("// read again\n" + path.read_text())
        arguments += [str(game), str(folder)]
    done = subprocess.run(
        [sys.executable, "-c", WORK, *arguments],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={
            "PYTHONPATH": str(ROOT / "src"),
            "OVERHAUL_CACHE": str(tmp_path / "cache"),
            # modules are compiled, as in the first run on a machine: imports take longer
            "PYTHONPYCACHEPREFIX": str(tmp_path / "bytecode"),
        },
    )
    assert (done.stdout.strip(), done.stderr) == ("", ""), done.stdout[-2500:]
