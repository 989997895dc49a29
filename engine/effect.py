"""Declares how one enhancement is made: what the photo must show, the steps, the quality limits of its result."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum, auto

from engine.canvas import Canvas, Declined, EffectResult
from engine.geometry.estimation import RoomUnclear
from engine.quality.limits import Limit, ReportRules
from engine.quality.room_figures import RoomChange, RoomRules, measure_room_figures
from engine.quality.scene_figures import measure_scene_figures
from engine.segmentation.hinted_surfaces import list_hinted
from engine.segmentation.scene import ANALYSIS_SIDE, shrink_to
from engine.types.enhancements import Enhancement
from engine.types.report import Figure, Maker, Reason

Step = Callable[[Canvas], EffectResult]


class Needs(Enum):
    """The content that a photo must show for an effect to be made on this machine."""

    NOT_NIGHT = auto()
    """A room, or outdoors by day: balanced like a room, a night becomes a glaring day."""
    OUTDOORS = auto()
    DAYLIGHT = auto()
    """Outdoors, and not taken at dusk or night."""
    INDOORS = auto()
    ROOM = auto()
    """Indoors, and a room that can be measured."""


def start_at_once(step: Step) -> Callable[[Canvas], Step]:
    """Make a value for Effect.start of an effect that starts nothing before the photo is analyzed.

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
    """Return False: the value for Effect.is_left_to_other of an effect whose work no other effect does.

    Returns
    -------
    bool
        False.
    """
    return False


@dataclass(frozen=True, slots=True)
class Effect:
    """The way in which one enhancement is made and judged.

    `name` begins the messages with which the effect declines. `start` begins work that needs no analysis of the
    photo, and returns the step that makes the effect on this machine and may raise Declined. `by_server` makes the
    effect by the generative server instead, where there is one. `rehearsal` declines where the step on this machine
    would, without the costly rest of the step; None where the step itself is fast in a small picture. `rules` are
    those of the quality report. `room_rules` takes the canvas before the step and returns the rules inside rooms;
    None for an effect without such figures. `scene_limits` limit figures of the scene, unless `is_left_to_other`: a
    later effect of the same request does the work. `empties`: following effects see the room without the removed
    things. `fades`: a partial change is also a valid picture, so the context's `strength` applies.
    """

    enhancement: Enhancement
    name: str
    needs: Needs
    start: Callable[[Canvas], Step]
    by_server: Step | None = None
    rehearsal: Step | None = None
    rules: ReportRules = field(default_factory=ReportRules)
    room_rules: Callable[[Canvas], RoomRules] | None = None
    scene_limits: Mapping[str, Limit] = field(default_factory=dict)
    is_left_to_other: Callable[[Canvas], bool] = never
    empties: bool = False
    fades: bool = False

    def apply(self, canvas: Canvas) -> EffectResult:
        """Make the effect on the canvas's picture, by the generative server if there is one and the effect uses it.

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

    def rehearse(self, canvas: Canvas) -> EffectResult:
        """Find out whether the effect would be made on this machine.

        Parameters
        ----------
        canvas : Canvas
            The small picture so far, without `server_access`.

        Returns
        -------
        EffectResult
            The step's result, or the unchanged picture where there is a `rehearsal`.

        Raises
        ------
        Declined
            Where the photo does not allow it.
        """
        if self.rehearsal is None:
            return self.apply(canvas)
        check_needs(canvas, self.needs, self.name)
        return self.rehearsal(canvas)

    def maker(self, canvas: Canvas) -> Maker:
        """Tell whether this machine or the generative server makes the effect.

        Parameters
        ----------
        canvas : Canvas
            With or without `server_access`.

        Returns
        -------
        Maker
            SERVER if the canvas has a server and the effect has `by_server`, else WORKER.
        """
        return Maker.WORKER if canvas.server_access is None or self.by_server is None else Maker.SERVER

    def measure_in_room(self, canvas: Canvas, done: EffectResult) -> tuple[Figure, ...]:
        """Measure the quality figures of a change inside a room.

        Parameters
        ----------
        canvas : Canvas
            The canvas before the effect.
        done : EffectResult
            The effect's result.

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
        rules, told = self.room_rules(canvas), list_hinted(canvas.hints)
        return measure_room_figures(
            RoomChange(rules, before, after, done.region, canvas.find_surfaces(), room, done.things, told)
        )

    def measure_scene(self, canvas: Canvas) -> tuple[Figure, ...]:
        """Measure the figures about the certainty of the scene's analysis.

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
        The effect's name, for the message.

    Raises
    ------
    Declined
        NOT_EXTERIOR, NO_COLOR, NOT_FLAT, TURNED, FOG, ALREADY_DARK, NOT_INTERIOR or ROOM_UNCLEAR.
    """
    scene = canvas.scene
    if needs in (Needs.OUTDOORS, Needs.DAYLIGHT) and not scene.outdoors:
        raise Declined(Reason.NOT_EXTERIOR, "The photo does not seem to be taken outdoors.")
    if needs in (Needs.OUTDOORS, Needs.DAYLIGHT):
        _check_form(canvas)
    if needs is Needs.NOT_NIGHT and scene.outdoors and scene.dark:
        raise Declined(Reason.ALREADY_DARK, f"{name} was not done: it would turn this dusk or night into day.")
    if needs is Needs.DAYLIGHT and scene.dark:
        raise Declined(Reason.ALREADY_DARK, "The photo was taken at dusk or night already.")
    if needs in (Needs.INDOORS, Needs.ROOM) and scene.outdoors:
        raise Declined(Reason.NOT_INTERIOR, f"{name} was not done: the photo was taken outside, not in a room.")
    if needs is Needs.ROOM:
        _check_room(canvas, name)


def _check_form(canvas: Canvas) -> None:
    """Decline photos of the outdoors that cannot take a new sky, lawn or hour."""
    scene = canvas.scene
    if scene.colorless:
        raise Declined(Reason.NO_COLOR, "The photo has no colors; what is new would be the only thing in color.")
    if scene.bent:
        raise Declined(Reason.NOT_FLAT, "The photo is bent, with black around it; send it flat and cropped.")
    if scene.turned:
        raise Declined(Reason.TURNED, "The photo seems to lie on its side; send it upright.")
    if scene.foggy:
        raise Declined(Reason.FOG, "The photo was taken in fog; a clear sky or a fresh lawn would not fit it.")


def _check_room(canvas: Canvas, name: str) -> None:
    try:
        _ = canvas.scene.room
    except RoomUnclear as unclear:
        why = unclear.message[:1].lower() + unclear.message[1:]
        raise Declined(Reason.ROOM_UNCLEAR, f"{name} was not done: {why}") from None
