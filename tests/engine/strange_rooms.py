"""Drawn rooms that nobody hoped for: without a floor, under a roof, round, mirrored, lived in."""

from collections.abc import Callable, Mapping
from dataclasses import replace

import cv2
import numpy as np

from tests.engine.box_rooms import BoxRoom
from tests.scenes import Picture

BARE = BoxRoom(things=(), window=(-0.4, 1.2, 0.9, 2.1), width=480, height=320)


def _bare(room: BoxRoom = BARE) -> Picture:
    return room.drawn(furnished=True)[0]


def no_floor() -> Picture:
    """The upper part of a room."""
    return np.ascontiguousarray(_bare()[:170])


def corridor() -> Picture:
    """Narrow and long."""
    return _bare(replace(BARE, left=-0.6, right=0.7, far=9.0, window=None))


def attic() -> Picture:
    """Slopes of the roof from low side walls to the ridge."""
    picture = _bare(replace(BARE, yaw=0.0, window=None))
    height, width = picture.shape[:2]
    for side in (1, -1):
        slope = np.array(((0, 0.62), (0.2, 0.5), (0.42, 0.1), (0.36, -0.1), (0, -0.1)))
        x = slope[:, 0] if side == 1 else 1 - slope[:, 0]
        points = np.rint(np.column_stack([x * width, slope[:, 1] * height])).astype(np.int32)
        cv2.fillPoly(picture, [points], (226, 222, 214) if side == 1 else (206, 202, 196), cv2.LINE_AA)
    return picture


def curved_wall() -> Picture:
    """A room without corners: its far wall is an arc."""
    picture = _bare(replace(BARE, window=None, left=-9.0, right=9.0))
    height, width = picture.shape[:2]
    rows, columns = np.mgrid[0:height, 0:width].astype(np.float32)
    bend = ((columns / width - 0.5) * 2) ** 2
    pull = rows - bend * 0.22 * (rows - height / 2)
    return cv2.remap(picture, columns, pull, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101)


def mirror_wall() -> Picture:
    """The right half is a mirror of the left one."""
    picture = _bare(BoxRoom(width=480, height=320))
    half = picture.shape[1] // 2
    picture[:, half:] = picture[:, :half][:, ::-1] * np.float32(0.94)
    return picture


def panorama() -> Picture:
    """Four views side by side."""
    views = [_bare(replace(BARE, yaw=yaw)) for yaw in (-0.5, 0.0, 0.4, 0.8)]
    return np.ascontiguousarray(np.concatenate(views, 1)[80:280])


def people_and_pets() -> Picture:
    """Somebody stands in the room, a dog lies before them."""
    picture = _bare()
    cv2.ellipse(picture, (300, 190), (34, 70), 0, 0, 360, (40, 62, 96), -1, cv2.LINE_AA)
    cv2.rectangle(picture, (278, 240), (322, 300), (52, 52, 60), -1)
    cv2.circle(picture, (300, 104), 20, (214, 172, 150), -1, cv2.LINE_AA)
    cv2.ellipse(picture, (300, 94), (22, 14), 0, 180, 360, (52, 38, 30), -1, cv2.LINE_AA)
    cv2.ellipse(picture, (190, 284), (46, 16), 0, 0, 360, (120, 84, 50), -1, cv2.LINE_AA)
    cv2.circle(picture, (140, 272), 14, (132, 92, 56), -1, cv2.LINE_AA)
    return picture


def glass_table() -> Picture:
    """A table whose top shows the floor below."""
    picture = _bare()
    top = np.array(((150, 232), (310, 226), (350, 262), (140, 270)), np.int32)
    layer = picture.copy()
    cv2.fillPoly(layer, [top], (206, 222, 216), cv2.LINE_AA)
    picture = cv2.addWeighted(layer, 0.35, picture, 0.65, 0)
    cv2.polylines(picture, [top], True, (150, 176, 168), 2, cv2.LINE_AA)
    for x, y in ((152, 232), (308, 227), (347, 262), (143, 269)):
        cv2.line(picture, (x, y), (x, y + 40), (70, 72, 74), 3, cv2.LINE_AA)
    return picture


def patterned_carpet() -> Picture:
    """A floor of blots in two colors."""
    picture, labels = BARE.drawn(furnished=True)
    floor = labels == 0
    height, width = labels.shape
    rows, columns = np.mgrid[0:height, 0:width]
    depth = np.maximum(rows - height * 0.42, 4)
    across, along = (columns - width / 2) / depth * 6, 900 / depth
    blots = np.sin(across * 2.2) * np.sin(along * 2.2) + 0.6 * np.sin(across * 5 + 1) * np.sin(along * 4) > 0.25
    picture[floor & blots] = (150, 52, 48)
    picture[floor & ~blots] = (52, 60, 96)
    return picture


STRANGE: Mapping[str, Callable[[], Picture]] = {
    each.__name__: each
    for each in (
        no_floor,
        corridor,
        attic,
        curved_wall,
        mirror_wall,
        panorama,
        people_and_pets,
        glass_table,
        patterned_carpet,
    )
}
"""By name."""
