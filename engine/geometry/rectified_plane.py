"""A face of a room rectified: seen straight on, with cells of one size in meters; and projected back into the
picture.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from engine.arrays import Mask, Plane, plane
from engine.color.channels import gray_to_rgb
from engine.geometry.camera import Points
from engine.geometry.faces import Face
from engine.geometry.room import Room

Box = tuple[slice, slice]
"""Rows and columns of a picture."""
MOST_CELLS = 520_000
REACH = 2.5
"""Meters around what is wanted of a face from which content is taken."""
FINEST, COARSEST = 0.002, 0.03
"""Meters."""
MARGIN = 0.15
"""Meters of plane around what is seen of a face."""
NEAREST = 0.15
LEVELS = 4
STRIP = 96
ACROSS_ROWS = 3
"""Samples for each row of the picture when a rectified plane is projected back: floors are seen at a low angle."""


@dataclass(frozen=True, slots=True)
class RectifiedPlane:
    """Cells of `cell` meters of a face; the first one begins at (`left`, `low`). `onto`: cells to pixels."""

    face: Face
    cell: float
    left: float
    low: float
    shape: tuple[int, int]
    onto: Points

    def rectify(self, picture: Plane) -> Plane:
        """The face's part of a picture, seen straight on.

        Cells behind the lens get values without meaning: `depth` shows which those are.

        Parameters
        ----------
        picture : (H, W) or (H, W, 3) ndarray of float32
            A picture that the room's camera took, or a map of its size.

        Returns
        -------
        ndarray of float32
            Of the plane's shape, with as many channels as the picture; 0 where the picture ends.
        """
        size = (self.shape[1], self.shape[0])
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        return plane(cv2.warpPerspective(picture, _shift_to_centers(self.onto), size, flags=flags))

    @property
    def depth(self) -> Plane:
        """Meters in front of the lens, of each cell."""
        rows, columns = np.indices(self.shape, np.float32) + np.float32(0.5)
        third = self.onto[2].astype(np.float32)
        return plane(third[0] * columns + third[1] * rows + third[2])

    @property
    def cover(self) -> Plane:
        """Meters of the face that one pixel covers at each cell: the geometric mean of both directions."""
        # The area of a cell in the picture is the matrix's determinant over the third power of the distance.
        pixels = abs(float(np.linalg.det(self.onto))) / np.maximum(self.depth, NEAREST) ** 3
        return plane(self.cell / np.sqrt(np.maximum(pixels, 1e-9)))

    @property
    def across(self) -> Plane:
        """Meters along the face's `across`, of the middle of each column."""
        return plane(self.left + (np.arange(self.shape[1]) + 0.5) * self.cell)

    @property
    def up(self) -> Plane:
        """Meters along the face's `up`, of the middle of each row."""
        return plane(self.low + (np.arange(self.shape[0]) + 0.5) * self.cell)

    def project_back(self, cells: Plane, box: Box) -> Plane:
        """The plane's cells as the camera sees them.

        Parameters
        ----------
        cells : ndarray of float32
            Values of the plane's shape, with 1 (no third axis) or 3 channels.
        box : tuple of slice
            Rows and columns of the picture to project to; each slice needs a start and a stop.

        Returns
        -------
        ndarray of float32
            The part of the picture in `box`; beyond the plane its outermost cells go on.
        """
        levels = [cells]
        while len(levels) < LEVELS:
            levels.append(_halve(levels[-1]))
        rows, columns = box
        width = columns.stop - columns.start
        result = np.empty((rows.stop - rows.start, width, *cells.shape[2:]), np.float32)
        for top in range(rows.start, rows.stop, STRIP):
            part = slice(top, min(top + STRIP, rows.stop))
            result[top - rows.start : part.stop - rows.start] = self._strip(levels, (part, columns))
        return result

    def _strip(self, levels: list[Plane], box: Box) -> Plane:
        rows, columns = box
        height, width = rows.stop - rows.start, columns.stop - columns.start
        moved = np.array([[1.0, 0, -columns.start], [0, 1.0, -rows.start], [0, 0, 1]])
        tall = np.diag([1.0, ACROSS_ROWS, 1.0]) @ moved @ self.onto
        share = _level((height * ACROSS_ROWS, width), tall)
        total = np.zeros((height * ACROSS_ROWS, width, *levels[0].shape[2:]), np.float32)
        for number, level in enumerate(levels):
            weight = plane(np.clip(1 - np.abs(share - number), 0, 1))
            if weight.any():
                matrix = _shift_to_centers(tall @ np.diag([2.0**number, 2.0**number, 1.0]))
                size = (width, height * ACROSS_ROWS)
                part = cv2.warpPerspective(level, matrix, size, borderMode=cv2.BORDER_REPLICATE)
                total += part * (weight if part.ndim == 2 else gray_to_rgb(weight))
        return plane(cv2.resize(total, (width, height), interpolation=cv2.INTER_AREA))


