"""Small pictures of stored files: asked for, made, forgotten."""
