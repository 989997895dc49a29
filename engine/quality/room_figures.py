"""Quality figures of effects inside rooms."""

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field

import cv2
import numpy as np

from engine.arrays import Pixels, Plane, plane
from engine.color.channels import rgb_to_gray
from engine.geometry.planes import number_planes
from engine.geometry.room import Room
from engine.geometry.surface import PLACE, Surface
from engine.quality import limits
from engine.quality.changes import PictureChange
from engine.quality.continued_lines import measure_continued_lines
from engine.quality.fixed_parts import (
    measure_changed_view,
    measure_moved_openings,
    measure_softened_edges,
    measure_strayed_edges,
)
from engine.quality.furniture_contact import measure_floating, measure_furniture_height
from engine.quality.limits import Limit, make_figure
from engine.quality.lost_legs import measure_lost_legs
from engine.quality.openings import count_new_openings, level_picture
from engine.quality.removal_residue import measure_cut_things, measure_unclear
from engine.quality.smearing import measure_lost_detail, measure_smearing
from engine.quality.told_surfaces import find_as_told
from engine.segmentation.room_surfaces import segment_room
from engine.types.figures import FigureCode
from engine.types.report import Figure

MIN_REMOVED_AREA = 0.001
"""Least share of the picture that things to be removed must cover for their remains to be measured."""


@dataclass(frozen=True, slots=True)
class RoomRules:
    """Which figures an effect inside a room has, and its own `limits`, which replace some of ROOM_LIMITS.

    `removes`: things of which nothing may remain. `furnishes`: the effect puts furniture on the floor.
    `replaces_material`: surfaces get a new material. `continues_lines`: lines of the room must continue where
    things were removed. `uncovers_bare_surfaces`: only floor, walls and ceiling may be uncovered.
    """

    limits: Mapping[str, Limit] = field(default_factory=dict)
    removes: tuple[Surface, ...] = ()
    furnishes: bool = False
    replaces_material: bool = False
    continues_lines: bool = False
    uncovers_bare_surfaces: bool = False


@dataclass(frozen=True, slots=True)
class RoomChange:
    """One step in a room: its input and output (small, sRGB bytes), and the `region` it was free to change (0-1).

    `region` may have any size. `surfaces` (height x width x len(Surface), shares) and the camera of `room` belong
    to the small picture. `things` (0-1) says where new things were drawn; None if this is not known. `told` are the
    surfaces that hints outline.
    """

    rules: RoomRules
    before: Pixels
    after: Pixels
    region: Plane
    surfaces: Plane
    room: Room | None
    things: Plane | None = None
    told: Set[Surface] = frozenset()


def measure_room_figures(step: RoomChange) -> tuple[Figure, ...]:
    """The figures of an effect inside a room; figures that have nothing to measure are left out.

    Parameters
    ----------
    step : RoomChange
        What the step did, and the rules of its effect.

    Returns
    -------
    tuple of Figure
        In the order of limits.ROOM_LIMITS.
    """
    height, width = step.before.shape[:2]
    editable = plane(cv2.resize(step.region, (width, height), interpolation=cv2.INTER_LINEAR))
    change = PictureChange(step.before, step.after, editable)
    values = _measure_fixed_parts(step, change)
    if step.rules.furnishes:
        values |= _measure_furniture(step, change)
    if step.rules.removes:
        values |= _measure_remains(step, editable)
    if step.rules.replaces_material:
        floor = np.asarray((editable > 0.5) & (step.surfaces[..., PLACE[Surface.FLOOR]] > 0.5))
        values[FigureCode.LOST_LEGS] = measure_lost_legs(step.before, step.after, floor, step.surfaces)
    step_limits = {**limits.ROOM_LIMITS, **step.rules.limits}
    return tuple(make_figure(name, values[name], step_limits) for name in limits.ROOM_LIMITS if name in values)


def find_worst_figures(figures: Iterable[Sequence[Figure]]) -> tuple[Figure, ...]:
    """The worst figure of each code among the figures of several steps.

    Of equally bad figures, the first counts if they broke their limit, the last if they kept it.

    Parameters
    ----------
    figures : Iterable of Sequence of Figure
        The figures of each step, in the order of the steps.

    Returns
    -------
    tuple of Figure
        In the order of limits.ROOM_LIMITS; figures with other codes are left out.
    """
    found: dict[str, Figure] = {}
    for each in (one for some in figures for one in some):
        kept = found.get(each.code)
        if (
            kept is None
            or _rank_fault(each) > _rank_fault(kept)
            or (kept.passed and _rank_fault(each) == _rank_fault(kept))
        ):
            found[each.code] = each
    return tuple(found[name] for name in limits.ROOM_LIMITS if name in found)


