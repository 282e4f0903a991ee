"""A game's folder: plain files out of a game, and edited ones back into it.

:mod:`~overhaul.gamemaker.data_folder.format` is the format.  A kind of resource is one module here
(see :mod:`~overhaul.gamemaker.data_folder.resource` for what it has to say), all are named in
:mod:`~overhaul.gamemaker.data_folder.kinds`, and the steps of packing are those of
:mod:`~overhaul.gamemaker.data_folder.applying`.
"""
