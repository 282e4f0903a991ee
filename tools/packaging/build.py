"""Build what people install, and check it: ``python3 dev.py build [PART...]``.

``packages`` are the sdist and the pure wheel, ``pyz`` one file for a machine with Python,
``program`` one file for a machine without, ``manuals`` the manual pages. All go into dist/. Each
is checked by using it on the example game.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Callable, Sequence
from pathlib import Path

from overhaul.version import __version__

ROOT = Path(__file__).resolve().parents[2]
DIST = ROOT / "dist"
#: what the extras of the pyz and of the program are
EXTRAS = "fast,lsp,view,watch,xlsx"
#: what the program may take: seconds for a start, bytes
START = 0.5
SIZE = 60_000_000


def main(parts: Sequence[str]) -> int:
    """Build the parts that are named, or all; return the exit code."""
    unknown = [part for part in parts if part not in PARTS]
    if unknown:
        print(f"there is no part {unknown[0]!r}; there are: {', '.join(PARTS)}", file=sys.stderr)
        return 2
    DIST.mkdir(exist_ok=True)
    for part in parts or PARTS:
        print(f"-- {part}", flush=True)
        PARTS[part]()
    return 0


def packages() -> None:
    """The sdist and the pure wheel."""
    for old in (*DIST.glob("overhaul-*.tar.gz"), *DIST.glob("overhaul-*.whl")):
        old.unlink()
    run(sys.executable, "-m", "build", "--outdir", DIST, ROOT)
    (source,) = DIST.glob("overhaul-*.tar.gz")
    (wheel,) = DIST.glob("overhaul-*.whl")
    run(sys.executable, "-m", "twine", "check", "--strict", source, wheel)
    run(_script("check-wheel-contents"), wheel)
    run(_script("pyroma"), "--min=8", source)  # 10 when pyproject.toml has the two addresses
    for package in (source, wheel):
        with tempfile.TemporaryDirectory() as folder:
            use([str(installed(package, folder)), "-m", "overhaul"])


def installed(package: Path, folder: str) -> Path:
    """The Python of a new environment with a package, installed without an index: what it needs
    is taken from this environment."""
    venv.create(folder, with_pip=True)
    python = Path(folder, "Scripts" if os.name == "nt" else "bin", "python")
    paths = subprocess.check_output(
        [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"], text=True
    )
    own = [path for path in sys.path if path.endswith("site-packages")]
    Path(paths.strip(), "dependencies.pth").write_text("\n".join(own), "utf-8")
    install = ("-m", "pip", "install", "-q", "--no-index", "--no-deps", "--no-build-isolation")
    run(python, *install, package)
    return python


def pyz() -> None:
    """``overhaul.pyz``: runs with the Python that built it, on a system like this one."""
    target = DIST / "overhaul.pyz"
    run(
        *(_script("shiv"), "--console-script", "overhaul", "--compressed", "--quiet"),
        *("--output-file", target, "--python", "/usr/bin/env python3", f"{ROOT}[{EXTRAS}]"),
    )
    with tempfile.TemporaryDirectory() as folder:
        env = {**os.environ, "SHIV_ROOT": folder}
        use([sys.executable, str(target)], env=env)
        report(target, [sys.executable, str(target)], env)


def program() -> None:
    """``overhaul`` (``overhaul.exe``): needs no Python."""
    work = tempfile.mkdtemp()
    try:
        run(
            *(sys.executable, "-m", "PyInstaller", "--noconfirm", "--log-level", "WARN"),
            *(
                "--distpath",
                DIST,
                "--workpath",
                work,
                ROOT / "tools" / "packaging" / "overhaul.spec",
            ),
        )
    finally:
        shutil.rmtree(work)
    target = DIST / ("overhaul.exe" if os.name == "nt" else "overhaul")
    # an environment without Python: no PATH, no home of Python
    env = {
        name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PATH"))
    }
    use([str(target)], env=env)
    seconds = report(target, [str(target)], env)
    if target.stat().st_size > SIZE:
        raise SystemExit(f"{target.name} is larger than {SIZE:,} bytes")
    if seconds > START:
        print(f"{target.name} takes longer than {START} s to start (is the machine busy?)")


def manuals() -> None:
    """The manual pages of all commands, from their help: dist/man/overhaul-unpack.1 ..."""
    import click
    from click_man.core import write_man_pages

    from overhaul.cli.app import COMMANDS, overhaul

    target = DIST / "man"
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir()
    context = click.Context(overhaul)
    for name in COMMANDS:  # the group imports its commands when they are called
        command = overhaul.get_command(context, name)
        assert command is not None
        overhaul.add_command(command, name)
    write_man_pages("overhaul", overhaul, version=__version__, target_dir=str(target))
    missing = [name for name in COMMANDS if not (target / f"overhaul-{name}.1").exists()]
    if missing:
        raise SystemExit(f"there is no manual page of {missing[0]}")
    print(f"{len([*target.iterdir()])} manual pages")


def report(target: Path, command: list[str], env: dict[str, str]) -> float:
    """Print the size of a file and how long it takes to start; return that, in seconds."""
    times = []
    for _ in range(5):
        begin = time.perf_counter()
        subprocess.run([*command, "--version"], check=True, env=env, stdout=subprocess.DEVNULL)
        times.append(time.perf_counter() - begin)
    seconds = sorted(times)[len(times) // 2]
    print(f"{target.name}: {target.stat().st_size:,} bytes, starts in {seconds:.2f} s")
    return seconds


def use(command: list[str], env: dict[str, str] | None = None) -> None:
    """Use a program on the example game: pack, look, unpack, change, pack, compare, verify."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)

        def do(*words: object) -> str:
            words_ = [*command, *map(str, words)]
            said = subprocess.run(words_, cwd=folder, env=env, stdout=subprocess.PIPE, text=True)
            if said.returncode:
                raise SystemExit(f"{' '.join(words_)} ended with {said.returncode}")
            return said.stdout

        do("doctor")
        do("example", "-o", "game.win")
        do("verify", "--code", "-j", "2", "game.win")
        do("unpack", "game.win", "game")
        do("pack", "game", "-o", "same.win")
        if (folder / "same.win").read_bytes() != (folder / "game.win").read_bytes():
            raise SystemExit("an untouched folder does not give the same file")
        code = folder / "game" / "code" / "gml_Object_obj_keeper_Create_0.gml"
        code.write_text(code.read_text("utf-8").replace("1.5", "3"), "utf-8")
        do("mod", "make", "game.win", "game", "-o", "fast.zip")
        do("mod", "apply", "game.win", "fast.zip", "-o", "fast.win")
        if "walk_speed = 3;" not in do("decompile", "fast.win", code.stem):
            raise SystemExit("the mod did not change the code")
        do("render", "game.win", "rooms/*", "-o", "pictures")
        _look(command, folder, env)


