"""Faults planted in good results of the steps that work inside rooms, each as strong as a customer would notice.

What a fault changes counts as part of what the step was free to change: only the figures of rooms can see it.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.geometry.camera import Camera
from engine.geometry.faces import list_faces
from engine.geometry.surface import PLACE, Surface
from engine.types.enhancements import Enhancement
from engine.types.report import Reason
from tests.engine import faults
from tests.engine.lived_rooms import view
from tests.engine.room_results import RoomResult
from tests.engine.seeded_rooms import Hole
from tests.scenes import Picture

Values = NDArray[np.float32]
Fault = Callable[[RoomResult], Picture | None]
"""From a good result to a faulty one; None where the room has no place for the fault."""
DOOR_WIDE, DOOR_HIGH = 0.9, 2.05
LEAST_VIEW = 0.003
"""The share of the picture in which another view must show."""
LEAST_SEEN = 0.6
"""The share of a planted door, window or view that must be in sight."""


@dataclass(frozen=True, slots=True)
class Planted:
    """A fault of a kind, in words how strong it is, the reasons a report may give for it, and where it happens."""

    kind: str
    plant: Fault
    strength: str
    reasons: tuple[Reason, ...]
    steps: tuple[Enhancement, ...] = (Enhancement.FURNITURE_REMOVAL, Enhancement.STAGING, Enhancement.RENOVATION)


def added_door(style: str) -> Fault:
    """A door painted on the first stretch of bare wall that is wide enough, behind what stands there."""

    def plant(result: RoomResult) -> Picture | None:
        room, front = result.scene.room, _in_front(result)
        wall_share = result.scene.surfaces[..., PLACE[Surface.WALL]]
        best: tuple[float, NDArray[np.float64], float] | None = None
        for number, wall in enumerate(room.walls):
            turn = list_faces(room)[number + 1].compute_homography(room)
            for left in np.arange(0.3, wall.length - DOOR_WIDE - 0.3, 0.3):
                corners = _corners(turn, Hole(Surface.DOOR, number, left, left + DOOR_WIDE, 0, DOOR_HIGH))
                mask = _filled(corners, front.shape)
                if corners is None or mask.sum() < 0.012 * mask.size:
                    continue
                seen = float((mask * wall_share * (1 - front)).sum()) / cv2.contourArea(corners.astype(np.float32))
                if best is None or seen > best[0]:
                    best = seen, corners, mask.sum()
        if best is None or best[0] < LEAST_SEEN:
            return None
        return _behind(result, _warped(_door_picture(style), best[1], front.shape), front)

    return plant


def _door_picture(style: str) -> Picture:
    wide, high = 180, 410
    tone = (236, 234, 228) if style == "panelled" else (140, 98, 62)
    door = np.full((high, wide, 4), (*tone, 255), np.uint8)
    leaf = (186, 182, 174) if style == "panelled" else (122, 82, 50)
    cv2.rectangle(door, (14, 16), (wide - 15, high), (*leaf, 255), -1)
    if style == "panelled":
        for top, bottom in ((40, 190), (220, 380)):
            cv2.rectangle(door, (40, top), (wide - 41, bottom), (150, 146, 138, 255), 3)
    cv2.circle(door, (30, 215), 5, (60, 58, 54, 255), -1, cv2.LINE_AA)
    return door


def moved(share: float, surface: Surface) -> Fault:
    """A window or door moved sideways by this share of the picture's width, wall where it was."""

    def plant(result: RoomResult) -> Picture | None:
        found = _best_opening(result, surface)
        if found is None:
            return None
        height, width = result.pixels.shape[:2]
        by = round(share * width)
        mask = cv2.dilate(found.astype(np.uint8), np.ones((9, 9), np.uint8))
        columns = np.flatnonzero(mask.any(0))
        by = by if columns[-1] + by < width - 4 else -by
        if columns[0] + by < 4:
            return None
        place = np.array(((1, 0, by), (0, 1, 0)), np.float32)
        there = cv2.warpAffine(mask, place, (width, height)) > 0
        wall = cv2.inpaint(result.pixels, mask, 5, cv2.INPAINT_TELEA)
        there_soft = cv2.GaussianBlur(there.astype(np.float32), (0, 0), 1.0)[..., None]
        window = cv2.warpAffine(result.pixels, place, (width, height))
        return _bytes(wall * (1 - there_soft) + window * there_soft)

    return plant


