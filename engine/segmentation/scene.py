"""Analyzes a photo: sky, lawn, windows, room. Maps are found in a small picture and refined to full size."""

from functools import cached_property

import cv2
import numpy as np

from engine.arrays import Mask, Matte, Pixels, Plane, plane, smoothstep
from engine.color.channels import rgb_to_gray
from engine.color.profiles import ColorProfile
from engine.filters.guided import refine_mask
from engine.geometry.agreement import fit_surfaces_to_room
from engine.geometry.estimation import RoomUnclear, estimate_room
from engine.geometry.room import Room
from engine.io.exif import read_exposure_value, read_focal_ratio
from engine.io.photo import DecodedPhoto
from engine.segmentation.close_up import CloseUp, look_closer
from engine.segmentation.entries import EntryPlace, find_entries
from engine.segmentation.hinted_surfaces import (
    apply_hints,
    apply_sky_outline,
    draw_surface,
    list_hinted,
)
from engine.segmentation.labels import NUMBER, Kind, Label, labels_to_kinds
from engine.segmentation.lamps import LampPlace, find_lamps
from engine.segmentation.lawn_mask import measure_turf_odds, segment_lawn
from engine.segmentation.margins import clear_margins, find_margins
from engine.segmentation.network import NetworkOutput, run_network
from engine.segmentation.outdoors import (
    MIN_SURE_ODDS,
    is_one_tone,
    is_only_noise,
    is_outdoors,
    measure_indoors,
    restrict_to_outdoors,
)
from engine.segmentation.room_surfaces import kinds_to_surfaces, segment_room
from engine.segmentation.shares import insert_sky, resize_shares
from engine.segmentation.sky_mask import segment_sky
from engine.segmentation.sky_matte import make_sky_matte
from engine.segmentation.time_of_day import is_low_sun, is_taken_in_dark
from engine.segmentation.unusual import is_bent, is_colorless, is_foggy, is_turned
from engine.segmentation.window_checks import BARRIERS, NO_PANES, Looks, find_wood, keep_windows
from engine.segmentation.window_mask import GlassMaps, segment_windows
from engine.segmentation.window_parts import fit_windows
from engine.segmentation.wires import SIDE as WIRES_SIDE
from engine.segmentation.wires import segment_wires
from engine.types.hints import NO_HINTS, HintedSurface, SceneHints

ANALYSIS_SIDE = 768
"""Maximum long side, in pixels, of the small picture, in which the photo is analyzed."""
ANY_SKY_SHARE = 0.02, 0.24
"""Shares of sky in a pixel for `any_sky`: up to the first it shows no sky, from the second on it certainly does."""
HALVING_SCALE = 0.25
"""A picture that is reduced by a smaller factor is halved first, for speed."""


