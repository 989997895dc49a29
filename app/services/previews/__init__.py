"""Small pictures of stored files: requested, made, deleted."""
