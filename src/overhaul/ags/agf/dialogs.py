"""The script that the editor makes of a project's dialogs.

A dialog becomes a function with one line of script per line of the dialog; where a line begins
with a blank it is script already.  Source: the editor's documentation of the dialog language, its
``DialogScriptConverter.cs``, and compiled scripts.
"""

from __future__ import annotations

import re
from typing import Final

from overhaul.ags.agf.model import Project, ProjectDialog
from overhaul.ags.language import ScriptError
from overhaul.ags.language.lexer import NEW_SCRIPT
from overhaul.suggest import did_you_mean

SCRIPT_NAME: Final = "__DialogScripts.asc"

#: The lines before the dialogs: the code that run-script calls. The numbers of its lines are in all
#: games.
_PRELUDE: Final = (
    "#define DIALOG_NONE 0", "#define DIALOG_RUNNING 1", "#define DIALOG_STOP 2",
    "#define DIALOG_NEWROOM 100", "#define DIALOG_NEWTOPIC 12000", "",
    "_tryimport function dialog_request(int);", "int __dlgscript_tempval;", "",
    "function _run_dialog_request(int request) {",
    "  game.stop_dialog_at_end = DIALOG_RUNNING;", "  dialog_request(request);", "",
    "  if (game.stop_dialog_at_end == DIALOG_STOP) {",
    "    game.stop_dialog_at_end = DIALOG_NONE;", "    return -2;", "  }",
    "  if (game.stop_dialog_at_end >= DIALOG_NEWTOPIC) {",
    "    int topic = game.stop_dialog_at_end - DIALOG_NEWTOPIC;",
    "    game.stop_dialog_at_end = DIALOG_NONE;", "    return topic;", "  }",
    "  if (game.stop_dialog_at_end >= DIALOG_NEWROOM) {",
    "    int room = game.stop_dialog_at_end - DIALOG_NEWROOM;",
    "    game.stop_dialog_at_end = DIALOG_NONE;", "    player.ChangeRoom(room);",
    "    return -2;", "  }", "  game.stop_dialog_at_end = DIALOG_NONE;", "  return -1;", "}",
)  # fmt: skip
_THIS: Final = re.compile(r'"(?:[^"\\]|\\.)*"|(?<!^)(?<!\w)this(?!\w)', re.ASCII)
_OPTION: Final = re.compile(r"option-(on|off-forever|off)\s*(\d+)")
_OPTION_STATES: Final = {
    "on": "eOptionOn",
    "off": "eOptionOff",
    "off-forever": "eOptionOffForever",
}
_ENDS: Final = {
    "return": "RUN_DIALOG_RETURN",
    "stop": "RUN_DIALOG_STOP_DIALOG",
    "goto-previous": "RUN_DIALOG_GOTO_PREVIOUS",
}
_ONE_NUMBER: Final = {
    "play-sound": "PlaySound({0});",
    "add-inv": "player.AddInventory(inventory[{0}]);",
    "lose-inv": "player.LoseInventory(inventory[{0}]);",
    "run-script": "__dlgscript_tempval=_run_dialog_request({0});"
    " if(__dlgscript_tempval!=-1) return __dlgscript_tempval;",
    "new-room": "player.ChangeRoom({0}); return RUN_DIALOG_STOP_DIALOG;}}",
    "give-score": "GiveScore({0});",
}
_WORD: Final = re.compile(r"[a-z-]*")
_COMMANDS: Final = (
    *_ENDS, *_ONE_NUMBER, "option-on", "option-off", "option-off-forever", "set-speech-view",
    "set-globalint", "goto-dialog",
)  # fmt: skip


def dialogs_script(project: Project) -> str:
    """The script of all dialogs.  Raises ScriptError for a line that is wrong."""
    lines = list(_PRELUDE)
    for dialog in project.dialogs:
        lines.append(f'"{NEW_SCRIPT}Dialog {dialog.number}"')
        lines += DialogConverter(project, dialog).lines()
    return "\n".join(lines) + "\n"


