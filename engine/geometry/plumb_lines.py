"""Measures the distortion of a lens by edges that are straight in reality: the plumb-line method.

Brown, "Close-range camera calibration" (1971); Devernay and Faugeras, "Straight lines have to be straight" (2001).
Distortion bends an edge more, the farther it is from the picture's middle. If edges on several sides agree, the
lens bent them; a single bent edge may be bent in reality.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from engine.geometry.curves import Curves
from engine.geometry.distortion import Distortion, make_distortion, scale_distortion
from engine.geometry.segments import Numbers

STRENGTHS = np.arange(-0.06, 0.2, 0.002)
"""Strengths of the division model that are tried; see `engine.geometry.distortion.make_distortion`."""
SHARES = np.arange(-0.6, 1.8, 0.05)
"""Shares of a known distortion that are tried; the share is 0 if the camera's software has already corrected it."""
PLACE_ERROR, BOW = 0.15, 1e-3
"""Usual error of the middle of a straight edge: in pixels, and as a share of half the edge's length."""
DEPENDENT_PLACES = 3
"""Number of places along an edge that count as one measurement, because neighbors share pixels."""
SEARCH_ERRORS, AGREEMENT_ERRORS = 4.0, 2.0
"""Deviations, as multiples of an edge's error, up to which it counts in the search, and up to which it agrees."""
REFINEMENTS, GROUP_REFINEMENTS, GROUPS = 8, 4, 10
"""Numbers of refining steps: of the final fit, and of each fit without one of GROUPS groups of neighboring edges,
which give the standard error.
"""
MIN_EDGES, MIN_GROUPS, MIN_AGREEING, MAX_OF_ONE = 8, 7, 0.45, 0.4
"""Minimum number of agreeing edges and of groups, and share of all edges; maximum share of a single edge."""
MIN_OTHER_SIDES = 0.1
"""Minimum share of the information that must come from a second side of the picture."""
MIN_OTHER_ERRORS, MAX_OTHER_ERROR, MAX_OTHER_DIFFERENCE = 3.0, 0.01, 0.35
"""What the edges without those of the first side must give: a strength of at least this multiple of its error, at
most this error, and at most this deviation from the answer, as a share of the answer.
"""
MIN_STRENGTH, MAX_STRENGTH, MIN_ERRORS, MAX_ERROR = 0.005, 0.12, 4.0, 0.006
"""Limits of the strength, and of its standard error: weaker distortion is not visible, stronger distortion is
that of a fisheye. Pincushion distortion is left out: wide lenses do not have it, and edges that showed it were
mostly wrong.
"""
MAX_CHANGE = 0.007
"""Maximum difference of the final strength from the one by all edges within SEARCH_ERRORS."""
MAX_SHARE_OFF, MIN_SHARE_ERRORS, MIN_KNOWN_EDGES, MIN_KNOWN_GROUPS = 0.35, 4.0, 5, 4
"""A known distortion is in the picture if edges give a share of it that differs from 1 by at most the first number,
and from 0 by at least as many errors as the second. The others are the least numbers of edges and of groups.
"""
MAX_STEP, _STEP = 0.1, 1e-3
"""Maximum change of a number in one step, and the change by which slopes are measured."""

Family = Callable[[float], Distortion]


@dataclass(frozen=True, slots=True)
class _Fit:
    """A number estimated from edges: `value` with its standard error; `wide` if edges may agree less strictly.

    For each edge: its `information` about the number (the inverse of a variance), its `slope` (how much the number
    bends the edge, in errors of the edge), and whether it agrees.
    """

    wide: float
    value: float
    error: float
    groups: int
    information: Numbers
    slope: Numbers
    agrees: NDArray[np.bool_]


