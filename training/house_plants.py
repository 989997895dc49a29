"""Trees, bushes, cars and panes cut from photos that may train, and leaves drawn by chance."""

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.segmentation.labels import NUMBER, Label
from training.house_skins import Map, linear
from training.outlines import FOLDER, SHARED, fitted, opened, painted, read
from training.skies import noise
from training.sources import held_out

Random = np.random.Generator
Cut = tuple[Map, Map, Label | None]
"""Linear color, cover 0-1, and label."""
PLANTS = (Label.TREE, Label.BUSH, Label.FLOWER_BED)
CUT_OUT = (*PLANTS, Label.CAR, Label.BIN)
LEAST_AREA, LEAST_PANE, PANE_SIDE, LEAST_CROWN = 2500, 36, 96, 320
WINDOW_CLASS, CAR_CLASS = 9, 2
MOST_CARS, LEAST_CAR, LEAST_COVER, MOST_LONG = 60, 90, 0.42, 2.5


def cuts(most: int = 10_000) -> dict[Label, list[Cut]]:
    """Things cut from outlined photos taken outside by day, those held out left alone."""
    found: dict[Label, list[Cut]] = {label: [] for label in CUT_OUT}
    for path in sorted(FOLDER.glob("*.txt"))[:most]:
        outline = read(path)
        by_day = outline.facts["place"] == "outdoors" and outline.facts["time"] == "day"
        if not by_day or outline.photo.startswith("panoramas/") or held_out(outline.photo):
            continue
        picture = fitted(opened(outline.photo))
        labels = painted(outline, picture.shape)
        for label in CUT_OUT:
            found[label] += _parts(picture, labels, label)
    return found


def _parts(picture: NDArray[np.uint8], labels: NDArray[np.uint8], label: Label) -> Iterator[Cut]:
    mask = (labels == NUMBER[label]).astype(np.uint8)
    count, _, boxes, _ = cv2.connectedComponentsWithStats(mask)
    for left, top, width, height, area in boxes[1:count]:
        if (
            area < LEAST_AREA
            or min(width, height) < 40
            or area < 0.3 * width * height
            or width > MOST_LONG * height
        ):
            continue
        if label not in PLANTS and (left == 0 or left + width == mask.shape[1] or top + height == mask.shape[0]):
            continue
        rows, columns = slice(top, top + height), slice(left, left + width)
        part, cover = linear(picture[rows, columns]), mask[rows, columns].astype(np.float32)
        if label in PLANTS:
            cover = _ragged(part, cover)
            if cover.mean() < LEAST_COVER or float(part[cover > 0.5].mean()) > 0.5:
                continue
        else:
            cover = cv2.GaussianBlur(cover, (0, 0), 1)
        yield part, cover, label


def crown(cut: Cut, label: Label, chance: Random) -> Cut:
    """A crown drawn by chance that shows the leaves of a cut, where the cut itself ends at its photo's border."""
    color, cover, _ = cut
    height, width = cover.shape
    side = min(height, width, 256)
    if side < LEAST_CROWN / 3:
        return leaves(LEAST_CROWN, LEAST_CROWN, label, chance)
    tries = [(chance.integers(height - side + 1), chance.integers(width - side + 1)) for _ in range(6)]
    top, left = max(tries, key=lambda at: float(cover[at[0] : at[0] + side, at[1] : at[1] + side].mean()))
    seen, inside = color[top : top + side, left : left + side], cover[top : top + side, left : left + side]
    reach = cv2.BORDER_REFLECT
    more = max(0, LEAST_CROWN - side)
    seen = cv2.copyMakeBorder(seen, 0, more, 0, more, reach)
    inside = cv2.copyMakeBorder(inside, 0, more, 0, more, reach)
    side += more
    drawn, shape, _ = leaves(side, side, label, chance)
    mixed = drawn + (seen - drawn) * inside[..., None]
    light = 1.25 - 0.5 * np.linspace(0, 1, side, dtype=np.float32)[:, None, None]
    return (mixed * light).astype(np.float32), shape, label


def _ragged(part: Map, cover: Map) -> Map:
    """The cover with leafy borders and without the sky between the leaves."""
    chance = np.random.default_rng(part.shape[0] * 4099 + part.shape[1])
    soft = cv2.GaussianBlur(np.pad(cover, 8), (0, 0), 5)[8:-8, 8:-8]
    fine = cv2.GaussianBlur(chance.standard_normal(cover.shape, dtype=np.float32), (0, 0), 1.6) * 0.5
    ragged = np.clip((soft - 0.55 + fine * 0.5) * 5 + 0.5, 0, 1)
    sky = (part.max(2) > 0.42) & (part[..., 2] > 0.85 * part[..., 1])
    return (ragged * ~sky).astype(np.float32)


