"""A bitmap font as a document: a WFN file, or one of Sierra's games (SCI)."""

from __future__ import annotations

from collections.abc import Iterable

from overhaul.ags.documents.base import AgsDocument, Tally
from overhaul.ags.font.model import BitmapFont
from overhaul.ags.font.sci import is_sci_font, read_sci_font, write_sci_font
from overhaul.ags.font.wfn import read_font, write_font
from overhaul.document.protocol import Buffer, Siblings
from overhaul.document.registry import load

TYPE_CHECKING = False
if TYPE_CHECKING:
    from overhaul.ags.surface.base import AgsResources
    from overhaul.ags.surface.fonts import BitmapFontView
    from overhaul.document.views import ResourceView


#: The kind of file that the version of a document stands for.
_WFN, _SCI = "wfn", "sci"


class FontDocument(AgsDocument):
    """A bitmap font in a file of its own; ``version`` is ``wfn`` or ``sci``."""

    kind = "ags-font"

    def __init__(self, source: str | None = None) -> None:
        super().__init__(source)
        self.font: BitmapFont = BitmapFont()

    def load(self, data: Buffer, siblings: Siblings | None) -> None:
        """Read the font."""
        sierra = is_sci_font(data)
        self.version: str = _SCI if sierra else _WFN
        self.font = (read_sci_font if sierra else read_font)(bytes(data), self.source)

    def to_bytes(self) -> bytes:
        """The font, rebuilt from the model."""
        return (write_sci_font if self.version == _SCI else write_font)(self.font)

    @property
    def fonts(self) -> AgsResources[BitmapFontView]:
        """The font, as the only one of the file."""
        resources = load("overhaul.ags.surface.base:AgsResources")
        made: AgsResources[BitmapFontView] = resources(self, "font", 1, self._view)
        return made

    def _view(self, number: int) -> BitmapFontView:
        view: BitmapFontView = load("overhaul.ags.surface.fonts:BitmapFontView")(self)
        return view

    def resources(self, kind: str) -> Iterable[ResourceView]:
        """The font."""
        return self.fonts if kind == "font" else []

    def info(self) -> dict[str, object]:
        """How many letters it has, and how high a line is in pixels."""
        font = self.font
        return {
            "kind": self.kind,
            "form": self.version,
            "letters": len(font.glyphs),
            "shown_letters": sum(1 for glyph in font.glyphs if any(glyph.rows)),
            "line_height": font.height,
        }

    def tally(self, tally: Tally) -> None:
        """Bytes that belong to no letter are opaque."""
        for place, piece in self.font.extra.items():
            tally.add_opaque(place, "extra", len(piece), "bytes of no letter")
