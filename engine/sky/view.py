"""Where each pixel of a photo looks: a level camera with a wide lens."""

from dataclasses import dataclass, replace

import numpy as np

from engine.arrays import Plane, plane

FOCAL = 0.72
"""Focal length over the photo's long side; a wide lens as houses are taken with."""


@dataclass(frozen=True, slots=True)
class ViewRays:
    """Where each pixel looks: unit vectors to the right, up and ahead; height x width each."""

    right: Plane
    up: Plane
    ahead: Plane


@dataclass(frozen=True, slots=True)
class SkyView:
    """How the photo looks at the sky: its size, the horizon as a share of the height, the sun's side (-1 to 1).

    Only the first `rows` rows are drawn, all when it is 0.
    """

    height: int
    width: int
    horizon: float
    sun_side: float
    rows: int = 0

    @property
    def drawn(self) -> int:
        """How many rows are drawn."""
        return self.rows or self.height


def estimate_focal(height: int, width: int) -> float:
    """The focal length of a photo; that of a panorama is limited to one not much wider than a photo's.

    Parameters
    ----------
    height, width : int
        The size of the photo, in pixels.

    Returns
    -------
    float
        In pixels.
    """
    return FOCAL * min(max(height, width), 2 * min(height, width))


def compute_rays(view: SkyView) -> ViewRays:
    """The line of sight of each pixel, for a level camera.

    Parameters
    ----------
    view : SkyView
        The view.

    Returns
    -------
    ViewRays
        Unit vectors, for the drawn rows only.
    """
    length = estimate_focal(view.height, view.width)
    across = (np.arange(view.width)[None] + 0.5 - view.width / 2) / length
    rise = (view.horizon * view.height - np.arange(view.drawn)[:, None] - 0.5) / length
    reach = np.sqrt(1 + across**2 + rise**2)
    return ViewRays(plane(across / reach), plane(rise / reach), plane(1 / reach))


def project_direction(view: SkyView, direction: tuple[float, float, float]) -> tuple[float, float]:
    """Where a direction is seen in the picture.

    Parameters
    ----------
    view : SkyView
        The view.
    direction : tuple of float
        Right, up, ahead; the last above 0.

    Returns
    -------
    across : float
        From the left, as a share of the width; 0-1 in sight.
    down : float
        From the top, as a share of the height; 0-1 in sight.
    """
    right, up, ahead = direction
    length = estimate_focal(view.height, view.width) / ahead
    return 0.5 + right * length / view.width, view.horizon - up * length / view.height


def shrink_view(view: SkyView, side: int) -> SkyView:
    """The same view, smaller.

    Parameters
    ----------
    view : SkyView
        The view; never enlarged.
    side : int
        The most pixels that its long side has then.

    Returns
    -------
    SkyView
        With as large a share of drawn rows.
    """
    scale = min(1.0, side / max(view.height, view.width))
    height, width = max(1, round(view.height * scale)), max(1, round(view.width * scale))
    rows = max(1, round(view.drawn * height / view.height))
    return replace(view, height=height, width=width, rows=rows)
