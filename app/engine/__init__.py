"""The picture engine: an estate photo and its list of enhancements go in, one better photo and its figures come out."""
