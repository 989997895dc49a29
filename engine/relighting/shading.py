"""Separates the light on a surface (shade, its color, reflections) from the material of the surface."""

from dataclasses import dataclass

import cv2
import numpy as np

from engine.arrays import Mask, Plane, plane, smoothstep
from engine.color.channels import gray_to_rgb, rgb_to_gray
from engine.color.srgb import srgb_to_linear
from engine.filters.guided import fit_gray_map_model
from engine.filters.morphology import dilate, erode
from engine.filters.smoothing import gaussian_blur, normalized_convolution
from engine.relighting.white_point import estimate_white_point
from engine.relighting.wooden_fronts import find_second_material, separate_grain
from engine.segmentation.scene import Scene

PATTERN_WIDTH = 0.22
"""Width (two sigmas), in meters, of the blur that removes the old pattern; edges of shadows are kept."""
SIGMAS = (3.0, 6.0, 12.0, 24.0)
"""Sigmas, in pixels, of the blurs that are computed; between them the result is interpolated."""
DEFAULT_SIGMA = 9.0
"""Sigma, in pixels, if the number of pixels per meter is unknown."""
ITERATIONS = 4
"""Iterations of rolling guidance."""
SHADOW_REACH = 2.5
"""Distance from the surface's border, as a multiple of the blur's sigma, up to which dark spots are shadows."""
MAX_JOINT = 0.4
"""Maximum width of joints, as a share of the blur's sigma: about 4 cm, including their soft edges."""
INDIRECT_SHARE = 0.2
"""Share, as an exponent, of the room's median color in its light: walls reflect their color onto other surfaces. It
counts less the surer the color of white things is, because they show this light."""
WHITE_ALBEDO = 0.8
"""Assumed albedo of white walls."""
MIN_ALBEDO, MAX_ALBEDO = 0.045, 0.85
"""The range of albedos of surfaces."""
MIN_FRONT_ALBEDO = 0.02
"""Minimum albedo of the fronts of cabinets, which may be of nearly black wood."""
MIN_LIGHT = 2e-3
"""Minimum linear light, which avoids divisions by zero and logarithms of zero."""
MAX_UNCLIPPED = 0.9
"""Linear luminance from which on white counts as clipped."""
HUE_SIGMA = 32.0
"""Sigma, in pixels, of the blur of the light's color."""
COLOR_DEVIATION = (0.7, 0.15)
"""Maximum deviation of a surface's color from the light's: from the first value on changes of the light's color are
not kept, up to the second they are kept fully.
"""
MIN_TEXTURE = 0.06
"""Minimum variation between neighboring pixels, in natural logarithms, of a surface that counts as patterned."""
MIN_COLOR_ANGLE = 0.12
"""Minimum angle, in radians, between the colors of a surface and of its light if reflections are separated."""


@dataclass(frozen=True, slots=True)
class Lamp:
    """The light of the whole room.

    `white`: the color of white things in it, as linear red, green and blue with a luminance of 1. `level`: the
    linear luminance of a surface of albedo 1.
    """

    white: Plane
    level: float


@dataclass(frozen=True, slots=True)
class Shading:
    """The light on a surface; small maps.

    `shade` (x 3): light per albedo; multiplied by a material's albedo it gives the diffusely reflected light.
    `shine`: the luminance of reflections. `luminance`: that of the old surface without its pattern, from which
    `shade` was computed. `patterned`: whether the old surface had a pattern. `relief`: how much of the structure
    that is finer than `luminance` is relief, 0-1; the rest is the old pattern. `grain`: the amplitude of the fine
    structure, in natural logarithms, up to which it is grain and no relief. `albedo`: that of the old surface.
    `unknown`: where another material hides the light, 0-1; there it is that of the surroundings.
    """

    shade: Plane
    shine: Plane
    luminance: Plane
    patterned: bool
    relief: Plane
    grain: float
    albedo: float
    unknown: Plane


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
    typical = np.median(colors.reshape(-1, 3), axis=0)
    # White things already show the light that the walls reflect.
    cast = cast * (typical / max(float(typical.mean()), 1e-3)) ** (INDIRECT_SHARE * (1 - white.certainty))
    cast = cast / float(rgb_to_gray(cast.reshape(1, 1, 3))[0, 0])
    bright = float(np.quantile(light, 0.9))
    weight = white.weight
    if weight.sum() > 0.01 * weight.size:
        mirrors = light[(weight > 0.3 * float(weight.max())) & (light < MAX_UNCLIPPED)]
        bright = float(np.median(mirrors)) if mirrors.size else bright
    return Lamp(cast, max(bright / WHITE_ALBEDO, 0.05))


