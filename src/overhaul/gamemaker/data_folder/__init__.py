"""A game's folder: plain files out of a game, and edited ones back into it.

The members are those of :class:`~overhaul.document.plainfiles.FolderFormat` and ``KnowsUses``.
A kind of resource is one module here (see :mod:`~overhaul.gamemaker.data_folder.resource` for
what it has to say), all are named in :mod:`~overhaul.gamemaker.data_folder.kinds`, and the steps
of packing are those of :mod:`~overhaul.gamemaker.data_folder.applying`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from overhaul.lazy import attach

if TYPE_CHECKING:
    from overhaul.gamemaker.data.blank import begin_game as begin
    from overhaul.gamemaker.data.blank import blank_game as empty
    from overhaul.gamemaker.data.blank import settings_of as settings
    from overhaul.gamemaker.data_folder.applying import apply_folder as apply
    from overhaul.gamemaker.data_folder.beginning import can_add as can_add
    from overhaul.gamemaker.data_folder.beginning import new_files as new_files
    from overhaul.gamemaker.data_folder.fitting import fitted as fitted
    from overhaul.gamemaker.data_folder.knowledge import adapted as adapted
    from overhaul.gamemaker.data_folder.knowledge import as_in as as_in
    from overhaul.gamemaker.data_folder.knowledge import counter as counter
    from overhaul.gamemaker.data_folder.knowledge import declared as declared
    from overhaul.gamemaker.data_folder.knowledge import derived as derived
    from overhaul.gamemaker.data_folder.knowledge import fixed as fixed
    from overhaul.gamemaker.data_folder.knowledge import keys_ordered as keys_ordered
    from overhaul.gamemaker.data_folder.knowledge import listings as listings
    from overhaul.gamemaker.data_folder.knowledge import meaning as meaning
    from overhaul.gamemaker.data_folder.knowledge import names_in as names_in
    from overhaul.gamemaker.data_folder.knowledge import number_of as number_of
    from overhaul.gamemaker.data_folder.knowledge import numbers_in as numbers_in
    from overhaul.gamemaker.data_folder.knowledge import ordering as ordering
    from overhaul.gamemaker.data_folder.knowledge import reference_kinds as reference_kinds
    from overhaul.gamemaker.data_folder.knowledge import share_analysis as share_analysis
    from overhaul.gamemaker.data_folder.knowledge import take_others as take_others
    from overhaul.gamemaker.data_folder.knowledge import texts as texts
    from overhaul.gamemaker.data_folder.knowledge import tokens as tokens
    from overhaul.gamemaker.data_folder.knowledge import use_keys as use_keys
    from overhaul.gamemaker.data_folder.knowledge import use_paths as use_paths
    from overhaul.gamemaker.data_folder.knowledge import words_in as words_in
    from overhaul.gamemaker.data_folder.listing import resources as tree
    from overhaul.gamemaker.data_folder.listing import resources_in as tree_in
    from overhaul.gamemaker.data_folder.unpacking import plain_files as plain_files

if not TYPE_CHECKING:  # a name that is not there is an error of types
    __getattr__ = attach(
        __name__,
        {
            "overhaul.gamemaker.data.blank": "begin=begin_game empty=blank_game"
            " settings=settings_of",
            f"{__name__}.applying": "apply=apply_folder",
            f"{__name__}.beginning": "can_add new_files",
            f"{__name__}.knowledge": "adapted as_in counter declared derived fixed keys_ordered"
            " listings meaning names_in number_of numbers_in ordering reference_kinds"
            " share_analysis take_others texts tokens use_keys use_paths words_in",
            f"{__name__}.fitting": "fitted",
            f"{__name__}.listing": "tree=resources tree_in=resources_in",
            f"{__name__}.unpacking": "plain_files",
        },
    )[0]

#: Listing the files decodes all chunks.
SLOW_LISTING = True

__all__ = [
    "SLOW_LISTING",
    "adapted",
    "apply",
    "as_in",
    "begin",
    "can_add",
    "share_analysis",
    "counter",
    "declared",
    "derived",
    "empty",
    "fitted",
    "fixed",
    "keys_ordered",
    "listings",
    "meaning",
    "names_in",
    "new_files",
    "number_of",
    "numbers_in",
    "ordering",
    "plain_files",
    "reference_kinds",
    "settings",
    "take_others",
    "texts",
    "tokens",
    "tree",
    "tree_in",
    "use_keys",
    "use_paths",
    "words_in",
]
