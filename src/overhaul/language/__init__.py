"""The questions of editors about a game's code: mistakes, completion, definitions, uses, renaming.

A :class:`~overhaul.language.workspace.Workspace` is an unpacked folder, or a game that is open,
with texts that are not saved yet.  It knows the language of each file
(:class:`~overhaul.language.protocol.Language`: GML, and the script of Adventure Game Studio), and
gives plain values (:mod:`overhaul.language.answers`), in which places are offsets of characters.
``overhaul lsp`` and the viewer's editor show the same answers.
"""

from overhaul.language.workspace import Workspace as Workspace
from overhaul.lazy import attach

TYPE_CHECKING = False

if not TYPE_CHECKING:  # a name that is not there is an error of types
    __getattr__, __dir__, __all__ = attach(
        __name__,
        {"overhaul.language.workspace": "Workspace"},
    )
