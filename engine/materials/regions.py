"""Finds the surface of each renovation change in the picture: its share of each pixel, and its planes."""

import cv2
import numpy as np

from engine.arrays import Mask, Plane, plane
from engine.canvas import Declined
from engine.filters.morphology import dilate
from engine.filters.smoothing import normalized_convolution
from engine.geometry.planes import number_planes
from engine.geometry.room import Room, Wall
from engine.geometry.seen_plane import SeenPlane, project_plane
from engine.geometry.surface import PLACE, Surface
from engine.materials.texture_mapping import SurfacePart
from engine.materials.unsure_surfaces import find_things, measure_continued
from engine.types.enhancements import ChangeType
from engine.types.report import Reason

SURFACES = {
    ChangeType.FLOOR: Surface.FLOOR,
    ChangeType.WALLS: Surface.WALL,
    ChangeType.CABINETS: Surface.CABINET,
    ChangeType.COUNTERTOPS: Surface.COUNTERTOP,
}
MIN_SHARES = {
    ChangeType.FLOOR: 0.01,
    ChangeType.WALLS: 0.01,
    ChangeType.CABINETS: 0.005,
    ChangeType.COUNTERTOPS: 0.002,
    ChangeType.BACKSPLASH: 0.002,
}
"""Least share of the picture that a surface must cover: smaller ones are not worth changing, and often mistakes."""
SHARPENED = (0.25, 0.75)
"""Shares that become 0 and 1 when the edges of a surface are sharpened."""
BORDER = 6
"""Width, in pixels, of the picture's border, where outlines are not checked."""
MIN_OUTLINE = 50
"""Least number of pixels of an outline that is checked."""
MAX_EDGE_DISTANCE = 2
"""Greatest distance, in pixels, between an outline and the edge that it follows."""
_REACH = np.ones((2 * MAX_EDGE_DISTANCE + 1,) * 2, np.uint8)
MIN_EDGE_STEP = 0.02
"""Least change from pixel to pixel that counts as an edge; gamma-coded, 0-1."""
MAX_UNCLEAR = 0.05
"""Greatest share of an outline without an edge, except on floors."""
MAX_UNCLEAR_FLOOR = 0.08
"""Greatest share of a floor's outline without an edge."""
MAX_CONTINUED = 0.16
"""Greatest share of a floor's outline with the same color on both sides."""
MAX_UNLIKE = 0.12
"""Greatest share of a floor with the colors and outlines of rugs and furniture."""
UNCERTAIN = (0.2, 0.8)
"""Shares of a surface in a pixel: between them the pixel is uncertain, from the second value on it is certain."""
MAX_UNCERTAIN = 0.08
"""Greatest number of uncertain pixels per certain pixel, except on floors.

Without this limit, and with MAX_UNCLEAR of 0.13, 92 results were made; none could be sold, because there was paint
on ceilings, curtains, glass and ovens.
"""
MAX_UNCERTAIN_FLOOR = 0.17
"""Greatest number of uncertain pixels per certain pixel of a floor."""
COUNTER_HEIGHT, COUNTER_DEPTH = 0.91, 0.6
"""Usual height and depth of a countertop, in meters."""
MAX_BACKSPLASH_HEIGHT = 0.75
"""Greatest height of a backsplash over its countertop, in meters, if no cabinet is above it."""
MAX_GAP_ROWS = 4
"""Greatest number of rows between a backsplash and its countertop or cabinet."""
MATTE_REACH = 8
"""Pixels by which the matte may reach beyond the share of a surface."""
MAX_TRIM_HEIGHT = 0.2
"""Greatest height of skirting and cornices, from floor or ceiling, in meters."""
WALL_SAMPLE_HEIGHT = 0.8
"""The wall's color is measured between MAX_TRIM_HEIGHT and this distance from floor or ceiling, in meters."""
MIN_TRIM_CONTRAST = 0.07
"""Least difference in color between trim and wall; gamma-coded, 0-1."""
UP, RIGHT, AHEAD = np.array([0.0, 0.0, 1.0]), np.array([1.0, 0.0, 0.0]), np.array([0.0, 1.0, 0.0])


