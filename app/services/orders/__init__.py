"""Orders: drafted, placed, followed."""
