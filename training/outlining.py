"""Outlining a photo by text: `python -m training.outlining show PHOTO` and `… draw OUTLINE`, looked at in turn.

An outline is a text file: `photo` and `sha256` lines, a `scene` line of facts, then one line a polygon, painted in
order: a label and its corners `x,y` in the photo scaled to a long side of SIDE. Edges snap to the photo's own.
"""

import argparse
import hashlib
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from skimage.segmentation import slic

from app.engine.scene.labels import FACTS, NUMBER, Label

SHARED = Path(__file__).resolve().parents[2] / "shared" / "photos" / "training"
FOLDER = Path(__file__).with_name("outlined")
# Photos for measuring only, and their outlines; nothing that learns reads either.
MEASURED = SHARED.parents[1] / "eval"
UNSEEN = Path(__file__).with_name("unseen")
SIDE = 1000
IGNORED = 255

# Too thin for superpixels: as drawn.
THIN = frozenset({Label.WIRE, Label.LAMP, Label.FENCE})
SEGMENTS, COMPACTNESS, SURE = 2500, 6.0, 0.62
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


def snapped(picture: Picture, drawn: Labels) -> Labels:
    """The labels with their edges moved to the picture's: each superpixel takes what most of it was drawn as.

    Superpixels torn between labels are IGNORED; what is THIN stays as drawn.
    """
    parts = slic(picture, SEGMENTS, COMPACTNESS, sigma=1.0, start_label=0, channel_axis=2)
    votes = np.zeros((parts.max() + 1, 256), np.int32)
    np.add.at(votes, (parts.ravel(), drawn.ravel()), 1)
    most = votes.argmax(1).astype(np.uint8)
    sure = votes.max(1) >= SURE * votes.sum(1)
    result = np.where(sure, most, IGNORED)[parts].astype(np.uint8)
    thin = np.isin(drawn, [NUMBER[label] for label in THIN])
    result[thin] = drawn[thin]
    return result


def palette() -> NDArray[np.uint8]:
    """A colour for each label, RGB bytes, neighbours far apart."""
    hues = (np.arange(len(Label)) * 67) % 180
    colours = np.stack(
        [hues, np.where(np.arange(len(Label)) % 3, 255, 140), np.where(np.arange(len(Label)) % 2, 255, 170)], 1
    )
    return np.asarray(cv2.cvtColor(colours[None].astype(np.uint8), cv2.COLOR_HSV2RGB)[0], np.uint8)


def overlay(picture: Picture, labels: Labels) -> Picture:
    """The picture under the colours of its labels, with their names; what is ignored is black."""
    colours = np.zeros((256, 3), np.uint8)
    colours[: len(Label)] = palette()
    colours[VEGETATION] = (0, 160, 60)
    shown = cv2.addWeighted(picture, 0.6, colours[labels], 0.4, 0)
    edges = cv2.morphologyEx(labels, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)) > 0
    shown[edges] = 0
    for number, label in enumerate(Label):
        count, _, stats, _ = cv2.connectedComponentsWithStats((labels == number).astype(np.uint8))
        inside = cv2.distanceTransform((labels == number).astype(np.uint8), cv2.DIST_L2, 3)
        for part in range(1, count):
            x, y, wide, tall, area = stats[part]
            if area < 500:
                continue
            window = inside[y : y + tall, x : x + wide]
            row, column = np.unravel_index(int(window.argmax()), window.shape)
            place = (int(x + column) - 4 * len(label), int(y + row) + 4)
            for ink, width in (((0, 0, 0), 3), ((255, 255, 255), 1)):
                cv2.putText(shown, str(label), place, cv2.FONT_HERSHEY_SIMPLEX, 0.45, ink, width, cv2.LINE_AA)
    return np.asarray(shown, np.uint8)


def ruled(picture: Picture) -> Picture:
    """The picture with thin lines every 100 pixels and their numbers."""
    shown = picture.copy()
    for place in range(0, SIDE, 100):
        for line in (shown[place : place + 1], shown[:, place : place + 1]):
            line[:] = (0.6 * line + 0.4 * np.array((255, 255, 0))).astype(np.uint8)
        for spot in ((place + 2, 11), (2, place + 11)):
            for ink, width in (((0, 0, 0), 3), ((255, 255, 0), 1)):
                cv2.putText(shown, str(place), spot, cv2.FONT_HERSHEY_SIMPLEX, 0.4, ink, width, cv2.LINE_AA)
    return shown


def main() -> None:
    """Write the ruled photo or the overlay of an outline as PNG, and say how much of it is labelled."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["show", "draw"])
    parser.add_argument("name", help="a photo's path below the training photos, or an outline's file")
    parser.add_argument("out", type=Path)
    arguments = parser.parse_args()
    if arguments.what == "show":
        _write(arguments.out, ruled(fitted(opened(arguments.name))))
        return
    path = Path(arguments.name)
    outline = read(path)
    picture = fitted(opened(outline.photo))
    labels = snapped(picture, painted(outline, picture.shape))
    _write(arguments.out, overlay(picture, labels))
    if not outline.sha256:
        digest = hashlib.sha256(located(outline.photo).read_bytes()).hexdigest()
        path.write_text(f"sha256 {digest}\n{path.read_text()}")
    seen = ", ".join(str(label) for label in Label if (labels == NUMBER[label]).any())
    print(f"{(labels != IGNORED).mean():.0%} labelled: {seen}")


def _write(out: Path, picture: Picture) -> None:
    cv2.imwrite(str(out), cv2.cvtColor(picture, cv2.COLOR_RGB2BGR))


if __name__ == "__main__":
    main()
