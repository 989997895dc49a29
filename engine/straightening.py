"""Turns a picture so that upright edges become upright, as a camera that was not tilted would show them."""

from dataclasses import dataclass, replace
from itertools import combinations

import cv2
import numpy as np

from engine.arrays import Pixels
from engine.geometry.camera import Points
from engine.geometry.pose import Pose
from engine.geometry.segments import LineSegments, measure_along, scale_ends
from engine.geometry.tilt import estimate_tilt
from engine.geometry.upright_edges import detect_upright_edges
from engine.segmentation.labels import Label
from engine.segmentation.scene import Scene, shrink_to

MEASURED_SIDE = 1600
"""Maximum long side, in pixels, of the picture in which edges are measured."""
MIN_DEGREES = 0.15
"""Tilt below which a picture counts as straight."""
MIN_KEPT = 0.7
"""Minimum share of the picture that is still seen; a turn that would cut off more is not made."""
MIN_BUILDING = 0.5
"""Minimum share of building at an edge outdoors; trunks, poles and fences may lean."""
BUILDING = (Label.FACADE, Label.PANE, Label.SHUTTER, Label.GARAGE_DOOR, Label.DOOR)
"""Labels of surfaces whose edges are upright outdoors."""
CORNERS: Points = np.array([[0, 0], [1, 0], [1, 1], [0, 1.0]])
"""The corners of a picture, in units of its width and height."""


@dataclass(frozen=True, slots=True)
class Straightening:
    """How a picture is straightened.

    `to_straight` maps homogeneous pixels of the picture, in units of its width and height, to those of the straight
    one, of the same size. `degrees` is the larger of pitch and roll, `kept` the share of the picture that is still
    seen.
    """

    to_straight: Points
    degrees: float
    kept: float

    def apply(self, pixels: Pixels) -> Pixels:
        """Straighten the picture, or another one of the same view.

        Parameters
        ----------
        pixels : (H, W, 3) ndarray of uint8
            The picture, of any size with the aspect ratio of the one that was measured.

        Returns
        -------
        (H, W, 3) ndarray of uint8
            The straight picture, of the same size and color space.
        """
        height, width = pixels.shape[:2]
        # OpenCV's pixel centers are whole numbers, ours are halves.
        size = np.array([[width, 0, -0.5], [0, height, -0.5], [0, 0, 1.0]])
        matrix = size @ self.to_straight @ np.linalg.inv(size)
        turned = cv2.warpPerspective(
            pixels, matrix, (width, height), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE
        )
        return np.asarray(turned, np.uint8)


def find_straightening(scene: Scene) -> Straightening | None:
    """Find out how to straighten a photo.

    Parameters
    ----------
    scene : Scene
        The photo.

    Returns
    -------
    Straightening or None
        None if it is straight, if its upright edges are too few or disagree, if it is tilted by more than
        `engine.geometry.tilt.MAX_ANGLE`, or if too much would be cut off.
    """
    picture = scene.profile.to_srgb(shrink_to(scene.pixels, MEASURED_SIDE))
    height, width = picture.shape[:2]
    edges = detect_upright_edges(picture, scene.surfaces)
    segments = _keep_on_building(edges.segments, picture.shape, scene) if scene.outdoors else edges.segments
    focal = None if scene.lens is None else scene.lens * float(np.hypot(width, height))
    pose = estimate_tilt(segments, width, height, focal, edges.errors)
    degrees = 0.0 if pose is None else float(np.degrees(max(abs(pose.pitch), abs(pose.roll))))
    if pose is None or degrees < MIN_DEGREES:
        return None
    turn = _compute_turn(pose, width, height)
    to_straight = _find_largest_crop(_map_points(turn, CORNERS)) @ turn
    corners = _map_points(np.asarray(np.linalg.inv(to_straight)), CORNERS)
    kept = float(cv2.contourArea(corners.astype(np.float32)))
    return Straightening(to_straight, degrees, kept) if kept >= MIN_KEPT else None


def _keep_on_building(segments: LineSegments, shape: tuple[int, ...], scene: Scene) -> LineSegments:
    building = scene.label_share(*BUILDING)
    share = measure_along(scale_ends(segments.ends, shape, building.shape), building)
    return LineSegments(segments.ends, segments.weights * (share >= MIN_BUILDING), segments.axes)


def _compute_turn(pose: Pose, width: int, height: int) -> Points:
    """The homography of turning the camera upright, in units of width and height."""
    upright = replace(pose, pitch=0.0, roll=0.0)
    focal = pose.focal * float(np.hypot(width, height)) / 2
    camera = np.array([[focal / width, 0, 0.5], [0, focal / height, 0.5], [0, 0, 1.0]])
    return np.asarray(camera @ upright.turn() @ pose.turn().T @ np.linalg.inv(camera))


def _find_largest_crop(corners: Points) -> Points:
    """The largest part inside the turned picture with its aspect ratio, as the map from it to the whole (3 x 3).

    Its middle and scale are the best of all points where three of the constraints meet: a linear program with three
    unknowns.
    """
    edges = np.roll(corners, -1, axis=0) - corners
    normals = np.column_stack([-edges[:, 1], edges[:, 0]])
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    # normal . (middle + scale * offset) >= normal . corner, for each edge and each corner of the crop.
    offsets = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
    worst = (normals @ offsets.T).min(1)
    constraints, limits = np.column_stack([normals, worst]), (normals * corners).sum(1)
    best = np.array([0.5, 0.5, 0.0])
    for rows in combinations(range(len(constraints)), 3):
        part = constraints[list(rows)]
        if abs(np.linalg.det(part)) < 1e-9:
            continue
        found = np.linalg.solve(part, limits[list(rows)])
        if (constraints @ found >= limits - 1e-9).all() and found[2] > best[2]:
            best = found
    x, y, scale = best
    return np.array([[1 / scale, 0, 0.5 - x / scale], [0, 1 / scale, 0.5 - y / scale], [0, 0, 1.0]])


def _map_points(matrix: Points, points: Points) -> Points:
    moved = np.column_stack([points, np.ones(len(points))]) @ matrix.T
    return np.asarray(moved[:, :2] / moved[:, 2:])
