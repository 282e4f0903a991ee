"""Texts in plain files: the literals of code, the lines of dialogs, the values of JSON that people
read.

Games that have no table of all texts keep them in many files; :class:`FileTexts` is the same as
such a table over them.  Only a text itself is replaced: what is around it in its file stays.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from hashlib import blake2b
from typing import Final, NamedTuple

from overhaul.errors import WorkspaceError
from overhaul.workbench.texts import Text, Texts

#: A file that is longer is not searched for texts.
_LONGEST_FILE: Final = 8 << 20


class FileText(NamedTuple):
    """A text in a file: its literal is from ``start`` to ``end`` in the file's characters, on a
    line (from 1)."""

    path: str
    start: int
    end: int
    line: int
    text: str


class Form(NamedTuple):
    """How texts stand in files of an ending: what finds them, and what writes one as a literal.

    ``write`` gets the text and the literal that was there; raises WorkspaceError for a text that
    can't be written so.
    """

    find: Callable[[str], Iterator[tuple[int, int, str]]]
    write: Callable[[str, str], str]


# -- code ----------------------------------------------------------------------------------------

_GML: Final = re.compile(r"//[^\n]*|/\*.*?(?:\*/|\Z)|(\"[^\"]*\"|'[^']*')", re.S)
_SCRIPT: Final = re.compile(
    r"//[^\n]*|/\*.*?(?:\*/|\Z)|'(?:[^'\\\n]|\\.)*'|(\"(?:[^\"\\\n]|\\.)*\")", re.S
)
_ESCAPED: Final = re.compile(r"\\(.)", re.S)
_WHOLE: Final = re.compile(r'"(?:[^"\\\n]|\\.)*"')


def _literals(
    pattern: re.Pattern[str], read: Callable[[str], str]
) -> Callable[[str], Iterator[tuple[int, int, str]]]:
    """The pattern for the first group of a pattern; ``read`` gives the text of a literal."""

    def find(source: str) -> Iterator[tuple[int, int, str]]:
        for match in pattern.finditer(source):
            if match[1] is not None:
                yield match.start(1), match.end(1), read(match[1])

    return find


def _write_gml(text: str, literal: str) -> str:
    """A literal of GML before GameMaker Studio 2: it has no escapes, so it ends at its quote."""
    for quote in (literal[0], '"', "'"):
        if quote not in text:
            return f"{quote}{text}{quote}"
    raise WorkspaceError("a text of GML can't have both kinds of quotation marks")


def _read_script(literal: str) -> str:
    """The text of a literal, whose escapes stay but that of the quotation mark: which others there
    are depends on the editor that compiles it."""
    return _ESCAPED.sub(lambda found: '"' if found[1] == '"' else found[0], literal[1:-1])


def _write_script(text: str, literal: str) -> str:
    made = text.replace('"', '\\"').replace("\r\n", "\n").replace("\n", "\\n")
    if not _WHOLE.fullmatch(f'"{made}"'):
        raise WorkspaceError("in a text of a script, a backslash stands before another sign")
    return f'"{made}"'


# -- lines of dialogs ----------------------------------------------------------------------------

_SAID: Final = re.compile(r"^(?!//)[^\S\n]*\w+[^\S\n]*:[^\S\n]*([^\n]*?)[^\S\n]*$", re.M)


def _find_lines(source: str) -> Iterator[tuple[int, int, str]]:
    """The lines that are found: ``Ego: Hello.``"""
    for match in _SAID.finditer(source):
        if match[1]:
            yield match.start(1), match.end(1), match[1]


def _write_line(text: str, literal: str) -> str:
    if "\n" in text or "\r" in text or text != text.strip() or not text:
        raise WorkspaceError("a line of a dialog has no line breaks, and no spaces around it")
    return text


# -- JSON ----------------------------------------------------------------------------------------

_JSON: Final = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\]:,]')
#: the arguments of actions that look like texts: a literal, or more than one word
_ARGUMENT: Final = re.compile(r"[\"']|\w\s+\w|[^\x00-\x7f]|[!?]\s*$|\w[.:]\s*$")


def _values(source: str) -> Iterator[tuple[str, int, int]]:
    """The values of JSON that are texts: the key of each (of a list's elements that of the list),
    where it begins and ends."""
    keys: list[str] = [""]  # of each object or list that is open
    objects: list[bool] = [False]
    expected = False  # whether the next text is a key
    for match in _JSON.finditer(source):
        sign = match[0]
        if sign in ("{", "["):
            keys.append("" if sign == "{" else keys[-1])
            objects.append(sign == "{")
            expected = sign == "{"
        elif sign in ("}", "]"):
            if len(keys) > 1:
                keys.pop()
                objects.pop()
            expected = False
        elif sign == ",":
            expected = objects[-1]
        elif sign == ":":
            expected = False
        elif expected:
            keys[-1] = sign[1:-1]
        else:
            yield (keys[-1], *match.span())


def _json(keys: frozenset[str], unsure: frozenset[str] = frozenset()) -> Form:
    """The values of some keys; those of ``unsure`` where they look like texts."""

    def find(source: str) -> Iterator[tuple[int, int, str]]:
        for key, start, end in _values(source):
            if key in keys or key in unsure:
                text = str(json.loads(source[start:end]))
                if text and (key in keys or _ARGUMENT.search(text)):
                    yield start, end, text

    return Form(find, lambda text, literal: json.dumps(text, ensure_ascii=False))


_GML_FORM: Final = Form(_literals(_GML, lambda literal: literal[1:-1]), _write_gml)
_SCRIPT_FORM: Final = Form(_literals(_SCRIPT, _read_script), _write_script)
_LINES: Final = Form(_find_lines, _write_line)
_AGS: Final = {
    ".asc": _SCRIPT_FORM,
    ".ash": _SCRIPT_FORM,
    ".ads": _LINES,
    ".json": _json(frozenset({"RealName", "Text", "Description", "GameName", "text", "messages"})),
}
_PROJECT: Final = {
    ".gml": _GML_FORM,
    ".json": _json(frozenset({"caption"}), frozenset({"arguments"})),
}
#: The forms of files by their endings, for each kind of document.
FORMS: Final[Mapping[str, Mapping[str, Form]]] = {
    "gamemaker-project": _PROJECT,
    "gamemaker-executable": _PROJECT,
    "ags-game": _AGS,
    "ags-room": _AGS,
}


def texts_in(kind: str, path: str, data: bytes) -> list[FileText]:
    """The texts in a plain file of a kind of document, in their order; none if it is not text."""
    form = _form_of(kind, path)
    if form is None or len(data) > _LONGEST_FILE:
        return []
    try:
        source = data.decode("utf-8")
    except UnicodeDecodeError:
        return []
    found, line, last = [], 1, 0
    for start, end, text in form.find(source):
        line += source.count("\n", last, start)
        last = start
        if text.strip():
            found.append(FileText(path, start, end, line, text))
    return found


def has_texts(kind: str, path: str) -> bool:
    """Whether a plain file of a kind of document may have texts."""
    return _form_of(kind, path) is not None


def _form_of(kind: str, path: str) -> Form | None:
    return FORMS.get(kind, {}).get(path[path.rfind(".") :].lower())


class TextFile(NamedTuple):
    """A file with texts: its path among those of the game, the kind of its document."""

    path: str
    kind: str
    texts: list[FileText]


class FileTexts(Texts):
    """The texts of many files; ``read`` gives the bytes of one by its path."""

    path = "the texts"

    def __init__(self, files: Iterable[TextFile], read: Callable[[str], bytes]) -> None:
        self._files = [file for file in files if file.texts]
        self._read = read
        #: each text with its file, by row
        self.places: list[tuple[TextFile, FileText]] = [
            (file, text) for file in self._files for text in file.texts
        ]
        digest = blake2b(digest_size=16)
        for file, text in self.places:
            digest.update(repr((file.path, *text)).encode("utf-8", "backslashreplace"))
        self.digest: str = digest.hexdigest()

    def texts(self) -> list[Text]:
        """All texts, file by file."""
        return [Text(row, str(row), text.text, "") for row, (_, text) in enumerate(self.places)]

    def changes(self, new: Mapping[int, str]) -> dict[str, bytes]:
        """The files with other texts, by row.

        Raises WorkspaceError for an unknown row, and a text that its place can't have.
        """
        by_file: dict[str, dict[int, str]] = {}
        for row, text in new.items():
            if not 0 <= row < len(self.places):
                raise WorkspaceError(f"there is no row {row}")
            file, place = self.places[row]
            by_file.setdefault(file.path, {})[place.start] = text
        return {
            file.path: self._changed(file, by_file[file.path])
            for file in self._files
            if file.path in by_file
        }

    def _changed(self, file: TextFile, new: Mapping[int, str]) -> bytes:
        form = _form_of(file.kind, file.path)
        assert form is not None
        source = self._read(file.path).decode("utf-8")
        parts: list[str] = []
        at = 0
        for text in file.texts:
            if text.start in new:
                literal = source[text.start : text.end]
                try:
                    made = form.write(new[text.start], literal)
                except WorkspaceError as error:
                    raise WorkspaceError(f"{file.path}, line {text.line}: {error}") from None
                parts += source[at : text.start], made
                at = text.end
        return "".join((*parts, source[at:])).encode("utf-8", "surrogateescape")
