"""The resources of a game as people name them: a small surface over each record.

:class:`~overhaul.gamemaker.data.resources.kinds.ResourceAttributes` is the table of the kinds;
each kind has one module here.  The record beneath stays reachable as ``.record``.
"""
