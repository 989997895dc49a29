"""Virtual staging: adds furniture and decor in the chosen style, by the server or rendered on this machine."""

from dataclasses import replace
from functools import partial

import cv2
import numpy as np

from engine.arrays import Matte, Pixels, Plane, plane
from engine.canvas import Canvas, Declined, EffectResult, create_furniture_rng, create_photo_rng
from engine.color.srgb import srgb_to_linear
from engine.effect import Effect, Needs, start_at_once
from engine.filters.guided import refine_mask
from engine.filters.smoothing import gaussian_blur
from engine.generative import prompts
from engine.generative.editing import EditTask, edit_by_server
from engine.generative.regions import find_staging_region
from engine.geometry.room import Room
from engine.geometry.scale import DOOR, HINT
from engine.geometry.surface import PLACE, Surface
from engine.quality.limits import NEW_CONTENT_RULES, Limit
from engine.quality.room_figures import RoomRules
from engine.rendering import tracing
from engine.rendering.compositing import composite_render, measure_grain
from engine.rendering.contact_shadow import add_contact_shadow
from engine.rendering.furniture.factory import FurnitureFactory
from engine.rendering.layout.fronts import USED
from engine.rendering.layout.furnishing import Furnishing
from engine.rendering.layout.ground import Ground
from engine.rendering.layout.placed import PlacedPiece
from engine.rendering.layout.placements import furnish_placements
from engine.rendering.layout.plan import plan_furniture
from engine.rendering.occluders import find_things_in_front
from engine.rendering.render import render_furniture
from engine.rendering.room_light import estimate_room_light
from engine.segmentation.hinted_surfaces import draw_polygons
from engine.segmentation.labels import Label
from engine.types.enhancements import ENHANCEMENTS, Enhancement
from engine.types.figures import FigureCode
from engine.types.hints import HintedSurface
from engine.types.report import Reason

NAME = "Virtual staging"
MIN_FLOOR = 0.04
"""Minimum share of floor in the picture."""
MAX_FURNITURE = 0.12
"""Maximum share of furniture in the picture of a room that counts as not furnished."""
MAX_LARGE = 0.04
"""Maximum share of LARGE furniture in the picture of a room that counts as not furnished.

Of 36 photos of empty rooms, one had more than 0.03; photos of furnished rooms had 0.04 and more.
"""
MIN_BLOWN = 250
"""Minimum byte of all three channels of a blown-out pixel: a lamp, or the view of a window."""
MIN_CAMERA_HEIGHT, MAX_CAMERA_HEIGHT = 0.8, 2.0
"""Minimum and maximum height, in meters, from which photos of rooms are usually taken."""
LARGE = (Label.BED, Label.SOFA, Label.TABLE, Label.CHAIR, Label.FURNITURE)
"""Labels of large furniture."""
_NO_RENDERER = "Virtual staging needs the package mitsuba, which is not installed."
_NO_FLOOR = "Virtual staging needs a photo that shows more of the floor."
_FURNISHED = (
    "Virtual staging was not done: the room is furnished. "
    f"Order “{ENHANCEMENTS[Enhancement.FURNITURE_REMOVAL].label}” with it, or send a photo of the empty room."
)
_NO_SCALE = "Virtual staging was not done: the size of the room is not certain enough."
_NO_PLACE = (
    "Virtual staging found no free place for furniture: every spot was before a door, too small or out of view."
)


def stage_room(canvas: Canvas) -> EffectResult:
    """Add furniture and decor, planned and rendered on this machine.

    Parameters
    ----------
    canvas : Canvas
        A photo of a room that can be measured.

    Returns
    -------
    EffectResult
        The result of `furnish_room`.

    Raises
    ------
    Declined
        NOT_AVAILABLE without a renderer, else as `furnish_room` does.
    RoomUnclear
        If the room cannot be measured; `Effect.apply` declines such photos before it calls this function.
    """
    _check_renderer()
    return furnish_room(canvas, canvas.scene.room, canvas.find_surfaces())


def stage_room_by_server(canvas: Canvas) -> EffectResult:
    """Add furniture and decor, by the generative server.

    Parameters
    ----------
    canvas : Canvas
        A photo of a room, with `server_access`; `request` has style and type of the room.

    Returns
    -------
    EffectResult
        The first edit that passes the drift gate, pasted into the picture.

    Raises
    ------
    Declined
        As `edit_by_server` does.
    ServerUnavailableError
        If the server is unavailable now; the photo may be tried again later.
    """
    style, room_type = canvas.request.style, canvas.request.room_type
    prompt = partial(prompts.make_staging_prompt, style, room_type, hints=canvas.hints)
    return edit_by_server(canvas, EditTask(NAME, prompt, find_staging_region))


