"""Accounts: made, found, confirmed by a mailed link."""
