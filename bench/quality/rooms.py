"""Rooms measured from one photo: cameras and walls against rendered truth, floors against labels."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import cv2
import numpy as np

from bench.quality.measures import overlap
from bench.quality.places import LABELED, pictures
from bench.quality.rows import Row, skipped
from engine.arrays import Mask, Pixels, Plane
from engine.geometry.agreement import fit_surfaces_to_room
from engine.geometry.camera import Camera
from engine.geometry.estimation import RoomUnclear, estimate_room
from engine.geometry.room import Room, Wall, read_room
from engine.geometry.surface import PLACE, Surface
from engine.io.photo import decode
from engine.segmentation.scene import Scene

MOST_DEGREES, MOST_HEIGHT, LEAST_FLOOR = 1.0, 0.05, 0.90
# Labels of eval/floor: floor, what is to be left out, the rest.
FLOOR_LABEL, LEFT_OUT = 255, 128
BLUR, DOUBT = 3.0, 0.1
"""How true labels are made like a net's: pixels, and the share spread over all surfaces."""
FEET = 61
WORST = 6


@dataclass(frozen=True, slots=True)
class Found:
    """How a rendered room was measured; errors in degrees, shares and shares of the picture's height."""

    name: str
    directions: float
    height: float
    measure: str
    foot: float


def rows(folder: Path) -> Iterator[Row]:
    """Rendered rooms (training.room_twins makes the folder), by true and by found surfaces; labeled floors."""
    truths = sorted(folder.glob("*.json"))
    if not truths:
        made = "python -m training.room_twins build/rooms"
        yield skipped("rooms measured on renders", f"no rooms in {folder.name}: {made}")
    else:
        yield from _measured(truths, "true surfaces, blurred", _from_labels)
        yield from _measured(truths, "found surfaces", _from_picture)
    yield from _floors()


def _measured(truths: Sequence[Path], by: str, surfaces_of: Callable[[Path, Pixels], Plane]) -> Iterator[Row]:
    photos = [truth.with_suffix(f".{kind}.png") for truth in truths for kind in ("empty", "furnished")]
    found, refused = [], []
    for photo in photos:
        truth = read_room(json.loads(photo.with_suffix("").with_suffix(".json").read_text()))
        picture = _read(photo)
        try:
            room = estimate_room(picture, surfaces_of(photo, picture))
            found.append(_compared(photo.stem, room, truth, picture.shape))
        except RoomUnclear as error:
            refused.append(f"{error.reason} {photo.stem}")
    on = f"{len(found)} rendered rooms, {by}"
    yield Row(
        "rooms refused as unclear", str(len(refused)), on=f"{len(photos)} rendered rooms, {by}", worst=refused
    )
    if not found:
        return
    yield _row(
        "vanishing points, median of the worst of three",
        [(each.directions, each.name) for each in found],
        MOST_DEGREES,
        on,
    )
    known = [
        (abs(each.height), f"{each.name} {each.measure}") for each in found if each.measure in ("door", "counter")
    ]
    if known:
        yield _row("camera height by door or worktop, median error", known, MOST_HEIGHT, f"{len(known)} of {on}")
    every = [(abs(each.height), f"{each.name} {each.measure}") for each in found]
    yield _row("camera height, median error", every, None, on)
    yield _row("wall foot, median distance, share of height", [(each.foot, each.name) for each in found], None, on)


def _row(what: str, found: Sequence[tuple[float, str]], most: float | None, on: str) -> Row:
    middle = median(value for value, _ in found)
    in_degrees = "vanishing" in what
    shown = [f"{value:.2f}°" if in_degrees else f"{value:.1%}" for value in (middle, most or 0)]
    worst = [f"{value:.3f} {name}" for value, name in sorted(found, reverse=True)[:WORST]]
    if most is None:
        return Row(what, shown[0], on=on, worst=worst)
    return Row(what, shown[0], f"≤ {shown[1]}", middle <= most, on, worst)


def _compared(name: str, room: Room, truth: Room, shape: tuple[int, ...]) -> Found:
    height = room.camera.height / truth.camera.height - 1
    places = [_feet(each, shape) for each in (room, truth)]
    seen = np.isfinite(places[0]) & np.isfinite(places[1]) & (places[1] < shape[0])
    foot = float(np.median(np.abs(places[0] - places[1])[seen])) / shape[0] if seen.any() else 0.0
    return Found(name, directions_off(room.camera, truth.camera), height, room.scale_source, foot)


