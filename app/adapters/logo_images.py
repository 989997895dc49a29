"""Logos: decoded under limits, made small, and encoded anew, so that nothing of what was sent is handed on."""

import io
import warnings

from PIL import Image, ImageOps

from app.domain.branding import LOGO_BOX, MAX_LOGO_BYTES, MAX_LOGO_MEGABYTES, MAX_LOGO_PIXELS, Logo
from app.domain.errors import InvalidRequest
from app.domain.media import HEADER_BYTES, MediaType, sniff

_FORMATS = {MediaType.PNG: "PNG", MediaType.JPEG: "JPEG", MediaType.WEBP: "WEBP"}


def encode_logo(content: bytes) -> Logo:
    """The logo as a PNG in sRGB that fits LOGO_BOX, upright, without metadata; transparency stays.

    Raises InvalidRequest on `logo` for a file that is too large, of another kind by its content, or broken.
    """
    if len(content) > MAX_LOGO_BYTES:
        raise _refuse(f"The logo may have at most {MAX_LOGO_MEGABYTES} MB.")
    media_type = sniff(content[:HEADER_BYTES])
    if media_type not in _FORMATS:
        raise _refuse("The logo must be a PNG, JPEG or WebP picture.")
    try:
        with warnings.catch_warnings():
            # What Pillow only warns of is refused below by our own limit.
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            with Image.open(io.BytesIO(content), formats=[_FORMATS[media_type]]) as image:
                return _make_small(image)
    except InvalidRequest:
        raise
    except Image.DecompressionBombError:
        raise _too_many_pixels() from None
    except Exception:
        # Decoders raise whatever they like at broken files.
        raise _refuse("This picture cannot be read; save it anew and send it again.") from None


def _make_small(image: Image.Image) -> Logo:
    if image.width * image.height > MAX_LOGO_PIXELS:
        raise _too_many_pixels()
    upright = ImageOps.exif_transpose(image).convert("RGBA")
    upright.thumbnail(LOGO_BOX, Image.Resampling.LANCZOS)
    bare = Image.new("RGBA", upright.size)
    bare.paste(upright)
    encoded = io.BytesIO()
    bare.save(encoded, "PNG", optimize=True)
    return Logo(encoded.getvalue(), bare.width, bare.height)


def _too_many_pixels() -> InvalidRequest:
    return _refuse(f"The logo may have at most {MAX_LOGO_PIXELS // 1_000_000} million pixels.")


def _refuse(why: str) -> InvalidRequest:
    return InvalidRequest({"logo": why})
