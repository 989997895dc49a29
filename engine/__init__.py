"""The picture engine: an estate photo and its enhancements go in, a better photo and its figures come out."""
