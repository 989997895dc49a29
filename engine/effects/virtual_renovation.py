"""Virtual renovation without a generative server: makes possible changes of surfaces and declines others."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from engine.arrays import Matte, Pixels, Plane, plane
from engine.canvas import Canvas, Declined, EffectResult, create_order_rng
from engine.color.channels import gray_to_rgb
from engine.color.srgb import srgb_to_linear
from engine.effect import Effect, Needs, start_at_once
from engine.filters.guided import refine_mask
from engine.filters.smoothing import gaussian_blur
from engine.generative.renovation import NAME, OPENING_CHANGES, renovate_by_server
from engine.geometry.room import Room
from engine.geometry.surface import PLACE, Surface
from engine.materials import regions
from engine.materials.adapted_light import limit_light, measure_kept_shading, soften_shade
from engine.materials.appliances import exclude_appliances
from engine.materials.finish import Finish, MaterialKind, Pattern
from engine.materials.material import Material, make_material
from engine.materials.parse_finish import parse_finish, parse_surface
from engine.materials.reference import choose_finish
from engine.materials.small_things import find_things_on_surface
from engine.materials.texture_mapping import NewSurface, SurfacePart, map_texture
from engine.materials.told_surfaces import find_told_share
from engine.materials.unsure_surfaces import find_strange_parts, find_things
from engine.quality.limits import NEW_CONTENT_RULES, Limit
from engine.quality.room_figures import RoomRules
from engine.relighting.shading import Lamp, Shading, estimate_lamp, estimate_reflections, estimate_shading
from engine.relighting.worktops import find_nearby_lamp, shade_front_edges
from engine.segmentation.floor_things import find_floor_things
from engine.segmentation.labels import Label
from engine.segmentation.scene import ANALYSIS_SIDE, shrink_to
from engine.types.edit_request import RenovationChange
from engine.types.enhancements import ChangeType, Enhancement
from engine.types.figures import FigureCode
from engine.types.hints import HintedSurface
from engine.types.report import ChangeOutcome, Reason

UNCLEAR = "The shape of the room could not be made out well enough to lay a pattern in perspective."
MIN_CORRELATION = 0.8
"""Minimum correlation of coarse light on the surface before and after a change; else the change is declined."""
EDGE_STEEPNESS = 2.5
"""Factor by which the edges of mattes become steeper."""
FITTED = frozenset({ChangeType.COUNTERTOPS, ChangeType.CABINETS})
"""Changes of what is lit like the white things beside it, rather than like the whole room."""
HORIZONTAL = frozenset({ChangeType.FLOOR, ChangeType.COUNTERTOPS})
"""Changes of horizontal surfaces, on which things stand."""
SHINE_SHARES = (0.4, 1.0)
"""Shares of the old surface's reflections that are kept on a matt new surface and on a polished one."""
MIRRORING = 0.2
"""Share of a floor's reflections on a worktop: things on it and the wall behind it hide most of the room."""
UNAVAILABLE = {
    ChangeType.FIXTURES: "Taps, basins and showers cannot be exchanged yet.",
    ChangeType.LIGHTING: "Lamps cannot be exchanged yet.",
    ChangeType.APPLIANCES: "Appliances cannot be exchanged yet.",
    ChangeType.EXTERIOR: "This photo shows a room: the outside of the house cannot be changed in it.",
}


@dataclass(frozen=True, slots=True)
class _ChangedPicture:
    pixels: Pixels
    share: Plane
    matte: Matte
    notes: tuple[str, ...]


def renovate(canvas: Canvas) -> EffectResult:
    """Change the surfaces as the request describes, without a generative server.

    Parameters
    ----------
    canvas : Canvas
        A photo of a room, with `request.changes`.

    Returns
    -------
    EffectResult
        The result of `renovate_room`.

    Raises
    ------
    Declined
        As `renovate_room` does.
    """
    room, unclear = canvas.find_room()
    return renovate_room(canvas, room, canvas.find_surfaces(), canvas.request.changes, unclear)


