"""Limits of the quality report for all results, rules that effects share, and margins of uncertainty.

The limits of a single effect are declared with the effect (engine/effects).
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from engine.types.figures import FigureCode
from engine.types.report import Figure, Reason


@dataclass(frozen=True, slots=True)
class Limit:
    """The limit of a figure, and the fault that is reported if the figure breaks it."""

    fault: Reason
    minimum: float | None = None
    maximum: float | None = None


LIMITS: Mapping[str, Limit] = {
    FigureCode.SIZE_KEPT: Limit(Reason.SIZE_CHANGED, minimum=1),
    # Standard deviation of luma, in levels of 255.
    FigureCode.TONAL_VARIETY: Limit(Reason.BLANK, minimum=4),
    # Changed share of a step's own region, for the step that changed least.
    FigureCode.CHANGED_SHARE: Limit(Reason.NOT_CHANGED, minimum=0.02),
    # Fine detail over coarse detail: the result's ratio over the photo's.
    FigureCode.SHARPNESS_RATIO: Limit(Reason.SOFTENED, minimum=0.8),
    # Levels of 255 beyond the photo's own grain, scaled to the new light.
    FigureCode.NOISE_ADDED: Limit(Reason.NOISY, maximum=1.5),
    # Correlations of edge directions, 1 where nothing moved: over the picture, and in samples at full size.
    FigureCode.EDGE_DISPLACEMENT: Limit(Reason.STRUCTURE_CHANGED, minimum=0.9),
    FigureCode.FINE_DETAIL_DISPLACEMENT: Limit(Reason.STRUCTURE_CHANGED, minimum=0.8),
    FigureCode.SHAPE_LOSS: Limit(Reason.STRUCTURE_CHANGED, maximum=0.008),
    # Good results have up to 0.06 (twilight: 0.28); shapes melted or erased on 3 % of the area give 0.48 and more.
    FigureCode.WORST_SHAPE_LOSS: Limit(Reason.STRUCTURE_CHANGED, maximum=0.25),
    # Good results have up to 0.19 (twilight: 0.75); bent lines, even very similar ones, give 0.42 and more.
    FigureCode.WORST_SHAPE_CHANGE: Limit(Reason.STRUCTURE_CHANGED, maximum=0.3),
    FigureCode.NEWLY_CLIPPED: Limit(Reason.CLIPPED, maximum=0.005),
    FigureCode.BANDING: Limit(Reason.BANDED, maximum=0.06),
    # Share of the step between light and dark at an edge, both sides together; good results have up to 0.02.
    FigureCode.HALO: Limit(Reason.HALO, maximum=0.05),
    # CIE a*b* distance of the result's whites from the whites that the effects intend.
    FigureCode.COLOR_CAST_ADDED: Limit(Reason.COLOR_CAST, maximum=3),
    # CIEDE2000.
    FigureCode.OUTSIDE_DIFFERENCE: Limit(Reason.OUTSIDE_CHANGED),
    FigureCode.OUTSIDE_DIFFERENCE_P99: Limit(Reason.OUTSIDE_CHANGED),
    FigureCode.BORDER_DIFFERENCE: Limit(Reason.OUTSIDE_CHANGED),
}
"""A result that breaks several limits has the fault of the first of them in this order."""


@dataclass(frozen=True, slots=True)
class ReportRules:
    """The rules of the quality report for one effect.

    `limits` replace those of LIMITS. `white_shift` is the largest shift of white (a*, b*) by the effect.
    `balances_white` says that the effect removes the photo's own color cast from whites.
    """

    limits: Mapping[str, Limit] = field(default_factory=dict)
    white_shift: tuple[float, float] = (0, 0)
    balances_white: bool = False


REGION_RULES = ReportRules(
    {
        FigureCode.OUTSIDE_DIFFERENCE: Limit(Reason.OUTSIDE_CHANGED, maximum=1),
        FigureCode.OUTSIDE_DIFFERENCE_P99: Limit(Reason.OUTSIDE_CHANGED, maximum=3),
        FigureCode.BORDER_DIFFERENCE: Limit(Reason.OUTSIDE_CHANGED, maximum=2),
    }
)
"""Rules of effects that change nothing outside their region."""
NEW_CONTENT_RULES = ReportRules(
    {
        # New things have new edges and contact shadows; the check for drift compares the rest of the room.
        FigureCode.HALO: Limit(Reason.HALO, maximum=0.3),
        # If most of the picture changed, only a few squares are compared. The limits of worst parts stay the same.
        FigureCode.SHAPE_LOSS: Limit(Reason.STRUCTURE_CHANGED, maximum=0.03),
    }
)
"""Rules of effects that add things to rooms, remove things or give surfaces a new material."""
ROOM_LIGHT_RULES = ReportRules(
    {
        # Good results have up to 2.5, the remainder of a strong cast.
        FigureCode.COLOR_CAST_ADDED: Limit(Reason.COLOR_CAST, maximum=3.5),
        # Good results of rooms have up to 0.05: local contrast is part of the look. Seams of a tenth of the range
        # have 0.17 and more, 0.09 if they are a twentieth of the picture wide.
        FigureCode.HALO: Limit(Reason.HALO, maximum=0.08),
    },
    balances_white=True,
)
"""Rules of effects that balance the light of rooms."""

ROOM_LIMITS: Mapping[str, Limit] = {
    FigureCode.NEW_OPENINGS: Limit(Reason.OPENING_ADDED, maximum=0),
    # Share of the long side.
    FigureCode.OPENING_DISPLACEMENT: Limit(Reason.OPENING_MOVED, maximum=0.008),
    # Share of the worst window.
    FigureCode.WINDOW_VIEW_CHANGE: Limit(Reason.VIEW_CHANGED, maximum=0.2),
    # Length of moved edges, over the side of the worst part of the picture.
    FigureCode.ROOM_EDGE_DISPLACEMENT: Limit(Reason.STRUCTURE_CHANGED, maximum=0.06),
    # Length of softened edges, over the side of the worst part; good results have none.
    FigureCode.ROOM_EDGE_LOSS: Limit(Reason.MELTED, maximum=0.05),
    # Share of the worst line that is an edge.
    FigureCode.ROOM_LINES_CONTINUED: Limit(Reason.MELTED, minimum=0.77),
    # Share of the worst part that has light and dark, but no sharp edge between them.
    FigureCode.SMEARED_SHARE: Limit(Reason.MELTED, maximum=0.05),
    # Share of the worst part that has less than a third of its plane's detail; good results have up to 0.57.
    FigureCode.MISSING_DETAIL: Limit(Reason.MELTED, maximum=0.6),
    # Share of the removed things, in the changed area, that are still found.
    FigureCode.REMAINING_OBJECTS: Limit(Reason.LEFT_OVER, maximum=0.35),
    # Share of the long side; good results on plain floors and walls have 0.003 at most.
    FigureCode.CUT_OBJECTS: Limit(Reason.LEFT_OVER, maximum=0.007),
    # Share of the changed area that is not clearly floor, wall or ceiling; good results have up to 0.23.
    FigureCode.UNCLEAR_BACKGROUND: Limit(Reason.LEFT_OVER, maximum=0.25),
    # Share of the long side; floors with all legs have up to 0.016, floors that covered legs 0.04 and more.
    FigureCode.LOST_LEGS: Limit(Reason.FLOATING, maximum=0.03),
    # Share of the worst thing's feet.
    FigureCode.FLOATING_FURNITURE: Limit(Reason.FLOATING, maximum=0.4),
    # Meters, of all furniture together.
    FigureCode.FURNITURE_HEIGHT: Limit(Reason.WRONG_SCALE, minimum=0.6, maximum=1.48),
}
"""Limits of effects inside rooms, for faults that LIMITS do not cover. The first broken limit names the fault."""


MAX_GHOST_SHARE = 0.009
"""Largest share of a merged picture that may be a mixture of its frames.

