"""Accounts and their users: created, found, and confirmed by a link sent by mail."""
