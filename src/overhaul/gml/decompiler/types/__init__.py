"""The meaning of values: constants, assets, enums, booleans; and the evidence for it in a game's
code."""
