"""Finds windows in a photo of a room: panes, the view through them, and bars."""

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
"""Epsilon, a variance of luma (0-1), of the guided filter that moves the borders of windows to edges."""
PANE_LUMA = (0.45, 0.7)
"""Luma (0-1): up to the first a pane is dark, from the second on it counts fully as light."""
VIEW_SOFTNESS = 0.05
"""Epsilon, a variance of luma (0-1), of the filter that smooths views: edges of hedges in front of the sky
are kept, edges of leaves are not.
"""
VIEW_REACH = 1 / 16
"""Radius, as a share of the long side, within which parts of a pane belong to one view."""
VIEW_NEARBY = (0.03, 0.12)
"""Share of view in this radius: up to the first a dark part of a pane is no view, from the second on it is one."""
SURROUNDINGS = 1 / 40
"""Sigma, as a share of the long side, of the blur over a pane and its surroundings that are compared."""
FILTER_RADIUS = 1 / 60
"""Radius of the guided filters, as a share of the long side."""
MIN_BAR_LENGTH = 1 / 60
"""Minimum length of a bar, as a share of the long side."""
BAR_DEVIATION = 0.03
"""Maximum standard deviation of luma (0-1) along a line that counts fully as a bar."""
NO_BAR_DEVIATION = 0.06
"""Standard deviation of luma (0-1) along a line from which on it is not a bar; leaves vary by more."""
LIFTED_BAR_LUMA = (0.8, 0.95)
"""Luma (0-1) of a pane: up to the first its bars are not lifted with the frame, from the second on fully.

Lifted bars in front of a darker pane would be brighter than the view.
"""
# Labels of things that may be light and busy or blown out but are no windows: white fronts, tiles, beds.
NEVER_PANES = (
    Label.APPLIANCE, Label.CABINET, Label.WORKTOP, Label.BACKSPLASH, Label.SANITARY, Label.BED, Label.SOFA,
    Label.TABLE, Label.CHAIR, Label.FURNITURE, Label.FLOOR, Label.RUG, Label.CEILING, Label.PICTURE, Label.CLUTTER,
)  # fmt: skip
NEVER_PANES_SHARE = (0.5, 0.8)
"""Share of NEVER_PANES in a pixel: up to the first it may be a window, from the second on it is not one."""
PLAIN_DEVIATION = (0.06, 0.03)
"""Standard deviation of luma (0-1) along rows or columns: at the first and above a pane is not plain, up to the
second it is fully plain.

Plain panes show no view: blinds, frosted glass, a blank sky. They are also pale and light: see the next two.
"""
PLAIN_CHROMA = (0.3, 0.15)
"""Chroma, as a share of the strongest channel: from the first on a pane is not plain, up to the second fully."""
PLAIN_LUMA = (0.35, 0.55)
"""Luma (0-1): up to the first a pane is not plain, from the second on it is fully plain."""
SKY_BLUENESS = (0.06, 0.16)
"""Blue minus red, as a share of the strongest channel: up to the first a pane is not blue, from the second on it
shows the sky; frosted glass in daylight has less.
"""
SKY_REACH = 1 / 9
"""Radius, as a share of the long side, within which sky is looked for: about the height of a window."""
SKY_NEARBY = (0.06, 0.2)
"""Share of sky in the panes around a place: up to the first they may be blinds, from the second on they are not."""
BAR_TO_WALL = (0.5, 0.9)
"""Luma, as a share of the wall's: up to the first a thing in front of a pane is not a bar (it may be a tree trunk),
from the second on it fully counts as a bar.
"""


@dataclass(frozen=True, slots=True)
class Daylight:
    """Small maps, 0-1.

    `window`: panes through which light enters; `view`: panes that show the outside, without blinds and frosted
    glass; `outside`: everything that is seen through the panes, including dark leaves; `bars`: parts of the frame
    in front of bright panes.
    """

    window: Plane
    view: Plane
    outside: Plane
    bars: Plane


def find_daylight(scene: Scene, small: Plane) -> Daylight:
    """Find the windows of a room.

    They are panes found by the net, blown-out areas (only panes and lamps are blown out), and areas that are both
    light and busy (only views are both).

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
    sigma = max(1.0, max(gray.shape) / 200)
    blown_out = smoothstep(gaussian_blur(smoothstep(gray, 0.965, 0.995), sigma), 0.3, 0.8)
    busy = smoothstep(gaussian_blur(local_std(gray, 2), 2 * sigma), 0.03, 0.09) * smoothstep(
        gaussian_blur(gray, 2 * sigma), 0.5, 0.72
    )
    # The outline of a light object is busy too, but thin, so it is removed.
    side = max(3, max(gray.shape) // 36)
    busy = plane(cv2.morphologyEx(busy, cv2.MORPH_OPEN, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))))
    share = scene.share(Kind.WINDOW)
    may_be_window = 1 - smoothstep(scene.label_share(*NEVER_PANES), *NEVER_PANES_SHARE)
    busy, blown_out = plane(busy * may_be_window), plane(blown_out * may_be_window)
    glass = plane(np.maximum(share, busy))
    bars = plane(_find_bars(gray, glass) * smoothstep(glass, 0.25, 0.75))
    lit = np.maximum(_find_panes(gray, share), busy) * (1 - bars)
    window = plane(np.maximum(lit, blown_out))
    view = plane(
        window * (1 - _find_plain_panes(small, gray) * (1 - share * _find_sky(small, plane(share * window))))
    )
    return Daylight(window, view, _find_outside(gray, share, view), bars)


def _find_outside(gray: Plane, share: Plane, view: Plane) -> Plane:
    """0-1: 1 for views in the net's windows, and for dark and busy places near them, such as leaves."""
    near = box_filter(view, max(2, round(max(gray.shape) * VIEW_REACH)))
    leaves = (1 - smoothstep(gray, *PANE_LUMA)) * smoothstep(
        _measure_line_deviation(gray), BAR_DEVIATION, NO_BAR_DEVIATION
    )
    return plane(share * smoothstep(near, *VIEW_NEARBY) * np.maximum(view, leaves))


