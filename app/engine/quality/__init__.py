"""The figures a result is held to."""
