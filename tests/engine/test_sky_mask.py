"""The sky's edge: what the net says roughly, the colors near by say to the pixel."""

import cv2
import numpy as np
import pytest

from engine.arrays import Plane, plane
from engine.filters.smoothing import gaussian_blur
from engine.segmentation.hinted_surfaces import apply_sky_outline
from engine.segmentation.labels import Kind
from engine.segmentation.sky_mask import segment_sky

HEIGHT, WIDTH = 200, 300
BLUE, WHITE, DARK, CREAM = (0.45, 0.62, 0.86), (0.97, 0.97, 0.98), (0.16, 0.14, 0.12), (0.93, 0.92, 0.89)


def filled(color: tuple[float, float, float]) -> Plane:
    return np.broadcast_to(np.array(color, np.float32), (HEIGHT, WIDTH, 3)).copy()


def grained(picture: Plane) -> Plane:
    noise = np.random.Generator(np.random.PCG64(5)).standard_normal(picture.shape, dtype=np.float32)
    return plane(np.clip(picture + noise * 0.006, 0, 1))


def seen_roughly(sky: Plane, other: Kind, softness: float = 7.0) -> Plane:
    """Shares as a coarse net would give them: the true sky, blurred; all else is `other`."""
    shares = np.zeros((HEIGHT, WIDTH, len(Kind)), np.float32)
    shares[..., Kind.SKY] = np.clip(gaussian_blur(sky, softness), 0.001, 0.998)
    shares[..., other] = 1 - shares[..., Kind.SKY]
    return shares


def roof() -> Plane:
    """1 where the sky is: above a steep roof."""
    sky = np.ones((HEIGHT, WIDTH), np.float32)
    cv2.fillPoly(sky, [np.array([(30, 200), (30, 120), (150, 40), (270, 120), (270, 200)])], 0.0)
    return sky


def overlap(found: Plane, sky: Plane) -> float:
    both, any_ = (found > 0.5) & (sky > 0.5), (found > 0.5) | (sky > 0.5)
    return float(both.sum() / any_.sum())


def test_the_sky_ends_at_the_roof_although_the_net_saw_it_blurred() -> None:
    sky = roof()
    picture = grained(plane(np.where(sky[..., None] > 0.5, filled(BLUE), filled(DARK))))
    rough = np.roll(seen_roughly(sky, Kind.BUILDING), 3, axis=1)
    found = segment_sky(picture, rough)
    assert overlap(rough[..., Kind.SKY], sky) < 0.985
    assert overlap(found, sky) > 0.995
    # No gray seam along the roof: all but the outermost pixels are decided.
    assert ((found > 0.05) & (found < 0.95)).mean() < 0.004


def test_sky_shows_between_the_twigs_and_the_twigs_stay() -> None:
    picture = filled(BLUE)
    twigs = np.zeros((HEIGHT, WIDTH), np.uint8)
    for at in range(100, WIDTH, 7):
        cv2.line(twigs, (at, 0), (at - 60, HEIGHT - 60), 1, 1)
        cv2.line(twigs, (at - 50, 0), (at, HEIGHT - 60), 1, 1)
    twigs[HEIGHT - 60 :] = 1
    picture[twigs > 0] = DARK
    open_sky = plane(twigs == 0)
    shares = seen_roughly(open_sky, Kind.TREES)
    crown = np.s_[20:120, 110:280]
    # The net sees hardly more than the tree.
    shares[crown][..., Kind.SKY] *= 0.3
    shares[crown][..., Kind.TREES] = 1 - shares[crown][..., Kind.SKY]
    found = segment_sky(grained(picture), shares)
    assert found[crown][open_sky[crown] > 0].mean() > 0.85
    assert found[crown][twigs[crown] > 0].mean() < 0.2


def test_a_white_wall_under_a_white_sky_stays_a_wall() -> None:
    sky = roof()
    picture = grained(plane(np.where(sky[..., None] > 0.5, filled(WHITE), filled(CREAM))))
    found = segment_sky(picture, seen_roughly(sky, Kind.BUILDING, softness=3))
    assert overlap(found, sky) > 0.985
    assert found[150:].max(initial=0, where=sky[150:] == 0) < 0.5
    assert found[140:190, 60:240].max() < 0.05


