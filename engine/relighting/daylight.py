"""Finds where daylight enters a room: panes and the view behind them, without bars."""

from dataclasses import dataclass

import cv2
import numpy as np

from engine.arrays import Plane, plane, smoothstep
from engine.color.channels import max_channel, min_channel, rgb_to_gray
from engine.filters.guided import fit_gray_map_model, fit_gray_model
from engine.filters.smoothing import box_filter, gaussian_blur, local_std
from engine.segmentation.labels import Kind, Label
from engine.segmentation.scene import Scene

EDGE_SOFTNESS = 1e-3
"""Epsilon of the filter that moves the borders of windows to edges: a variance of luma (0-1)."""
LIGHT_PANE = (0.45, 0.7)
"""Luma at which a pane begins to count as light, and from which it counts fully."""
VIEW_SOFTNESS = 0.05
"""Variance of luma (0-1) above which edges in a view are kept: sky and hedge differ by more, leaves by less."""
REACH = 1 / 40
"""Distance over which a pane is compared with its surroundings, as a share of the long side."""
EDGE_SHARE = 1 / 60
"""Radius of the edge-following filters, as a share of the long side."""
RUN = 1 / 60
"""Least length of a straight bar, as a share of the long side."""
STRAIGHT = 0.03
"""Standard deviation of luma along a line up to which it counts fully as a bar."""
CROOKED = 0.06
"""Least standard deviation of luma along a line for it to be no bar; leaves vary by more."""
BRIGHT_PANE = (0.8, 0.95)
"""Luma of a pane at which its bars begin to be lifted with the frame, and from which they are lifted fully.

In front of a darker pane, lifted bars would outshine the view.
"""
# Things that are light and busy, or blown out, and yet no windows: white fronts, tiles, beds.
NEVER_PANES = (
    Label.APPLIANCE, Label.CABINET, Label.WORKTOP, Label.BACKSPLASH, Label.SANITARY, Label.BED, Label.SOFA,
    Label.TABLE, Label.CHAIR, Label.FURNITURE, Label.FLOOR, Label.RUG, Label.CEILING, Label.PICTURE, Label.CLUTTER,
)  # fmt: skip
SURE_OF_THEM = (0.5, 0.8)
"""Share of NEVER_PANES in a pixel at which it begins to count as no window, and from which it counts fully."""
UNEVEN = (0.06, 0.03)
"""Standard deviation of luma along its slats at which a pane begins to count as plain, and up to which fully.

Plain panes show no view: blinds, frosted glass, a blank sky. They are also pale and light; see the next two.
"""
PALE = (0.3, 0.15)
"""Chroma, as a share of the strongest color, at which a pane begins to count as plain, and up to which fully."""
LIGHT_CLOTH = (0.35, 0.55)
"""Luma at which a pane begins to count as plain, and from which it counts fully."""
LIKE_THE_WALL = (0.5, 0.9)
"""Luma, as a share of the wall's, at which a thing before a pane begins to count as a bar, and from which fully.

Darker things are tree trunks.
"""


@dataclass(frozen=True, slots=True)
class Daylight:
    """Small maps, 0-1.

    `window`: where light comes in; `view`: where the outside is seen, without blinds and frosted panes; `bars`:
    parts of the frame in front of bright panes.
    """

    window: Plane
    view: Plane
    bars: Plane


def find_daylight(scene: Scene, small: Plane) -> Daylight:
    """The windows of a room.

    Three things count: panes; areas that are blown out, as only panes and lamps are; and areas that are both light
    and busy, as only the view outside is.

    Parameters
    ----------
    scene : Scene
        The photo of the room.
    small : (h, w, 3) ndarray of float32
        The small picture of the photo, gamma-coded sRGB, 0-1.

    Returns
    -------
    Daylight
        Maps as large as `small`.
    """
    gray = rgb_to_gray(small)
    near = max(1.0, max(gray.shape) / 200)
    blown = smoothstep(gaussian_blur(smoothstep(gray, 0.965, 0.995), near), 0.3, 0.8)
    busy = smoothstep(gaussian_blur(local_std(gray, 2), 2 * near), 0.03, 0.09) * smoothstep(
        gaussian_blur(gray, 2 * near), 0.5, 0.72
    )
    # The outline of a light object is busy, too, but thin: it is removed.
    side = max(3, max(gray.shape) // 36)
    busy = plane(cv2.morphologyEx(busy, cv2.MORPH_OPEN, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))))
    share = scene.share(Kind.WINDOW)
    elsewhere = 1 - smoothstep(scene.label_share(*NEVER_PANES), *SURE_OF_THEM)
    busy, blown = plane(busy * elsewhere), plane(blown * elsewhere)
    glass = plane(np.maximum(share, busy))
    bars = plane(_bars(gray, glass) * smoothstep(glass, 0.25, 0.75))
    lit = np.maximum(_panes(gray, share), busy) * (1 - bars)
    window = plane(np.maximum(lit, blown))
    return Daylight(window, plane(window * (1 - _plain(small, gray))), bars)