def furnish_room(canvas: Canvas, room: Room, surfaces: Plane) -> EffectResult:
    """Plan furniture for the room, render it in the room's light, and composite it into the picture.

    Parameters
    ----------
    canvas : Canvas
        A photo of a room; `request` has style and type of the room.
    room : Room
        The measured room, with the camera of a picture of the size of `surfaces`.
    surfaces : (h, w, len(Surface)) ndarray of float32
        Share of each surface in each pixel, 0-1.

    Returns
    -------
    EffectResult
        The result of `render_furnishing`.

    Raises
    ------
    Declined
        NO_FREE_PLACE if there is too little floor, or no place for the essential furniture of the room type;
        ALREADY_FURNISHED; ROOM_UNCLEAR if the room's scale is uncertain.
    """
    return render_furnishing(canvas, surfaces, _plan(canvas, room, surfaces))


def render_furnishing(canvas: Canvas, surfaces: Plane, planned: Furnishing, detail: float = 1.0) -> EffectResult:
    """Render planned furniture in the room's light, and composite it into the picture.

    Parameters
    ----------
    canvas : Canvas
        The photo of the room for which the furniture was planned.
    surfaces : (h, w, len(Surface)) ndarray of float32
        Share of each surface in each pixel, 0-1.
    planned : Furnishing
        The furniture at its places.
    detail : float, default 1.0
        0-1: how finely light is traced; less for previews.

    Returns
    -------
    EffectResult
        Region and matte are everything that changed, shadows included; `things` is the furniture alone,
        `furnishing` the plan.
    """
    ground, placed, room = planned.ground, planned.placed, planned.ground.room
    # The colors of furniture are given in sRGB.
    original, profile = canvas.pixels, canvas.scene.profile
    canvas = replace(canvas, pixels=profile.to_srgb(original))
    height, width = original.shape[:2]
    size = (ground.width, ground.height)
    small = np.asarray(cv2.resize(canvas.pixels, size, interpolation=cv2.INTER_AREA), np.uint8)
    light = estimate_room_light(ground, surfaces, srgb_to_linear(plane(small) / 255), detail)
    camera = room.camera.rescale(width / ground.width)
    catchers = _find_shadow_catchers(surfaces, small)
    rendered = render_furniture(placed, light, camera, (width, height), catchers, detail)
    rendered = add_contact_shadow(rendered, placed, plane(catchers * surfaces[..., PLACE[Surface.FLOOR]]))
    occluders = _find_occluders(canvas, placed, surfaces, room)
    composited = composite_render(
        canvas.pixels, rendered, occluders, measure_grain(canvas.pixels), create_photo_rng(canvas)
    )
    size = canvas.scene.small.shape[1::-1]
    region = plane(cv2.resize(composited.matte, size, interpolation=cv2.INTER_AREA)) / 255
    pixels = profile.insert_edit(original, composited.pixels, composited.matte)
    things = rendered.find_cover(size)
    return EffectResult(pixels, plane(region), matte=composited.matte, things=things, furnishing=planned)


def plan_staging(canvas: Canvas) -> EffectResult:
    """Plan and place furniture as `stage_room` does, without rendering it; the rendering itself never declines.

    Parameters
    ----------
    canvas : Canvas
        A photo of a room that can be measured.

    Returns
    -------
    EffectResult
        The unchanged picture, with the `furnishing`.

    Raises
    ------
    Declined
        As `stage_room` does.
    """
    _check_renderer()
    planned = _plan(canvas, canvas.scene.room, canvas.find_surfaces())
    return EffectResult(canvas.pixels, furnishing=planned)


def _check_renderer() -> None:
    if not tracing.is_available():
        raise Declined(Reason.NOT_AVAILABLE, _NO_RENDERER)


def _plan(canvas: Canvas, room: Room, surfaces: Plane) -> Furnishing:
    """The floor and the furniture placed on it."""
    floor = surfaces[..., PLACE[Surface.FLOOR]] + surfaces[..., PLACE[Surface.RUG]]
    if float(floor.mean()) < MIN_FLOOR:
        raise Declined(Reason.NO_FREE_PLACE, _NO_FLOOR)
    furniture = float(surfaces[..., PLACE[Surface.FURNITURE]].mean())
    is_furnished = furniture > MAX_FURNITURE or float(_find_remaining(canvas, surfaces, *LARGE).mean()) > MAX_LARGE
    is_told = bool(canvas.hints.placements or canvas.hints.surfaces.get(HintedSurface.FLOOR))
    if is_furnished and not is_told:
        raise Declined(Reason.ALREADY_FURNISHED, _FURNISHED)
    _check_scale(room)
    ground = make_ground(canvas, room, surfaces)
    factory = _make_factory(canvas)
    placed = _place_furniture(canvas, ground, factory)
    if not placed:
        raise Declined(Reason.NO_FREE_PLACE, _NO_PLACE)
    return Furnishing(ground, factory, placed)


