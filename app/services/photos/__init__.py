"""Photos: the work on each photo, and its result."""
