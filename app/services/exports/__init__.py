"""Exports: people's opinions on results, and everything that is stored about a customer."""