def test_a_wall_as_blue_as_the_sky_does_not_become_sky_where_the_net_is_sure() -> None:
    sky = roof()
    picture = plane(np.where(sky[..., None] > 0.5, filled(BLUE), filled(DARK)))
    picture[150:180, 120:180] = BLUE
    found = segment_sky(grained(picture), seen_roughly(sky, Kind.BUILDING))
    assert found[150:180, 120:180].max() < 0.1


def test_clouds_and_a_darker_zenith_belong_to_the_sky() -> None:
    sky = roof()
    picture = plane(np.where(sky[..., None] > 0.5, filled(BLUE), filled((0.4, 0.2, 0.15))))
    picture[:30] = np.where(sky[:30, :, None] > 0.5, np.array((0.25, 0.4, 0.72), np.float32), picture[:30])
    cv2.ellipse(picture, (60, 50), (35, 12), 0, 0, 360, (0.95, 0.95, 0.96), -1)
    found = segment_sky(grained(picture), seen_roughly(sky, Kind.BUILDING))
    assert overlap(found, sky) > 0.98


def test_a_blue_hole_between_clouds_is_sky() -> None:
    sky = roof()
    picture = np.where(sky[..., None] > 0.5, filled((0.88, 0.93, 0.97)), filled(DARK))
    hole = np.s_[8:26, 225:260]
    picture[hole] = (0.13, 0.42, 0.71)
    shares = seen_roughly(sky, Kind.BUILDING)
    shares[hole][..., Kind.SKY] *= 0.95
    found = segment_sky(grained(plane(picture)), shares)
    assert found[hole].min() > 0.95


def test_white_clouds_above_a_white_house_stay_in_the_sky_where_the_net_is_not_quite_sure() -> None:
    sky = roof()
    picture = plane(np.where(sky[..., None] > 0.5, filled(BLUE), filled(WHITE)))
    for at in range(20, 300, 40):
        cv2.ellipse(picture, (at, 12), (12, 5), 0, 0, 360, WHITE, -1)
    shares = seen_roughly(sky, Kind.BUILDING)
    shares[:24, :, Kind.SKY] = np.minimum(shares[:24, :, Kind.SKY], 0.985)
    shares[:24, 15:25, Kind.SKY] = 0.9
    found = segment_sky(grained(picture), shares)
    assert found[:20].min() > 0.9


def test_a_cloud_behind_a_crown_is_sky_where_the_net_is_torn_between_sky_and_trees_alone() -> None:
    above = plane(np.arange(HEIGHT)[:, None] < 90) * np.ones((1, WIDTH), np.float32)
    picture, cloud, crown = filled(BLUE), np.s_[90:140, 60:150], np.s_[90:140, 150:220]
    picture[140:], picture[90:140, 220:] = (0.82, 0.82, 0.82), (0.9, 0.91, 0.92)
    picture[cloud], picture[crown] = (0.88, 0.91, 0.95), (0.13, 0.2, 0.08)
    shares = seen_roughly(plane(above), Kind.BUILDING)
    shares[cloud], shares[crown], shares[(*crown, Kind.TREES)] = 0, 0, 1
    shares[(*cloud, Kind.SKY)], shares[(*cloud, Kind.TREES)], shares[(*cloud, Kind.BUILDING)] = 0.55, 0.35, 0.1
    found = segment_sky(grained(picture), shares)
    assert found[95:135, 65:145].mean() > 0.9
    assert found[95:135, 155:215].mean() < 0.1
    assert found[95:135, 225:].mean() < 0.1


def test_what_the_net_only_suspects_is_no_sky() -> None:
    shares = seen_roughly(roof(), Kind.WALL)
    shares[..., Kind.SKY] *= 0.55
    shares[..., Kind.WALL] = 1 - shares[..., Kind.SKY]
    assert segment_sky(grained(filled(WHITE)), shares).max() == 0


def test_a_patch_apart_that_the_net_only_suspects_is_left_out() -> None:
    sky = roof()
    shares = seen_roughly(sky, Kind.BUILDING)
    shares[160:185, 130:170, Kind.SKY] = 0.5
    picture = plane(np.where(sky[..., None] > 0.5, filled(BLUE), filled(DARK)))
    picture[160:185, 130:170] = BLUE
    assert segment_sky(grained(picture), shares)[150:, 60:240].max() == 0


