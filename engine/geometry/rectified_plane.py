"""Rectifies a face of a room to cells of one size in meters, and projects such cells back into the picture."""

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
MAX_CELLS = 520_000
"""Most cells of a rectified plane, to limit time and memory; cells become larger where there would be more."""
MAX_REACH = 2.5
"""Meters around the wanted part of a face from which content is taken."""
MIN_CELL, MAX_CELL = 0.002, 0.03
"""Smallest and largest side of a cell, in meters; MAX_CELLS may make it larger."""
MARGIN = 0.15
"""Meters that a rectified plane has around the seen and wanted parts of its face."""
NEAREST = 0.15
"""Least distance in front of the lens, in meters; nearer cells have no valid content."""
PYRAMID_LEVELS = 4
ROWS_AT_ONCE = 96
"""Rows of the picture that are processed at a time, to limit the memory."""
SAMPLES_PER_ROW = 3
"""Samples for each row of the picture when cells are projected back: a row may cover many cells of a distant floor.
"""


@dataclass(frozen=True, slots=True)
class RectifiedPlane:
    """A face divided into cells of `cell` x `cell` meters; the first begins at (`left`, `low`) meters of the face.

    `to_pixels` is the homography from cells to pixels.
    """

    face: Face
    cell: float
    left: float
    low: float
    shape: tuple[int, int]
    to_pixels: Points

    def rectify(self, picture: Plane) -> Plane:
        """Rectify the face's part of a picture.

        Cells behind the lens get meaningless values; their `depth` is negative.

        Parameters
        ----------
        picture : (H, W) or (H, W, 3) ndarray of float32
            A picture that the room's camera took, or a map of its size.

        Returns
        -------
        ndarray of float32
            The shape of the plane, with as many channels as the picture; 0 outside the picture.
        """
        size = (self.shape[1], self.shape[0])
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        return plane(cv2.warpPerspective(picture, _shift_to_centers(self.to_pixels), size, flags=flags))

    @property
    def depth(self) -> Plane:
        """Meters of each cell in front of the lens."""
        rows, columns = np.indices(self.shape, np.float32) + np.float32(0.5)
        third = self.to_pixels[2].astype(np.float32)
        return plane(third[0] * columns + third[1] * rows + third[2])

    @property
    def cover(self) -> Plane:
        """Meters of the face that one pixel covers at each cell: the geometric mean of both directions."""
        # The area of a cell in the picture is the matrix's determinant over the third power of the distance.
        pixels = abs(float(np.linalg.det(self.to_pixels))) / np.maximum(self.depth, NEAREST) ** 3
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
        """Project values of the cells into the picture.

        Parameters
        ----------
        cells : ndarray of float32
            Values of the plane's shape, with 1 (no third axis) or 3 channels.
        box : tuple of slice
            Rows and columns of the picture to project to; each slice needs a start and a stop.

        Returns
        -------
        ndarray of float32
            The part of the picture in `box`; beyond the plane its outermost cells are repeated.
        """
        levels = [cells]
        while len(levels) < PYRAMID_LEVELS:
            levels.append(_halve(levels[-1]))
        rows, columns = box
        width = columns.stop - columns.start
        result = np.empty((rows.stop - rows.start, width, *cells.shape[2:]), np.float32)
        for top in range(rows.start, rows.stop, ROWS_AT_ONCE):
            part = slice(top, min(top + ROWS_AT_ONCE, rows.stop))
            result[top - rows.start : part.stop - rows.start] = self._project_rows(levels, (part, columns))
        return result

    def _project_rows(self, levels: list[Plane], box: Box) -> Plane:
        rows, columns = box
        height, width = rows.stop - rows.start, columns.stop - columns.start
        moved = np.array([[1.0, 0, -columns.start], [0, 1.0, -rows.start], [0, 0, 1]])
        to_samples = np.diag([1.0, SAMPLES_PER_ROW, 1.0]) @ moved @ self.to_pixels
        share = _choose_levels((height * SAMPLES_PER_ROW, width), to_samples)
        total = np.zeros((height * SAMPLES_PER_ROW, width, *levels[0].shape[2:]), np.float32)
        for number, level in enumerate(levels):
            weight = plane(np.clip(1 - np.abs(share - number), 0, 1))
            if weight.any():
                matrix = _shift_to_centers(to_samples @ np.diag([2.0**number, 2.0**number, 1.0]))
                size = (width, height * SAMPLES_PER_ROW)
                part = cv2.warpPerspective(level, matrix, size, borderMode=cv2.BORDER_REPLICATE)
                total += part * (weight if part.ndim == 2 else gray_to_rgb(weight))
        return plane(cv2.resize(total, (width, height), interpolation=cv2.INTER_AREA))


