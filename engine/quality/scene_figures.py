"""Quality figures for the certainty with which the sky, the lawn or the windows to be lit were found."""

from collections.abc import Callable, Mapping

import numpy as np

from engine.color.channels import rgb_to_gray
from engine.filters.morphology import dilate
from engine.quality.limits import Limit, make_figure
from engine.segmentation.labels import Label
from engine.segmentation.scene import Scene
from engine.types.figures import FigureCode
from engine.types.hints import HintedSurface
from engine.types.report import Figure

MIN_TORN_SHARE = 0.1
"""Share of sky above which a pixel may count as torn, that is, partly sky."""
MAX_TORN_SHARE = 0.9
"""Share of sky below which a pixel may count as torn."""
MIN_SKY_SHARE = 0.5
"""Share of sky above which a pixel counts as sky."""
MIN_LAWN_SHARE = 0.5
"""Share of lawn above which a pixel counts as lawn."""
MIN_GLASS_SHARE = 0.3
"""Share of window above which a pixel counts as glass that can be lit."""
LIT_MARGIN = 3
"""Pixels of the small picture around a lit window in which glass does not count as dark."""
TORN_WEIGHT, UNLABELED_WEIGHT, LIGHT_WEIGHT, INTERCEPT = 26.3, 9.3, 2.65, -3.4
"""Coefficients of a logistic regression that predicts "not fit to sell", fitted to half of the verdicts on skies.

The weights of the torn share, of the share that was found by color alone, and of the sky's luma; then the
intercept. The outline of the sky is mostly wrong where a white sky meets fine leaves or pale walls.
"""


def measure_scene_figures(scene: Scene, limits: Mapping[str, Limit]) -> tuple[Figure, ...]:
    """One figure of the scene for each limit.

    Parameters
    ----------
    scene : Scene
        The photo.
    limits : Mapping of str to Limit
        By code: SKY_DOUBT, TORN_SKY, LIT_GLASS, DARK_GLASS or LAWN_DOUBT of FigureCode.

    Returns
    -------
    tuple of Figure
        In the order of `limits`.
    """
    return tuple(make_figure(name, _MEASURES[name](scene), limits) for name in limits)


def measure_torn_share(scene: Scene) -> float:
    """The share of pixels that are partly sky, by the full-size matte scaled down to the small picture.

    Parameters
    ----------
    scene : Scene
        The photo.

    Returns
    -------
    float
        Share of the picture, 0-1; 0 if hints outline the sky: then torn pixels are leaves in front of it.
    """
    if _is_sky_outlined(scene):
        return 0.0
    share = scene.sky_share
    return float(((share > MIN_TORN_SHARE) & (share < MAX_TORN_SHARE)).mean())


def estimate_sky_doubt(scene: Scene) -> float:
    """The probability that a new sky in this photo is not fit to sell.

    A logistic regression on three measures: the share of torn pixels, the share that was found as sky by color
    alone, and the luma of the sky.

    Parameters
    ----------
    scene : Scene
        The photo.

    Returns
    -------
    float
        Probability, 0-1; 0 if there is no sky, or if hints outline it.
    """
    sky = scene.sky > MIN_SKY_SHARE
    if not sky.any() or _is_sky_outlined(scene):
        return 0.0
    unlabeled = float((sky & (scene.label_share(Label.SKY) < MIN_SKY_SHARE)).mean())
    light = float(np.median(rgb_to_gray(scene.small)[sky]))
    log_odds = (
        TORN_WEIGHT * measure_torn_share(scene) + UNLABELED_WEIGHT * unlabeled + LIGHT_WEIGHT * light + INTERCEPT
    )
    return float(1 / (1 + np.exp(-log_odds)))


def _is_sky_outlined(scene: Scene) -> bool:
    return HintedSurface.SKY in scene.hints.surfaces


def measure_glass_share(scene: Scene) -> float:
    """The share of the picture that is glass with enough certainty to be lit at dusk.

    Parameters
    ----------
    scene : Scene
        The photo.

    Returns
    -------
    float
        Share of the picture, 0-1.
    """
    return float((scene.windows > MIN_GLASS_SHARE).mean())


def measure_dark_glass(scene: Scene) -> float:
    """The share of a house's glass that stays dark because it was not found with enough certainty.

    Parameters
    ----------
    scene : Scene
        The photo.

    Returns
    -------
    float
        Share of the glass that the net sees in crops of the house, 0-1; 0 if there is none, or if hints outline
        the panes.
    """
    glass = scene.close_glass
    total = float(glass.sum())
    if not total or HintedSurface.PANE in scene.hints.surfaces:
        return 0.0
    lit = dilate(np.asarray(scene.windows > MIN_GLASS_SHARE), LIT_MARGIN)
    return float(glass[~lit].sum()) / total


def measure_lawn_doubt(scene: Scene) -> float:
    """The share of the lawn that may be bare ground or paving, judged by the net and by color.

    Parameters
    ----------
    scene : Scene
        The photo.

    Returns
    -------
    float
        Share of the lawn, 0-1; 0 if there is no lawn, or if hints outline it.
    """
    lawn = scene.lawn > MIN_LAWN_SHARE
    if not lawn.any() or HintedSurface.LAWN in scene.hints.surfaces:
        return 0.0
    return float((1 / (1 + np.exp(scene.turf_odds[lawn]))).mean())


_MEASURES: Mapping[str, Callable[[Scene], float]] = {
    FigureCode.SKY_DOUBT: estimate_sky_doubt,
    FigureCode.TORN_SKY: measure_torn_share,
    FigureCode.LIT_GLASS: measure_glass_share,
    FigureCode.DARK_GLASS: measure_dark_glass,
    FigureCode.LAWN_DOUBT: measure_lawn_doubt,
}
