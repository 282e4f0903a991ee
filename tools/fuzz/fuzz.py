"""Coverage-guided fuzzing of every entry point that reads somebody's bytes.

    python -m pip install -e .[fuzz]         # atheris: Linux, CPython up to 3.13
    python tools/fuzz/fuzz.py open CORPUS...  # any file, as `overhaul info` and `verify` read it
    python tools/fuzz/fuzz.py gamemaker-data CORPUS...
    python tools/fuzz/fuzz.py ds CORPUS...

The first argument is an entry point (``--list`` shows them), the rest goes to libFuzzer: folders
of seeds (new inputs are added to the first one, so give it an empty folder of yours first), and
options such as ``-max_total_time=600``, ``-max_len=65536``, ``-rss_limit_mb=1024``, ``-timeout=2``.

An input that raises anything but Overhaul's own errors, takes too long or too much memory is
written to ``crash-*``, ``timeout-*`` or ``oom-*``; give that file as the only argument after the
entry point to run it again.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial


def read_document(data: bytes, target: str | None = None) -> None:
    """Read a document in every way that commands do; as the class ``target``, if it is given."""
    import overhaul
    from overhaul.document import registry as formats
    from overhaul.errors import OverhaulError

    try:
        if target is None:
            document = overhaul.open(data)
        else:
            document = formats.load(target).from_bytes(data)
        with document:
            document.info()
            list(document.tree())
            document.decode()
            document.to_bytes()
            document.coverage()
    except OverhaulError:
        return


def salvage(data: bytes) -> None:
    """Take what is whole in a damaged file: it opens, and is written as it is."""
    from overhaul.document.salvaging import salvage
    from overhaul.errors import OverhaulError

    try:
        found, lost = salvage(data)
    except OverhaulError:
        return
    if lost:
        with found.open() as document:
            assert document.to_bytes() == found.data


def unpack_and_pack(data: bytes) -> None:
    """Take any file apart and put it back, in a folder that is thrown away."""
    import os
    import tempfile

    import overhaul

    with tempfile.TemporaryDirectory() as place:
        folder, packed = os.path.join(place, "folder"), os.path.join(place, "packed")
        try:
            overhaul.unpack(data, folder)
            overhaul.pack(folder, packed)
            overhaul.pack(folder, os.path.join(place, "made"), from_scratch=True)
        except overhaul.OverhaulError:
            return
        finally:
            stray = set(os.listdir(place)) - {"folder", "packed", "made"}
            assert not stray, f"left behind: {stray}"


def read_ds(data: bytes) -> None:
    """A ds string: what reads must write back the same."""
    from overhaul.errors import OverhaulError
    from overhaul.gamemaker import ds

    text = data.decode("latin-1")
    try:
        value = ds.loads(text)
    except OverhaulError:
        return
    assert ds.dumps(value) == text


def read_gml(data: bytes) -> None:
    """GML source: what parses must print to something that parses to the same tree."""
    from overhaul.errors import OverhaulError
    from overhaul.gml.syntax.parser import parse
    from overhaul.gml.syntax.printer import to_source

    try:
        tree = parse(data.decode("utf-8", "replace"))
    except OverhaulError:
        return
    assert parse(to_source(tree)) == tree


def assemble_gml(data: bytes) -> None:
    """Assembly text, and what it assembles to as text again."""
    from overhaul import gml
    from overhaul.errors import OverhaulError

    context = gml.Context(dialect=gml.Dialect())
    try:
        code = gml.assemble(data.decode("utf-8", "replace"), context)
        gml.disassemble(code)
        gml.decompile(code, context)
    except OverhaulError:
        return


def compile_gml(data: bytes) -> None:
    """GML source through the compiler and back through the decompiler."""
    from overhaul import gml
    from overhaul.errors import OverhaulError

    context = gml.Context(dialect=gml.Dialect())
    try:
        code = gml.compile(data.decode("utf-8", "replace"), context, kind="event", name="fuzz")
    except OverhaulError:
        return
    gml.decompile(code, context)


def entry_points() -> dict[str, Callable[[bytes], None]]:
    """Each entry point by its name."""
    from overhaul.document.registry import REGISTRY

    found: dict[str, Callable[[bytes], None]] = {
        "open": read_document,
        "unpack": unpack_and_pack,
        "salvage": salvage,
        "ds": read_ds,
        "gml": read_gml,
        "assemble": assemble_gml,
        "compile": compile_gml,
    }
    for entry in REGISTRY:
        found[entry.kind] = partial(read_document, target=entry.target)
    return found


def import_everything() -> None:
    """Import all modules now: what is imported while fuzzing would not be instrumented, and
    libFuzzer could not see where its inputs lead."""
    from importlib import import_module
    from pkgutil import walk_packages

    import overhaul

    for module in walk_packages(overhaul.__path__, "overhaul."):
        if not module.name.endswith("__main__"):
            import_module(module.name)


def main() -> None:
    """Fuzz the entry point that the command line names."""
    names = entry_points()
    if len(sys.argv) < 2 or sys.argv[1] not in names:
        print("entry points:", ", ".join(names))
        sys.exit(0 if sys.argv[1:] == ["--list"] else 2)
    import atheris

    chosen = names[sys.argv[1]]
    with atheris.instrument_imports(include=["overhaul"]):
        import_everything()
    atheris.Setup([sys.argv[0], *sys.argv[2:]], chosen)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
