"""Quality figures of how surely the sky, or the windows that are lit, were found."""

from collections.abc import Callable, Mapping

import numpy as np

from engine.color.channels import rgb_to_gray
from engine.quality.limits import DOUBT, LIT, TORN, Limit, make_figure
from engine.segmentation.labels import Label
from engine.segmentation.scene import Scene
from engine.types.report import Figure

SOME, MOST = 0.1, 0.9
"""Shares of sky between which a pixel is torn."""
HALF, GLASS = 0.5, 0.3
PER_TORN, PER_UNSEEN, PER_LIGHT, USUAL = 26.3, 9.3, 2.65, -3.4
"""A logistic regression of "not fit to sell" on half of the verdicts of skies: what each measure adds to the odds'
logarithm, and where that begins. White skies behind fine leaves and pale walls are where outlines go wrong.
"""


def measure_scene_figures(scene: Scene, limits: Mapping[str, Limit]) -> tuple[Figure, ...]:
    """One figure of the scene for each limit.

    Parameters
    ----------
    scene : Scene
        Of the photo.
    limits : Mapping of str to Limit
        By code: DOUBT, TORN or LIT.

    Returns
    -------
    tuple of Figure
        In the order of `limits`.
    """
    return tuple(make_figure(name, _MEASURES[name](scene), limits) for name in limits)


def measure_torn_share(scene: Scene) -> float:
    """The share of the picture's pixels that are partly sky, by the full-size matte reduced to the small picture.

    Parameters
    ----------
    scene : Scene
        The photo.

    Returns
    -------
    float
        Share of the picture, 0-1.
    """
    share = scene.sky_share
    return float(((share > SOME) & (share < MOST)).mean())


def estimate_sky_doubt(scene: Scene) -> float:
    """How likely a new sky in this photo is not fit to sell.

    A logistic regression on three measures: the share of pixels that are torn, the share that colors alone showed
    to be sky, and the light of the sky.

    Parameters
    ----------
    scene : Scene
        The photo.

    Returns
    -------
    float
        Probability, 0-1; 0 without a sky.
    """
    sky = scene.sky > HALF
    if not sky.any():
        return 0.0
    unseen = float((sky & (scene.label_share(Label.SKY) < HALF)).mean())
    light = float(np.median(rgb_to_gray(scene.small)[sky]))
    odds = PER_TORN * measure_torn_share(scene) + PER_UNSEEN * unseen + PER_LIGHT * light + USUAL
    return float(1 / (1 + np.exp(-odds)))


def measure_glass_share(scene: Scene) -> float:
    """The share of the picture that is glass surely enough to be lit at dusk.

    Parameters
    ----------
    scene : Scene
        The photo.

    Returns
    -------
    float
        Share of the picture, 0-1.
    """
    return float((scene.windows > GLASS).mean())


_MEASURES: Mapping[str, Callable[[Scene], float]] = {
    DOUBT: estimate_sky_doubt,
    TORN: measure_torn_share,
    LIT: measure_glass_share,
}
