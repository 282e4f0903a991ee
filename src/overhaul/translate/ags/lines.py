"""Sources of translations (.trs): a text and its translation on alternating lines.

Lines that begin with ``//`` before a text are comments, ``//#Name=value`` settings, ``//$NAME``
notes of the editor on the text that follows.  Source: the editor's ``Translation.cs``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

import polib

from overhaul.ags.text import ANSI, UTF_8
from overhaul.ags.translating import encoding_of, escape, unescape
from overhaul.bounds import MESSAGE, Budget
from overhaul.errors import EncodeError, FormatError
from overhaul.translate.ags.compiled import known_encoding
from overhaul.translate.ags.settings import Settings, settings_of
from overhaul.translate.results import PASSED_OVER, new_messages, one_line, quoted, refuse

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
#: the lines of a text, with their ends
_LINES: Final = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_MARK: Final = "\ufeff"
#: a byte that is not in the encoding of its text
_LOST: Final = re.compile("[\udc80-\udcff]")


@dataclass(frozen=True)
class Origin:
    """The lines of a .trs for writing it back: those of a message, or behind the last one.

    ``before`` are the lines without a text: settings, comments, and texts that occur for the second
    time.  ``comments`` are those of them that are the message's.
    ``pair`` are its text and its translation.
    """

    before: tuple[str, ...]
    comments: tuple[str, ...] = ()
    pair: tuple[str, ...] = ()
    read: tuple[object, ...] = ()


def to_messages(data: bytes, source: str, encoding: str | None = None) -> polib.POFile:
    """The messages of a .trs, which is UTF-8 or else in ``encoding`` (a code page).

    It is read as the editor does: of a text that is there twice the first counts, an empty line is
    a text (which no message has), and a byte that is not in the encoding is U+FFFD.  The ``origin``
    of the messages, an :class:`Origin`, has the lines.  Raises FormatError with the line that is
    not valid.
    """
    text, found = _decoded(data, source, encoding)
    made = new_messages("game")
    made.header = "Made from a source of translations of Adventure Game Studio"
    mark = _MARK if text.startswith(_MARK) else ""
    text = text[len(mark) :]
    settings = Settings(encoding=found)
    before: list[str] = []
    comments: list[str] = []
    seen: dict[str, str] = {}
    passed_over: list[tuple[int, str]] = []
    lines = enumerate(_LINES.findall(text), start=1)
    budget = Budget(len(data), source)
    for number, raw in lines:
        line = raw.rstrip("\r\n")
        if line.startswith("//"):
            before.append(raw)
            if line.startswith("//#"):
                _take(settings, line[3:], number, source)
            elif seen or f"// {line[2:].strip()}".rstrip() not in _KNOWN:
                comments.append(raw)
            continue
        pair = (raw, next(lines, (0, ""))[1])
        texts = [_LOST.sub("\ufffd", each.rstrip("\r\n")) for each in pair]
        msgid = unescape(texts[0])
        if not line or msgid in seen:
            before += pair
            if texts[1] and texts[1] != seen.get(msgid):
                passed_over.append((number, texts[0]))
            continue
        seen[msgid] = texts[1]
        budget.take(MESSAGE, f"line {number}")
        entry = _entry(msgid, texts[1], number, [comment[2:].strip() for comment in comments])
        entry.origin = Origin(tuple(before), tuple(comments), pair, _state(entry))
        before, comments = [], []
        made.append(entry)
    settings.encoding = found
    made.metadata.update(settings.headers())
    if settings.language:
        made.metadata["Language"] = settings.language
    made.origin = Origin(tuple(before), read=(mark, _setting_lines(settings)))
    setattr(made, PASSED_OVER, [*_passed_over(passed_over)])
    return made


def _passed_over(lines: list[tuple[int, str]]) -> Iterator[str]:
    """Warnings about translations of lines that are no messages: empty ones, and those of texts
    that were there before."""
    empty = [number for number, text in lines if not text]
    if empty:
        more = f" ({len(empty) - 1} more)" if empty[1:] else ""
        yield f"line {empty[0]}: the empty line is a text, which the next line translates{more}"
    for number, text in lines:
        if text:
            yield f"line {number}: {quoted(unescape(text))} has two translations; the first counts"


def _state(entry: polib.POEntry) -> tuple[object, ...]:
    """The lines of a message in a .trs after its text: the translation comes first."""
    flags = entry.fuzzy, entry.obsolete
    return entry.msgstr, (*flags, entry.tcomment, entry.msgctxt), entry.msgid


def _decoded(data: bytes, source: str, encoding: str | None) -> tuple[str, str]:
    """The text and its encoding: the requested one, the one in its settings, UTF-8, or that of most
    old games."""
    named = _NAMED.search(data)
    if encoding is not None:
        tried = [known_encoding(encoding, source)]
    elif named is not None and (name := _known(named[1].decode())):
        tried = [name]
    else:
        tried = [UTF_8, ANSI]
    for name in tried:
        try:
            text = data.decode(name)
            break
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
    else:
        if encoding is not None:
            raise FormatError(f"line {line}: not a text in {name}", source=source)
        text = data.decode(name, "surrogateescape")
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
            settings.take_line(name.strip(), _LOST.sub("\ufffd", value).strip())
    except EncodeError as error:
        raise FormatError(f"line {number}: {error.message}", source=source) from None


def _entry(msgid: str, new: str, number: int, comments: list[str]) -> polib.POEntry:
    made = polib.POEntry(msgid=msgid, msgstr=unescape(new), linenum=number)
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
            left.append(_LOST.sub("\ufffd", comment))
    made.tcomment = "\n".join(left)
    return made


def from_messages(messages: polib.POFile) -> bytes:
    """Messages as a .trs with line ends of Windows.

    Fuzzy translations are comments; obsolete ones are marked so.  Lines that were read from a .trs
    and not changed are written as they were.  Raises EncodeError for a setting that is not valid,
    and for a text that a .trs can't have.
    """
    settings = settings_of(messages)
    origin = getattr(messages, "origin", None)
    if not isinstance(origin, Origin):
        origin = Origin((), read=("", _setting_lines(settings)))
        head = [_crlf(_HEAD + _settings(settings))]
    else:
        head = [str(origin.read[0])]
    known = _Settings(settings, origin.read[1] != _setting_lines(settings))
    lines: list[str] = []
    for entry in messages:
        if not entry.msgid.strip() or entry.msgid.startswith("//"):
            refuse(messages, entry, f"a .trs can't have the text {entry.msgid!r}")
        lines += _written(entry, known)
    if lines and origin.before and not lines[-1].endswith(("\r", "\n")):
        lines[-1] += "\r\n"
    lines += known.lines(origin.before)
    return _encoded("".join([*head, *known.new(), *lines]), settings.encoding or ANSI)


class _Settings:
    """The lines of settings in what was read from a .trs, with the values that these have now."""

    def __init__(self, settings: Settings, changed: bool) -> None:
        self._left = dict(_setting_lines(settings)) if changed else {}
        self._changed = changed

    def lines(self, before: Iterable[str]) -> Iterator[str]:
        """Lines that stand before a text: those of a setting that is gone are left out."""
        for line in before:
            name, _, value = line[3:].partition("=")
            if not self._changed or not line.startswith("//#"):
                yield line
            elif name.strip() in self._left:
                now = self._left.pop(name.strip())
                yield line if value.strip() == now else f"//#{name.strip()}={now}\r\n"

    def new(self) -> list[str]:
        """The lines of settings that were not read from a line."""
        default = dict(_setting_lines(Settings()))
        return [
            f"//#{name}={value}\r\n"
            for name, value in self._left.items()
            if default.get(name) != value
        ]


def _encoded(text: str, encoding: str) -> bytes:
    """The bytes of a .trs; those that were not in its encoding are what they were."""
    try:
        return text.encode(encoding, "surrogateescape" if _LOST.search(text) else "strict")
    except UnicodeEncodeError as error:
        line = text.count("\n", 0, error.start) + 1
        raise EncodeError(
            f"line {line} of the .trs has {error.object[error.start]!r}, which {encoding} "
            "lacks: set X-AGS-Encoding in the header to an encoding that has it"
        ) from None


def _written(entry: polib.POEntry, settings: _Settings) -> list[str]:
    """The lines of a message: those that were read where nothing was changed."""
    new = [_crlf(line) for line in _lines(entry)]
    origin = getattr(entry, "origin", None)
    now = _state(entry)
    if not isinstance(origin, Origin) or origin.read[2] != now[2]:
        return new
    if origin.read == now:
        return [*settings.lines(origin.before), *origin.pair]
    if origin.read[1] == now[1] and not entry.fuzzy:
        return [*settings.lines(origin.before), origin.pair[0], new[-1]]
    kept = list(settings.lines(origin.before))
    for comment in origin.comments:
        kept.remove(comment)
    return [*kept, *new[:-2], origin.pair[0], new[-1]]


def _crlf(text: str) -> str:
    return text.replace("\n", "\r\n")


def _setting_lines(settings: Settings) -> tuple[tuple[str, str], ...]:
    values = settings.lines()
    if settings.language:
        values["Language"] = settings.language
    return tuple(values.items())


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
    comments = {
        "NormalFont": "The normal font to use - DEFAULT or font number",
        "SpeechFont": "The speech font to use - DEFAULT or font number",
        "TextDirection": "Text direction - DEFAULT, LEFT or RIGHT",
        "Encoding": "Text encoding hint - ASCII or UTF-8",
        "Language": "Text language, use standard locale strings, like 'en', 'en_US', etc",
    }
    made = "// ** Translation settings are below\n"
    made += '// ** Leave them as "DEFAULT" to use the game settings\n'
    for name, value in _setting_lines(settings):
        if name in comments:
            made += f"// {comments[name]}\n"
        made += f"//#{name}={value}\n"
    made += "//  \n// ** REMEMBER, WRITE YOUR TRANSLATION IN THE EMPTY LINES, DO\n"
    return made + "// ** NOT CHANGE THE EXISTING TEXT.\n"


#: the comments with which a .trs begins
_KNOWN: Final = frozenset(
    line.rstrip()
    for line in (_HEAD + _settings(Settings(language="en"))).split("\n")
    if not line.startswith("//#")
) | {"// Whether engine should translate Parser.Said strings automatically - ON or OFF"}
