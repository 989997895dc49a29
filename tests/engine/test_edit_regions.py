"""Where the picture server may change a room whose parts and measures are known, and what lies beyond it."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.canvas import Canvas, Declined
from engine.filters.morphology import dilate
from engine.generative import regions
from engine.generative.drift import LIMITS, measure_cut_edge
from engine.generative.regions import Region
from engine.geometry.room import Room
from engine.geometry.surface import PLACE, Surface
from engine.segmentation.labels import Label
from engine.types.edit_request import EditRequest, RenovationChange
from engine.types.enhancements import ChangeType, Enhancement
from engine.types.figures import FigureCode
from engine.types.hints import HintedSurface, Polygon, SceneHints, ThingHint, ThingKind
from tests import edit_server
from tests.engine import box_rooms, edits
from tests.engine.box_rooms import KnownScene
from tests.engine.generative_runs import Studio
from tests.engine.rooms import ROOMS

Labels = NDArray[np.uint8]
SOFA_ROOM = box_rooms.BoxRoom(window=(-1.6, 0.2, 0.9, 2.1))
SEEDS = range(8)


def canvas_of(labels: Labels, room: Room | None, gone: NDArray[np.float32] | None = None) -> Canvas:
    pixels = np.full((*labels.shape, 3), 128, np.uint8)
    return Canvas(pixels, KnownScene(pixels, labels, room), EditRequest(enhancements=()), gone=gone)


def furnished_room() -> Labels:
    return SOFA_ROOM.drawn(furnished=True)[1]


def part(labels: Labels, *surfaces: Surface) -> NDArray[np.bool_]:
    return np.isin(labels, [PLACE[each] for each in surfaces])


def freed(region: Region, labels: Labels) -> NDArray[np.bool_]:
    return region.to_map(labels.shape) > 0.5


def with_clutter(labels: Labels) -> Labels:
    cluttered = labels.copy()
    cluttered[230:250, 90:130] = PLACE[Surface.CLUTTER]
    return cluttered


def test_all_furniture_is_free_to_go_and_ceiling_and_window_are_not() -> None:
    labels = furnished_room()
    free = freed(regions.find_furniture_region(canvas_of(labels, SOFA_ROOM.room)), labels)
    assert free[part(labels, Surface.FURNITURE)].all()
    assert not free[part(labels, Surface.CEILING, Surface.WINDOW)].any()
    assert free[part(labels, Surface.WALL)].mean() < 0.15
    # Shadows lie on the floor around.
    rows, columns = np.nonzero(part(labels, Surface.FURNITURE))
    assert free[rows.max() - 5, columns.max() + 5 : columns.max() + 25].all()


@pytest.mark.parametrize("region", [regions.find_clutter_region, regions.find_furniture_region])
def test_where_nothing_is_seen_that_could_go_the_server_may_look_everywhere_below_the_ceiling(
    region: object,
) -> None:
    labels = SOFA_ROOM.drawn(furnished=False)[1]
    assert callable(region)
    assert region(canvas_of(labels, SOFA_ROOM.room)) == Region(regions.CEILING)


def test_clutter_alone_is_free_where_clutter_is_seen() -> None:
    labels = with_clutter(furnished_room())
    free = freed(regions.find_clutter_region(canvas_of(labels, SOFA_ROOM.room)), labels)
    assert free[part(labels, Surface.CLUTTER)].all()
    assert free.mean() < 0.04
    assert not free[part(labels, Surface.FURNITURE)].any()


def test_clutter_that_the_map_only_suspects_all_over_says_nothing_of_where_it_is() -> None:
    canvas = canvas_of(with_clutter(furnished_room()), SOFA_ROOM.room)
    surfaces = canvas.scene.surfaces * np.float32(0.9)
    surfaces[..., PLACE[Surface.CLUTTER]] += 0.1
    canvas.scene.__dict__["surfaces"] = surfaces
    assert regions.find_clutter_region(canvas).mask is None


def test_a_lamp_on_the_ceiling_is_no_furniture_to_take_away() -> None:
    labels = furnished_room()
    labels[8:24, 200:230] = PLACE[Surface.FURNITURE]
    free = freed(regions.find_furniture_region(canvas_of(labels, SOFA_ROOM.room)), labels)
    assert not free[:30].any()


def test_a_piece_of_a_sofa_taken_for_a_countertop_goes_with_the_sofa() -> None:
    labels = furnished_room()
    rows, columns = np.nonzero(part(labels, Surface.FURNITURE))
    labels[rows.min() : rows.min() + 12, columns.min() + 20 : columns.max() - 20] = PLACE[Surface.COUNTERTOP]
    free = freed(regions.find_furniture_region(canvas_of(labels, SOFA_ROOM.room)), labels)
    assert free[part(labels, Surface.COUNTERTOP)].mean() > 0.98


def test_a_new_floor_frees_the_floor_and_hardly_more() -> None:
    labels = furnished_room()
    free = freed(regions.find_renovation_region(canvas_of(labels, SOFA_ROOM.room), {ChangeType.FLOOR}), labels)
    floor = part(labels, Surface.FLOOR)
    assert free[floor].all()
    assert free[~dilate(floor, round(0.02 * max(labels.shape)))].mean() < 0.001
    assert not free[part(labels, Surface.CEILING, Surface.WINDOW)].any()


def test_new_cabinets_leave_the_appliances_among_them_alone() -> None:
    labels = furnished_room()
    row, oven = np.s_[150:230, 60:260], np.s_[155:225, 120:190]
    labels[row] = PLACE[Surface.CABINET]
    canvas, appliances = canvas_of(labels, SOFA_ROOM.room), np.zeros(labels.shape, np.float32)
    appliances[oven] = 0.9
    vars(canvas.scene)["label_share"] = {Label.APPLIANCE: appliances}.__getitem__
    free = freed(regions.find_renovation_region(canvas, {ChangeType.CABINETS}), labels)
    assert free[155:225, 65:110].all()
    assert not free[170:210, 135:175].any()


def test_a_batch_of_changes_frees_the_surfaces_of_all_and_one_unseen_surface_frees_all() -> None:
    labels, both = furnished_room(), {ChangeType.FLOOR, ChangeType.WALLS}
    canvas = canvas_of(labels, SOFA_ROOM.room)
    free = freed(regions.find_renovation_region(canvas, both), labels)
    assert free[part(labels, Surface.FLOOR, Surface.WALL)].all()
    assert regions.find_renovation_region(canvas, {ChangeType.FLOOR, ChangeType.COUNTERTOPS}) == Region(0.25)
    assert regions.find_renovation_region(canvas, {ChangeType.FLOOR, ChangeType.LIGHTING}) == Region(0.0)


def test_what_an_earlier_step_took_away_is_floor_and_wall_to_the_next() -> None:
    labels = furnished_room()
    gone = part(labels, Surface.FURNITURE).astype(np.float32)
    canvas = canvas_of(labels, SOFA_ROOM.room, gone)
    assert regions.find_furniture_region(canvas).mask is None
    floor = freed(regions.find_renovation_region(canvas, {ChangeType.FLOOR}), labels)
    before = freed(regions.find_renovation_region(replace(canvas, gone=None), {ChangeType.FLOOR}), labels)
    assert floor[part(labels, Surface.FURNITURE)].mean() > before[part(labels, Surface.FURNITURE)].mean() + 0.2


def test_a_thing_cut_at_any_side_of_a_small_region_is_cut() -> None:
    free = np.zeros((400, 600), np.bool_)
    free[150:250, 200:400] = True
    inside, beside, above = np.zeros((3, *free.shape), np.bool_)
    inside[160:240, 210:390] = True
    beside[180:220, 300:460] = True
    above[100:200, 280:320] = True
    limit = LIMITS[FigureCode.REGION_EDGE_CUT].maximum
    assert limit is not None
    assert measure_cut_edge(inside, free) == 0
    assert measure_cut_edge(beside, free) > limit
    assert measure_cut_edge(above, free) > limit


@pytest.mark.long
def test_an_edit_beyond_what_was_seen_is_refused_and_asked_for_again_with_more_of_the_room() -> None:
    picture = edits.with_sofa(ROOMS[2].drawn())
    everywhere = np.ones(picture.shape[:2], np.bool_)
    heedless = edit_server.edit(lambda sent, _: edits.emptied(sent, everywhere))
    with edit_server.running(heedless) as server:
        after = Studio(server).after(picture, Enhancement.FURNITURE_REMOVAL)
    first, second = server.seen
    assert first.free.mean() < 0.4
    assert second.free.mean() == pytest.approx(1 - regions.CEILING, abs=0.01)
    assert "outside the mask" in second.fields["prompt"]
    assert (after[:50] == picture[:50]).all()


@pytest.mark.long
def test_a_change_apart_from_the_region_is_left_out() -> None:
    picture = ROOMS[0].drawn()
    box = np.s_[180:200, 660:700]

    def with_spot(sent: NDArray[np.uint8], free: edits.Free) -> NDArray[np.uint8]:
        done = edits.refloored(sent, free)
        done[box] = (40, 60, 160)
        return done

    with edit_server.running(edit_server.edit(with_spot)) as server:
        after = Studio(server).after(
            picture,
            Enhancement.RENOVATION,
            (RenovationChange(change_type=ChangeType.FLOOR, change_description="gray oak"),),
        )
    assert not server.seen[0].free[box].any()
    assert (after[box] == picture[box]).all()
    assert np.abs(after[450:, 300:500].astype(int) - picture[450:, 300:500]).mean() > 4


CUP: Polygon = ((0.3, 0.7), (0.32, 0.7), (0.32, 0.73), (0.3, 0.73))


def hinted(labels: Labels, hints: SceneHints) -> Canvas:
    canvas = canvas_of(labels, SOFA_ROOM.room)
    return replace(canvas, request=replace(canvas.request, hints=hints))


@pytest.mark.parametrize("region", [regions.find_clutter_region, regions.find_furniture_region])
def test_hinted_things_alone_are_free_to_go_however_small_they_are(region: object) -> None:
    labels = with_clutter(furnished_room())
    assert callable(region)
    found = region(hinted(labels, SceneHints(things=(ThingHint(ThingKind.CLUTTER, CUP),))))
    free = freed(found, labels)
    rows, columns = np.nonzero(free)
    height, width = labels.shape
    margin = 2 * regions.MARGIN * max(labels.shape) / np.array([width, height])
    assert np.allclose((columns.min() / width, rows.min() / height), np.array(CUP[0]) - margin / 2, atol=0.01)
    assert np.allclose((columns.max() / width, rows.max() / height), np.array(CUP[2]) + margin / 2, atol=0.01)
    assert found.widen() == found


def test_decluttering_has_nothing_to_do_where_only_furniture_is_hinted() -> None:
    hints = SceneHints(things=(ThingHint(ThingKind.FURNITURE, CUP),))
    with pytest.raises(Declined):
        regions.find_clutter_region(hinted(furnished_room(), hints))


def test_an_edit_may_not_reach_beyond_surfaces_that_are_hinted() -> None:
    labels = furnished_room()
    walls, floor = frozenset({ChangeType.WALLS}), frozenset({ChangeType.FLOOR})
    canvas = hinted(labels, SceneHints(surfaces={HintedSurface.WALL: (CUP,)}))
    assert not regions.find_renovation_region(canvas, walls).can_widen
    assert regions.find_renovation_region(canvas, floor).can_widen
    assert regions.find_renovation_region(canvas, walls | floor).can_widen