def directions_off(found: Camera, true: Camera) -> float:
    """Degrees between each main direction and where the true camera sees what vanishes there for the found one; the
    worst of three. Both rooms' axes are turned alike, or by quarters.
    """
    points = found.turn @ np.eye(3)
    places = points[:2] * found.focal + np.array(found.center)[:, None] * points[2]
    rays = np.stack([*((places - np.array(true.center)[:, None] * points[2]) / true.focal), points[2]])
    axes = np.abs(true.turn.T @ (rays / np.linalg.norm(rays, axis=0)))
    return float(np.degrees(np.arccos(np.clip(axes.max(0), 0, 1))).max())


def _feet(room: Room, shape: tuple[int, ...]) -> np.ndarray:
    """The row at which the nearest wall's foot crosses each of FEET columns; NaN where none does."""
    columns = np.linspace(4, shape[1] - 4, FEET)
    best = np.full((2, FEET), np.nan)
    best[0] = np.inf
    for wall in room.walls:
        depth, row = _crossings(room.camera, wall, columns)
        nearer = depth < best[0]
        best[:, nearer] = np.stack([depth, row])[:, nearer]
    return best[1]


def _crossings(camera: Camera, wall: Wall, columns: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """How deep and in which row a wall's foot crosses columns; infinitely deep where it does not."""
    start = camera.turn @ (np.array([*wall.start, 0.0]) - camera.eye)
    way = camera.turn @ np.array([*np.subtract(wall.end, wall.start), 0.0])
    aside = (columns - camera.center[0]) / camera.focal
    with np.errstate(divide="ignore", invalid="ignore"):
        share = (aside * start[2] - start[0]) / (way[0] - aside * way[2])
    spots = start[:, None] + way[:, None] * share
    on_wall = (share >= -0.02) & (share <= 1.02) & (spots[2] > 0.05)
    row = camera.focal * spots[1] / np.maximum(spots[2], 1e-6) + camera.center[1]
    return np.where(on_wall, spots[2], np.inf), row


def _from_labels(photo: Path, _picture: Pixels) -> Plane:
    labels = cv2.imread(str(photo.with_suffix(".labels.png")), cv2.IMREAD_GRAYSCALE)
    maps = np.eye(len(Surface), dtype=np.float32)[np.minimum(labels, len(Surface) - 1)]
    soft = cv2.GaussianBlur(maps, (0, 0), BLUR)
    return np.asarray(soft * (1 - DOUBT) + DOUBT / len(Surface), np.float32)


def _from_picture(photo: Path, picture: Pixels) -> Plane:
    scene = _scene(photo)
    return np.asarray(cv2.resize(scene.surfaces, picture.shape[1::-1], interpolation=cv2.INTER_LINEAR), np.float32)


def _floors() -> Iterator[Row]:
    photos = pictures(LABELED / "floor")
    if not photos:
        yield skipped("floor, median IoU", "the labeled photos are not here")
        return
    pairs = [(*_floor_scores(photo), photo.stem) for photo in photos]
    scores = sorted((agreed, name) for _, agreed, name in pairs)
    middle = median(score for score, _ in scores)
    worst = [f"{score:.3f} {name}" for score, name in scores[:WORST]]
    on = f"{len(scores)} labeled rooms and halls"
    yield Row("floor, median IoU", f"{middle:.3f}", f"≥ {LEAST_FLOOR:.2f}", middle >= LEAST_FLOOR, on, worst)
    yield Row("the same before geometry", f"{median(seen for seen, _, _ in pairs):.3f}", on=on)


def _floor_scores(photo: Path) -> tuple[float, float]:
    """The overlap of the floor as it was seen, and after it was brought into agreement with the room."""
    scene = _scene(photo)
    seen = scene.surfaces
    picture = np.rint(scene.small * 255).astype(np.uint8)
    try:
        agreed = fit_surfaces_to_room(estimate_room(picture, seen), seen)
    except RoomUnclear:
        agreed = seen
    label = cv2.imread(str(photo.with_suffix(".png")), cv2.IMREAD_GRAYSCALE)
    size = scene.small.shape[1::-1]
    label = cv2.resize(label, size, interpolation=cv2.INTER_NEAREST)
    counts = label != LEFT_OUT
    one, other = (overlap(_floor(each)[counts], label[counts] == FLOOR_LABEL) for each in (seen, agreed))
    return one, other


def _floor(surfaces: Plane) -> Mask:
    return np.asarray(surfaces[..., [PLACE[Surface.FLOOR], PLACE[Surface.RUG]]].sum(-1) > 0.5, np.bool_)


def _scene(photo: Path) -> Scene:
    with photo.open("rb") as stream:
        read = decode(stream)
    return Scene(read.pixels, read.profile, read.digest)


def _read(photo: Path) -> Pixels:
    return np.asarray(cv2.cvtColor(cv2.imread(str(photo)), cv2.COLOR_BGR2RGB), np.uint8)
