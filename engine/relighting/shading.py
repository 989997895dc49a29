"""Separates the shading of a surface from its material: shade, color of the light, specular reflection."""

from dataclasses import dataclass

import cv2
import numpy as np

from engine.arrays import Mask, Plane, plane, smoothstep
from engine.color.channels import gray_to_rgb, rgb_to_gray
from engine.color.srgb import srgb_to_linear
from engine.filters.guided import fit_gray_map_model
from engine.filters.morphology import erode
from engine.filters.smoothing import gaussian_blur, normalized_convolution
from engine.relighting.white_point import estimate_white_point
from engine.segmentation.scene import Scene

REACH = 0.22
"""Meters over which the old pattern is evened out; shade is rarely finer except at its edges, which are kept."""
SIGMAS = (3.0, 6.0, 12.0, 24.0)
"""Sigmas of the blurs, in pixels, between which the result is interpolated by the size of a meter."""
USUAL_SIGMA = 9.0
"""Sigma, in pixels, where the size of a meter is unknown."""
ROUNDS = 4
"""Rounds of rolling guidance."""
JOINT = 0.4
"""Largest width of joints, as a share of the blur's sigma: about 4 cm, including their blur."""
BOUNCED = 0.2
"""How much of the room's usual color is in its light, as an exponent: walls throw their color on everything."""
WHITE_ALBEDO = 0.8
"""Assumed albedo of white walls."""
LEAST_ALBEDO, MOST_ALBEDO = 0.045, 0.85
"""The range of albedos of surfaces."""
DARKEST = 2e-3
"""Least linear light that is divided by."""
BURNT = 0.9
"""Linear luminance from which on white counts as clipped."""
HUE_SIGMA = 32.0
"""Sigma, in pixels, of the blur of the light's color."""
COLORFUL = (0.7, 0.15)
"""Largest deviation of a surface's color from its light's: changes of the light's color are kept fully up to 0.15,
and not at all from 0.7.
"""
TEXTURED = 0.06
"""Least variation between neighboring places, in natural logarithms, for a surface to count as patterned."""
TOLD_APART = 0.12
"""Least angle, in radians, between the colors of a surface and of its light for reflections to be separated."""


@dataclass(frozen=True, slots=True)
class Lamp:
    """The light of the whole room.

    `white`: the color of white things in it, as linear red, green and blue with a luminance of one; `level`: the
    linear luminance of a surface of albedo 1.
    """

    white: Plane
    level: float


@dataclass(frozen=True, slots=True)
class Shading:
    """The light on a surface; small maps.

    `shade` (x 3): light per albedo; multiplied by a material's albedo it gives the diffusely reflected light.
    `shine`: the luminance of reflections. `even`: the luminance that `shade` accounts for, by which finer structure
    can be kept; None if the old surface was patterned. `albedo`: the old surface's.
    """

    shade: Plane
    shine: Plane
    even: Plane | None
    albedo: float


def estimate_lamp(scene: Scene) -> Lamp:
    """Estimate the light of the room from white things in it; nearly neutral if nothing is white.

    Parameters
    ----------
    scene : Scene
        The photo of the room.

    Returns
    -------
    Lamp
        The color of white, and the level of the light.
    """
    white = estimate_white_point(scene)
    colors = srgb_to_linear(scene.small)
    light = rgb_to_gray(colors)
    cast = srgb_to_linear(plane(np.clip(np.array(white.cast, np.float32) * 0.6, 0, 1))) / np.float32(0.319)
    cast = plane(cast**white.certainty)
    usual = np.median(colors.reshape(-1, 3), axis=0)
    cast = cast * (usual / max(float(usual.mean()), 1e-3)) ** BOUNCED
    cast = cast / float(rgb_to_gray(cast.reshape(1, 1, 3))[0, 0])
    bright = float(np.quantile(light, 0.9))
    weight = white.weight
    if weight.sum() > 0.01 * weight.size:
        seen = light[(weight > 0.3 * float(weight.max())) & (light < BURNT)]
        bright = float(np.median(seen)) if seen.size else bright
    return Lamp(cast, max(bright / WHITE_ALBEDO, 0.05))


