"""What was changed in a folder since it was unpacked."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import NamedTuple

from overhaul.errors import WorkspaceError
from overhaul.folder.comparing import compare
from overhaul.folder.manifest import Manifest
from overhaul.folder.toml import NAME, FolderSettings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from overhaul.document.plainfiles import Change


class Status(NamedTuple):
    """The kind and version of an unpacked game, and its files that packing would take anew.

    ``changes``: path -> ``"added"``, ``"changed"`` or ``"removed"``, sorted; line ends alone are
    no change.
    """

    folder: str
    kind: str
    version: str
    changes: Mapping[str, Change]


def status(folder: str | os.PathLike[str]) -> Status:
    """Compare a folder with what was unpacked to it.

    Raises WorkspaceError for a folder that was not unpacked, or that keeps no original.
    """
    root = os.fspath(folder)
    toml = FolderSettings.load(root)
    manifest = Manifest.load(root)
    if manifest is None:
        raise WorkspaceError(
            f"{root} keeps no original to compare with: it is packed from its plain files alone"
        )
    changes, _ = compare(root, manifest)
    if toml.for_model() != manifest.settings:
        changes[NAME] = "changed"
    return Status(root, toml.kind, toml.version, dict(sorted(changes.items())))
