"""The ways a response writes its items, one file each, and what ends it."""
