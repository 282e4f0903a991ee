"""The options that commands share."""

from __future__ import annotations

import functools
import logging
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar, cast

import click

import overhaul
from overhaul.cli.output import Settings, explain_usage, guarded
from overhaul.document.registry import load
from overhaul.errors import OverhaulError

if TYPE_CHECKING:
    from overhaul.document.protocol import Document
    from overhaul.document.views import HasFonts

    class DocumentWithFonts(Document, HasFonts):
        """A document that is both."""


Command = Callable[..., int]
C = TypeVar("C", bound=Command)


def _expand_to(context: click.Context, parameter: click.Parameter, value: str | None) -> None:
    """Set the variable of the environment, which worker processes have too."""
    if value is None:
        return
    variable: str = load("overhaul.bounds:EXPANSION")
    try:
        load("overhaul.bounds:size_of")(value)
    except ValueError as error:
        raise click.BadParameter(str(error)) from None
    before = os.environ.get(variable)
    os.environ[variable] = value

    def restore() -> None:
        os.environ.pop(variable)
        if before is not None:
            os.environ[variable] = before

    context.find_root().call_on_close(restore)


def common(function: Command) -> Command:
    """Give a command --json, -q and -v, and turn its errors into one line.

    These, and the values of :func:`jobs` and :func:`assume_version`, come as one ``settings``.
    """

    @click.option(
        "--json", "json_", is_flag=True, help="Print JSON on stdout (docs/guide/json.md)."
    )
    @click.option("-q", "--quiet", is_flag=True, help="No progress and no warnings.")
    @click.option("-v", "--verbose", is_flag=True, help="More detail.")
    @click.option(
        "--max-expansion",
        metavar="SIZE",
        expose_value=False,
        callback=_expand_to,
        help="Let compressed parts of a file have this size, like 2GB.",
    )
    @functools.wraps(function)
    def command(
        *,
        json_: bool,
        quiet: bool,
        verbose: bool,
        jobs: int = 0,
        assume_version: str | None = None,
        **rest: object,
    ) -> int:
        settings = Settings(
            json=json_, quiet=quiet, verbose=verbose, jobs=jobs, assume_version=assume_version
        )
        if verbose:
            show_traces()

        def work() -> int:
            try:
                return function(settings=settings, **rest)
            except click.ClickException as error:  # arguments that disagree
                return explain_usage(error)

        return guarded(work, settings)

    return command


def show_traces() -> None:
    """Show what the library traces (not other packages: Pillow's does not help people)."""
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("%(name)s: %(message)s"))
    logger = logging.getLogger("overhaul")
    logger.handlers[:] = [handler]
    logger.setLevel(logging.DEBUG)
    logger.propagate = False


#: Gives a command -j; outside of :func:`common`.
jobs = click.option(
    "-j",
    "--jobs",
    type=click.IntRange(0, 256),
    default=0,
    metavar="N",
    help="Work in N processes; by default in as many as there are processors, in one where there "
    "is little to do.",
)


def _without_cache(context: click.Context, parameter: click.Parameter, value: bool) -> None:
    if value:
        without = load("overhaul.document.caches:without")
        context.find_root().with_resource(without())


#: Doing without what earlier commands kept in the cache folder.
no_cache = click.option(
    "--no-cache",
    is_flag=True,
    expose_value=False,
    callback=_without_cache,
    help="Neither use nor keep earlier conclusions about the code.",
)

#: The version to read a file as, where the evidence in it misleads; outside of :func:`common`.
assume_version = click.option(
    "--assume-version",
    metavar="VERSION",
    help="Read the file as this version, whatever the evidence in it says.",
)


#: Reading what is whole in a damaged file.
salvage = click.option(
    "--salvage",
    is_flag=True,
    help="Take the intact parts of a damaged file, and list the lost ones.",
)


def output(text: str, metavar: str = "FILE") -> Callable[[Command], Command]:
    """-o, which must be given; ``text`` is its help."""
    return click.option("-o", "--output", required=True, metavar=metavar, help=text)


def output_or_none(text: str, metavar: str = "FILE") -> Callable[[Command], Command]:
    """-o, which may be left out: None."""
    return click.option("-o", "--output", metavar=metavar, help=text)


#: Replacing what exists.
force = click.option("--force", is_flag=True, help="Replace existing files.")
force_file = click.option("--force", is_flag=True, help="Replace an existing file.")
force_backup = click.option(
    "--force", is_flag=True, help="Replace an existing file (an original is kept: .bak)."
)

#: Warnings that stop a command.
strict = click.option("--strict", is_flag=True, help="Take every warning for an error.")

#: GML that a command about code has to know.
definitions = click.option(
    "--definitions", metavar="PATH", help="GML with #macro and enum lines to know."
)

#: The code entry that a single text is for.
entry = click.option(
    "--entry", metavar="NAME", help="The code entry; otherwise the file's name says it."
)


def files_and_patterns(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """Files (the first word, and those that are files or unpacked folders), and the other words."""
    files = list(words[:1])
    patterns: list[str] = []
    for word in words[1:]:
        path = word.partition("!")[0]
        is_file = os.path.isfile(path) or os.path.isfile(os.path.join(path, "overhaul.toml"))
        (files if is_file else patterns).append(word)
    return files, patterns


#: How commands write code.
CODE = click.Choice(["asm", "gml", "both"])


def examples(*lines: str) -> str:
    """The end of a command's help: examples, printed as written."""
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines)


@contextmanager
def arguments() -> Iterator[None]:
    """Around what takes values from the command line: wrong ones are usage errors."""
    try:
        yield
    except OverhaulError:
        raise
    except (KeyError, ValueError) as error:
        raise click.UsageError(str(error.args[0])) from None


def open_fonts(file: str, settings: Settings) -> DocumentWithFonts:
    """A document with fonts whose letters are pictures; a usage error for one without."""
    document = overhaul.open(file, assume_version=settings.assume_version)
    fonts = getattr(document, "fonts", None)
    # projects of GameMaker and the data of an AGS game name typefaces, and have no letters
    if fonts is None or not all(hasattr(type(font), "missing") for font in fonts):
        kind = document.kind
        document.close()
        raise click.UsageError(f"{file} has no fonts whose letters are pictures: it is {kind}")
    return cast("DocumentWithFonts", document)
