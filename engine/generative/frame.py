"""A photo as it is sent to a generative server: small, sRGB, padded to an aspect ratio that all such servers
take.
"""

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
"""Width and height of the shapes at their smallest: 3:2, 1:1 and 2:3, in steps that diffusion models can take."""
MOST_UNITS = 32
"""How often the smallest size at most: 1536 x 1024, 1024 x 1024, 1024 x 1536."""
MOST_ANSWER_PIXELS = 8_300_000
"""The largest answer that is decoded, 3840 x 2160: no server of the kind gives more."""
REFERENCE_SIDE = 1024


@dataclass(frozen=True, slots=True)
class ServerFrame:
    """The photo, small (`own`: own colors, `sent`: sRGB; height x width x 3 bytes), and its place in the shape."""

    own: Pixels
    sent: Pixels
    profile: ColorProfile
    width: int
    height: int
    left: int
    top: int

    def image(self) -> bytes:
        """The PNG to send; what the photo does not fill mirrors it, so that no border invites an edit."""
        return _png(self._pad(self.sent, cv2.BORDER_REFLECT))

    def mask(self, free: Plane) -> bytes:
        """The PNG of the mask for a region (0-1) as large as `sent`: transparent, and white, where it may change.

        Transparency is the rule of OpenAI's interface; some servers look at black and white instead.
        """
        allowed = np.asarray(np.where(free > 0.5, 255, 0), np.uint8)
        padded = self._pad(allowed, cv2.BORDER_CONSTANT)
        return _png(np.dstack([padded, padded, padded, 255 - padded]))

    def misshape(self, answer: Pixels) -> float:
        """How far an answer's width over height is off, as a share; 0 when it has the shape that was sent."""
        height, width = answer.shape[:2]
        return abs(float(width / height) / (self.width / self.height) - 1)

    def fit_answer(self, answer: Pixels) -> Pixels:
        """The photo's part of an answer in the shape that was sent, as large as `sent`."""
        shrinks = answer.shape[1] > self.width
        how = cv2.INTER_AREA if shrinks else cv2.INTER_CUBIC
        whole = cv2.resize(answer, (self.width, self.height), interpolation=how)
        height, width = self.sent.shape[:2]
        return np.asarray(whole[self.top : self.top + height, self.left : self.left + width], dtype=np.uint8)

    def to_own_colors(self, edit: Pixels) -> Pixels:
        """An edit in sRGB, in the photo's own colors."""
        own = self.profile.from_srgb(edit.astype(np.float32))
        return np.asarray(np.clip(own + np.float32(0.5), 0, 255), dtype=np.uint8)

    def _pad(self, part: Pixels | Matte, border: int) -> Pixels:
        height, width = part.shape[:2]
        below, after = self.height - height - self.top, self.width - width - self.left
        return np.asarray(cv2.copyMakeBorder(part, self.top, below, self.left, after, border), dtype=np.uint8)


def frame_photo(pixels: Pixels, profile: ColorProfile) -> ServerFrame:
    """The frame for a photo (height x width x 3 bytes in the space of `profile`): all of it, never enlarged.

    All of it, not a crop around the region: the regions so far are as wide as the photo, so that a crop would not
    show them any larger, and a model that sees the whole room keeps to it better.
    """
    height, width = pixels.shape[:2]
    across, down = min(UNITS, key=lambda unit: abs(math.log(width / height * unit[1] / unit[0])))
    units = min(MOST_UNITS, math.ceil(max(width / across, height / down)))
    scale = min(1.0, units * across / width, units * down / height)
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    own = np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    frame_width, frame_height = units * across, units * down
    left, top = (frame_width - size[0]) // 2, (frame_height - size[1]) // 2
    return ServerFrame(own, profile.to_srgb(own), profile, frame_width, frame_height, left, top)


def open_answer(answer: bytes) -> Pixels:
    """A server's answer as sRGB bytes. Raises UnusablePhotoError when it is no picture or too large a one."""
    photo = decode(io.BytesIO(answer), MOST_ANSWER_PIXELS)
    return photo.profile.to_srgb(photo.pixels)


def encode_reference(picture: BinaryIO) -> bytes:
    """The PNG of a picture to go by, made small. Raises UnusablePhotoError where it cannot be decoded."""
    photo = decode(picture)
    return _png(photo.profile.to_srgb(shrink_to(photo.pixels, REFERENCE_SIDE)))


def _png(pixels: Pixels) -> bytes:
    """Red, green, blue (and alpha) bytes, packed quickly rather than tightly."""
    buffer = io.BytesIO()
    Image.fromarray(pixels).save(buffer, "PNG", compress_level=1)
    return buffer.getvalue()
