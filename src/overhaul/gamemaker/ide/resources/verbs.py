"""Resources of a project added, duplicated, renamed, removed: what else follows."""

from __future__ import annotations

from typing import Final

from overhaul.errors import FormatError
from overhaul.findings import Finding, Findings, warning
from overhaul.gamemaker.ide.listing import ListedEntry
from overhaul.gamemaker.ide.model import ProjectModel
from overhaul.gamemaker.ide.resources import listed_rows
from overhaul.gamemaker.ide.resources.code import rename_in
from overhaul.gamemaker.ide.resources.following import Following
from overhaul.gamemaker.ide.resources.names import check_lists, check_new_name
from overhaul.gamemaker.ide.resources.templates import new_resource
from overhaul.gamemaker.ide.resources.unlinking import unlink
from overhaul.gamemaker.ide.resources.users import (
    CODED,
    User,
    code_texts,
    source_paths,
    users_of,
)

#: How many names of code a warning has, and how many users an error lists.
_LISTED: Final = 5
_LEFT: Final = 8


def add(project: ProjectModel, kind: str, name: str, folder: str) -> str:
    """Add a resource; the path of its file.

    Raises ValueError for a name that is taken or is none, for a folder that is not there, and for
    a kind that is added in GameMaker.
    """
    check_new_name(project, kind, name)
    made = new_resource(project, kind, name, folder)
    for path, data in made.files.items():
        if project.files.spelled(path) is not None:
            raise ValueError(f"{path} is there already, and the project does not list it")
        project.files.write(path, data)
    listed_rows.enlist(project, made.kind, name, made.path)
    return made.path


def duplicate(project: ProjectModel, entry: ListedEntry, new: str) -> str:
    """Add a copy of a resource under another name; the path of its file.

    Raises ValueError for a name that is taken or is none, and for a project of 2.0 to 2.2, whose
    resources have ids.
    """
    check_new_name(project, entry.kind, new)
    if entry.id:
        raise ValueError("a project of 2.0 to 2.2 gets new resources in GameMaker only")
    following = Following(project, entry, new)
    path = following.copy()
    listed_rows.enlist(project, entry.kind, new, path)
    return path


def rename(project: ProjectModel, entry: ListedEntry, new: str) -> Findings:
    """Give a resource another name; return warnings of what can't follow.

    Its folder, its files, the project, references and code follow.  Raises ValueError for a name
    that is taken or is none.
    """
    if new == entry.name:
        return Findings()
    check_new_name(project, entry.kind, new, entry.name)
    following = Following(project, entry, new)
    path = following.move()
    listed_rows.relist(project, entry, new, path)
    following.references()
    for old, now in list(project.moved.items()):
        if now == entry.path:
            project.moved[old] = path
    project.moved[entry.path] = path
    project.moved.pop(path, None)
    return _code(project, entry, new) if entry.kind in CODED else Findings()


def _code(project: ProjectModel, entry: ListedEntry, new: str) -> Findings:
    """Let code follow a new name; warnings of texts and variables that have the old one."""
    as_text: list[str] = []
    local: list[str] = []
    for other in project.entries:
        for path in source_paths(project, other):
            if path.endswith(".gmx"):
                found = _in_xml(project, path, entry.name, new)
            else:
                found = _in_source(project, path, entry.name, new)
            as_text += [path] if found[0] else []
            local += [path] if found[1] else []
    findings = Findings()
    for what, where in (("as a text", as_text), ("as a variable of its own", local)):
        if where:
            more = f", ... ({len(where)} in all)" if len(where) > _LISTED else ""
            findings.warn(
                "still-named",
                f"code holds {entry.name!r}, as the {entry.kind} {new} was called, {what}: "
                f"{', '.join(where[:_LISTED])}{more}",
            )
    return findings


def _in_source(project: ProjectModel, path: str, old: str, new: str) -> tuple[bool, bool]:
    data = project.files.read(path)
    if old.encode() not in data:
        return False, False
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise FormatError("not a text in UTF-8", source=path, offset=error.start) from None
    made = rename_in(text, old, new, project.dialect)
    if made.source != text:
        project.files.write(path, made.source.encode("utf-8"))
    return made.as_text, made.local


def _in_xml(project: ProjectModel, path: str, old: str, new: str) -> tuple[bool, bool]:
    if old.encode() not in project.files.read(path):
        return False, False
    found = [rename_in(text, old, new, project.dialect) for text in code_texts(project, path)]
    file = project.gmx_file(path)
    for node in list(file.root.walk()):
        if node.tag in ("string", "code") and not node.children and old in node.text:
            made = rename_in(node.text, old, new, project.dialect).source
            if made != node.text:
                listed_rows.replace_text(project, path, node.text, made, node.tag)
        elif node.tag == "instance" and old in node.attributes.get("code", ""):
            made = rename_in(node.attributes["code"], old, new, project.dialect).source
            listed_rows.replace_code(project, path, node.attributes["code"], made)
    return any(each.as_text for each in found), any(each.local for each in found)


def remove(project: ProjectModel, entries: list[ListedEntry], *, force: bool) -> Findings:
    """Take resources out, with their files; return warnings.

    Raises ValueError where others use them, unless ``force``: then references to them are taken
    out too, and each user is a warning.
    """
    check_lists(project)
    gone = {entry.path for entry in entries}
    users: dict[str, list[User]] = {}
    for entry in entries:
        found = [user for user in users_of(project, entry) if not _is_of(user, entries, gone)]
        users[entry.path] = found
        if found and not force:
            more = f", ... ({len(found)} in all)" if len(found) > _LEFT else ""
            raise ValueError(
                f"{entry.name} is used by {', '.join(map(str, found[:_LEFT]))}{more}; "
                "force=True takes it out there too"
            )
    warnings: list[Finding] = []
    for entry in entries:
        for user in users[entry.path]:
            what = f"{entry.name} was removed, but the {user} named it"
            warnings.append(warning("still-named", what))
        unlink(project, entry)
        for path in Following(project, entry, entry.name).files():
            project.files.write(path, None)
            project.forget(path)
        listed_rows.unlist(project, entry)
    return Findings(warnings)


def _is_of(user: User, entries: list[ListedEntry], gone: set[str]) -> bool:
    """Whether a user is one of what is removed too."""
    if user.path in gone:
        return True
    return any(
        user.path.startswith(f"{entry.folder}/") for entry in entries if entry.folder.count("/")
    )
