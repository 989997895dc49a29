"""Uploads: files received, and how many bytes each account may store."""
