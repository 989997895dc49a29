"""Finds number plates: bright upright rectangles with a row of dark signs, on what the net classifies as a car."""

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.arrays import Mask, Plane, plane
from engine.color.channels import rgb_to_gray
from engine.segmentation.box import Box
from engine.segmentation.labels import Label
from engine.segmentation.scene import Scene, shrink_to

SIDE = 1600
"""Long side, in pixels, of the picture in which plates are found."""
MIN_CAR = 0.4
"""Minimum share of car in a pixel that belongs to a car."""
MIN_CAR_AREA = 1.5e-3
"""Minimum area of a car, as a share of the picture's."""
LEVELS = 16
"""Number of brightness levels at which bright regions of a car are cut out."""
MIN_LEVEL = 0.05
"""Lowest of these levels, 0-1."""
ASPECTS = 1.5, 6.0
"""Minimum and maximum ratio of a plate's width to its height, also where it is seen from the side."""
MIN_WIDTH = 12
"""Minimum width of a plate, in pixels of the picture that is searched."""
WIDTHS = 0.08, 0.5
"""Minimum and maximum width of a plate, as shares of the height of its car."""
MIN_TOP = 0.35
"""Minimum distance of a plate from its car's roof, as a share of the height of the car."""
MIN_INSIDE = 0.9
"""Minimum share of a plate that is on the car."""
MIN_FILLED = 0.72
"""Minimum share of the smallest rectangle around a plate that the plate fills."""
MAX_TILT = 20.0
"""Maximum angle, in degrees, between a plate and the horizontal."""
MIN_CONTRAST = 0.12
"""Minimum difference between the brightness of a plate and that around it, as a share of the plate's."""
MIN_SIGNS = 0.08
"""Minimum standard deviation of brightness along the middle of a plate, as a share of its brightness."""
MAX_ROWS = 1.2
"""Maximum ratio of the differences between a plate's rows to the differences between its columns."""


def find_plates(scene: Scene) -> list[Box]:
    """Find the number plates of cars.

    Parameters
    ----------
    scene : Scene
        The photo.

    Returns
    -------
    list of Box
        In pixels of the photo; empty in rooms.
    """
    if not scene.outdoors:
        return []
    picture = scene.profile.to_srgb(shrink_to(scene.pixels, SIDE))
    gray = plane(rgb_to_gray(plane(picture) / np.float32(255)))
    cars = cv2.resize(scene.label_share(Label.CAR), gray.shape[::-1], interpolation=cv2.INTER_LINEAR) > MIN_CAR
    scale = max(scene.pixels.shape[:2]) / max(gray.shape)
    return [plate.scale(scale) for car in _find_cars(cars) for plate in _find_on_car(gray, cars, car)]


def _find_cars(cars: Mask) -> Iterator[tuple[slice, slice]]:
    """The part of the picture around each car, or each row of cars."""
    count, _, boxes, _ = cv2.connectedComponentsWithStats(cars.astype(np.uint8))
    for left, top, width, height, area in boxes[1:count].tolist():
        if area >= MIN_CAR_AREA * cars.size:
            margin = round(0.05 * max(width, height))
            yield (
                slice(max(0, top - margin), top + height + margin),
                slice(max(0, left - margin), left + width + margin),
            )


def _find_on_car(gray: Plane, cars: Mask, car: tuple[slice, slice]) -> list[Box]:
    part, inside = gray[car], cars[car]
    low, high = np.maximum(np.percentile(part[inside], [30, 99.5]), MIN_LEVEL)
    found: list[tuple[float, Box]] = []
    for level in np.geomspace(low, high, LEVELS, endpoint=False):
        # All outlines of bright regions, also that of a plate whose dark frame divides it from a bright car.
        bright = (part > level).astype(np.uint8)
        outlines, parents = cv2.findContours(bright, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
        regions = np.flatnonzero(np.asarray(parents)[0, :, 3] < 0) if outlines else ()
        for outline in (np.asarray(outlines[each]) for each in regions):
            box = _measure_shape(outline, inside)
            contrast = 0.0 if box is None else _measure_contrast(part, box)
            if box is not None and contrast:
                found.append((contrast, box))
    kept: list[Box] = []
    for _, box in sorted(found, key=lambda each: -each[0]):
        if all(box.measure_common(other) == 0 for other in kept):
            kept.append(box)
    top, left = car[0].start, car[1].start
    return [Box(each.x + left, each.y + top, each.width, each.height) for each in kept]


def _measure_shape(outline: NDArray[np.int32], car: Mask) -> Box | None:
    """The box around a region that has the shape, size and place of a plate; None for any other region."""
    left, top, width, height = cv2.boundingRect(outline)
    tall = car.shape[0]
    if width < MIN_WIDTH or not WIDTHS[0] * tall <= width <= WIDTHS[1] * tall:
        return None
    if top < MIN_TOP * tall or car[top : top + height, left : left + width].mean() < MIN_INSIDE:
        return None
    _, sides, angle = cv2.minAreaRect(outline)
    # Contours run through the centers of pixels.
    down, across = sorted(side + 1 for side in sides)
    tilt = abs((angle + 45) % 90 - 45)
    filled = (cv2.contourArea(outline) + len(outline) / 2) / (across * down)
    if filled < MIN_FILLED or tilt > MAX_TILT or height > width or not ASPECTS[0] <= across / down <= ASPECTS[1]:
        return None
    return Box(left + width / 2, top + height / 2, float(width), float(height))


def _measure_contrast(part: Plane, box: Box) -> float:
    """The contrast of a region with what is around it, 0-1; 0 if it is no plate with a row of signs."""
    left, top = round(box.x - box.width / 2), round(box.y - box.height / 2)
    width, height = round(box.width), round(box.height)
    margin = max(2, height // 3)
    around = part[max(0, top - margin) : top + height + margin, max(0, left - margin) : left + width + margin]
    own = part[top : top + height, left : left + width]
    brightness = float(np.median(own))
    contrast = 1 - float(np.percentile(around, 30)) / brightness
    middle = own[height // 4 : height - height // 4, width // 10 : width - width // 10]
    columns, rows = (float(middle.mean(axis).std()) / brightness for axis in (0, 1))
    return contrast if contrast >= MIN_CONTRAST and columns >= max(MIN_SIGNS, rows / MAX_ROWS) else 0.0
