"""Merging of photos that are there already, as tests draw them."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from engine.fusion import brackets, flash, frames
from engine.fusion.shots import make_kept_shot, open_shots
from engine.io.photo import DecodedPhoto


def fuse(photos: Sequence[DecodedPhoto]) -> DecodedPhoto:
    """The exposures as one picture."""
    return brackets.fuse_brackets(open_shots(openers(photos)))


def blend(ambient: DecodedPhoto, flashes: Sequence[DecodedPhoto]) -> DecodedPhoto:
    """The flash frames with the ambient one."""
    return flash.blend_flash(make_kept_shot(ambient), open_shots(openers(flashes)))


def merged(photos: Sequence[DecodedPhoto]) -> DecodedPhoto:
    """All of them, told apart by their notes."""
    return frames.merge_frames(openers(photos))


def openers(photos: Sequence[DecodedPhoto]) -> list[Callable[[], DecodedPhoto]]:
    """What gives each photo as often as it is asked."""
    return [partial(replace, photo) for photo in photos]