def estimate_shading(
    small: Plane, share: Plane, per_meter: Plane | None, lamp: Lamp, *, patterned: bool, things: Plane | None = None
) -> Shading:
    """Separate the light on a surface from its material.

    Only on patterned surfaces are pieces and joints evened out, and reflections separated.

    Parameters
    ----------
    small : (h, w, 3) ndarray of float32
        The small picture, gamma-coded sRGB, 0-1.
    share : (h, w) ndarray of float32
        How much of each pixel the surface covers, 0-1.
    per_meter : (h, w) ndarray of float32, or None
        Pixels per meter of the surface; None where unknown.
    lamp : Lamp
        The light of the room.
    patterned : bool
        Whether the surface has a pattern; a surface found to be textured counts as patterned anyway.
    things : (h, w) ndarray of float32, or None, optional
        1 where something stands on the surface, else 0; such pixels are left out. None: nothing stands on it.

    Returns
    -------
    Shading
        Maps as large as `small`, continued behind things in front of the surface.
    """
    light = srgb_to_linear(small)
    inside = plane(smoothstep(share, 0.5, 0.95))
    if things is not None:
        inside = plane(inside * (1 - things))
    own = inside > 0.9
    if own.sum() < 30:
        own = np.asarray(share > 0.5 * float(share.max()))
    color = _find_usual_color(light, own)
    filled = _fill_light(light, inside)
    patterned = patterned or _measure_texture(filled, own) > TEXTURED
    shine = _separate_shine(filled, color, lamp.white, own) if patterned else plane(np.zeros_like(share))
    body = plane(np.maximum(filled - gray_to_rgb(shine) * lamp.white, DARKEST))
    gray = rgb_to_gray(body)
    even = _even_pattern(gray, own, per_meter) if patterned else gray
    # The color of the light changes slowly.
    hue = gaussian_blur(plane(body / gray_to_rgb(plane(np.maximum(gray, DARKEST)))), HUE_SIGMA)
    # On a strongly colored surface, the light's color cannot be separated from the surface's.
    gray_enough = float(smoothstep(plane(np.abs(color / lamp.white - 1).max()), *COLORFUL))
    tint = plane(np.clip(hue / color, 0.88, 1.14) ** np.float32(gray_enough))
    albedo = float(np.clip(np.median(even[own]) / lamp.level, LEAST_ALBEDO, MOST_ALBEDO))
    shade = gray_to_rgb(plane(even / albedo)) * tint * lamp.white
    return Shading(plane(shade), shine, None if patterned else even, albedo)


def _measure_texture(light: Plane, own: Mask) -> float:
    """How much neighboring places of the surface differ, in natural logarithms of luminance."""
    values = plane(np.log(np.maximum(rgb_to_gray(light), DARKEST)))
    core = erode(own, 4)
    rest = (plane(cv2.medianBlur(values, 3)) - gaussian_blur(values, 5.0))[core if core.any() else own]
    return float(np.median(np.abs(rest))) * 1.48


def _find_usual_color(light: Plane, own: Mask) -> Plane:
    """The usual color of the surface: 3 linear values with a luminance of about one."""
    seen = light[own]
    gray = rgb_to_gray(seen.reshape(-1, 1, 3))[:, 0]
    usual = seen[(gray > np.quantile(gray, 0.1)) & (gray <= np.quantile(gray, 0.8))]
    usual = usual if len(usual) else seen
    chroma = usual / np.maximum(rgb_to_gray(usual.reshape(-1, 1, 3)), DARKEST)
    return plane(np.maximum(np.median(chroma, axis=0), 0.02))


def _fill_light(light: Plane, inside: Plane) -> Plane:
    """The light of the surface, continued behind other things."""
    around = normalized_convolution(light, plane(inside + 1e-4 * (inside > 0)), 6.0)
    weight = gray_to_rgb(inside)
    return plane(light * weight + around * (1 - weight))


def _separate_shine(light: Plane, color: Plane, white: Plane, own: Mask) -> Plane:
    """The luminance of reflections: a pixel is a sum of the surface's color and of mirrored light's color."""
    own_direction, white_direction = color / np.linalg.norm(color), white / np.linalg.norm(white)
    apart = float(np.arccos(np.clip(own_direction @ white_direction, -1, 1)))
    if apart < TOLD_APART:
        return plane(np.zeros(light.shape[:2]))
    calm = plane(cv2.medianBlur(light, 5))
    system = np.linalg.pinv(np.stack([color, white], 1))
    body = cv2.transform(calm, system[:1].astype(np.float32))
    mirrored = cv2.transform(calm, system[1:].astype(np.float32))
    # Boards differ in color: the share of white that most of them have counts as their own color.
    usual = np.quantile(mirrored[own] / np.maximum(body[own], DARKEST), 0.7)
    extra = np.clip(mirrored - max(float(usual), 0.0) * 1.3 * np.maximum(body, 0) - 0.01, 0, None)
    certain = float(smoothstep(plane(apart), TOLD_APART, 2 * TOLD_APART))
    # Under a reflection, the surface is at least as bright as around it.
    gray = rgb_to_gray(calm)
    around = normalized_convolution(
        gray_to_rgb(gray), plane(1e-3 + (smoothstep(plane(extra / gray), 0.12, 0.02) * own)), 16.0
    )[..., 0]
    return plane(gaussian_blur(plane(np.clip(gray - around, 0, extra * 1.5)), 1.0) * certain)