def estimate_shading(
    small: Plane,
    share: Plane,
    per_meter: Plane | None,
    lamp: Lamp,
    *,
    patterned: bool,
    paneled: bool = False,
    things: Plane | None = None,
) -> Shading:
    """Separate the light on a surface from its material.

    Pieces and joints are removed, and reflections separated, only if the surface is patterned.

    Parameters
    ----------
    small : (h, w, 3) ndarray of float32
        The small picture, gamma-coded sRGB, 0-1.
    share : (h, w) ndarray of float32
        The share of the surface in each pixel, 0-1.
    per_meter : (h, w) ndarray of float32, or None
        Pixels per meter of the surface; None if unknown.
    lamp : Lamp
        The light of the room.
    patterned : bool
        Whether the surface has a pattern; a surface found to be textured counts as patterned anyway.
    paneled : bool, default False
        Whether the surface is fronts of cabinets, whose frames and gaps are kept when a pattern is removed.
    things : (h, w) ndarray of float32, or None, optional
        Above 0 on and beside things on the surface; such pixels are left out. None if nothing is on it.

    Returns
    -------
    Shading
        Maps as large as `small`, continued behind things that hide the surface.
    """
    light = srgb_to_linear(small)
    inside = plane(smoothstep(share, 0.5, 0.95))
    if things is not None:
        inside = plane(inside * (things == 0))
    surface = inside > 0.9
    if surface.sum() < 30:
        surface = np.asarray(share > 0.5 * float(share.max()))
    second = find_second_material(_measure_chroma(light), surface) if paneled else None
    if second is not None:
        inside = plane(inside * (1 - second))
        surface &= inside > 0.9
    color = _find_typical_color(light, surface)
    filled = _fill_light(light, inside)
    patterned = patterned or _measure_texture(filled, surface) > MIN_TEXTURE
    shine = _separate_shine(filled, color, lamp.white, surface) if patterned else plane(np.zeros_like(share))
    body = plane(np.maximum(filled - gray_to_rgb(shine) * lamp.white, MIN_LIGHT))
    gray = rgb_to_gray(body)
    luminance = _remove_pattern(gray, surface, per_meter) if patterned else gray
    relief, grain, even = plane(np.full_like(gray, not patterned)), 0.0, luminance
    if patterned and paneled:
        fronts = separate_grain(gray, surface)
        luminance, even, relief, grain = fronts.luminance, fronts.even, fronts.relief, fronts.grain
    if second is not None:
        relief = plane(relief * (1 - second))
    tint = _find_tint(body, color, lamp.white, is_wood=paneled and patterned)
    least = MIN_FRONT_ALBEDO if paneled else MIN_ALBEDO
    albedo = float(np.clip(np.median(luminance[surface]) / lamp.level, least, MAX_ALBEDO))
    shade = gray_to_rgb(plane(even / albedo)) * tint * lamp.white
    unknown = plane(np.zeros_like(gray)) if second is None else second
    return Shading(plane(shade), shine, luminance, patterned, relief, grain, albedo, unknown)


def _find_tint(body: Plane, color: Plane, white: Plane, *, is_wood: bool) -> Plane:
    """The color of the light in relation to the lamp's, 3 values a pixel; it changes slowly."""
    # On a strongly colored surface, the color of the light cannot be separated from that of the surface, and wood
    # mirrors light of other colors than those of the light on it.
    gray_enough = 0.0 if is_wood else float(smoothstep(plane(np.abs(color / white - 1).max()), *COLOR_DEVIATION))
    hue = gaussian_blur(plane(body / gray_to_rgb(plane(np.maximum(rgb_to_gray(body), MIN_LIGHT)))), HUE_SIGMA)
    return plane(np.clip(hue / color, 0.88, 1.14) ** np.float32(gray_enough))


