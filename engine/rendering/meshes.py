"""Solids as triangles in meters: rounded blocks, cushions, turned and swept shapes, slabs and cloth.

Each solid stands on the origin or is centered there, with z up. Edges are rounded, so that they reflect light as
real edges do.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float64]
Vector = Sequence[float] | Values
EPSILON = 1e-6
"""Least divisor, so that nothing is divided by 0."""


@dataclass(frozen=True, eq=False, slots=True)
class Mesh:
    """Triangles: the `points` of their corners in meters, the `normals` there (both count x 3 x 3), and the texture
    coordinates `uv` (count x 3 x 2)."""

    points: Values
    normals: Values
    uv: Values

    def translate(self, x: float = 0.0, y: float = 0.0, z: float = 0.0) -> "Mesh":
        """The mesh, shifted.

        Parameters
        ----------
        x, y, z : float, default 0.0
            Meters.

        Returns
        -------
        Mesh
            A new mesh; its texture moves with it.
        """
        return Mesh(self.points + np.array([x, y, z]), self.normals, self.uv)

    def scale_by(self, scale: float) -> "Mesh":
        """The mesh, scaled about the origin, texture coordinates too.

        Parameters
        ----------
        scale : float
            Factor on all lengths.

        Returns
        -------
        Mesh
            A new mesh.
        """
        return Mesh(self.points * scale, self.normals, self.uv * scale)

    def rotate(self, angle: float, axis: str = "z") -> "Mesh":
        """The mesh, turned about an axis through the origin.

        Parameters
        ----------
        angle : float
            Radians, counterclockwise seen from the tip of the axis.
        axis : {"x", "y", "z"}, default "z"
            The axis.

        Returns
        -------
        Mesh
            A new mesh; its texture turns with it.
        """
        first, second = {"x": (1, 2), "y": (2, 0), "z": (0, 1)}[axis]
        turn = np.eye(3)
        turn[first, first] = turn[second, second] = np.cos(angle)
        turn[first, second], turn[second, first] = -np.sin(angle), np.sin(angle)
        return Mesh(self.points @ turn.T, self.normals @ turn.T, self.uv)

    @property
    def low(self) -> Values:
        """The smallest x, y and z."""
        return np.asarray(self.points.reshape(-1, 3).min(0))

    @property
    def high(self) -> Values:
        """The largest x, y and z."""
        return np.asarray(self.points.reshape(-1, 3).max(0))


def join_meshes(meshes: Sequence[Mesh]) -> Mesh:
    """Several meshes as one.

    Parameters
    ----------
    meshes : Sequence of Mesh
        At least one.

    Returns
    -------
    Mesh
        The triangles of all meshes, in the same order.
    """
    return Mesh(
        np.concatenate([mesh.points for mesh in meshes]),
        np.concatenate([mesh.normals for mesh in meshes]),
        np.concatenate([mesh.uv for mesh in meshes]),
    )


def build_block(
    size: Vector, edge: float = 0.006, puff: Vector = (0, 0, 0), wrinkle: float = 0.0, seed: int = 0, arcs: int = 3
) -> Mesh:
    """A box with rounded edges that stands on z = 0, its middle over the origin.

    Parameters
    ----------
    size : Sequence of float
        Extents along x, y and z, meters.
    edge : float, default 0.006
        Radius of the rounded edges, meters; at most 0.98 of half the shortest side.
    puff : Sequence of float, default (0, 0, 0)
        Meters by which filling bulges the middle of each side, including the bottom, along x, y and z.
    wrinkle : float, default 0.0
        Height of the folds of a soft surface, as a share of their length; 0 for no folds.
    seed : int, default 0
        Seed of the folds.
    arcs : int, default 3
        Segments of half of a rounded edge.

    Returns
    -------
    Mesh
        The texture's first direction runs along the longest side.
    """
    half = np.array(size) / 2
    edge = min(edge, *(half * 0.98))
    soft = any(puff) or wrinkle > 0
    axes = [_list_stations(each, edge, arcs, 9 if soft else 1) for each in half]
    points, faces = _build_hull(axes)
    inner = np.clip(points, -(half - edge), half - edge)
    out = points - inner
    length = np.linalg.norm(out, axis=1, keepdims=True)
    points = inner + out / np.maximum(length, EPSILON) * edge
    if soft:
        points = _puff_up(points, half, np.array(puff), wrinkle, seed)
    points[:, 2] += half[2]
    return shade_triangles(points[faces], int(np.argmax(size)))


def _list_stations(half: float, edge: float, arcs: int, cells: int) -> Values:
    """Coordinates along one axis of a rounded box at which its surface has points."""
    # Points are spaced by tangents, so that they lie at equal angles after projection onto the rounded edge.
    bend = edge * (1 - np.tan(np.linspace(np.pi / 4, 0, arcs + 1)))
    flat = np.linspace(-(half - edge), half - edge, cells + 1)[1:-1]
    return np.concatenate([-half + bend, flat, half - bend[::-1]])


def _build_hull(axes: list[Values]) -> tuple[Values, NDArray[np.intp]]:
    """Points and triangles of the six sides of a box with these stations along x, y and z."""
    points: list[Values] = []
    faces: list[NDArray[np.intp]] = []
    count = 0
    for axis in range(3):
        across, along = (axis + 1) % 3, (axis + 2) % 3
        first, second = np.meshgrid(axes[across], axes[along], indexing="ij")
        for side in (0, -1):
            grid = np.empty((*first.shape, 3))
            grid[..., axis], grid[..., across], grid[..., along] = axes[axis][side], first, second
            faces.append(_triangulate_grid(first.shape, count, flipped=side == 0))
            points.append(grid.reshape(-1, 3))
            count += first.size
    return np.concatenate(points), np.concatenate(faces)


def _triangulate_grid(shape: tuple[int, ...], first: int = 0, *, flipped: bool = False) -> NDArray[np.intp]:
    """Two triangles for each cell of a grid of points; `first` is the index of the grid's first point."""
    at = np.arange(shape[0] * shape[1]).reshape(shape) + first
    a, b, c, d = at[:-1, :-1].ravel(), at[1:, :-1].ravel(), at[1:, 1:].ravel(), at[:-1, 1:].ravel()
    faces = np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)])
    return np.asarray(faces[:, ::-1] if flipped else faces, dtype=np.intp)


