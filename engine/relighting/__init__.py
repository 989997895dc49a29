"""Relighting: light estimates, white balance, exposure, shading, lamps and windows at dusk."""