def _look(command: list[str], folder: Path, env: dict[str, str] | None) -> None:
    """The viewer answers, and its search, which has a process of its own, finds something."""
    from urllib.request import HTTPCookieProcessor, build_opener

    with subprocess.Popen(
        [*command, "view", "--no-open", "game.win"],
        cwd=folder,
        env=env,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        try:
            address = process.stdout.readline().strip()
            visit = build_opener(HTTPCookieProcessor())
            first = visit.open(address).read().decode()
            if "obj_keeper" not in first and "Lantern" not in first:
                raise SystemExit("the viewer does not show the game")
            base = address.partition("?")[0]
            for _ in range(100):
                text = visit.open(f"{base}-/search?q=walk_speed").read().decode()
                if "gml_Object_obj_keeper" in text:
                    return
                time.sleep(0.2)
            raise SystemExit("the viewer's search finds nothing")
        finally:
            process.terminate()


def run(*command: object, env: dict[str, str] | None = None) -> None:
    """Run a program in the repository; a failure ends this one."""
    if subprocess.call([str(word) for word in command], cwd=ROOT, env=env):
        raise SystemExit(f"{command[0]} failed")


def _script(name: str) -> Path:
    return Path(sys.executable).parent / name


PARTS: dict[str, Callable[[], None]] = {
    "packages": packages,
    "pyz": pyz,
    "program": program,
    "manuals": manuals,
}

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
