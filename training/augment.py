"""Makes many samples of one picture: the same in other light, by a worse camera."""

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
Map = NDArray[np.floating]


def photographed(picture: Picture, chance: np.random.Generator) -> Picture:
    """The picture in other light and by another camera: exposure, color, contrast, haze, blur, noise, JPEG."""
    # Exposure, color and gamma change each byte alike: by a table.
    table = np.repeat(np.arange(256, dtype=np.float32)[:, None] / 255, 3, 1)
    height, width = picture.shape[:2]
    if chance.random() < 0.8:
        table *= 2 ** chance.normal(0.05, 0.45) * np.exp(chance.normal(0, 0.07, 3)).astype(np.float32)
    if chance.random() < 0.5:
        table = table ** np.float32(np.exp(chance.normal(0, 0.22)))
    light = cv2.LUT(picture, table[:, None])
    if chance.random() < 0.5:
        share = 0.0 if chance.random() < 0.12 else chance.uniform(0.3, 1.7)
        light = cv2.transform(light, np.eye(3) * share + np.full((3, 3), (1 - share) / 3))
    if chance.random() < 0.4:
        middle = np.float32(chance.uniform(0.3, 0.7))
        light = middle + (light - middle) * np.float32(chance.uniform(0.6, 1.5))
    if chance.random() < 0.3:
        slope = np.linspace(*np.exp(chance.normal(0, 0.3, 2)), width, dtype=np.float32)[None, :, None]
        light = light * slope
    if chance.random() < 0.3:
        light = _lensed(light, chance)
    if chance.random() < 0.22:
        light = _hazy(light, chance)
    if chance.random() < 0.35:
        light = cv2.GaussianBlur(light, (0, 0), chance.uniform(0.3, 1.6))
    if chance.random() < 0.5:
        grain = chance.standard_normal((height, width, 3), dtype=np.float32) * chance.uniform(0.003, 0.05)
        light = light + (cv2.blur(grain, (2, 2)) * 2 if chance.random() < 0.4 else grain)
    result = (np.clip(light, 0, 1) * 255).astype(np.uint8)
    if chance.random() < 0.35:
        done, content = cv2.imencode(".jpg", result, [cv2.IMWRITE_JPEG_QUALITY, int(chance.integers(25, 95))])
        result = np.asarray(cv2.imdecode(content, cv2.IMREAD_COLOR), np.uint8) if done else result
    return result


def _hazy(light: Map, chance: np.random.Generator) -> Map:
    """Paler, often more so towards the top, where things are farther away."""
    thick = np.linspace(*chance.uniform(0, 0.65, 2), len(light), dtype=np.float32)[:, None, None]
    return light + (np.float32(chance.uniform(0.5, 1.0)) - light) * thick


def _lensed(light: Map, chance: np.random.Generator) -> Map:
    """Darker or lighter towards the corners."""
    height, width = light.shape[:2]
    rows = np.linspace(-1, 1, height, dtype=np.float32)[:, None]
    columns = np.linspace(-1, 1, width, dtype=np.float32)[None]
    return light * (1 - chance.uniform(-0.15, 0.4) * (rows**2 + columns**2)[..., None] / 2)
