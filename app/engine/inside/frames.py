"""Several frames of one photo become one: which of them were taken with flash decides how."""

from collections.abc import Sequence

from PIL import ExifTags, Image

from app.engine.capture import UNREADABLE
from app.engine.inside.brackets import fuse
from app.engine.inside.flash import blend
from app.engine.io import Photo

# The lowest bit of the EXIF flash value says whether it fired.
FIRED = 1


def merged(frames: Sequence[Photo]) -> Photo:
    """One photo of the frames, in any order: flash and ambient frames are blended, exposures fused.

    Several ambient frames are fused first. Raises BracketError when they are not of one photo.
    """
    fired = [frame for frame in frames if _flash_fired(frame)]
    calm = [frame for frame in frames if not _flash_fired(frame)]
    if not fired or not calm:
        return fuse(frames)
    return blend(calm[0] if len(calm) == 1 else fuse(calm), sorted(fired, key=lambda frame: frame.digest))


def _flash_fired(frame: Photo) -> bool:
    """What the camera noted; without a note, no."""
    exif = Image.Exif()
    try:
        exif.load(frame.exif)
        value = exif.get_ifd(ExifTags.IFD.Exif).get(ExifTags.Base.Flash, 0)
    except UNREADABLE:
        return False
    return isinstance(value, int) and bool(value & FIRED)
