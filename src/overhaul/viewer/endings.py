"""The endings of the files that pages show: pictures, sounds that a browser plays, and texts."""

PICTURES = (".png", ".gif", ".jpg", ".jpeg", ".bmp", ".webp")
SOUNDS = (".wav", ".ogg", ".mp3", ".flac", ".m4a", ".mid")
TEXTS = (
    *(".gml", ".asm", ".csv", ".txt", ".trs", ".asc", ".ash", ".glsl", ".hlsl", ".ini", ".fsh"),
    *(".vsh", ".toml", ".md", ".xml"),
)
