"""Reads the frames of one photo with little memory: a small copy of each, and full-size pixels in bands of rows."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from engine.arrays import Mask, Plane, plane
from engine.color.channels import rgb_to_gray
from engine.fusion.alignment import (
    SMALL_SIDE,
    AlignmentFrame,
    Motion,
    find_source_rows,
    warp_coverage,
    warp_frame,
)
from engine.io.photo import DecodedPhoto
from engine.segmentation.scene import shrink_to

Opener = Callable[[], DecodedPhoto]
MAX_KEPT_FRAMES = 4
"""Most frames of a photo that are decoded once and kept in memory; four frames take 12 bytes per pixel."""
MAX_HELD_FRAMES = 3.0
"""Photos of more than MAX_KEPT_FRAMES frames are merged in bands. This limits the pixels of all frames in one band,
as a multiple of the pixels of one whole frame.

While a band is read, one decoded frame (8 to 16 bytes per pixel) and a part of the result are also in memory.
"""
BRIGHTNESS_SIDE = 64
"""Longest side, in pixels, at which the brightness of a frame is measured."""
EXPOSURE_SIDE = 256
"""Longest side, in pixels, at which the exposure of a frame is judged."""


class BracketError(ValueError):
    """The frames cannot be merged into one picture; the message says why, for users."""


@dataclass(frozen=True, slots=True)
class Shot:
    """A frame without its pixels: `small_photo` is the frame at a small size (long side at most SMALL_SIDE).

    `shape` is the full-size frame's (height, width, 3), `brightness` its mean (0-255), `well_exposed` its mean
    nearness to middle gray (0-1). `decode` returns the frame at full size, at no cost if `is_kept`.
    """

    decode: Opener
    is_kept: bool
    small_photo: DecodedPhoto
    shape: tuple[int, ...]
    brightness: float
    well_exposed: float

    def decode_whole(self) -> DecodedPhoto:
        """The frame at full size, decoded again if it is not kept.

        Returns
        -------
        DecodedPhoto
            The frame.

        Raises
        ------
        BracketError
            Where the file or the size is not the same as at the first decoding.
        """
        photo = self.decode()
        if (photo.digest, photo.pixels.shape) != (self.small_photo.digest, self.shape):
            raise BracketError("A frame changed while it was read.")
        return photo


def open_shots(frames: Sequence[Opener]) -> list[Shot]:
    """Decode the frames one after the other; keep their pixels only if there are at most MAX_KEPT_FRAMES frames.

    Parameters
    ----------
    frames : Sequence of callable
        Each takes no arguments and returns the same DecodedPhoto at each call; its exceptions are passed on.

    Returns
    -------
    list of Shot
        In the order of `frames`.
    """
    return [_make_shot(opener, opener(), is_kept=len(frames) <= MAX_KEPT_FRAMES) for opener in frames]


def make_kept_shot(photo: DecodedPhoto) -> Shot:
    """A kept frame from a photo that is already decoded.

    Parameters
    ----------
    photo : DecodedPhoto
        The photo at full size.

    Returns
    -------
    Shot
        The frame; it refers to the pixels of `photo` and copies none.
    """
    return _make_shot(lambda: photo, photo, is_kept=True)


def _make_shot(opener: Opener, photo: DecodedPhoto, *, is_kept: bool) -> Shot:
    pixels = photo.pixels
    deviation = rgb_to_gray(plane(shrink_to(pixels, EXPOSURE_SIDE))) / 255 - 0.5
    return Shot(
        decode=(lambda: photo) if is_kept else opener,
        is_kept=is_kept,
        small_photo=replace(photo, pixels=shrink_to(pixels, SMALL_SIDE)),
        shape=pixels.shape,
        brightness=float(shrink_to(pixels, BRIGHTNESS_SIDE).mean()),
        well_exposed=float(np.exp(-8 * deviation * deviation).mean()),
    )


@dataclass(frozen=True, slots=True)
class AlignedShot:
    """A frame and its movement: `motion` (2 x 3) maps pixels of the result to pixels of the frame."""

    shot: Shot
    motion: Motion | None = None

    def read_frame(self) -> AlignmentFrame:
        """The frame at full size, not yet warped; decoded again if it is not kept.

        Returns
        -------
        AlignmentFrame
            The whole frame with its motion.

        Raises
        ------
        BracketError
            Where the file changed after its first decoding.
        """
        return AlignmentFrame(self.shot.decode_whole().pixels, self.motion)

    def warp_small(self) -> Plane:
        """The warped frame at a small size.

        Returns
        -------
        (h, w, 3) ndarray of float32
            0-1, gamma-coded in the frame's own color space, long side at most SMALL_SIDE.
        """
        return plane(warp_frame(self.shot.small_photo.pixels, self.motion, self.shot.shape)) / np.float32(255)

    def find_covered(self) -> Mask:
        """Find where the warped frame has pixels of the photo, at a small size.

        Returns
        -------
        (h, w) ndarray of bool
            Of the size of `warp_small`; False beyond the frame.
        """
        return warp_coverage(self.shot.small_photo.pixels, self.motion, self.shot.shape)


def read_bands(
    aligned: Sequence[AlignedShot],
    step: int,
    margin: int,
    on_first_read: Callable[[AlignmentFrame], None] = lambda _: None,
) -> Iterator[tuple[slice, list[AlignmentFrame]]]:
    """The frames in bands of rows, from the top, so that few whole frames are in memory at once.

    Frames that are not kept are decoded once for each band, one at a time.

    Parameters
    ----------
    aligned : Sequence of AlignedShot
        The frames, all of one size.
    step : int
        The height of each band except the last is a multiple of this number of rows.
    margin : int
        Number of rows above and below a band that are needed together with it.
    on_first_read : callable, optional
        Is called with each whole AlignmentFrame once, before the first band is yielded.

    Yields
    ------
    rows : slice
        Rows of the result, without the margin.
    frames : list of AlignmentFrame
        In the order of `aligned`, each with the pixels that these rows and the margin need. The list is emptied
        when the next band is requested.

    Raises
    ------
    BracketError
        Where the file of a frame changed after its first decoding.
    """
    height = aligned[0].shot.shape[0]
    bands = _plan_bands(aligned, step, margin)
    for number, rows in enumerate(bands):
        needed = _add_margin(rows, margin, height)
        frames = []
        for each in aligned:
            whole = each.read_frame()
            if number == 0:
                on_first_read(whole)
            frames.append(whole if len(bands) == 1 else whole.crop_to(needed))
            # Free the frame's memory before the next frame is decoded.
            del whole
        yield rows, frames
        # This frees the frames although the caller still holds the list.
        frames.clear()


def _plan_bands(aligned: Sequence[AlignedShot], step: int, margin: int) -> list[slice]:
    """The fewest bands of nearly equal height for which the pixels of all frames are within MAX_HELD_FRAMES."""
    height = aligned[0].shot.shape[0]
    steps = -(-height // step)
    bands = [slice(0, height)]
    if all(each.shot.is_kept for each in aligned):
        return bands
    for number in range(1, steps + 1):
        starts = [step * (steps * place // number) for place in range(number)]
        bands = [slice(*ends) for ends in zip(starts, [*starts[1:], height], strict=True)]
        if (
            max(_count_source_rows(aligned, _add_margin(rows, margin, height)) for rows in bands)
            <= MAX_HELD_FRAMES * height
        ):
            break
    return bands


def _add_margin(rows: slice, margin: int, height: int) -> slice:
    return slice(max(0, rows.start - margin), min(height, rows.stop + margin))


def _count_source_rows(aligned: Sequence[AlignedShot], rows: slice) -> int:
    source_rows = (find_source_rows(each.motion, rows, each.shot.shape) for each in aligned)
    return sum(each.stop - each.start for each in source_rows)
