"""Reads capture data, and copies to results its camera, lens, exposure and date, but nothing personal."""

import math
import struct
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from PIL import ExifTags, Image

_BASE = ExifTags.Base
# Tags of EXIF's main part that a result keeps.
KEPT_MAIN = (
    _BASE.Make,
    _BASE.Model,
    _BASE.DateTime,
    _BASE.Copyright,
    _BASE.XResolution,
    _BASE.YResolution,
    _BASE.ResolutionUnit,
)
# Tags of EXIF's capture part that a result keeps.
KEPT_CAPTURE = (
    _BASE.ExposureTime,
    _BASE.FNumber,
    _BASE.ExposureProgram,
    _BASE.ISOSpeedRatings,
    _BASE.SensitivityType,
    _BASE.DateTimeOriginal,
    _BASE.DateTimeDigitized,
    _BASE.OffsetTime,
    _BASE.OffsetTimeOriginal,
    _BASE.OffsetTimeDigitized,
    _BASE.SubsecTime,
    _BASE.SubsecTimeOriginal,
    _BASE.SubsecTimeDigitized,
    _BASE.ShutterSpeedValue,
    _BASE.ApertureValue,
    _BASE.BrightnessValue,
    _BASE.ExposureBiasValue,
    _BASE.MaxApertureValue,
    _BASE.SubjectDistance,
    _BASE.MeteringMode,
    _BASE.LightSource,
    _BASE.Flash,
    _BASE.FocalLength,
    _BASE.FocalLengthIn35mmFilm,
    _BASE.ColorSpace,
    _BASE.ExposureMode,
    _BASE.WhiteBalance,
    _BASE.DigitalZoomRatio,
    _BASE.SceneCaptureType,
    _BASE.LensSpecification,
    _BASE.LensMake,
    _BASE.LensModel,
)
# The orientation of a picture that is stored upright.
UPRIGHT = 1
# Longest text that is kept, in characters or bytes; cameras write shorter texts.
MAX_TEXT_LENGTH = 500


def copy_capture_data(image: Image.Image) -> bytes:
    """Make the EXIF block for the result: the photo's tags of KEPT_MAIN and KEPT_CAPTURE, and orientation 1.

    Parameters
    ----------
    image : Image
        The opened photo.

    Returns
    -------
    bytes
        Empty where the photo has none of these tags or its EXIF cannot be read.
    """
    try:
        source = image.getexif()
        main, capture = dict(source), source.get_ifd(ExifTags.IFD.Exif)
        kept = Image.Exif()
        _copy_tags(main, kept, KEPT_MAIN)
        _copy_tags(capture, kept.get_ifd(ExifTags.IFD.Exif), KEPT_CAPTURE)
        if not kept and not kept.get_ifd(ExifTags.IFD.Exif):
            return b""
        kept[_BASE.Orientation] = UPRIGHT
        return kept.tobytes()
    except UNREADABLE:
        return b""


# Exceptions that broken EXIF raises. The photo is still used, without its capture data.
UNREADABLE = (
    OSError,
    SyntaxError,
    ValueError,
    TypeError,
    ArithmeticError,
    LookupError,
    AttributeError,
    struct.error,
)


# Diagonal of a frame of 35 mm film, in mm.
DIAGONAL_35MM = 43.27
# Range of focal lengths in 35 mm film that are used, in mm; others count as errors of the camera.
MIN_FOCAL_LENGTH, MAX_FOCAL_LENGTH = 8, 200
# Exposure values of a starlit night and of snow in the sun: values outside this range are errors of the camera.
MIN_EXPOSURE_VALUE, MAX_EXPOSURE_VALUE = -6, 18
# The lowest bit of the Flash tag: set where the flash fired.
FLASH_FIRED_BIT = 1


def read_exposure_value(exif: bytes) -> float | None:
    """Read how much light the camera measured, as the exposure value at ISO 100.

    Parameters
    ----------
    exif : bytes
        An EXIF block.

    Returns
    -------
    float or None
        About 15 in sunshine, 12 under clouds, 7 at dusk; None where the settings are missing or the value lies
        outside MIN_EXPOSURE_VALUE to MAX_EXPOSURE_VALUE.
    """
    value = read_settings_value(exif)
    return value if value is not None and MIN_EXPOSURE_VALUE <= value <= MAX_EXPOSURE_VALUE else None


def read_settings_value(exif: bytes) -> float | None:
    """Compute the exposure value at ISO 100 from the camera's settings, without any check of its range.

    The differences between the frames of one view are their exposure steps.

    Parameters
    ----------
    exif : bytes
        An EXIF block.

    Returns
    -------
    float or None
        None where exposure time, aperture or ISO speed is missing or invalid.
    """
    capture = _read_capture_part(exif)
    try:
        seconds, stop = float(capture[_BASE.ExposureTime]), float(capture[_BASE.FNumber])
        speed = capture[_BASE.ISOSpeedRatings]
        value = math.log2(stop * stop / seconds * 100 / float(speed[0] if isinstance(speed, tuple) else speed))
    except UNREADABLE:
        return None
    return value if math.isfinite(value) else None