class Scene:
    """A photo and its contents; every costly property is computed on first access and cached."""

    def __init__(
        self,
        pixels: Pixels,
        profile: ColorProfile,
        digest: str,
        lens: float | None = None,
        light: float | None = None,
        hints: SceneHints = NO_HINTS,
    ) -> None:
        """`pixels` are height x width x 3 bytes in the color space of `profile`; `digest` identifies the photo.

        `lens` is the focal length divided by the picture's diagonal, `light` the exposure value at ISO 100. Each is
        None if the camera did not record it. `hints` are facts about the photo that replace what the net finds.
        """
        self.pixels = pixels
        self.profile = profile
        self.digest = digest
        self.lens = lens
        self.light = light
        self.hints = hints

    @cached_property
    def own_small(self) -> Plane:
        """The small picture in the photo's own color space, 0-1, for edits."""
        return plane(self.small_bytes) / np.float32(255)

    @cached_property
    def small(self) -> Plane:
        """The small picture in gamma-coded sRGB, 0-1, for analysis, whose color limits are made for sRGB."""
        return plane(self.small_srgb) / np.float32(255)

    @cached_property
    def small_bytes(self) -> Pixels:
        """The photo with a long side of at most ANALYSIS_SIDE, uint8, in its own color space."""
        return shrink_to(self.pixels, ANALYSIS_SIDE)

    @cached_property
    def small_srgb(self) -> Pixels:
        """The small picture in gamma-coded sRGB, uint8."""
        return self.profile.to_srgb(self.small_bytes)

    @cached_property
    def _output(self) -> NetworkOutput:
        return run_network(self.small_srgb)

    @property
    def label_shares(self) -> Plane:
        """The net's share of each label, rows x columns x len(Label), 0-1: coarser than the small picture."""
        return self._output.labels

    @cached_property
    def _net_shares(self) -> Plane:
        """The net's shares of each kind, with a hinted sky; `shares` has the refined sky instead."""
        labels = restrict_to_outdoors(self._output.labels) if self.outdoors else self._output.labels
        shares = resize_shares(labels_to_kinds(labels, self.outdoors), self.small.shape)
        hint = self.hints.surfaces.get(HintedSurface.SKY)
        return shares if hint is None else apply_sky_outline(shares, hint)

    @cached_property
    def sky(self) -> Plane:
        """Small map, 0-1: the share of sky. It is all 0 in rooms, where sky is the view of a window."""
        return plane(self._sky_with_wires * (1 - self._wires))

    @cached_property
    def _sky_with_wires(self) -> Plane:
        if not self.outdoors:
            return np.zeros(self.small.shape[:2], np.float32)
        found = segment_sky(self.small, self._net_shares, is_certain=HintedSurface.SKY in self.hints.surfaces)
        return found if self.margins is None else clear_margins(found, self.margins)

    @cached_property
    def margins(self) -> Mask | None:
        """Full-size mask of margins around the photo and of labels in its corners: both were added to the photo."""
        return find_margins(self.pixels)

    @cached_property
    def _wires(self) -> Plane:
        return segment_wires(self.profile.to_srgb(shrink_to(self.pixels, WIRES_SIDE)), self._sky_with_wires)

    @cached_property
    def sky_matte(self) -> Matte:
        """Full-size share of sky in each pixel, exact at twigs and roof lines."""
        picture = shrink_to(self.pixels, WIRES_SIDE)
        maps = self._net_shares, self._sky_with_wires, self._wires
        return make_sky_matte(self.pixels, self.own_small, picture, *maps)

    @cached_property
    def sky_share(self) -> Plane:
        """`sky_matte` reduced to a small map, 0-1: unlike `sky` it includes the sky between twigs."""
        share = cv2.resize(self.sky_matte, self.sky.shape[::-1], interpolation=cv2.INTER_AREA)
        return plane(share) / np.float32(255)

    @property
    def any_sky(self) -> Plane:
        """Small map, 0-1: 1 where any sky is visible, including between twigs and along edges."""
        return plane(np.maximum(self.sky, smoothstep(self.sky_share, *ANY_SKY_SHARE)))

    @cached_property
    def lawn(self) -> Plane:
        """Small map, 0-1: the share of lawn."""
        hinted_map = self._draw_hint(HintedSurface.LAWN)
        return segment_lawn(self.small, self._net_shares) if hinted_map is None else hinted_map

    @property
    def turf_odds(self) -> Plane:
        """Small map: the log odds that a pixel is turf, by the net and the color."""
        return measure_turf_odds(self.small, self._net_shares)

    @cached_property
    def lawn_matte(self) -> Matte:
        """Full-size share of lawn in each pixel."""
        return refine_mask(self.lawn, self.own_small, self.pixels, radius=4, softness=1e-3)

    @cached_property
    def windows(self) -> Plane:
        """Small map, 0-1: panes of glass in the walls of a house seen from outside; uncertain ones are left out."""
        hinted_map = self._draw_hint(HintedSurface.PANE)
        if hinted_map is not None:
            return hinted_map
        looks = Looks(
            self.label_share(Label.PANE),
            self.close_glass,
            plane(self.share(Kind.BUILDING) + self.share(Kind.GLASS)),
            self.label_share(*NO_PANES),
            self.label_share(*BARRIERS),
            rgb_to_gray(self.small),
            find_wood(self.small),
        )
        found = segment_windows(self.small, self.sky, self.shares, GlassMaps(looks.panes, looks.glass, looks.house))
        return fit_windows(keep_windows(found, looks), self.small, looks.agreed)

    def _draw_hint(self, surface: HintedSurface) -> Plane | None:
        """Small map, 0-1, of a surface that the hints have; None if they do not mention it."""
        hint = self.hints.surfaces.get(surface)
        height, width = self.small.shape[:2]
        return None if hint is None else draw_surface(hint, width, height)

    @cached_property
    def _close_up(self) -> CloseUp:
        return look_closer(self.small_srgb, self._net_shares)

    @property
    def close_glass(self) -> Plane:
        """Small map, 0-1: the probability of glass in a house's walls, by the net's look at crops of the house."""
        return self._close_up.glass

    @cached_property
    def lamps(self) -> list[LampPlace]:
        """The lamps on the house and in its garden, the most probable first."""
        return find_lamps(self._close_up.lamps, self.sky)

    @property
    def entries(self) -> list[EntryPlace]:
        """Where lamps would hang beside the doors of the house."""
        return find_entries(self.label_share(Label.DOOR), self.label_share(Label.GARAGE_DOOR))

    @cached_property
    def window_matte(self) -> Matte:
        """Full-size share of window glass in each pixel, without frames and bars."""
        return refine_mask(self.windows, self.own_small, self.pixels, radius=3, softness=1e-3)

    @cached_property
    def shares(self) -> Plane:
        """Small maps, height x width x len(Kind), 0-1: the share of each kind in each pixel; they sum to 1."""
        return insert_sky(self._net_shares, self.sky)

    def share(self, kind: Kind) -> Plane:
        """The share of one kind in each pixel.

        Parameters
        ----------
        kind : Kind
            The kind.

        Returns
        -------
        (h, w) ndarray of float32
            Small map, 0-1.
        """
        return self.shares[..., kind]

    def label_share(self, *labels: Label) -> Plane:
        """The share of some labels together in each pixel.

        Parameters
        ----------
        *labels : Label
            The labels whose shares are added.

        Returns
        -------
        (h, w) ndarray of float32
            Small map, 0-1; the net's own output, without the refined sky.
        """
        summed = self._output.labels[..., [NUMBER[label] for label in labels]].sum(-1, keepdims=True)
        return plane(resize_shares(plane(summed), self.small.shape)[..., 0])

    @property
    def room(self) -> Room:
        """The measured room, with the camera of the small picture; raises RoomUnclear if it cannot be measured."""
        if isinstance(self._room, RoomUnclear):
            raise RoomUnclear(self._room.reason)
        return self._room

    @cached_property
    def _room(self) -> Room | RoomUnclear:
        focal = None if self.lens is None else self.lens * float(np.hypot(*self.small.shape[:2]))
        try:
            return estimate_room(self.small_srgb, self._found_surfaces, focal, self.hints)
        except RoomUnclear as error:
            return error

    @cached_property
    def surfaces(self) -> Plane:
        """Small maps, height x width x len(Surface), 0-1: the share of each surface in each pixel; they sum to 1.

        If the room could be measured, they agree with its walls.
        """
        if isinstance(self._room, RoomUnclear):
            return self._found_surfaces
        return fit_surfaces_to_room(self._room, self._found_surfaces, list_hinted(self.hints))

    @cached_property
    def _found_surfaces(self) -> Plane:
        """The surfaces from the net and the hints, before they are adapted to the measured room."""
        if self.outdoors:
            return kinds_to_surfaces(self.shares)
        return apply_hints(segment_room(self.small_srgb, self._output), self.small_srgb, self.hints)

    @cached_property
    def outdoors(self) -> bool:
        """Whether the photo was taken outside."""
        hinted = {each.is_outdoors for each in self.hints.surfaces if each is not HintedSurface.OTHER}
        if len(hinted) == 1:
            return hinted.pop()
        return is_outdoors(self._output) and not is_only_noise(self.small) and not is_one_tone(self.small)

    @cached_property
    def surely_outdoors(self) -> bool | None:
        """Whether the photo was taken outside; None if this is uncertain and the user should be asked."""
        if is_only_noise(self.small) or is_one_tone(self.small):
            return None
        odds = measure_indoors(self._output)
        return odds < 0 if abs(odds) > MIN_SURE_ODDS else None

    @cached_property
    def dark(self) -> bool:
        """Whether a photo taken outdoors was taken at dusk or night."""
        return is_taken_in_dark(self.small, self.sky, self._net_shares, self.light)

    @cached_property
    def low_sun(self) -> bool:
        """Whether the sky of a photo taken outdoors has the colors of sunrise or sunset."""
        return is_low_sun(self.small, self.sky)

    @cached_property
    def colorless(self) -> bool:
        """Whether the photo is black and white, or of a single tint."""
        return is_colorless(self.small_srgb)

    @cached_property
    def bent(self) -> bool:
        """Whether the photo is a circle or a bulging frame on black."""
        return is_bent(self.small_srgb)

    @cached_property
    def turned(self) -> bool:
        """Whether a photo taken outdoors lies on its side."""
        return is_turned(self.sky)

    @cached_property
    def foggy(self) -> bool:
        """Whether a photo taken outdoors was taken in fog."""
        return is_foggy(self.small, self.sky)

    @cached_property
    def ground_brightness(self) -> float:
        """The median luma, 0-1, of everything except the sky."""
        rest = rgb_to_gray(self.small)[self.sky < 0.5]
        return float(np.median(rest)) if rest.size else 1.0


