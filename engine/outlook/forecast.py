"""Forecasts what each step of an edit request would do: the steps are rehearsed on the small picture."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from engine.arrays import Plane
from engine.canvas import Canvas, Declined, EffectResult
from engine.effect import Effect
from engine.effects.table import EFFECTS
from engine.materials.parse_finish import parse_surface
from engine.outlook.cures import find_cure
from engine.quality.limits import ReportRules
from engine.quality.metrics import measure_figures
from engine.quality.room_figures import find_worst_figures
from engine.rendering.layout.furnishing import Furnishing
from engine.segmentation.scene import Scene
from engine.types.context import EngineContext
from engine.types.edit_request import EditRequest, RenovationChange
from engine.types.enhancements import ChangeType, Enhancement
from engine.types.outlook import SURFACES, ChangeForecast, HintPart, Prospect, StepForecast
from engine.types.report import ChangeOutcome, Figure, QualityReport, Reason, judge

DOUBTS: Mapping[Reason, str] = {
    Reason.SKY_UNCLEAR: "Where the sky ends is hard to tell in this photo.",
    Reason.LAWN_UNCLEAR: "What is lawn and what is bare ground is hard to tell in this photo.",
    Reason.NOTHING_LIT: "Only few windows are seen surely enough to be lit in this photo.",
}
"""What may be misread in a photo, by the reason with which a slightly worse result would be rejected."""


@dataclass(frozen=True, slots=True)
class Unfurnished:
    """The small picture before virtual staging, and what staging planned; None if it declined."""

    canvas: Canvas
    furnishing: Furnishing | None = None


def forecast_steps(
    scene: Scene, request: EditRequest, context: EngineContext, *, by_server: bool = False
) -> tuple[tuple[StepForecast, ...], Unfurnished | None]:
    """Rehearse the steps of a request on a small picture, each on the result of earlier steps that would be done.

    Parameters
    ----------
    scene : Scene
        The scene of the small picture.
    request : EditRequest
        The steps, with their options and hints.
    context : EngineContext
        Opens reference pictures.
    by_server : bool, default False
        Whether a generative server makes the effects that it can make; these count as likely, because the server is
        not asked.

    Returns
    -------
    steps : tuple of StepForecast
        In the order in which the steps are applied.
    unfurnished : Unfurnished or None
        What virtual staging begins with; None where staging is not ordered, or is made by a server.
    """
    canvas = Canvas(scene.pixels, scene, request, None, context)
    forecasts: list[StepForecast] = []
    regions: list[tuple[ReportRules, Plane | None]] = []
    unfurnished: Unfurnished | None = None
    for enhancement in request.steps:
        effect = EFFECTS[enhancement]
        if by_server and effect.by_server is not None:
            forecasts.append(StepForecast(enhancement, Prospect.LIKELY))
            continue
        if enhancement is Enhancement.STAGING:
            unfurnished = Unfurnished(canvas)
        try:
            done = effect.rehearse(canvas)
        except Declined as declined:
            forecasts.append(_explain(canvas, effect, declined))
            continue
        if done.furnishing is not None:
            unfurnished = Unfurnished(canvas, done.furnishing)
        forecasts.append(_judge(canvas, effect, done))
        if forecasts[-1].prospect is Prospect.LIKELY:
            # A step that would be rejected is left out, so the next step does not begin with its result.
            canvas = canvas.after(done, empties=effect.empties)
            regions.append((effect.rules, done.region))
    if regions and scene.outdoors:
        # In rooms, this would take time and find hardly any fault that the figures of each step do not find.
        report = judge((), measure_figures(scene.pixels, canvas.pixels, regions, scene.profile))
        return tuple(_reject(each, report) for each in forecasts), unfurnished
    return tuple(forecasts), unfurnished


def _reject(forecast: StepForecast, report: QualityReport) -> StepForecast:
    """Change the forecast to not possible if the picture of all steps together would be rejected."""
    if report.reason is None or forecast.prospect is not Prospect.LIKELY:
        return forecast
    rejected = replace(forecast, prospect=Prospect.NOT_POSSIBLE, reason=report.reason, message=report.message)
    return replace(rejected, hint=None, unsure=False)


def _judge(canvas: Canvas, effect: Effect, done: EffectResult) -> StepForecast:
    """The forecast for a step that does not decline: whether its result would pass its checks."""
    of_scene = effect.measure_scene(canvas)
    report = judge((), (*find_worst_figures([effect.measure_in_room(canvas, done)]), *of_scene, *done.figures))
    changes = _forecast_changes(canvas, done.changes)
    if report.reason is None:
        likely = StepForecast(effect.enhancement, Prospect.LIKELY, message=done.note, changes=changes)
        return _doubt(canvas, likely, of_scene)
    hint = find_cure(report.reason, canvas.scene)
    return StepForecast(effect.enhancement, _choose(hint), hint, report.reason, report.message, changes)


def _doubt(canvas: Canvas, likely: StepForecast, of_scene: Sequence[Figure]) -> StepForecast:
    """Mark a likely forecast as unsure where the report will be: its figures are the same in a small picture."""
    reason = next((each.fault for each in of_scene if each.near), None)
    if reason is None:
        return likely
    message = " ".join(filter(None, (DOUBTS[reason], likely.message)))
    return replace(likely, hint=find_cure(reason, canvas.scene), reason=reason, message=message, unsure=True)


def _explain(canvas: Canvas, effect: Effect, declined: Declined) -> StepForecast:
    """The forecast for a step that declines; in a renovation, each change is explained separately."""
    changes = _forecast_changes(canvas, declined.changes)
    if changes:
        hint = next((each.hint for each in changes if each.hint), None)
    else:
        hint = find_cure(declined.reason, canvas.scene)
    return StepForecast(effect.enhancement, _choose(hint), hint, declined.reason, declined.message, changes)


def _forecast_changes(canvas: Canvas, outcomes: Sequence[ChangeOutcome]) -> tuple[ChangeForecast, ...]:
    return tuple(_forecast_change(canvas, each) for each in outcomes)


def _forecast_change(canvas: Canvas, outcome: ChangeOutcome) -> ChangeForecast:
    if outcome.applied or outcome.reason is None:
        return ChangeForecast(outcome.index, outcome.type, Prospect.LIKELY, message=outcome.message)
    surface = _find_surface(canvas.request.changes[outcome.index], outcome.reason)
    hint = find_cure(outcome.reason, canvas.scene, surface)
    return ChangeForecast(outcome.index, outcome.type, _choose(hint), hint, outcome.reason, outcome.message)


def _find_surface(change: RenovationChange, reason: Reason) -> HintPart | None:
    kind: ChangeType | None = change.type
    if kind is ChangeType.OTHER and reason in (Reason.SURFACE_NOT_FOUND, Reason.SURFACE_UNCLEAR):
        kind = parse_surface(change.change_description)
    return SURFACES.get(kind) if kind else None


def _choose(hint: HintPart | None) -> Prospect:
    return Prospect.NOT_POSSIBLE if hint is None else Prospect.NEEDS_HINT