def read_taken_at(exif: bytes) -> datetime | None:
    """Read when the photo was taken, by the camera's own clock.

    Parameters
    ----------
    exif : bytes
        An EXIF block.

    Returns
    -------
    datetime or None
        Local time without a zone, with fractions of a second where the camera recorded them; None without a date.
    """
    capture = _read_capture_part(exif)
    try:
        date, time = str(capture[_BASE.DateTimeOriginal]).strip(" \0").split(" ")
        # A time zone, where the camera writes one, is dropped: all frames of one camera have the same zone.
        taken_at = datetime.fromisoformat(f"{date.replace(':', '-')} {time}").replace(tzinfo=None)
        fraction = str(capture.get(_BASE.SubsecTimeOriginal, "")).strip(" \0")
        return taken_at + timedelta(seconds=float(f"0.{fraction}") if fraction.isdecimal() else 0)
    except UNREADABLE:
        return None


def read_flash_fired(exif: bytes) -> bool | None:
    """Read whether the flash fired.

    Parameters
    ----------
    exif : bytes
        An EXIF block.

    Returns
    -------
    bool or None
        None where nothing is recorded.
    """
    value = _read_capture_part(exif).get(_BASE.Flash)
    return bool(value & FLASH_FIRED_BIT) if isinstance(value, int) else None


def read_focal_ratio(exif: bytes) -> float | None:
    """The focal length as a multiple of the picture's diagonal.

    Parameters
    ----------
    exif : bytes
        An EXIF block.

    Returns
    -------
    float or None
        Computed from the focal length in 35 mm film; None where that length is missing, below MIN_FOCAL_LENGTH or
        above MAX_FOCAL_LENGTH.
    """
    try:
        length = float(_read_capture_part(exif).get(_BASE.FocalLengthIn35mmFilm, 0))
    except UNREADABLE:
        return None
    return length / DIAGONAL_35MM if MIN_FOCAL_LENGTH <= length <= MAX_FOCAL_LENGTH else None


@dataclass(frozen=True, slots=True)
class UsedLens:
    """The camera and lens that a file names; the lens may be empty. Focal length in mm, distance in m."""

    camera_maker: str
    camera: str
    lens: str
    focal_length: float
    aperture: float
    distance: float


# Distance in meters and aperture that are assumed where the file has none; they hardly matter for distortion.
USUAL_DISTANCE, USUAL_APERTURE = 4.0, 8.0


def read_used_lens(exif: bytes) -> UsedLens | None:
    """Read which lens was used, and how.

    Parameters
    ----------
    exif : bytes
        An EXIF block.

    Returns
    -------
    UsedLens or None
        None where the camera or the focal length is missing.
    """
    source = Image.Exif()
    try:
        source.load(exif)
        capture = dict(source.get_ifd(ExifTags.IFD.Exif))
        maker, camera, lens = (
            str(part.get(tag, "")).strip(" \0")
            for part, tag in ((source, _BASE.Make), (source, _BASE.Model), (capture, _BASE.LensModel))
        )
        length, stop, distance = (
            float(capture.get(tag, usual))
            for tag, usual in (
                (_BASE.FocalLength, 0),
                (_BASE.FNumber, USUAL_APERTURE),
                (_BASE.SubjectDistance, USUAL_DISTANCE),
            )
        )
    except UNREADABLE:
        return None
    if not (maker and camera and math.isfinite(length) and length > 0):
        return None
    stop, distance = (
        value if math.isfinite(value) and value > 0 else usual
        for value, usual in ((stop, USUAL_APERTURE), (distance, USUAL_DISTANCE))
    )
    return UsedLens(maker, camera, lens, length, stop, distance)


def _read_capture_part(exif: bytes) -> dict[int, Any]:
    source = Image.Exif()
    try:
        source.load(exif)
        return dict(source.get_ifd(ExifTags.IFD.Exif))
    except UNREADABLE:
        return {}


def _copy_tags(source: dict[int, object], target: dict[int, object] | Image.Exif, tags: Iterable[int]) -> None:
    for tag in tags:
        value = source.get(tag)
        if value is not None and _is_writable(tag, value):
            target[tag] = value


def _is_writable(tag: int, value: object) -> bool:
    if isinstance(value, (str, bytes)) and len(value) > MAX_TEXT_LENGTH:
        return False
    single = Image.Exif()
    single[tag] = value
    try:
        single.tobytes()
    except UNREADABLE:
        return False
    return True
