"""Uploads: files received, and how much room each account may take."""
