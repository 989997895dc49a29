"""Straightens a picture, as if a level camera had taken it with a lens without distortion."""

from dataclasses import dataclass, replace
from itertools import combinations

import cv2
import numpy as np

from engine.arrays import Pixels
from engine.geometry.camera import Points
from engine.geometry.curves import follow_edges
from engine.geometry.distortion import Distortion
from engine.geometry.plumb_lines import PlumbLines
from engine.geometry.pose import Pose
from engine.geometry.segments import LineSegments, find_ends, measure_along, scale_ends
from engine.geometry.tilt import estimate_tilt
from engine.geometry.upright_edges import choose_upright_edges
from engine.io.exif import read_used_lens
from engine.lens_profiles import find_profile
from engine.segmentation.labels import Label
from engine.segmentation.scene import Scene, shrink_to

MEASURED_SIDE = 1600
"""Maximum long side, in pixels, of the picture in which edges are measured."""
MIN_DEGREES = 0.15
"""Tilt below which a picture counts as straight."""
MIN_KEPT = 0.7
"""Minimum share of the picture that must remain; a turn that would cut off more is not made."""
MIN_BUILDING = 0.5
"""Minimum share of building at an edge outdoors; trunks, poles and fences may lean."""
BUILDING = (Label.FACADE, Label.PANE, Label.SHUTTER, Label.GARAGE_DOOR, Label.DOOR)
"""Labels of surfaces whose edges are upright outdoors."""
MIN_DISTORTION = 0.003
"""Distortion at the corners of a known lens below which it is not corrected."""
CORNERS: Points = np.array([[0, 0], [1, 0], [1, 1], [0, 1.0]])
"""The corners of a picture, in units of its width and height."""
BORDER: Points = np.concatenate(
    [
        np.linspace(start, end, 16, endpoint=False)
        for start, end in zip(CORNERS, np.roll(CORNERS, -1, 0), strict=True)
    ]
)
"""Points around a picture, in units of its width and height."""
MAP_STEP, STRIPE = 16, 256
"""Pixels between the places at which a turn is computed, and rows that are turned at once (few, to save memory)."""


