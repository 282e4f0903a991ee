"""Sources of translations (.trs): a text and its translation on alternating lines.

Lines that begin with ``//`` before a text are comments, ``//#Name=value`` settings, ``//$NAME``
notes of the editor on the text that follows.  Source: the editor's ``Translation.cs``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import polib

from overhaul.ags.text import ANSI, UTF_8
from overhaul.errors import EncodeError, FormatError
from overhaul.translate.ags.compiled import known_encoding
from overhaul.translate.ags.settings import Settings, encoding_of, settings_of
from overhaul.translate.messages import new_messages, one_line, refuse

_HEAD: Final = (
    "// AGS TRANSLATION SOURCE FILE\n"
    "// Format is alternating lines with original game text and replacement\n"
    "// text. If you don't want to translate a line, just leave the following\n"
    "// line blank. Lines starting with '//' are comments - DO NOT translate\n"
    "// them. Special characters such as [ and %%s symbolise things within the\n"
    "// game, so should be left in an appropriate place in the message.\n"
    "// \n"
)
_OBSOLETE: Final = "$OBSOLETE"
_FUZZY: Final = "fuzzy: "
_NAMED: Final = re.compile(rb"^//#Encoding=([\w.-]+)", re.IGNORECASE | re.MULTILINE)
_BYTE: Final = re.compile(r"\\x([0-9A-Fa-f]{1,2})|\\u([0-9A-Fa-f]{4})|\\(.)", re.DOTALL)
_LETTERS: Final = {"n": "\n", "r": "\r", "t": "\t", "a": "\a", "f": "\f", "v": "\v", "e": "\x1b"}
_SHOWN: Final = {value: f"\\{name}" for name, value in _LETTERS.items()}


def to_messages(data: bytes, source: str, encoding: str | None = None) -> polib.POFile:
    """The messages of a .trs, which is UTF-8 or else in ``encoding`` (a code page).

    Raises FormatError with the line that is not valid.
    """
    text, found = _decoded(data, source, encoding)
    made = new_messages("game")
    made.header = "Made from a source of translations of Adventure Game Studio"
    settings = Settings(encoding=found)
    comments: list[str] = []
    seen: dict[str, int] = {}
    lines = enumerate(text.split("\n"), start=1)
    for number, raw in lines:
        line = raw.rstrip("\r")
        if line.startswith("//#"):
            _take(settings, line[3:], number, source)
        elif line.startswith("//"):
            comments.append(line[2:].strip())
        elif line or not _is_end(text, number):
            if not seen:
                comments = [each for each in comments if f"// {each}".rstrip() not in _KNOWN]
            _, new = next(lines, (0, None))
            entry = _entry(line, new, number, source, comments)
            comments = []
            if entry.msgid in seen:
                raise FormatError(
                    f"line {number}: this text is on line {seen[entry.msgid]} too", source=source
                )
            seen[entry.msgid] = number
            made.append(entry)
    settings.encoding = found
    made.metadata.update(settings.headers())
    if settings.language:
        made.metadata["Language"] = settings.language
    return made


def _is_end(text: str, number: int) -> bool:
    """Whether nothing but empty lines follows from a line on."""
    return not "".join(text.split("\n")[number - 1 :]).strip()


def _decoded(data: bytes, source: str, encoding: str | None) -> tuple[str, str]:
    """The text, and its encoding: as asked, as named, UTF-8, or the one most old games are in."""
    named = _NAMED.search(data)
    if encoding is not None:
        tried = [known_encoding(encoding, source)]
    elif named is not None and (name := _known(named[1].decode())):
        tried = [name]
    else:
        tried = [UTF_8, ANSI]
    text = None
    for name in tried:
        try:
            text = data.decode("utf-8-sig" if name == UTF_8 else name)
            break
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
    if text is None:
        raise FormatError(f"line {line}: not a text in {name}", source=source)
    return text, "" if text.isascii() and len(tried) > 1 else name


def _known(name: str) -> str:
    try:
        return encoding_of(name)
    except EncodeError:
        return ""


def _take(settings: Settings, line: str, number: int, source: str) -> None:
    name, equals, value = line.partition("=")
    try:
        if equals:
            settings.take(name.strip(), value.strip())
    except EncodeError as error:
        raise FormatError(f"line {number}: {error.message}", source=source) from None


def _entry(
    line: str, new: str | None, number: int, source: str, comments: list[str]
) -> polib.POEntry:
    if new is None:
        raise FormatError(f"line {number}: the translation is missing behind it", source=source)
    if not line:
        raise FormatError(
            f"line {number}: the text is empty that the next line translates", source=source
        )
    made = polib.POEntry(msgid=unescape(line), msgstr=unescape(new.rstrip("\r")), linenum=number)
    left = []
    for comment in comments:
        if comment.startswith(_OBSOLETE):
            made.obsolete = True
        elif comment.startswith(_FUZZY) and not made.msgstr:
            made.msgstr = unescape(comment.removeprefix(_FUZZY))
            made.flags.append("fuzzy")
        elif comment.startswith("$PARSERWORD"):
            made.msgctxt = comment.removeprefix("$")
        elif comment.strip("-") and not comment.startswith("$SECTION"):
            left.append(comment)
    made.tcomment = "\n".join(left)
    return made


def from_messages(messages: polib.POFile) -> bytes:
    """Messages as a .trs with line ends of Windows.

    Fuzzy translations are comments; what is gone is marked so.  Raises EncodeError for a setting
    that is not valid, and for a text that a .trs can't have.
    """
    settings = settings_of(messages)
    lines = [_HEAD + _settings(settings)]
    for entry in messages:
        if not entry.msgid.strip() or entry.msgid.startswith("//"):
            refuse(messages, entry, f"a .trs can't have the text {entry.msgid!r}")
        lines.append("".join(_lines(entry)))
    text = "".join(lines).replace("\n", "\r\n")
    encoding = settings.encoding or ANSI
    try:
        return text.encode(encoding)
    except UnicodeEncodeError as error:
        line = text.count("\n", 0, error.start) + 1
        raise EncodeError(
            f"line {line} of the .trs has {error.object[error.start]!r}, which {encoding} "
            "lacks: set X-AGS-Encoding in the header to an encoding that has it"
        ) from None


def _lines(entry: polib.POEntry) -> Iterator[str]:
    for line in entry.tcomment.split("\n") if entry.tcomment else ():
        yield f"// {one_line(line)}\n"
    if entry.obsolete:
        yield f"//{_OBSOLETE}\n"
    if entry.msgctxt and entry.msgctxt.startswith("PARSERWORD"):
        yield f"//${entry.msgctxt}\n"
    fuzzy = entry.fuzzy and not entry.obsolete
    if fuzzy and entry.msgstr:
        yield f"// {_FUZZY}{escape(entry.msgstr)}\n"
    script = bool(entry.occurrences) and str(entry.occurrences[0][0]).endswith(".asc")
    for text in (entry.msgid, "" if fuzzy else entry.msgstr):
        yield escape(text, quotes=script) + "\n"


def _settings(settings: Settings) -> str:
    told = {
        "NormalFont": "The normal font to use - DEFAULT or font number",
        "SpeechFont": "The speech font to use - DEFAULT or font number",
        "TextDirection": "Text direction - DEFAULT, LEFT or RIGHT",
        "Encoding": "Text encoding hint - ASCII or UTF-8",
        "Language": "Text language, use standard locale strings, like 'en', 'en_US', etc",
    }
    values = settings.lines()
    if settings.language:
        values["Language"] = settings.language
    made = "// ** Translation settings are below\n"
    made += '// ** Leave them as "DEFAULT" to use the game settings\n'
    for name, value in values.items():
        if name in told:
            made += f"// {told[name]}\n"
        made += f"//#{name}={value}\n"
    made += "//  \n// ** REMEMBER, WRITE YOUR TRANSLATION IN THE EMPTY LINES, DO\n"
    return made + "// ** NOT CHANGE THE EXISTING TEXT.\n"


#: the comments with which a .trs begins
_KNOWN: Final = frozenset(
    line.rstrip()
    for line in (_HEAD + _settings(Settings(language="en"))).split("\n")
    if not line.startswith("//#")
) | {"// Whether engine should translate Parser.Said strings automatically - ON or OFF"}


def unescape(line: str) -> str:
    """The text of a line: ``\\n``, ``\\"``, ``\\x41``; ``\\[`` stays, as the game reads it."""
    return _BYTE.sub(_letter, line)


def _letter(match: re.Match[str]) -> str:
    code = match[1] or match[2]
    if code:
        number = int(code, 16)
        return chr(number) if number and not 0xD800 <= number < 0xE000 else match[0]
    return "\\[" if match[3] == "[" else _LETTERS.get(match[3], match[3])


def escape(text: str, *, quotes: bool = False) -> str:
    """The line of a text; undone by :func:`unescape`.  With ``quotes``, these are escaped too."""
    made = re.sub(r"\\(?!\[)", r"\\\\", text)
    made = "".join(_SHOWN.get(letter, letter) for letter in made)
    return made.replace('"', '\\"') if quotes else made
