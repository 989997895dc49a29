"""Photos: the work on each, and its results."""
