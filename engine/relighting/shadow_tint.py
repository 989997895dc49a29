"""Removes the blue from hard shadows on the ground, which only the sun causes."""

from dataclasses import dataclass

import cv2
import numpy as np

from engine.arrays import Matte, Plane, plane, smoothstep
from engine.color.channels import gray_to_rgb, rgb_to_gray
from engine.filters.guided import fit_gray_map_model
from engine.filters.smoothing import gaussian_blur
from engine.filters.strips import enlarge_map
from engine.segmentation.labels import Kind
from engine.segmentation.scene import Scene

GROUNDS = Kind.GROUND, Kind.LAWN
"""Kinds of ground, each compared with itself."""
MIN_GROUND = 0.02
"""Minimum share of the picture that is one kind of ground; with less, shadows on it do not matter."""
SUNLIT_SHARE = 0.75
"""Quantile of the luma of the ground that counts as sunlit."""
SUNLIT = 0.6, 0.9
"""Luma, relative to sunlit ground: up to the first, ground does not count as sunlit; from the second on, fully."""
SHADED = 0.95, 0.6
"""Luma, relative to sunlit ground: from the first on, ground does not count as shaded; up to the second, fully."""
BLUER = 0.94, 0.84
"""Gain of blue: from the first on, ground does not count as shaded; up to the second, fully. Less blue ground is
another material.
"""
SIGMA = 0.08
"""Sigma, as a share of the long side, of the surroundings whose sunlit ground a shadow is compared with."""
FAR_WEIGHT = 0.02
"""Weight of all sunlit ground of the picture, compared with 1 for that of the surroundings."""
MAX_CHANGE = 1.6
"""Maximum factor by which one channel changes in relation to gray."""
RADIUS, SOFTNESS = 1 / 40, 1e-3
"""Window, as a share of the long side, and softness of the model that follows the edges of shadows."""


@dataclass(frozen=True, slots=True)
class ShadowTint:
    """Gains that give shaded ground the color of sunlit ground nearby, with its luma unchanged.

    `shade`: a small map, 0-1, of shaded ground. `model`: a small map (x 6) of the slopes, then the offsets, of the
    gains of red, green and blue, as functions of luma, 0-1.
    """

    shade: Plane
    model: Plane

    @classmethod
    def fit(cls, scene: Scene) -> "ShadowTint | None":
        """Fit the gains to a photo.

        Parameters
        ----------
        scene : Scene
            A daylight photo of the outdoors.

        Returns
        -------
        ShadowTint or None
            None if there is too little ground.
        """
        colors = plane(np.maximum(scene.own_small, 1 / 255))
        gray = rgb_to_gray(colors)
        grounds = [each for each in map(scene.share, GROUNDS) if (each > 0.5).mean() >= MIN_GROUND]
        if not grounds:
            return None
        found = [_compute_tint(colors, gray, each) for each in grounds]
        shade, tint = plane(sum(shade for shade, _ in found)), plane(1 + sum(tint - 1 for _, tint in found))
        return cls(shade, _fit_to_edges(tint, gray))

    def compute(self, gray: Matte, shape: tuple[int, ...], rows: slice, columns: slice) -> Plane:
        """Compute the gains of a part of the picture.

        Parameters
        ----------
        gray : (h, w) ndarray of uint8
            The luma of the part.
        shape : tuple of int
            Shape of the whole picture, rows and columns first.
        rows, columns : slice
            The part, with start and stop.

        Returns
        -------
        (h, w, 3) ndarray of float32
            Factors of gamma-coded values.
        """
        model = enlarge_map(self.model, shape, rows, columns)
        luma = gray_to_rgb(plane(plane(gray) / 255))
        return plane(np.clip(model[..., :3] * luma + model[..., 3:], 1 / MAX_CHANGE, MAX_CHANGE))


def _compute_tint(colors: Plane, gray: Plane, ground: Plane) -> tuple[Plane, Plane]:
    """Compute the shade on one kind of ground, 0-1, and its gains (x 3), which are 1 where it is not shaded."""
    sunlit_luma = float(np.quantile(gray[ground > 0.5], SUNLIT_SHARE))
    wanted = _average_sunlit(plane(colors / gray_to_rgb(gray)), gray, ground, sunlit_luma)
    tint = np.clip(wanted * gray_to_rgb(gray) / colors, 1 / MAX_CHANGE, MAX_CHANGE)
    bluer = smoothstep(plane(tint[..., 2]), *BLUER)
    shade = plane(ground * bluer * smoothstep(gray, SHADED[0] * sunlit_luma, SHADED[1] * sunlit_luma))
    tint = 1 + gray_to_rgb(shade) * (tint - 1)
    return shade, plane(tint / gray_to_rgb(plane(rgb_to_gray(plane(colors * tint)) / gray)))


def _average_sunlit(chroma: Plane, gray: Plane, ground: Plane, sunlit_luma: float) -> Plane:
    """Average the chroma of sunlit ground around each pixel."""
    weight = plane(ground * smoothstep(gray, SUNLIT[0] * sunlit_luma, SUNLIT[1] * sunlit_luma))
    sigma = SIGMA * max(gray.shape)
    everywhere = (chroma * gray_to_rgb(weight)).sum((0, 1)) / max(float(weight.sum()), 1e-3)
    nearby, total = gaussian_blur(plane(chroma * gray_to_rgb(weight)), sigma), gaussian_blur(weight, sigma)
    return plane((nearby + FAR_WEIGHT * everywhere) / gray_to_rgb(plane(total + FAR_WEIGHT)))


def _fit_to_edges(tint: Plane, gray: Plane) -> Plane:
    """Fit the model of the gains that follows the edges of the luma."""
    radius = max(2, round(RADIUS * max(gray.shape)))
    fits = [fit_gray_map_model(plane(each), gray, radius, SOFTNESS) for each in cv2.split(tint)]
    return plane(cv2.merge([slope for slope, _ in fits] + [offset for _, offset in fits]))
