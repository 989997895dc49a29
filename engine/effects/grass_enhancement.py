"""Green lawn: makes brown or patchy grass look lush and green, and keeps each blade."""

from dataclasses import dataclass

import cv2
import numpy as np

from engine.arrays import Pixels, Plane, plane, smoothstep
from engine.canvas import Canvas, Declined, EffectResult, create_photo_rng
from engine.color.channels import gray_to_rgb, rgb_to_gray
from engine.color.difference import compute_delta_e, srgb_to_lab
from engine.effect import Effect, Needs, start_at_once
from engine.filters.smoothing import gaussian_blur
from engine.filters.strips import apply_lut, enlarge_map, map_strips, round_to_bytes
from engine.quality.limits import REGION_RULES, Limit
from engine.segmentation.scene import shrink_to
from engine.types.enhancements import Enhancement
from engine.types.figures import FigureCode
from engine.types.options import LawnLook
from engine.types.report import Reason

MIN_LAWN = 0.008
"""Minimum share of lawn in the picture."""
CHANGE_SIDE = 256
"""Maximum long side, in pixels, of the copies in which the change is measured."""
MIN_CHANGE = 2.3
"""Minimum mean change of the lawn, CIEDE2000; a smaller change is not visible. Green lawns have up to 2.0, patchy
lawns 2.8 and more.
"""


@dataclass(frozen=True, slots=True)
class TargetLook:
    """The target color of turf.

    `red`, `blue`: Cr and Cb offsets per unit of luma; dry grass has about (+0.05, -0.20). `min_strength`,
    `max_strength`: the shares by which green turf and dry grass are moved towards the target.
    `max_saturation_gain`: the maximum factor by which green turf becomes more colorful.
    """

    red: float
    blue: float
    min_strength: float
    max_strength: float
    max_saturation_gain: float


TARGETS = {
    LawnLook.SUBTLE: TargetLook(-0.066, -0.25, 0.06, 0.62, 1.08),
    # Healthy turf in daylight.
    LawnLook.NATURAL: TargetLook(-0.098, -0.27, 0.12, 0.84, 1.25),
    LawnLook.LUSH: TargetLook(-0.119, -0.297, 0.45, 0.93, 1.42),
}
MIN_DRY_RED = -0.01
"""Minimum Cr per luma of completely dry grass."""
MAX_GREEN_RED = -0.085
"""Maximum Cr per luma of fully green grass."""
KEPT_VARIETY = 0.8
"""Share of small color differences that is kept in dry grass."""
SHADE_DARKENING = 0.08
"""Share by which dry grass is darkened in the shade: lush grass is darker than straw."""
SUN_DARKENING = 0.26
"""Share by which dry grass is darkened in full sun."""
PATCH_SIGMA = 1 / 90
"""Sigma, as a share of the long side, with which the color of a patch is averaged."""
DRIFT_SIZE = 1 / 14
"""Size of the slow changes of color that are added, as a share of the long side."""
LAWN_SIGMA = 1 / 6
"""Sigma, as a share of the long side, with which the color of the lawn around a pixel is averaged."""
DRIFT_DEVIATION = 0.018
"""Standard deviation of the slow changes of color, in Cr per luma."""
TURF_LIKENESS = (0.18, 0.4)
"""Cb per luma, as a share of the turf's: up to the first a pixel is stone, from the second on it is turf."""
LIKENESS_DIVISOR = 500
"""Long side divided by the sigma with which colors are averaged for TURF_LIKENESS: single blades may be gray."""
SUN_PALING = 0.18
"""Share by which turf is paler in full sun."""
SHADE_LIGHTENING = 0.05
"""Share by which green turf is lightened in the shade."""


@dataclass(frozen=True, slots=True)
class Greening:
    """Small maps.

    `luma`: the factor of luma. `kept`: the share of Cr and Cb that is kept. `red`, `blue`: Cr and Cb to add, per
    luma. `turf`: the Cb per luma of the surrounding turf in the photo.
    """

    luma: Plane
    kept: Plane
    red: Plane
    blue: Plane
    turf: Plane

    @property
    def merged(self) -> Plane:
        """The five maps, in the order of the fields, as one map of five channels."""
        return plane(cv2.merge([self.luma, self.kept, self.red, self.blue, self.turf]))


def green_lawn(canvas: Canvas) -> EffectResult:
    """Move the lawn's color towards the chosen green: much if the lawn is dry, a little if it is already green.

    Light, shadows and blades stay.

    Parameters
    ----------
    canvas : Canvas
        A photo of the outdoors; `request.lawn` chooses one of TARGETS.

    Returns
    -------
    EffectResult
        With region and matte of the lawn.

    Raises
    ------
    Declined
        NO_LAWN, if the lawn covers less than MIN_LAWN of the picture; NOT_CHANGED, if it is already as green.
    """
    scene = canvas.scene
    if scene.lawn.mean() < MIN_LAWN:
        raise Declined(Reason.NO_LAWN, "No lawn was found in this photo.")
    green = _apply_greening(canvas)
    if _measure_change(canvas, green) < MIN_CHANGE:
        raise Declined(Reason.NOT_CHANGED, "The lawn is green already: a change would not be seen.")
    return EffectResult(green, region=scene.lawn, matte=scene.lawn_matte)


def _measure_change(canvas: Canvas, green: Pixels) -> float:
    """The mean change of the lawn, CIEDE2000."""
    to_srgb = canvas.scene.profile.to_srgb
    before, after = (srgb_to_lab(to_srgb(shrink_to(each, CHANGE_SIDE))) for each in (canvas.pixels, green))
    lawn = cv2.resize(canvas.scene.lawn, (before.shape[1], before.shape[0]), interpolation=cv2.INTER_AREA)
    return float((compute_delta_e(before, after) * lawn).sum() / lawn.sum())


