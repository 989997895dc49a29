"""Reads logos of studios within limits and encodes them again, small, without any other data of the file."""

import io
from typing import BinaryIO

import numpy as np
from PIL import Image, ImageOps

from engine.color.declared import DeclaredSpace, read_declared
from engine.color.profiles import convert_to_rgb
from engine.io.photo import DECODER_FAULTS, check_limits
from engine.types.pictures import Logo, UnusablePhotoError
from engine.types.report import Reason

FORMATS = ("PNG", "JPEG", "WEBP")
MAX_LOGO_PIXELS = 16_000_000
LOGO_BOX = (960, 240)
"""Width and height in pixels into which a logo is made to fit."""
_BROKEN = "This picture cannot be read; save it anew and send it again."


def encode_logo(stream: BinaryIO) -> Logo:
    """Make a logo from a file.

    Parameters
    ----------
    stream : BinaryIO
        The file; read to its end.

    Returns
    -------
    Logo
        A PNG (uint8 RGBA, upright, in sRGB, without metadata or profile) that fits LOGO_BOX; transparency stays.

    Raises
    ------
    UnusablePhotoError
        Where the file is broken, an animation, of another format, or beyond the limits of photos or
        MAX_LOGO_PIXELS.
    """
    content = stream.read()
    try:
        with Image.open(io.BytesIO(content), formats=FORMATS) as image:
            if image.width * image.height > MAX_LOGO_PIXELS:
                raise _too_many_pixels()
            check_limits(image, content)
            return _make_small(image, read_declared(image, content))
    except Image.DecompressionBombError as error:
        raise _too_many_pixels() from error
    except (MemoryError, *DECODER_FAULTS) as error:
        raise UnusablePhotoError(Reason.UNDECODABLE, _BROKEN) from error


def _make_small(image: Image.Image, declared: DeclaredSpace | None) -> Logo:
    upright = ImageOps.exif_transpose(image)
    alpha = None
    if upright.has_transparency_data:
        alpha = upright.convert("RGBA").getchannel("A")
        # Without transparency, no color is blended with white when it is converted.
        upright.putalpha(255)
    profile, colors = convert_to_rgb(upright, declared)
    colors.putalpha(255 if alpha is None else alpha)
    colors.thumbnail(LOGO_BOX, Image.Resampling.LANCZOS)
    bare = Image.fromarray(profile.to_srgb(np.asarray(colors.convert("RGB"))))
    bare.putalpha(colors.getchannel("A"))
    encoded = io.BytesIO()
    bare.save(encoded, "PNG", optimize=True)
    return Logo(encoded.getvalue(), bare.width, bare.height)


def _too_many_pixels() -> UnusablePhotoError:
    words = f"The logo may have at most {MAX_LOGO_PIXELS // 1_000_000} million pixels."
    return UnusablePhotoError(Reason.TOO_MANY_PIXELS, words)
