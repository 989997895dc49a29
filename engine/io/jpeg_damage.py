"""Damage in the middle of a JPEG: decoders warn of it, continue, and invent the part that they could not read."""

import re

import simplejpeg

# The picture is decoded at an eighth of its size.
_REDUCTION = 8
# The decoder reports only its first warning. These are the warnings about the picture itself: extraneous bytes
# before any other marker lie between segments.
_DAMAGE_WARNING = re.compile(r"bad Huffman|remature end|extraneous bytes before marker 0xd[0-9]|instead of RST")


def is_damaged(content: bytes) -> bool:
    """Whether some codes of a JPEG's picture cannot be decoded.

    Not all damage is found: after a lost bit, the following codes may be readable again. The file is decoded once
    more at an eighth of its size, so call this after all limits are checked.

    Parameters
    ----------
    content : bytes
        The file.

    Returns
    -------
    bool
        True where the decoder warns of damage in the picture itself.
    """
    try:
        simplejpeg.decode_jpeg(content, "GRAY", min_factor=_REDUCTION, min_height=1, min_width=1, strict=True)
    except ValueError as warning:
        return bool(_DAMAGE_WARNING.search(str(warning)))
    return False
