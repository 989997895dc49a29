"""The settings of a picture: how it differs from the order."""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict, replace
from typing import Self

from pydantic import BaseModel, ConfigDict

from app.domain.catalog import ENTRIES
from app.domain.option_words import list_chosen
from engine.types.edit_request import EditRequest
from engine.types.enhancements import Enhancement, in_pipeline_order
from engine.types.hints import SceneHints
from engine.types.options import NO_OPTIONS, EffectOptions
from engine.types.report import QualityReport


class PictureSettings(BaseModel):
    """How a picture differs from the order: a `photo_seed` other than 0; a `strength` (0 to 1) below 1 for the
    steps that can be weakened; steps that are `left_out`; and `hints` and `options` that replace the order's.
    """

    model_config = ConfigDict(frozen=True)

    photo_seed: int = 0
    strength: float = 1.0
    left_out: tuple[Enhancement, ...] = ()
    hints: SceneHints | None = None
    options: EffectOptions = NO_OPTIONS

    @property
    def key(self) -> str:
        """The settings as text, which is unique to them."""
        key = ":".join(
            [f"{self.photo_seed}", f"{self.strength}", ",".join(self.left_out), *self.options.chosen.values()]
        )
        if self.hints is None:
            return key
        hints = json.dumps(asdict(self.hints), sort_keys=True)
        return f"{key}:{hashlib.sha256(hints.encode()).hexdigest()}"

    def without(self, steps: Iterable[Enhancement]) -> Self:
        """A copy that leaves out these steps too."""
        return self.model_copy(update={"left_out": tuple(in_pipeline_order({*self.left_out, *steps}))})

    def with_options(self, options: EffectOptions) -> Self:
        """A copy with these options; its own options stay if `options` has no value for them."""
        return self.model_copy(update={"options": options.over(self.options)})

    def request_for(self, ordered: EditRequest) -> EditRequest:
        """The edit request for a picture with these settings of a photo with the edit request `ordered`."""
        kept = ordered.keep([each for each in ordered.steps if each not in self.left_out])
        if self.options.chosen:
            kept = replace(kept, options=self.options.over(kept.options).only_for(kept.steps))
        return kept if self.hints is None else replace(kept, hints=self.hints)

    def keeping(self, ordered: EditRequest, kept: Iterable[Enhancement]) -> Self:
        """A copy that leaves out all steps of the edit request `ordered` except `kept`."""
        remaining = set(kept)
        return self.without(each for each in ordered.steps if each not in remaining)

    def list_kept(self, ordered: EditRequest, report: QualityReport, other: Self) -> tuple[Enhancement, ...]:
        """The steps that a picture with the `other` settings keeps of a picture with these settings and this
        `report`.

        Empty if the other picture is not a variant of this one, because it has all of the steps, or differs in
        other ways.
        """
        declined = set(ordered.steps) - set(report.applied)
        kept = tuple(in_pipeline_order(set(report.applied) - set(other.left_out)))
        same_otherwise = self == other.model_copy(update={"left_out": self.left_out})
        is_variant = same_otherwise and declined <= set(other.left_out) and len(kept) < len(report.applied)
        return kept if is_variant else ()

    @property
    def description(self) -> str:
        """The differences from the order in words; empty if there are none."""
        words = [f"another random start (number {self.photo_seed})"] if self.photo_seed else []
        if self.strength < 1:
            words.append(f"{100 * self.strength:.0f} % of the change")
        if self.hints is not None:
            words.append("with other hints on what the photo shows")
        words += [each.lower() for each in list_chosen(self.options)]
        return ", ".join([*words, *(f"without {ENTRIES[each].label}" for each in self.left_out)])


AS_ORDERED = PictureSettings()
