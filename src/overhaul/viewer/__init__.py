"""The viewer: a whole game in a browser, on a local page (``overhaul view FILE``).

It shows what the library says and knows nothing of formats. The content of a page is also JSON
under the same address: ``/sprites/spr_player`` and ``/sprites/spr_player.json``.

How to add a page
-----------------

A page shows whatever implements a protocol of :mod:`overhaul.document.views`, or is of a class that
only one family has.  It is a module in :mod:`overhaul.viewer.pages` and a line in its ``PAGES``:

1. A function that takes an :class:`~overhaul.viewer.answers.Asked` (the opened file, the resource
as ``view``, the query) and returns a ``msgspec.Struct``: all that the page shows, and its JSON. It
runs on a worker thread that holds the lock of the document. A page that may take long is ``slow``
(see ``Page``), or lets others in (``with asked.opened.aside():``) once it has read everything it
needs. 2. A template in ``templates/`` that extends ``resource.html`` and shows ``page``, that
struct. Everything is escaped; never use ``|safe``. ``href(entry)`` and ``here.find(name)`` make
links. 3. ``SPRITE = Page(function, "sprite.html", parts={...})`` in the module, and the line
``("overhaul.document.views:SpriteView", "sprites:SPRITE")``: modules are loaded when they are
needed. ``parts`` are what is under the page's address (``/sprites/spr_player/frames/0.png``):
functions that get the rest of the address and return :class:`~overhaul.viewer.answers.Media` (bytes
and their type), or :class:`~overhaul.viewer.answers.DataPage` (a piece of HTML for htmx).

A resource without a line has the generic page: its fields, its plain files, its pictures and
sounds.  Pages that belong to no resource (search, strings, comparing) are in ``FEATURES``, under
``/-/``.

Style and behaviour: every ``static/*.css`` is linked by every page.  Nothing may stand inline (the
Content-Security-Policy forbids ``style="..."`` and ``onclick``): an element with
``data-behaviour="player"`` is given to the default function of ``static/player.js``, also after
htmx replaced it; what it needs to know are its ``data-`` attributes.
"""

from overhaul.lazy import attach

TYPE_CHECKING = False
if TYPE_CHECKING:
    from overhaul.viewer.starting import Address as Address
    from overhaul.viewer.starting import games_in as games_in
    from overhaul.viewer.starting import serve as serve

if not TYPE_CHECKING:  # a name that is not there is an error of types
    __getattr__, __dir__, __all__ = attach(
        __name__,
        {"overhaul.viewer.starting": "serve Address games_in"},
    )
