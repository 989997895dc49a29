"""Fusion of several frames of one photo: exposure brackets, and flash with ambient light."""
