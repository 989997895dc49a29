"""Filters: smoothing, dilating, the guided filter, and how large pictures are worked strip by strip."""
