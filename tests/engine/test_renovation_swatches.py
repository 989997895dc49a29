"""Materials seen in reference pictures: floors, walls and tiles as a customer photographed them."""

import io

import cv2
import numpy as np
import pytest

from engine.arrays import plane
from engine.canvas import Canvas, Declined, EffectResult
from engine.color.profiles import ColorProfile
from engine.effects.virtual_renovation import renovate_room
from engine.geometry.surface import PLACE, Surface
from engine.materials.swatch import ASSUMED_WIDTHS, cut_swatch
from engine.segmentation.scene import Scene
from engine.types.context import EngineContext
from engine.types.edit_request import EditRequest, RenovationChange
from engine.types.enhancements import ChangeType, Enhancement
from engine.types.report import Reason
from tests import scenes
from tests.engine.box_rooms import BoxRoom

TILE = 120
ROOM = BoxRoom(things=(), window=None)
AS_SHOWN = "like in the picture"


def tiles() -> scenes.Picture:
    """Printed tiles, four and a bit each way, the light falling off to the right."""
    tile = np.full((TILE, TILE, 3), (224, 218, 204), np.uint8)
    cv2.circle(tile, (TILE // 2, TILE // 2), 40, (60, 84, 110), -1, cv2.LINE_AA)
    cv2.rectangle(tile, (0, 0), (TILE - 1, TILE - 1), (150, 70, 52), 4)
    light = np.linspace(1.08, 0.9, 4 * TILE + 50)[None, :, None]
    return np.clip(np.tile(tile, (5, 5, 1))[20 : 4 * TILE + 60, : 4 * TILE + 50] * light, 0, 255).astype(np.uint8)


def slate() -> scenes.Picture:
    """Clouds in dark stone, without a period."""
    chance = np.random.Generator(np.random.PCG64(3))
    total = np.full((400, 600), 84.0)
    for cells, strong in ((5, 8), (20, 9), (90, 10), (300, 8)):
        grid = chance.standard_normal((cells, cells)).astype(np.float32)
        total += strong * cv2.resize(grid, (600, 400), interpolation=cv2.INTER_CUBIC)
    return np.clip(total[..., None] + (0, 4, 8), 0, 255).astype(np.uint8)


def painted() -> scenes.Picture:
    """A green wall, darker to the right."""
    light = np.linspace(1.12, 0.88, 300)[None, :, None]
    return np.clip(np.full((300, 300, 3), (60, 110, 70)) * light, 0, 255).astype(np.uint8)


def half_stone() -> scenes.Picture:
    """Slate, and on the right nothing but its color."""
    picture = slate()
    picture[:, 300:] = picture.reshape(-1, 3).mean(0)
    return picture


def with_reference(change: RenovationChange, picture: scenes.Picture) -> EffectResult:
    pixels, labels = ROOM.drawn(furnished=False)
    content = scenes.encoded(picture, "PNG")
    context = EngineContext(open_reference=lambda _: io.BytesIO(content), order_seed="order")
    shares = np.eye(len(Surface), dtype=np.float32)[labels]
    canvas = Canvas(
        pixels,
        Scene(pixels, ColorProfile(), "drawn"),
        EditRequest(enhancements=(Enhancement.RENOVATION,)),
        context=context,
    )
    return renovate_room(canvas, ROOM.room, shares, [change])


def seam(albedo: np.ndarray, axis: int) -> float:
    """The step from the last row or column to the first, against the largest of those inside."""
    steps = np.abs(np.diff(albedo, axis=axis)).mean(tuple({0, 1, 2} - {axis}))
    across = np.abs(np.take(albedo, 0, axis) - np.take(albedo, -1, axis)).mean()
    return float(across / steps.max())


@pytest.mark.long
@pytest.mark.parametrize("picture", [tiles(), slate()], ids=["tiles", "slate"])
def test_a_swatch_goes_on_past_its_edges(picture: scenes.Picture) -> None:
    sample = cut_swatch(picture, ChangeType.FLOOR)
    assert sample is not None
    assert max(seam(sample.albedo, 0), seam(sample.albedo, 1)) < 1.1
    assert sample.pitch * max(picture.shape) == pytest.approx(ASSUMED_WIDTHS[ChangeType.FLOOR])


def test_what_repeats_is_cut_to_whole_tiles_without_the_light_on_them() -> None:
    sample = cut_swatch(tiles(), ChangeType.FLOOR)
    assert sample is not None
    rows, columns = sample.albedo.shape[:2]
    assert rows % TILE <= 4 or rows % TILE >= TILE - 4
    left, right = (part.mean() for part in np.array_split(sample.albedo, 2, axis=1))
    assert left == pytest.approx(right, rel=0.06)
    assert columns >= 3 * TILE


def test_stone_keeps_its_contrast_where_it_is_joined() -> None:
    sample = cut_swatch(slate(), ChangeType.FLOOR)
    assert sample is not None
    spreads = [part.std() for part in np.array_split(sample.albedo, 24, axis=1)]
    assert min(spreads) > 0.73 * max(spreads)


@pytest.mark.parametrize(
    "picture",
    [painted(), half_stone(), scenes.house(), ROOM.drawn(furnished=False)[0]],
    ids=["one color in falling light", "stone beside paint of its color", "a house", "a room"],
)
def test_one_color_or_a_whole_scene_is_no_swatch(picture: scenes.Picture) -> None:
    assert cut_swatch(picture, ChangeType.WALLS) is None


def test_a_floor_is_laid_as_the_picture_shows_it() -> None:
    done = with_reference(
        RenovationChange(
            change_type=ChangeType.FLOOR, change_description=AS_SHOWN, reference_images=("uploads/tiles",)
        ),
        tiles(),
    )
    floor = cv2.erode((ROOM.drawn(furnished=False)[1] == PLACE[Surface.FLOOR]).astype(np.uint8), np.ones((5, 5)))
    near = done.pixels[200:][floor[200:] > 0].astype(int)
    blue, pale = (near[:, 2] > near[:, 0] + 12).mean(), (near.min(1) > 120).mean()
    assert blue > 0.15 and pale > 0.15
    assert "1.2 m" in done.changes[0].message


@pytest.mark.long
def test_wallpaper_can_be_had_by_its_picture() -> None:
    change = RenovationChange(
        change_type=ChangeType.WALLS, change_description="floral wallpaper", reference_images=("uploads/paper",)
    )
    done = with_reference(change, tiles())
    assert done.changes[0].applied
    assert plane(done.pixels).std() > plane(ROOM.drawn(furnished=False)[0]).std()
    with pytest.raises(Declined) as caught:
        with_reference(change, scenes.house())
    assert caught.value.reason is Reason.NOT_AVAILABLE


@pytest.mark.long
def test_words_go_before_what_a_picture_shows() -> None:
    done = with_reference(
        RenovationChange(
            change_type=ChangeType.FLOOR, change_description="white oak planks", reference_images=("uploads/tiles",)
        ),
        tiles(),
    )
    assert done.changes[0].message == ""
