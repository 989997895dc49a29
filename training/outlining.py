"""Outlining a photo by text: `python -m training.outlining show PHOTO OUT` and `… draw OUTLINE OUT`, in turn."""

import argparse
import hashlib
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.segmentation.labels import NUMBER, Label
from training.outlines import IGNORED, SIDE, VEGETATION, Labels, Picture, fitted, located, opened, painted, read
from training.snapping import snapped


def palette() -> NDArray[np.uint8]:
    """A color for each label, RGB bytes, neighbors far apart."""
    hues = (np.arange(len(Label)) * 67) % 180
    colors = np.stack(
        [hues, np.where(np.arange(len(Label)) % 3, 255, 140), np.where(np.arange(len(Label)) % 2, 255, 170)], 1
    )
    return np.asarray(cv2.cvtColor(colors[None].astype(np.uint8), cv2.COLOR_HSV2RGB)[0], np.uint8)


def overlay(picture: Picture, labels: Labels) -> Picture:
    """The picture under the colors of its labels, with their names; what is ignored is black."""
    colors = np.zeros((256, 3), np.uint8)
    colors[: len(Label)] = palette()
    colors[VEGETATION] = (0, 160, 60)
    shown = cv2.addWeighted(picture, 0.6, colors[labels], 0.4, 0)
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
    """Write the ruled photo or the overlay of an outline as PNG, and say how much of it is labeled."""
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
    print(f"{(labels != IGNORED).mean():.0%} labeled: {seen}")


def _write(out: Path, picture: Picture) -> None:
    cv2.imwrite(str(out), cv2.cvtColor(picture, cv2.COLOR_RGB2BGR))


if __name__ == "__main__":
    main()