def renovate_room(
    canvas: Canvas, room: Room | None, surfaces: Plane, changes: Sequence[RenovationChange], unclear: str = UNCLEAR
) -> EffectResult:
    """Make the changes one after the other; a declined change leaves the picture as it is.

    Parameters
    ----------
    canvas : Canvas
        A photo of a room.
    room : Room or None
        The room, with the camera of the small picture; None if it could not be measured.
    surfaces : (h, w, len(Surface)) ndarray of float32
        Share of each surface in each pixel of the small picture, 0-1.
    changes : Sequence of RenovationChange
        The changes, in the order in which they are made.
    unclear : str, default UNCLEAR
        The message to customers if a change needs a `room` and there is none.

    Returns
    -------
    EffectResult
        Region and matte are all changed surfaces, `changes` are the outcome of each change.

    Raises
    ------
    Declined
        NOT_CHANGED without changes. If no change could be made, the common reason of all changes, or NOT_AVAILABLE
        if their reasons differ.
    """
    if not changes:
        raise Declined(Reason.NOT_CHANGED, f"{NAME} was not done: no change was described.")
    lamp = estimate_lamp(canvas.scene)
    # The colors of materials are given in sRGB.
    original, profile = canvas.pixels, canvas.scene.profile
    canvas = replace(canvas, pixels=profile.to_srgb(original))
    outcomes: list[ChangeOutcome] = []
    region, matte = plane(np.zeros(surfaces.shape[:2])), np.zeros(canvas.pixels.shape[:2], np.uint8)
    for index, change in enumerate(changes):
        try:
            changed = _apply_change(canvas, room, surfaces, change, index, lamp, unclear)
        except Declined as declined:
            outcomes.append(_make_declined_outcome(index, change, declined))
            continue
        canvas = replace(canvas, pixels=changed.pixels)
        region = plane(np.maximum(region, changed.share))
        matte = np.maximum(matte, changed.matte)
        outcomes.append(ChangeOutcome(index=index, type=change.type, applied=True, message=" ".join(changed.notes)))
    if not any(each.applied for each in outcomes):
        reasons = {each.reason for each in outcomes if each.reason}
        reason = reasons.pop() if len(reasons) == 1 else Reason.NOT_AVAILABLE
        raise Declined(reason, " ".join(dict.fromkeys(each.message for each in outcomes)), tuple(outcomes))
    pixels = profile.insert_edit(original, canvas.pixels, matte)
    return EffectResult(pixels, region, (), matte, tuple(outcomes))


def _make_declined_outcome(index: int, change: RenovationChange, declined: Declined) -> ChangeOutcome:
    return ChangeOutcome(
        index=index, type=change.type, applied=False, reason=declined.reason, message=declined.message
    )


