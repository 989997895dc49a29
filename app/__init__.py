"""Brightlist: photos of a house go in, listing-ready pictures come back."""
