"""Color profiles: an RGB picture is edited in its own space; gray and CMYK pictures are converted to sRGB first."""

import io
import struct
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from PIL import Image, ImageCms

from engine.arrays import Matte, Pixels, Plane, plane
from engine.color.declared import DeclaredSpace

MAX_PROFILE_BYTES = 4_000_000
"""Size of the largest ICC profile that is used; a larger one is ignored."""
MIN_GAMMA = 1.7
"""Least declared gamma for a picture to keep its space; below it the picture is converted to sRGB."""
MAX_SRGB_DIFFERENCE = 2
"""Greatest difference from sRGB for a profile to count as sRGB, in levels of 0-255. Profiles of sRGB differ from
each other by as much, because of their black points and rounded curves."""
_WHITE = (255, 255, 255)
# Number of rows that are converted at a time.
_ROWS = 256
_SRGB = ImageCms.createProfile("sRGB")
# Position of the date in a profile. The library writes the current date; a fixed date replaces it, because results
# must not depend on the clock.
_DATE = slice(24, 36)
_SRGB_BYTES = bytearray(ImageCms.ImageCmsProfile(_SRGB).tobytes())
_SRGB_BYTES[_DATE] = struct.pack(">6H", 2000, 1, 1, 0, 0, 0)
_MODES = {"RGB": "RGB", "CMYK": "CMYK", "GRAY": "L"}
"""Pillow's mode in which a profile is applied, by the profile's color space."""
_GRAY_MODES = ("1", "L", "LA", "La", "I;16", "I;16B", "I;16L", "I;16N", "I")
_COLOR_MODES = ("RGB", "RGBA", "RGBa", "RGBX", "P", "PA", "YCbCr")


@dataclass(frozen=True, slots=True)
class ColorProfile:
    """The RGB space of a picture.

    `icc` is the content of its ICC profile, empty for an untagged picture, which is taken as sRGB.
    """

    icc: bytes = b""

    @property
    def is_srgb(self) -> bool:
        """Whether the space is sRGB: the picture has no profile, or one of the many profiles of sRGB."""
        return not self.icc or _describes_srgb(self.icc)

    def to_srgb(self, pixels: Pixels) -> Pixels:
        """Convert a picture of this space to sRGB.

        Slow on large pictures.

        Parameters
        ----------
        pixels : (H, W, 3) ndarray of uint8
            A picture in this space.

        Returns
        -------
        (H, W, 3) ndarray of uint8
            The picture in sRGB; `pixels` itself where the space is sRGB.
        """
        return self._converted(pixels, into_own=False)

    def from_srgb(self, colors: Plane) -> Plane:
        """Convert an sRGB picture to this space.

        Slow on large pictures.

        Parameters
        ----------
        colors : (H, W, 3) ndarray of float32
            Gamma-coded sRGB, 0-255.

        Returns
        -------
        (H, W, 3) ndarray of float32
            The picture in this space, 0-255, not rounded; `colors` itself where the space is sRGB.
        """
        if self.is_srgb:
            return colors
        whole = np.asarray(np.clip(colors, 0, 255), np.uint8)
        # The converter takes only bytes; the fractions are added back so that gradients stay smooth.
        return plane(self._converted(whole, into_own=True)) + plane(colors - whole)

    def insert_edit(self, pixels: Pixels, edited: Pixels, matte: Matte) -> Pixels:
        """Transfer an edit from the sRGB version of a picture to the picture in its own space.

        Slow on large pictures.

        Parameters
        ----------
        pixels : (H, W, 3) ndarray of uint8
            The picture in this space.
        edited : (H, W, 3) ndarray of uint8
            The result of `to_srgb`, edited.
        matte : (H, W) ndarray of uint8
            0 where nothing was changed: the bytes of `pixels` stay there.

        Returns
        -------
        (H, W, 3) ndarray of uint8
            The edited picture in this space; `edited` itself where the space is sRGB.
        """
        if self.is_srgb:
            return edited
        result = pixels.copy()
        cv2.copyTo(self._converted(edited, into_own=True), matte, result)
        return result

    def _converted(self, pixels: Pixels, *, into_own: bool) -> Pixels:
        if self.is_srgb:
            return pixels
        own = ImageCms.ImageCmsProfile(io.BytesIO(self.icc))
        source, target = (_SRGB, own) if into_own else (own, _SRGB)
        transform = ImageCms.buildTransform(source, target, "RGB", "RGB")
        result = np.empty_like(pixels)
        # Only a few rows at a time are converted, because Pillow's copies take 8 more bytes for each pixel.
        for top in range(0, len(pixels), _ROWS):
            rows = slice(top, top + _ROWS)
            result[rows] = np.asarray(transform.apply(Image.fromarray(pixels[rows])))
        return result


