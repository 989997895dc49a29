"""How well frames of several exposures are fused: MEF-SSIM of the engine's fusion and of `enfuse`, set by set.

Usage: python -m bench.fusion FOLDER… (each folder holds the frames of one photo)
"""

import io
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from engine.arrays import Pixels
from engine.fusion.brackets import fuse_brackets
from engine.fusion.shots import open_shots
from engine.io.photo import DecodedPhoto, decode

Values = NDArray[np.float64]
Window = Callable[[Values], Values]
WINDOW = 11
SIGMA = 1.5
STABLE = (0.03 * 255) ** 2
SCALE_WEIGHTS = (0.0448, 0.2856, 0.3001)
MOST_POWER = 10.0
LEAST_SIDE = WINDOW * 2 ** (len(SCALE_WEIGHTS) - 1)
TINY = float(np.finfo(np.float64).eps)


def mef_ssim(frames: Sequence[Pixels], fused: Pixels) -> float:
    """How much of the frames' structure the fused picture keeps: 1 is all of it. Sides of 44 pixels or more.

    After Ma, Zeng and Wang, "Perceptual Quality Assessment for Multi-Exposure Image Fusion" (2015), with their
    window, constants and three scales. The paper goes patch by patch; all patches are done at once here, as sums
    over a window of products of frames say the same. Raises ValueError for sizes that differ or are too small.
    """
    if min(fused.shape[:2]) < LEAST_SIDE or any(frame.shape != fused.shape for frame in frames):
        raise ValueError(f"Frames and result must be of one size, at least {LEAST_SIDE} pixels on each side.")
    grays, result = [_gray(frame) for frame in frames], _gray(fused)
    quality = 1.0
    for place, weight in enumerate(SCALE_WEIGHTS):
        if place:
            grays, result = [_halved(gray) for gray in grays], _halved(result)
        quality *= max(_kept(grays, result), 0.0) ** (weight / sum(SCALE_WEIGHTS))
    return quality


def _kept(grays: Sequence[Values], result: Values) -> float:
    """The mean over all windows of how like the wanted structure (see `_wanted`) the result's is."""
    share = _wanted(grays)
    own = _products(result, result, _bell)
    shared = sum(each * _products(gray, result, _bell) for each, gray in zip(share, grays, strict=True))
    wanted = _energy(grays, share, _bell)
    return float(((2 * shared + STABLE) / (wanted + own + STABLE)).mean())


def _wanted(grays: Sequence[Values]) -> list[Values]:
    """The factor of each frame's structure in the wanted one, which is as strong as the strongest frame's.

    Where the frames agree in structure (their sum is as strong as their strengths' sum), the strongest counts
    alone; where they do not, all count alike.
    """
    strength = [WINDOW * np.sqrt(np.maximum(_products(gray, gray, _box), 0)) + 0.001 for gray in grays]
    total = np.sum(grays, axis=0)
    together = WINDOW * np.sqrt(np.maximum(_products(total, total, _box), 0))
    agreement = np.clip((together + TINY) / (sum(each - 0.001 for each in strength) + TINY), TINY, 1 - TINY)
    power = np.minimum(np.tan(np.pi / 2 * agreement), MOST_POWER)
    weights = [(each / WINDOW) ** power + TINY for each in strength]
    share = [weight / sum(weights) / each for weight, each in zip(weights, strength, strict=True)]
    size = WINDOW * np.sqrt(np.maximum(_energy(grays, share, _box), 0))
    scale = np.where(size > 0, np.max(strength, axis=0) / np.maximum(size, TINY), 1)
    return [each * scale for each in share]


def _energy(grays: Sequence[Values], share: Sequence[Values], over: Window) -> Values:
    """The variance in each window of the frames' weighted sum, the weights being those of the window's center."""
    total = np.zeros_like(share[0])
    for one, gray in enumerate(grays):
        for other in range(one, len(grays)):
            twice = 1 if one == other else 2
            total += twice * share[one] * share[other] * _products(gray, grays[other], over)
    return total


def _products(one: Values, other: Values, over: Window) -> Values:
    """The covariance of two pictures in each window that lies wholly within them."""
    return np.asarray(over(one * other) - over(one) * over(other))


def _box(values: Values) -> Values:
    return _inner(cv2.blur(values, (WINDOW, WINDOW)))


def _bell(values: Values) -> Values:
    return _inner(cv2.GaussianBlur(values, (WINDOW, WINDOW), SIGMA))


def _inner(values: object) -> Values:
    edge = WINDOW // 2
    return np.asarray(values, np.float64)[edge:-edge, edge:-edge]


def _gray(pixels: Pixels) -> Values:
    return np.asarray(cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY), np.float64)


def _halved(gray: Values) -> Values:
    mean = cv2.filter2D(gray, -1, np.full((2, 2), 0.25), anchor=(0, 0), borderType=cv2.BORDER_REFLECT)
    return np.asarray(mean, np.float64)[::2, ::2]


@dataclass(frozen=True, slots=True)
class Comparison:
    """One set of frames fused by the engine and by enfuse: MEF-SSIM (0-1) and seconds of both."""

    name: str
    frames: int
    ours: float
    enfuse: float
    our_seconds: float
    enfuse_seconds: float


def compared(name: str, files: Sequence[Path]) -> Comparison:
    """Fuse the frames both ways and measure both against the frames as they are.

    Raises FileNotFoundError without enfuse on this machine. Both times include reading the files.
    """
    start = time.perf_counter()
    ours = fuse_brackets(open_shots([partial(_read, path) for path in files])).pixels
    between = time.perf_counter()
    theirs = enfused(files)
    ended = time.perf_counter()
    pictures = [_read(path).pixels for path in files]
    qualities = mef_ssim(pictures, ours), mef_ssim(pictures, theirs)
    return Comparison(name, len(files), *qualities, between - start, ended - between)


def enfused(files: Sequence[Path]) -> Pixels:
    """What enfuse, as it is set from the start, makes of these files."""
    program = shutil.which("enfuse")
    if program is None:
        raise FileNotFoundError("enfuse is not installed")
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "fused.tif"
        command = [program, "--output", str(target), *map(str, files)]
        subprocess.run(command, check=True, capture_output=True)
        return np.asarray(Image.open(target).convert("RGB"))


def _read(path: Path) -> DecodedPhoto:
    return decode(io.BytesIO(path.read_bytes()))


def subsets(files: Sequence[Path]) -> list[Sequence[Path]]:
    """The whole set, and each three neighbors of it, as a photographer takes brackets."""
    threes = [files[place : place + 3] for place in range(len(files) - 2)]
    return [files, *threes] if len(files) > 3 else [files]


def main() -> None:
    """Print one line for each set and subset."""
    for folder in map(Path, sys.argv[1:]):
        files = sorted(path for path in folder.iterdir() if path.suffix.lower() in {".jpg", ".png", ".tif"})
        for part in subsets(files):
            done = compared(f"{folder.name} {part[0].stem[-2:]}-{part[-1].stem[-2:]}", part)
            mark = "higher" if done.ours > done.enfuse else "LOWER"
            print(
                f"{done.name:28} {done.frames} frames   engine {done.ours:.4f} {done.our_seconds:5.2f} s   "
                f"enfuse {done.enfuse:.4f} {done.enfuse_seconds:5.2f} s   {mark}"
            )


if __name__ == "__main__":
    main()