def _apply_change(
    canvas: Canvas,
    room: Room | None,
    surfaces: Plane,
    change: RenovationChange,
    index: int,
    lamp: Lamp,
    unclear: str,
) -> _ChangedPicture:
    kind = _find_surface(change)
    choice = choose_finish(canvas.context, kind, change)
    finish = choice.finish
    needs_room = finish.kind is not MaterialKind.PAINT or finish.pattern is not Pattern.PLAIN
    if needs_room and room is None:
        raise Declined(Reason.ROOM_UNCLEAR, unclear)
    small = plane(shrink_to(canvas.pixels, ANALYSIS_SIDE)) / np.float32(255)
    share = _find_share(canvas, kind, small, room, surfaces)
    things = None if kind in HORIZONTAL else find_things_on_surface(share, small)
    parts, small_parts = regions.split_into_planes(kind, share, room if needs_room else None, canvas.pixels.shape)
    lamp = find_nearby_lamp(lamp, small, share) if kind in FITTED else lamp
    per_meter = _measure_pixels_per_meter(small_parts)
    old = estimate_shading(
        small,
        share,
        per_meter,
        lamp,
        patterned=kind in HORIZONTAL,
        paneled=kind is ChangeType.CABINETS,
        things=things,
    )
    shine = _compute_shine(kind, finish, small, share, old, lamp, room)
    rng = np.random.Generator(np.random.PCG64(create_order_rng(canvas).integers(2**62, size=index + 1)[index]))
    material = make_material(finish, rng, choice.sample)
    shade = _compute_shade(canvas, kind, old, material, share)
    light = plane(shade * material.levels[-1].reshape(-1, 3).mean(0) + shine)
    if measure_kept_shading(srgb_to_linear(small), light, plane(share * (1 - old.unknown))) < MIN_CORRELATION:
        raise Declined(Reason.NOT_AVAILABLE, "The light on this surface is too uneven to be kept on a new one.")
    if kind is ChangeType.COUNTERTOPS and room is not None and per_meter is not None:
        cabinets = np.asarray(surfaces[..., PLACE[Surface.CABINET]] > 0.4)
        shade = plane(shade * gray_to_rgb(shade_front_edges(share, cabinets, per_meter, old.luminance)))
        shine = plane(np.maximum(shine, MIRRORING * _mirror_room(finish, small, share, room)))
    matte = _narrow_edges(refine_mask(share, small, canvas.pixels, radius=2, softness=3e-4))
    # On a patterned wall, parts of the pattern may look like things.
    kept = things if kind is ChangeType.CABINETS or not old.patterned else None
    if kept is not None:
        beside = 255 - refine_mask(plane(kept == 1), small, canvas.pixels, radius=2, softness=1e-4)
        matte = np.asarray(cv2.multiply(matte, beside, scale=1 / 255), dtype=np.uint8)
    new = NewSurface(material, parts, shade, shine, old.luminance, old.relief, old.grain)
    pixels = map_texture(canvas.pixels, matte, new)
    return _ChangedPicture(pixels, plane(gaussian_blur(share, 1.5) > 0.02), matte, finish.notes)


def _compute_shade(canvas: Canvas, kind: ChangeType, old: Shading, material: Material, share: Plane) -> Plane:
    """Compute the light on the new surface. Raises Declined for wallpaper that no hint outlines."""
    shade = soften_shade(old, material, share)
    if kind is not ChangeType.WALLS:
        return shade
    if old.patterned and HintedSurface.WALL not in canvas.hints.surfaces:
        raise Declined(
            Reason.SURFACE_UNCLEAR, "The pattern of these walls cannot be distinguished from what hangs on them."
        )
    return limit_light(shade, share)


def _find_share(canvas: Canvas, kind: ChangeType, small: Plane, room: Room | None, surfaces: Plane) -> Plane:
    """Find the share of the surface in each pixel. Raises Declined if the surface is not found or unclear."""
    heights = regions.measure_heights(small.shape[:2], room) if kind is ChangeType.WALLS else None
    told = find_told_share(kind, canvas.scene, small, heights)
    share = regions.find_surface_share(kind, surfaces, room) if told is None else told
    if told is None:
        share = _exclude_unsure(canvas, kind, share, small, room, surfaces)
    if kind is ChangeType.FLOOR:
        share = plane(share * ~find_floor_things(share, small, surfaces))
    return share


def _exclude_unsure(
    canvas: Canvas, kind: ChangeType, share: Plane, small: Plane, room: Room | None, surfaces: Plane
) -> Plane:
    """Exclude trim and appliances from a surface that the net found. Raises Declined if the surface is unclear."""
    regions.check_certainty(kind, surfaces)
    if kind is ChangeType.WALLS and room is not None:
        share = regions.exclude_trim(share, small, room)
        share = plane(share * ~find_things(share, small, cornered=True))
    if kind is ChangeType.CABINETS:
        share = exclude_appliances(share, surfaces, canvas.scene.label_share(Label.APPLIANCE), small)
        share = plane(share * ~find_strange_parts(share, small))
    if kind is ChangeType.FLOOR:
        regions.check_floor(share, small)
    # A backsplash may end within the wall, without an edge.
    if kind is not ChangeType.BACKSPLASH:
        regions.check_edges(kind, share, small, room)
    return share


