"""Renders furniture in the light of its room, at a small size; compositing adds sharp outlines and colors.

Shadows and reflected light on the photo are the render with furniture, divided by the render without it
(Debevec, "Rendering synthetic objects into real scenes", 1998).
"""

from dataclasses import dataclass

import cv2
import numpy as np

from engine.arrays import Plane, plane, smoothstep
from engine.color.channels import gray_to_rgb, rgb_to_gray
from engine.filters.smoothing import gaussian_blur
from engine.geometry.camera import Camera
from engine.rendering.furniture.model import join_by_material
from engine.rendering.layout.placed import PlacedPiece
from engine.rendering.room_light import RoomLight
from engine.rendering.tracing import LitScene, Outlines, RenderView, TracedView, scale_rays

MAX_SIDE = 840
"""Greatest longer side of the picture in which light is traced, pixels."""
LIGHT_PATHS = 2_100_000
"""Number of light paths for one picture; each pixel gets an equal part, from MIN_RAYS to MAX_RAYS."""
MIN_RAYS, MAX_RAYS = 8, 32
"""Least and greatest number of light paths for each pixel."""
SHADOW_REACH = 0.8
"""Distance around a piece within which its shadow is rendered, meters."""
COLOR_OFFSET = 0.03
"""Added to a surface's own color before light is divided by it, so that dark colors do not amplify noise."""
MAX_GAIN = 1.02
"""Greatest gain on the photo around the furniture."""
FAINT_SHADOW = (0.8, 0.92)
"""Share of the light that is left in a shadow: up to the first value the shadow is distinct, from the second on
faint."""
NEUTRAL_WEIGHT = np.float32(1e-3)
"""Weight of a gain of 1 where gains are extended; it has an effect only far from floor and walls, as in a large
pane.
"""
TINT_SHARE = np.float32(0.5)
"""Kept share of the color that furniture reflects onto its surroundings; cameras balance out the rest."""

Box = tuple[int, int, int, int]


@dataclass(frozen=True, eq=False, slots=True)
class RenderedFurniture:
    """Furniture, rendered in the `box` of a picture of `width` x `height` pixels that is taken by `camera`.

    The picture is `scale` times as large as the photo. `photo` is the photo's own width and height: they cannot be
    computed from `width` and `height`, which are rounded.

    `detail` (0-1) is 1 for results and less for previews.

    `shade` is the light on the furniture divided by its own color (linear, at the photo's exposure); `shadow` is
    the factor on the photo around the furniture; `seen` are the surfaces that the rays hit first.
    """

    camera: Camera
    photo: tuple[int, int]
    scale: float
    width: int
    height: int
    box: Box
    shade: Plane
    shadow: Plane
    seen: TracedView
    outlines: Outlines
    detail: float = 1.0

    @property
    def box_in_photo(self) -> Box:
        """The box in pixels of the photo; where `box` ends at the picture's edge, it ends at the photo's edge."""
        left, top, right, bottom = (each / self.scale for each in self.box)
        right = self.photo[0] if self.box[2] >= self.width else min(self.photo[0], np.ceil(right))
        bottom = self.photo[1] if self.box[3] >= self.height else min(self.photo[1], np.ceil(bottom))
        return int(left), int(top), int(right), int(bottom)

    def find_cover(self, across: tuple[int, int]) -> Plane:
        """The furniture's share of each pixel of the whole picture.

        Parameters
        ----------
        across : tuple of int
            Width and height of the result, pixels.

        Returns
        -------
        (h, w) ndarray of float32
            0-1.
        """
        whole = np.zeros((self.height, self.width), np.float32)
        left, top, right, bottom = self.box
        whole[top:bottom, left:right] = self.seen.cover
        return plane(cv2.resize(whole, across, interpolation=cv2.INTER_AREA))

    def scale_photo_view(self, share: float) -> tuple[Camera, int, int]:
        """The camera and the size of the photo at another scale.

        Parameters
        ----------
        share : float
            Scale relative to the photo's own size; 1 is that size.

        Returns
        -------
        camera : Camera
            The camera for a picture of that size.
        width, height : int
            Pixels, at least 1.
        """
        width, height = (max(1, round(each * share)) for each in self.photo)
        return self.camera.rescale(share / self.scale), width, height