def make_ground(canvas: Canvas, room: Room, surfaces: Plane) -> Ground:
    """Make the floor on which furniture is placed.

    Parameters
    ----------
    canvas : Canvas
        A photo of a room; its hints say which parts of the floor stay free.
    room : Room
        The measured room, with the camera of a picture of the size of `surfaces`.
    surfaces : (h, w, len(Surface)) ndarray of float32
        Share of each surface in each pixel, 0-1.

    Returns
    -------
    Ground
        The floor, without things that earlier steps removed.
    """
    used, fires = (_find_remaining(canvas, surfaces, *labels) for labels in (USED, (Label.FIREPLACE,)))
    clear = canvas.hints.clear
    reserved = draw_polygons(clear, surfaces.shape[1], surfaces.shape[0]) if clear else None
    return Ground(room, surfaces, used, fires, reserved)


def _place_furniture(canvas: Canvas, ground: Ground, factory: FurnitureFactory) -> tuple[PlacedPiece, ...]:
    """Place the furniture where the hints say, or, without hints, where it fits best."""
    if canvas.hints.placements:
        return furnish_placements(ground, factory, canvas.hints.placements)
    return plan_furniture(ground, factory, canvas.context.photo_seed)


def _make_factory(canvas: Canvas) -> FurnitureFactory:
    """The factory of the furniture that the request asks for."""
    seed = int(create_furniture_rng(canvas).integers(1 << 30))
    return FurnitureFactory(canvas.request.room_type, canvas.request.style, seed)


def _check_scale(room: Room) -> None:
    """Decline, with ROOM_UNCLEAR, a room whose scale a door or worktop contradicts, or whose scale is implausible.

    If the scale does not come from a door or a hint, it may come from an object of unusual size. A camera that
    seems to be near the floor or the ceiling is a sign of that.
    """
    implausible = (
        room.scale_source not in (DOOR, HINT) and not MIN_CAMERA_HEIGHT <= room.camera.height <= MAX_CAMERA_HEIGHT
    )
    if room.disputed or implausible:
        raise Declined(Reason.ROOM_UNCLEAR, _NO_SCALE)


def _find_remaining(canvas: Canvas, surfaces: Plane, *labels: Label) -> Plane:
    """Find the share of these labels in each pixel, 0-1, without things that earlier steps removed.

    The map is as large as `surfaces`.
    """
    share = canvas.scene.label_share(*labels)
    left = share if canvas.gone is None else share * (1 - canvas.gone)
    return plane(cv2.resize(plane(left), surfaces.shape[1::-1], interpolation=cv2.INTER_LINEAR))


def _find_shadow_catchers(surfaces: Plane, small: Pixels) -> Plane:
    """Find where shadows may fall, 0-1: not on windows, doors, the ceiling or blown-out pixels.

    `small` is the picture (bytes) at the size of the surfaces.
    """
    without_shadow = (Surface.WINDOW, Surface.CEILING, Surface.DOOR)
    catchers = plane(np.clip(1 - sum(surfaces[..., PLACE[each]] for each in without_shadow), 0, 1))
    catchers[small.min(2) >= MIN_BLOWN] = 0
    return gaussian_blur(catchers, surfaces.shape[1] / 90)


def _find_occluders(canvas: Canvas, placed: tuple[PlacedPiece, ...], surfaces: Plane, room: Room) -> Matte:
    """Find things in the photo that stand nearer to the camera than the furniture behind them, at full size."""
    mask = find_things_in_front(placed, surfaces, room.camera)
    height, width = canvas.pixels.shape[:2]
    if not mask.any():
        return np.zeros((height, width), np.uint8)
    small = cv2.resize(canvas.pixels, (surfaces.shape[1], surfaces.shape[0]), interpolation=cv2.INTER_AREA)
    return refine_mask(plane(mask), plane(small) / np.float32(255), canvas.pixels, radius=3, softness=1e-3)


_BY_SERVER = RoomRules({FigureCode.SMEARED_SHARE: Limit(Reason.MELTED, maximum=0.26)}, furnishes=True)
_RENDERED = RoomRules(
    {FigureCode.NEW_OPENINGS: Limit(Reason.OPENING_ADDED), FigureCode.SMEARED_SHARE: Limit(Reason.MELTED)},
    furnishes=True,
)
"""Rules without limits for openings and smears: rendered furniture adds no doors and is not smeared, but these
figures would count a picture on the wall as a window, and a soft cushion as a smear.
"""

EFFECT = Effect(
    Enhancement.STAGING,
    NAME,
    Needs.ROOM,
    start_at_once(stage_room),
    by_server=stage_room_by_server,
    rehearsal=plan_staging,
    rules=NEW_CONTENT_RULES,
    room_rules=lambda canvas: _RENDERED if canvas.server_access is None else _BY_SERVER,
)
