"""What a photo may be at most, whatever its format: the engine refuses what is more, the documentation says so."""

from typing import Final

MAX_PIXELS: Final = 100_000_000
MAX_SIDE: Final = 65_500
"""Pixels."""
MAX_SCANS: Final = 100
"""Of a JPEG: real progressive ones have about ten; hundreds only serve to burn time."""
MAX_PAGES: Final = 16
"""Of a TIFF: the largest of its first pages is the photo, those after them are ignored."""
MAX_FRAMES: Final = 9
"""Files that become one photo."""
