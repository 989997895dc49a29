"""The frames of one photo without holding all in memory: a summary of each, and their pixels band by band."""

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
# So many frames are decoded once and kept, 12 bytes a pixel.
KEPT = 4
# Of more, bands of rows that come to so many whole frames are held at once. While the last is cut, it is decoded
# beside them, 8 to 16 bytes a pixel, and a part of the result is there.
HELD = 3.0
BRIGHTNESS_SIDE, EXPOSURE_SIDE = 64, 256


class BracketError(ValueError):
    """The frames cannot be merged into one picture; the message says why, to the user."""


@dataclass(frozen=True, slots=True)
class Shot:
    """A frame without its pixels: `about` is the photo at a small size (long side at most SMALL_SIDE).

    `shape` is that of the full-size frame (height, width, 3), `brightness` its mean (0-255), `well_exposed` its
    mean nearness to middle gray (0-1). `again` decodes it; where it is `kept`, that costs nothing.
    """

    again: Opener
    kept: bool
    about: DecodedPhoto
    shape: tuple[int, ...]
    brightness: float
    well_exposed: float

    def whole(self) -> DecodedPhoto:
        """The frame at full size, decoded anew where it is not kept.

        Returns
        -------
        DecodedPhoto
            The frame.

        Raises
        ------
        BracketError
            Where the file or its size is no longer that of the first decoding.
        """
        photo = self.again()
        if (photo.digest, photo.pixels.shape) != (self.about.digest, self.shape):
            raise BracketError("A frame changed while it was read.")
        return photo


def open_shots(frames: Sequence[Opener]) -> list[Shot]:
    """The frames, each decoded once, one after the other; pixels are kept only where there are at most KEPT frames.

    Parameters
    ----------
    frames : Sequence of callable
        Each takes nothing and returns a DecodedPhoto, each time the same; what it raises is passed on.

    Returns
    -------
    list of Shot
        In the order of `frames`.
    """
    return [_shot(opener, opener(), kept=len(frames) <= KEPT) for opener in frames]


def hold_photo(photo: DecodedPhoto) -> Shot:
    """A photo that is already decoded, as a frame that is kept.

    Parameters
    ----------
    photo : DecodedPhoto
        The photo at full size.

    Returns
    -------
    Shot
        The frame; it refers to the pixels of `photo` and copies none.
    """
    return _shot(lambda: photo, photo, kept=True)


def _shot(opener: Opener, photo: DecodedPhoto, *, kept: bool) -> Shot:
    pixels = photo.pixels
    away = rgb_to_gray(plane(shrink_to(pixels, EXPOSURE_SIDE))) / 255 - 0.5
    return Shot(
        again=(lambda: photo) if kept else opener,
        kept=kept,
        about=replace(photo, pixels=shrink_to(pixels, SMALL_SIDE)),
        shape=pixels.shape,
        brightness=float(shrink_to(pixels, BRIGHTNESS_SIDE).mean()),
        well_exposed=float(np.exp(-8 * away * away).mean()),
    )


@dataclass(frozen=True, slots=True)
class AlignedShot:
    """A frame and its movement: `motion` (2 x 3) maps pixels of the result to pixels of the frame."""

    shot: Shot
    motion: Motion | None = None

    def frame(self) -> AlignmentFrame:
        """The frame at full size, not yet warped; decoded anew where it is not kept.

        Returns
        -------
        AlignmentFrame
            The whole frame with its motion.

        Raises
        ------
        BracketError
            Where the file changed after its first decoding.
        """
        return AlignmentFrame(self.shot.whole().pixels, self.motion)

    def small(self) -> Plane:
        """The warped frame at a small size.

        Returns
        -------
        (h, w, 3) ndarray of float32
            0-1, gamma-coded in the frame's own space, long side at most SMALL_SIDE.
        """
        return plane(warp_frame(self.shot.about.pixels, self.motion, self.shot.shape)) / np.float32(255)

    def covered(self) -> Mask:
        """Where the warped frame shows a picture, at a small size.

        Returns
        -------
        (h, w) ndarray of bool
            Of the size of `small`; False beyond the frame.
        """
        return warp_coverage(self.shot.about.pixels, self.motion, self.shot.shape)


def read_bands(
    laid: Sequence[AlignedShot], step: int, margin: int, seen: Callable[[AlignmentFrame], None] = lambda _: None
) -> Iterator[tuple[slice, list[AlignmentFrame]]]:
    """The frames in bands of rows, from the top, so that few whole frames are in memory at once.

    Frames that are not kept are decoded once for each band, one at a time.

    Parameters
    ----------
    laid : Sequence of AlignedShot
        The frames, all of one size.
    step : int
        Rows; each band but the last is a multiple of it high.
    margin : int
        How many rows above and below a band are needed with it.
    seen : callable, optional
        Is called with each whole AlignmentFrame once, before the first band is yielded.

    Yields
    ------
    rows : slice
        Rows of the result, without the margin.
    frames : list of AlignmentFrame
        In the order of `laid`, each with what these rows and the margin need of it; emptied when the next band is
        requested.

    Raises
    ------
    BracketError
        Where the file of a frame changed after its first decoding.
    """
    height = laid[0].shot.shape[0]
    bands = _bands(laid, step, margin)
    for number, rows in enumerate(bands):
        needed = _add_margin(rows, margin, height)
        frames = []
        for each in laid:
            whole = each.frame()
            if number == 0:
                seen(whole)
            frames.append(whole if len(bands) == 1 else whole.crop_to(needed))
            # Before the next one is decoded.
            del whole
        yield rows, frames
        # Whoever was given the list still has it.
        frames.clear()


def _bands(laid: Sequence[AlignedShot], step: int, margin: int) -> list[slice]:
    """As few bands of rows, of heights as equal as possible, as keep what they need of the frames within HELD."""
    height = laid[0].shot.shape[0]
    steps = -(-height // step)
    bands = [slice(0, height)]
    if all(each.shot.kept for each in laid):
        return bands
    for number in range(1, steps + 1):
        starts = [step * (steps * place // number) for place in range(number)]
        bands = [slice(*ends) for ends in zip(starts, [*starts[1:], height], strict=True)]
        if max(_rows_held(laid, _add_margin(rows, margin, height)) for rows in bands) <= HELD * height:
            break
    return bands


def _add_margin(rows: slice, margin: int, height: int) -> slice:
    return slice(max(0, rows.start - margin), min(height, rows.stop + margin))


def _rows_held(laid: Sequence[AlignedShot], rows: slice) -> int:
    reached = (find_source_rows(each.motion, rows, each.shot.shape) for each in laid)
    return sum(each.stop - each.start for each in reached)