def _find_plain_panes(small: Plane, gray: Plane) -> Plane:
    """0-1: 1 for panes as pale and even as blinds, frosted glass or a blank sky.

    Such panes look white. If they were darkened like a view, they would look dirty beside lifted walls.
    """
    value = max_channel(small)
    chroma = plane((value - min_channel(small)) / np.maximum(value, 1e-3))
    even = smoothstep(_measure_line_deviation(gray), *PLAIN_DEVIATION)
    pale = smoothstep(chroma, *PLAIN_CHROMA) * smoothstep(gray, *PLAIN_LUMA)
    side = max(2, round(max(gray.shape) * FILTER_RADIUS))
    return smoothstep(box_filter(plane(even * pale), side), 0.4, 0.7)


def _find_sky(small: Plane, window: Plane) -> Plane:
    """0-1: 1 for panes with blue sky nearby: pale places below the sky are fences or roofs, not blinds."""
    blueness = (small[..., 2] - small[..., 0]) / np.maximum(max_channel(small), 1e-3)
    sky = plane(smoothstep(plane(blueness), *SKY_BLUENESS) * window)
    side = max(2, round(max(window.shape) * SKY_REACH))
    return smoothstep(plane(box_filter(sky, side) / (box_filter(window, side) + 1e-3)), *SKY_NEARBY)


def _find_panes(gray: Plane, share: Plane) -> Plane:
    """0-1: 1 for the net's windows, with borders moved to edges, and without dark panes.

    Whether a pixel is light depends on its surroundings, so that leaves and the shade between them are one view.
    """
    side = max(2, round(max(gray.shape) * FILTER_RADIUS))
    slope, offset = fit_gray_map_model(share, gray, side, EDGE_SOFTNESS)
    snapped = smoothstep(plane(np.clip(slope * gray + offset, 0, 1)), 0.25, 0.75)
    slope, offset = fit_gray_model(gray, side, VIEW_SOFTNESS)
    light = smoothstep(plane(slope * gray + offset), *PANE_LUMA)
    return plane(
        snapped
        * light
        * (1 - _LocalLuma.measure(gray, share, share).compare_to_wall(gaussian_blur(gray, side / 2)))
    )


def _find_bars(gray: Plane, share: Plane) -> Plane:
    """0-1: 1 for bars in front of a bright view: straight, as light as the wall and much darker than the pane."""
    # Light pixels have the highest weight, so that the sky in a pane decides, not the hedge below.
    local = _LocalLuma.measure(gray, share, plane(gray**4 * share))
    straight = smoothstep(_measure_line_deviation(gray), NO_BAR_DEVIATION, BAR_DEVIATION) * smoothstep(
        local.pane, *LIFTED_BAR_LUMA
    )
    like_frame = smoothstep(plane(gray / np.maximum(local.wall, 0.05)), *BAR_TO_WALL)
    return plane(local.compare_to_wall(gray) * straight * like_frame)


def _measure_line_deviation(gray: Plane) -> Plane:
    """The standard deviation of luma over MIN_BAR_LENGTH along the row or the column, whichever is lower."""
    length = max(3, round(max(gray.shape) * MIN_BAR_LENGTH)) | 1

    def measure_along(size: tuple[int, int]) -> Plane:
        mean, square = (plane(cv2.blur(each, size, borderType=cv2.BORDER_REFLECT)) for each in (gray, gray * gray))
        return plane(np.sqrt(np.maximum(square - mean * mean, 0)))

    return plane(np.minimum(measure_along((length, 1)), measure_along((1, length))))


@dataclass(frozen=True, slots=True)
class _LocalLuma:
    """The mean luma of panes (`pane`) and of their surroundings (`wall`) around each pixel; small maps, 0-1."""

    pane: Plane
    wall: Plane

    @classmethod
    def measure(cls, gray: Plane, share: Plane, weight: Plane) -> "_LocalLuma":
        """Measure both; `share` is the share of window in each pixel, `weight` the pixel's weight in `pane`."""
        reach = max(gray.shape) * SURROUNDINGS
        inside, outside = plane(weight + 1e-4), plane(1 - share + 1e-4)
        pane, wall = (
            gaussian_blur(plane(gray * each), reach) / gaussian_blur(each, reach) for each in (inside, outside)
        )
        return cls(plane(pane), plane(wall))

    def compare_to_wall(self, gray: Plane) -> Plane:
        """1 where `gray` is closer to the wall than to the panes.

        0 where panes and wall are about equally light and cannot be distinguished.
        """
        lighter = plane(self.pane - self.wall)
        similarity = 1 - smoothstep(plane((gray - self.wall) / np.maximum(lighter, 0.05)), 0.3, 0.7)
        return plane(similarity * smoothstep(lighter, 0.05, 0.15))
