"""Retention: files, rows and accounts are removed when their time is over."""
