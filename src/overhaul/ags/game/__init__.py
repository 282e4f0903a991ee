"""Game data (game28.dta, ac2game.dta): everything of a game but rooms, sprites and sounds."""
