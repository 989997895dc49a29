"""Detects damage in the middle of a JPEG, where decoders only warn and invent the part that they cannot read."""

import re

import simplejpeg

# The picture is decoded at an eighth of its size, which is faster.
_REDUCTION = 8
# Warnings about the picture itself; the decoder reports only its first warning. Extraneous bytes before markers
# other than restart markers lie between segments and do no harm.
_DAMAGE_WARNING = re.compile(r"bad Huffman|remature end|extraneous bytes before marker 0xd[0-9]|instead of RST")


def is_damaged(content: bytes) -> bool:
    """Whether some codes of a JPEG's picture cannot be decoded.

    Not all damage is found: after a lost bit, the following codes may be readable again. The file is decoded
    again, at an eighth of its size, so call this only after all limits are checked.

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