class DialogConverter:
    """Makes the function of a dialog."""

    def __init__(self, project: Project, dialog: ProjectDialog) -> None:
        self.project = project
        self.dialog = dialog
        self._say = project.settings.get("DialogScriptSayFunction") or "Say"
        self._narrate = project.settings.get("DialogScriptNarrateFunction") or "Display"
        #: Between an entry point and what ends it.
        self._open = False
        self._entries: set[int] = set()
        self._number = 0

    def lines(self) -> list[str]:
        """The lines of the function."""
        result: list[str] = []
        text = self.dialog.script
        source = re.split(r"\r\n|\r|\n", text) if text else []
        if source and not source[-1]:
            source.pop()
        for self._number, line in enumerate(source, start=1):
            result.append(self._line(line))
        head = f"function _run_dialog{self.dialog.number}(int entryPoint) {{ "
        if self._open:
            result.append("}")
        result.append("return RUN_DIALOG_RETURN; }")
        result[0] = head + result[0]
        return result

    def _fail(self, message: str) -> ScriptError:
        return ScriptError(message, self._number, 1, name=f"Dialog {self.dialog.number}")

    def _line(self, line: str) -> str:
        """The script for a line."""
        if line[:1] in (" ", "\t") and line.strip():
            if not self._open:
                raise self._fail("script follows the return or stop of an option")
            this = f"dialog[{self.dialog.number}]"
            return _THIS.sub(lambda match: this if match.group() == "this" else match.group(), line)
        command = line.partition("//")[0].strip()
        if not command:
            return ""
        if command[0] == "@":
            return self._entry(command)
        if not self._open:
            return ""
        if command.find(":") > 0:
            return self._speech(command)
        return self._command(command.lower().replace(";", ""))

    def _entry(self, command: str) -> str:
        """An entry point: the start (@S) or an option (@1)."""
        text = command[1:]
        if text.strip().isdecimal():
            number = int(text[:9])
        elif text[:1] == "S":
            number = 0
        else:
            raise self._fail(f"expected @S or @ and the number of an option, got {command}")
        if number in self._entries:
            raise self._fail(f"{command} stands twice in the dialog")
        if number > self.dialog.options:
            raise self._fail(f"the dialog has {self.dialog.options} options: no {number}")
        script = ""
        if self._open:
            script = f"entryPoint = {number}; }} "
        elif self._entries:
            script = "else "
        self._entries.add(number)
        self._open = True
        return f"{script}if (entryPoint == {number}) {{"

    def _speech(self, command: str) -> str:
        """A line that somebody says."""
        name, _, text = command.partition(":")
        text = text.strip().replace('"', '\\"') or "..."
        speaker = name.strip().lower()
        if speaker == "player":
            return f'player.{self._say}("{text}");'
        if speaker == "narrator":
            return f'{self._narrate}("{text}");'
        return f'{self._character(speaker)}.{self._say}("{text}");'

    def _character(self, name: str) -> str:
        """The script name of a character, called with or without its "c"."""
        for character in self.project.characters:
            if character.name.lower() in (name, f"c{name}"):
                return character.name
        known = [character.name for character in self.project.characters]
        raise self._fail(f"no character is called {name!r}{did_you_mean(name, known)}")

    def _command(self, command: str) -> str:
        """A command of the dialog language, in small letters."""
        if command in _ENDS:
            self._open = False
            return f"return {_ENDS[command]}; }}"
        match = _OPTION.fullmatch(command)
        if match:
            number = int(match.group(2)[:9])
            if not 1 <= number <= self.dialog.options:
                raise self._fail(f"the dialog has {self.dialog.options} options: no {number}")
            state = _OPTION_STATES[match.group(1)]
            return f"dialog[{self.dialog.number}].SetOptionState({match.group(2)}, {state});"
        match = re.fullmatch(r"goto-dialog\s*(\w+)", command)
        if match:
            self._open = False
            return f"return {self._other(match.group(1))};}}"
        match = re.fullmatch(r"set-globalint\s*(\d+),?\s*(\d+)", command)
        if match:
            return f"SetGlobalInt({match.group(1)},{match.group(2)});"
        match = re.fullmatch(r"set-speech-view\s*(\w+),?\s*(\d+)", command)
        if match:
            return f"{self._character(match.group(1))}.SpeechView = {match.group(2)};"
        match = re.fullmatch(r"([a-z-]+?)\s*(\d+)", command)
        if match and match.group(1) in _ONE_NUMBER:
            self._open = self._open and match.group(1) != "new-room"
            return _ONE_NUMBER[match.group(1)].format(match.group(2))
        word = _WORD.match(command)
        name = word.group() if word else ""
        if name in _COMMANDS:
            raise self._fail(f"{name} lacks its parameter, or has a wrong one: {command}")
        raise self._fail(f"unknown command {command}{did_you_mean(name, _COMMANDS)}")

    def _other(self, name: str) -> int:
        """The number of a dialog that is given by number or name."""
        if name.isdecimal():
            return int(name[:9])
        for dialog in self.project.dialogs:
            if dialog.name.lower() == name:
                return dialog.number
        known = [dialog.name for dialog in self.project.dialogs]
        raise self._fail(f"no dialog is called {name!r}{did_you_mean(name, known)}")