def _best_opening(result: RoomResult, surface: Surface) -> NDArray[np.bool_] | None:
    """The largest window or door that is whole in sight, nothing before it."""
    share = (result.scene.surfaces[..., PLACE[surface]] > 0.5).astype(np.uint8)
    count, parts, stats, _ = cv2.connectedComponentsWithStats(share)
    front = _in_front(result)
    for number in sorted(range(1, count), key=lambda each: -stats[each, cv2.CC_STAT_AREA]):
        left, _, wide, _, area = stats[number]
        mask = parts == number
        inside = left > 2 and left + wide < share.shape[1] - 2
        if inside and area > 0.006 * mask.size and front[mask].mean() < 0.08:
            return np.asarray(mask)
    return None


def changed_view(strength: str) -> Fault:
    """What is outside another (`other`), or night (`night`), or taken away (`white`), in every window in sight."""

    def plant(result: RoomResult) -> Picture | None:
        done, planted = result.pixels, False
        front = _in_front(result)
        for hole in result.holes:
            if hole.kind is not Surface.WINDOW:
                continue
            room = result.scene.room
            corners = _corners(list_faces(room)[hole.wall + 1].compute_homography(room), hole)
            mask = _filled(corners, front.shape) * (result.scene.surfaces[..., PLACE[Surface.WINDOW]] > 0.5)
            if (
                corners is None
                or mask.sum() < 0.006 * mask.size
                or (mask * (1 - front)).sum() < LEAST_SEEN * mask.sum()
            ):
                continue
            outside = _warped(_window_picture(strength, hole, result.name), corners, front.shape)
            outside[..., 3] = (outside[..., 3] * mask).astype(np.uint8)
            done, planted = _laid(done, outside, 1 - front), True
        # Where bars and frame are all that is in sight, nothing can be seen to change.
        changed = (np.abs(done.astype(np.float32) - result.pixels).max(-1) > 10).mean()
        return done if planted and changed > LEAST_VIEW else None

    return plant


def _window_picture(strength: str, hole: Hole, name: str) -> Picture:
    """Another view with the same frame and bars left out."""
    side = 256
    seen = view(sum(name.encode()) + 500, side)
    if strength == "night":
        seen = (seen * np.array((0.10, 0.13, 0.24))).astype(np.uint8)
    if strength == "white":
        seen = np.full_like(seen, 252)
    y, x = np.mgrid[0:side, 0:side].astype(np.float32) / side
    wide, high = hole.right - hole.left, hole.high - hole.low
    across, up = x * wide, (1 - y) * high
    frame = np.minimum(np.minimum(across, wide - across), np.minimum(up, high - up)) < 0.06
    bars = (np.abs(across - wide / 2) < 0.022) | (np.abs(up - 0.62 * high) < 0.022)
    return np.dstack([seen, np.where(frame | bars, 0, 255).astype(np.uint8)])


def floating(meters: float, *, shadow: bool) -> Fault:
    """All that stands on the floor lifted by so much, the floor of the photo below it; its shadow kept or not."""

    def plant(result: RoomResult) -> Picture | None:
        standing = result.standing
        if standing.max() < 0.5:
            return None
        under = _bare(result) if shadow else result.photo.astype(np.float32)
        done, camera = under.copy(), _camera(result)
        for mask in _pieces(standing):
            foot = _foot(mask)
            by = _pixels(camera, foot, meters)
            if by is None:
                continue
            up = np.array(((1, 0, 0), (0, 1, -by)), np.float32)
            size = mask.shape[::-1]
            share = cv2.warpAffine(mask * standing, up, size)[..., None]
            done = done * (1 - share) + cv2.warpAffine(result.pixels, up, size) * share
        return _bytes(done)

    return plant


