"""Facts of photos: what the camera noted, and signatures by which exposures of one view are known."""

import io
from datetime import datetime
from functools import cache
from itertools import combinations, pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import ExifTags, Image

from engine.grouping.photo_groups import MIN_LIKENESS, CandidateFrame, propose_groups
from engine.grouping.view_signatures import ViewSignature, measure_likeness
from engine.photo_facts import SIDE, FrameLook, read_look
from engine.preview import PicturePreviews
from engine.segmentation.scene import shrink_to
from engine.types.enhancements import PhotoType
from engine.types.file_facts import DroppedContent, FileFacts
from engine.types.pictures import WantedPreviews
from tests import scenes

BASE = ExifTags.Base
PHOTOS = Path(__file__).resolve().parents[3] / "shared" / "photos"
needs_photos = pytest.mark.skipif(not PHOTOS.is_dir(), reason="the hand-out photos are not here")
ROOMS = sorted((PHOTOS / "interior").glob("*.jpg"))
ALL_WHITE = 0.88
HOUSES = sorted((PHOTOS / "exterior").glob("*.jpg"))


def read(content: bytes) -> FileFacts:
    facts = PicturePreviews().make(io.BytesIO(content), WantedPreviews(facts=True, guess=True)).facts
    assert facts is not None
    return facts


def look(pixels: np.ndarray) -> FrameLook:
    """What a picture looks like, without what a net makes of it."""
    return read_look(shrink_to(pixels, SIDE))


def noted(**tags: object) -> bytes:
    """A drawn room as a camera with these notes took it."""
    exif = Image.Exif()
    inner = exif.get_ifd(ExifTags.IFD.Exif)
    for name, value in tags.items():
        inner[BASE[name]] = value
    buffer = io.BytesIO()
    Image.fromarray(scenes.room(96, 64)).save(buffer, "JPEG", exif=exif)
    return buffer.getvalue()


def exposed(pixels: np.ndarray, stops: float) -> bytes:
    """The picture with so much more light, clipped as a camera clips it."""
    light = (pixels.astype(np.float32) / 255) ** 2.2 * 2.0**stops
    return scenes.encoded(np.clip(255 * np.clip(light, 0, 1) ** (1 / 2.2) + 0.5, 0, 255).astype(np.uint8))


@cache
def pixels_of(path: Path) -> np.ndarray:
    """The photo as small as what is looked at allows."""
    with Image.open(path) as image:
        image.draft("RGB", (2 * SIDE, 2 * SIDE))
        return shrink_to(np.asarray(image.convert("RGB")), 2 * SIDE)


def test_the_camera_s_notes_are_read() -> None:
    taken = {"DateTimeOriginal": "2026:06:01 12:00:03", "SubsecTimeOriginal": "25"}
    facts = read(noted(ExposureTime=0.01, FNumber=10.0, ISOSpeedRatings=100, Flash=16, **taken))
    assert facts.taken_at == datetime.fromisoformat("2026-06-01T12:00:03.250")
    assert facts.exposure_value == pytest.approx(13.29, abs=0.01)
    assert facts.flash_fired is False
    assert (facts.width, facts.height) == (96, 64)
    assert read(noted(Flash=13)).flash_fired is True


@pytest.mark.parametrize(
    "tags",
    [
        {},
        {"DateTimeOriginal": "0000:00:00 00:00:00"},
        {"DateTimeOriginal": "yesterday", "ExposureTime": 0.0, "FNumber": 8.0, "ISOSpeedRatings": 100},
        {"ExposureTime": 0.01, "FNumber": 0.0, "ISOSpeedRatings": 0},
    ],
)
def test_what_the_camera_did_not_note_is_not_known(tags: dict[str, object]) -> None:
    facts = read(noted(**tags))
    assert (facts.taken_at, facts.exposure_value, facts.flash_fired) == (None, None, None)


@pytest.mark.parametrize(
    ("latitude", "longitude", "place"),
    [
        ((48.0, 12.0, 30.0), (2.0, 21.0, 0.0), (-48.208333, 2.35)),
        ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), None),
        ((95.0, 0.0, 0.0), (2.0, 0.0, 0.0), None),
        ((48.0, 12.0, 30.0), None, None),
    ],
)
def test_where_it_was_taken_is_read_and_a_place_that_is_none_is_not(latitude, longitude, place) -> None:
    exif = Image.Exif()
    gps = exif.get_ifd(ExifTags.IFD.GPSInfo)
    gps[ExifTags.GPS.GPSLatitudeRef], gps[ExifTags.GPS.GPSLatitude] = "S", latitude
    if longitude is not None:
        gps[ExifTags.GPS.GPSLongitudeRef], gps[ExifTags.GPS.GPSLongitude] = "E", longitude
    found = read(scenes.encoded(scenes.room(64, 48), exif=exif.tobytes())).place
    assert found == (place and pytest.approx(place, abs=1e-5))


