"""A material laid on a surface: what it throws back at each spot, seen from near or far without flicker."""

from dataclasses import dataclass, replace

import cv2
import numpy as np

from engine.arrays import Plane, plane, smoothstep
from engine.color.channels import gray_to_rgb
from engine.materials.colors import estimate_reflectance
from engine.materials.finish import Finish, MaterialKind, Pattern
from engine.materials.noise import sample_tile
from engine.materials.pieces import CHANCES, lay_pieces
from engine.materials.samples import Sample, make_sample

LEAST_SIDE = 8
UNLIKE_WARM = 0.25
"""How much pieces differ in warmth, as a share of how much they differ in brightness."""
CONTINUED = frozenset({Pattern.PLAIN, Pattern.PANELS})
"""Where the sample goes on from piece to piece."""


@dataclass(frozen=True, slots=True)
class Material:
    """A finish ready to be laid. `levels` are its sample at full, half, quarter size and so on; `chances` are 4
    numbers of 0-1 for each piece; `joint` and `other` (levels of the second kind of tiles) may be missing.
    """

    finish: Finish
    levels: tuple[Plane, ...]
    pitch: float
    unlike: float
    chances: Plane
    joint: Plane
    other: tuple[Plane, ...] = ()

    def sample(self, along: Plane, across: Plane, footprint: Plane) -> Plane:
        """Height x width x 3: what is thrown back of the light at spots `along` and `across` the surface (meters),
        a pixel seeing `footprint` meters of it.
        """
        pieces = lay_pieces(self.finish, along, across, footprint)
        chances = self.chances[pieces.piece]
        x, y = pieces.along, pieces.across
        if self.finish.pattern not in CONTINUED:
            # Every piece is cut from somewhere else, half of them turned round.
            turned = np.where(chances[..., 0] < 0.5, np.float32(1), np.float32(-1))
            x = x * turned + chances[..., 1] * np.float32(self.levels[0].shape[1] * self.pitch)
            y = y * turned + chances[..., 2] * np.float32(self.levels[0].shape[0] * self.pitch)
        albedo = self._at(self.levels, x, y, footprint)
        if pieces.other is not None and self.other:
            mask = np.repeat(pieces.other[..., None], 3, axis=-1)
            albedo = plane(np.where(mask, self._at(self.other, x, y, footprint), albedo))
        if self.unlike and self.finish.pattern not in CONTINUED:
            albedo = albedo * self._unlikeness(chances)
        if self.finish.pattern not in CONTINUED:
            # So far off that a pixel sees several pieces, it sees their mean.
            width = min(self.finish.size)
            far = gray_to_rgb(smoothstep(footprint, 0.7 * width, 3 * width))
            albedo = plane(albedo * (1 - far) + self._mean() * far)
        joint = gray_to_rgb(pieces.joint)
        return plane(albedo * (1 - joint) + plane(self.joint) * joint)

    def _mean(self) -> Plane:
        ends = [self.levels[-1], *self.other[-1:]]
        return plane(np.mean([each.reshape(-1, 3).mean(0) for each in ends], axis=0))

    def _unlikeness(self, chances: Plane) -> Plane:
        """How many times as bright each piece is, a little warmer or cooler with it."""
        bright = (chances[..., 3] - 0.5) * np.float32(3.4 * self.unlike)
        warm = (chances[..., 0] + chances[..., 1] - 1) * np.float32(3.4 * self.unlike * UNLIKE_WARM)
        return plane(np.exp(cv2.merge([plane(bright + warm), plane(bright), plane(bright - warm)])))

    def _at(self, levels: tuple[Plane, ...], x: Plane, y: Plane, footprint: Plane) -> Plane:
        level = np.clip(np.log2(np.maximum(footprint / np.float32(self.pitch), 1.0)), 0, len(levels) - 1)
        first, last = int(level.min()), int(np.ceil(level.max()))
        result: Plane | None = None
        for number in range(first, last + 1):
            weight = plane(np.clip(1 - np.abs(level - number), 0, 1))
            scale = np.float32(1 / (self.pitch * 2**number))
            height, width = levels[number].shape[:2]
            # The filter counts in small whole numbers and has to find its places near the sample.
            columns, rows = np.mod(x * scale, width) - 0.5, np.mod(y * scale, height) - 0.5
            here = sample_tile(levels[number], plane(columns), plane(rows)) * gray_to_rgb(weight)
            result = here if result is None else result + here
        return plane(result)


def make_material(finish: Finish, rng: np.random.Generator, sample: Sample | None = None) -> Material:
    """The finish ready to be laid; the same for the same state of `rng`. A `sample` seen elsewhere may be given."""
    own = sample or make_sample(finish, rng)
    chances = rng.random((CHANCES, 4), dtype=np.float32)
    other: tuple[Plane, ...] = ()
    if finish.pattern is Pattern.CHECKER and finish.second:
        other = _halve(make_sample(replace(finish, color=finish.second), rng).albedo)
    return Material(finish, _halve(own.albedo), own.pitch, own.unlike, chances, _joint(finish, own), other)


def _halve(albedo: Plane) -> tuple[Plane, ...]:
    levels = [albedo]
    while min(levels[-1].shape[:2]) > LEAST_SIDE:
        height, width = levels[-1].shape[:2]
        levels.append(plane(cv2.resize(levels[-1], (width // 2, height // 2), interpolation=cv2.INTER_AREA)))
    return tuple(levels)


def _joint(finish: Finish, sample: Sample) -> Plane:
    """What joints throw back: gaps between boards are dark, grout is gray, lighter beside light tiles."""
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
    return plane(mean * 0.45 + np.array([0.10, 0.10, 0.095], np.float32) * (1 if gray > 0.1 else 0.4))
