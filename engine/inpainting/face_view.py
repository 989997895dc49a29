"""One face of a room, rectified from the photo: its values, and which cells are known or to be filled."""

from dataclasses import dataclass

import numpy as np

from engine.arrays import Mask, Plane, plane
from engine.geometry.faces import Face
from engine.geometry.rectified_plane import NEAREST, RectifiedPlane
from engine.geometry.surface import Surface
from engine.inpainting.opening_frames import CompletedOpenings

MIN_KNOWN = 0.12
"""Number of known cells per cell to be filled; with fewer, a face is hardly known."""


@dataclass(frozen=True, slots=True)
class FaceView:
    """A face rectified from the photo: logarithms of colors, cells that show the face, and cells to be filled."""

    rectified: RectifiedPlane
    values: Plane
    known: Mask
    to_fill: Mask
    openings: CompletedOpenings | None = None

    @property
    def inside(self) -> Mask:
        """The cells that show the face or are to be filled."""
        return np.asarray(self.known | self.to_fill)

    @property
    def hardly_known(self) -> bool:
        """Whether far fewer cells are known than are to be filled."""
        return bool(np.count_nonzero(self.known) < MIN_KNOWN * np.count_nonzero(self.to_fill))


def view_face(rectified: RectifiedPlane, picture: Plane, known: Mask, to_fill: Mask) -> FaceView:
    """Rectify a face of the picture.

    Parameters
    ----------
    rectified : RectifiedPlane
        The plane, for the picture's camera.
    picture : (H, W, 3) ndarray of float32
        Logarithms of colors.
    known : (H, W) ndarray of bool
        Where the picture shows the face.
    to_fill : (H, W) ndarray of bool
        Where things that hide the face are to be removed.

    Returns
    -------
    FaceView
        A cell is known if the picture shows all of it, and to be filled if a thing hides any part of it; cells
        behind the lens are neither.
    """
    in_front = rectified.depth > NEAREST
    values = rectified.rectify(picture)
    shown = rectified.rectify(plane(known)) > 0.99
    partly_hidden = rectified.rectify(plane(to_fill)) > 0.01
    return FaceView(
        rectified, values, np.asarray(shown & in_front & ~partly_hidden), np.asarray(partly_hidden & in_front)
    )


def is_wall(face: Face) -> bool:
    """Whether the face is a wall.

    Parameters
    ----------
    face : Face
        A face of a room.

    Returns
    -------
    bool
        False for floor and ceiling.
    """
    return face.surface is Surface.WALL
