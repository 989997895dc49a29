"""What a photo costs by enhancement: processor seconds, photos a core-hour, dollars for a thousand photos.

Usage: python -m bench.costs [--photos N] [--core-hour DOLLARS] [--spot-core-hour DOLLARS]

Hand-out photos enlarged to 12 megapixels, from file to file: decoding, the effect, the quality report, encoding,
and the small pictures of photo and result. Processor time of all threads, so that other work on the machine tells
little. A photo that the effect declines costs, too, and earns nothing: both are counted.
"""

import argparse
import io
import statistics
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np

from bench.quality.places import PHOTOS, pictures
from bench.tables import say_where, show
from engine.io.photo import decode, encode
from engine.pipeline import PictureEngine
from engine.preview import PicturePreviews
from engine.types.context import EngineContext
from engine.types.edit_request import EditRequest, RenovationChange, Staging
from engine.types.enhancements import ENHANCEMENTS, Enhancement, PhotoType, RoomType, Style
from engine.types.pictures import WantedPreviews

MEGAPIXELS = 12
PRICES = {"a core-hour": 0.036, "a spot core-hour": 0.012}
"""Dollars, as examples: an instance of two cores costs about 0.07 an hour by list price, as spot a third."""
STAGING = Staging(style=Style.SCANDINAVIAN, room_type=RoomType.LIVING_ROOM)
NEW_FLOOR = RenovationChange(change_type="floor", change_description="light oak herringbone")


@dataclass(frozen=True, slots=True)
class Cost:
    """Processor seconds of one photo, and whether there was a picture to sell."""

    seconds: float
    sold: bool


def measure(step: Enhancement, photos: Sequence[bytes]) -> list[Cost]:
    """The cost of the step for each photo, after one that warms up."""
    _work(step, photos[0])
    return [_work(step, content) for content in photos]


def _work(step: Enhancement, content: bytes) -> Cost:
    request = EditRequest(
        enhancements=(step,),
        staging=STAGING if step is Enhancement.STAGING else None,
        changes=(NEW_FLOOR,) if step is Enhancement.RENOVATION else (),
    )
    begun = time.process_time()
    done = PictureEngine().enhance(io.BytesIO(content), request, EngineContext(order_seed="costs"))
    pictures_of = [content] if done.picture is None else [content, done.picture.content]
    for each in pictures_of:
        PicturePreviews().make(io.BytesIO(each), WantedPreviews())
    return Cost(time.process_time() - begun, done.picture is not None)


@cache
def enlarged(group: PhotoType, count: int) -> list[bytes]:
    """As many hand-out photos of the group, as JPEG files of MEGAPIXELS."""
    return [_enlarge(path.read_bytes()) for path in pictures(PHOTOS / group.value)[:count]]


@cache
def empty_room() -> list[bytes]:
    """The one hand-out photo of a room that can be furnished; others are declined early."""
    return [_enlarge((PHOTOS / "pairs" / "empty_before.jpg").read_bytes())]


def _enlarge(content: bytes) -> bytes:
    photo = decode(io.BytesIO(content))
    height, width = photo.pixels.shape[:2]
    scale = (MEGAPIXELS * 1e6 / (width * height)) ** 0.5
    larger = cv2.resize(photo.pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)
    return encode(np.asarray(larger, np.uint8), photo).content


def rows(count: int, core_hour: float, spot: float) -> Iterator[Sequence[object]]:
    """One line for each enhancement, the cheapest group first."""
    for entry in ENHANCEMENTS.values():
        photos = empty_room() if entry.id is Enhancement.STAGING else enlarged(entry.group, count)
        costs = measure(entry.id, photos)
        seconds = [each.seconds for each in costs]
        mean, sold = statistics.fmean(seconds), sum(each.sold for each in costs)
        dollars = [f"{1000 * mean / 3600 * price:.3f}" for price in (core_hour, spot)]
        times = f"{statistics.median(seconds):.2f}", f"{max(seconds):.2f}", f"{3600 / mean:,.0f}"
        yield entry.id, *times, *dollars, f"{sold} of {len(costs)}"


def main() -> None:
    """Print the cost sheet."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--photos", type=int, default=5, help="of each group")
    parser.add_argument("--core-hour", type=float, default=PRICES["a core-hour"])
    parser.add_argument("--spot-core-hour", type=float, default=PRICES["a spot core-hour"])
    given = parser.parse_args()
    say_where()
    head = ("enhancement", "median s", "max s", "photos a core-hour", "$ for 1,000", "spot", "sold")
    show(
        f"{MEGAPIXELS} megapixels; ${given.core_hour} a core-hour, ${given.spot_core_hour} as spot",
        head,
        rows(given.photos, given.core_hour, given.spot_core_hour),
    )


if __name__ == "__main__":
    main()