@dataclass(frozen=True, slots=True)
class Straightening:
    """How a picture is straightened.

    `to_straight` maps homogeneous points of the picture without distortion to points of the straight picture, both
    in units of width and height, which are the same for both pictures. `degrees` is the larger of pitch and roll,
    `kept` the share of the picture that remains. `distortion` is that of the lens, None if it is not corrected;
    `lens_known` says that it is the distortion of the lens that the photo's file names.
    """

    to_straight: Points
    degrees: float
    kept: float
    distortion: Distortion | None = None
    lens_known: bool = False

    def apply(self, pixels: Pixels) -> Pixels:
        """Straighten the picture, or another one of the same view.

        Parameters
        ----------
        pixels : (H, W, 3) ndarray of uint8
            The picture, of any size with the aspect ratio of the measured one.

        Returns
        -------
        (H, W, 3) ndarray of uint8
            The straight picture, of the same size and color space.
        """
        height, width = pixels.shape[:2]
        straight = np.empty_like(pixels)
        # The grid reaches one step beyond all edges, so that places between its points can be interpolated.
        columns, rows = (
            np.arange(-1, -(-side // MAP_STEP) + 1) * MAP_STEP + MAP_STEP / 2 for side in (width, height)
        )
        for top in range(0, height, STRIPE):
            count = min(STRIPE, height - top)
            near = rows[top // MAP_STEP : top // MAP_STEP + -(-count // MAP_STEP) + 2]
            points = np.stack(np.meshgrid(columns / width, near / height), -1)
            # In OpenCV, the centers of pixels have whole coordinates, here they end in .5.
            places = (self._find_source(points, width, height) * (width, height) - 0.5).astype(np.float32)
            across, down = len(columns) * MAP_STEP, len(near) * MAP_STEP
            fine = np.asarray(cv2.resize(places, (across, down), interpolation=cv2.INTER_LINEAR), np.float32)
            fine = fine[MAP_STEP : MAP_STEP + count, MAP_STEP : MAP_STEP + width]
            x, y = fine[..., 0], fine[..., 1]
            straight[top : top + count] = cv2.remap(pixels, x, y, cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
        return straight

    def _find_source(self, points: Points, width: int, height: int) -> Points:
        """Where the picture shows points of the straight one, in units of width and height."""
        return _distort(
            _map_points(np.asarray(np.linalg.inv(self.to_straight)), points), width, height, self.distortion
        )


UNCHANGED = Straightening(np.eye(3), 0.0, 1.0)
"""The straightening of a picture that stays as it is."""


def find_straightening(scene: Scene, exif: bytes = b"") -> Straightening | None:
    """Find how to straighten a photo.

    Parameters
    ----------
    scene : Scene
        The photo.
    exif : bytes, optional
        Its EXIF block, which may name the lens.

    Returns
    -------
    Straightening or None
        None if neither distortion nor tilt is corrected, or if too much would be cut off. Distortion is not
        corrected if it is small or edges do not show it. Tilt is not corrected if it is small or more than
        `engine.geometry.tilt.MAX_ANGLE`, or if upright edges are too few or disagree.
    """
    picture = scene.profile.to_srgb(shrink_to(scene.pixels, MEASURED_SIDE))
    height, width = picture.shape[:2]
    gray = np.asarray(cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY), dtype=np.uint8)
    ends = find_ends(gray)
    distortion, lens_known = _find_distortion(
        PlumbLines(follow_edges(gray, ends), width, height), exif, width, height
    )
    edges = choose_upright_edges(gray, ends, scene.surfaces)
    segments = _keep_on_building(edges.segments, gray.shape, scene) if scene.outdoors else edges.segments
    if distortion is not None:
        segments = _correct(segments, distortion, width, height)
    focal = None if scene.lens is None else scene.lens * float(np.hypot(width, height))
    pose = estimate_tilt(segments, width, height, focal, edges.errors)
    degrees = 0.0 if pose is None else float(np.degrees(max(abs(pose.pitch), abs(pose.roll))))
    if degrees < MIN_DEGREES:
        pose = None
    if pose is None and distortion is None:
        return None
    turn = np.eye(3) if pose is None else _compute_turn(pose, width, height)
    corners = 0.5 + (CORNERS - 0.5) * _find_scale(distortion, width, height)
    to_straight = _find_largest_crop(_map_points(turn, corners)) @ turn
    found = Straightening(to_straight, degrees if pose else 0.0, 1.0, distortion, lens_known)
    border = found._find_source(BORDER, width, height)
    kept = float(cv2.contourArea(border.astype(np.float32)))
    return replace(found, kept=kept) if kept >= MIN_KEPT else None


def _find_distortion(lines: PlumbLines, exif: bytes, width: int, height: int) -> tuple[Distortion | None, bool]:
    """The distortion to correct or None, and whether the lens is known.

    The edges decide, not the file: many cameras correct distortion themselves and still name the lens.
    """
    used = read_used_lens(exif)
    profile = None if used is None else find_profile(used, width, height)
    if profile is None:
        return lines.estimate(), False
    bends = abs(profile.corner) >= MIN_DISTORTION
    return (profile, True) if bends and lines.confirm(profile) else (None, False)


def _correct(segments: LineSegments, distortion: Distortion, width: int, height: int) -> LineSegments:
    unit, middle = float(np.hypot(width, height)) / 2, np.array([width, height]) / 2
    points = distortion.correct((segments.ends.reshape(-1, 2) - middle) / unit)
    return LineSegments((points * unit + middle).reshape(-1, 4), segments.weights, segments.axes)


def _distort(points: Points, width: int, height: int, distortion: Distortion | None) -> Points:
    """Where the lens shows points, both in units of width and height."""
    if distortion is None:
        return points
    unit = np.array([width, height]) / (np.hypot(width, height) / 2)
    return np.asarray(0.5 + distortion.distort((points - 0.5) * unit) / unit)


def _find_scale(distortion: Distortion | None, width: int, height: int) -> float:
    """How large a picture without distortion may be without showing anything beyond the edges of the photo."""
    low, high = 0.5, 1.5
    for _ in range(30):
        scale = (low + high) / 2
        seen = _distort(0.5 + (BORDER - 0.5) * scale, width, height, distortion)
        low, high = (scale, high) if np.abs(seen - 0.5).max() <= 0.5 else (low, scale)
    return low


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
    """The largest part of the turned picture with its aspect ratio, as the 3 x 3 map from the part to the whole.

    Its middle and scale solve a linear program with three unknowns: the best of all points where three constraints
    meet.
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
    moved = points @ matrix[:, :2].T + matrix[:, 2]
    return np.asarray(moved[..., :2] / moved[..., 2:])
