"""The JSON API, one of the two HTTP entry points."""
