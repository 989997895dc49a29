"""Skies: drawn from air and clouds, and exchanged for the sky of a photo."""
