"""Makes one edit by the generative server: requests it, checks it by the drift gate, repeats it, pastes it."""

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from engine.canvas import Canvas, Declined, EffectResult, ServerAccess
from engine.generative.drift import Gate, fit_to_hinted_things
from engine.generative.edit_comparison import EditComparison, compare_edit
from engine.generative.frame import ServerFrame, frame_photo, open_answer
from engine.generative.paste import paste_edit
from engine.generative.regions import Region
from engine.generative.requests import ServerCalls
from engine.quality.limits import Limit
from engine.types.pictures import UnusablePhotoError
from engine.types.report import Figure, Reason

log = logging.getLogger(__name__)

MAX_EDITS = 3
"""Most edits that are requested before a step is declined; each is paid."""
MIN_SIDE = 128
"""Least short side, in pixels, of the picture that is sent; edits of smaller pictures cannot be judged."""


@dataclass(frozen=True, slots=True)
class EditTask:
    """A request to the server. `name` is the step's name.

    `make_prompt` makes the prompt, given the fault of the last edit. `find_region` finds the region that may
    change. `limits` override the gate's own. `recolors` says that the task changes colors; then the tone is matched
    only in the part that must stay. `references` are PNG pictures.
    """

    name: str
    make_prompt: Callable[[Reason | None], str]
    find_region: Callable[[Canvas], Region]
    limits: Mapping[str, Limit] = field(default_factory=dict)
    recolors: bool = False
    references: tuple[bytes, ...] = ()


def require_server(canvas: Canvas, name: str) -> ServerAccess:
    """The canvas's access to the server, for steps that need one.

    Parameters
    ----------
    canvas : Canvas
        The picture being edited.
    name : str
        The step's name, for the message.

    Returns
    -------
    ServerAccess
        The access of the canvas.

    Raises
    ------
    Declined
        NOT_AVAILABLE, where the canvas has no server.
    """
    if canvas.server_access is None:
        raise Declined(Reason.NOT_AVAILABLE, f"{name} is not available yet for this photo.")
    return canvas.server_access


def edit_by_server(canvas: Canvas, task: EditTask) -> EffectResult:
    """Request up to MAX_EDITS edits, and paste the first one that passes the gate into the canvas.

    Parameters
    ----------
    canvas : Canvas
        The picture to edit, with its access to the server.
    task : EditTask
        The request to the server.

    Returns
    -------
    EffectResult
        The edited picture, the region changed, and the figures of the gate.

    Raises
    ------
    Declined
        Where there is no server, the server refuses or does not answer in time, the limit of paid calls is reached,
        the photo is too small to judge an edit, or no edit passes.
    ServerUnavailableError
        Where the server cannot be asked now and the photo may be done later.
    """
    calls = ServerCalls(require_server(canvas, task.name), task.name)
    frame = frame_photo(canvas.pixels, canvas.scene.profile)
    if min(frame.sent.shape[:2]) < MIN_SIDE:
        raise Declined(Reason.TOO_SMALL, f"{task.name} was not done: the photo is too small or too narrow.")
    region, image = task.find_region(canvas), frame.encode_image()
    fault: Reason | None = None
    for number in range(MAX_EDITS):
        if fault is Reason.CUT_OFF:
            region = region.widen()
        editable = region.to_map(frame.sent.shape)
        limits = fit_to_hinted_things(task.limits, editable) if region.has_hinted_things else task.limits
        gate = Gate(editable, limits)
        answer = calls.ask(image, frame.encode_mask(editable), task.make_prompt(fault), task.references)
        judged = _judge_answer(frame, gate, task, answer)
        if judged.fault is None and judged.comparison is not None:
            pixels, changed = paste_edit(canvas.pixels, frame, judged.comparison, editable)
            return EffectResult(pixels, changed, judged.name_figures(task.name))
        fault = judged.fault
        log.info("edit %d of %d, %s: %s", number + 1, MAX_EDITS, task.name, judged)
    reason = _FAULT_TEXTS.get(fault, "they did not pass the checks")
    text = f"{task.name} was not done: {MAX_EDITS} edits failed, {reason}."
    raise Declined(fault or Reason.ANSWER_UNUSABLE, text)


@dataclass(frozen=True, slots=True)
class _Judgment:
    """The gate's judgment of an edit. `fault` is the first fault; `comparison` is None if nothing was compared."""

    figures: tuple[Figure, ...] = ()
    fault: Reason | None = None
    comparison: EditComparison | None = None

    def name_figures(self, name: str) -> tuple[Figure, ...]:
        """The figures, each marked as one of the edit `name`."""
        return tuple(replace(figure, edit=name) for figure in self.figures)

    def __str__(self) -> str:
        broken = [f"{figure.code} {figure.value:.3f}" for figure in self.figures if not figure.passed]
        return ", ".join(broken) or str(self.fault or "passed")


def _judge_answer(frame: ServerFrame, gate: Gate, task: EditTask, answer: bytes) -> _Judgment:
    try:
        picture = open_answer(answer)
    except UnusablePhotoError:
        return _Judgment(fault=Reason.ANSWER_UNUSABLE)
    shape = gate.measure_shape(frame.measure_shape_error(picture))
    if not shape.passed:
        return _Judgment((shape,), shape.fault)
    edit = frame.crop_answer(picture)
    unchanged = np.asarray(gate.editable < 0.5, dtype=np.bool_) if task.recolors else None
    comparison = compare_edit(frame.sent, edit, unchanged)
    figures = (shape, *gate.measure(frame.sent, edit, comparison))
    broken = next((figure for figure in figures if not figure.passed), None)
    return _Judgment(figures, broken.fault if broken else None, comparison)


_FAULT_TEXTS: dict[Reason | None, str] = {
    Reason.ANSWER_UNUSABLE: "what came back was no picture that could be used",
    Reason.SIZE_CHANGED: "the picture came back in another shape",
    Reason.BLANK: "the picture came back blank",
    Reason.NOT_CHANGED: "nothing was changed",
    Reason.TOO_MUCH_CHANGED: "more was changed than was asked for",
    Reason.DRIFTED: "the view was shifted or cropped",
    Reason.STRUCTURE_CHANGED: "walls, windows or other fixed parts did not stay",
    Reason.OPENING_ADDED: "a door or window was added",
    Reason.CUT_OFF: "things reached into parts that must stay",
}
