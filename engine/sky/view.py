"""Computes the direction of each pixel of a photo, for a level camera with a wide lens."""

from dataclasses import dataclass, replace

import numpy as np

from engine.arrays import Plane, plane

FOCAL_RATIO = 0.72
"""Assumed focal length divided by the photo's long side: a wide lens, as is usual for photos of houses."""


@dataclass(frozen=True, slots=True)
class ViewRays:
    """The direction of each pixel: unit vectors with parts to the right, up and ahead; height x width each."""

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
    def drawn_rows(self) -> int:
        """The number of rows that are drawn."""
        return self.rows or self.height


def estimate_focal(height: int, width: int) -> float:
    """Estimate the focal length of a photo.

    It is FOCAL_RATIO times the long side, or times twice the short side in a panorama with a longer long side.

    Parameters
    ----------
    height, width : int
        The size of the photo, in pixels.

    Returns
    -------
    float
        In pixels.
    """
    return FOCAL_RATIO * min(max(height, width), 2 * min(height, width))


def compute_rays(view: SkyView) -> ViewRays:
    """Compute the line of sight of each pixel, for a level camera.

    Parameters
    ----------
    view : SkyView
        The view.

    Returns
    -------
    ViewRays
        Unit vectors, for the drawn rows only.
    """
    focal = estimate_focal(view.height, view.width)
    columns = (np.arange(view.width)[None] + 0.5 - view.width / 2) / focal
    rows = (view.horizon * view.height - np.arange(view.drawn_rows)[:, None] - 0.5) / focal
    norm = np.sqrt(1 + columns**2 + rows**2)
    return ViewRays(plane(columns / norm), plane(rows / norm), plane(1 / norm))


def shrink_view(view: SkyView, side: int) -> SkyView:
    """Shrink a view.

    Parameters
    ----------
    view : SkyView
        The view; a smaller one is not enlarged.
    side : int
        Maximum long side of the smaller view, in pixels.

    Returns
    -------
    SkyView
        The smaller view, with the same share of its rows drawn.
    """
    scale = min(1.0, side / max(view.height, view.width))
    height, width = max(1, round(view.height * scale)), max(1, round(view.width * scale))
    rows = max(1, round(view.drawn_rows * height / view.height))
    return replace(view, height=height, width=width, rows=rows)