def wrong_scale(times: float) -> Fault:
    """All that stands or lies on the floor so many times its size about its foot, with its shadow."""

    def plant(result: RoomResult) -> Picture | None:
        covers = result.covers
        if covers.max() < 0.5:
            return None
        done = result.photo.astype(np.float32)
        light = np.clip(result.pixels / np.maximum(result.photo, 1.0), 0, 1.2).astype(np.float32)
        shade = np.where((result.region_full > 0.02)[..., None] & (covers < 0.02)[..., None], light, 1)
        for mask in sorted(_pieces(covers), key=lambda each: _foot(each)[1]):
            x, y = _foot(mask)
            about = np.array(((times, 0, x * (1 - times)), (0, times, y * (1 - times))), np.float32)
            size = mask.shape[::-1]
            near = cv2.GaussianBlur(cv2.dilate(mask, np.ones((31, 31), np.uint8)), (0, 0), 5)[..., None]
            gain = cv2.warpAffine((shade * near + 1 - near).astype(np.float32), about, size, borderValue=(1, 1, 1))
            share = cv2.warpAffine(mask * covers, about, size)[..., None]
            done = done * gain * (1 - share) + cv2.warpAffine(result.pixels, about, size) * share
        return _bytes(done)

    return plant


def melted(share: float, depth: float) -> Fault:
    """The most detailed part of what was changed bent in waves and rubbed out a little, as generative models do."""
    bent, soft = faults.melted(share, depth), faults.smeared(share, 3)
    return _spoilt(lambda before, after, held: soft(before, bent(before, after, held), held))


def bent(share: float, depth: float) -> Fault:
    """The most detailed part of what was changed bent in waves, as sharp as before."""
    return _spoilt(faults.melted(share, depth))


def smeared(share: float, sigma: float) -> Fault:
    """The most detailed part of what was changed rubbed out."""
    return _spoilt(faults.smeared(share, sigma))


def _spoilt(fault: faults.Fault) -> Fault:
    def plant(result: RoomResult) -> Picture | None:
        inside = (result.region_full > 0.5).astype(np.float32)
        if inside.mean() < 0.01:
            return None
        spoilt = fault(result.pixels, result.pixels, inside)
        soft = cv2.GaussianBlur(inside, (0, 0), 2)[..., None]
        return _bytes(result.pixels * (1 - soft) + spoilt * soft)

    return plant


def _in_front(result: RoomResult) -> Values:
    """Where something new stands, 0-1."""
    return result.covers if result.placed else np.zeros(result.pixels.shape[:2], np.float32)


def _bare(result: RoomResult) -> Values:
    """The result without what stands on its floor, but with its shadows around it."""
    return np.asarray(np.where((result.covers > 0.02)[..., None], result.photo, result.pixels), np.float32)


def _pieces(cover: Values) -> Iterator[Values]:
    """The parts of a cover that hang together, those of some size."""
    count, parts, stats, _ = cv2.connectedComponentsWithStats((cover > 0.3).astype(np.uint8))
    for number in range(1, count):
        if stats[number, cv2.CC_STAT_AREA] > 0.0004 * cover.size:
            yield cv2.dilate((parts == number).astype(np.float32), np.ones((3, 3), np.uint8))


def _foot(mask: Values) -> tuple[float, float]:
    """The lowest middle of a part: x and y."""
    rows, columns = np.nonzero(mask > 0.5)
    return float(columns[rows >= rows.max() - 3].mean()), float(rows.max())


def _camera(result: RoomResult) -> Camera:
    return result.scene.room.camera


def _pixels(camera: Camera, foot: tuple[float, float], meters: float) -> float | None:
    """How many pixels a height over that spot of the floor is; None above the horizon."""
    spot = camera.intersect_floor(np.array([foot]))
    if not np.isfinite(spot).all():
        return None
    up, _ = camera.project(spot + np.array([0, 0, meters]))
    return float(foot[1] - up[0, 1])


def _corners(turn: NDArray[np.float64], hole: Hole) -> NDArray[np.float64] | None:
    """Where the corners of a hole are in the picture: upper left, upper right, lower right, lower left."""
    spots = ((hole.left, hole.high), (hole.right, hole.high), (hole.right, hole.low), (hole.left, hole.low))
    seen = turn @ np.array([[*spot, 1.0] for spot in spots]).T
    if (seen[2] <= 0.3).any():
        return None
    return np.asarray((seen[:2] / seen[2]).T)


