"""The segmentation network, run by OpenCV: labels for each pixel and facts about the whole photo."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.arrays import Pixels, Plane, plane
from engine.segmentation.labels import FACTS

WEIGHTS = Path(__file__).with_name("weights") / "labels.onnx"
INPUT_PIXELS = 512 * 384
"""Number of pixels of the net's input, about as many as in training."""
SIDE_MULTIPLE = 32
"""Sides of the input, in pixels, are multiples of this: the net's largest stride."""
MAX_MULTIPLE = 40
"""Maximum side of the input, in multiples of SIDE_MULTIPLE."""


@dataclass(frozen=True, slots=True)
class NetworkOutput:
    """The net's output for a picture.

    `labels` are (h, w, len(Label)) shares, 0-1, that sum to 1. `facts` are the probabilities of the values of each
    fact in FACTS.
    """

    labels: Plane
    facts: dict[str, dict[str, float]]

    @property
    def indoors(self) -> float:
        """The probability, 0-1, that the photo was taken in a room: the mean by the facts place and room."""
        return (self.facts["place"]["indoors"] + 1 - self.facts["room"]["outside"]) / 2


def run_network(picture: Pixels) -> NetworkOutput:
    """Run the net on a small picture of any shape and average its outputs for the picture and its mirror image.

    The picture is resized to about INPUT_PIXELS pixels first. The same picture gives the same output.

    Parameters
    ----------
    picture : (h, w, 3) ndarray of uint8
        Gamma-coded sRGB.

    Returns
    -------
    NetworkOutput
        Width and height of its label shares are a quarter of those of the resized picture.
    """
    size = _choose_input_size(*picture.shape[:2])
    fitted = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
    # A new net for every call: OpenCV's nets keep state and must not be shared between threads.
    net = cv2.dnn.readNetFromONNX(_read_weights(WEIGHTS))
    labels, facts = _run(net, fitted)
    mirrored_labels, mirrored_facts = _run(net, np.ascontiguousarray(fitted[:, ::-1]))
    return NetworkOutput(
        plane((labels + mirrored_labels[:, ::-1]) / 2), _convert_facts(plane((facts + mirrored_facts) / 2))
    )


def _run(net: cv2.dnn.Net, picture: Pixels) -> tuple[Plane, Plane]:
    """Compute the shares of the labels, rows x columns x labels, and the logits of the facts."""
    size = (picture.shape[1], picture.shape[0])
    net.setInput(cv2.dnn.blobFromImage(picture, 1 / 127.5, size, (127.5, 127.5, 127.5)))
    logits, facts = net.forward(["labels", "facts"])
    return _softmax(plane(logits)[0]), plane(facts).ravel()


def _choose_input_size(height: int, width: int) -> tuple[int, int]:
    """Width and height of the net's input: about INPUT_PIXELS in the picture's proportions, within the limits."""
    scale = float(np.sqrt(INPUT_PIXELS / (height * width)))
    across, down = (int(np.clip(round(side * scale / SIDE_MULTIPLE), 2, MAX_MULTIPLE)) for side in (width, height))
    return across * SIDE_MULTIPLE, down * SIDE_MULTIPLE


def _softmax(logits: Plane) -> Plane:
    """Convert logits (labels x rows x columns) to shares (rows x columns x labels) that sum to 1."""
    exponentials = np.exp(logits - logits.max(0))
    return plane(np.moveaxis(exponentials / exponentials.sum(0), 0, -1))


def _convert_facts(logits: Plane) -> dict[str, dict[str, float]]:
    probabilities, start = {}, 0
    for fact, values in FACTS.items():
        exponentials = np.exp(logits[start : start + len(values)] - logits[start : start + len(values)].max())
        probabilities[fact] = dict(zip(values, (exponentials / exponentials.sum()).tolist(), strict=True))
        start += len(values)
    return probabilities


@cache
def _read_weights(weights: Path) -> NDArray[np.uint8]:
    return np.frombuffer(weights.read_bytes(), np.uint8)
