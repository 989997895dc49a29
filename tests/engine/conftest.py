"""What the engine sees in a picture is found once by each process; few paths of light, coarse cloth where asked."""

from collections.abc import Iterator

import pytest

from engine.quality import room_figures
from engine.rendering import materials, render
from engine.rendering.furniture import decor, patterns, styles
from engine.segmentation import network, scene
from tests.engine.remembering import Remembering

SEEN = ("run_network", "look_closer", "segment_sky", "segment_room", "estimate_room", "fit_surfaces_to_room")
"""Names in engine.segmentation.scene of what takes most of a test's time and depends on its arguments alone."""
ORIGINAL = {name: getattr(scene, name) for name in SEEN}
REMEMBERED, ROUGHLY = ({name: Remembering(ORIGINAL[name]) for name in SEEN} for _ in range(2))
"""The same scenes are drawn in most files, so that what is seen in them is kept from one to the next."""


def remembering(patch: pytest.MonkeyPatch, kept: dict[str, Remembering] = REMEMBERED) -> None:
    """Let the functions that SEEN names remember."""
    for name in SEEN:
        patch.setattr(scene, name, kept[name])
    patch.setattr(room_figures, "segment_room", scene.segment_room)


@pytest.fixture(scope="module", autouse=True)
def _seen_once() -> Iterator[None]:
    """For all tests of the engine."""
    with pytest.MonkeyPatch.context() as patch:
        remembering(patch)
        yield


@pytest.fixture(scope="module")
def seen_roughly(_seen_once: None) -> Iterator[None]:
    """For files of tests that do not judge what is seen: the net looks at a quarter of the pixels, and sees a drawn
    house or room as well."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(network, "INPUT_PIXELS", network.INPUT_PIXELS // 4)
        remembering(patch, ROUGHLY)
        yield


@pytest.fixture
def seen_fully(seen_roughly: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """For tests in such a file that do judge it."""
    monkeypatch.setattr(network, "INPUT_PIXELS", network.INPUT_PIXELS * 4)
    remembering(monkeypatch)


@pytest.fixture
def seen_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """For tests that compare two runs on one picture: everything is found anew in each."""
    for name in SEEN:
        monkeypatch.setattr(scene, name, ORIGINAL[name])
    monkeypatch.setattr(room_figures, "segment_room", ORIGINAL["segment_room"])


@pytest.fixture
def few_rays(monkeypatch: pytest.MonkeyPatch) -> None:
    """For tests of staged pictures that do not judge their noise: light is traced by few paths."""
    monkeypatch.setattr(render, "MIN_RAYS", 2)
    monkeypatch.setattr(render, "MAX_RAYS", 2)


@pytest.fixture(scope="module")
def coarse_textures() -> Iterator[None]:
    """For files of tests that do not judge what furniture is made of: its cloths and woods are drawn small."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(materials, "SIDE", 48)
        patch.setattr(patterns, "HEIGHT", 64)
        patch.setattr(patterns, "WIDTH", 88)
        forget_textures()
        yield
    forget_textures()


def forget_textures() -> None:
    """Draw the textures of furniture anew: those of all styles take 300 MB."""
    for kept in (styles.get_look, styles.make_weatherproof, materials._noise, decor._make_rug_material):
        kept.cache_clear()
