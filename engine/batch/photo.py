"""Processes one photo, also in worker processes: estimates its light, then applies its effects."""

import hashlib
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import cv2

from engine.arrays import Matte
from engine.fusion.frames import merge_frames
from engine.fusion.shots import BracketError
from engine.io.photo import DecodedPhoto, decode, encode
from engine.outlook.reading import read_outlook
from engine.pipeline import PictureEngine, apply_effects
from engine.segmentation.hinted_masks import require_fitting_masks
from engine.types.appearance import LightEstimate
from engine.types.context import EngineContext
from engine.types.edit_request import EditRequest
from engine.types.enhancements import ENHANCEMENTS, Enhancement, PhotoType
from engine.types.pictures import Picture, UnusablePhotoError
from engine.types.report import QualityReport, Reason


@dataclass(frozen=True, slots=True)
class PhotoLight:
    """The SHA-256 of a file (empty if unreadable) and the light of its photo (None if it cannot be decoded)."""

    digest: str
    light: LightEstimate | None


@dataclass(frozen=True, slots=True)
class PhotoTask:
    """The work on one photo: its file or frames, its edit request, and what to write."""

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


def estimate_photo_light(path: Path) -> PhotoLight:
    """Estimate the light of a photo; this is done for all photos before the first is processed.

    Parameters
    ----------
    path : Path
        The photo's file.

    Returns
    -------
    PhotoLight
        Without light where the file cannot be read or decoded; no exception is raised for that.
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
    """Select the steps that fit what the photo shows, where steps for houses and for rooms are mixed.

    Parameters
    ----------
    steps : Sequence of Enhancement
        The steps of the run.
    light : LightEstimate or None
        The photo's light; None where the photo could not be decoded.

    Returns
    -------
    list of Enhancement
        In the same order; all steps where `light` is None or no step fits.
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
        An error becomes the reason and message of the report; none is raised.
    """
    try:
        return _process_frames(task)
    except UnusablePhotoError as error:
        return _report_failure(error.reason, error.message)
    except BracketError as error:
        return _report_failure(Reason.FRAMES_UNFIT, str(error))
    except OSError as error:
        return _report_failure(Reason.UNDECODABLE, f"The file cannot be read: {error.strerror}.")
    except Exception as error:  # The run must continue with the other photos.
        return _report_failure(Reason.PROCESSING_FAILED, f"The engine failed: {type(error).__name__}: {error}")


def _process_frames(task: PhotoTask) -> BatchOutcome:
    openers = [partial(_read_photo, path) for path in task.frames]
    photo = openers[0]() if len(openers) == 1 else merge_frames(openers)
    require_fitting_masks(task.request.hints, *photo.pixels.shape[1::-1])
    surfaces = dict(encode_outlook(photo, task.request, task.context)) if task.with_surfaces else {}
    if not task.request.steps:
        picture = encode(photo.pixels, photo) if task.with_result else None
        return BatchOutcome(QualityReport(), picture, surfaces=surfaces)
    done = apply_effects(photo, task.request, context=task.context, keep_mattes=task.with_masks)
    masks = {step: _encode_png(matte) for step, matte in done.mattes.items()}
    picture = None if done.pixels is None else encode(done.pixels, photo, done.source_type, done.description)
    return BatchOutcome(done.report, picture, masks, surfaces)


def _read_photo(path: Path) -> DecodedPhoto:
    with path.open("rb") as stream:
        return decode(stream)


def _encode_png(matte: Matte) -> bytes:
    written, content = cv2.imencode(".png", matte)
    if not written:
        raise ValueError("the map cannot be written as PNG")
    return bytes(content)


def _report_failure(reason: Reason, message: str) -> BatchOutcome:
    return BatchOutcome(QualityReport(reason=reason, message=message))


def encode_outlook(
    photo: DecodedPhoto, request: EditRequest, context: EngineContext
) -> Iterator[tuple[str, bytes]]:
    """Encode what the engine sees in a photo, and what the photo's steps would do, as files.

    Parameters
    ----------
    photo : DecodedPhoto
        The photo.
    request : EditRequest
        The steps, possibly none, and the hints for the photo.
    context : EngineContext
        Opens reference pictures.

    Yields
    ------
    end : str
        The end of the file's name: outlook.json, then labels.png.
    content : bytes
        `Outlook.as_json` with a final line break; its label image as a PNG.
    """
    outlook = read_outlook(photo, request, context)
    yield "outlook.json", (json.dumps(outlook.as_json(), indent=1) + "\n").encode()
    yield "labels.png", outlook.labels
