"""Damage in the middle of a JPEG: decoders warn of it, go on, and make up what they could not read."""

import re

import simplejpeg

from app.engine.io.jpeg_structure import has_clean_head

_SCALE = 8
# Of the decoder's warnings those that tell of the picture itself: bytes before another marker lie between segments.
_DAMAGE = re.compile(r"bad Huffman|remature end|extraneous bytes before marker 0xd[0-9]|instead of RST")


def is_damaged(content: bytes) -> bool:
    """Whether codes of a JPEG's picture cannot be read as they stand. Much damage shows so, not all: after a lost
    bit codes may fall in step again.

    It is decoded once more at an eighth of its size; to be asked after all limits.
    """
    if not has_clean_head(content):
        return False  # the first warning, of which alone the decoder tells, is of the head
    try:
        simplejpeg.decode_jpeg(content, "GRAY", min_factor=_SCALE, min_height=1, min_width=1, strict=True)
    except ValueError as warning:
        return bool(_DAMAGE.search(str(warning)))
    return False