@pytest.mark.parametrize(("house", "is_sky"), [(0.5, True), (0.85, False)])
def test_a_patch_as_blue_as_the_sky_beside_a_wall_is_sky_unless_the_net_is_sure_of_a_house(
    house: float, *, is_sky: bool
) -> None:
    sky = roof()
    patch = np.s_[150:180, 36:66]
    shares = seen_roughly(sky, Kind.BUILDING)
    shares[(*patch, Kind.SKY)], shares[(*patch, Kind.BUILDING)] = 0.15, house
    shares[(*patch, Kind.GLASS)] = 0.85 - house
    picture = plane(np.where(sky[..., None] > 0.5, filled(BLUE), filled(CREAM)))
    picture[patch] = (0.42, 0.66, 0.9)
    found = segment_sky(picture, shares)
    assert (found[155:175, 41:61].min() > 0.9) == is_sky


def test_a_blue_hill_that_is_as_light_as_the_zenith_is_no_sky() -> None:
    sky = np.ones((HEIGHT, WIDTH), np.float32)
    sky[120:] = 0
    shares = seen_roughly(sky, Kind.GROUND)
    hill = np.s_[120:150]
    shares[hill, :, Kind.SKY], shares[hill, :, Kind.GROUND], shares[hill, :, Kind.TREES] = 0.15, 0.5, 0.35
    down = np.linspace(0, 1, 120, dtype=np.float32)[:, None, None]
    picture = filled(DARK)
    picture[:120] = (1 - down) * np.array((0.15, 0.3, 0.6)) + down * np.array((0.55, 0.72, 0.92))
    picture[hill] = (0.3, 0.38, 0.56)
    found = segment_sky(grained(picture), shares)
    assert found[:115].min() > 0.9
    assert found[125:].max() < 0.1


def test_sand_that_the_net_suspects_is_measured_by_the_sky_and_not_by_itself() -> None:
    sky = roof()
    sand = np.s_[125:195, 80:220]
    picture = plane(np.where(sky[..., None] > 0.5, filled(BLUE), filled(DARK)))
    picture[sand] = (0.76, 0.66, 0.5)
    shares = seen_roughly(sky, Kind.GROUND)
    # A trace joins it to the sky.
    shares[..., Kind.SKY] = np.maximum(shares[..., Kind.SKY], 0.03)
    shares[sand][..., Kind.SKY] = 0.25
    found = segment_sky(grained(picture), shares)
    assert found[sand].mean() < 0.05
    assert found[:30].min() > 0.95


def test_a_red_wall_in_daylight_is_no_sky_however_sure_the_net_is() -> None:
    picture = filled((0.54, 0.33, 0.36))
    picture[120:] = (0.85, 0.85, 0.86)
    above = plane(np.arange(HEIGHT)[:, None] < 120) * np.ones((1, WIDTH), np.float32)
    assert segment_sky(grained(picture), seen_roughly(above, Kind.GROUND, softness=2)).max() == 0


def test_a_red_sky_over_dark_houses_and_a_pink_one_over_houses_in_red_light_are_skies() -> None:
    above = plane(np.arange(HEIGHT)[:, None] < 120) * np.ones((1, WIDTH), np.float32)
    for sky, ground in (((0.9, 0.5, 0.35), (0.2, 0.17, 0.16)), ((0.72, 0.6, 0.6), (0.95, 0.66, 0.45))):
        picture = np.where(above[..., None] > 0.5, filled(sky), filled(ground))
        found = segment_sky(grained(plane(picture)), seen_roughly(above, Kind.BUILDING, softness=2))
        assert overlap(found, above) > 0.98


def test_a_picture_of_one_pixel_and_one_line_has_an_answer() -> None:
    for shape in ((1, 1), (1, 768), (768, 1), (3, 700)):
        shares = np.full((*shape, len(Kind)), 1 / len(Kind), np.float32)
        shares[..., Kind.SKY] = 0.9
        found = segment_sky(np.full((*shape, 3), 0.8, np.float32), shares)
        assert found.shape == shape
        assert np.isfinite(found).all()
        assert found.min() >= 0
        assert found.max() <= 1


