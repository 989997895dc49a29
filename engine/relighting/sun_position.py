"""Finds the side of the photographer on which the sun was, by the camera's compass or the brighter side of the sky.

A weak gradient of the sky proves nothing: a clear sky is also brighter opposite the sun. The shading of walls and
trees proves nothing either, because their shapes are unknown. Without clear evidence the answer is 0.
"""

import io
import math
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

import numpy as np
from numpy.typing import NDArray
from PIL import ExifTags, Image

from engine.arrays import Mask, plane, smoothstep
from engine.color.channels import max_channel
from engine.filters.morphology import erode
from engine.io.exif import UNREADABLE
from engine.io.gps import read_number, read_numbers, read_place
from engine.io.photo import FORMATS
from engine.segmentation.scene import Scene

MIN_ELEVATION = 2.0
"""Minimum elevation of the sun, in degrees, at which its side is used: a lower sun casts hardly any shadows."""
MAX_UNCERTAIN_RISE = 0.65
"""Rise of the natural logarithm of light across the picture up to which it proves nothing.

The brightness opposite the sun (CIE S 011, clear skies) and a polarizing filter together cause a smaller rise.
"""
MIN_CERTAIN_RISE = 1.0
"""Rise from which on it is a certain proof."""
CLOUDLESS_DEVIATION = 0.10
"""Standard deviation of the logarithm of light from a smooth gradient up to which a sky counts as cloudless."""
CLOUDY_DEVIATION = 0.20
"""Standard deviation from which on a sky counts as cloudy and proves nothing."""
MIN_SKY = 0.05
"""Minimum share of usable sky in the picture."""
MIN_WIDTH = 0.35
"""Minimum share of columns that contain usable sky."""
MIN_CLIPPED = 0.985
"""Strongest channel (0-1) from which on a pixel counts as clipped and is left out."""
_GPS = ExifTags.GPS
_J2000 = datetime(2000, 1, 1, 12, tzinfo=UTC)
_UNUSABLE = (*UNREADABLE, EOFError, Image.DecompressionBombError)


def find_sun_side_by_compass(content: bytes) -> float:
    """Find the sun's side by place, time and heading in the EXIF data of a photo file.

    Parameters
    ----------
    content : bytes
        The encoded photo.

    Returns
    -------
    float
        -1 left to 1 right; 0 if place, time or heading is missing or unreadable, or the sun is too low.
    """
    try:
        with Image.open(io.BytesIO(content), formats=FORMATS) as image:
            side = _compute_side(image.getexif().get_ifd(ExifTags.IFD.GPSInfo))
    except _UNUSABLE:
        return 0.0
    return side if math.isfinite(side) else 0.0


def _compute_side(gps: Mapping[int, object]) -> float:
    heading = read_number(gps[_GPS.GPSImgDirection])
    latitude, longitude = read_place(gps)
    azimuth, elevation = compute_sun_position(_read_moment(gps), latitude, longitude)
    if elevation < MIN_ELEVATION:
        return 0.0
    return math.sin(math.radians(azimuth - heading)) * math.cos(math.radians(elevation))


def _read_moment(gps: Mapping[int, object]) -> datetime:
    """Read when the photo was taken from the GPS time stamp, which is in UTC."""
    hours, minutes, seconds = read_numbers(gps[_GPS.GPSTimeStamp])
    day = datetime.strptime(str(gps[_GPS.GPSDateStamp]), "%Y:%m:%d").replace(tzinfo=UTC)
    return day + timedelta(hours=hours, minutes=minutes, seconds=seconds)


def compute_sun_position(moment: datetime, latitude: float, longitude: float) -> tuple[float, float]:
    """Compute the sun's place in the sky, to about a tenth of a degree, by low-precision formulas [1]_.

    Parameters
    ----------
    moment : datetime
        The time, with a time zone.
    latitude, longitude : float
        Degrees, north and east positive.

    Returns
    -------
    azimuth : float
        Degrees from north over east, 0-360.
    elevation : float
        Degrees above the horizon, negative below it.

    References
    ----------
    .. [1] The Astronomical Almanac.
    """
    days = (moment - _J2000) / timedelta(days=1)
    anomaly = math.radians(357.528 + 0.9856003 * days)
    mean_longitude = 280.460 + 0.9856474 * days
    ecliptic = math.radians(mean_longitude + 1.915 * math.sin(anomaly) + 0.020 * math.sin(2 * anomaly))
    tilt = math.radians(23.439 - 4e-7 * days)
    ascension = math.atan2(math.cos(tilt) * math.sin(ecliptic), math.cos(ecliptic))
    declination = math.asin(math.sin(tilt) * math.sin(ecliptic))
    sidereal = math.radians(15 * (18.697374558 + 24.06570982441908 * days) + longitude)
    hour, north = sidereal - ascension, math.radians(latitude)
    height = math.sin(north) * math.sin(declination) + math.cos(north) * math.cos(declination) * math.cos(hour)
    east = -math.cos(declination) * math.sin(hour)
    towards_north = math.cos(north) * math.sin(declination) - math.sin(north) * math.cos(declination) * math.cos(
        hour
    )
    azimuth = math.degrees(math.atan2(east, towards_north)) % 360
    return azimuth, math.degrees(math.asin(max(-1.0, min(1.0, height))))


def find_sun_side_by_sky(scene: Scene) -> float:
    """Find the sun's side: the side on which a cloudless sky is much brighter and paler.

    Parameters
    ----------
    scene : Scene
        The photo.

    Returns
    -------
    float
        Negative left, positive right; the magnitude is the certainty, 0-1. 0 indoors and without evidence.
    """
    if not scene.outdoors:
        return 0.0
    sky = erode(np.asarray(scene.sky > 0.9, np.bool_), 3) & (max_channel(scene.small) < MIN_CLIPPED)
    if sky.mean() < MIN_SKY or sky.any(0).mean() < MIN_WIDTH:
        return 0.0
    colors = scene.small[sky].astype(np.float64)
    light = np.log((colors**2.2).mean(-1) + 1e-3)
    paleness = colors.min(-1) / np.maximum(colors.max(-1), 1e-3)
    light_rise, deviation = _fit_slope(sky, light)
    paleness_rise, _ = _fit_slope(sky, paleness)
    certainty = smoothstep(plane(abs(light_rise)), MAX_UNCERTAIN_RISE, MIN_CERTAIN_RISE) * smoothstep(
        plane(deviation), CLOUDY_DEVIATION, CLOUDLESS_DEVIATION
    )
    if light_rise * paleness_rise <= 0 or certainty == 0:
        return 0.0
    return math.copysign(float(certainty), light_rise)


def _fit_slope(sky: Mask, values: NDArray[np.float64]) -> tuple[float, float]:
    """Fit the rise of the values over the whole width at equal height; also the standard deviation of residuals."""
    height, width = sky.shape
    down, across = np.nonzero(sky)
    terms = np.stack([np.ones(len(down)), across / width, down / height, (down / height) ** 2], -1)
    solution, *_ = np.linalg.lstsq(terms, values, rcond=None)
    return float(solution[1]), float((values - terms @ solution).std())
