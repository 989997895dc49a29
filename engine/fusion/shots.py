"""The frames of one photo without holding all in memory: what is kept of each, and their pixels again, band by
band.
"""

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
    """The frames cannot be made one picture; the message says why, for people."""


@dataclass(frozen=True, slots=True)
class Shot:
    """A frame without its pixels: `about` is the photo at a small size (long side at most SMALL_SIDE).

    `shape` is that of the whole one (height, width, 3), `brightness` its mean (0-255), `well_exposed` how many of
    its tones are middle ones (0-1). `again` decodes it; where it is `kept`, that costs nothing.
    """

    again: Opener
    kept: bool
    about: DecodedPhoto
    shape: tuple[int, ...]
    brightness: float
    well_exposed: float

    def whole(self) -> DecodedPhoto:
        """The frame at full size. Raises BracketError when it is no longer the one that was looked at."""
        photo = self.again()
        if (photo.digest, photo.pixels.shape) != (self.about.digest, self.shape):
            raise BracketError("A frame changed while it was read.")
        return photo


def open_shots(frames: Sequence[Opener]) -> list[Shot]:
    """Each frame opened once, one after the other, and let go again where they are more than KEPT."""
    return [_shot(opener, opener(), kept=len(frames) <= KEPT) for opener in frames]


def hold_photo(photo: DecodedPhoto) -> Shot:
    """A photo that is there already, as a frame."""
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
    """A frame and its movement: `motion` (2 x 3) leads from places of the result to places of the frame."""

    shot: Shot
    motion: Motion | None = None

    def frame(self) -> AlignmentFrame:
        """The frame at full size, decoded anew where it is not kept; raises BracketError as `Shot.whole` does."""
        return AlignmentFrame(self.shot.whole().pixels, self.motion)

    def small(self) -> Plane:
        """The moved frame with a long side of at most SMALL_SIDE, 0-1."""
        return plane(warp_frame(self.shot.about.pixels, self.motion, self.shot.shape)) / np.float32(255)

    def covered(self) -> Mask:
        """Where, at that size, the moved frame has a picture."""
        return warp_coverage(self.shot.about.pixels, self.motion, self.shot.shape)


def read_bands(
    laid: Sequence[AlignedShot], step: int, margin: int, seen: Callable[[AlignmentFrame], None] = lambda _: None
) -> Iterator[tuple[slice, list[AlignmentFrame]]]:
    """Rows of the result from the top, whole `step`s of them, and each frame with what they need of it.

    `margin`: how many rows above and below are needed, too. `seen` is given each frame whole once, before the
    first rows come. Frames that are not kept are decoded once for each band, one at a time, and are gone when the
    next rows are asked for.
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
    """As few bands of rows, as even as may be, as keep within HELD what frames need of them."""
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
