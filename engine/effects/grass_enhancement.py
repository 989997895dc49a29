"""Green lawn: brown or patchy grass reads lush and green, blade by blade."""

from dataclasses import dataclass

import cv2
import numpy as np

from engine.arrays import Pixels, Plane, plane, smoothstep
from engine.canvas import Canvas, Declined, EffectResult, create_photo_rng
from engine.color.channels import gray_to_rgb, rgb_to_gray
from engine.effect import Effect, Needs, start_at_once
from engine.filters.smoothing import gaussian_blur
from engine.filters.strips import apply_lut, enlarge_map, map_strips, round_to_bytes
from engine.quality.limits import BOUND
from engine.types.enhancements import Enhancement
from engine.types.options import LawnLook
from engine.types.report import Reason

LEAST_LAWN = 0.008


@dataclass(frozen=True, slots=True)
class Aim:
    """What turf becomes: its `red` and `blue` (Cr, Cb offsets per unit of luma) where it was dry; dry grass has
    about (+0.05, -0.20); how far green turf and dry grass go there, and how much more color green turf gets.
    """

    red: float
    blue: float
    least_strength: float
    most_strength: float
    freshened: float


AIMS = {
    LawnLook.SUBTLE: Aim(-0.066, -0.25, 0.06, 0.62, 1.08),
    # As healthy turf is in daylight.
    LawnLook.NATURAL: Aim(-0.098, -0.27, 0.12, 0.84, 1.25),
    LawnLook.LUSH: Aim(-0.119, -0.297, 0.45, 0.93, 1.42),
}
# Cr per luma from which grass counts as thoroughly dry, and up to which it is as green as it should be.
DRY, GREEN = -0.01, -0.085
KEPT_VARIETY = 0.8
# Lush grass is darker than straw, the more so where straw lies in full sun.
DARKENED, SUNLIT_DARKENED = 0.08, 0.26
# Shares of the long side: a patch, how far the colors of turf reach when it varies by itself, and a whole lawn.
PATCH, DRIFT, LAWN = 1 / 90, 1 / 14, 1 / 6
VARIED = 0.018
# As shares of the turf's Cb per luma: from which a place is no stone, and when it is turf; colors within this part
# of the long side are taken together, as single blades may be gray.
GRAYER, NEAR_BY = (0.35, 0.65), 500
PALED = 0.18
# What green turf gets in the shade: a little more light.
LIT = 0.05


@dataclass(frozen=True, slots=True)
class Greening:
    """Small maps: by what luma is multiplied, how much of Cr and Cb is kept, how much per luma is added to them;
    and the Cb per luma of the turf around as it is.
    """

    luma: Plane
    kept: Plane
    red: Plane
    blue: Plane
    turf: Plane

    @property
    def together(self) -> Plane:
        """The five maps, in that order, as one of five channels."""
        return plane(cv2.merge([self.luma, self.kept, self.red, self.blue, self.turf]))


def green_lawn(canvas: Canvas) -> EffectResult:
    """Move the lawn's color towards the chosen green where it is dry, a little where it is green already.

    Light, shadows and blades stay.

    Parameters
    ----------
    canvas : Canvas
        A photo of the outdoors; `request.lawn` chooses one of AIMS.

    Returns
    -------
    EffectResult
        With region and matte of the lawn.

    Raises
    ------
    Declined
        NO_LAWN, where the lawn covers less than LEAST_LAWN of the picture.
    """
    scene = canvas.scene
    if scene.lawn.mean() < LEAST_LAWN:
        raise Declined(Reason.NO_LAWN, "No lawn was found in this photo.")
    return EffectResult(_apply_greening(canvas), region=scene.lawn, matte=scene.lawn_matte)


