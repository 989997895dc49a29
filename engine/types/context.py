"""The context of the edit request of one photo: paid calls, reference pictures, frames, values of its order."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import BinaryIO

from engine.types.appearance import SharedAppearance


def _nothing_to_spend() -> bool:
    return False


def _no_reference(key: str) -> BinaryIO:
    raise FileNotFoundError(key)


@dataclass(frozen=True, slots=True)
class EngineContext:
    """The inputs of the engine besides the edit request of one photo.

    `spend` returns whether one more call to the generative server may be paid, and counts the call; it raises
    ServerUnavailableError or ServerBusyError while the server must not be asked. `open_reference` opens a reference
    picture of the order by its storage key. Random choices for the order, such as its clouds, depend on
    `order_seed`; a `photo_seed` other than 0 changes those of this photo. `may_wait`: the photo may be done later
    if the generative server cannot be asked now, or a part of this installation is missing. Without `asks_server`
    the server is not used: everything is made on this machine. `frames` open the files of a photo taken in several
    exposures; each may be opened repeatedly. `strength` (0-1) is the share of the full change that fading steps
    make: see `engine.effect.Effect.fades`.
    """

    spend: Callable[[], bool] = _nothing_to_spend
    open_reference: Callable[[str], BinaryIO] = _no_reference
    order_seed: str = ""
    appearance: SharedAppearance = field(default_factory=SharedAppearance)
    may_wait: bool = False
    asks_server: bool = True
    frames: Sequence[Callable[[], BinaryIO]] = ()
    photo_seed: int = 0
    strength: float = 1.0
