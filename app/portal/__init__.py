"""The HTML door."""
