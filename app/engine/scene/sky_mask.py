"""Where the sky is, to the pixel: the net says about where, the colours beside it say exactly.

Each pixel is judged by the net's answer and by how well it fits the colours of the sky and of the things near by,
as in Bayesian matting (Chuang et al. 2001), with one Gaussian for each.
"""

import cv2
import numpy as np

from app.engine.arrays import Mask, Plane, blurred, plane, ramp
from app.engine.scene.kinds import Kind

LEAST_SHARE = 0.006
# A region without one pixel the net is this sure of is no sky.
SURE = 0.8
# How far colours of sky and things are gathered from, as shares of the long side: widely first, then closer.
REACHES = (0.2, 0.05, 0.02)
# The net's edges are right to about this share of the long side.
UNSURE = 0.005
# What colours may add to or take from the net's log odds, and the least spread of a colour (0-1).
MOST_DOUBT, LEAST_SPREAD = 2.5, 0.018
# Things beside the sky are of several colours; taken as one broad one they would fit too badly at full weight.
BREADTH = 0.35
# Twigs and leaves let the sky through finer than the net can tell.
LEAFY_DOUBT = 4.5


def sky_mask(small: Plane, shares: Plane) -> Plane:
    """Share of sky, height x width, 0-1, of a small sRGB picture (x 3, 0-1); all 0 when no sky is found.

    `shares` are the net's probabilities of every kind, height x width x len(Kind).
    """
    likely = plane(shares[..., Kind.SKY] * _with_core(shares[..., Kind.SKY]))
    if likely.mean() < LEAST_SHARE:
        return np.zeros(small.shape[:2], np.float32)
    doubt = MOST_DOUBT + LEAFY_DOUBT * blurred(shares[..., Kind.TREES], 3)
    share = likely = blurred(likely, UNSURE * max(small.shape[:2]))
    for reach in REACHES:
        share = _judged(small, likely, share, plane(doubt), reach * max(small.shape[:2]))
    return ramp(share, 0.12, 0.88)


def _with_core(likely: Plane) -> Mask:
    """The regions that hold a pixel the net is sure of."""
    _, labels = cv2.connectedComponents((likely > 0.02).astype(np.uint8), connectivity=8)
    kept = np.unique(labels[likely > SURE])
    return np.asarray(np.isin(labels, kept[kept > 0]), dtype=np.bool_)


def _judged(small: Plane, likely: Plane, share: Plane, doubt: Plane, reach: float) -> Plane:
    """The share of sky after a look at the colours near by, given the share found so far."""
    sky, ground = plane(share**2), plane((1 - share) ** 2)
    evidence = _misfit(small, ground, reach) - _misfit(small, sky, reach)
    # Far from any sky, or from anything else, there is nothing to compare with.
    known = np.minimum(blurred(sky, reach * 2), blurred(ground, reach * 2))
    evidence = np.clip(evidence, -doubt, doubt) * np.clip(known / 0.02, 0, 1)
    certain = np.clip(likely, 0.002, 0.998)
    odds = np.log(certain / (1 - certain)) + evidence
    return plane(1 / (1 + np.exp(-odds)))


def _misfit(small: Plane, weight: Plane, reach: float) -> Plane:
    """How badly each pixel fits the weighted colours around it: the negative log of their Gaussian."""
    total = blurred(weight, reach) + 1e-4
    mean = blurred(plane(small * weight[..., None]), reach) / total[..., None]
    square = blurred(plane(small * small * weight[..., None]), reach) / total[..., None]
    variance = np.maximum(square - mean * mean, 0) + LEAST_SPREAD**2
    away = small - mean
    return plane((away * away / variance + BREADTH * np.log(variance)).sum(-1) / 2)
