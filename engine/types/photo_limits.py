"""The limits of uploaded photos of every format; the engine refuses photos beyond them."""

from typing import Final

MAX_PIXELS: Final = 100_000_000
MAX_SIDE: Final = 65_500
"""Pixels."""
MAX_SCANS: Final = 100
"""Scans of a JPEG: real progressive ones have about ten; hundreds only waste processor time."""
MAX_PAGES: Final = 16
"""Pages of a TIFF that are read: the largest of them is the photo; further pages are ignored."""
MAX_FRAMES: Final = 9
"""Files that become one photo."""
