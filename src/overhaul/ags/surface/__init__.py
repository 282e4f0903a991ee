"""Games, rooms, sprites and scripts of Adventure Game Studio as people look at them.

``document.characters["cEgo"].full_name``, ``document.rooms[12].background`` and
``document.sprites[30].image`` show what the game shows; ``.record`` is what the file stores.
"""