def _apply_greening(canvas: Canvas) -> Pixels:
    matte, shape = canvas.scene.lawn_matte, canvas.pixels.shape
    maps = _compute_greening(canvas).merged
    share_table = plane(np.clip((np.arange(256) / 255 - 0.03) / 0.9, 0, 1))

    def green_strip(strip: Pixels, rows: slice) -> Pixels:
        inside = matte[rows]
        if not (inside > 7).any():
            return strip
        luma, red, blue = cv2.split(plane(cv2.cvtColor(strip, cv2.COLOR_RGB2YCrCb)))
        luma_factor, kept, added_red, added_blue, turf = cv2.split(enlarge_map(maps, shape, rows))
        share = plane(
            apply_lut(inside, share_table)
            * _measure_turf_likeness(plane(luma), plane(blue), plane(turf), max(shape) / LIKENESS_DIVISOR)
        )
        kept = 1 - share * (1 - kept)
        changed_luma = luma * share
        red = (red - 128) * kept + changed_luma * added_red + 128
        blue = (blue - 128) * kept + changed_luma * added_blue + 128
        luma = luma - changed_luma * (1 - luma_factor)
        changed = cv2.cvtColor(round_to_bytes(plane(cv2.merge([luma, red, blue]))), cv2.COLOR_YCrCb2RGB)
        return np.where(gray_to_rgb(share) > 0, np.asarray(changed, np.uint8), strip)

    return map_strips(canvas.pixels, green_strip)


def _measure_turf_likeness(luma: Plane, blue: Plane, turf: Plane, reach: float) -> Plane:
    """0-1: 1 for pixels about as colorful as the turf around them; stones, curbs and paths are grayer."""
    blueness = gaussian_blur(plane(blue - 128), reach) / np.maximum(gaussian_blur(luma, reach), 8)
    return smoothstep(plane(blueness / np.minimum(turf, -0.02)), *TURF_LIKENESS)


def _compute_greening(canvas: Canvas) -> Greening:
    """Compute maps that move the mean color of each patch towards the target; drier patches are moved more.

    Differences from the mean color are kept.
    """
    small, lawn, target = canvas.scene.own_small, canvas.scene.lawn, TARGETS[canvas.request.lawn]
    side = max(lawn.shape)
    red, blue = _measure_turf_color(small, lawn, side * PATCH_SIGMA)
    dryness = smoothstep(red, MAX_GREEN_RED, MIN_DRY_RED)
    strength = plane(target.min_strength + (target.max_strength - target.min_strength) * dryness)
    kept = plane(1 - (1 - KEPT_VARIETY) * dryness)
    drift = _make_drift(canvas, side * DRIFT_SIZE)
    light = _measure_turf_light(small, lawn, side * PATCH_SIGMA)
    sunlit = smoothstep(light, 0.25, 0.75)
    darkening = (SHADE_DARKENING + (SUN_DARKENING - SHADE_DARKENING) * sunlit) * dryness
    # Green turf is never made less green; in full sun the target is paler.
    paling = 1 - SUN_PALING * sunlit
    target_red = np.minimum(red * target.max_saturation_gain, (target.red + drift) * paling)
    target_blue = np.minimum(blue * target.max_saturation_gain, (target.blue + 1.5 * drift) * paling)
    return Greening(
        luma=plane(
            (1 - darkening * (1 + 6 * drift)) * (1 + SHADE_LIGHTENING * (1 - dryness) * smoothstep(light, 0.6, 0.3))
        ),
        kept=kept,
        red=plane(red + (target_red - red) * strength - kept * red),
        blue=plane(blue + (target_blue - blue) * strength - kept * blue),
        turf=_measure_turf_color(small, lawn, side * LAWN_SIGMA)[1],
    )


def _measure_turf_color(small: Plane, lawn: Plane, sigma: float) -> tuple[Plane, Plane]:
    """Measure the mean Cr and Cb per luma of the lawn around each pixel, without other surfaces."""
    light = rgb_to_gray(small)
    weight = plane(lawn * lawn)
    total = gaussian_blur(plane(light * weight), sigma) + np.float32(1e-4)
    red, blue = (gaussian_blur(plane((small[..., place] - light) * weight), sigma) / total for place in (0, 2))
    return plane(0.713 * red), plane(0.564 * blue)


def _measure_turf_light(small: Plane, lawn: Plane, sigma: float) -> Plane:
    """Measure the mean luma of the lawn around each pixel."""
    weight = plane(lawn * lawn)
    return plane(
        gaussian_blur(plane(rgb_to_gray(small) * weight), sigma) / (gaussian_blur(weight, sigma) + np.float32(1e-4))
    )


def _make_drift(canvas: Canvas, sigma: float) -> Plane:
    """Make slow changes between a yellower and a deeper green, because turf never has a single color."""
    shape = canvas.scene.lawn.shape
    coarse_shape = tuple(max(2, round(size / sigma)) for size in shape)
    noise = plane(create_photo_rng(canvas).standard_normal(coarse_shape))
    smooth = cv2.resize(noise, shape[::-1], interpolation=cv2.INTER_CUBIC)
    return plane(np.clip(smooth, -2, 2) * DRIFT_DEVIATION)


EFFECT = Effect(
    Enhancement.GRASS,
    "Green lawn",
    Needs.OUTDOORS,
    start_at_once(green_lawn),
    rules=REGION_RULES,
    scene_limits={FigureCode.LAWN_DOUBT: Limit(Reason.LAWN_UNCLEAR, maximum=0.7)},
    fades=True,
)