def find_surface_share(kind: ChangeType, surfaces: Plane, room: Room | None) -> Plane:
    """The share of each pixel that shows the surface to be changed.

    Parameters
    ----------
    kind : ChangeType
        FLOOR, WALLS, CABINETS, COUNTERTOPS or BACKSPLASH.
    surfaces : (h, w, len(Surface)) ndarray of float32
        The share of each surface in each pixel, 0-1.
    room : Room or None
        With the camera of the small picture; limits the height of a backsplash. None if it is not known.

    Returns
    -------
    (h, w) ndarray of float32
        0-1, with sharpened edges.

    Raises
    ------
    Declined
        SURFACE_NOT_FOUND, if the surface covers less than MIN_SHARES.
    """
    splash = kind is ChangeType.BACKSPLASH
    share = _find_backsplash(surfaces, room) if splash else surfaces[..., PLACE[SURFACES[kind]]]
    low, high = SHARPENED
    share = plane(np.clip((share - low) / (high - low), 0, 1))
    if float(share.mean()) < MIN_SHARES[kind]:
        raise Declined(Reason.SURFACE_NOT_FOUND, explain_missing(kind))
    return share


def explain_missing(kind: ChangeType) -> str:
    """Explain to customers that a surface was not found.

    Parameters
    ----------
    kind : ChangeType
        FLOOR, WALLS, CABINETS, COUNTERTOPS or BACKSPLASH.

    Returns
    -------
    str
        One sentence.
    """
    return f"No {_NAMES[kind]} could be made out in this photo."


def check_edges(kind: ChangeType, share: Plane, small: Plane, room: Room | None) -> None:
    """Refuse a surface if the picture has no edge at much of its outline.

    There, new paint would end in the middle of a surface. Corners of the measured room count as edges, even if
    the picture does not show them.

    Parameters
    ----------
    kind : ChangeType
        FLOOR, WALLS, CABINETS, COUNTERTOPS or BACKSPLASH.
    share : (h, w) ndarray of float32
        The share of each pixel that shows the surface, 0-1.
    small : (h, w, 3) ndarray of float32
        The small picture, gamma-coded sRGB, 0-1.
    room : Room or None
        With the camera of the small picture; None if it is not known.

    Raises
    ------
    Declined
        SURFACE_UNCLEAR.
    """
    inside = np.asarray(share > 0.5).astype(np.uint8)
    outline = cv2.morphologyEx(inside, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)) > 0
    if room is not None:
        planes = number_planes(room, share.shape[1], share.shape[0])
        outline &= cv2.dilate(cv2.morphologyEx(planes, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)), _REACH) == 0
    outline[:BORDER] = outline[-BORDER:] = outline[:, :BORDER] = outline[:, -BORDER:] = False
    if np.count_nonzero(outline) < MIN_OUTLINE:
        return
    smooth = cv2.GaussianBlur(small, (0, 0), 0.8)
    slopes = [np.abs(cv2.Sobel(smooth, cv2.CV_32F, *way, ksize=3)).max(2) / 8 for way in ((1, 0), (0, 1))]
    steepest = cv2.dilate(np.hypot(*slopes), _REACH)
    most = MAX_UNCLEAR_FLOOR if kind is ChangeType.FLOOR else MAX_UNCLEAR
    if float((steepest[outline] < MIN_EDGE_STEP).mean()) > most:
        raise Declined(Reason.SURFACE_UNCLEAR, _explain_unclear(kind))


def check_floor(share: Plane, small: Plane) -> None:
    """Refuse a floor that goes on beyond its outline, or that rugs and furniture were taken for.

    Parameters
    ----------
    share : (h, w) ndarray of float32
        The share of each pixel that shows the floor, 0-1.
    small : (h, w, 3) ndarray of float32
        The small picture, gamma-coded sRGB, 0-1.

    Raises
    ------
    Declined
        SURFACE_UNCLEAR.
    """
    things = np.count_nonzero(find_things(share, small))
    if measure_continued(share, small) > MAX_CONTINUED or things > MAX_UNLIKE * np.count_nonzero(share > 0.5):
        raise Declined(Reason.SURFACE_UNCLEAR, _explain_unclear(ChangeType.FLOOR))


def check_certainty(kind: ChangeType, surfaces: Plane) -> None:
    """Refuse a surface if too many pixels may show it or another surface.

    A backsplash is the wall over the countertop: the countertop is checked instead.

    Parameters
    ----------
    kind : ChangeType
        FLOOR, WALLS, CABINETS, COUNTERTOPS or BACKSPLASH.
    surfaces : (h, w, len(Surface)) ndarray of float32
        The share of each surface in each pixel, 0-1.

    Raises
    ------
    Declined
        SURFACE_UNCLEAR.
    """
    asked = ChangeType.COUNTERTOPS if kind is ChangeType.BACKSPLASH else kind
    share = surfaces[..., PLACE[SURFACES[asked]]]
    uncertain, certain = ((share > UNCERTAIN[0]) & (share < UNCERTAIN[1])).mean(), (share >= UNCERTAIN[1]).mean()
    if uncertain > certain * (MAX_UNCERTAIN_FLOOR if asked is ChangeType.FLOOR else MAX_UNCERTAIN):
        raise Declined(Reason.SURFACE_UNCLEAR, _explain_unclear(asked))


