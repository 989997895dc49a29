"""A photo as it is sent to a generative server: small, sRGB, padded to an aspect ratio that servers accept."""

import io
import math
from dataclasses import dataclass
from typing import BinaryIO

import cv2
import numpy as np
from PIL import Image

from engine.arrays import Matte, Pixels, Plane
from engine.color.profiles import ColorProfile
from engine.io.photo import decode
from engine.segmentation.scene import shrink_to

UNITS = ((48, 32), (32, 32), (32, 48))
"""(Width, height) in pixels for 3:2, 1:1 and 2:3. Diffusion models require that a frame is a multiple of one."""
MAX_UNITS = 32
"""The largest multiple: frames of at most 1536 x 1024, 1024 x 1024 and 1024 x 1536."""
MAX_ANSWER_PIXELS = 8_300_000
"""Most pixels of an answer that is decoded: 3840 x 2160, the most that such servers return."""
REFERENCE_SIDE = 1024
"""Longest side, in pixels, of a reference picture that is sent."""


@dataclass(frozen=True, slots=True)
class ServerFrame:
    """A small photo and its place in a padded frame. `width` and `height` are the frame's, in pixels.

    `pixels` (h, w, 3) are the small photo's bytes in its own color space, `profile`; `sent` is the same picture in
    sRGB. `left` and `top` are the photo's corner in the frame.
    """

    pixels: Pixels
    sent: Pixels
    profile: ColorProfile
    width: int
    height: int
    left: int
    top: int

    def encode_image(self) -> bytes:
        """The picture to send; the padding mirrors the photo, so that the server sees no border that it might edit.

        Returns
        -------
        bytes
            A PNG of `width` x `height` pixels, sRGB.
        """
        return _encode_png(self._pad(self.sent, cv2.BORDER_REFLECT))

    def encode_mask(self, editable: Plane) -> bytes:
        """The mask to send: transparent and white where the picture may change, else opaque and black.

        OpenAI's interface reads transparency; some servers read black and white instead.

        Parameters
        ----------
        editable : (h, w) ndarray of float32
            The region, as large as `sent`: the picture may change above 0.5.

        Returns
        -------
        bytes
            An RGBA PNG as large as the picture.
        """
        allowed = np.asarray(np.where(editable > 0.5, 255, 0), np.uint8)
        padded = self._pad(allowed, cv2.BORDER_CONSTANT)
        return _encode_png(np.dstack([padded, padded, padded, 255 - padded]))

    def measure_shape_error(self, answer: Pixels) -> float:
        """Measure how far the aspect ratio of an answer differs from the frame's.

        Parameters
        ----------
        answer : (H, W, 3) ndarray of uint8
            The server's answer, of any size.

        Returns
        -------
        float
            A share of the frame's width over height; 0 when both are the same.
        """
        height, width = answer.shape[:2]
        return abs(float(width / height) / (self.width / self.height) - 1)

    def crop_answer(self, answer: Pixels) -> Pixels:
        """The photo's part of an answer, without the padding.

        Parameters
        ----------
        answer : (H, W, 3) ndarray of uint8
            The server's answer, of any size and of the frame's aspect ratio.

        Returns
        -------
        (h, w, 3) ndarray of uint8
            As large as `sent`, in the color space of `answer`.
        """
        shrinks = answer.shape[1] > self.width
        interpolation = cv2.INTER_AREA if shrinks else cv2.INTER_CUBIC
        whole = cv2.resize(answer, (self.width, self.height), interpolation=interpolation)
        height, width = self.sent.shape[:2]
        return np.asarray(whole[self.top : self.top + height, self.left : self.left + width], dtype=np.uint8)

    def to_own_colors(self, edit: Pixels) -> Pixels:
        """Convert an edit to the photo's own color space.

        Parameters
        ----------
        edit : (h, w, 3) ndarray of uint8
            Gamma-coded sRGB.

        Returns
        -------
        (h, w, 3) ndarray of uint8
            Gamma-coded, in the space of `profile`.
        """
        own = self.profile.from_srgb(edit.astype(np.float32))
        return np.asarray(np.clip(own + np.float32(0.5), 0, 255), dtype=np.uint8)

    def _pad(self, part: Pixels | Matte, border: int) -> Pixels:
        height, width = part.shape[:2]
        bottom, right = self.height - height - self.top, self.width - width - self.left
        return np.asarray(cv2.copyMakeBorder(part, self.top, bottom, self.left, right, border), dtype=np.uint8)


def frame_photo(pixels: Pixels, profile: ColorProfile) -> ServerFrame:
    """The frame for a whole photo, shrunk where necessary but never enlarged.

    The photo is not cropped to the region that may change: most regions are as wide as the photo, so that a crop
    would not show them larger, and a model that sees the whole room preserves it better.

    Parameters
    ----------
    pixels : (H, W, 3) ndarray of uint8
        The photo, gamma-coded, in its own color space.
    profile : ColorProfile
        The color space of `pixels`.

    Returns
    -------
    ServerFrame
        Its aspect ratio is the one of UNITS that is nearest to the photo's.
    """
    height, width = pixels.shape[:2]
    across, down = min(UNITS, key=lambda unit: abs(math.log(width / height * unit[1] / unit[0])))
    units = min(MAX_UNITS, math.ceil(max(width / across, height / down)))
    scale = min(1.0, units * across / width, units * down / height)
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    own = np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    frame_width, frame_height = units * across, units * down
    left, top = (frame_width - size[0]) // 2, (frame_height - size[1]) // 2
    return ServerFrame(own, profile.to_srgb(own), profile, frame_width, frame_height, left, top)


def open_answer(answer: bytes) -> Pixels:
    """Decode a server's answer.

    Parameters
    ----------
    answer : bytes
        The encoded picture.

    Returns
    -------
    (H, W, 3) ndarray of uint8
        Gamma-coded sRGB.

    Raises
    ------
    UnusablePhotoError
        When the answer is no picture or has more than MAX_ANSWER_PIXELS.
    """
    photo = decode(io.BytesIO(answer), MAX_ANSWER_PIXELS)
    return photo.profile.to_srgb(photo.pixels)


def encode_reference(picture: BinaryIO) -> bytes:
    """Convert a reference picture to the form in which it is sent.

    Parameters
    ----------
    picture : file-like, binary
        The encoded picture.

    Returns
    -------
    bytes
        An sRGB PNG with a long side of at most REFERENCE_SIDE.

    Raises
    ------
    UnusablePhotoError
        Where the picture cannot be decoded.
    """
    photo = decode(picture)
    return _encode_png(photo.profile.to_srgb(shrink_to(photo.pixels, REFERENCE_SIDE)))


def _encode_png(pixels: Pixels) -> bytes:
    """Encode RGB or RGBA bytes as PNG; fast compression matters more than a small file."""
    buffer = io.BytesIO()
    Image.fromarray(pixels).save(buffer, "PNG", compress_level=1)
    return buffer.getvalue()
