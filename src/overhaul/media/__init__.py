"""Pictures and sounds as games store them; nothing here knows of games or records.

Plain functions over bytes, NumPy arrays and Pillow images:

- :mod:`~overhaul.media.qoi`: GameMaker's image stream ``fioq``
- :mod:`~overhaul.media.png`: PNG files with every pixel exact
- :mod:`~overhaul.media.textures`: a texture blob of any kind: recognised, measured, decoded, made
- :mod:`~overhaul.media.pages`: texture pages: rectangles to frames and back
- :mod:`~overhaul.media.packing`: frames to new texture pages
- :mod:`~overhaul.media.frames`: files with the frames of a sprite: strips, GIF, animated PNG
- :mod:`~overhaul.media.masks`: collision masks of one bit per pixel
- :mod:`~overhaul.media.tilemap`: compressed tile maps
- :mod:`~overhaul.media.audio`: what a sound's bytes are
- :mod:`~overhaul.media.audio_check`: whether a sound file is whole

An image is an array of (height, width, 4) bytes: red, green, blue and alpha, not premultiplied.
"""

from overhaul.lazy import attach

TYPE_CHECKING = False
if TYPE_CHECKING:
    from overhaul.media.png import same_pixels as same_pixels

if not TYPE_CHECKING:  # a name that is not there is an error of types
    __getattr__, __dir__, __all__ = attach(__name__, {"overhaul.media.png": "same_pixels"})
