"""Pure functions that answer from memory what they were asked before, for the same bytes."""

import hashlib
import pickle
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

import numpy as np

from engine.segmentation.network import NetworkOutput

KEPT = 64 << 20
"""As many bytes of answers of each are kept: those for a large picture take 20 MB."""
Answer = tuple[Any, Exception | None]


class Remembering:
    """A pure function that answers from memory what it was asked before, for the same bytes."""

    def __init__(self, ask: Callable[..., Any]) -> None:
        """`ask` is the function."""
        self._ask = ask
        self._known: OrderedDict[bytes, Answer] = OrderedDict()
        self._bytes = 0

    def __call__(self, *given: Any, **named: Any) -> Any:
        """Its answer, or what it raised."""
        key = hashlib.blake2b(pickle.dumps((given, named), protocol=5)).digest()
        if key not in self._known:
            self._known[key] = self._asked(given, named)
            self._bytes += _size_of(self._known[key])
            while self._bytes > KEPT and len(self._known) > 1:
                self._bytes -= _size_of(self._known.popitem(last=False)[1])
        self._known.move_to_end(key)
        answer, refusal = self._known[key]
        if refusal is not None:
            raise refusal
        return answer

    def ask_anew(self, *given: Any, **named: Any) -> Any:
        """What the function itself says."""
        return self._ask(*given, **named)

    def _asked(self, given: tuple[Any, ...], named: dict[str, Any]) -> Answer:
        try:
            answer = self._ask(*given, **named)
        except Exception as refusal:
            return None, refusal
        if isinstance(answer, np.ndarray):
            answer.setflags(write=False)
        return answer, None


def _size_of(answer: Any) -> int:
    """The bytes of all arrays in an answer."""
    if isinstance(answer, np.ndarray):
        return answer.nbytes
    if isinstance(answer, tuple):
        return sum(map(_size_of, answer))
    return _size_of(answer.labels) if isinstance(answer, NetworkOutput) else 0
