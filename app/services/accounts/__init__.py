"""Accounts and their users: created, found, confirmed by a mailed link."""
