"""How a picture of a photo is made otherwise than it was ordered."""

from collections.abc import Iterable
from typing import Self

from pydantic import BaseModel, ConfigDict

from app.domain.catalog import ENTRIES
from engine.types.edit_request import EditRequest
from engine.types.enhancements import Enhancement, in_pipeline_order
from engine.types.report import QualityReport


class PictureSettings(BaseModel):
    """How a picture is made otherwise than it was ordered: with another `photo_seed` than 0, a `strength` (0-1)
    below 1 of the steps that can do less, and without the steps `left_out`.
    """

    model_config = ConfigDict(frozen=True)

    photo_seed: int = 0
    strength: float = 1.0
    left_out: tuple[Enhancement, ...] = ()

    @property
    def key(self) -> str:
        """All of it as one text, which tells it apart."""
        return f"{self.photo_seed}:{self.strength}:{','.join(self.left_out)}"

    def without(self, steps: Iterable[Enhancement]) -> Self:
        """The same without these steps too."""
        return self.model_copy(update={"left_out": tuple(in_pipeline_order({*self.left_out, *steps}))})

    def request_for(self, ordered: EditRequest) -> EditRequest:
        """What is to happen to a photo that was ordered so."""
        return ordered.keep([each for each in ordered.steps if each not in self.left_out])

    def keeping(self, ordered: EditRequest, kept: Iterable[Enhancement]) -> Self:
        """The same with the `kept` ones alone of the steps of a photo that was ordered so."""
        staying = set(kept)
        return self.without(each for each in ordered.steps if each not in staying)

    def list_kept(self, ordered: EditRequest, report: QualityReport, other: Self) -> tuple[Enhancement, ...]:
        """The steps that a picture with `other` settings keeps of those done in one with these settings and this
        report; none where it is no variant of that: it keeps all of them, or differs in anything else.
        """
        declined = set(ordered.steps) - set(report.applied)
        kept = tuple(in_pipeline_order(set(report.applied) - set(other.left_out)))
        seeds = (self.photo_seed, self.strength) == (other.photo_seed, other.strength)
        is_variant = seeds and declined <= set(other.left_out) and len(kept) < len(report.applied)
        return kept if is_variant else ()

    @property
    def description(self) -> str:
        """What is otherwise than as it was ordered, in words; empty where nothing is."""
        said = [f"another random start (number {self.photo_seed})"] if self.photo_seed else []
        if self.strength < 1:
            said.append(f"{100 * self.strength:.0f} % of the change")
        return ", ".join([*said, *(f"without {ENTRIES[each].label}" for each in self.left_out)])


AS_ORDERED = PictureSettings()