def _choose_levels(shape: tuple[int, int], to_pixels: Points) -> Plane:
    """How many times a plane must be halved to have cells as large as the pixels of a picture of this shape."""
    back = np.linalg.inv(to_pixels)
    rows, columns = np.indices(shape, np.float32) + np.float32(0.5)
    third = back[2].astype(np.float32)
    near = np.maximum(third[0] * columns + third[1] * rows + third[2], 1e-6)
    cells = np.sqrt(abs(float(np.linalg.det(back))) / near**3)
    return plane(np.clip(np.log2(np.maximum(cells, 1)), 0, PYRAMID_LEVELS - 1))


def _shift_to_centers(to_pixels: Points) -> Points:
    """The homography for indices, which OpenCV counts from the center of the first cell and pixel."""
    half = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1]])
    return np.asarray(np.linalg.inv(half) @ to_pixels @ half)


def _halve(cells: Plane) -> Plane:
    # Cells are averaged in blocks from the corner, so that each level differs from the plane by a scale of 2 only.
    height, width = cells.shape[:2]
    padded = cv2.copyMakeBorder(cells, 0, height % 2, 0, width % 2, cv2.BORDER_REPLICATE)
    size = (padded.shape[1] // 2, padded.shape[0] // 2)
    return plane(cv2.resize(padded, size, interpolation=cv2.INTER_AREA))


def rectify_face(face: Face, room: Room, seen: Mask, wanted: Mask) -> RectifiedPlane | None:
    """Make the rectified plane that holds the seen and the wanted part of a face.

    A cell is about as large as a pixel of the wanted part, from MIN_CELL to MAX_CELL, and larger where there would
    be more than MAX_CELLS. Parts farther than MAX_REACH from the wanted part, or seen very coarsely, are left out.

    Parameters
    ----------
    face : Face
        The face.
    room : Room
        The room; its camera is for a picture of the masks' size.
    seen : (H, W) ndarray of bool
        Where the picture shows the face.
    wanted : (H, W) ndarray of bool
        Where the face is to be filled in.

    Returns
    -------
    RectifiedPlane or None
        The plane; None where no wanted pixel shows the face.
    """
    back: Points = np.asarray(np.linalg.inv(face.compute_homography(room)))
    places = _find_places(back, wanted)
    if not len(places):
        return None
    first, last = np.quantile(places[:, :2], 0.01, axis=0), np.quantile(places[:, :2], 0.99, axis=0)
    nearby = np.vstack([places, _find_places(back, np.asarray(seen & ~wanted))])
    # A distant pixel may cover meters: such coarse content is of no use.
    near = nearby[nearby[:, 2] < max(6 * float(np.median(places[:, 2])), 1.0)]
    near = near[((near[:, :2] > first - MAX_REACH) & (near[:, :2] < last + MAX_REACH)).all(1)]
    if not len(near):
        return None
    low, high = near[:, :2].min(0) - MARGIN, near[:, :2].max(0) + MARGIN
    fine = float(np.clip(np.quantile(places[:, 2], 0.2), MIN_CELL, MAX_CELL))
    width, height = high - low
    cell = max(fine, float(np.sqrt(width * height / MAX_CELLS)))
    shape = (max(8, int(np.ceil(height / cell))), max(8, int(np.ceil(width / cell))))
    scale = np.array([[cell, 0, low[0]], [0, cell, low[1]], [0, 0, 1]])
    return RectifiedPlane(face, cell, float(low[0]), float(low[1]), shape, face.compute_homography(room) @ scale)


def _find_places(back: Points, mask: Mask) -> Points:
    """N x 3: for pixels of the mask the point of the face in meters, and the meters that the pixel covers."""
    spots = np.argwhere(mask).astype(float)
    spots = spots[:: max(1, len(spots) // 40_000)]
    found = np.column_stack([spots[:, 1] + 0.5, spots[:, 0] + 0.5, np.ones(len(spots))]) @ back.T
    # The third number is one over the depth: positive in front of the lens.
    found = found[found[:, 2] > 1e-4]
    cover = np.sqrt(abs(float(np.linalg.det(back))) / found[:, 2] ** 3)
    return np.column_stack([found[:, :2] / found[:, 2:], cover])
