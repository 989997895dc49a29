"""Where the windows of a house are: boxes whose edges, light and fellows say glass, without their bars."""

import cv2
import numpy as np

from app.engine.arrays import Mask, Plane, plane, ramp
from app.engine.scene.kinds import Kind
from app.engine.scene.window_boxes import Boxes, candidate_boxes
from app.engine.scene.window_signs import Maps, Signs, common_colours, signs_of

# Houses seldom have glass above or below these rows; fences and cars do.
TOP, BOTTOM = 0.06, 0.74
FAIR, POOR, FEW = 1.6, 0.9, 3
# How likely a place is glass when nobody has looked.
UNKNOWN = 0.27
MOST_WINDOWS = 160
UNLIKE, LEAST_UNLIKE, BROAD = 0.09, 0.55, 9


def window_mask(small: Plane, sky: Plane, shares: Plane | None = None) -> Plane:
    """Strength of window glass, height x width, 0-1, of a small sRGB picture (x 3, 0-1) seen from outside."""
    boxes = candidate_boxes(small)
    if not len(boxes):
        return np.zeros(small.shape[:2], np.float32)
    building, glass = _known(shares, sky)
    wall = common_colours(small, plane(building * (1 - glass) * (sky < 0.3)))
    signs = signs_of(boxes, small, Maps(sky, building, glass, wall))
    alone = _strength(boxes, signs, small.shape)
    strength = plane(alone + 0.35 * _fellowship(boxes, alone))
    broad = cv2.morphologyEx(wall, cv2.MORPH_OPEN, np.ones((BROAD, BROAD), np.uint8)) > 0
    return _glass_in(_chosen(boxes, strength), small, np.asarray(broad, np.bool_))


def _known(shares: Plane | None, sky: Plane) -> tuple[Plane, Plane]:
    if shares is None or not shares[..., Kind.BUILDING].any():
        return np.ones_like(sky), np.full_like(sky, UNKNOWN)
    return plane(shares[..., Kind.BUILDING] + shares[..., Kind.GLASS]), plane(shares[..., Kind.GLASS])


def _strength(boxes: Boxes, signs: Signs, shape: tuple[int, ...]) -> Plane:
    """How much each box looks like glass in a wall: about 1 for a clear case, below 0 for what cannot be."""
    weakest, mean = signs.sides.min(-1), signs.sides.mean(-1)
    darker = signs.wall_light - signs.light
    strength = 0.9 * ramp(plane(weakest), 0.3, 0.85) + 0.5 * ramp(plane(mean), 0.6, 0.95)
    cooler = ramp(signs.coolness, 0.02, 0.2)
    strength += 0.5 * ramp(darker, 0.02, 0.2) - 0.6 * ramp(darker, 0.0, -0.15) * (1 - cooler)
    strength += 0.6 * cooler - 0.5 * ramp(signs.coolness, -0.02, -0.12)
    strength -= 1.2 * ramp(signs.light, 0.5, 0.72) * (1 - 0.6 * cooler)
    strength -= 1.0 * ramp(signs.green_around, 0.15, 0.45) + 0.8 * ramp(signs.green, 0.3, 0.7)
    strength -= 1.0 * ramp(signs.warm, 0.4, 0.8) + 2.0 * ramp(signs.sky, 0.1, 0.4)
    strength -= 1.0 * ramp(signs.sky_around, 0.25, 0.5) + 0.7 * ramp(signs.busy_around, 0.4, 0.8)
    strength += 2.0 * ramp(signs.glass, 0.08, 0.4) - 1.5 * ramp(signs.building, 0.5, 0.15)
    agreeing = np.maximum(signs.steps.min(-1), -signs.steps.max(-1))
    strength += 0.4 * ramp(plane(agreeing), -0.02, 0.06) - 0.4 * ramp(plane(agreeing), 0.0, -0.12) - 0.3
    strength -= 2.0 * ramp(signs.wall, 0.2, 0.6)
    middle = (boxes[:, 1] + boxes[:, 3]) / 2 / shape[0]
    strength -= 2.0 * ((middle < TOP) | (middle > BOTTOM))
    wide, tall = boxes[:, 2] - boxes[:, 0], boxes[:, 3] - boxes[:, 1]
    large = ramp(plane(wide * tall / (shape[0] * shape[1])), 0.006, 0.012) * ramp(plane(wide / tall), 1.2, 1.6)
    # Garage doors: large and even.
    strength -= 1.5 * large * ramp(signs.uneven, 0.09, 0.04)
    return plane(strength - 1.0)


def _fellowship(boxes: Boxes, strength: Plane) -> Plane:
    """How many fair boxes of the same size stand in one row or column with each box, as 0-1."""
    fair = boxes[strength > FAIR - 0.25]
    if not len(fair):
        return np.zeros(len(boxes), np.float32)
    wide, tall = (boxes[:, 2] - boxes[:, 0])[:, None], (boxes[:, 3] - boxes[:, 1])[:, None]
    other_wide, other_tall = fair[:, 2] - fair[:, 0], fair[:, 3] - fair[:, 1]
    alike = np.maximum(tall / other_tall, other_tall / tall) < 1.25
    alike &= np.maximum(wide / other_wide, other_wide / wide) < 1.35
    across = np.abs((boxes[:, 0] + boxes[:, 2])[:, None] - fair[:, 0] - fair[:, 2]) / 2
    down = np.abs((boxes[:, 1] + boxes[:, 3])[:, None] - fair[:, 1] - fair[:, 3]) / 2
    row = (down < 0.35 * tall) & (across > 0.8 * wide)
    column = (across < 0.3 * wide) & (down > 0.9 * tall)
    return ramp(plane((alike & (row | column)).sum(1)), 0.0, 3.0)


def _chosen(boxes: Boxes, strength: Plane) -> Boxes:
    """The boxes that are windows, the strongest first; where none is clear, the few that come nearest to it."""
    order = np.argsort(-strength, kind="stable")
    kept = order[strength[order] > FAIR]
    if not len(kept):
        kept = order[strength[order] > POOR][:FEW]
    return boxes[kept[:MOST_WINDOWS]]


def _glass_in(boxes: Boxes, small: Plane, wall: Mask) -> Plane:
    """Mark what in the boxes is neither like the wall beside them nor a broad piece of the house's walls."""
    found = np.zeros(small.shape[:2], np.bool_)
    for left, top, right, bottom in boxes:
        inside = _unlike_wall(small, (left, top, right, bottom))
        if inside.mean() > LEAST_UNLIKE:
            found[top:bottom, left:right] |= inside & ~wall[top:bottom, left:right]
    return plane(found)


def _unlike_wall(small: Plane, box: tuple[int, int, int, int]) -> Mask:
    """Where a box differs from what stands left and right of it, small gaps closed."""
    left, top, right, bottom = box
    reach = max(3, (right - left) // 6)
    beside = [small[top:bottom, max(0, left - reach) : left], small[top:bottom, right : right + reach]]
    wall = np.concatenate(beside, axis=1)
    inside = small[top:bottom, left:right]
    if not wall.size:
        return np.zeros(inside.shape[:2], np.bool_)
    usual = np.median(wall.reshape(-1, 3), axis=0)
    unlike = (np.abs(inside - usual).max(-1) > UNLIKE).astype(np.uint8)
    return np.asarray(cv2.morphologyEx(unlike, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8)) > 0, np.bool_)
