"""Noise shows nothing: it is no outside view, whatever a net makes of it; photos, however grainy, are."""

import numpy as np
import pytest

from engine.segmentation.labels import NUMBER, Label
from engine.segmentation.network import NetworkOutput
from engine.segmentation.outdoors import is_one_tone, is_only_noise, is_outdoors
from tests import scenes


@pytest.mark.parametrize("spread", [8, 60, 120])
def test_noise_alone_shows_nothing(spread: int) -> None:
    noise = np.random.default_rng(1).normal(128, spread, (160, 240, 3))
    assert is_only_noise(np.clip(noise, 0, 255).astype(np.float32) / 255)


def test_a_grainy_house_shows_something() -> None:
    house = scenes.house() + np.random.default_rng(1).normal(0, 20, (*scenes.house().shape[:2], 3))
    assert not is_only_noise(np.clip(house, 0, 255).astype(np.float32) / 255)


def test_an_even_tone_is_no_noise_but_shows_nothing_either() -> None:
    even = np.full((160, 240, 3), 0.5, np.float32)
    assert not is_only_noise(even)
    assert is_one_tone(even)
    even[100:, :, :] += 0.02
    assert not is_one_tone(even)


@pytest.mark.parametrize(("sky", "outdoors"), [(0.0, False), (0.1, False), (0.4, True)])
def test_where_the_net_wavers_only_a_large_sky_makes_it_an_outside_view(sky: float, outdoors: bool) -> None:
    labels = np.zeros((20, 20, len(Label)), np.float32)
    labels[..., NUMBER[Label.WALL]], labels[..., NUMBER[Label.FACADE]] = 0.6 - sky / 2, 0.4 - sky / 2
    labels[..., NUMBER[Label.SKY]] = sky
    assert is_outdoors(NetworkOutput(labels, {"place": {"indoors": 0.5}, "room": {"outside": 0.5}})) is outdoors