@pytest.mark.parametrize(("beside", "is_sky"), [((0.62, 0.55, 0.52), False), ((0.45, 0.55, 0.7), True)])
def test_a_piece_apart_that_is_darker_is_sky_when_bluer_and_a_wall_when_warmer(
    beside: tuple[float, float, float], is_sky: bool
) -> None:
    pale, apart = np.s_[:60, 200:], np.s_[:120, :40]
    picture, sky = filled((0.5, 0.4, 0.36)), np.zeros((HEIGHT, WIDTH), np.float32)
    for part, color in ((pale, (0.9, 0.93, 0.96)), (apart, beside)):
        picture[part], sky[part] = color, 1
    found = segment_sky(grained(picture), seen_roughly(sky, Kind.BUILDING, softness=2))
    assert found[:40, 220:].min() > 0.9
    assert (found[20:100, 5:25].mean() > 0.9) == is_sky
    assert is_sky or found[:110, :35].max() == 0


UPPER_HALF = (((0.0, 0.0), (1.0, 0.0), (1.0, 0.5), (0.0, 0.5)),)


def test_an_outlined_sky_is_believed_where_the_net_saw_a_house_and_nowhere_else() -> None:
    sky = np.zeros((HEIGHT, WIDTH), np.float32)
    sky[: HEIGHT // 2] = 1
    picture = grained(plane(np.where(sky[..., None] > 0.5, filled(WHITE), filled(CREAM))))
    mistaken = seen_roughly(plane(1 - sky), Kind.BUILDING)
    found = segment_sky(picture, apply_sky_outline(mistaken, UPPER_HALF), is_certain=True)
    assert overlap(found, sky) > 0.97


def test_an_outlined_sky_may_be_as_red_as_bricks() -> None:
    sky = np.zeros((HEIGHT, WIDTH), np.float32)
    sky[: HEIGHT // 2] = 1
    picture = grained(plane(np.where(sky[..., None] > 0.5, filled((0.55, 0.3, 0.22)), filled(CREAM))))
    shares = apply_sky_outline(seen_roughly(sky, Kind.BUILDING), UPPER_HALF)
    assert overlap(segment_sky(picture, shares, is_certain=True), sky) > 0.97
    assert segment_sky(picture, shares).max() == 0


def test_twigs_within_an_outlined_sky_stay_and_so_does_what_is_darker_than_it() -> None:
    picture, tree = filled(BLUE), np.zeros((HEIGHT, WIDTH), np.uint8)
    cv2.circle(tree, (80, 60), 40, 1, -1)
    cv2.line(tree, (220, 0), (220, HEIGHT // 2), 1, 3)
    picture[tree > 0] = DARK
    picture[HEIGHT // 2 :] = CREAM
    shares = np.zeros((HEIGHT, WIDTH, len(Kind)), np.float32)
    cv2.circle(seen := np.zeros((HEIGHT, WIDTH), np.uint8), (80, 60), 40, 1, -1)
    shares[..., Kind.TREES] = gaussian_blur(plane(seen), 3)
    shares[..., Kind.BUILDING] = 1 - shares[..., Kind.TREES]
    found = segment_sky(grained(picture), apply_sky_outline(shares, UPPER_HALF), is_certain=True)
    assert found[40:80, 60:100].max() < 0.1
    assert found[10:80, 220].max() < 0.5
    assert found[20:80, 150:200].min() > 0.9


def test_a_white_cloud_in_a_blue_sky_above_a_pale_house_is_sky_as_the_net_suspects() -> None:
    small = np.full((120, 160, 3), (0.93, 0.95, 0.96), np.float32)
    small[:60] = (0.2, 0.5, 0.9)
    cloud = np.s_[30:60, 60:100]
    small[cloud] = (0.94, 0.97, 0.98)
    shares = np.zeros((120, 160, len(Kind)), np.float32)
    shares[:60, :, Kind.SKY], shares[60:, :, Kind.BUILDING] = 1, 1
    shares[cloud] = 0
    for kind, share in ((Kind.SKY, 0.5), (Kind.TREES, 0.2), (Kind.BUILDING, 0.3)):
        shares[(*cloud, kind)] = share
    found = segment_sky(small, shares)
    assert found[33:57, 63:97].min() > 0.9
    assert found[65:].max() < 0.1
