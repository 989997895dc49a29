"""What of a photo is sent, and how an edit of it gets back into the photo at full size."""

import io

import cv2
import numpy as np
import pytest
from PIL import Image

from engine.color.profiles import ColorProfile
from engine.generative.edit_comparison import compare_edit
from engine.generative.frame import ServerFrame, frame_photo
from engine.generative.paste import paste_edit
from engine.types.enhancements import Enhancement
from tests import edit_server, scenes
from tests.engine import edits
from tests.engine.generative_runs import Studio
from tests.engine.rooms import ROOMS

STAGING = Enhancement.STAGING
BIG = ROOMS[0].drawn(2400, 1600)


def frame_of(width: int, height: int) -> ServerFrame:
    return frame_photo(np.zeros((height, width, 3), np.uint8), ColorProfile())


@pytest.mark.parametrize(
    ("photo", "shape", "shown"),
    [
        ((6000, 4000), (1536, 1024), (1536, 1024)),
        ((4000, 6000), (1024, 1536), (1024, 1536)),
        ((3000, 3000), (1024, 1024), (1024, 1024)),
        ((4000, 3000), (1536, 1024), (1365, 1024)),
        ((6000, 1000), (1536, 1024), (1536, 256)),
        ((768, 512), (768, 512), (768, 512)),
        ((500, 320), (528, 352), (500, 320)),
    ],
)
def test_a_photo_goes_whole_into_a_shape_that_servers_take(
    photo: tuple[int, int], shape: tuple[int, int], shown: tuple[int, int]
) -> None:
    frame = frame_of(*photo)
    assert (frame.width, frame.height) == shape
    assert frame.sent.shape[1::-1] == shown
    assert frame.width % 16 == frame.height % 16 == 0


def test_the_mask_lets_the_region_change_and_nothing_beside_the_photo() -> None:
    frame = frame_of(1000, 800)
    free = np.ones(frame.sent.shape[:2], np.float32)
    free[:80] = 0
    mask = np.asarray(Image.open(io.BytesIO(frame.encode_mask(free))))
    picture = np.asarray(Image.open(io.BytesIO(frame.encode_image())))
    assert picture.shape == (frame.height, frame.width, 3)
    assert mask.shape == (frame.height, frame.width, 4)
    inside = mask[frame.top : frame.top + 800, frame.left : frame.left + 1000]
    assert (inside[80:, :, 3] == 0).all()
    assert (inside[:80, :, 3] == 255).all()
    assert (mask[..., 3] == 0).sum() == 720 * 1000
    # For servers that look at white instead of at transparency.
    assert (mask[..., 0] == 255 - mask[..., 3]).all()


