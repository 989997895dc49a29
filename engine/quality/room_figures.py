"""Quality figures of effects inside rooms."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np

from engine.arrays import Pixels, Plane, plane
from engine.color.channels import rgb_to_gray
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
from engine.quality.openings import count_new_openings, level_picture
from engine.quality.removal_residue import measure_cut_things, measure_unclear
from engine.quality.smearing import measure_lost_detail, measure_smearing
from engine.segmentation.room_surfaces import segment_room
from engine.types.report import Figure

LEAST_SEEN = 0.001
"""Share of the picture that the things to be removed must cover for what is left of them to be measured."""


@dataclass(frozen=True, slots=True)
class RoomRules:
    """Which figures an effect inside a room has, and its own `limits`, in place of those of limits.INSIDE.

    `removes`: things of which none may be left. `furnishes`: it puts furniture on the floor. `renews`: surfaces get
    a new material. `continues_lines`: lines of the room go on behind what was removed. `bares`: nothing but floor,
    walls and ceiling is uncovered.
    """

    limits: Mapping[str, Limit] = field(default_factory=dict)
    removes: tuple[Surface, ...] = ()
    furnishes: bool = False
    renews: bool = False
    continues_lines: bool = False
    bares: bool = False


@dataclass(frozen=True, slots=True)
class RoomChange:
    """One step in a room: its input and output (small, sRGB bytes), and where it was free to change them (0-1).

    `region` may have any size. `surfaces` (height x width x len(Surface), shares) and the camera of `room` are
    those of the small picture. `things` (0-1) is where new things are, by their own geometry; None where that is
    not known.
    """

    rules: RoomRules
    before: Pixels
    after: Pixels
    region: Plane
    surfaces: Plane
    room: Room | None
    things: Plane | None = None


def measure_room_figures(work: RoomChange) -> tuple[Figure, ...]:
    """The figures of an effect inside a room; a figure without its subject is left out.

    Parameters
    ----------
    work : RoomChange
        What the step did, and the rules of its effect.

    Returns
    -------
    tuple of Figure
        In the order of limits.INSIDE.
    """
    height, width = work.before.shape[:2]
    free = plane(cv2.resize(work.region, (width, height), interpolation=cv2.INTER_LINEAR))
    change = PictureChange(work.before, work.after, free)
    values = _measure_fixed_parts(work, change)
    if work.rules.furnishes:
        values |= _measure_furniture(work, change)
    if work.rules.removes:
        values |= _measure_left(work, free)
    held = {**limits.INSIDE, **work.rules.limits}
    return tuple(make_figure(name, values[name], held) for name in limits.INSIDE if name in values)


def find_worst_figures(figures: Iterable[Sequence[Figure]]) -> tuple[Figure, ...]:
    """Of the figures of several steps the gravest one of each code.

    Of equally grave ones it is the first that broke its limit, or the last where none did.

    Parameters
    ----------
    figures : Iterable of Sequence of Figure
        Those of each step, in the order of the steps.

    Returns
    -------
    tuple of Figure
        In the order of limits.INSIDE; figures with other codes are left out.
    """
    found: dict[str, Figure] = {}
    for each in (one for some in figures for one in some):
        kept = found.get(each.code)
        if kept is None or _gravity(each) > _gravity(kept) or (kept.passed and _gravity(each) == _gravity(kept)):
            found[each.code] = each
    return tuple(found[name] for name in limits.INSIDE if name in found)


def _gravity(figure: Figure) -> int:
    """What keeps its limit for sure, just keeps it, just breaks it, breaks it for sure: from 0 to 3."""
    return int(figure.near) if figure.passed else 3 - figure.near


def _measure_fixed_parts(work: RoomChange, change: PictureChange) -> dict[str, float]:
    before, after = _gray(work.before), _gray(work.after)
    free = np.asarray(change.free > 0.5, np.bool_)
    staged = work.rules.furnishes
    new = change.things if staged else np.zeros(free.shape, np.bool_)
    # Shadows are soft by themselves.
    made = free & new if staged else free
    values: dict[str, float] = {
        limits.OPENINGS: float(_count_openings(work)),
        limits.MOVED: measure_moved_openings(before, after, work.surfaces),
        limits.VIEW: measure_changed_view(change, work.surfaces, work.things, furnished=staged),
        limits.STRAYED: measure_strayed_edges(before, after, work.surfaces, new),
        limits.SOFTENED: measure_softened_edges(before, after, work.surfaces, new),
        limits.SMEARED: measure_smearing(before, after, made),
    }
    if work.room is not None and not staged:
        values[limits.UNEVEN] = measure_lost_detail(
            before, after, free, work.surfaces, work.room, renewed=work.rules.renews
        )
    if work.rules.continues_lines:
        through = measure_continued_lines(before, after, free, work.room)
        if through is not None:
            values[limits.THROUGH] = through
    return values


def _measure_furniture(work: RoomChange, change: PictureChange) -> dict[str, float]:
    seen = segment_room(work.after)
    flat = plane(seen[..., PLACE[Surface.FLOOR]] + seen[..., PLACE[Surface.RUG]])
    camera = None if work.room is None else work.room.camera
    values: dict[str, float] = {limits.FLOATING: measure_floating(change, work.surfaces, flat, camera)}
    high = None if camera is None else measure_furniture_height(change, work.surfaces, camera)
    return values if high is None else values | {limits.HEIGHT: high}


def _measure_left(work: RoomChange, free: Plane) -> dict[str, float]:
    """What is left of the things: still seen where the step worked, cut off beside it; the former is left out where
    none were seen before.
    """
    kinds = [PLACE[each] for each in work.rules.removes]
    where = free > 0.5
    before = work.surfaces[where][:, kinds].sum(1) > 0.5
    seen = segment_room(work.after)
    pictures = work.before, work.after
    values: dict[str, float] = {limits.CUT: measure_cut_things(pictures, free, work.surfaces, work.rules.removes)}
    if work.rules.bares:
        values[limits.UNCLEAR] = measure_unclear(seen, free)
    if before.sum() >= LEAST_SEEN * free.size:
        after = seen[where][:, kinds].sum(1) > 0.5
        values[limits.LEFT] = float((before & after).sum() / before.sum())
    return values


def _count_openings(work: RoomChange) -> int:
    """New doors and windows, as a level camera sees them where the room's is known."""
    if work.room is None:
        return count_new_openings(work.before, work.after)
    return count_new_openings(*(level_picture(each, work.room.camera) for each in (work.before, work.after)))


def _gray(picture: Pixels) -> Plane:
    return rgb_to_gray(plane(picture)) / np.float32(255)
