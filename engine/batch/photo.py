"""Processes one photo: first its light for the order's shared appearance, then its effects; runs in other
processes too.
"""

import hashlib
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import cv2
import numpy as np

from engine.arrays import Matte
from engine.filters.guided import refine_mask
from engine.fusion.frames import merge_frames
from engine.fusion.shots import BracketError
from engine.geometry.estimation import RoomUnclear, scale_room
from engine.geometry.surface import PLACE, Surface
from engine.io.photo import DecodedPhoto, decode, encode
from engine.pipeline import PictureEngine, apply_effects
from engine.segmentation.scene import Scene, make_scene
from engine.types.appearance import LightEstimate
from engine.types.context import EngineContext
from engine.types.edit_request import EditRequest
from engine.types.enhancements import ENHANCEMENTS, Enhancement, PhotoType
from engine.types.hints import NO_HINTS, SceneHints
from engine.types.pictures import Picture, UnusablePhotoError
from engine.types.report import QualityReport, Reason


@dataclass(frozen=True, slots=True)
class PhotoLight:
    """The SHA-256 of a file, empty where it cannot be read, and the light of its photo, None where undecodable."""

    digest: str
    light: LightEstimate | None


@dataclass(frozen=True, slots=True)
class PhotoTask:
    """What is to happen to one photo, and what its order shares. Several frames are one photo."""

    frames: Sequence[Path]
    request: EditRequest
    with_masks: bool = False
    with_surfaces: bool = False
    with_result: bool = True
    context: EngineContext = field(default_factory=EngineContext)


@dataclass(frozen=True, slots=True)
class BatchOutcome:
    """The outcome of a photo.

    `picture` is None where the photo failed, every step declined or no result was asked for. `masks` are gray PNG
    files of the photo's size; `surfaces` are files by the ends of their names.
    """

    report: QualityReport
    picture: Picture | None = None
    masks: Mapping[Enhancement, bytes] = field(default_factory=dict)
    surfaces: Mapping[str, bytes] = field(default_factory=dict)


def look_at_photo(path: Path) -> PhotoLight:
    """Estimate the light of a photo, before any is processed.

    Parameters
    ----------
    path : Path
        The photo's file.

    Returns
    -------
    PhotoLight
        Without light where the file cannot be read or decoded: that raises nothing here.
    """
    try:
        content = path.read_bytes()
    except OSError:
        return PhotoLight("", None)
    digest = hashlib.sha256(content).hexdigest()
    try:
        return PhotoLight(digest, PictureEngine().estimate_light(io.BytesIO(content)))
    except (UnusablePhotoError, MemoryError):
        return PhotoLight(digest, None)


def select_fitting_steps(steps: Sequence[Enhancement], light: LightEstimate | None) -> list[Enhancement]:
    """The steps for this photo: those for what it shows, where steps for houses and for rooms are mixed.

    Parameters
    ----------
    steps : Sequence of Enhancement
        Those of the run.
    light : LightEstimate or None
        Of the photo; None where it could not be decoded.

    Returns
    -------
    list of Enhancement
        In the same order; all of them where `light` is None or none is for what the photo shows.
    """
    if light is None:
        return list(steps)
    shown = PhotoType.EXTERIOR if light.outdoors else PhotoType.INTERIOR
    return [each for each in steps if ENHANCEMENTS[each].group is shown] or list(steps)


def process_photo(task: PhotoTask) -> BatchOutcome:
    """Read a photo, apply its steps and encode the result.

    Parameters
    ----------
    task : PhotoTask
        The photo's files, its steps, and what to make besides the result.

    Returns
    -------
    BatchOutcome
        Errors are caught and given as reason and message of its report.
    """
    try:
        return _process_frames(task)
    except UnusablePhotoError as error:
        return _report_failure(error.reason, error.message)
    except BracketError as error:
        return _report_failure(Reason.FRAMES_UNFIT, str(error))
    except OSError as error:
        return _report_failure(Reason.UNDECODABLE, f"The file cannot be read: {error.strerror}.")
    except Exception as error:  # One photo's trouble must not cost the other four hundred.
        return _report_failure(Reason.PROCESSING_FAILED, f"The engine failed: {type(error).__name__}: {error}")


def _process_frames(task: PhotoTask) -> BatchOutcome:
    openers = [partial(_read, path) for path in task.frames]
    photo = openers[0]() if len(openers) == 1 else merge_frames(openers)
    surfaces = dict(encode_surfaces(photo, task.request.hints)) if task.with_surfaces else {}
    if not task.request.steps:
        picture = encode(photo.pixels, photo) if task.with_result else None
        return BatchOutcome(QualityReport(), picture, surfaces=surfaces)
    done = apply_effects(photo, task.request, context=task.context, keep_mattes=task.with_masks)
    masks = {step: _png(matte) for step, matte in done.mattes.items()}
    picture = None if done.pixels is None else encode(done.pixels, photo, done.source_type, done.description)
    return BatchOutcome(done.report, picture, masks, surfaces)


def _read(path: Path) -> DecodedPhoto:
    with path.open("rb") as stream:
        return decode(stream)


def _png(matte: Matte) -> bytes:
    written, content = cv2.imencode(".png", matte)
    if not written:
        raise ValueError("the map cannot be written as PNG")
    return bytes(content)


def _report_failure(reason: Reason, message: str) -> BatchOutcome:
    return BatchOutcome(QualityReport(reason=reason, message=message))


def encode_surfaces(photo: DecodedPhoto, hints: SceneHints | None = None) -> Iterator[tuple[str, bytes]]:
    """Encode the surfaces of the room in a photo as files, and the room as measured.

    Parameters
    ----------
    photo : DecodedPhoto
        The photo.
    hints : SceneHints or None, optional
        What somebody said is seen in it.

    Yields
    ------
    end : str
        The end of the file's name: camera.json, then SURFACE.png for each Surface.
    content : bytes
        The room as JSON, its camera in pixels of the full-size photo, or {"unclear": reason} where it cannot be
        measured; of a surface a gray PNG of the photo's size, 255 where a pixel is wholly of it.
    """
    scene = make_scene(photo, hints or NO_HINTS)
    yield "camera.json", _camera(scene)
    for surface in Surface:
        share = np.ascontiguousarray(scene.surfaces[..., PLACE[surface]])
        yield f"{surface}.png", _png(refine_mask(share, scene.own_small, photo.pixels, radius=4, softness=1e-3))


def _camera(scene: Scene) -> bytes:
    try:
        content = scale_room(scene.room, scene.pixels.shape[1] / scene.small.shape[1]).as_json()
    except RoomUnclear as error:
        content = {"unclear": error.reason}
    return (json.dumps(content, indent=2) + "\n").encode()
