"""Edits by a generative server, and the gate that compares its answers with the photo."""