def _even_pattern(gray: Plane, own: Mask, per_meter: Plane | None) -> Plane:
    """The luminance without the pieces and joints of the old pattern, but with shadows and their edges."""
    values = plane(np.log(np.maximum(gray, DARKEST)))
    for _ in range(2):
        values = plane(cv2.medianBlur(values, 5))
    wanted = np.full(gray.shape, USUAL_SIGMA, np.float32) if per_meter is None else plane(per_meter * REACH / 2)
    level = np.clip(np.log2(np.maximum(wanted, 1e-3) / SIGMAS[0]), 0, len(SIGMAS) - 1)
    result = np.zeros_like(values)
    for number, sigma in enumerate(SIGMAS):
        weight = plane(np.clip(1 - np.abs(level - number), 0, 1))
        if float((weight * own).max()) > 0:
            result += weight * _smooth(values, own, sigma)
    return plane(np.exp(result))


def _smooth(values: Plane, own: Mask, sigma: float) -> Plane:
    """The values blurred, with large edges restored round by round (rolling guidance, Zhang and others 2014)."""
    # Closing removes joints, which are dark and narrow, but not the wider shadows at the feet of furniture.
    across = max(3, round(JOINT * sigma)) | 1
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (across, across))
    values = plane(cv2.morphologyEx(values, cv2.MORPH_CLOSE, disc))
    smooth = gaussian_blur(values, sigma)
    core = erode(own, 2)
    core = core if core.any() else own
    spread = float(np.median(np.abs((values - smooth)[core]))) * 1.48
    softness = max(0.004, 1.5 * spread**2)
    for _ in range(ROUNDS):
        slope, offset = fit_gray_map_model(values, smooth, max(2, round(1.2 * sigma)), softness)
        smooth = plane(slope * smooth + offset)
    # Small shadows at the feet of furniture are restored: they are darker than any piece of the pattern.
    rest = plane(gaussian_blur(values, 1.2) - smooth)
    return plane(smooth + np.minimum(rest + max(2.4 * spread, 0.12), 0))


LEAST_GLOSS = 0.25
"""Least gloss (0-1) of a surface for it to mirror anything."""
STRAIGHT_ON = 0.04
"""The share of light that polished stone or lacquer mirrors when seen straight on."""
ROUGHEST = 9.0
"""Sigma, in pixels, that a gloss of 0 would add to the blur of mirrored things."""


def estimate_reflections(light: Plane, own: Mask, glance: Plane, gloss: float) -> Plane:
    """Estimate the light that a level surface mirrors.

    Each pixel mirrors the pixel in its column that is as far above the surface's far edge as it is below the edge.

    Parameters
    ----------
    light : (h, w, 3) ndarray of float32
        The picture in linear light.
    own : (h, w) ndarray of bool
        Where the surface is.
    glance : (h, w) ndarray of float32
        Sine of the angle between the line of sight and the surface, 0-1.
    gloss : float
        The surface's gloss, 0-1; below LEAST_GLOSS it mirrors nothing.

    Returns
    -------
    (h, w, 3) ndarray of float32
        Linear light to add to what the surface reflects diffusely.
    """
    if gloss < LEAST_GLOSS:
        return plane(np.zeros_like(light))
    height, width = own.shape
    rows = np.arange(height, dtype=np.float32)[:, None]
    # The nearest row above each pixel that does not belong to the surface.
    edge = np.maximum.accumulate(np.where(own, -1, rows), axis=0)
    source = 2 * edge + 1 - rows
    seen = own & (edge >= 0) & (source >= 0)
    columns = np.tile(np.arange(width, dtype=np.float32), (height, 1))
    mirrored = cv2.remap(light, columns, plane(source), cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    weight = plane(seen)
    soft = 1.0 + ROUGHEST * (1 - gloss) ** 1.5
    # Rough surfaces blur mirrored things, most of all vertically.
    blur = (0, 0)
    top = cv2.GaussianBlur(mirrored * weight[..., None], blur, soft, sigmaY=2.2 * soft)
    under = np.maximum(cv2.GaussianBlur(weight, blur, soft, sigmaY=2.2 * soft), 1e-3)
    share = STRAIGHT_ON + (1 - STRAIGHT_ON) * (1 - np.clip(glance, 0, 1)) ** 5
    share = share * gloss**1.5 * gaussian_blur(weight, 1.5) * smoothstep(plane(source), 0, 4)
    return plane(top / under[..., None] * np.minimum(share, 0.5)[..., None])
