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
"""Meters across which the old pattern is evened out; shade is rarely finer but at its edges, which are kept."""
SIGMAS = (3.0, 6.0, 12.0, 24.0)
USUAL_SIGMA = 9.0
ROUNDS = 4
JOINT = 0.4
"""How wide joints may be, as a share of the blur's sigma: 4 cm or so, with what blurs them."""
BOUNCED = 0.2
"""How much of the usual color of the room is in its light: walls throw theirs on everything."""
WHITE_ALBEDO, LEAST_ALBEDO, MOST_ALBEDO = 0.8, 0.045, 0.85
DARKEST, BURNT = 2e-3, 0.9
HUE_SIGMA = 32.0
COLORFUL = (0.7, 0.15)
TEXTURED = 0.06
TOLD_APART = 0.12
"""Radians between the colors of a surface and of its light below which reflections cannot be separated."""


@dataclass(frozen=True, slots=True)
class Lamp:
    """The light of the whole room: `white`, the color of what is white in it, as linear red, green and blue of a
    luminance of one; `level`, the linear luminance of a white wall.
    """

    white: Plane
    level: float


@dataclass(frozen=True, slots=True)
class Shading:
    """The light on a surface; small maps.

    `shade` (x 3): light per albedo, so that shade times what a material reflects diffusely is what is seen.
    `shine`: luminance that is mirrored. `even`: the luminance that `shade` accounts for where the old surface had
    no pattern, so that what is finer can be kept; None where it had one. `albedo`: its luminance.
    """

    shade: Plane
    shine: Plane
    even: Plane | None
    albedo: float


