"""Rooms as maps of Tiled (TMX, TSX), and back.

A map is compared with the one that the game's room would become now, and the differences alone
are carried over: what a map does not show, and what nobody changed, stays as it is in the game.
"""
