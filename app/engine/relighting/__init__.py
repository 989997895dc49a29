"""Light: what a photo says of it, white balance, exposure, shading, lamps and windows lit at dusk."""
