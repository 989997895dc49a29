"""Rooms emptied, against the true picture of the empty room: rendered twins, inside what was taken away.

SSIM is Wang et al.'s (2004) of the luma, Gaussian window of 11 x 11 with sigma 1.5, at the twin's size; the error
is the mean distance in CIE Lab. Both are means over the pixels of removed things, of the rooms that were done.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import mean

import cv2
import numpy as np

from bench.quality.results import upright
from bench.quality.rows import Row, skipped
from engine.arrays import Mask, Pixels, Plane, plane
from engine.canvas import Canvas, Declined
from engine.color.difference import srgb_to_lab
from engine.color.profiles import ColorProfile
from engine.geometry.estimation import scale_room
from engine.geometry.room import Room, read_room
from engine.geometry.surface import PLACE, Surface
from engine.inpainting.emptying import color_to_log, log_to_color
from engine.inpainting.patch_offsets import InpaintingHole
from engine.inpainting.removal import remove_things
from engine.inpainting.texture import inpaint
from engine.inpainting.things import FURNITURE, find_things
from engine.segmentation.scene import Scene
from engine.types.edit_request import EditRequest
from engine.types.enhancements import Enhancement

LEAST_SSIM, MOST_ERROR = 0.85, 0.5
TELEA_RADIUS = 5


@dataclass(frozen=True, slots=True)
class Twin:
    """A furnished room and the same empty; `surfaces` are shares at the size of the scene's small picture.

    `other` is the empty room with other boards and grain of the same sort.
    """

    name: str
    furnished: Pixels
    empty: Pixels
    other: Pixels
    surfaces: Plane
    gone: Mask
    room: Room
    scene: Scene


@dataclass(frozen=True, slots=True)
class Measured:
    """SSIM and error inside what was removed: of ours, of Telea's fill, of a plain patch fill, and of the true room
    with other boards and grain of the same sort: the best that anyone can do who does not see them."""

    name: str
    ssim: tuple[float, ...]
    error: tuple[float, ...]


def rows(folder: Path) -> Iterator[Row]:
    """How close emptied rooms come to the truth; training.room_twins makes the folder."""
    files = sorted(folder.glob("*.furnished.png"))
    if not files:
        yield skipped("furnished to empty on rendered twins", f"no rooms in {folder.name}")
        return
    found = [_measured(_twin(file)) for file in files]
    done = [each for each in found if isinstance(each, Measured)]
    refused = [each for each in found if isinstance(each, str)]
    yield Row("rooms emptied; the others were refused", f"{len(done)} of {len(files)}", worst=refused)
    if not done:
        return
    on = f"{len(done)} rendered twins"
    ours, telea, patches, best = (mean(each.ssim[place] for each in done) for place in range(4))
    worst = [f"{each.name}: {each.ssim[0]:.3f}" for each in sorted(done, key=lambda one: one.ssim[0])[:5]]
    yield Row("SSIM where things were removed", f"{ours:.3f}", f"≥ {LEAST_SSIM}", ours >= LEAST_SSIM, on, worst)
    yield Row("the same of OpenCV's Telea / a plain patch fill", f"{telea:.3f} / {patches:.3f}", on=on)
    yield Row("the same of the true room with other boards and grain of the same sort", f"{best:.3f}", on=on)
    off = [mean(each.error[place] for each in done) for place in range(3)]
    for other, name in zip(off[1:], ("OpenCV's Telea", "a plain patch fill"), strict=True):
        share = off[0] / other
        what = f"distance to the true empty room, against {name}"
        value = f"{off[0]:.2f} / {other:.2f} ({share:.2f})"
        yield Row(what, value, f"≤ {MOST_ERROR}", share <= MOST_ERROR, on)


def _twin(file: Path) -> Twin:
    name = file.name.removesuffix(".furnished.png")
    furnished, empty, other = (
        upright(file.with_name(f"{name}.{kind}.png").read_bytes()) for kind in ("furnished", "empty", "other")
    )
    before, after = (
        np.asarray(cv2.imread(str(file.with_name(f"{name}.{kind}.labels.png")), cv2.IMREAD_GRAYSCALE), np.uint8)
        for kind in ("furnished", "empty")
    )
    goes = [PLACE[each] for each in FURNITURE]
    gone = np.asarray(np.isin(before, goes) & ~np.isin(after, goes))
    # What hangs on the walls of the empty twin, too, is no part of the question.
    before = np.where(np.isin(before, goes) & ~gone, PLACE[Surface.OTHER], before)
    scene = Scene(furnished, ColorProfile(), name)
    height, width = scene.small.shape[:2]
    each = [
        cv2.resize(plane(before == place), (width, height), interpolation=cv2.INTER_AREA)
        for place in PLACE.values()
    ]
    surfaces = plane(np.dstack(each))
    room = read_room(json.loads(file.with_name(f"{name}.json").read_text()))
    return Twin(name, furnished, empty, other, surfaces, gone, scale_room(room, width / furnished.shape[1]), scene)


def _measured(twin: Twin) -> Measured | str:
    """The figures, or why the room was not emptied."""
    canvas = Canvas(twin.furnished, twin.scene, EditRequest(enhancements=(Enhancement.FURNITURE_REMOVAL,)))
    try:
        done = remove_things(canvas, twin.room, twin.surfaces)
    except Declined as declined:
        return f"{twin.name}: {declined.message}"
    if done.matte is None:
        return f"{twin.name}: no matte"
    size = (twin.gone.shape[1], twin.gone.shape[0])
    mask = cv2.resize(plane(find_things(twin.surfaces, FURNITURE)), size, interpolation=cv2.INTER_LINEAR) > 0.5
    hole = np.asarray(mask, np.bool_)
    telea = np.asarray(
        cv2.inpaint(twin.furnished, hole.astype(np.uint8), TELEA_RADIUS, cv2.INPAINT_TELEA), np.uint8
    )
    results = (done.pixels, telea, _patched(twin.furnished, hole), twin.other)
    inside = np.asarray(twin.gone & (done.matte > 127))
    truth = srgb_to_lab(twin.empty)
    ssim = [float(ssim_map(each, twin.empty)[inside].mean()) for each in results]
    error = [float(np.linalg.norm(srgb_to_lab(each) - truth, axis=2)[inside].mean()) for each in results]
    return Measured(twin.name, tuple(ssim), tuple(error))


def _patched(pixels: Pixels, hole: Mask) -> Pixels:
    """The hole filled by patches of the picture as it is, knowing nothing of the room."""
    logs = color_to_log(plane(pixels) / np.float32(255))
    filled = log_to_color(inpaint(InpaintingHole(logs, np.asarray(~hole), hole), 8))
    return np.asarray(np.clip(filled * 255 + 0.5, 0, 255), np.uint8)


def ssim_map(one: Pixels, other: Pixels) -> Plane:
    """The structural similarity around each pixel of two sRGB pictures, by their luma of 0-255."""
    first, second = (cv2.cvtColor(each, cv2.COLOR_RGB2GRAY).astype(np.float64) for each in (one, other))

    def smooth(values: np.ndarray) -> np.ndarray:
        return np.asarray(cv2.GaussianBlur(values, (11, 11), 1.5))

    mean_one, mean_other = smooth(first), smooth(second)
    spread_one, spread_other = smooth(first**2) - mean_one**2, smooth(second**2) - mean_other**2
    shared = smooth(first * second) - mean_one * mean_other
    light = (2 * mean_one * mean_other + 6.5025) / (mean_one**2 + mean_other**2 + 6.5025)
    return plane(light * (2 * shared + 58.5225) / (spread_one + spread_other + 58.5225))