def render_furniture(
    placed: tuple[PlacedPiece, ...],
    room: RoomLight,
    camera: Camera,
    size: tuple[int, int],
    solid: Plane,
    detail: float = 1.0,
) -> RenderedFurniture:
    """Render the pieces in the light of their room.

    Parameters
    ----------
    placed : tuple of PlacedPiece
        The pieces; at least one.
    room : RoomLight
        The empty room and its lights.
    camera : Camera
        The camera for a picture of `size`.
    size : tuple of int
        Width and height of the photo, pixels.
    solid : (h, w) ndarray of float32
        How much of each pixel can show shadows, like floor and walls, 0-1; for the whole picture, at any size.
    detail : float, default 1.0
        0-1: how fine the picture is in which light is traced; with less detail, rays are also fewer.

    Returns
    -------
    RenderedFurniture
        The furniture, rendered with at most MAX_SIDE pixels, times `detail`, along the picture's longer side.

    Raises
    ------
    ModuleNotFoundError
        Where mitsuba is not installed.
    """
    scale = min(1.0, MAX_SIDE * detail / max(size))
    camera, (width, height) = camera.rescale(scale), (round(size[0] * scale), round(size[1] * scale))
    box = _find_box(placed, camera, width, height)
    parts = join_by_material([part for piece in placed for part in piece.parts])
    pixels = max(1, (box[2] - box[0]) * (box[3] - box[1]))
    rays = scale_rays(int(np.clip(LIGHT_PATHS * detail**2 / pixels, MIN_RAYS, MAX_RAYS)), detail)
    view = RenderView(camera, width, height, box, rays)
    furnished = LitScene([*room.shell, *parts], room.lights, detail).render(view)
    outlines = Outlines(parts)
    seen = outlines.trace(RenderView(camera, width, height, box, scale_rays(6, detail)))
    empty = _render_bare_room(room, camera, (width, height), box, scale_rays(16, detail))
    denoised = _denoise(furnished, seen, empty)
    walls = cv2.resize(solid, (width, height), interpolation=cv2.INTER_LINEAR)[box[1] : box[3], box[0] : box[2]]
    return RenderedFurniture(
        camera,
        size,
        scale,
        width,
        height,
        box,
        plane(_extend_to_edges(denoised, seen.cover) * room.gain),
        _strengthen(extend_shadow(denoised, seen.cover, plane(walls)), room.shadow_power),
        seen,
        outlines,
        detail,
    )


def _strengthen(shadow: Plane, power: float) -> Plane:
    """The shadow with its factors raised to a power of 1 or more; gains above 1 stay."""
    return plane(np.minimum(shadow, shadow ** np.float32(power)))


def _find_box(placed: tuple[PlacedPiece, ...], camera: Camera, width: int, height: int) -> Box:
    """The part of the picture that the pieces and their shadows can cover, in pixels."""
    points = []
    for piece in placed:
        low, high = piece.model.low[:2] - SHADOW_REACH, piece.model.high[:2] + SHADOW_REACH
        floor = piece.convert_to_room(
            np.array([[x, y] for x in np.linspace(low[0], high[0], 6) for y in np.linspace(low[1], high[1], 6)])
        )
        points.append(np.column_stack([floor, np.zeros(len(floor))]))
        for z in (piece.raised, piece.height):
            points.append(np.column_stack([piece.grid(0.3), np.full(len(piece.grid(0.3)), z)]))
    spots, depth = camera.project(np.concatenate(points))
    if (depth < 0.1).any():
        spots = np.concatenate([spots[depth >= 0.1], [[width / 2, height]]])
    left, top = np.clip(np.floor(spots.min(0)) - 6, 0, (width - 2, height - 2)).astype(int)
    right, bottom = np.clip(np.ceil(spots.max(0)) + 6, (left + 2, top + 2), (width, height)).astype(int)
    return int(left), int(top), int(right), int(bottom)


