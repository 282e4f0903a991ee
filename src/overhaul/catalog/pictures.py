"""The measures by which pictures are the same, or similar."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Final

import numpy as np
from PIL import Image

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: The columns and rows of differences in a perceptual hash.
_SIDE: Final = 8
#: How much red, green and blue count for brightness, and what makes that a byte once alpha does.
_WEIGHTS: Final = (77, 150, 29)
_UNIT: Final = 256 * 255


def pixels_hash(pixels: NDArray[np.uint8]) -> str:
    """The SHA-256 of width, height and the pixels (height, width, 4) of a picture."""
    digest = sha256(b"%d %d\n" % (pixels.shape[1], pixels.shape[0]))
    digest.update(np.ascontiguousarray(pixels).data)
    return digest.hexdigest()


def difference_hash(pixels: NDArray[np.uint8]) -> int:
    """64 bits that say where brightness falls from left to right (dHash).

    The picture (height, width, 4) is laid on black by its alpha, and made 9 by 8. Pictures that
    share most bits look alike; a flat one has none set.
    """
    if not pixels.size:
        return 0
    picture = Image.fromarray(np.ascontiguousarray(pixels))
    # Pillow weighs colours by their alpha when it makes a picture smaller.
    small = np.asarray(picture.resize((_SIDE + 1, _SIDE), Image.Resampling.BOX)).astype(np.uint32)
    grey = small[..., :3] @ np.array(_WEIGHTS, np.uint32)
    values = grey * small[..., 3] // _UNIT
    bits = values[:, :-1] > values[:, 1:]
    return int.from_bytes(np.packbits(bits).tobytes(), "big")
