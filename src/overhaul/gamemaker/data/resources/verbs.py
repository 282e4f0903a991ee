"""The edits that the resources of every kind have, imported on first use: reading a game edits
nothing."""

from overhaul.gamemaker.data.resources.names import check_new_name as check_new_name
from overhaul.lazy import attach

TYPE_CHECKING = False
if TYPE_CHECKING:
    from overhaul.gamemaker.data.code.editing import append as append
    from overhaul.gamemaker.data.code.editing import prepend as prepend
    from overhaul.gamemaker.data.code.editing import replace as replace
    from overhaul.gamemaker.data.resources.copying import Copier as Copier
    from overhaul.gamemaker.data.resources.copying import duplicate as duplicate
    from overhaul.gamemaker.data.resources.renaming import enlist as enlist
    from overhaul.gamemaker.data.resources.renaming import move as move
    from overhaul.gamemaker.data.resources.renaming import remove as remove
    from overhaul.gamemaker.data.resources.renaming import rename as rename
    from overhaul.gamemaker.data.resources.users import users_of as users_of

if not TYPE_CHECKING:  # a name that is not there is an error of types
    __getattr__, __dir__, __all__ = attach(
        __name__,
        {
            "overhaul.gamemaker.data.code.editing": "append prepend replace",
            "overhaul.gamemaker.data.resources.copying": "Copier duplicate",
            "overhaul.gamemaker.data.resources.names": "check_new_name",
            "overhaul.gamemaker.data.resources.renaming": "enlist move remove rename",
            "overhaul.gamemaker.data.resources.users": "users_of",
        },
    )
