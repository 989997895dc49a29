"""The materials of furniture: woods with grain, cloth with weave, leather, stone, metal, lacquer, ceramics.

All textures repeat without a seam and hold linear reflectance of 0-1.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np

from engine.arrays import Plane, plane
from engine.color.srgb import srgb_to_linear

Color = tuple[int, int, int]
SIDE = 384
"""Width and height of the textures, pixels."""


@dataclass(frozen=True, eq=False, slots=True)
class RenderMaterial:
    """A surface material.

    `texture` is its linear reflectance (h x w x 3, 0-1), which repeats every `span` meters. With `coat`, a clear
    layer reflects the room; with `metal`, the surface itself reflects it, in its own color. `rough` (0-1) is how
    blurred these reflections are.
    """

    texture: Plane
    span: float = 1.0
    coat: bool = False
    rough: float = 0.3
    metal: bool = False


def linearize_color(color: Color) -> Plane:
    """An sRGB color in linear light.

    Parameters
    ----------
    color : tuple of int
        Red, green and blue, gamma-coded sRGB of 0-255.

    Returns
    -------
    (3,) ndarray of float32
        Linear sRGB, 0-1.
    """
    return srgb_to_linear(np.array(color, float) / 255)


@cache
def _noise(seed: int, power: float, stretch: float) -> Plane:
    """SIDE x SIDE noise that tiles without a seam, with mean 0 and standard deviation 1.

    Its amplitude falls with the frequency to the `power`; its waves are `stretch` times as long across as down.
    """
    rng = np.random.Generator(np.random.PCG64(seed))
    across = np.fft.fftfreq(SIDE)[None] * SIDE * stretch
    down = np.fft.fftfreq(SIDE)[:, None] * SIDE
    size = np.sqrt(across**2 + down**2)
    size[0, 0] = np.inf
    waves = np.fft.fft2(rng.standard_normal((SIDE, SIDE))) * size**-power
    field = np.fft.ifft2(waves).real
    return plane((field - field.mean()) / field.std())


def _tint(color: Color, gain: Plane) -> Plane:
    """The color times a gain for each pixel; darker pixels get warmer."""
    base = linearize_color(color)
    gain = np.clip(gain, 0.12, 2.5)
    channels = [base[place] * gain**power for place, power in enumerate((0.92, 1.0, 1.1))]
    return plane(np.clip(np.stack(channels, -1), 0.004, 0.9))


def make_wood(color: Color, seed: int = 1, grain: float = 0.16, coat: float | None = 0.35) -> RenderMaterial:
    """Wood with long grain, pores and broad bands.

    Parameters
    ----------
    color : tuple of int
        Gamma-coded sRGB, 0-255.
    seed : int, default 1
        Seed of the random pattern.
    grain : float, default 0.16
        Contrast of the grain, in the logarithm of the reflectance.
    coat : float or None, default 0.35
        Roughness of the varnish, 0-1; None for raw wood.

    Returns
    -------
    RenderMaterial
        The texture spans 0.95 m.
    """
    bands = _noise(seed, 1.3, 9.0)
    rings = np.sin(_noise(seed + 1, 1.6, 7.0) * 7.0 + bands * 2)
    pores = np.minimum(_noise(seed + 2, 0.25, 22.0), 0)
    gain = np.exp(grain * (0.75 * bands + 0.55 * rings + 0.4 * pores) + 0.02)
    return RenderMaterial(_tint(color, plane(gain)), 0.95, coat is not None, coat or 1.0)


def make_cloth(
    color: Color, seed: int = 1, weave: float = 0.16, melange: float = 0.08, span: float = 0.33
) -> RenderMaterial:
    """Woven cloth: alternating warp and weft, threads of uneven thickness, a slightly uneven color.

    Parameters
    ----------
    color : tuple of int
        Gamma-coded sRGB, 0-255.
    seed : int, default 1
        Seed of the random pattern.
    weave : float, default 0.16
        Contrast between the middle and the edge of a thread, in the logarithm of the reflectance.
    melange : float, default 0.08
        Contrast between threads, in the logarithm of the reflectance.
    span : float, default 0.33
        Meters that the texture spans, with 96 threads in each direction.

    Returns
    -------
    RenderMaterial
        Without a coat.
    """
    count = 96
    phase = (np.arange(SIDE) + 0.5) / SIDE * count
    warp, weft = np.cos(np.pi * phase)[None] ** 2, np.cos(np.pi * phase)[:, None] ** 2
    over = (np.floor(phase)[None] + np.floor(phase)[:, None]) % 2
    thread = np.where(over > 0, warp, weft)
    uneven = _noise(seed, 0.4, 8.0) + _noise(seed + 1, 0.4, 8.0).T
    gain = np.exp(weave * (thread - 0.5) + melange * 0.7 * uneven + melange * 0.2 * _noise(seed + 2, 1.2, 1.0))
    return RenderMaterial(_tint(color, plane(gain)), span)


def make_boucle(color: Color, seed: int = 1, depth: float = 0.16) -> RenderMaterial:
    """Cloth of curly loops.

    Parameters
    ----------
    color : tuple of int
        Gamma-coded sRGB, 0-255.
    seed : int, default 1
        Seed of the random pattern.
    depth : float, default 0.16
        Contrast between loops, in the logarithm of the reflectance.

    Returns
    -------
    RenderMaterial
        The texture spans 0.3 m.
    """
    curls = _noise(seed, 0.3, 1.0)
    return RenderMaterial(
        _tint(color, plane(np.exp(depth * np.tanh(curls) + 0.02 * _noise(seed + 1, 1.4, 1.0)))), 0.3
    )


def make_leather(color: Color, seed: int = 1) -> RenderMaterial:
    """Leather: a soft sheen and patches lightened by use.

    Parameters
    ----------
    color : tuple of int
        Gamma-coded sRGB, 0-255.
    seed : int, default 1
        Seed of the random pattern.

    Returns
    -------
    RenderMaterial
        The texture spans 0.7 m.
    """
    gain = np.exp(0.10 * _noise(seed, 1.5, 1.0) + 0.07 * _noise(seed + 1, 0.5, 1.0))
    return RenderMaterial(_tint(color, plane(gain)), 0.7, True, 0.42)


def make_wicker(color: Color, seed: int = 1, count: int = 28) -> RenderMaterial:
    """Rattan, cane, jute: broad strands woven over and under each other, dark between them.

    Parameters
    ----------
    color : tuple of int
        Gamma-coded sRGB, 0-255.
    seed : int, default 1
        Seed of the random pattern.
    count : int, default 28
        Number of strands in each direction of the texture; must be even for the weave to repeat without a seam.

    Returns
    -------
    RenderMaterial
        The texture spans 0.42 m.
    """
    phase = (np.arange(SIDE) + 0.5) / SIDE * count
    warp, weft = np.sin(np.pi * phase)[None] ** 2, np.sin(np.pi * phase)[:, None] ** 2
    over = (np.floor(phase)[None] + np.floor(phase)[:, None]) % 2
    strand = np.where(over > 0, warp**0.5, weft**0.5)
    cells = np.random.Generator(np.random.PCG64(seed)).normal(0, 0.16, (count, count))
    each = cells[np.floor(phase).astype(int)[:, None] % count, np.floor(phase).astype(int)[None] % count]
    gain = (0.35 + 0.75 * strand) * np.exp(each + 0.06 * _noise(seed, 0.8, 1.0))
    return RenderMaterial(_tint(color, plane(gain)), 0.42)


def make_stone(color: Color, vein: Color, seed: int = 1, strength: float = 0.5) -> RenderMaterial:
    """Polished stone with veins.

    Parameters
    ----------
    color : tuple of int
        Color of the stone, gamma-coded sRGB of 0-255.
    vein : tuple of int
        Color of the veins, gamma-coded sRGB of 0-255.
    seed : int, default 1
        Seed of the random pattern.
    strength : float, default 0.5
        How much the veins cover the stone, 0-1.

    Returns
    -------
    RenderMaterial
        The texture spans 1.3 m.
    """
    field = _noise(seed, 1.7, 1.6) + 0.25 * _noise(seed + 1, 1.0, 1.0)
    lines = np.exp(-((field / 0.09) ** 2)) * np.clip(0.5 + 0.5 * _noise(seed + 2, 1.5, 1.0), 0, 1)
    fine = np.exp(-(((_noise(seed + 3, 1.5, 1.0) - 0.4) / 0.05) ** 2)) * 0.4
    share = np.clip((lines + fine) * strength, 0, 1)[..., None]
    base = _tint(color, plane(np.exp(0.05 * _noise(seed + 4, 1.2, 1.0))))
    return RenderMaterial(plane(base * (1 - share) + linearize_color(vein) * share), 1.3, True, 0.12)


def make_plain(color: Color, rough: float | None = 0.25, seed: int = 1) -> RenderMaterial:
    """Lacquer, paint, ceramics: one color, a little uneven.

    Parameters
    ----------
    color : tuple of int
        Gamma-coded sRGB, 0-255.
    rough : float or None, default 0.25
        Roughness of the gloss, 0-1; None for a matt surface.
    seed : int, default 1
        Seed of the random pattern.

    Returns
    -------
    RenderMaterial
        The texture spans 0.8 m.
    """
    gain = np.exp(0.025 * _noise(seed, 1.3, 1.0))
    return RenderMaterial(_tint(color, plane(gain)), 0.8, rough is not None, rough or 1.0)


def make_metal(color: Color, rough: float = 0.25) -> RenderMaterial:
    """Brass, steel, bronze; dark metal is lacquered and does not mirror.

    Parameters
    ----------
    color : tuple of int
        Gamma-coded sRGB, 0-255; it counts as dark where all channels are below 90.
    rough : float, default 0.25
        Roughness of the mirror, 0-1; at least 0.3 for dark metal.

    Returns
    -------
    RenderMaterial
        One even color.
    """
    if max(color) < 90:
        return RenderMaterial(np.broadcast_to(linearize_color(color), (4, 4, 3)).copy(), 1.0, True, max(rough, 0.3))
    return RenderMaterial(np.broadcast_to(linearize_color(color), (4, 4, 3)).copy(), 1.0, False, rough, True)


def make_leaves(color: Color, seed: int = 1) -> RenderMaterial:
    """Leaves: each part of the texture has the green of a different leaf.

    Parameters
    ----------
    color : tuple of int
        Gamma-coded sRGB, 0-255.
    seed : int, default 1
        Seed of the random pattern.

    Returns
    -------
    RenderMaterial
        The texture spans 1 m.
    """
    gain = np.exp(0.22 * _noise(seed, 1.0, 1.0))
    return RenderMaterial(_tint(color, plane(gain)), 1.0, True, 0.4)


def make_picture(picture: Plane) -> RenderMaterial:
    """A picture or pattern laid once over a whole surface.

    Parameters
    ----------
    picture : (h, w, 3) ndarray of float32
        Linear sRGB, 0-1.

    Returns
    -------
    RenderMaterial
        For a mesh whose texture coordinates are 0-1 instead of meters, as `Model.add_with_picture` sets them.
    """
    return RenderMaterial(plane(np.clip(picture, 0.004, 0.92)), 1.0)