@pytest.mark.parametrize("scale", [0.5, 1.0, 2.0])
def test_an_answer_of_another_size_but_the_same_shape_is_laid_back_in_place(scale: float) -> None:
    picture = ROOMS[0].drawn(700, 500)
    frame = frame_photo(picture, ColorProfile())
    whole = edit_server.decoded(frame.encode_image())
    answer = cv2.resize(whole, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    assert frame.measure_shape_error(answer) < 0.01
    assert np.abs(frame.crop_answer(answer).astype(int) - picture).mean() < 3


def test_what_an_edit_did_not_change_stays_to_the_byte() -> None:
    frame = frame_photo(BIG, ColorProfile())
    edit = np.array(frame.sent)
    edit[500:700, 600:900] = (40, 90, 40)
    free = np.ones(frame.sent.shape[:2], np.float32)
    result, region = paste_edit(BIG, frame, compare_edit(frame.sent, edit, None), free)
    scale = 2400 / 1536
    near = np.zeros(BIG.shape[:2], np.bool_)
    near[int(470 * scale) : int(730 * scale), int(570 * scale) : int(930 * scale)] = True
    assert (result[~near] == BIG[~near]).all()
    middle = result[int(520 * scale) : int(680 * scale), int(620 * scale) : int(880 * scale)]
    # The photo's grain stays in it.
    assert np.abs(middle.astype(int) - (40, 90, 40)).mean() < 1.5
    assert np.abs(middle.astype(int) - (40, 90, 40)).max() < 10
    assert region.max() > 0.99
    assert region.mean() < 0.1


def test_nothing_is_pasted_where_nothing_may_change() -> None:
    frame = frame_photo(BIG, ColorProfile())
    free = np.ones(frame.sent.shape[:2], np.float32)
    free[:600] = 0
    result, _ = paste_edit(
        BIG, frame, compare_edit(frame.sent, 255 - frame.sent, np.zeros(free.shape, np.bool_)), free
    )
    kept = int(600 / 1024 * 1600) - 2
    assert (result[:kept] == BIG[:kept]).all()
    assert (result[kept + 60 :] != BIG[kept + 60 :]).mean() > 0.9


@pytest.mark.long
def test_a_recolored_surface_keeps_the_detail_that_only_the_photo_has() -> None:
    noise = np.random.Generator(np.random.PCG64(1))
    weave = noise.integers(-40, 40, (1600, 2400, 1))
    photo = np.clip(BIG.astype(int) + weave, 0, 255).astype(np.uint8)
    frame = frame_photo(photo, ColorProfile())
    edit = np.clip(frame.sent * np.array((0.7, 0.9, 0.8)), 0, 255).astype(np.uint8)
    nowhere = np.zeros(frame.sent.shape[:2], np.bool_)
    result, _ = paste_edit(
        photo, frame, compare_edit(frame.sent, edit, nowhere), np.ones(nowhere.shape, np.float32)
    )
    before, after = photo[1000:1500, 800:1600, 1].astype(float), result[1000:1500, 800:1600, 1].astype(float)
    fine = [each - cv2.GaussianBlur(each, (0, 0), 3) for each in (before, after)]
    assert np.corrcoef(fine[0].ravel(), fine[1].ravel())[0, 1] > 0.9
    assert abs(after.mean() / before.mean() - 0.9) < 0.03


@pytest.mark.long
def test_there_is_no_seam_where_the_edit_ends() -> None:
    drawn = ROOMS[0].drawn()
    with edit_server.running(edit_server.edit(edits.furnished)) as server:
        after = Studio(server).after(drawn, STAGING)
    changed = (after != drawn).any(-1)
    rim = changed & ~(cv2.erode(changed.astype(np.uint8), np.ones((3, 3))) > 0)
    apart = np.abs(after.astype(int) - drawn).max(-1)
    assert np.quantile(apart[rim], 0.99) <= 6


@pytest.mark.long
def test_a_photo_in_other_colors_is_sent_in_srgb_and_comes_back_in_its_own() -> None:
    drawn = ROOMS[0].drawn()
    with edit_server.running(edit_server.edit(edits.furnished)) as server:
        done = Studio(server).enhanced(scenes.encoded(drawn, "PNG", icc_profile=scenes.wide_rgb_profile()), STAGING)
        shown = server.seen[0].picture
    assert done.picture is not None
    image = Image.open(io.BytesIO(done.picture.content))
    assert image.info["icc_profile"] == scenes.wide_rgb_profile()
    assert np.abs(shown.astype(int) - drawn).mean() > 1
    after = np.asarray(image)
    # Off the furniture, nothing has passed through another color space.
    assert (after[:60] == drawn[:60]).all()
    rug = (0.42, 0.87, 0.6, 0.92)
    in_srgb = ColorProfile(scenes.wide_rgb_profile()).to_srgb(np.ascontiguousarray(scenes.part(after, rug)))
    as_drawn = scenes.part(edits.with_sofa(drawn), rug)
    assert np.abs(in_srgb.mean((0, 1)) - as_drawn.mean((0, 1))).max() < 14


@pytest.mark.long
def test_a_portrait_photo_works_as_well() -> None:
    drawn = ROOMS[1].drawn(500, 760)
    with edit_server.running(edit_server.edit(edits.furnished)) as server:
        after = Studio(server).after(drawn, STAGING)
        assert server.seen[0].picture.shape[:2] == (768, 512)
    assert after.shape == drawn.shape
