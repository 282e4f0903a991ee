"""Files of speech (``speech.vox``): who says which line in each.

A text that begins with ``&12`` is heard from file 12 of who says it.  The file is named after the
script name without a ``c`` in front: its first four letters and the number (``EGO12.ogg``), or from
3.6.2 on, where the game's options say so, all of it (``Ego.12.ogg``); those of no character are
``NARR12.ogg`` or ``narrator.12.ogg``.  Source: the engine's ``Engine/ac/global_audio.cpp``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from overhaul.ags.game.dialogs import disassemble, shown_text
from overhaul.ags.game.game import Game
from overhaul.ags.script.model import Script
from overhaul.ags.script.texts import script_texts
from overhaul.ags.versions import GAME_SPEECH_NAMES

NARRATOR: Final = "narrator"
_PLAYER: Final = "player"
#: The option that says how files are named, from 3.6.2 on.
_NAMES: Final = 54
_SPOKEN: Final = re.compile(r"&([0-9]{1,9})(?: |$)", re.ASCII)
_FILE: Final = re.compile(r"(.*?)(\.?)([0-9]{1,9})\.(?:mp3|ogg|wav|flac)", re.IGNORECASE | re.ASCII)
_USE: Final = re.compile(r"(\w+): (\w+)")
#: Functions whose arguments are lines of no character.
_SHOWS: Final = re.compile(r"Display\w*")
_OLD_NAME: Final = 4
_NOBODY, _THE_PLAYER = 999, 998


class Line(NamedTuple):
    """A line that is heard: its number, the script name of who says it ("" where that is not
    evident), its text without the number, and the script or dialog with the line there."""

    number: int
    who: str
    text: str
    where: str
    line: int = 0


class Voice(NamedTuple):
    """A file of speech, and the line that is heard in it; None for a file of no line."""

    file: str
    line: Line | None


class Speech(NamedTuple):
    """The files of speech with their lines, and the lines without a file, with the name that it
    would have, without an ending."""

    voices: list[Voice]
    silent: list[tuple[str, Line]]


def names_files_newly(game: Game) -> bool:
    """Whether files have the whole script name."""
    content = game.content
    is_new = content is not None and game.version >= GAME_SPEECH_NAMES
    return is_new and content is not None and bool(content.settings.options[_NAMES])


def file_stem(who: str, number: int, *, newly: bool) -> str:
    """The name of a speech file without its ending; ``who`` is a script name or the narrator."""
    if newly:
        return f"{who[1:] if who[:1] == 'c' else who}.{number}"
    name = "NARR" if who == NARRATOR else who[1:] if who[:1] == "c" else who
    return f"{name[:_OLD_NAME]}{number}"


def spoken_lines(game: Game, rooms: Iterable[tuple[str, Script]] = ()) -> list[Line]:
    """The lines with numbers in a game's scripts, those of ``rooms``, and dialogs before 3.1."""
    people = _people(game)
    found = [
        _in_script(text.text, text.uses, text.section or name, text.line)
        for name, script in (*game.scripts(), *rooms)
        for text in script_texts(script)
    ]
    found += _in_dialogs(game, people)
    player = _player(game, people)
    lines: dict[Line, None] = {}
    for line in found:
        if line is not None:
            lines.setdefault(line._replace(who=player) if line.who == _PLAYER else line)
    return list(lines)


def _people(game: Game) -> list[str]:
    records = game.content or game.old
    return (
        []
        if records is None
        else [person.script_name.split("\0")[0] for person in records.characters]
    )


def _player(game: Game, people: Sequence[str]) -> str:
    number = game.content.settings.player_character if game.content is not None else 0
    return people[number] if 0 <= number < len(people) else _PLAYER


def _in_script(text: str, uses: Sequence[str], where: str, line: int) -> Line | None:
    spoken = _SPOKEN.match(text)
    if spoken is None:
        return None
    who = ""
    for use in uses:
        found = _USE.fullmatch(use)
        if found is not None:
            who = found[1]
            break
        if _SHOWS.fullmatch(use):
            who = "" if use.startswith("DisplaySpeech") else NARRATOR
            break
    return Line(int(spoken[1]), who, text[spoken.end() :].lstrip(), where, line)


def _in_dialogs(game: Game, people: Sequence[str]) -> Iterator[Line]:
    """The lines of dialogs before 3.1."""
    content = game.content
    if content is None:
        return
    said = [shown_text(line, game.version).split("\0")[0] for line in content.speech_lines]
    for number, (code, _) in enumerate(content.dialog_data):
        for operation in disassemble(code) or ():
            name, *numbers = operation.split()
            if name != "say":
                continue
            who, at = map(int, numbers)
            spoken = _SPOKEN.match(said[at]) if 0 <= at < len(said) else None
            if spoken is not None:
                speaker = {_NOBODY: NARRATOR, _THE_PLAYER: _PLAYER}.get(who, "")
                speaker = people[who] if 0 <= who < len(people) else speaker
                text = said[at][spoken.end() :].lstrip()
                yield Line(int(spoken[1]), speaker, text, f"Dialog {number}")


def speech_of(files: Iterable[str], lines: Sequence[Line], game: Game) -> Speech:
    """The lines of speech files, by the names of the files in their package."""
    newly = names_files_newly(game)
    by_stem: dict[str, Line] = {}
    unknown: dict[int, Line] = {}
    for line in lines:
        if line.who:
            by_stem.setdefault(file_stem(line.who, line.number, newly=newly).casefold(), line)
        else:
            unknown.setdefault(line.number, line)
    prefixes = {
        file_stem(who, 0, newly=newly)[:-1].removesuffix(".").casefold(): who
        for who in (*reversed(_people(game)), NARRATOR)
    }
    voices: list[Voice] = []
    heard: set[Line] = set()
    for file in files:
        found = _FILE.fullmatch(file.replace("\\", "/").rpartition("/")[2])
        if found is None:
            continue
        who = prefixes.get(found[1].casefold(), "")
        held = by_stem.get(f"{found[1]}{found[2]}{int(found[3])}".casefold())
        if held is None and who and int(found[3]) in unknown:
            held = unknown[int(found[3])]._replace(who=who)
            heard.add(unknown[int(found[3])])
        voices.append(Voice(file, held))
        if held is not None:
            heard.add(held)
    silent = [
        (file_stem(line.who, line.number, newly=newly) if line.who else str(line.number), line)
        for line in lines
        if line not in heard
    ]
    return Speech(voices, silent)
