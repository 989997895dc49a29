"""The cloudless sky in linear light: by day Preetham's model, at dusk the colored layers of twilight."""

from dataclasses import dataclass

import cv2
import numpy as np

from engine.arrays import Plane, plane
from engine.color.channels import gray_to_rgb, scale_channels
from engine.sky.view import ViewRays

Color = tuple[float, float, float]
_XYZ_TO_RGB = np.array(
    ((3.2406, -1.5372, -0.4986), (-0.9689, 1.8758, 0.0415), (0.0557, -0.2040, 1.0570)), dtype=np.float32
)
DISC = 0.008
"""Radians over which the sun's light falls off: through a lens the sun looks larger than half a degree."""
BLOOM = 0.06
"""Radians over which the bloom around the sun falls off."""
BLOOM_LIGHT = 0.06
"""Light of the bloom as a share of the sun's light."""


@dataclass(frozen=True, slots=True)
class Stop:
    """Linear light at a `height` of so many degrees, `towards` the sun and `away` from it; interpolated between."""

    height: float
    towards: Color
    away: Color


@dataclass(frozen=True, slots=True)
class Air:
    """Sun and air: `sun_elevation` and `sun_aside` (how far from the middle of the view) in degrees.

    `turbidity` is 2 for the clearest air and 6 for haze; `exposure` converts kcd/m2 to linear values of 0-1, 0 for
    skies without daylight; `vividness` multiplies daylight's saturation; `halo` is the light around the sun
    where no daylight is modeled; `disc` is the light of the sun itself; `stops` are light to add by height.
    """

    sun_elevation: float
    sun_aside: float
    turbidity: float = 2.5
    exposure: float = 0.0
    vividness: float = 1.0
    halo: Color = (0.0, 0.0, 0.0)
    disc: Color = (0.0, 0.0, 0.0)
    stops: tuple[Stop, ...] = ()


def compute_sun_direction(air: Air, sun_side: float) -> tuple[float, float, float]:
    """The direction to the sun.

    Parameters
    ----------
    air : Air
        Has the sun's elevation, and its angle from the middle of the view.
    sun_side : float
        The factor of that angle: from -1 on the left to 1 on the right.

    Returns
    -------
    tuple of float
        Unit vector: right, up, ahead.
    """
    aside = np.radians(air.sun_aside) * sun_side
    high = np.radians(air.sun_elevation)
    return (float(np.cos(high) * np.sin(aside)), float(np.sin(high)), float(np.cos(high) * np.cos(aside)))


def render_clear_sky(air: Air, rays: ViewRays, sun_side: float) -> Plane:
    """The sky without clouds.

    By day, luminance and color follow Preetham's model [1]_, which has no sun below the horizon. At dusk, the order
    of the twilight layers follows Lee [2]_.

    Parameters
    ----------
    air : Air
        Sun and air.
    rays : ViewRays
        Where each of the (h, w) pixels looks.
    sun_side : float
        Where the sun is, -1 left to 1 right.

    Returns
    -------
    (h, w, 3) ndarray of float32
        Linear sRGB, about 0-1.

    References
    ----------
    .. [1] Preetham, Shirley and Smits, "A Practical Analytic Model for Daylight", 1999.
    .. [2] Lee, "Twilight and daytime colors of the clear sky", 1994.
    """
    right, up, ahead = compute_sun_direction(air, sun_side)
    cosine = plane(rays.right * right + rays.up * up + rays.ahead * ahead)
    sky = _grade(air, rays, right, ahead)
    sky += scale_channels(np.exp((cosine - 1) * np.float32(16)), air.halo)
    if air.exposure > 0:
        sky += _preetham(air, plane(np.maximum(rays.up, 0.01)), np.clip(cosine, -1, 1))
    return sky


def render_sun_disc(air: Air, rays: ViewRays, sun_side: float) -> Plane:
    """The sun and its bloom, as a lens shows them.

    Parameters
    ----------
    air : Air
        Sun and air; `disc` is the color.
    rays : ViewRays
        Where each of the (h, w) pixels looks.
    sun_side : float
        Where the sun stands, -1 left to 1 right.

    Returns
    -------
    (h, w, 3) ndarray of float32
        Linear sRGB to add to the sky: at the sun a little more than `air.disc`, which may exceed white.
    """
    right, up, ahead = compute_sun_direction(air, sun_side)
    away = 1 - plane(rays.right * right + rays.up * up + rays.ahead * ahead)
    light = cv2.exp(away * np.float32(-1 / DISC**2)) + np.float32(BLOOM_LIGHT) * cv2.exp(
        away * np.float32(-1 / BLOOM**2)
    )
    return scale_channels(plane(light), air.disc)