def _explain_unclear(kind: ChangeType) -> str:
    return f"The edges of the {_NAMES[kind]} cannot be made out well enough in this photo."


_NAMES = {
    ChangeType.FLOOR: "floor",
    ChangeType.WALLS: "walls",
    ChangeType.CABINETS: "cabinets",
    ChangeType.COUNTERTOPS: "countertop",
    ChangeType.BACKSPLASH: "wall between countertop and cabinets",
}


def _find_backsplash(surfaces: Plane, room: Room | None) -> Plane:
    """Find the wall above countertops: up to a cabinet, or up to MAX_BACKSPLASH_HEIGHT."""
    wall = np.asarray(surfaces[..., PLACE[Surface.WALL]] > 0.5)
    top = np.asarray(surfaces[..., PLACE[Surface.COUNTERTOP]] > 0.3)
    # Things on the countertop hide where the wall meets it.
    things = surfaces[..., PLACE[Surface.CLUTTER]] + surfaces[..., PLACE[Surface.OTHER]]
    bridge = np.asarray(things > 0.4) & ~wall
    upper = np.asarray(surfaces[..., PLACE[Surface.CABINET]] > 0.4)
    high = measure_heights(surfaces.shape, room)
    found = np.zeros(wall.shape, np.bool_)
    # For each column, from the bottom up: the rows that may still follow between the countertop and the wall.
    stands = np.zeros(wall.shape[1], np.int32)
    for row in range(wall.shape[0] - 1, -1, -1):
        stands = np.where(
            top[row], MAX_GAP_ROWS, np.where(wall[row] & (stands > 0), MAX_GAP_ROWS, stands - 1 + bridge[row])
        )
        stands = np.where(upper[row], 0, stands)
        found[row] = wall[row] & (stands > 0)
    ended = _find_ended(found, upper)
    allowed = ended if high is None else ended | (high < COUNTER_HEIGHT + MAX_BACKSPLASH_HEIGHT)
    return plane(found & allowed)


def _find_ended(found: Mask, upper: Mask) -> Mask:
    """Which of the found pixels are below a cabinet, with at most MAX_GAP_ROWS other rows between."""
    result = np.zeros_like(found)
    near = np.zeros(found.shape[1], np.int32)
    for row in range(found.shape[0]):
        near = np.where(upper[row], MAX_GAP_ROWS, np.where(found[row] & (near > 0), MAX_GAP_ROWS, near - 1))
        result[row] = found[row] & (near > 0)
    return result


def measure_heights(shape: tuple[int, ...], room: Room | None) -> Plane | None:
    """Measure the height above the floor of each pixel on the walls.

    Parameters
    ----------
    shape : tuple of int
        Height and width of the small picture, in pixels.
    room : Room or None
        With the camera of the small picture.

    Returns
    -------
    (h, w) ndarray of float32, or None
        In meters; None if the room or its walls are not known.
    """
    if room is None or not room.walls:
        return None
    shares = split_walls(shape, room)
    whole = slice(0, shape[0]), slice(0, shape[1])
    heights = [project_wall(room, wall).find_spots(*whole).across for wall in room.walls]
    return plane(sum(share * height for share, height in zip(shares, heights, strict=True)))


def exclude_trim(share: Plane, small: Plane, room: Room) -> Plane:
    """Exclude skirting and cornices from walls: pixels near floor or ceiling whose color differs from the wall.

    Parameters
    ----------
    share : (h, w) ndarray of float32
        The share of each pixel that shows wall, 0-1.
    small : (h, w, 3) ndarray of float32
        The small picture, gamma-coded sRGB, 0-1.
    room : Room
        With the camera of the small picture.

    Returns
    -------
    (h, w) ndarray of float32
        The share without them; `share` itself if the room has no walls or the picture shows too little of them.
    """
    high = measure_heights(share.shape, room)
    if high is None:
        return share
    away = high if room.ceiling is None else plane(np.minimum(high, room.ceiling - high))
    beside = plane(share * ((away > MAX_TRIM_HEIGHT) & (away < WALL_SAMPLE_HEIGHT)))
    if float(beside.mean()) < MIN_SHARES[ChangeType.WALLS] / 4:
        return share
    wall = normalized_convolution(small, beside, 10.0)
    apart = np.abs(small - wall).max(-1)
    return plane(share * ~((away < MAX_TRIM_HEIGHT) & (apart > MIN_TRIM_CONTRAST)))


