"""Outlines: text files that say what is where in a photo, and the labels painted from them.

An outline is a text file: `photo` and `sha256` lines, a `scene` line of facts, then one line a polygon, painted in
order: a label and its corners `x,y` in the photo scaled to a long side of SIDE.
"""

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.segmentation.labels import FACTS, NUMBER, Label

SHARED = Path(__file__).resolve().parents[2] / "shared" / "photos" / "training"
FOLDER = Path(__file__).with_name("outlined")
# Photos for measuring only, and their outlines; nothing that learns reads either.
MEASURED = SHARED.parents[1] / "eval"
UNSEEN = Path(__file__).with_name("unseen")
SIDE = 1000
IGNORED = 255

# The facade set's classes as labels, by number, and the order they are painted in; VEGETATION may be any plant.
VEGETATION = 200
SET_LABELS = {
    0: NUMBER[Label.FACADE], 1: NUMBER[Label.FENCE], 2: NUMBER[Label.CAR], 3: NUMBER[Label.FENCE],
    4: NUMBER[Label.OUTSIDE_OTHER], 5: NUMBER[Label.FACADE], 6: NUMBER[Label.PAVING],
    7: NUMBER[Label.OUTSIDE_OTHER],
    8: VEGETATION, 9: NUMBER[Label.PANE],
}  # fmt: skip
ORDER_OF_SET = (6, 0, 5, 9, 1, 4, 3, 8, 7, 2)

Picture = NDArray[np.uint8]
Labels = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Outline:
    """What is where in one photo; `areas` are painted in order, corners in a picture with a long side of SIDE."""

    photo: str
    sha256: str
    facts: dict[str, str]
    areas: tuple[tuple[Label | None, NDArray[np.int32], bool], ...]


def read(path: Path) -> Outline:
    """The outline in a file. Raises ValueError, with file and line, for what is not to be understood."""
    said: dict[str, str] = {}
    facts: dict[str, str] = {}
    areas = []
    over = False
    for number, line in enumerate(path.read_text().splitlines(), 1):
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        try:
            match words[0]:
                case "photo" | "sha256":
                    said[words[0]] = words[1]
                case "scene":
                    facts = _facts(words[1:])
                case "over":
                    over = True
                case _:
                    areas.append((*_area(words), over))
        except (ValueError, IndexError) as error:
            raise ValueError(f"{path.name}:{number}: {error}: {line[:80]}") from error
    if not facts or not areas:
        raise ValueError(f"{path.name}: no scene line or no areas")
    return Outline(said["photo"], said.get("sha256", ""), facts, tuple(areas))


def _facts(words: list[str]) -> dict[str, str]:
    found = {}
    for fact, values in FACTS.items():
        among = [word for word in words if word in values]
        if len(among) != 1:
            raise ValueError(f"scene: one of {'/'.join(values)} is wanted")
        found[fact] = among[0]
    return found


def _area(words: list[str]) -> tuple[Label | None, NDArray[np.int32]]:
    label = None if words[0] == "unsure" else Label(words[0])
    points = np.array([[float(part) for part in word.split(",")] for word in words[1:]])
    if points.ndim != 2 or points.shape[1] != 2 or len(points) < 3:
        raise ValueError("three corners or more, each x,y")
    return label, np.round(points).astype(np.int32)


def fitted(picture: Picture) -> Picture:
    """The picture with a long side of SIDE."""
    scale = SIDE / max(picture.shape[:2])
    size = (round(picture.shape[1] * scale), round(picture.shape[0] * scale))
    return np.asarray(
        cv2.resize(picture, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC), np.uint8
    )


def opened(photo: str) -> Picture:
    """The photo, height x width x 3 sRGB bytes, from its path below the training or the measuring photos."""
    read = cv2.imread(str(located(photo)), cv2.IMREAD_COLOR)
    if read is None:
        raise FileNotFoundError(photo)
    return np.asarray(cv2.cvtColor(read, cv2.COLOR_BGR2RGB), np.uint8)


def located(photo: str) -> Path:
    """Where a photo lies."""
    return (MEASURED if photo.startswith("houses/") else SHARED) / photo


def painted(outline: Outline, shape: tuple[int, ...]) -> Labels:
    """The labels as drawn, for a picture with a long side of SIDE; IGNORED where nothing was painted.

    Facades come with polygons of their own, which lie over what was drawn, but for what was drawn after `over`.
    """
    drawn = np.full(shape[:2], IGNORED, np.uint8)
    under = [area for area in outline.areas if not area[2]]
    for label, points, _ in under:
        cv2.fillPoly(drawn, [points], IGNORED if label is None else NUMBER[label])
    paint_set(drawn, outline.photo)
    for label, points, _ in outline.areas[len(under) :]:
        cv2.fillPoly(drawn, [points], IGNORED if label is None else NUMBER[label])
    return drawn


def paint_set(drawn: Labels, photo: str) -> None:
    """Paint the polygons that the facade set has for a photo over `drawn`; nothing for other photos."""
    path = SHARED / photo.replace("/images/", "/labels/").replace(".jpg", ".txt")
    if not photo.startswith("facades/"):
        return
    size = np.array(drawn.shape[1::-1])
    said = [line.split() for line in path.read_text().splitlines()]
    for words in sorted(said, key=lambda words: ORDER_OF_SET.index(int(words[0]))):
        points = np.array(words[1:], np.float64).reshape(-1, 2) * size
        cv2.fillPoly(drawn, [np.round(points).astype(np.int32)], SET_LABELS[int(words[0])])
