#!/usr/bin/env python3
"""Work on Overhaul: ``python3 dev.py demo | test | lint | bench | docs | mutate | programs |
hostile | build | release``.

Needs Python 3.11 or newer and nothing else: every command sets up its own virtual environment in
a ``.venv-*`` folder of the repository (pip downloads what it needs the first time, and again when
``pyproject.toml`` changes).  What follows the command goes to the program it runs, for example
``python3 dev.py test tests/folder -k pack``.
"""

# This file is read by whatever Python a machine has, so its syntax stays old until the version
# has been checked.
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from typing import IO

ROOT = os.path.dirname(os.path.abspath(__file__))
OLDEST = (3, 11)
#: The percentage of public names that have declared types, at least.
DECLARED = 95
#: What ``test --fast`` runs: the parts that most code stands on, without corpus and builds.
FAST = (
    "tests/schema", "tests/document", "tests/folder", "tests/patches", "tests/media", "tests/gml",
    "tests/ags", "tests/gamemaker/ds", "tests/gamemaker/tiled",
    "tests/gamemaker/data/test_detect.py",
)  # fmt: skip
#: What it leaves out of them: tests that start processes, read all of the sources, or count steps.
NOT_FAST = (
    "tests/folder/test_parallel.py", "tests/folder/test_watching.py", "tests/gml/test_compiled.py",
    "tests/ags/test_compression.py", "tests/ags/language/test_errors.py",
    "tests/gml/compiler/test_errors.py", "tests/gml/decompiler/test_odd_code.py",
)  # fmt: skip
#: On all cores.  Each has a part of the tests in their order, and takes of others' when it is done:
#: what the tests of a file share is made once.
PARALLEL = ["-n", "auto", "--dist", "worksteal"]
#: The folder of a virtual environment, and the extras of pyproject.toml that it holds.
ENVIRONMENTS = {
    "demo": (".venv-demo", "view"),
    "test": (".venv-dev", "test,lint,bench"),
    "lint": (".venv-dev", "test,lint,bench"),
    "bench": (".venv-dev", "test,lint,bench"),
    "docs": (".venv-docs", "docs"),
    "mutate": (".venv-mutate", "test,mutate"),
    "programs": (".venv-dev", "test,lint,bench"),
    "hostile": (".venv-dev", "test,lint,bench"),
    "build": (".venv-build", "build"),
    "release": (".venv-build", "build"),
}


class Trouble(Exception):
    """Something about this machine, in plain words."""


