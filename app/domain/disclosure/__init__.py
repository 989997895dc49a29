"""Disclosure of altered photos: the rules of jurisdictions and listing services, as data, and what follows from
them.
"""
