"""Rooms as maps of Tiled (TMX, TSX), and back.

A map is compared with the one that the game's room would become now, and only the
differences are carried over: what a map does not show, and what did not change, stays as it is.
"""
