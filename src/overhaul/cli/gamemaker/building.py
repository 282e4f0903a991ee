"""``build`` for projects of GameMaker's editor: into a game like another one."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

import overhaul
from overhaul.cli.output import OK, say, say_json, shown, size_in_words, warn
from overhaul.cli.verbs import Building
from overhaul.document.registry import load

if TYPE_CHECKING:
    from overhaul.gamemaker.ide_game.building import Built

_ENDINGS = (".yyp", ".project.gmx")


def builds(asked: Building) -> bool:
    """Whether it is a project of GameMaker's editor, or is built like a game."""
    project = asked.project
    names = os.listdir(project) if os.path.isdir(project) else [project]
    is_project = any(name.lower().endswith(_ENDINGS) for name in names)
    return asked.like is not None or is_project


def build(asked: Building) -> int:
    """Build a project of GameMaker's editor into a game like another one."""
    project, output, like, settings = asked.project, asked.output, asked.like, asked.settings
    if like is None:
        raise click.UsageError(
            "a project of GameMaker is built into a game like another one: --like GAME"
        )
    if asked.watch:
        raise click.UsageError("--watch and --like can't be used together")
    with overhaul.open(project) as document, overhaul.open_game(like) as game:
        if document.kind != "gamemaker-ide-project":
            raise click.UsageError(f"{project} is not a project of GameMaker's editor")
        made: Built = load("overhaul.gamemaker.ide_game.building:build")(document, game)
        game.save(output, force=asked.force)
        size = len(game.to_bytes())
    if settings.json:
        row = {"path": output, "size": size, "changed": made.changed}
        say_json(row | {"findings": made.findings.to_json()})
        return OK
    warn(made.findings, settings)
    if not settings.quiet:
        say(f"{shown(output)}: {len(made.changed)} changes, {size_in_words(size)}")
        for name in made.changed:
            say(f"  {shown(name)}")
    return OK