def _puff_up(points: Values, half: Values, puff: Values, wrinkle: float, seed: int) -> Values:
    """The points of a box, bulged outward by filling, with random folds."""
    share = points / half
    room = 1 - np.clip(np.abs(share), 0, 1) ** 2.2
    points = points.copy()
    for axis in range(3):
        others = room[:, (axis + 1) % 3] * room[:, (axis + 2) % 3]
        points[:, axis] += np.sign(share[:, axis]) * np.abs(share[:, axis]) * puff[axis] * others**0.6
    if wrinkle:
        rng = np.random.Generator(np.random.PCG64(seed))
        for length in (0.5, 0.23, 0.12):  # meters
            directions = rng.normal(0, 1, (3, 3))
            wave = np.sin(points @ directions.T * (4.0 / length / np.sqrt(3)) + rng.uniform(0, 6.3, 3)).sum(1)
            points += (wave * wrinkle * length)[:, None] * share * np.array([0.5, 0.5, 1.0])
    return points


def shade_triangles(triangles: Values, grain: int = 0, crease: float = 50.0) -> Mesh:
    """Add normals, smooth except at sharp edges, and texture coordinates to triangles.

    Parameters
    ----------
    triangles : (N, 3, 3) ndarray of float64
        Corners, counterclockwise seen from outside, meters; triangles without area are left out.
    grain : int, default 0
        Axis of the first texture coordinate, on surfaces along this axis; 0, 1, 2 for x, y, z.
    crease : float, default 50.0
        Degrees: a corner keeps its triangle's own normal if the smooth normal differs by more.

    Returns
    -------
    Mesh
        Texture coordinates are meters.
    """
    points = np.asarray(triangles, float)
    flat = np.cross(points[:, 1] - points[:, 0], points[:, 2] - points[:, 0])
    size = np.linalg.norm(flat, axis=1)
    points, flat, size = points[size > 1e-12], flat[size > 1e-12], size[size > 1e-12]
    # Corners closer than about 0.05 mm are the same point; its three coordinates are packed into one number.
    keys = np.round(points.reshape(-1, 3) * 2e4).astype(np.int64)
    packed = (keys[:, 0] * 2_000_003 + keys[:, 1]) * 2_000_003 + keys[:, 2]
    _, where = np.unique(packed, return_inverse=True)
    sums: Values = np.stack([np.bincount(where, np.repeat(each, 3)) for each in flat.T], 1)
    smooth = sums[where].reshape(-1, 3, 3)
    smooth /= np.maximum(np.linalg.norm(smooth, axis=2, keepdims=True), EPSILON)
    own = (flat / size[:, None])[:, None]
    sharp = (smooth * own).sum(2, keepdims=True) < np.cos(np.radians(crease))
    return Mesh(points, np.where(sharp, own, smooth), _map_texture(points, own[:, 0], grain))