def _filled(corners: NDArray[np.float64] | None, shape: tuple[int, ...]) -> Values:
    mask = np.zeros(shape, np.float32)
    if corners is not None:
        cv2.fillPoly(mask, [np.rint(corners).astype(np.int32)], 1.0)
    return mask


def _warped(picture: Picture, corners: NDArray[np.float64], shape: tuple[int, ...]) -> Picture:
    """A picture with an alpha channel laid between four corners."""
    height, width = picture.shape[:2]
    own = np.array(((0, 0), (width, 0), (width, height), (0, height)), np.float32)
    turn = cv2.getPerspectiveTransform(own, corners.astype(np.float32))
    return np.asarray(cv2.warpPerspective(picture, turn, shape[::-1], flags=cv2.INTER_AREA), np.uint8)


def _behind(result: RoomResult, layer: Picture, front: Values) -> Picture:
    return _laid(result.pixels, layer, 1 - front)


def _laid(picture: Picture, layer: Picture, visible: Values) -> Picture:
    share = (layer[..., 3:].astype(np.float32) / 255) * visible[..., None]
    return _bytes(picture * (1 - share) + layer[..., :3] * share)


def _bytes(values: object) -> Picture:
    return np.asarray(np.clip(np.asarray(values) + 0.5, 0, 255), np.uint8)


_STAGED, _EMPTIED = (Enhancement.STAGING,), (Enhancement.FURNITURE_REMOVAL,)
_ADDED, _MOVED, _VIEW = (
    (Reason.OPENING_ADDED,),
    (Reason.OPENING_MOVED, Reason.OPENING_ADDED, Reason.STRUCTURE_CHANGED),
    (Reason.VIEW_CHANGED,),
)
_FLOATING, _SCALE = (Reason.FLOATING,), (Reason.WRONG_SCALE, Reason.FLOATING)
_MELTED = (Reason.MELTED, Reason.STRUCTURE_CHANGED, Reason.SOFTENED)
DOOR, MOVED, FLOATING, SCALE, MELTED, VIEW = (
    "added door",
    "moved window or door",
    "floating furniture",
    "wrong scale",
    "melted region",
    "changed view",
)
FAULTS: Mapping[str, Planted] = {
    "door, panelled": Planted(DOOR, added_door("panelled"), "0.9 x 2.05 m, painted with panels", _ADDED),
    "door, flush": Planted(DOOR, added_door("flush"), "0.9 x 2.05 m, of brown wood", _ADDED),
    "window moved, 3 %": Planted(MOVED, moved(0.03, Surface.WINDOW), "by 3 % of the width", _MOVED),
    "window moved, 5 %": Planted(MOVED, moved(0.05, Surface.WINDOW), "by 5 % of the width", _MOVED),
    "door moved, 3 %": Planted(MOVED, moved(0.03, Surface.DOOR), "by 3 % of the width", _MOVED),
    "lifted, 12 cm": Planted(FLOATING, floating(0.12, shadow=True), "12 cm, shadow left", _FLOATING, _STAGED),
    "lifted, 25 cm": Planted(FLOATING, floating(0.25, shadow=True), "25 cm, shadow left", _FLOATING, _STAGED),
    "lifted, no shadow": Planted(FLOATING, floating(0.12, shadow=False), "12 cm, no shadow", _FLOATING, _STAGED),
    "1.6 times": Planted(SCALE, wrong_scale(1.6), "1.6 times its size", _SCALE, _STAGED),
    "half": Planted(SCALE, wrong_scale(0.5), "half its size", _SCALE, _STAGED),
    "melt, 3 %": Planted(MELTED, melted(0.03, 5), "waves of 5 px, blur of 3 px, on 3 % of the area", _MELTED),
    "melt, 8 %": Planted(MELTED, melted(0.08, 9), "waves of 9 px, blur of 3 px, on 8 % of the area", _MELTED),
    "bent, 8 %": Planted(MELTED, bent(0.08, 9), "waves of 9 px on 8 % of the area", _MELTED, _EMPTIED),
    "smear, 5 %": Planted(MELTED, smeared(0.05, 5), "blur of 5 px on 5 % of the area", _MELTED),
    "view, other": Planted(VIEW, changed_view("other"), "another view in every window", _VIEW),
    "view, night": Planted(VIEW, changed_view("night"), "night outside", _VIEW),
}
"""By name."""
