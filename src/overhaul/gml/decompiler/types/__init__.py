"""What values mean: constants, assets, enums, booleans; and how a game's code shows it."""