def test_what_a_file_has_and_a_picture_made_of_it_will_not_is_known() -> None:
    room = scenes.room(64, 48)
    two = io.BytesIO()
    Image.fromarray(room).save(two, "MPO", save_all=True, append_images=[Image.fromarray(room)])
    gain_map = io.BytesIO()
    image = Image.fromarray(room)
    image.save(
        gain_map, "MPO", save_all=True, append_images=[image.resize((32, 24))], xmp=b"<rdf hdrgm:Version='1.0'/>"
    )
    for content, known in [
        (scenes.encoded(room), ()),
        (scenes.sixteen_bit_tiff(room), (DroppedContent.DEPTH,)),
        (scenes.encoded(np.full((48, 64), 40_000, np.uint16), "PNG"), (DroppedContent.DEPTH,)),
        (two.getvalue(), (DroppedContent.OTHER_PICTURES,)),
        (gain_map.getvalue(), (DroppedContent.GAIN_MAP,)),
    ]:
        assert read(content).not_kept == known


def test_a_plain_tone_and_noise_are_taken_for_nothing() -> None:
    gray = scenes.encoded(np.full((64, 96, 3), 128, np.uint8))
    noise = np.random.Generator(np.random.PCG64(1)).integers(0, 256, (64, 96, 3), np.uint8)
    assert read(gray).guessed_type is None
    assert read(scenes.encoded(noise)).guessed_type is None


@needs_photos
def test_a_room_and_a_house_are_told_apart() -> None:
    assert read(ROOMS[0].read_bytes()).guessed_type is PhotoType.INTERIOR
    assert read(HOUSES[0].read_bytes()).guessed_type is PhotoType.EXTERIOR


@pytest.mark.long
@needs_photos
def test_rooms_and_houses_are_told_apart_or_left_open() -> None:
    for paths, wanted in ((ROOMS, PhotoType.INTERIOR), (HOUSES, PhotoType.EXTERIOR)):
        found = [read(path.read_bytes()).guessed_type for path in paths]
        wrong = [path.name for path, kind in zip(paths, found, strict=True) if kind not in (wanted, None)]
        assert wrong == []
        assert found.count(wanted) > 0.7 * len(found)


@needs_photos
@pytest.mark.parametrize(
    "path",
    [
        *(*ROOMS[:3], *HOUSES[:3]),
        *(pytest.param(each, marks=pytest.mark.long) for each in (*ROOMS[3:], *HOUSES[3:])),
    ],
    ids=lambda path: path.stem,
)
def test_exposures_of_one_photo_are_alike(path: Path) -> None:
    frames = [look(scenes.decoded(exposed(pixels_of(path), stops))) for stops in (-4, -2, 0, 2)]
    # White walls in twice the light they need show nothing any more.
    told = [each for each in frames if each.brightness < ALL_WHITE]
    found = [measure_likeness(signature(one), signature(other)) or 0 for one, other in pairwise(told)]
    assert len(told) > 2
    assert min(found) > MIN_LIKENESS


@needs_photos
def test_no_two_views_are_taken_for_one() -> None:
    seen = [signature(look(pixels_of(path))) for path in (*ROOMS, *HOUSES)]
    likenesses = [measure_likeness(one, other) or 0 for one, other in combinations(seen, 2)]
    assert max(likenesses) < MIN_LIKENESS


@needs_photos
@pytest.mark.parametrize(
    ("folder", "count"), [pytest.param("bracket_window", 6, marks=pytest.mark.long), ("bracket_mertens", 4)]
)
def test_real_brackets_are_one_group(folder: str, count: int) -> None:
    paths = sorted((PHOTOS / folder).glob("*.jpg"))
    frames = [CandidateFrame(path.name, path.name, read(path.read_bytes())) for path in paths]
    assert [len(group) for group in propose_groups(frames).groups] == [count]


@pytest.mark.long
@needs_photos
def test_real_flash_and_ambient_frames_are_a_group_for_each_view() -> None:
    paths = sorted((PHOTOS / "flambient").glob("*.jpg"))
    frames = [CandidateFrame(path.name, path.name, read(path.read_bytes())) for path in paths]
    groups = propose_groups(frames).groups
    assert sorted(tuple(sorted(name[:3] for name in group)) for group in groups) == [("k04",) * 3, ("k17",) * 3]


def signature(facts: FileFacts | FrameLook) -> ViewSignature:
    return ViewSignature.read(facts.view_signature)


def test_the_same_photo_smaller_has_the_same_hash_and_signature() -> None:
    large = scenes.room(960, 640)
    small = cv2.resize(large, (480, 320), interpolation=cv2.INTER_AREA)
    one, other = read(scenes.encoded(large)), read(scenes.encoded(small))
    assert (int(one.perceptual_hash, 16) ^ int(other.perceptual_hash, 16)).bit_count() <= 3
    assert (measure_likeness(signature(one), signature(other)) or 0) > 0.93
