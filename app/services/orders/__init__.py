"""Orders: drafts, placed orders and their jobs."""
