"""Light in rooms: an even exposure of room and window view, and the clean colour of flash over ambient shape."""

from dataclasses import dataclass

import cv2
import numpy as np

from app.domain.look import Look
from app.engine.arrays import Plane, blurred, box_mean, luminance, plane, ramp, spread
from app.engine.guided import grey_map_model
from app.engine.inside.balance import Whites, agreed_cast, gains_against, warmth_left, whites_of
from app.engine.inside.developing import Development, developed
from app.engine.scene.analysis import Scene
from app.engine.scene.kinds import Kind
from app.engine.step import Canvas, Worked

BASE_RADIUS_SHARE, EDGE_SOFTNESS, EVEN_VARIANCE = 28, 0.012, 1e-4
LEAST_LIFT, MOST_LIFT = 1.0, 5.0
VIEW_DEPTH = 0.5
PANE_SOFTNESS, LIGHT_PANE, PANE_REACH_SHARE = 1e-3, (0.45, 0.7), 40
# Tones below this are the picture's black: they are noise when lifted.
TOE = 0.14


@dataclass(frozen=True, slots=True)
class Manner:
    """How a room is lit: `white` and `middle` are the lumas its whites and its median are brought to, `detail`
    adds local contrast, `fill` (0-1) evens out what is dark in the large, the strengths (0-1) are those with which
    the cast of the whole and those of its places are taken away.
    """

    white: float
    middle: float
    detail: float
    fill: float
    balance: float
    local_balance: float


HDR = Manner(white=0.87, middle=0.61, detail=0.22, fill=0.25, balance=0.95, local_balance=0.7)
FLAMBIENT = Manner(white=0.90, middle=0.64, detail=0.12, fill=0.6, balance=0.97, local_balance=0.85)


def balance_exposure(canvas: Canvas) -> Worked:
    """Shadows opened, highlights kept, whites neutral, local contrast up; edges hold without halos."""
    return _lit(canvas, HDR)


def add_flash(canvas: Canvas) -> Worked:
    """Neutral whites everywhere, dark corners filled as by a bounced flash, the ambient light's shape kept."""
    return _lit(canvas, FLAMBIENT)


def _lit(canvas: Canvas, manner: Manner) -> Worked:
    scene, look = canvas.scene, canvas.wish.look or Look()
    small = scene.own_small
    grey = luminance(small)
    whites = whites_of(scene)
    gains = gains_against(agreed_cast(whites, look.cast_indoors), manner.balance)
    warmth = warmth_left(small, gains, whites, manner.local_balance)
    window = _window(scene, grey)
    wanted = _wanted(grey, window, _lift(grey, window, whites, manner, look), manner)
    return Worked(developed(canvas.pixels, grey, Development(gains, warmth, wanted)))


def _window(scene: Scene, grey: Plane) -> Plane:
    """Where light comes in, 0-1: panes, what is blown out as only panes and lamps are, and what is both light and
    busy as only the view outside is.
    """
    near = max(1.0, max(grey.shape) / 200)
    blown = ramp(blurred(ramp(grey, 0.965, 0.995), near), 0.3, 0.8)
    busy = ramp(blurred(spread(grey, 2), 2 * near), 0.03, 0.09) * ramp(blurred(grey, 2 * near), 0.5, 0.72)
    # The outline of a light thing is busy, too, but thin.
    side = max(3, max(grey.shape) // 36)
    busy = plane(cv2.morphologyEx(busy, cv2.MORPH_OPEN, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))))
    return plane(np.maximum(np.maximum(_panes(scene, grey), blown), busy))


