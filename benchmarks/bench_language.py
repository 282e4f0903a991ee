"""How long an editor waits: completion, and the reports of a file that is edited.

The corpus game with most code, unpacked.  Each file gets another text every time, as somebody who
types gives it; times are CPU seconds of this process.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from runner import Bench, Result

import overhaul
from overhaul.language.texts import FolderTexts
from overhaul.language.workspace import Workspace
from real_files import corpus_files

#: in milliseconds
COMPLETION, REPORTS = 50, 100


def largest() -> Path:
    """The game with most code."""

    def code(path: Path) -> int:
        data = path.read_bytes()
        at, size = 8, len(data)
        while data[:4] == b"FORM" and at + 8 <= size:
            length = int.from_bytes(data[at + 4 : at + 8], "little")
            if data[at : at + 4] == b"CODE":
                return length
            at += 8 + length
        return 0

    games = [
        path
        for folder in ("datawin", "datawin2", "datawin3")
        for path in corpus_files(f"{folder}/*")
        if path.is_file()
    ]
    return max(games, key=code)


def milliseconds(ask: Callable[[], object]) -> float:
    start = time.process_time()
    ask()
    return 1e3 * (time.process_time() - start)


def add(bench: Bench, name: str, times: list[float], target: float | None = None) -> None:
    """The median, with the slowest twentieth and the slowest in the note."""
    ordered = sorted(times)
    late = ordered[int(0.95 * (len(ordered) - 1))]
    note = f"{len(times)} times; 95 %: {late:.0f} ms, slowest: {ordered[-1]:.0f} ms"
    bench.add(Result(name, statistics.median(times), "ms", target, True, note))


def main() -> None:
    bench = Bench("The language service, the game with most code")
    path = largest()
    with tempfile.TemporaryDirectory() as folder:
        overhaul.unpack(path, Path(folder, "game"))
        workspace = Workspace.of_folder(Path(folder, "game"))
        texts = workspace.texts
        assert isinstance(texts, FolderTexts)
        (gml,) = workspace.languages
        files = [name for name in texts.paths() if name.endswith(".gml")]
        size = sum(len(texts.read(name)) for name in files)
        first = milliseconds(lambda: gml.completion(files[0], 0))
        note = f"{len(files)} files, {size / 1e3:.0f} kB"
        bench.add(Result("open, and complete for the first time", first, "ms", note=note))
        reports: list[float] = []
        again: list[float] = []
        named: list[float] = []
        dotted: list[float] = []
        hovers: list[float] = []
        uses: list[float] = []
        colours: list[float] = []
        for number, name in enumerate(files):
            text = texts.read(name)
            for step, times in enumerate((reports, again)):
                texts.put(name, f"{text}\nx = unheard_of{number}_{step};")
                times.append(milliseconds(partial(gml.diagnostics, name)))
            for typed, times in (("\ndraw_s", named), ("\nself.", dotted)):
                texts.put(name, text + typed)
                at = len(text) + len(typed)
                times.append(milliseconds(partial(gml.completion, name, at)))
            texts.put(name, text)
            at = text.find("(") - 1
            hovers.append(milliseconds(partial(gml.hover, name, at)))
            uses.append(milliseconds(partial(gml.references, name, at)))
            colours.append(milliseconds(partial(gml.tokens, name)))
            texts.drop(name)
        add(bench, "reports of an edited file, the first time", reports)
        add(bench, "reports of an edited file", again, REPORTS)
        add(bench, "completion of a name", named, COMPLETION)
        add(bench, "completion behind a dot", dotted, COMPLETION)
        add(bench, "hover", hovers)
        add(bench, "uses of a name", uses)
        add(bench, "colours of a file", colours)
        bench.add(Result("all of the folder packed in memory", milliseconds(workspace.check), "ms"))
        workspace.close()
    bench.finish()


if __name__ == "__main__":
    main()
