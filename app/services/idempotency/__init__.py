"""Requests sent again with the same Idempotency-Key."""