def main(arguments: "list[str]") -> int:
    """Run one command; return the exit code."""
    if not arguments or arguments[0] in ("-h", "--help", "help"):
        print((__doc__ or "").replace("``", ""))
        for name, command in COMMANDS.items():
            said = " ".join((command.__doc__ or "").split()).replace("``", "")
            print("  {:8} {}.".format(name, said.partition(". ")[0].rstrip(".")))
        return 0
    name, rest = arguments[0], arguments[1:]
    if name not in COMMANDS:
        print("dev.py: there is no command {!r}; there are: {}".format(name, ", ".join(COMMANDS)))
        return 2
    try:
        if sys.version_info < OLDEST:
            return restart_with_newer_python(arguments)
        return COMMANDS[name](environment(name), rest)
    except Trouble as trouble:
        print("dev.py: {}".format(trouble), file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


# ------------------------------------------------------------------------------------- commands


def demo(python: str, arguments: "list[str]") -> int:
    """Build the example game, look at it, change it, pack it again (examples/lantern)."""
    script = os.path.join("examples", "lantern", "demo.py")
    if not os.path.exists(os.path.join(ROOT, script)):
        raise Trouble(
            "the demo game (examples/lantern) is not part of this version yet. The demo will build "
            "a small game from a folder, unpack it, change a sprite and a string, pack it and "
            "verify it. Meanwhile: {} -m overhaul --help".format(os.path.relpath(python, ROOT))
        )
    return run(python, script, *arguments)


def test(python: str, arguments: "list[str]") -> int:
    """Run the tests on all cores (--fast: a part, in a minute; -m slow: those left out); arguments
    go to pytest."""
    if not any(a.startswith("-m") for a in arguments) and "--fast" not in arguments:
        arguments = ["-m", "not slow", *arguments]
    if "--fast" in arguments:
        arguments = [a for a in arguments if a != "--fast"]
        os.environ["OVERHAUL_CORPUS"] = os.path.join(ROOT, "no-corpus")
        left_out = ["--ignore={}".format(path) for path in NOT_FAST]
        arguments = ["-m", "not slow and not corpus", *left_out, *arguments, *FAST]
    if arguments == ["-m", "slow"]:
        arguments = [*arguments, *slow_files()]
    parallel = [] if any(a.startswith(("-n", "--pdb")) for a in arguments) else PARALLEL
    return run(python, "-m", "pytest", *parallel, *arguments)


def slow_files() -> "list[str]":
    """The files that have slow tests: collecting all others takes longer than these run."""
    files = [
        os.path.join(folder, name)
        for folder, _, names in os.walk(os.path.join(ROOT, "tests"))
        for name in names
        if name.startswith("test_") and name.endswith(".py")
    ]
    return sorted(path for path in files if "pytest.mark.slow" in read(path))


def lint(python: str, arguments: "list[str]") -> int:
    """Check style (ruff), types (mypy --strict, and how many names have declared ones) and the
    layers (import-linter), all at once."""
    programs = os.path.dirname(python)
    checks = [
        [python, "-m", "ruff", "check", *arguments, "."],
        [python, "-m", "mypy"],
        [os.path.join(programs, "lint-imports"), "--no-cache"],
        [os.path.join(programs, "basedpyright"), "--verifytypes", "overhaul", "--ignoreexternal"],
    ]
    path = os.pathsep.join([programs, os.environ.get("PATH", "")])  # basedpyright asks it
    running = [started(check, PATH=path) for check in checks]
    failed = 0
    for check, (process, output) in zip(checks, running, strict=True):
        print("-- " + " ".join([os.path.basename(check[0]), *check[1:]]), flush=True)
        code = process.wait()
        output.seek(0)
        said = output.read().decode("utf-8", "replace")
        if check is checks[-1]:
            failed += not declares_types(said)
        else:
            print(said, end="", flush=True)
            failed += code != 0
    print("lint: {}".format("{} of {} failed".format(failed, len(checks)) if failed else "clean"))
    return 1 if failed else 0


def declares_types(said: str) -> bool:
    """Whether enough public names have types that any type checker reads the same."""
    scores = [
        line.split(":")[1] for line in said.splitlines() if line.startswith("Type completeness")
    ]
    score = float(scores[0].strip().rstrip("%")) if scores else 0.0
    print("{} % of the public names have declared types; {} % must".format(score, DECLARED))
    return score >= DECLARED


def bench(python: str, arguments: "list[str]") -> int:
    """Run the benchmarks (benchmarks/); arguments choose some by name.  --compare counts what
    whole processes cost, against the last release; --large measures commands on large games."""
    if "--large" in arguments:
        rest = [argument for argument in arguments if argument != "--large"]
        return run(python, os.path.join("benchmarks", "large.py"), *rest)
    if "--compare" in arguments:
        rest = [argument for argument in arguments if argument != "--compare"]
        return run(python, os.path.join("benchmarks", "compare.py"), *rest)
    folder = os.path.join(ROOT, "benchmarks")
    scripts = sorted(
        n for n in (os.listdir(folder) if os.path.isdir(folder) else ()) if n.startswith("bench_")
    )
    if not scripts:
        raise Trouble("there are no benchmarks in this version yet (benchmarks/bench_*.py)")
    chosen = [n for n in scripts if not arguments or any(a in n for a in arguments)]
    if not chosen:
        raise Trouble("no benchmark is called like that; there are: {}".format(", ".join(scripts)))
    return max([run(python, os.path.join("benchmarks", name)) for name in chosen])


def docs(python: str, arguments: "list[str]") -> int:
    """Build the documentation into site/ (`docs serve` shows it while you write), and list what it
    does not say of public names."""
    os.environ.setdefault("NO_MKDOCS_2_WARNING", "1")  # advertising, as far as this build goes
    if arguments[:1] == ["serve"]:
        return run(python, "-m", "mkdocs", *arguments)
    built = run(python, "-m", "mkdocs", "build", "--strict", *arguments)
    return run(python, os.path.join("docs", "attributes.py")) or built


def mutate(python: str, arguments: "list[str]") -> int:
    """Change the code of an area bit by bit and see which changes no test notices."""
    return run(python, os.path.join("tools", "mutation", "mutate.py"), *arguments)


def programs(python: str, arguments: "list[str]") -> int:
    """Compile, decompile and compile random GML programs of every release."""
    return run(python, os.path.join("tools", "fuzz", "programs.py"), *arguments)


def hostile(python: str, arguments: "list[str]") -> int:
    """Measure what hostile files take: archives, mods, translations, maps, patches."""
    return run(python, os.path.join("tools", "fuzz", "hostile.py"), *arguments)


def build(python: str, arguments: "list[str]") -> int:
    """Build and check what people install, into dist/: packages, pyz, program; all, or those
    named."""
    return run(python, os.path.join("tools", "packaging", "build.py"), *arguments)


def release(python: str, arguments: "list[str]") -> int:
    """Check whether this checkout can be released (--check); show what changed since the last
    release (--changes), or move it into CHANGELOG.md (--write)."""
    return run(python, os.path.join("tools", "packaging", "release.py"), *arguments)


COMMANDS = {
    "demo": demo, "test": test, "lint": lint, "bench": bench, "docs": docs, "mutate": mutate,
    "programs": programs,
    "hostile": hostile,
    "build": build,
    "release": release,
}  # fmt: skip


# ----------------------------------------------------------------------------- the environments


def environment(command: str) -> str:
    """The Python of the command's virtual environment, created or brought up to date."""
    folder, extras = ENVIRONMENTS[command]
    folder = os.path.join(ROOT, folder)
    programs = "Scripts" if os.name == "nt" else "bin"
    python = os.path.join(folder, programs, "python.exe" if os.name == "nt" else "python")
    stamp = os.path.join(folder, "overhaul-stamp.txt")
    wanted = fingerprint(extras)
    if os.path.exists(python) and read(stamp) == wanted:
        return python

    name = os.path.basename(folder)
    print("dev.py: setting up {} (only the first time, or after a change)".format(name), flush=True)
    if not works(python):
        shutil.rmtree(folder, ignore_errors=True)
        create(folder)
    install(python, ".[{}]".format(extras) if extras else ".")
    with open(stamp, "w", encoding="utf-8") as file:
        file.write(wanted)
    return python


def create(folder: str) -> None:
    """Make an empty virtual environment that has pip."""
    try:
        import ensurepip  # noqa: F401
        import venv  # noqa: F401
    except ImportError:
        version = "{}.{}".format(*sys.version_info[:2])
        uv = ("uv", "venv", "--quiet", "--seed", "--python", sys.executable, folder)
        if shutil.which("uv") and run(*uv) == 0:
            return
        raise Trouble(
            "this Python ({}) can't make virtual environments, because its 'venv' or 'ensurepip' "
            "module is missing.\n"
            "  Debian, Ubuntu, Mint:  sudo apt install python3-venv  (or python{}-venv)\n"
            "  others:                install the full Python from https://www.python.org\n"
            "Then run the same command again.".format(sys.executable, version)
        ) from None
    if run(sys.executable, "-m", "venv", folder) != 0:
        shutil.rmtree(folder, ignore_errors=True)
        raise Trouble(
            "making the virtual environment {} failed; what Python said stands above. Is the disk "
            "full, or the folder read-only?".format(folder)
        )


def install(python: str, requirement: str) -> None:
    """Install Overhaul from this folder, so that changes to the source count at once."""
    command = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    if run(*command, "--editable", requirement) != 0:
        raise Trouble(
            "pip could not install what Overhaul needs; its own words stand above. Most often the "
            "machine is not connected to the internet, or a proxy is in the way (pip reads "
            "HTTPS_PROXY and PIP_INDEX_URL). No C compiler is needed."
        )


def fingerprint(extras: str) -> str:
    """What an environment was made from: when it changes, pip runs again."""
    parts = [read(os.path.join(ROOT, "pyproject.toml")), extras, ROOT, sys.version]
    return hashlib.sha256("\0".join(parts).encode("utf-8")).hexdigest()


def restart_with_newer_python(arguments: "list[str]") -> int:
    """Run this script with a newer Python of the machine, if it has one."""
    for minor in range(19, OLDEST[1] - 1, -1):
        newer = shutil.which("python3.{}".format(minor))
        if newer and works(newer):
            return run(newer, os.path.abspath(__file__), *arguments)
    raise Trouble(
        "this is Python {}.{}, and Overhaul needs {}.{} or newer (https://www.python.org, or your "
        "system's packages).".format(*sys.version_info[:2], *OLDEST)
    )


# -------------------------------------------------------------------------------------- helpers


def run(*command: str) -> int:
    """Run a program in the repository; return its exit code."""
    try:
        return subprocess.call(command, cwd=ROOT, env=surroundings())
    except OSError as error:
        raise Trouble("can't run {}: {}".format(command[0], error)) from None


def started(command: "list[str]", **variables: str) -> "tuple[subprocess.Popen[bytes], IO[bytes]]":
    """A program that runs in the repository, and the file that has what it prints."""
    output = tempfile.TemporaryFile()  # noqa: SIM115 - read when the program has ended
    try:
        process = subprocess.Popen(
            command,
            cwd=ROOT,
            env=dict(surroundings(), **variables),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    except OSError as error:
        raise Trouble("can't run {}: {}".format(command[0], error)) from None
    return process, output


def surroundings() -> "dict[str, str]":
    """The environment variables that programs get."""
    # The checkout's own source counts, and no other copy of Overhaul that PYTHONPATH may name.
    # Compiled modules are kept: the tests start hundreds of programs that import the same ones.
    unwanted = ("PYTHONPATH", "PYTHONHOME", "PYTHONDONTWRITEBYTECODE")
    return {k: v for k, v in os.environ.items() if k not in unwanted}


def works(python: str) -> bool:
    """Whether a Python interpreter can be run at all."""
    try:
        return subprocess.call([python, "-c", ""], stderr=subprocess.DEVNULL) == 0
    except OSError:
        return False


def read(path: str) -> str:
    """The text of a file; empty if there is none."""
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except OSError:
        return ""


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
