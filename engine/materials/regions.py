"""Where in the picture each renovation change works: the surface's share of each pixel, and its planes."""

import cv2
import numpy as np

from engine.arrays import Mask, Plane, plane
from engine.canvas import Declined
from engine.filters.morphology import erode
from engine.filters.smoothing import gaussian_blur, normalized_convolution
from engine.geometry.planes import number_planes
from engine.geometry.room import Room, Wall
from engine.geometry.seen_plane import SeenPlane, project_plane
from engine.geometry.surface import PLACE, Surface
from engine.materials.texture_mapping import SurfacePart
from engine.types.enhancements import ChangeType
from engine.types.report import Reason

SURFACES = {
    ChangeType.FLOOR: Surface.FLOOR,
    ChangeType.WALLS: Surface.WALL,
    ChangeType.CABINETS: Surface.CABINET,
    ChangeType.COUNTERTOPS: Surface.COUNTERTOP,
}
LEAST = {
    ChangeType.FLOOR: 0.01,
    ChangeType.WALLS: 0.01,
    ChangeType.CABINETS: 0.005,
    ChangeType.COUNTERTOPS: 0.002,
    ChangeType.BACKSPLASH: 0.002,
}
"""Least share of the picture that a surface must cover: a smaller one is not worth changing, and likely not
there.
"""
SHARPENED = (0.25, 0.75)
"""Shares that become 0 and 1 when the edges of a surface are sharpened."""
RIM = 6
"""Pixels along the picture's border in which no outline is judged."""
LEAST_OUTLINE = 50
"""Least number of pixels of an outline that is judged."""
BESIDE_EDGE = 2
"""Most pixels between an outline and the edge that it follows."""
_REACH = np.ones((2 * BESIDE_EDGE + 1,) * 2, np.uint8)
FAINT_EDGE = 0.02
"""Least step per pixel of an edge."""
MOST_UNCLEAR = 0.05
"""Most share of an outline that may follow no edge, except on floors."""
MOST_UNCLEAR_FLOOR = 0.08
"""Most share of a floor's outline that may follow no edge."""
TORN = (0.2, 0.8)
"""Shares of a surface between which a pixel is torn between surfaces; from the second on it is certain."""
MOST_TORN = 0.08
"""Most torn pixels per certain pixel, except on floors.

Of 92 results with up to 0.13 of an outline unclear, and any number of torn pixels, none was fit to sell: there was
paint on ceilings, curtains, glass and ovens.
"""
MOST_TORN_FLOOR = 0.2
"""Most torn pixels of a floor per certain pixel."""
COUNTER_HEIGHT, COUNTER_DEPTH = 0.91, 0.6
"""Usual height and depth of a countertop, in meters."""
MOST_SPLASH = 0.75
"""Most meters that a backsplash rises over its countertop, if no cabinet ends it before."""
GAP = 4
"""Most rows between a backsplash and its countertop or cabinet."""
EDGE = 5
"""Pixels along a surface's edge, beyond which a thing on the surface must reach."""
ODD = 0.15
"""Least difference of a thing's luminance from the surface around it."""
MOST_THINGS = 0.012
"""Most share of a surface that things cover; more of them are a pattern."""
TRIM = 0.2
"""Most meters that skirting and cornices reach from floor and ceiling."""
BESIDE_TRIM = 0.8
"""Meters from floor and ceiling up to which the wall beside them gives the wall's color."""
TRIM_APART = 0.07
"""Least difference of their color, gamma-coded, from the wall's color."""
UP, ALONG_X, AWAY = np.array([0.0, 0.0, 1.0]), np.array([1.0, 0.0, 0.0]), np.array([0.0, 1.0, 0.0])


def find_surface_share(kind: ChangeType, surfaces: Plane, room: Room | None) -> Plane:
    """The share of each pixel that shows the surface to be changed.

    Parameters
    ----------
    kind : ChangeType
        FLOOR, WALLS, CABINETS, COUNTERTOPS or BACKSPLASH.
    surfaces : (h, w, len(Surface)) ndarray of float32
        The share of each surface in each pixel, 0-1.
    room : Room or None
        With the camera of the small picture; bounds the height of a backsplash. None if it is not known.

    Returns
    -------
    (h, w) ndarray of float32
        0-1, with sharpened edges.

    Raises
    ------
    Declined
        SURFACE_NOT_FOUND, if there is almost nothing of it.
    """
    splash = kind is ChangeType.BACKSPLASH
    share = _backsplash(surfaces, room) if splash else surfaces[..., PLACE[SURFACES[kind]]]
    low, high = SHARPENED
    share = plane(np.clip((share - low) / (high - low), 0, 1))
    if float(share.mean()) < LEAST[kind]:
        raise Declined(Reason.SURFACE_NOT_FOUND, f"No {_NAMES[kind]} could be made out in this photo.")
    return share


