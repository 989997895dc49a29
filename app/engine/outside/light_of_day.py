"""What golden hour and twilight share: when they decline, the sky that goes with them, where surfaces are."""

from collections.abc import Callable

import numpy as np

from app.domain.quality import Reason
from app.engine.arrays import Pixels, Plane, luminance, plane
from app.engine.fullsize import worked
from app.engine.outside.clouds import Mood
from app.engine.outside.sky import DARK, LEAST_SKY, OLD_SIDE, require_outdoors, sky_change
from app.engine.scene.analysis import shrunken
from app.engine.scene.kinds import Kind
from app.engine.step import Canvas, Declined


def require_day(canvas: Canvas) -> None:
    """Declines indoors (NOT_EXTERIOR) and on photos taken in the dark (ALREADY_DARK)."""
    require_outdoors(canvas)
    if canvas.scene.ground_brightness < DARK:
        raise Declined(Reason.ALREADY_DARK, "The photo was taken at dusk or night already.")


# Relights these rows of a picture that is this large: the photo itself or a small copy of it.
Relight = Callable[[Pixels, slice, tuple[int, ...]], Pixels]


def relit(canvas: Canvas, relight: Relight, mood: Mood) -> Pixels:
    """The picture in new light under the sky of this mood, where there is sky enough to see."""
    scene, shape = canvas.scene, canvas.pixels.shape
    if not has_sky(canvas):
        return worked(canvas.pixels, lambda strip, rows: relight(strip, rows, shape))
    small = shrunken(canvas.pixels, OLD_SIDE)
    change = sky_change(canvas, mood, relight(small, slice(0, len(small)), small.shape))

    def strip_of(strip: Pixels, rows: slice) -> Pixels:
        ground_seen = int(scene.sky_matte[rows].min()) < 255
        return change.on(relight(strip, rows, shape) if ground_seen else strip, rows)

    return worked(canvas.pixels, strip_of)


def has_sky(canvas: Canvas) -> bool:
    """Whether there is enough sky to exchange."""
    return bool(canvas.scene.sky.mean() >= LEAST_SKY)


def growth(canvas: Canvas) -> Plane:
    """Small map, 0-1: trees and lawn."""
    return plane(np.clip(canvas.scene.share(Kind.TREES) + canvas.scene.share(Kind.LAWN), 0, 1))


def across(canvas: Canvas, side: float) -> Plane:
    """Small row, -1 away from the sun's side to 1 at it."""
    return plane(np.linspace(-1, 1, canvas.scene.sky.shape[1])[None] * np.sign(side))


def down(canvas: Canvas) -> Plane:
    """Small column, 0 at the top to 1 at the bottom."""
    return plane(np.linspace(0, 1, canvas.scene.sky.shape[0])[:, None])


def tone_below_sky(colours: Plane, sky: Plane, share: float) -> float:
    """The luma, 0-1, that this share of everything but the sky is darker than."""
    grey = luminance(colours)
    rest = grey[sky < 0.5]
    return float(np.quantile(rest if rest.size else grey, share))
