"""What a picture server may do to a room, well and badly: real edits of the pixels it is sent."""

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.engine.rooms import ROOMS, rectangle
from tests.scenes import Picture

Free = NDArray[np.bool_]
Editor = Callable[[Picture, Free], Picture]
Box = tuple[float, float, float, float]
SOFA: Box = (0.34, 0.56, 0.7, 0.86)
THINGS: tuple[Box, ...] = ((0.3, 0.72, 0.37, 0.8), (0.52, 0.68, 0.58, 0.75), (0.66, 0.78, 0.76, 0.88))


def rendered(picture: Picture) -> Picture:
    """What a model does to all of a picture besides: another tone, its grain gone, its texture redrawn."""
    soft = cv2.bilateralFilter(picture, 5, 12, 3)
    toned = np.clip(soft * np.array((1.04, 1.0, 0.95), np.float32), 0, 255).astype(np.uint8)
    _, packed = cv2.imencode(".jpg", toned, (cv2.IMWRITE_JPEG_QUALITY, 92))
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)


def with_sofa(picture: Picture, box: Box = SOFA) -> Picture:
    """A sofa on a rug with its shadow, cushions and weave."""
    noise = np.random.Generator(np.random.PCG64(3))
    height, width = picture.shape[:2]
    left, top, right, bottom = box
    done = picture.copy()
    rug = np.array(((left - 0.08, bottom + 0.08), (right + 0.1, bottom + 0.08), (right + 0.02, bottom - 0.1)))
    rug = np.vstack([rug, (left, bottom - 0.1)]) * (width, height)
    cv2.fillPoly(done, [rug.astype(np.int32)], (176, 168, 150), cv2.LINE_AA)
    shade = np.zeros((height, width), np.float32)
    middle = (round((left + right) / 2 * width), round(bottom * height))
    cv2.ellipse(shade, middle, (round((right - left) * 0.56 * width), round(0.04 * height)), 0, 0, 360, 1.0, -1)
    shade = cv2.GaussianBlur(shade, (0, 0), width / 80)
    done = np.clip(done * (1 - 0.55 * shade[..., None]), 0, 255).astype(np.uint8)
    rise = bottom - top
    rectangle(done, (left, top + 0.1 * rise, right, top + 0.65 * rise), (92, 98, 104))
    rectangle(done, (left, top + 0.55 * rise, right, bottom - 0.06 * rise), (108, 114, 120))
    for share in (0.34, 0.67):
        at = left + share * (right - left)
        rectangle(done, (at - 0.002, top + 0.1 * rise, at + 0.002, top + 0.7 * rise), (60, 64, 70))
    rectangle(done, (left - 0.03, top + 0.35 * rise, left + 0.02, bottom), (84, 90, 96))
    rectangle(done, (right - 0.02, top + 0.35 * rise, right + 0.03, bottom), (84, 90, 96))
    weave = noise.standard_normal((height, width, 1), dtype=np.float32) * 5
    changed = (done != picture).any(-1, keepdims=True)
    return np.where(changed, np.clip(done + weave, 0, 255), picture).astype(np.uint8)


def within(editor: Editor) -> Editor:
    """The same edit by a server that leaves all else as it is."""
    return lambda picture, free: np.where(free[..., None], editor(picture, free), picture)


