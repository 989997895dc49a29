"""Retention: files, rows and accounts that are removed when their time is over."""
