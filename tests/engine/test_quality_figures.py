"""Each figure says what it is named for, on pictures drawn so that the answer is known."""

import cv2
import numpy as np
import pytest

from engine.arrays import Plane
from engine.color.profiles import ColorProfile
from engine.effects.table import EFFECTS
from engine.quality import limits
from engine.quality.limits import LIMITS, ReportRules, combine_limits
from engine.quality.metrics import measure_figures
from engine.types.enhancements import Enhancement
from engine.types.figures import FigureCode
from engine.types.report import Figure, Reason, judge
from tests import scenes
from tests.engine.engine_runs import after, enhanced

pytestmark = pytest.mark.usefixtures("seen_roughly")

Picture = scenes.Picture
LIGHT = [(EFFECTS[Enhancement.HDR].rules, None)]
Regions = dict[Enhancement, Plane]
SIZE = (640, 960)


def figures(before: Picture, result: Picture, regions: Regions | None = None) -> dict[str, Figure]:
    worked = LIGHT if regions is None else with_rules(regions)
    return {each.code: each for each in measure_figures(before, result, worked)}


def with_rules(regions: Regions) -> list[tuple[ReportRules, Plane | None]]:
    return [(EFFECTS[step].rules, region) for step, region in regions.items()]


def value(name: str, before: Picture, result: Picture, regions: Regions | None = None) -> float:
    return figures(before, result, regions)[name].value


def brightened(picture: Picture) -> Picture:
    return np.clip(picture * 0.8 + 30, 0, 255).astype(np.uint8)


def gradient(low: float = 60, high: float = 200, grain: float = 0.0) -> Picture:
    """A smooth wall: light on the left, dark on the right, dithered."""
    rows, columns = SIZE
    chance = np.random.Generator(np.random.PCG64(3))
    tones = np.linspace(high, low, columns)[None, :, None] + np.zeros((rows, 1, 3))
    tones += chance.uniform(-0.5, 0.5, tones.shape) + grain * chance.standard_normal(tones.shape)
    return np.clip(np.rint(tones), 0, 255).astype(np.uint8)


def blocks(dark: int = 60, light: int = 180) -> Picture:
    """A light wall with dark rectangles at irregular places."""
    picture = np.full((*SIZE, 3), light, np.uint8)
    chance = np.random.Generator(np.random.PCG64(9))
    for row in range(60, SIZE[0] - 90, 120):
        for column in range(60, SIZE[1] - 90, 120):
            down, across = chance.integers(0, 20, 2)
            picture[row + down : row + 50 + down, column + across : column + 60 + across] = dark
    return picture


def test_the_report_names_every_figure_of_the_table_in_its_order() -> None:
    report = enhanced(scenes.encoded(scenes.house()), Enhancement.SKY).report
    assert [figure.code for figure in report.figures] == [*LIMITS, *EFFECTS[Enhancement.SKY].scene_limits]


def test_a_picture_of_another_size_has_that_one_figure() -> None:
    drawn = scenes.room()
    assert [figure.code for figure in measure_figures(drawn, drawn[:-1], LIGHT)] == [FigureCode.SIZE_KEPT]


@pytest.mark.parametrize("drawn", [scenes.house(), scenes.room(cast=(1, 1, 1))])
def test_other_light_alone_passes(drawn: Picture) -> None:
    report = judge((), measure_figures(drawn, brightened(drawn), LIGHT))
    assert report.passed, report.figures


def test_a_room_left_as_yellow_as_it_was_is_rejected() -> None:
    yellow = scenes.room()
    assert judge((), measure_figures(yellow, brightened(yellow), LIGHT)).reason is Reason.COLOR_CAST


def test_an_edge_turned_from_dark_to_light_is_still_in_its_place() -> None:
    lit = blocks(dark=220, light=60)
    assert value(FigureCode.EDGE_DISPLACEMENT, blocks(), lit) > 0.95
    assert value(FigureCode.SHAPE_LOSS, blocks(), lit) == 0


