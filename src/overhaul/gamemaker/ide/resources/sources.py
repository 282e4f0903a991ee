"""Sources of a project: files of code, and texts in XML; an edit keeps ends of lines."""

from __future__ import annotations

from typing import Final

from overhaul.errors import FormatError
from overhaul.gamemaker.ide.model import ProjectModel

_MARK: Final = "\ufeff"


def read_source(project: ProjectModel, path: str) -> str | None:
    """The text of a file, with one end of lines; None where it is not there.

    Raises FormatError for what is not UTF-8.
    """
    spelled = project.files.spelled(path)
    if spelled is None:
        return None
    data = project.files.read(spelled)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise FormatError("not a text in UTF-8", source=spelled, offset=error.start) from None
    return text.removeprefix(_MARK).replace("\r\n", "\n")


def write_source(project: ProjectModel, path: str, text: str) -> None:
    """Give a file another text, with its own ends of lines and its mark.

    A text that the file has already changes nothing.
    """
    if not isinstance(text, str):
        raise TypeError(f"expected a text, got {text!r}")
    spelled = project.files.spelled(path) or path
    old = read_source(project, path)
    if old == text.replace("\r\n", "\n"):
        return
    before = b"" if old is None else project.files.read(spelled)
    lines = text.replace("\r\n", "\n")
    made = lines.replace("\n", "\r\n") if b"\r\n" in before else lines
    mark = _MARK if before.startswith(_MARK.encode()) else ""
    project.files.write(spelled, (mark + made).encode("utf-8"))
