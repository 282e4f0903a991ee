"""Editing a game step by step: each step changes plain files, is checked, kept, and can be undone.

A :class:`Bench` is a game on the workbench: a file (:class:`FileBench`) or an unpacked folder
(:class:`FolderBench`).  Its steps are a :class:`~overhaul.workbench.history.History` that outlives
the program: :mod:`overhaul.workbench.journal` keeps it in a folder of the user's data.
"""

from overhaul.lazy import attach

TYPE_CHECKING = False
if TYPE_CHECKING:
    from overhaul.workbench.bench import Bench as Bench
    from overhaul.workbench.bench import StaleEdit as StaleEdit
    from overhaul.workbench.file_bench import FileBench as FileBench
    from overhaul.workbench.folder_bench import FolderBench as FolderBench

if not TYPE_CHECKING:  # a name that is not there is an error of types
    __getattr__, __dir__, __all__ = attach(
        __name__,
        {
            "overhaul.workbench.bench": "Bench StaleEdit",
            "overhaul.workbench.file_bench": "FileBench",
            "overhaul.workbench.folder_bench": "FolderBench",
        },
    )
