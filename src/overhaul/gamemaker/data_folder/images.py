"""Pictures in the folder: PNG files that people made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overhaul.errors import FormatError, WorkspaceError
from overhaul.media import png

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def read_picture(data: bytes, path: str) -> NDArray[np.uint8]:
    """The pixels of a PNG file people made.  Raises WorkspaceError."""
    try:
        return png.decode(data)
    except FormatError as error:
        raise WorkspaceError(f"{path}: {error}") from None
