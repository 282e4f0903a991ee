"""The resources of a project of GameMaker's editor, as the library shows them."""
