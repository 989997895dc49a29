"""What the engine has beside the request for one photo: paid calls, reference pictures, what its order shares."""

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
    """What the engine has beside the edit request of one photo.

    `spend` says whether one more call to the generative server may be paid, and counts it; it raises
    ServerUnavailableError or ServerBusyError while the server is not to be asked at all. `open_reference` opens a
    reference picture of the order by its storage key. Whatever chance decides for the order, such as its clouds, is
    the same for the same `order_seed`; another `photo_seed` than 0 changes what it decides for this photo.
    `may_wait`: the photo may be done later, where the generative server cannot be asked now. Without `asks_server`
    it is not asked at all: everything is made on this machine. `frames` open the files of a photo that was taken in
    several exposures, each as often as it is needed, one after the other. `strength` (0-1) is the share of the
    full change that is made by those steps that can make less of it.
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