def _rank_fault(figure: Figure) -> int:
    """0 certainly keeps its limit, 1 narrowly keeps it, 2 narrowly breaks it, 3 certainly breaks it."""
    return int(figure.near) if figure.passed else 3 - figure.near


def _measure_fixed_parts(step: RoomChange, change: PictureChange) -> dict[str, float]:
    before, after = _to_gray(step.before), _to_gray(step.after)
    editable = np.asarray(change.editable > 0.5, np.bool_)
    staged = step.rules.furnishes
    new_things = change.things if staged else np.zeros(editable.shape, np.bool_)
    # Only new furniture is judged, not its shadows, because shadows are always soft.
    judged = editable & new_things if staged else editable
    pattern = editable if step.rules.replaces_material else None
    values: dict[str, float] = {
        FigureCode.NEW_OPENINGS: float(_count_openings(step)),
        FigureCode.OPENING_DISPLACEMENT: measure_moved_openings(before, after, step.surfaces),
        FigureCode.WINDOW_VIEW_CHANGE: measure_changed_view(change, step.surfaces, step.things, furnished=staged),
        FigureCode.ROOM_EDGE_DISPLACEMENT: measure_strayed_edges(before, after, step.surfaces, new_things, pattern),
        FigureCode.ROOM_EDGE_LOSS: measure_softened_edges(before, after, step.surfaces, new_things),
        FigureCode.SMEARED_SHARE: measure_smearing(before, after, judged),
    }
    if step.room is not None and not staged:
        values[FigureCode.MISSING_DETAIL] = measure_lost_detail(
            before, after, editable, step.surfaces, step.room, renewed=step.rules.replaces_material
        )
    if step.rules.continues_lines:
        openings = np.isin(step.surfaces.argmax(-1), [PLACE[Surface.DOOR], PLACE[Surface.WINDOW]])
        continued = measure_continued_lines(before, after, editable, step.room, np.asarray(openings))
        if continued is not None:
            values[FigureCode.ROOM_LINES_CONTINUED] = continued
    return values


def _measure_furniture(step: RoomChange, change: PictureChange) -> dict[str, float]:
    seen = segment_room(step.after)
    flat = plane(seen[..., PLACE[Surface.FLOOR]] + seen[..., PLACE[Surface.RUG]])
    camera = None if step.room is None else step.room.camera
    values: dict[str, float] = {
        FigureCode.FLOATING_FURNITURE: measure_floating(change, step.surfaces, flat, camera)
    }
    furniture_height = None if camera is None else measure_furniture_height(change, step.surfaces, camera)
    return values if furniture_height is None else values | {FigureCode.FURNITURE_HEIGHT: furniture_height}


def _measure_remains(step: RoomChange, editable: Plane) -> dict[str, float]:
    """The figures for remains of removed things: still visible in the changed area, or cut off beside it.

    REMAINING_OBJECTS is left out if the photo had no such things.
    """
    kinds = [PLACE[each] for each in step.rules.removes]
    is_editable = np.asarray(editable > 0.5)
    before = step.surfaces[is_editable][:, kinds].sum(1) > 0.5
    seen = segment_room(step.after)
    pictures, as_told, numbers = (step.before, step.after), np.zeros_like(is_editable), None
    if step.told and step.room is not None:
        numbers = number_planes(step.room, editable.shape[1], editable.shape[0])
        as_told = find_as_told(pictures, is_editable, step.surfaces, step.room, step.told)
    values: dict[str, float] = {
        FigureCode.CUT_OBJECTS: measure_cut_things(pictures, editable, step.surfaces, step.rules.removes, numbers)
    }
    if step.rules.uncovers_bare_surfaces:
        values[FigureCode.UNCLEAR_BACKGROUND] = measure_unclear(seen, editable, as_told)
    if before.sum() >= MIN_REMOVED_AREA * editable.size:
        after = (seen[is_editable][:, kinds].sum(1) > 0.5) & ~as_told[is_editable]
        values[FigureCode.REMAINING_OBJECTS] = float((before & after).sum() / before.sum())
    return values


def _count_openings(step: RoomChange) -> int:
    """The number of new doors and windows; if the room's camera is known, in pictures that are leveled first."""
    if step.room is None:
        return count_new_openings(step.before, step.after)
    return count_new_openings(*(level_picture(each, step.room.camera) for each in (step.before, step.after)))


def _to_gray(picture: Pixels) -> Plane:
    return rgb_to_gray(plane(picture)) / np.float32(255)
