"""Makes small pictures for pages, and copies with a disclosure label or without capture data."""

import io
from dataclasses import dataclass, replace
from typing import BinaryIO

import numpy as np
from PIL import Image

from engine.arrays import Pixels
from engine.io.photo import DecodedPhoto, decode, encode
from engine.io.source_type import declare_altered
from engine.photo_facts import read_facts
from engine.text_overlay import draw_label
from engine.types.enhancements import describe_disclosure
from engine.types.pictures import Previews, PreviewSize, WantedPreviews

SIDES = {PreviewSize.THUMB: (480, 78), PreviewSize.VIEW: (1600, 84)}
"""The longest side in pixels and the JPEG quality of each."""


@dataclass(frozen=True, slots=True)
class PicturePreviews:
    """Makes previews on this machine's processor."""

    def make(self, picture: BinaryIO, wanted: WantedPreviews) -> Previews:
        """Encode the previews of a stored picture and read what is known of it; see the port.

        Parameters
        ----------
        picture : BinaryIO
            The file of a stored picture.
        wanted : WantedPreviews
            The copies and facts that are asked for besides the two small pictures.

        Returns
        -------
        Previews
            JPEG files: both small sizes upright, in sRGB, without metadata. The labeled copy keeps profile, print
            resolution and capture data, and carries the label's words and a source type, even where the picture has
            none. The public one keeps profile, print resolution and source type.

        Raises
        ------
        UnusablePhotoError
            Where the file cannot be decoded within the limits.
        """
        photo = decode(picture)
        height, width = photo.pixels.shape[:2]
        view = Image.fromarray(make_view(photo))
        thumb = _limit_side(view, SIDES[PreviewSize.THUMB][0])
        pictures = {
            PreviewSize.THUMB: write_jpeg(thumb, SIDES[PreviewSize.THUMB][1]),
            PreviewSize.VIEW: write_jpeg(view, SIDES[PreviewSize.VIEW][1]),
        }
        if wanted.label is not None:
            pictures[PreviewSize.LABELED] = _add_label(photo, wanted.label)
        if wanted.public:
            pictures[PreviewSize.PUBLIC] = encode(photo.pixels, replace(photo, format="JPEG", exif=b"")).content
        facts = read_facts(photo, np.asarray(view), guess=wanted.guess) if wanted.facts else None
        return Previews(pictures, width, height, facts, photo.personal_details)


def make_view(photo: DecodedPhoto) -> Pixels:
    """Reduce a photo to the larger of the two sizes for pages.

    Parameters
    ----------
    photo : DecodedPhoto
        The photo.

    Returns
    -------
    (h, w, 3) ndarray of uint8
        In sRGB.
    """
    view = _limit_side(Image.fromarray(photo.pixels), SIDES[PreviewSize.VIEW][0])
    return photo.profile.to_srgb(np.asarray(view))


def _limit_side(picture: Image.Image, side: int) -> Image.Image:
    """The picture, reduced where its longer side is over `side` pixels."""
    longer = max(picture.size)
    if longer <= side:
        return picture
    width, height = (max(1, round(each * side / longer)) for each in picture.size)
    return picture.resize((width, height), Image.Resampling.LANCZOS, reducing_gap=3.0)


def write_jpeg(picture: Image.Image, quality: int) -> bytes:
    """Encode a small picture for pages.

    Parameters
    ----------
    picture : Image
        In sRGB.
    quality : int
        1-95.

    Returns
    -------
    bytes
        A JPEG file without metadata.
    """
    buffer = io.BytesIO()
    picture.save(buffer, "JPEG", quality=quality, subsampling="4:2:0", progressive=True, optimize=True)
    return buffer.getvalue()


def _add_label(photo: DecodedPhoto, label: str) -> bytes:
    pixels = np.array(photo.pixels)
    draw_label(pixels, label)
    # Listing services require a JPEG, whatever format the photo has.
    kind, words = declare_altered(photo.source_type), describe_disclosure(label)
    return encode(pixels, replace(photo, format="JPEG"), kind, words).content
