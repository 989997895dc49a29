"""What the pipeline holds a step outside to: how surely the sky it exchanged, or windows to light, were found."""

import numpy as np

from app.domain.catalogue import Enhancement
from app.domain.quality import Figure
from app.engine.canvas import Canvas
from app.engine.color.channels import luminance
from app.engine.quality.limits import DOUBT, LIT, OUTDOORS, TORN, figure
from app.engine.segmentation.labels import Label
from app.engine.segmentation.scene import Scene
from app.engine.sky.replacement import left_to_other

SOME, MOST = 0.1, 0.9
"""Shares of sky between which a pixel is torn."""
HALF, GLASS = 0.5, 0.3
PER_TORN, PER_UNSEEN, PER_LIGHT, USUAL = 26.3, 9.3, 2.65, -3.4
"""A logistic regression of "not fit to sell" on half of the verdicts of skies: what each measure adds to the odds'
logarithm, and where that begins. White skies behind fine leaves and pale walls are where outlines go wrong.
"""


def held_outside(canvas: Canvas, step: Enhancement) -> tuple[Figure, ...]:
    """The figures of a step that worked outside; none for steps that are not held to any, or left to another."""
    if step is Enhancement.SKY and left_to_other(canvas):
        return ()
    held = OUTDOORS.get(step, {})
    return tuple(figure(name, _MEASURED[name](canvas.scene), held) for name in held)


def torn(scene: Scene) -> float:
    """The share of the picture's pixels that are partly sky, by their full-size matte."""
    share = scene.sky_share
    return float(((share > SOME) & (share < MOST)).mean())


def doubt_about_sky(scene: Scene) -> float:
    """How likely (0-1) a new sky in this photo is not fit to sell.

    By the share of pixels that are torn, of those that colours alone told for sky, and by the light of the sky.
    """
    sky = scene.sky > HALF
    if not sky.any():
        return 0.0
    unseen = float((sky & (scene.label_share(Label.SKY) < HALF)).mean())
    light = float(np.median(luminance(scene.small)[sky]))
    odds = PER_TORN * torn(scene) + PER_UNSEEN * unseen + PER_LIGHT * light + USUAL
    return float(1 / (1 + np.exp(-odds)))


def lit(scene: Scene) -> float:
    """The share of the picture that is glass surely enough to be lit at dusk."""
    return float((scene.windows > GLASS).mean())


_MEASURED = {DOUBT: doubt_about_sky, TORN: torn, LIT: lit}