def estimate_lamp(scene: Scene) -> Lamp:
    """The light of the room, by what is white in it; nearly neutral where nothing is.

    Parameters
    ----------
    scene : Scene
        The photo of the room.

    Returns
    -------
    Lamp
        The color of white, and the level of a white wall.
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
    """The light on a surface, separated from its material.

    Pieces and joints are evened out, and what the surface mirrors is separated, only where it is patterned.

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
        Whether the surface has a pattern; one found to be textured counts as patterned anyway.
    things : (h, w) ndarray of float32, or None, optional
        1 where something stands on the surface, which is left out, else 0; None: nothing does.

    Returns
    -------
    Shading
        Maps as large as `small`, carried on where something else is in front of the surface.
    """
    light = srgb_to_linear(small)
    inside = plane(smoothstep(share, 0.5, 0.95))
    if things is not None:
        inside = plane(inside * (1 - things))
    own = inside > 0.9
    if own.sum() < 30:
        own = np.asarray(share > 0.5 * float(share.max()))
    color = _color(light, own)
    filled = _fill_light(light, inside)
    patterned = patterned or _texture(filled, own) > TEXTURED
    shine = _separate_shine(filled, color, lamp.white, own) if patterned else plane(np.zeros_like(share))
    body = plane(np.maximum(filled - gray_to_rgb(shine) * lamp.white, DARKEST))
    gray = rgb_to_gray(body)
    even = _even_pattern(gray, own, per_meter) if patterned else gray
    # The color of the light changes slowly.
    hue = gaussian_blur(plane(body / gray_to_rgb(plane(np.maximum(gray, DARKEST)))), HUE_SIGMA)
    # On a strongly colored surface it cannot be told from the surface's own.
    gray_enough = float(smoothstep(plane(np.abs(color / lamp.white - 1).max()), *COLORFUL))
    tint = plane(np.clip(hue / color, 0.88, 1.14) ** np.float32(gray_enough))
    albedo = float(np.clip(np.median(even[own]) / lamp.level, LEAST_ALBEDO, MOST_ALBEDO))
    shade = gray_to_rgb(plane(even / albedo)) * tint * lamp.white
    return Shading(plane(shade), shine, None if patterned else even, albedo)


def _texture(light: Plane, own: Mask) -> float:
    """How much neighboring places of the surface differ, in natural logarithms of luminance."""
    values = plane(np.log(np.maximum(rgb_to_gray(light), DARKEST)))
    core = erode(own, 4)
    rest = (plane(cv2.medianBlur(values, 3)) - gaussian_blur(values, 5.0))[core if core.any() else own]
    return float(np.median(np.abs(rest))) * 1.48


def _color(light: Plane, own: Mask) -> Plane:
    """The usual color of the surface: 3 linear values of a luminance of about one."""
    seen = light[own]
    gray = rgb_to_gray(seen.reshape(-1, 1, 3))[:, 0]
    usual = seen[(gray > np.quantile(gray, 0.1)) & (gray <= np.quantile(gray, 0.8))]
    usual = usual if len(usual) else seen
    chroma = usual / np.maximum(rgb_to_gray(usual.reshape(-1, 1, 3)), DARKEST)
    return plane(np.maximum(np.median(chroma, axis=0), 0.02))


def _fill_light(light: Plane, inside: Plane) -> Plane:
    """The light of the surface, carried on where something else stands."""
    around = normalized_convolution(light, plane(inside + 1e-4 * (inside > 0)), 6.0)
    weight = gray_to_rgb(inside)
    return plane(light * weight + around * (1 - weight))


def _separate_shine(light: Plane, color: Plane, white: Plane, own: Mask) -> Plane:
    """Each pixel as a share of the surface's color and one of the light's: the second is mirrored."""
    first, second = color / np.linalg.norm(color), white / np.linalg.norm(white)
    apart = float(np.arccos(np.clip(first @ second, -1, 1)))
    if apart < TOLD_APART:
        return plane(np.zeros(light.shape[:2]))
    calm = plane(cv2.medianBlur(light, 5))
    system = np.linalg.pinv(np.stack([color, white], 1))
    body = cv2.transform(calm, system[:1].astype(np.float32))
    mirrored = cv2.transform(calm, system[1:].astype(np.float32))
    # Boards differ in color: as much white as most have of it is their own.
    usual = np.quantile(mirrored[own] / np.maximum(body[own], DARKEST), 0.7)
    extra = np.clip(mirrored - max(float(usual), 0.0) * 1.3 * np.maximum(body, 0) - 0.01, 0, None)
    certain = float(smoothstep(plane(apart), TOLD_APART, 2 * TOLD_APART))
    # The surface is at least as bright under a reflection as it is around it.
    gray = rgb_to_gray(calm)
    around = normalized_convolution(
        gray_to_rgb(gray), plane(1e-3 + (smoothstep(plane(extra / gray), 0.12, 0.02) * own)), 16.0
    )[..., 0]
    return plane(gaussian_blur(plane(np.clip(gray - around, 0, extra * 1.5)), 1.0) * certain)


def _even_pattern(gray: Plane, own: Mask, per_meter: Plane | None) -> Plane:
    """The luminance without the pieces and joints of the old pattern, with shadows and their edges."""
    values = plane(np.log(np.maximum(gray, DARKEST)))
    for _ in range(2):
        values = plane(cv2.medianBlur(values, 5))
    wanted = np.full(gray.shape, USUAL_SIGMA, np.float32) if per_meter is None else plane(per_meter * REACH / 2)
    level = np.clip(np.log2(np.maximum(wanted, 1e-3) / SIGMAS[0]), 0, len(SIGMAS) - 1)
    result = np.zeros_like(values)
    for number, sigma in enumerate(SIGMAS):
        weight = plane(np.clip(1 - np.abs(level - number), 0, 1))
        if float((weight * own).max()) > 0:
            result += weight * _calm(values, own, sigma)
    return plane(np.exp(result))


def _calm(values: Plane, own: Mask, sigma: float) -> Plane:
    """Blurred, then the large edges brought back round by round (rolling guidance, Zhang and others 2014)."""
    # Joints are dark and narrow; the feet of furniture are wider.
    across = max(3, round(JOINT * sigma)) | 1
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (across, across))
    values = plane(cv2.morphologyEx(values, cv2.MORPH_CLOSE, disc))
    calm = gaussian_blur(values, sigma)
    core = erode(own, 2)
    core = core if core.any() else own
    spread = float(np.median(np.abs((values - calm)[core]))) * 1.48
    softness = max(0.004, 1.5 * spread**2)
    for _ in range(ROUNDS):
        slope, offset = fit_gray_map_model(values, calm, max(2, round(1.2 * sigma)), softness)
        calm = plane(slope * calm + offset)
    # Feet of furniture throw small dark shadows, darker than any piece of the pattern.
    rest = plane(gaussian_blur(values, 1.2) - calm)
    return plane(calm + np.minimum(rest + max(2.4 * spread, 0.12), 0))


LEAST_GLOSS = 0.25
STRAIGHT_ON = 0.04
"""The share of light that polished stone or lacquer mirrors when looked at straight."""
ROUGHEST = 9.0


def estimate_reflections(light: Plane, own: Mask, glance: Plane, gloss: float) -> Plane:
    """The light that a level surface mirrors.

    What is mirrored is what stands in the same column as far above the surface's far edge as the pixel is below it.

    Parameters
    ----------
    light : (h, w, 3) ndarray of float32
        The picture in linear light.
    own : (h, w) ndarray of bool
        Where the surface is.
    glance : (h, w) ndarray of float32
        Sine of the angle between the line of sight and the surface, 0-1.
    gloss : float
        Of the surface, 0-1; below LEAST_GLOSS nothing is mirrored.

    Returns
    -------
    (h, w, 3) ndarray of float32
        Linear light to add to what the surface reflects diffusely.
    """
    if gloss < LEAST_GLOSS:
        return plane(np.zeros_like(light))
    height, width = own.shape
    rows = np.arange(height, dtype=np.float32)[:, None]
    # The last row above each pixel that is not of the surface.
    edge = np.maximum.accumulate(np.where(own, -1, rows), axis=0)
    source = 2 * edge + 1 - rows
    seen = own & (edge >= 0) & (source >= 0)
    columns = np.tile(np.arange(width, dtype=np.float32), (height, 1))
    mirrored = cv2.remap(light, columns, plane(source), cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    weight = plane(seen)
    soft = 1.0 + ROUGHEST * (1 - gloss) ** 1.5
    # Rough surfaces draw mirrored things out, most of all upright.
    blur = (0, 0)
    top = cv2.GaussianBlur(mirrored * weight[..., None], blur, soft, sigmaY=2.2 * soft)
    under = np.maximum(cv2.GaussianBlur(weight, blur, soft, sigmaY=2.2 * soft), 1e-3)
    share = STRAIGHT_ON + (1 - STRAIGHT_ON) * (1 - np.clip(glance, 0, 1)) ** 5
    share = share * gloss**1.5 * gaussian_blur(weight, 1.5) * smoothstep(plane(source), 0, 4)
    return plane(top / under[..., None] * np.minimum(share, 0.5)[..., None])
