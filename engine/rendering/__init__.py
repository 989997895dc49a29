"""Furniture rendered into a photo by tracing light."""
