"""The figures of steps that work inside rooms: what they added and changed, where the general ones do not look."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np

from app.domain.quality import Figure
from app.engine.arrays import Pixels, Plane, plane
from app.engine.color.channels import luminance
from app.engine.geometry.room import Room
from app.engine.geometry.surface import PLACE, Surface
from app.engine.quality import limits
from app.engine.quality.changes import Change
from app.engine.quality.continued_lines import lines_through
from app.engine.quality.fixed_parts import edges_softened, edges_strayed, openings_moved, view_changed
from app.engine.quality.limits import Limit, figure
from app.engine.quality.openings import levelled, new_openings
from app.engine.quality.smearing import detail_lost, smeared
from app.engine.quality.standing import floating, furniture_height
from app.engine.segmentation.room_surfaces import room_surfaces

LEAST_SEEN = 0.001
"""Share of the picture of such things from which it counts what is left of them."""


@dataclass(frozen=True, slots=True)
class RoomRules:
    """Which figures an effect inside a room has, and its own `limits`, in place of those of limits.INSIDE.

    `removes`: things of which none may be left. `furnishes`: it puts furniture on the floor. `renews`: surfaces get
    a new material. `continues_lines`: lines of the room go on behind what was taken away.
    """

    limits: Mapping[str, Limit] = field(default_factory=dict)
    removes: tuple[Surface, ...] = ()
    furnishes: bool = False
    renews: bool = False
    continues_lines: bool = False


@dataclass(frozen=True, slots=True)
class Inside:
    """What one step did in a room: the picture it got and gave (small, sRGB bytes), where it was free (0-1).

    `surfaces` (height x width x len(Surface), shares) and the camera of `room` are those of the small picture.
    `things` (0-1) is what was put in, by its own geometry; None where that is not known.
    """

    rules: RoomRules
    before: Pixels
    after: Pixels
    region: Plane
    surfaces: Plane
    room: Room | None
    things: Plane | None = None


def measured_inside(work: Inside) -> tuple[Figure, ...]:
    """The figures of the effect. A figure without its subject is left out."""
    height, width = work.before.shape[:2]
    free = plane(cv2.resize(work.region, (width, height), interpolation=cv2.INTER_LINEAR))
    change = Change(work.before, work.after, free)
    values = _fixed(work, change)
    if work.rules.furnishes:
        values |= _furniture(work, change)
    if work.rules.removes:
        values |= _left(work, free)
    held = {**limits.INSIDE, **work.rules.limits}
    return tuple(figure(name, values[name], held) for name in limits.INSIDE if name in values)


def worst(figures: Iterable[Sequence[Figure]]) -> tuple[Figure, ...]:
    """Of the figures of several steps one of each name, the gravest; of alike ones the first that broke its limit,
    else the last.
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


def _fixed(work: Inside, change: Change) -> dict[str, float]:
    before, after = _grey(work.before), _grey(work.after)
    free = np.asarray(change.free > 0.5, np.bool_)
    staged = work.rules.furnishes
    new = change.things if staged else np.zeros(free.shape, np.bool_)
    # Shadows are soft by themselves.
    made = free & new if staged else free
    values: dict[str, float] = {
        limits.OPENINGS: float(_openings(work)),
        limits.MOVED: openings_moved(before, after, work.surfaces),
        limits.VIEW: view_changed(change, work.surfaces, work.things, furnished=staged),
        limits.STRAYED: edges_strayed(before, after, work.surfaces, new),
        limits.SOFTENED: edges_softened(before, after, work.surfaces, new),
        limits.SMEARED: smeared(before, after, made),
    }
    if work.room is not None and not staged:
        values[limits.UNEVEN] = detail_lost(
            before, after, free, work.surfaces, work.room, renewed=work.rules.renews
        )
    if work.rules.continues_lines:
        through = lines_through(before, after, free, work.room)
        if through is not None:
            values[limits.THROUGH] = through
    return values


def _furniture(work: Inside, change: Change) -> dict[str, float]:
    seen = room_surfaces(work.after)
    flat = plane(seen[..., PLACE[Surface.FLOOR]] + seen[..., PLACE[Surface.RUG]])
    camera = None if work.room is None else work.room.camera
    values: dict[str, float] = {limits.FLOATING: floating(change, work.surfaces, flat, camera)}
    high = None if camera is None else furniture_height(change, work.surfaces, camera)
    return values if high is None else values | {limits.HEIGHT: high}


def _left(work: Inside, free: Plane) -> dict[str, float]:
    """How much of the things seen before is seen after, where the step worked; nothing where none were seen."""
    kinds = [PLACE[each] for each in work.rules.removes]
    where = free > 0.5
    before = work.surfaces[where][:, kinds].sum(1) > 0.5
    if before.sum() < LEAST_SEEN * free.size:
        return {}
    after = room_surfaces(work.after)[where][:, kinds].sum(1) > 0.5
    return {limits.LEFT: float((before & after).sum() / before.sum())}


def _openings(work: Inside) -> int:
    """New doors and windows, as a level camera sees them where the room's is known."""
    if work.room is None:
        return new_openings(work.before, work.after)
    return new_openings(*(levelled(each, work.room.camera) for each in (work.before, work.after)))


def _grey(picture: Pixels) -> Plane:
    return luminance(plane(picture)) / np.float32(255)
