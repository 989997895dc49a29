"""A photo tagged with sRGB is edited as one without a profile: the same bytes, and no time spent to convert it."""

import numpy as np
from PIL import ImageCms

from engine.arrays import plane
from engine.color.profiles import ColorProfile
from tests import scenes
from tests.engine.wide_spaces import WIDE

TAGGED = ColorProfile(ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes())


def test_a_profile_of_srgb_changes_nothing() -> None:
    picture = scenes.house(120, 80)
    edited, matte = picture // 2, np.full(picture.shape[:2], 255, np.uint8)
    assert TAGGED.is_srgb
    assert TAGGED.to_srgb(picture) is picture
    assert TAGGED.insert_edit(picture, edited, matte) is edited
    colors = plane(picture)
    assert TAGGED.from_srgb(colors) is colors


def test_wider_spaces_are_no_srgb() -> None:
    assert not any(profile.is_srgb for profile in WIDE.values())
    assert ColorProfile().is_srgb