def _measure_chroma(light: Plane) -> Plane:
    """Natural logarithms of red and blue over green."""
    values = plane(np.log(np.maximum(light, MIN_LIGHT)))
    return plane(values[..., [0, 2]] - values[..., 1:2])


def _measure_texture(light: Plane, surface: Mask) -> float:
    """Measure how much neighboring pixels of the surface differ, in natural logarithms of luminance."""
    values = plane(np.log(np.maximum(rgb_to_gray(light), MIN_LIGHT)))
    core = erode(surface, 4)
    detail = (plane(cv2.medianBlur(values, 3)) - gaussian_blur(values, 5.0))[core if core.any() else surface]
    return float(np.median(np.abs(detail))) * 1.48


def _find_typical_color(light: Plane, surface: Mask) -> Plane:
    """Find the typical color of the surface: 3 linear values with a luminance of about 1."""
    mirrors = light[surface]
    gray = rgb_to_gray(mirrors.reshape(-1, 1, 3))[:, 0]
    typical = mirrors[(gray > np.quantile(gray, 0.1)) & (gray <= np.quantile(gray, 0.8))]
    typical = typical if len(typical) else mirrors
    chroma = typical / np.maximum(rgb_to_gray(typical.reshape(-1, 1, 3)), MIN_LIGHT)
    return plane(np.maximum(np.median(chroma, axis=0), 0.02))


def _fill_light(light: Plane, inside: Plane) -> Plane:
    """Continue the light of the surface behind other things."""
    around = normalized_convolution(light, plane(inside + 1e-4 * (inside > 0)), 6.0)
    weight = gray_to_rgb(inside)
    return plane(light * weight + around * (1 - weight))


def _separate_shine(light: Plane, color: Plane, white: Plane, surface: Mask) -> Plane:
    """Compute the luminance of reflections: a pixel is a sum of the colors of the surface and of mirrored light."""
    own_direction, white_direction = color / np.linalg.norm(color), white / np.linalg.norm(white)
    angle = float(np.arccos(np.clip(own_direction @ white_direction, -1, 1)))
    if angle < MIN_COLOR_ANGLE:
        return plane(np.zeros(light.shape[:2]))
    denoised = plane(cv2.medianBlur(light, 5))
    system = np.linalg.pinv(np.stack([color, white], 1))
    body = cv2.transform(denoised, system[:1].astype(np.float32))
    mirrored = cv2.transform(denoised, system[1:].astype(np.float32))
    # Boards differ in color: the share of white that most of them have belongs to their own color.
    typical = np.quantile(mirrored[surface] / np.maximum(body[surface], MIN_LIGHT), 0.7)
    extra = np.clip(mirrored - max(float(typical), 0.0) * 1.3 * np.maximum(body, 0) - 0.01, 0, None)
    certain = float(smoothstep(plane(angle), MIN_COLOR_ANGLE, 2 * MIN_COLOR_ANGLE))
    # Below a reflection, the surface itself is assumed to be as bright as around it.
    gray = rgb_to_gray(denoised)
    around = normalized_convolution(
        gray_to_rgb(gray), plane(1e-3 + (smoothstep(plane(extra / gray), 0.12, 0.02) * surface)), 16.0
    )[..., 0]
    return plane(gaussian_blur(plane(np.clip(gray - around, 0, extra * 1.5)), 1.0) * certain)


def _remove_pattern(gray: Plane, surface: Mask, per_meter: Plane | None) -> Plane:
    """Remove pieces and joints of the old pattern from the luminance; shadows and their edges stay."""
    values = plane(np.log(np.maximum(gray, MIN_LIGHT)))
    for _ in range(2):
        values = plane(cv2.medianBlur(values, 5))
    sigma_map = (
        np.full(gray.shape, DEFAULT_SIGMA, np.float32)
        if per_meter is None
        else plane(per_meter * PATTERN_WIDTH / 2)
    )
    level = np.clip(np.log2(np.maximum(sigma_map, 1e-3) / SIGMAS[0]), 0, len(SIGMAS) - 1)
    result = np.zeros_like(values)
    for number, sigma in enumerate(SIGMAS):
        weight = plane(np.clip(1 - np.abs(level - number), 0, 1))
        if float((weight * surface).max()) > 0:
            result += weight * _smooth(values, surface, sigma)
    return plane(np.exp(result))


