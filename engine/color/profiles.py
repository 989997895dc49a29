"""Color profiles: a picture is edited in its own RGB space; everything else is converted to sRGB first."""

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
LEAST_GAMMA = 1.7
ALIKE = 2
"""Levels: profiles of sRGB differ by as much, in black points and rounded curves."""
_WHITE = (255, 255, 255)
_ROWS = 256
_SRGB = ImageCms.createProfile("sRGB")
# The library dates the profile it makes; results must not depend on the clock.
_DATE = slice(24, 36)
_SRGB_BYTES = bytearray(ImageCms.ImageCmsProfile(_SRGB).tobytes())
_SRGB_BYTES[_DATE] = struct.pack(">6H", 2000, 1, 1, 0, 0, 0)
_MODES = {"RGB": "RGB", "CMYK": "CMYK", "GRAY": "L"}
"""Pillow's names of the modes in which the profiles of a space are applied."""
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
        """Whether the numbers are those of sRGB: without a profile, and with one of the many of sRGB itself."""
        return not self.icc or _is_alike(self.icc)

    def to_srgb(self, pixels: Pixels) -> Pixels:
        """Convert a picture of this space to sRGB.

        Slow on large pictures.

        Parameters
        ----------
        pixels : (H, W, 3) ndarray of uint8
            In this space.

        Returns
        -------
        (H, W, 3) ndarray of uint8
            In sRGB; `pixels` itself where the space is sRGB.
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
            In this space, 0-255, fractions kept; `colors` itself where the space is sRGB.
        """
        if self.is_srgb:
            return colors
        whole = np.asarray(np.clip(colors, 0, 255), np.uint8)
        # The converter speaks bytes; the fractions are carried over so that gradients stay smooth.
        return plane(self._converted(whole, into_own=True)) + plane(colors - whole)

    def insert_edit(self, pixels: Pixels, edited: Pixels, matte: Matte) -> Pixels:
        """A picture with what was changed in its sRGB version.

        Slow on large pictures.

        Parameters
        ----------
        pixels : (H, W, 3) ndarray of uint8
            In this space.
        edited : (H, W, 3) ndarray of uint8
            `to_srgb` of it, edited.
        matte : (H, W) ndarray of uint8
            0 where nothing was changed: there the bytes of `pixels` stay.

        Returns
        -------
        (H, W, 3) ndarray of uint8
            In this space; `edited` itself where the space is sRGB.
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
        # A few rows at a time: Pillow's pictures take 8 bytes a pixel besides.
        for top in range(0, len(pixels), _ROWS):
            rows = slice(top, top + _ROWS)
            result[rows] = np.asarray(transform.apply(Image.fromarray(pixels[rows])))
        return result


@lru_cache(maxsize=32)
def _is_alike(icc: bytes) -> bool:
    """Whether a profile turns no color into one that differs by more than ALIKE levels in sRGB."""
    levels = np.arange(0, 256, 15, dtype=np.uint8)
    colors = np.stack(np.meshgrid(levels, levels, levels), -1).reshape(1, -1, 3)
    own = ImageCms.ImageCmsProfile(io.BytesIO(icc))
    same = ImageCms.buildTransform(own, _SRGB, "RGB", "RGB").apply(Image.fromarray(colors))
    return bool(cv2.absdiff(np.asarray(same), colors).max() <= ALIKE)


def convert_to_rgb(image: Image.Image, declared: DeclaredSpace | None = None) -> tuple[ColorProfile, Image.Image]:
    """Convert a picture to 8-bit RGB without alpha, and name the space it is in.

    An RGB picture keeps its numbers and its profile or declared space, but is converted to sRGB where the declared
    gamma is below `LEAST_GAMMA`. Gray and CMYK are converted to sRGB by their profile where they have one that can
    be used; without one gray values are taken as sRGB. Transparency is composited on white.

    Parameters
    ----------
    image : PIL.Image.Image
        Of any mode.
    declared : DeclaredSpace, optional
        What the file declares beside its profile; it holds for RGB pictures, instead of the profile.

    Returns
    -------
    tuple of ColorProfile and PIL.Image.Image
        The space, and the picture in mode RGB.

    Raises
    ------
    ValueError
        Where no photo has the mode of `image` (Lab, floating point).
    """
    if declared is not None and image.mode in _COLOR_MODES:
        own, flat = ColorProfile(declared.make_profile()), _flatten_on_white(image)
        if declared.gamma is None or declared.gamma >= LEAST_GAMMA:
            return own, flat
        return ColorProfile(), Image.fromarray(own.to_srgb(np.asarray(flat)))
    if image.mode == "CMYK":
        return ColorProfile(bytes(_SRGB_BYTES)), _as_srgb(image, _find_usable_profile(image, "CMYK"))
    if image.mode in _GRAY_MODES:
        icc, flat = _find_usable_profile(image, "GRAY"), _flatten_on_white(_gray_as_bytes(image))
        return ColorProfile(), _as_srgb(flat.convert("L"), icc) if icc else flat
    if image.mode not in _COLOR_MODES:
        raise ValueError(f"no photo has the mode {image.mode}")
    return ColorProfile(_find_usable_profile(image, "RGB")), _flatten_on_white(image)


def _find_usable_profile(image: Image.Image, space: str) -> bytes:
    """The picture's own profile; empty where it is of another space (RGB, CMYK or GRAY), or broken.

    Broken is what cannot be used to convert to sRGB and, if of RGB, back.
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


def _as_srgb(image: Image.Image, icc: bytes) -> Image.Image:
    if not icc:
        return image.convert("RGB")
    profile = ImageCms.ImageCmsProfile(io.BytesIO(icc))
    converted = ImageCms.profileToProfile(image, profile, _SRGB, outputMode="RGB")
    return converted if converted is not None else image.convert("RGB")


def _gray_as_bytes(image: Image.Image) -> Image.Image:
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
