"""Adventure Game Studio: rooms, games, packages, scripts, sprites, translations."""
