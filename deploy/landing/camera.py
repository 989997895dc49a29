"""The camera: light from the path tracer becomes a photo, with lens, sensor and a gentle curve."""

import cv2
import mitsuba as mi
import numpy as np
from shapes import Numbers

# The size a picture is taken in, half as large again as it is shown.
WIDE, TALL = 1800, 1200


def sensor(
    eye: tuple[float, float, float], target: tuple[float, float], field: float, shift: float
) -> dict[str, object]:
    """A level camera, `field` degrees wide, shifted up or down like a lens for architecture."""
    return {
        "type": "perspective",
        "fov": field,
        "fov_axis": "x",
        "principal_point_offset_y": shift,
        "to_world": mi.ScalarTransform4f().look_at(list(eye), [*target, eye[2]], [0, 0, 1]),
        "film": {
            "type": "hdrfilm",
            "width": WIDE,
            "height": TALL,
            "rfilter": {"type": "gaussian"},
            "component_format": "float32",
        },
        "sampler": {"type": "independent"},
    }


def taken(scene: mi.Scene, rounds: int, samples: int) -> Numbers:
    """The light on the sensor, height x width x 3: `rounds` times `samples` paths a pixel, to keep memory small.

    Single paths of great weight, which would stay as white specks, are cut in each round.
    """
    total = np.zeros((TALL, WIDE, 3), np.float32)
    for each in range(rounds):
        light = np.array(mi.render(scene, spp=samples, seed=each))[..., :3]
        around = cv2.medianBlur(light, 3)
        total += np.minimum(light, 3 * around + 0.05)
    return total / rounds


def steadied(light: Numbers, scene: mi.Scene) -> Numbers:
    """The light with the noise of few paths smoothed away along surfaces, never across an edge.

    An edge-avoiding wavelet filter (Dammertz et al. 2010) on the light that arrives, colors of surfaces put aside.
    """
    seen = mi.load_dict({"type": "aov", "aovs": "color:albedo,way:sh_normal,away:depth"})
    found = np.array(mi.render(scene, integrator=seen, spp=32, seed=99))
    colors, ways, away = np.clip(found[..., :3], 0.03, 1), found[..., 3:6], np.log(found[..., 6] + 0.1)
    arriving = light / colors
    for pass_ in range(5):
        step, tolerance = 2**pass_, 0.9 / 2**pass_ + 0.08
        gray = np.log(cv2.GaussianBlur(arriving.mean(-1), (0, 0), 1.2) + 0.02)
        total, weights = np.zeros_like(arriving), np.zeros(gray.shape, np.float32)
        for down in range(-2, 3):
            for across in range(-2, 3):
                shift = (down * step, across * step)
                apart = ((ways - _moved(ways, shift)) ** 2).sum(-1) / 0.02
                apart += ((away - _moved(away, shift)) / (0.02 * step)) ** 2
                apart += ((gray - _moved(gray, shift)) / tolerance) ** 2
                weight = np.exp(-apart) * _TAPS[abs(down)] * _TAPS[abs(across)]
                total += _moved(arriving, shift) * weight[..., None]
                weights += weight
        arriving = total / weights[..., None]
    return np.asarray(arriving * colors, np.float32)


_TAPS = (0.375, 0.25, 0.0625)


def _moved(field: Numbers, shift: tuple[int, int]) -> Numbers:
    return np.roll(field, shift, (0, 1))


def developed(light: Numbers, exposure: float, size: tuple[int, int]) -> Numbers:
    """The photo, 0-255: flare round bright things, corners a little darker, a film-like curve, fine grain."""
    light = cv2.resize(light, size, interpolation=cv2.INTER_AREA) * exposure
    glow = cv2.GaussianBlur(np.minimum(light, 4), (0, 0), size[0] / 90)
    light = 0.965 * light + 0.035 * glow
    height, width = light.shape[:2]
    y, x = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j]
    light *= (1 - 0.07 * (x * x + y * y))[..., None]
    bent = _curve(np.maximum(light, 0))
    soft = cv2.GaussianBlur(bent, (0, 0), 0.9)
    sharp = np.clip(bent + 0.35 * (bent - soft), 0, 1)
    grain = np.random.default_rng(5).standard_normal(sharp.shape[:2])[..., None]
    return np.clip(255 * sharp + grain * 0.8 + 0.5, 0, 255).astype(np.uint8)


def _curve(light: Numbers) -> Numbers:
    """Linear light to encoded values: a straight middle, a long shoulder."""
    shoulder = np.where(light < 0.6, light, 0.6 + 0.4 * np.tanh((light - 0.6) / 0.55))
    encoded = np.where(shoulder <= 0.0031308, 12.92 * shoulder, 1.055 * shoulder ** (1 / 2.4) - 0.055)
    # A little more contrast in the middle, as cameras give.
    return np.asarray(encoded + 0.10 * (encoded - 0.5) * 4 * encoded * (1 - encoded) * 0.5, np.float32)
