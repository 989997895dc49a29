"""Renders how a room would be furnished: the real staging in a small picture, with fewer light paths."""

import logging

from PIL import Image

from engine.effects.virtual_staging import render_furnishing
from engine.outlook.forecast import Unfurnished
from engine.preview import write_jpeg

QUALITY = 82
"""Of the JPEG file, 1-95."""
DETAIL = 0.38
"""How finely light is traced, as a share of that of results."""
log = logging.getLogger(__name__)


def preview_layout(unfurnished: Unfurnished) -> bytes | None:
    """Furnish a small picture of a room as was planned for it, coarsely lit.

    Parameters
    ----------
    unfurnished : Unfurnished
        The small picture before staging, and what staging planned for it. Steps after staging are left out.

    Returns
    -------
    bytes or None
        A JPEG file in sRGB of the size of the small picture; None if staging declined, or if the rendering breaks,
        which is logged: the rest of the outlook matters more.
    """
    canvas, furnishing = unfurnished.canvas, unfurnished.furnishing
    if furnishing is None:
        return None
    try:
        pixels = render_furnishing(canvas, canvas.find_surfaces(), furnishing, DETAIL).pixels
    except Exception:
        log.exception("the preview of a layout broke")
        return None
    return write_jpeg(Image.fromarray(canvas.scene.profile.to_srgb(pixels)), QUALITY)
