"""What the pipeline holds a step to that exchanged the sky: how surely it was found."""

import numpy as np

from app.domain.catalogue import Enhancement
from app.domain.quality import Figure
from app.engine.arrays import luminance
from app.engine.outside.sky import left_to_other
from app.engine.quality.limits import DOUBT, OUTDOORS, TORN, figure
from app.engine.scene.analysis import Scene
from app.engine.scene.labels import Label
from app.engine.step import Canvas

SOME, MOST = 0.1, 0.9
"""Shares of sky between which a pixel is torn."""
HALF = 0.5
PER_TORN, PER_UNSEEN, PER_LIGHT, USUAL = 26.3, 9.3, 2.65, -3.4
"""A logistic regression of "not fit to sell" on half of the verdicts of skies: what each measure adds to the odds'
logarithm, and where that begins. White skies behind fine leaves and pale walls are where outlines go wrong.
"""


def held_outside(canvas: Canvas, step: Enhancement) -> tuple[Figure, ...]:
    """The figures of a step that exchanged the sky of the canvas; none for other steps, or without a sky."""
    scene = canvas.scene
    if step not in OUTDOORS or not (scene.sky > HALF).any():
        return ()
    if step is Enhancement.SKY and left_to_other(canvas):
        return ()
    values = {DOUBT: doubt_about_sky(scene), TORN: torn(scene)}
    return tuple(figure(name, values[name], OUTDOORS[step]) for name in OUTDOORS[step])


def torn(scene: Scene) -> float:
    """The share of the picture's pixels that are partly sky, by their full-size matte."""
    share = scene.sky_share
    return float(((share > SOME) & (share < MOST)).mean())


def doubt_about_sky(scene: Scene) -> float:
    """How likely (0-1) a new sky in this photo is not fit to sell.

    By the share of pixels that are torn, of those that colours alone told for sky, and by the light of the sky.
    """
    sky = scene.sky > HALF
    unseen = float((sky & (scene.label_share(Label.SKY) < HALF)).mean())
    light = float(np.median(luminance(scene.small)[sky]))
    odds = PER_TORN * torn(scene) + PER_UNSEEN * unseen + PER_LIGHT * light + USUAL
    return float(1 / (1 + np.exp(-odds)))