def check_edges(kind: ChangeType, share: Plane, small: Plane, room: Room | None) -> None:
    """Refuse a surface whose outline often lies where the picture shows no edge.

    New paint that ends in the middle of a surface is worse than none. Corners of the measured room count as edges,
    even if the picture does not show them.

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
    outline[:RIM] = outline[-RIM:] = outline[:, :RIM] = outline[:, -RIM:] = False
    if np.count_nonzero(outline) < LEAST_OUTLINE:
        return
    smooth = cv2.GaussianBlur(small, (0, 0), 0.8)
    slopes = [np.abs(cv2.Sobel(smooth, cv2.CV_32F, *way, ksize=3)).max(2) / 8 for way in ((1, 0), (0, 1))]
    steepest = cv2.dilate(np.hypot(*slopes), _REACH)
    most = MOST_UNCLEAR_FLOOR if kind is ChangeType.FLOOR else MOST_UNCLEAR
    if float((steepest[outline] < FAINT_EDGE).mean()) > most:
        raise Declined(Reason.SURFACE_UNCLEAR, _unclear(kind))


def check_certainty(kind: ChangeType, surfaces: Plane) -> None:
    """Refuse a surface if too many pixels are torn between it and another surface.

    A backsplash is the wall over the countertop: it is as certain as the countertop.

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
    torn, certain = ((share > TORN[0]) & (share < TORN[1])).mean(), (share >= TORN[1]).mean()
    if torn > certain * (MOST_TORN_FLOOR if asked is ChangeType.FLOOR else MOST_TORN):
        raise Declined(Reason.SURFACE_UNCLEAR, _unclear(asked))


def _unclear(kind: ChangeType) -> str:
    return f"The edges of the {_NAMES[kind]} cannot be made out well enough in this photo."


_NAMES = {
    ChangeType.FLOOR: "floor",
    ChangeType.WALLS: "walls",
    ChangeType.CABINETS: "cabinets",
    ChangeType.COUNTERTOPS: "countertop",
    ChangeType.BACKSPLASH: "wall between countertop and cabinets",
}


def _backsplash(surfaces: Plane, room: Room | None) -> Plane:
    """Stretches of wall in each column that stand on a countertop and end under a cabinet, or below MOST_SPLASH."""
    wall = np.asarray(surfaces[..., PLACE[Surface.WALL]] > 0.5)
    top = np.asarray(surfaces[..., PLACE[Surface.COUNTERTOP]] > 0.3)
    # Things on the countertop hide where the wall meets it.
    things = surfaces[..., PLACE[Surface.CLUTTER]] + surfaces[..., PLACE[Surface.OTHER]]
    bridge = np.asarray(things > 0.4) & ~wall
    upper = np.asarray(surfaces[..., PLACE[Surface.CABINET]] > 0.4)
    high = _heights(surfaces.shape, room)
    found = np.zeros(wall.shape, np.bool_)
    stands = np.zeros(wall.shape[1], np.int32)
    for row in range(wall.shape[0] - 1, -1, -1):
        stands = np.where(top[row], GAP, np.where(wall[row] & (stands > 0), GAP, stands - 1 + bridge[row]))
        stands = np.where(upper[row], 0, stands)
        found[row] = wall[row] & (stands > 0)
    ended = _find_ended(found, upper)
    allowed = ended if high is None else ended | (high < COUNTER_HEIGHT + MOST_SPLASH)
    return plane(found & allowed)


def _find_ended(found: Mask, upper: Mask) -> Mask:
    """Which of the found pixels have a cabinet over them, with at most GAP rows of something else between."""
    result = np.zeros_like(found)
    near = np.zeros(found.shape[1], np.int32)
    for row in range(found.shape[0]):
        near = np.where(upper[row], GAP, np.where(found[row] & (near > 0), GAP, near - 1))
        result[row] = found[row] & (near > 0)
    return result


def _heights(shape: tuple[int, ...], room: Room | None) -> Plane | None:
    """Meters of each pixel of the walls above the floor; None if the room or its walls are not known."""
    if room is None or not room.walls:
        return None
    shares = split_walls(shape, room)
    whole = slice(0, shape[0]), slice(0, shape[1])
    heights = [project_wall(room, wall).find_spots(*whole).across for wall in room.walls]
    return plane(sum(share * height for share, height in zip(shares, heights, strict=True)))