def _apply_greening(canvas: Canvas) -> Pixels:
    matte, shape = canvas.scene.lawn_matte, canvas.pixels.shape
    maps = _compute_greening(canvas).together
    share_table = plane(np.clip((np.arange(256) / 255 - 0.03) / 0.9, 0, 1))

    def strip_of(strip: Pixels, rows: slice) -> Pixels:
        inside = matte[rows]
        if not (inside > 7).any():
            return strip
        luma, red, blue = cv2.split(plane(cv2.cvtColor(strip, cv2.COLOR_RGB2YCrCb)))
        darker, kept, redder, bluer, turf = cv2.split(enlarge_map(maps, shape, rows))
        share = plane(
            apply_lut(inside, share_table)
            * _measure_turf_likeness(plane(luma), plane(blue), plane(turf), max(shape) / NEAR_BY)
        )
        kept = 1 - share * (1 - kept)
        shown = luma * share
        red = (red - 128) * kept + shown * redder + 128
        blue = (blue - 128) * kept + shown * bluer + 128
        luma = luma - shown * (1 - darker)
        turned = cv2.cvtColor(round_to_bytes(plane(cv2.merge([luma, red, blue]))), cv2.COLOR_YCrCb2RGB)
        return np.where(gray_to_rgb(share) > 0, np.asarray(turned, np.uint8), strip)

    return map_strips(canvas.pixels, strip_of)


def _measure_turf_likeness(luma: Plane, blue: Plane, turf: Plane, reach: float) -> Plane:
    """0-1: which pixels are about as far from gray as the turf around them; stones, curbs and paths are not."""
    own = gaussian_blur(plane(blue - 128), reach) / np.maximum(gaussian_blur(luma, reach), 8)
    return smoothstep(plane(own / np.minimum(turf, -0.02)), *GRAYER)


def _compute_greening(canvas: Canvas) -> Greening:
    """Patch by patch: its mean color goes to lush green as far as it is dry, what differs from it stays."""
    small, lawn, aim = canvas.scene.own_small, canvas.scene.lawn, AIMS[canvas.request.lawn]
    side = max(lawn.shape)
    red, blue = _measure_turf_color(small, lawn, side * PATCH)
    dryness = smoothstep(red, GREEN, DRY)
    strength = plane(aim.least_strength + (aim.most_strength - aim.least_strength) * dryness)
    kept = plane(1 - (1 - KEPT_VARIETY) * dryness)
    drift = _make_drift(canvas, side * DRIFT)
    light = _measure_turf_light(small, lawn, side * PATCH)
    sunlit = smoothstep(light, 0.25, 0.75)
    darkened = (DARKENED + (SUNLIT_DARKENED - DARKENED) * sunlit) * dryness
    # Green turf is never made less green; and full sun on it pales its color.
    paled = 1 - PALED * sunlit
    target_red = np.minimum(red * aim.freshened, (aim.red + drift) * paled)
    target_blue = np.minimum(blue * aim.freshened, (aim.blue + 1.5 * drift) * paled)
    return Greening(
        luma=plane((1 - darkened * (1 + 6 * drift)) * (1 + LIT * (1 - dryness) * smoothstep(light, 0.6, 0.3))),
        kept=kept,
        red=plane(red + (target_red - red) * strength - kept * red),
        blue=plane(blue + (target_blue - blue) * strength - kept * blue),
        turf=_measure_turf_color(small, lawn, side * LAWN)[1],
    )


def _measure_turf_color(small: Plane, lawn: Plane, sigma: float) -> tuple[Plane, Plane]:
    """Mean Cr and Cb per luma of the lawn around each place, from the lawn alone."""
    light = rgb_to_gray(small)
    weight = plane(lawn * lawn)
    total = gaussian_blur(plane(light * weight), sigma) + np.float32(1e-4)
    red, blue = (gaussian_blur(plane((small[..., place] - light) * weight), sigma) / total for place in (0, 2))
    return plane(0.713 * red), plane(0.564 * blue)


def _measure_turf_light(small: Plane, lawn: Plane, sigma: float) -> Plane:
    """Mean luma of the lawn around each place."""
    weight = plane(lawn * lawn)
    return plane(
        gaussian_blur(plane(rgb_to_gray(small) * weight), sigma) / (gaussian_blur(weight, sigma) + np.float32(1e-4))
    )


def _make_drift(canvas: Canvas, sigma: float) -> Plane:
    """Turf is never of one color: slow changes between a yellower and a deeper green."""
    shape = canvas.scene.lawn.shape
    coarse = tuple(max(2, round(size / sigma)) for size in shape)
    noise = plane(create_photo_rng(canvas).standard_normal(coarse))
    smooth = cv2.resize(noise, shape[::-1], interpolation=cv2.INTER_CUBIC)
    return plane(np.clip(smooth, -2, 2) * VARIED)


EFFECT = Effect(Enhancement.GRASS, "Green lawn", Needs.OUTDOORS, start_at_once(green_lawn), rules=BOUND, fades=True)
