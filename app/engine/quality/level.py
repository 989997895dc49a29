"""A picture of a room as a level camera sees it: uprights upright, the horizon in the middle."""

import cv2
import numpy as np
from numpy.typing import NDArray

from app.engine.arrays import Pixels
from app.engine.room.camera import Camera


def levelled(picture: Pixels, camera: Camera) -> Pixels:
    """The picture (height x width x 3 bytes) that `camera` took, turned level; what it lacks repeats its rim.

    It is higher than before by as much as the horizon was off its middle.
    """
    height, width = picture.shape[:2]
    forward = camera.turn[2] * (1, 1, 0)
    ahead = forward / max(float(np.linalg.norm(forward)), 1e-6)
    level = np.stack([[ahead[1], -ahead[0], 0.0], [0.0, 0.0, -1.0], ahead])
    horizon = camera.centre[1] + camera.focal * float(camera.turn[2, 2]) / max(float(np.linalg.norm(forward)), 1e-6)
    tall = height + 2 * min(round(abs(horizon - height / 2)), height // 2)
    turn = _lens(camera.focal, (width / 2, tall / 2)) @ level @ camera.turn.T
    turn = turn @ np.linalg.inv(_lens(camera.focal, camera.centre))
    done = cv2.warpPerspective(
        picture, turn, (width, tall), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(done, np.uint8)


def _lens(focal: float, centre: tuple[float, float]) -> NDArray[np.float64]:
    return np.array([[focal, 0, centre[0]], [0, focal, centre[1]], [0, 0, 1.0]])
