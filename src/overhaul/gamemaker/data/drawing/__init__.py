"""Rooms as pictures: what a game draws in the first step of a room, from its records only.

:mod:`.rooms` lists what a room shows, in the order it is drawn; :mod:`.elements` draws each.
No code of the game runs: an object with a Draw event is drawn as one without.
"""
