"""Rooms as maps of Tiled (TMX, TSX), and back.

A map is compared with the map that the game's room would become now, and only the differences
are carried over: parts that a map does not show, or that did not change, stay unchanged.
"""
