"""A folder of plain files in memory, as packing reads it."""

from collections.abc import Mapping

from overhaul.document.plainfiles import Folder, PackOptions, readers


def memory_folder(
    files: Mapping[str, bytes],
    settings: dict[str, object] | None = None,
    options: PackOptions | None = None,
) -> Folder:
    return Folder.of(readers(files), settings, options)