def _map_texture(points: Values, normals: Values, grain: int) -> Values:
    """Texture coordinates of triangles, each projected along the axis nearest to its normal.

    They are the coordinates along the other two axes. The axis `grain` comes first, if it is one of these two.
    """
    places = np.empty((len(points), 3, 2))
    nearest_axes = np.argmax(np.abs(normals), 1)
    for dropped in range(3):
        second, first = sorted({0, 1, 2} - {dropped}, key=lambda axis: axis == grain)
        chosen = nearest_axes == dropped
        places[chosen] = points[chosen][:, :, [first, second]]
    return places


def build_lathed(profile: Sequence[Vector], sides: int = 28, squash: float = 1.0) -> Mesh:
    """A solid of revolution about the z axis.

    Parameters
    ----------
    profile : Sequence of (float, float)
        Radius and height of each point, meters; outer surfaces from the bottom up, inner surfaces from the top
        down.
    sides : int, default 28
        Segments of the circle.
    squash : float, default 1.0
        Factor on y; with any value except 1, the section is an ellipse.

    Returns
    -------
    Mesh
        Open at the ends unless the profile starts and ends at radius 0.
    """
    line = np.array(profile, float)
    angles = np.linspace(0, 2 * np.pi, sides + 1)
    ring = np.stack([np.cos(angles), np.sin(angles) * squash], 1)
    points = np.empty((len(line), sides + 1, 3))
    points[..., :2] = line[:, None, :1] * ring
    points[..., 2] = line[:, 1:]
    return shade_triangles(points.reshape(-1, 3)[_triangulate_grid(points.shape[:2], flipped=True)], 2, 40)


def build_swept(
    path: Sequence[Vector] | Values, radius: float | Vector, sides: int = 10, flat: float = 1.0
) -> Mesh:
    """A rod along a path, closed at both ends.

    Parameters
    ----------
    path : (N, 3) array_like of float
        Points along its middle, meters.
    radius : float or Sequence of float
        Meters, one for the whole rod or one for each point.
    sides : int, default 10
        Segments of the rod's section.
    flat : float, default 1.0
        Factor on the rod's horizontal width; where the path is nearly upright, on its width along y.

    Returns
    -------
    Mesh
        The texture's first direction runs along z.
    """
    line = np.array(path, float)
    along = np.gradient(line, axis=0)
    along /= np.maximum(np.linalg.norm(along, axis=1, keepdims=True), EPSILON)
    helper = np.where(np.abs(along[:, 2:]) < 0.9, [[0.0, 0.0, 1.0]], [[1.0, 0.0, 0.0]])
    across = np.cross(helper, along)
    across /= np.maximum(np.linalg.norm(across, axis=1, keepdims=True), EPSILON)
    up = np.cross(along, across)
    angles = np.linspace(0, 2 * np.pi, sides + 1)
    thick = np.broadcast_to(np.asarray(radius, float), len(line))[:, None, None]
    ring = across[:, None] * np.cos(angles)[None, :, None] * flat + up[:, None] * np.sin(angles)[None, :, None]
    points = line[:, None] + ring * thick
    ends = [np.broadcast_to(line[end], points[end].shape)[None] for end in (0, -1)]
    points = np.concatenate([ends[0], points, ends[1]])
    return shade_triangles(points.reshape(-1, 3)[_triangulate_grid(points.shape[:2], flipped=True)], 2)


def build_slab(outline: Values, thickness: float, edge: float = 0.004) -> Mesh:
    """A plate with rounded edges that stands on z = 0.

    Parameters
    ----------
    outline : (N, 2) ndarray of float64
        Corners, counterclockwise, star-shaped about their mean, meters.
    thickness : float
        Meters.
    edge : float, default 0.004
        Radius of the rounded edges, meters.

    Returns
    -------
    Mesh
        The texture's first direction runs along the longer side.
    """
    middle = outline.mean(0)
    reach = np.linalg.norm(outline - middle, axis=1).mean()
    bend = np.linspace(0, np.pi / 2, 4)
    inset = edge * (1 - np.sin(bend)) / reach
    low = edge * (1 - np.cos(bend))
    rings = [(1.0, 0.0), *zip(inset, low, strict=True)]
    rings += [(each, thickness - z) for each, z in zip(inset[::-1], low[::-1], strict=True)] + [(1.0, thickness)]
    closed = np.concatenate([outline, outline[:1]])
    points = np.empty((len(rings), len(closed), 3))
    for number, (share, z) in enumerate(rings):
        points[number, :, :2] = middle + (closed - middle) * (1 - share)
        points[number, :, 2] = z
    longest = int(np.argmax(np.ptp(outline, axis=0)))
    return shade_triangles(points.reshape(-1, 3)[_triangulate_grid(points.shape[:2], flipped=True)], longest, 40)


