"""The endings of the files that a browser shows as pictures and plays as sounds."""

PICTURES = (".png", ".gif", ".jpg", ".jpeg", ".bmp", ".webp")
SOUNDS = (".wav", ".ogg", ".mp3", ".flac", ".m4a", ".mid")
