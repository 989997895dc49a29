"""Credits, purchases and payments."""
