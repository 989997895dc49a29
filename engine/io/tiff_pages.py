"""Finds the page of a TIFF that is the photo, and corrects how Pillow reads 16-bit color planes."""

from contextlib import suppress

from PIL import Image
from PIL.TiffImagePlugin import BITSPERSAMPLE, II, PLANAR_CONFIGURATION, TiffImageFile

from engine.io.exif import UNREADABLE
from engine.types.photo_limits import MAX_PAGES

# The PlanarConfiguration of colors that are stored in separate planes.
_SEPARATE = 2
# The BitsPerSample that Pillow unpacks correctly; also the default of a file without this tag.
_BITS = 8


def seek_largest_page(image: Image.Image) -> None:
    """Make the largest page of a TIFF the current page: some programs write a small preview first.

    Parameters
    ----------
    image : Image
        The opened photo; changed in place. Other formats stay as they are.
    """
    if image.format != "TIFF":
        return
    sizes = []
    # A broken page and the pages after it are not searched.
    with suppress(*UNREADABLE, EOFError):
        for page in range(min(getattr(image, "n_frames", 1), MAX_PAGES)):
            image.seek(page)
            sizes.append(image.width * image.height)
    image.seek(sizes.index(max(sizes)) if sizes else 0)


def unpack_deep_planes(image: Image.Image) -> None:
    """Make Pillow unpack 16-bit color planes of a TIFF as 16 bits, not as 8 bits, as it does on its own.

    Parameters
    ----------
    image : Image
        The opened photo, before it is loaded; its `tile` is changed in place. Other photos stay as they are.
    """
    if not isinstance(image, TiffImageFile) or image.tag_v2.get(PLANAR_CONFIGURATION) != _SEPARATE:
        return
    if max(image.tag_v2.get(BITSPERSAMPLE, (_BITS,))) > _BITS:
        order = "L" if image.tag_v2.prefix == II else "B"
        image.tile = [
            each._replace(args=(f"{each.args[0]};16{order}", *each.args[1:]))
            if each.codec_name == "raw" and isinstance(each.args, tuple) and each.args[0] in tuple("RGB")
            else each
            for each in image.tile
        ]
