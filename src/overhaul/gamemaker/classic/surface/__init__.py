"""The resources of a project or executable as people look at them: a surface over the records.

``document.sprites["spr_player"].frames[0].image`` and ``document.rooms[0].image()`` show what
the game shows. Edits are made in ``.record``, or in the folder of the project.
"""
