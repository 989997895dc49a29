"""What the engine sees in a picture is found once for each file of tests; few paths of light where asked for."""

import hashlib
import pickle
from collections import OrderedDict
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from app.engine.quality import room_figures
from app.engine.rendering import render
from app.engine.segmentation import scene

SEEN = ("run_network", "look_closer", "segment_sky", "segment_room", "estimate_room", "fit_surfaces_to_room")
"""Names in app.engine.segmentation.scene of what takes most of a test's time and depends on its arguments alone."""
KEPT = 8
"""As many answers of each are kept: those for a large picture take 20 MB."""
ORIGINAL = {name: getattr(scene, name) for name in SEEN}
Answer = tuple[Any, Exception | None]


class Remembering:
    """A pure function that answers from memory what it was asked before, for the same bytes."""

    def __init__(self, ask: Callable[..., Any]) -> None:
        """`ask` is the function."""
        self._ask = ask
        self._known: OrderedDict[bytes, Answer] = OrderedDict()

    def __call__(self, *given: Any) -> Any:
        """Its answer, or what it raised."""
        key = hashlib.blake2b(pickle.dumps(given, protocol=5)).digest()
        if key not in self._known:
            self._known[key] = self._asked(given)
            if len(self._known) > KEPT:
                self._known.popitem(last=False)
        self._known.move_to_end(key)
        answer, refusal = self._known[key]
        if refusal is not None:
            raise refusal
        return answer

    def _asked(self, given: tuple[Any, ...]) -> Answer:
        try:
            answer = self._ask(*given)
        except Exception as refusal:
            return None, refusal
        if isinstance(answer, np.ndarray):
            answer.setflags(write=False)
        return answer, None


def remembering(patch: pytest.MonkeyPatch) -> None:
    """Let the functions that SEEN names remember."""
    for name in SEEN:
        patch.setattr(scene, name, Remembering(ORIGINAL[name]))
    patch.setattr(room_figures, "segment_room", scene.segment_room)


@pytest.fixture(scope="module", autouse=True)
def _seen_once() -> Iterator[None]:
    """For all tests of a file."""
    with pytest.MonkeyPatch.context() as patch:
        remembering(patch)
        yield


@pytest.fixture
def seen_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """For tests that compare two runs on one picture: everything is found anew in each."""
    for name in SEEN:
        monkeypatch.setattr(scene, name, ORIGINAL[name])
    monkeypatch.setattr(room_figures, "segment_room", ORIGINAL["segment_room"])


@pytest.fixture
def few_rays(monkeypatch: pytest.MonkeyPatch) -> None:
    """For tests of staged pictures that do not judge their noise: light is traced by few paths."""
    monkeypatch.setattr(render, "FEWEST", 2)
    monkeypatch.setattr(render, "MOST", 2)
