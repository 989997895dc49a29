"""The steps for the light in rooms: one frame, brackets, flash and ambient."""
