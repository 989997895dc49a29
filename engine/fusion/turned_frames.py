"""Turns all frames of one photo the same way: a camera that points down may record a wrong orientation for one."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from engine.arrays import Pixels
from engine.fusion.alignment import MIN_LIKENESS, estimate_motion
from engine.fusion.shots import Shot
from engine.io.photo import DecodedPhoto
from engine.segmentation.scene import shrink_to

COMPARED_SIDE = 200
"""Longest side, in pixels, at which frames are compared: enough to find which side is up."""
UNKNOWN = 1.0
"""The likeness that `estimate_motion` returns where too little is visible in both frames."""


def turn_alike(shots: Sequence[Shot]) -> list[Shot]:
    """Turn the frames whose file states another orientation than the files of most frames.

    Each is compared with the frame nearest in brightness whose orientation is already settled; the first settled
    frame is the best-exposed one of the usual size. A frame is not turned if no turn makes it like the other frame.

    Parameters
    ----------
    shots : Sequence of Shot
        The frames, in any order.

    Returns
    -------
    list of Shot
        In the order of `shots`.
    """
    sizes = Counter(shot.shape for shot in shots)
    first = max(shots, key=lambda shot: (sizes[shot.shape], shot.well_exposed, shot.small_photo.digest))
    settled = [first]
    quarters = {id(first): 0}
    for shot in sorted(shots, key=lambda each: (_measure_step(each, first), each.small_photo.digest)):
        if id(shot) not in quarters:
            nearest = min(settled, key=lambda each: _measure_step(each, shot))
            quarters[id(shot)] = _find_turn(shot, nearest, quarters[id(nearest)])
            settled.append(shot)
    usual = [quarters[id(shot)] for shot in shots if shot.shape == first.shape]
    # If most frames are upside down relative to the first frame, the first frame is upside down.
    more = 2 if sum(each == 2 for each in usual) > len(usual) / 2 else 0
    return [_turn(shot, (quarters[id(shot)] + more) % 4) for shot in shots]


def _measure_step(one: Shot, other: Shot) -> float:
    return abs(one.brightness - other.brightness)


def _find_turn(shot: Shot, settled: Shot, quarters: int) -> int:
    """The quarter turns after which the frame is like the settled frame after `quarters` quarter turns."""
    if sorted(shot.shape) != sorted(settled.shape):
        return 0
    is_lying = (quarters % 2 == 1) != (shot.shape != settled.shape)
    small, like = (shrink_to(each.small_photo.pixels, COMPARED_SIDE) for each in (shot, settled))
    like = _turn_pixels(like, quarters)

    def measure(turn: int) -> float:
        return estimate_motion(like, _turn_pixels(small, turn), like.shape)[1]

    if not is_lying and measure(0) >= MIN_LIKENESS:
        return 0
    likeness, best = max((measure(turn), turn) for turn in ((1, 3) if is_lying else (2,)))
    # Frames that have too little in common to be compared are not turned.
    return best if MIN_LIKENESS <= likeness < UNKNOWN else 0


def _turn(shot: Shot, quarters: int) -> Shot:
    if not quarters:
        return shot
    return replace(
        shot,
        decode=lambda: _turn_photo(shot.decode(), quarters),
        small_photo=_turn_photo(shot.small_photo, quarters),
        shape=shot.shape if quarters == 2 else (*shot.shape[1::-1], shot.shape[2]),
    )


def _turn_photo(photo: DecodedPhoto, quarters: int) -> DecodedPhoto:
    return replace(photo, pixels=_turn_pixels(photo.pixels, quarters))


def _turn_pixels(pixels: Pixels, quarters: int) -> Pixels:
    return np.ascontiguousarray(np.rot90(pixels, quarters))
