"""The pictures of a game: rooms with their areas, GUIs, views.

- :mod:`~overhaul.ags.drawing.art`: the sprites, fonts and colours that stand next to a file; the
  frames of views
- :mod:`~overhaul.ags.drawing.rooms`: backgrounds with areas, objects and edges over them
- :mod:`~overhaul.ags.drawing.areas`: the areas of a room's masks
- :mod:`~overhaul.ags.drawing.guis`: GUIs with their controls
- :mod:`~overhaul.ags.drawing.texts`: texts in the game's fonts
"""

from overhaul.lazy import attach

TYPE_CHECKING = False
if TYPE_CHECKING:
    from overhaul.ags.drawing.areas import Area as Area
    from overhaul.ags.drawing.areas import room_areas as room_areas
    from overhaul.ags.drawing.art import Art as Art
    from overhaul.ags.drawing.art import art_of as art_of
    from overhaul.ags.drawing.art import canvas_of as canvas_of
    from overhaul.ags.drawing.art import colour_of as colour_of
    from overhaul.ags.drawing.art import frame_image as frame_image
    from overhaul.ags.drawing.art import game_palette as game_palette
    from overhaul.ags.drawing.art import sprite_image as sprite_image
    from overhaul.ags.drawing.guis import DrawnControl as DrawnControl
    from overhaul.ags.drawing.guis import GuiPicture as GuiPicture
    from overhaul.ags.drawing.guis import font_size as font_size
    from overhaul.ags.drawing.guis import game_font as game_font
    from overhaul.ags.drawing.guis import gui_image as gui_image
    from overhaul.ags.drawing.rooms import Placed as Placed
    from overhaul.ags.drawing.rooms import background_image as background_image
    from overhaul.ags.drawing.rooms import background_speed as background_speed
    from overhaul.ags.drawing.rooms import backgrounds as backgrounds
    from overhaul.ags.drawing.rooms import baselines as baselines
    from overhaul.ags.drawing.rooms import edges as edges
    from overhaul.ags.drawing.rooms import game_image as game_image
    from overhaul.ags.drawing.rooms import object_palette as object_palette
    from overhaul.ags.drawing.rooms import placed as placed
    from overhaul.ags.drawing.rooms import room_image as room_image
    from overhaul.ags.drawing.rooms import room_size as room_size
    from overhaul.ags.drawing.texts import TextFont as TextFont
    from overhaul.ags.drawing.texts import read_font as read_font
    from overhaul.ags.drawing.texts import text_image as text_image
    from overhaul.ags.drawing.texts import wrapped as wrapped

if not TYPE_CHECKING:  # a name that is not there is an error of types
    __getattr__, __dir__, __all__ = attach(
        __name__,
        {
            "overhaul.ags.drawing.areas": "Area room_areas",
            "overhaul.ags.drawing.art": "Art art_of canvas_of colour_of frame_image game_palette "
            "sprite_image",
            "overhaul.ags.drawing.guis": "DrawnControl GuiPicture font_size game_font gui_image",
            "overhaul.ags.drawing.texts": "TextFont read_font text_image wrapped",
            "overhaul.ags.drawing.rooms": "Placed background_image background_speed backgrounds "
            "baselines edges game_image object_palette placed room_image room_size",
        },
    )
