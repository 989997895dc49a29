"""Chooses where furniture may stand in a room, and which pieces stand there."""