def of_facades(most: int, chance: Random) -> tuple[list[Map], list[Cut]]:
    """Windows, set upright, and whole cars of facades that may train; those held out left alone."""
    found: list[Map] = []
    cars: list[Cut] = []
    paths = sorted((SHARED / "facades" / "labels").glob("*.txt"))
    for place in chance.permutation(len(paths)):
        photo = f"facades/images/{paths[place].stem}.jpg"
        if len(found) >= most:
            break
        if held_out(photo) or not (SHARED / photo).exists():
            continue
        picture = opened(photo)
        for line in paths[place].read_text().splitlines():
            words = line.split()
            points = np.array(words[1:], np.float64).reshape(-1, 2) * picture.shape[1::-1]
            if int(words[0]) == WINDOW_CLASS:
                found += _upright(picture, points)
            elif int(words[0]) == CAR_CLASS and len(cars) < MOST_CARS:
                cars += _whole(picture, points)
    return found, cars


def _whole(picture: NDArray[np.uint8], points: NDArray[np.float64]) -> Iterator[Cut]:
    """A car that no border cuts off."""
    low, high = np.floor(points.min(0)).astype(int), np.ceil(points.max(0)).astype(int)
    size = high - low
    inside = (low > 2).all() and (high < np.array(picture.shape[1::-1]) - 3).all()
    if not inside or size[0] < LEAST_CAR or size[0] < 1.1 * size[1]:
        return
    cover = np.zeros((size[1], size[0]), np.float32)
    cv2.fillPoly(cover, [np.round(points - low).astype(np.int32)], 1)
    yield linear(picture[low[1] : high[1], low[0] : high[0]]), cv2.GaussianBlur(cover, (0, 0), 0.8), Label.CAR


def _upright(picture: NDArray[np.uint8], points: NDArray[np.float64]) -> Iterator[Map]:
    sums, differences = points.sum(1), points[:, 0] - points[:, 1]
    corners = points[[sums.argmin(), differences.argmax(), sums.argmax(), differences.argmin()]].astype(np.float32)
    sides = np.linalg.norm(corners - np.roll(corners, 1, 0), axis=1)
    if sides.min() < LEAST_PANE:
        return
    side = np.float32(PANE_SIDE)
    ends = np.array([[0, 0], [side, 0], [side, side], [0, side]], np.float32)
    matrix = cv2.getPerspectiveTransform(corners, ends)
    yield linear(cv2.warpPerspective(picture, matrix, (PANE_SIDE, PANE_SIDE), flags=cv2.INTER_AREA))


def leaves(height: int, width: int, label: Label, chance: Random, clipped: bool = False) -> Cut:
    """Leaves drawn by chance: a crown, or a clipped hedge, lit from above."""
    fine = cv2.GaussianBlur(
        chance.standard_normal((height, width), dtype=np.float32), (0, 0), chance.uniform(0.8, 1.8)
    )
    fine /= max(float(fine.std()), 1e-6)
    lumps = noise(height, width, chance)
    rows, columns = np.linspace(-1, 1, height)[:, None], np.linspace(-1, 1, width)[None]
    light = np.exp(0.45 * fine + 1.3 * (lumps - 0.5) - 0.5 * rows)
    greens = np.array(((0.05, 0.09, 0.02), (0.09, 0.11, 0.04), (0.03, 0.06, 0.025), (0.12, 0.14, 0.05)))
    color = greens[chance.integers(4)] * chance.normal(1, 0.12, 3) * light[..., None]
    if label is Label.FLOWER_BED:
        bright = chance.uniform(0.1, 0.9, 3)
        color = np.where((fine > chance.uniform(0.8, 1.6))[..., None], bright, color)
    if clipped:
        ends = np.minimum((1 - np.abs(columns)) * width / height, 1 + rows)
        cover = np.clip((ends - 0.16 * lumps - 0.05 * fine) * 20, 0, 1)
    else:
        inside = 0.8 - np.hypot(rows, columns) + 0.55 * (lumps - 0.5) + 0.09 * fine
        cover = np.clip(inside * 8, 0, 1)
    return np.clip(color, 0, 0.9).astype(np.float32), cover.astype(np.float32), label