@lru_cache(maxsize=32)
def _describes_srgb(icc: bytes) -> bool:
    """Whether colors of this profile differ from the same numbers in sRGB by at most MAX_SRGB_DIFFERENCE levels."""
    levels = np.arange(0, 256, 15, dtype=np.uint8)
    colors = np.stack(np.meshgrid(levels, levels, levels), -1).reshape(1, -1, 3)
    own = ImageCms.ImageCmsProfile(io.BytesIO(icc))
    converted = ImageCms.buildTransform(own, _SRGB, "RGB", "RGB").apply(Image.fromarray(colors))
    return bool(cv2.absdiff(np.asarray(converted), colors).max() <= MAX_SRGB_DIFFERENCE)


def convert_to_rgb(image: Image.Image, declared: DeclaredSpace | None = None) -> tuple[ColorProfile, Image.Image]:
    """Convert a picture to 8-bit RGB without alpha, and return its color space.

    An RGB picture keeps its numbers and its profile or declared space; it is converted to sRGB only if the
    declared gamma is below `MIN_GAMMA`. Gray and CMYK pictures are converted to sRGB by their profile where
    it can be used; gray values without such a profile are taken as sRGB. Transparency is composited on white.

    Parameters
    ----------
    image : PIL.Image.Image
        A picture of any mode.
    declared : DeclaredSpace, optional
        The space that the file declares other than by a profile; for an RGB picture it is used instead of the
        profile.

    Returns
    -------
    tuple of ColorProfile and PIL.Image.Image
        The space, and the picture in mode RGB.

    Raises
    ------
    ValueError
        Where `image` has a mode that no photo has (Lab, floating point).
    """
    if declared is not None and image.mode in _COLOR_MODES:
        own, flat = ColorProfile(declared.make_profile()), _flatten_on_white(image)
        if declared.gamma is None or declared.gamma >= MIN_GAMMA:
            return own, flat
        return ColorProfile(), Image.fromarray(own.to_srgb(np.asarray(flat)))
    if image.mode == "CMYK":
        return ColorProfile(bytes(_SRGB_BYTES)), _convert_to_srgb(image, _find_usable_profile(image, "CMYK"))
    if image.mode in _GRAY_MODES:
        icc, flat = _find_usable_profile(image, "GRAY"), _flatten_on_white(_reduce_to_bytes(image))
        return ColorProfile(), _convert_to_srgb(flat.convert("L"), icc) if icc else flat
    if image.mode not in _COLOR_MODES:
        raise ValueError(f"no photo has the mode {image.mode}")
    return ColorProfile(_find_usable_profile(image, "RGB")), _flatten_on_white(image)


def _find_usable_profile(image: Image.Image, space: str) -> bytes:
    """The picture's own profile; empty where it is not for `space` (RGB, CMYK or GRAY) or is broken.

    A profile is broken where it cannot be used to convert to sRGB and, if it is for RGB, back.
    """
    icc = image.info.get("icc_profile")
    if not isinstance(icc, bytes) or not 0 < len(icc) <= MAX_PROFILE_BYTES:
        return b""
    try:
        profile = ImageCms.ImageCmsProfile(io.BytesIO(icc))
        if str(profile.profile.xcolor_space).strip() != space:
            return b""
        ImageCms.buildTransform(profile, _SRGB, _MODES[space], "RGB")
        if space == "RGB":
            ImageCms.buildTransform(_SRGB, profile, "RGB", "RGB")
    except (OSError, ValueError, TypeError, ImageCms.PyCMSError):
        return b""
    return icc


def _convert_to_srgb(image: Image.Image, icc: bytes) -> Image.Image:
    if not icc:
        return image.convert("RGB")
    profile = ImageCms.ImageCmsProfile(io.BytesIO(icc))
    converted = ImageCms.profileToProfile(image, profile, _SRGB, outputMode="RGB")
    return converted if converted is not None else image.convert("RGB")


def _reduce_to_bytes(image: Image.Image) -> Image.Image:
    if not image.mode.startswith("I"):
        return image
    return Image.fromarray((np.clip(np.asarray(image), 0, 65535) // 256).astype(np.uint8))


def _flatten_on_white(image: Image.Image) -> Image.Image:
    if image.mode in {"RGB", "L"} and "transparency" not in image.info:
        return image if image.mode == "RGB" else image.convert("RGB")
    layered = image.convert("RGBA")
    ground = Image.new("RGB", layered.size, _WHITE)
    ground.paste(layered, mask=layered.getchannel("A"))
    return ground
