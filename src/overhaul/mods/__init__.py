"""Mods: compare two builds of a game, keep the difference as a file, put several together.

from overhaul import mods

difference = mods.diff("old.win", "new.win")
for change in difference.changes:
    print(change.kind, change.path)
"""

from overhaul.lazy import attach

TYPE_CHECKING = False
if TYPE_CHECKING:
    from overhaul.mods.applying import Applied as Applied
    from overhaul.mods.applying import apply as apply
    from overhaul.mods.applying import resolutions as resolutions
    from overhaul.mods.building import patched as patched
    from overhaul.mods.changes import Change as Change
    from overhaul.mods.changes import Diff as Diff
    from overhaul.mods.copying import copy as copy
    from overhaul.mods.copying import merge as merge
    from overhaul.mods.diffing import diff as diff
    from overhaul.mods.git import git_hooks as git_hooks
    from overhaul.mods.git import git_lines as git_lines
    from overhaul.mods.git import git_setup as git_setup
    from overhaul.mods.git import git_unchecked as git_unchecked
    from overhaul.mods.git import textconv as textconv
    from overhaul.mods.making import make as make
    from overhaul.mods.modfile import Conflict as Conflict
    from overhaul.mods.modfile import Mod as Mod
    from overhaul.mods.modfile import load as load
    from overhaul.mods.patches import LinePatch as LinePatch
    from overhaul.mods.patches import PicturePatch as PicturePatch
    from overhaul.mods.patches import ValuePatch as ValuePatch
    from overhaul.mods.patches import WholePatch as WholePatch
    from overhaul.mods.report import html_report as html_report
    from overhaul.mods.updating import Updated as Updated
    from overhaul.mods.updating import rebase as rebase
    from overhaul.mods.updating import update as update

if not TYPE_CHECKING:  # a name that is not there is an error of types
    __getattr__, __dir__, __all__ = attach(
        __name__,
        {
            "overhaul.mods.diffing": "diff",
            "overhaul.mods.changes": "Diff Change",
            "overhaul.mods.making": "make",
            "overhaul.mods.modfile": "load Mod Conflict",
            "overhaul.mods.applying": "apply resolutions Applied",
            "overhaul.mods.building": "patched",
            "overhaul.mods.patches": "LinePatch ValuePatch PicturePatch WholePatch",
            "overhaul.mods.updating": "rebase update Updated",
            "overhaul.mods.report": "html_report",
            "overhaul.mods.copying": "copy merge",
            "overhaul.mods.git": "textconv git_hooks git_lines git_setup git_unchecked",
        },
    )