Good merges have up to 0.006. A frame that is shifted by 3 pixels, or a thing that moved in one frame, gives 0.01 or
breaks MAX_GHOST_LOSS.
"""
MAX_GHOST_LOSS = 0.14
"""Largest loss in the worst part of a merged picture; good merges have up to 0.09, merges with ghosts 0.23."""

MARGIN = 0.1
"""Share of a limit; a figure whose distance from its limit is smaller is uncertain."""
MARGINS: Mapping[str, float] = {
    # Values that are yes or no, and a count: none lies close to its limit.
    FigureCode.SIZE_KEPT: 0,
    FigureCode.NEW_OPENINGS: 0,
    # Of 81 skies and golden hours judged by people, the two unfit ones and 6 of the 54 publishable ones have 0.58
    # and more.
    FigureCode.SKY_DOUBT: 0.4,
    # Lawns with up to half of the limit are nearly always fit to sell; people judge the others better than the
    # figure.
    FigureCode.LAWN_DOUBT: 0.4,
    # Of 43 fronts with outlined panes, 12 have more than 0.45. Less than half of the glass is lit in 8 of these,
    # and in 3 of the others.
    FigureCode.DARK_GLASS: 0.4,
    # Good results have 0.98 and more, and nothing has more than 1.
    FigureCode.EDGE_DISPLACEMENT: 0.05,
    FigureCode.FINE_DETAIL_DISPLACEMENT: 0.05,
}
"""Margins of the figures whose margin is not MARGIN."""


def combine_limits(rules: Collection[ReportRules]) -> Mapping[str, Limit]:
    """The limits for a result of effects with these rules; where rules differ, the loosest limit counts.

    Parameters
    ----------
    rules : Collection of ReportRules
        Rules of each effect; if there are none, LIMITS hold.

    Returns
    -------
    Mapping of str to Limit
        One limit for each code of LIMITS, in that order.
    """
    each = [{**LIMITS, **one.limits} for one in rules] or [dict(LIMITS)]
    return {name: _choose_loosest([limits[name] for limits in each]) for name in LIMITS}


def _choose_loosest(limits: list[Limit]) -> Limit:
    lowest = [limit.minimum for limit in limits if limit.minimum is not None]
    highest = [limit.maximum for limit in limits if limit.maximum is not None]
    return Limit(
        limits[0].fault,
        min(lowest) if len(lowest) == len(limits) else None,
        max(highest) if len(highest) == len(limits) else None,
    )


def make_figure(code: str, value: float, limits: Mapping[str, Limit]) -> Figure:
    """Make a figure from a value, its limit, and the margin within which it is uncertain.

    Parameters
    ----------
    code : str
        A key of `limits`.
    value : float
        In the unit of the figure.
    limits : Mapping of str to Limit
        By code.

    Returns
    -------
    Figure
        The figure.
    """
    limit, margin = limits[code], MARGINS.get(code, MARGIN)
    least, most = limit.minimum, limit.maximum
    # Comparisons of NumPy's numbers give NumPy's booleans, which cannot be written as JSON.
    return Figure(code=code, value=float(value), minimum=least, maximum=most, fault=limit.fault, margin=margin)
