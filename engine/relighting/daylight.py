"""Where daylight enters a room: panes and the view behind them, without bars."""

from dataclasses import dataclass

import cv2
import numpy as np

from engine.arrays import Plane, plane, smoothstep
from engine.color.channels import max_channel, min_channel, rgb_to_gray
from engine.filters.guided import fit_gray_map_model, fit_gray_model
from engine.filters.smoothing import box_filter, gaussian_blur, local_std
from engine.segmentation.labels import Kind, Label
from engine.segmentation.scene import Scene

EDGE_SOFTNESS, LIGHT_PANE = 1e-3, (0.45, 0.7)
# Leaves and the shade between them differ by less than this variance, sky and hedge by more.
VIEW_SOFTNESS = 0.05
# Shares of the long side: how far a pane is compared with what is around it, how wide edges are drawn, and how long
# a bar runs straight on at least.
REACH, EDGE_SHARE, RUN = 1 / 40, 1 / 60, 1 / 60
# A bar varies by less than the first along its run; leaves by more than the second.
STRAIGHT, CROOKED = 0.03, 0.06
# Bars are lifted with their frame before a pane this light: before a darker one they would outshine the view.
BRIGHT_PANE = (0.8, 0.95)
# What is light and busy or blown and yet no window: white fronts, tiles, beds; and how sure the net must be.
NEVER_PANES = (
    Label.APPLIANCE, Label.CABINET, Label.WORKTOP, Label.BACKSPLASH, Label.SANITARY, Label.BED, Label.SOFA,
    Label.TABLE, Label.CHAIR, Label.FURNITURE, Label.FLOOR, Label.RUG, Label.CEILING, Label.PICTURE, Label.CLUTTER,
)  # fmt: skip
SURE_OF_THEM = (0.5, 0.8)
# Panes that show no view: how uneven along their slats, how colored and how light they are.
UNEVEN, PALE, LIGHT_CLOTH = (0.06, 0.03), (0.3, 0.15), (0.35, 0.55)
# Lumas, as shares of the wall's, from which on a thing before a pane is a frame as the wall's and no dark trunk.
LIKE_THE_WALL = (0.5, 0.9)


@dataclass(frozen=True, slots=True)
class Daylight:
    """Small maps, 0-1.

    `window`: where light comes in; `view`: where the outside is seen, without blinds and frosted panes; `bars`:
    what stands before bright panes and belongs to their frame.
    """

    window: Plane
    view: Plane
    bars: Plane


def find_daylight(scene: Scene, small: Plane) -> Daylight:
    """The windows of a room.

    They are its panes, what is blown out as only panes and lamps are, and what is both light and busy as only the
    view outside is.

    Parameters
    ----------
    scene : Scene
        The photo of the room.
    small : (h, w, 3) ndarray of float32
        Its small picture, gamma-coded sRGB, 0-1.

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
    # The outline of a light thing is busy, too, but thin.
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
    """Where a pane is as pale and even as blinds, frosted glass or a blank sky are, 0-1.

    They are white things of the room: darkened like a view, they look dirty next to the walls that are lifted.
    """
    value = max_channel(small)
    chroma = plane((value - min_channel(small)) / np.maximum(value, 1e-3))
    even = smoothstep(_unevenness_along(gray), *UNEVEN)
    pale = smoothstep(chroma, *PALE) * smoothstep(gray, *LIGHT_CLOTH)
    side = max(2, round(max(gray.shape) * EDGE_SHARE))
    return smoothstep(box_filter(plane(even * pale), side), 0.4, 0.7)


def _panes(gray: Plane, share: Plane) -> Plane:
    """What the net takes for windows, 0-1, drawn up to the edges that are there; dark panes need no care.

    A view is one thing, the leaves and the shade between them: what is around a pixel says whether it is light.
    """
    side = max(2, round(max(gray.shape) * EDGE_SHARE))
    slope, offset = fit_gray_map_model(share, gray, side, EDGE_SOFTNESS)
    followed = smoothstep(plane(np.clip(slope * gray + offset, 0, 1)), 0.25, 0.75)
    slope, offset = fit_gray_model(gray, side, VIEW_SOFTNESS)
    light = smoothstep(plane(slope * gray + offset), *LIGHT_PANE)
    return plane(followed * light * (1 - _Beside.of(gray, share, share).like_wall(gaussian_blur(gray, side / 2))))


def _bars(gray: Plane, share: Plane) -> Plane:
    """Bars and mullions before a bright view, 0-1: no darker than the wall, much darker than the pane, straight."""
    # The sky of a pane, not the hedge below.
    beside = _Beside.of(gray, share, plane(gray**4 * share))
    straight = smoothstep(_unevenness_along(gray), CROOKED, STRAIGHT) * smoothstep(beside.pane, *BRIGHT_PANE)
    framed = smoothstep(plane(gray / np.maximum(beside.wall, 0.05)), *LIKE_THE_WALL)
    return plane(beside.like_wall(gray) * straight * framed)


def _unevenness_along(gray: Plane) -> Plane:
    """The standard deviation along the row or the column, whichever is less; over RUN."""
    length = max(3, round(max(gray.shape) * RUN)) | 1

    def along(size: tuple[int, int]) -> Plane:
        mean, square = (plane(cv2.blur(each, size, borderType=cv2.BORDER_REFLECT)) for each in (gray, gray * gray))
        return plane(np.sqrt(np.maximum(square - mean * mean, 0)))

    return plane(np.minimum(along((length, 1)), along((1, length))))


@dataclass(frozen=True, slots=True)
class _Beside:
    """How light panes and their surroundings are around each place; small maps, 0-1."""

    pane: Plane
    wall: Plane

    @classmethod
    def of(cls, gray: Plane, share: Plane, seen: Plane) -> "_Beside":
        """From the share of window, and the weight of each pixel of the panes."""
        reach = max(gray.shape) * REACH
        inside, outside = plane(seen + 1e-4), plane(1 - share + 1e-4)
        pane, wall = (
            gaussian_blur(plane(gray * each), reach) / gaussian_blur(each, reach) for each in (inside, outside)
        )
        return cls(plane(pane), plane(wall))

    def like_wall(self, gray: Plane) -> Plane:
        """1 where a place is closer in lightness to the surroundings of the panes than to the panes: it is wall.

        0 where panes and wall are equally light, and nothing distinguishes them.
        """
        lighter = plane(self.pane - self.wall)
        like = 1 - smoothstep(plane((gray - self.wall) / np.maximum(lighter, 0.05)), 0.3, 0.7)
        return plane(like * smoothstep(lighter, 0.05, 0.15))
