"""The ``overhaul`` command as click sees it: a group whose commands are imported when used."""

from __future__ import annotations

import os
import signal
import sys
import threading
from importlib import import_module

import click

from overhaul.cli.output import OK, USAGE, explain_usage, note, say
from overhaul.document.families import FAMILIES
from overhaul.suggest import closest
from overhaul.version import __version__

#: The commands in the order of the help, with the sentence the help shows.  Each is ``command`` in
#: the module of its name under overhaul.cli.commands (``ls`` in ``ls.py``), unless it is one of
#: ``_TOGETHER``.
COMMANDS: dict[str, str] = {
    "info": "Show what files are: kind, version, contents.",
    "ls": "List the contents of files.",
    "cat": "Write one plain file of a game to stdout, or several to a folder.",
    "check": "List the faults of files, each with its place and a code.",
    "verify": "Decode files, rebuild them, compare, and report.",
    "unpack": "Take a file apart into a folder of plain files.",
    "pack": "Make a file from a folder.",
    "watch": "Pack a folder whenever a file in it is saved.",
    "new": "Begin a new, empty game as a folder.",
    "example": "Write a small game to try Overhaul on.",
    "status": "Show the changes in a folder since it was unpacked.",
    "decompile": "Print a game's code as source: GML, or scripts of Adventure Game Studio.",
    "compile": "Check GML source against a game, or write a copy of the game with it.",
    "disasm": "Print a game's code as assembly text.",
    "asm": "Check assembly text against a game, or write a copy of the game with it.",
    "grep": "Search the code, strings and names of games.",
    "refs": "Show what uses a resource: code, rooms, objects, sequences.",
    "view": "See, hear and edit a whole game in the browser.",
    "lsp": "Answer an editor: mistakes, completion, definitions, uses, renaming.",
    "render": "Draw rooms as the game does, and write sprites and backgrounds, as PNG.",
    "diff": "Show what differs between two games, by name.",
    "copy": "Copy resources from one game into another.",
    "update": "Bring an unpacked folder, with its edits, to another build of its game.",
    "merge": (
        "Merge two editions of a project of GameMaker's editor that were made of a third one."
    ),
    "git": "Let git compare and merge games and projects by meaning.",
    "git-setup": "Show the lines with which git compares and merges games by name.",
    "textconv": "Print a game as one text, for git diff.",
    "mod": "Make mods, put them on games, carry them to updates.",
    "translate": "Translate a game: its texts as a PO file or table, and back.",
    "font": "Show a game's fonts, and draw their letters with a TrueType or OpenType file.",
    "tiled": "Write rooms as maps of the editor Tiled, and bring changed maps back into a game.",
    "catalog": "Read many games into one table, and ask it with SQL.",
    "debug": "Make debugger data, so that GameMaker's debugger steps through a game.",
    "sprites": "Put pictures into a game as sprites, and take sprites out as strips or animations.",
    "repair": "Repair the list of a project of GameMaker's editor, its names and pictures.",
    "repack": "Pack a game's texture pages again, so that they get smaller.",
    "build": "Build the game of a project: of Adventure Game Studio, or of GameMaker like a game.",
    "convert": ("Convert a project to a later editor, or a game to a project of its editor."),
    "ds": "Read and write the strings of ds_map_write and similar functions (saves, levels).",
    "patch": "Apply and make binary patches: BPS and xdelta (VCDIFF); apply UPS and IPS.",
    "doctor": "Show what is installed: versions, optional parts, caches, the terminal.",
    "completion": "Print the completion script of a shell.",
}

#: The modules with several commands, each as ``NAME_command``.
_TOGETHER = {
    "code": ("decompile", "compile", "disasm", "asm"),
    "folders": ("new", "status", "update", "watch"),
    "git": ("git", "git-setup", "textconv"),
    "report": ("info", "check", "verify"),
}

WELCOME = """\
Overhaul takes a game's files apart into plain files, and puts them back byte for byte.

  overhaul info FILE             what it is
  overhaul ls FILE               what is in it
  overhaul unpack FILE FOLDER    take it apart
  overhaul pack FOLDER -o FILE   and back
  overhaul --help                all commands
"""


class LazyGroup(click.Group):
    """A group that knows its commands by name, and imports each when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All names, in the order of the help."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command."""
        if cmd_name not in COMMANDS:
            return None
        own = cmd_name.replace("-", "_")
        shared = [module for module, names in _TOGETHER.items() if cmd_name in names]
        name = shared[0] if shared else own
        family = [each.cli for each in FAMILIES if name in each.commands]
        module = import_module(f"{family[0] if family else 'overhaul.cli.commands'}.{name}")
        command: click.Command = getattr(module, f"{own}_command" if shared else "command")
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find a command; suggest one for an unknown name."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            close = closest(args[0], COMMANDS)
            hint = f" Did you mean {close!r}?" if close else ""
            if not close and _is_file(args[0]):
                hint = f" To look at a file: overhaul info {args[0]}"
            raise click.UsageError(f"there is no command {args[0]!r}.{hint}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Show the commands from the table, without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(
    cls=LazyGroup,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Help for a command: overhaul unpack --help",
)
@click.version_option(__version__, message="overhaul %(version)s")
@click.pass_context
def overhaul(ctx: click.Context) -> None:
    """Take a game's files apart into plain files, and put them back byte for byte."""
    if ctx.invoked_subcommand is None:
        say(WELCOME.rstrip())


def run(words: list[str]) -> int:
    """Run a command through click; return its exit code."""
    end_tidily()
    if os.environ.get("_OVERHAUL_COMPLETE", "").startswith("powershell"):
        import_module("overhaul.cli.powershell")
    try:
        result: object = overhaul.main(args=words, prog_name="overhaul", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:
        note(error.format_message())
        return USAGE
    except click.ClickException as error:
        return explain_usage(error)
    except click.Abort:
        raise KeyboardInterrupt from None
    return result if isinstance(result, int) else OK


def end_tidily() -> None:
    """Let SIGTERM unwind, so that temporary files go, as Ctrl-C does."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))


def _is_file(name: str) -> bool:
    return os.path.isfile(name.partition("!")[0])
