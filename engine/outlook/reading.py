"""Reads the outlook of a photo: decodes it, reduces it, describes what is seen, and forecasts the ordered steps."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import BinaryIO

from engine.geometry.estimation import RoomUnclear
from engine.io.hinted_photo import copy_stream, require_hinted_photo
from engine.io.photo import DecodedPhoto, decode
from engine.outlook.floor_plan import draw_plan
from engine.outlook.forecast import Unfurnished, forecast_steps
from engine.outlook.layout_preview import preview_layout
from engine.outlook.regions import LabeledPhoto, SeenPart, label_photo
from engine.outlook.room_view import describe_camera, find_room_lines
from engine.outlook.segments import find_segments
from engine.segmentation.hinted_masks import require_fitting_masks
from engine.segmentation.scene import ANALYSIS_SIDE, Scene, make_scene, shrink_to
from engine.types.context import EngineContext
from engine.types.edit_request import EditRequest
from engine.types.enhancements import Enhancement
from engine.types.hints import NO_HINTS, HintedSurface, RoomHint, SceneHints, ThingHint, ThingKind
from engine.types.outlook import Outlook, RoomView

MAX_POINTS = 1500
"""Most points of all outlines together; the smallest parts are left out. Hints may have 2,000 points."""
MAX_THINGS = 40
"""Most things that are outlined; the largest are kept."""
_NO_CONTEXT = EngineContext()
KeepPreview = Callable[[bytes], None]
Parts = Mapping[HintedSurface | ThingKind, tuple[SeenPart, ...]]


@dataclass(frozen=True, slots=True)
class PhotoOutlooks:
    """Reads the outlooks of photos; it implements the service's port `OutlookReader`.

    `by_server`: whether a generative server makes the effects that it can make; it is never asked for an outlook.
    """

    by_server: bool = False

    def read(
        self,
        photo: BinaryIO,
        request: EditRequest,
        context: EngineContext = _NO_CONTEXT,
        keep_preview: KeepPreview | None = None,
    ) -> Outlook:
        """Say what a photo shows, and what each step of a request would do.

        Parameters
        ----------
        photo : BinaryIO
            The photo's file.
        request : EditRequest
            The steps with their options; its hints are trusted.
        context : EngineContext, optional
            Opens reference pictures.
        keep_preview : callable, optional
            As for `read_outlook`.

        Returns
        -------
        Outlook
            Made from a small copy of the photo.

        Raises
        ------
        UnusablePhotoError
            Where the file cannot be decoded within the limits, or the hints are for another photo.
        """
        require_hinted_photo(request.hints, [partial(copy_stream, photo)])
        decoded = decode(photo)
        require_fitting_masks(request.hints, *decoded.pixels.shape[1::-1])
        return read_outlook(decoded, request, context, by_server=self.by_server, keep_preview=keep_preview)


def read_outlook(
    photo: DecodedPhoto,
    request: EditRequest,
    context: EngineContext = _NO_CONTEXT,
    *,
    by_server: bool = False,
    keep_preview: KeepPreview | None = None,
) -> Outlook:
    """Say what a decoded photo shows, and what each step of a request would do.

    Parameters
    ----------
    photo : DecodedPhoto
        The photo, of any size.
    request : EditRequest
        The steps with their options; its hints are trusted.
    context : EngineContext, optional
        Opens reference pictures.
    by_server : bool, default False
        Whether a generative server makes the effects that it can make.
    keep_preview : callable, optional
        Called with the preview of the furnished room, a JPEG file, where the request places furniture and the room
        would be furnished on this machine. Called as early as possible, because people wait for this picture most.

    Returns
    -------
    Outlook
        `seen` is within the limits of hints.
    """
    height, width = photo.pixels.shape[:2]
    small = replace(photo, pixels=shrink_to(photo.pixels, ANALYSIS_SIDE))
    del photo
    scene = make_scene(small, request.hints or NO_HINTS)
    steps, unfurnished = forecast_steps(scene, request, context, by_server=by_server)
    if keep_preview is not None and unfurnished is not None:
        _preview(unfurnished, keep_preview)
    labeled = label_photo(scene, with_panes=Enhancement.TWILIGHT in request.steps)
    parts = _limit_points(_find_parts(scene, labeled))
    camera, unclear, room = _describe_room(scene)
    surfaces = [name for name in parts if isinstance(name, HintedSurface)]
    things = [
        ThingHint(name, part.polygon) for name in parts if isinstance(name, ThingKind) for part in parts[name]
    ]
    return Outlook(
        width=width,
        height=height,
        outdoors=scene.outdoors,
        hinted=request.hints is not None,
        seen=SceneHints(
            room=room,
            surfaces={name: tuple(part.polygon for part in parts[name]) for name in surfaces},
            things=tuple(things[:MAX_THINGS]),
        ),
        certainties={name: tuple(part.certainty for part in parts[name]) for name in surfaces},
        camera=camera,
        unclear=unclear,
        labels=labeled.encode(),
        segments=find_segments(scene, labeled),
        plan=None if unfurnished is None else draw_plan(unfurnished.canvas, unfurnished.furnishing),
        steps=steps,
    )


def _preview(unfurnished: Unfurnished, keep_preview: KeepPreview) -> None:
    """Render the room where the request places furniture."""
    picture = preview_layout(unfurnished) if unfurnished.canvas.hints.placements else None
    if picture is not None:
        keep_preview(picture)


def _find_parts(scene: Scene, labeled: LabeledPhoto) -> Parts:
    names: list[HintedSurface | ThingKind] = [each for each in HintedSurface if each.is_outdoors == scene.outdoors]
    names += [] if scene.outdoors else ThingKind
    return {name: parts for name in names if (parts := labeled.find_parts(name))}


def _limit_points(parts: Parts) -> Parts:
    """The parts without the smallest ones, so that all have at most MAX_POINTS corners."""
    ranked = sorted((part for each in parts.values() for part in each), key=lambda part: -part.area)
    points, kept = 0, set()
    for part in ranked:
        points += len(part.polygon)
        if points <= MAX_POINTS:
            kept.add(part)
    limited = {name: tuple(part for part in each if part in kept) for name, each in parts.items()}
    return {name: each for name, each in limited.items() if each}


def _describe_room(scene: Scene) -> tuple[RoomView | None, str | None, RoomHint | None]:
    """The camera or the reason why there is none, and the room's edges; None for photos taken outdoors."""
    if scene.outdoors:
        return None, None, None
    size = scene.small.shape[1], scene.small.shape[0]
    try:
        room = scene.room
    except RoomUnclear as unclear:
        return None, str(unclear.reason), None
    lines = find_room_lines(room, size)
    return describe_camera(room, size), None, RoomHint(lines) if lines else None
