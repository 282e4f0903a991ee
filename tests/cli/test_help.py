"""Every command explains itself, ends with an example, and is in the documentation."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import click
import pytest

from overhaul.cli.app import COMMANDS, overhaul

#: Options that all commands have; the guide has them once.
SHARED = {"json_", "quiet", "verbose", "max_expansion"}
ROOT = Path(__file__).resolve().parents[2]


def command_named(name: str) -> click.Command:
    command = overhaul.get_command(click.Context(overhaul), name)
    assert command is not None
    return command


def help_of(name: str) -> str:
    return command_named(name).get_help(click.Context(command_named(name), info_name=name))


@pytest.mark.parametrize("name", COMMANDS)
def test_the_list_says_what_the_command_says(name: str) -> None:
    words = " ".join((command_named(name).help or "").split("\n\n")[0].split())
    assert words == COMMANDS[name]


@pytest.mark.parametrize("name", COMMANDS)
def test_help_ends_with_examples_that_parse(name: str) -> None:
    text = help_of(name)
    assert "Examples:" in text
    examples = re.findall(rf"^ +overhaul ({name} .*)$", text.split("Examples:")[1], re.M)
    assert examples, "no example calls the command itself"
    for example in examples:
        words = shlex.split(re.split(r"[|>]", example)[0])[1:]
        command_named(name).make_context(name, words)


@pytest.mark.parametrize("name", COMMANDS)
def test_the_guide_has_every_command_and_option(name: str) -> None:
    page = (ROOT / "docs/guide/command-line.md").read_text()
    section = re.search(rf"^## overhaul {name}\n(.*?)(?=^## |\Z)", page, re.M | re.S)
    assert section is not None, f"docs/guide/command-line.md has no section 'overhaul {name}'"
    command = command_named(name)
    parts = command.commands.values() if isinstance(command, click.Group) else [command]
    for part in parts:
        assert part.name is not None
        assert part.name in section.group(0)
        for parameter in part.params:
            if isinstance(parameter, click.Option) and parameter.name not in SHARED:
                option = parameter.opts[-1]
                assert option in section.group(1), f"{option} is not documented"
    assert re.search(rf"^    overhaul {name} ", section.group(1), re.M), "no example"