def _smooth(values: Plane, surface: Mask, sigma: float) -> Plane:
    """Blur the values and restore large edges step by step (rolling guidance, Zhang and others 2014)."""
    # Closing removes joints, which are dark and narrow, but not the wider shadows at the feet of furniture.
    diameter = max(3, round(MAX_JOINT * sigma)) | 1
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (diameter, diameter))
    values = plane(cv2.morphologyEx(values, cv2.MORPH_CLOSE, disc))
    smooth = gaussian_blur(values, sigma)
    core = erode(surface, 2)
    core = core if core.any() else surface
    spread = float(np.median(np.abs((values - smooth)[core]))) * 1.48
    softness = max(0.004, 1.5 * spread**2)
    for _ in range(ITERATIONS):
        slope, offset = fit_gray_map_model(values, smooth, max(2, round(1.2 * sigma)), softness)
        smooth = plane(slope * smooth + offset)
    # Small shadows at the feet of furniture are restored: they are darker than any piece of the pattern. Far from
    # everything that stands on the surface, such spots are dark pieces.
    detail = plane(gaussian_blur(values, 1.2) - smooth)
    near = gaussian_blur(plane(dilate(~surface, round(SHADOW_REACH * sigma))), 2.0)
    return plane(smooth + np.minimum(detail + max(2.4 * spread, 0.12), 0) * near)


MIN_GLOSS = 0.25
"""Minimum gloss (0-1) of a surface that mirrors anything."""
MIN_REFLECTANCE = 0.04
"""Share of light that polished stone or lacquer mirrors at a right angle."""
MAX_ROUGH_SIGMA = 9.0
"""Sigma, in pixels, that a gloss of 0 would add to the blur of mirrored things."""


def estimate_reflections(light: Plane, surface: Mask, sine: Plane, gloss: float) -> Plane:
    """Estimate the light that a level surface mirrors.

    Each pixel mirrors a pixel of its column: both have the same distance from the surface's far edge between them.

    Parameters
    ----------
    light : (h, w, 3) ndarray of float32
        The picture in linear light.
    surface : (h, w) ndarray of bool
        Where the surface is.
    sine : (h, w) ndarray of float32
        Sine of the angle between the line of sight and the surface, 0-1.
    gloss : float
        The surface's gloss, 0-1; below MIN_GLOSS it mirrors nothing.

    Returns
    -------
    (h, w, 3) ndarray of float32
        Linear light to add to the diffusely reflected light.
    """
    if gloss < MIN_GLOSS:
        return plane(np.zeros_like(light))
    height, width = surface.shape
    rows = np.arange(height, dtype=np.float32)[:, None]
    # The nearest row above each pixel that does not belong to the surface.
    edge = np.maximum.accumulate(np.where(surface, -1, rows), axis=0)
    source = 2 * edge + 1 - rows
    mirrors = surface & (edge >= 0) & (source >= 0)
    columns = np.tile(np.arange(width, dtype=np.float32), (height, 1))
    mirrored = cv2.remap(light, columns, plane(source), cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    weight = plane(mirrors)
    sigma = 1.0 + MAX_ROUGH_SIGMA * (1 - gloss) ** 1.5
    # Rough surfaces blur mirrored things, mostly in the vertical direction.
    blur = (0, 0)
    weighted_sum = cv2.GaussianBlur(mirrored * weight[..., None], blur, sigma, sigmaY=2.2 * sigma)
    weight_sum = np.maximum(cv2.GaussianBlur(weight, blur, sigma, sigmaY=2.2 * sigma), 1e-3)
    share = MIN_REFLECTANCE + (1 - MIN_REFLECTANCE) * (1 - np.clip(sine, 0, 1)) ** 5
    share = share * gloss**1.5 * gaussian_blur(weight, 1.5) * smoothstep(plane(source), 0, 4)
    return plane(weighted_sum / weight_sum[..., None] * np.minimum(share, 0.5)[..., None])