def _narrow_edges(matte: Matte) -> Matte:
    """Narrow the edges of the matte: the guided filter leaves them wide if the picture has no edge there."""
    levels = np.clip((np.arange(256) - 127.5) * EDGE_STEEPNESS + 127.5, 0, 255).astype(np.uint8)
    return np.asarray(cv2.LUT(matte, levels), dtype=np.uint8)


def _find_surface(change: RenovationChange) -> ChangeType:
    """Find the surface of a change. Raises Declined for things that cannot be exchanged."""
    kind = change.type
    if kind is ChangeType.OTHER:
        surface = parse_surface(change.change_description)
        if surface is None:
            parse_finish(kind, change.change_description, change.reference_text)
            raise Declined(Reason.NOT_UNDERSTOOD, "Please name one surface: floor, walls, cabinets or countertop.")
        kind = surface
    if kind in UNAVAILABLE:
        # A request to hide damage is declined for its own reason first, on any surface.
        parse_finish(kind, change.change_description, change.reference_text)
        raise Declined(Reason.NOT_AVAILABLE, UNAVAILABLE[kind])
    return kind


def _measure_pixels_per_meter(parts: Sequence[SurfacePart]) -> Plane | None:
    """Measure pixels of the small picture per meter of the surface, in the less foreshortened direction.

    None if a part of the surface has no plane.
    """
    found: Plane | None = None
    for part in parts:
        if part.seen is None:
            return None
        spots = part.seen.find_spots(slice(0, part.share.shape[0]), slice(0, part.share.shape[1]))
        density = part.share / np.maximum(np.minimum(spots.width, spots.height), 1e-4)
        found = plane(density) if found is None else plane(np.maximum(found, density))
    return found


def _compute_shine(
    kind: ChangeType, finish: Finish, small: Plane, share: Plane, old: Shading, lamp: Lamp, room: Room | None
) -> Plane:
    """Compute reflections on the new surface: those of the old one, by the new gloss, and on floors of the room."""
    matt_share, polished_share = SHINE_SHARES
    old_shine = old.shine if finish.gloss > 0.25 else gaussian_blur(old.shine, 4.0)
    shine = gray_to_rgb(plane(old_shine * (matt_share + (polished_share - matt_share) * finish.gloss))) * lamp.white
    if kind is not ChangeType.FLOOR or room is None:
        return plane(shine)
    return plane(np.maximum(shine, _mirror_room(finish, small, share, room)))


def _mirror_room(finish: Finish, small: Plane, share: Plane, room: Room) -> Plane:
    """Estimate the reflections of the room on a level surface."""
    height, width = share.shape
    y, x = np.mgrid[:height, :width] + 0.5
    rays = room.camera.rays(np.stack([x.ravel(), y.ravel()], 1))
    sine = plane(np.abs(rays[:, 2]) / np.linalg.norm(rays, axis=1)).reshape(height, width)
    return estimate_reflections(srgb_to_linear(small), np.asarray(share > 0.5), plane(sine), finish.gloss)


def find_room_rules(canvas: Canvas) -> RoomRules:
    """Find the quality rules for the room: openings have no limit if the request may include a new door.

    Parameters
    ----------
    canvas : Canvas
        The canvas whose request is checked.

    Returns
    -------
    RoomRules
        The rules of renovation.
    """
    limits: dict[str, Limit] = {FigureCode.SMEARED_SHARE: Limit(Reason.MELTED, maximum=0.26)}
    if any(change.type in OPENING_CHANGES for change in canvas.request.changes):
        limits[FigureCode.NEW_OPENINGS] = Limit(Reason.OPENING_ADDED)
    return RoomRules(limits, replaces_material=True)


EFFECT = Effect(
    Enhancement.RENOVATION,
    NAME,
    Needs.INDOORS,
    start_at_once(renovate),
    by_server=renovate_by_server,
    rules=NEW_CONTENT_RULES,
    room_rules=find_room_rules,
)
