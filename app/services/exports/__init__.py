"""Exports: what people think of results, and all that is kept about a customer."""