def _preetham(air: Air, up: Plane, cosine: Plane) -> Plane:
    turbidity = air.turbidity
    theta = np.pi / 2 - np.radians(air.sun_elevation)
    gamma = plane(np.arccos(cosine))
    chi = (4 / 9 - turbidity / 120) * (np.pi - 2 * theta)
    zenith_luminance = (4.0453 * turbidity - 4.9710) * np.tan(chi) - 0.2155 * turbidity + 2.4192
    bright = zenith_luminance * _perez(_LUMINANCE @ (turbidity, 1), theta, up, cosine, gamma)
    x = _zenith(_ZENITH_X, turbidity, theta) * _perez(_CHROMA_X @ (turbidity, 1), theta, up, cosine, gamma)
    y = _zenith(_ZENITH_Y, turbidity, theta) * _perez(_CHROMA_Y @ (turbidity, 1), theta, up, cosine, gamma)
    scale = bright * air.exposure / y
    xyz = np.stack([x * scale, bright * air.exposure, (1 - x - y) * scale], -1)
    rgb = plane(cv2.transform(plane(xyz), _XYZ_TO_RGB))
    gray = gray_to_rgb(plane(bright * air.exposure))
    return _remove_violet(plane(np.maximum(gray + (rgb - gray) * air.vividness, 1e-4)))


def _remove_violet(rgb: Plane) -> Plane:
    """Raise green where needed: near the sun the model turns violet, where real skies turn a lighter blue."""
    red, green, blue = cv2.split(rgb)
    least = (red + blue) * np.float32(0.5) * np.minimum(0.70 + 0.62 * red / blue, 1)
    return plane(cv2.merge([red, plane(np.maximum(green, least)), blue]))


_LUMINANCE = np.array(
    ((0.1787, -1.4630), (-0.3554, 0.4275), (-0.0227, 5.3251), (0.1206, -2.5771), (-0.0670, 0.3703))
)
_CHROMA_X = np.array(
    ((-0.0193, -0.2592), (-0.0665, 0.0008), (-0.0004, 0.2125), (-0.0641, -0.8989), (-0.0033, 0.0452))
)
_CHROMA_Y = np.array(
    ((-0.0167, -0.2608), (-0.0950, 0.0092), (-0.0079, 0.2102), (-0.0441, -1.6537), (-0.0109, 0.0529))
)
_ZENITH_X = np.array(
    (
        (0.00166, -0.00375, 0.00209, 0.0),
        (-0.02903, 0.06377, -0.03202, 0.00394),
        (0.11693, -0.21196, 0.06052, 0.25886),
    )
)
_ZENITH_Y = np.array(
    (
        (0.00275, -0.00610, 0.00317, 0.0),
        (-0.04214, 0.08970, -0.04153, 0.00516),
        (0.15346, -0.26756, 0.06670, 0.26688),
    )
)


def _perez(terms: np.ndarray, theta: float, up: Plane, cosine: Plane, gamma: Plane) -> Plane:
    """Perez' sky function of five terms, relative to the zenith."""
    first, second, third, fourth, fifth = (float(each) for each in terms)
    here = (1 + first * np.exp(second / up)) * (1 + third * np.exp(fourth * gamma) + fifth * cosine * cosine)
    zenith = (1 + first * np.exp(second)) * (1 + third * np.exp(fourth * theta) + fifth * np.cos(theta) ** 2)
    return plane(here / zenith)


def _zenith(table: np.ndarray, turbidity: float, theta: float) -> float:
    return float((turbidity**2, turbidity, 1) @ table @ (theta**3, theta**2, theta, 1))


def _grade(air: Air, rays: ViewRays, right: float, ahead: float) -> Plane:
    """Colors by height, mixed by how far each pixel's direction is from the sun's."""
    height = np.degrees(np.arcsin(np.clip(rays.up, 0, 1)))
    flat = np.maximum(np.hypot(rays.right, rays.ahead), 1e-3) * max(float(np.hypot(right, ahead)), 1e-3)
    near = gray_to_rgb(plane(((rays.right * right + rays.ahead * ahead) / flat * 0.5 + 0.5) ** 3))
    heights = [stop.height for stop in air.stops]
    towards, away = (
        np.stack([np.interp(height, heights, np.array(colors)[:, each]) for each in range(3)], -1)
        for colors in ([stop.towards for stop in air.stops], [stop.away for stop in air.stops])
    )
    return plane(away + (towards - away) * near)
