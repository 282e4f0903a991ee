"""Games and projects in a git repository: a game as one text for ``git diff``, and the lines and
hooks with which git merges."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator

from overhaul.document.repositories import git
from overhaul.errors import OverhaulError
from overhaul.media import audio, png
from overhaul.mods.comparing import is_lines
from overhaul.mods.view import FileView, Game, opened

#: The endings of the files that git-setup is for.
PATTERNS = (
    "*.win", "*.unx", "*.ios", "*.droid", "*.gmd", "*.gm6", "*.gmk", "*.gm81", "*.crm", "*.dta",
    "*.ags", "*.tra", "*.spr",
)  # fmt: skip
#: The files of projects of GameMaker's editor, which are texts: only merging them is Overhaul's.
PROJECT_PATTERNS = ("*.yyp", "*.yy", "*.resource_order", "*.gmx")
_CONFIG = (
    """\
[diff "overhaul"]
\ttextconv = overhaul textconv
\tcachetextconv = true
""",
    """\
[merge "overhaul"]
\tname = merge games by name
\tdriver = overhaul mod merge %O %A %B -o %A --force
""",
    """\
[merge "overhaul-project"]
\tname = merge files of GameMaker projects by meaning
\tdriver = overhaul merge %O %A %B -o %A --path %P --force
""",
)
#: Run before a merge is committed, by `git merge` itself or after conflicts by `git commit`: a name
#: that one side uses and the other removed is in no single file.
_HOOKS = {
    "pre-merge-commit": """\
#!/bin/sh
# Overhaul: a merge of two GameMaker projects that breaks them is not committed.
exec overhaul git check
""",
    "pre-commit": """\
#!/bin/sh
# Overhaul: the same where a merge had conflicts.
git rev-parse -q --verify MERGE_HEAD >/dev/null || exit 0
exec overhaul git check
""",
}


def textconv(game: Game) -> str:
    """The plain files of a game as one text; the same for the same game.

    Pictures, sounds and the like are a line each: the kind, and the digest.
    """
    with opened(game) as view:
        return "".join(_parts(view))


def _parts(view: FileView) -> Iterator[str]:
    for path in sorted(view.files):
        data = view.read(path)
        yield f"=== {path}\n"
        if path.endswith(".json") or is_lines(path):
            text = data.decode("utf-8", "replace")
            yield text if text.endswith("\n") else f"{text}\n"
        else:
            yield f"{_about(path, data)} sha256 {hashlib.sha256(data).hexdigest()}\n"


def _about(path: str, data: bytes) -> str:
    if path.endswith(".png"):
        try:
            height, width = png.decode(data).shape[:2]
        except OverhaulError:
            return f"{len(data)} bytes"
        return f"{width} x {height} pixels"
    sound = audio.inspect(data)
    if sound.duration is None:
        return f"{len(data)} bytes"
    return f"{sound.format.value}, {sound.duration:.3f} s, {len(data)} bytes"


def git_lines() -> tuple[str, str]:
    """The lines for ``.gitattributes`` and for git's configuration."""
    return "".join(_attributes()), "".join(_CONFIG)


def git_hooks() -> dict[str, str]:
    """The hooks that check merges, by their names."""
    return dict(_HOOKS)


def _attributes() -> list[str]:
    games = [f"{pattern} diff=overhaul merge=overhaul\n" for pattern in PATTERNS]
    return games + [f"{pattern} merge=overhaul-project\n" for pattern in PROJECT_PATTERNS]


def git_setup(folder: str | os.PathLike[str]) -> list[str]:
    """Add these lines to a repository, unless they are there, and the hooks that it lacks; return
    the files that were changed.

    Hooks in a folder that ``core.hooksPath`` names, and those that are there, stay as they are:
    :func:`git_unchecked` has them.  Raises FileNotFoundError if the folder is not the top of a
    repository, WorkspaceError if git does not read it, OSError.
    """
    root = os.fspath(folder)
    config, hooks, is_usual = _places(root)
    changed = []
    for path, parts in (
        (os.path.join(root, ".gitattributes"), _attributes()),
        (config, _CONFIG),
    ):
        before = ""
        if os.path.exists(path):
            with open(path, encoding="utf-8", errors="surrogateescape") as file:
                before = file.read()
        known = {_head(line) for line in before.splitlines()}
        added = [part for part in parts if _head(part) not in known]
        if added:
            line = "" if not before or before.endswith("\n") else "\n"
            with open(path, "a", encoding="utf-8", newline="\n") as file:
                file.write(line + "".join(added))
            changed.append(path)
    for name, script in _HOOKS.items() if is_usual else ():
        hook = os.path.join(hooks, name)
        if os.path.lexists(hook):
            continue
        os.makedirs(hooks, exist_ok=True)
        with open(hook, "w", encoding="utf-8", newline="\n") as file:
            file.write(script)
        os.chmod(hook, 0o755)
        changed.append(hook)
    return changed


def git_unchecked(folder: str | os.PathLike[str]) -> list[str]:
    """The hooks of a repository that do not check merges: those that are missing, or that someone
    else wrote.

    Raises what :func:`git_setup` does.
    """
    _, hooks, _ = _places(os.fspath(folder))
    paths = [os.path.join(hooks, name) for name in _HOOKS]
    return [path for path in paths if not _checks(path)]


def _checks(hook: str) -> bool:
    if not os.path.isfile(hook):
        return False
    with open(hook, "rb") as file:
        return b"overhaul git check" in file.read()


def _places(root: str) -> tuple[str, str, bool]:
    """The configuration of a repository, the folder of its hooks, and whether that is git's own
    and not one that ``core.hooksPath`` names, which other repositories may share."""
    if not os.path.lexists(os.path.join(root, ".git")):
        raise FileNotFoundError(2, "not the top of a git repository", root)
    words = ("rev-parse", "--git-path", "config", "--git-path", "hooks")
    found = os.fsdecode(git(*words, folder=root)).splitlines()
    config, hooks = (os.path.join(root, path) for path in found)
    return config, hooks, os.path.dirname(config) == os.path.dirname(hooks)


def _head(part: str) -> str:
    """The key of a part: the head of a section, or the pattern of a line."""
    line = part.partition("\n")[0]
    return line if line.startswith("[") else line.partition(" ")[0]
