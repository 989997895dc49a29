"""A material on a surface: its reflectance at each spot, without aliasing at any distance."""

from dataclasses import dataclass, replace

import cv2
import numpy as np

from engine.arrays import Plane, plane, smoothstep
from engine.color.channels import gray_to_rgb
from engine.materials.colors import estimate_reflectance
from engine.materials.finish import Finish, MaterialKind, Pattern
from engine.materials.noise import sample_tile
from engine.materials.pieces import PIECE_COUNT, lay_pieces
from engine.materials.samples import Sample, make_sample

MIN_LEVEL_SIDE = 8
"""A sample is halved until its shorter side has at most this many pixels."""
WARMTH_SHARE = 0.15
"""Ratio of the difference between pieces in warmth to their difference in brightness."""
CONTINUOUS = frozenset({Pattern.PLAIN, Pattern.PANELS})
"""Patterns in which the sample continues from piece to piece."""


@dataclass(frozen=True, slots=True)
class Material:
    """A finish ready to be laid.

    `levels` are its sample at full, half, quarter size and so on; `pitch` is meters per pixel at full size.
    `variation` is how much pieces differ in brightness; `random_numbers` has 4 values of 0-1 for each piece;
    `joint` is the reflectance of joints (3 values). `other` are the levels of every other tile, if the colors of
    tiles alternate.
    """

    finish: Finish
    levels: tuple[Plane, ...]
    pitch: float
    variation: float
    random_numbers: Plane
    joint: Plane
    other: tuple[Plane, ...] = ()

    def sample(self, along: Plane, across: Plane, footprint: Plane) -> Plane:
        """The reflectance of the surface at some spots.

        Parameters
        ----------
        along : (h, w) ndarray of float32
            Meters along the surface.
        across : (h, w) ndarray of float32
            Meters across it.
        footprint : (h, w) ndarray of float32
            Meters of the surface that a pixel covers.

        Returns
        -------
        (h, w, 3) ndarray of float32
            The share of red, green and blue light that is reflected, linear.
        """
        pieces = lay_pieces(self.finish, along, across, footprint)
        random_numbers = self.random_numbers[pieces.piece]
        x, y = pieces.along, pieces.across
        if self.finish.pattern not in CONTINUOUS:
            # Each piece shows a random part of the sample; half of the pieces are turned by 180 degrees.
            turned = np.where(random_numbers[..., 0] < 0.5, np.float32(1), np.float32(-1))
            x = x * turned + random_numbers[..., 1] * np.float32(self.levels[0].shape[1] * self.pitch)
            y = y * turned + random_numbers[..., 2] * np.float32(self.levels[0].shape[0] * self.pitch)
        albedo = self._sample_levels(self.levels, x, y, footprint)
        if pieces.other is not None and self.other:
            mask = np.repeat(pieces.other[..., None], 3, axis=-1)
            albedo = plane(np.where(mask, self._sample_levels(self.other, x, y, footprint), albedo))
        if self.variation and self.finish.pattern not in CONTINUOUS:
            albedo = albedo * self._compute_piece_factors(random_numbers)
        if self.finish.pattern not in CONTINUOUS:
            # A pixel that covers several pieces shows the mean color.
            width = min(self.finish.size)
            far = gray_to_rgb(smoothstep(footprint, 0.7 * width, 3 * width))
            albedo = plane(albedo * (1 - far) + self._compute_mean() * far)
        joint = gray_to_rgb(pieces.joint)
        return plane(albedo * (1 - joint) + plane(self.joint) * joint)

    def _compute_mean(self) -> Plane:
        ends = [self.levels[-1], *self.other[-1:]]
        return plane(np.mean([each.reshape(-1, 3).mean(0) for each in ends], axis=0))

    def _compute_piece_factors(self, random_numbers: Plane) -> Plane:
        """Factors for each channel that make pieces brighter or darker, and a little warmer or cooler."""
        bright = (random_numbers[..., 3] - 0.5) * np.float32(3.4 * self.variation)
        warm = (random_numbers[..., 0] + random_numbers[..., 1] - 1) * np.float32(
            3.4 * self.variation * WARMTH_SHARE
        )
        return plane(np.exp(cv2.merge([plane(bright + warm), plane(bright), plane(bright - warm)])))

    def _sample_levels(self, levels: tuple[Plane, ...], x: Plane, y: Plane, footprint: Plane) -> Plane:
        level = np.clip(np.log2(np.maximum(footprint / np.float32(self.pitch), 1.0)), 0, len(levels) - 1)
        first, last = int(level.min()), int(np.ceil(level.max()))
        result: Plane | None = None
        for number in range(first, last + 1):
            weight = plane(np.clip(1 - np.abs(level - number), 0, 1))
            scale = np.float32(1 / (self.pitch * 2**number))
            height, width = levels[number].shape[:2]
            # OpenCV's remap handles only coordinates below 32768, so coordinates are first wrapped to the sample.
            columns, rows = np.mod(x * scale, width) - 0.5, np.mod(y * scale, height) - 0.5
            sampled = sample_tile(levels[number], plane(columns), plane(rows)) * gray_to_rgb(weight)
            result = sampled if result is None else result + sampled
        return plane(result)


def make_material(finish: Finish, rng: np.random.Generator, sample: Sample | None = None) -> Material:
    """Generate the material of a finish; the same state of the generator gives the same material.

    Parameters
    ----------
    finish : Finish
        The finish of the surface.
    rng : numpy.random.Generator
        For the material's texture and the differences between pieces.
    sample : Sample, optional
        The texture, for example from a reference picture; by default it is generated.

    Returns
    -------
    Material
        The finish with its texture.
    """
    own = sample or make_sample(finish, rng)
    random_numbers = rng.random((PIECE_COUNT, 4), dtype=np.float32)
    other: tuple[Plane, ...] = ()
    if finish.pattern is Pattern.CHECKER and finish.second:
        other = _build_levels(make_sample(replace(finish, color=finish.second), rng).albedo)
    return Material(
        finish,
        _build_levels(own.albedo),
        own.pitch,
        own.variation,
        random_numbers,
        _choose_joint_color(finish, own),
        other,
    )


def _build_levels(albedo: Plane) -> tuple[Plane, ...]:
    levels = [albedo]
    while min(levels[-1].shape[:2]) > MIN_LEVEL_SIDE:
        height, width = levels[-1].shape[:2]
        levels.append(plane(cv2.resize(levels[-1], (width // 2, height // 2), interpolation=cv2.INTER_AREA)))
    return tuple(levels)


def _choose_joint_color(finish: Finish, sample: Sample) -> Plane:
    """The reflectance of joints: gaps between boards are dark; grout is gray, and lighter between light tiles."""
    if finish.joint is not None:
        return estimate_reflectance(finish.joint)
    mean = sample.albedo.reshape(-1, 3).mean(0)
    if finish.kind is MaterialKind.WOOD or finish.pattern is Pattern.PANELS:
        return plane(mean * (0.35 if finish.kind is MaterialKind.WOOD else 0.55))
    if finish.kind is MaterialKind.BRICK:
        return plane(np.array([0.52, 0.48, 0.42], np.float32) if mean.max() > 0.12 else mean * 0.7 + 0.05)
    gray = float(mean.mean())
    if gray > 0.45:
        return plane(mean * 0.35 + 0.28)
    if gray > 0.1:
        return plane(mean * 0.5 + 0.02)
    return plane(mean * 0.45 + np.array([0.04, 0.04, 0.038], np.float32))