def project_wall(room: Room, wall: Wall, distance: float = 0.0) -> SeenPlane:
    """Project the plane of a wall, or a parallel plane, into the picture.

    Parameters
    ----------
    room : Room
        Gives the camera.
    wall : Wall
        One of its walls.
    distance : float, default 0.0
        Meters from the wall into the room to a parallel plane.

    Returns
    -------
    SeenPlane
        Its coordinates are meters along the wall and meters above the floor.
    """
    return project_plane(room.camera, wall.inward, wall.distance + distance, wall.along, UP)


def split_walls(shape: tuple[int, ...], room: Room) -> list[Plane]:
    """Split a picture by the wall that each pixel looks at.

    Parameters
    ----------
    shape : tuple of int
        Of the picture, height and width first.
    room : Room
        With at least one wall and the camera of the picture.

    Returns
    -------
    list of (h, w) ndarrays of float32
        One for each wall, 0 or 1; each pixel has 1 in exactly one of them, even if it does not show a wall.
    """
    whole = slice(0, shape[0]), slice(0, shape[1])
    over = []
    for wall in room.walls:
        spots = project_wall(room, wall).find_spots(*whole)
        begin = float(np.array(wall.start) @ wall.along[:2])
        place = spots.along - begin
        beyond = np.maximum(np.maximum(-place, place - wall.length), 0)
        over.append(np.where(spots.in_front > 0, beyond, np.float32(1e6)))
    nearest = np.argmin(np.stack(over), axis=0)
    return [plane(nearest == number) for number in range(len(room.walls))]


def split_into_planes(
    kind: ChangeType, share: Plane, room: Room | None, full: tuple[int, ...]
) -> tuple[list[SurfacePart], list[SurfacePart]]:
    """Split a surface into the planes that it lies in.

    Parameters
    ----------
    kind : ChangeType
        FLOOR, WALLS, CABINETS, COUNTERTOPS or BACKSPLASH.
    share : (h, w) ndarray of float32
        The share of each pixel that shows the surface, 0-1.
    room : Room or None
        With the camera of the small picture; None gives one part without a plane.
    full : tuple of int
        Shape of the full-size picture, height and width first.

    Returns
    -------
    large : list of SurfacePart
        The parts, with their planes projected into the full-size picture.
    small : list of SurfacePart
        The same parts, with their planes projected into the small picture.

    Raises
    ------
    Declined
        SURFACE_NOT_FOUND, if a surface on walls is asked for and the room has no walls.
    """
    if room is None:
        everywhere = SurfacePart(plane(np.ones_like(share)), None)
        return [everywhere], [everywhere]
    small = _split_small(kind, share, room)
    scale = full[1] / share.shape[1]
    large = [SurfacePart(part.share, part.seen.rescale(scale) if part.seen else None) for part in small]
    return large, small


def _split_small(kind: ChangeType, share: Plane, room: Room) -> list[SurfacePart]:
    # The matte may reach beyond the share: the material has to reach farther.
    everywhere = plane(np.ones_like(share))
    if kind is ChangeType.FLOOR:
        return [SurfacePart(everywhere, project_plane(room.camera, UP, 0.0, AHEAD, RIGHT))]
    if kind is ChangeType.COUNTERTOPS:
        return [SurfacePart(everywhere, project_plane(room.camera, UP, COUNTER_HEIGHT, RIGHT, AHEAD))]
    if not room.walls:
        raise Declined(Reason.SURFACE_NOT_FOUND, "The walls of the room could not be measured in this photo.")
    reach = plane(dilate(np.asarray(share > 0), MATTE_REACH))
    found = []
    for wall, own in zip(room.walls, split_walls(share.shape, room), strict=True):
        if kind is ChangeType.CABINETS:
            seen = project_plane(room.camera, wall.inward, wall.distance + COUNTER_DEPTH, UP, wall.along)
        else:
            seen = project_wall(room, wall)
        found.append(SurfacePart(plane(own * reach), seen))
    return [part for part in found if part.share.any()]
