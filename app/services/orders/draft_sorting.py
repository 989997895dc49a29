"""Sorting: whether the photos of a draft show the inside or the outside, as workers or the customer decide.

A photo is sorted once the customer chose its type, or once workers have looked at all its files and agree on one
type. Until then it is neither an interior nor an exterior photo: it has no price, and the draft cannot be ordered.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from sqlalchemy.orm import Session

from app.models import DraftPhoto, PhotoFacts, Preview
from app.services.orders import draft_photos
from app.services.previews import photo_facts, previews
from engine.types.enhancements import PhotoType


class Unsorted(StrEnum):
    """Why a photo is not sorted: workers have not looked at it yet, cannot tell, or cannot read it at all."""

    WAITING = "waiting"
    UNSURE = "unsure"
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True)
class Sorting:
    """`unsorted`: the photos that are not sorted, by id, and why. `guesses`: the types found for photos that have
    another type and that the customer did not sort, by id; until they are applied, these photos are WAITING.
    """

    unsorted: Mapping[str, Unsorted]
    guesses: Mapping[str, PhotoType]


def find(rows: Sequence[DraftPhoto], facts: Mapping[str, PhotoFacts], made: Mapping[str, Preview]) -> Sorting:
    """Find what is not sorted among the files of a draft, see draft_photos.get_all(). `facts` and `made`: the facts
    and the previews of the files, by storage key.
    """
    unsorted: dict[str, Unsorted] = {}
    guesses: dict[str, PhotoType] = {}
    for frames in draft_photos.group_frames(rows):
        first = frames[0]
        if any(frame.type_is_chosen for frame in frames):
            continue
        known = [facts[frame.storage_key] for frame in frames if frame.storage_key in facts]
        if any(each.fault in photo_facts.FILE_FAULTS for each in known):
            unsorted[first.id] = Unsorted.UNREADABLE
        elif any(_is_awaited(frame, facts, made) for frame in frames):
            unsorted[first.id] = Unsorted.WAITING
        elif (found := _choose(known)) is None:
            unsorted[first.id] = Unsorted.UNSURE
        elif found is not first.type:
            unsorted[first.id], guesses[first.id] = Unsorted.WAITING, found
    return Sorting(unsorted, guesses)


def read(session: Session, rows: Sequence[DraftPhoto]) -> Sorting:
    """find(), in two queries."""
    keys = [row.storage_key for row in rows]
    return find(rows, photo_facts.get_all(session, keys), previews.get_all(session, keys))


def _is_awaited(frame: DraftPhoto, facts: Mapping[str, PhotoFacts], made: Mapping[str, Preview]) -> bool:
    """Whether a worker will still look at the file. A file that was looked at but has no facts is not awaited."""
    preview = made.get(frame.storage_key)
    return frame.storage_key not in facts and (preview is None or not (preview.width or preview.error))


def _choose(known: Sequence[PhotoFacts]) -> PhotoType | None:
    """The type that most frames seem to have; None if both types have as many frames, or no frame has a type."""
    counts = Counter(each.guessed_type for each in known if each.guessed_type is not None)
    ranked = counts.most_common(2)
    if not ranked or (len(ranked) == 2 and ranked[0][1] == ranked[1][1]):
        return None
    return ranked[0][0]
