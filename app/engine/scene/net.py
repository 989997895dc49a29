"""The learnt eyes, run by OpenCV: small nets that tell kinds of surface, rooms from outdoors, parts of rooms."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import cv2
import numpy as np

from app.engine.arrays import Pixels, Plane, plane
from app.engine.scene.shares import shares

WEIGHTS = Path(__file__).with_name("weights") / "scene.onnx"
ROOM_WEIGHTS = WEIGHTS.with_name("rooms.onnx")
# The net was trained on pictures of about this many pixels, with sides that divide by its coarsest step.
AREA, STEP, MOST_STEPS = 384 * 256, 32, 32


@dataclass(frozen=True, slots=True)
class Seen:
    """What the net makes of a picture: each kind's probability (rows x columns x kinds), and that of a room."""

    kinds: Plane
    indoors: float


def seen(picture: Pixels) -> Seen:
    """Look at a small sRGB picture (height x width x 3 bytes) of any shape; the same bytes give the same answer."""
    return _looked(WEIGHTS, picture)


def surfaces_seen(picture: Pixels) -> Plane:
    """Rows x columns x len(Surface), 0-1, summing to 1: the parts of a room in a small sRGB picture of one.

    The mean of looks at the picture and at its mirror image, at two sizes each, which err in different places.
    """
    mirrored = np.ascontiguousarray(picture[:, ::-1])
    near, far = (
        (_looked(ROOM_WEIGHTS, picture, area).kinds + _looked(ROOM_WEIGHTS, mirrored, area).kinds[:, ::-1]) / 4
        for area in (2 * AREA, AREA)
    )
    across, down = near.shape[1], near.shape[0]
    return plane(near + shares(plane(far), (down, across)))


def _looked(weights: Path, picture: Pixels, area: int = AREA) -> Seen:
    height, width = picture.shape[:2]
    size = _size(height, width, area)
    fitted = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
    # A net of one's own for every look: OpenCV's nets keep state and may not be shared between threads.
    net = cv2.dnn.readNetFromONNX(_read(weights))
    net.setInput(cv2.dnn.blobFromImage(fitted, 1 / 127.5, size, (127.5, 127.5, 127.5)))
    logits, room = net.forward(["kinds", "indoors"])
    return Seen(_softmax(plane(logits)[0]), float(1 / (1 + np.exp(-float(plane(room).ravel()[0])))))


def _size(height: int, width: int, area: int) -> tuple[int, int]:
    """Width and height to look at: about `area` pixels in the picture's shape, very long ones squeezed."""
    scale = float(np.sqrt(area / (height * width)))
    across, down = (int(np.clip(round(side * scale / STEP), 2, MOST_STEPS)) for side in (width, height))
    return across * STEP, down * STEP


def _softmax(logits: Plane) -> Plane:
    """Kinds x rows x columns logits as rows x columns x kinds shares that sum to 1."""
    raised = np.exp(logits - logits.max(0))
    return plane(np.moveaxis(raised / raised.sum(0), 0, -1))


@cache
def _read(weights: Path) -> np.ndarray[tuple[int], np.dtype[np.uint8]]:
    return np.frombuffer(weights.read_bytes(), np.uint8)
