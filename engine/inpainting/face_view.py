"""One face of a room, rectified from the photo: its values, and where they are known or wanted."""

from dataclasses import dataclass

import numpy as np

from engine.arrays import Mask, Plane, plane
from engine.geometry.faces import Face
from engine.geometry.rectified_plane import NEAREST, RectifiedPlane
from engine.geometry.surface import Surface
from engine.inpainting.opening_frames import CompletedOpenings

LEAST_KNOWN = 0.12
"""Cells in view for each that is wanted."""


@dataclass(frozen=True, slots=True)
class FaceView:
    """A face as the photo shows it, rectified: logarithms of colors, cells that are its own, cells wanted."""

    rectified: RectifiedPlane
    values: Plane
    known: Mask
    wanted: Mask
    openings: CompletedOpenings | None = None

    @property
    def inside(self) -> Mask:
        """The cells that are before the lens and in the picture."""
        return np.asarray(self.known | self.wanted)

    @property
    def hardly_known(self) -> bool:
        """Whether next to nothing of the face is seen for what is wanted of it."""
        return bool(np.count_nonzero(self.known) < LEAST_KNOWN * np.count_nonzero(self.wanted))


def view_face(rectified: RectifiedPlane, picture: Plane, known: Mask, wanted: Mask) -> FaceView:
    """The face of this rectified plane in a picture (logarithms, x 3), and where it is known and wanted there."""
    before = rectified.depth > NEAREST
    values = rectified.rectify(picture)
    kept = rectified.rectify(plane(known)) > 0.99
    asked = rectified.rectify(plane(wanted)) > 0.01
    return FaceView(rectified, values, np.asarray(kept & before & ~asked), np.asarray(asked & before))


def is_wall(face: Face) -> bool:
    """Whether the face is a wall."""
    return face.surface is Surface.WALL
