"""One module per enhancement that is sold."""