def exclude_trim(share: Plane, small: Plane, room: Room) -> Plane:
    """Exclude skirting and cornices from walls: pixels near floor or ceiling that differ from the wall in color.

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
        The share without them; `share` itself if the room has no walls or too little of them is seen.
    """
    high = _heights(share.shape, room)
    if high is None:
        return share
    away = high if room.ceiling is None else plane(np.minimum(high, room.ceiling - high))
    beside = plane(share * ((away > TRIM) & (away < BESIDE_TRIM)))
    if float(beside.mean()) < LEAST[ChangeType.WALLS] / 4:
        return share
    wall = normalized_convolution(small, beside, 10.0)
    apart = np.abs(small - wall).max(-1)
    return plane(share * ~((away < TRIM) & (apart > TRIM_APART)))


def project_wall(room: Room, wall: Wall, before: float = 0.0) -> SeenPlane:
    """The plane of a wall, or one parallel to it, as the picture shows it.

    Parameters
    ----------
    room : Room
        Gives the camera.
    wall : Wall
        One of its walls.
    before : float, default 0.0
        Meters from the wall into the room.

    Returns
    -------
    SeenPlane
        Its meters are counted along the wall and up from the floor.
    """
    return project_plane(room.camera, wall.inward, wall.distance + before, wall.along, UP)


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
        One for each wall, 0 or 1; each pixel has 1 in exactly one of them, whatever the pixel shows.
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
        The parts, their planes as the full-size picture shows them.
    small : list of SurfacePart
        The same parts, their planes as the small picture shows them.

    Raises
    ------
    Declined
        SURFACE_NOT_FOUND, if a surface on walls is asked for and the room has no walls.
    """
    if room is None:
        return [SurfacePart(share, None)], [SurfacePart(share, None)]
    small = _small_parts(kind, share, room)
    scale = full[1] / share.shape[1]
    large = [SurfacePart(part.share, part.seen.rescale(scale) if part.seen else None) for part in small]
    return large, small


def _small_parts(kind: ChangeType, share: Plane, room: Room) -> list[SurfacePart]:
    if kind is ChangeType.FLOOR:
        return [SurfacePart(share, project_plane(room.camera, UP, 0.0, AWAY, ALONG_X))]
    if kind is ChangeType.COUNTERTOPS:
        return [SurfacePart(share, project_plane(room.camera, UP, COUNTER_HEIGHT, ALONG_X, AWAY))]
    if not room.walls:
        raise Declined(Reason.SURFACE_NOT_FOUND, "The walls of the room could not be measured in this photo.")
    reach = plane(gaussian_blur(share, 1.0) > 0)
    found = []
    for wall, own in zip(room.walls, split_walls(share.shape, room), strict=True):
        if kind is ChangeType.CABINETS:
            seen = project_plane(room.camera, wall.inward, wall.distance + COUNTER_DEPTH, UP, wall.along)
        else:
            seen = project_wall(room, wall)
        found.append(SurfacePart(plane(own * reach), seen))
    return [part for part in found if part.share.any()]


def find_things_on_surface(share: Plane, gray: Plane) -> Plane:
    """Find small things on a surface that are much darker or lighter than it: handles, sockets.

    Long dark lines are gaps between fronts, not things.

    Parameters
    ----------
    share : (h, w) ndarray of float32
        The share of each pixel that shows the surface, 0-1.
    gray : (h, w) ndarray of float32
        The picture's luminance, gamma-coded, 0-1.

    Returns
    -------
    (h, w) ndarray of float32
        1 where a thing may be, else 0; all 0 if there are so many things that they are a pattern.
    """
    side = max(share.shape)
    reach = max(5, side // 28) | 1
    inside = np.asarray(share > 0.5)
    mean = float(gray[inside].mean()) if inside.any() else 0.5
    usual = np.asarray(np.where(inside, gray, mean) * 255, np.uint8)
    calm = plane(cv2.medianBlur(usual, reach)) / np.float32(255)
    odd = inside & (np.abs(gray - calm) > ODD)
    count, labels, boxes, _ = cv2.connectedComponentsWithStats(odd.astype(np.uint8), connectivity=8)
    sizes = boxes[:, [cv2.CC_STAT_WIDTH, cv2.CC_STAT_HEIGHT]].max(1)
    # Mixed pixels along the surface's own edge are not things.
    deep = np.zeros(count, np.bool_)
    deep[labels[erode(inside, EDGE)]] = True
    # Handles and sockets fill their boxes; pieces of joints and lines do not.
    full = boxes[:, cv2.CC_STAT_AREA] > 0.3 * boxes[:, cv2.CC_STAT_WIDTH] * boxes[:, cv2.CC_STAT_HEIGHT]
    small = (sizes < 0.05 * side) & deep & full
    small[0] = False
    # More things than this are a pattern: tiles, boards.
    if float(small[labels].sum()) > MOST_THINGS * float(inside.sum()):
        small[:] = False
    return plane(cv2.dilate(small[labels].astype(np.uint8), np.ones((5, 5), np.uint8)))
