"""Inpainting of rooms: planes, light and pattern continued behind things that are removed."""
