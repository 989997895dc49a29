"""Where the sky is, to the pixel: the net says about where, the colours beside it say exactly.

Each pixel is judged by the net's answer and by how well it fits the colours of the sky and of the things near by,
as in Bayesian matting (Chuang et al. 2001), with one Gaussian for each.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from app.engine.arrays import Mask, Plane, blurred, luminance, plane, ramp
from app.engine.scene.kinds import Kind

LEAST_SHARE = 0.006
# A region without one pixel the net is this sure of is no sky.
SURE = 0.6
# How far colours of sky and things are gathered from, as shares of the long side: widely first, then closer.
WIDE_REACHES, REACH = (0.2, 0.05), 0.02
# The net's edges are right to about this share of the long side.
UNSURE = 0.005
# Things other than sky are looked for this near to where the net sees some.
NEAR = 0.015
# What colours may add to or take from the net's log odds, and the least spread of a colour (0-1).
MOST_DOUBT, LEAST_SPREAD = 2.5, 0.018
# Things beside the sky are of several colours; taken as one broad one they would fit too badly at full weight.
BREADTH = 0.35
# Twigs and leaves let the sky through finer than the net can tell.
LEAFY_DOUBT = 4.5


@dataclass(frozen=True, slots=True)
class _View:
    """A picture (x 3, 0-1), the net's probability of sky, and how much colours may say against it and for it."""

    small: Plane
    likely: Plane
    against: Plane
    in_favour: Plane


def sky_mask(small: Plane, shares: Plane) -> Plane:
    """Share of sky, height x width, 0-1, of a small sRGB picture (x 3, 0-1); all 0 when no sky is found.

    `shares` are the net's probabilities of every kind, height x width x len(Kind).
    """
    likely = plane(shares[..., Kind.SKY] * _with_core(shares[..., Kind.SKY]))
    if likely.mean() < LEAST_SHARE:
        return np.zeros(small.shape[:2], np.float32)
    side = max(small.shape[:2])
    likely = blurred(likely, UNSURE * side)
    in_favour = plane(MOST_DOUBT + LEAFY_DOUBT * blurred(shares[..., Kind.TREES], 3))
    view = _View(small, likely, plane(in_favour * _may_be_things(small, likely, side)), in_favour)
    # Colours from far away are smooth: half the size is enough to weigh them.
    half = _View(*(_halved(each) for each in (small, likely, view.against, in_favour)))
    share = half.likely
    for reach in WIDE_REACHES:
        share = _judged(half, share, reach * side / 2)
    share = plane(cv2.resize(share, (small.shape[1], small.shape[0]), interpolation=cv2.INTER_LINEAR))
    return ramp(_judged(view, share, REACH * side), 0.12, 0.88)


def _with_core(likely: Plane) -> Mask:
    """The regions that hold a pixel the net is sure of."""
    _, labels = cv2.connectedComponents((likely > 0.02).astype(np.uint8), connectivity=8)
    kept = np.unique(labels[likely > SURE])
    return np.asarray(np.isin(labels, kept[kept > 0]), dtype=np.bool_)


def _may_be_things(small: Plane, likely: Plane, side: int) -> Plane:
    """0-1: near what the net does not take for sky, or darker than the sky: clouds in the open sky are neither."""
    near = ramp(blurred(plane(1 - likely), NEAR * side), 0.03, 0.2)
    light, weight = luminance(small), plane(likely**2)
    around = WIDE_REACHES[-1] * side
    sky_light = blurred(plane(light * weight), around) / (blurred(weight, around) + 1e-4)
    return plane(np.maximum(near, ramp(plane(sky_light - light), 0.06, 0.16)))


def _halved(values: Plane) -> Plane:
    height, width = values.shape[:2]
    size = (max(1, width // 2), max(1, height // 2))
    return plane(cv2.resize(values, size, interpolation=cv2.INTER_AREA))


def _judged(view: _View, share: Plane, reach: float) -> Plane:
    """The share of sky after a look at the colours within `reach` pixels, given the share found so far."""
    sky, ground = plane(share**2), plane((1 - share) ** 2)
    evidence = _misfit(view.small, ground, reach) - _misfit(view.small, sky, reach)
    # Far from any sky, or from anything else, there is nothing to compare with.
    known = np.minimum(blurred(sky, reach * 2), blurred(ground, reach * 2))
    evidence = np.clip(evidence, -view.against, view.in_favour) * np.clip(known / 0.02, 0, 1)
    certain = np.clip(view.likely, 0.002, 0.998)
    odds = np.log(certain / (1 - certain)) + evidence
    return plane(1 / (1 + np.exp(-odds)))


def _misfit(small: Plane, weight: Plane, reach: float) -> Plane:
    """How badly each pixel fits the weighted colours around it: the negative log of their Gaussian."""
    share = 1 / (blurred(weight, reach) + np.float32(1e-4))
    weighted = plane(small * weight[..., None])
    mean = blurred(weighted, reach) * share[..., None]
    square = blurred(plane(small * weighted), reach) * share[..., None]
    variance = np.maximum(square - mean * mean, 0) + np.float32(LEAST_SPREAD**2)
    away = small - mean
    apart = away * away / variance + np.float32(BREADTH) * np.log(variance)
    return plane(cv2.transform(apart, np.full((1, 3), 0.5, np.float32)))