def _plain(small: Plane, gray: Plane) -> Plane:
    """Where a pane is as pale and even as blinds, frosted glass or a blank sky, 0-1.

    Such panes look white in a room: darkened like a view, they would look dirty next to walls that are lifted.
    """
    value = max_channel(small)
    chroma = plane((value - min_channel(small)) / np.maximum(value, 1e-3))
    even = smoothstep(_unevenness_along(gray), *UNEVEN)
    pale = smoothstep(chroma, *PALE) * smoothstep(gray, *LIGHT_CLOTH)
    side = max(2, round(max(gray.shape) * EDGE_SHARE))
    return smoothstep(box_filter(plane(even * pale), side), 0.4, 0.7)


def _panes(gray: Plane, share: Plane) -> Plane:
    """Where the network sees windows, 0-1, with borders moved to real edges, and without dark panes.

    Whether a pixel is light depends on its surroundings, so that leaves and the shade between them are one view.
    """
    side = max(2, round(max(gray.shape) * EDGE_SHARE))
    slope, offset = fit_gray_map_model(share, gray, side, EDGE_SOFTNESS)
    followed = smoothstep(plane(np.clip(slope * gray + offset, 0, 1)), 0.25, 0.75)
    slope, offset = fit_gray_model(gray, side, VIEW_SOFTNESS)
    light = smoothstep(plane(slope * gray + offset), *LIGHT_PANE)
    return plane(followed * light * (1 - _Beside.of(gray, share, share).like_wall(gaussian_blur(gray, side / 2))))


def _bars(gray: Plane, share: Plane) -> Plane:
    """Bars and mullions before a bright view, 0-1: straight, light as the wall, much darker than the pane."""
    # Light pixels weigh most: a pane counts by its sky, not by the hedge below.
    beside = _Beside.of(gray, share, plane(gray**4 * share))
    straight = smoothstep(_unevenness_along(gray), CROOKED, STRAIGHT) * smoothstep(beside.pane, *BRIGHT_PANE)
    framed = smoothstep(plane(gray / np.maximum(beside.wall, 0.05)), *LIKE_THE_WALL)
    return plane(beside.like_wall(gray) * straight * framed)


def _unevenness_along(gray: Plane) -> Plane:
    """The standard deviation of luma over RUN, along the row or the column, whichever is smaller."""
    length = max(3, round(max(gray.shape) * RUN)) | 1

    def along(size: tuple[int, int]) -> Plane:
        mean, square = (plane(cv2.blur(each, size, borderType=cv2.BORDER_REFLECT)) for each in (gray, gray * gray))
        return plane(np.sqrt(np.maximum(square - mean * mean, 0)))

    return plane(np.minimum(along((length, 1)), along((1, length))))


@dataclass(frozen=True, slots=True)
class _Beside:
    """How light the panes (`pane`) and their surroundings (`wall`) are around each place; small maps, 0-1."""

    pane: Plane
    wall: Plane

    @classmethod
    def of(cls, gray: Plane, share: Plane, seen: Plane) -> "_Beside":
        """From each pixel's `share` of window, and its weight `seen` for the panes' lightness."""
        reach = max(gray.shape) * REACH
        inside, outside = plane(seen + 1e-4), plane(1 - share + 1e-4)
        pane, wall = (
            gaussian_blur(plane(gray * each), reach) / gaussian_blur(each, reach) for each in (inside, outside)
        )
        return cls(plane(pane), plane(wall))

    def like_wall(self, gray: Plane) -> Plane:
        """1 where a place is closer in lightness to the wall than to the panes.

        0 where panes and wall are about equally light, so that nothing distinguishes them.
        """
        lighter = plane(self.pane - self.wall)
        like = 1 - smoothstep(plane((gray - self.wall) / np.maximum(lighter, 0.05)), 0.3, 0.7)
        return plane(like * smoothstep(lighter, 0.05, 0.15))
