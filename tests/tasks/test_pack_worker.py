"""Packs made through RQ itself, in forked work-horses, by the queue of previews, whatever a picture does."""

import io
import json
import os
import signal
import time
import zipfile
from collections.abc import Callable

import pytest
from PIL import Image

from app.container import Container
from app.domain.attempts import PACKS
from app.domain.disclosure.rule_files import all_rules
from app.domain.lifecycle import WorkState
from app.models import MlsPack
from app.services.photos import pack_worker as packs_made
from app.services.photos import packs
from app.services.photos.pack_plans import PackChoice
from app.tasks import previews as task
from app.tasks import watch
from engine.listing_picture import JpegListingPictures
from tests import reading
from tests.conftest import Api, work
from tests.fakes import FakeListingPictureMaker
from tests.scenes import encoded, house, room, wide_rgb_profile
from tests.tasks.conftest import Run
from tests.waiting import PATIENCE_SECONDS


@pytest.fixture
def job_id(api: Api, container: Container) -> str:
    """A done order of photos from anywhere: a JPEG, a PNG in another space, a HEIC and a WebP."""
    outside = [encoded(house(900, 600)), encoded(house(600, 400), "PNG", icc_profile=wide_rgb_profile())]
    inside = [encoded(room(600, 400), "HEIF"), encoded(room(600, 400), "WEBP")]
    steps = {"exteriorEnhancements": ["sky_enhancement"], "interiorEnhancements": ["virtual_staging"]}
    made: str = api.order(interior=inside, exterior=outside, **steps)["jobId"]
    work(container)
    return made


def asked(container: Container, api: Api, job_id: str, mls: str = "smartmls") -> str:
    with container.database.unit_of_work() as session:
        choice = PackChoice(all_rules()[mls], labeled=False, base_url="http://localhost")
        return packs.request(session, api.account_id, job_id, choice, container.clock()).id


def on_the(which: int, container: Container, act: Callable[[], None]) -> None:
    """Let the picture with this number do this to the process that opens it."""

    class Maker(FakeListingPictureMaker):
        seen = 0

        def make(self, picture, wanted):
            Maker.seen += 1
            if Maker.seen == which:
                act()
            return super().make(picture, wanted)

    container.listing_pictures = Maker()


@pytest.mark.long
def test_photos_from_anywhere_become_jpeg_files_in_srgb_by_a_forked_worker(
    api: Api, container: Container, job_id: str, run: Run
) -> None:
    container.listing_pictures = JpegListingPictures()
    pack_id = asked(container, api, job_id, "canopy")
    run()
    with container.storage.open(reading.one(container, MlsPack, pack_id).storage_key) as file:
        archive = zipfile.ZipFile(io.BytesIO(file.read()))
    names = [name for name in archive.namelist() if name.endswith(".jpg")]
    photos = ["exterior-1", "exterior-2", "interior-1", "interior-2"]
    kinds = [(photo, kind) for photo in photos for kind in ("altered", "original")]
    assert names == [f"{number:02}-{photo}-{kind}.jpg" for number, (photo, kind) in enumerate(kinds, 1)]
    media = json.loads(archive.read("media.json"))["value"]
    for name, told in zip(names, media, strict=True):
        picture = Image.open(io.BytesIO(archive.read(name)))
        assert (picture.format, picture.mode, picture.info.get("icc_profile")) == ("JPEG", "RGB", None)
        assert (told["MediaObjectID"], told["ImageWidth"], told["ImageHeight"]) == (name, *picture.size)
        assert (b"DigitalSourceType" in picture.info.get("xmp", b"")) == ("altered" in name)


@pytest.mark.long
def test_a_picture_that_kills_its_process_lets_the_pack_be_given_up(
    api: Api, container: Container, job_id: str, run: Run, clock
) -> None:
    on_the(3, container, lambda: os.kill(os.getpid(), signal.SIGKILL))
    pack_id = asked(container, api, job_id)
    run()
    assert reading.one(container, MlsPack, pack_id).state is WorkState.WORKING
    for _ in range(PACKS.max_attempts):
        clock.pass_(seconds=PACKS.lease.total_seconds() + 1)
        container.sweep.notify_due_packs()
        run()
    settled = reading.one(container, MlsPack, pack_id)
    assert (settled.state, settled.error, settled.storage_key) == (WorkState.DONE, packs.FAILED_MESSAGE, None)


@pytest.mark.long
def test_a_picture_that_takes_too_long_is_named_and_the_time_is_each_pictures_own(
    api: Api, container: Container, job_id: str, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(task, "WORK_SECONDS", 2.0)
    monkeypatch.setattr(watch, "TICK_SECONDS", 0.02)
    on_the(3, container, lambda: time.sleep(PATIENCE_SECONDS))
    pack_id = asked(container, api, job_id)
    began = time.monotonic()
    run()
    assert time.monotonic() - began < PATIENCE_SECONDS / 2
    assert reading.one(container, MlsPack, pack_id).error == f"Photo 3: {packs_made.TOO_SLOW}"