def _render_bare_room(room: RoomLight, camera: Camera, size: tuple[int, int], box: Box, rays: int) -> Plane:
    """Render the empty room in the box; the room is smooth, so a quarter of the size and fewer rays are enough."""
    reduction = 4
    width, height = -(-size[0] // reduction), -(-size[1] // reduction)
    view = RenderView(camera.rescale(1 / reduction), width, height, (0, 0, width, height), rays)
    small = LitScene(room.shell, room.lights).render(view)
    small = plane(cv2.bilateralFilter(plane(np.minimum(small, 8.0)), 11, 0.16, 3.0))
    large = cv2.resize(small, (width * reduction, height * reduction), interpolation=cv2.INTER_LINEAR)
    return plane(large[box[1] : box[3], box[0] : box[2]])


def _denoise(furnished: Plane, seen: TracedView, empty: Plane) -> Plane:
    """The light without noise: on the furniture, divided by its own color; elsewhere, by the empty room's light."""
    inside = seen.cover > 0.5
    own = np.where(
        gray_to_rgb(plane(inside)) > 0,
        seen.colors / gray_to_rgb(np.maximum(seen.cover, 0.02)) + COLOR_OFFSET,
        np.maximum(empty, 1e-4),
    )
    light = plane(np.clip(furnished / own, 0, 30))
    # Single bright pixels are noise of light paths.
    limit = cv2.medianBlur(np.ascontiguousarray(light), 5) * 2.2 + 0.02
    light = plane(np.minimum(light, limit))
    facing = seen.normals / gray_to_rgb(np.maximum(seen.cover, 0.05))
    color = np.sqrt(np.clip(seen.colors, 0, 1))
    guide = plane(
        np.concatenate([facing * 4.5, cv2.GaussianBlur(color, (0, 0), 1.0) * 3.0, inside[..., None] * 8.0], -1)
    )
    for step in (1, 2, 4, 8):
        tone = np.log(cv2.GaussianBlur(rgb_to_gray(light), (0, 0), 1.4) + 0.02)[..., None] * np.float32(
            1.5 * np.sqrt(step)
        )
        light = _smooth(light, plane(np.concatenate([guide, tone], -1)), step)
    return light


def _extend_to_edges(light: Plane, cover: Plane) -> Plane:
    """The light of pixels that show only furniture, extended over edge pixels, which also show background."""
    whole = plane(cover**8)  # Nearly 0 unless the pixel shows only furniture.
    near = plane(
        gaussian_blur(plane(light * gray_to_rgb(whole)), 1.0)
        / gray_to_rgb(gaussian_blur(whole, 1.0) + np.float32(1e-4))
    )
    trust = gray_to_rgb(np.maximum(whole, gaussian_blur(whole, 1.0) < 0.02))
    return plane(light * trust + near * (1 - trust))


def _smooth(values: Plane, guide: Plane, step: int) -> Plane:
    """The weighted mean of each pixel and its eight neighbors `step` pixels away; similar guide values weigh more.

    Dammertz et al., "Edge-avoiding a-trous wavelet transform for fast global illumination filtering" (2010).
    """
    height, width = values.shape[:2]
    total, weights = values.copy(), np.ones((height, width), np.float32)
    wide, guides = (_pad(each, step) for each in (values, guide))
    for down, across in ((0, 0), (0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1), (2, 2)):
        window = slice(down * step, down * step + height), slice(across * step, across * step + width)
        difference = np.zeros((height, width), np.float32)
        for place in range(guide.shape[2]):
            difference += (guide[..., place] - guides[window][..., place]) ** 2
        weight = cv2.exp(-difference) * np.float32(0.8 if 1 in (down, across) else 0.6)
        total += wide[window] * gray_to_rgb(weight)
        weights += weight
    return plane(total / gray_to_rgb(weights))


def _pad(values: Plane, step: int) -> Plane:
    channels = [
        cv2.copyMakeBorder(np.ascontiguousarray(values[..., place]), step, step, step, step, cv2.BORDER_REPLICATE)
        for place in range(values.shape[2])
    ]
    return plane(np.stack(channels, -1))


def _extend_gains(ratio: Plane, free: Plane, reach: float) -> Plane:
    """The gains of `free` pixels (without furniture), extended by about `reach` pixels; 1 farther away."""
    known = gaussian_blur(plane(ratio * gray_to_rgb(free)), reach)
    return plane((known + NEUTRAL_WEIGHT) / gray_to_rgb(gaussian_blur(free, reach) + NEUTRAL_WEIGHT))


def extend_shadow(denoised: Plane, cover: Plane, solid: Plane) -> Plane:
    """The gain on the photo around the furniture, without noise, extended under the edges of the furniture.

    Parameters
    ----------
    denoised : (h, w, 3) ndarray of float32
        Around the furniture: the linear light with it divided by the empty room's light, denoised.
    cover : (h, w) ndarray of float32
        The furniture's share of each pixel, 0-1.
    solid : (h, w) ndarray of float32
        How much of each pixel can show shadows, 0-1; glass cannot, because light passes through it.

    Returns
    -------
    (h, w, 3) ndarray of float32
        Factors on linear light, up to MAX_GAIN; 1 where `solid` is 0.
    """
    free = plane(cover < 0.02) * plane(solid > 0.5)
    ratio = np.clip(denoised, 0.04, 1.3)
    # Even where no shadow falls, noise and smoothing shift the ratio from 1, so it is divided by its usual value.
    usual = float(np.clip(np.quantile(rgb_to_gray(ratio)[free > 0], 0.85), 0.9, 1.1)) if free.any() else 1.0
    ratio = plane(ratio / usual)
    near = gaussian_blur(free, 1.2)
    fine, wide = (_extend_gains(ratio, free, reach) for reach in (1.2, 5.0))
    # Faint shadows and all color are smoothed widely: their edges are hardly visible, but blotches would be.
    faint = smoothstep(plane(wide.min(2)), *FAINT_SHADOW)
    faint[near < 0.05] = 1
    result = fine + (wide - fine) * gray_to_rgb(faint)
    gray = rgb_to_gray(result)
    tint = wide / gray_to_rgb(plane(np.maximum(rgb_to_gray(wide), 1e-3)))
    result = gray_to_rgb(gray) * tint**TINT_SHARE
    result = np.where(result > 0.96, 1 - (1 - result) * np.clip((1 - result) / 0.04, 0, 1), result)
    share = gray_to_rgb(solid)
    return plane(np.minimum(result, MAX_GAIN) * share + (1 - share))