def _panes(scene: Scene, grey: Plane) -> Plane:
    """What the net takes for windows, 0-1, drawn up to the edges that are there; dark panes need no care."""
    share = scene.share(Kind.WINDOW)
    slope, offset = grey_map_model(share, grey, max(2, max(grey.shape) // 60), PANE_SOFTNESS)
    followed = np.clip(slope * grey + offset, 0, 1)
    return plane(ramp(plane(followed), 0.25, 0.75) * ramp(grey, *LIGHT_PANE) * _as_light_as_glass(grey, share))


def _as_light_as_glass(grey: Plane, share: Plane) -> Plane:
    """0 where a place is nearer to what lies beside the panes than to the panes, so that no wall goes with them.

    1 where panes and wall are as light as each other, and nothing tells them apart.
    """
    reach = max(grey.shape) / PANE_REACH_SHARE
    inside, outside = plane(share + 1e-4), plane(1 - share + 1e-4)
    pane, wall = (blurred(plane(grey * each), reach) / blurred(each, reach) for each in (inside, outside))
    lighter = plane(pane - wall)
    like_wall = 1 - ramp(plane((grey - wall) / np.maximum(lighter, 0.05)), 0.3, 0.7)
    return plane(1 - like_wall * ramp(lighter, 0.05, 0.15))


def _lift(grey: Plane, window: Plane, whites: Whites, manner: Manner, look: Look) -> float:
    """The gain of the dark tones that brings the room's whites and its median to where they belong.

    A room with little white in it says little of its exposure: then half of it is what its order's rooms have.
    """
    room = grey[window < 0.5]
    now = float(np.median(room)) if room.size else 0.9
    if look.brightness_indoors is not None:
        now += (look.brightness_indoors - now) * 0.5 * (1 - whites.certainty)
    by_middle = _gain_from(now, manner.middle)
    by_white = _gain_from(whites.level, manner.white)
    # A dark room with white walls is underexposed; one with dark walls is not, whatever its median.
    lift = by_middle ** (1 - 0.6 * whites.certainty) * by_white ** (0.6 * whites.certainty)
    return float(np.clip(lift, LEAST_LIFT, MOST_LIFT))


def _gain_from(now: float, wanted: float) -> float:
    now = float(np.clip(now, 0.03, 0.97))
    return wanted * (1 - now) / (now * (1 - wanted))


def _wanted(grey: Plane, window: Plane, lift: float, manner: Manner) -> Plane:
    """The developed grey, small: the large tones lifted, the detail upon them as it was or a bit stronger."""
    base = _large_tones(grey)
    light = blurred(base, max(grey.shape) / 7)
    uneven = np.clip((np.quantile(light, 0.7) / np.maximum(light, 0.05)) ** manner.fill, 0.92, 1.7)
    gain = plane(1 + (np.minimum(lift * uneven, MOST_LIFT) - 1) * (1 - window))
    strong = 1 + manner.detail * (1 - ramp(base, 0.75, 1.0))
    detailed = _raised(base, gain) * (1 + (grey - base) / base * strong)
    # Light things before dark ground do not rise over what their own lightness allows.
    even = np.minimum(detailed, _raised(grey, gain) * 1.04)
    # Views are a bit overexposed: bent so, they get their middle tones back and what is blown stays white.
    return plane(np.clip(np.clip(even, 0, 1) ** (1 + VIEW_DEPTH * window), 0, 0.995))


def _large_tones(grey: Plane) -> Plane:
    """The grey smoothed up to its edges, without the light of one side on the other.

    A guided filter in which, of all squares around a pixel, those without an edge count by far the most: with all
    of them alike, walls take a seam from their windows.
    """
    radius = max(2, max(grey.shape) // BASE_RADIUS_SHARE)
    mean = box_mean(grey, radius)
    variance = np.maximum(box_mean(grey * grey, radius) - mean * mean, 0)
    slope = plane(variance / (variance + EDGE_SOFTNESS))
    even = plane((EVEN_VARIANCE / (variance + EVEN_VARIANCE)) ** 2)
    slopes, offsets = (box_mean(plane(each * even), radius) for each in (slope, (1 - slope) * mean))
    return plane(np.clip((grey * slopes + offsets) / box_mean(even, radius), 0.004, 1))


def _raised(values: Plane, gain: Plane) -> Plane:
    """Values of 0-1 with the gain at the dark end, bending over so that white stays white; black stays black."""
    raised = gain * values / (1 + (gain - 1) * values)
    return plane(values + (raised - values) * ramp(values, -TOE / 4, TOE))