def furnished(picture: Picture, _: Free) -> Picture:
    """A sofa on a rug, a lamp on a pole, a plant, a dark picture over the sofa."""
    done = with_sofa(picture)
    height, width = done.shape[:2]
    for x, y in ((0.7975, 0.74), (0.22, 0.76)):
        shade = np.zeros((height, width), np.float32)
        cv2.ellipse(shade, (round(x * width), round(y * height)), (width // 30, height // 45), 0, 0, 360, 1.0, -1)
        shade = cv2.GaussianBlur(shade, (0, 0), width / 200)
        done = np.clip(done * (1 - 0.4 * shade[..., None]), 0, 255).astype(np.uint8)
    rectangle(done, (0.795, 0.42, 0.8, 0.74), (70, 66, 60))
    rectangle(done, (0.77, 0.38, 0.825, 0.45), (222, 206, 170))
    rectangle(done, (0.3, 0.39, 0.4, 0.48), (70, 84, 90))
    noise = np.random.Generator(np.random.PCG64(9))
    for _leaf in range(60):
        x, y = noise.normal(0.22, 0.02), noise.normal(0.62, 0.035)
        color = (float(noise.integers(40, 90)), float(noise.integers(90, 140)), 60.0)
        cv2.ellipse(done, (round(x * width), round(y * height)), (width // 60, width // 160),
                    float(noise.uniform(0, 180)), 0, 360, color, -1, cv2.LINE_AA)  # fmt: skip
    rectangle(done, (0.2, 0.69, 0.24, 0.76), (150, 120, 96))
    return rendered(done)


def cluttered(picture: Picture) -> Picture:
    """Boxes lying about."""
    done = picture.copy()
    for place, (left, top, right, bottom) in enumerate(THINGS):
        rectangle(done, (left, top, right, bottom), ((176, 138, 96), (60, 90, 150), (190, 60, 60))[place])
        rectangle(done, (left, top, right, top + 0.015), (210, 180, 140))
    return done


def without(boxes: tuple[Box, ...]) -> Editor:
    """The things in these boxes gone, what is around them continued, as far as it is free to change."""

    def editor(picture: Picture, free: Free) -> Picture:
        hole = np.zeros((*picture.shape[:2], 3), np.uint8)
        for left, top, right, bottom in boxes:
            rectangle(hole, (left - 0.015, top - 0.015, right + 0.015, bottom + 0.02), (255, 255, 255))
        filled = _behind(picture, hole[..., 0])
        soft = cv2.GaussianBlur(hole[..., :1].astype(np.float32) / 255, (0, 0), 3)[..., None] * free[..., None]
        return rendered(np.clip(picture * (1 - soft) + filled * soft, 0, 255).astype(np.uint8))

    return editor


def _behind(picture: Picture, hole: Picture) -> Picture:
    """What the drawn room shows where its things are gone; of another picture, what is around them continued."""
    height, width = picture.shape[:2]
    for room in ROOMS:
        bare = room.drawn(width, height)
        if np.abs(bare.astype(int) - picture)[hole == 0].mean() < 3:
            return bare
    half = cv2.resize(picture, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
    small = cv2.resize(hole, half.shape[1::-1], interpolation=cv2.INTER_NEAREST)
    return np.asarray(cv2.resize(cv2.inpaint(half, small, 3, cv2.INPAINT_TELEA), (width, height)), np.uint8)


emptied = without(((0.25, 0.52, 0.82, 0.96),))
tidied = without(THINGS)


def refloored(picture: Picture, free: Free) -> Picture:
    """The floor in another color, its pattern and its light kept."""
    height, width = picture.shape[:2]
    floor = np.zeros((height, width, 3), np.uint8)
    corners = np.array(((0, 1), (1, 1), (0.74, 0.64), (0.3, 0.64))) * (width, height)
    cv2.fillPoly(floor, [corners.astype(np.int32)], (255, 255, 255), cv2.LINE_AA)
    share = floor[..., :1].astype(np.float32) / 255 * free[..., None]
    gray = picture.mean(-1, keepdims=True) * np.array((0.72, 0.66, 0.62), np.float32)
    return rendered(np.clip(picture * (1 - share) + gray * share, 0, 255).astype(np.uint8))


def repainted(picture: Picture, _: Free) -> Picture:
    """Everything in other colors."""
    return np.clip(picture[..., ::-1] * 0.55 + 20, 0, 255).astype(np.uint8)


def shifted(picture: Picture, free: Free) -> Picture:
    """Well furnished, but the camera moved by 1 % of the width."""
    return np.roll(furnished(picture, free), round(picture.shape[1] * 0.01), 1)


def zoomed(picture: Picture, free: Free) -> Picture:
    """Well furnished, but 3 % cropped on every side."""
    height, width = picture.shape[:2]
    up, back = round(height * 0.03), round(width * 0.03)
    inner = furnished(picture, free)[up:-up, back:-back]
    return np.asarray(cv2.resize(inner, (width, height), interpolation=cv2.INTER_CUBIC), np.uint8)


def bent(picture: Picture, free: Free) -> Picture:
    """Well furnished, but the walls are bent."""
    height, width = picture.shape[:2]
    rows, columns = np.mgrid[0:height, 0:width].astype(np.float32)
    across = columns + width / 90 * np.sin(rows / height * 14, dtype=np.float32)
    done = furnished(picture, free)
    return np.asarray(cv2.remap(done, across, rows, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def with_door(picture: Picture, free: Free) -> Picture:
    """Well furnished, but with a door more in the right wall."""
    done = furnished(picture, free)
    rectangle(done, (0.855, 0.27, 0.965, 0.78), (236, 233, 226))
    rectangle(done, (0.865, 0.29, 0.955, 0.78), (168, 160, 148))
    for top in (0.33, 0.55):
        rectangle(done, (0.88, top, 0.94, top + 0.17), (150, 142, 130))
    return done


def with_window(picture: Picture, free: Free) -> Picture:
    """Well furnished, but with a window more in the left wall, the sky and trees behind it."""
    done = furnished(picture, free)
    rectangle(done, (0.02, 0.3, 0.16, 0.54), (242, 242, 240))
    rectangle(done, (0.03, 0.315, 0.15, 0.525), (176, 208, 246))
    rectangle(done, (0.03, 0.46, 0.15, 0.525), (92, 128, 84))
    rectangle(done, (0.088, 0.315, 0.092, 0.525), (242, 242, 240))
    return done


def without_window(picture: Picture, free: Free) -> Picture:
    """Well furnished, but the far wall and all that is in it is plain, and the ceiling one with the walls."""
    done = furnished(picture, free)
    rectangle(done, (0, 0.1, 1, 0.52), tuple(float(each) for each in np.median(done[: len(done) // 2], (0, 1))))
    return done


def cut_off(picture: Picture, free: Free) -> Picture:
    """Well furnished, but with a thing that reaches to the top."""
    done = furnished(picture, free)
    rectangle(done, (0.78, 0.02, 0.84, 0.7), (120, 86, 60))
    return done