def test_slanting_edges_count_by_the_way_they_slant() -> None:
    rows, columns = np.mgrid[: SIZE[0], : SIZE[1]]
    falling = np.repeat(((rows + columns) // 12 % 2 * 120 + 60).astype(np.uint8)[..., None], 3, 2)
    assert value(FigureCode.EDGE_DISPLACEMENT, falling, brightened(falling)) > 0.95
    assert value(FigureCode.EDGE_DISPLACEMENT, falling, np.ascontiguousarray(falling[:, ::-1])) < 0


@pytest.mark.parametrize(("pixels", "least", "most"), [(1, 0.5, 0.9), (2, 0.0, 0.6), (4, -0.5, 0.3)])
def test_edges_moved_by_few_pixels_are_out_of_place(pixels: int, least: float, most: float) -> None:
    drawn = cv2.GaussianBlur(scenes.house(960, 640), (0, 0), 1)
    assert least < value(FigureCode.EDGE_DISPLACEMENT, drawn, np.roll(drawn, pixels, 1)) < most


def test_a_shift_of_one_pixel_shows_at_full_size_where_a_small_picture_hides_it() -> None:
    drawn = cv2.resize(blocks(), None, fx=5, fy=5, interpolation=cv2.INTER_NEAREST)
    found = figures(drawn, np.roll(drawn, 1, 1))
    assert found[FigureCode.EDGE_DISPLACEMENT].passed
    assert not found[FigureCode.FINE_DETAIL_DISPLACEMENT].passed


def test_only_the_melted_share_of_the_parts_loses_its_shape() -> None:
    drawn = blocks()
    melted = drawn.copy()
    melted[:, :480] = cv2.GaussianBlur(drawn, (0, 0), 14)[:, :480]
    assert value(FigureCode.SHAPE_LOSS, drawn, melted) == pytest.approx(0.5, abs=0.15)


def test_what_melts_in_one_place_weighs_more_than_what_is_lost_here_and_there() -> None:
    drawn = blocks()
    soft = cv2.GaussianBlur(drawn, (0, 0), 14)
    together, scattered = drawn.copy(), drawn.copy()
    together[:120, :240] = soft[:120, :240]
    for column in range(60, SIZE[1] - 90, 120):
        scattered[180:300, column : column + 36] = soft[180:300, column : column + 36]
    found = [
        [value(name, drawn, each) for each in (together, scattered)]
        for name in (FigureCode.WORST_SHAPE_LOSS, FigureCode.SHAPE_LOSS)
    ]
    assert found[0][0] > 1.5 * found[0][1], found
    assert found[1][0] < 1.5 * found[1][1], found


def test_parallel_lines_that_are_bent_are_seen() -> None:
    rows, columns = np.mgrid[: SIZE[0], : SIZE[1]].astype(np.float32)
    bent = columns + np.where(columns < 300, 3 * np.sin(rows / 10), 0)
    straight, waves = (
        np.repeat(np.uint8(120 + 80 * np.sin(each / 2))[..., None], 3, 2) for each in (columns, bent)
    )
    assert value(FigureCode.WORST_SHAPE_CHANGE, straight, waves) > LIMITS[FigureCode.WORST_SHAPE_CHANGE].maximum
    assert value(FigureCode.WORST_SHAPE_CHANGE, straight, brightened(straight)) < 0.05


def test_what_melts_inside_the_region_of_a_step_is_its_own_business() -> None:
    drawn = scenes.house()
    moved = drawn.copy()
    moved[: 320 // 2] = np.roll(drawn, 6, 1)[: 320 // 2]
    above: Plane = np.zeros(drawn.shape[:2], np.float32)
    above[: 320 // 2 + 8] = 1
    assert value(FigureCode.SHAPE_LOSS, drawn, moved, {Enhancement.SKY: above}) == 0
    assert value(FigureCode.SHAPE_LOSS, drawn, moved, {Enhancement.GRASS: above[::-1]}) > 0.1


def test_a_house_moved_under_its_new_sky_is_rejected() -> None:
    drawn = scenes.house()
    moved = np.roll(after(drawn, Enhancement.SKY), 6, 1)
    region: Plane = np.zeros(drawn.shape[:2], np.float32)
    region[: int(320 * 0.3)] = 1
    assert (
        judge((), measure_figures(drawn, moved, with_rules({Enhancement.SKY: region}))).reason
        is Reason.STRUCTURE_CHANGED
    )


def test_another_picture_altogether_is_rejected() -> None:
    assert judge((), measure_figures(scenes.house(), scenes.room(), LIGHT)).reason in {
        Reason.STRUCTURE_CHANGED,
        Reason.SOFTENED,
    }


def test_grain_counts_beyond_that_of_the_photo_in_its_new_light() -> None:
    assert value(FigureCode.NOISE_ADDED, gradient(), gradient(grain=4)) == pytest.approx(4 * 0.67, rel=0.25)
    own = gradient(20, 60, grain=2)
    lifted = np.clip(own.astype(float) * 3, 0, 255).astype(np.uint8)
    assert value(FigureCode.NOISE_ADDED, own, lifted) < 0.5


def test_softness_lowers_and_crispness_raises_the_ratio() -> None:
    drawn = scenes.house(960, 640)
    assert value(FigureCode.SHARPNESS_RATIO, drawn, cv2.GaussianBlur(drawn, (0, 0), 1.5)) < 0.7
    assert value(FigureCode.SHARPNESS_RATIO, drawn, brightened(drawn)) == pytest.approx(1, abs=0.05)


@pytest.mark.long
def test_bands_are_found_in_smooth_tones_only() -> None:
    coarse = (gradient() // 16 * 16).astype(np.uint8)
    assert value(FigureCode.BANDING, gradient(), coarse) > 0.4
    assert value(FigureCode.BANDING, gradient(), gradient(90, 250)) == 0
    lifted = np.clip((gradient(20, 60, grain=1.5) - 15.0) * 4, 0, 255).astype(np.uint8)
    assert value(FigureCode.BANDING, gradient(20, 60, grain=1.5), lifted) == 0
    rough = scenes.part(scenes.house(960, 640), (0, 0.8, 1, 1))
    assert value(FigureCode.BANDING, rough, (rough // 16 * 16).astype(np.uint8)) < 0.2


def test_a_seam_of_light_along_edges_is_measured_as_a_share_of_the_range() -> None:
    drawn = blocks()
    light = drawn[..., 0] > 100
    close = cv2.distanceTransform(light.astype(np.uint8), cv2.DIST_L2, 5)
    seamed = drawn.copy()
    seamed[light & (close < 8)] += 12
    assert value(FigureCode.HALO, drawn, seamed) == pytest.approx(12 / 120, rel=0.35)
    shaded = drawn.copy()
    within = cv2.distanceTransform((~light).astype(np.uint8), cv2.DIST_L2, 5)
    shaded[~light & (within < 8)] -= 12
    assert value(FigureCode.HALO, drawn, shaded) > 0.04
    assert value(FigureCode.HALO, drawn, brightened(drawn)) < 0.005


def test_a_falloff_of_light_that_grows_with_its_light_is_no_halo_but_a_seam_on_it_is() -> None:
    light, place = np.zeros((*SIZE, 1)), np.arange(SIZE[1])
    for edge in range(60, SIZE[1], 90):
        # Dark walls, lighter beside each bright window and falling off.
        light += (18 * np.exp(-np.abs(place - edge) / 18))[None, :, None]
    walls = 30 + light
    bright = np.abs((place - 60 + 45) % 90 - 45) < 8
    drawn, lifted = (np.repeat(each, 3, 2) for each in (walls, walls * 2.4))
    drawn[:, bright] = lifted[:, bright] = 230
    before, after = (each.clip(0, 255).astype(np.uint8) for each in (drawn, lifted))
    assert value(FigureCode.HALO, before, after) < 0.03
    seamed = lifted.copy()
    seamed[:, ~bright & (np.abs((place - 60 + 45) % 90 - 45) < 14)] -= 25
    assert value(FigureCode.HALO, before, seamed.clip(0, 255).astype(np.uint8)) > 0.05


def test_light_and_dark_newly_lost_are_counted() -> None:
    lost = gradient()
    lost[:, :96] = 255
    lost[:, -48:] = 0
    assert value(FigureCode.NEWLY_CLIPPED, gradient(), lost) == pytest.approx(0.15, abs=0.01)
    was_white = np.full((*SIZE, 3), 252, np.uint8)
    assert value(FigureCode.NEWLY_CLIPPED, was_white, np.full_like(was_white, 255)) == 0


def tinted(picture: Picture, green_red: float, blue_yellow: float) -> Picture:
    coded = cv2.cvtColor(picture.astype(np.float32) / 255, cv2.COLOR_RGB2Lab)
    coded += np.array((0, green_red, blue_yellow), np.float32)
    return np.clip(cv2.cvtColor(coded, cv2.COLOR_Lab2RGB) * 255, 0, 255).astype(np.uint8)


@pytest.mark.parametrize(
    ("step", "tint", "expected"),
    [
        (Enhancement.HDR, (0, -9), 0),
        (Enhancement.HDR, (0, 0), 5),
        (Enhancement.HDR, (0, 6), 11),
        (Enhancement.HDR, (-6, -5), 6),
        (Enhancement.GRASS, (0, -9), 9),
        (Enhancement.GOLDEN_HOUR, (2, 12), 0),
        (Enhancement.GOLDEN_HOUR, (-8, 0), 8),
        (Enhancement.TWILIGHT, (3, -12), 0),
        (Enhancement.TWILIGHT, (0, 8), 8),
    ],
)
def test_whites_may_go_where_the_step_wishes_and_no_other_way(step, tint, expected: float) -> None:
    yellowish = tinted(gradient(150, 200), 0, 10)
    found = value(
        FigureCode.COLOR_CAST_ADDED, yellowish, tinted(yellowish, *tint), {step: np.zeros(SIZE, np.float32)}
    )
    assert found == pytest.approx(expected, abs=0.7)


def test_colors_outside_and_beside_the_region_are_told_apart() -> None:
    region: Plane = np.zeros(SIZE, np.float32)
    region[:200] = 1
    leaked = gradient()
    leaked[200:214] = tinted(gradient(), 0, 20)[200:214]
    found = figures(gradient(), leaked, {Enhancement.SKY: region})
    assert found[FigureCode.OUTSIDE_DIFFERENCE].value < 0.7
    assert found[FigureCode.BORDER_DIFFERENCE].value > 3
    inside = gradient()
    inside[:198] = tinted(gradient(), 0, 20)[:198]
    found = figures(gradient(), inside, {Enhancement.SKY: region})
    assert found[FigureCode.OUTSIDE_DIFFERENCE_P99].value < 0.1
    assert found[FigureCode.BORDER_DIFFERENCE].value < 0.1


def test_the_step_that_did_least_in_its_own_region_counts() -> None:
    above: Plane = np.zeros(SIZE, np.float32)
    above[:320] = 1
    regions = {Enhancement.SKY: above, Enhancement.GRASS: above[::-1].copy()}
    changed = gradient()
    changed[:320] = brightened(changed)[:320]
    found = figures(gradient(), changed, regions)[FigureCode.CHANGED_SHARE]
    assert found.value == 0
    assert found.fault is Reason.NOT_CHANGED
    assert not found.passed
    assert value(FigureCode.CHANGED_SHARE, gradient(), changed, {Enhancement.SKY: above}) > 0.5


def test_colors_are_compared_as_they_look_in_the_photos_own_space() -> None:
    green = np.full((*SIZE, 3), (120, 140, 60), np.uint8)
    greener = np.full((*SIZE, 3), (120, 160, 60), np.uint8)
    region = with_rules({Enhancement.SKY: np.zeros(SIZE, np.float32)})

    def apart(profile: ColorProfile) -> float:
        return next(
            each.value
            for each in measure_figures(green, greener, region, profile)
            if each.code == FigureCode.OUTSIDE_DIFFERENCE
        )

    assert apart(ColorProfile(scenes.wide_rgb_profile())) > 1.05 * apart(ColorProfile())


def test_what_several_steps_did_is_held_to_the_loosest_of_their_limits() -> None:
    sky, twilight = (EFFECTS[each].rules for each in (Enhancement.SKY, Enhancement.TWILIGHT))
    alone, together = combine_limits([sky]), combine_limits([sky, twilight])
    assert alone[FigureCode.OUTSIDE_DIFFERENCE].maximum == 1
    assert together[FigureCode.OUTSIDE_DIFFERENCE].maximum is None
    assert (
        together[FigureCode.COLOR_CAST_ADDED].maximum
        == combine_limits([twilight])[FigureCode.COLOR_CAST_ADDED].maximum
    )
    assert together[FigureCode.BANDING] == LIMITS[FigureCode.BANDING]
    assert together[FigureCode.EDGE_DISPLACEMENT].minimum == 0.85
    assert alone[FigureCode.EDGE_DISPLACEMENT].minimum == 0.9


@pytest.mark.parametrize("shape", [(1, 1), (1, 900), (900, 1), (7, 5), (90, 90)])
@pytest.mark.parametrize("tone", [0, 128, 255])
def test_tiny_and_plain_pictures_are_measured_without_a_fault_of_their_own(shape, tone: int) -> None:
    plain = np.full((*shape, 3), tone, np.uint8)
    faults = {each.fault for each in measure_figures(plain, plain, LIGHT) if not each.passed}
    assert faults <= {Reason.BLANK, Reason.NOT_CHANGED}


def test_a_flawless_result_is_near_no_limit() -> None:
    drawn = blocks()
    found = {each.code: each for each in measure_figures(drawn, brightened(drawn), LIGHT)}
    assert found.keys() >= LIMITS.keys()
    for name in LIMITS:
        assert found[name].margin == limits.MARGINS.get(name, limits.MARGIN), name
        assert not found[name].near, name


def test_every_margin_of_its_own_is_that_of_a_figure() -> None:
    assert limits.MARGINS.keys() <= {*LIMITS, *limits.ROOM_LIMITS}