class PlumbLines:
    """Edges of a picture, in halves of the diagonal from its middle, that may show the distortion of the lens."""

    def __init__(self, curves: Curves, width: int, height: int) -> None:
        """`width` and `height` are the picture's, in pixels."""
        self._unit = float(np.hypot(width, height)) / 2
        self._places = (curves.places - np.array([width, height]) / 2) / self._unit
        self._weights = curves.weights + 1e-9
        middle, chord = self._places.mean(1), self._places[:, -1] - self._places[:, 0]
        normal = np.column_stack([-chord[:, 1], chord[:, 0]]) / np.maximum(np.hypot(*chord.T), 1e-9)[:, None]
        foot = normal * (normal * middle).sum(1, keepdims=True)
        self._side = np.asarray(np.arctan2(foot[:, 1], foot[:, 0]))

    def estimate(self) -> Distortion | None:
        """Estimate barrel distortion.

        Returns
        -------
        Distortion or None
            None if edges are too few, disagree or lie on one side, and if there is hardly any distortion or that of
            a fisheye.
        """
        if len(self._places) < MIN_EDGES:
            return None
        found = self._fit(make_distortion, STRENGTHS)
        strength, info = found.value, found.information
        sure = found.error <= min(MAX_ERROR, strength / MIN_ERRORS)
        if not (MIN_STRENGTH <= strength <= MAX_STRENGTH and sure and abs(strength - found.wide) <= MAX_CHANGE):
            return None
        if found.agrees.sum() < MIN_EDGES or found.groups < MIN_GROUPS or info.max() > MAX_OF_ONE * info.sum():
            return None
        agreeing = np.abs(found.slope[found.agrees]).sum() / np.abs(found.slope).sum()
        return make_distortion(strength) if agreeing >= MIN_AGREEING and self._sides_agree(found) else None

    def _sides_agree(self, found: _Fit) -> bool:
        sides = np.floor(self._side / (np.pi / 2) + 0.5).astype(int) % 4
        shares = np.array([found.information[sides == side].sum() for side in range(4)])
        shares /= shares.sum()
        others = (sides != shares.argmax()).astype(np.float64)
        value, information = self._refine(make_distortion, found.value, others, AGREEMENT_ERRORS)
        error = 1 / np.sqrt(max(information.sum(), 1e-12))
        return bool(
            np.sort(shares)[-2] >= MIN_OTHER_SIDES
            and value >= MIN_OTHER_ERRORS * error
            and error <= MAX_OTHER_ERROR
            and abs(value - found.value) <= MAX_OTHER_DIFFERENCE * found.value
        )

    def confirm(self, distortion: Distortion) -> bool:
        """Whether a known distortion is in the picture; the camera's software may already have corrected it.

        Parameters
        ----------
        distortion : Distortion
            The distortion of the lens.

        Returns
        -------
        bool
            False if the edges do not show it clearly.
        """
        if len(self._places) < MIN_KNOWN_EDGES:
            return False
        found = self._fit(partial(scale_distortion, distortion), SHARES)
        return bool(
            abs(found.value - 1) <= MAX_SHARE_OFF
            and found.value >= MIN_SHARE_ERRORS * found.error
            and found.groups >= MIN_KNOWN_GROUPS
            and found.agrees.sum() >= MIN_KNOWN_EDGES
        )

    def _fit(self, family: Family, tried: Numbers) -> _Fit:
        """The number for which correcting the family's distortion makes the edges straight."""
        every = np.ones(len(self._places))
        off = np.stack([np.divide(*self._measure_bends(family(float(number)))) for number in tried])
        weights = np.abs(np.gradient(off, tried, axis=0)).mean(0)
        start = float(tried[((1 / (1 + (off / SEARCH_ERRORS) ** 2)) @ weights).argmax()])
        wide, _ = self._refine(family, start, every, SEARCH_ERRORS)
        value, information = self._refine(family, wide, every, AGREEMENT_ERRORS)
        groups = self._group(information)
        left_out = [
            self._refine(family, value, (groups != group) * 1.0, AGREEMENT_ERRORS, GROUP_REFINEMENTS)[0]
            for group in np.unique(groups)
        ]
        own_error = 1 / np.sqrt(max(float(information.sum()), 1e-12))
        error = max(own_error, float(np.sqrt((len(left_out) - 1) * np.var(left_out))))
        bends, errors = self._measure_bends(family(value))
        slope = (self._measure_bends(family(value + _STEP))[0] - bends) / _STEP / errors
        agrees = np.abs(bends) < AGREEMENT_ERRORS * errors
        return _Fit(wide, value, error, len(left_out), information, slope, agrees)

    def _group(self, information: Numbers) -> NDArray[np.intp]:
        """The group of each edge: neighbors around the picture's middle, with equal information in all groups."""
        order = np.argsort(self._side, kind="stable")
        share = (information[order].cumsum() - information[order] / 2) / max(float(information.sum()), 1e-12)
        groups = np.empty(len(order), np.intp)
        groups[order] = (share * GROUPS).astype(np.intp)
        return groups

    def _refine(
        self, family: Family, value: float, counts: Numbers, limit: float, steps: int = REFINEMENTS
    ) -> tuple[float, Numbers]:
        """The number of least error, and the edges' information about it; edges `limit` errors off hardly count."""
        information = counts
        for _ in range(steps):
            bends, errors = self._measure_bends(family(value))
            slope = (self._measure_bends(family(value + _STEP))[0] - bends) / _STEP
            weights = counts / errors**2 / (1 + (bends / errors / limit) ** 2) ** 2
            information = weights * slope**2
            step = float((weights * bends * slope).sum() / max(float(information.sum()), 1e-12))
            value -= float(np.clip(step, -MAX_STEP, MAX_STEP))
        return value, information

    def _measure_bends(self, distortion: Distortion) -> tuple[Numbers, Numbers]:
        """The curvature that edges have after a distortion is corrected, and its standard error."""
        places = distortion.correct(self._places)
        chord = places[:, -1] - places[:, 0]
        length = np.maximum(np.hypot(*chord.T), 1e-9)
        along = chord / length[:, None]
        normal = np.column_stack([-along[:, 1], along[:, 0]])
        places = places - places.mean(1, keepdims=True)
        # Places run from -1 to 1 along the chord, so that the equations are well conditioned.
        way, off = 2 * (places @ along[..., None])[..., 0] / length[:, None], (places @ normal[..., None])[..., 0]
        powers = np.stack([np.ones_like(way), way, way**2], -1)
        weighted = powers * self._weights[..., None]
        inverse = np.linalg.inv(np.swapaxes(weighted, 1, 2) @ powers + np.eye(3) * 1e-9)
        found = inverse @ (np.swapaxes(weighted, 1, 2) @ off[..., None])
        rest = off - (powers @ found)[..., 0]
        count = self._weights.sum(1)
        variance = (self._weights * rest**2).sum(1) / np.maximum(count / DEPENDENT_PLACES - 3, 1)
        fitted = inverse[:, 2, 2] * variance
        half = length / 2
        error = np.sqrt(fitted + (PLACE_ERROR / self._unit) ** 2 + (BOW * half) ** 2)
        return found[:, 2, 0] / half**2, error / half**2
