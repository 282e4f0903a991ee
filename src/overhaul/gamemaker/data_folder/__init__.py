"""A game's folder: plain files out of a game, and edited ones back into it."""
