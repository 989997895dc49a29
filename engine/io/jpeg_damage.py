"""Damage in the middle of a JPEG: decoders warn of it, go on, and make up what they could not read."""

import re

import simplejpeg

_SCALE = 8
# Of the decoder's warnings, of which it reports the first, those of the picture itself: bytes before another marker
# lie between segments.
_DAMAGE = re.compile(r"bad Huffman|remature end|extraneous bytes before marker 0xd[0-9]|instead of RST")


def is_damaged(content: bytes) -> bool:
    """Whether codes of a JPEG's picture cannot be decoded as they stand.

    Not all damage is found: after a lost bit codes may fall in step again. The file is decoded once more at an
    eighth of its size, so call this after all limits are checked.

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
        simplejpeg.decode_jpeg(content, "GRAY", min_factor=_SCALE, min_height=1, min_width=1, strict=True)
    except ValueError as warning:
        return bool(_DAMAGE.search(str(warning)))
    return False