def _level(shape: tuple[int, int], onto: Points) -> Plane:
    """How often a plane must be halved to have cells as large as the pixels of a picture of this shape."""
    back = np.linalg.inv(onto)
    rows, columns = np.indices(shape, np.float32) + np.float32(0.5)
    third = back[2].astype(np.float32)
    near = np.maximum(third[0] * columns + third[1] * rows + third[2], 1e-6)
    cells = np.sqrt(abs(float(np.linalg.det(back))) / near**3)
    return plane(np.clip(np.log2(np.maximum(cells, 1)), 0, LEVELS - 1))


def _shift_to_centers(onto: Points) -> Points:
    """The matrix for indices of cells and pixels, whose middles are half a step further."""
    half = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1]])
    return np.asarray(np.linalg.inv(half) @ onto @ half)


def _halve(cells: Plane) -> Plane:
    # Halved about cell corners, so that the matrix of each level stays a plain scaling.
    height, width = cells.shape[:2]
    padded = cv2.copyMakeBorder(cells, 0, height % 2, 0, width % 2, cv2.BORDER_REPLICATE)
    size = (padded.shape[1] // 2, padded.shape[0] // 2)
    return plane(cv2.resize(padded, size, interpolation=cv2.INTER_AREA))


def rectify_face(face: Face, room: Room, seen: Mask, wanted: Mask) -> RectifiedPlane | None:
    """The rectified plane that holds what is seen and what is wanted of a face.

    Its cells are as fine as the picture shows the wanted part, from FINEST to COARSEST, and coarser where there
    would be more than MOST_CELLS. What is farther than REACH from the wanted part, or seen very coarsely, is left
    out.

    Parameters
    ----------
    face : Face
        The face.
    room : Room
        The room, its camera that of a picture of the masks' size.
    seen : (H, W) ndarray of bool
        Where the picture shows the face.
    wanted : (H, W) ndarray of bool
        Where the face is to be filled in.

    Returns
    -------
    RectifiedPlane or None
        The plane; None where no wanted pixel looks at the face.
    """
    back: Points = np.asarray(np.linalg.inv(face.onto(room)))
    places = _places(back, wanted)
    if not len(places):
        return None
    first, last = np.quantile(places[:, :2], 0.01, axis=0), np.quantile(places[:, :2], 0.99, axis=0)
    both = np.vstack([places, _places(back, np.asarray(seen & ~wanted))])
    # Far away a pixel covers meters; what is so coarse is of no use.
    near = both[both[:, 2] < max(6 * float(np.median(places[:, 2])), 1.0)]
    near = near[((near[:, :2] > first - REACH) & (near[:, :2] < last + REACH)).all(1)]
    if not len(near):
        return None
    low, high = near[:, :2].min(0) - MARGIN, near[:, :2].max(0) + MARGIN
    fine = float(np.clip(np.quantile(places[:, 2], 0.2), FINEST, COARSEST))
    width, height = high - low
    cell = max(fine, float(np.sqrt(width * height / MOST_CELLS)))
    shape = (max(8, int(np.ceil(height / cell))), max(8, int(np.ceil(width / cell))))
    scale = np.array([[cell, 0, low[0]], [0, cell, low[1]], [0, 0, 1]])
    return RectifiedPlane(face, cell, float(low[0]), float(low[1]), shape, face.onto(room) @ scale)


def _places(back: Points, mask: Mask) -> Points:
    """Count x 3: where on the face pixels of the mask look, in meters, and how much of it they cover."""
    spots = np.argwhere(mask).astype(float)
    spots = spots[:: max(1, len(spots) // 40_000)]
    found = np.column_stack([spots[:, 1] + 0.5, spots[:, 0] + 0.5, np.ones(len(spots))]) @ back.T
    # The third number is one over the distance: positive before the lens.
    found = found[found[:, 2] > 1e-4]
    cover = np.sqrt(abs(float(np.linalg.det(back))) / found[:, 2] ** 3)
    return np.column_stack([found[:, :2] / found[:, 2:], cover])
