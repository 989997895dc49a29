"""Green lawn: makes brown or patchy grass look lush and green, and keeps each blade."""

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

MIN_LAWN = 0.008
"""Least share of the picture that must be lawn."""


@dataclass(frozen=True, slots=True)
class Aim:
    """The look that turf is given.

    `red`, `blue`: the color aimed at, as Cr and Cb offsets per unit of luma; dry grass has about (+0.05, -0.20).
    `least_strength`, `most_strength`: how far green turf and dry grass are moved there, as shares. `freshened`: the
    factor by which green turf may become more colorful.
    """

    red: float
    blue: float
    least_strength: float
    most_strength: float
    freshened: float


AIMS = {
    LawnLook.SUBTLE: Aim(-0.066, -0.25, 0.06, 0.62, 1.08),
    # Healthy turf in daylight.
    LawnLook.NATURAL: Aim(-0.098, -0.27, 0.12, 0.84, 1.25),
    LawnLook.LUSH: Aim(-0.119, -0.297, 0.45, 0.93, 1.42),
}
DRY = -0.01
"""Least Cr per luma for grass to count as thoroughly dry."""
GREEN = -0.085
"""Most Cr per luma for grass to count as fully green."""
KEPT_VARIETY = 0.8
"""The share of small color differences that is kept in dry grass."""
DARKENED = 0.08
"""How much dry grass is darkened in the shade, as a share: lush grass is darker than straw."""
SUNLIT_DARKENED = 0.26
"""How much dry grass is darkened in full sun."""
PATCH = 1 / 90
"""Sigma over which the color of a patch is measured, as a share of the long side."""
DRIFT = 1 / 14
"""Size of the slow changes of color that are added, as a share of the long side."""
LAWN = 1 / 6
"""Sigma over which the color of the lawn around a place is measured, as a share of the long side."""
VARIED = 0.018
"""Standard deviation of the slow changes of color, in Cr per luma."""
GRAYER = (0.35, 0.65)
"""Cb per luma, as a share of the turf's, up to which a place counts as stone, and from which it counts as turf."""
NEAR_BY = 500
"""Long side over the sigma within which colors are averaged for this, because single blades may be gray."""
PALED = 0.18
"""How much paler turf is in full sun, as a share."""
LIT = 0.05
"""How much lighter green turf becomes in the shade, as a share."""


@dataclass(frozen=True, slots=True)
class Greening:
    """Small maps.

    `luma`: the factor of luma; `kept`: the share of Cr and Cb that is kept; `red`, `blue`: Cr and Cb to add, per
    luma; `turf`: the Cb per luma of the surrounding turf in the photo.
    """

    luma: Plane
    kept: Plane
    red: Plane
    blue: Plane
    turf: Plane

    @property
    def together(self) -> Plane:
        """The five maps, in the order of the fields, as one map of five channels."""
        return plane(cv2.merge([self.luma, self.kept, self.red, self.blue, self.turf]))


def green_lawn(canvas: Canvas) -> EffectResult:
    """Move the lawn's color towards the chosen green: far where it is dry, a little where it is already green.

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
        NO_LAWN, where the lawn covers less than MIN_LAWN of the picture.
    """
    scene = canvas.scene
    if scene.lawn.mean() < MIN_LAWN:
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
    """0-1: whether pixels are about as far from gray as the turf around them; stones, curbs and paths are not."""
    own = gaussian_blur(plane(blue - 128), reach) / np.maximum(gaussian_blur(luma, reach), 8)
    return smoothstep(plane(own / np.minimum(turf, -0.02)), *GRAYER)


def _compute_greening(canvas: Canvas) -> Greening:
    """Move the mean color of each patch towards the chosen green as far as it is dry, and keep differences from
    it.
    """
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
    # Green turf is never made less green; in full sun the green aimed at is paler.
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
    """Slow changes between a yellower and a deeper green, because turf is never of a single color."""
    shape = canvas.scene.lawn.shape
    coarse = tuple(max(2, round(size / sigma)) for size in shape)
    noise = plane(create_photo_rng(canvas).standard_normal(coarse))
    smooth = cv2.resize(noise, shape[::-1], interpolation=cv2.INTER_CUBIC)
    return plane(np.clip(smooth, -2, 2) * VARIED)


EFFECT = Effect(Enhancement.GRASS, "Green lawn", Needs.OUTDOORS, start_at_once(green_lawn), rules=BOUND, fades=True)
