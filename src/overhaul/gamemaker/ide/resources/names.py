"""The names that the resources of a project can have."""

from __future__ import annotations

import re
from typing import Final

from overhaul.document.names import LONGEST, is_reserved
from overhaul.gamemaker.ide.model import ProjectModel
from overhaul.gamemaker.ide.resources.users import CODED
from overhaul.gml.builtins import load_constants, load_functions, load_variables
from overhaul.gml.syntax.lexer import keywords

_IDENTIFIER: Final = re.compile(r"[A-Za-z_]\w*\Z", re.A)
_FORBIDDEN: Final = re.compile(r'[<>:"/\\|?*\x00-\x1f]|^\.|[. ]$')


def check_new_name(project: ProjectModel, kind: str, name: str, old: str = "") -> None:
    """Raise ValueError if a resource of a kind can't get this name: it is none, or it is taken.

    ``old`` is the name that it has: another case of it is free.
    """
    if not isinstance(name, str):
        raise TypeError(f"expected the name of a {kind} as a text, got {name!r}")
    check_lists(project)
    article = "an" if kind[0] in "aeiou" else "a"
    if not name or not name.isprintable() or _FORBIDDEN.search(name):
        raise ValueError(f"{name!r} is not a valid name of {article} {kind}")
    if is_reserved(name) or len(name.encode()) > LONGEST:
        reason = "is a device of Windows" if is_reserved(name) else f"is over {LONGEST} bytes long"
        raise ValueError(f"{name[:40]!r} can't be the name of a file: it {reason}")
    if kind in CODED:
        _check_word(project, kind, article, name)
    folded = name.casefold()
    for entry in project.entries:
        is_same = entry.kind == kind and entry.name == old
        if entry.name.casefold() == folded and not is_same and _meet(entry.kind, kind):
            raise ValueError(f"the name {name!r} is taken by the {entry.kind} of this name")


def check_lists(project: ProjectModel) -> None:
    """Raise ValueError for an extension without a project, which lists only itself."""
    if project.is_extension:
        raise ValueError(
            f"{project.name} is an extension without a project: resources are added, renamed and "
            "removed in the project that has it"
        )


def _meet(one: str, other: str) -> bool:
    """Whether resources of two kinds can't have one name: code knows both, or the kinds are one."""
    return one == other or {one, other} <= CODED


def _check_word(project: ProjectModel, kind: str, article: str, name: str) -> None:
    if not _IDENTIFIER.match(name):
        raise ValueError(
            f"{name!r} is not a valid name of {article} {kind}: expected letters, digits and _, "
            "with no digit first"
        )
    if name in keywords(project.dialect.gml_v2):
        raise ValueError(f"{name!r} is a word of the language, no valid name of {article} {kind}")
    for what, known in (("variable", load_variables()), ("constant", load_constants())):
        if name in known:
            raise ValueError(f"{name!r} is the name of a built-in {what}")
    if kind != "script" and name in load_functions():
        raise ValueError(f"{name!r} is the name of a built-in function")
