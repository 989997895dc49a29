"""Reads the place where a photo was taken, and other numbers, from the GPS part of EXIF."""

import math
from collections.abc import Mapping

from PIL import ExifTags, Image
from PIL.TiffImagePlugin import IFDRational

from engine.io.exif import UNREADABLE

_GPS = ExifTags.GPS


def read_place(gps: Mapping[int, object]) -> tuple[float, float]:
    """Latitude and longitude from the GPS part of EXIF.

    Parameters
    ----------
    gps : Mapping of int to object
        The GPS tags.

    Returns
    -------
    latitude, longitude : float
        In degrees, north and east positive; not checked for range.

    Raises
    ------
    KeyError
        Where a coordinate or its hemisphere is missing.
    TypeError, ValueError
        Where a coordinate is not three numbers. All three exceptions are among exif.UNREADABLE.
    """
    latitude = _read_degrees(gps[_GPS.GPSLatitude]) * (-1 if gps[_GPS.GPSLatitudeRef] == "S" else 1)
    longitude = _read_degrees(gps[_GPS.GPSLongitude]) * (-1 if gps[_GPS.GPSLongitudeRef] == "W" else 1)
    return latitude, longitude


def find_place(image: Image.Image) -> tuple[float, float] | None:
    """Find where a picture was taken.

    Parameters
    ----------
    image : Image
        The opened picture.

    Returns
    -------
    tuple of (float, float) or None
        Latitude and longitude in degrees, north and east positive; None where GPS data is missing, out of range, or
        0, 0.
    """
    try:
        latitude, longitude = read_place(image.getexif().get_ifd(ExifTags.IFD.GPSInfo))
    except UNREADABLE:
        return None
    is_place = math.isfinite(latitude + longitude) and abs(latitude) <= 90 and abs(longitude) <= 180
    # Cameras that have no GPS fix write zeros.
    return (latitude, longitude) if is_place and (latitude or longitude) else None


def read_number(value: object) -> float:
    """Convert a number from EXIF to a float.

    Parameters
    ----------
    value : object
        The value of a tag.

    Returns
    -------
    float
        NaN for a fraction whose denominator is 0.

    Raises
    ------
    TypeError
        Where the value is not a number.
    """
    if not isinstance(value, int | float | IFDRational):
        raise TypeError("not a number")
    return float(value)


def read_numbers(value: object) -> tuple[float, float, float]:
    """Convert three numbers from EXIF, such as degrees, minutes and seconds, to floats.

    Parameters
    ----------
    value : object
        The value of a tag.

    Returns
    -------
    tuple of (float, float, float)
        In the order of the file.

    Raises
    ------
    TypeError
        Where the value is not a tuple, or an item is not a number.
    ValueError
        Where there are not three items.
    """
    if not isinstance(value, tuple):
        raise TypeError("not three numbers")
    first, second, third = (read_number(each) for each in value)
    return first, second, third


def _read_degrees(value: object) -> float:
    degrees, minutes, seconds = read_numbers(value)
    return degrees + minutes / 60 + seconds / 3600
