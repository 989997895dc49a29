"""What the engine declares of one enhancement: what it needs, how it is made, the quality limits of its result."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum, auto

from engine.canvas import Canvas, Declined, EffectResult
from engine.geometry.estimation import RoomUnclear
from engine.quality.limits import Limit, ReportRules
from engine.quality.room_figures import RoomChange, RoomRules, measure_room_figures
from engine.quality.scene_figures import measure_scene_figures
from engine.segmentation.scene import ANALYSIS_SIDE, shrink_to
from engine.types.enhancements import Enhancement
from engine.types.report import Figure, Maker, Reason

Step = Callable[[Canvas], EffectResult]


class Needs(Enum):
    """What a photo must show for an effect to be made on this machine."""

    ANY_PHOTO = auto()
    OUTDOORS = auto()
    DAYLIGHT = auto()
    """Outdoors, and not taken at dusk or night."""
    INDOORS = auto()
    ROOM = auto()
    """Indoors, and a room that can be measured."""


def start_at_once(step: Step) -> Callable[[Canvas], Step]:
    """For Effect.start: a step that has nothing to start before the photo is analyzed.

    Parameters
    ----------
    step : callable
        Makes the effect on a canvas.

    Returns
    -------
    callable
        Takes a canvas and returns `step`.
    """
    return lambda _: step


def never(_: Canvas) -> bool:
    """For Effect.is_left_to_other: no other effect does this one's work.

    Returns
    -------
    bool
        False.
    """
    return False


@dataclass(frozen=True, slots=True)
class Effect:
    """How one enhancement is made and judged.

    `name` begins the messages with which it declines. `start` starts what can be done before the photo is analyzed,
    and returns the step that makes the effect on this machine, which may raise Declined. `by_server` has it made by
    the generative server instead, where there is one. `rules` are those of the quality report; `room_rules`, for
    the canvas before the step, those inside rooms, None for an effect without such figures; `scene_limits` limit
    figures of the scene, unless it `is_left_to_other`, an effect that follows in the same request. `empties`:
    things that it removes are gone for the effects that follow. `fades`: a part of its change is a valid picture
    too, so the context's `strength` applies to it.
    """

    enhancement: Enhancement
    name: str
    needs: Needs
    start: Callable[[Canvas], Step]
    by_server: Step | None = None
    rules: ReportRules = field(default_factory=ReportRules)
    room_rules: Callable[[Canvas], RoomRules] | None = None
    scene_limits: Mapping[str, Limit] = field(default_factory=dict)
    is_left_to_other: Callable[[Canvas], bool] = never
    empties: bool = False
    fades: bool = False

    def apply(self, canvas: Canvas) -> EffectResult:
        """Make the effect on the canvas's picture, by the server where there is one that can.

        Parameters
        ----------
        canvas : Canvas
            The picture so far; it is not changed.

        Returns
        -------
        EffectResult
            The new picture and where it was changed.

        Raises
        ------
        Declined
            Where the photo does not allow it, or the server fails.
        ServerUnavailableError
            Where the server cannot be asked now and the photo may be done later.
        """
        if canvas.server_access is not None and self.by_server is not None:
            return self.by_server(canvas)
        step = self.start(canvas)
        check_needs(canvas, self.needs, self.name)
        return step(canvas)

    def maker(self, canvas: Canvas) -> Maker:
        """Which of this machine and the generative server makes the effect.

        Parameters
        ----------
        canvas : Canvas
            With or without `server_access`.

        Returns
        -------
        Maker
            SERVER where both canvas and effect have one, else WORKER.
        """
        return Maker.WORKER if canvas.server_access is None or self.by_server is None else Maker.SERVER

    def measure_in_room(self, canvas: Canvas, done: EffectResult) -> tuple[Figure, ...]:
        """The quality figures of a change inside a room.

        Parameters
        ----------
        canvas : Canvas
            As it was before the effect.
        done : EffectResult
            What the effect made of it.

        Returns
        -------
        tuple of Figure
            Empty outdoors, for effects without such figures, and where only the light changed.
        """
        if self.room_rules is None or done.region is None or canvas.scene.outdoors:
            return ()
        to_srgb = canvas.scene.profile.to_srgb
        before, after = (to_srgb(shrink_to(each, ANALYSIS_SIDE)) for each in (canvas.pixels, done.pixels))
        room, _ = canvas.find_room()
        rules = self.room_rules(canvas)
        return measure_room_figures(
            RoomChange(rules, before, after, done.region, canvas.find_surfaces(), room, done.things)
        )

    def measure_scene(self, canvas: Canvas) -> tuple[Figure, ...]:
        """The figures of how certain the analysis of the scene is.

        Parameters
        ----------
        canvas : Canvas
            Its scene is measured.

        Returns
        -------
        tuple of Figure
            One for each of `scene_limits`; empty where the effect is left to another.
        """
        return () if self.is_left_to_other(canvas) else measure_scene_figures(canvas.scene, self.scene_limits)


def check_needs(canvas: Canvas, needs: Needs, name: str) -> None:
    """Decline where the photo does not show what an effect needs.

    Parameters
    ----------
    canvas : Canvas
        Its scene is examined.
    needs : Needs
        What the photo must show.
    name : str
        The effect's, for the message.

    Raises
    ------
    Declined
        NOT_EXTERIOR, ALREADY_DARK, NOT_INTERIOR or ROOM_UNCLEAR.
    """
    scene = canvas.scene
    if needs in (Needs.OUTDOORS, Needs.DAYLIGHT) and not scene.outdoors:
        raise Declined(Reason.NOT_EXTERIOR, "The photo does not seem to be taken outdoors.")
    if needs is Needs.DAYLIGHT and scene.dark:
        raise Declined(Reason.ALREADY_DARK, "The photo was taken at dusk or night already.")
    if needs in (Needs.INDOORS, Needs.ROOM) and scene.outdoors:
        raise Declined(Reason.NOT_INTERIOR, f"{name} was not done: the photo was taken outside, not in a room.")
    if needs is Needs.ROOM:
        _check_room(canvas, name)


def _check_room(canvas: Canvas, name: str) -> None:
    try:
        _ = canvas.scene.room
    except RoomUnclear as unclear:
        why = unclear.message[:1].lower() + unclear.message[1:]
        raise Declined(Reason.ROOM_UNCLEAR, f"{name} was not done: {why}") from None
