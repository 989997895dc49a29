"""Looks up how a lens distorts, in the database of Lensfun."""

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np

from engine.geometry.distortion import RADII, Distortion
from engine.io.exif import UsedLens

SAMPLES = 600
"""Pixels from the middle to the end of the row in which a profile is measured."""
MAX_BEYOND = 1.02
"""Factor by which a focal length may lie outside the range for which the lens was measured."""


def find_profile(used: UsedLens, width: int, height: int) -> Distortion | None:
    """Find the distortion of a lens.

    Parameters
    ----------
    used : UsedLens
        What the photo's file says.
    width, height : int
        Size of the picture; only their ratio counts.

    Returns
    -------
    Distortion or None
        None without the package lensfunpy, if the camera or the lens is unknown or not named clearly, if the lens
        is a fisheye, or if it was not measured at this focal length.
    """
    if find_spec("lensfunpy") is None:
        return None
    lensfun, database = _load()
    cameras = database.find_cameras(used.camera_maker, used.camera)
    if len({camera.crop_factor for camera in cameras}) != 1:
        return None
    camera = cameras[0]
    lenses = database.find_lenses(camera, None, used.lens or None)
    lenses = [lens for lens in lenses if lens.score == lenses[0].score]
    lenses = [lens for lens in lenses if _shorten(lens.model).endswith(_shorten(used.lens))] or lenses
    # Without a name, a lens is certain only if it is built in: then no other lens fits the camera.
    if len({lens.model for lens in lenses}) != 1:
        return None
    lens = lenses[0]
    measured = [each.focal for each in lens.calib_distortion]
    if lens.type != lensfun.LensType.RECTILINEAR or not measured:
        return None
    if not min(measured) / MAX_BEYOND <= used.focal_length <= max(measured) * MAX_BEYOND:
        return None
    return _tabulate(lensfun, lens, camera.crop_factor, used, max(width, height) / min(width, height))


def _shorten(name: str) -> str:
    return "".join(name.lower().split())


def _tabulate(lensfun: Any, lens: Any, crop: float, used: UsedLens, ratio: float) -> Distortion | None:
    """The distortion along a row from the middle of a picture, which is the same in all directions."""
    unit = SAMPLES / RADII[-1]
    height = 2 * unit / np.hypot(ratio, 1)
    # Lensfun measures sizes from the center of the first pixel to the center of the last pixel.
    width, height = round(height * ratio) + 1, round(height) + 1
    modifier = lensfun.Modifier(lens, crop, width, height)
    modifier.initialize(
        used.focal_length, used.aperture, used.distance, scale=1.0, flags=lensfun.ModifyFlags.DISTORTION
    )
    middle = (width - 1) / 2
    row = modifier.apply_geometry_distortion(middle, (height - 1) / 2, SAMPLES + 1, 1)
    if row is None:
        return None
    seen = (np.asarray(row, np.float64)[0, :, 0] - middle) / (np.hypot(width - 1, height - 1) / 2)
    seen = np.interp(RADII, np.arange(SAMPLES + 1) / SAMPLES * RADII[-1], seen)
    seen = seen / (seen[1] / RADII[1])
    return Distortion(seen) if (np.diff(seen) > 0).all() else None


@cache
def _load() -> tuple[Any, Any]:
    """The package and its own database, not the system's database, so that results are the same everywhere."""
    package = import_module("lensfunpy")
    return package, package.Database(load_common=False)
