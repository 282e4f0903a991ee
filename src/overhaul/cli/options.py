"""The options that commands share."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import click

from overhaul.cli.output import Settings, guarded

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def common(function: Callable[..., int]) -> Callable[..., int]:
    """Give a command --json, -q and -v as one ``settings``, and turn its errors into one line."""

    @click.option(
        "--json", "json_", is_flag=True, help="Print JSON on stdout (docs/guide/json.md)."
    )
    @click.option("-q", "--quiet", is_flag=True, help="No progress and no warnings.")
    @click.option("-v", "--verbose", is_flag=True, help="More detail.")
    @functools.wraps(function)
    def command(*, json_: bool, quiet: bool, verbose: bool, **rest: Any) -> int:
        settings = Settings(
            json=json_, quiet=quiet, verbose=verbose, jobs=rest.pop("jobs", None) or 1
        )
        if verbose:
            import logging

            logging.basicConfig(level=logging.DEBUG, format="%(name)s: %(message)s")

        def work() -> int:
            try:
                return function(settings=settings, **rest)
            except click.ClickException as error:  # arguments that disagree
                error.show()
                return error.exit_code

        return guarded(work, settings)

    return command


def jobs(function: Callable[..., int]) -> Callable[..., int]:
    """Give a command -j; put it outside of :func:`common`."""

    def parse(context: click.Context, parameter: click.Parameter, value: int) -> int:
        import os

        return value or os.cpu_count() or 1

    option: Decorator = click.option(
        "-j",
        "--jobs",
        type=click.IntRange(0, 256),
        default=1,
        callback=parse,
        metavar="N",
        help="Work in N processes (0: as many as there are processors).",
    )
    return option(function)


#: The version to read a file as, where the evidence in it misleads.
assume_version: Decorator = click.option(
    "--assume-version",
    metavar="VERSION",
    help="Read the file as this version, whatever the evidence in it says.",
)


def examples(*lines: str) -> str:
    """The end of a command's help: examples, kept as they are."""
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines)
