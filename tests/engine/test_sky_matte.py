"""The full-size matte of the sky: gaps in trees belong to it, what only has its color far from it does not; specks
alone in it do, wires do not.
"""

import numpy as np

from engine.arrays import plane
from engine.segmentation.labels import Kind
from engine.segmentation.sky_matte import make_sky_matte


def test_sky_shows_through_a_tree_before_it_and_not_through_a_blue_hillside_far_below() -> None:
    blue, green = (90, 140, 230), (40, 60, 30)
    pixels = np.full((200, 300, 3), green, np.uint8)
    pixels[:60] = blue
    gap, hill = np.s_[66:70, 100:104], np.s_[120:126, 200:206]
    pixels[gap], pixels[hill] = blue, blue
    shares = np.zeros((200, 300, len(Kind)), np.float32)
    shares[:60, :, Kind.SKY], shares[60:, :, Kind.TREES] = 1, 1
    sky, none = shares[..., Kind.SKY].copy(), np.zeros((200, 300), np.float32)
    matte = make_sky_matte(pixels, plane(pixels / 255), pixels, shares, sky, none)
    assert matte[:50].min() > 250
    assert matte[gap].mean() > 200
    assert matte[hill].max() == 0


def test_a_dark_speck_alone_in_the_sky_is_sky_and_a_wire_in_it_is_none() -> None:
    blue, dark = (90, 140, 230), (25, 30, 40)
    pixels = np.full((200, 300, 3), (40, 60, 30), np.uint8)
    pixels[:120] = blue
    speck, wire = np.s_[40:43, 150:154], np.s_[80:82, 60:240]
    pixels[speck], pixels[wire] = dark, dark
    shares = np.zeros((200, 300, len(Kind)), np.float32)
    shares[:120, :, Kind.SKY], shares[120:, :, Kind.BUILDING] = 1, 1
    wires = np.zeros((200, 300), np.float32)
    wires[wire] = 1
    matte = make_sky_matte(pixels, plane(pixels / 255), pixels, shares, shares[..., Kind.SKY].copy(), wires)
    assert matte[speck].min() > 250
    assert matte[wire].mean() < 60
