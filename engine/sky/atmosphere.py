"""Renders the cloudless sky in linear light: by day Preetham's model, at dusk the colored layers of twilight."""

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


@dataclass(frozen=True, slots=True)
class ColorStop:
    """A stop of a color gradient: linear light at a `height` in degrees, towards the sun and away from it."""

    height: float
    towards_sun: Color
    away_from_sun: Color


@dataclass(frozen=True, slots=True)
class Air:
    """Sun and air; `sun_elevation` and `sun_azimuth` (from the middle of the view) are in degrees.

    `turbidity` is 2 for the clearest air and 6 for haze. `exposure` converts daylight from kcd/m2 to linear values
    of 0-1; it is 0 for skies without daylight, which have a `halo` around the sun instead. `vividness` multiplies
    the saturation of daylight. `stops` are light to add, by height.
    """

    sun_elevation: float
    sun_azimuth: float
    turbidity: float = 2.5
    exposure: float = 0.0
    vividness: float = 1.0
    halo: Color = (0.0, 0.0, 0.0)
    stops: tuple[ColorStop, ...] = ()


def compute_sun_direction(air: Air, sun_side: float) -> tuple[float, float, float]:
    """Compute the direction to the sun.

    Parameters
    ----------
    air : Air
        Sun and air.
    sun_side : float
        The factor of the sun's azimuth: from -1 on the left to 1 on the right.

    Returns
    -------
    tuple of float
        Unit vector: right, up, ahead.
    """
    azimuth = np.radians(air.sun_azimuth) * sun_side
    elevation = np.radians(air.sun_elevation)
    return (
        float(np.cos(elevation) * np.sin(azimuth)),
        float(np.sin(elevation)),
        float(np.cos(elevation) * np.cos(azimuth)),
    )


def render_clear_sky(air: Air, rays: ViewRays, sun_side: float) -> Plane:
    """Render the sky without clouds.

    By day, luminance and color follow Preetham's model [1]_, which needs the sun above the horizon. At dusk, the
    order of the twilight layers follows Lee [2]_.

    Parameters
    ----------
    air : Air
        Sun and air.
    rays : ViewRays
        The direction of each of the (h, w) pixels.
    sun_side : float
        The sun's side, from -1 left to 1 right.

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
    sky = _compute_gradient(air, rays, right, ahead)
    sky += scale_channels(np.exp((cosine - 1) * np.float32(16)), air.halo)
    if air.exposure > 0:
        sky += _render_daylight(air, plane(np.maximum(rays.up, 0.01)), np.clip(cosine, -1, 1))
    return sky


def _render_daylight(air: Air, up: Plane, cosine: Plane) -> Plane:
    turbidity = air.turbidity
    theta = np.pi / 2 - np.radians(air.sun_elevation)
    gamma = plane(np.arccos(cosine))
    chi = (4 / 9 - turbidity / 120) * (np.pi - 2 * theta)
    zenith_luminance = (4.0453 * turbidity - 4.9710) * np.tan(chi) - 0.2155 * turbidity + 2.4192
    luminance = zenith_luminance * _compute_perez(_LUMINANCE @ (turbidity, 1), theta, up, cosine, gamma)
    x = _compute_zenith(_ZENITH_X, turbidity, theta) * _compute_perez(
        _CHROMA_X @ (turbidity, 1), theta, up, cosine, gamma
    )
    y = _compute_zenith(_ZENITH_Y, turbidity, theta) * _compute_perez(
        _CHROMA_Y @ (turbidity, 1), theta, up, cosine, gamma
    )
    scale = luminance * air.exposure / y
    xyz = np.stack([x * scale, luminance * air.exposure, (1 - x - y) * scale], -1)
    rgb = plane(cv2.transform(plane(xyz), _XYZ_TO_RGB))
    gray = gray_to_rgb(plane(luminance * air.exposure))
    return _remove_violet(plane(np.maximum(gray + (rgb - gray) * air.vividness, 1e-4)))


def _remove_violet(rgb: Plane) -> Plane:
    """Raise green near the sun, where the model is violet but real skies are light blue."""
    red, green, blue = cv2.split(rgb)
    min_green = (red + blue) * np.float32(0.5) * np.minimum(0.70 + 0.62 * red / blue, 1)
    return plane(cv2.merge([red, plane(np.maximum(green, min_green)), blue]))


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


def _compute_perez(terms: np.ndarray, theta: float, up: Plane, cosine: Plane, gamma: Plane) -> Plane:
    """Compute Perez' sky function of five terms, relative to the zenith."""
    first, second, third, fourth, fifth = (float(each) for each in terms)
    value = (1 + first * np.exp(second / up)) * (1 + third * np.exp(fourth * gamma) + fifth * cosine * cosine)
    zenith = (1 + first * np.exp(second)) * (1 + third * np.exp(fourth * theta) + fifth * np.cos(theta) ** 2)
    return plane(value / zenith)


def _compute_zenith(table: np.ndarray, turbidity: float, theta: float) -> float:
    return float((turbidity**2, turbidity, 1) @ table @ (theta**3, theta**2, theta, 1))


def _compute_gradient(air: Air, rays: ViewRays, right: float, ahead: float) -> Plane:
    """The color of the stops at each pixel's height, mixed by the angle between its direction and the sun's."""
    height = np.degrees(np.arcsin(np.clip(rays.up, 0, 1)))
    level_length = np.maximum(np.hypot(rays.right, rays.ahead), 1e-3) * max(float(np.hypot(right, ahead)), 1e-3)
    sun_share = gray_to_rgb(plane(((rays.right * right + rays.ahead * ahead) / level_length * 0.5 + 0.5) ** 3))
    heights = [stop.height for stop in air.stops]
    towards_sun, away_from_sun = (
        np.stack([np.interp(height, heights, np.array(colors)[:, each]) for each in range(3)], -1)
        for colors in ([stop.towards_sun for stop in air.stops], [stop.away_from_sun for stop in air.stops])
    )
    return plane(away_from_sun + (towards_sun - away_from_sun) * sun_share)