def outline_rounded_rectangle(width: float, depth: float, radius: float, arcs: int = 8) -> Values:
    """The outline of a rectangle with round corners about the origin.

    Parameters
    ----------
    width, depth : float
        Extents along x and y, meters.
    radius : float
        Radius of the corners, meters; limited to half the shorter side.
    arcs : int, default 8
        Points of each corner.

    Returns
    -------
    (4 * arcs, 2) ndarray of float64
        Points, counterclockwise, meters.
    """
    radius = min(radius, width / 2 - EPSILON, depth / 2 - EPSILON)
    bend = np.linspace(0, np.pi / 2, arcs)
    corners = [(1, 1, 0.0), (-1, 1, 0.5), (-1, -1, 1.0), (1, -1, 1.5)]
    return np.concatenate(
        [
            np.column_stack(
                [
                    x * (width / 2 - radius) + radius * np.cos(bend + turn * np.pi),
                    y * (depth / 2 - radius) + radius * np.sin(bend + turn * np.pi),
                ]
            )
            for x, y, turn in corners
        ]
    )


def outline_oval(width: float, depth: float, sides: int = 48, power: float = 2.0) -> Values:
    """The outline of a superellipse about the origin.

    Parameters
    ----------
    width, depth : float
        Extents along x and y, meters.
    sides : int, default 48
        Number of points.
    power : float, default 2.0
        Exponent: 2 gives an ellipse, a larger exponent a shape closer to a rectangle.

    Returns
    -------
    (sides, 2) ndarray of float64
        Points, counterclockwise, meters.
    """
    angles = np.linspace(0, 2 * np.pi, sides, endpoint=False)
    across, along = np.cos(angles), np.sin(angles)
    bent = [np.sign(each) * np.abs(each) ** (2 / power) for each in (across, along)]
    return np.column_stack([bent[0] * width / 2, bent[1] * depth / 2])


def build_pillow(width: float, height: float, thick: float, seed: int = 0) -> Mesh:
    """A loose cushion, centered on the origin: two sheets sewn together, with pointed corners, a little uneven.

    Parameters
    ----------
    width, height : float
        Extents along x and y at the corners, meters.
    thick : float
        Extent along z in the middle, meters; the unevenness changes it by up to about a tenth.
    seed : int, default 0
        Seed of the unevenness.

    Returns
    -------
    Mesh
        The cushion.
    """
    steps = np.sin(np.linspace(-np.pi / 2, np.pi / 2, 15))
    u, v = np.meshgrid(steps, steps, indexing="ij")
    rng = np.random.Generator(np.random.PCG64(seed))
    dents = rng.uniform(0, 6.3, 4)
    swell = ((1 - u**2) * (1 - v**2)) ** 0.42
    swell *= 1 + 0.07 * np.sin(3 * u + dents[0]) * np.sin(2.5 * v + dents[1]) + 0.04 * np.sin(7 * u * v + dents[2])
    x = u * width / 2 * (1 - 0.07 * (1 - v**2))
    y = v * height / 2 * (1 - 0.07 * (1 - u**2))
    sheets = [np.stack([x, y, side * swell * thick / 2], -1).reshape(-1, 3) for side in (1, -1)]
    faces = [
        sheet[_triangulate_grid(u.shape, flipped=side)] for sheet, side in zip(sheets, (False, True), strict=True)
    ]
    return shade_triangles(np.concatenate(faces), 0, 100)


def build_sheet(width: int, length: int, place: Callable[[Values, Values], Values], thick: float) -> Mesh:
    """A sheet of cloth of some thickness.

    Parameters
    ----------
    width, length : int
        Points of the grid along the first and the second share.
    place : callable
        Takes two arrays (width, length) of shares of 0-1 and returns the points (width, length, 3) of the upper
        side, meters.
    thick : float
        Meters from the upper side to the lower.

    Returns
    -------
    Mesh
        Both sides and the rim.
    """
    u, v = np.meshgrid(np.linspace(0, 1, width), np.linspace(0, 1, length), indexing="ij")
    upper = place(u, v)
    across, along = np.gradient(upper, axis=0), np.gradient(upper, axis=1)
    normal = np.cross(across, along)
    normal /= np.maximum(np.linalg.norm(normal, axis=2, keepdims=True), EPSILON)
    lower = upper - normal * thick
    triangles = [
        upper.reshape(-1, 3)[_triangulate_grid(u.shape)],
        lower.reshape(-1, 3)[_triangulate_grid(u.shape, flipped=True)],
    ]
    for rim, under, flipped in (
        (upper[0], lower[0], False),
        (upper[-1], lower[-1], True),
        (upper[:, 0], lower[:, 0], True),
        (upper[:, -1], lower[:, -1], False),
    ):
        both = np.stack([under, rim])
        triangles.append(both.reshape(-1, 3)[_triangulate_grid(both.shape[:2], flipped=flipped)])
    return shade_triangles(np.concatenate(triangles), 0, 60)
