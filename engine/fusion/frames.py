"""Several frames of one photo become one: which of them were taken with flash decides how."""

from collections.abc import Sequence

from engine.fusion.brackets import fuse_brackets
from engine.fusion.flash import blend_flash
from engine.fusion.shots import Opener, hold_photo, open_shots
from engine.io.exif import read_flash_fired
from engine.io.photo import DecodedPhoto


def merge_frames(frames: Sequence[Opener]) -> DecodedPhoto:
    """Merge several frames of one photo: flash and ambient frames are blended, exposures fused.

    Where some frames were taken with flash and several without, those without are fused first.

    Parameters
    ----------
    frames : Sequence of callable
        Each takes nothing and returns a DecodedPhoto, each time the same; in any order. Each may be called several
        times, so that few frames need be held at once; what it raises is passed on.

    Returns
    -------
    DecodedPhoto
        The merged photo, with the capture data of its reference frame.

    Raises
    ------
    BracketError
        Where the frames are not of one photo, too few or too many, or something moved between them.
    """
    shots = open_shots(frames)
    fired = [shot for shot in shots if read_flash_fired(shot.about.exif)]
    calm = [shot for shot in shots if not read_flash_fired(shot.about.exif)]
    if not fired or not calm:
        return fuse_brackets(shots)
    ambient = calm[0] if len(calm) == 1 else hold_photo(fuse_brackets(calm))
    return blend_flash(ambient, sorted(fired, key=lambda shot: shot.about.digest))
