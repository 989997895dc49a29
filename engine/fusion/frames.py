"""Merges the frames of one photo: exposures are fused, frames with and without flash are blended."""

from collections.abc import Sequence

from engine.fusion.brackets import fuse_brackets
from engine.fusion.flash import blend_flash
from engine.fusion.shots import Opener, make_kept_shot, open_shots
from engine.fusion.turned_frames import turn_alike
from engine.io.exif import read_flash_fired
from engine.io.photo import DecodedPhoto


def merge_frames(frames: Sequence[Opener]) -> DecodedPhoto:
    """Merge several frames of one photo: blend flash and ambient frames, and fuse exposures.

    Frames that are turned against the others are turned back. If there are flash frames and several ambient frames,
    the ambient frames are fused first.

    Parameters
    ----------
    frames : Sequence of callable
        Each takes no arguments and returns the same DecodedPhoto at each call; in any order. Each may be called
        several times, so that only few frames are in memory at once; its exceptions are passed on.

    Returns
    -------
    DecodedPhoto
        The merged photo, with the capture data of its reference frame.

    Raises
    ------
    BracketError
        Where the frames do not belong to one photo, are too few or too many, or something moved between them.
    """
    shots = turn_alike(open_shots(frames))
    with_flash = [shot for shot in shots if read_flash_fired(shot.small_photo.exif)]
    without = [shot for shot in shots if not read_flash_fired(shot.small_photo.exif)]
    if not with_flash or not without:
        return fuse_brackets(shots)
    ambient = without[0] if len(without) == 1 else make_kept_shot(fuse_brackets(without))
    return blend_flash(ambient, sorted(with_flash, key=lambda shot: shot.small_photo.digest))