def make_scene(photo: DecodedPhoto, hints: SceneHints = NO_HINTS) -> Scene:
    """Make the scene of a decoded photo, with focal length and exposure from its EXIF data.

    Parameters
    ----------
    photo : DecodedPhoto
        The photo.
    hints : SceneHints, optional
        Facts about the photo that replace what the net finds.

    Returns
    -------
    Scene
        It refers to the pixels of `photo` without a copy.
    """
    return Scene(
        photo.pixels,
        photo.profile,
        photo.digest,
        read_focal_ratio(photo.exif),
        read_exposure_value(photo.exif),
        hints,
    )


def shrink_to(pixels: Pixels, side: int) -> Pixels:
    """Downscale a picture by averaging over areas; a smaller one stays as it is.

    Parameters
    ----------
    pixels : (H, W, 3) ndarray of uint8
        In any color space; the coded values are averaged.
    side : int
        Maximum of the long side, in pixels.

    Returns
    -------
    (h, w, 3) ndarray of uint8
        The picture in the same color space.
    """
    height, width = pixels.shape[:2]
    scale = min(1.0, side / max(height, width))
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    if scale < HALVING_SCALE and min(height, width) > 1:
        # OpenCV halves a picture many times faster than it reduces by other factors.
        half = width // 2, height // 2
        even_part = pixels[: 2 * half[1], : 2 * half[0]]
        pixels = np.asarray(cv2.resize(even_part, half, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    return np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
