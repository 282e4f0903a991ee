"""Completion for PowerShell, which click has none for."""

from __future__ import annotations

import os
import shlex

from click.shell_completion import CompletionItem, ShellComplete, add_completion_class

#: PowerShell calls the block with the words of the line up to the cursor; the program prints a line
#: for each completion: type, value and help, with tabs between them.
_SOURCE = """\
Register-ArgumentCompleter -Native -CommandName %(prog_name)s -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $line = $commandAst.ToString().PadRight($cursorPosition).Substring(0, $cursorPosition)
    $env:%(complete_var)s = "powershell_complete"
    $env:OVERHAUL_COMPLETE_LINE = $line
    $env:OVERHAUL_COMPLETE_WORD = $wordToComplete
    try {
        & %(prog_name)s | ForEach-Object {
            $kind, $value, $help = $_ -split "`t", 3
            if ($kind -eq "plain") {
                $tip = if ($help) { $help } else { $value }
                [System.Management.Automation.CompletionResult]::new(
                    $value, $value, "ParameterValue", $tip)
            }
        }
    } finally {
        Remove-Item Env:%(complete_var)s, Env:OVERHAUL_COMPLETE_LINE, Env:OVERHAUL_COMPLETE_WORD
    }
}
"""


@add_completion_class
class PowerShellComplete(ShellComplete):
    """The completion of PowerShell 5 and later; files are completed by PowerShell itself."""

    name = "powershell"
    source_template = _SOURCE

    def get_completion_args(self) -> tuple[list[str], str]:
        """The words before the one to complete, and what is there of that."""
        word = os.environ.get("OVERHAUL_COMPLETE_WORD", "")
        words = _words(os.environ.get("OVERHAUL_COMPLETE_LINE", ""))[1:]
        if word and words:
            words.pop()
        return words, word

    def format_completion(self, item: CompletionItem) -> str:
        """A line: type, value and help."""
        return f"{item.type}\t{item.value}\t{' '.join((item.help or '').split())}"


def _words(line: str) -> list[str]:
    """The words of a line; a backslash is part of a path, and a quote may be open."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars=False)
    lexer.whitespace_split = True
    lexer.escape = lexer.commenters = ""
    words: list[str] = []
    try:
        words.extend(lexer)
    except ValueError:  # a quote without its end: the last word
        words.append(lexer.token)
    return words
