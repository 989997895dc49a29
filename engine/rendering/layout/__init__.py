"""Where furniture may stand in a room, and which pieces stand where."""
