"""Where each pixel of a photo looks: a level camera with a wide lens."""

from dataclasses import dataclass, replace

import numpy as np

from engine.arrays import Plane, plane

FOCAL = 0.72
"""Assumed focal length over the photo's long side: a wide lens, as is usual for photos of houses."""


@dataclass(frozen=True, slots=True)
class ViewRays:
    """Where each pixel looks: unit vectors to the right, up and ahead; height x width each."""

    right: Plane
    up: Plane
    ahead: Plane


@dataclass(frozen=True, slots=True)
class SkyView:
    """A photo's view of the sky: size, row of the horizon as a share of the height, the sun's side (-1 to 1).

    Only the first `rows` rows are drawn; 0 stands for all rows.
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
    """The assumed focal length of a photo.

    FOCAL times the long side. In a panorama, twice the short side counts instead of a longer long side.

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
        The view; it is never enlarged.
    side : int
        The longest that the long side of the smaller view may be, in pixels.

    Returns
    -------
    SkyView
        The smaller view, with the same share of its rows drawn.
    """
    scale = min(1.0, side / max(view.height, view.width))
    height, width = max(1, round(view.height * scale)), max(1, round(view.width * scale))
    rows = max(1, round(view.drawn * height / view.height))
    return replace(view, height=height, width=width, rows=rows)
