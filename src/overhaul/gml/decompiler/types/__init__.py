"""What values mean: constants, assets, enums, booleans; and how the uses of a game tell."""
