"""Color profiles: the picture is worked in its own RGB space; everything else is brought to sRGB first."""

import io
import struct
from dataclasses import dataclass

import numpy as np
from PIL import Image, ImageCms

from engine.arrays import Pixels, Plane, plane
from engine.color.declared import DeclaredSpace

MAX_PROFILE_BYTES = 4_000_000
LEAST_GAMMA = 1.7
_WHITE = (255, 255, 255)
_SRGB = ImageCms.createProfile("sRGB")
# The library dates the profile it makes; results must not depend on the clock.
_DATE = slice(24, 36)
_SRGB_BYTES = bytearray(ImageCms.ImageCmsProfile(_SRGB).tobytes())
_SRGB_BYTES[_DATE] = struct.pack(">6H", 2000, 1, 1, 0, 0, 0)
_GRAY_MODES = ("1", "L", "LA", "La", "I;16", "I;16B", "I;16L", "I;16N", "I")
_COLOR_MODES = ("RGB", "RGBA", "RGBa", "RGBX", "P", "PA", "YCbCr")


@dataclass(frozen=True, slots=True)
class ColorProfile:
    """The RGB space of a picture: `icc` are the profile's bytes, empty for an untagged picture, taken as sRGB."""

    icc: bytes = b""

    def to_srgb(self, pixels: Pixels) -> Pixels:
        """Height x width x 3 bytes of this space, in sRGB. Meant for small pictures."""
        return self._converted(pixels, into_own=False)

    def from_srgb(self, colors: Plane) -> Plane:
        """Height x width x 3 sRGB values of 0-255, in this space. Meant for small pictures."""
        if not self.icc:
            return colors
        whole = np.asarray(np.clip(colors, 0, 255), np.uint8)
        # The converter speaks bytes; the fractions are carried over so that gradients stay smooth.
        return plane(self._converted(whole, into_own=True)) + plane(colors - whole)

    def _converted(self, pixels: Pixels, *, into_own: bool) -> Pixels:
        if not self.icc:
            return pixels
        own = ImageCms.ImageCmsProfile(io.BytesIO(self.icc))
        source, target = (_SRGB, own) if into_own else (own, _SRGB)
        result = ImageCms.profileToProfile(Image.fromarray(pixels), source, target, outputMode="RGB")
        return np.array(result)


def convert_to_rgb(image: Image.Image, declared: DeclaredSpace | None = None) -> tuple[ColorProfile, Image.Image]:
    """The picture as 8-bit RGB without alpha, and the space it is in.

    An RGB profile stays and its numbers stay, and so does a space that the file has `declared` otherwise, unless
    its numbers are near to light itself; gray and CMYK become sRGB by their profile; what is transparent is laid on
    white. Raises ValueError for modes no photo has (Lab, floating point).
    """
    if declared is not None and image.mode in _COLOR_MODES:
        own, flat = ColorProfile(declared.make_profile()), _flatten_on_white(image)
        if declared.gamma is None or declared.gamma >= LEAST_GAMMA:
            return own, flat
        return ColorProfile(), Image.fromarray(own.to_srgb(np.asarray(flat)))
    icc = _find_usable_profile(image)
    if image.mode == "CMYK":
        return ColorProfile(bytes(_SRGB_BYTES)), _cmyk_as_srgb(image, icc)
    if image.mode in _GRAY_MODES:
        return ColorProfile(), _flatten_on_white(_gray_as_bytes(image))
    if image.mode not in _COLOR_MODES:
        raise ValueError(f"no photo has the mode {image.mode}")
    return ColorProfile(icc if _space(icc) == "RGB" else b""), _flatten_on_white(image)


def _find_usable_profile(image: Image.Image) -> bytes:
    icc = image.info.get("icc_profile")
    return icc if isinstance(icc, bytes) and len(icc) <= MAX_PROFILE_BYTES and _space(icc) else b""


def _space(icc: bytes) -> str:
    """RGB, CMYK or GRAY; empty when the profile is broken or cannot be used to convert."""
    if not icc:
        return ""
    try:
        profile = ImageCms.ImageCmsProfile(io.BytesIO(icc))
        space = str(profile.profile.xcolor_space).strip()
        if space == "RGB":
            ImageCms.buildTransform(profile, _SRGB, "RGB", "RGB")
            ImageCms.buildTransform(_SRGB, profile, "RGB", "RGB")
    except (OSError, ValueError, TypeError, ImageCms.PyCMSError):
        return ""
    return space


def _cmyk_as_srgb(image: Image.Image, icc: bytes) -> Image.Image:
    if _space(icc) != "CMYK":
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
