"""Moves the edges of drawn labels to the photo's own, by superpixels."""

import numpy as np
from skimage.segmentation import slic

from engine.segmentation.labels import NUMBER, Label
from training.outlines import IGNORED, Labels, Picture

# Too thin for superpixels: as drawn.
THIN = frozenset({Label.WIRE, Label.LAMP, Label.FENCE})
SEGMENTS, COMPACTNESS, SURE = 2500, 6.0, 0.62


def snapped(picture: Picture, drawn: Labels) -> Labels:
    """The labels with their edges moved to the picture's: each superpixel takes what most of it was drawn as.

    Superpixels torn between labels are IGNORED; what is THIN stays as drawn.
    """
    parts = slic(picture, SEGMENTS, COMPACTNESS, sigma=1.0, start_label=0, channel_axis=2)
    votes = np.zeros((parts.max() + 1, 256), np.int32)
    np.add.at(votes, (parts.ravel(), drawn.ravel()), 1)
    most = votes.argmax(1).astype(np.uint8)
    sure = votes.max(1) >= SURE * votes.sum(1)
    result = np.where(sure, most, IGNORED)[parts].astype(np.uint8)
    thin = np.isin(drawn, [NUMBER[label] for label in THIN])
    result[thin] = drawn[thin]
    return result
